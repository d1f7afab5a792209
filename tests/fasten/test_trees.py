"""Pawls that carry pawls: as the exact motion where it knows the answer, as brute force where it does not."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from agreement import differences
from cases import CASES, Case
from compare import is_usable
from exact import design_value
from random_designs import random_design
from random_trees import random_tree
from shapely import Polygon
from tree_flow import Flow

from linkwork.errors import LinkworkError
from linkwork.fasten import (
    Design,
    Fastening,
    check,
    design_from_text,
    design_to_text,
    fasten,
    history,
    load_design,
    uncertainty,
)
from linkwork.fasten.algebraic import as_float, as_fmpq
from linkwork.fasten.design import Pawl
from linkwork.fasten.fastening import ending_of, root_collision
from linkwork.fasten.lost import MotionLost
from linkwork.fasten.placing import placed_pawls
from linkwork.fasten.tree.motion import tree_motions

SAMPLES = 30
STIFF = 10**6
"""By how much an arm is stiffer than what it carries."""


def by_numbers(design: Design) -> Fastening:
    """The motion of a design as that of trees of one pawl each."""
    hit = root_collision(design)
    stop = as_fmpq(design.duration) if hit is None else hit
    motions: dict[str, Any] = {}
    for pawl in design.pawls:
        motions |= tree_motions(design, pawl, as_float(stop))
    return Fastening(design, motions, ending_of(motions, hit, stop))


def disagreements(data: dict[str, Any]) -> list[str]:
    """In what the motion in numbers differs from the exact one: events, features, times, angles, forces, work."""
    design = design_value(data)
    times = np.linspace(0.013, float(design.duration), SAMPLES).tolist()
    exact, found = fasten(design), by_numbers(design)
    lines = differences(exact.to_json(times), found.to_json(times))
    wanted, got = history(exact), history(found)
    if not math.isclose(wanted.work, got.work, rel_tol=2e-3, abs_tol=1e-6):
        lines.append(f"work {wanted.work} | {got.work}")
    return lines


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_single_pawls_move_as_exactly(case: Case) -> None:
    """A tree of one pawl is a pawl: the same events, at the same features and times, the same forces."""
    assert disagreements(case.design) == []


@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(k, marks=pytest.mark.slow) for k in range(12, 300))]
)
def test_random_single_pawls_move_as_exactly(seed: int) -> None:
    """Also on random designs, unless what happens hangs on a hair."""
    design = random_design(seed)
    assert not (disagreements(design) and is_usable(design)), json.dumps(design)


def carried_by_stiff_arm(design: Design) -> Design:
    """The first pawl on an arm a million times as stiff as its own hinge, which is far from all obstacles."""
    away = Fraction(15)
    triangle = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    side = (-design.v[1] * away, design.v[0] * away)
    pawl = replace(design.pawls[0], hinge=(-side[0], -side[1]))
    hinge = tuple(a + b for a, b in zip(design.pawls[0].hinge, side, strict=True))
    arm = Pawl("arm", triangle, (hinge[0], hinge[1]), k=pawl.k * STIFF, pawls=(pawl,))
    return replace(design, pawls=(arm,), root=None)


@pytest.mark.parametrize("seed", [5])
def test_what_hangs_on_a_stiff_arm_moves_as_if_on_the_root(seed: int) -> None:
    """The limit of a stiff carrier beside the exact motion up to its end; what is left goes with one over its k.

    Events need not be the same: where the exact motion goes over from contact to contact, both hold for a while.
    """
    design = design_value(random_design(seed))
    exact = fasten(replace(design, pawls=design.pawls[:1], root=None)).pawls[design.pawls[0].name]
    found = fasten(carried_by_stiff_arm(design)).pawls[design.pawls[0].name]
    assert exact.told
    for t in np.linspace(0.0, exact.end.time - 0.02, 80).tolist():
        if all(abs(t - event.t) > 0.02 for event in exact.told):
            assert found.angle_at(t) == pytest.approx(exact.angle_at(t), abs=1e-2)


@pytest.mark.parametrize(
    ("seed", "steps"),
    [
        (7, 300),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in ((3, 300), (8, 300), (9, 300), (4, 3000), (5, 3000))
        ),
    ],
)
def test_trees_move_as_brute_force(seed: int, steps: int) -> None:
    """Without friction: angles of all hinges, away from events, as soft contacts and heavy damping have them.

    Steps of the root must be short beside the thinnest part: what is pushed in too deep comes out at the other side.
    """
    data = random_tree(seed)
    found = fasten(design_value(data))
    events = [event.t for motion in found.pawls.values() for event in motion.told]
    assert len(events) >= 4
    last = 18.0 if found.ending.cause == "end" else found.ending.at.time - 0.15
    times = [t for t in np.linspace(0.3, 18.0, 60).tolist() if t <= last]
    for t, angles in zip(times, Flow(data).run(times, steps), strict=True):
        if all(abs(t - at) > 0.15 for at in events):
            assert [motion.angle_at(t) for motion in found.pawls.values()] == pytest.approx(angles, abs=1e-3)


@pytest.mark.parametrize(("seed", "rubs"), [(9, False), (12, False), (7, True), (9, True)])
def test_trees_stay_out_of_obstacles(seed: int, rubs: bool) -> None:
    """No body is inside an obstacle at any time, as shapely sees it."""
    design = design_value(random_tree(seed, rubs=rubs))
    found = fasten(design)
    obstacles = [Polygon([(float(x), float(y)) for x, y in each.poly]) for each in design.obstacles]
    for t in np.linspace(0.0, found.ending.at.time, 120).tolist():
        angles = {name: motion.angle_at(t) for name, motion in found.pawls.items()}
        x, y = (float(p + v * Fraction(t)) for p, v in zip(design.p0, design.v, strict=True))
        for each in placed_pawls(design.pawls, angles):
            body = Polygon([(a + x, b + y) for a, b in each.corners])
            assert all(body.intersection(other).area < 1e-7 for other in obstacles)


@pytest.mark.parametrize(("seed", "rubs"), [(8, False), (7, True)])
def test_mirrored_trees(seed: int, rubs: bool) -> None:
    """A tree seen in a mirror turns the other way, at the same times."""
    data = random_tree(seed, rubs=rubs)
    known, other = fasten(design_value(data)), fasten(design_value(mirrored(data)))
    for name, motion in known.pawls.items():
        events, mirror = motion.told, other.pawls[name].told
        assert [event.kind for event in events] == [event.kind for event in mirror]
        assert [event.t for event in events] == pytest.approx([event.t for event in mirror], abs=1e-7)
        assert [event.theta_to for event in events] == pytest.approx(
            [-event.theta_to for event in mirror], abs=1e-6
        )
        peaks, mirror_peaks = motion.peaks, other.pawls[name].peaks
        assert [peaks.force, peaks.resist] == pytest.approx(
            [mirror_peaks.force, mirror_peaks.resist], rel=1e-4, abs=1e-9
        )


def mirrored(data: dict[str, Any]) -> dict[str, Any]:
    """A design with x changed in sign; polygons keep running counter-clockwise."""

    def flipped(part: dict[str, Any]) -> dict[str, Any]:
        found = dict(part)
        found["poly"] = [[str(-Fraction(x)), y] for x, y in reversed(part["poly"])]
        if "hinge" in part:
            found["hinge"] = [str(-Fraction(part["hinge"][0])), part["hinge"][1]]
        if "pawls" in part:
            found["pawls"] = [flipped(each) for each in part["pawls"]]
        return found

    return {
        **data,
        "obstacles": [flipped(each) for each in data["obstacles"]],
        "pawls": [flipped(each) for each in data["pawls"]],
        "v": [str(-Fraction(data["v"][0])), data["v"][1]],
    }


@pytest.mark.parametrize("mu", ["0", "1/10"])
def test_work_is_the_force_over_the_way(mu: str) -> None:
    """What springs hold, snaps lose and friction heats is the resistance, integrated over the root's travel."""
    found = fasten(design_value(random_tree(7) | {"mu": mu}))
    forces = history(found)
    resist = np.nan_to_num(forces.resist)
    over_way = float(np.sum(np.diff(forces.travel) * (resist[1:] + resist[:-1]) / 2))
    assert forces.work == pytest.approx(over_way, rel=5e-3)


def test_a_contact_may_stick_while_the_tree_moves_on() -> None:
    """The point of contact stays where it is, and the motion goes on, until the contact slips again."""
    design = replace(load_design("folding-hook"), mu=Fraction(1, 2))
    found = fasten(design)
    kinds = [event.kind for event in found.pawls["hook"].told]
    assert kinds[:3] == ["collide", "stick", "slip"]
    assert found.ending.cause == "end"
    stuck, slips = (event.t for event in found.pawls["hook"].told[1:3])
    corner = np.array([1.0, 0.0])
    seen = []
    for t in np.linspace(stuck + 1e-6, slips - 1e-6, 5).tolist():
        angles = {name: motion.angle_at(t) for name, motion in found.pawls.items()}
        hook = list(placed_pawls(design.pawls, angles))[1]
        off = corner - np.array([0.5 + hook.x, 5.0 - t + hook.y])
        cosine, sine = math.cos(hook.angle), math.sin(hook.angle)
        seen.append((off[0] * cosine + off[1] * sine, off[1] * cosine - off[0] * sine))
    assert np.ptp(np.array(seen), axis=0) == pytest.approx([0.0, 0.0], abs=1e-9)


def test_trees_are_written_and_read() -> None:
    """What is saved loads back equal; results of trees have no exact times, and say so by leaving them out."""
    design = load_design("two-stage-latch")
    assert design_from_text(design_to_text(design), "latch.json", "two-stage-latch") == design
    result = fasten(design).to_json([1.0], digits=30)
    assert list(result["pawls"]) == ["arm", "catch"]
    assert all("exact" not in event for event in result["pawls"]["catch"]["events"])
    assert result["pawls"]["catch"]["events"][0]["kind"] == "collide"


def test_faults_of_carried_pawls_are_named() -> None:
    """A name given twice and an overlap at the start, deep in a tree."""
    design = load_design("two-stage-latch")
    arm = design.pawls[0]
    twice = replace(arm, pawls=(replace(arm.pawls[0], name="arm"),))
    with pytest.raises(LinkworkError, match="two pawls are called 'arm'"):
        check(replace(design, pawls=(twice,)))
    with pytest.raises(LinkworkError, match="pawl catch overlaps obstacle tooth at the start"):
        check(replace(design, p0=(Fraction(2), Fraction(3))))


def test_a_contact_that_chatters_is_refused_soon() -> None:
    """Its friction neither holds nor lets it slide: told with the time, not followed through thousands of snaps."""
    with pytest.raises(MotionLost, match="chatters"):
        fasten(design_value(random_tree(12, rubs=True)))


def test_a_motion_that_is_lost_is_an_outcome_among_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the starts cannot be followed: their share is told, and the others are answered."""
    design = load_design("folding-hook")
    ended = fasten(design)

    def half(started: Design) -> Fastening:
        if started.p0[0] < Fraction(1, 2):
            raise MotionLost("more coincides than can be told apart")
        return ended

    monkeypatch.setattr(sys.modules["linkwork.fasten.uncertainty"], "fasten", half)
    region = tuple((Fraction(x), Fraction(y)) for x, y in (("0", "5"), ("1", "5"), ("1", "6"), ("0", "6")))
    assert uncertainty(design, region).shares[("lost",)] == pytest.approx(0.5, abs=1e-5)


def test_a_tree_has_its_total_too() -> None:
    """Also without the command line."""
    found = fasten(load_design("folding-hook"))
    assert found.to_json()["total"] == history(found).to_json()
