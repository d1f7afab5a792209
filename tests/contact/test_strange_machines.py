"""Laws of random clocks, ratchets, cams, Geneva drives, latches, loose fits and heaps."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from overlaps import deepest_overlap
from strange_machines import KINDS, Drawn, Placed

import linkwork as lw
from linkwork.contact import ContactSolution, simulate
from linkwork.kinematics.arrays import Matrix

ROWS = 600
CHORD = 1e-8
"""How far outlines of polygons are off the true ones, by the size: as deep parts may seem to be in one another."""
HELD = ("revolute", "cylindrical", "prismatic")
PLACES = {
    "mirrored": Placed(mirrored=True),
    "turned and shifted": Placed(turn=77, shift=(31, -17)),
    "in other units": Placed(length=0.01, mass=7, time=0.1),
    "all of it": Placed(length=30, mass=0.2, time=5, mirrored=True, turn=-130, shift=(200, 90)),
}
FAST = {"clock": 100, "ratchet": 101, "cam": 102, "geneva": 105, "latch": 102, "loose": 103, "thrown": 7}
MANY = [(kind, seed) for kind in KINDS for seed in range(200, 212)]


def run(drawn: Drawn, placed: Placed = Placed()) -> ContactSolution:  # noqa: B008 - a frozen value
    until = drawn.until * placed.time
    found = simulate(drawn.machine(placed), until, step=until / ROWS, contact="rigid")
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


@cache
def drawn_and_run(kind: str, seed: int) -> tuple[Drawn, ContactSolution]:
    """The first machine from a seed on whose parts are apart where they are drawn, and its motion."""
    for each in range(seed, seed + 1000, 100):
        drawn = KINDS[kind](random.Random(each))
        try:
            return drawn, run(drawn)
        except lw.LinkworkError as fault:
            if "overlap" not in str(fault):
                raise
    raise AssertionError(f"no {kind} can be drawn")


def check_apart(kind: str, seed: int, every: int) -> None:
    drawn, found = drawn_and_run(kind, seed)
    pairs = [pair.parts for pair in lw.recognise(drawn.machine()).pairs if pair.kind in HELD]
    held = [frozenset("ground" if name == "frame" else name for name in parts) for parts in pairs]
    depth, where = deepest_overlap(found, range(0, ROWS + 1, every), held, CHORD)
    assert depth <= 1.1 * CHORD, where


def check_energy(kind: str, seed: int) -> None:
    drawn, found = drawn_and_run(kind, seed)
    energy = found.columns["energy"]
    size = float(np.max(np.abs(energy)) + np.max(found.columns["kinetic"]))
    by_time: dict[float, float] = {}
    for event in found.events:
        by_time[event["t"]] = by_time.get(event["t"], 0.0) + event.get("lost", 0.0)
    assert min(by_time.values(), default=0.0) > -1e-11 * size
    assert sum(found.lost.values()) == pytest.approx(energy[0] - energy[-1], abs=1e-9 * size)
    if not drawn.driven:
        assert np.max(np.diff(energy)) < 1e-8 * size


def check_placed(kind: str, seed: int, place: str) -> None:
    """Small differences grow from impact to impact, so that the first quarter is looked at."""
    drawn, one = drawn_and_run(kind, seed)
    placed = PLACES[place]
    other = run(drawn, placed)
    early = slice(ROWS // 4)
    for part in one.machine.moving:
        angles = [each.columns[f"{part}.angle"][early] for each in (one, other)]
        assert placed.way * angles[1] == pytest.approx(angles[0], abs=1e-5)
        away = np.array([other.columns[f"{part}.{c}"][early] for c in "xy"])
        gone = placed.vector(one.columns[f"{part}.x"][early], one.columns[f"{part}.y"][early])
        expected = placed.length * np.array(gone) + shifted(placed.shift, angles[1])
        assert np.max(np.abs(away - expected)) < 1e-4 * placed.length


def shifted(shift: tuple[float, float], angle: Matrix) -> Matrix:
    """What a shift adds to where a drawing is: its point at the shift, not that at the origin, moves as without it."""
    (x, y), c, s = shift, np.cos(angle), np.sin(angle)
    return np.array([x - (c * x - s * y), y - (s * x + c * y)])


@pytest.mark.parametrize(("kind", "seed"), FAST.items())
def test_no_part_is_in_another(kind: str, seed: int) -> None:
    check_apart(kind, seed, 12)


@pytest.mark.parametrize(("kind", "seed"), FAST.items())
def test_energy_is_lost_and_never_made(kind: str, seed: int) -> None:
    check_energy(kind, seed)


@pytest.mark.parametrize(("kind", "seed"), FAST.items())
def test_it_moves_alike_however_it_is_placed(kind: str, seed: int) -> None:
    check_placed(kind, seed, "all of it")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), MANY)
def test_many_keep_all_laws(kind: str, seed: int) -> None:
    check_apart(kind, seed, 3)
    check_energy(kind, seed)
    for place in PLACES:
        check_placed(kind, seed, place)
