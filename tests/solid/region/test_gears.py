"""Gears: involutes against the closed form, and pairs that mesh."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid.region import Arc, RegionError, involute_gear, rack

DEVIATION = 1e-4


def polar_half_angle(radius: float, teeth: int, module: float, shift: float = 0.0) -> float:
    """Half the angle of a tooth at a radius: ψ = s/2r + inv α − inv α', cos α' = r cos α / radius."""
    alpha, reference = math.radians(20), teeth * module / 2
    there = math.acos(reference * math.cos(alpha) / radius)
    thickness = module * (math.pi / 2 + 2 * shift * math.tan(alpha))
    involute = math.tan(alpha) - alpha - (math.tan(there) - there)
    return thickness / (2 * reference) + involute


@pytest.mark.parametrize(("teeth", "shift"), [(17, 0.0), (30, 0.0), (80, 0.2), (12, 0.4), (10, 0.0)])
def test_flanks_are_involutes(teeth: int, shift: float) -> None:
    """Points of the closed form are on the outline, on both sides of every tooth."""
    module = 2.0
    gear = involute_gear(teeth, module, shift=shift, deviation=DEVIATION)
    reference = teeth * module / 2
    low = max(reference * math.cos(math.radians(20)), reference - 0.6 * module) + 0.3 * module
    for radius in np.linspace(low, reference + module * (1 + shift), 30):
        angle = polar_half_angle(float(radius), teeth, module, shift)
        for tooth in (0, 1, teeth // 2):
            for side in (-1, 1):
                at = 2 * math.pi * tooth / teeth + side * angle
                point = (radius * math.cos(at), radius * math.sin(at))
                assert abs(float(gear.distance([point])[0])) <= DEVIATION


def test_circles_and_phase() -> None:
    """Tip and root circles are exact, and a tooth is on the x-axis."""
    gear = involute_gear(24, 1.5)
    radii = {round(edge.radius, 9) for loop in gear.loops for edge in loop if isinstance(edge, Arc)}
    assert {18 + 1.5, 18 - 1.25 * 1.5} <= radii
    assert gear.contains([(19.4, 0), (19.4 * math.cos(math.pi / 12), 19.4 * math.sin(math.pi / 12))]).all()
    gap = 18 * math.cos(math.pi / 24), 18 * math.sin(math.pi / 24)
    assert not gear.contains([gap]).any()
    assert gear.mirrored((0, 1)).distance([gap]) == pytest.approx(gear.distance([gap]), abs=1e-12)


def test_a_shifted_rack_cuts_the_root() -> None:
    """The gear is what is left where a rack has been rolled over a disc, undercut or not."""
    module, dedendum = 1.0, 1.25
    for teeth in (8, 12, 25):
        gear = involute_gear(teeth, module, addendum=1, dedendum=dedendum, deviation=1e-5)
        cutter = (
            rack(9, module, addendum=1.0, dedendum=1.3).mirrored((0, 1)).moved((-4 * math.pi * module, 0))
        )
        radius = teeth * module / 2
        for step in np.linspace(0, 2 * math.pi / teeth, 24):
            # The rack, teeth downwards, above the gear; a tooth of it meets the gap at the top at step = 0.
            above = cutter.moved((radius * step, radius)).turned(step - math.pi / 2 + math.pi / teeth)
            assert not (gear & above).grown(-3e-5)


PAIRS: list[dict[str, Any]] = [
    {"teeth": (20, 30)},
    {"teeth": (17, 17)},
    {"teeth": (12, 40), "shift": (0.3, -0.3)},
    {"teeth": (9, 20)},
    {"teeth": (25, 50), "pressure_angle": math.radians(14.5)},
    {"teeth": (18, 24), "backlash": 0.02},
]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_two_gears_mesh(pair: dict[str, Any]) -> None:
    """At the standard distance they touch and do not overlap, over a whole pitch of rotation."""
    module, (z, w), (x, v) = 1.0, pair["teeth"], pair.get("shift", (0.0, 0.0))
    backlash = pair.get("backlash", 0.0)
    common = {"pressure_angle": pair.get("pressure_angle", math.radians(20)), "deviation": DEVIATION}
    small = involute_gear(z, module, shift=x, backlash=backlash, **common)
    large = involute_gear(w, module, shift=v, backlash=backlash, **common)
    distance = module * (z + w) / 2
    opposite = math.pi + math.pi / w  # a gap of the large one towards the tooth on the x-axis
    for step in np.linspace(0, 1, 13):
        first = small.turned(2 * math.pi / z * step)
        second = large.turned(opposite - 2 * math.pi / w * step).moved((distance, 0))
        assert not (first & second).grown(-DEVIATION)
        if not backlash:
            assert first.grown(2 * DEVIATION) & second
        else:
            assert not first.grown(0.4 * backlash) & second


@pytest.mark.parametrize(("z", "w"), [(18, 40), (20, 60)])
def test_a_gear_meshes_in_a_ring(z: int, w: int) -> None:
    """A pinion in an internal gear, whose tips are lower so that they clear its roots, touches without overlap."""
    ring = involute_gear(w, 1.0, addendum=0.7, internal=True, deviation=DEVIATION)
    pinion = involute_gear(z, 1.0, deviation=DEVIATION)
    assert len(ring.loops) == 2
    for step in np.linspace(0, 1, 9):
        inner = pinion.turned(2 * math.pi / z * step).moved(((w - z) / 2, 0))
        outer = ring.turned(2 * math.pi / w * step + math.pi / w)
        assert not (inner & outer).grown(-DEVIATION)
        assert inner.grown(2 * DEVIATION) & outer


def test_a_gear_meshes_with_a_rack() -> None:
    """Rolling along: by one tooth the rack goes one pitch."""
    module, teeth = 2.0, 19
    gear = involute_gear(teeth, module, deviation=DEVIATION).turned(math.pi / 2)  # a tooth upwards
    bar = rack(11, module).mirrored((0, 1)).moved((-5 * math.pi * module, teeth * module / 2))
    for step in np.linspace(0, 1, 9):
        turned = gear.turned(-2 * math.pi / teeth * (step + 0.5))
        moved = bar.moved((math.pi * module * step, 0))
        assert not (turned & moved).grown(-DEVIATION)
        assert turned.grown(2 * DEVIATION) & moved


def test_pointed_teeth_end_where_flanks_meet() -> None:
    """With a large shift there is no tip circle left."""
    gear = involute_gear(10, 1, shift=0.9)
    tip = gear.box[1][0]
    assert tip < 5 + 1.9
    assert gear.contains([(tip - 1e-6, 0)]).all()
    assert not gear.contains([(tip + 1e-3, 0)]).any()


@given(
    st.integers(7, 60),
    st.floats(0.1, 10),
    st.sampled_from((14.5, 20.0, 25.0)),
    st.floats(-0.3, 0.6),
    st.booleans(),
)
def test_any_gear_is_a_region(teeth: int, module: float, angle: float, shift: float, internal: bool) -> None:
    """Outlines never cross themselves: combined with itself a gear stays what it is."""
    deviation = 1e-2 * module
    gear = involute_gear(
        teeth, module, math.radians(angle), shift=shift, internal=internal, deviation=deviation
    )
    assert len(gear.loops) == 1 + internal
    assert (gear & gear).area == pytest.approx(gear.area, rel=1e-9)
    assert len((gear & gear).loops) == len(gear.loops)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"teeth": 2}, "a gear has 2 teeth"),
        ({"teeth": 7.5}, "a gear has 7.5 teeth"),
        ({"module": 0}, "the module of a gear is 0"),
        ({"pressure_angle": 20}, "the pressure angle of a gear is 20 radians"),
        ({"backlash": 9}, "the teeth of a gear are -5.85841 thick"),
        ({"dedendum": 3}, "the gaps of a gear are pointed above its roots"),
        ({"teeth": 4, "shift": -0.6}, "the rack that cuts the gear would cut its teeth away"),
    ],
)
def test_gears_that_cannot_be(numbers: dict[str, Any], words: str) -> None:
    """Numbers without meaning are named."""
    given_numbers: dict[str, Any] = {"teeth": 20, "module": 2} | numbers
    with pytest.raises(RegionError, match=words):
        involute_gear(**given_numbers)
