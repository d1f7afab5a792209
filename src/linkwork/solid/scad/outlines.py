"""Plane shapes that stand alone, as regions under a matrix."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from linkwork.solid.region import Edge, Line, Region, involute_gear, rack
from linkwork.solid.scad.facets import ring
from linkwork.solid.scad.fault import Complaint
from linkwork.solid.scad.frames import Note, is_similar, mapped
from linkwork.solid.scad.tree import Disc, Gear, Matrix, Node, Outline, Pair, Rack, Square


def outline_of(node: Node, matrix: Matrix, note: Note) -> Region:
    """The region of a shape."""
    linear, shift = matrix[:2, :2], matrix[:2, 2]
    match node:
        case Square(size=(x, y), centred=centred):
            left, bottom = (-x / 2, -y / 2) if centred else (0.0, 0.0)
            corners = [(left, bottom), (left + x, bottom), (left + x, bottom + y), (left, bottom + y)]
            return Region.polygon(_images(corners, matrix))
        case Disc(radius=radius, sides=0) if is_similar(linear):
            return Region.circle(radius * math.hypot(*linear[:, 0]), shift.tolist())
        case Disc(radius=radius, sides=0):
            return mapped(Region.circle(radius), linear, shift, note)
        case Disc(radius=radius, sides=sides):
            return Region.polygon(_images(ring(sides, radius), matrix))
        case Outline():
            found = Region.from_loops(_loops(node, _images(node.points, matrix)))
            if not found:
                raise Complaint(
                    "this polygon encloses nothing",
                    wanted="points that are not all in a line",
                    fix="leave it out, or points = [[0, 0], [10, 0], [0, 10]]",
                )
            return found
        case Gear() | Rack():
            return mapped(_toothed(node), linear, shift, note)
    raise AssertionError(type(node).__name__)


def paths_of(node: Outline) -> list[Edge]:
    """The edges of a polygon where it is written."""
    return [edge for loop in _loops(node, node.points) for edge in loop]


def _loops(node: Outline, points: Sequence[Pair]) -> list[list[Edge]]:
    corners = [[points[corner] for corner in path] for path in node.paths]
    return [[Line(path[place - 1], path[place]) for place in range(len(path))] for path in corners]


def _images(points: Sequence[Pair], matrix: Matrix) -> list[Pair]:
    images = np.array(points) @ matrix[:2, :2].T + matrix[:2, 2]
    return [(float(x), float(y)) for x, y in images]


def _toothed(node: Gear | Rack) -> Region:
    angle = math.radians(node.pressure_angle)
    if isinstance(node, Rack):
        rim = {"rim": node.width} if node.width else {}
        return rack(node.teeth, node.module, angle, backlash=node.backlash, **rim)
    return involute_gear(
        node.teeth,
        node.module,
        angle,
        backlash=node.backlash,
        shift=node.shift,
        internal=node.internal,
    )
