"""Parts with solids on a stage: prisms as plates of their true thickness, others as meshes."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.model import Machine
from linkwork.model.placed import Placed
from linkwork.model.solids import part_solids
from linkwork.model.visible_values import matrix_of
from linkwork.solid import Block, SolidError, is_prismatic
from linkwork.solid import Solid as Shaped
from linkwork.solid.mesh import solid_mesh
from linkwork.view import solid
from linkwork.view.mesh_file import smoothed
from linkwork.view.plane import colour_places
from linkwork.view.scene import Body, Scene
from linkwork.view.shape import Facets, Outline
from linkwork.view.solid import Solid
from linkwork.view.staging import EARTH, Staging
from linkwork.view.theme import body_colour

SMOOTH: Final = math.cos(math.radians(25))
"""Sides that meet at less than this angle belong to a rounded surface."""
GLASS: Final = 0.16
"""How much is seen of what is cut away."""
DEVIATION: Final = 1e-3
"""How far the triangles of a mesh may be from a surface, in sizes of the part."""

Halves = tuple[list[Solid], list[Solid]]
"""The surfaces of what is kept of a part, and of what is cut away."""


def see_solids(machine: Machine, scene: Scene, staging: Staging) -> set[str]:
    """Add the bodies that are drawn by their solids, and tell which these are."""
    layered = [
        body for body in scene.bodies if any(isinstance(each, Outline | Facets) for each in body.shapes)
    ]
    solids = part_solids(machine) if layered else {}
    at_origin = matrix_of(Placed.world(3))
    for body, place in zip(scene.bodies, colour_places(scene), strict=True):
        if body not in layered:
            continue
        kept, gone = _meshes(body, solids[body.name], machine.dimension) or _plates(body)
        colour = EARTH if place is None else body_colour(place)
        if kept:
            staging.plain(body.name, body.name, at_origin, solid.joined(kept), colour)
        if gone:
            name = f"{body.name}, cut away"
            staging.plain(name, body.name, at_origin, solid.joined(gone), colour, GLASS)
    return {body.name for body in layered}


def _outlines(body: Body) -> list[Outline]:
    return [shape for shape in body.shapes if isinstance(shape, Outline)]


# ----------------------------------------------------------------------------------------------- plates


def _plates(body: Body) -> Halves:
    gone = [each for each in _outlines(body) if each.look in ("cut", "gone")]
    kept = [_plate(each) for each in _outlines(body) if each not in gone]
    return kept, [_plate(each) for each in gone]


def _plate(shape: Outline) -> Solid:
    return solid.prism([np.array(ring) for ring in shape.rings], shape.low, shape.high, SMOOTH)


# ----------------------------------------------------------------------------------------------- meshes


def _meshes(body: Body, whole: Shaped, dimension: int) -> Halves | None:
    """The surfaces of a solid; None for a prism of the plane, and where triangles cannot be found."""
    if dimension == 2 and is_prismatic(whole):
        return None
    cut = min((each.low for each in _outlines(body) if each.look in ("cut", "gone")), default=math.inf)
    try:
        below, above = _halves(whole, cut)
        return [_surface(below)], [_surface(above)] if above is not None else []
    except SolidError:
        return None


def _halves(whole: Shaped, cut: float) -> tuple[Shaped, Shaped | None]:
    """What lies below a height and what lies above it."""
    (left, front, bottom), (right, back, top) = (corner.tolist() for corner in whole.box)
    if not bottom < cut < top:
        return whole, None
    below = Block((right - left, back - front, cut - bottom)).moved((left, front, bottom))
    above = Block((right - left, back - front, top - cut)).moved((left, front, cut))
    return whole & below, whole & above


def _surface(whole: Shaped) -> Solid:
    low, high = whole.box
    return smoothed(solid_mesh(whole, DEVIATION * float(np.linalg.norm(high - low))).corners)
