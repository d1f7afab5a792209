"""Parts with solids on a stage: their layers as plates of their true thickness."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.model.placed import Placed
from linkwork.model.visible_values import matrix_of
from linkwork.view import solid
from linkwork.view.mesh import across, unit
from linkwork.view.scene import Body
from linkwork.view.shape import Outline, Prism
from linkwork.view.solid import Solid
from linkwork.view.staging import EARTH, Staging
from linkwork.view.theme import body_colour

SMOOTH: Final = math.cos(math.radians(25))
"""Sides that meet at less than this angle belong to a rounded surface."""
GLASS: Final = 0.16
"""How much is seen of what is cut away."""


def see_solids(body: Body, place: int | None, staging: Staging) -> bool:
    """Add a body that is drawn by its layers; whether it is one."""
    outlines = [shape for shape in body.shapes if isinstance(shape, Outline)]
    prisms = [shape for shape in body.shapes if isinstance(shape, Prism)]
    glass = [each for each in outlines if each.look in ("cut", "gone")]
    plates = [_plate(each) for each in outlines if each not in glass] + [_in_space(each) for each in prisms]
    colour = EARTH if place is None else body_colour(place)
    at_origin = matrix_of(Placed.world(3))
    if plates:
        staging.plain(body.name, body.name, at_origin, solid.joined(plates), colour)
    if glass:
        cover = solid.joined([_plate(each) for each in glass])
        staging.plain(f"{body.name}, cut away", body.name, at_origin, cover, colour, GLASS)
    return bool(plates or glass)


def _plate(shape: Outline) -> Solid:
    return solid.prism([np.array(ring) for ring in shape.rings], shape.low, shape.high, SMOOTH)


def _in_space(shape: Prism) -> Solid:
    up = unit(shape.axis)
    axes = np.array([*across(up), up])
    rings = [np.array(ring) @ axes.T for ring in shape.rings]
    low = float(rings[0][0, 2])
    upright = solid.prism([ring[:, :2] for ring in rings], low, low + math.hypot(*shape.axis), SMOOTH)
    return Solid(upright.positions @ axes, upright.normals @ axes, upright.triangles)
