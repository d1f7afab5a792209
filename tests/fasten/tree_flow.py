"""What a tree of pawls does, by brute force: soft contacts, rubber under them, and heavy damping, in small steps.

It shares nothing with what it checks. Polygons must be convex: two that overlap are pushed apart by a stiff spring,
across the edge behind which the other is least deep, and dragged by a rubber that gives way at the friction's limit.
After every step of the root the hinges turn by little, damped in proportion to their springs, until they rest. So
angles are right to about the softness of contacts, away from snaps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
HARD = 3e4
"""Stiffness of contacts, by that of the stiffest hinge over the size squared."""
RUBBER = 1e4
"""Stiffness along contacts."""
PACE = 0.2
"""A turn, as a share of the time in which a hinge relaxes."""
LARGEST = 5e-4
"""Radians of one turn: well below what is between corners."""
MOST_TURNS = 10_000
"""At one time: enough for a snap of several radians, which must be over before the root goes on."""


class Overlap(NamedTuple):
    """How deep, where along the edge, which way the pawl is pushed and rubbed, where, and between what."""

    depth: float
    along: float
    normal: Floats
    tangent: Floats
    point: Floats
    features: tuple[int, int, int]


class Flow:
    """Hinges, corners and polygons of one tree, in plain arrays."""

    def __init__(self, design: dict[str, Any]) -> None:
        self.parent: list[int] = []
        self.k: list[float] = []
        self.rest: list[float] = []
        self.names: list[str] = []
        self.hinges: list[Floats] = []
        self.polygons: list[Floats] = []
        for pawl in design["pawls"]:
            self.add(pawl, -1)
        self.obstacles = [_points(each["poly"]) for each in design["obstacles"]]
        self.start, self.velocity = _points([design["p0"], design["v"]])
        self.duration = float(Fraction(design["duration"]))
        self.mu = float(Fraction(design["mu"]))
        self.spring = np.array(self.k)
        self.relaxed = np.array(self.rest)
        self.size = max(float(np.hypot(*each.T).max()) for each in self.polygons)
        scale = max(self.k) / self.size**2
        self.hard, self.rubber = HARD * scale, RUBBER * scale
        self.anchors: dict[tuple[int, ...], float] = {}

    def add(self, pawl: dict[str, Any], parent: int) -> None:
        """A pawl and what it carries."""
        place = len(self.parent)
        self.parent.append(parent)
        self.k.append(float(Fraction(pawl["k"])))
        self.rest.append(float(Fraction(pawl.get("rest", "0"))))
        self.names.append(pawl["name"])
        self.hinges.append(_points([pawl.get("hinge", ["0", "0"])])[0])
        self.polygons.append(_points(pawl["poly"]))
        for child in pawl.get("pawls", []):
            self.add(child, place)

    def placed(self, t: float, theta: Floats) -> tuple[list[Floats], list[Floats], list[Floats]]:
        """Hinges, rotations and polygons at a time."""
        spots: list[Floats] = []
        turns: list[Floats] = []
        angles: list[float] = []
        for body, parent in enumerate(self.parent):
            carrier = angles[parent] if parent >= 0 else 0.0
            base = spots[parent] if parent >= 0 else self.start + t * self.velocity
            turn = turns[parent] if parent >= 0 else np.eye(2)
            spots.append(base + turn @ self.hinges[body])
            angles.append(carrier + theta[body])
            turns.append(_rotation(angles[-1]))
        return (
            spots,
            turns,
            [each @ turn.T + spot for each, turn, spot in zip(self.polygons, turns, spots, strict=True)],
        )

    def torque(self, t: float, theta: Floats, commit: bool = False) -> Floats:
        """What turns the hinges; with ``commit`` the rubber is dragged along."""
        spots, _, polygons = self.placed(t, theta)
        total = -self.spring * (theta - self.relaxed)
        touched = set()
        for body, mine in enumerate(polygons):
            for other, theirs in enumerate(self.obstacles):
                found = _overlap(mine, theirs)
                if found is None:
                    continue
                key = (body, other, *found.features)
                touched.add(key)
                self.turn(total, body, spots, found.point, self.push(key, found, commit))
        if commit:
            self.anchors = {key: place for key, place in self.anchors.items() if key in touched}
        return np.asarray(total)

    def push(self, key: tuple[int, ...], found: Overlap, commit: bool) -> Floats:
        """The force of one contact on the pawl."""
        press = self.hard * found.depth
        anchor = self.anchors.get(key, found.along)
        rub = -self.rubber * (found.along - anchor)
        if abs(rub) > self.mu * press:
            rub = math.copysign(self.mu * press, rub)
        if commit:
            self.anchors[key] = found.along + rub / self.rubber
        return np.asarray(press * found.normal + rub * found.tangent)

    def turn(self, total: Floats, body: int, spots: Sequence[Floats], point: Floats, force: Floats) -> None:
        """Add what a force does to all hinges that carry a body."""
        while body >= 0:
            arm = point - spots[body]
            total[body] += arm[0] * force[1] - arm[1] * force[0]
            body = self.parent[body]

    def run(self, samples: Sequence[float], steps: int = 2000) -> Floats:
        """The hinges' angles at times, one row each: at rest after every step of the root."""
        theta, t = self.relaxed.copy(), 0.0
        step = self.duration / steps
        found = []
        for end in samples:
            while t < end - step / 2:
                t += step
                theta = self.rested(t, theta)
            found.append(theta.copy())
        return np.array(found)

    def rested(self, t: float, theta: Floats) -> Floats:
        """Where the hinges come to rest at a time, turning by little."""
        for _ in range(MOST_TURNS):
            now = self.torque(t, theta)
            slope = np.empty((len(theta), len(theta)))
            for body in range(len(theta)):
                nudged = theta.copy()
                nudged[body] += 1e-8
                slope[:, body] = (self.torque(t, nudged) - now) / 1e-8
            turn = np.linalg.solve(np.diag(self.spring / PACE) - slope, now)
            size = max(float(np.abs(turn).max()), 1e-12)
            theta = theta + turn * min(1.0, LARGEST / size)
            self.torque(t, theta, commit=True)
            if size < 1e-6:
                break
        return theta


def _points(rows: Sequence[Sequence[str]]) -> Floats:
    return np.array([[float(Fraction(x)) for x in row] for row in rows])


def _rotation(angle: float) -> Floats:
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])


def _overlap(mine: Floats, theirs: Floats) -> Overlap | None:
    """How two convex polygons overlap: by the edge, of either, that the other is least deep behind."""
    if (mine.max(0) < theirs.min(0)).any() or (theirs.max(0) < mine.min(0)).any():
        return None
    best: Overlap | None = None
    for which, (polygon, other) in enumerate(((theirs, mine), (mine, theirs))):
        edges = np.roll(polygon, -1, axis=0) - polygon
        tangents = edges / np.hypot(edges[:, 0], edges[:, 1])[:, None]
        normals = np.stack([tangents[:, 1], -tangents[:, 0]], axis=-1)
        heights = (other[None] - polygon[:, None]) @ normals[:, :, None]
        lowest = heights[..., 0].min(axis=1)
        if lowest.max() >= 0:
            return None
        edge = int(np.argmax(lowest))
        if best is None or -lowest[edge] < best.depth:
            corner = int(np.argmin(heights[edge, :, 0]))
            sense = -1.0 if which else 1.0
            along = float((other[corner] - polygon[edge]) @ tangents[edge])
            best = Overlap(
                float(-lowest[edge]),
                along,
                sense * normals[edge],
                sense * tangents[edge],
                other[corner],
                (which, edge, corner),
            )
    return best
