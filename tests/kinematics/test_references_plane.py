"""Closed forms and published numbers for linkages in the plane; the source stands with each."""

from __future__ import annotations

import math

import numpy as np
import pytest
from closeness import close

import linkwork as lw
from machines import Array, four_bar, slider_crank

J, P = lw.joint, lw.Part


@pytest.mark.parametrize(("branch", "coupler", "rocker"), [(1, 20.30, 57.33), (-1, -60.98, -98.01)])
def test_norton_four_bar(branch: int, coupler: float, rocker: float) -> None:
    """Norton, Design of Machinery, example 4-1: d = 100, a = 40, b = 120, c = 80, θ₂ = 40°."""
    at = math.radians(40)
    position = lw.Mechanism(four_bar(100, 40, 120, 80, at=at, branch=branch)).solve({"crank": at})
    assert math.degrees(position["coupler.angle"]) == pytest.approx(coupler, abs=0.006)
    assert math.degrees(position["rocker.angle"]) == pytest.approx(rocker, abs=0.006)


@pytest.mark.parametrize(("branch", "x"), [(1, 126.84), (-1, -86.84)])
def test_norton_slider_crank(branch: int, x: float) -> None:
    """Norton, example 4-2: a = 40, b = 120, offset −20, θ₂ = 60°."""
    at = math.radians(60)
    position = lw.Mechanism(slider_crank(40, 120, -20, at=at, branch=branch)).solve({"drive": at})
    assert position["slider.x"] == pytest.approx(x, abs=0.006)


@pytest.mark.parametrize("branch", [1, -1])
def test_freudenstein_and_the_rates(branch: int) -> None:
    """Freudenstein (1955): K₁cos θ₄ − K₂cos θ₂ + K₃ = cos(θ₂ − θ₄); rates as Norton, eq. 6.18 and 7.12."""
    d, a, b, c = 7.0, 2.0, 6.0, 5.0
    drive = lw.Drive("A", value="0.5 + 2*t + t^2")
    motion = lw.move(four_bar(d, a, b, c, drive=drive, at=0.5, branch=branch), steps=90, until=3)
    two, three, four = motion["crank"], motion["coupler.angle"], motion["rocker.angle"]
    t = motion.times
    w2, a2 = 2 + 2 * t, 2.0
    k1, k2, k3 = d / a, d / c, (a**2 - b**2 + c**2 + d**2) / (2 * a * c)
    close(k1 * np.cos(four) - k2 * np.cos(two) + k3, np.cos(two - four))
    w3 = a * w2 / b * np.sin(four - two) / np.sin(three - four)
    w4 = a * w2 / c * np.sin(two - three) / np.sin(four - three)
    close(motion["coupler.rate"], w3)
    close(motion["rocker.rate"], w4)
    A, B = c * np.sin(four), b * np.sin(three)
    C = a * a2 * np.sin(two) + a * w2**2 * np.cos(two) + b * w3**2 * np.cos(three) - c * w4**2 * np.cos(four)
    D, E = c * np.cos(four), b * np.cos(three)
    G = a * a2 * np.cos(two) - a * w2**2 * np.sin(two) - b * w3**2 * np.sin(three) + c * w4**2 * np.sin(four)
    close(motion["coupler.acceleration"], (C * D - A * G) / (A * E - B * D), 1e-9)
    close(motion["rocker.acceleration"], (C * E - B * G) / (A * E - B * D), 1e-9)


def test_slider_crank_in_closed_form() -> None:
    """x = r·cos θ + √(l² − (e − r·sin θ)²), differentiated by hand at a constant speed."""
    r, length, e, w = 2.0, 5.0, 0.5, 3.0
    motion = lw.move(slider_crank(r, length, e, drive=lw.Drive("A", value="3*t")), steps=60, until=4)
    angle = motion["drive"]
    s, c = np.sin(angle), np.cos(angle)
    h, dh, ddh = e - r * s, -r * c, r * s  # the height between, and its derivatives by θ
    root = np.sqrt(length**2 - h**2)
    droot = -h * dh / root
    ddroot = -(dh**2 + h * ddh + droot**2) / root
    close(motion["slider.x"], r * c + root)
    close(motion["slider.vx"], w * (-r * s + droot))
    close(motion["slider.ax"], w**2 * (-r * c + ddroot), 1e-9)
    close(motion["slide.displacement"], motion["slider.x"])
    close(motion["slider.y"], e)


def quick_return(pin_in_slot: bool, r: float = 1.0, d: float = 2.5, drive: str = "2*t") -> lw.Machine:
    """A crank whose pin slides along a lever pivoted at (−d, 0): by a block, or as a pin in a slot."""
    parts = {
        "ground": P(points={"A": (0, 0), "O": ("-d", 0)}),
        "crank": P(points={"A": (0, 0), "B": ("r", 0)}),
        "lever": P(points={"O": (0, 0)}),
    }
    joints: dict[str, lw.joint.Joint] = {
        "A": J.Revolute(("ground.A", "crank.A")),
        "O": J.Revolute(("ground.O", "lever.O")),
    }
    if pin_in_slot:
        joints["slot"] = J.PointOnLine(("lever", "crank.B"), start="d")
    else:
        parts["block"] = P()
        joints |= {"B": J.Revolute(("crank.B", "block")), "slot": J.Prismatic(("lever", "block"), start="d")}
    return lw.Machine.of(
        "quick-return",
        {"r": r, "d": d},
        parts=parts,
        joints=joints,
        drives={"crank": lw.Drive("A", value=drive)},
    )


@pytest.mark.parametrize("pin_in_slot", [True, False])
@pytest.mark.parametrize(
    ("r", "d"), [(1.0, 2.5), (2.5, 1.0)]
)  # rocking lever; Whitworth's, which turns round
def test_quick_return_with_coriolis(pin_in_slot: bool, r: float, d: float) -> None:
    """z = d + r·e^{iθ}: the lever has the angle arg z, the block stands at |z|; (log z)'' holds Coriolis' term."""
    motion = lw.move(quick_return(pin_in_slot, r, d, "2*t + 0.3*t^2"), steps=80, until=4)
    t = motion.times
    angle, w, alpha = 2 * t + 0.3 * t**2, 2 + 0.6 * t, 0.6
    turn = np.exp(1j * angle)
    z, dz = d + r * turn, 1j * w * r * turn
    ddz = (1j * alpha - w**2) * r * turn
    close(motion["lever.angle"], np.unwrap(np.angle(z)))
    close(motion["lever.rate"], (dz / z).imag)
    close(motion["lever.acceleration"], (ddz / z - (dz / z) ** 2).imag, 1e-9)
    close(motion["slot.displacement"], np.abs(z))
    close(motion["slot.displacement_rate"], np.abs(z) * (dz / z).real)


def test_geneva_drive_while_its_pin_is_in_the_slot() -> None:
    """Four slots: d = r·√2, engaged for |θ| ≤ 45°; tan β = sin θ/(√2 − cos θ) (Shigley & Uicker, ch. 6)."""
    r = 1.0
    machine = quick_return(True, r, r * math.sqrt(2), "pi - pi/4 + t")
    motion = lw.move(machine, steps=40, until=math.pi / 2)
    theta = motion["crank"] - math.pi
    close(np.tan(motion["lever.angle"]), -np.sin(theta) / (math.sqrt(2) - np.cos(theta)))
    top = motion["lever.rate"][20]
    assert abs(top) == pytest.approx(1 / (math.sqrt(2) - 1))  # r/(d − r) in the middle


def intersection(a: Array, ra: float, b: Array, rb: float) -> Array:
    """Where circles about a and b meet, left of the way from a to b."""
    way = b - a
    square = np.sum(way**2, axis=1)[:, None]
    share = (square + ra**2 - rb**2) / (2 * square)
    height = np.sqrt(ra**2 / square - share**2)
    found: Array = a + share * way + height * np.column_stack([-way[:, 1], way[:, 0]])
    return found


def test_jansen_leg_by_circles() -> None:
    """The toe by five intersections of circles (lengths: Jansen, The Great Pretender, 2007)."""
    motion = lw.move(lw.load("jansen-leg"), steps=72)
    v = lw.load("jansen-leg").values()
    angle = motion["crank"]
    b = v["m"] * np.column_stack([np.cos(angle), np.sin(angle)])
    h = np.broadcast_to([-v["a"], -v["l"]], b.shape)
    upper = intersection(h, v["b"], b, v["j"])  # C above HB
    lower = intersection(b, v["k"], h, v["c"])  # E below
    d = intersection(h, v["d"], upper, v["e"])  # D behind HC
    f = intersection(lower, v["g"], d, v["f"])
    toe = intersection(lower, v["i"], f, v["h"])
    close(motion["shin.T.x"], toe[:, 0], 1e-9)
    close(motion["shin.T.y"], toe[:, 1], 1e-9)


def test_peaucellier_draws_a_straight_line() -> None:
    """Peaucellier (1864): the traced point has a constant coordinate all along."""
    motion = lw.move(lw.load("peaucellier"), steps=40)
    traced = lw.load("peaucellier").view.traces[0]
    spread = min(float(np.ptp(motion[f"{traced}.x"])), float(np.ptp(motion[f"{traced}.y"])))
    assert motion.status == "complete"
    assert spread < 1e-9
