"""Pawls that carry pawls at the ends of what numbers bear: forces without bound, stiff beside soft hinges, rest."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from exact import design_value
from random_trees import random_tree

from linkwork.errors import LinkworkError
from linkwork.fasten import check, fasten, pull, with_settings
from linkwork.fasten.around import on_circle
from linkwork.fasten.tree.bodies import Bodies, Touch
from linkwork.fasten.tree.equilibrium import Equilibria, Hold

CARRIER: dict[str, Any] = {
    "obstacles": [
        {"name": "A", "poly": [["4/5", "-1"], ["4", "-1"], ["4", "0"], ["4/5", "0"]]},
        {"name": "B", "poly": [["-4", "-1"], ["-11/10", "-1"], ["-11/10", "0"], ["-4", "0"]]},
    ],
    "root": None,
    "pawls": [
        {
            "name": "P",
            "poly": [["-1", "0"], ["0", "-3/2"], ["1", "0"], ["0", "1/2"]],
            "hinge": ["0", "0"],
            "k": "4",
            "rest": "0",
            "pawls": [
                {
                    "name": "R",
                    "poly": [["-1/8", "1/8"], ["-1/8", "-3"], ["1/2", "-2"], ["1/8", "1/8"]],
                    "hinge": ["1/2", "-1/2"],
                    "k": "1",
                    "rest": "0",
                },
                {
                    "name": "L",
                    "poly": [["-1/8", "1/8"], ["-1/2", "-2"], ["1/8", "-3"], ["1/8", "1/8"]],
                    "hinge": ["-1/2", "-1/2"],
                    "k": "1",
                    "rest": "0",
                },
            ],
        }
    ],
    "p0": ["0", "6"],
    "v": ["0", "-1"],
    "duration": "9",
    "mu": "0",
}
HOOK: dict[str, Any] = {
    "obstacles": [{"name": "A", "poly": [["1/2", "-2"], ["4", "-2"], ["4", "0"], ["1/2", "0"]]}],
    "root": None,
    "pawls": [
        {
            "name": "P",
            "poly": [["-1/8", "1/8"], ["-1/8", "-3"], ["1/8", "-3"], ["1/8", "1/8"]],
            "hinge": ["0", "0"],
            "k": "2",
            "rest": "0",
            "pawls": [
                {
                    "name": "Q",
                    "poly": [["-1/8", "1/8"], ["-1/8", "-3"], ["1", "-2"], ["1/8", "-7/4"], ["1/8", "1/8"]],
                    "hinge": ["0", "-3"],
                    "k": "1",
                    "rest": "0",
                }
            ],
        }
    ],
    "p0": ["0", "8"],
    "v": ["0", "-1"],
    "duration": "11",
    "mu": "1/5",
}


def test_beside_a_jam_forces_that_have_a_limit_are_told_by_it() -> None:
    """A carrier jams: its own contact's force has no bound, that of what it carries tends to a number."""
    found = fasten(design_value(CARRIER))
    assert (found.ending.cause, found.ending.pawl) == ("jam", "P")
    assert math.isinf(found.pawls["P"].peaks.force)
    before = found.pawls["R"].root_force_at(found.ending.at.time - 1e-9)
    assert found.pawls["R"].peaks.force == pytest.approx(math.hypot(*before), rel=1e-4)
    assert found.pawls["R"].peaks.force == pytest.approx(0.50016, abs=1e-5)


@pytest.mark.parametrize("stiff", ["P", "Q"])
def test_a_hinge_may_be_a_milliard_times_as_stiff(stiff: str) -> None:
    """Forces tend to a limit as one hinge gets stiffer, up to the ratio that is allowed; beyond it is refused."""
    design = design_value(HOOK)
    forces = [fasten(with_settings(design, {f"{stiff}.k": k})).pawls["Q"].peaks.force for k in ("1e7", "5e8")]
    assert forces[1] == pytest.approx(forces[0], rel=1e-5)
    assert forces[1] > 0.1
    arm = replace(design.pawls[0], k=Fraction(3 * 10**9))
    with pytest.raises(LinkworkError, match="are too different"):
        check(replace(design, pawls=(arm,)))


def test_equilibria_that_are_not_there_overflow_nothing() -> None:
    """Pulled askew a tree jams; what Newton's method tries in vain stays within floating point."""
    found = fasten(design_value(HOOK))
    with np.errstate(over="raise"):
        assert str(pull(found, on_circle(Fraction(1, 2)))) == "jam P"


def test_hinges_that_bear_nothing_are_at_rest() -> None:
    """Exactly, at all times and events: what rounding leaves is not told."""
    found = fasten(design_value(CARRIER))
    assert {found.pawls["L"].angle_at(t / 10) for t in range(60)} == {0.0}
    hook = fasten(design_value(HOOK))
    last = hook.pawls["Q"].told[-1]
    assert (last.kind, last.theta_from, last.theta_to) == ("release", 0.0, 0.0)
    assert hook.pawls["P"].angle_at(7.0) == 0.0


def test_a_jam_names_two_contacts() -> None:
    """That which held it, and another one that opposes."""
    found = fasten(design_value(random_tree(5)))
    jam = found.pawls["arm"].told[-1]
    assert jam.kind == "jam"
    assert jam.left is not None
    assert jam.met not in (None, jam.left)


@pytest.mark.parametrize("seed", range(4))
def test_derivatives_of_equilibria_are_those_of_differences(seed: int) -> None:
    """For random contacts of random trees, at any configuration: sliding either way and sticking."""
    design = design_value(random_tree(seed))
    bodies = Bodies(design, design.pawls[0])
    chance = np.random.default_rng(seed)
    for _ in range(5):
        touches = [
            Touch(
                int(chance.integers(bodies.count)),
                "AB"[chance.integers(2)],
                *map(int, chance.integers(3, size=2)),
            )
            for _ in range(2)
        ]
        mode = tuple(Hold(touch, int(chance.integers(-1, 2)), 0.1) for touch in touches)
        system = Equilibria(bodies, mode, 0.3)
        y = chance.normal(size=2 + bodies.count + system.forces)
        step = 1e-6 * np.eye(len(y))
        slopes = [(system.residual(y + each) - system.residual(y - each)) / 2e-6 for each in step]
        assert system.jacobian(y) == pytest.approx(np.stack(slopes, axis=-1), abs=1e-7)
