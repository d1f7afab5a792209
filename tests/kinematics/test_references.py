"""Closed forms and published numbers, joint by joint; the source stands with each."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import linkwork as lw
from machines import Array, four_bar, slider_crank, turned, vectors

J, P, F = lw.joint, lw.Part, lw.Pose


def close(found: Array, wanted: Array | float, within: float = 1e-10) -> None:
    np.testing.assert_allclose(found, np.broadcast_to(wanted, np.shape(found)), atol=within, rtol=1e-10)


def same_angle(found: Array, wanted: Array | float, within: float = 1e-10) -> None:
    """Equal up to whole turns, with the same turn all along where rows are dense."""
    close(np.angle(np.exp(1j * (found - wanted))), 0.0, within)


# ----------------------------------------------------------------------------------- linkages in the plane


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


# ---------------------------------------------------------------------------------- wheels, belts and racks


@pytest.mark.parametrize("description", ["parts", "axles"])
def test_planetary_train_by_willis(description: str) -> None:
    """Willis (1841): (ω_s − ω_a)/(ω_r − ω_a) = −z_r/z_s, with both the sun and the arm driven."""
    wheels = {"sun": 20, "planet": 16, "ring": 52}
    if description == "parts":
        mesh = {
            "outer": J.Gear(parts=("sun", "planet"), carrier="arm", teeth=(20, 16)),
            "inner": J.Gear(parts=("planet", "ring"), carrier="arm", teeth=(16, 52), internal=True),
        }
    else:
        mesh = {
            "outer": J.Gear(axles=("S", "C"), teeth=(20, 16)),
            "inner": J.Gear(axles=("C", "R"), teeth=(16, 52), internal=True),
        }
    machine = lw.Machine.of(
        "planetary",
        parts={"arm": P(points={"C": (1.8, 0)}), **{name: P() for name in wheels}},
        joints={
            "O": J.Revolute(("ground", "arm")),
            "S": J.Revolute(("arm", "sun")),
            "R": J.Revolute(("arm", "ring")),
            "C": J.Revolute(("arm.C", "planet")),
            **mesh,
        },
        drives={"arm": lw.Drive("O", value="t^2"), "sun": lw.Drive(of="sun.angle", value="3*t")},
    )
    motion = lw.move(machine, steps=10, until=2)
    t = motion.times
    arm, sun = 2 * t, 3.0
    close(motion["ring.rate"], arm - (sun - arm) * 20 / 52)
    close(motion["planet.rate"], arm - (sun - arm) * 20 / 16)
    close(motion["ring.acceleration"], 2 + 2 * 20 / 52)
    assert lw.show(machine).mobility == 2


def test_belts_and_racks_on_a_moving_carrier() -> None:
    """Open belt: ω₁r₁ = ω₂r₂ against the carrier, crossed: the opposite; rack: shift = r·θ."""
    machine = lw.Machine.of(
        "belts",
        parts={
            "arm": P(points={"Q": (4, 0), "R": (0, 1)}),
            "one": P(),
            "two": P(),
            "three": P(),
            "rack": P(start=F(at=(0, 1))),
        },
        joints={
            "O": J.Revolute(("ground", "arm")),
            "A": J.Revolute(("arm", "one")),
            "B": J.Revolute(("arm.Q", "two")),
            "C": J.Revolute(("arm.Q", "three")),
            "open": J.Belt(parts=("one", "two"), carrier="arm", radii=(2, 0.5)),
            "crossed": J.Belt(parts=("one", "three"), carrier="arm", radii=(2, 0.5), crossed=True),
            "slide": J.Prismatic(("arm.R", "rack")),
            "mesh": J.Rack(pinion="one", rack="rack", carrier="arm", radius=-2),
        },
        drives={"arm": lw.Drive("O", value="sin(t)"), "one": lw.Drive("A", value="t")},
    )
    motion = lw.move(machine, steps=12, until=5)
    t = motion.times
    close(motion["two.angle"], np.sin(t) + 4 * t)
    close(motion["three.angle"], np.sin(t) - 4 * t)
    close(motion["three.rate"], np.cos(t) - 4)
    close(motion["slide.displacement"], -2 * t)
    close(motion["rack.x"], -np.sin(np.sin(t)) - 2 * t * np.cos(np.sin(t)))


def test_screw_and_its_pitch() -> None:
    """The nut rises by the pitch each turn, over several turns and backwards."""
    machine = lw.Machine.of(
        "screw",
        dimension=3,
        parts={"nut": P()},
        joints={"thread": J.Screw(("ground", "nut"), pitch=0.5, axis=(1, 2, 2))},
        drives={"turn": lw.Drive("thread", value="20*sin(t)")},
    )
    motion = lw.move(machine, steps=50, until=6)
    rise = 0.5 * motion["turn"] / (2 * math.pi)
    for axis, share in zip("xyz", (1 / 3, 2 / 3, 2 / 3), strict=True):
        close(motion[f"nut.{axis}"], rise * share)
        close(motion[f"nut.w{axis}"], 20 * np.cos(motion.times) * share)
    close(motion["nut.q0"], np.cos(motion["turn"] / 2))


def test_a_wheel_on_a_line_draws_a_cycloid() -> None:
    """x = −rθ, and a rim point drawn at angle θ − 90° goes along the cycloid; its cusp has no speed."""
    machine = lw.Machine.of(
        "wheel",
        parts={"wheel": P(points={"rim": (0, -2)}, start=F(at=(0, 2)))},
        joints={"road": J.Rolling(("ground", "wheel"), radius=2)},
        drives={"roll": lw.Drive("road", value="-t")},
        view=lw.View(traces=("wheel.rim",)),
    )
    motion = lw.move(machine, steps=48, until=4 * math.pi)
    t = motion.times
    close(motion["wheel.x"], 2 * t)
    close(motion["wheel.rim.x"], 2 * (t - np.sin(t)))
    close(motion["wheel.rim.y"], 2 * (1 - np.cos(t)))
    close(motion["wheel.rim.vx"][[0, 24, 48]], 0)


@pytest.mark.parametrize(("big", "r"), [(3.0, 1.0), (-3.0, 1.0), (-2.0, 1.0)])
def test_a_wheel_on_a_circle_draws_epi_and_hypocycloids(big: float, r: float) -> None:
    """z = (R+r)e^{iψ} − r·e^{iψ(R+r)/r}; inside (R < 0) with R = 2r it is a straight line (Cardano 1570)."""
    reach = big + r
    machine = lw.Machine.of(
        "gears",
        parts={
            "arm": P(points={"C": (reach, 0)}),
            "wheel": P(points={"rim": (-r, 0)}, start=F(at=(reach, 0))),
        },
        joints={
            "O": J.Revolute(("ground", "arm")),
            "C": J.Revolute(("arm.C", "wheel")),
            "roll": J.Rolling(("ground", "wheel"), radius=r, on=big),
        },
        drives={"arm": lw.Drive("O", range=(0, "720 deg"))},
        view=lw.View(traces=("wheel.rim",)),
    )
    motion = lw.move(machine, steps=90)
    assert motion.status == "complete"
    psi = motion["arm"]
    z = reach * np.exp(1j * psi) - r * np.exp(1j * psi * reach / r)
    close(motion["wheel.angle"], psi * reach / r)
    close(motion["wheel.rim.x"], z.real)
    close(motion["wheel.rim.y"], z.imag)
    if big == -2 * r:
        assert min(np.ptp(z.real), np.ptp(z.imag)) < 1e-9


# -------------------------------------------------------------------------------------------- cams and curves

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


# ------------------------------------------------------------------------------------------------- in space


def cardan(joint: Callable[..., lw.joint.Joint], bend: float) -> lw.Machine:
    """Two shafts through the origin at an angle, joined there; the first along z, the second bent about x."""
    return lw.Machine.of(
        "cardan",
        {"bend": bend},
        dimension=3,
        parts={"first": P(), "second": P(start=F(turn="bend", axis=(1, 0, 0)))},
        frames={"bent": lw.Frame(turn="bend", axis=(1, 0, 0))},
        joints={
            "A": J.Revolute(("ground", "first")),
            "B": J.Revolute(("bent", "second")),
            "cross": joint(("first", "second")),
        },
        drives={"turn": lw.Drive("A", value="2*t + 0.2*t^2")},
    )


def test_cardan_joint() -> None:
    """tan θ₂ = tan θ₁·cos β or its inverse; ω₂, α₂ as Shigley & Uicker, ch. 12 (Hooke's joint).

    With the arms x of the first yoke and y of the second: at θ₁ = 0 the arm x lies across the plane of the shafts.
    """
    beta = 0.6
    motion = lw.move(cardan(J.Universal, beta), steps=60, until=3)
    t, theta = motion.times, motion["turn"]
    w1, a1 = 2 + 0.4 * t, 0.4
    c = math.cos(beta)
    # x₁ = (cos θ₁, sin θ₁, 0) ⟂ y₂ = (−sin θ₂, cos θ₂·cos β, …): tan θ₂ = tan θ₁·cos β
    wanted = np.unwrap(np.arctan2(np.sin(theta) * c, np.cos(theta)))
    axis = np.array([0, -math.sin(beta), c])
    turn = turned(motion, "second")
    x2 = np.einsum("rij,j->ri", turn, [1.0, 0, 0])
    across = np.array([0, c, math.sin(beta)])
    same_angle(np.arctan2(x2 @ across, x2[:, 0]), wanted)
    under = 1 - math.sin(beta) ** 2 * np.sin(theta) ** 2
    ratio = c / under
    slope = c * math.sin(beta) ** 2 * np.sin(2 * theta) / under**2
    close(vectors(motion, "second", "w") @ axis, ratio * w1)
    close(vectors(motion, "second", "alpha") @ axis, ratio * a1 + slope * w1**2, 1e-9)


def test_constant_velocity_joint() -> None:
    """Both shafts turn equally, at any bend."""
    motion = lw.move(cardan(J.ConstantVelocity, 0.9), steps=30, until=3)
    axis = np.array([0, -math.sin(0.9), math.cos(0.9)])
    close(vectors(motion, "second", "w") @ axis, 2 + 0.4 * motion.times)
    close(vectors(motion, "second", "alpha") @ axis, 0.4)


def rssr(rod: float = 6.0, at: float = 0.4, until: str = "400 deg") -> lw.Machine:
    """Crank about z at the origin, rocker about x at (4, 3, 0), a rod with balls between them."""
    return lw.Machine.of(
        "rssr",
        {"rod": rod, "r": 1.5, "s": 4, "at": at},
        dimension=3,
        parts={
            "ground": P(points={"D": (4, 3, 0)}),
            "crank": P(points={"B": ("r", 0, 0)}, mass=1, centre=("r/2", 0, 0.1), inertia=(0.1, 0.2, 0.3)),
            "rocker": P(points={"C": ("s", 0, 0)}, mass=2, centre=("s/2", 0.2, 0), inertia=(0.2, 1, 2)),
        },
        joints={
            "A": J.Revolute(("ground", "crank")),
            "D": J.Revolute(("hinge", "rocker"), start="60 deg"),
            "rod": J.Distance(("crank.B", "rocker.C"), length="rod"),
        },
        frames={"hinge": lw.Frame(at=(4, 3, 0), z=(1, 0, 0), x=(0, 1, 0))},
        drives={"crank": lw.Drive("A", range=("at", until))},
        view=lw.View(traces=("rocker.C",)),
        gravity=(0, 0, -9.81),
    )


def test_rssr_in_closed_form() -> None:
    """|C − B|² = l² is E·cos ψ + F·sin ψ = G (Hartenberg & Denavit 1964, ch. 12), on one branch."""
    motion = lw.move(rssr(), steps=80)
    assert motion.status == "complete"
    theta = motion["crank"]
    b = np.column_stack([1.5 * np.cos(theta), 1.5 * np.sin(theta), np.zeros(len(theta))])
    gap = np.array([4.0, 3.0, 0.0]) - b
    e, f = 8 * gap[:, 1], 8 * gap[:, 2]
    g = 36 - np.sum(gap**2, axis=1) - 16
    offset = np.arccos(g / np.hypot(e, f))
    ways = [np.arctan2(f, e) + sign * offset for sign in (1, -1)]
    c = np.column_stack([motion[f"rocker.C.{axis}"] for axis in "xyz"])
    found = np.arctan2(c[:, 2], c[:, 1] - 3)
    errors = [float(np.max(np.abs(np.sin((found - way) / 2)))) for way in ways]
    assert min(errors) < 1e-10
    slope = np.gradient(np.unwrap(found), theta)[5:-5]
    np.testing.assert_allclose(motion["rocker.wx"][5:-5], slope, atol=0.02)


def test_rssp_in_closed_form() -> None:
    """A slider along a skew line, hung on a crank by a rod with balls: a quadratic for its place."""
    along = np.array([2.0, 1.0, 2.0]) / 3
    foot = np.array([0.0, 1.0, 2.0])
    machine = lw.Machine.of(
        "rssp",
        dimension=3,
        parts={"crank": P(points={"B": (1, 0, 0)}), "slider": P(start=F(at=(2.0, 2.0, 4.0)))},
        frames={"rail": lw.Frame(at=(0, 1, 2), z=(2, 1, 2)), "shoe": lw.Frame(on="slider", z=(2, 1, 2))},
        joints={
            "A": J.Revolute(("ground", "crank")),
            "slide": J.Prismatic(("rail", "shoe"), start=3),
            "rod": J.Distance(("crank.B", "slider"), length=5),
        },
        drives={"crank": lw.Drive("A", range=(0, "360 deg"))},
    )
    motion = lw.move(machine, steps=48)
    theta = motion["crank"]
    gap = foot - np.column_stack([np.cos(theta), np.sin(theta), 0 * theta])
    p = gap @ along
    s = -p + np.sqrt(p**2 - np.sum(gap**2, axis=1) + 25)
    close(motion["slide.displacement"], s)
    close(vectors(motion, "slider", ""), foot + s[:, None] * along)
    close(motion["slide.displacement_rate"], vectors(motion, "slider", "v") @ along)


def test_bennett_linkage_obeys_its_relation() -> None:
    """tan(A/2)·tan(B/2) is constant: sin((β+α)/2)/sin((β−α)/2) up to sign (Bennett 1903)."""
    motion = lw.move(lw.load("bennett"), steps=47)
    product = np.tan(motion["A.angle"] / 2) * np.tan(motion["crank"] / 2)
    alpha, beta = math.radians(30), math.radians(80)
    wanted = math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2)
    close(np.abs(product), wanted, 1e-8)


@pytest.mark.parametrize("steps", [6, 12, 24, 360])
def test_bennett_linkage_where_its_bars_lie_in_line(steps: int) -> None:
    """At 180° the machine is as regular as elsewhere: a hinge that stands still has no jerk, symmetry holds."""
    motion = lw.move(lw.load("bennett"), steps=steps)
    row = steps // 3
    assert motion["crank"][row] == pytest.approx(math.pi)
    close(motion["crank.jx"], 0, 1e-6)
    assert motion["coupler.jx"][row] == pytest.approx(0, abs=1e-6)  # odd about the line
    assert motion["coupler.alphax"][row] == pytest.approx(-1.908832, abs=1e-5)


@pytest.mark.parametrize("steps", [1234, 3601])
def test_bennett_linkage_turns_with_fine_steps(steps: int) -> None:
    """However near to 180° a row falls, the linkage is not locked there."""
    assert lw.move(lw.load("bennett"), steps=steps).status == "complete"


def test_bricard_linkage_obeys_its_relation() -> None:
    """cos p + cos q + cos p·cos q = 0 for neighbouring hinges at 90° (Chen, You & Tarnai 2005, eq. 4)."""
    motion = lw.move(lw.load("bricard"), steps=40)
    p, q = np.cos(motion["turn"]), np.cos(motion["C.angle"])
    close(p + q + p * q, 0, 1e-9)


def test_spherical_planar_and_point_on_plane_joints() -> None:
    """A tripod: three feet on a plane hold a body as flat as a planar joint does; a ball holds a point."""
    flat = lw.Machine.of(
        "flat",
        dimension=3,
        parts={"slab": P(points={"Q": (1, 0, 0)})},
        frames={"table": lw.Frame(at=(0, 0, 1), turn="30 deg", axis=(1, 0, 0))},
        joints={"plane": J.Planar(("table", "slab"))},
    )
    feet = {"a": (0, 0, 0), "b": (1, 0, 0), "c": (0, 1, 0)}
    stool = lw.Machine.of(
        "stool",
        dimension=3,
        parts={"slab": P(points=feet)},
        frames=flat.frames,
        joints={name: J.PointOnPlane(("table", f"slab.{name}")) for name in feet},
    )
    assert lw.show(flat).mobility == lw.show(stool).mobility == 3
    for machine in (flat, stool):
        position = lw.Mechanism(machine).assembled
        normal = np.array([0, -math.sin(math.radians(30)), math.cos(math.radians(30))])
        assert normal @ (np.array(position.point("slab")) - [0, 0, 1]) == pytest.approx(0, abs=1e-12)


def test_stewart_platform_led_by_its_legs() -> None:
    """Six legs as long as a given pose wants them put the platform there (a round trip through lengths)."""
    angles = np.radians([0, 60, 120, 180, 240, 300])
    feet = [(3 * math.cos(a), 3 * math.sin(a), 0.0) for a in angles + np.tile([-0.2, 0.2], 3)]
    heads = [(math.cos(a), math.sin(a), 0.0) for a in angles + np.tile([0.3, -0.3], 3)]
    names = [f"leg{place}" for place in range(6)]
    tilt = 0.2  # about x; the pose moves in time along z and turns about x
    values = {}
    for name, foot, head in zip(names, feet, heads, strict=True):
        turned_head = (f"{head[0]}", f"({head[1]}*cos({tilt}*t))", f"({head[1]}*sin({tilt}*t))")
        gaps = [
            f"({h} - ({f}) + {o})"
            for h, f, o in zip(turned_head, foot, ("0.1*t", "0", "2 + 0.3*t"), strict=True)
        ]
        values[name] = "sqrt(" + " + ".join(f"{gap}^2" for gap in gaps) + ")"
    machine = lw.Machine.of(
        "stewart",
        dimension=3,
        parts={
            "ground": P(points={f"F{place}": foot for place, foot in enumerate(feet)}),
            "top": P(points={f"H{place}": head for place, head in enumerate(heads)}, start=F(at=(0, 0, 2))),
        },
        joints={name: J.Distance((f"ground.F{place}", f"top.H{place}")) for place, name in enumerate(names)},
        drives={name: lw.Drive(name, value=values[name]) for name in names},
    )
    assert lw.show(machine).mobility == 6
    motion = lw.move(machine, steps=10, until=1)
    t = motion.times
    assert motion.status == "complete"
    close(motion["top.x"], 0.1 * t)
    close(motion["top.y"], 0)
    close(motion["top.z"], 2 + 0.3 * t)
    close(motion["top.q1"], np.sin(tilt * t / 2))
    close(motion["top.wx"], tilt)
    close(motion["top.vz"], 0.3)
    close(motion["top.alphax"], 0, 1e-9)


@pytest.mark.parametrize(
    "start",
    [
        "0 deg",
        "60 deg",
        "100 deg",
        "-120 deg",
        *("170 deg", "180 deg"),
    ],
)
def test_a_driven_hinge_in_space_stands_at_its_angle(start: str) -> None:
    """However the part is drawn, the drive's value is its angle, not that and half a turn."""
    machine = lw.Machine.of(
        "hinge",
        dimension=3,
        parts={"arm": P(points={"E": (1, 0, 0)}, start=F(turn=start))},
        joints={"A": J.Revolute(("ground", "arm"))},
        drives={"arm": lw.Drive("A", range=(0, 1))},
    )
    motion = lw.move(machine, steps=4)
    close(
        turned(motion, "arm")[:, :, 0],
        np.column_stack([np.cos(motion["arm"]), np.sin(motion["arm"]), np.zeros(5)]),
    )


@pytest.mark.parametrize("tilt", ["0 deg", "80 deg", *("170 deg",)])
def test_a_hinge_in_space_is_not_turned_over(tilt: str) -> None:
    """The axes of both frames point the same way, however roughly the part is drawn."""
    machine = lw.Machine.of(
        "hinge",
        dimension=3,
        parts={"arm": P(points={"E": (1, 0, 0)}, start=F(turn=tilt, axis=(1, 0.2, 0)))},
        joints={"A": J.Revolute(("ground", "arm"))},
        drives={"arm": lw.Drive("A", range=(0, 1))},
    )
    close(turned(lw.move(machine, steps=4), "arm")[:, 2, 2], 1.0)


def test_every_coordinate_of_a_joint_has_a_column() -> None:
    """Driven or not, an angle in space, a contact, a place on a curve is told as a column."""
    assert "B.angle" in lw.move(lw.load("bennett"), steps=4).columns
    assert {"touch.contact"} <= set(lw.move(cam("flat"), steps=4).columns)
