"""Whether points lie inside closed faces: straight lines through them, and where these go in and out.

Along a whole line, faces must be crossed inwards and outwards in turn, inwards first. A line that runs through an edge
or along a face breaks this rule, and another direction is tried; so no tolerance decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats
from linkwork.solid.shell.distance import radius_at, slope
from linkwork.solid.shell.patch import Patch
from linkwork.solid.shell.trim import is_on
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace, TorusFace

Flags = NDArray[np.bool_]
Rows = NDArray[np.int64]

TRIES: Final = 16
"""Directions that are tried before the majority decides."""
SLACK: Final = 1e-6
"""By how much of its size a face's box is widened when hits are looked for in it."""


AT_ONCE: Final = 4096
"""Points that are looked at together: so many times the points of a chain fit into memory."""


class Hits(NamedTuple):
    """Where lines meet a surface: the number of the line, how far along it, and the cosine to the surface's normal."""

    rows: Rows
    ways: Floats
    cosines: Floats


def directions(count: int) -> Floats:
    """Unit vectors spread evenly, none along an axis that parts are usually made by (a spiral of the golden angle)."""
    k = np.arange(count) + 0.5
    z = 1 - k / count * 0.98 - 0.005
    turn = np.pi * (3 - np.sqrt(5)) * k + 0.6180
    flat = np.sqrt(1 - z * z)
    return np.column_stack([flat * np.cos(turn), flat * np.sin(turn), z])


def inside(patches: Sequence[Patch], points: Floats) -> Flags:
    """Whether each row of an array lies inside closed faces."""
    blocks = [points[start : start + AT_ONCE] for start in range(0, len(points), AT_ONCE)]
    return np.concatenate([_inside(patches, block) for block in blocks] or [np.zeros(0, dtype=bool)])


def _inside(patches: Sequence[Patch], points: Floats) -> Flags:
    found = np.zeros(len(points), dtype=bool)
    votes = np.zeros(len(points))
    rest = np.arange(len(points))
    for ahead in directions(TRIES):
        answer, sure = _along(patches, points[rest], ahead)
        found[rest[sure]] = answer[sure]
        votes[rest[~sure]] += np.where(answer[~sure], 1.0, -1.0)
        rest = rest[~sure]
        if not len(rest):
            break
    found[rest] = votes[rest] > 0
    return found


def _along(patches: Sequence[Patch], points: Floats, ahead: Floats) -> tuple[Flags, Flags]:
    """Whether points are inside by the lines of one direction, and whether that is sure."""
    unsure = np.zeros(len(points), dtype=bool)
    rows, ways, signs = [], [], []
    for patch in patches:
        near = np.flatnonzero(_passes(patch, points, ahead))
        if not len(near):
            continue
        met = hits(patch.surface, points[near], ahead)
        at = points[near[met.rows]] + np.outer(met.ways, ahead)
        on, sure = _on_patch(patch, at)
        unsure[near[met.rows[~sure]]] = True
        rows.append(near[met.rows[on]])
        ways.append(met.ways[on])
        signs.append(patch.side * np.sign(met.cosines[on]))
    if not rows:
        return unsure, ~unsure
    return _in_turn(np.concatenate(rows), np.concatenate(ways), np.concatenate(signs), unsure)


def _in_turn(rows: Rows, ways: Floats, signs: Floats, unsure: Flags) -> tuple[Flags, Flags]:
    """Inside where the number of crossings behind is odd; sure where in and out take turns, inwards first."""
    count = len(unsure)
    order = np.lexsort((ways, rows))
    rows, ways, signs = rows[order], ways[order], signs[order]
    starts = np.r_[True, rows[1:] != rows[:-1]]
    place = np.arange(len(rows)) - np.maximum.accumulate(np.where(starts, np.arange(len(rows)), 0))
    wanted = np.where(place % 2 == 0, -1.0, 1.0)
    unsure = unsure.copy()
    unsure[rows[signs != wanted]] = True
    unsure |= np.bincount(rows, minlength=count) % 2 == 1
    behind = np.bincount(rows[ways < 0], minlength=count)
    return behind % 2 == 1, ~unsure


def _passes(patch: Patch, points: Floats, ahead: Floats) -> Flags:
    """Whether the lines through points pass through the box of a face."""
    low, high = _widened(patch)
    first, last = (low - points) / ahead, (high - points) / ahead
    entry, leave = np.minimum(first, last).max(axis=1), np.maximum(first, last).min(axis=1)
    passes: Flags = entry <= leave
    return passes


def _on_patch(patch: Patch, at: Floats) -> tuple[Flags, Flags]:
    low, high = _widened(patch)
    near = np.flatnonzero(np.all((at >= low) & (at <= high), axis=1))
    on, sure = np.zeros(len(at), dtype=bool), np.ones(len(at), dtype=bool)
    on[near], sure[near] = is_on(patch, at[near])
    return on, sure


def _widened(patch: Patch) -> tuple[Floats, Floats]:
    low, high = patch.box
    slack = SLACK * float(np.linalg.norm(high - low))
    return low - slack, high + slack


# ----------------------------------------------------------------------------- lines and surfaces


@singledispatch
def hits(surface: Face, points: Floats, ahead: Floats) -> Hits:
    """Where lines through points, all of one direction, meet the surface of a face, also beyond its edges."""
    raise TypeError(f"no surface: {surface!r}")


@hits.register
def _(surface: PlaneFace, points: Floats, ahead: Floats) -> Hits:
    normal = np.array(surface.normal)
    cosine = float(ahead @ normal)
    rows = np.arange(len(points) if cosine else 0)
    ways = (np.array(surface.point) - points[rows]) @ normal / (cosine or 1.0)
    return Hits(rows, ways, np.full(len(rows), cosine))


@hits.register
def _(surface: RoundFace, points: Floats, ahead: Floats) -> Hits:
    """|q + t d|² = (r + k t)², where q and d are taken across the axis, r is the radius at the height of the point."""
    axis = np.array(surface.axis)
    grows = slope(surface)
    ways = points - np.array(surface.point)
    heights = ways @ axis
    flat, rise = ways - np.outer(heights, axis), float(ahead @ axis)
    ahead_flat = ahead - rise * axis
    radii = radius_at(surface, 0.0) + grows * heights
    rows, t = _roots(
        float(ahead_flat @ ahead_flat) - (grows * rise) ** 2,
        flat @ ahead_flat - grows * rise * radii,
        np.einsum("ij,ij->i", flat, flat) - radii**2,
    )
    reached = radii[rows] + grows * rise * t
    real = reached > 0  # the other half of the double cone is none of ours
    rows, t, reached = rows[real], t[real], reached[real]
    outward = (flat[rows] + np.outer(t, ahead_flat)) / reached[:, None]
    return Hits(rows, t, outward @ ahead_flat - grows * rise)


@hits.register
def _(surface: SphereFace, points: Floats, ahead: Floats) -> Hits:
    ways = points - np.array(surface.point)
    rows, t = _roots(1.0, ways @ ahead, np.einsum("ij,ij->i", ways, ways) - surface.radius**2)
    return Hits(rows, t, (ways[rows] @ ahead + t) / surface.radius)


def _roots(a: float, b: Floats, c: Floats) -> tuple[Rows, Floats]:
    """The roots of a t² + 2 b t + c, without loss of digits."""
    rows = np.flatnonzero(b * b - a * c > 0)
    b, c = b[rows], c[rows]
    larger = -(b + np.where(b < 0, -1.0, 1.0) * np.sqrt(b * b - a * c))
    if abs(a) < 1e-14:
        return rows, c / larger
    return np.concatenate([rows, rows]), np.concatenate([larger / a, c / np.where(larger, larger, 1.0)])


@hits.register
def _(surface: TorusFace, points: Floats, ahead: Floats) -> Hits:
    """(x² + R² - r²)² = 4 R² (x² - (a·x)²): four roots, counted from the point nearest to the centre."""
    axis, ring, tube = np.array(surface.axis), surface.radius, surface.tube
    ways = points - np.array(surface.point)
    back = ways @ ahead
    ways = ways - np.outer(back, ahead)
    heights, rise = ways @ axis, float(ahead @ axis)
    square = np.einsum("ij,ij->i", ways, ways)
    beta = square + ring**2 - tube**2
    companion = np.zeros((len(points), 4, 4))
    companion[:, 1, 0] = companion[:, 2, 1] = companion[:, 3, 2] = 1.0
    companion[:, 0, 3] = -(beta**2 - 4 * ring**2 * (square - heights**2))
    companion[:, 1, 3] = -8 * ring**2 * heights * rise
    companion[:, 2, 3] = -(2 * beta - 4 * ring**2 * (1 - rise**2))
    roots = np.linalg.eigvals(companion)
    rows, place = np.nonzero(np.abs(roots.imag) < 1e-6 * (abs(ring) + tube))
    t = roots.real[rows, place]
    gap, _ = _from_tube(ways[rows] + np.outer(t, ahead), axis, ring, ahead)
    own = np.abs(gap - tube) < 1e-3 * (abs(ring) + tube)  # a tube wider than its ring has another part
    rows, t = rows[own], t[own]
    for _ in range(3):  # Newton's method on the distance from the tube's middle
        gap, cosines = _from_tube(ways[rows] + np.outer(t, ahead), axis, ring, ahead)
        t = t - (gap - tube) / np.where(np.abs(cosines) > 1e-9, cosines, np.inf)
    return Hits(rows, t - back[rows], _from_tube(ways[rows] + np.outer(t, ahead), axis, ring, ahead)[1])


def _from_tube(ways: Floats, axis: Floats, ring: float, ahead: Floats) -> tuple[Floats, Floats]:
    """Distances from the circle in the middle of a tube, and their rates along a direction."""
    heights = ways @ axis
    flat = ways - np.outer(heights, axis)
    length = np.maximum(np.linalg.norm(flat, axis=1), 1e-300)
    away = ways - ring * flat / length[:, None]
    gap = np.maximum(np.linalg.norm(away, axis=1), 1e-300)
    return gap, away @ ahead / gap
