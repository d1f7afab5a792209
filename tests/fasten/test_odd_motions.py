"""Odd designs (``odd_designs``): the exact motion is what brute force finds, unless what happens hangs on a hair."""

from __future__ import annotations

import json

import pytest
from compare import compare
from exact import exact_motion
from odd_designs import ODD_KINDS, odd_design


@pytest.mark.parametrize(
    "seed",
    [
        *range(len(ODD_KINDS)),
        *(pytest.param(k, marks=pytest.mark.slow) for k in range(len(ODD_KINDS), 320)),
    ],
)
def test_odd_motions_are_what_brute_force_finds(seed: int) -> None:
    """Events, features, times, angles and forces."""
    verdict = compare(odd_design(seed))
    assert not (verdict.lines and verdict.usable), json.dumps(odd_design(seed))


def test_what_sticks_where_its_sliding_would_turn_round_only_sticks() -> None:
    """With a friction of 1 a contact comes to rest on its edge and stays: nothing slides back."""
    events = exact_motion(odd_design(256))["pawls"]["P"]["events"]
    assert [event["kind"] for event in events] == ["collide", "change", "stick"]


def test_a_jaw_passes_a_post_as_wide_as_its_mouth() -> None:
    """Without clearance on either side there is room at the rest angle alone, and that is enough."""
    result = exact_motion(odd_design(25))
    assert (result["termination"]["cause"], result["termination"]["t"]) == ("jam", 4.375)
