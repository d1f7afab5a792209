"""Contacts in space against what is known in closed form: balls that bounce, roll, slide and spin."""

from __future__ import annotations

import math
from typing import Any

import pytest

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.errors import NoAnswer
from linkwork.model import Machine
from linkwork.model.read import machine_from_text

GRAVITY = 10.0
TABLE = "translate([-60, -40, -1]) cube([120, 90, 0.5]);"
"""Its top is half a unit below the origin."""
BALL = "sphere(r=0.5);"
TABLE_AND_BALL = {"table": TABLE, "ball": BALL}


def machine(solids: dict[str, str], gravity: tuple[float, float, float] = (0.0, 0.0, -GRAVITY)) -> Machine:
    """The first part stands still, all others are free."""
    text = f"linkwork = 1\ngravity = [{', '.join(map(str, gravity))}]\n"
    for place, (name, solid) in enumerate(solids.items()):
        kind = "free = true\ndensity = 1" if place else "fixed = true"
        text += f"[part.{name}]\n{kind}\nsolid = '''{solid}'''\n"
    return machine_from_text(text, "space.toml", "space")


def run(
    solids: dict[str, str], until: float, friction: float = 0.0, restitution: float = 0.0, **how: Any
) -> ContactSolution:
    """A run that comes to its end and never gains energy."""
    gravity = how.pop("gravity", (0.0, 0.0, -GRAVITY))
    found = simulate(
        machine(solids, gravity), until, contact="rigid", laws=Laws(Law(friction, restitution)), **how
    )
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    energy = found.columns["energy"]
    kinetic, potential = (float(abs(found.columns[name]).max()) for name in ("kinetic", "potential"))
    assert (energy[1:] - energy[:-1]).max() <= 1e-7 * kinetic + 1e-9 * potential
    return found


def tilted(angle: float) -> tuple[float, float, float]:
    """The weight on a slope that falls along x."""
    return GRAVITY * math.sin(angle), 0.0, -GRAVITY * math.cos(angle)


def times(found: ContactSolution, kind: str) -> list[float]:
    """When something happens."""
    return [event["t"] for event in found.events if event["kind"] == kind]


def test_a_ball_bounces_as_long_as_its_speeds_tell_and_then_lies() -> None:
    drop, share = 1.5, 0.5
    found = run({"table": TABLE, "ball": f"translate([0, 0, {drop}]) {BALL}"}, 3, restitution=share)
    fall = math.sqrt(2 * drop / GRAVITY)
    wanted = [fall * (1 + 2 * sum(share**k for k in range(1, n + 1))) for n in range(12)]
    assert times(found, "impact")[:12] == pytest.approx(wanted, abs=1e-11)
    assert times(found, "begin") == pytest.approx([fall * (1 + 2 * share / (1 - share))], abs=1e-4)
    assert found.columns["ball.z"][-1] == pytest.approx(-drop, abs=1e-9)


@pytest.mark.parametrize("angle", [0.1, 0.5])
def test_a_ball_rolls_down_a_slope_with_five_sevenths_of_the_acceleration(angle: float) -> None:
    found = run(TABLE_AND_BALL, 2, friction=0.7, gravity=tilted(angle))
    wanted = 5 / 7 * GRAVITY * math.sin(angle) * 2**2 / 2
    assert found.columns["ball.x"][-1] == pytest.approx(wanted, rel=1e-8)


def test_a_ball_slides_down_a_slope_that_is_too_smooth_for_it_to_roll() -> None:
    """With friction below 2/7 tan(angle) the slip grows: v = g (sin - friction cos) t."""
    angle, friction = 0.6, 0.1
    found = run(TABLE_AND_BALL, 1, friction=friction, gravity=tilted(angle))
    wanted = GRAVITY * (math.sin(angle) - friction * math.cos(angle)) / 2
    assert found.columns["ball.x"][-1] == pytest.approx(wanted, rel=1e-8)


def test_a_thrown_ball_slides_until_it_rolls_with_five_sevenths_of_its_speed() -> None:
    friction = 0.2
    found = run(TABLE_AND_BALL, 3, friction=friction, rates={"ball.x": 3.0, "ball.y": 4.0})
    assert times(found, "stick") == pytest.approx([2 * 5 / (7 * friction * GRAVITY)], rel=1e-8)
    assert found.columns["ball.vx"][-1] == pytest.approx(3 * 5 / 7, rel=1e-7)
    assert found.columns["ball.vy"][-1] == pytest.approx(4 * 5 / 7, rel=1e-7)


def test_a_spinning_ball_sets_off_with_two_sevenths_of_its_rim_speed() -> None:
    found = run(TABLE_AND_BALL, 3, friction=0.2, rates={"ball.q1": 4.0})  # 8 radians a second about x
    assert found.columns["ball.vy"][-1] == pytest.approx(-2 / 7 * 8 * 0.5, rel=1e-7)
    assert found.columns["ball.vx"][-1] == pytest.approx(0, abs=1e-9)


def test_contacts_of_a_row_have_places_and_forces_in_space() -> None:
    found = run(TABLE_AND_BALL, 1, friction=0.7, gravity=tilted(0.5))
    (touch,) = found.contacts(500)
    mass = math.pi / 6
    assert touch["parts"] == ["ball", "ground"]
    assert touch["point"] == pytest.approx([found.columns["ball.x"][500], 0, -0.5], abs=1e-9)
    along, up = 2 / 7 * GRAVITY * math.sin(0.5), GRAVITY * math.cos(0.5)
    assert touch["force"] == pytest.approx([-mass * along, 0, mass * up], rel=1e-7, abs=1e-7)
    assert found.columns["ball.on.ground"][500] == pytest.approx(mass * math.hypot(along, up), rel=1e-7)


def test_balls_that_meet_askew_exchange_what_goes_along_the_line_of_their_centres() -> None:
    share = 0.7
    solids = {
        "floor": "translate([-50, -40, -31]) cube([100, 90, 0.5]);",
        "one": BALL,
        "two": f"translate([5, 0.3, 0.4]) {BALL}",
    }
    found = run(solids, 4, restitution=share, rates={"one.x": 3.0}, gravity=(0.0, 0.0, 0.0))
    normal = (-math.sqrt(1 - 0.25), -0.3, -0.4)
    taken = (1 + share) / 2 * 3 * normal[0]
    for place, name in enumerate(("vx", "vy", "vz")):
        before = 3.0 if name == "vx" else 0.0
        assert found.columns[f"one.{name}"][-1] == pytest.approx(before - taken * normal[place], abs=1e-9)
        assert found.columns[f"two.{name}"][-1] == pytest.approx(taken * normal[place], abs=1e-9)


def test_a_ball_swings_in_a_trough_as_a_longer_pendulum() -> None:
    """Rolling in a hollow of radius R it has the period of a pendulum that is 7/5 (R - r) long."""
    lean, radius = 0.01, 3.0
    y, z = (radius - 0.5) * math.sin(lean), -(radius - 0.5) * math.cos(lean)
    solids = {
        "bed": f"""difference() {{
            translate([-20, -4, -4]) cube([40, 8, 4]);
            rotate([0, 90, 0]) translate([0, 0, -30]) cylinder(r={radius}, h=60);
        }}""",
        "ball": f"translate([0, {y}, {z}]) {BALL}",
    }
    found = run(solids, 4, friction=0.5, step=0.001)
    assert found.events[0]["features"] == ["ball", "hollow"]
    kinetic = found.columns["kinetic"]
    still = [
        k for k in range(1, len(kinetic) - 1) if kinetic[k] < kinetic[k - 1] and kinetic[k] <= kinetic[k + 1]
    ]
    period = 2 * math.pi * math.sqrt(7 / 5 * (radius - 0.5) / GRAVITY)
    times_of = [found.columns["time"][k] for k in still]
    assert times_of == pytest.approx([period / 2, period], abs=0.0015)


def test_a_cylinder_rolls_down_a_slope_with_two_thirds_of_the_acceleration() -> None:
    angle = 0.3
    roller = "rotate([90, 0, 0]) translate([0, 0, -1]) cylinder(r=0.5, h=2);"
    found = run({"table": TABLE, "roller": roller}, 2, friction=0.5, gravity=tilted(angle))
    wanted = 2 / 3 * GRAVITY * math.sin(angle) * 2**2 / 2
    assert found.columns["roller.x"][-1] == pytest.approx(wanted, rel=1e-7)


def test_a_block_slides_down_a_slope_on_its_corners() -> None:
    angle, friction = 0.2, 0.1
    block = "translate([-0.5, -0.4, -0.5]) cube([1, 0.8, 0.6]);"
    found = run({"table": TABLE, "block": block}, 2, friction=friction, gravity=tilted(angle))
    wanted = GRAVITY * (math.sin(angle) - friction * math.cos(angle)) * 2**2 / 2
    assert found.columns["block.x"][-1] == pytest.approx(wanted, rel=1e-6)
    assert found.columns["block.z"][-1] == pytest.approx(0, abs=1e-9)


def test_a_block_that_falls_on_a_corner_tumbles_and_comes_to_rest_on_a_face() -> None:
    block = "translate([0, 0, 2]) rotate([20, 30, 10]) translate([-0.5, -0.4, -0.3]) cube([1, 0.8, 0.6]);"
    found = run({"table": TABLE, "block": block}, 4, friction=0.3, restitution=0.3)
    mass = 0.48
    heights = [found.columns["potential"][-1] / (mass * GRAVITY) + 0.5]
    assert min(abs(heights[0] - half) for half in (0.5, 0.4, 0.3)) < 1e-8
    assert found.columns["kinetic"][-1] < 1e-12
    assert len(found.contacts(-1)) >= 2


def test_a_coin_that_falls_askew_comes_to_lie_flat() -> None:
    coin = "translate([0, 0, 1]) rotate([40, 0, 0]) cylinder(r=0.5, h=0.1);"
    found = run({"table": TABLE, "coin": coin}, 2, friction=0.3, restitution=0.2)
    mass = math.pi * 0.25 * 0.1
    assert found.columns["potential"][-1] == pytest.approx(-0.45 * mass * GRAVITY, abs=1e-6)
    assert found.columns["kinetic"][-1] < 1e-12


def test_edges_that_cross_strike_each_other() -> None:
    solids = {
        "ridge": "rotate([45, 0, 0]) translate([-2, -1, -1]) cube([4, 2, 2]);",
        "roof": "translate([0, 0, 4]) rotate([0, 45, 0]) translate([-1, -2, -1]) cube([2, 4, 2]);",
    }
    found = run(solids, 1)
    fall = 4 - 2 * math.sqrt(2)
    event = found.events[0]
    assert event["features"] == ["edge", "edge"]
    assert event["t"] == pytest.approx(math.sqrt(2 * fall / GRAVITY), abs=1e-11)
    assert event["point"] == pytest.approx([0, 0, math.sqrt(2)], abs=1e-9)
    assert event["normal"] == pytest.approx([0, 0, 1], abs=1e-12)


def test_parts_in_one_another_at_the_start_are_refused() -> None:
    with pytest.raises(NoAnswer, match="ball and ground are in one another at the start") as caught:
        run(TABLE_AND_BALL, 1, start={"ball.z": -0.1})
    assert "0.1 deep" in caught.value.got


def test_a_meeting_that_is_not_computed_ends_the_run_and_is_told() -> None:
    """A disc comes down with its face on the edge of a block: rims and straight edges that cross are not computed."""
    solids = {
        "block": "rotate([0, 45, 0]) translate([-1, -4, -1]) cube([2, 8, 2]);",
        "disc": "translate([0.2, 0.1, 2]) cylinder(r=0.6, h=0.2);",
    }
    found = simulate(machine(solids), 2, contact="rigid")
    assert found.status == "stopped"
    assert "disc and ground are in one another" in found.why
