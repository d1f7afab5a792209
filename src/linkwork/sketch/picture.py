"""The first picture: rough places of points, which choose between the branches of a construction."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from linkwork.algebra import Expression, evaluate, free_symbols
from linkwork.model.drawing import Drawing

Place = tuple[float, float]


@dataclass(frozen=True)
class Picture:
    """Rough places of points by name; a point may have none."""

    places: Mapping[str, Place]
    lines: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, drawing: Drawing, values: Mapping[str, float]) -> Picture:
        """The picture that a drawing's rough places give, as far as they have numbers."""
        found: dict[str, Place] = {}
        for name, place in drawing.points.items():
            if place and all(leaf.name in values for leaf in free_symbols(*place)):
                x, y = evaluate([*place], values)
                found[name] = (x, y)
        return cls(found, drawing.all_lines)

    def coordinates(self) -> dict[str, float]:
        """The rough places by the names of coordinates."""
        return {
            f"{name}{axis}": place[k] for name, place in self.places.items() for k, axis in enumerate("xy")
        }

    def way(self, first: str, second: str) -> Place | None:
        """The direction from one point to another; None where it is unknown."""
        if first not in self.places or second not in self.places:
            return None
        (x0, y0), (x1, y1) = self.places[first], self.places[second]
        length = math.hypot(x1 - x0, y1 - y0)
        return ((x1 - x0) / length, (y1 - y0) / length) if length else None

    def direction(self, line: str) -> Place | None:
        """The direction of a line, by the places of its first two points."""
        ends = self.lines.get(line, ())[:2]
        return self.way(*ends) if len(ends) == 2 else None

    def side_of_points(self, first: str, second: str, point: str) -> int:
        """+1 where a point is to the left of the way from one to another, −1 to the right, 0 unknown."""
        if not all(each in self.places for each in (first, second, point)):
            return 0
        (x0, y0), (x1, y1), (x, y) = (self.places[each] for each in (first, second, point))
        return _sign((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0))

    def side_of_line(self, line: str, point: str) -> int:
        """+1 where a point is to the left of a line, −1 to the right, 0 unknown."""
        ends = self.lines.get(line, ())[:2]
        return self.side_of_points(*ends, point) if len(ends) == 2 else 0

    def ahead(self, heading: Place | None, start: str, point: str) -> int:
        """+1 where the way from one point to another goes in a direction, −1 against it, 0 unknown."""
        way = self.way(start, point)
        return 0 if way is None or heading is None else _sign(way[0] * heading[0] + way[1] * heading[1])

    def same_way(self, line: str, heading: Place) -> int:
        """+1 where a line goes roughly in a direction, −1 against it, 0 unknown."""
        way = self.direction(line)
        return 0 if way is None else _sign(way[0] * heading[0] + way[1] * heading[1])


def rough_direction(angle: Expression) -> Place | None:
    """A direction in numbers where an angle is one."""
    if free_symbols(angle):
        return None
    value = evaluate([angle], {})[0]
    return math.cos(value), math.sin(value)


def _sign(value: float) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0
