"""Elastic contacts in space against their force law, integrated by SciPy, and against what is known in closed form."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from test_space import BALL, GRAVITY, TABLE, TABLE_AND_BALL, machine, tilted, times

from linkwork.contact import ContactSolution, Law, Laws, compare, simulate
from linkwork.foresee import predict
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text

SOFT = Law(stiffness=1e5, damping=1e3, pressing=10.0)
BOX = "translate([-0.5, -0.4, 0]) cube([1, 0.8, 0.6]);"
DISC = "cylinder(r=1, h=0.3);"
NO_WEIGHT = (0.0, 0.0, 0.0)


def run(solids: dict[str, str], until: float, law: Law = SOFT, **how: object) -> ContactSolution:
    """A run that comes to its end; what its energy falls by is what contacts took."""
    gravity = how.pop("gravity", (0.0, 0.0, -GRAVITY))
    assert isinstance(gravity, tuple)
    found = simulate(machine(solids, gravity), until, contact="elastic", laws=Laws(law), **how)  # type: ignore[arg-type]
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    energy, lost = found.columns["energy"], found.columns["lost"]
    kinetic, potential = (float(abs(found.columns[name]).max()) for name in ("kinetic", "potential"))
    assert np.ptp(energy + lost) <= 2e-6 * kinetic + 1e-8 * potential
    assert np.diff(lost).min() >= -1e-9 * (kinetic + potential)
    return found


def fallen(places: int, mass: float, law: Law, drop: float, at: Matrix) -> Matrix:
    """How far a thing has fallen that lands on some places at once, by the law of their force."""

    def rate(_: float, y: Matrix) -> list[float]:
        depth, speed = y[0] - drop, y[1]
        stiff = law.stiffness + law.damping * law.pressing * speed
        push = depth * stiff if depth > 0 and stiff > 0 else 0.0
        return [speed, GRAVITY - places * push / mass]

    def lands(_: float, y: Matrix) -> float:
        return float(y[0] - drop)

    lands.terminal = True  # type: ignore[attr-defined]
    found, now, state, way = np.zeros(len(at)), 0.0, np.zeros(2), 1.0
    while now < at[-1]:
        lands.direction = way  # type: ignore[attr-defined]
        ran = solve_ivp(
            rate, (now, at[-1]), state, "DOP853", rtol=1e-12, atol=1e-14, events=lands, dense_output=True
        )
        inside = (at >= now) & (at <= ran.t[-1])
        found[inside] = ran.sol(at[inside])[0]
        now, state, way = ran.t[-1], ran.y[:, -1], -way
    return found


@pytest.mark.parametrize("law", [SOFT, Law(stiffness=1e4, damping=0.0), Law()])
@pytest.mark.parametrize(
    ("solid", "places", "mass"),
    [
        (BALL.replace("sphere", "translate([0, 0, 0.5]) sphere"), 1, math.pi / 6),
        (BOX, 4, 0.48),
        (DISC, 8, 0.3 * math.pi),
    ],
    ids=["ball", "box", "disc"],
)
def test_what_falls_flat_bounces_as_the_force_of_its_places_says(
    solid: str, places: int, mass: float, law: Law
) -> None:
    """A ball touches with one place, a box with four corners, a disc with eight places of its rim."""
    found = run({"table": TABLE, "thing": solid}, 0.8, law, rtol=1e-11)
    assert -found.columns["thing.z"] == pytest.approx(fallen(places, mass, law, 0.5, found.times), abs=3e-8)
    begun = [event for event in found.events if event["kind"] == "begin"]
    assert begun[places - 1]["t"] == pytest.approx(math.sqrt(0.1), abs=1e-9)


def test_a_box_lies_as_deep_as_its_weight_says() -> None:
    found = run({"table": TABLE, "box": BOX.replace("0])", "-0.5])")}, 1, Law())
    depth = 0.48 * GRAVITY / (4 * Law().stiffness)
    assert found.columns["box.z"][-1] == pytest.approx(-depth, rel=1e-3)
    assert found.columns["depth"][-1] == pytest.approx(depth, rel=1e-2)
    assert found.columns["box.on.ground"][-1] == pytest.approx(0.48 * GRAVITY, rel=1e-3)
    assert len(found.contacts(len(found) - 1)) == 4


@pytest.mark.parametrize("angle", [0.1, 0.5])
def test_a_ball_and_a_cylinder_roll_down_a_slope(angle: float) -> None:
    fall = GRAVITY * math.sin(angle) / 2
    cylinder = "translate([0, -0.5, 0]) rotate([-90, 0, 0]) cylinder(r=0.5, h=1);"
    for solid, share in ((BALL, 5 / 7), (cylinder, 2 / 3)):
        found = run({"table": TABLE, "thing": solid}, 1, Law(friction=0.7), gravity=tilted(angle))
        assert found.columns["thing.x"][-1] == pytest.approx(share * fall, rel=1e-5)


def test_a_ball_slides_down_a_slope_that_is_too_smooth_for_it_to_roll() -> None:
    angle, friction = 0.6, 0.1
    found = run(TABLE_AND_BALL, 1, Law(friction=friction), gravity=tilted(angle))
    wanted = GRAVITY * (math.sin(angle) - friction * math.cos(angle)) / 2
    assert found.columns["ball.x"][-1] == pytest.approx(wanted, rel=1e-5)


def test_a_thrown_ball_slides_until_it_rolls() -> None:
    found = run(TABLE_AND_BALL, 3, Law(friction=0.2), rates={"ball.x": 3.0, "ball.y": 4.0})
    assert found.columns["ball.vx"][-1] == pytest.approx(3 * 5 / 7, rel=1e-5)
    assert found.columns["ball.vy"][-1] == pytest.approx(4 * 5 / 7, rel=1e-5)


def test_a_disc_that_spins_flat_is_slowed_by_the_friction_at_its_rim() -> None:
    """The moment is friction·m·g·r, and the moment of inertia m·r²/2."""
    solids = {"table": TABLE, "disc": f"translate([0, 0, -0.5]) {DISC}"}
    found = run(solids, 0.5, Law(friction=0.2), rates={"disc.q3": 4.0})
    q0, q3, r0, r3 = (found.columns[f"disc.{name}"] for name in ("q0", "q3", "r0", "r3"))
    spin = 2 * (q0 * r3 - q3 * r0)
    assert spin[0] == pytest.approx(8.0)
    assert spin[-1] == pytest.approx(8.0 - 2 * 0.2 * GRAVITY * 0.5, rel=1e-4)
    assert abs(found.columns["disc.x"][-1]) < 1e-6


def test_a_disc_that_lands_leaning_keeps_its_energy() -> None:
    """Places of its rim begin to press and cease to, at the deepest place first, and what they store comes back."""
    solid = f"translate([0, 0, 0.1]) rotate([0.4, 0.2, 0]) {DISC}"
    found = run({"table": TABLE, "disc": solid}, 2, Law(stiffness=1e4, damping=0.0))
    assert len(times(found, "begin")) > 20
    assert np.ptp(found.columns["energy"]) <= 1e-6 * np.ptp(found.columns["kinetic"])


def test_a_ball_slides_in_a_bowl_as_a_pendulum() -> None:
    """Without friction a ball of radius r in a bowl of radius R has the period of a pendulum R - r long."""
    radius, lean = 3.0, 0.02
    x, z = (radius - 0.5) * math.sin(lean), -(radius - 0.5) * math.cos(lean)
    bowl = f"difference() {{ translate([-4, -4, -4]) cube([8, 8, 4]); sphere(r={radius}); }}"
    found = run({"bowl": bowl, "ball": f"translate([{x}, 0, {z}]) {BALL}"}, 7, SOFT, step=0.002)
    speed = found.columns["ball.vx"]
    turns = found.times[1:][(speed[1:] > 0) & (speed[:-1] <= 0)]
    assert np.diff(turns) == pytest.approx(2 * math.pi * math.sqrt((radius - 0.5) / GRAVITY), rel=2e-3)


def hooke(count: int, law: Law, gap: float, at: Matrix) -> Matrix:
    """The speeds of balls in a row of which the first has the speed 1, by the law of the force between two of them."""
    mass = math.pi / 6

    def rate(_: float, y: Matrix) -> Matrix:
        deep = np.maximum(y[: count - 1] - y[1:count] - gap, 0.0)
        push = law.stiffness * deep / mass
        return np.concatenate([y[count:], np.append(0.0, push) - np.append(push, 0.0)])

    start = np.concatenate([np.zeros(count), [1.0], np.zeros(count - 1)])
    ran = solve_ivp(rate, (0, at[-1]), start, "DOP853", rtol=1e-11, atol=1e-13, t_eval=at, max_step=1e-4)
    return np.asarray(ran.y[count:])


def test_a_row_of_balls_hands_the_motion_on_as_springs_do() -> None:
    law, gap, count = Law(stiffness=1e5, damping=0.0), 1e-3, 4
    solids = {"floor": "translate([-50, -40, -31]) cube([100, 90, 0.5]);"}
    solids |= {f"b{k}": f"translate([{(1 + gap) * k}, 0, 0]) {BALL}" for k in range(count)}
    found = run(solids, 0.03, law, gravity=NO_WEIGHT, rates={"b0.x": 1.0}, rtol=1e-10, step=0.001)
    wanted = hooke(count, law, gap, found.times)
    for k in range(count):
        assert found.columns[f"b{k}.vx"] == pytest.approx(wanted[k], abs=1e-6)
        assert found.columns[f"b{k}.vy"] == pytest.approx(0.0, abs=1e-12)


PLANE = """linkwork = 1
dimension = {dimension}
gravity = [0, -10{more}]
[part.table]
fixed = true
solid = "translate([-10, -1, {low}]) cube([20, 1, {high}]);"
[part.box]
free = true
density = 1
solid = "translate([0, 1, 0]) rotate([0, 0, 30]) cube([1, 0.6, 1]);"
"""


def test_a_box_that_stays_in_a_plane_moves_as_the_plane_engine_says() -> None:
    """In space two corners press where one does in the plane: each half as stiff."""
    flat = machine_from_text(PLANE.format(dimension=2, more="", low=0, high=1), "flat.toml", "flat")
    deep = machine_from_text(PLANE.format(dimension=3, more=", 0", low=-3, high=7), "deep.toml", "deep")
    half = Law(stiffness=SOFT.stiffness / 2, damping=SOFT.damping / 2, pressing=SOFT.pressing)
    one = simulate(flat, 1.5, contact="elastic", laws=Laws(SOFT), rtol=1e-10)
    other = simulate(deep, 1.5, contact="elastic", laws=Laws(half), rtol=1e-10)
    for name in ("box.x", "box.y", "box.vx", "contact", "lost"):
        assert other.columns[name] == pytest.approx(one.columns[name], abs=2e-6)
    assert other.columns["box.z"] == pytest.approx(0.0, abs=1e-7)


def test_events_and_contacts_have_three_numbers() -> None:
    found = run(TABLE_AND_BALL, 1, Law(friction=0.7), gravity=tilted(0.5))
    (touch,) = found.contacts(500)
    mass = math.pi / 6
    along, up = 2 / 7 * GRAVITY * math.sin(0.5), GRAVITY * math.cos(0.5)
    assert touch["force"] == pytest.approx([-mass * along, 0, mass * up], rel=1e-3, abs=1e-6)
    bounced = run({"table": TABLE, "ball": f"translate([0, 0, 1]) {BALL}"}, 0.5)
    begin, end = bounced.events[:2]
    assert (begin["kind"], end["kind"], begin["features"]) == ("begin", "end", ["ball", "face"])
    assert begin["normal"] == pytest.approx([0, 0, 1])
    assert begin["approach"] == pytest.approx(math.sqrt(2 * GRAVITY))
    assert end["impulse"] > mass * begin["approach"]
    assert end["peak"] == pytest.approx(bounced.columns["ball.on.ground"].max(), rel=0.1)


def test_both_models_are_compared() -> None:
    falls = machine({"table": TABLE, "ball": f"translate([0, 0, 1]) {BALL}"})
    found = compare(falls, 2, laws=Laws(SOFT))
    assert [cost.status for cost in found.costs] == ["complete", "complete"]
    height = next(each for each in found.differences["elastic"] if each.column == "ball.z")
    assert 0.1 < height.greatest < 1.0  # the elastic one bounces


def test_foresight_knows_when_a_soft_ball_lies_still() -> None:
    """With the usual constants it parts from the table with less than 0.1: it lies soon after it has fallen."""
    falls = machine({"table": TABLE, "ball": f"translate([0, 0, 1]) {BALL}"})
    told = predict(falls, contact="elastic").to_json()["summary"]
    found = re.match(r"at rest from t = ([0-9.]+)", told)
    assert found is not None, told
    assert 0 < float(found[1]) - math.sqrt(2 / GRAVITY) < 0.1


@pytest.mark.parametrize(
    "law", [Law(stiffness=1e30, damping=0.0), Law(stiffness=1e300), Law(damping=1e300), Law(pressing=1e40)]
)
def test_contacts_too_stiff_are_told(law: Law) -> None:
    falls = machine({"table": TABLE, "ball": f"translate([0, 0, 1]) {BALL}"})
    found = simulate(falls, 1, contact="elastic", laws=Laws(law))
    assert found.status == "stopped"
    assert "the contacts of ball and ground are too stiff" in found.why


@pytest.mark.parametrize("solid", [BALL, "rotate([20, 30, 0]) cube(0.8);"])
def test_what_is_pressed_through_a_table_is_told(solid: str) -> None:
    falls = machine({"table": TABLE, "thing": f"translate([0, 0, 4]) {solid}"})
    found = simulate(falls, 3, contact="elastic", laws=Laws(Law(stiffness=1.0, damping=0.0)))
    assert found.status == "stopped"
    assert "thing and ground" in found.why


def test_a_stiffer_ball_is_nearer_to_a_rigid_one() -> None:
    """Thrown along the table, where it sinks, sways and slides, then rolls."""
    solids = {"table": TABLE, "ball": BALL}
    rigid = simulate(machine(solids), 1, contact="rigid", laws=Laws(Law(friction=0.2)), rates={"ball.x": 3.0})
    off = []
    for stiffness in (1e3, 1e5):
        found = run(solids, 1, Law(friction=0.2, stiffness=stiffness), rates={"ball.x": 3.0})
        off.append(abs(found.columns["ball.x"][-1] - rigid.columns["ball.x"][-1]))
    assert off[1] < 0.2 * off[0]
    assert off[1] < 1e-4


SNAIL = [
    [(1 + k / 120) * math.cos(math.tau * k / 60), (1 + k / 120) * math.sin(math.tau * k / 60)]
    for k in range(61)
]
DROPPED_ROD = f"""
linkwork = 1
gravity = [0, -10]
[part.frame]
fixed = true
solid = '''translate([0, 0, -2]) cylinder(d=0.4, h=4); translate([-1.5, 2, 0]) cube([1, 4, 1]);
  translate([0.5, 2, 0]) cube([1, 4, 1]); translate([-9, -9, -3]) cube([18, 18, 1]);'''
[part.cam]
mass = 1
inertia = 1
solid = '''difference() {{ linear_extrude(1) polygon({SNAIL});
  translate([0, 0, -1]) cylinder(d=0.4, h=3); }}'''
[part.rod]
mass = 1
inertia = 1
solid = 'translate([-0.5, 1.6, 0]) cube([1, 5, 1]);'
[drive.motor]
of = "cam.angle"
rate = 2
[contact]
friction = %r
"""


@pytest.mark.parametrize("friction", [0.1, 0.2, 0.3])
def test_steps_after_a_contact_that_cannot_swing_are_those_of_any(friction: float) -> None:
    """A snail that a motor turns presses on the side of a rod that its guide holds: nothing that could swing moves.

    It was taken for a swing without end, and the first step of the next one for so small a share of its own that the
    clock did not move on.
    """
    found = simulate(
        machine_from_text(DROPPED_ROD % friction, "m.toml", "m"), 2.0, step=0.01, contact="elastic"
    )
    assert found.status == "complete", found.why
