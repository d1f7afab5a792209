"""No part is in another in any row, by shapely on polygons of the true outlines."""

from __future__ import annotations

import pytest
from overlaps import CHORD, deepest_overlap

import linkwork as lw
from linkwork.contact import ContactSolution, simulate

FAST = {
    "escapement": 20,
    "double-escapement": 20,
    "big-tooth": 60,
    "rotary-reciprocation": 20,
    "ratchet-cw": 20,
    "ratchet-ccw": 100,
    "click-pen": 5,
    "rocking-block": 8,
    "woodpecker": 5,
}
SLOW = {
    "missing-tooth": 120,
    "film-advance": 5,
    "door-latch": 5,
    "geneva-drive": 20,
    "cam-and-follower": 10,
    "gears-in-contact": 5,
}


def run(name: str, until: float) -> ContactSolution:
    solution = simulate(lw.load(name), until, step=until / 1000, contact="rigid")
    assert isinstance(solution, ContactSolution)
    assert solution.status == "complete", solution.why
    return solution


def check(name: str, until: float, every: int) -> None:
    depth, where = deepest_overlap(run(name, until), range(0, 1001, every))
    assert depth <= 1.1 * CHORD, where


@pytest.mark.parametrize(("name", "until"), FAST.items())
def test_nothing_is_in_one_another(name: str, until: float) -> None:
    check(name, until, 40)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "until"), (FAST | SLOW).items())
def test_nothing_is_in_one_another_in_many_rows(name: str, until: float) -> None:
    check(name, until, 7)
