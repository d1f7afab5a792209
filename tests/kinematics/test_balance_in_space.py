"""Forces in joints and drives of machines in space: what they do to every part, and their power."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from closeness import close
from hypothesis import given, settings
from hypothesis import strategies as st

import linkwork as lw
from machines import Array, turned, vectors

J, P, F = lw.joint, lw.Part, lw.Pose
GRAVITY = np.array([0.5, -0.4, -9.81])
INERTIA = np.array([[0.3, 0.02, -0.05], [0.02, 0.5, 0.03], [-0.05, 0.03, 0.7]])
ANCHOR, HOOK, REST = np.array([5.0, 6, 7]), np.array([1.0, 2, 1]), 0.5
"""Of the spring: where it is fixed to the ground, where to part b, and its length without load."""

Linkage = tuple[lw.Machine, dict[str, tuple[str, str]]]
"""A machine and the parts of each of its joints."""


def heavy(name: str, **more: Any) -> lw.Part:
    """A part with a mass; b holds an end of the spring."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = INERTIA.tolist()
    if name == "b":
        more["points"] = {"S": tuple(HOOK.tolist())}
    return P(mass=f"m{name}", centre=(f"c{name}", 0.1, -0.2), inertia=(xx, yy, zz, xy, xz, yz), **more)


def loaded(
    name: str,
    values: dict[str, float],
    parts: dict[str, lw.Part],
    joints: dict[str, lw.joint.Joint],
    **more: Any,
) -> lw.Machine:
    """A machine under gravity with a spring from the ground to b, driven at A for a second."""
    spring = lw.force.Spring(("ground.S", "b.S"), stiffness="k", length=REST, damping="d")
    fields: dict[str, Any] = {"drives": {"turn": lw.Drive("A", value="0.3*sin(3*t + t^2)")}, **more}
    return lw.Machine.of(
        name,
        values,
        dimension=3,
        parts={"ground": P(points={"S": tuple(ANCHOR.tolist())}), **parts},
        joints=joints,
        forces={"spring": spring},
        gravity=tuple(GRAVITY.tolist()),
        time=lw.Span(until=1),
        **fields,
    )


def rssr(values: dict[str, float]) -> Linkage:
    """Crank a about z, rocker b about x at (4, 3, 0), rod c with a ball at one end, a cross at the other."""
    theta, psi = values["start"], 1.2
    start = np.array([1.5 * math.cos(theta), 1.5 * math.sin(theta), 0.0])
    end = np.array([4.0, 3 + 4 * math.cos(psi), 4 * math.sin(psi)])
    joints: dict[str, lw.joint.Joint] = {
        "A": J.Revolute(parts=("ground", "a"), at=(0, 0, 0)),
        "B": J.Universal(parts=("a", "c"), at=tuple(start.tolist()), axis=tuple((end - start).tolist())),
        "C": J.Spherical(parts=("c", "b"), at=tuple(end.tolist())),
        "D": J.Revolute(parts=("ground", "b"), at=(4, 3, 0), axis=(1, 0, 0)),
    }
    parts = {"a": heavy("a"), "b": heavy("b"), "c": heavy("c", start=F(at=tuple(start.tolist())))}
    pairs = {"A": ("ground", "a"), "B": ("a", "c"), "C": ("c", "b"), "D": ("ground", "b")}
    return loaded("rssr", values, parts, joints), pairs


def cardan(values: dict[str, float]) -> Linkage:
    """Two shafts at an angle with a cross between them; the second may shift along itself."""
    joints: dict[str, lw.joint.Joint] = {
        "A": J.Revolute(("ground", "a")),
        "B": J.Cylindrical(("bent", "b")),
        "C": J.Universal(("a", "b")),
    }
    parts = {"a": heavy("a"), "b": heavy("b", start=F(turn="start", axis=(1, 0, 0)))}
    frames = {"bent": lw.Frame(turn="start", axis=(1, 0, 0))}
    pairs = {"A": ("ground", "a"), "B": ("ground", "b"), "C": ("a", "b")}
    return loaded("cardan", values, parts, joints, frames=frames), pairs


def crane(values: dict[str, float]) -> Linkage:
    """An open chain: a turns and rises, b reaches out along it, c spins on b."""
    joints: dict[str, lw.joint.Joint] = {
        "A": J.Cylindrical(("ground", "a"), axis=(0, 0.6, 0.8)),
        "B": J.Prismatic(("a.E", "b"), axis=(1, 0, 0), start=1),
        "C": J.Revolute(("b", "c"), axis=(0.6, 0, 0.8)),
    }
    drives = {
        "turn": lw.Drive("A", "angle", value="start + 0.3*sin(3*t + t^2)"),
        "rise": lw.Drive("A", "displacement", value="t^2"),
        "reach": lw.Drive("B", value="1 + 0.4*sin(2*t)"),
        "spin": lw.Drive("C", value="t + t^2"),
    }
    parts = {"a": heavy("a", points={"E": (1, 0, 0.5)}), "b": heavy("b"), "c": heavy("c")}
    pairs = {"A": ("ground", "a"), "B": ("a", "b"), "C": ("b", "c")}
    return loaded("crane", values, parts, joints, drives=drives), pairs


LINKAGES = {"rssr": rssr, "cardan": cardan, "crane": crane}


# ------------------------------------------------------------------------------------- what acts on a part


def body(motion: lw.Motion, part: str, local: Array) -> tuple[Array, Array, Array]:
    """Place, velocity and acceleration of a point of a part in space."""
    arm = turned(motion, part) @ local
    w, alpha = vectors(motion, part, "w"), vectors(motion, part, "alpha")
    return (
        vectors(motion, part, "") + arm,
        vectors(motion, part, "v") + np.cross(w, arm),
        vectors(motion, part, "a") + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm)),
    )


def centre(values: dict[str, float], part: str) -> Array:
    """The centre of mass in the part's own frame."""
    return np.array([values[f"c{part}"], 0.1, -0.2])


def change_of_spin(motion: lw.Motion, part: str) -> Array:
    """Euler: I·α + ω × I·ω."""
    w, alpha = vectors(motion, part, "w"), vectors(motion, part, "alpha")
    turn = turned(motion, part)
    tensor = turn @ INERTIA @ np.swapaxes(turn, 1, 2)
    found: Array = np.einsum("rij,rj->ri", tensor, alpha) + np.cross(w, np.einsum("rij,rj->ri", tensor, w))
    return found


def spring_on_b(motion: lw.Motion, values: dict[str, float]) -> tuple[Array, Array, Array]:
    """Where the spring holds b, how fast that moves, and the force on it."""
    place, velocity, _ = body(motion, "b", HOOK)
    gap = place - ANCHOR
    distance = np.linalg.norm(gap, axis=1)
    closing = np.sum(gap * velocity, axis=1) / distance
    pull = values["k"] * (distance - REST) + values["d"] * closing
    return place, velocity, -gap * (pull / distance)[:, None]


def wrench(machine: lw.Machine, motion: lw.Motion, name: str) -> tuple[Array, Array]:
    """The force of a joint and its drives on the second part, and its moment about the origin."""
    frames = machine.joints[name].frames(machine.world())  # type: ignore[attr-defined]
    columns = [f"{part}.{c}" for part in machine.moving for c in (*"xyz", "q0", "q1", "q2", "q3")]
    place, axis = [], []
    for row in range(len(motion)):
        at = {column: motion[column][row] for column in columns} | machine.values()
        place.append(lw.evaluate([*frames[1].origin], at))
        axis.append(lw.evaluate([*frames[0].z], at))
    force, torque = vectors(motion, name, "f"), vectors(motion, name, "t")
    for drive, each in machine.drives.items():
        if each.joint == name:
            along = motion[f"{drive}.effort"][:, None] * np.array(axis)
            if each.coordinate == "displacement" or machine.joints[name].word == "prismatic":
                force = force + along
            else:
                torque = torque + along
    return force, np.cross(np.array(place), force) + torque


# ----------------------------------------------------------------------------------------------- the laws


@given(
    st.sampled_from([*LINKAGES]),
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
    machine, _ = LINKAGES[kind](values)
    motion = lw.move(machine, steps=6)
    assert motion.status == "complete"
    assert motion.residual <= 1e-12
    t = motion.times
    _, velocity, push = spring_on_b(motion, values)
    change, power = np.zeros(len(t)), np.sum(push * velocity, axis=1)
    for name in machine.moving:
        mass = values[f"m{name}"]
        _, v, a = body(motion, name, centre(values, name))
        spin = change_of_spin(motion, name)
        change += mass * np.sum(v * a, axis=1) + np.sum(vectors(motion, name, "w") * spin, axis=1)
        power += mass * (v @ GRAVITY)
    swing = 0.3 * np.cos(3 * t + t**2) * (3 + 2 * t)
    rates = {"turn": swing, "rise": 2 * t, "reach": 0.8 * np.cos(2 * t), "spin": 1 + 2 * t}
    given_power = sum(motion[f"{name}.effort"] * rates[name] for name in machine.drives)
    scale = 1 + np.max(np.abs(change)) + np.max(np.abs(power))
    close(given_power / scale, (change - power) / scale)


@pytest.mark.parametrize("kind", LINKAGES)
def test_every_part_is_balanced_in_space(kind: str) -> None:
    """Newton and Euler from the joints' columns: forces at the second frame's origin, torques, efforts."""
    values = {"start": 0.6, "k": 4.0, "d": 1.0}
    values |= {"ma": 1.0, "mb": 2.0, "mc": 0.5, "ca": 0.3, "cb": 0.7, "cc": 1.1}
    machine, pairs = LINKAGES[kind](values)
    motion = lw.move(machine, steps=6)
    force = {name: np.zeros((len(motion), 3)) for name in ("ground", *machine.moving)}
    moment = {name: np.zeros((len(motion), 3)) for name in force}
    for name in machine.moving:
        place, _, a = body(motion, name, centre(values, name))
        inertial = values[f"m{name}"] * (GRAVITY - a)
        force[name] += inertial
        moment[name] += np.cross(place, inertial) - change_of_spin(motion, name)
    place, _, push = spring_on_b(motion, values)
    force["b"] += push
    moment["b"] += np.cross(place, push)
    for name, (first, second) in pairs.items():
        carried, turning = wrench(machine, motion, name)
        for part, sign in ((second, 1), (first, -1)):
            force[part] += sign * carried
            moment[part] += sign * turning
    size = 1 + float(np.max(np.abs(force["ground"]))) + float(np.max(np.abs(moment["ground"])))
    for name in machine.moving:
        close(force[name] / size, 0)
        close(moment[name] / size, 0)
