"""A sketch in the making: what is in it so far, and the pieces that the steps of random sketches are made of."""

from __future__ import annotations

import cmath
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from drawings import Sketch
from linkwork.model.constraint import Constraint
from linkwork.model.drawing import Circle

CLEAR = 0.35
"""How far from degenerate every step of a random sketch keeps (a sine, or a length)."""
SIZE = 4.0
"""Points are within this distance of the middle, roughly."""


class Unlucky(Exception):
    """A random step came out nearly degenerate."""


@dataclass
class Builder:
    """A sketch in the making: one step a construction; all choices by chance."""

    chance: random.Random
    points: dict[str, complex] = field(default_factory=dict)
    lines: dict[str, list[str]] = field(default_factory=dict)
    ways: dict[str, complex] = field(default_factory=dict)
    bases: dict[str, complex] = field(default_factory=dict)
    circles: dict[str, Circle] = field(default_factory=dict)
    radii: dict[str, float] = field(default_factory=dict)
    constraints: dict[str, Constraint] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    absolute: bool = False  # whether directions of the plane are given

    def sketch(self) -> Sketch:
        """The sketch so far."""
        return Sketch(
            dict(self.points),
            {name: tuple(on) for name, on in self.lines.items()},
            dict(self.ways),
            dict(self.bases),
            dict(self.circles),
            dict(self.radii),
            dict(self.constraints),
            dict(self.values),
        )

    # ------------------------------------------------------------------------------ pieces

    def value(self, size: float) -> str:
        """A dimension with this value."""
        name = f"d{len(self.values) + 1}"
        self.values[name] = size
        return name

    def say(self, each: Constraint) -> None:
        """One more constraint."""
        self.constraints[f"c{len(self.constraints) + 1}"] = each

    def point(self, at: complex) -> str:
        """A new point, clear of all others and within the picture."""
        if abs(at) > 3 * SIZE or any(abs(at - other) < CLEAR for other in self.points.values()):
            raise Unlucky
        name = f"P{len(self.points) + 1}"
        self.points[name] = at
        return name

    def line(self, on: Sequence[str], way: complex, base: complex) -> str:
        """A new line that lists these points."""
        name = f"L{len(self.lines) + 1}"
        self.lines[name], self.ways[name], self.bases[name] = list(on), way / abs(way), base
        return name

    def circle(self, centre: str, size: float, **more: Any) -> str:
        """A new circle."""
        name = f"C{len(self.circles) + 1}"
        self.circles[name], self.radii[name] = Circle(centre, **more), size
        return name

    def some(self, count: int) -> list[str]:
        """Known points, at different places."""
        if len(self.points) < count:
            raise Unlucky
        found = self.chance.sample([*self.points], count)
        if len({self.points[name] for name in found}) < count:
            raise Unlucky
        return found

    def a_line(self) -> str:
        """A known line with a direction that the picture shows."""
        known = [name for name, on in self.lines.items() if len(on) >= 2]
        if not known:
            raise Unlucky
        return self.chance.choice(known)

    def anywhere(self) -> complex:
        """A place by chance."""
        return complex(self.chance.uniform(-SIZE, SIZE), self.chance.uniform(-SIZE, SIZE))

    def along(self, line: str) -> complex:
        """A place on a line."""
        return self.bases[line] + self.chance.uniform(-SIZE, SIZE) * self.ways[line]

    def left(self, at: complex, line: str) -> float:
        """How far a place is to the left of a line."""
        return ((at - self.bases[line]) * self.ways[line].conjugate()).imag

    def far(self, first: str, second: str) -> float:
        """The distance of two points."""
        return abs(self.points[second] - self.points[first])


def clear(*numbers: float) -> None:
    """Each of these is clear of 0."""
    if min(abs(each) for each in numbers) < CLEAR:
        raise Unlucky


def sine(first: complex, second: complex) -> float:
    """The sine of the angle from one direction to another."""
    return (second * first.conjugate()).imag / abs(first) / abs(second)


def angle(first: complex, second: complex) -> float:
    """The angle from one direction to another."""
    return cmath.phase(second / first)
