"""The simulation program in C99: the functions of a machine, and the scheme that the runtime works through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from linkwork.dynamics.synthesis import Component, Synthesis
from linkwork.emit import Program, print_c_functions
from linkwork.emit.runtime import runtime_library, runtime_source


def runtime_library_source() -> str:
    """The C text of the library that all machines share, compiled once: the runtime with its functions public."""
    return runtime_library("scheme")


def machine_library_source(synthesis: Synthesis) -> str:
    """The C text of one machine's library: its functions, and its scheme for the runtime."""
    return "\n".join([runtime_source("scheme_types"), scheme_text(synthesis), _CALLS])


def scheme_text(synthesis: Synthesis, more: Sequence[Program] = (), *, with_runtime: bool = True) -> str:
    """The functions of a machine, and more, and the table that tells the runtime about them."""
    components = {
        "initialise": synthesis.initialise,
        "velocity": synthesis.velocities,
        "stabilise": synthesis.stabilise,
    }
    programs = [synthesis.derivative, synthesis.zeroth, synthesis.observe]
    programs += [each.compact for parts in components.values() for each in parts]
    programs += [synthesis.constants_program, *more]
    lines = ["#include <stddef.h>", print_c_functions(programs, with_runtime=with_runtime), ""]
    for name, parts in components.items():
        lines += _component_table(name, parts)
    return "\n".join([*lines, *_scheme(synthesis, components)])


def _component_table(name: str, parts: Sequence[Component]) -> list[str]:
    lines, rows = [], []
    for number, part in enumerate(parts):
        arrays = {"places": part.places, "starts": part.starts, "columns": part.columns}
        lines += [_array("int", f"{name}_{what}{number}", values) for what, values in arrays.items()]
        weights = "NULL"
        if part.weights:
            weights = f"{name}_weights{number}"
            lines.append(_array("double", weights, [f"{each:g}" for each in part.weights]))
        sparsity = f"{name}_starts{number}, {name}_columns{number}, {part.band}"
        head = f"{part.equations}, {len(part.places)}, {name}_places{number}, {weights}"
        rows.append(f"    {{{head}, {sparsity}, {part.program.name}}},")
    return [
        *lines,
        f"static const lw_component {name}_parts[] = {{",
        *(rows or ["    {0, 0, NULL, NULL, NULL, NULL, 0, NULL},"]),
        "};",
    ]


def _array(kind: str, name: str, values: Sequence[object]) -> str:
    return f"static const {kind} {name}[] = {{{', '.join(map(str, values)) or '0'}}};"


def _scheme(synthesis: Synthesis, components: Mapping[str, Sequence[Component]]) -> list[str]:
    every = [part for parts in components.values() for part in parts]
    counts = (len(synthesis.q0), len(synthesis.q1), len(synthesis.q2), len(synthesis.constants))
    most = [
        max((size(part) for part in every), default=0)
        for size in (
            lambda part: part.equations,
            lambda part: len(part.places),
            lambda part: len(part.columns),
            lambda part: part.band,
        )
    ]
    return [
        "",
        "static const lw_scheme scheme = {",
        f"    {', '.join(map(str, counts))}, {len(synthesis.observed)}, {', '.join(map(str, most))},",
        "    derivative, zeroth, observe,",
        f"    {', '.join(str(len(parts)) for parts in components.values())},",
        f"    {', '.join(f'{name}_parts' for name in components)},",
        "};",
    ]


_CALLS = """
const lw_scheme *machine_scheme(void)
{
    return &scheme;
}

void machine_constants(const double *p, double *k)
{
    constants(p, k);
}

void machine_derivative(const double *y, const double *k, const double *c, double t, double *rate)
{
    derivative(y, k, c, &t, rate);
}
"""
