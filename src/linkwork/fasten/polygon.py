"""Whether a list of corners is a polygon: simple, with an inside; and which way round it runs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from linkwork.errors import LinkworkError
from linkwork.fasten.design import Polygon, Vector
from linkwork.fasten.edge_pairs import Edges, edge_pairs
from linkwork.fasten.exact_plane import Point, is_between, points, side
from linkwork.model.fault import listed


class PolygonFault(NamedTuple):
    """What is wrong with a polygon, and the vertex to blame, counted from 0 (none: the polygon as a whole)."""

    vertex: int | None
    error: LinkworkError


def doubled_area(polygon: Polygon) -> Fraction:
    """Twice the area inside, negative where the corners run clockwise.

    >>> from linkwork.fasten.rational import rational
    >>> doubled_area(tuple((rational(x), rational(y)) for x, y in ("00", "10", "01")))
    Fraction(1, 1)
    """
    total = Fraction(0)
    for place, (x, y) in enumerate(polygon):
        before_x, before_y = polygon[place - 1]
        total += before_x * y - x * before_y
    return total


def counter_clockwise(polygon: Polygon) -> Polygon:
    """The polygon with its inside on the left; one that has to be turned keeps its first corner.

    >>> from linkwork.fasten.rational import rational
    >>> turned = counter_clockwise(tuple((rational(x), rational(y)) for x, y in ("00", "01", "10")))
    >>> [(int(x), int(y)) for x, y in turned]
    [(0, 0), (1, 0), (0, 1)]
    """
    return (polygon[0], *polygon[:0:-1]) if polygon and doubled_area(polygon) < 0 else polygon


def polygon_fault(polygon: Polygon) -> PolygonFault | None:
    """The first thing that keeps a list of corners from being a simple polygon."""
    if len(polygon) < 3:
        error = LinkworkError(
            f"it has {len(polygon)} {'vertex' if len(polygon) == 1 else 'vertices'}",
            got=", ".join(map(shown, polygon)) or "an empty list",
            wanted="at least 3 vertices",
            why="a polygon has an inside",
            fix='[["0", "0"], ["1", "0"], ["0", "1"]]',
        )
        return PolygonFault(None, error)
    corners = points(polygon)
    return (
        _repeated_vertex(polygon)
        or _without_area(polygon, corners)
        or _spike(polygon, corners)
        or _self_contact(polygon, corners)
    )


def shown(corner: Vector) -> str:
    """A corner for messages: exactly where that is short.

    >>> shown((Fraction(-23, 4), Fraction(0)))
    '(-23/4, 0)'
    """
    return (
        "("
        + ", ".join(text if len(text := str(each)) < 16 else f"{float(each):.9g}" for each in corner)
        + ")"
    )


def _repeated_vertex(polygon: Polygon) -> PolygonFault | None:
    seen: dict[Vector, int] = {}
    for place, corner in enumerate(polygon):
        earlier = seen.setdefault(corner, place)
        if earlier != place:
            closing = earlier == 0 and place == len(polygon) - 1
            error = LinkworkError(
                f"vertices {earlier} and {place} are the same point",
                got=shown(corner),
                why="a polygon closes by itself: the first vertex is not repeated at the end"
                if closing
                else "an edge between them would have no length, or the polygon would touch itself",
                fix=f"remove vertex {place}",
            )
            return PolygonFault(place, error)
    return None


def _spike(polygon: Polygon, corners: Sequence[Point]) -> PolygonFault | None:
    """A corner at which the boundary goes back the way it came."""
    count = len(corners)
    for place, corner in enumerate(corners):
        before, after = corners[place - 1], corners[(place + 1) % count]
        if side(before, corner, after) == 0 and not is_between(before, after, corner):
            error = LinkworkError(
                f"vertex {place} is a spike without width",
                got=", ".join(shown(polygon[each % count]) for each in (place - 1, place, place + 1)),
                wanted="edges that enclose an area",
                why="the edge behind it goes back along the edge before it",
                fix=f"remove vertex {place}",
            )
            return PolygonFault(place, error)
    return None


def _self_contact(polygon: Polygon, corners: Sequence[Point]) -> PolygonFault | None:
    """Two edges that are no neighbours and meet."""
    count = len(corners)
    edges = Edges(polygon)
    for one, other in edge_pairs(edges, edges):
        first, second = min(one, other), max(one, other)
        if second - first in (0, 1, count - 1):
            continue
        a, b, c, d = (corners[each % count] for each in (first, first + 1, second, second + 1))
        if not segments_meet(a, b, c, d):
            continue
        vertex = next(
            (
                place % count
                for place, p, q, r in (
                    (first, c, d, a),
                    (first + 1, c, d, b),
                    (second, a, b, c),
                    (second + 1, a, b, d),
                )
                if side(p, q, r) == 0 and is_between(p, q, r)
            ),
            None,
        )
        verb = "cross" if vertex is None else "touch"
        error = LinkworkError(
            f"edges {first} and {second} {verb} each other",
            got=f"edge {first} from {shown(polygon[first])} to {shown(polygon[first + 1])}, "
            f"edge {second} from {shown(polygon[second])} to {shown(polygon[(second + 1) % count])}",
            wanted="a simple polygon: its edges meet only where they are neighbours",
            why=f"vertex {vertex} lies on another edge" if vertex is not None else "",
            fix=f"move vertex {vertex if vertex is not None else second}, or put the vertices in their order",
        )
        return PolygonFault(second if vertex is None else vertex, error)
    return None


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments have a point in common."""
    turns = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
    if turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0:
        return True
    ends = ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    return any(turn == 0 and is_between(*three) for turn, three in zip(turns, ends, strict=True))


def _without_area(polygon: Polygon, corners: Sequence[Point]) -> PolygonFault | None:
    if any(side(corners[0], corners[1], corner) for corner in corners):
        return None
    error = LinkworkError(
        f"it has no area: vertices 0 to {len(polygon) - 1} lie on one line",
        got=listed(map(shown, polygon)),
        wanted="vertices that do not all lie on one line",
        fix="move a vertex off the line",
    )
    return PolygonFault(len(polygon) - 1, error)
