"""Rings that snap into grooves: thin and narrow, closed or slit, and like nothing that is there to turn."""

from __future__ import annotations

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.fastener_names import is_retainer_name
from linkwork.solid.placement import Floats, cross
from linkwork.solid.surface import TURN

SLIT = 0.1
"""How wide a slit is at least, as an angle."""


def is_snap_ring(body: Body, axis: Floats, middle: Floats, tolerance: float) -> bool:
    """Whether a part is a ring about an axis, no longer than it is wide and no wider than its hole's radius.

    One that is slit, to be put on from the side, may be twice as wide; what is called a circlip, a clip or a retaining
    ring may have any shape.
    """
    if is_retainer_name(body.name):
        return True
    faces = body.bounding
    rounds, normals = faces.rounds, faces.flats.normals
    if faces.others or not len(rounds.radii) or not all(rounds.are_cylinders):
        return False
    is_about = np.linalg.norm(cross(rounds.points - middle, axis), axis=1) <= tolerance
    is_along = np.abs(rounds.frames[:, 2] @ axis) > 1 - 1e-9
    lean = np.abs(normals @ axis)
    has_sides = (lean > 1 - 1e-9) | (lean < 1e-9)
    if not (is_about.all() and is_along.all() and has_sides.all()):
        return False
    inner, outer = float(rounds.radii.min()), float(rounds.radii.max())
    heights = faces.flats.frames[lean > 0.5, 0] @ axis
    length = float(np.ptp(heights)) if len(heights) else np.inf
    around = rounds.angles[rounds.radii[:, 0] <= inner + tolerance, 1].max()
    widest = inner if around > TURN - SLIT else 2 * inner
    return length <= outer - inner + tolerance <= widest + 2 * tolerance
