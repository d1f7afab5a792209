"""Forces in joints and drives: balances in space, closed forms, and what redundancy leaves open."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkwork as lw
from machines import Array, four_bar, four_bar_angles, turned, vectors

J, P, F = lw.joint, lw.Part, lw.Pose


def close(found: Array, wanted: Array | float, within: float = 1e-9) -> None:
    np.testing.assert_allclose(found, np.broadcast_to(wanted, np.shape(found)), atol=within, rtol=1e-9)


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
    from machines import slider_crank

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


# --------------------------------------------------------------------------------------- balances in space


def linkage(kind: str, values: dict[str, float]) -> tuple[lw.Machine, dict[str, tuple[str, str]]]:
    """A spatial machine with masses, gravity and a spring; and the parts of each joint."""
    masses: dict[str, dict[str, Any]] = {
        name: {
            "mass": f"m{name}",
            "centre": (f"c{name}", 0.1, -0.2),
            "inertia": (0.3, 0.5, 0.7, 0.02, -0.05, 0.03),
        }
        for name in "abc"
    }
    common: dict[str, Any] = {
        "dimension": 3,
        "gravity": (0.5, -0.4, -9.81),
        "time": lw.Span(until=1),
    }
    spring = lw.force.Spring(("ground.S", "b.S"), stiffness="k", length=0.5, damping="d")
    anchor = {"S": (5, 6, 7)}
    if kind == "rssr":
        # crank a about z, rocker b about x at (4, 3, 0), rod c with a ball at one end, a cross at the other
        theta = values["start"]
        start = np.array([1.5 * math.cos(theta), 1.5 * math.sin(theta), 0.0])
        psi = 1.2
        end = np.array([4.0, 3 + 4 * math.cos(psi), 4 * math.sin(psi)])
        rod = end - start
        machine = lw.Machine.of(
            "rssr",
            values,
            parts={
                "ground": P(points=anchor),
                "a": P(**masses["a"]),
                "b": P(points={"S": (1, 2, 1)}, **masses["b"]),
                "c": P(start=F(at=tuple(start.tolist())), **masses["c"]),
            },
            joints={
                "A": J.Revolute(parts=("ground", "a"), at=(0, 0, 0)),
                "B": J.Universal(parts=("a", "c"), at=tuple(start.tolist()), axis=tuple(rod.tolist())),
                "C": J.Spherical(parts=("c", "b"), at=tuple(end.tolist())),
                "D": J.Revolute(parts=("ground", "b"), at=(4, 3, 0), axis=(1, 0, 0)),
            },
            drives={"turn": lw.Drive("A", value="0.3*sin(3*t + t^2)")},
            forces={"spring": spring},
            **common,
        )
        return machine, {"A": ("ground", "a"), "B": ("a", "c"), "C": ("c", "b"), "D": ("ground", "b")}
    if kind == "cardan":
        machine = lw.Machine.of(
            "cardan",
            values,
            parts={
                "ground": P(points=anchor),
                "a": P(**masses["a"]),
                "b": P(points={"S": (1, 2, 1)}, start=F(turn="start", axis=(1, 0, 0)), **masses["b"]),
            },
            frames={"bent": lw.Frame(turn="start", axis=(1, 0, 0))},
            joints={
                "A": J.Revolute(("ground", "a")),
                "B": J.Cylindrical(("bent", "b")),
                "C": J.Universal(("a", "b")),
            },
            drives={"turn": lw.Drive("A", value="0.3*sin(3*t + t^2)")},
            forces={"spring": spring},
            **common,
        )
        return machine, {"A": ("ground", "a"), "B": ("ground", "b"), "C": ("a", "b")}
    machine = lw.Machine.of(
        "crane",
        values,
        parts={
            "ground": P(points=anchor),
            "a": P(points={"E": (1, 0, 0.5)}, **masses["a"]),
            "b": P(points={"S": (1, 2, 1)}, **masses["b"]),
            "c": P(**masses["c"]),
        },
        joints={
            "A": J.Cylindrical(("ground", "a"), axis=(0, 0.6, 0.8)),
            "B": J.Prismatic(("a.E", "b"), axis=(1, 0, 0), start=1),
            "C": J.Revolute(("b", "c"), axis=(0.6, 0, 0.8)),
        },
        drives={
            "turn": lw.Drive("A", "angle", value="start + 0.3*sin(3*t + t^2)"),
            "rise": lw.Drive("A", "displacement", value="t^2"),
            "reach": lw.Drive("B", value="1 + 0.4*sin(2*t)"),
            "spin": lw.Drive("C", value="t + t^2"),
        },
        forces={"spring": spring},
        **common,
    )
    return machine, {"A": ("ground", "a"), "B": ("a", "b"), "C": ("b", "c")}


def body(motion: lw.Motion, part: str, local: Array) -> tuple[Array, Array, Array]:
    """Place, velocity and acceleration of a point of a part in space."""
    arm = turned(motion, part) @ local
    w, alpha = vectors(motion, part, "w"), vectors(motion, part, "alpha")
    return (
        vectors(motion, part, "") + arm,
        vectors(motion, part, "v") + np.cross(w, arm),
        vectors(motion, part, "a") + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm)),
    )


INERTIA = np.array([[0.3, 0.02, -0.05], [0.02, 0.5, 0.03], [-0.05, 0.03, 0.7]])


@given(
    st.sampled_from(["rssr", "cardan", "crane"]),
    st.floats(0.2, 1.0),
    st.lists(st.floats(0.2, 3), min_size=6, max_size=6),
    st.floats(0, 20),
    st.floats(0, 5),
)
@settings(max_examples=6)
def test_power_and_balance_in_space(kind: str, start: float, six: list[float], k: float, d: float) -> None:
    """Power of the drives = change of kinetic energy − power of loads; and the whole machine is balanced.

    The ground's joints together carry all that the parts' momentum changes beyond the loads. The spring is
    anchored to the ground, outside the machine; drives act between parts, so those at the ground count too.
    """
    values = {"start": start, "k": k, "d": d}
    values |= {f"m{name}": six[place] for place, name in enumerate("abc")}
    values |= {f"c{name}": six[3 + place] for place, name in enumerate("abc")}
    machine, _ = linkage(kind, values)
    motion = lw.move(machine, steps=6)
    assert motion.status == "complete"
    assert motion.residual <= 1e-12
    t = motion.times
    gravity = np.array([0.5, -0.4, -9.81])
    change, power = np.zeros(len(t)), np.zeros(len(t))
    for name in machine.moving:
        mass, centre = values[f"m{name}"], np.array([values[f"c{name}"], 0.1, -0.2])
        _, v, a = body(motion, name, centre)
        w, alpha = vectors(motion, name, "w"), vectors(motion, name, "alpha")
        turn = turned(motion, name)
        tensor = turn @ INERTIA @ np.swapaxes(turn, 1, 2)
        spin = np.einsum("rij,rj->ri", tensor, alpha) + np.cross(w, np.einsum("rij,rj->ri", tensor, w))
        change += mass * np.sum(v * a, axis=1) + np.sum(w * spin, axis=1)
        power += mass * (v @ gravity)
    r, v, _ = body(motion, "b", np.array([1.0, 2, 1]))
    gap = r - np.array([5.0, 6, 7])
    distance = np.linalg.norm(gap, axis=1)
    closing = np.sum(gap * v, axis=1) / distance
    power -= (k * (distance - 0.5) + d * closing) * closing
    swing = 0.3 * np.cos(3 * t + t**2) * (3 + 2 * t)
    rates = {"turn": swing, "rise": 2 * t, "reach": 0.8 * np.cos(2 * t), "spin": 1 + 2 * t}
    given_power = sum(motion[f"{name}.effort"] * rates[name] for name in machine.drives)
    scale = 1 + np.max(np.abs(change)) + np.max(np.abs(power))
    close(given_power / scale, (change - power) / scale, 1e-10)


@pytest.mark.parametrize("kind", ["rssr", "cardan", "crane"])
def test_every_part_is_balanced_in_space(kind: str) -> None:
    """Newton and Euler from the joints' columns: forces at the second frame's origin, torques, efforts."""
    values = {
        "start": 0.6,
        "k": 4.0,
        "d": 1.0,
        "ma": 1.0,
        "mb": 2.0,
        "mc": 0.5,
        "ca": 0.3,
        "cb": 0.7,
        "cc": 1.1,
    }
    machine, pairs = linkage(kind, values)
    motion = lw.move(machine, steps=6)
    rows = len(motion)
    world = machine.world()
    force = {name: np.zeros((rows, 3)) for name in ("ground", *machine.moving)}
    moment = {name: np.zeros((rows, 3)) for name in force}
    for name in machine.moving:
        mass = values[f"m{name}"]
        r, _, a = body(motion, name, np.array([values[f"c{name}"], 0.1, -0.2]))
        force[name] += mass * (np.array([0.5, -0.4, -9.81]) - a)
        moment[name] += np.cross(r, mass * (np.array([0.5, -0.4, -9.81]) - a))
        w, alpha = vectors(motion, name, "w"), vectors(motion, name, "alpha")
        turn = turned(motion, name)
        tensor = turn @ INERTIA @ np.swapaxes(turn, 1, 2)
        moment[name] -= np.einsum("rij,rj->ri", tensor, alpha)
        moment[name] -= np.cross(w, np.einsum("rij,rj->ri", tensor, w))
    r, v, _ = body(motion, "b", np.array([1.0, 2, 1]))
    gap = r - np.array([5.0, 6, 7])
    distance = np.linalg.norm(gap, axis=1)
    pull = 4 * (distance - 0.5) + np.sum(gap * v, axis=1) / distance
    push = -gap * (pull / distance)[:, None]
    force["b"] += push
    moment["b"] += np.cross(r, push)
    for name, (first, second) in pairs.items():
        frames = machine.joints[name].frames(world)  # type: ignore[attr-defined]
        place, axis = [], []
        for row in range(rows):
            at = {
                f"{part}.{c}": motion[f"{part}.{c}"][row]
                for part in machine.moving
                for c in (*"xyz", "q0", "q1", "q2", "q3")
            }
            place.append(lw.evaluate([*frames[1].origin], at | machine.values()))
            axis.append(lw.evaluate([*frames[0].z], at | machine.values()))
        wrench, turn = vectors(motion, name, "f"), vectors(motion, name, "t")
        for drive, given_drive in machine.drives.items():
            if given_drive.joint == name:
                along = motion[f"{drive}.effort"][:, None] * np.array(axis)
                shifts = given_drive.coordinate == "displacement" or machine.joints[name].word == "prismatic"
                wrench, turn = (wrench + along, turn) if shifts else (wrench, turn + along)
        whole = np.cross(np.array(place), wrench) + turn
        for part, sign in ((second, 1), (first, -1)):
            force[part] += sign * wrench
            moment[part] += sign * whole
    for part in machine.moving:
        size = 1 + float(np.max(np.abs(force["ground"]))) + float(np.max(np.abs(moment["ground"])))
        close(force[part] / size, 0)
        close(moment[part] / size, 0)


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
            inertia=None if part.inertia is None else (1, 1, part.inertia[0]),
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
