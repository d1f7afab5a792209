"""A snap-fit as it is drawn: a root that is pushed along a line, pawls on spring hinges, fixed obstacles.

Every number is kept exactly as it was given. Polygons run counter-clockwise; a pawl's polygon is
drawn with its hinge at the origin, at angle 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from linkwork.fasten.cantilever import Cantilever

Vector: TypeAlias = tuple[Fraction, Fraction]
Polygon: TypeAlias = tuple[Vector, ...]


@dataclass(frozen=True)
class Rest:
    """The angle of a relaxed hinge, 2·atan(half_tan) + 2π·turns.

    ``width`` is 0 where the angle was given so, exactly; an angle given in ``radians`` is no such number,
    and ``half_tan`` is then within ``width`` of it.
    """

    half_tan: Fraction = Fraction(0)
    turns: int = 0
    width: Fraction = Fraction(0)
    radians: Fraction | None = None

    @property
    def angle(self) -> float:
        """The angle in radians, rounded."""
        return 2 * math.atan(self.half_tan) + math.tau * self.turns


@dataclass(frozen=True)
class Pawl:
    """A polygon on a hinge of the root, or of another pawl, with a spring of torsional stiffness ``k``."""

    name: str
    poly: Polygon
    hinge: Vector = (Fraction(0), Fraction(0))
    k: Fraction = Fraction(1)
    rest: Rest = Rest()
    theta_init: Fraction | None = None
    """Radians at the start, in the covering space; none: at rest."""
    cantilever: Cantilever | None = None
    """The beam that the hinge stands for, where it was given so; then ``k`` is its stiffness."""
    pawls: tuple[Pawl, ...] = ()
    """What it carries: their hinges are in its frame, their angles against it."""


def every_pawl(pawls: Iterable[Pawl]) -> Iterator[Pawl]:
    """Pawls and all that they carry, carriers first."""
    for pawl in pawls:
        yield pawl
        yield from every_pawl(pawl.pawls)


def changed_pawls(pawls: Iterable[Pawl], change: Callable[[Pawl], Pawl]) -> tuple[Pawl, ...]:
    """Pawls with a change made to each of them and of what they carry, carriers first."""
    changed = map(change, pawls)
    return tuple(replace(each, pawls=changed_pawls(each.pawls, change)) for each in changed)


def with_stiffness(pawl: Pawl, k: Fraction) -> Pawl:
    """The pawl with another stiffness, which is then no longer that of its beam."""
    return pawl if k == pawl.k else replace(pawl, k=k, cantilever=None)


@dataclass(frozen=True)
class Obstacle:
    """A polygon that stands still."""

    name: str
    poly: Polygon
    cut: tuple[int, ...] = ()
    """Edges beyond which it goes on without end, as wide as it is there."""


@dataclass(frozen=True)
class Tolerances:
    """Half widths: every coordinate, the friction, and the stiffness as a part of itself, each by itself."""

    coordinates: Fraction = Fraction(0)
    mu: Fraction = Fraction(0)
    k: Fraction = Fraction(0)


@dataclass(frozen=True)
class Dimension:
    """A number to be varied: it moves vertices, each along a vector, or sets ``mu`` or a pawl's ``L.k``."""

    name: str
    low: Fraction
    high: Fraction
    moves: tuple[tuple[str, int, Vector], ...] = ()
    sets: str = ""


@dataclass(frozen=True)
class Goal:
    """What a search wants; none: it does not matter. It must never jam or stick on the way in."""

    insertion_most: Fraction | None = None
    retention_least: Fraction | None = None
    removable: bool | None = None


@dataclass(frozen=True)
class Search:
    """Dimensions to vary and the goal."""

    vary: tuple[Dimension, ...]
    goal: Goal = Goal()


@dataclass(frozen=True)
class Design:
    """What moves, among what, and how: the root's position at time t is ``p0 + v·t``."""

    obstacles: tuple[Obstacle, ...]
    pawls: tuple[Pawl, ...]
    p0: Vector
    v: Vector
    duration: Fraction
    mu: Fraction = Fraction(0)
    root: Polygon | None = None
    name: str = "design"
    title: str = ""
    start_region: Polygon | None = None
    """Where the root may be at the start, for questions of uncertainty."""
    directions: tuple[Vector, ...] = ()
    """Velocities to ask about: the start's in questions of uncertainty, the pull's in questions of diodes."""
    farthest: Fraction | None = None
    """How far parts that went right through are pulled at most in questions of diodes; none: see ``diode``."""
    tolerances: Tolerances | None = None
    search: Search | None = None
