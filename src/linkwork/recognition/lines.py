"""Round bars on plane faces: each touches along a line, which holds it from one side.

Three such lines or more, all around, hold a shaft as a hole does: a hole of three, five or seven flat sides, blocks
around it, or a groove with a flat above it. Faces on both sides of a bar, as far apart as it is thick, are slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.body import Body
from linkwork.recognition.flats import Flats
from linkwork.recognition.rounds import Rounds
from linkwork.recognition.stretches import PARALLEL, stretches_on
from linkwork.recognition.touch import CLEARANCE, Contact
from linkwork.solid import RoundFace
from linkwork.solid.placement import Floats, cross_length
from linkwork.solid.values import Inside


def lines(a: Body, b: Body, known: Sequence[Contact], tolerance: float) -> Iterator[Contact]:
    """The contacts of bars of either part on plane faces of the other, but for those of fits that are known."""
    for holder, bar, inner in ((a, b, 1), (b, a, 0)):
        fits = [each for each in known if each.inner == inner and each.kind in ("shaft", "press", "slot")]
        for each in _on_faces(holder, bar, fits, tolerance):
            yield each if inner else each.flipped()


def _is_within(fit: Contact, bar: RoundFace, way: Floats, tolerance: float) -> bool:
    """Whether a bar is in a hole all around, or in a slot of which a face with this normal is a side."""
    assert fit.axis is not None
    assert fit.middle is not None
    if abs(fit.radius - bar.radius) > tolerance or not fit.is_closed:
        return False
    if fit.kind == "slot" and not (np.abs(fit.normals @ way) > 1 - PARALLEL).any():
        return False
    off = cross_length(np.array(bar.point) - fit.middle, fit.axis)
    return cross_length(fit.axis, bar.axis) <= PARALLEL and off <= abs(fit.gap) + tolerance


def _on_faces(holder: Body, bar: Body, fits: Sequence[Contact], tolerance: float) -> Iterator[Contact]:
    """The contacts of bars of the second part on plane faces of the first."""
    bars, faces, reaches = _beside(holder, bar, tolerance)
    seen: list[Contact] = []
    for own, face, reach in zip(bars, faces, reaches, strict=True):
        way = np.sign(reach) * holder.flats.normals[[face]]  # from the face to the bar
        round_one, flat = bar.rounds[own], holder.flats.only(np.array([face]))
        if any(_is_within(fit, round_one, way[0], tolerance) for fit in fits):
            continue
        cells = stretches_on(holder, bar, round_one, flat, way, np.abs([reach]))
        if not len(cells):
            continue
        axis, radius = np.array(round_one.axis), round_one.radius
        ends = np.array(round_one.point) + np.outer([cells.min(), cells.max()], axis)
        found = Contact(
            "line",
            ends - abs(reach) * way,
            np.tile(way, (2, 1)),
            max(0.0, abs(float(reach)) - radius),
            1,
            axis,
            ends.mean(axis=0),
            radius,
            float(np.diff(cells, axis=1).sum()),
            labels=(holder.planes[face].label, round_one.label),
        )
        if not any(_are_one(found, each, tolerance) for each in seen):
            seen.append(found)
            yield found


def _beside(
    holder: Body, bar: Body, tolerance: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """The places of bars and of plane faces along them that they touch, or nearly so, and how far off their axes are.

    The sign tells on which side of the face the axis is.
    """
    bars = bar.round_arrays.pins(tolerance)
    rounds = bar.round_arrays.only(bars)
    play = 2 * CLEARANCE * float(rounds.radii.max(initial=0.0)) + tolerance
    faces = holder.flats.near(*bar.box, play) if len(bars) else np.zeros(0, dtype=np.intp)
    if not len(faces):
        return faces, faces, np.zeros(0)
    flats = holder.flats.only(faces)
    away = rounds.points @ flats.normals.T - flats.offsets
    radii = rounds.radii[:, :1]
    may = (np.abs(away) >= radii - tolerance) & (np.abs(away) <= radii * (1 + 2 * CLEARANCE) + tolerance)
    may &= np.abs(rounds.axes @ flats.normals.T) <= PARALLEL
    one, other = np.nonzero(may)
    if not len(one):
        return one, other, np.zeros(0)
    meet = _over(rounds.only(one), flats.only(other), holder.skin)
    one, other = one[meet], other[meet]
    return bars[one], faces[other], away[one, other]


def _over(bars: Rounds, faces: Flats, skin: float) -> Inside:
    """Whether the axes of bars, as far as these reach, go by before plane faces and not only beside them.

    From one end of a bar to the other its place before a face changes evenly along both directions of the face.
    """
    ends = bars.points[:, None] + bars.spans[..., None] * bars.axes[:, None]
    at = np.einsum("iek,ick->ice", ends - faces.points[:, None], faces.frames[:, 1:])
    ways = at[..., 1] - at[..., 0]
    steps = np.where(np.abs(ways) > skin, ways, 1.0)
    low, high = ((faces.ranges[..., end] - at[..., 0]) / steps for end in (0, 1))
    within = (at[..., 0] >= faces.ranges[..., 0] - skin) & (at[..., 0] <= faces.ranges[..., 1] + skin)
    is_along = np.abs(ways) > skin
    first = np.where(is_along, np.minimum(low, high), np.where(within, 0.0, 2.0)).max(axis=1, initial=0.0)
    last = np.where(is_along, np.maximum(low, high), 1.0).min(axis=1, initial=1.0)
    return np.asarray((last - first) * bars.lengths > 4 * skin)


def _are_one(a: Contact, b: Contact, tolerance: float) -> bool:
    """Whether contacts are of one bar and one plane, told of two faces in it."""
    return (
        len(a.points) == len(b.points)
        and float(a.normals[0] @ b.normals[0]) > 1 - PARALLEL
        and float(np.abs(a.points - b.points).max()) <= tolerance
    )
