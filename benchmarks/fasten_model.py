"""Snap-fits of any size: a pawl that clicks along a rack, and a comb that is drawn over a comb.

Their size is n = m_a·m_b, the vertices of the pawl times those of the obstacles. The way is cut so that about
thirty events happen on it, whatever n.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from linkwork.fasten import Design, Obstacle, Pawl, Rest, fasten

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
