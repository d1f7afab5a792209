"""Quantities of a motion besides coordinates: traced points, joint coordinates, the machine's definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from linkwork.algebra import Expression, atan2, free_symbols, substitute, symbol
from linkwork.emit import Program, compiled
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.numbers import constant_values
from linkwork.kinematics.path import Inputs
from linkwork.kinematics.system import hoisted
from linkwork.model.joint import Turn

if TYPE_CHECKING:
    from linkwork.kinematics.mechanism import Mechanism


def quantities_over(
    mechanism: Mechanism, q: Matrix, v: Matrix, a: Matrix, inputs: Inputs, known: set[str]
) -> Iterator[tuple[str, Matrix]]:
    """The columns of all quantities that have no column yet."""
    found, angles = _expressions(mechanism)
    found = {name: value for name, value in found.items() if name not in known}
    names = list(found)
    numbers = mechanism.numbers
    arguments = numbers.arguments()
    chosen = {each: arguments[each] for each in ("q", "v", "a", "u", "du", "ddu")}
    moving = {leaf for leaves in chosen.values() for leaf in leaves}
    expressions, constants = hoisted([found[name] for name in names], moving)
    chosen["k"] = [name for name, _ in constants]
    function = compiled(Program.of("quantities", chosen, {"found": expressions}))
    fixed = constant_values(constants, numbers.parameters)
    values = function(q, v, a, inputs.u, inputs.du, inputs.ddu, fixed)["found"]
    for place, name in enumerate(names):
        column = values[:, place]
        yield name, np.unwrap(column) if name in angles else column


def _expressions(mechanism: Mechanism) -> tuple[dict[str, Expression], set[str]]:
    """Each quantity over coordinates, rates, inputs and parameters; and which are angles known up to turns."""
    machine, system = mechanism.machine, mechanism.system
    world = machine.world()
    found: dict[str, Expression] = {}
    angles: set[str] = set()
    for reference in machine.view.traces:
        point = world.frame(reference).origin
        once = system.along([*point])
        twice = system.along(once)
        for prefix, entries in (("", point), ("v", once), ("a", twice)):
            for axis, entry in zip("xyz", entries, strict=False):
                found[f"{reference}.{prefix}{axis}"] = entry
    for joint in machine.joints:
        for name, value in world.measured(joint).items():
            if isinstance(value, Turn):
                angles.add(f"{joint}.{name}")
                value = atan2(value.sine, value.cosine)
            found[f"{joint}.{name}"] = value
            found[f"{joint}.{name}_rate"] = system.along([value])[0]
    lines: dict[Expression, Expression] = {
        line.symbol: line.value for line in machine.definitions if line.explicit is not None
    }
    for line in machine.table() if lines else ():
        if line.explicit is not None:
            found[line.name] = world.resolved(_without(lines, line.value))[0]
    names = list(found)
    rates = world.rates(*system.unknowns)
    standard = {rates[each]: symbol(f"V_{each.name}") for each in system.unknowns}
    return dict(zip(names, substitute([found[name] for name in names], standard), strict=True)), angles


def _without(lines: Mapping[Expression, Expression], value: Expression) -> list[Expression]:
    """An expression with definitions put in, until none is left."""
    values = [value]
    while any(leaf in lines for leaf in free_symbols(*values)):
        values = substitute(values, lines)
    return values
