"""Pins that a tool can grip: round but for a hexagon, flats or a recess in the head, as screws and bolts are.

Such a head turns nothing, so nobody sees whether the pin turns in what it goes through, as of one that is round.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.flats import Flats
from linkwork.recognition.groups import Groups
from linkwork.solid.placement import Floats, cross_length
from linkwork.solid.values import Inside

HEAD: Final = 2.5
"""How wide and how high a head is at most, as a multiple of the shank's diameter: corners of hexagons are at 2."""
ALONG: Final = 1e-6
"""The sine of the angle below which directions are the same or at right angles."""


def is_round_but_for_grip(groups: Groups, place: int, axis: Floats, point: Floats, radius: float) -> bool:
    """Whether a part is a body of revolution about an axis but for faces for a tool, which nothing else touches."""
    body = groups.bodies[place]
    if body.is_round(axis, point, groups.tolerance):
        return True
    flats = body.flats
    beside = np.abs(flats.normals @ axis) < ALONG
    if not (beside | (np.abs(flats.normals @ axis) > 1 - ALONG)).all() or not _rest_is_round(
        body, axis, point, groups.tolerance
    ):
        return False
    bounding = body.bounding.flats
    grips = bounding.only(np.flatnonzero(np.abs(bounding.normals @ axis) < ALONG))
    return (
        bool(_are_of_a_head(grips, axis, point, radius) and _can_be_gripped(body, grips, axis, point).all())
    ) and not _is_touched_beside(groups, place, axis)


def _rest_is_round(body: Body, axis: Floats, point: Floats, tolerance: float) -> bool:
    """Whether all faces that are not plane are round about an axis."""
    rounds = body.round_arrays
    away = np.array([cross_length(each - point, axis) for each in rounds.points])
    return not body.others and bool(
        len(rounds) and (np.abs(rounds.axes @ axis) > 1 - ALONG).all() and (away <= tolerance + 1e-12).all()
    )


def _are_of_a_head(grips: Flats, axis: Floats, point: Floats, radius: float) -> bool:
    """Whether faces reach no farther out, and are no longer, than the head of a pin."""
    away = grips.corners.reshape(-1, 3) - point
    out = np.linalg.norm(away - np.outer(away @ axis, axis), axis=1)
    heights = grips.heights(axis)
    return bool(
        out.max(initial=0.0) <= HEAD * radius
        and np.ptp(heights, axis=1).max(initial=0.0) <= 2 * HEAD * radius
    )


def _can_be_gripped(body: Body, grips: Flats, axis: Floats, point: Floats) -> Inside:
    """Which faces a tool can grip: from outside those opposite to the axis, as of a hexagon, or walls about it.

    The flanks of teeth are neither.
    """
    middles = grips.corners.mean(axis=1)
    on_axis = point + np.outer((middles - point) @ axis, axis)
    before, _ = body.sides(middles, grips.normals)
    outward = np.where(before, -1.0, 1.0)[:, None] * grips.normals
    out = np.einsum("ij,ij->i", outward, middles - on_axis)
    feet = on_axis + out[:, None] * outward - grips.points
    coordinates = np.einsum("ijk,ik->ij", grips.frames[:, 1:], feet)
    is_opposite = np.all((grips.ranges[..., 0] < coordinates) & (coordinates < grips.ranges[..., 1]), axis=1)
    is_hollow = ~body.membership.contains(on_axis)
    return np.asarray(np.where(out > 0, is_opposite, is_hollow))


def _is_touched_beside(groups: Groups, place: int, axis: Floats) -> bool:
    """Whether anything touches a part other than round about an axis or on a face across it."""
    for places, touched in groups.touching.items():
        if place not in places:
            continue
        for each in touched:
            if each.kind == "plane":
                if abs(float(each.normals[0] @ axis)) < 1 - ALONG:
                    return True
            elif each.axis is None or abs(float(each.axis @ axis)) < 1 - ALONG:
                return True
    return False
