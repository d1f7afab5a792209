"""Laws of elastic contacts: one contact against an ordinary integration, energy, mirrors, scales, limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from overlaps import CHORD, deepest_overlap
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.contact.laws import RestitutionWarning, restitution_unused
from linkwork.errors import UsageError
from linkwork.model import Machine
from linkwork.model.read import machine_from_text
from linkwork.model.solids import part_solids

GRAVITY = 9.81
MASS = 0.5


def fallen(
    thing: str, *, floor: str = "translate([-50, -5, -1]) cube([100, 5, 2]);", tilt: float = 0.0
) -> Machine:
    """A thing of half a unit of mass above a floor, in a field of gravity that may be tilted."""
    gx, gy = -GRAVITY * math.sin(tilt), -GRAVITY * math.cos(tilt)
    return machine_from_text(
        f"""linkwork = 1
gravity = [{gx!r}, {gy!r}]
[part.floor]
fixed = true
solid = '{floor}'
[part.thing]
free = true
solid = '{thing}'
mass = {MASS}
""",
        "fallen.toml",
        "fallen",
    )


FRAME = (
    "translate([-4, -4, -2]) cube([8, 14, 1]); translate([0, 0, -2]) cylinder(d=1, h=3);"
    " translate([0, 5, -2]) cylinder(d=1, h=3);"
)
WHEEL = (
    "difference() { union() { cylinder(r=2, h=1); for (k=[0:7]) rotate(45*k) translate([-0.2, 1.5, 0])"
    " cube([0.4, 1.5, 1]); } cylinder(d=1, h=1); }"
)
PAWL = (
    "difference() { union() { translate([0, 5, 0]) cylinder(r=1, h=1);"
    " translate([0.3, 2.6, 0]) rotate(-10) cube([0.4, 2.4, 1]); } translate([0, 5, 0]) cylinder(d=1, h=1); }"
)
BALL = "translate([0, 1.5, -1]) cylinder(r=0.5, h=2);"
BLOCK = "translate([-0.5, 0.1, -1]) cube([1, 1, 2]);"


def moved(machine: Machine, until: float, law: Law | None = None, **how: float) -> ContactSolution:
    found = simulate(machine, until, contact="elastic", laws=Laws(law or Law()), **how)  # type: ignore[arg-type]
    assert isinstance(found, ContactSolution)
    return found


def height_of_ball(law: Law, times: np.ndarray) -> np.ndarray:
    """The height of the ball over its first by the force law, integrated by SciPy from phase to phase."""

    def force(depth: float, rate: float) -> float:
        stiff = law.stiffness + law.damping * law.pressing * rate
        return depth * stiff if depth > 0 and stiff > 0 else 0.0

    def rate(_: float, y: np.ndarray) -> list[float]:
        return [y[1], -GRAVITY + force(-1.0 - y[0], -y[1]) / MASS]

    def touches(_: float, y: np.ndarray) -> float:
        return float(y[0] + 1.0)

    found = np.zeros(len(times))
    state, now, way = np.zeros(2), 0.0, -1.0
    touches.terminal = True  # type: ignore[attr-defined]
    while now < times[-1]:
        touches.direction = way  # type: ignore[attr-defined]
        ran = solve_ivp(
            rate, (now, times[-1]), state, "DOP853", rtol=1e-12, atol=1e-14, events=touches, dense_output=True
        )
        inside = (times >= now) & (times <= ran.t[-1])
        if np.any(inside):
            found[inside] = ran.sol(times[inside])[0]
        now, state, way = ran.t[-1], ran.y[:, -1], -way
    return found


@pytest.mark.parametrize("law", [Law(damping=0.0), Law(damping=20.0), Law()])
def test_a_ball_bounces_as_the_force_says(law: Law) -> None:
    solution = moved(fallen(BALL), 2.0, law, step=0.01, rtol=1e-11)
    assert solution.columns["thing.y"] == pytest.approx(height_of_ball(law, solution.times), abs=2e-8)


def test_without_damping_energy_stays() -> None:
    solution = moved(fallen(BALL), 5.0, Law(damping=0.0))
    energy = solution.columns["energy"]
    assert np.ptp(energy) <= 5e-7 * energy[0]
    assert solution.columns["lost"][-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("thing", [BALL, BLOCK])
@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_what_is_lost_is_what_contacts_took(thing: str, friction: float) -> None:
    solution = moved(fallen(thing, tilt=0.3), 1.0, Law(friction=friction, damping=100.0))
    energy, lost = solution.columns["energy"], solution.columns["lost"]
    assert lost[-1] > 1e-2
    assert energy + lost == pytest.approx(energy[0] + np.zeros(len(energy)), abs=2e-6 * lost[-1])
    assert np.min(np.diff(lost)) >= -1e-9 * lost[-1]


def test_a_block_creeps_on_a_slope_that_it_would_stick_to_and_slides_on_a_steeper_one() -> None:
    slope = 0.2
    on_it = fallen(BLOCK.replace("0.1, -1", "0, -1"), tilt=slope)
    stuck = moved(on_it, 2.0, Law(friction=0.5))
    assert abs(stuck.columns["thing.x"][-1]) < 1e-3
    slid = moved(on_it, 2.0, Law(friction=0.1))
    pull = GRAVITY * (math.sin(slope) - 0.1 * math.cos(slope))
    assert slid.columns["thing.x"][-1] == pytest.approx(-0.5 * pull * 4, rel=2e-3)


def test_a_tighter_tolerance_is_nearer() -> None:
    machine = lw.load("escapement")
    fine, *coarse = (
        simulate(machine, 4.0, contact="elastic", rtol=rtol).columns["bwheel.angle"]
        for rtol in (1e-12, 1e-5, 1e-7, 1e-9)
    )
    errors = [float(np.max(np.abs(each - fine))) for each in coarse]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-6


def test_a_stiffer_contact_is_nearer_to_a_rigid_one() -> None:
    machine = lw.load("ratchet-cw")
    rigid = simulate(machine, 20.0, contact="rigid").columns["wheel.angle"][-1]
    ways = [
        abs(moved(machine, 20.0, Law(stiffness=stiffness)).columns["wheel.angle"][-1] - rigid)
        for stiffness in (1e4, 1e5, 1e6)
    ]
    assert ways[0] > 5 * ways[1] > 25 * ways[2]


def clock(*, way: float = 1.0, scale: float = 1.0) -> Machine:
    """A ratchet wheel that a spring turns under a pawl; in a mirror, or larger."""

    def placed(solid: str) -> str:
        return f"scale({scale}) mirror([{1 - way}, 0, 0]) {{ {solid} }}"

    return machine_from_text(
        f"""linkwork = 1
[part.frame]
fixed = true
solid = '{placed(FRAME)}'
[part.wheel]
solid = '{placed(WHEEL)}'
inertia = {2 * scale**2}
friction = {0.5 * scale**2}
spring = {{ rest = {-way * 8}, stiffness = {4 * scale**2} }}
[part.pawl]
solid = '{placed(PAWL)}'
inertia = {0.3 * scale**2}
friction = {0.2 * scale**2}
spring = {{ rest = {way * 0.5}, stiffness = {3 * scale**2} }}
""",
        "clock.toml",
        "clock",
    )


def test_a_mirrored_machine_moves_in_the_mirror() -> None:
    one, other = (moved(clock(way=way), 5.0, Law(friction=0.2)) for way in (1.0, -1.0))
    for name in ("wheel.angle", "pawl.angle"):
        assert other.columns[name] == pytest.approx(-one.columns[name], abs=1e-6)
    assert np.ptp(one.columns["wheel.angle"]) > 3


def test_a_larger_machine_moves_alike() -> None:
    """Lengths by s, masses as they are: moments of inertia, friction and springs by s^2, contact forces alike by s.

    So is the force of a depth that is s times as large if D M, which multiplies a depth and a speed, is by 1/s.
    """
    small, large = clock(), clock(scale=10.0)
    one = moved(small, 5.0, Law(friction=0.2))
    other = moved(large, 5.0, Law(friction=0.2, pressing=10.0))
    for name in ("wheel.angle", "pawl.angle"):
        assert other.columns[name] == pytest.approx(one.columns[name], abs=1e-6)


def test_thin_walls_hold_and_what_is_pressed_through_is_named() -> None:
    wall = "translate([-50, -0.01, -1]) cube([100, 0.01, 2]);"
    ball = fallen(BALL, floor=wall)
    held = moved(ball, 1.0, Law(pressing=1e6), rates={"thing.y": -1e4})  # type: ignore[arg-type]
    assert held.status == "complete"
    assert np.min(held.columns["thing.y"]) > -1.01
    through = moved(ball, 1.0, Law(damping=0.0), rates={"thing.y": -1e6})  # type: ignore[arg-type]
    assert through.status == "stopped"
    assert "thing and ground were pressed through each other" in through.why


@pytest.mark.parametrize(
    "law", [Law(stiffness=1e30, damping=0.0), Law(stiffness=1e300), Law(damping=1e300), Law(pressing=1e40)]
)
def test_contacts_too_stiff_are_told_not_waited_for(law: Law) -> None:
    solution = moved(fallen(BALL), 2.0, law)
    assert solution.status == "stopped"
    assert "the contacts of thing and ground are too stiff" in solution.why
    assert "at t = 0.45" in solution.why  # when it has fallen by 1


@pytest.mark.parametrize("value", [-1.0, 0.0, math.nan, math.inf])
def test_stiffness_must_be_above_0(value: float) -> None:
    with pytest.raises(UsageError, match="the stiffness of a contact"):
        Law(stiffness=value)


@pytest.mark.parametrize(
    ("name", "until"),
    [("escapement", 20.0), ("big-tooth", 40.0), ("ratchet-ccw", 20.0), ("geneva-drive", 5.0)],
)
def test_nothing_is_deeper_than_is_told(name: str, until: float) -> None:
    solution = simulate(lw.load(name), until, step=until / 1000, contact="elastic")
    assert isinstance(solution, ContactSolution)
    rows = range(0, 1001, 25)
    boxes = np.array([solid.box for solid in part_solids(solution.machine).values()])
    size = float(np.linalg.norm(np.ptp(boxes.reshape(-1, 3), axis=0)[:2]) / 2)
    deepest, where = deepest_overlap(solution, rows)
    assert deepest * size <= np.max(solution.columns["depth"][rows]) + CHORD * size, where


def test_what_a_drive_jams_is_named() -> None:
    """A driven arm, a block, a stop: nothing gives way but the overlaps."""
    text = '''
    linkwork = 1
    dimension = 2
    [part.frame]
    fixed = true
    solid = """union() {
        cylinder(r=0.5, h=4);
        translate([3, 3, 0]) cube([4, 1, 3]);
        translate([-6, -6, -1]) cube([12, 12, 1]);
    }"""
    [part.arm]
    density = 1
    solid = "difference() { translate([-1, -1, 2]) cube([8, 2, 1]); translate([0, 0, 1]) cylinder(r=0.5, h=3); }"
    [part.block]
    free = true
    density = 1
    solid = "translate([4.5, 1.5, 2]) cube([1, 1, 1]);"
    [drive.motor]
    of = "arm.angle"
    rate = 1
    range = [0, 3]
    '''
    found = simulate(machine_from_text(text, "jam.toml", "jam"), 3, contact="elastic")
    assert found.status == "stopped"
    assert "are jammed: a drive or a force presses them" in found.why
    assert "arm" in found.why or "block" in found.why


def test_restitution_of_elastic_parts_is_said_not_to_count() -> None:
    """With what does count: the constants from which losses follow."""
    machine = lw.load("escapement")
    with pytest.warns(
        RestitutionWarning, match="restitution = 0.5 does not count.*damping = 20000 and pressing"
    ):
        lw.simulate(machine, until=0.1, contact="elastic", laws=Laws(Law(restitution=0.5, damping=2e4)))
    assert restitution_unused(Laws(Law(friction=0.5))) == ""
    of_pair = Laws(Law(), {frozenset(("a", "b")): {"restitution": 0.25}})
    assert restitution_unused(of_pair).startswith("restitution = 0.25 of a.b does not count")
