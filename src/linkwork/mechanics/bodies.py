"""What has mass and what is loaded: the generalised positions of a drawing.

Every coordinate x of a point of interest and every angle of a line of interest is a generalised position with
its mass (or moment of inertia) and its force (or torque), after Todd, McLeod and Harris (1994). A spring is one
as well: its length, without mass, with the force it pulls with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from linkwork.algebra import Definition, Expression, symbol
from linkwork.algebra.expression import ZERO
from linkwork.mechanics.motion import Growing
from linkwork.model.machine import Machine
from linkwork.sketch.construct import Construction


@dataclass(frozen=True)
class Position:
    """A generalised position x: its mass, and the force along it as a function of its velocity."""

    x: Expression
    mass: Expression = ZERO
    force: Expression = ZERO
    damping: Expression = ZERO
    energy: Expression = ZERO  # its potential energy: of its weight or spring

    @property
    def matters(self) -> bool:
        """Whether it has any of these."""
        return not (self.mass is self.force is self.damping is self.energy is ZERO)


def positions(machine: Machine, construction: Construction, lines: Growing) -> list[Position]:
    """The generalised positions of a machine's drawing."""
    drawing, frame = construction.drawing, construction.frame
    found: list[Position] = []
    gravity = machine.gravity or (ZERO, ZERO)
    for name in dict.fromkeys([*drawing.masses, *drawing.forces]):
        mass = drawing.masses.get(name, ZERO)
        push = drawing.forces.get(name, (ZERO, ZERO))
        point = frame.points[name]
        for x, weight, force in zip((point.x, point.y), gravity, push, strict=True):
            found.append(Position(x, mass, force + mass * weight, energy=-mass * weight * x))
    for name in dict.fromkeys([*drawing.inertias, *drawing.torques]):
        angle = line_angle(construction, lines, name)
        found.append(Position(angle, drawing.inertias.get(name, ZERO), drawing.torques.get(name, ZERO)))
    found += _springs(construction, lines)
    return [each for each in found if each.matters]


def _springs(construction: Construction, lines: Growing) -> Iterator[Position]:
    drawing, frame = construction.drawing, construction.frame
    for name, spring in drawing.springs.items():
        first, second = (frame.points[each] for each in spring.between)
        square = (second.x - first.x) ** 2 + (second.y - first.y) ** 2
        own = symbol(f"{name}_length")
        lines.define(Definition.of(own.name, implicit=(own * own, square)), moves=True)
        stretch = own - spring.length
        energy = spring.stiffness * stretch**2 / 2
        yield Position(own, ZERO, -spring.stiffness * stretch, spring.damping, energy)
    for _name, torsion in drawing.torsion_springs.items():
        angles = [line_angle(construction, lines, each) for each in torsion.between]
        turn = angles[-1] - (angles[0] if len(angles) == 2 else ZERO)
        away = turn - torsion.rest
        yield Position(
            turn, ZERO, -torsion.stiffness * away, torsion.damping, torsion.stiffness * away**2 / 2
        )


def line_angle(construction: Construction, lines: Growing, name: str) -> Expression:
    """The angle of a line to the x-axis; a new line of the table where only its cosine and sine are known."""
    direction = construction.frame.lines[name].direction
    if direction.angle is not None:
        return direction.angle
    lines.note_unit(direction.cosine, direction.sine)
    return lines.define(Definition.of(f"{name}_angle", direction.to_angle()), moves=True)
