"""The simulation program as a functional mock-up unit (FMU): its variables, and the words of its sources."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from linkwork import __version__
from linkwork.algebra import Symbol, evaluate, free_symbols
from linkwork.dynamics.c_project import PARTS, RUNTIME, c_words, machine_files, quoted
from linkwork.dynamics.standalone import Standalone
from linkwork.dynamics.tangent import dependencies_of_columns, dependencies_of_rates, tangent_programs
from linkwork.emit import print_c_functions
from linkwork.emit.fmu import (
    VERSIONS,
    Description,
    Kind,
    Variable,
    binary_path,
    distinct,
    fmu_template,
    joined,
    structured,
    unit_files,
)
from linkwork.emit.runtime import runtime_declarations
from linkwork.model.drive import CLOCK

TOLERANCE: Final = 1e-9
"""The accuracy of a motion for which nobody asks another."""
UNIT_PARTS: Final = (*PARTS, "saved")
"""The parts of the runtime that a unit needs."""
OBSERVED: Final = (Kind.OUTPUT, Kind.INDICATOR)
"""The kinds of what is computed from the state and is no rate of it."""
NO_EVENTS: Final = "held during a step of co-simulation"


def with_tangents(program: Standalone) -> Standalone:
    """The program with the functions of its directional derivatives."""
    return replace(program, further=tangent_programs(program.synthesis))


@dataclass(frozen=True)
class MockUpUnit:
    """What stands at each value reference of a program that has its tangents."""

    program: Standalone

    # -------------------------------------------------------------------------------- numbers

    @cached_property
    def values(self) -> dict[str, float]:
        """The parameters in numbers."""
        return self.program.synthesis.spec.machine.values()

    @cached_property
    def _at_start(self) -> dict[str, list[float]]:
        """What the function ``start`` gives for these numbers."""
        known = {f"parameter_of.{name}": value for name, value in self.values.items()}
        return {
            each.name: list(evaluate(list(each.expressions), known)) for each in self.program.start.outputs
        }

    @cached_property
    def _starts(self) -> dict[str, float]:
        """Where positions and rates of second order start, by their names."""
        synthesis, found = self.program.synthesis, self._at_start
        return {
            **{leaf.name: value for leaf, value in zip(synthesis.q, found["q"], strict=True)},
            **{leaf.name: value for leaf, value in zip(synthesis.v, found["v"], strict=True)},
        }

    # ------------------------------------------------------------------------------ variables

    @cached_property
    def _column_of(self) -> dict[Symbol, str]:
        """The columns that are nothing but a variable or a rate, by what they are."""
        own = {*self.program.synthesis.y, *self.program.synthesis.q0}
        found: dict[Symbol, str] = {}
        for name, value in self.program.synthesis.observed.items():
            if isinstance(value, Symbol) and value in own:
                found.setdefault(value, name)
        return found

    @cached_property
    def outputs(self) -> list[str]:
        """The columns that are no states; time is none of them."""
        states = {self._column_of.get(leaf) for leaf in self.program.synthesis.y}
        return [name for name in self.program.columns[1:] if name not in states]

    @cached_property
    def names(self) -> list[str]:
        """The names of all variables, by value reference."""
        states = [structured(self._column_of.get(leaf, leaf.name)) for leaf in self.program.synthesis.y]
        others = (*self.program.parameters, *self.program.controls)
        found = ["time", *map(structured, others), *states]
        return distinct([*found, *(f"der({name})" for name in states), *map(structured, self.outputs)])

    @cached_property
    def _place_of(self) -> dict[str, int]:
        """The value references of what rates and outputs may depend on."""
        states = [leaf.name for leaf in self.program.synthesis.y]
        known = (CLOCK.name, *self.program.parameters, *self.program.controls, *states)
        return {name: place for place, name in enumerate(known) if name not in self.program.parameters}

    def _places(self, names: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted(self._place_of[name] for name in names))

    @cached_property
    def unused(self) -> list[str]:
        """The controls that no formula mentions."""
        return self.program.unused_controls()

    @property
    def start_follows(self) -> bool:
        """Whether a control decides where the machine starts."""
        parts = (*self.program.synthesis.initialise, *self.program.synthesis.velocities)
        return any(each.name == "c" and each.symbols for part in parts for each in part.program.inputs)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know."""
        return tuple(
            f"no formula uses the control {name}: as an input it changes nothing" for name in self.unused
        )

    @cached_property
    def follows(self) -> list[bool]:
        """Whether each parameter is a formula of others."""
        given = self.program.synthesis.spec.machine.parameters
        return [bool(free_symbols(given[name])) for name in self.program.parameters]

    @cached_property
    def ranges(self) -> list[tuple[float, float]]:
        """The smallest and largest value of each control."""
        controls = self.program.synthesis.spec.machine.controls
        found = [evaluate([*each.range], self.values) for each in controls.values()]
        return [(least, most) for least, most in found]

    def _parameters(self) -> Iterable[Variable]:
        units = self.program.synthesis.spec.machine.units
        for name, follows in zip(self.program.parameters, self.follows, strict=True):
            kind = Kind.FOLLOWING if follows else Kind.PARAMETER
            about = f"= {self.program.synthesis.spec.machine.parameters[name]}" if follows else ""
            yield Variable(name, kind, None if follows else self.values[name], units.get(name, ""), about)

    def _inputs(self) -> Iterable[Variable]:
        machine = self.program.synthesis.spec.machine
        for name, start, (least, most) in zip(
            machine.controls, self._at_start["c"], self.ranges, strict=True
        ):
            about = "no formula uses it" if name in self.unused else NO_EVENTS
            yield Variable(name, Kind.INPUT, start, machine.units.get(name, ""), about, least, most)

    def _states(self) -> Iterable[Variable]:
        for place, leaf in enumerate(self.program.synthesis.y):
            column = self._column_of.get(leaf, "")
            unit = self.program.units.get(column, "")
            own = (self._first_state + place,)
            start = self._starts[leaf.name]
            yield Variable(leaf.name, Kind.STATE, start, unit, is_output=bool(column), needs=own)

    def _rates(self) -> Iterable[Variable]:
        needs = dependencies_of_rates(self.program.synthesis)
        time = self.program.units.get("time", "")
        for place, (leaf, names) in enumerate(zip(self.program.synthesis.y, needs, strict=True)):
            unit = self.program.units.get(self._column_of.get(leaf, ""), "")
            per = per_time(unit, time)
            of = self._first_state + place
            yield Variable("", Kind.RATE, None, per, rate_of=of, needs=self._places(names))

    def _outputs(self) -> Iterable[Variable]:
        needs = dependencies_of_columns(self.program.synthesis)
        needs["energy"] = needs["kinetic"] | needs["potential"]
        variables = {name: leaf.name for leaf, name in self._column_of.items()}
        for name in self.outputs:
            if name in self.program.synthesis.watched:
                about = (
                    f"{self.program.synthesis.watched[name]}: passes through zero where a formula switches"
                )
                yield Variable(name, Kind.INDICATOR, about=about, needs=self._places(needs[name]))
                continue
            start = self._starts[variables[name]] if name in variables else None
            unit = self.program.units.get(name, "")
            places = self._places(needs[name])
            yield Variable(name, Kind.OUTPUT, start, unit, is_output=True, needs=places)

    @property
    def _first_state(self) -> int:
        return 1 + len(self.program.parameters) + len(self.program.controls)

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """All variables by value reference."""
        time = Variable("time", Kind.TIME, unit=self.program.units.get("time", ""))
        every = [
            time,
            *self._parameters(),
            *self._inputs(),
            *self._states(),
            *self._rates(),
            *self._outputs(),
        ]
        return tuple(replace(each, name=name) for each, name in zip(every, self.names, strict=True))

    def description(self) -> Description:
        """The unit as its description tells it."""
        machine = self.program.synthesis.spec.machine
        first, last = self._at_start["span"]
        return Description(
            self.program.name,
            machine.name,
            machine.title,
            f"linkwork {__version__}",
            self.variables,
            first,
            last,
            TOLERANCE,
            bool(self.program.synthesis.stabilise),
            (),
            self.notes,
        )

    # ---------------------------------------------------------------------------------- words

    def words(self) -> dict[str, str]:
        """What stands in the templates of the sources."""
        synthesis = self.program.synthesis
        variable_of = {
            name: synthesis.q0.index(leaf) for leaf, name in self._column_of.items() if leaf in synthesis.q0
        }
        starts = [each.start for each in self.variables if each.kind in (Kind.STATE, *OBSERVED)]
        indicators = [place for place, each in enumerate(self.variables) if each.kind is Kind.INDICATOR]
        return c_words(self.program) | {
            "tolerance": repr(TOLERANCE),
            "outputs": str(len(self.outputs)),
            "indicators": str(len(indicators)),
            "references_of_indicators": _entries(indicators),
            "names": "".join(f"    {quoted(name)},\n" for name in self.names),
            "follows": _entries(int(each) for each in self.follows),
            "least": _entries(_number(least) for least, _ in self.ranges),
            "most": _entries(_number(most) for _, most in self.ranges),
            "starts": _entries(_number(each) for each in starts),
            "columns_of_outputs": _entries(self.program.columns.index(name) for name in self.outputs),
            "variables_of_outputs": _entries(variable_of.get(name, -1) for name in self.outputs),
            "zeroth": str(len(synthesis.q0)),
            "start_follows": str(int(self.start_follows)),
            "second": str(len(synthesis.q2)),
            "positions": str(len(synthesis.q1) + len(synthesis.q2)),
        }


def per_time(unit: str, time: str) -> str:
    """The unit of a rate.

    >>> per_time("cm", "s"), per_time("cm/s", "s"), per_time("rad/s^2", "s")
    ('cm/s', 'cm/s^2', 'rad/s^3')
    """
    if not unit or not time:
        return ""
    whole, _, power = unit.rpartition(f"/{time}")
    if whole and (not power or re.fullmatch(r"\^\d+", power)):
        return f"{whole}/{time}^{int(power[1:] or 1) + 1}"
    return f"{unit}/{time}"


def _entries(values: Iterable[object]) -> str:
    return ", ".join(map(str, values)) or "0"


def _number(value: float | None) -> str:
    return "NAN" if value is None or not math.isfinite(value) else repr(value)


def fmu_files(target: str, unit: MockUpUnit) -> dict[str, str]:
    """The texts in the archive of a program that has its tangents."""
    words = unit.words()
    header, source = (fmu_template(f"further.{ending}.txt", words) for ending in "hc")
    machine = machine_files(unit.program, header, source, UNIT_PARTS)
    functions = print_c_functions(unit.program.further)
    machine[along_source(unit.program.name)] = fmu_template("along.c.txt", words | {"functions": functions})
    return unit_files(target, unit.description(), machine, words)


def along_source(name: str) -> str:
    """The file of the directional derivatives."""
    return f"{name}_along.c"


def library_sources(target: str, name: str, files: Mapping[str, str]) -> tuple[str, str, str]:
    """Three texts to be compiled beside one another: the machine, its directional derivatives, the functions of FMI.

    They are to be linked with the :func:`runtime_halves` of all machines.
    """
    sources = {path.removeprefix("sources/"): text for path, text in files.items()}
    sources[RUNTIME] = runtime_declarations(*UNIT_PARTS)
    machine, along = (joined(sources, [each]) for each in (f"{name}.c", along_source(name)))
    return machine, along, joined(sources, VERSIONS[target].SOURCES)


def library_path(target: str, name: str) -> str | None:
    """Where the library lies in the archive; None where FMI has no name for this platform."""
    return binary_path(name, VERSIONS[target].VERSION)
