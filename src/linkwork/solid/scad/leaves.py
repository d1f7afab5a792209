"""Shapes that stand alone, as solids under a matrix: exact where the matrix leaves them what they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from linkwork.solid import Block, Cone, Cylinder, Difference, Polyhedron, Prism, Solid, Sphere, Union
from linkwork.solid.placement import triple
from linkwork.solid.region import Region
from linkwork.solid.scad import facets
from linkwork.solid.scad.fault import Complaint
from linkwork.solid.scad.frames import Note, frame_of, has_arcs, mapped, upright_frame
from linkwork.solid.scad.matrices import shift
from linkwork.solid.scad.tree import Ball, Cube, Drum, Facets, Matrix

NOT_EXACT = "flat facets stand for a curved surface, 0.1 % of its radius off at most"


def cube(node: Cube, matrix: Matrix, note: Note) -> Solid:
    """A block; a skewed one is a polyhedron."""
    whole = matrix @ shift([-edge / 2 for edge in node.size]) if node.centred else matrix
    frame = frame_of(whole)
    if frame is None:
        x, y, z = node.size
        outline = [(0.0, 0.0), (x, 0.0), (x, y), (0.0, y)]
        return polyhedron(*facets.loft([outline, outline], [0.0, z]), whole)
    size = np.array(node.size) * np.array(frame.lengths)
    origin = frame.origin - frame.axes[:, 0] * size[0] if frame.mirrored else frame.origin
    return frame.standing(Block(triple(size)), origin)


def ball(node: Ball, matrix: Matrix, note: Note) -> Solid:
    """A sphere; with corners, or stretched, a polyhedron."""
    frame = frame_of(matrix)
    if node.sides == 0 and frame is not None and frame.is_similar:
        sphere = Sphere(node.radius * frame.lengths[0])
        return sphere.moved(triple(frame.origin)) if np.any(frame.origin) else sphere
    if node.sides == 0:
        note(NOT_EXACT)
    return polyhedron(*facets.ball(node.radius, node.sides or facets.SIDES_FOR_ROUND), matrix)


def drum(node: Drum, matrix: Matrix, note: Note) -> Solid:
    """A cylinder or a cone; with corners a prism or a pyramid."""
    whole = matrix @ shift((0.0, 0.0, -node.height / 2)) if node.centred else matrix
    frame = frame_of(whole)
    if node.sides == 0 and frame is not None and frame.is_round:
        width, _, length = frame.lengths
        if node.bottom == node.top:
            return frame.standing(Cylinder(node.bottom * width, node.height * length))
        return frame.standing(Cone(node.bottom * width, node.top * width, node.height * length))
    if node.bottom == node.top and upright_frame(whole) is not None:
        if node.sides:
            return prism(Region.polygon(facets.ring(node.sides, node.bottom)), node.height, whole, note)
        return prism(Region.circle(node.bottom), node.height, whole, note)
    if node.sides == 0:
        note(NOT_EXACT)
    corners = facets.ring(node.sides or facets.SIDES_FOR_ROUND)
    outlines = [[(radius * x, radius * y) for x, y in corners] for radius in (node.bottom, node.top)]
    return polyhedron(*facets.loft(outlines, [0.0, node.height]), whole)


def polyhedral(node: Facets, matrix: Matrix, note: Note) -> Solid:
    """A polyhedron of the text: its faces should turn right seen from outside; if all turn left, they are meant so."""
    points, faces = facets.merged(np.array(node.points), [face[::-1] for face in node.faces])
    if not faces:
        raise Complaint(
            "no face of this polyhedron has three corners apart from one another",
            fix="points that differ, such as [[0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10]]",
        )
    fans = np.array([(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)])
    a, b, c = (points[fans[:, k]] - points[0] for k in range(3))
    inward = float(np.einsum("ij,ij->", a, np.cross(b, c)))
    return polyhedron(points, [face[::-1] for face in faces] if inward < 0 else faces, matrix)


def polyhedron(points: Matrix, faces: Sequence[tuple[int, ...]], matrix: Matrix) -> Solid:
    """A polyhedron under a matrix; its faces turn left seen from outside, in a mirror too."""
    images = points @ matrix[:3, :3].T + matrix[:3, 3]
    if np.linalg.det(matrix[:3, :3]) < 0:
        faces = [face[::-1] for face in faces]
    return Polyhedron(tuple(triple(point) for point in images), tuple(faces))


def prism(region: Region, height: float, matrix: Matrix, note: Note) -> Solid:
    """A region drawn along z, under a matrix; a whole circle gives a cylinder."""
    upright = upright_frame(matrix)
    if upright is None:
        return leaning(region, height, matrix, note)
    frame, plane = upright
    length = height * frame.lengths[2]
    outline = mapped(region, plane, np.zeros(2), note)
    circle = outline.loops[0].circle if len(outline.loops) == 1 else None
    if circle is None:
        return frame.standing(Prism(outline, length))
    (x, y), radius = circle
    return frame.standing(Cylinder(radius, length), frame.origin + frame.axes @ np.array([x, y, 0.0]))


def leaning(region: Region, height: float, matrix: Matrix, note: Note) -> Solid:
    """A prism whose edges are not perpendicular to its base, as polyhedra."""
    return lofted(region, lambda corners: [corners, corners], [0.0, height], matrix, note)


def lofted(
    region: Region,
    layers: Callable[[list[tuple[float, float]]], list[list[tuple[float, float]]]],
    heights: list[float],
    matrix: Matrix,
    note: Note,
    walls: facets.Walls = "flat",
) -> Solid:
    """Polyhedra between the layers that are made of each outline of a region, without those of its holes."""
    if has_arcs(region):
        note(NOT_EXACT)
    outer: list[Solid] = []
    holes: list[Solid] = []
    for loop in region.loops:
        corners = facets.chords(loop if loop.area > 0 else loop.reversed)
        made = polyhedron(*facets.loft(layers(corners), heights, walls), matrix)
        (outer if loop.area > 0 else holes).append(made)
    return without(outer, holes)


def without(outer: Sequence[Solid], holes: Sequence[Solid]) -> Solid:
    """Some solids together, without others."""
    whole = outer[0] if len(outer) == 1 else Union(tuple(outer))
    return Difference(whole, tuple(holes)) if holes else whole
