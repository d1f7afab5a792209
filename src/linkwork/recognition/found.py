"""From what recognition found to an ordinary machine: parts with points and frames, joints, springs and friction."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from linkwork.algebra import evaluate
from linkwork.model import Machine
from linkwork.model.force import Force, SlideSpring, TorsionSpring
from linkwork.model.joint import (
    Cylindrical,
    Distance,
    Gear,
    Joint,
    Planar,
    PointOnLine,
    PointOnPlane,
    Prismatic,
    Rack,
    Revolute,
    Screw,
    Spherical,
)
from linkwork.model.part import GROUND, Frame, Part
from linkwork.model.pose import Pose
from linkwork.model.vector import Vector
from linkwork.recognition.carried import Carried
from linkwork.recognition.driven import Driven
from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.finding import Recognition
from linkwork.recognition.neat import neat
from linkwork.recognition.pair import Pair
from linkwork.recognition.weight import Weight, as_fields, together
from linkwork.solid import Solid
from linkwork.solid.placement import Floats, cross_length

_JOINTS: Mapping[str, Callable[..., Joint]] = {
    "revolute": Revolute,
    "prismatic": Prismatic,
    "cylindrical": Cylindrical,
    "spherical": Spherical,
    "planar": Planar,
}


def found_machine(machine: Machine, found: Recognition, solids: Mapping[str, Solid]) -> Machine:
    """The machine with the joints that were found; in its plane if all its parts move in one."""
    return _Builder(machine, found, solids).machine()


@dataclass(frozen=True, eq=False)
class _Builder:
    given: Machine
    found: Recognition
    solids: Mapping[str, Solid]

    # ------------------------------------------------------------------------------- the plane

    @cached_property
    def axes(self) -> Floats:
        """The directions of the machine's own axes, as rows: those of the world unless its plane lies askew."""
        return self.found.axes

    @property
    def dimension(self) -> int:
        """2 if all parts move in a plane."""
        return 3 if self.found.plane is None else 2

    def place(self, point: Sequence[float]) -> list[float]:
        """A point or direction in the machine's own coordinates."""
        return [neat(value) for value in (self.axes @ np.array(point))[: self.dimension]]

    @property
    def is_turned(self) -> bool:
        """Whether the plane is not that of x and y."""
        return not np.array_equal(self.axes, np.eye(3))

    # ---------------------------------------------------------------------------------- names

    @cached_property
    def part_of(self) -> dict[str, str]:
        """The part of the found machine in which each given part is."""
        found: dict[str, str] = {}
        for place, members in enumerate(self.found.groups):
            found |= dict.fromkeys(members, members[0] if place else GROUND)
        return found

    @cached_property
    def carried(self) -> Carried:
        """What leads from the given machine to this one."""
        return Carried(self.given, self.part_of, self.axes, self.dimension)

    # ---------------------------------------------------------------------------------- pieces

    def machine(self) -> Machine:
        """All of it."""
        joints, frames, points = self._joints()
        gravity = self.given.gravity
        if gravity is not None:
            values = [*map(float, _numbers(self.given, [*gravity])), 0.0][:3]
            gravity = Vector.of(*self.place(values))
        return replace(
            self.given,
            dimension=self.dimension,
            parts=type(self.given.parts)(self._parts(points, are_free=not joints)),
            frames=type(self.given.frames)({**self.carried.frames(), **frames}),
            joints=type(self.given.joints)(joints),
            drives=type(self.given.drives)(Driven(self.found.pairs, self.carried).drives()),
            forces=type(self.given.forces)(self._forces(joints)),
            gravity=gravity,
            pair_words=type(self.given.pair_words)(),
            plane=self._plane(),
            contact=self.given.contact.renamed(self.part_of),
            view=self.carried.view(),
            is_flat=self.dimension == 2 and not joints,
            is_spatial=self.given.is_spatial and not joints,
        )

    def _plane(self) -> Pose:
        if not self.is_turned:
            return Pose()
        x, _, z = (tuple(map(neat, axis)) for axis in self.axes)
        return Pose(x=x, z=z)

    def _joints(self) -> tuple[dict[str, Joint], dict[str, Frame], dict[str, dict[str, Any]]]:
        joints: dict[str, Joint] = {}
        frames: dict[str, Frame] = {}
        points: dict[str, dict[str, Any]] = {}
        for pair in self.found.pairs:
            name = pair.name
            if pair.kind in ("gear", "rack"):
                self._add_axles(pair, joints, frames)
                joints[name] = self._mesh(pair)
                continue
            if pair.kind == "slot":
                joints[name] = self._slot(pair, frames, points)
                continue
            if self.dimension == 2 and pair.kind == "planar":  # in its plane the part is free
                continue
            ends = [self.part_of[part] for part in pair.parts]
            assert pair.point is not None
            if self.dimension == 2 and pair.kind == "revolute":
                for part in ends:
                    points.setdefault(part, {})[name] = self.place(pair.point)
                joints[name] = Revolute(tuple(f"{part}.{name}" for part in ends))
                continue
            for part in ends:
                frames[f"{name}_on_{part}"] = self._frame(part, pair)
            joints[name] = self._joint(pair, tuple(f"{name}_on_{part}" for part in ends))
        return joints, frames, points

    def _slot(self, pair: Pair, frames: dict[str, Frame], points: dict[str, dict[str, Any]]) -> Joint:
        """A pin in a slot: in the plane a point on a line, in space one on the plane halfway between the sides."""
        holder, pin = (self.part_of[part] for part in pair.parts)
        assert pair.point is not None
        assert pair.axis is not None
        own, at, across = f"{pair.name}_on_{holder}", self.place(pair.point), self.place(pair.axis)
        if pair.centre is not None:
            return self._curved_slot(pair, points)
        if self.dimension == 3:
            frames[own] = Frame(on=holder, at=tuple(at), z=tuple(across))
            frames[f"{pair.name}_on_{pin}"] = Frame(on=pin, at=tuple(at))
            return PointOnPlane((own, f"{pair.name}_on_{pin}"))
        frames[own] = Frame(on=holder, at=tuple(at), x=(-across[1], across[0]))
        points.setdefault(pin, {})[pair.name] = at
        return PointOnLine((own, f"{pin}.{pair.name}"))

    def _curved_slot(self, pair: Pair, points: dict[str, dict[str, Any]]) -> Joint:
        """A pin in a curved slot of a plane machine: it stays as far from the middle of the slot as it is."""
        holder, pin = (self.part_of[part] for part in pair.parts)
        assert pair.point is not None
        assert pair.centre is not None
        if self.dimension == 3:
            raise RecognitionError(
                f"the curved slot of {pair.parts[0]} is no joint in a machine of space",
                got=f'"{pair.parts[0]}/{pair.parts[1]}" = "slot"',
                wanted="a machine that moves in a plane",
                why=f"it moves in space, for {self.found.in_space}",
                fix=f'"{pair.parts[0]}/{pair.parts[1]}" = "contact"',
            )
        at, centre = self.place(pair.point), self.place(pair.centre)
        points.setdefault(holder, {})[f"{pair.name}_centre"] = centre
        points.setdefault(pin, {})[pair.name] = at
        return Distance((f"{holder}.{pair.name}_centre", f"{pin}.{pair.name}"), length=math.dist(at, centre))

    def _joint(self, pair: Pair, between: tuple[str, ...]) -> Joint:
        if pair.kind == "screw":
            return Screw(between, pitch=pair.pitch)
        return _JOINTS[pair.kind](between)

    def _frame(self, part: str, pair: Pair) -> Frame:
        assert pair.point is not None
        at = tuple(self.place(pair.point))
        if pair.axis is None:
            return Frame(on=part, at=at)
        way = tuple(self.place(pair.axis))
        return Frame(on=part, at=at, x=way) if self.dimension == 2 else Frame(on=part, at=at, z=way)

    def _add_axles(self, pair: Pair, joints: dict[str, Joint], frames: dict[str, Frame]) -> None:
        """In space, a joint for each wheel that turns on its carrier only by way of another part on the same axis.

        It holds nothing that those on the way do not, but it has the angle of which the gear speaks.
        """
        carrier = self.part_of[pair.carrier or self.found.ground]
        wheels = pair.parts if pair.kind == "gear" else pair.parts[:1]
        for own in (self.part_of[part] for part in wheels if self.dimension == 3):
            name = self._axle(own, carrier)
            if name in joints:
                continue
            ways = [(one, other) for one in self._turning(own) for other in self._turning(carrier)]
            axis, _ = min(ways, key=lambda way: _apart(*way))
            frames |= {f"{name}_on_{end}": self._frame(end, axis) for end in (carrier, own)}
            joints[name] = Cylindrical((f"{name}_on_{carrier}", f"{name}_on_{own}"))

    def _turning(self, part: str) -> list[Pair]:
        """The pairs in which a part turns about an axis."""
        turning = [pair for pair in self.found.pairs if pair.kind in ("revolute", "cylindrical")]
        return [pair for pair in turning if part in (self.part_of[end] for end in pair.parts)]

    def _mesh(self, pair: Pair) -> Joint:
        first, second = (self.part_of[part] for part in pair.parts)
        carrier = self.part_of[pair.carrier or self.found.ground]
        assert pair.ratio is not None
        assert pair.radii is not None
        if pair.kind == "rack":
            slide = self._slide_of(second, carrier)
            if self.dimension == 3:
                way = self._way(first, carrier) * self._way(second, carrier)
                axles = self._axle(first, carrier), slide[0]
                return Rack(axles=axles, carrier=carrier, radius=way * pair.ratio)
            axis = tuple(self.place(slide[1]))
            return Rack(pinion=first, rack=second, carrier=carrier, radius=pair.ratio, axis=axis)
        sizes = {"radii": pair.radii} if pair.teeth is None else {"teeth": pair.teeth}
        if self.dimension == 3:
            axles = self._axle(first, carrier), self._axle(second, carrier)
            internal = pair.ratio * self._way(first, carrier) * self._way(second, carrier) > 0
            return Gear(axles=axles, carrier=carrier, internal=internal, **sizes)
        return Gear(parts=(first, second), carrier=carrier, internal=pair.ratio > 0, **sizes)

    def _way(self, part: str, carrier: str) -> int:
        """1 if the joint of a part with its carrier tells the motion of the part, -1 if that of the carrier."""
        ends = [tuple(self.part_of[end] for end in pair.parts) for pair in self.found.pairs]
        return -1 if (part, carrier) in ends else 1

    def _slide_of(self, part: str, carrier: str) -> tuple[str, tuple[float, ...]]:
        for pair in self.found.pairs:
            if pair.kind == "prismatic" and {part, carrier} == {self.part_of[each] for each in pair.parts}:
                assert pair.axis is not None
                return pair.name, pair.axis
        raise AssertionError("a rack slides on its carrier")

    def _axle(self, part: str, carrier: str) -> str:
        """The joint in which a wheel turns on its carrier, or the name for one."""
        direct = (pair.name for pair in self._turning(part) if pair in self._turning(carrier))
        return next(direct, f"{part}_on_{carrier}")

    def _parts(self, points: Mapping[str, Mapping[str, Any]], *, are_free: bool) -> dict[str, Part]:
        """The parts; where nothing joins any of them they say so, for a file without joints asks for it."""
        found: dict[str, Part] = {}
        for place, members in enumerate(self.found.groups):
            name = members[0] if place else GROUND
            given = [self.given.parts[member] for member in members]
            texts = tuple(text for part in given for text in part.solid or ())
            weight = self._weight(members) if place else {}
            places = {**self.carried.points(members), **points.get(name, {})}
            is_free = are_free and place > 0
            found[name] = Part(points=places, solid=texts or None, draw=given[0].draw, free=is_free, **weight)
        return found

    def _weight(self, members: Sequence[str]) -> dict[str, Any]:
        numbers = partial(_numbers, self.given)
        every = [Weight.of(self.given.parts[name], self.solids[name], numbers) for name in members]
        whole = together([each for each in every if each is not None])
        return as_fields(whole, self.axes, self.dimension, neat)

    def _forces(self, joints: Mapping[str, Joint]) -> dict[str, Force]:
        found = self.carried.forces()
        for members in self.found.groups[1:]:
            for member in members:
                part = self.given.parts[member]
                if part.spring is None and part.friction is None:
                    continue
                name, kind = self._own_joint(member, members[0])
                spring = SlideSpring if kind == "prismatic" else TorsionSpring
                values = {} if part.friction is None else {"damping": part.friction}
                if part.spring is not None:
                    values |= {"stiffness": part.spring.stiffness, "rest": part.spring.rest}
                found[f"{'spring' if part.spring is not None else 'friction'}_of_{member}"] = spring(
                    name, **values
                )
        return found

    def _own_joint(self, given: str, part: str) -> tuple[str, str]:
        """The joint in which a part's spring and friction act: that with the ground, or its first."""
        other = ("gear", "rack", "slot") if self.dimension == 3 else ("gear", "rack", "slot", "planar")
        own = [
            pair
            for pair in self.found.pairs
            if part in [self.part_of[each] for each in pair.parts] and pair.kind not in other
        ]
        if not own:
            word = "a spring" if self.given.parts[given].spring is not None else "friction"
            raise RecognitionError(
                f"{given} has {word}, and no joint in which it could act",
                got=f"a part that moves freely, with {word} of its own",
                wanted="a shaft, a hole or a slide that fits another part; or a force on it",
                why="spring and friction of a part are those of its joint",
                fix=f'[force.pull]\ntype = "force"\nat = "{given}"\nforce = ["-2*{given}.vx", "-2*{given}.vy"]',
            )
        chosen = next((pair for pair in own if self.found.ground in pair.parts), own[0])
        return chosen.name, chosen.kind


def _apart(one: Pair, other: Pair) -> float:
    """How far the axes of two pairs are from being one, as a length."""
    assert one.point is not None
    assert other.point is not None
    way, between = np.array(one.axis), np.subtract(other.point, one.point)
    length = math.hypot(*between)
    return cross_length(between, way) + length * cross_length(way, np.array(other.axis))


def _numbers(machine: Machine, expressions: Sequence[Any]) -> list[float]:
    return list(evaluate(list(expressions), machine.values()))
