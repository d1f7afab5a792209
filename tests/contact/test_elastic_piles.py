"""Random elastic polygons that fall into a box: they come to lie on one another, in no other way than is told."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from overlaps import CHORD, deepest_overlap

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.model import Machine
from linkwork.model.read import machine_from_text
from linkwork.model.solids import part_solids

RADIUS = 0.7


Polygon = list[list[float]]
HOOKED: list[Polygon] = [
    [[0.2526, 1.35], [-0.3536, 1.7], [-0.9598, 1.35], [-0.9598, 0.65], [-0.3536, 0.3], [0.2526, 0.65]],
    [[0.584, 3.3], [-0.0222, 2.25], [1.1902, 2.25]],
    [[0.1154, 4.8578], [-0.8132, 4.0783], [0.3263, 3.6639]],
]
"""Two of these once came to be hooked in each other with their corners, and then lay in one another."""


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


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5])
def test_a_pile_settles(seed: int) -> None:
    chance = random.Random(seed)
    pieces = polygons(chance)
    law = Law(
        friction=chance.choice([0.0, 0.3]),
        stiffness=chance.choice([1e4, 1e5, 1e6]),
        pressing=chance.choice([1.0, 30.0, 300.0]),
    )
    check_settles(pieces, law)


def test_corners_do_not_hook_in_each_other() -> None:
    check_settles(HOOKED, Law(friction=0.3, stiffness=1e5, pressing=1.0))


def check_settles(pieces: list[Polygon], law: Law) -> None:
    machine = pile(pieces)
    found = simulate(machine, 2.0, contact="elastic", laws=Laws(law))
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    energy, lost = found.columns["energy"], found.columns["lost"]
    assert energy + lost == pytest.approx(energy[0] + np.zeros(len(energy)), abs=3e-7 * energy[0])
    assert np.max(np.diff(energy)) <= 1e-7 * energy[0]
    boxes = np.array([solid.box for solid in part_solids(machine).values()])
    size = float(np.linalg.norm(np.ptp(boxes.reshape(-1, 3), axis=0)[:2]) / 2)
    deepest, where = deepest_overlap(found, range(0, len(found), 20))
    assert deepest * size <= 1.5 * np.max(found.columns["depth"]) + CHORD * size, where
