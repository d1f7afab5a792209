"""Parts that lean on one another in space (stacks, planks on a wall, dominoes) create no energy and come to an end."""

from __future__ import annotations

import numpy as np
import pytest
from test_space import run, taken

from linkwork.contact import ContactSolution

FLOOR = "translate([-5, -5, -1]) cube([20, 10, 1]);"


def stack(blocks: int) -> dict[str, str]:
    """Blocks above one another with gaps between them, each turned and shifted past the one below."""
    solids = {"floor": FLOOR}
    for k in range(blocks):
        place = f"translate([{0.07 * k}, {0.03 * k}, {0.52 * k}]) rotate([0, 0, {7 * k}])"
        solids[f"block{k}"] = f"{place} translate([-0.5, -0.5, 0]) cube([1, 1, 0.5]);"
    return solids


def dominoes(count: int) -> dict[str, str]:
    """Dominoes askew, of which the first leans towards the others."""
    solids = {"floor": FLOOR}
    for k in range(count):
        place = f"translate([{0.7 * k}, 0, 0]) rotate([0, {0 if k else 12}, {3 * (k % 3 - 1)}])"
        solids[f"domino{k}"] = f"{place} translate([-0.2, -0.4, 0]) cube([0.2, 0.8, 1.6]);"
    return solids


def up(found: ContactSolution, part: str) -> float:
    """How far a part stands upright at last: the cosine of its lean."""
    x, y = (float(found.columns[f"{part}.q{k}"][-1]) for k in (1, 2))
    return 1 - 2 * (x * x + y * y)


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("restitution", [0.0, 0.3])
def test_a_crooked_stack_comes_to_rest_as_it_is(friction: float, restitution: float) -> None:
    found = run(stack(3), 2, friction=friction, restitution=restitution)
    slides = friction == 0
    assert found.columns["kinetic"][-1] < (1e-2 if slides else 1e-12)
    assert found.columns["block2.z"][-1] == pytest.approx(-0.04, abs=1e-7)
    assert min(taken(found)) >= -1e-9 * sum(taken(found))


@pytest.mark.parametrize(("friction", "restitution"), [(0.0, 0.0), (0.3, 0.0), (0.3, 0.3)])
def test_planks_that_lean_on_a_wall_and_on_each_other_slide_down(friction: float, restitution: float) -> None:
    plank = "translate([0, -0.4, 0]) cube([0.2, 0.8, 1.6]);"
    solids = {
        "room": "union() { translate([-5, -5, -1]) cube([20, 10, 1]); translate([-1, -5, 0]) cube([1, 10, 4]); }",
        "one": f"translate([0.9, 0.03, 0]) rotate([0, -30, 0]) {plank}",
        "two": f"translate([1.6, -0.05, 0]) rotate([0, -35, 3]) {plank}",
    }
    found = run(solids, 2, friction=friction, restitution=restitution)
    assert found.columns["potential"][-1] < found.columns["potential"][0]
    assert len(found.events) < 10000


def test_dominoes_askew_knock_each_other_over() -> None:
    found = run(dominoes(3), 2, friction=0.3)
    assert all(up(found, f"domino{k}") < 0.9 for k in range(3))
    assert len(found.events) < 10000
    energy = found.columns["energy"]
    assert np.diff(energy).max() <= 1e-10 * energy[0]
