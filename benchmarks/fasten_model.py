"""Snap-fits of any size: a pawl that clicks along a rack, and a comb that is drawn over a comb.

Their size is n = m_a·m_b, the vertices of the pawl times those of the obstacles. The way is cut so that about
thirty events happen on it, whatever n.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import shapely
from shapely import affinity

from linkwork.fasten import Design, Obstacle, Pawl, Rest, fasten
from linkwork.fasten.design import Polygon

EVENTS = 30
SIZES = {100: (5, 20), 1000: (10, 100), 10_000: (32, 312), 100_000: (100, 1000)}
"""Vertices of pawl and obstacles."""
COMBS = {100: (6, 18), 1000: (22, 45), 10_000: (102, 99), 100_000: (302, 330)}
LENGTH = 6
DEEP = Fraction(1)
NOTCH = Fraction(-3, 4)
"""Where the spaces between posts end, from the tips of the posts, and those between prongs, from the hinge."""
FINE = 720720
"""Denominator of coordinates that come from angles."""


def rack(n: int) -> Design:
    """A saw of one outline, and a pawl that is trailed over it, with a back that is rounded by many vertices."""
    mine, theirs = SIZES[n]
    teeth = (theirs - 2) // 2
    top: list[tuple[Fraction, Fraction]] = []
    for number in reversed(range(teeth)):
        top += [(Fraction(number + 1), Fraction(0)), (Fraction(4 * number + 3, 4), Fraction(1, 2))]
    base = [(Fraction(0), Fraction(-1)), (Fraction(teeth), Fraction(-1))]
    saw = (*base, *top, (Fraction(0), Fraction(0)))
    tip = [(Fraction(-2), Fraction(-2)), (Fraction(-7, 4), Fraction(-2))]
    back = [_on_circle(math.pi * (0.9 * k / (mine - 3) - 0.2), Fraction(1, 4)) for k in range(mine - 2)]
    pawl = Pawl("pawl", (*tip, *back))
    start = (Fraction(1), Fraction(9, 4))
    design = Design(
        (Obstacle("saw", saw),), (pawl,), start, (Fraction(1), Fraction(0)), Fraction(20), Fraction(1, 20)
    )
    return _cut(design)


def comb(n: int) -> Design:
    """A comb that is trailed over another, one obstacle a post; many prongs and posts are in each other's reach."""
    mine, theirs = COMBS[n]
    prongs, posts = (mine - 2) // 2, theirs // 3
    pitch, gap = Fraction(LENGTH, prongs), Fraction(2 * LENGTH, posts)
    outline: list[tuple[Fraction, Fraction]] = []
    for number in reversed(range(prongs)):
        x = -pitch * number
        outline += [(x - pitch, NOTCH), (x - pitch / 2, Fraction(-1))]
    outline += [(Fraction(0), NOTCH), (Fraction(-LENGTH), Fraction(2))]
    stakes = tuple(
        Obstacle(
            f"post{k}",
            ((2 + gap * k, -DEEP), (2 + gap * (k + 1), -DEEP), (2 + gap * (k + 1) - gap / 2, Fraction(0))),
        )
        for k in range(posts)
    )
    pawl = Pawl("comb", tuple(outline), rest=Rest(Fraction(1, 20)))
    start = (Fraction(0), Fraction(13, 10))
    return _cut(Design(stakes, (pawl,), start, (Fraction(1), Fraction(0)), Fraction(14)))


def _on_circle(angle: float, radius: Fraction) -> tuple[Fraction, Fraction]:
    x, y = (Fraction(round(FINE * value), FINE) for value in (math.cos(angle), math.sin(angle)))
    return radius * x, radius * y


def starts(design: Design, chance: random.Random, count: int) -> Iterator[tuple[str, str]]:
    """Times and angles at which the pawl is clear of all obstacles: it is let go there."""
    standing = shapely.union_all([shapely.Polygon(_floats(each.poly)) for each in design.obstacles])
    shapely.prepare(standing)
    pawl = shapely.Polygon(_floats(design.pawls[0].poly))
    while count:
        t = Fraction(chance.randint(0, 900), 1000) * design.duration
        theta = Fraction(chance.randint(-1500, 1500), 1000)
        x, y = (float(p + v * t) for p, v in zip(design.p0, design.v, strict=True))
        turned = affinity.rotate(pawl, float(theta), origin=(0, 0), use_radians=True)
        if not standing.intersects(affinity.translate(turned, x, y)):
            count -= 1
            yield str(t), str(theta)


def _floats(polygon: Polygon) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in polygon]


def events_of(design: Design) -> list[float]:
    """When something happens."""
    pawls = fasten(design).to_json()["pawls"].values()
    return sorted(event["t"] for pawl in pawls for event in pawl["events"])


def _cut(design: Design) -> Design:
    """Until just after the last event that is wanted, which is looked for in longer and longer times."""
    duration = design.duration / 64
    while True:
        times = events_of(replace(design, duration=duration))
        if len(times) > EVENTS:
            end = Fraction((times[EVENTS - 1] + times[EVENTS]) / 2).limit_denominator(1000)
            return replace(design, duration=end)
        if duration >= design.duration:
            return design
        duration = min(duration * Fraction(5, 4), design.duration)
