"""Random polygons above a box into which they fall."""

from __future__ import annotations

import math
import random

from linkwork.model import Machine
from linkwork.model.read import machine_from_text

RADIUS = 0.7

Polygon = list[list[float]]


def polygons(chance: random.Random) -> list[Polygon]:
    """Two to four regular polygons above each other, some of them flat on a side."""
    found = []
    for place in range(chance.choice([2, 3, 4])):
        sides = chance.choice([3, 3, 4, 4, 5, 6])
        flat = math.pi / sides * (1 if sides % 2 == 0 else 1.5)
        turn = chance.uniform(0, math.tau) if chance.random() < 0.6 else flat
        x, y = chance.uniform(-0.8, 0.8), 1 + 1.6 * place
        ways = [turn + math.tau * k / sides for k in range(sides)]
        found.append([[x + RADIUS * math.cos(way), y + RADIUS * math.sin(way)] for way in ways])
    return found


def pile(pieces: list[Polygon]) -> Machine:
    """Polygons above a box that is open above."""
    text = """linkwork = 1
gravity = [0, -9.81]
[part.box]
fixed = true
solid = 'difference() { translate([-2.5, -0.5, -1]) cube([5, 9, 2]); translate([-2, 0, -2]) cube([4, 10, 4]); }'
"""
    for place, corners in enumerate(pieces):
        text += f"""[part.p{place}]
free = true
mass = 1
inertia = {0.5 * RADIUS**2!r}
solid = 'translate([0, 0, -1]) linear_extrude(2) polygon({corners});'
"""
    return machine_from_text(text, "pile.toml", "pile")
