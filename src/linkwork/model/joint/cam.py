"""Cams: a follower lifted by a law, or held against a profile by a roller, a flat face or a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import Expression, Symbol, atan2, cos, derivative, select, sin, sqrt, substitute
from linkwork.model.field import Choice, Scalar, Size, Sizes, given
from linkwork.model.joint.base import Pair, Turn, joint_type
from linkwork.model.joint.profile import ANGLE, OF_ANGLE, SAMPLES, Profile
from linkwork.model.joint.wheels import AXLES
from linkwork.model.placed import Placed
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.world import World


@joint_type
@dataclass(frozen=True)
class Cam(Pair):
    """A cam and its follower.

    By its law: ``axles`` names the cam's joint and the follower's, ``lift`` (or ``lift_samples``) is the
    follower's coordinate over the cam's angle: φ = s − lift(θ).

    By its shape: a is the cam's centre, ``profile`` (or ``profile_samples``) its radius over the polar
    ``angle`` in its own frame, and the follower touches it at an angle α of its own, where p is the point
    and n the outward normal. A roller of ``radius`` ρ about b, or a point (ρ = 0): φ = p + ρ·n − r_b.
    A flat face through b along b's x-axis: φ = (n ⟂ x_b, p on the face).
    """

    word = "cam"
    dimensions = (2,)
    follower: str = given(Choice(("roller", "flat", "point")), "roller")
    axles: tuple[str, ...] | None = given(AXLES, None, "the joints of cam and follower, for a law of lift")
    lift: Size | None = given(OF_ANGLE, None, "the follower's coordinate over the cam's angle")
    lift_samples: Sizes = given(SAMPLES, ())
    profile: Size | None = given(OF_ANGLE, None, "the cam's radius over the angle")
    profile_samples: Sizes = given(SAMPLES, ())
    radius: Size = given(Scalar(), 0, "the roller's radius")

    @property
    def by_law(self) -> bool:
        """Whether the follower's motion is given, not the cam's shape."""
        return self.lift is not None or bool(self.lift_samples)

    @property
    def law(self) -> Profile:
        """The lift over the cam's angle."""
        return Profile(self.lift, self.lift_samples)

    @property
    def outline(self) -> Profile:
        """The radius over the polar angle."""
        return Profile(self.profile, self.profile_samples)

    def references(self) -> tuple[str, ...]:
        return () if self.by_law else super().references()

    def joints(self) -> tuple[str, ...]:
        return self.axles or ()

    def unknowns(self) -> Mapping[str, float]:
        return {} if self.by_law else {"contact": 0.0}

    def rough(self, world: World) -> Mapping[str, Expression]:
        """The contact lies towards the follower; on a flat face, where the cam's radius meets it squarely."""
        if self.by_law:
            return {}
        a, b = self.frames(world)
        towards = a.local(b.origin)
        if self.follower == "flat":
            face = a.components(b.y)
            towards = face * select(face @ towards < 0, -1, 1)
        return {"contact": atan2(towards.y, towards.x)}

    def angles(self) -> tuple[str, ...]:
        return ("contact",)

    def equations(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        if not self.by_law:
            return super().equations(world, own)
        assert self.axles is not None
        cam, follower = (world.coordinate(name, "") for name in self.axles)
        return [follower - self.law.at(cam)]

    def measured(self, world: World, own: Mapping[str, Symbol]) -> Mapping[str, Expression | Turn]:
        return {} if self.by_law else super().measured(world, own)

    def phi(self, a: Placed, b: Placed, contact: Symbol) -> Sequence[Expression]:
        point, tangent = self.touching(contact)
        if self.follower == "flat":
            return [a.direction(tangent).unit() @ b.y, (a.point(point) - b.origin) @ b.y]
        reach = 0 if self.follower == "point" else self.radius
        outward = Vector.of(tangent.y, -tangent.x) / sqrt(tangent.squared)
        return [*(point + outward * reach - a.local(b.origin))]

    def coordinates(self, a: Placed, b: Placed, contact: Symbol) -> Mapping[str, Expression | Turn]:
        return {"contact": contact}

    def touching(self, contact: Symbol) -> tuple[Vector, Vector]:
        """The point of the profile at an angle, and the derivative there, in the cam's frame."""
        radius = self.outline.at(ANGLE)
        there = Vector.of(radius * cos(ANGLE), radius * sin(ANGLE))
        moved = [derivative(entry, ANGLE) for entry in there]
        found = substitute([*there, *moved], {ANGLE: contact})
        return Vector(tuple(found[:2])), Vector(tuple(found[2:]))
