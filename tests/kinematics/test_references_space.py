"""Closed forms and published numbers for linkages and joints in space; the source stands with each."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from closeness import close, same_angle

import linkwork as lw
from machines import turned, vectors

J, P, F = lw.joint, lw.Part, lw.Pose


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
            "rocker": P(points={"C": ("s", 0, 0)}, mass=2, centre=("s/2", 0.2, 0), inertia=(0.2, 1, 1.1)),
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
