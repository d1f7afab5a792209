"""The equations of a machine of parts and joints as a table to be read: places, what joints close, energies, motion.

It is what the simulation program computes, in the same names, shortened for readers: where parts stand (``rod.x``),
what is zero where loops close (``phi_C_1``), ``kinetic_energy`` and ``potential_energy``, rates that constraints tell
(``V_piston.angle``), and accelerations (``A_crank.angle``), with the forces of constraints (``multiplier_C_1``) where
these are solved for together. Long numbers, as solids give them, have names of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from linkwork.algebra import Definition, Expression, Number, Symbol, Table, evaluate, number, substitute
from linkwork.algebra.draft import Draft
from linkwork.algebra.graph import nodes_in_order
from linkwork.algebra.shorten import shortened
from linkwork.algebra.text import text
from linkwork.dynamics.specification import Specification
from linkwork.errors import UsageError
from linkwork.model import Machine
from linkwork.model.drive import CLOCK
from linkwork.model.fault import did_you_mean, listed
from linkwork.simulation.simulator import Simulator
from linkwork.simulation.start import rough_start, settled

LONG: Final = 8
"""Letters from which on a number has a name: written out again and again it hides what a formula says."""
MOST_SHORTENED: Final = 600
"""Lines up to which a table is shortened: some seconds; of more nobody reads all."""


def equations(machine: Machine, quantities: Sequence[str] = (), *, tidy: bool = True) -> Table:
    """The table of a machine of parts and joints: its inputs are parameters, variables, their rates and time.

    With ``quantities`` it has these of its lines and what they need.

    >>> from linkwork.model import load
    >>> print(equations(load("slider-crank"), ["piston.x", "phi_C_2"]))
    piston.x = rod*cos(rod.angle) + crank*cos(t*speed)
    phi_C_2 = rod*sin(rod.angle) + crank*sin(t*speed) - offset
    """
    synthesis = Simulator(machine).synthesis
    closing = [
        Definition.of("phi_" + re.sub(r"\W", "_", each.name), each.phi) for each in synthesis.spec.constraints
    ]
    energies = [
        Definition.of("kinetic_energy", synthesis.spec.kinetic_energy()),
        Definition.of("potential_energy", synthesis.spec.potential_energy()),
    ]
    lines = [*synthesis.motion_lines, *closing, *energies]
    told = [name for name, _ in synthesis.spec.machine_quantities()]
    told += [*(line.name for line in (*closing, *energies)), *(leaf.name for leaf in synthesis.state_rates)]
    names = {line.name: None for line in lines}
    _check_quantities(machine, quantities, names)
    outputs = [name for name in dict.fromkeys(quantities or told) if name in names]
    named, constants = _with_named_numbers(lines)
    table = _needed(Table.of(named, outputs=outputs))
    if tidy and len(table) <= MOST_SHORTENED:
        table = shortened(table)
    used = {leaf for line in table for leaf in line.mentions}
    kept = [line for line in constants if line.symbol in used]
    own = {line.name for line in kept}
    given = {leaf.name for leaf in used} - own - {line.name for line in table}
    inputs = [name for name in (*machine.parameters, *sorted(given - {*machine.parameters})) if name in given]
    return Table.of([*kept, *table], outputs=outputs, inputs=inputs)


def drawn_state(machine: Machine, parameters: Mapping[str, float]) -> dict[str, float]:
    """The values of the variables where the machine stands as drawn, their rates there, and the first time."""
    spec = Specification.of(machine)
    time = evaluate([machine.time.start], parameters)[0]
    rough = rough_start(spec, parameters)
    positions = settled(spec, parameters, rough.positions, time)
    rates = {leaf.name: rough.rates.get(each.name, 0.0) for each, leaf in spec.rates.items()}
    controls = dict.fromkeys(machine.controls, 0.0)
    return {**controls, **positions, **rates, CLOCK.name: time}


def _check_quantities(machine: Machine, wanted: Sequence[str], names: Mapping[str, None]) -> None:
    for name in wanted:
        if name not in names:
            raise UsageError(
                f"the equations of {machine.name} have no '{name}'",
                wanted=listed(names),
                fix=did_you_mean(name, [*names], "kinetic_energy"),
            )


def _needed(table: Table) -> Table:
    """The table without lines that no output needs."""
    draft = Draft(table.definitions, list(table.outputs))
    draft.drop_unneeded()
    return replace(table, definitions=tuple(draft.lines.values()))


def _with_named_numbers(lines: Sequence[Definition]) -> tuple[list[Definition], list[Definition]]:
    """The lines with long numbers under names, and what these are; names that are taken are passed over."""
    sides = [_sides(line) for line in lines]
    nodes = nodes_in_order(side for both in sides for side in both)
    taken = {each.name for each in nodes if isinstance(each, Symbol)} | {line.name for line in lines}
    free = (name for place in count(1) if (name := f"c_{place}") not in taken)
    constants: dict[Expression, Definition] = {}
    replaced: dict[Expression, Expression] = {}
    for node in nodes:
        if isinstance(node, Number) and len(text(node).lstrip("-")) >= LONG:
            size = -node if node.negative else node
            if size not in constants:
                # as a program has it: sums and products of numbers are exact, with as many digits as that takes
                constants[size] = Definition.of(next(free), number(evaluate([size], {})[0]))
            constant = constants[size].symbol
            replaced[node] = -constant if node.negative else constant
    flat = substitute([side for both in sides for side in both], replaced)
    found, place = [], 0
    for line, both in zip(lines, sides, strict=True):
        own = flat[place : place + len(both)]
        place += len(both)
        found.append(
            replace(line, implicit=(own[0], own[1]))
            if line.explicit is None
            else Definition(line.name, own[0])
        )
    return found, [*constants.values()]


def _sides(line: Definition) -> tuple[Expression, ...]:
    return (line.explicit,) if line.explicit is not None else line.implicit or ()
