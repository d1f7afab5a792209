"""Simple solids along z, where they stand: at which heights they turn, and whether their faces are along z or across.

A prism is a region between two ends. With g and c the third row of its place's matrix, a point p of the region is at
the height g·p + o at the lower end, and higher by c times the prism's height at the upper.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.solid.placement import Placement, cross
from linkwork.solid.polyhedron import Polyhedron
from linkwork.solid.prism import Prism, as_prism
from linkwork.solid.region import Arc, Line, Point
from linkwork.solid.shell.extent import is_patch_cut_exactly, patch_heights, patch_leans
from linkwork.solid.shell.value import Shell
from linkwork.solid.values import Cone, Solid, SolidError, Sphere

SQUARE: Final = 1e-9
"""The sine of the angle below which a direction is along another, or across it."""


def turning_heights(solid: Solid, place: Placement) -> list[float]:
    """Where a simple solid has corners, or begins and ends: between these, its sections change smoothly."""
    base = place.origin[2]
    gx, gy, c = (float(each) for each in place.matrix[2])
    if isinstance(solid, Sphere):
        radius = solid.radius * place.scale
        return [base - radius, base + radius]
    if isinstance(solid, Polyhedron):
        return [float(height) for height in np.unique(place.point(solid.corners)[:, 2])]
    if isinstance(solid, Shell):
        return [height for patch in solid.patches for height in patch_heights(patch.placed(place))]
    if isinstance(solid, Cone):
        slope = math.hypot(gx, gy)
        rims = ((base, solid.bottom), (base + c * solid.height, solid.top))
        return [height + sign * slope * radius for height, radius in rims for sign in (-1, 1)]
    prism = simple_prism(solid)
    if math.hypot(gx, gy) <= SQUARE * place.scale:
        return [base, base + c * prism.height]
    over = sorted({gx * x + gy * y for x, y in _outermost(prism, gx, gy)})
    ends = (0.0,) if abs(c) <= SQUARE * place.scale else (0.0, c * prism.height)
    return [base + height + end for height in over for end in ends]


def _outermost(prism: Prism, gx: float, gy: float) -> set[Point]:
    """The corners of a region, and the points where its arcs could be highest and lowest."""
    length = math.hypot(gx, gy)
    found: set[Point] = set()
    for loop in prism.region.loops:
        for edge in loop:
            found.add(edge.start)
            if isinstance(edge, Arc):
                (x, y), aside = edge.centre, edge.radius / length
                found |= {(x + sign * aside * gx, y + sign * aside * gy) for sign in (-1, 1)}
    return found


def leaning(solid: Solid, place: Placement) -> bool:
    """Whether a simple solid has faces that are neither along z nor across."""
    if isinstance(solid, Sphere):
        return True
    if isinstance(solid, Shell):
        return any(patch_leans(patch.placed(place).surface) for patch in solid.patches)
    gx, gy, up = (float(each) / place.scale for each in place.matrix[2])
    if isinstance(solid, Polyhedron):
        corners = place.point(solid.corners)
        a, b, c = (corners[solid.triangles[:, k]] for k in range(3))
        return any(_neither(z, math.hypot(x, y)) for x, y, z in cross(b - a, c - a).tolist())
    if isinstance(solid, Cone) and solid.bottom != solid.top:
        return True
    if math.hypot(gx, gy) <= SQUARE:
        return False
    if abs(up) > SQUARE:
        return True
    ways = [
        (isinstance(edge, Line), edge.end[0] - edge.start[0], edge.end[1] - edge.start[1])
        for loop in simple_prism(solid).region.loops
        for edge in loop
    ]
    return any(not straight or _neither(gx * x + gy * y, gx * y - gy * x) for straight, x, y in ways)


def is_cut_exactly(solid: Solid, place: Placement) -> bool:
    """Whether the sections of a simple solid across z are exact: no circle is cut aslant."""
    if isinstance(solid, Shell):
        return all(is_patch_cut_exactly(patch.placed(place)) for patch in solid.patches)
    gx, gy, up = (float(each) / place.scale for each in place.matrix[2])
    if isinstance(solid, (Sphere, Polyhedron)) or math.hypot(gx, gy) <= SQUARE:
        return True
    if isinstance(solid, Cone) and solid.bottom != solid.top:
        return False
    edges = [edge for loop in simple_prism(solid).region.loops for edge in loop]
    return abs(up) <= SQUARE or all(isinstance(edge, Line) for edge in edges)


def _neither(along: float, across: float) -> bool:
    return min(abs(along), abs(across)) > SQUARE * max(abs(along), abs(across))


def simple_prism(solid: Solid) -> Prism:
    """A block, a cylinder or a prism as a prism."""
    prism = as_prism(solid)
    if prism is None:
        raise SolidError(
            f"a {type(solid).__name__.lower()} has no sections here",
            wanted="a solid made of blocks, cylinders, cones, spheres, prisms, polyhedra and shells",
        )
    return prism
