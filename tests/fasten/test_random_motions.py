"""Exact motions on random designs: as brute force finds them, and never inside an obstacle."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from cases import CASES, Case, pawl, points
from compare import compare
from exact import exact_motion
from penetration import penetrations
from random_designs import KINDS, cocked, design_of, random_design

MANY = 10_000
BATCH = 250
HARD = (311, 407, 2032, 2070, 5232)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_known_motions(case: Case) -> None:
    """Kinds and features of all events, times and angles as published or as found by others."""
    result = exact_motion(case.design)
    assert result["termination"]["cause"] == case.cause
    assert result["termination"]["t"] == pytest.approx(case.t, abs=1e-8)
    for name, wanted in case.events.items():
        found = result["pawls"][name]["events"]
        names = [event["to"] and " ".join(event["to"].values()) for event in found]
        told = [(event["kind"], met) for event, met in zip(found, names, strict=True)]
        assert told == [(each[0], each[3]) for each in wanted]
        assert [event["t"] for event in found] == pytest.approx([each[1] for each in wanted], abs=1e-8)
        assert [event["theta_to"] for event in found] == pytest.approx([each[2] for each in wanted], abs=1e-6)


@pytest.mark.parametrize("seed", range(2 * len(KINDS)))
def test_exact_motion_is_what_brute_force_finds(seed: int) -> None:
    """Events, features, times, angles and forces, unless what happens hangs on a hair."""
    verdict = compare(random_design(seed))
    assert not (verdict.lines and verdict.usable), json.dumps(random_design(seed))


@pytest.mark.parametrize("seed", range(7000, 7000 + len(KINDS)))
def test_cocked_pawls(seed: int) -> None:
    """Pawls that are let go at the start, from any angle, go where brute force says."""
    design = cocked(seed)
    if design is None:
        pytest.skip("hardly any room")
    verdict = compare(design)
    assert not (verdict.lines and verdict.usable), json.dumps(design)


@pytest.mark.parametrize("seed", HARD)
def test_designs_that_were_hard(seed: int) -> None:
    """Edges in one line, a relaxed spring without a lever, times beside a level line, a jam in a notch."""
    verdict = compare(random_design(seed))
    assert not (verdict.lines and verdict.usable), json.dumps(random_design(seed))


def test_a_curve_that_crosses_the_level_line_of_its_own_constraint() -> None:
    """The end of a bar passes a corner at just its distance from the hinge, and stays flush from then on.

    The pawl comes down to a quarter turn and goes on level, at the side of its free angles nearest to rest.
    """
    design = random_design(4167)
    events = exact_motion(design)["pawls"]["P"]["events"]
    assert [event["kind"] for event in events] == ["collide", "change", "snap"]
    assert events[1]["theta_from"] == pytest.approx(math.pi / 2, abs=1e-15)
    assert exact_motion(design, [6.6])["pawls"]["P"]["samples"]["theta"] == pytest.approx(
        [math.pi / 2], abs=1e-15
    )


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, MANY, BATCH))
def test_many_motions_stay_out_of_obstacles(first: int) -> None:
    """Ten thousand designs: each has a motion, and no pawl is deeper than 1e-7 in an obstacle anywhere on it."""
    for seed in range(first, first + BATCH):
        design = random_design(seed)
        result = exact_motion(design, np.linspace(0, float(Fraction(design["duration"])), 60).tolist())
        assert penetrations(design, result) == [], json.dumps(design)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_many_exact_motions_are_what_brute_force_finds(first: int) -> None:
    """A thousand designs beside brute force."""
    for seed in range(first, first + 50):
        verdict = compare(random_design(seed))
        assert not (verdict.lines and verdict.usable), json.dumps(random_design(seed))


def test_force_grows_without_bound_towards_a_stick() -> None:
    """Also where the coefficient of friction is no binary number."""
    design = random_design(5)
    assert design["mu"] == "1/20"
    result = exact_motion(design)
    assert result["termination"]["cause"] == "stick"
    assert result["pawls"]["P0"]["max_resist"] == "inf"


def test_an_edge_in_line_with_another_beyond_its_end() -> None:
    """At t = 2 + 1/√2 a corner meets a corner, and their edges lie on one line, one to each side.

    The pawl goes on over the obstacle's corner with that edge; with its own corner it would go through.
    """
    obstacle = points(("2", "-2"), ("3", "-2"), ("2", "0"))
    mine = pawl("P", points(("2", "1"), ("-1", "1"), ("1", "0")))
    design = design_of([obstacle], [mine], (0, 0), (1, -1), 16)
    events = exact_motion(design)["pawls"]["P"]["events"]
    flush = events[4]
    assert flush["t"] == pytest.approx(2 + 0.5**0.5, abs=1e-12)
    assert flush["exact"]["poly"] == [7, -8, 2]
    assert flush["to"] == {"type": "A", "pawl": "edge2", "obstacle": "O0.vertex0"}
    assert (events[-1]["kind"], events[-1]["t"], events[-1]["theta_to"]) == ("snap", 4.0, 0.0)


def test_a_jam_at_rest_names_what_is_met() -> None:
    """A pawl whose front is flush with a wall cannot turn: the jam has no contact before, and one that it meets."""
    jam = exact_motion(random_design(23))["pawls"]["P"]["events"][-1]
    assert (jam["kind"], jam["t"], jam["from"]) == ("jam", 5.0, None)
    assert jam["to"] is not None
