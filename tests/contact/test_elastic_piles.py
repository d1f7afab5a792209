"""Random elastic polygons that fall into a box: they come to lie on one another, in no other way than is told."""

from __future__ import annotations

import random

import numpy as np
import pytest
from overlaps import CHORD, deepest_overlap
from piles import Polygon, pile, polygons

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.model.solids import part_solids

HOOKED: list[Polygon] = [
    [[0.2526, 1.35], [-0.3536, 1.7], [-0.9598, 1.35], [-0.9598, 0.65], [-0.3536, 0.3], [0.2526, 0.65]],
    [[0.584, 3.3], [-0.0222, 2.25], [1.1902, 2.25]],
    [[0.1154, 4.8578], [-0.8132, 4.0783], [0.3263, 3.6639]],
]
"""Two of these once came to be hooked in each other with their corners, and then lay in one another."""


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
