"""Cones that meshes stand for: flat sides all around an axis that lean against it alike, between two rims.

The planes of such sides all go through the tip of the cone. Bands of balls and of other round things are such sides
too: a cone ends at edges, or goes over into a cylinder or a plane, but not into another cone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.recognition.facets import Creased, Places, around_axis, components
from linkwork.solid.placement import Floats, Triple, triple
from linkwork.solid.polyhedron import Polyhedron
from linkwork.solid.region.chords import ON_CIRCLE, SIDES
from linkwork.solid.section import frame_across

LEAST_LEAN: Final = 0.02
"""How far the sides of a cone look along its axis, or away from across it, at least; less is a cylinder or a plane."""
SAME_LEAN: Final = 1e-2
"""By how much that may differ from side to side, for those of small cones have few digits: their corners decide."""
SAME_AXIS: Final = 1e-3
"""How far directions may lean that are tried as one, in radians."""
STEPS: Final = 3
"""How many times the axis of a cone is shifted until its corners are at one distance from it at each height."""
MOST_AXES: Final = 16
"""How many directions are tried."""


@dataclass(frozen=True)
class FacetedCone:
    """A cone in the place of flat sides: radii at ``low`` and ``high`` along its axis; a hole or a shaft."""

    axis: Triple
    centre: tuple[float, float]
    """Where the axis is, in the coordinates of sections across it."""
    radii: tuple[float, float]
    low: float
    high: float
    sides: int
    is_hole: bool


def faceted_cones(solid: Polyhedron, mesh: Creased, axes: Sequence[Triple]) -> Iterator[FacetedCone]:
    """The whole cones that a polyhedron stands for, about axes of cylinders in it or others that its sides tell."""
    count = int(mesh.sheets.max(initial=-1)) + 1
    normals = np.zeros((count, 3))
    np.add.at(normals, mesh.sheets, mesh.normals * mesh.sizes[:, None])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    first, second = mesh.sheets[mesh.first[mesh.bent]], mesh.sheets[mesh.second[mesh.bent]]
    edges = solid.corners[mesh.edges[mesh.bent]]
    slack = ON_CIRCLE * float(np.abs(solid.corners).max())
    for axis in _axes(normals, components(first, second, count), axes, mesh):
        leans = normals @ axis
        leaning = (np.abs(leans) > LEAST_LEAN) & (np.abs(leans) < 1 - LEAST_LEAN**2)
        own = leaning[first] & leaning[second]
        band = components(first[own], second[own], count)
        counts = np.bincount(band[leaning], minlength=count)
        for number in np.flatnonzero(counts >= SIDES):
            members = leaning & (band == number)
            if np.ptp(leans[members]) <= SAME_LEAN:
                inside = own & members[first]
                found = _cone(edges[inside], normals[first[inside]], triple(axis), slack)
                if found is not None:
                    yield found


def _axes(normals: Floats, smooth: Places, known: Sequence[Triple], mesh: Creased) -> list[Floats]:
    """Directions about which cones may be: of cylinders, across ends with many edges, and those of single bands."""
    every = [np.array(axis) for axis in known]
    beside = np.concatenate([mesh.sheets[mesh.first], mesh.sheets[mesh.second]])
    other = np.concatenate([mesh.sheets[mesh.second], mesh.sheets[mesh.first]])
    edges = np.bincount(beside[beside != other], minlength=len(normals))
    every += [
        normals[place] for place in np.argsort(-edges, kind="stable")[:MOST_AXES] if edges[place] >= SIDES
    ]
    counts = np.bincount(smooth)
    for number in np.argsort(-counts, kind="stable")[:MOST_AXES]:
        if counts[number] >= SIDES:
            around = normals[smooth == number]
            _, sizes, right = np.linalg.svd(around - around.mean(axis=0), full_matrices=False)
            if sizes[2] <= SAME_LEAN * sizes[1]:
                every.append(right[2])
    found: list[Floats] = []
    for axis in every:
        if len(found) < MOST_AXES and not any(
            abs(float(axis @ each)) > 1 - SAME_AXIS**2 / 2 for each in found
        ):
            found.append(axis)
    return found


def _fitted(corners: Floats, outward: Floats, slack: float) -> tuple[Floats, float, float]:
    """Where the axis of a cone is on which corners lie, how its radius grows along it, and its radius at height 0.

    With n the way out of a side at a corner x, and p the tip: n·p = n·x for all of them, which is linear in p. What
    |x - c| = start + slope z, linear in small shifts of c, then mends is what planes of small sides tell badly.
    """
    planes = np.column_stack([outward[:, :2], np.ones(len(outward))])
    centre = np.linalg.lstsq(planes, np.einsum("ij,ij->i", outward, corners), rcond=None)[0][:2]
    heights = np.column_stack([corners[:, 2], np.ones(len(corners))])
    slope = start = 0.0
    for _ in range(STEPS):
        away = corners[:, :2] - centre
        radii = np.linalg.norm(away, axis=1)
        ways = np.where((radii > 10 * slack)[:, None], away / np.maximum(radii, slack)[:, None], 0.0)
        *shift, slope, start = np.linalg.lstsq(np.hstack([ways, heights]), radii, rcond=None)[0]
        centre = centre + shift
    return np.asarray(centre), float(slope), float(start)


def _cone(edges: Floats, normals: Floats, axis: Triple, slack: float) -> FacetedCone | None:
    """The cone on which edges lie that go along it, if they lie all around; rows of their two ends."""
    frame = frame_across(axis)
    ends = frame.local(edges.reshape(-1, 3)).reshape(-1, 2, 3)
    outward = frame.inverse.direction(normals)
    centre, slope, start = _fitted(ends.reshape(-1, 3), np.repeat(outward, 2, axis=0), slack)
    away = ends[:, :, :2] - centre
    radii, heights = np.linalg.norm(away, axis=2), ends[:, :, 2]
    if np.abs(radii - (start + slope * heights)).max() > slack:
        return None
    mean = away.mean(axis=1) @ np.array([1, 1j])
    places = around_axis(np.angle(mean), slack / max(float(np.abs(mean).min()), slack))
    if places is None:
        return None
    sides = int(places.max()) + 1
    low = max(float(heights[places == place].min()) for place in range(sides))
    high = min(float(heights[places == place].max()) for place in range(sides))
    if high - low <= slack:
        return None
    ends_at = max(0.0, float(start + slope * low)), max(0.0, float(start + slope * high))
    is_hole = bool((outward[:, :2] * away.mean(axis=1)).sum(axis=1)[0] < 0)
    return FacetedCone(axis, (float(centre[0]), float(centre[1])), ends_at, low, high, sides, is_hole)
