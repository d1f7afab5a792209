"""A machine as a system of equations Φ(q, u) = 0: coordinates q, inputs u (the time and the drives).

Everything is derived from Φ: its Jacobian Φ_q, and by differentiating along the motion

    Φ_q q̇ = −Φ_u u̇,    Φ_q q̈ = −(d/dt)² Φ at q̈ = 0,    Φ_q q⃛ = −(d/dt)³ Φ at q⃛ = 0

(Haug 1989, eq. 3.6.10–3.6.11). What depends on parameters alone is computed once for each set of values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from linkwork.algebra import (
    Expression,
    Symbol,
    directional,
    free_symbols,
    nodes_in_order,
    substitute,
    symbol,
)
from linkwork.model import Machine
from linkwork.model.drive import CLOCK
from linkwork.model.structure import driven
from linkwork.model.world import Equation

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True)
class System:
    """The equations of a machine. ``inputs`` are the time and one symbol for each drive, in order."""

    machine: Machine
    unknowns: tuple[Symbol, ...]
    equations: tuple[Equation, ...]
    inputs: tuple[Symbol, ...]
    constants: tuple[tuple[Symbol, Expression], ...]
    drive_targets: tuple[Expression, ...]
    senses: tuple[Expression, ...]
    side_count: int
    """How many of the last equations come from the choice of coordinates, not from joints or drives."""

    @classmethod
    def of(cls, machine: Machine) -> System:
        """The system of a machine: its joints, then its drives, then side equations."""
        world = machine.world()
        joints = world.equations()
        inputs = [CLOCK, *(symbol(f"value_of.{name}") for name in machine.drives)]
        targets = [driven(world, name, drive) for name, drive in machine.drives.items()]
        drives = [
            Equation(f"drive {name}", name, target - value)
            for name, target, value in zip(machine.drives, targets, inputs[1:], strict=True)
        ]
        for force in machine.forces.values():
            force.loads(world)  # spatial angles that a force depends on become unknowns
        world.resolved([line.value for line in machine.definitions if line.explicit is not None])
        side = world.side_equations()
        unknowns = world.unknowns()
        every = [*joints, *drives, *side]
        moving = {*unknowns, *inputs}
        phis, constants = hoisted([each.phi for each in every], moving)
        equations = tuple(Equation(each.name, each.owner, phi) for each, phi in zip(every, phis, strict=True))
        return cls(
            machine,
            tuple(unknowns),
            equations,
            tuple(inputs),
            constants,
            tuple(targets),
            tuple(world.senses()),
            len(side),
        )

    @property
    def size(self) -> int:
        """How many coordinates there are."""
        return len(self.unknowns)

    @cached_property
    def phi(self) -> list[Expression]:
        """What is zero."""
        return [each.phi for each in self.equations]

    @cached_property
    def drive_rows(self) -> tuple[int, ...]:
        """The places of the drives' equations."""
        begin = len(self.equations) - self.side_count - len(self.machine.drives)
        return tuple(range(begin, begin + len(self.machine.drives)))

    @cached_property
    def joint_rows(self) -> tuple[int, ...]:
        """The places of the joints' equations."""
        return tuple(range(len(self.equations) - self.side_count - len(self.machine.drives)))

    @cached_property
    def acting_rows(self) -> tuple[int, ...]:
        """All rows but those of unit quaternions, which exert no force."""
        units = {f"{part}.unit" for part in self.machine.moving}
        begin = len(self.equations) - self.side_count
        return tuple(row for row, each in enumerate(self.equations) if row < begin or each.name not in units)

    @cached_property
    def passive_rows(self) -> tuple[int, ...]:
        """All rows but the drives': what holds the machine together without them."""
        return tuple(row for row in range(len(self.equations)) if row not in set(self.drive_rows))

    @cached_property
    def rates(self) -> dict[Expression, Expression]:
        """The rate of each coordinate and input, V_…, and of each rate, A_…"""
        found: dict[Expression, Expression] = {}
        for each in (*self.unknowns, *self.inputs):
            found[each] = symbol(f"V_{each.name}")
            found[found[each]] = symbol(f"A_{each.name}")
        return found

    def along(self, values: Sequence[Expression]) -> list[Expression]:
        """The time derivatives of expressions of coordinates, inputs and their first rates."""
        leaves = [leaf for leaf in free_symbols(*values) if leaf in self.rates]
        return directional(values, {leaf: self.rates[leaf] for leaf in leaves})

    def is_angle(self, unknown: Symbol) -> bool:
        """Whether an unknown is dimensionless (an angle or a quaternion's entry), not a length."""
        owner, _, which = unknown.name.rpartition(".")
        if owner in self.machine.moving:
            return which not in ("x", "y", "z")
        return which in self.machine.joints[owner].angles() or which == "angle"


def hoisted(
    expressions: Sequence[Expression], moving: Collection[Expression]
) -> tuple[list[Expression], tuple[tuple[Symbol, Expression], ...]]:
    """The expressions with their largest parts that do not move replaced by constants.

    >>> from linkwork.algebra import symbols, sin
    >>> x, a, b = symbols("x a b")
    >>> hoisted([sin(a + b) * x + a], {x})
    ([x*constant_of.k0 + constant_of.k1], ((constant_of.k0, sin(a + b)), (constant_of.k1, a)))
    """
    is_moving: dict[Expression, bool] = {}
    order = nodes_in_order(expressions)
    for node in order:
        is_moving[node] = node in moving or any(is_moving[each] for each in node.arguments)
    needed: dict[Expression, None] = {}

    def note(nodes: Iterable[Expression]) -> None:
        for node in nodes:
            if not is_moving[node] and free_symbols(node):
                needed.setdefault(node)

    for node in order:
        if is_moving[node]:
            note(node.arguments)
    note(expressions)
    constants = [(symbol(f"constant_of.k{place}"), value) for place, value in enumerate(needed)]
    replaced: Mapping[Expression, Expression] = {value: name for name, value in constants}
    return substitute(expressions, replaced), tuple(constants)
