"""Shells for tests, beside the same solids put together from simple ones."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from linkwork.solid import Block, Cone, Cylinder, Placement, Solid, Sphere
from linkwork.solid.placement import Floats, triple
from linkwork.solid.shell import Arc, Patch, Segment, Shell, plane_patch, round_patch
from linkwork.solid.surface import SphereFace, TorusFace

Z = (0.0, 0.0, 1.0)
X = (1.0, 0.0, 0.0)


def circle(radius: float, height: float, x: float = 0.0, y: float = 0.0) -> Arc:
    return Arc((x, y, height), (radius, 0.0, 0.0), (0.0, radius, 0.0))


def flat(height: float, loops: list[Arc], *, up: bool) -> Patch:
    """A face across z; loops are given as they turn to the left seen from above."""
    turned = [(loop,) if up else (loop.reversed(),) for loop in loops]
    return plane_patch((0.0, 0.0, height), (0.0, 0.0, 1.0 if up else -1.0), turned)


def washer(outer: float, inner: float, height: float) -> Shell:
    """A ring of a rectangular section."""
    hole = circle(inner, 0.0), circle(inner, height)
    rim = circle(outer, 0.0), circle(outer, height)
    return Shell(
        (
            flat(height, [rim[1], hole[1].reversed()], up=True),
            flat(0.0, [rim[0], hole[0].reversed()], up=False),
            round_patch((0.0, 0.0, 0.0), Z, X, outer, 0.0, [(rim[0],), (rim[1].reversed(),)], outward=True),
            round_patch(
                (0.0, 0.0, 0.0), Z, X, inner, 0.0, [(hole[0].reversed(),), (hole[1],)], outward=False
            ),
        )
    )


def cone(bottom: float, top: float, height: float) -> Shell:
    """A cone, with its tip if ``top`` is 0."""
    low, high = circle(bottom, 0.0), circle(top, height)
    slope = (top - bottom) / height
    loops = [(low,), (high.reversed(),)] if top else [(low,)]
    caps = [flat(height, [high], up=True)] if top else []
    side = round_patch((0.0, 0.0, 0.0), Z, X, bottom, slope, loops, outward=True)
    return Shell((side, flat(0.0, [low], up=False), *caps))


def block(size: tuple[float, float, float]) -> Shell:
    """A block with a corner at the origin."""
    patches = []
    for axis in range(3):
        for far in (0.0, size[axis]):
            normal = np.eye(3)[axis] * (1.0 if far else -1.0)
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            a, b = u * size[(axis + 1) % 3], v * size[(axis + 2) % 3]
            base = far * np.eye(3)[axis]
            corners = [base, base + a, base + a + b, base + b]
            corners = corners if far else corners[::-1]
            loop = tuple(
                Segment(triple(start), triple(end))
                for start, end in zip(corners, [*corners[1:], corners[0]], strict=True)
            )
            patches.append(plane_patch(triple(base), triple(normal), [loop]))
    return Shell(tuple(patches))


def cap(radius: float, height: float) -> Shell:
    """What of a ball about the origin lies above a height."""
    rim = circle(math.sqrt(radius**2 - height**2), height)
    return Shell((Patch(SphereFace((0.0, 0.0, 0.0), radius), ((rim,),)), flat(height, [rim], up=False)))


def octant(radius: float) -> Shell:
    """What of a ball about the origin has positive coordinates: its edges meet at the poles."""
    r = radius
    axes = np.eye(3) * r
    arcs = [
        Arc((0.0, 0.0, 0.0), triple(axes[k]), triple(axes[(k + 1) % 3]), 0.0, math.pi / 2) for k in range(3)
    ]
    sides = []
    for k in range(3):
        start, end = triple(axes[k]), triple(axes[(k + 1) % 3])
        loop = (arcs[k].reversed(), Segment(start, (0.0, 0.0, 0.0)), Segment((0.0, 0.0, 0.0), end))
        sides.append(plane_patch((0.0, 0.0, 0.0), triple(-np.eye(3)[(k + 2) % 3]), [loop]))
    return Shell((Patch(SphereFace((0.0, 0.0, 0.0), r), (tuple(arcs),)), *sides))


def ball(radius: float) -> Shell:
    return Shell((Patch(SphereFace((0.0, 0.0, 0.0), radius), ()),))


def ring(radius: float, tube: float) -> Shell:
    return Shell((Patch(TorusFace((0.0, 0.0, 0.0), Z, radius, tube), ()),))


def elbow(radius: float, tube: float, angle: float) -> Shell:
    """A piece of a ring from angle 0 on."""
    ends = []
    for turn in (0.0, angle):
        out = np.array([math.cos(turn), math.sin(turn), 0.0])
        ends.append(Arc(triple(radius * out), triple(tube * out), (0.0, 0.0, tube)))
    normal = (-math.sin(angle), math.cos(angle), 0.0)
    torus = Patch(TorusFace((0.0, 0.0, 0.0), Z, radius, tube), ((ends[0].reversed(),), (ends[1],)))
    first = plane_patch((0.0, 0.0, 0.0), (0.0, -1.0, 0.0), [(ends[0],)])
    last = plane_patch((0.0, 0.0, 0.0), normal, [(ends[1].reversed(),)])
    return Shell((torus, first, last))


def barrel(ring: float, tube: float, height: float) -> Shell:
    """A torus of which the tube is wider than the ring, between two heights; its inner part if ``ring`` is negative."""
    rims = [circle(ring + math.sqrt(tube**2 - height**2), z) for z in (-height, height)]
    side = Patch(TorusFace((0.0, 0.0, 0.0), Z, ring, tube), ((rims[0],), (rims[1].reversed(),)))
    return Shell((side, flat(-height, [rims[0]], up=False), flat(height, [rims[1]], up=True)))


def inside_elbow(points: Floats, radius: float, tube: float, angle: float) -> Floats:
    flat_way = np.hypot(points[:, 0], points[:, 1])
    turn = np.arctan2(points[:, 1], points[:, 0]) % (2 * math.pi)
    return np.asarray(((flat_way - radius) ** 2 + points[:, 2] ** 2 < tube**2) & (turn < angle))


def pairs() -> Iterator[tuple[str, Shell, Solid, float]]:
    """Shells, the same solids made of simple ones, and their volumes."""
    yield "washer", washer(5, 2, 3), Cylinder(5, 3) - Cylinder(2, 3), math.pi * 21 * 3
    yield "cone", cone(4, 0, 6), Cone(4, 0, 6), math.pi * 16 * 2
    yield "stump", cone(4, 1.5, 6), Cone(4, 1.5, 6), math.pi * 2 * (16 + 6 + 2.25)
    yield "block", block((3, 4, 5)), Block((3, 4, 5)), 60.0
    above = Block((20, 20, 20)).moved((-10, -10, 1))
    yield "cap", cap(4, 1), Sphere(4) & above, math.pi * 9 * (12 - 3) / 3
    whole = Block((9, 9, 9))
    yield "octant", octant(4), Sphere(4) & whole, math.pi * 64 / 6
    yield "ball", ball(4), Sphere(4), 4 * math.pi * 64 / 3


PLACES = [
    Placement(),
    Placement.shift((3, -2, 7)),
    Placement.turn(0.7, (1, 2, 3), (4, 5, 6)),
    Placement.mirror((1, 2, -1)),
    Placement.turn(1.1, (0, 1, 1)).holding(Placement.scaling(2.5)),
]
