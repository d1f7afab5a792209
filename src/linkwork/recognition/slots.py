"""Pins in slots: a round bar of one part between two plane faces of another that look at each other.

Between them it can slide, turn and shift along its axis, so that two such faces make no lower pair; those of a square
hole do, and a slot that another pin is in keeps its part from turning.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.flats import Flats, Places, parallel_pairs
from linkwork.recognition.stretches import PARALLEL, stretches_on
from linkwork.recognition.touch import CLEARANCE, Contact
from linkwork.solid import RoundFace
from linkwork.solid.placement import Floats

AND = " and "
"""Between the labels of the two sides of a slot."""


def slots(a: Body, b: Body, tolerance: float) -> Iterator[Contact]:
    """The contacts of pins of either part in slots of the other, each of both sides of a slot."""
    yield from _in_slots(a, b, tolerance)
    yield from (each.flipped() for each in _in_slots(b, a, tolerance))


def _in_slots(holder: Body, pin: Body, tolerance: float) -> Iterator[Contact]:
    """The contacts of pins of the second part in slots of the first."""
    if len(holder.flats) < 2 or not len(pin.round_arrays):
        return
    rounds, flats = pin.round_arrays, holder.flats
    away = rounds.points @ flats.normals.T - flats.offsets
    radii = rounds.radii[:, :1]
    fitting = (np.abs(away) >= radii - tolerance) & (np.abs(away) <= radii * (1 + 2 * CLEARANCE) + tolerance)
    fitting &= (np.abs(rounds.axes @ flats.normals.T) <= PARALLEL) & rounds.are_cylinders[:, None]
    seen: list[Contact] = []
    for place in np.flatnonzero(fitting.sum(axis=1) >= 2).tolist():
        places = np.flatnonzero(fitting[place])
        for first, second in _across(flats, places, away[place], 2 * float(radii[place, 0]), tolerance):
            same = float(flats.normals[first] @ flats.normals[second])
            reaches = float(away[place, first]), float(away[place, second]) * same
            sides = dict.fromkeys(holder.planes[side].label for side in (first, second))
            labels = AND.join(label for label in sides if label), pin.rounds[place].label
            found = _between(holder, pin, pin.rounds[place], (first, second), reaches, labels)
            if found is not None and not any(_are_one(found, each, tolerance) for each in seen):
                seen.append(found)
                yield found


def _across(
    flats: Flats, places: Places, away: Floats, width: float, tolerance: float
) -> Iterator[tuple[int, int]]:
    """Faces on both sides of an axis, parallel and as far apart as a pin of this width is thick, or a fit more."""
    found = []
    some = flats.only(places)
    for one, other in parallel_pairs(some.normals, some.normals, PARALLEL):
        first, second = places[one], places[other]
        same = np.einsum("ij,ij->i", flats.normals[first], flats.normals[second])
        before, behind = away[first], away[second] * same
        gap = np.abs(before - behind) - width
        may = (
            (one < other)
            & (before * behind < 0)
            & (gap >= -tolerance)
            & (gap <= CLEARANCE * width + tolerance)
        )
        found.append(np.column_stack([first[may], second[may]]))
    for first, second in sorted(map(tuple, np.concatenate(found).tolist())):
        yield first, second


def _between(
    holder: Body,
    pin: Body,
    face: RoundFace,
    sides: tuple[int, int],
    reaches: tuple[float, float],
    labels: tuple[str, str],
) -> Contact | None:
    """The contact of a pin with two faces, so far from its axis along the normal of the first, where both touch it."""
    ways = np.sign(reaches)[:, None] * holder.flats.normals[sides[0]]  # from the faces to the pin
    flats = holder.flats.only(np.array(sides))
    cells = stretches_on(holder, pin, face, flats, ways, np.abs(reaches))
    if not len(cells):
        return None
    ends = np.array(face.point) + np.outer([cells.min(), cells.max()], face.axis)
    feet = [ends - abs(reach) * way for reach, way in zip(reaches, ways, strict=True)]
    return Contact(
        "slot",
        np.concatenate(feet),
        np.repeat(ways, 2, axis=0),
        max(0.0, abs(reaches[0] - reaches[1]) - 2 * face.radius),
        1,
        np.array(face.axis),
        ends.mean(axis=0),
        face.radius,
        float(np.diff(cells, axis=1).sum()),
        True,
        labels,
    )


def _are_one(a: Contact, b: Contact, tolerance: float) -> bool:
    """Whether contacts are of one pin and the same sides, told of two faces in one plane."""
    assert a.middle is not None
    assert b.middle is not None
    return abs(float(a.normals[0] @ b.normals[0])) > 1 - PARALLEL and bool(
        np.linalg.norm(a.middle - b.middle) <= max(tolerance, a.radius)
    )
