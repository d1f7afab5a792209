"""Flat faces: what few sides make of round shapes, and what stands for curved surfaces that have no exact form here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from linkwork.solid.region import Arc, Loop
from linkwork.solid.scad.degrees import cosine, sine
from linkwork.solid.scad.tree import Matrix, Pair

FACET_DEGREES: Final = 5.0
"""The angle of a facet where a curved surface is made flat: it is off by 0.1 % of its radius at most."""

SIDES_FOR_ROUND: Final = round(360 / FACET_DEGREES)

SAME_PLACE: Final = 1e-10
"""Of the size: corners on the same grid of this width are one."""

Faces = list[tuple[int, ...]]


def ring(sides: int, radius: float = 1.0) -> list[Pair]:
    """The corners of a regular polygon, the first on +x.

    >>> ring(4)
    [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
    """
    angles = [360.0 * place / sides for place in range(sides)]
    return [(radius * cosine(angle), radius * sine(angle)) for angle in angles]


def chords(loop: Loop) -> list[Pair]:
    """The corners of a loop, its arcs replaced by chords."""
    corners: list[Pair] = []
    for edge in loop:
        corners.append(edge.start)
        if isinstance(edge, Arc):
            count = math.ceil(math.degrees(abs(edge.sweep)) / FACET_DEGREES - 1e-9)
            corners += [edge.at(part / count) for part in range(1, count)]
    return corners


def ball(radius: float, sides: int) -> tuple[Matrix, Faces]:
    """A sphere with corners: rings as OpenSCAD lays them, none of them at a pole."""
    count = (sides + 1) // 2
    polar = [180.0 * (place + 0.5) / count for place in reversed(range(count))]
    outlines = [ring(sides, radius * sine(angle)) for angle in polar]
    return loft(outlines, [radius * cosine(angle) for angle in polar])


Walls = Literal["flat", "rising", "falling", "fans"]
"""How the four corners of a wall are joined: by one face, by two along either diagonal, by four around the middle."""


def loft(
    outlines: Sequence[Sequence[Pair]], heights: Sequence[float], walls: Walls = "flat"
) -> tuple[Matrix, Faces]:
    """Outlines of equally many corners, turning left, one above the other: a floor, walls, a ceiling.

    An outline that has shrunk to a point becomes one corner.
    """
    sides, layers = len(outlines[0]), len(outlines)
    points = [(x, y, z) for outline, z in zip(outlines, heights, strict=True) for x, y in outline]
    faces: Faces = [tuple(range(sides - 1, -1, -1)), tuple(range((layers - 1) * sides, layers * sides))]
    for layer in range(layers - 1):
        low, high = layer * sides, (layer + 1) * sides
        for place in range(sides):
            following = (place + 1) % sides
            a, b, c, d = low + place, low + following, high + following, high + place
            if walls == "flat":
                faces.append((a, b, c, d))
            elif walls == "rising":
                faces += [(a, b, c), (a, c, d)]
            elif walls == "falling":
                faces += [(a, b, d), (b, c, d)]
            else:
                middle = len(points)
                points.append(_middle([points[corner] for corner in (a, b, c, d)]))
                faces += [(a, b, middle), (b, c, middle), (c, d, middle), (d, a, middle)]
    return merged(np.array(points), faces)


def _middle(points: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    x, y, z = (sum(each) / len(points) for each in zip(*points, strict=True))
    return x, y, z


def cut(corners: Sequence[Pair], longest: float) -> list[Pair]:
    """The corners of an outline, and others between them, so that none of its sides is longer."""
    found: list[Pair] = []
    for (x, y), (u, v) in zip(corners, [*corners[1:], corners[0]], strict=True):
        count = max(1, math.ceil(math.hypot(u - x, v - y) / longest))
        found += [(x + (u - x) * part / count, y + (v - y) * part / count) for part in range(count)]
    return found


def merged(points: Matrix, faces: Sequence[tuple[int, ...]]) -> tuple[Matrix, Faces]:
    """Corners at the same place made one; faces that lose their area are left out."""
    grid = SAME_PLACE * float(np.abs(points).max() or 1.0)
    numbers: dict[tuple[int, ...], int] = {}
    kept: list[int] = []
    renamed: list[int] = []
    for place, key in enumerate(map(tuple, np.rint(points / grid).astype(np.int64).tolist())):
        if key not in numbers:
            numbers[key] = len(kept)
            kept.append(place)
        renamed.append(numbers[key])
    found: Faces = []
    for face in faces:
        corners = [renamed[corner] for corner in face]
        corners = [corner for place, corner in enumerate(corners) if corner != corners[place - 1]]
        if len(set(corners)) > 2:
            found.append(tuple(corners))
    return points[kept], found
