"""The first picture: rough places of points, which choose between the branches of a construction."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression, evaluate, free_symbols
from linkwork.model.constraint.relation import Beside, Headed, Relation, Turned
from linkwork.model.drawing import Drawing

Place = tuple[float, float]


@dataclass(frozen=True)
class Picture:
    """Rough places of points and directions of lines by name; some may have none."""

    places: Mapping[str, Place]
    lines: Mapping[str, tuple[str, ...]]
    ways: Mapping[str, Place]
    on: Mapping[str, tuple[str, ...]]  # the points on each line that have places

    @classmethod
    def of(cls, drawing: Drawing, relations: Sequence[Relation], values: Mapping[str, float]) -> Picture:
        """The picture that a drawing's rough places give, as far as they have numbers."""
        found: dict[str, Place] = {}
        for name, place in drawing.points.items():
            if place and all(leaf.name in values for leaf in free_symbols(*place)):
                x, y = evaluate([*place], values)
                found[name] = (x, y)
        on = {name: [each for each in points if each in found] for name, points in drawing.all_lines.items()}
        for each in relations:
            if isinstance(each, Beside) and each.on_it and each.point in found:
                on[each.line].append(each.point)
        ways = _ways(drawing, found, relations, values)
        return cls(found, drawing.all_lines, ways, {name: tuple(points) for name, points in on.items()})

    def coordinates(self) -> dict[str, float]:
        """The rough places by the names of coordinates."""
        return {
            f"{name}{axis}": place[k] for name, place in self.places.items() for k, axis in enumerate("xy")
        }

    def way(self, first: str, second: str) -> Place | None:
        """The direction from one point to another; None where it is unknown."""
        return _way(self.places, first, second)

    def direction(self, line: str) -> Place | None:
        """The direction of a line: that of its first two points, or as other lines tell."""
        return self.ways.get(line)

    def side_of_points(self, first: str, second: str, point: str) -> int:
        """+1 where a point is to the left of the way from one to another, −1 to the right, 0 unknown."""
        if not all(each in self.places for each in (first, second, point)):
            return 0
        (x0, y0), (x1, y1), (x, y) = (self.places[each] for each in (first, second, point))
        return _sign((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0))

    def side_of_line(self, line: str, point: str) -> int:
        """+1 where a point is to the left of a line, −1 to the right, 0 unknown."""
        way, on_it = self.ways.get(line), self.on.get(line, ())
        if way is None or point not in self.places or not on_it:
            return 0
        (x0, y0), (x, y) = self.places[on_it[0]], self.places[point]
        return _sign(way[0] * (y - y0) - way[1] * (x - x0))

    def ahead(self, heading: Place | None, start: str, point: str) -> int:
        """+1 where the way from one point to another goes in a direction, −1 against it, 0 unknown."""
        way = self.way(start, point)
        return 0 if way is None or heading is None else _sign(way[0] * heading[0] + way[1] * heading[1])

    def same_way(self, line: str, heading: Place) -> int:
        """+1 where a line goes roughly in a direction, −1 against it, 0 unknown."""
        way = self.direction(line)
        return 0 if way is None else _sign(way[0] * heading[0] + way[1] * heading[1])


def _way(places: Mapping[str, Place], first: str, second: str) -> Place | None:
    if first not in places or second not in places:
        return None
    (x0, y0), (x1, y1) = places[first], places[second]
    length = math.hypot(x1 - x0, y1 - y0)
    return ((x1 - x0) / length, (y1 - y0) / length) if length else None


def _ways(
    drawing: Drawing, places: Mapping[str, Place], relations: Sequence[Relation], values: Mapping[str, float]
) -> dict[str, Place]:
    """The directions of lines: by their points, else by their angles to lines whose directions are known."""
    found: dict[str, Place] = {}
    for name, points in drawing.all_lines.items():
        way = _way(places, *points[:2]) if len(points) > 1 else None
        if way is not None:
            found[name] = way
    turns = [each for each in relations if isinstance(each, Turned | Headed)]
    for _ in range(len(turns) + 1):
        before = len(found)
        for each in turns:
            if any(leaf.name not in values for leaf in free_symbols(each.angle)):
                continue
            angle = evaluate([each.angle], values)[0]
            if isinstance(each, Headed):
                found.setdefault(each.line, (math.cos(angle), math.sin(angle)))
            elif each.first in found:
                found.setdefault(each.second, _turned(found[each.first], angle))
            elif each.second in found:
                found.setdefault(each.first, _turned(found[each.second], -angle))
        if len(found) == before and drawing.axis and drawing.axis not in found:
            found[drawing.axis] = (1.0, 0.0)  # where the convention will put it
        elif len(found) == before:
            break
    return found


def _turned(way: Place, angle: float) -> Place:
    c, s = math.cos(angle), math.sin(angle)
    return way[0] * c - way[1] * s, way[0] * s + way[1] * c


def rough_direction(angle: Expression) -> Place | None:
    """A direction in numbers where an angle is one."""
    if free_symbols(angle):
        return None
    value = evaluate([angle], {})[0]
    return math.cos(value), math.sin(value)


def _sign(value: float) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0
