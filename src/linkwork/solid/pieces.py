"""The simple solids in a solid, where they stand, and whether they add material or take it away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    """All simple solids in a solid.

    >>> from linkwork.solid import Block, Cylinder
    >>> plate = Block((4, 4, 1)) - Cylinder(1, 1).moved((2, 2, 0)).named("hole")
    >>> [(type(piece.solid).__name__, piece.adds, piece.label) for piece in pieces(plate)]
    [('Block', True, ''), ('Cylinder', False, 'hole')]
    """
    yield from _pieces(Piece(solid))


def _pieces(piece: Piece) -> Iterator[Piece]:
    solid = piece.solid
    if isinstance(solid, Placed):
        yield from _pieces(replace(piece, solid=solid.solid, place=piece.place.holding(solid.place)))
    elif isinstance(solid, Named):
        label, colour = piece.label or solid.label, piece.colour or solid.colour
        gear = piece.gear or solid.gear
        yield from _pieces(replace(piece, solid=solid.solid, label=label, gear=gear, colour=colour))
    elif isinstance(solid, Difference):
        yield from _pieces(replace(piece, solid=solid.first))
        for other in solid.others:
            yield from _pieces(replace(piece, solid=other, adds=not piece.adds))
    elif isinstance(solid, (Union, Intersection)):
        for other in solid.solids:
            yield from _pieces(replace(piece, solid=other))
    else:
        yield piece
