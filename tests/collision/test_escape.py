"""The shortest way out of one another, against closed forms, and clear where it ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwork.collision.escape import segments, way_out
from linkwork.solid.region import Region


def out_of(a: Region, b: Region) -> complex:
    """The way out of two regions."""
    return way_out([(segments(a), segments(b))])


@given(st.floats(1, 5), st.floats(1, 5), st.floats(0.1, 0.9), st.floats(0, math.tau))
@settings(max_examples=20)
def test_discs_part_along_the_line_of_their_centres(r: float, s: float, share: float, angle: float) -> None:
    """By both radii without the distance of the centres."""
    apart = share * (r + s)
    at = (apart * math.cos(angle), apart * math.sin(angle))
    shift = out_of(Region.circle(r), Region.circle(s).moved(at))
    assert abs(shift) == pytest.approx(r + s - apart, rel=2e-3, abs=2e-3 * (r + s))


@given(st.floats(0.1, 3.9), st.floats(0.1, 2.9))
@settings(max_examples=20)
def test_rectangles_part_along_the_side_that_is_nearer(x: float, y: float) -> None:
    """A corner of one lies in the other by x and y: the shorter of these is the way out."""
    shift = out_of(Region.rectangle(4, 3), Region.rectangle(9, 8).moved((4 - x, 3 - y)))
    assert abs(shift) == pytest.approx(min(x, y), abs=1e-9)


def test_a_tongue_leaves_its_slot_by_the_mouth_or_through_a_wall() -> None:
    """A tongue in a slot that is too narrow is not clear before it has left the slot: shifts between do not count."""
    slot = Region.rectangle(20, 30) - Region.rectangle(4, 25).moved((8, 5.000001))
    tongue = Region.rectangle(5, 10).moved((7.5, 21))
    shift = out_of(tongue, slot)
    assert (round(shift.real, 6) + 0.0, round(shift.imag, 4)) == (0.0, 9.0)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_what_is_shifted_out_is_clear_and_less_is_not_enough(seed: int) -> None:
    """Random stars on one another: nothing is in common after the shift, and something before its end."""
    generator = np.random.default_rng(seed)

    def star() -> Region:
        turns = np.linspace(0, math.tau, 9, endpoint=False)
        radii = generator.uniform(1, 3, 9)
        return Region.polygon([(r * math.cos(t), r * math.sin(t)) for r, t in zip(radii, turns, strict=True)])

    a, b = star(), star().moved(tuple(generator.uniform(-1, 1, 2)))
    shift = out_of(a, b)
    assert (a.moved((shift.real, shift.imag)) & b).area < 1e-9
    assert (a.moved((0.98 * shift.real, 0.98 * shift.imag)) & b).area > 0


def test_regions_that_are_clear_stay_where_they_are() -> None:
    """No way at all."""
    assert out_of(Region.circle(1), Region.circle(1).moved((3, 0))) == 0
    assert out_of(Region.circle(1), Region.circle(1).moved((0, 3))) == 0
