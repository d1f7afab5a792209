"""Small machines of solids, with the pairs that a person would name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from linkwork.model import Machine
from linkwork.recognition import Recognition
from linkwork.solid import Block, Cylinder, Solid, Sphere
from linkwork.solid.placement import Placement

Solids = dict[str, Solid]
Named = tuple[str, frozenset[str]]

Pairs = set[tuple[str, str, str]]
"""Pairs by kind and parts, these in the order of the alphabet."""

QUARTER = math.pi / 2
POSES = {
    "as drawn": Placement(),
    "turned and shifted": Placement.shift((12, -7, 31)).holding(Placement.turn(2.1, (1, -2, 0.7))),
    "mirrored and in inches": Placement.scaling(1 / 25.4)
    .holding(Placement.turn(0.4, (0.3, 1, 2)))
    .holding(Placement.mirror((1, 2, 3))),
}


def pairs_of(found: Recognition) -> Pairs:
    """The pairs by kind and parts."""
    ordered = [(pair.kind, *sorted(pair.parts)) for pair in found.pairs]
    return {(kind, first, second) for kind, first, second in ordered}


def placed(machine: Machine, place: Placement) -> Machine:
    """The machine elsewhere, in words of its own notation."""
    rows = np.vstack([np.column_stack([place.matrix, place.origin]), [0, 0, 0, 1]])
    parts = {
        name: replace(
            part, solid=tuple(f"multmatrix({rows.tolist()}) {{ {text} }}" for text in part.solid or ())
        )
        for name, part in machine.parts.items()
    }
    return replace(machine, parts=type(machine.parts)(parts))


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Solid:
    """A block by two corners."""
    return Block(tuple(b - a for a, b in zip(low, high, strict=True))).moved(low)  # type: ignore[arg-type]


def rod(radius: float, low: tuple[float, float, float], length: float, axis: str = "z") -> Solid:
    """A cylinder from a point along an axis of the world."""
    turned = {
        "z": Cylinder(radius, length),
        "x": Cylinder(radius, length).turned(QUARTER, (0, 1, 0)),
        "y": Cylinder(radius, length).turned(-QUARTER, (1, 0, 0)),
    }[axis]
    return turned.moved(low)


def ball(radius: float, at: Sequence[float]) -> Solid:
    """A ball about a point."""
    return Sphere(radius).moved(at)


def bar_between(radius: float, start: Sequence[float], end: Sequence[float]) -> Solid:
    """A round bar from a point to another."""
    way = np.subtract(end, start)
    length = float(np.linalg.norm(way))
    across = np.cross((0, 0, 1), way / length)
    angle = math.atan2(float(np.linalg.norm(across)), float(way[2]) / length)
    return Cylinder(radius, length).turned(angle, across.tolist() if angle else (1, 0, 0)).moved(start)


def wheel_on_shaft(clearance: float = 0.0) -> Solids:
    """A plate with a shaft, and a wheel on it."""
    plate = box((-4, -4, -2), (4, 4, -1)) | rod(0.5, (0, 0, -1.5), 4)
    return {"plate": plate, "wheel": Cylinder(3, 1) - rod(0.5 + clearance / 2, (0, 0, -1), 3)}


def engine(angle: float = 0.7, *, crank: float = 2.0, length: float = 6.0) -> Solids:
    """Crankshaft, connecting rod and piston in a frame; the crankshaft along y, the piston along z."""
    pin = (crank * math.sin(angle), crank * math.cos(angle))
    height = pin[1] + math.sqrt(length**2 - pin[0] ** 2)
    frame = box((-3, -4, -4), (3, -3, 11)) - rod(0.6, (0, -5, 0), 4, "y")
    frame |= box((-3, 3, -4), (3, 4, 11)) - rod(0.6, (0, 2, 0), 4, "y")
    frame |= box((-3, -3, 3), (3, 3, 11)) - rod(1.5, (0, 0, 2), 10)
    shaft = rod(0.6, (0, -5, 0), 4, "y") | rod(0.6, (0, 1, 0), 4, "y")
    for side in (-1.5, 1.0):
        web = box((-0.7, side, -0.7), (0.7, side + 0.5, crank + 0.7)).turned(angle, (0, 1, 0))
        shaft |= web
    shaft |= rod(0.5, (pin[0], -1.2, pin[1]), 2.4, "y")
    lean = math.atan2(-pin[0], height - pin[1])
    bar = box((-0.4, -0.4, 0), (0.4, 0.4, length)) | rod(0.9, (0, -0.4, 0), 0.8, "y")
    bar |= rod(0.7, (0, -0.4, length), 0.8, "y")
    bar = bar - rod(0.5, (0, -1, 0), 2, "y") - rod(0.4, (0, -1, length), 2, "y")
    bar = bar.turned(lean, (0, 1, 0)).moved((pin[0], 0, pin[1]))
    piston = rod(1.5, (0, 0, height - 1), 2) - box((-1, -0.5, height - 2), (1, 0.5, height + 0.8))
    piston |= rod(0.4, (0, -1, height), 2, "y")
    return {"frame": frame, "crankshaft": shaft, "rod": bar, "piston": piston}


ENGINE_PAIRS: set[Named] = {
    ("revolute", frozenset(("frame", "crankshaft"))),
    ("revolute", frozenset(("crankshaft", "rod"))),
    ("revolute", frozenset(("rod", "piston"))),
    ("prismatic", frozenset(("frame", "piston"))),
}


def slide_in_block(play: float = 0.0) -> Solids:
    """A square bar in a square hole."""
    frame = box((-3, -3, 0), (3, 3, 4)) - box((-1, -1, -1), (1, 1, 5))
    half = 1 - play / 2
    return {"frame": frame, "bar": box((-half, -half, -4), (half, half, 8))}


def slide_in_four_blocks() -> Solids:
    """The same with the hole left between blocks that were put together."""
    frame = box((-3, -3, 0), (3, -1, 4)) | box((-3, 1, 0), (3, 3, 4))
    frame |= box((-3, -2, 0), (-1, 2, 4)) | box((1, -2, 0), (3, 2, 4))
    return {"frame": frame, "bar": box((-1, -1, -4), (1, 1, 8))}


def ball_in_socket() -> Solids:
    """A ball held beyond its equator."""
    frame = box((-3, -3, -3), (3, 3, 0.6)) - Sphere(1)
    return {"frame": frame, "arm": Sphere(1) | rod(0.3, (0, 0, 0.5), 4)}


def four_bar() -> Solids:
    """A four-bar whose links lie in layers along z, each pinned by studs of its neighbour."""
    a, b = (0.0, 0.0), (10.0, 0.0)
    p, q = (0.0, 3.0), (9.0, 5.0)

    def link(start: tuple[float, float], end: tuple[float, float], low: float) -> Solid:
        length, turn = math.dist(start, end), math.atan2(end[1] - start[1], end[0] - start[0])
        body = Cylinder(0.8, 1) | Cylinder(0.8, 1).moved((length, 0, 0)) | box((0, -0.8, 0), (length, 0.8, 1))
        return body.turned(turn).moved((*start, low))

    def hole(at: tuple[float, float], low: float) -> Solid:
        return rod(0.4, (*at, low - 0.5), 2)

    def stud(at: tuple[float, float], low: float, length: float) -> Solid:
        return rod(0.4, (*at, low), length)

    frame = box((-2, -2, -2), (12, 2, -1)) | stud(a, -1.5, 2.5) | stud(b, -1.5, 2.5)
    return {
        "frame": frame,
        "crank": (link(a, p, 0) - hole(a, 0)) | stud(p, 0.5, 1.5),
        "coupler": link(p, q, 1) - hole(p, 1) - hole(q, 1),
        "rocker": (link(b, q, 0) - hole(b, 0)) | stud(q, 0.5, 1.5),
    }


def gear_train() -> Solids:
    """A pinion, an idler, and a compound wheel with a second pinion that drives a last wheel."""
    places = {"first": (0.0, 0.0), "idler": (5.0, 0.0), "compound": (5.0, 7.0), "last": (5.0, 13.0)}
    frame = box((-5, -5, -2), (15, 20, -1))
    for x, y in places.values():
        frame |= rod(0.5, (x, y, -1.5), 5)
    large, small = Cylinder(4, 1).named("large", gear=True), Cylinder(1, 1).named("small", gear=True)
    gears = {
        "first": Cylinder(2, 1).named("pinion", gear=True),
        "idler": Cylinder(3, 1).named("wheel", gear=True),
        "compound": large | small.moved((0, 0, 1)),
        "last": Cylinder(5, 1).moved((0, 0, 1)).named("wheel", gear=True),
    }
    bored = {
        name: (solid - rod(0.5, (0, 0, -1), 5)).moved((*places[name], 0)) for name, solid in gears.items()
    }
    return {"frame": frame, **bored}


def rack() -> Solids:
    """A pinion and a rack in a guide."""
    frame = box((-12, -6, -2), (12, 6, -1)) | rod(0.5, (0, 0, -1.5), 3)
    frame |= (
        box((-12, -5, -1), (12, -4, 1)) | box((-12, -4, 1), (12, -3.5, 2)) | box((-12, -3, -1), (12, -2.5, 0))
    )
    bar = box((-8, -4, -1), (8, -3, 1)) | box((-8, -3, 0), (8, -2, 1)).named("rack", gear=True)
    return {
        "frame": frame,
        "pinion": Cylinder(2, 1).named("pinion", gear=True) - rod(0.5, (0, 0, -1), 3),
        "rack": bar,
    }
