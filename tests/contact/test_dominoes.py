"""Rows of dominoes and leaning stacks: many places that touch at once with friction, and hold the same.

They fall, come to lie on one another and stay: events have an end, nothing gets into anything, no energy is made, and
no contact pulls or leaves its cone of friction.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from overlaps import deepest_overlap

import linkwork as lw
from linkwork.contact import ContactSolution
from linkwork.model.read import machine_from_text

WIDTH, HEIGHT, APART = 0.2, 1.0, 0.5
ROWS = [
    (3, 0.2, 0.3),
    (4, 0.4, 0.0),
    (5, 0.5, 0.0),
    (7, 0.1, 0.0),
    (7, 0.3, 0.3),
    (7, 0.4, 0.0),
    (8, 0.6, 0.3),
]


def machine_text(solids: list[str], friction: float, restitution: float) -> str:
    parts = [f"[part.d{k}]\nfree = true\ndensity = 1\nsolid = '{solid}'\n" for k, solid in enumerate(solids)]
    return f"""
linkwork = 1
gravity = [0, -10]
[part.table]
fixed = true
solid = 'translate([-3, -1, 0]) cube([{0.5 * len(solids) + 8}, 1, 1]);'
{"".join(parts)}
[contact]
friction = {friction}
restitution = {restitution}
"""


def run(
    solids: list[str], friction: float, restitution: float, until: float, **rates: float
) -> ContactSolution:
    machine = machine_from_text(machine_text(solids, friction, restitution), "row.toml", "row")
    given = {name.replace("_", "."): rate for name, rate in rates.items()}
    found = lw.simulate(machine, until, step=until / 100, contact="rigid", rates=given)
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


def face_angles(solution: ContactSolution, part: str, row: int) -> list[float]:
    turn = 0.0 if part == "ground" else float(solution.columns[f"{part}.angle"][row])
    return [turn + quarter * math.pi / 2 for quarter in range(4)]


def beyond_cone(solution: ContactSolution, row: int, friction: float) -> float:
    """By how much a force of a row leaves its cone of friction, around the nearest normal of a face, at most."""
    worst = 0.0
    for contact in solution.contacts(row):
        fx, fy = contact["force"]
        sides = [
            abs(fy * math.cos(a) - fx * math.sin(a)) - friction * (fx * math.cos(a) + fy * math.sin(a))
            for part in contact["parts"]
            for a in face_angles(solution, part, row)
        ]
        worst = max(worst, min(sides))
    return worst


def check(solution: ContactSolution, friction: float) -> None:
    energy = solution.columns["energy"]
    assert np.max(np.diff(energy)) <= 1e-8 * np.max(np.abs(energy))
    assert deepest_overlap(solution, range(0, len(solution), 3))[0] <= 1e-8
    weight = 10 * WIDTH * HEIGHT
    assert max(beyond_cone(solution, row, friction) for row in range(len(solution))) <= 1e-6 * weight


@pytest.mark.parametrize(("count", "friction", "restitution"), ROWS)
def test_a_row_of_dominoes_falls_and_lies(count: int, friction: float, restitution: float) -> None:
    solids = [f"translate([{APART * k}, 0, 0]) cube([{WIDTH}, {HEIGHT}, 1]);" for k in range(count)]
    solution = run(solids, friction, restitution, 4, d0_angle=-1.0)
    check(solution, friction)
    assert max(solution.columns[f"d{k}.angle"][-1] for k in range(count)) < -0.9


@pytest.mark.parametrize(("count", "friction", "restitution"), [(2, 0.4, 0.0), (4, 0.3, 0.3), (4, 0.6, 0.0)])
def test_a_leaning_stack_falls_and_lies(count: int, friction: float, restitution: float) -> None:
    """Blocks each of which stands out over the one below by a third of its length: they tip over."""
    solids = [f"translate([{0.35 * k}, {0.3 * k}, 0]) cube([1, 0.3, 1]);" for k in range(count)]
    check(run(solids, friction, restitution, 3), friction)
