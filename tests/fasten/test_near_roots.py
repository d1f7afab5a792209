"""Roots that are very near each other are told apart, and what jammed can be pulled back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from flint import fmpq, fmpz, fmpz_poly

from linkwork.errors import LinkworkError
from linkwork.fasten import Design, classify, design_from_text, fasten, load_design
from linkwork.fasten.algebraic import precision, real_roots
from linkwork.fasten.uncertainty import uncertainty


@pytest.mark.parametrize("digits", [3, 9, 12, 20, 40, 90, 300])
def test_roots_beside_each_other(digits: int) -> None:
    """(x² - 2)² = 10^(-2·digits): two roots on either side of ±√2."""
    square = fmpz_poly([-2, 0, 1])
    poly = square * square * fmpz(10) ** (2 * digits) - 1
    roots = real_roots(poly)
    assert [root.sign_of(square) for root in roots] == [1, -1, -1, 1]
    assert [root.compare(other) for root, other in pairwise(roots)] == [-1, -1, -1]
    assert [float(root) for root in roots] == pytest.approx([-(2**0.5)] * 2 + [2**0.5] * 2, abs=10.0**-digits)
    for root in roots:
        with precision(4 * digits + 100):
            assert poly(root.ball(4 * digits + 60)).contains(0)


@pytest.mark.parametrize("bits", [20, 40, 80, 200])
def test_a_root_beside_the_end_of_its_interval(bits: int) -> None:
    """A half, at which intervals are cut, and a root that is a little more."""
    near = fmpq(1, 2) + fmpq(1, fmpz(3) << bits)
    poly = fmpz_poly([-near.p, near.q]) * fmpz_poly([-1, 2]) * fmpz_poly([-1, 0, 3])
    roots = real_roots(poly)
    assert [float(root) for root in roots] == pytest.approx(
        [-(3**-0.5), 0.5, float(near.p) / float(near.q), 3**-0.5]
    )
    assert roots[2].compare(roots[1]) == 1
    assert roots[2].sign_of(fmpz_poly([-near.p, near.q])) == 0


PEAK: Final[Mapping[str, Any]] = {
    "schema": "linkwork-fastening/1",
    "obstacles": [{"name": "l", "poly": [["-2", "-4"], ["2", "-4"], ["0", "0"]]}],
    "root": None,
    "pawls": [
        {
            "name": "P",
            "poly": [["-1/10", "0"], ["0", "-3"], ["1/10", "0"]],
            "hinge": ["0", "0"],
            "k": "1",
            "rest": "0",
        }
    ],
    "p0": ["0", "6"],
    "v": ["0", "-1"],
    "duration": "9",
    "mu": "0",
}
"""A rod that is pushed onto a peak: it turns aside until it jams."""


def test_what_jammed_is_pulled_back() -> None:
    """A jam is a turning point of its contact: where the pull begins, two roots lie beside each other."""
    design = design_of(PEAK)
    assert fasten(design).ending.cause == "jam"
    found = classify(design, total=False)
    assert [way.comes_apart for way in found.ways] == [True]


def test_whole_times_are_sampled_as_others() -> None:
    pawl = fasten(design_of(PEAK)).pawls["P"]
    assert pawl.angle_at(5) == pawl.angle_at(5.0) != 0
    assert pawl.root_force_at(5).tolist() == pawl.root_force_at(5.0).tolist()


def test_a_cocked_pawl_is_told_where_it_starts() -> None:
    """At t = 0 it snaps onto the tooth beside it, and is there, not where it ends."""
    teeth = [
        {"name": f"t{k}", "poly": [[2 * k, -3], [2 * k + 2, -3], [2 * k + 2, -1], [2 * k, -2]]}
        for k in range(6)
    ]
    poly = [["-1/4", 0], ["-1/4", -1], [0, "-19/10"], ["1/8", -1], ["1/8", 0]]
    pawl = {"name": "P", "poly": poly, "hinge": [0, 0], "k": 1, "rest": 0, "theta_init": "-0.8"}
    changes = {"obstacles": teeth, "pawls": [pawl], "p0": [4, 0], "v": [-1, 0], "duration": 10}
    motion = fasten(design_of({**PEAK} | changes)).pawls["P"]
    (snap, *_) = motion.told
    assert (snap.kind, snap.t) == ("snap", 0.0)
    assert motion.angle_at(0.0) == pytest.approx(snap.theta_to)


def test_features_tell_what_is_slid_on_and_what_is_stuck_on() -> None:
    """Of starts side by side some stick at the first touch, others slide before they do, on the same corner."""
    block = {"name": "B", "poly": [[0, -1], [4, -1], [4, 0], [0, 0]]}
    pawl = {"name": "P", "poly": [["-1/10", 0], [0, -2], ["1/10", 0]], "hinge": [0, 0], "k": 1, "rest": 0}
    region = [["-1/10", 5], ["-1/100", 5], ["-1/100", 6], ["-1/10", 6]]
    changes = {"obstacles": [block], "pawls": [pawl], "p0": [1, 5], "mu": "1/10", "duration": 20}
    design = design_of({**PEAK} | changes | {"start_region": region})
    assert design.start_region is not None
    corner = uncertainty(design, design.start_region).features["B.vertex3"]
    assert corner.slid == corner.stuck == ((0.0, 0.0),)


def test_a_start_that_is_set_anew_is_checked_and_not_the_one_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "peak.json"
    file.write_text(json.dumps({**PEAK} | {"p0": ["0", "0"]}), "utf-8")
    with pytest.raises(LinkworkError, match="overlap"):
        load_design(file)
    assert load_design(file, {"p0": "0,6"}) == replace(design_of(PEAK), name="peak")
    with pytest.raises(LinkworkError, match="overlap"):
        load_design(file, {"p0": "0,1"})


def design_of(data: Mapping[str, Any]) -> Design:
    """The design that a file with these data has."""
    return design_from_text(json.dumps(data), "peak.json", "peak")
