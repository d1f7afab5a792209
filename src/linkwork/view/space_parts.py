"""Shapes of space as surfaces: one function a shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import singledispatch
from itertools import pairwise

from linkwork.view.mesh import (
    CLEAR,
    Ball,
    Mesh,
    Tag,
    add,
    add_box,
    add_cone,
    add_slab,
    add_triangles,
    add_tube,
    cross,
    dot,
    minus,
    polygon_normal,
    unit,
)
from linkwork.view.outline import rounded_hull
from linkwork.view.plane_parts import Look
from linkwork.view.proportion import rotation
from linkwork.view.shape import Bar, Box, Facets, Hinge, Label, Plate, Point, Shape, Slide, Sphere, Track

HINGE_SIDES, HINGE_LENGTH, HINGE_RADIUS = 20, 2.2, 0.72
"""The usual hinge, its measures in thicknesses: it stands out of the bars it joins."""

BAR_RADIUS, TRACK_RADIUS = 0.46, 0.2
TERNARY_THICKNESS, PLATE_THICKNESS = 0.5, 0.3
"""In thicknesses: of bars and guides; of links with three pins and of plates."""

SLIDE_RADIUS = 0.12
"""Of the arrow along a slide, in thicknesses."""

IN_SOCKET = 0.65
"""How far a bar's end stays from the middle of a hinge, in radii: inside, but not through."""

PIECE = 2.0
"""Size of the pieces of a large surface, in thicknesses."""


def family(look: Look) -> str:
    """The inks of a body's surfaces."""
    return "earth" if look.grounded else f"face-{look.place}"


@singledispatch
def add_shape(shape: Shape, mesh: Mesh, look: Look) -> None:
    """Add the surfaces of a shape to its body's mesh.

    >>> mesh = Mesh()
    >>> add_shape(Sphere((0, 0, 0), 1.0), mesh, Look(1.0, 0))
    >>> len(mesh.balls)
    1
    """
    raise TypeError(f"a {type(shape).__name__} in space")


@add_shape.register
def _bar(shape: Bar, mesh: Mesh, look: Look) -> None:
    points = shape.points
    radius = shape.width / 2 if shape.width else BAR_RADIUS * look.thickness
    if len(points) < 3:
        start, end = points[0], points[-1]
        add_tube(mesh, _in_socket(start, end, look), _in_socket(end, start, look), radius, family(look))
        return
    outline = _rounded_plate(points, radius)
    if outline:
        add_slab(mesh, outline, TERNARY_THICKNESS * look.thickness, PIECE * look.thickness, family(look))
        return
    for before, after in pairwise(points):
        add_tube(mesh, before, after, radius, family(look))


def _in_socket(end: Point, other: Point, look: Look) -> Point:
    """The end of a bar, drawn back a little when it is inside a hinge or a ball."""
    near = 1e-6 * math.dist(end, other)
    radius = max((radius for point, radius in look.sockets if math.dist(point, end) <= near), default=0.0)
    way = minus(other, end)
    return add(end, unit(way), min(IN_SOCKET * radius, 0.2 * math.hypot(*way)))


def socket_of(shape: Shape, thickness: float) -> tuple[Point, float] | None:
    """Where a shape holds the ends of bars, and its radius."""
    if isinstance(shape, Sphere):
        return shape.at, shape.radius
    if isinstance(shape, Hinge):
        return shape.at, shape.radius or HINGE_RADIUS * thickness
    return None


def _rounded_plate(points: Sequence[Point], radius: float) -> list[Point]:
    """The outline of a plate around pins that lie in a plane but not on a line; else nothing."""
    vector = polygon_normal(points)
    extent = max(math.dist(points[0], point) for point in points)
    if math.hypot(*vector) < 1e-6 * extent**2:
        return []
    up = unit(vector)
    first = unit(minus(points[1], points[0]))
    second = cross(up, first)
    ways = [minus(point, points[0]) for point in points]
    if max(abs(dot(way, up)) for way in ways) > 1e-3 * extent:
        return []
    flat = [complex(dot(way, first), dot(way, second)) for way in ways]
    return [
        add(add(points[0], first, spot.real), second, spot.imag)
        for spot in rounded_hull(flat, radius, steps_per_turn=16)
    ]


@add_shape.register
def _hinge(shape: Hinge, mesh: Mesh, look: Look) -> None:
    half = (shape.length or HINGE_LENGTH * look.thickness) / 2
    axis = unit(shape.axis)
    radius = shape.radius or HINGE_RADIUS * look.thickness
    add_tube(mesh, add(shape.at, axis, -half), add(shape.at, axis, half), radius, "metal", HINGE_SIDES)


@add_shape.register
def _sphere(shape: Sphere, mesh: Mesh, look: Look) -> None:
    mesh.balls.append(Ball(mesh.vertex(shape.at), shape.radius, family(look)))


@add_shape.register
def _box(shape: Box, mesh: Mesh, look: Look) -> None:
    turn = rotation(shape.orientation)
    axes = [tuple(shape.size[k] / 2 * row[k] for row in turn) for k in range(3)]
    add_box(mesh, shape.at, axes, PIECE * look.thickness, family(look))


@add_shape.register
def _plate(shape: Plate, mesh: Mesh, look: Look) -> None:
    add_slab(mesh, shape.points, PLATE_THICKNESS * look.thickness, PIECE * look.thickness, family(look))


@add_shape.register
def _facets(shape: Facets, mesh: Mesh, look: Look) -> None:
    triangles = [(shape.points[a], shape.points[b], shape.points[c]) for a, b, c in shape.triangles]
    add_triangles(mesh, triangles, PIECE * look.thickness, CLEAR if shape.is_clear else family(look))


@add_shape.register
def _track(shape: Track, mesh: Mesh, look: Look) -> None:
    axis, half = unit(shape.axis), shape.length / 2
    ends = add(shape.at, axis, -half), add(shape.at, axis, half)
    add_tube(mesh, *ends, TRACK_RADIUS * look.thickness, family(look))


@add_shape.register
def _slide(shape: Slide, mesh: Mesh, look: Look) -> None:
    axis, radius = unit(shape.axis), SLIDE_RADIUS * look.thickness
    ends = [add(shape.at, axis, sign * shape.length / 2) for sign in (-1.0, 1.0)]
    add_tube(mesh, ends[0], ends[1], radius, "metal")
    for end, sign in zip(ends, (-1.0, 1.0), strict=True):
        add_cone(mesh, end, add(end, axis, sign * 8 * radius), 3 * radius, "metal")


@add_shape.register
def _label(shape: Label, mesh: Mesh, look: Look) -> None:
    mesh.tags.append(Tag(mesh.vertex(shape.at), shape.text, shape.is_marked))
