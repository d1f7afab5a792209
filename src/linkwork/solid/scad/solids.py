"""Modules that give solids: cube, sphere, cylinder, polyhedron."""

from __future__ import annotations

from typing import Final

from linkwork.solid.scad.arguments import NO_SIZE, Given
from linkwork.solid.scad.limits import SMALLEST_LENGTH
from linkwork.solid.scad.tree import Ball, Cube, Drum, Facets, Node, Triple

MOST_FACES: Final = 200_000
"""Of one polyhedron."""


def cube(given: Given, children: tuple[Node, ...]) -> Node:
    """cube(size, center): a number, or three."""
    value = given.value("size")
    given.refuse_undef("size")
    size = (1.0, 1.0, 1.0)
    if isinstance(value, float):
        size = (given.size("size"),) * 3
    elif value is not None:
        x, y, z = given.vector("size")
        size = (x, y, z)
    if min(size) < SMALLEST_LENGTH:
        given.unfit("size", "edges above 0", fix="leave out a cube without a size, or use if (…)")
    return Cube(given.place, size, given.flag("center"))


def sphere(given: Given, children: tuple[Node, ...]) -> Node:
    """sphere(r or d)."""
    if "r" not in given and "d" not in given:
        given.refuse_undef("r", "d")
    return Ball(given.place, _above_0(given, given.radius("r", "d", 1.0), "r", "d"), given.sides)


def cylinder(given: Given, children: tuple[Node, ...]) -> Node:
    """cylinder(h, r or d, or r1 or d1 and r2 or d2, center)."""
    for end in ("r1", "d1"), ("r2", "d2"):
        if not any(name in given for name in (*end, "r", "d")):
            given.refuse_undef(*end, "r", "d")
    both = given.radius("r", "d", 1.0)
    bottom = given.radius("r1", "d1", both)
    top = given.radius("r2", "d2", both)
    if max(bottom, top) <= 0:
        _above_0(given, 0.0, *(name for name in ("r", "d", "r1", "d1", "r2", "d2") if name in given))
    return Drum(given.place, given.size("h", 1.0), bottom, top, given.flag("center"), given.sides)


def _above_0(given: Given, radius: float, *names: str) -> float:
    if radius <= 0:
        name = next((each for each in names if each in given), names[0] if names else "r")
        given.fail(name, "the radius is 0", wanted="a number above 0", fix=NO_SIZE.format(name))
    return radius


def polyhedron(given: Given, children: tuple[Node, ...]) -> Node:
    """polyhedron(points, faces): faces turn to the right seen from outside."""
    points: list[Triple] = []
    for x, y, z in given.rows("points", (3,)):
        points.append((x, y, z))
    faces = given.indices("faces" if "faces" in given else "triangles", len(points))
    if len(points) < 4 or len(faces) < 4:
        given.fail(
            "points",
            f"{len(points)} points and {len(faces)} faces hold no volume",
            wanted="four of each at least",
            fix="polygon() for what is flat, with linear_extrude",
        )
    if len(faces) > MOST_FACES:
        given.fail(
            "faces",
            f"there are {len(faces):,} faces",
            wanted=f"at most {MOST_FACES:,}",
            fix="fewer steps in the loops that make the points",
        )
    return Facets(given.place, tuple(points), faces)
