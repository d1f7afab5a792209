"""A chain of stages as native code: a whole sweep in one call."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.algebra import Expression, Symbol, directional, free_symbols, jacobian, number, symbol
from linkwork.emit import Input, Output, Program, print_c_functions
from linkwork.emit.compiler import load_library
from linkwork.emit.runtime import runtime_source
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.chain import Stage
from linkwork.kinematics.path import Inputs
from linkwork.kinematics.system import System

OUTPUTS = ("first", "second", "third", "fourth")
FUNCTIONS = ("begin", "solve", "arrive", "rates", "begin2", "side2", "follow2")
"""The functions of a stage, in the order of the struct lw_stage."""

Targets = tuple[Sequence[Expression], Sequence[int]]
"""Expressions, and where in the output array they go; no places means one after another."""


@dataclass(frozen=True)
class Reached:
    """What a sweep found: rows of coordinates, rates and accelerations, as many as were reached."""

    q: Matrix
    v: Matrix
    a: Matrix


class NativeChain:
    """The compiled chain of a system."""

    def __init__(self, system: System, stages: Sequence[Stage]) -> None:
        self.size = system.size
        self.inputs = len(system.inputs)
        library = load_library(chain_source(system, stages), optimise="-O2" if len(stages) < 40 else "-O1")
        self._sweep = library["sweep"]
        self._sweep.restype = ctypes.c_long
        self._sweep.argtypes = [ctypes.c_long, *[ctypes.c_void_p] * 9]
        self._accelerations = library["accelerations"]
        self._accelerations.restype = None
        self._accelerations.argtypes = [ctypes.c_long, *[ctypes.c_void_p] * 8]

    def accelerations(self, q: Matrix, v: Matrix, inputs: Inputs, constants: Matrix, scale: Matrix) -> Matrix:
        """The accelerations at rows of positions and rates."""
        a = np.zeros_like(q)
        kept = [
            np.ascontiguousarray(each) for each in (q, v, inputs.u, inputs.du, inputs.ddu, constants, scale)
        ]
        self._accelerations(len(q), *[each.ctypes.data for each in kept], a.ctypes.data)
        return a

    def sweep(
        self,
        time: Matrix,
        u: Matrix,
        du: Matrix,
        ddu: Matrix | None,
        constants: Matrix,
        scale: Matrix,
        start: Matrix,
    ) -> Reached:
        """Follow the path from the start through all rows of inputs, or as far as it goes."""
        rows = len(time)
        q, v = np.empty((rows, self.size)), np.empty((rows, self.size))
        a = np.empty((rows if ddu is not None else 0, self.size))
        q[0] = start
        kept = [np.ascontiguousarray(each) for each in (time, u, du)]
        third = None if ddu is None else np.ascontiguousarray(ddu)
        arrays = [*kept, third, constants, scale, q, v, a if third is not None else None]
        pointers = [None if each is None else each.ctypes.data for each in arrays]
        reached = self._sweep(rows, *pointers)
        return Reached(q[:reached], v[:reached], a[:reached])


def chain_source(system: System, stages: Sequence[Stage]) -> str:
    """The C text: the runtime, the functions of all stages, their table, and the sweep."""
    names = _Names(system)
    programs = [program for place, stage in enumerate(stages) for program in names.programs(place, stage)]
    lines = ["#include <stdlib.h>", runtime_source("chain"), print_c_functions(programs), ""]
    for place, stage in enumerate(stages):
        if stage.tears:
            places = ", ".join(str(names.place[each]) for each in stage.tears)
            lines.append(f"static const int tears{place}[] = {{{places}}};")
    lines.append("static const lw_stage stages[] = {")
    for place, stage in enumerate(stages):
        kinds = FUNCTIONS if stage.tears else ("begin", "begin2")
        entries = [f"stage{place}_{name}" if name in kinds else "NULL" for name in FUNCTIONS]
        lines.append(
            f"    {{{len(stage.tears)}, {f'tears{place}' if stage.tears else 'NULL'}, {', '.join(entries)}}},"
        )
    most = max((len(stage.tears) for stage in stages), default=0)
    size, inputs = system.size, len(system.inputs)
    lines += [
        "};",
        "",
        f"static const lw_chain chain = {{{len(stages)}, {size}, {inputs}, {most}, stages}};",
        "",
        _CALLS.format(work=f"LW_CHAIN_WORK({len(stages)}, {size}, {inputs}, {most})", most=max(most, 1)),
    ]
    return "\n".join(lines)


_CALLS = """\
long sweep(long rows, const double *t, const double *u, const double *du, const double *ddu, const double *k,
           const double *scale, double *q, double *v, double *a)
{{
    static const int work_size = {work};
    double *work = malloc(work_size * sizeof(double));
    int pivot[{most}];
    long reached = 0;
    if (work != NULL) {{
        reached = lw_chain_sweep(&chain, rows, t, u, du, ddu, k, scale, q, v, a, work, pivot);
        free(work);
    }}
    return reached;
}}

void accelerations(long rows, const double *q, const double *v, const double *u, const double *du, const double *ddu,
                   const double *k, const double *scale, double *a)
{{
    int pivot[{most}];
    double side[{most}], step[{most}], jacobian[{most} * {most}];
    lw_chain_solver solver = {{&chain, k, scale, side, step, jacobian, NULL, pivot}};
    long n = chain.unknowns, m = chain.inputs;
    for (long row = 0; row < rows; ++row) {{
        lw_chain_accelerate(&solver, q + row * n, v + row * n, u + row * m, du + row * m, ddu + row * m, a + row * n);
    }}
}}
"""


class _Names:
    """Where each symbol stands in the arrays of the sweep, and the programs of a stage."""

    def __init__(self, system: System) -> None:
        self.q, self.u = system.unknowns, system.inputs
        self.v, self.a = (self._rates(prefix, self.q) for prefix in ("V", "A"))
        self.du, self.ddu = (self._rates(prefix, self.u) for prefix in ("V", "A"))
        self.k = tuple(name for name, _ in system.constants)
        self.arrays = {
            name: {leaf: place for place, leaf in enumerate(getattr(self, name))}
            for name in ("q", "v", "a", "u", "du", "ddu", "k")
        }
        self.place = self.arrays["q"]
        self.home = {leaf: name for name, leaves in self.arrays.items() for leaf in leaves}
        self.rate = dict(zip((*self.q, *self.u), (*self.v, *self.du), strict=True))
        self.rate2 = dict(zip((*self.v, *self.du), (*self.a, *self.ddu), strict=True))

    @staticmethod
    def _rates(prefix: str, names: Sequence[Symbol]) -> tuple[Symbol, ...]:
        return tuple(symbol(f"{prefix}_{each.name}") for each in names)

    def program(self, name: str, *outputs: Targets) -> Program:
        """A function of the form lw_stage_function."""
        results = [expression for expressions, _ in outputs for expression in expressions]
        used: dict[str, list[Symbol]] = {array: [] for array in self.arrays}
        for leaf in free_symbols(*results):
            used[self.home[leaf]].append(leaf)
        given = [
            Input(
                array,
                tuple(each.name for each in leaves),
                places=tuple(self.arrays[array][each] for each in leaves),
            )
            for array, leaves in used.items()
        ]
        filled = [*outputs, *[((), ())] * (len(OUTPUTS) - len(outputs))]
        written = [
            Output(label, tuple(expressions), places=tuple(places))
            for label, (expressions, places) in zip(OUTPUTS, filled, strict=True)
        ]
        return Program(name, tuple(given), tuple(written))

    def programs(self, number: int, stage: Stage) -> Iterator[Program]:
        """The functions of a stage; rates of tears count as known where they are."""
        values, places = self._assigned(stage.explicit)
        once = self._along(values)
        yield self.program(f"stage{number}_begin", (values, places), (once, places))
        yield self.program(f"stage{number}_begin2", (self._along_twice(once), places))
        if not stage.tears:
            return
        slopes = jacobian(stage.residuals, stage.tears)
        count = len(stage.tears)
        matrix = [slopes[row].get(column, _ZERO) for row in range(count) for column in range(count)]
        yield self.program(f"stage{number}_solve", (stage.residuals, ()), (matrix, ()))
        values, places = self._assigned(stage.followers)
        held = dict.fromkeys(stage.tears, _ZERO)
        side = [-each for each in self._along(stage.residuals, held)]
        yield self.program(f"stage{number}_arrive", (values, places), (side, ()), (matrix, ()))
        once = self._along(values)
        yield self.program(f"stage{number}_rates", (once, places))
        held2 = dict.fromkeys((self.rate[each] for each in stage.tears), _ZERO)
        side2 = [-each for each in self._along_twice(self._along(stage.residuals), held2)]
        yield self.program(f"stage{number}_side2", (side2, ()), (matrix, ()))
        yield self.program(f"stage{number}_follow2", (self._along_twice(once), places))

    def _assigned(
        self, assignments: Sequence[tuple[Symbol, Expression]]
    ) -> tuple[list[Expression], list[int]]:
        return [value for _, value in assignments], [self.place[name] for name, _ in assignments]

    def _along(
        self, values: Sequence[Expression], held: dict[Symbol, Expression] | None = None
    ) -> list[Expression]:
        leaves = [leaf for leaf in free_symbols(*values) if leaf in self.rate]
        return directional(values, {leaf: (held or {}).get(leaf, self.rate[leaf]) for leaf in leaves})

    def _along_twice(
        self, rates: Sequence[Expression], held: dict[Symbol, Expression] | None = None
    ) -> list[Expression]:
        every = {**self.rate, **self.rate2}
        leaves = [leaf for leaf in free_symbols(*rates) if leaf in every]
        return directional(rates, {leaf: (held or {}).get(leaf, every[leaf]) for leaf in leaves})


_ZERO = number(0)
