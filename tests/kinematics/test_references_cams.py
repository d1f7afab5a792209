"""Closed forms and published numbers for cams, curves and prescribed coordinates; the source stands with each."""

from __future__ import annotations

import math

import numpy as np
import pytest
from closeness import close

import linkwork as lw

J, P, F = lw.joint, lw.Part, lw.Pose

ECCENTRIC = "e*cos(angle) + sqrt(R^2 - e^2*sin(angle)^2)"


def cam(follower: str, roller: float = 0.0) -> lw.Machine:
    """An eccentric circle as a cam, under a follower that slides along y."""
    return lw.Machine.of(
        "cam",
        {"e": 0.6, "R": 2, "rho": roller},
        parts={"cam": P(), "follower": P(start=F(at=(0, 2 + roller)))},
        frames={"rail": lw.Frame(turn="90 deg"), "foot": lw.Frame(on="follower", turn="90 deg")},
        joints={
            "A": J.Revolute(("ground", "cam")),
            "slide": J.Prismatic(("rail", "foot"), start="R + rho"),
            "touch": J.Cam(("cam", "follower"), follower=follower, profile=ECCENTRIC, radius="rho"),
        },
        drives={"cam": lw.Drive("A", value="2*t")},
    )


def test_flat_follower_on_an_eccentric_circle() -> None:
    """The face is tangent to the circle: y = R + e·sin θ, a pure sine (Norton, ch. 8)."""
    motion = lw.move(cam("flat"), steps=60, until=2 * math.pi)
    theta = motion["cam"]
    close(motion["follower.y"], 2 + 0.6 * np.sin(theta))
    close(motion["follower.vy"], 1.2 * np.cos(theta))
    close(motion["follower.ay"], -2.4 * np.sin(theta), 1e-9)


@pytest.mark.parametrize(("follower", "roller"), [("roller", 0.5), ("point", 0.0)])
def test_roller_on_an_eccentric_circle_is_a_slider_crank(follower: str, roller: float) -> None:
    """The roller's centre keeps the distance R + ρ from the circle's: y = e·sin θ + √((R+ρ)² − e²cos² θ)."""
    motion = lw.move(cam(follower, roller), steps=60, until=2 * math.pi)
    theta = motion["cam"]
    s, c = np.sin(theta), np.cos(theta)
    root = np.sqrt((2 + roller) ** 2 - 0.36 * c**2)
    close(motion["follower.y"], 0.6 * s + root)
    close(motion["follower.vy"], 2 * (0.6 * c + 0.36 * s * c / root))


def test_cam_by_its_law_of_lift() -> None:
    """s = lift(θ); v = lift'·ω; a = lift''·ω²."""
    machine = lw.Machine.of(
        "lift",
        parts={"cam": P(), "rod": P()},
        joints={
            "A": J.Revolute(("ground", "cam")),
            "slide": J.Prismatic(("ground", "rod")),
            "law": J.Cam(axles=("A", "slide"), lift="2 + 0.5*cos(3*angle)"),
        },
        drives={"cam": lw.Drive("A", value="2*t")},
    )
    motion = lw.move(machine, steps=30, until=3)
    theta = motion["cam"]
    close(motion["rod.x"], 2 + 0.5 * np.cos(3 * theta))
    close(motion["rod.vx"], -3 * np.sin(3 * theta))
    close(motion["rod.ax"], -18 * np.cos(3 * theta))


@pytest.mark.parametrize("by", ["curve", "level", "slides"])
def test_ellipse_and_trammel(by: str) -> None:
    """A bar whose ends keep to the axes draws an ellipse; so a point on that ellipse keeps an end on its axis.

    The bar of length a + b at the slope φ has its dividing point at (a·cos φ, b·sin φ) (Proclus; van Schooten).
    """
    a, b = 3.0, 1.5
    traced: dict[str, lw.joint.Joint]
    if by == "slides":
        traced = {"y": J.PointOnLine(("ground", "bar.Y"), axis=(0, 1), start=2)}
    elif by == "curve":
        traced = {"oval": J.PointOnCurve(("ground", "bar.E"), curve=("3*cos(s)", "1.5*sin(s)"))}
    else:
        traced = {"oval": J.PointOnCurve(("ground", "bar.E"), level="x^2/9 + y^2/2.25 - 1")}
    # X on the x-axis, Y on the y-axis, E between them at b from X and a from Y; X at (a + b)cos φ … from Y.
    machine = lw.Machine.of(
        "trammel",
        parts={
            "bar": P(points={"Y": (0, 0), "E": (a, 0), "X": (a + b, 0)}, start=F(at=(0, 2.4), turn=-0.56))
        },
        joints={"x": J.Coordinate("bar.X.y"), **traced},
        drives={"turn": lw.Drive(of="bar.angle", value="-0.56 - 0.5*sin(t)")},
        view=lw.View(traces=("bar.E", "bar.Y")),
    )
    motion = lw.move(machine, steps=40, until=6)
    phi = -motion["turn"]
    close(motion["bar.E.x"], a * np.cos(phi))
    close(motion["bar.E.y"], b * np.sin(phi))
    close(motion["bar.Y.x"], 0)
    rate = 0.5 * np.cos(motion.times)
    close(motion["bar.E.vx"], -a * np.sin(phi) * rate)


def test_points_and_coordinates_over_time() -> None:
    """A point led along a path, with the rates of the path; a coordinate held at an expression of time."""
    machine = lw.Machine.of(
        "led",
        parts={"body": P(points={"Q": (1, 0)})},
        joints={
            "path": J.Point("body.Q", at=("cos(t)", "t^2")),
            "swing": J.Coordinate("body.angle", value="sin(2*t)"),
        },
        drives={},
    )
    with_drive = lw.Machine.of(
        "led",
        parts={**machine.parts, "wheel": P()},
        joints={**machine.joints, "W": J.Revolute(("ground", "wheel"))},
        drives={"wheel": lw.Drive("W", value="t")},
        view=lw.View(traces=("body.Q",)),
    )
    motion = lw.move(with_drive, steps=20, until=2)
    t = motion.times
    close(motion["body.Q.x"], np.cos(t))
    close(motion["body.Q.vy"], 2 * t)
    close(motion["body.Q.ax"], -np.cos(t))
    close(motion["body.acceleration"], -4 * np.sin(2 * t))


def test_coordinates_over_time() -> None:
    """As above, where no point is led: all three coordinates by expressions."""
    machine = lw.Machine.of(
        "held",
        parts={"body": P(points={"Q": (1, 0)}), "wheel": P()},
        joints={
            "x": J.Coordinate("body.Q.x", value="cos(t)"),
            "y": J.Coordinate("body.Q.y", value="t^2"),
            "swing": J.Coordinate("body.angle", value="sin(2*t)"),
            "W": J.Revolute(("ground", "wheel")),
        },
        drives={"wheel": lw.Drive("W", value="t")},
        view=lw.View(traces=("body.Q",)),
    )
    motion = lw.move(machine, steps=20, until=2)
    t = motion.times
    close(motion["body.Q.x"], np.cos(t))
    close(motion["body.Q.vy"], 2 * t)
    close(motion["body.Q.ax"], -np.cos(t))
    close(motion["body.acceleration"], -4 * np.sin(2 * t))
    close(motion["body.jerk"], -8 * np.cos(2 * t))


def test_every_coordinate_of_a_joint_has_a_column() -> None:
    """Driven or not, an angle in space, a contact, a place on a curve is told as a column."""
    assert "B.angle" in lw.move(lw.load("bennett"), steps=4).columns
    assert {"touch.contact"} <= set(lw.move(cam("flat"), steps=4).columns)
