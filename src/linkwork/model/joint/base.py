"""What a joint is: a constraint ``phi`` between frames, and the coordinates it leaves free.

A joint gives only ``phi``, expressions that are zero where the joint holds. Jacobian, velocities,
accelerations and reactions are derived from it, so a new joint is one small class:

    @joint_type
    @dataclass(frozen=True)
    class Wave(Pair):
        word = "wave"
        height: Expression = given(Scalar(), 1)

        def phi(self, a, b):
            place = a.local(b.origin)
            return [place.y - self.height * sin(place.x)]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from linkwork.algebra import Expression, Symbol
from linkwork.model.field import Coordinates, Entries, Place, Record, Scalar, Size, Text, given, registered
from linkwork.model.placed import Placed
from linkwork.model.pose import Pose
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.world import World

JOINTS: Final[dict[str, type[Joint]]] = {}
"""The types of joints by the word behind ``type =`` in a file."""

joint_type: Final = registered(JOINTS)
"""Class decorator: enters a joint into :data:`JOINTS`."""


class Turn(NamedTuple):
    """An angle known by its sine and cosine, as between frames in space.

    Where such an angle is used, it becomes an unknown φ with the equation cos φ·sine − sin φ·cosine = 0,
    smooth over any number of turns.
    """

    sine: Expression
    cosine: Expression


@dataclass(frozen=True)
class Joint(Record):
    """A constraint between parts."""

    dimensions: ClassVar[tuple[int, ...]] = (2, 3)
    """Where the joint exists: in the plane (2), in space (3)."""
    measuring: ClassVar[int] = 0
    """How many of its last equations only measure an unknown of its own, and hold nothing together."""

    def references(self) -> tuple[str, ...]:
        """The parts, points and frames that it names; its force is told on the last one that moves."""
        return ()

    @property
    def carried_by(self) -> str:
        """Among these, a part that only carries the others."""
        return ""

    def joints(self) -> tuple[str, ...]:
        """The other joints that it names."""
        return ()

    def unknowns(self) -> Mapping[str, float]:
        """Unknowns of its own with rough values, handed to ``phi`` by name."""
        return {}

    def rough(self, world: World) -> Mapping[str, Expression]:
        """Better rough values of its unknowns, from where the parts stand."""
        return {}

    def angles(self) -> tuple[str, ...]:
        """Which of its coordinates and unknowns are angles."""
        return ("angle",)

    def equations(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        """What is zero where the joint holds."""
        raise TypeError(f"{type(self).__name__} gives no equations")

    def measured(self, world: World, own: Mapping[str, Symbol]) -> Mapping[str, Expression | Turn]:
        """The coordinates that it leaves free, to be driven and reported."""
        return {}

    def senses(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        """What is positive where the joint is put together the right way round: Φ cannot tell z from −z."""
        return []


@dataclass(frozen=True)
class Pair(Joint):
    """A joint between two frames a and b, each fixed to a part.

    Either ``between`` names two points or frames, such as ``["crank.B", "rod.B"]``; or ``parts`` names two
    parts and ``at`` the place, in the world, where they are joined as drawn. ``axis`` is the direction of
    the joint: of sliding in the plane; of turning or sliding in space, where it is z by default. It is
    given in the frames themselves, or in the world with ``at``.
    """

    between: tuple[str, ...] | None = given(
        Entries(
            Text("a point or frame", "crank.B"), 2, 2, "a list of two points or frames", ("crank.B", "rod.B")
        ),
        None,
    )
    parts: tuple[str, ...] | None = given(
        Entries(Text("a part"), 2, 2, "a list of two parts", ("crank", "rod")), None
    )
    at: Place | None = given(Coordinates(), None, "the place in the world, as drawn")
    axis: Place | None = given(Coordinates(example=(1, 0)), None, "the direction")
    start: Size = given(Scalar(example="30 deg"), 0, "rough value of its first coordinate")

    def references(self) -> tuple[str, ...]:
        return self.between or self.parts or ()

    def frames(self, world: World) -> tuple[Placed, Placed]:
        """The two frames where they stand."""
        if self.between is not None:
            along = self._pose(None).placed(world.dimension)
            first, second = (world.frame(each) for each in self.between)
            return (first, second) if self.axis is None else (first.holding(along), second.holding(along))
        assert self.parts is not None
        drawn = self._pose(self.at).placed(world.dimension)
        first, second = (world.marker(each, drawn) for each in self.parts)
        return first, second

    def _pose(self, at: Vector | None) -> Pose:
        if self.axis is None:
            return Pose(at=at)
        return Pose(at=at, x=self.axis) if len(self.axis) == 2 else Pose(at=at, z=self.axis)

    def equations(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        return self.phi(*self.frames(world), **own)

    def measured(self, world: World, own: Mapping[str, Symbol]) -> Mapping[str, Expression | Turn]:
        return self.coordinates(*self.frames(world), **own)

    def senses(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        return [] if self.joints() else self.ways(*self.frames(world), **own)

    def phi(self, *frames: Any, **own: Any) -> Sequence[Expression]:
        """What is zero where the joint holds: a function of the frames a and b, and of the joint's unknowns."""
        raise TypeError(f"{type(self).__name__} has no phi")

    def coordinates(self, *frames: Any, **own: Any) -> Mapping[str, Expression | Turn]:
        """The coordinates that it leaves free, of the same arguments."""
        return {}

    def ways(self, *frames: Any, **own: Any) -> Sequence[Expression]:
        """What is positive where the joint is the right way round, of the same arguments."""
        return []
