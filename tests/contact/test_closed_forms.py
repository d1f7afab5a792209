"""Rigid contacts against motions that are known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ellipk

from linkwork.contact import ContactSolution, simulate
from linkwork.errors import NoAnswer
from linkwork.model.read import machine_from_text

TABLE = """
linkwork = 1
gravity = [{gx!r}, {gy!r}]
[part.table]
fixed = true
solid = 'translate([-50, -1, -1]) cube([200, 1, 2]);'
[part.body]
free = true
solid = '{solid}'
density = 1
[contact]
friction = {friction!r}
restitution = {restitution!r}
"""
G = 10.0


def run(text: str, until: float, step: float = 0.01, rtol: float = 1e-9) -> ContactSolution:
    solution = simulate(machine_from_text(text, "m.toml", "m"), until, step=step, rtol=rtol, contact="rigid")
    assert isinstance(solution, ContactSolution)
    assert solution.status == "complete", solution.why
    return solution


def on_table(
    solid: str,
    until: float,
    lean: float = 0.0,
    friction: float = 0.0,
    restitution: float = 0.0,
    rtol: float = 1e-9,
) -> ContactSolution:
    text = TABLE.format(
        gx=G * math.sin(lean), gy=-G * math.cos(lean), solid=solid, friction=friction, restitution=restitution
    )
    return run(text, until, rtol=rtol)


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.8, 0.95])
def test_a_ball_bounces_ever_lower_until_it_lies(restitution: float) -> None:
    solution = on_table("translate([0, 3, -1]) cylinder(r=1, h=2);", 60, restitution=restitution)
    impacts = [event for event in solution.events if event["kind"] == "impact"]
    fall = math.sqrt(2 * 2 / G)
    powers = restitution ** np.arange(1, len(impacts))
    expected = fall * np.concatenate([[1.0], 1 + 2 * np.cumsum(powers)])
    speeds = G * fall * restitution ** np.arange(len(impacts))
    times = np.array([event["t"] for event in impacts])
    # a place is known to the rounding of the size, 50: that is a time by the speed
    late = np.abs(times - expected) - 1e-12 * np.maximum(1, expected)
    assert np.max(late * speeds) <= 1e-13
    assert [event["approach"] for event in impacts] == pytest.approx(speeds.tolist(), rel=1e-6, abs=1e-9)
    (settled,) = [event for event in solution.events if event["kind"] == "settle"]
    assert settled["t"] == pytest.approx(
        fall * (1 + 2 * restitution / (1 - restitution)), abs=3e-6 / (1 - restitution)
    )
    assert abs(solution.columns["body.y"][-1] + 2) < 1e-12
    assert solution.columns["body.vy"][-1] == pytest.approx(0, abs=1e-12)


def test_a_ball_that_loses_nothing_bounces_for_ever() -> None:
    solution = on_table("translate([0, 3, -1]) cylinder(r=1, h=2);", 200, restitution=1.0)
    times = np.array([event["t"] for event in solution.events])
    fall = math.sqrt(2 * 2 / G)
    assert times == pytest.approx(fall * (1 + 2 * np.arange(len(times))), rel=1e-11)
    assert np.ptp(solution.columns["energy"]) <= 1e-9 * np.max(solution.columns["energy"])


@pytest.mark.parametrize(("lean", "friction"), [(0.5, 0.0), (0.5, 0.3), (0.3, 0.2), (0.5, 0.6), (0.0, 0.3)])
def test_a_block_slides_down_a_slope_or_does_not(lean: float, friction: float) -> None:
    solution = on_table("translate([0, 0, -1]) cube([4, 1, 2]);", 3, lean, friction)
    pull = max(math.sin(lean) - friction * math.cos(lean), 0.0) * G
    assert solution.columns["body.x"] == pytest.approx(pull / 2 * solution.times**2, abs=1e-9)
    assert solution.columns["body.angle"] == pytest.approx(np.zeros(len(solution)), abs=1e-9)


def test_a_high_block_tips_over_where_a_low_one_stays() -> None:
    assert on_table("translate([0, 0, -1]) cube([1, 4, 2]);", 3, 0.5, 0.9).columns["body.angle"][
        -1
    ] == pytest.approx(-math.pi / 2, abs=1e-6)
    assert on_table("translate([0, 0, -1]) cube([4, 1, 2]);", 3, 0.5, 0.9).columns["body.angle"][
        -1
    ] == pytest.approx(0, abs=1e-9)


def test_a_block_rocks_as_housner_says() -> None:
    """G. W. Housner, Bull. Seism. Soc. Am. 53 (1963): free rocking, and 1 - 3/2 sin² of the rate at each impact."""
    width, height, lean = 1.0, 4.0, math.radians(5)
    solution = on_table(
        f"rotate(5) translate([0, 0, -1]) cube([{width}, {height}, 2]);", 2.0, friction=0.6, rtol=1e-13
    )
    slender = math.atan2(width, height)
    squared = 3 * G / (2 * math.hypot(width, height))

    def slowness(root: float) -> float:  # dt/du where the angle is lean - u²: no root of zero at the start
        fallen = math.cos(slender - lean) - math.cos(slender - lean + root**2)
        return (
            2 * root / math.sqrt(2 * squared * fallen)
            if root > 1e-6
            else 2 / math.sqrt(2 * squared * math.sin(slender - lean))
        )

    expected = quad(slowness, 0, math.sqrt(lean), epsabs=1e-13, epsrel=1e-13)[0]
    first, second = [event for event in solution.events if event["kind"] == "impact"][:2]
    assert first["t"] == pytest.approx(expected, abs=1e-10)
    # the corner that is struck falls by the width times the rate; what is left of the rate comes back
    kept = 1 - 1.5 * math.sin(slender) ** 2
    assert second["approach"] / first["approach"] == pytest.approx(kept, abs=1e-9)


def cradle(gap: float, restitution: float) -> ContactSolution:
    balls = range(4)
    parts = [
        f"""
[part.b{k}]
free = true
solid = 'translate([{(2 + gap) * k - (k == 0)}, 0, -1]) cylinder(r=1, h=2);'
density = 1
"""
        for k in balls
    ]
    rates = [f'"rate(b{k}.{c}) == {int(k == 0 and c == "x")}"' for k in balls for c in ("x", "y", "angle")]
    text = f"""
linkwork = 1
[part.table]
fixed = true
solid = 'translate([-50, -21, -1]) cube([100, 1, 2]);'
{"".join(parts)}
[contact]
restitution = {restitution}
[initial.start]
holds = [{", ".join(rates)}]
"""
    return run(text, 5)


def test_a_cradle_hands_the_motion_on() -> None:
    solution = cradle(0.1, 1.0)
    assert [solution.columns[f"b{k}.vx"][-1] for k in range(4)] == pytest.approx([0, 0, 0, 1], abs=1e-12)
    assert [event["t"] for event in solution.events] == pytest.approx([1.1, 1.2, 1.3], abs=1e-12)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_several_impacts_at_once_keep_the_momentum_and_make_no_energy(restitution: float) -> None:
    solution = cradle(0.0, restitution)
    assert sum(solution.columns[f"b{k}.vx"][-1] for k in range(4)) == pytest.approx(1, abs=1e-12)
    energy = solution.columns["energy"]
    assert energy[-1] <= energy[0] * (1 + 1e-12)
    assert energy[-1] / energy[0] == pytest.approx({0.0: 0.25, 0.5: 0.4375, 1.0: 1.0}[restitution], abs=1e-12)


@pytest.mark.parametrize("lean", [0.1, 1.0, 1.5])
def test_a_ball_in_a_hollow_swings_like_a_pendulum(lean: float) -> None:
    """A loose fit that is kept as a contact: a bar of radius 1 in a hole of radius 3."""
    text = f"""
linkwork = 1
gravity = [0, -{G}]
[part.ring]
fixed = true
solid = 'difference() {{ translate([0, 0, -1]) cylinder(r=5, h=2); translate([0, 0, -2]) cylinder(r=3, h=4); }}'
[part.ball]
free = true
solid = 'translate([{2 * math.sin(lean)!r}, {-2 * math.cos(lean)!r}, -1]) cylinder(r=1, h=2);'
density = 1
[joint]
"ring/ball" = "contact"
"""
    solution = run(text, 20, 0.001)
    x = solution.columns["ball.x"] + 2 * math.sin(lean)
    at = np.flatnonzero((x[:-1] > 0) & (x[1:] <= 0))
    passed = solution.times[at] + x[at] / (x[at] - x[at + 1]) * 0.001
    period = 4 * math.sqrt(2 / G) * ellipk(math.sin(lean / 2) ** 2)
    assert np.diff(passed) == pytest.approx(np.full(len(passed) - 1, period), abs=1e-6)
    assert np.ptp(solution.columns["energy"]) <= 1e-8 * np.max(np.abs(solution.columns["potential"]))


@pytest.mark.parametrize("speed", [1.0, 1e3, 1e6, 1e9, 1e12])
def test_no_speed_is_too_high_for_a_thin_wall(speed: float) -> None:
    text = f"""
linkwork = 1
[part.wall]
fixed = true
solid = 'translate([0, -50, -1]) cube([1e-6, 100, 2]);'
[part.ball]
free = true
solid = 'translate([-20, 0, -1]) cylinder(r=1, h=2);'
density = 1
[initial.start]
holds = ["rate(ball.x) == {speed!r}", "rate(ball.y) == 0", "rate(ball.angle) == 0"]
[contact]
restitution = 0.5
"""
    solution = run(text, 40 / speed, 0.4 / speed)
    (struck,) = solution.events
    assert struck["t"] == pytest.approx(19 / speed, rel=1e-9)
    assert solution.columns["ball.x"][-1] == pytest.approx(19 - 10.5, rel=1e-9)


@pytest.mark.parametrize("depth", [0.01, 0.2, 0.5])
def test_a_start_in_one_another_is_refused_with_how_deep(depth: float) -> None:
    """A ball of radius 1 is as deep in a table of height 1 as its lowest point is below the top."""
    text = TABLE.format(
        gx=0.0, gy=-G, solid="translate([0, 3, -1]) cylinder(r=1, h=2);", friction=0.0, restitution=0.0
    )
    with pytest.raises(NoAnswer, match="body and ground are in one another at the start") as caught:
        simulate(machine_from_text(text, "m.toml", "m"), 1.0, contact="rigid", start={"body.y": -2 - depth})
    assert float(str(caught.value.got).split()[2]) == pytest.approx(depth, rel=0.1)


@pytest.mark.parametrize(("low", "deep"), [(-1, 1.0), (0, 0.5)])
def test_parts_that_lie_on_each_other_are_in_one_another(low: int, deep: float) -> None:
    """Neither outline is within the other, and yet a square of side 2 is deep by its inner radius, 1.

    A post that is but half as high as the block beside it makes it a machine in space.
    """
    text = TABLE.format(
        gx=0.0, gy=-G, solid="translate([0, 9, -1]) cube([2, 2, 2]);", friction=0.0, restitution=0.0
    )
    post = f"[part.post]\nfixed = true\nsolid = 'translate([0, 0, {low}]) cube([2, 2, 2]);'\n"
    with pytest.raises(NoAnswer, match="body and ground are in one another at the start") as caught:
        simulate(machine_from_text(text + post, "m.toml", "m"), 1.0, contact="rigid", start={"body.y": -9})
    assert float(str(caught.value.got).split()[2]) == pytest.approx(deep)


@pytest.mark.parametrize("model", ["rigid", "elastic"])
@pytest.mark.parametrize("width", [1e3, 1e5, 1e7])
def test_a_ball_falls_on_a_table_however_wide_it_is(width: float, model: str) -> None:
    """What is small beside the whole is not lost: it lands at √(2 h / g)."""
    text = TABLE.format(
        gx=0.0, gy=-G, solid="translate([0, 3, -1]) cylinder(r=1, h=2);", friction=0.0, restitution=0.0
    ).replace("[200, 1, 2]", f"[{width!r}, 1, 2]")
    solution = simulate(machine_from_text(text, "m.toml", "m"), 1.0, contact=model)
    assert isinstance(solution, ContactSolution)
    assert solution.events[0]["t"] == pytest.approx(math.sqrt(2 * 2 / G), rel=1e-6)
    assert solution.columns["body.y"][-1] == pytest.approx(-2, abs=1e-3)
