"""Impacts against published problems and closed forms: rods, discs, rows of balls, Kane's double pendulum."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from test_closed_forms import TABLE, G
from test_linkage_stops import Link, Linkage

from linkwork.contact import ContactSolution, simulate
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text


def thrown(
    solid: str, rates: dict[str, float], until: float, lean: float = 0.0, weight: float = G, **law: float
) -> ContactSolution:
    """A body of density 1 on or above a table that may lean."""
    constants = {"friction": 0.0, "restitution": 0.0} | law
    down = {"gx": weight * math.sin(lean), "gy": -weight * math.cos(lean)}
    machine = machine_from_text(TABLE.format(solid=solid, **down, **constants), "m.toml", "m")
    found = simulate(machine, until, step=until / 400, contact="rigid", rates=rates, rtol=1e-11)
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


@pytest.mark.parametrize(("lean", "friction", "speed"), [(0.0, 0.3, 4.0), (0.2, 0.3, 5.0), (0.4, 0.2, 3.0)])
def test_a_disc_that_is_pushed_down_a_slope_slides_then_rolls(
    lean: float, friction: float, speed: float
) -> None:
    """Its slip v + g t (sin - 3 μ cos) ends if μ > tan/3; from then on it rolls with 2/3 of g sin."""
    found = thrown(
        "translate([0, 1, -1]) cylinder(r=1, h=2);", {"body.x": speed}, 4.0, lean, friction=friction
    )
    sine, cosine = math.sin(lean), math.cos(lean)
    rolls = speed / (G * (3 * friction * cosine - sine))
    (stick,) = [event["t"] for event in found.events if event["kind"] == "stick"]
    assert stick == pytest.approx(rolls, abs=1e-9)
    slides = speed + G * (sine - friction * cosine) * found.times
    at_stick = speed + G * (sine - friction * cosine) * rolls
    rolling = at_stick + 2 / 3 * G * sine * (found.times - rolls)
    spin = found.columns["body.rate"]
    # the column is of the drawing's origin, a radius below the middle where it begins
    angle = found.columns["body.angle"]
    middle = found.columns["body.vx"] - spin * np.cos(angle)
    assert middle == pytest.approx(np.where(found.times < rolls, slides, rolling), abs=1e-7)


@pytest.mark.parametrize(("friction", "restitution"), [(0.1, 0.6), (0.3, 0.0), (2.0, 0.0), (2.0, 0.7)])
def test_a_spinning_disc_that_strikes_the_table_slides_or_grips(friction: float, restitution: float) -> None:
    """Its slip v + r ω loses three times what friction gives the middle: μ (1 + e) of the fall, or till it grips."""
    fall, along, spin = 3.0, 2.0, 1.5
    found = thrown(
        "translate([0, 1.5, -1]) cylinder(r=1, h=2);",
        {"body.x": along + 1.5 * spin, "body.y": -fall, "body.angle": spin},
        0.25,
        weight=1e-9,
        friction=friction,
        restitution=restitution,
    )
    slip = along + spin
    change = min(friction * (1 + restitution) * fall, slip / 3)
    assert found.columns["body.rate"][-1] == pytest.approx(spin - 2 * change, abs=1e-6)
    (impact,) = [event for event in found.events if event["kind"] == "impact"]
    assert abs(impact["tangential"]) == pytest.approx(math.pi * 2 * change, rel=1e-6)
    assert impact["impulse"] == pytest.approx(math.pi * 2 * (1 + restitution) * fall, rel=1e-6)


ROD = """
linkwork = 1
[part.table]
fixed = true
solid = 'translate([-50, -1, 0]) cube([200, 1, 1]);'
[part.rod]
free = true
solid = 'linear_extrude(1) polygon([[0, 0.1], [{x}, {y} + 0.1], [{x} + 0.001, {y} + 0.101]]);'
centre = ["{x}/2", "{y}/2 + 0.1"]
mass = 1
inertia = {inertia}
[contact]
friction = {friction}
restitution = {restitution}
"""


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("friction", [0.0, 5.0])
@pytest.mark.parametrize("lean", [0.3, 0.8, 1.2])
def test_a_rod_that_falls_on_its_end(lean: float, friction: float, restitution: float) -> None:
    """Half-length 1, mass 1, moment 1/3, speed v (D. E. Stewart, SIAM Review 42, 2000).

    Smooth, the impulse is v (1 + e)/(1 + 3 cos²θ). Where the end grips it turns about it: m l² + I = 4/3, so that it
    turns with 3/4 v cos θ from the first half of the impact, and the second gives back a share of its normal impulse.
    """
    speed, c, s = 2.0, math.cos(lean), math.sin(lean)
    text = ROD.format(x=2 * c, y=2 * s, inertia=1 / 3, friction=friction, restitution=restitution)
    machine = machine_from_text(text, "m.toml", "m")
    found = simulate(machine, 0.06, step=0.001, contact="rigid", rates={"rod.y": -speed})
    assert isinstance(found, ContactSolution)
    (impact,) = [event for event in found.events if event["kind"] == "impact"]
    if not friction:
        assert impact["impulse"] == pytest.approx(speed * (1 + restitution) / (1 + 3 * c**2), rel=1e-9)
    else:  # across the rod the end's impulse turns it, along it it stops the middle
        turned = 0.75 * speed * c
        normal = speed - turned * c
        assert impact["impulse"] == pytest.approx((1 + restitution) * normal, rel=1e-6)
        if not restitution:
            assert abs(found.columns["rod.rate"][-1]) == pytest.approx(turned, rel=1e-6)
    assert impact["lost"] >= 0


def balls(masses: list[float], restitution: float) -> ContactSolution:
    """Balls in a row with gaps, of which the first flies at the others."""
    text = "linkwork = 1\n[part.wall]\nfixed = true\nsolid = 'translate([-50, -21, -1]) cube([100, 1, 2]);'\n"
    for k, mass in enumerate(masses):
        text += f"[part.b{k}]\nfree = true\nmass = {mass}\ninertia = 1\n"
        text += f"solid = 'translate([{2.1 * k}, 0, -1]) cylinder(r=1, h=2);'\n"
    text += f"[contact]\nrestitution = {restitution}\n"
    found = simulate(machine_from_text(text, "m.toml", "m"), 3.0, contact="rigid", rates={"b0.x": 1.0})
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


@pytest.mark.parametrize("restitution", [0.3, 0.7, 1.0])
@pytest.mark.parametrize("masses", [[1.0] * 5, [1.0, 2.0, 4.0], [8.0, 4.0, 2.0, 1.0], [1.0, 0.2, 3.0]])
def test_a_row_of_balls_hands_on_what_its_masses_say(masses: list[float], restitution: float) -> None:
    """Ch. Huygens' row: m (1 + e)/(m + M) of the speed goes from ball to ball, in the first round of impacts."""
    found = balls(masses, restitution)
    speed = 1.0
    firsts = [
        next(e for e in found.events if e["kind"] == "impact" and e["parts"] == [f"b{k}", f"b{k + 1}"])
        for k in range(len(masses) - 1)
    ]
    for event, (own, other) in zip(firsts, pairwise(masses), strict=True):
        assert event["approach"] == pytest.approx(speed, abs=1e-9)
        speed *= own * (1 + restitution) / (own + other)
    momentum = sum(mass * found.columns[f"b{k}.vx"][-1] for k, mass in enumerate(masses))
    assert momentum == pytest.approx(masses[0], abs=1e-9)


def double_pendulum(
    first: float, second: float, rates: tuple[float, float], law: tuple[float, float]
) -> Linkage:
    """Two rods of length 4 whose free end is a little above a floor."""
    a = (0.0, 0.0)
    b = (4 * math.sin(first), -4 * math.cos(first))
    c = (b[0] + 4 * math.sin(second), b[1] - 4 * math.cos(second))
    links = {
        "upper": Link((a, b), 0, (False, True), 1.0, 16 / 12, (b[0] / 2, b[1] / 2)),
        "lower": Link((b, c), 1, (False, True), 1.0, 16 / 12, ((b[0] + c[0]) / 2, (b[1] + c[1]) / 2)),
    }
    floor = f"translate([-9, {c[1] - 2.52}, 2]) cube([30, 2, 2]);"
    joints = (("ground", "upper", a), ("upper", "lower", b))
    away = ((-20.0, -20.0), 0.3, 0)
    return Linkage(
        links, joints, away, {"upper.angle": rates[0], "lower.angle": rates[1]}, (), floor, law[0], law[1]
    )


def by_newton(linkage: Linkage, before: ContactSolution, at: Matrix) -> float:
    """What of the energy Newton's law of restitution would keep if the end slips all the way."""
    held, v = linkage.constraints(before), linkage.velocities(before)
    mass = np.array([[link.mass, link.mass, link.inertia] for link in linkage.links.values()]).ravel()
    slip, opens = linkage.moves(before, "lower", at)
    push = opens - math.copysign(linkage.friction, slip @ v) * slip
    across = np.array([*held, opens])
    gives = np.column_stack([held.T, push]) / mass[:, None]
    target = np.array([*np.zeros(len(held)), -linkage.restitution * (opens @ v)]) - across @ v
    after = v + gives @ np.linalg.solve(across @ gives, target)
    return float((mass * after) @ after / ((mass * v) @ v))


@pytest.mark.parametrize(
    ("angles", "rates", "friction"),
    [
        ((0.45, -0.4), (-1.46, 1.28), 0.3),
        ((0.86, -0.63), (-1.35, 1.5), 0.5),
        ((-0.24, -0.16), (0.69, 1.14), 0.7),
    ],
)
def test_kanes_pendulum_makes_no_energy(
    angles: tuple[float, float], rates: tuple[float, float], friction: float
) -> None:
    """T. R. Kane, D. A. Levinson, Dynamics (1985), p. 348: where Newton's law makes energy, Poisson's loses some."""
    linkage = double_pendulum(*angles, rates, (0.5, friction))
    event = next(each for each in linkage.run(0.2).events if each["kind"] == "impact")
    before, behind = (linkage.run(event["t"] + way * 1e-6) for way in (-1, 1))
    assert by_newton(linkage, before, np.array(event["point"])) > 1.05
    energies = [float(each.columns["kinetic"][-1]) for each in (before, behind)]
    assert energies[1] < energies[0]
    assert event["lost"] == pytest.approx(energies[0] - energies[1], rel=1e-4)
