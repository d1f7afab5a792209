"""Faces of shells along z: at which heights they turn, and whether they are along z or across it."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.solid.shell.edge import Chain
from linkwork.solid.shell.patch import Patch
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace, TorusFace

SQUARE: Final = 1e-9
"""The sine of the angle below which a direction is along another, or across it."""
UP: Final = np.array([0.0, 0.0, 1.0])


def patch_heights(patch: Patch) -> list[float]:
    """Where a face has corners, and where it and its edges are lowest and highest."""
    found = [float(height) for box in patch.box for height in box[2:]]
    for edge in patch.edges:
        found += [*edge.reach(UP), edge.start[2], edge.end[2]]
    return found


def patch_leans(surface: Face) -> bool:
    """Whether a face is neither along z nor across."""
    if isinstance(surface, PlaneFace):
        return min(abs(surface.normal[2]), math.hypot(*surface.normal[:2])) > SQUARE
    if isinstance(surface, RoundFace):
        return not surface.is_cylinder or math.hypot(*surface.axis[:2]) > SQUARE
    return True


def is_patch_cut_exactly(patch: Patch) -> bool:
    """Whether planes across z cut a face in lines and circles between edges that are exact."""
    surface = patch.surface
    if patch.deviation or any(isinstance(edge, Chain) for edge in patch.edges):
        return False
    if isinstance(surface, RoundFace | TorusFace):
        upright = math.hypot(*surface.axis[:2]) <= SQUARE
        lies = isinstance(surface, RoundFace) and surface.is_cylinder and abs(surface.axis[2]) <= SQUARE
        return upright or lies
    return isinstance(surface, PlaneFace | SphereFace)
