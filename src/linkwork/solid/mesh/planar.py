"""Polygons cut into well-shaped triangles, and triangles refined until they follow a curved surface."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from linkwork.solid.mesh.mesh import Numbers
from linkwork.solid.mesh.unroll import Layout
from linkwork.solid.placement import Floats

ROUNDS: Final = 12
"""How often edges are halved, at most."""

Triangle = tuple[int, int, int]
Side = tuple[int, int]


class Refined(NamedTuple):
    """Plane points, the corners of the mesh that they show, and triangles over them."""

    places: Floats
    corners: Numbers
    triangles: list[Triangle]


def triangulated(places: Floats, loops: Sequence[Numbers]) -> list[Triangle]:
    """Triangles over loops of plane points: the outer ones turn left, holes turn right; no other points are used.

    First by cutting off ears, then edges are turned until no circle around a triangle holds a fourth point (Lawson).
    """
    from manifold3d import triangulate

    given = np.concatenate(loops)
    found = triangulate([places[loop] for loop in loops])
    triangles = [(int(given[a]), int(given[b]), int(given[c])) for a, b, c in found]
    return _turned(places, triangles)


def _turned(places: Floats, triangles: list[Triangle]) -> list[Triangle]:
    """Inner edges are turned until all are as they should be."""
    opposite: dict[tuple[int, int], int] = {}
    for a, b, c in triangles:
        opposite[a, b], opposite[b, c], opposite[c, a] = c, a, b
    where = places.tolist()
    waiting = [edge for edge in opposite if edge[0] < edge[1]]
    most = 50 * len(triangles) + 1000  # rounding may make edges turn forth and back
    while waiting and most:
        most -= 1
        a, b = waiting.pop()
        if (a, b) not in opposite or (b, a) not in opposite:
            continue
        c, d = opposite[a, b], opposite[b, a]
        if c == d or (c, d) in opposite or (d, c) in opposite:
            continue
        if not _should_turn(where[a], where[b], where[c], where[d]):
            continue
        del opposite[a, b], opposite[b, a]
        opposite[c, a], opposite[a, d], opposite[d, c] = d, c, a
        opposite[d, b], opposite[b, c], opposite[c, d] = c, d, b
        waiting += [(c, a), (a, d), (d, b), (b, c)]
    return [(a, b, c) for (a, b), c in opposite.items() if a < b and a < c]


def _should_turn(a: Sequence[float], b: Sequence[float], c: Sequence[float], d: Sequence[float]) -> bool:
    """Whether the edge from c to d is better than that from a to b: c lies left of it, d right of it."""
    left, right = _turn(d, b, c), _turn(c, a, d)
    if left <= 0 or right <= 0:  # the four are no convex quadrilateral
        return False
    before = min(_sharpest(a, b, c), _sharpest(b, a, d))
    return min(_sharpest(d, b, c), _sharpest(c, a, d)) > before * (1 + 1e-9)


def _sharpest(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    """Grows with the smallest angle of a triangle: that angle's sine, from the area and the two longest sides."""
    sides = sorted(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2, (c[0] - b[0]) ** 2 + (c[1] - b[1]) ** 2,
                    (a[0] - c[0]) ** 2 + (a[1] - c[1]) ** 2))  # fmt: skip
    return _turn(a, b, c) / max(math.sqrt(sides[1] * sides[2]), 1e-300)


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# ----------------------------------------------------------------------------------------- refining


def refined(layout: Layout, triangles: list[Triangle], deviation: float, first: int) -> Refined:
    """Halve inner edges until the face leaves none of them by more than a deviation; those of the border stay.

    New corners of the mesh are numbered from ``first`` on. Where the picture is cut open, both sides of the cut are
    halved alike and get the same corner.
    """
    places, corners = layout.places, layout.corners
    for _ in range(ROUNDS):
        long = _worst_sides(layout, places, corners, triangles, deviation)
        if not len(long):
            break
        fresh = {
            name: first + k for k, name in enumerate(dict.fromkeys(_named(corners, e) for e in long.tolist()))
        }
        first += len(fresh)
        halves = {(int(a), int(b)): len(places) + k for k, (a, b) in enumerate(long)}
        numbers = np.array([fresh[_named(corners, edge)] for edge in long.tolist()])
        places = np.concatenate([places, (places[long[:, 0]] + places[long[:, 1]]) / 2])
        corners = np.concatenate([corners, numbers])
        triangles = _turned(places, [piece for triangle in triangles for piece in _halved(triangle, halves)])
    return Refined(places, corners, triangles)


def _worst_sides(
    layout: Layout, places: Floats, corners: Numbers, triangles: list[Triangle], deviation: float
) -> Numbers:
    """The inner edges that the face leaves farthest in one of their triangles, and by more than a deviation.

    An edge on one side of a cut brings the same edge on the other side with it.
    """
    sides = np.sort(np.array(triangles)[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    edges, number = np.unique(sides, axis=0, return_inverse=True)
    named = np.sort(corners[edges], axis=1)
    _, group = np.unique(named, axis=0, return_inverse=True)
    group, number = group.ravel(), number.ravel()
    used = np.bincount(group[number], minlength=len(edges))
    bulges = np.where(used[group] == 2, layout.bulges(places, edges), 0.0)
    three = bulges[number].reshape(-1, 3)
    worst = number.reshape(-1, 3)[np.arange(len(three)), three.argmax(axis=1)]
    chosen = np.zeros(len(edges), dtype=bool)
    chosen[group[worst[three.max(axis=1) > deviation]]] = True
    return np.asarray(edges[chosen[group]])


def _named(corners: Numbers, side: Sequence[int]) -> Side:
    """An edge by the corners of the mesh, whichever side of a cut it is on."""
    a, b = int(corners[side[0]]), int(corners[side[1]])
    return (a, b) if a < b else (b, a)


def _sides(triangle: Triangle) -> tuple[tuple[int, int], ...]:
    a, b, c = triangle
    return (a, b), (b, c), (c, a)


def _halved(triangle: Triangle, halves: dict[tuple[int, int], int]) -> list[Triangle]:
    """A triangle cut at the middles of its sides, where these have one."""
    waiting, done = [triangle], []
    while waiting:
        each = waiting.pop()
        a, b, c = each
        for p, q, r in ((a, b, c), (b, c, a), (c, a, b)):
            middle = halves.get((min(p, q), max(p, q)))
            if middle is not None:
                waiting += [(p, middle, r), (middle, q, r)]
                break
        else:
            done.append(each)
    return done
