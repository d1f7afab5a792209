"""Random snap-fits of odd kinds: where the hinge, the start or the neighbours of an obstacle are unusual.

Hinges outside of their pawls that pass over obstacles, jaws that are not convex, tiles that share edges and corners,
corners that graze edges and each other at just their distance from the hinge, everything along the motion, starts in
contact and starts that are wound up by more than half a turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from exact import exact_motion
from random_designs import (
    FRICTIONS,
    Design,
    Points,
    box,
    design_of,
    moved,
    pawl_of,
    random_design,
    random_rest,
    some,
    star,
    starts_free,
)

TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (4, 3, 5))


def odd_design(seed: int) -> Design:
    """The design of a seed. It starts without overlap."""
    random = Random(seed)
    make = ODD_KINDS[seed % len(ODD_KINDS)]
    for _ in range(400):
        design: Design | None = make(random)
        if design is not None and starts_free(design):
            return design
    raise AssertionError(f"{make.__name__} seldom starts free")


def shadow(random: Random) -> Design:
    """A pawl away from its hinge, which itself passes over and through the obstacles."""
    far = some(random, 1, 3, 4)
    points = moved(star(random, random.randint(3, 6), 0.4, 1.2), far, some(random, -1, 1, 4))
    obstacles = [
        moved(star(random, random.randint(3, 6), 0.4, 1.4), 5 + 3 * n, some(random, -1.5, 1.5))
        for n in range(random.randint(1, 3))
    ]
    mu, rest = random.choice(FRICTIONS), random_rest(random)
    return design_of(obstacles, [pawl_of(points, random, rest=rest)], (-1, 0), (1, 0), 18, mu)


def jaw(random: Random) -> Design:
    """An open jaw, not convex, over a row of posts; some are as wide as its mouth."""
    mouth, arm = some(random, 0.5, 1.5, 4), some(random, 1, 2.5, 4)
    thick = Fraction(1, 4)
    points = [
        (-thick, -mouth - thick),
        (arm, -mouth - thick),
        (arm, -mouth),
        (Fraction(0), -mouth),
        (Fraction(0), mouth),
        (arm, mouth),
        (arm, mouth + thick),
        (-thick, mouth + thick),
    ]
    obstacles = []
    for n in range(random.randint(1, 3)):
        half = random.choice((mouth, mouth, mouth / 2, mouth + thick))
        obstacles.append(moved(box(-half / 2, -half, half / 2, half), 4 + 3 * n, some(random, -1, 1, 4)))
    mu, rest = random.choice(FRICTIONS), random_rest(random)
    return design_of(obstacles, [pawl_of(points, random, rest=rest)], (-1, 0), (1, 0), 18, mu)


def tiles(random: Random) -> Design:
    """Obstacles that share edges and corners, as a floor is laid."""
    size = some(random, 0.5, 1.5, 4)
    taken = {(n, random.randint(-1, 0)) for n in range(random.randint(3, 6))}
    obstacles = [moved(box(0, 0, size, size), 4 + size * x, size * y) for x, y in sorted(taken)]
    points = random.choice(
        (star(random, random.randint(3, 5), 0.8, 2, 4), box(-size / 2, -2 * size, size / 2, size / 2))
    )
    v = random.choice(((1, 0), (1, 0), (2, -1), (1, Fraction(-1, 8))))
    p0 = (0, some(random, 0, 2.5, 4))
    return design_of(obstacles, [pawl_of(points, random)], p0, v, 16, random.choice(FRICTIONS))


def graze(random: Random) -> Design:
    """Corners of a pawl pass edges and corners at just their distance from the hinge."""
    a, b, c = random.choice(TRIPLES)
    scale = Fraction(random.choice((2, 3)), c)
    reach = scale * c
    points = [(-Fraction(1, 4), Fraction(1, 4)), (-scale * a, -scale * b), (scale * a, -scale * b)]
    points = points if random.random() < 0.5 else [points[0], points[2], (Fraction(1, 4), Fraction(1, 4))]
    touch = random.choice((reach, scale * b, reach, scale * a))
    obstacles = [box(4, -touch - 2, 7, -touch)]
    if random.random() < 0.6:
        obstacles.append(
            [(Fraction(9), -touch - 2), (Fraction(10), -touch - 2), (Fraction(9) + Fraction(1, 2), -touch)]
        )
    turn = random.choice(((1, 0), (1, 0), (4, -3)))
    v = turn if turn == (1, 0) else (Fraction(4, 5), -Fraction(3, 5))
    return design_of(obstacles, [pawl_of(points, random)], (-1, 0), v, 16, random.choice(FRICTIONS))


def level(random: Random) -> Design:
    """Edges along the motion on both sides, some on one line with each other."""
    step = Fraction(1, 2)
    heights = [step * random.randint(-3, 0) for _ in range(4)]
    floor: Points = [(Fraction(4), Fraction(-4)), (Fraction(12), Fraction(-4))]
    for n in reversed(range(4)):
        floor += [(Fraction(6 + 2 * n), heights[n]), (Fraction(4 + 2 * n), heights[n])]
    corners = [p for k, p in enumerate(floor) if p != floor[k - 1]]
    low, right = step * random.randint(1, 4), step * random.randint(1, 3)
    points = random.choice(
        (
            box(-step, -low, right, step),
            [(-step, -low), (right, -low), (right, -low + step), (Fraction(0), step)],
        )
    )
    ceiling = [box(5, 2, 11, 3)] if random.random() < 0.5 else []
    p0 = (0, step * random.randint(-2, 4))
    pawl = pawl_of(points, random, rest=random_rest(random))
    return design_of([corners, *ceiling], [pawl], p0, (1, 0), 18, random.choice(FRICTIONS))


def twins(random: Random) -> Design:
    """Two pawls that are mirror images, to which everything happens at once."""
    points = star(random, random.randint(3, 5), 0.6, 2, 4)
    block = moved(star(random, random.randint(3, 5), 0.5, 1.5, 4), some(random, 1, 3, 4), -6)

    def mirror(corners: Points) -> Points:
        return [(-x, y) for x, y in reversed(corners)]

    pawls = [
        pawl_of(points, Random(1), "R", (2, 0)),
        pawl_of(mirror(points), Random(1), "L", (-2, 0)),
    ]
    return design_of([block, mirror(block)], pawls, (0, 0), (0, -1), 14, random.choice(FRICTIONS))


def restarted(random: Random) -> Design | None:
    """Another design's motion, begun again in the middle of a contact."""
    design = random_design(random.randrange(10**6) * 12 + random.choice((0, 1, 3, 4, 8)))
    if len(design["pawls"]) != 1:
        return None
    result = exact_motion(design)
    name = design["pawls"][0]["name"]
    events = result["pawls"][name]["events"]
    held = [(a, b) for a, b in pairwise(events) if a["to"] and b["t"] - a["t"] > 0.1]
    if not held:
        return None
    first, last = random.choice(held)
    t = Fraction(round((0.6 * first["t"] + 0.4 * last["t"]) * 64), 64)
    angle = exact_motion(design, [float(t)])["pawls"][name]["samples"]["theta"][0]
    p0 = [str(Fraction(p) + Fraction(v) * t) for p, v in zip(design["p0"], design["v"], strict=True)]
    pawl = {**design["pawls"][0], "theta_init": repr(angle)}
    left = Fraction(design["duration"]) - t
    return {**design, "p0": p0, "pawls": [pawl], "duration": str(left)} if left > 0 else None


def wound(random: Random) -> Design | None:
    """Let go at the start, from beyond half a turn to either side, rests that are turns away among them."""
    design = random_design(random.randrange(10**6) * 12 + random.choice((0, 8, 10, 11)))
    for pawl in design["pawls"]:
        pawl["rest"] = {"half_tan": str(some(random, -1, 1, 6)), "turns": random.choice((0, 1, -1))}
        base = 2 * math.atan(float(Fraction(pawl["rest"]["half_tan"]))) + math.tau * pawl["rest"]["turns"]
        pawl["theta_init"] = str(round(base + random.choice((-1, 1)) * random.uniform(2.5, 7), 3))
    return design


ODD_KINDS: tuple[Callable[[Random], Any], ...] = (
    shadow,
    jaw,
    tiles,
    graze,
    level,
    twins,
    restarted,
    wound,
)
