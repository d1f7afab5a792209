"""The simple solids in a solid, where they stand, and whether they add material or take it away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from linkwork.solid.placement import Placement
from linkwork.solid.values import Difference, Intersection, Named, Placed, Solid, Union

WHERE_DRAWN: Final = Placement()


@dataclass(frozen=True)
class Piece:
    """A simple solid in place. ``label`` and ``colour`` are those of the nearest that names it."""

    solid: Solid
    place: Placement = WHERE_DRAWN
    adds: bool = True
    label: str = ""
    gear: bool = False
    colour: str = ""

    @property
    def placed(self) -> Solid:
        """The solid where it stands."""
        return self.solid.placed(self.place)


def pieces(solid: Solid) -> Iterator[Piece]:
    """All simple solids in a solid, which keeps them in mind.

    >>> from linkwork.solid import Block, Cylinder
    >>> plate = Block((4, 4, 1)) - Cylinder(1, 1).moved((2, 2, 0)).named("hole")
    >>> [(type(piece.solid).__name__, piece.adds, piece.label) for piece in pieces(plate)]
    [('Block', True, ''), ('Cylinder', False, 'hole')]
    """
    known: tuple[Piece, ...] | None = solid.__dict__.get("_pieces")
    if known is None:
        known = solid.__dict__["_pieces"] = tuple(_pieces(solid))
    return iter(known)


def _pieces(solid: Solid) -> Iterator[Piece]:
    stack: list[tuple[Solid, Placement, bool, str, bool, str]] = [(solid, WHERE_DRAWN, True, "", False, "")]
    while stack:
        solid, place, adds, label, gear, colour = stack.pop()
        if isinstance(solid, Placed):
            inner = solid.place if place is WHERE_DRAWN else place.holding(solid.place)
            stack.append((solid.solid, inner, adds, label, gear, colour))
        elif isinstance(solid, Named):
            names = label or solid.label, gear or solid.gear, colour or solid.colour
            stack.append((solid.solid, place, adds, *names))
        elif isinstance(solid, Difference):
            stack += [(other, place, not adds, label, gear, colour) for other in reversed(solid.others)]
            stack.append((solid.first, place, adds, label, gear, colour))
        elif isinstance(solid, (Union, Intersection)):
            stack += [(other, place, adds, label, gear, colour) for other in reversed(solid.solids)]
        else:
            yield Piece(solid, place, adds, label, gear, colour)
