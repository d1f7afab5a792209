"""Rigid contacts with friction against published problems and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact import ContactSolution
from linkwork.errors import NoAnswer
from linkwork.model.read import machine_from_text

G = 10.0


def run(text: str, until: float, step: float, **how: object) -> ContactSolution:
    machine = machine_from_text(text, "m.toml", "m")
    solution = lw.simulate(machine, until, step=step, contact="rigid", **how)  # type: ignore[arg-type]
    assert isinstance(solution, ContactSolution)
    return solution


ROD = """
linkwork = 1
gravity = [0, -{g}]
[part.table]
fixed = true
solid = 'translate([-50, -1, 0]) cube([200, 1, 1]);'
[part.rod]
free = true
solid = 'linear_extrude(1) polygon([[0, 0], [{x}, {y}], [{x} + 0.001, {y} + 0.001]]);'
centre = [{cx}, {cy}]
mass = 1
inertia = {inertia}
[contact]
friction = {friction}
"""


def rod(lean: float, friction: float, speed: float, turning: float = 0.0) -> ContactSolution:
    """A thin rod of length 2 and mass 1 whose lower end slides at a speed; ahead of it, for speeds below 0."""
    x, y = 2 * math.cos(lean), 2 * math.sin(lean)
    numbers = {"x": x, "y": y, "cx": x / 2, "cy": y / 2, "inertia": 1 / 3, "g": G}
    text = ROD.format(**numbers, friction=friction)
    return run(text, 1e-3, 1e-4, rates={"rod.x": speed, "rod.angle": turning}, rtol=1e-12)


def normal_force(lean: float, friction: float, speed: float, turning: float) -> tuple[float, float]:
    """What gravity and turning take from the gap, and what a normal force gives it, by its friction.

    P. Painlevé, C. R. Acad. Sci. 121 (1895): with s the way of the slip, m = l = 1 and I = 1/3, the end moves by
    a = N·(1 + 3 cos θ (cos θ + s μ sin θ)) - g + ω² sin θ; N is what makes that 0.
    """
    way = math.copysign(1, speed)
    gives = 1 + 3 * math.cos(lean) * (math.cos(lean) + way * friction * math.sin(lean))
    return G - turning**2 * math.sin(lean), gives


@pytest.mark.parametrize("speed", [-3.0, 3.0])
@pytest.mark.parametrize("friction", [0.0, 0.3, 1.0, 1.3])
@pytest.mark.parametrize("lean", [0.4, 0.9, math.atan(2), 1.3])
def test_a_rod_slides_as_long_as_it_can(lean: float, friction: float, speed: float) -> None:
    """Below the friction 4/3 there is one force for every lean, also where it grows without bound towards that."""
    taken, gives = normal_force(lean, friction, speed, 1.0)
    solution = rod(lean, friction, speed, 1.0)
    assert solution.status == "complete"
    (contact,) = solution.contacts(0)
    way = math.copysign(1, speed)
    assert contact["parts"] == ["rod", "ground"]
    assert contact["force"] == pytest.approx([-way * friction * taken / gives, taken / gives], rel=1e-9)


def test_a_rod_that_can_neither_slide_nor_leave_is_told() -> None:
    """Painlevé's paradox: at tan θ = 2 with friction 1.6 a force would press the end down the harder it pushes."""
    taken, gives = normal_force(math.atan(2), 1.6, -3.0, 0.0)
    assert taken > 0 > gives
    with pytest.raises(NoAnswer, match="does not begin") as caught:
        rod(math.atan(2), 1.6, -3.0)
    assert "friction" in caught.value.why


def test_a_rod_that_may_leave_or_be_pressed_is_told() -> None:
    """Where it turns so fast that it would leave there are two answers; it leaves, and the other is told."""
    taken, gives = normal_force(math.atan(2), 1.6, -3.0, 5.0)
    assert taken < 0 > gives
    solution = rod(math.atan(2), 1.6, -3.0, 5.0)
    assert solution.status == "complete"
    assert [event["kind"] for event in solution.events] == ["painleve"]
    assert solution.events[0]["parts"] == ["rod", "ground"]
    assert not solution.contacts(0)


def critical_leans(friction: float) -> tuple[float, float]:
    """Between which leans a force presses the end on: 1 + 3 cos² θ < 3 μ sin θ cos θ, or tan² θ - 3 μ tan θ + 4 < 0.

    They come together at friction 4/3 and tan θ = 2; below there are none.
    """
    root = math.sqrt(9 * friction**2 - 16)
    return math.atan((3 * friction - root) / 2), math.atan((3 * friction + root) / 2)


@pytest.mark.parametrize("friction", [4 / 3 + 1e-3, 1.4, 1.6, 2.0])
@pytest.mark.parametrize("border", [0, 1])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("faster", [-1, 1])
def test_what_a_rod_does_changes_where_painleve_says(
    friction: float, border: int, side: int, faster: int
) -> None:
    """On either side of the leans between which a force presses, and of the rate √(g/sin θ) at which it would leave."""
    lean = critical_leans(friction)[border] + 1e-4 * side
    turning = math.sqrt(G / math.sin(lean)) * (1 + 1e-4 * faster)
    taken, gives = normal_force(lean, friction, -3.0, turning)
    assert (gives < 0) == ((side > 0) == (border == 0))
    assert (taken < 0) == (faster > 0)
    if gives < 0 < taken:
        with pytest.raises(NoAnswer, match="does not begin"):
            rod(lean, friction, -3.0, turning)
        return
    solution = rod(lean, friction, -3.0, turning)
    assert bool(solution.contacts(0)) == (gives > 0 and taken > 0)
    told = [event for event in solution.events if event["kind"] == "painleve" and event["t"] == 0]
    assert bool(told) == (gives < 0)


@pytest.mark.parametrize("lean", np.linspace(0.05, 1.5, 12).tolist())
def test_below_the_critical_friction_there_is_no_paradox(lean: float) -> None:
    """At 4/3, less a thousandth, every lean has one answer, at rest and turning fast."""
    for turning in (0.0, 2.0, 6.0):
        solution = rod(lean, 4 / 3 - 1e-3, -3.0, turning)
        assert solution.status == "complete"
        assert not [event for event in solution.events if event["kind"] == "painleve"]
        assert bool(solution.contacts(0)) == (normal_force(lean, 4 / 3, -3.0, turning)[0] > 0)


@pytest.mark.parametrize(("friction", "turning"), [(1.4, 0.0), (1.4, 2.0), (1.5, 1.0), (1.6, -1.0)])
def test_a_sliding_rod_leaves_at_the_corner_of_the_paradox(friction: float, turning: float) -> None:
    """It leaves as soon as ω² sin θ = g, before or at the lean behind which a force would press it on.

    So it never comes to where there is no answer, or another one; with friction above 8/(3√3) it leaves just at that
    lean (F. Génot, B. Brogliato, Eur. J. Mech. A 18, 1999).
    """
    lean = critical_leans(friction)[0]
    start = lean - 0.05
    x, y = 2 * math.cos(start), 2 * math.sin(start)
    text = ROD.format(x=x, y=y, cx=x / 2, cy=y / 2, inertia=1 / 3, g=G, friction=friction)
    rates = {"rod.x": -30.0, "rod.angle": turning}
    solution = run(text, 0.1, 1e-4, rates=rates, rtol=1e-10)
    assert solution.status == "complete"
    (left,) = (event["t"] for event in solution.events if event["kind"] == "end")
    row = int(np.searchsorted(solution.times, left))
    leaves = start + solution.columns["rod.angle"][row]
    assert leaves < lean + 1e-3
    assert solution.columns["rod.rate"][row] == pytest.approx(math.sqrt(G / math.sin(leaves)), rel=1e-3)
    if friction > 8 / 3**1.5:
        assert leaves == pytest.approx(lean, abs=1e-3)


BELT = """
linkwork = 1
gravity = [0, -{g}]
[part.belt]
fixed = true
solid = 'translate([-100, -1, 0]) cube([200, 1, 1]);'
[part.block]
free = true
solid = 'translate([-1, 0, 0]) cube([2, 0.5, 1]);'
mass = {mass}
inertia = 1
[force.spring]
type = "force"
at = "block"
force = ["-{stiffness}*(block.x + {start} + {speed}*t)", 0]
[contact]
friction = {friction}
"""


def on_belt(start: float, rate: float, until: float) -> ContactSolution:
    """A block on a belt and on a spring to the world, seen from the belt: it is the world that moves back."""
    text = BELT.format(g=G, mass=MASS, stiffness=STIFFNESS, speed=SPEED, friction=FRICTION, start=start)
    solution = run(text, until, until / 500, rates={"block.x": rate}, rtol=1e-11)
    assert solution.status == "complete", solution.why
    return solution


MASS, STIFFNESS, SPEED, FRICTION = 2.0, 8.0, 0.5, 0.3
OMEGA = math.sqrt(STIFFNESS / MASS)
PULLED = FRICTION * MASS * G / STIFFNESS
"""Where the spring pulls as much as friction can."""


def test_a_block_on_a_belt_sticks_then_swings_about_where_friction_pulls_it() -> None:
    """With one coefficient for stick and slip the swing has the amplitude v/ω, and grazes the speed of the belt."""
    slips = PULLED / SPEED
    solution = on_belt(0.0, 0.0, slips + 1.9 * math.pi / OMEGA)
    place = solution.columns["block.x"] + SPEED * solution.times
    since = solution.times - slips
    expected = np.where(since < 0, SPEED * solution.times, PULLED + SPEED / OMEGA * np.sin(OMEGA * since))
    assert place == pytest.approx(expected, abs=1e-8)
    (slip,) = {round(event["t"], 9) for event in solution.events if event["kind"] == "slip"}
    assert slip == pytest.approx(slips, abs=1e-9)


def test_a_block_that_swings_wider_sticks_for_a_while() -> None:
    """It sticks when it is as fast as the belt, and slips where the spring pulls as much as friction can."""
    wide = 0.7
    ratio = SPEED / (wide * OMEGA)
    sticks = (math.pi + math.asin(ratio)) / OMEGA
    where = PULLED - wide * math.sqrt(1 - ratio**2)
    slips = sticks + (PULLED - where) / SPEED
    solution = on_belt(PULLED + wide, -SPEED, slips + 1)
    times = {
        kind: {round(each["t"], 8) for each in solution.events if each["kind"] == kind}
        for kind in ("stick", "slip")
    }
    assert sorted(times["stick"]) == pytest.approx([sticks], abs=1e-8)
    assert sorted(times["slip"]) == pytest.approx([slips], abs=1e-8)
    place = solution.columns["block.x"] + PULLED + wide + SPEED * solution.times
    after = solution.times > slips
    swing = PULLED + SPEED / OMEGA * np.sin(OMEGA * (solution.times - slips))
    assert place[after] == pytest.approx(swing[after], abs=1e-8)


NIP = """
linkwork = 1
[part.frame]
fixed = true
solid = '''union() {{
  translate([4, -2, 0]) cube([20, 2, 1]);
  translate([-2, -2, -1]) cube([30, 4, 1]);
  translate([0, 0, -1]) cylinder(d=1, h=3);
  translate([-2, -2, 1]) cube([30, 4, 1]);
}}'''
[part.plate]
solid = '''rotate([0, 0, {nip}]) difference() {{
  union() {{ cylinder(d=2, h=1); cube([20, 1, 1]); }}
  translate([0, 0, -1]) cylinder(d=1, h=3);
}}'''
inertia = 10
spring = {{ rest = "-90 deg", stiffness = 5 }}
[part.roller]
free = true
solid = 'translate([{x}, {r}, 0]) cylinder(r={r}, h=1);'
mass = 1
inertia = 0.5
[contact]
friction = {friction}
"""


@pytest.mark.parametrize("friction", [0.1, 0.25, 0.5])
@pytest.mark.parametrize("of_limit", [0.97, 1.03])
def test_a_roller_in_a_nip_is_held_up_to_twice_the_angle_of_friction(
    friction: float, of_limit: float
) -> None:
    """A weightless roller between a floor and a plate that is pressed down: held below the nip 2 atan μ, else shot out.

    Both forces then lie on the line through the places of contact, at half the nip from either normal.
    """
    nip = of_limit * 2 * math.atan(friction)
    radius = 12 * math.tan(nip / 2)
    solution = run(NIP.format(nip=math.degrees(nip), x=12, r=radius, friction=friction), 0.05, 0.005)
    assert solution.status == "complete", solution.why
    moved = solution.columns["roller.x"][-1]
    assert len(solution.contacts(0)) == 2
    assert abs(moved) < 1e-9 if of_limit < 1 else moved > 1e-6


CORNER = """
linkwork = 1
gravity = [{pull}, -10]
[part.corner]
fixed = true
solid = "translate([-8, -1, 0]) cube([12, 1, 1]); translate([3, 0, 0]) cube([1, 12, 1]);"
[part.disc]
free = true
density = 1
solid = "translate([2, 1, 0]) cylinder(r=0.4, h=1);"
[contact]
friction = {friction}
restitution = {restitution}
"""


@pytest.mark.parametrize("friction", [1, 2])
@pytest.mark.parametrize("spin", [-7.0, 3.0, 9.0])
@pytest.mark.parametrize(("pull", "restitution"), [(1.967, 0.3), (2.427, 0.6), (2.14, 0.0)])
def test_a_disc_that_is_pulled_into_a_corner_comes_to_rest_there(
    friction: float, spin: float, pull: float, restitution: float
) -> None:
    """It comes to roll away from the wall by nothing that counts, as if it slipped: no force would answer that."""
    text = CORNER.format(pull=pull, friction=friction, restitution=restitution)
    rates = {"disc.x": 3.0 + spin, "disc.y": 2.0 - 2 * spin, "disc.angle": spin}
    solution = run(text, 6, 0.02, rates=rates)
    assert solution.status == "complete", solution.why
    energy = solution.columns["energy"]
    assert np.diff(energy).max() <= 1e-8 * float(np.ptp(energy))
    assert solution.columns["kinetic"][-1] <= 1e-9 * float(np.ptp(energy))
    angle = solution.columns["disc.angle"][-1]  # columns tell where the origin of the drawing is
    x = solution.columns["disc.x"][-1] + 2 * math.cos(angle) - math.sin(angle)
    assert x == pytest.approx(2.6, abs=1e-6)
