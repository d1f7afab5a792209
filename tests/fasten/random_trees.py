"""Random trees of pawls with convex bodies: two or three links that are drawn past convex obstacles."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from random_designs import FRICTIONS, box, design_of, hull, moved, some, star, text


def random_tree(seed: int, *, rubs: bool = False) -> dict[str, Any]:
    """An arm that carries one or two pawls, or a chain of three, pushed down beside one or two obstacles."""
    random = Random(seed)
    drop = some(random, 1.5, 3)
    shape = random.choice(("chain", "chain", "fork", "long"))
    tips = [_link(random, "tip", (Fraction(0), -drop), some(random, 1, 2))]
    if shape == "fork":
        tips.append(_link(random, "claw", (some(random, 0.5, 1), -drop), some(random, 1, 2)))
    if shape == "long":
        tips[0]["pawls"] = [_link(random, "end", (Fraction(0), -some(random, 1, 2)), some(random, 1, 2))]
    arm = {
        "name": "arm",
        "poly": text(box(-Fraction(1, 4), -drop, Fraction(1, 4), Fraction(1, 4))),
        "hinge": ["0", "0"],
        "k": str(some(random, 1, 4, 2)),
        "rest": "0",
        "pawls": tips,
    }
    obstacles = []
    for number in range(random.randint(1, 2)):
        points = hull(star(random, random.randint(4, 7), 0.6, 1.6))
        beside = some(random, 0.375, 1)
        near = (
            beside - min(x for x, _ in points)
            if random.random() < 0.7
            else -beside - max(x for x, _ in points)
        )
        obstacles.append(moved(points, near, -9 - 5 * number))
    v = (Fraction(0), Fraction(-1))
    return design_of(obstacles, [arm], (0, 0), v, 18, random.choice(FRICTIONS[1:]) if rubs else "0")


def _link(random: Random, name: str, hinge: Any, length: Fraction) -> dict[str, Any]:
    half, wide = Fraction(1, 5), some(random, 0.25, 1)
    points = [(-half, Fraction(0)), (-half, -length), (wide, -length * Fraction(3, 4)), (half, Fraction(0))]
    return {
        "name": name,
        "poly": text(points),
        "hinge": [str(x) for x in hinge],
        "k": str(some(random, 0.5, 3, 2)),
        "rest": "0",
    }
