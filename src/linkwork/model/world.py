"""The world: where a machine's parts, points and frames stand, as expressions of the coordinates.

A part has the coordinates ``crank.x``, ``crank.y`` and ``crank.angle`` in the plane; in space ``crank.x``,
``crank.y``, ``crank.z`` and a unit quaternion ``crank.q0`` to ``crank.q3``. Their rates are ``crank.vx``,
``crank.vy``, ``crank.rate`` (space: ``vx``, ``vy``, ``vz``; ``r0`` to ``r3`` for the quaternion).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from linkwork.algebra import (
    Expression,
    Symbol,
    atan2,
    cos,
    directional,
    free_symbols,
    number,
    sin,
    substitute,
    symbol,
)
from linkwork.errors import LinkworkError, UnknownName
from linkwork.model.drive import CLOCK
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.field import Formula
from linkwork.model.formula import Vocabulary, euler_angle
from linkwork.model.joint import Turn
from linkwork.model.joint.base import Pair
from linkwork.model.names import state_names
from linkwork.model.part import GROUND, ROTATION, TURN
from linkwork.model.placed import QUATERNION, RATES, Placed, angular_velocity, coordinate_names
from linkwork.model.pose import Pose
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.machine import Machine


class Equation(NamedTuple):
    """One constraint equation: its name, the joint or drive it comes from, and what is zero."""

    name: str
    owner: str
    phi: Expression


class World:
    """A machine laid out symbolically."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.dimension = machine.dimension
        self._angles: dict[str, Symbol] = {}  # spatial joint angles in use, as unknowns
        self._measures: list[Equation] = []
        self._angle_senses: list[Expression] = []
        self._placed: dict[str, Placed] = {}  # frames that were asked for

    # ------------------------------------------------------------------------------- frames

    @cached_property
    def parts(self) -> dict[str, Placed]:
        """The frame of every part, the ground's included."""
        names = coordinate_names(self.dimension)
        found = {GROUND: Placed.world(self.dimension)}
        for part in self.machine.moving:
            found[part] = Placed.at(part, [symbol(f"{part}.{name}") for name in names])
        return found

    def part(self, name: str) -> Placed:
        """The frame of a part."""
        if name not in self.parts:
            raise unknown_part(name, self.parts)
        return self.parts[name]

    def frame(self, reference: str) -> Placed:
        """The frame that ``crank``, ``crank.B`` or the name of a frame stands for."""
        if reference in self.machine.frames:
            if reference not in self._placed:
                given = self.machine.frames[reference]
                placed = self.frame(given.on).holding(given.moved(reference, self.dimension))
                self._placed[reference] = replace(placed, part=reference) if given.varies else placed
            return self._placed[reference]
        owner, _, point = reference.partition(".")
        if owner not in self.parts:
            raise unknown_part(owner, {**self.parts, **self.machine.frames})
        base = self.part(owner)
        if not point:
            return base
        points = self.machine.part(owner).points
        if point not in points:
            raise UnknownName(
                f"the part {owner} has no point '{point}'",
                wanted=listed(points) or "none: it has no points",
                fix=did_you_mean(point, points, f"[part.{owner}.points]\n{point} = {[0] * self.dimension}"),
            )
        return base.holding(Pose(at=points[point]).placed(self.dimension))

    def relative(self, reference: str, seen_from: str) -> Placed:
        """A frame as seen from another, through what carries both: what they share cancels."""
        inner, outer = self.both_within(reference, seen_from)
        return inner if outer is None else inner.seen_from(outer)

    def both_within(self, reference: str, other: str) -> tuple[Placed, Placed | None]:
        """Two frames as seen from what carries both; the second is nothing if it is that itself."""
        first, second = self._carriers(reference), self._carriers(other)
        common = next(each for each in first if each in second)
        inner = self._within(first[: first.index(common)])
        return inner, None if common == other else self._within(second[: second.index(common)])

    def relative_spin(self, reference: str, seen_from: str) -> Vector:
        """The angular velocity of a frame against another, in the axes of that one."""
        first, second = self._carriers(reference), self._carriers(seen_from)
        common = next(each for each in first if each in second)
        inner = self._spin_within(first[: first.index(common)])
        if common == seen_from:
            return inner
        path = second[: second.index(common)]
        difference = inner - self._spin_within(path)
        return difference if len(difference) == 1 else self._within(path).components(difference)

    def _carriers(self, reference: str) -> list[str]:
        """The frame, what carries it, and so on to the ground."""
        found = [reference]
        while reference in self.machine.frames:
            reference = self.machine.frames[reference].on
            found.append(reference)
        if "." in reference:
            found.append(reference.partition(".")[0])
        return found if found[-1] == GROUND else [*found, GROUND]

    def _within(self, path: Sequence[str]) -> Placed:
        """The first frame of a path as seen from what carries the last."""
        found = Placed.world(self.dimension)
        for name in reversed(path):
            found = found.holding(self._inner(name))
        return found

    def _inner(self, name: str) -> Placed:
        """A frame as seen from what carries it."""
        if name in self.machine.frames:
            return self.machine.frames[name].moved(name, self.dimension)
        owner, _, point = name.partition(".")
        if not point:
            return self.part(owner)
        return Pose(at=self.machine.part(owner).points[point]).placed(self.dimension)

    def _spin_within(self, path: Sequence[str]) -> Vector:
        total = Vector.zero(1 if self.dimension == 2 else 3)
        carrier = Placed.world(self.dimension)
        for name in reversed(path):
            own = self.own_spin(name) if name in self.machine.frames else self._part_spin(name)
            total = total + self._turned_by(carrier, own)
            carrier = carrier.holding(self._inner(name))
        return total

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the words of formulas mean here."""
        return Vocabulary(self, state_names(self.machine))

    def vector(self, given: Vector | Formula) -> Vector:
        """A vector, which may be given as a formula."""
        return self.vocabulary.vector(given.text) if isinstance(given, Formula) else given

    def velocity(self, reference: str) -> Vector:
        """The velocity of a frame's origin."""
        return Vector(tuple(self.rate(entry) for entry in self.frame(reference).origin))

    def spin(self, reference: str) -> Vector:
        """The angular velocity of a frame: in space a vector in the world's axes, in the plane one number."""
        if reference in self.machine.frames:
            given = self.machine.frames[reference]
            return self.spin(given.on) + self._turned_by(self.frame(given.on), self.own_spin(reference))
        return self._part_spin(reference.partition(".")[0])

    def _part_spin(self, owner: str) -> Vector:
        if owner not in self.machine.moving:
            return Vector.zero(1 if self.dimension == 2 else 3)
        if self.dimension == 2:
            return Vector((self.rate(self.part(owner).turn),))
        q = [symbol(f"{owner}.{name}") for name in QUATERNION]
        return angular_velocity(q, [self.rate(each) for each in q])

    def own_spin(self, name: str) -> Vector:
        """The angular velocity of a frame against its carrier, in the carrier's axes."""
        given = self.machine.frames[name]
        free = given.coordinates(self.dimension)
        if self.dimension == 2:
            return Vector((self.rate(symbol(f"{name}.turn")) if TURN in free else number(0),))
        if not {*ROTATION}.isdisjoint(free):
            starts = zip(ROTATION, given.start_quaternion(), strict=True)
            q = [symbol(f"{name}.{each}") if each in free else start for each, start in starts]
            return angular_velocity(q, [self.rate(each) for each in q])
        if TURN not in free:
            return Vector.zero(3)
        return given.turning_axis() * self.rate(symbol(f"{name}.turn"))

    def _turned_by(self, carrier: Placed, spin: Vector) -> Vector:
        return spin if len(spin) == 1 else carrier.direction(spin)

    def euler(self, name: str, axis: str) -> Expression:
        """An angle of a frame against its carrier, R = Rz·Ry·Rx."""
        if name not in self.machine.frames:
            return self._angle_between(name, axis)
        given = self.machine.frames[name]
        free = given.coordinates(self.dimension)
        if self.dimension == 2:
            return self._angle_between(name, axis)
        fixed = {
            each for each, start in zip(ROTATION, given.start_quaternion(), strict=True) if start is number(0)
        }
        if {*ROTATION} & {*free} == {f"r{axis}", "rw"} and {*ROTATION} - {*free} <= fixed:
            return 2 * atan2(symbol(f"{name}.r{axis}"), symbol(f"{name}.rw"))
        return euler_angle(given.moved(name, 3).axes, axis)

    def _angle_between(self, name: str, axis: str) -> Expression:
        if self.dimension == 2:
            carrier = self.machine.frames[name].on if name in self.machine.frames else GROUND
            return self.frame(name).turn - self.frame(carrier).turn if axis == "z" else number(0)
        return euler_angle(self.frame(name).axes, axis)

    def mass(self, name: str) -> Expression:
        """The mass of a part or of a frame that is a body."""
        found = self.machine.body_mass(name)
        if found is None:
            bodies = self.machine.bodies
            raise UnknownName(
                f"'{name}' has no mass",
                wanted="one of " + listed(bodies) if bodies else "a frame or part with mass",
                fix=did_you_mean(name, bodies, f"[frame.{name}]\nmass = 1"),
            )
        return found.mass

    def start(self, part: str) -> Placed:
        """The frame of a part where it is drawn."""
        pose = None if part == GROUND else self.machine.part(part).start
        return (pose or Pose()).placed(self.dimension, part)

    def marker(self, part: str, drawn: Placed) -> Placed:
        """The frame that is fixed to a part and stands at ``drawn`` where the part does as drawn."""
        return self.part(part).holding(drawn.seen_from(self.start(part)))

    def turned(self, part: str) -> Expression:
        """How far a part has turned since the start, in the plane."""
        return self.part(part).turn - self.start(part).turn

    def shifted(self, part: str, carrier: str, axis: Vector) -> Expression:
        """How far a part has moved since the start along a direction of its carrier."""
        now = self.part(carrier).local(self.part(part).origin)
        then = self.start(carrier).local(self.start(part).origin)
        return axis.unit() @ (now - then)

    # ---------------------------------------------------------------------------- quantities

    def own(self, joint: str) -> dict[str, Symbol]:
        """The unknowns that a joint brings along."""
        return {name: symbol(f"{joint}.{name}") for name in self.machine.joints[joint].unknowns()}

    def measured(self, joint: str) -> Mapping[str, Expression | Turn]:
        """The coordinates of a joint."""
        if joint not in self.machine.joints:
            raise unknown_joint(joint, self.machine.joints)
        return self.machine.joints[joint].measured(self, self.own(joint))

    def coordinate(self, joint: str, which: str = "") -> Expression:
        """A coordinate of a joint, the first without a name; a spatial angle becomes an unknown."""
        found = self.measured(joint)
        name = which or next(iter(found), "")
        if name not in found:
            raise UnknownName(
                f"the joint {joint} has no coordinate '{name}'"
                if name
                else f"the joint {joint} has no coordinate",
                wanted=listed(found) or "a joint that leaves something free",
                fix=did_you_mean(name, found, f'coordinate = "{next(iter(found), "angle")}"'),
            )
        value = found[name]
        return self._angle(joint, value) if isinstance(value, Turn) else value

    def _angle(self, joint: str, turn: Turn) -> Symbol:
        if joint not in self._angles:
            angle = self._angles[joint] = symbol(f"{joint}.angle")
            phi = cos(angle) * turn.sine - sin(angle) * turn.cosine
            self._measures.append(Equation(f"{joint}.angle", joint, phi))
            self._angle_senses.append(cos(angle) * turn.cosine + sin(angle) * turn.sine)
        return self._angles[joint]

    def quantity(self, name: str) -> Expression:
        """What a name such as ``crank.x``, ``coupler.P.y``, ``A.angle`` or ``crank.rate`` stands for.

        A coordinate that a part does not have itself is that of its own joint: ``drawer.displacement``.
        """
        owner, _, which = name.rpartition(".")
        axes = ("x", "y", "z")[: self.dimension]
        if owner in self.machine.joints:
            if which.endswith("_rate"):
                return self.rate(self.coordinate(owner, which.removesuffix("_rate")))
            return self.coordinate(owner, which)
        if owner in self.machine.moving and which in (*coordinate_names(self.dimension), *RATES.values()):
            return symbol(name)
        if self._is_plain(name):
            return symbol(name)
        joint = self.own_joint(owner, which.removesuffix("_rate"))
        if joint:
            return self.quantity(f"{joint}.{which}")
        if self._is_found_later(name):
            return symbol(name)
        frame = self.frame(owner)
        if which in axes:
            return frame.origin[axes.index(which)]
        if which[:1] == "v" and which[1:] in axes:
            return self.rate(frame.origin[axes.index(which[1:])])
        if which == "angle" and self.dimension == 2:
            return frame.turn
        raise UnknownName(
            f"'{name}' is no quantity of the machine",
            wanted=f"{owner}.{' or '.join(axes)}" + (f" or {owner}.angle" if self.dimension == 2 else ""),
            fix=f"{owner}.x",
        )

    def _is_found_later(self, name: str) -> bool:
        """Whether a name may be a coordinate, or its rate, of a joint that is not found yet."""
        return self.machine.is_unjoined and "." in name and name in self.vocabulary.names

    def own_joint(self, part: str, coordinate: str) -> str:
        """The joint whose coordinate is that of a part: by which the ground carries it, or else its first; or none."""
        if part not in self.machine.moving or coordinate in coordinate_names(self.dimension):
            return ""
        found: dict[str, str] = {}
        for name, joint in self.machine.joints.items():
            if isinstance(joint, Pair) and coordinate in self.measured(name):
                carrier, carried = (frame.part for frame in joint.frames(self))
                if carried == part:
                    found.setdefault(carrier, name)
        return found.get(GROUND) or next(iter(found.values()), "")

    def rate(self, expression: Expression) -> Expression:
        """The time derivative of an expression of the coordinates."""
        return directional([expression], self.rates(expression))[0]

    def mentions_rates(self, expressions: Sequence[Expression]) -> bool:
        """Whether expressions depend on velocities."""
        return any(self._is_rate(leaf.name) for leaf in free_symbols(*expressions))

    def _is_rate(self, name: str) -> bool:
        owner, _, which = name.rpartition(".")
        if owner in self.machine.moving:
            return which in RATES.values()
        return which.endswith("_rate") and (owner in self.machine.frames or owner in self.machine.joints)

    def rates(self, *expressions: Expression) -> dict[Expression, Expression]:
        """The rate of each coordinate that the expressions mention; of time it is 1."""
        found: dict[Expression, Expression] = {CLOCK: number(1)}
        for leaf in free_symbols(*expressions):
            owner, _, which = leaf.name.rpartition(".")
            if owner in self.machine.moving and which in RATES:
                found[leaf] = symbol(f"{owner}.{RATES[which]}")
            elif (
                owner in self.machine.joints
                or owner in self.machine.frames
                or self._is_found_later(leaf.name)
            ):
                found[leaf] = symbol(f"{owner}.{which}_rate")
        return found

    def resolved(self, expressions: Sequence[Expression]) -> list[Expression]:
        """The expressions with names of points, frames and joints replaced by what they stand for."""
        known = self.machine.parameters
        replaced: dict[Expression, Expression] = {}
        for leaf in free_symbols(*expressions):
            if "." in leaf.name and leaf.name not in known and not self._is_plain(leaf.name):
                replaced[leaf] = self.quantity(leaf.name)
        return substitute(expressions, replaced) if replaced else list(expressions)

    def _is_plain(self, name: str) -> bool:
        """Whether a name is a coordinate or a rate itself, of a part or of a joint's unknown."""
        owner, _, which = name.rpartition(".")
        if owner in self.machine.joints:
            unknown = which.removesuffix("_rate")
            is_angle = owner in self._angles and unknown == "angle"
            return is_angle or unknown in self.machine.joints[owner].unknowns()
        if owner in self.machine.frames:
            return which.removesuffix("_rate") in self.machine.frames[owner].coordinates(self.dimension)
        return owner in self.machine.moving and which in (*coordinate_names(self.dimension), *RATES.values())

    # ----------------------------------------------------------------------------- equations

    def equations(self) -> list[Equation]:
        """The equations of all joints, those of spatial angles in use, and unit quaternions."""
        found: list[Equation] = []
        for name, joint in self.machine.joints.items():
            phis = self.resolved(joint.equations(self, self.own(name)))
            if joint.measuring:
                measures = phis[-joint.measuring :]
                phis = phis[: -joint.measuring]
                self._measures += [Equation(f"{name}.measure", name, each) for each in measures]
            for place, phi in enumerate(phis, 1):
                found.append(Equation(f"{name}.{place}" if len(phis) > 1 else name, name, phi))
        return found

    def senses(self) -> list[Expression]:
        """What is positive where all joints are put together the right way round."""
        found = [*self._angle_senses]
        for name, joint in self.machine.joints.items():
            found += self.resolved(joint.senses(self, self.own(name)))
        return found

    def side_equations(self) -> list[Equation]:
        """What the choice of coordinates brings along: spatial angles in use, unit quaternions."""
        found = [*self._measures]
        if self.dimension == 3:
            for part in self.machine.moving:
                squares = sum((symbol(f"{part}.q{place}") ** 2 for place in range(4)), number(0))
                found.append(Equation(f"{part}.unit", part, (squares - 1) / 2))
        return [*found, *self.unit_quaternions()]

    def unit_quaternions(self) -> list[Equation]:
        """The equations of frames whose orientation varies as a quaternion: its length is 1."""
        found = []
        for name, frame in self.machine.frames.items():
            free = frame.coordinates(self.dimension)
            if self.dimension == 3 and not {*ROTATION}.isdisjoint(free):
                starts = zip(ROTATION, frame.start_quaternion(), strict=True)
                entries = [symbol(f"{name}.{each}") if each in free else start for each, start in starts]
                squares = sum((each * each for each in entries), number(0))
                found.append(Equation(f"{name}.unit", name, (squares - 1) / 2))
        return found

    def unknowns(self) -> list[Symbol]:
        """All coordinates of the parts, those of frames, then the unknowns of joints."""
        names = coordinate_names(self.dimension)
        found = [symbol(f"{part}.{name}") for part in self.machine.moving for name in names]
        found += self.frame_coordinates()
        for joint in self.machine.joints:
            found += self.own(joint).values()
        return [*found, *self._angles.values()]

    def frame_coordinates(self) -> list[Symbol]:
        """The coordinates of frames that vary."""
        frames = self.machine.frames.items()
        return [
            symbol(f"{name}.{each}") for name, frame in frames for each in frame.coordinates(self.dimension)
        ]


def unknown_part(name: str, known: Mapping[str, object]) -> LinkworkError:
    """The error for a part that is named but not there."""
    return UnknownName(
        f"there is no part '{name}'" if name else "a part is not named",
        wanted="one of " + listed(known),
        fix=did_you_mean(name, known, f"[part.{name or 'crank'}]"),
    )


def unknown_joint(name: str, known: Mapping[str, object]) -> LinkworkError:
    """The error for a joint that is named but not there."""
    return UnknownName(
        f"there is no joint '{name}'",
        wanted="one of " + listed(known) if known else "none: the machine has no joints",
        fix=did_you_mean(name, known, f"[joint.{name or 'A'}]"),
    )
