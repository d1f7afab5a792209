"""Forces in joints and drives: closed forms, and what redundancy leaves open."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from closeness import close

import linkwork as lw
from machines import four_bar, four_bar_angles, slider_crank, turned, vectors

J, P, F = lw.joint, lw.Part, lw.Pose


# ------------------------------------------------------------------------------------------- closed forms


def test_pendulum_reactions() -> None:
    """A driven rod: radial m·l/2·ω² + weight, across m·l/2·α + weight, torque I·α + weight's moment."""
    m, length, g = 2.0, 3.0, 9.81
    machine = lw.Machine.of(
        "pendulum",
        parts={"rod": P(mass=m, centre=(length / 2, 0), inertia=m * length**2 / 12)},
        joints={"A": J.Revolute(("ground", "rod"))},
        drives={"drive": lw.Drive("A", value="t + t^3/3")},
        gravity=(0, -g),
    )
    motion = lw.move(machine, steps=30, until=2)
    t = motion.times
    angle, w, alpha = t + t**3 / 3, 1 + t**2, 2 * t
    ax = length / 2 * (-alpha * np.sin(angle) - w**2 * np.cos(angle))
    ay = length / 2 * (alpha * np.cos(angle) - w**2 * np.sin(angle))
    close(motion["A.fx"], m * ax)
    close(motion["A.fy"], m * (ay + g))
    close(motion["A.torque"], 0)
    close(motion["drive.effort"], m * length**2 / 3 * alpha + m * g * length / 2 * np.cos(angle))


def test_rotor_out_of_balance_in_space() -> None:
    """About z at ω, α: M = (Ixz·α − Iyz·ω², Iyz·α + Ixz·ω², Izz·α) in the body (Meriam & Kraige, art. 7/9)."""
    inertia = (1.0, 2.0, 2.5, 0.1, 0.3, -0.2)  # xx, yy, zz, xy, xz, yz as entries of the matrix
    matrix = np.array([[1.0, 0.1, 0.3], [0.1, 2.0, -0.2], [0.3, -0.2, 2.5]])
    machine = lw.Machine.of(
        "rotor",
        dimension=3,
        parts={"rotor": P(mass=3, centre=(0, 0, 0.4), inertia=inertia)},
        joints={"A": J.Revolute(("ground", "rotor"))},
        drives={"drive": lw.Drive("A", value="t^2")},
        gravity=(0, 0, -9.81),
    )
    motion = lw.move(machine, steps=10, until=2)
    t = motion.times
    turn = turned(motion, "rotor")
    w, alpha = np.outer(2 * t, [0, 0, 1.0]), np.outer(np.full(len(t), 2.0), [0, 0, 1])
    body = alpha @ matrix + np.cross(w, w @ matrix)  # axis z is the same in the body
    moment = np.einsum("rij,rj->ri", turn, body)
    found = vectors(motion, "A", "t") + np.outer(motion["drive.effort"], [0, 0, 1.0])
    close(found, moment)
    close(vectors(motion, "A", "f"), np.broadcast_to([0, 0, 3 * 9.81], moment.shape))
    close(motion["A.tz"], 0)


def test_slider_crank_effort_without_inertia() -> None:
    """A push on a massless slider-crank: torque = −F·dx/dθ, by virtual work."""
    machine = slider_crank(
        2, 5, drive=lw.Drive("A", value="t"), forces={"load": lw.force.Push("slider", force=(-10, 0))}
    )
    motion = lw.move(machine, steps=40, until=6)
    s, c = np.sin(motion["drive"]), np.cos(motion["drive"])
    slope = -2 * s - 4 * s * c / np.sqrt(25 - 4 * s**2)
    close(motion["drive.effort"], 10 * slope)
    rod = np.hypot(motion["C.fx"], motion["C.fy"])
    close(rod * np.sqrt(1 - (2 * s / 5) ** 2), 10)


def test_forces_of_the_state_and_of_time() -> None:
    """A push that depends on rates, places and time; a torque; a following push."""
    machine = lw.Machine.of(
        "loads",
        {"k": 3},
        parts={"cart": P(mass=2), "arm": P(points={"E": (1.5, 0)})},
        joints={"slide": J.Prismatic(("ground", "cart")), "A": J.Revolute(("cart", "arm"))},
        drives={"x": lw.Drive("slide", value="sin(t)"), "a": lw.Drive("A", value="t^2")},
        forces={
            "drag": lw.force.Push("cart", force=("-k*cart.vx - cart.x + t", 0)),
            "jet": lw.force.Push("arm.E", force=(0, 4), following=True),
            "twist": lw.force.Torque("arm", torque="2*arm.rate"),
            "coil": lw.force.TorsionSpring("A", stiffness=5, rest=0.2, damping=0.7),
        },
    )
    motion = lw.move(machine, steps=20, until=2)
    t = motion.times
    turn = 6.0 + 4 * t - 5 * (t**2 - 0.2) - 0.7 * 2 * t  # of the loads on the arm about A
    close(motion["a.effort"], -turn)
    jet = -4 * np.sin(t**2)  # its x-component
    close(motion["x.effort"], 2 * -np.sin(t) - (-3 * np.cos(t) - np.sin(t) + t) - jet)


def test_torsion_spring_in_space() -> None:
    """The same spring about a hinge in space: effort = stiffness·(angle − rest) + damping·rate."""
    machine = lw.Machine.of(
        "coil",
        dimension=3,
        parts={"arm": P()},
        joints={"A": J.Revolute(("ground", "arm"))},
        drives={"a": lw.Drive("A", value="t^2")},
        forces={"coil": lw.force.TorsionSpring("A", stiffness=5, rest=0.2, damping=0.7)},
    )
    motion = lw.move(machine, steps=8, until=1)
    t = motion.times
    close(motion["a.effort"], 5 * (t**2 - 0.2) + 1.4 * t)


def test_torsion_spring_about_a_hinge_in_space_that_is_not_driven() -> None:
    """Its angle is no unknown of the system; the spring's torque is there all the same: it drives the crank."""
    coupler, rocker = (float(each[0]) for each in four_bar_angles(7, 2, 6, 5, np.array([0.3])))
    common: dict[str, Any] = {
        "forces": {"coil": lw.force.TorsionSpring("D", stiffness=5, rest=0.2)},
        "drives": {"crank": lw.Drive("A", value="0.3 + t")},
    }
    points = {
        "ground": {"A": (0, 0, 0), "D": (7, 0, 0)},
        "crank": {"A": (0, 0, 0), "B": (2, 0, 0)},
        "coupler": {"B": (0, 0, 0), "C": (6, 0, 0)},
        "rocker": {"D": (0, 0, 0), "C": (5, 0, 0)},
    }
    starts = {"coupler": F(turn=coupler), "rocker": F(turn=rocker)}
    joints = {
        "A": J.Revolute(("ground.A", "crank.A")),
        "B": J.Revolute(("crank.B", "coupler.B")),
        "C": J.Revolute(("coupler.C", "rocker.C")),
        "D": J.Revolute(("ground.D", "rocker.D")),
    }

    def built(dimension: int) -> lw.Machine:
        parts = {
            name: P(points={k: p[:dimension] for k, p in each.items()}, start=starts.get(name))
            for name, each in points.items()
        }
        return lw.Machine.of("coiled", dimension=dimension, parts=parts, joints=joints, **common)

    plane = lw.move(built(2), steps=6, until=1)
    space = lw.move(built(3), steps=6, until=1)
    close(space["crank.effort"], plane["crank.effort"])


@pytest.mark.parametrize("order", [("ground", "planet"), ("planet", "ground")])
def test_the_torque_of_a_mesh_is_told_on_its_last_moving_wheel(order: tuple[str, str]) -> None:
    """A planet on a fixed sun: the mesh gives the planet I·α = I·3·α_arm, whichever is named first."""
    teeth = (2, 1) if order[0] == "ground" else (1, 2)
    machine = lw.Machine.of(
        "planet",
        parts={"arm": P(points={"C": (3, 0)}), "planet": P(mass=1, inertia=1)},
        joints={
            "O": J.Revolute(("ground", "arm")),
            "C": J.Revolute(("arm.C", "planet")),
            "mesh": J.Gear(parts=order, carrier="arm", teeth=teeth),
        },
        drives={"arm": lw.Drive("O", value="t^2")},
    )
    motion = lw.move(machine, steps=4, until=1)
    close(motion["planet.acceleration"], 6)
    close(motion["arm.effort"], 9 * 2 + 3 * 6)
    close(motion["mesh.torque"], 6)


def test_a_driven_screw_does_no_work() -> None:
    """The thread carries f and −f·pitch/2π, as it would undriven; the motor's torque is the effort alone."""
    m, inertia, pitch, g = 3.0, 0.8, 0.5, 9.81
    machine = lw.Machine.of(
        "jack",
        dimension=3,
        parts={"nut": P(mass=m, inertia=(1, 1, inertia))},
        joints={"thread": J.Screw(("ground", "nut"), pitch=pitch)},
        drives={"turn": lw.Drive("thread", value="t^3")},
        gravity=(0, 0, -g),
    )
    motion = lw.move(machine, steps=6, until=1)
    alpha = 6 * motion.times
    lead = pitch / (2 * math.pi)
    lift = m * (g + lead * alpha)
    close(motion["thread.fz"], lift)
    close(motion["turn.effort"], inertia * alpha + lead * lift)
    close(motion["thread.tz"], -lead * lift)


# ----------------------------------------------------------------------------------------------- redundancy


def doubled(mass: float = 1.0) -> lw.Machine:
    """A parallelogram with a third parallel bar, and behind it a pendulum that has nothing to do with it."""
    bar = {"mass": mass, "centre": (1, 0), "inertia": 0.3}
    return lw.Machine.of(
        "doubled",
        parts={
            "ground": P(points={"A": (0, 0), "D": (4, 0), "F": (2, 0)}),
            "crank": P(points={"A": (0, 0), "B": (2, 0)}, **bar),  # type: ignore[arg-type]
            "coupler": P(points={"B": (0, 0), "C": (4, 0), "E": (2, 0), "T": (5, 1)}, **bar),  # type: ignore[arg-type]
            "rocker": P(points={"D": (0, 0), "C": (2, 0)}, **bar),  # type: ignore[arg-type]
            "extra": P(points={"F": (0, 0), "E": (2, 0)}),
            "bob": P(mass=1, centre=(1, 0), inertia=0.1),
        },
        joints={
            "A": J.Revolute(("ground.A", "crank.A")),
            "B": J.Revolute(("crank.B", "coupler.B")),
            "C": J.Revolute(("coupler.C", "rocker.C")),
            "D": J.Revolute(("ground.D", "rocker.D")),
            "E": J.Revolute(("coupler.E", "extra.E")),
            "F": J.Revolute(("ground.F", "extra.F")),
            "T": J.Revolute(("coupler.T", "bob")),
        },
        drives={"crank": lw.Drive("A", range=(0.7, 2.2)), "bob": lw.Drive("T", value="sin(t)")},
        gravity=(0, -9.81),
    )


def test_a_redundant_bar_changes_nothing_but_what_is_not_unique() -> None:
    """Same motion and effort as without it; exactly the joints of the loops are named, the bob's is not."""
    machine = doubled()
    without = lw.Machine.of(
        "single",
        parts={name: part for name, part in machine.parts.items() if name != "extra"},
        joints={name: joint for name, joint in machine.joints.items() if name not in ("E", "F")},
        drives=machine.drives,
        gravity=(0, -9.81),
    )
    both, one = lw.move(machine, steps=20), lw.move(without, steps=20)
    assert lw.show(machine).mobility == lw.show(without).mobility == 2
    found = lw.show(machine).redundant
    assert [each["count"] for each in found] == [1]
    assert set(found[0]["joints"]) == {"A", "B", "C", "D", "E", "F"}
    assert not lw.show(without).redundant
    for name in one.columns:
        if name.partition(".")[0] in ("A", "B", "C", "D") and name.partition(".")[2] in (
            "fx",
            "fy",
            "torque",
        ):
            continue
        close(both[name], one[name], 1e-8)
    assert one.not_unique == ()
    assert set(both.not_unique) == {"A", "B", "C", "D", "E", "F"}
    total = both["A.fy"] + both["D.fy"] + both["F.fy"]
    close(total, one["A.fy"] + one["D.fy"], 1e-8)


def test_a_doubled_pin_shares_its_force() -> None:
    """The same pin twice: the motion is the same, both and only they are named, together they carry the force."""
    base = four_bar(7, 2, 6, 5, forces={"load": lw.force.Push("rocker.C", force=(1, -3))})
    twice = lw.Machine.of(
        "twice",
        base.parameters,
        parts=base.parts,
        joints={**base.joints, "C2": J.Revolute(("coupler.C", "rocker.C"))},
        drives=base.drives,
        forces=base.forces,
    )
    one, two = lw.move(base, steps=35), lw.move(twice, steps=35)
    assert sum(each["count"] for each in lw.show(twice).redundant) == 2
    close(two["rocker.angle"], one["rocker.angle"])
    close(two["crank.effort"], one["crank.effort"])
    assert two.not_unique == ("C", "C2")
    close(two["C.fx"] + two["C2.fx"], one["C.fx"])
    close(two["C.fx"], two["C2.fx"])
    close(two["D.fy"], one["D.fy"])


@pytest.mark.parametrize("steps", [361, *(360, 36)])
def test_what_is_unique_does_not_depend_on_a_singular_row(steps: int) -> None:
    """A parallelogram's forces are determined but for its change points, wherever the middle row falls."""
    assert lw.move(four_bar(4, 2, 4, 2), steps=steps).not_unique == ()


def test_effort_at_a_change_point() -> None:
    """A load on a parallelogram's coupler: effort = F·r·cos θ, also at 0° and 180° where branches cross."""
    loaded = four_bar(4, 2, 4, 2, forces={"load": lw.force.Push("coupler.C", force=(0, -1))})
    motion = lw.move(loaded, steps=36)
    close(motion["crank.effort"], 2 * np.cos(motion["crank"]), 1e-6)


def test_a_plane_loop_in_space_has_unique_forces_in_its_plane() -> None:
    """Three redundant constraints lie out of the plane; the drive's effort is that of the plane machine."""
    plane = lw.load("four-bar")
    motion = lw.move(plane, steps=12)
    parts = {}
    for name, part in plane.parts.items():
        parts[name] = P(
            points={key: (*point, 0) for key, point in part.points.items()},
            mass=part.mass,
            centre=None if part.centre is None else (*part.centre, 0),
            inertia=None if part.inertia is None else (part.inertia[0],) * 3,
            start=None if part.start is None else F(turn=part.start.turn),
        )
    space = lw.Machine.of(
        "space", plane.parameters, dimension=3, parts=parts, joints=plane.joints, drives=plane.drives
    )
    found = lw.move(space, steps=12)
    close(found["crank.effort"], motion["crank.effort"], 1e-8)
    assert set(found.not_unique) == {"A", "B", "C", "D"}
    for name in "ABCD":
        close(found[f"{name}.fx"], motion[f"{name}.fx"], 1e-8)
        close(found[f"{name}.fy"], motion[f"{name}.fy"], 1e-8)
        close(found[f"{name}.fz"], 0, 1e-8)
