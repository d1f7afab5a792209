"""Round bars on plane faces: each touches along a line, which holds it from one side.

Three such lines or more, all around, hold a shaft as a hole does: a hole of three, five or seven flat sides, blocks
around it, or a groove with a flat above it. Faces on both sides of a bar, as far apart as it is thick, are slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.body import Body
from linkwork.recognition.stretches import PARALLEL, stretches_on
from linkwork.recognition.touch import CLEARANCE, Contact



def lines(a: Body, b: Body, slots: Sequence[Contact], tolerance: float) -> Iterator[Contact]:
    """The contacts of bars of either part on plane faces of the other, but for those of slots that are known."""
    for holder, bar, inner in ((a, b, 1), (b, a, 0)):
        for each in _on_faces(holder, bar, tolerance):
            found = each if inner else each.flipped()
            if not any(slot.inner == inner and _is_side(found, slot, tolerance) for slot in slots):
                yield found


def _is_side(line: Contact, slot: Contact, tolerance: float) -> bool:
    """Whether a line is on one side of a slot that the same bar is in."""
    assert line.middle is not None
    assert slot.middle is not None
    return (
        bool((np.abs(slot.normals @ line.normals[0]) > 1 - PARALLEL).any())
        and abs(slot.radius - line.radius) <= tolerance
        and bool(np.linalg.norm(line.middle - slot.middle) <= max(tolerance, line.length))
    )


def _on_faces(holder: Body, bar: Body, tolerance: float) -> Iterator[Contact]:
    """The contacts of bars of the second part on plane faces of the first."""
    bars, faces, reaches = _beside(holder, bar, tolerance)
    if not len(bars):
        return
    seen: list[Contact] = []
    for own, face, reach in zip(bars, faces, reaches, strict=True):
        way = np.sign(reach) * holder.flats.normals[[face]]  # from the face to the bar
        round_one, flat = bar.rounds[own], holder.flats.only(np.array([face]))
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
    flats = holder.flats.only(faces)
    away = rounds.points @ flats.normals.T - flats.offsets
    radii = rounds.radii[:, :1]
    may = (np.abs(away) >= radii - tolerance) & (np.abs(away) <= radii * (1 + 2 * CLEARANCE) + tolerance)
    may &= np.abs(rounds.axes @ flats.normals.T) <= PARALLEL
    one, other = np.nonzero(may)
    return bars[one], faces[other], away[one, other]


def _are_one(a: Contact, b: Contact, tolerance: float) -> bool:
    """Whether contacts are of one bar and one plane, told of two faces in it."""
    return (
        len(a.points) == len(b.points)
        and float(a.normals[0] @ b.normals[0]) > 1 - PARALLEL
        and float(np.abs(a.points - b.points).max()) <= tolerance
    )
