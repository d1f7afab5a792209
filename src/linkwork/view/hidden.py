"""What is seen of solids: which of them hide others, and where each of them shows itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.view.camera import Camera
from linkwork.view.shape import Facets

Array = NDArray[np.float64]

POINTS: Final = 80
"""Corners of a solid at which it is looked at, at most."""
LOOKS: Final = 20
"""Facets of a solid of which it is tried whether they are seen, at most."""
HIDDEN: Final = 0.8
"""The share of its corners that may be hidden before a solid counts as hidden."""


def hiding(solids: Mapping[str, Facets]) -> set[str]:
    """The names of solids that hide another one from the usual camera, each for the most part.

    >>> corners = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    >>> quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    >>> sides = tuple(half for a, b, c, d in quads for half in ((a, b, c), (a, c, d)))
    >>> box = Facets(tuple(corners), sides)
    >>> inner = Facets(tuple((x / 2, y / 2, z / 2) for x, y, z in corners), sides)
    >>> hiding({"box": box, "inner": inner})
    {'box'}
    """
    view = np.array(Camera().axes())
    seen = {name: np.array(solid.points) @ view.T for name, solid in solids.items()}
    return {
        outer
        for outer, solid in solids.items()
        if any(_hides(seen[outer], solid, seen[inner]) for inner in solids if inner != outer)
    }


def places_seen(solids: Mapping[str, Facets], clear: Collection[str]) -> dict[str, Array]:
    """Of each solid the middle of its largest facet that the usual camera sees, or else of its largest before it."""
    view = np.array(Camera().axes())
    corners = {
        name: (np.array(solid.points) @ view.T)[np.array(solid.triangles)] for name, solid in solids.items()
    }
    found = {}
    for name, own in corners.items():
        before = [each for part, each in corners.items() if part == name or part not in clear]
        middles = _largest_middles(own)
        seen = (middle for middle in middles if not any(_is_behind(middle, each) for each in before))
        found[name] = np.asarray(next(seen, middles[0]) @ view)
    return found


def _largest_middles(corners: Array) -> Array:
    """The middles of triangles that are turned to the eye, the largest first."""
    along, aside = corners[:, 1, :2] - corners[:, 0, :2], corners[:, 2, :2] - corners[:, 0, :2]
    areas = along[:, 0] * aside[:, 1] - along[:, 1] * aside[:, 0]
    largest = np.argsort(-areas, kind="stable")[:LOOKS]
    return np.asarray(corners[largest].mean(axis=1))


def _hides(outer: Array, solid: Facets, inner: Array) -> bool:
    """Whether most corners of one solid lie behind triangles of the other; entries are right, up and nearness."""
    low, high = outer.min(axis=0), outer.max(axis=0)
    points = inner[:: max(1, len(inner) // POINTS)]
    within = np.all((low[:2] <= points[:, :2]) & (points[:, :2] <= high[:2]), axis=1)
    if within.mean() < HIDDEN:
        return False
    corners = outer[np.array(solid.triangles)]
    return sum(_is_behind(point, corners) for point in points[within]) >= HIDDEN * len(points)


def _is_behind(point: Array, corners: Array) -> bool:
    """Whether a triangle is before a point, by the signs of the areas that it makes with its sides."""
    ways = corners[:, :, :2] - point[:2]
    after = np.roll(ways, -1, axis=1)
    areas = ways[:, :, 0] * after[:, :, 1] - ways[:, :, 1] * after[:, :, 0]
    total = areas.sum(axis=1)
    around = np.all(areas * np.sign(total)[:, None] >= 0, axis=1) & (total != 0)
    # The corner opposite to a side has that side's share of the area.
    nearness = np.roll(corners[around, :, 2], -2, axis=1) * areas[around] / total[around, None]
    return bool(np.any(nearness.sum(axis=1) > point[2] + 1e-9 * np.ptp(corners[:, :, 2])))
