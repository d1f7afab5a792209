"""Cones in space: they roll, spin, and are rolled on and struck, against closed forms and plain geometry."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.contact.boundary import Boundary
from linkwork.model import Machine
from linkwork.model.read import machine_from_text
from linkwork.model.solids import part_solids

GRAVITY = 10.0
TABLE = "translate([-60, -40, -1]) cube([120, 90, 1]);"
HEIGHT = 2.0
HALF = math.radians(20)
WIDE = HEIGHT * math.tan(HALF)
TOP = f"cylinder(r1=0, r2={WIDE}, h={HEIGHT});"
"""A cone that stands on its apex."""


def machine(solids: dict[str, str], gravity: tuple[float, float, float]) -> Machine:
    """The first part stands still, all others are free."""
    text = f"linkwork = 1\ngravity = [{', '.join(map(str, gravity))}]\n"
    for place, (name, solid) in enumerate(solids.items()):
        kind = "free = true\ndensity = 1" if place else "fixed = true"
        text += f"[part.{name}]\n{kind}\nsolid = '''{solid}'''\n"
    return machine_from_text(text, "cones.toml", "cones")


def run(solids: dict[str, str], until: float, friction: float = 0.0, **how: Any) -> ContactSolution:
    """A run that comes to its end and never gains energy."""
    gravity = how.pop("gravity", (0.0, 0.0, -GRAVITY))
    laws = Laws(Law(friction, how.pop("restitution", 0.0)))
    found = simulate(machine(solids, gravity), until, contact="rigid", laws=laws, **how)
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    energy = found.columns["energy"]
    size = float(np.abs(found.columns["kinetic"]).max() + np.abs(found.columns["potential"]).max())
    assert np.diff(energy).max() <= 1e-8 * size
    return found


def axis_of(found: ContactSolution, part: str, before: np.ndarray) -> np.ndarray:
    """Where a direction of a part looks in each row."""
    w, x, y, z = (found.columns[f"{part}.q{k}"] for k in range(4))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return np.asarray(np.einsum("ijr,j->ri", turn, before))


def test_a_cone_rolls_to_and_fro_on_a_slope_as_a_pendulum() -> None:
    """Landau and Lifshitz I, par. 32: with the angle a of its line of contact its kinetic energy is
    3 m h² (1 + 5 cos² alpha) a'²/40, so a'' = -5 g sin(slope) cos(alpha) sin(a) / (h (1 + 5 cos² alpha)).
    """
    slope, start, until = 0.2, 0.3, 3.0
    lying = f"rotate([0, 0, {math.degrees(start)}]) rotate([0, {90 - math.degrees(HALF)}, 0]) {TOP}"
    gravity = (GRAVITY * math.sin(slope), 0.0, -GRAVITY * math.cos(slope))
    found = run({"table": TABLE, "cone": lying}, until, friction=1.5, gravity=gravity)
    pull = 5 * GRAVITY * math.sin(slope) * math.cos(HALF) / (HEIGHT * (1 + 5 * math.cos(HALF) ** 2))
    wanted = solve_ivp(
        lambda _, a: [a[1], -pull * math.sin(a[0])], (0, until), [start, 0.0], rtol=1e-11, atol=1e-12
    )
    before = np.array([math.cos(HALF) * math.cos(start), math.cos(HALF) * math.sin(start), math.sin(HALF)])
    axis = axis_of(found, "cone", before)
    assert np.abs(axis[:, 2] - math.sin(HALF)).max() < 1e-8
    assert math.atan2(axis[-1, 1], axis[-1, 0]) == pytest.approx(wanted.y[0, -1], abs=1e-6)


@pytest.mark.parametrize("friction", [0.0, 1.0])
def test_a_top_goes_round_steadily(friction: float) -> None:
    """Steady precession: m g l = W (I3 w3 - I W cos a) with W the rate of going round.

    I is that about the apex where this is held by friction, and that about the centre of mass where it slides.
    """
    lean, rounds = 0.4, 3.0
    centre = 0.75 * HEIGHT
    mass = math.pi * WIDE**2 * HEIGHT / 3
    along, across = 0.3 * mass * WIDE**2, mass * (0.15 * WIDE**2 + 3 / 80 * HEIGHT**2)
    inertia = across + (mass * centre**2 if friction else 0.0)
    spin = (mass * GRAVITY * centre / rounds + inertia * rounds * math.cos(lean)) / along
    axis = np.array([0.0, -math.sin(lean), math.cos(lean)])
    turning = rounds * np.array([0.0, 0.0, 1.0]) + (spin - rounds * math.cos(lean)) * axis
    rates = {f"top.q{k + 1}": float(each) / 2 for k, each in enumerate(turning)}
    if not friction:  # the apex goes round the centre of mass
        moving = np.cross(turning, -centre * axis)
        rates |= {"top.x": float(moving[0]), "top.y": float(moving[1])}
    found = run(
        {"table": TABLE, "top": f"rotate([{math.degrees(lean)}, 0, 0]) {TOP}"}, 3, friction, rates=rates
    )
    seen = axis_of(found, "top", axis)
    assert np.abs(seen[:, 2] - math.cos(lean)).max() < 1e-6
    wanted = -math.pi / 2 + rounds * found.columns["time"]
    off = np.angle(np.exp(1j * (np.arctan2(seen[:, 1], seen[:, 0]) - wanted)))
    assert np.abs(off).max() < 1e-5


def test_a_ball_slides_down_the_side_of_a_cone() -> None:
    """It falls on the side, keeps what goes along it, and slides as on a slope."""
    steep = math.radians(60)  # of the side
    cone = f"cylinder(r1=4, r2=0, h={4 * math.tan(steep)});"
    # the centre is 0.3 from the side, then lifted by a unit
    height = (4 - 2) * math.tan(steep) + 0.3 / math.cos(steep)
    found = run({"cone": cone, "ball": f"translate([2, 0, {height + 1}]) sphere(r=0.3);"}, 0.7)
    event = next(each for each in found.events if each["kind"] == "impact")
    assert event["features"] == ["ball", "side"]
    assert event["t"] == pytest.approx(math.sqrt(2 / GRAVITY), abs=1e-10)
    assert event["normal"] == pytest.approx([math.sin(steep), 0, math.cos(steep)], abs=1e-9)
    time = 0.7 - event["t"]
    way = GRAVITY * event["t"] * math.sin(steep) * time + GRAVITY * math.sin(steep) * time**2 / 2
    assert found.columns["ball.x"][-1] == pytest.approx(way * math.cos(steep), abs=1e-8)
    assert found.columns["ball.z"][-1] == pytest.approx(-1 - way * math.sin(steep), abs=1e-8)


def test_a_ball_goes_round_in_a_funnel() -> None:
    """On a circle of radius R without friction: v² = g R / tan(half the angle)."""
    half, radius, ball = math.radians(35), 2.0, 0.4
    funnel = (
        f"difference() {{ translate([-6, -6, 0]) cube([12, 12, 6]); translate([0, 0, 0.5]) "
        f"cylinder(r1={0.1 * math.tan(half)}, r2={6.1 * math.tan(half)}, h=6); }}"
    )
    # the centre of the ball: its distance from the side is its radius
    height = 0.4 + (radius * math.cos(half) + ball) / math.sin(half)
    speed = math.sqrt(GRAVITY * radius / math.tan(half))
    found = run(
        {"funnel": funnel, "ball": f"translate([{radius}, 0, {height}]) sphere(r={ball});"},
        2,
        rates={"ball.y": speed},
    )
    turned = speed / radius * found.columns["time"]
    assert np.abs(found.columns["ball.z"]).max() < 1e-7
    assert np.abs(found.columns["ball.x"] - radius * (np.cos(turned) - 1)).max() < 1e-6


@pytest.mark.parametrize(
    "solid",
    [
        "rotate([20, 70, 10]) cylinder(r=0.3, h=4, center=true);",
        "rotate([10, 25, 0]) cylinder(r=1, h=0.2, center=true);",
        "rotate([30, 40, 10]) cube([1.5, 1, 0.6], center=true);",
        "rotate([160, 10, 0]) cylinder(r1=0.6, r2=0, h=1);",
        "sphere(r=0.5);",
    ],
)
@pytest.mark.parametrize("aside", [0.05, 0.4, 1.3])
def test_what_falls_on_a_cone_touches_it_where_both_surfaces_are(solid: str, aside: float) -> None:
    """The place of an impact lies on both surfaces, the normal is across the cone's, and nothing goes into it."""
    cone = "cylinder(r1=3, r2=0.2, h=3);"
    solids = {"cone": cone, "falls": f"translate([{aside}, 0.2, 6]) {solid}"}
    found = run(solids, 1.0, restitution=0.7)
    event = next(each for each in found.events if each["kind"] == "impact")
    parts = part_solids(machine(solids, (0.0, 0.0, -GRAVITY)))
    drop = np.array([0.0, 0.0, GRAVITY * event["t"] ** 2 / 2])
    for name, moved in (("cone", 0 * drop), ("falls", drop)):
        boundary = Boundary.of(parts[name])
        assert boundary.value(np.array([event["point"]]) + moved)[0] == pytest.approx(0, abs=1e-8)
        across = np.array(event["normal"]) * (1 if name == "cone" else -1)
        beside = np.array(event["point"]) + moved + 1e-3 * across
        assert boundary.value(beside[None])[0] > 0


def test_a_cone_on_a_cylinder_has_no_rim_between_but_its_apex() -> None:
    solid = "union() { cylinder(r=1, h=1); translate([0, 0, 1]) cylinder(r1=1, r2=0, h=2); }"
    found = run({"table": TABLE, "part": f"translate([0, 0, 4]) rotate([180, 0, 0]) {solid}"}, 0.6)
    event = next(each for each in found.events if each["kind"] == "impact")
    assert event["features"] == ["corner", "face"]
    assert event["t"] == pytest.approx(math.sqrt(2 / GRAVITY), abs=1e-10)
