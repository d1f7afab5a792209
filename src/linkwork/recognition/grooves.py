"""Balls in grooves and bores: a sphere of one part in the hollow of a torus or of a cylinder of another.

One such place leaves a ball four motions or more; several of them together hold a part, as in a ball bearing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.touch import ANGLES, CLEARANCE, Contact, largest_gap
from linkwork.solid import SphereFace, TorusFace
from linkwork.solid.placement import Floats


def grooves(a: Body, b: Body, tolerance: float) -> Iterator[Contact]:
    """The contacts of balls of either part in grooves and bores of the other."""
    yield from _in_grooves(a, b, tolerance)
    yield from (each.flipped() for each in _in_grooves(b, a, tolerance))


def _in_grooves(holder: Body, part: Body, tolerance: float) -> Iterator[Contact]:
    """The contacts of balls of the second part in hollows of the first."""
    for ball in part.spheres:
        for hollow in _hollows(holder, np.array(ball.point)):
            gap = hollow.width - ball.radius
            off = float(np.linalg.norm(np.array(ball.point) - hollow.centre))
            if -tolerance <= gap <= CLEARANCE * hollow.width and off <= max(gap, 0.0) + tolerance:
                found = _touching(holder, part, ball, hollow)
                if found is not None:
                    yield found


@dataclass(frozen=True, eq=False)
class _Hollow:
    """A tube next to a ball: its middle there, the directions across it, how wide it is, and about what it goes."""

    centre: Floats
    ways: tuple[Floats, Floats]
    width: float
    axis: Floats
    middle: Floats
    label: str


def _hollows(holder: Body, point: Floats) -> Iterator[_Hollow]:
    """The tubes of tori and cylinders next to a point."""
    for face in holder.others:
        if isinstance(face, TorusFace):
            axis, origin = np.array(face.axis), np.array(face.point)
            away = point - origin
            radial = away - (away @ axis) * axis
            length = math.hypot(*radial)
            if length > 0:
                radial /= length
                centre = origin + face.radius * radial
                yield _Hollow(centre, (radial, axis), face.tube, axis, origin, face.label)
    rounds = holder.round_arrays
    heights = np.einsum("ij,ij->i", point - rounds.points, rounds.axes)
    within = rounds.are_cylinders & (heights > rounds.spans[:, 0]) & (heights < rounds.spans[:, 1])
    for place in np.flatnonzero(within).tolist():
        zero, quarter, axis = rounds.frames[place]
        centre = rounds.points[place] + heights[place] * axis
        width, label = float(rounds.radii[place, 0]), holder.rounds[place].label
        yield _Hollow(centre, (zero, quarter), width, axis, centre, label)


def _touching(holder: Body, part: Body, ball: SphereFace, hollow: _Hollow) -> Contact | None:
    """The contact of a ball with the hollow around it, where both are walls of their parts."""
    turns = (np.arange(ANGLES) + 0.5) * (math.tau / ANGLES)
    outward = np.outer(np.cos(turns), hollow.ways[0]) + np.outer(np.sin(turns), hollow.ways[1])
    touching = holder.bounded(hollow.centre + hollow.width * outward, -outward)
    if not touching.any():
        return None
    touching &= part.bounded(np.array(ball.point) + ball.radius * outward, outward)
    if not touching.any():
        return None
    return Contact(
        "groove",
        hollow.centre + hollow.width * outward[touching],
        -outward[touching],
        max(0.0, 2 * (hollow.width - ball.radius)),
        1,
        hollow.axis,
        hollow.middle,
        ball.radius,
        0.0,
        largest_gap(touching) < ANGLES // 2,
        (hollow.label, ball.label),
    )
