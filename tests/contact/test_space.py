"""Contacts in space against what is known in closed form: balls that bounce, roll, slide and spin."""

from __future__ import annotations

import math
from typing import Any

import pytest

import linkwork as lw
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


def taken(found: ContactSolution) -> list[float]:
    """The energies that impacts took, of all that was struck at one time together."""
    sums: dict[float, float] = {}
    for event in found.events:
        if event["kind"] in ("impact", "settle"):
            sums[event["t"]] = sums.get(event["t"], 0.0) + event.get("lost", 0.0)
    return list(sums.values())


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
        "roof": "translate([0, 0, 4]) rotate([0, 0, 20]) rotate([0, 45, 0]) translate([-1, -2, -1]) cube([2, 4, 2]);",
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


def test_a_disc_falls_with_its_face_on_an_edge() -> None:
    """Its rim crosses the edge in two places, half a chord to each side."""
    solids = {
        "block": "rotate([0, 45, 0]) translate([-1, -4, -1]) cube([2, 8, 2]);",
        "disc": "translate([0.2, 0.1, 2]) cylinder(r=0.6, h=0.2);",
    }
    found = run(solids, 0.5)
    impacts = [event for event in found.events if event["kind"] == "impact"][:2]
    fall = 2 - math.sqrt(2)
    chord = math.sqrt(0.6**2 - 0.2**2)
    assert [event["features"] for event in impacts] == [["rim", "edge"]] * 2
    assert [event["t"] for event in impacts] == pytest.approx([math.sqrt(2 * fall / GRAVITY)] * 2, abs=1e-11)
    assert sorted(event["point"][1] for event in impacts) == pytest.approx(
        [0.1 - chord, 0.1 + chord], abs=1e-9
    )
    assert all(event["normal"] == pytest.approx([0, 0, 1], abs=1e-9) for event in impacts)


def test_a_bar_falls_with_the_rim_of_its_end_on_a_round_beam() -> None:
    """The end of the bar just overlaps the ridge of the beam: side and rims of both ends count."""
    solids = {
        "beam": "rotate([90, 0, 0]) translate([0, 0, -3]) cylinder(r=0.5, h=6);",
        "bar": "translate([0.95, 0, 1.3]) rotate([0, 90, 0]) translate([0, 0, -1]) cylinder(r=0.3, h=2);",
    }
    found = run(solids, 0.4)
    event = found.events[0]
    assert event["features"] in (["side", "side"], ["rim", "side"])
    assert event["t"] == pytest.approx(math.sqrt(2 * 0.5 / GRAVITY), abs=1e-11)


@pytest.mark.parametrize("away", [0.0, 20.0])
def test_rollers_side_by_side_strike_each_other(away: float) -> None:
    """Their axes are parallel, so the rims of the shorter one meet the side of the longer."""
    roller = "rotate([90, 0, 0]) translate([0, 0, -0.8]) cylinder(r=0.5, h=1.6);"
    solids = {
        "table": TABLE,
        "one": f"translate([{away}, 0, 0]) {roller}",
        "two": f"translate([{away + 2}, 0, 0]) {roller.replace('0.8', '0.6').replace('1.6', '1.2')}",
    }
    found = run(solids, 0.6, rates={"one.x": 3.0})
    common = 3 * 0.8 / (0.8 + 0.6)  # without rebound, by their lengths
    assert [found.columns[f"{name}.vx"][-1] for name in ("one", "two")] == pytest.approx(
        [common] * 2, rel=1e-9
    )
    assert times(found, "impact")[0] == pytest.approx(1 / 3, abs=1e-9)


@pytest.mark.parametrize("away", [0.0, 2.0, 20.0])
def test_what_slides_stays_on_the_table_wherever_it_was_drawn(away: float) -> None:
    """Positions are counted from the origin of all; corrections of them must not grow with the distance from it."""
    found = run({"table": TABLE, "ball": f"translate([{away}, 0, 0]) {BALL}"}, 1, 0.3, rates={"ball.x": 3.0})
    height = found.columns["potential"] / (math.pi / 6 * GRAVITY)
    assert abs(height).max() < 1e-9
    assert found.columns["kinetic"][-1] == pytest.approx(5 / 7 * math.pi / 12 * 3.0**2, rel=1e-8)


def test_friction_is_against_the_slip_whichever_way_it_goes() -> None:
    """On a slope as steep as friction, speed and speed down the slope add up to the same at all times.

    Their rates are opposite: g sin(angle) (cos(way) - 1) and g sin(angle) (1 - cos(way)); a block that is thrown across
    ends with half its speed, straight down (I. E. Irodov, Problems in General Physics, 1.100).
    """
    angle, speed = math.atan(0.3), 2.0
    block = "translate([-0.2, -0.2, -0.5]) cube([0.4, 0.4, 0.02]);"
    found = run({"table": TABLE, "block": block}, 3, 0.3, rates={"block.y": speed}, gravity=tilted(angle))
    down, across = found.columns["block.vx"], found.columns["block.vy"]
    sums = (down**2 + across**2) ** 0.5 + down
    assert sums == pytest.approx([speed] * len(sums), rel=1e-6)
    assert down[-1] == pytest.approx(speed / 2, rel=0.02)


@pytest.mark.parametrize(("friction", "wanted"), [(0.1, 0.1 * 1.5 * 2.0), (0.9, 2 / 7 * 3.0)])
def test_a_spinning_ball_that_bounces_slides_or_grips(friction: float, wanted: float) -> None:
    """It sets off with friction (1 + e) of its speed of fall, or where that is more, grips: 2/7 of its rim's speed
    (R. Cross, American Journal of Physics 70, 2002, 1093).
    """
    fall, drop = 2.0, 2.0**2 / (2 * GRAVITY)
    found = run(
        {"table": TABLE, "ball": f"translate([0, 0, {drop}]) {BALL}"},
        fall / GRAVITY + 0.05,
        friction,
        0.5,
        rates={"ball.q1": 3.0, "ball.y": 6 * drop},  # 6 radians a second about x, with the centre at rest
    )
    (event,) = [event for event in found.events if event["kind"] == "impact"]
    assert event["tangential"][1] / (math.pi / 6) == pytest.approx(-wanted, rel=1e-7)
    assert event["tangential"][0] == pytest.approx(0, abs=1e-12)


def test_a_disc_that_spins_down_rolls_round_as_fast_as_its_lean_tells() -> None:
    """Leaning by an angle from the table, with its centre at rest, a thin disc of radius a rolls round at the rate
    (4 g/(a sin(angle)))^(1/2) (H. K. Moffatt, Nature 404, 2000, 833).
    """
    lean, radius = 0.2, 1.0
    rate = math.sqrt(4 * GRAVITY / (radius * math.sin(lean)))
    high = radius * math.sin(lean) - 0.5
    coin = f"translate([0, 0, {high}]) rotate([{math.degrees(lean)}, 0, 0]) cylinder(r={radius}, h=0.001);"
    spin = [0.0, -rate * math.sin(lean) * math.cos(lean), -rate * math.sin(lean) ** 2]
    turn = 2 * math.pi / rate
    # the velocity of what is at the origin of all, so that the centre is at rest
    rates = {f"coin.q{k + 1}": spin[k] / 2 for k in range(3)}
    rates |= {"coin.x": -spin[1] * high, "coin.y": spin[0] * high}
    found = run({"table": TABLE, "coin": coin}, turn, friction=1.0, rates=rates)
    height = found.columns["potential"] / (math.pi * radius**2 * 0.001 * GRAVITY)
    assert height == pytest.approx([height[0]] * len(height), abs=0.02 * radius * math.sin(lean))
    touching = [found.contacts(row)[0]["point"][:2] for row in (0, 500)]
    assert touching[1] == pytest.approx([-each for each in touching[0]], abs=0.1)  # half a turn on


def test_a_marble_rolls_down_a_rail_and_over_the_stairs() -> None:
    """On two bars it rolls about the line through both places that touch, d below its centre: the acceleration is
    g sin(slope)/(1 + 2/5 (r/d)^2).
    """
    slope, apart, radius = math.radians(7), 10.0, 8.0
    found = lw.simulate(lw.load("marble-run"), until=1.2, contact="rigid")
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    time, potential = found.columns["time"], found.columns["potential"]
    mass = 2.5e-6 * 4 / 3 * math.pi * radius**3
    below = radius * math.sqrt(1 - (apart / 2 / (radius + 2)) ** 2)
    wanted = 9810 * math.sin(slope) / (1 + 2 / 5 * (radius / below) ** 2)
    rows = [row for row, when in enumerate(time) if 0.1 < when < 0.5]
    way = -(potential[rows] - potential[rows[0]]) / (mass * 9810 * math.sin(slope))
    since = time[rows] - time[rows[0]]
    speed, half = (way[-1] / since[-1] - wanted * since[-1] / 2), wanted / 2
    assert way == pytest.approx(speed * since + half * since**2, abs=1e-5)
    assert potential[-1] >= radius * mass * 9810 * (1 - 1e-9)  # the floor is at the height 0
    assert found.events[0]["features"] == ["ball of marble", "side of rail"]


KEY_IN_ITS_SLOT = '''
linkwork = 1
gravity = [0, 0, -10]
[part.plug]
fixed = true
solid = """
difference() {
  translate([-4, -4, 0]) cube([8, 8, 10]);
  translate([-1, -2, -1]) cube([2, 4, 20]);
  translate([0, 0, 5]) rotate([-90, 0, 0]) cylinder(r=1.5, h=20);
}
"""
[part.key]
density = 1
solid = """
difference() {
  union() { translate([-1, -2, 1]) cube([2, 4, 9]); translate([-1, -3, 10]) cube([2, 6, 3]); }
  translate([-3, 2, 3.2]) rotate([45, 0, 0]) cube([6, 2, 2]);
}
"""
'''


def test_a_key_rests_on_its_bow_though_its_cut_crosses_a_bore_in_the_wall_of_its_slot() -> None:
    """Where edges cross in the plane of a wall along which the key slides, the joint keeps them: no force does."""
    found = simulate(machine_from_text(KEY_IN_ITS_SLOT, "key.toml", "key"), 1, contact="rigid")
    assert isinstance(found, ContactSolution)
    assert found.status == "complete"
    assert abs(found.columns["key.z"]).max() < 1e-9
    forces = [sum(contact["force"][way] for contact in found.contacts(500)) for way in range(3)]
    assert forces == pytest.approx([0, 0, 10 * (2 * 4 * 9 + 2 * 6 * 3 - 2 * 2)], abs=1e-6)
