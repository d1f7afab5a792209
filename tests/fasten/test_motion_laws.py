"""Laws of exact motions on random designs: another drawing of the same machine has the same times, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from brute_force import meets_head_on
from exact import exact_motion
from random_designs import KINDS, Design, random_design, smooth
from same_designs import (
    ANGLE,
    cut,
    hastened,
    hastened_polynomial,
    mirrored,
    mirrored_name,
    notched,
    redrawn,
    scaled,
    shifted,
    turned,
    unnotched_name,
)

SEEDS = range(4000, 4000 + 2 * len(KINDS))
MORE = range(4000 + 2 * len(KINDS), 4400)


def every(seeds: range) -> list[Any]:
    """Some seeds, and many more where time is no matter."""
    return [*seeds, *(pytest.param(seed, marks=pytest.mark.slow) for seed in MORE)]


def events(result: Design) -> list[tuple[str, Design]]:
    """All events with the names of their pawls."""
    return [(name, event) for name, pawl in result["pawls"].items() for event in pawl["events"]]


def times(result: Design) -> list[Any]:
    """When it ends and when everything happens, exactly."""
    ending = result["termination"]
    told = [(name, event["kind"], event["exact"]) for name, event in events(result)]
    return [ending["cause"], ending["pawl"], ending["exact"], *told]


def features(result: Design) -> list[Any]:
    """What touches what."""
    return [(name, event["from"], event["to"]) for name, event in events(result)]


def angles(result: Design) -> list[float]:
    """All angles of events."""
    return [event[key] for _, event in events(result) for key in ("theta_from", "theta_to")]


def forces(result: Design) -> list[float]:
    """The largest of each pawl."""
    return [float(pawl[key]) for pawl in result["pawls"].values() for key in ("max_force", "max_resist")]


@pytest.mark.parametrize("seed", every(SEEDS))
def test_moved_turned_and_scaled_designs(seed: int) -> None:
    """Times, features and angles stay; forces go with one over the size."""
    design = random_design(seed)
    known = exact_motion(design)
    size = Fraction(7, 3)
    for other, ratio in (
        (shifted(design, Fraction(-22, 7), Fraction(13, 9)), 1.0),
        (turned(design), 1.0),
        (scaled(design, size), float(1 / size)),
    ):
        result = exact_motion(other)
        assert times(result) == times(known)
        assert features(result) == features(known)
        assert angles(result) == pytest.approx(angles(known), abs=1e-12)
        assert forces(result) == pytest.approx(
            [ratio * force for force in forces(known)], rel=1e-6, abs=1e-12
        )


@pytest.mark.parametrize("seed", every(SEEDS))
def test_redrawn_pawls(seed: int) -> None:
    """A pawl drawn at other angles, all around the circle, goes through the same times, exactly."""
    design = random_design(seed)
    known, other = exact_motion(design), design
    for count in range(1, 8):
        other = redrawn(other)
        result = exact_motion(other)
        assert times(result) == times(known)
        assert features(result) == features(known)
        assert angles(result) == pytest.approx([angle + count * ANGLE for angle in angles(known)], abs=1e-9)


@pytest.mark.parametrize("seed", every(SEEDS))
def test_mirrored_designs(seed: int) -> None:
    """Events are mirrored, unless a pawl at rest is met head-on, where it is said to turn to one side."""
    design = random_design(seed)
    known, result = exact_motion(design), exact_motion(mirrored(design))
    if meets_head_on(design, known):
        pytest.skip("either side is as good")
    assert times(result) == times(known)
    assert angles(result) == pytest.approx([-angle for angle in angles(known)], abs=1e-12)
    names = [
        (name, mirrored_name(event["from"], design, name), mirrored_name(event["to"], design, name))
        for name, event in events(known)
    ]
    assert forces(result) == pytest.approx(forces(known), rel=1e-6, abs=1e-12)
    if KINDS[seed % len(KINDS)] is smooth and not any(event["kind"] == "jam" for _, event in events(known)):
        assert features(result) == names  # else several features may be met at once, and one is named


@pytest.mark.parametrize("seed", every(SEEDS))
def test_hastened_designs(seed: int) -> None:
    """Twice as fast, or slower, is the same in less or more time."""
    design = random_design(seed)
    known = exact_motion(design)
    for factor in (Fraction(2), Fraction(3, 7)):
        result = exact_motion(hastened(design, factor))
        assert features(result) == features(known)
        assert [(name, event["kind"]) for name, event in events(result)] == [
            (name, event["kind"]) for name, event in events(known)
        ]
        for (_, quick), (_, slow) in zip(events(result), events(known), strict=True):
            assert quick["exact"]["poly"] == hastened_polynomial(slow["exact"]["poly"], factor)
            assert quick["exact"]["index"] == slow["exact"]["index"]
        assert angles(result) == pytest.approx(angles(known), abs=1e-12)
        assert forces(result) == pytest.approx(forces(known), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("seed", every(SEEDS))
def test_pawls_alone(seed: int) -> None:
    """A pawl does what it does without the others."""
    design = random_design(seed)
    together = exact_motion(design)["pawls"]
    for pawl in design["pawls"]:
        alone = exact_motion({**design, "pawls": [pawl]})["pawls"]
        assert alone[pawl["name"]] == together[pawl["name"]]


@pytest.mark.parametrize("seed", every(SEEDS))
def test_cut_obstacles(seed: int) -> None:
    """Obstacles cut in two change names only."""
    design = random_design(seed)
    known, result = exact_motion(design), exact_motion(cut(design))
    assert times(result) == times(known)
    assert angles(result) == pytest.approx(angles(known), abs=1e-12)
    assert forces(result) == pytest.approx(forces(known), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("seed", every(SEEDS))
def test_corners_that_are_none(seed: int) -> None:
    """A corner in the middle of an edge adds a change from one half to the other at most.

    Where sliding turns round on just such a corner, the change is told, and it is no turning on one feature.
    """
    design = random_design(seed)
    known, result = exact_motion(design), exact_motion(notched(design))
    assert result["termination"]["exact"] == known["termination"]["exact"]
    told = [
        (name, event["kind"], event["exact"])
        for name, event in events(result)
        if event["kind"] not in ("change", "reverse")
        or unnotched_name(event["from"]) != unnotched_name(event["to"])
    ]
    assert told == [
        (name, event["kind"], event["exact"]) for name, event in events(known) if event["kind"] != "reverse"
    ]
