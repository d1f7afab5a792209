"""The brute-force simulation that others are compared with: on motions that are known, and by shapely."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from brute_force import simulate
from cases import CASES, Case
from penetration import penetrations
from random_designs import KINDS, random_design


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_brute_force_finds_known_motions(case: Case) -> None:
    """Kinds and features of all events, times to a millionth, angles to a hundred-thousandth."""
    result = simulate(case.design, steps=300)
    assert result["termination"]["cause"] == case.cause
    assert result["termination"]["t"] == pytest.approx(case.t, abs=1e-6)
    for name, wanted in case.events.items():
        found = result["pawls"][name]["events"]
        names = [event["to"] and " ".join(event["to"].values()) for event in found]
        assert [(event["kind"], met) for event, met in zip(found, names, strict=True)] == [
            (e[0], e[3]) for e in wanted
        ]
        assert [event["t"] for event in found] == pytest.approx([e[1] for e in wanted], abs=1e-6)
        assert [event["theta_to"] for event in found] == pytest.approx([e[2] for e in wanted], abs=1e-5)


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_brute_force_stays_out_of_obstacles(seed: int) -> None:
    """No pawl enters an obstacle, at any sampled time or angle of a snap."""
    design = random_design(seed)
    result = simulate(design, steps=200, samples=np.linspace(0.01, float(Fraction(design["duration"])), 100))
    assert penetrations(design, result) == []


def test_penetration_is_seen() -> None:
    """A motion that does not turn where it must is found out."""
    case = CASES[0]
    t = np.linspace(0, 8, 50)
    pawl = {"events": [], "samples": {"t": t.tolist(), "theta": np.zeros(50).tolist()}}
    result = {"termination": {"t": 8.0}, "pawls": {"L": pawl, "R": pawl}}
    assert {(each.body, each.obstacle) for each in penetrations(case.design, result)} == {
        ("L", "H"),
        ("R", "V"),
    }
