"""Layers of solids in space as small faces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from linkwork.view.mesh import Corners, Face, Mesh, across, add, add_panel, cross, dot, in_pieces, minus, unit
from linkwork.view.shape import Point
from linkwork.view.triangulate import triangulated


def add_prism(mesh: Mesh, rings: Sequence[Sequence[Point]], along: Point, size: float, ink: str) -> None:
    """A straight body over an outline, which turns left seen from above, and its holes, which turn right.

    >>> mesh = Mesh()
    >>> square = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
    >>> add_prism(mesh, [square], (0.0, 0.0, 2.0), 9.0, "metal")
    >>> len(mesh.faces), len(mesh.edges())
    (8, 12)
    """
    up = unit(along)
    first, second = across(up)
    corners_of = [point for ring in rings for point in ring]
    flat = [np.array([[dot(point, first), dot(point, second)] for point in ring]) for ring in rings]
    triangles = [(corners_of[a], corners_of[b], corners_of[c]) for a, b, c in triangulated(flat)]
    pieces, size = in_pieces(triangles, size)
    corners = Corners(mesh, math.hypot(*np.ptp(np.array(corners_of), axis=0), *along))
    lower, upper = mesh.normal(minus((0.0, 0.0, 0.0), up)), mesh.normal(up)
    for piece in pieces:
        mesh.faces.append(Face(tuple(corners(point) for point in reversed(piece)), lower, ink))
        mesh.faces.append(Face(tuple(corners(add(point, along)) for point in piece), upper, ink))
    for ring in rings:
        for before, after in pairwise((*ring, ring[0])):
            way = minus(after, before)
            add_panel(mesh, corners, (before, way, along), mesh.normal(cross(way, up)), size, ink)
