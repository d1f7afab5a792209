"""What a force is: loads on parts, as expressions of coordinates, rates and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from linkwork.algebra import Expression, number
from linkwork.model.field import Record, registered
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.world import World

FORCES: Final[dict[str, type[Force]]] = {}
"""The types of forces by the word behind ``type =`` in a file."""

force_type: Final = registered(FORCES)
"""Class decorator: enters a force into :data:`FORCES`."""


class Carrier(Protocol):
    """What leads from a machine to one with other names of parts and other axes."""

    def reference(self, name: str) -> str:
        """What a part, point or frame is called there."""

    def vector(self, given: Vector) -> Vector:
        """A direction there."""

    def moment(self, given: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """A moment there."""


class Load(NamedTuple):
    """A force on a part at a point of the world, and a moment (a vector of one entry in the plane)."""

    part: str
    point: Vector
    force: Vector
    moment: Vector


@dataclass(frozen=True)
class Force(Record):
    """Something that pushes, pulls or turns."""

    def references(self) -> tuple[str, ...]:
        """The parts, points and frames that it names."""
        return ()

    def joints(self) -> tuple[str, ...]:
        """The joints that it names."""
        return ()

    def carried(self, by: Carrier) -> Force:
        """The same in a machine with other names and axes; what names neither stays as it is."""
        return self

    def loads(self, world: World) -> Sequence[Load]:
        """What it does to the parts."""
        raise TypeError(f"{type(self).__name__} gives no loads")

    def energy(self, world: World) -> Expression:
        """The energy that it stores, as a spring does."""
        return number(0)


def no_moment(dimension: int) -> Vector:
    """The moment of a pure force."""
    return Vector.of(*[0] * (1 if dimension == 2 else 3))
