"""Two outlines that fly and spin first touch when they first meet, as an independent geometry tells."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
import shapely.affinity

import linkwork as lw
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text

UNTIL, LOOKS = 2.0, 4000
FILE = """
linkwork = 1
[part.frame]
fixed = true
solid = "translate([-500, -500, -9]) cube([1, 1, 1]);"
[part.one]
free = true
density = 1
solid = "linear_extrude(1) polygon({one});"
[part.other]
free = true
density = 1
solid = "linear_extrude(1) polygon({other});"
"""


def star(random: np.random.Generator, x: float) -> Matrix:
    """A polygon around a point that is seen whole from there, with corners that go in and out."""
    corners = int(random.integers(3, 12))
    angles = np.sort(random.uniform(0, math.tau, corners)) + np.linspace(0, 1e-3, corners)
    while np.max(np.diff([*angles, angles[0] + math.tau])) > 3:
        angles = np.sort(random.uniform(0, math.tau, corners))
    reach = random.uniform(0.4, 1.6, corners)
    return np.column_stack([x + reach * np.cos(angles), reach * np.sin(angles)])


def placed(outline: Matrix, motion: Matrix, t: float) -> shapely.Polygon:
    """Where an outline is that goes evenly by (vx, vy) and turns evenly about its centre."""
    shape = shapely.Polygon(outline)
    centre = shape.centroid
    turned = shapely.affinity.rotate(shape, motion[2] * t, origin=centre, use_radians=True)
    return shapely.affinity.translate(turned, motion[0] * t, motion[1] * t)


def first_meeting(outlines: list[Matrix], motions: list[Matrix]) -> float:
    """When they first overlap, by many looks and halving; infinite where none of the looks sees that."""

    def overlap(t: float) -> bool:
        one, other = (placed(*each, t) for each in zip(outlines, motions, strict=True))
        return bool(one.intersects(other))

    times = np.linspace(0, UNTIL, LOOKS)
    seen = next((place for place, t in enumerate(times) if overlap(t)), None)
    if seen is None:
        return math.inf
    low, high = (times[seen - 1], times[seen]) if seen else (0.0, 0.0)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if overlap(middle) else (middle, high)
    return float(high)


@pytest.mark.parametrize("seed", range(40))
def test_the_first_touch_is_where_outlines_first_meet(seed: int) -> None:
    random = np.random.default_rng(seed)
    outlines = [star(random, 0.0), star(random, 4.0)]
    motions = [np.array([*random.uniform(-1, 1, 2), random.uniform(-9, 9)]) for _ in range(2)]
    motions[0][0] += 2
    file = FILE.format(one=outlines[0].tolist(), other=outlines[1].tolist())
    rates: dict[str, float] = {}
    for name, outline, (vx, vy, spin) in zip(("one", "other"), outlines, motions, strict=True):
        centre = shapely.Polygon(outline).centroid
        own = {"x": vx + spin * centre.y, "y": vy - spin * centre.x, "angle": spin}
        rates |= {f"{name}.{quantity}": rate for quantity, rate in own.items()}
    machine = machine_from_text(file, "flight.toml", "flight")
    run = lw.simulate(machine, until=UNTIL, contact="rigid", rates=rates)
    met = next((event["t"] for event in run.events), math.inf)
    expected = first_meeting(outlines, motions)
    if met < expected - 1e-7:  # what graze each other may meet between two looks
        one, other = (placed(*each, met) for each in zip(outlines, motions, strict=True))
        assert one.distance(other) < 1e-7
    else:
        assert met == pytest.approx(expected, abs=1e-7)
