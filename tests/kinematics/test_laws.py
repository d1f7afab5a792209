"""Laws of motion on random machines: rates, power, balance of every part, and what must change nothing."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import linkwork as lw
from machines import Array, Drawing, cross, drawings, point_of

FEW = settings(max_examples=7, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
FEWER = settings(FEW, max_examples=4)
RATES = (("x", "vx", "ax", "jx"), ("y", "vy", "ay", "jy"), ("angle", "rate", "acceleration", "jerk"))


def moved(drawing: Drawing, steps: int = 12) -> lw.Motion:
    """The motion of a drawing that keeps clear of dead points."""
    motion = lw.move(drawing.machine(), steps=steps)
    assume(motion.status == "complete")
    assert motion.residual <= 1e-12
    return motion


def same(found: Array, wanted: Array, within: float = 1e-8) -> None:
    scale = max(1.0, float(np.max(np.abs(wanted))))
    np.testing.assert_allclose(found / scale, wanted / scale, atol=within, rtol=0)


@given(drawings(), st.integers(0, 10))
@FEW
def test_laws_of_motion(drawing: Drawing, seed: int) -> None:
    """Everything that holds along any motion of a linkage of pins and slides."""
    mechanism = lw.Mechanism(drawing.machine())
    jacobian_is_the_derivative_of_the_residual(mechanism, seed)
    rates_are_the_derivatives_of_positions(drawing, mechanism)
    motion = moved(drawing)
    joints_do_no_work_and_pins_carry_no_torque(drawing, motion)
    place = point_of(motion, drawing.parts[-1], drawing.masses[-1][1:3])[0]
    if np.min(np.hypot(*(place - [2, 3]).T)) > 0.2:  # the spring has a direction
        power_is_balanced(drawing, motion)
        every_part_is_balanced(drawing, motion)


# ------------------------------------------------------------------------------------------- derivatives


def jacobian_is_the_derivative_of_the_residual(mechanism: lw.Mechanism, seed: int) -> None:
    """Φ_q by the columns equals central differences of Φ, at any coordinates whatever."""
    numbers = mechanism.numbers
    random = np.random.default_rng(seed)
    q, u = random.normal(size=mechanism.system.size), np.array([0.3, 0.1])
    matrix = numbers.linearised(q, u)[1]
    h = 1e-6
    for column in range(len(q)):
        step = np.zeros(len(q))
        step[column] = h
        slope = (numbers.residual(q + step, u) - numbers.residual(q - step, u)) / (2 * h)
        same(matrix[:, column], slope, 1e-7)


def rates_are_the_derivatives_of_positions(drawing: Drawing, mechanism: lw.Mechanism) -> None:
    """Velocity, acceleration and jerk are each the central difference of the one before."""
    h = 1e-3
    fine = mechanism.move(steps=8, start=0.5 - 4 * h, until=0.5 + 4 * h, position=mechanism.assembled)
    assert fine.residual <= 1e-12
    weights = np.array([3, -32, 168, -672, 0, 672, -168, 32, -3]) / (840 * h)  # eighth order
    for part in drawing.parts:
        for names in RATES:
            for low, high in pairwise(names):
                slope = weights @ fine[f"{part}.{low}"]
                same(slope, fine[f"{part}.{high}"][4], 1e-7)


# ------------------------------------------------------------------------------------------ power, balance


def loads(drawing: Drawing, motion: lw.Motion) -> list[tuple[str, Array, Array, Array]]:
    """Part, place, velocity of the place, and force of everything applied: weights and the spring."""
    found = []
    gravity = np.array(drawing.gravity)
    for part, (mass, x, y, _) in zip(drawing.parts, drawing.masses, strict=True):
        r, v, _ = point_of(motion, part, (x, y))
        found.append((part, r, v, np.broadcast_to(mass * gravity, r.shape)))
    stiffness, length, damping = drawing.spring
    last = drawing.parts[-1]
    r, v, _ = point_of(motion, last, drawing.masses[-1][1:3])
    gap = r - np.array([2.0, 3.0])
    distance = np.hypot(*gap.T)
    pull = stiffness * (distance - length) + damping * np.sum(gap * v, axis=1) / distance
    found.append((last, r, v, -gap * (pull / distance)[:, None]))
    return found


def power_is_balanced(drawing: Drawing, motion: lw.Motion) -> None:
    """The drive's effort times its rate is the change of kinetic energy less the power of all loads."""
    t = motion.times
    rate = drawing.swing * np.cos(3 * t + t**2) * (3 + 2 * t)
    change = np.zeros(len(t))
    for part, (mass, x, y, inertia) in zip(drawing.parts, drawing.masses, strict=True):
        _, v, a = point_of(motion, part, (x, y))
        change += (
            mass * np.sum(v * a, axis=1) + inertia * motion[f"{part}.rate"] * motion[f"{part}.acceleration"]
        )
    power = sum(np.sum(force * v, axis=1) for _, _, v, force in loads(drawing, motion))
    same(motion["drive.effort"] * rate, change - power)


def every_part_is_balanced(drawing: Drawing, motion: lw.Motion) -> None:
    """Newton and Euler: joint columns, the drive and the loads give each part's acceleration."""
    rows = len(motion)
    force = {part: np.zeros((rows, 2)) for part in ["ground", *drawing.parts]}
    moment = {part: np.zeros(rows) for part in force}  # about the world's origin
    for part, place, _, push in loads(drawing, motion):
        force[part] += push
        moment[part] += cross(place, push)
    for name, _, first, second, at, _ in drawing.joints():
        place = point_of(motion, second, at)[0]  # at the second part's frame
        push = np.column_stack([motion[f"{name}.fx"], motion[f"{name}.fy"]])
        turn = cross(place, push) + motion[f"{name}.torque"]
        force[second] += push
        force[first] -= push
        moment[second] += turn
        moment[first] -= turn
    moment["crank"] += motion["drive.effort"]
    for part, (mass, x, y, inertia) in zip(drawing.parts, drawing.masses, strict=True):
        r, _, a = point_of(motion, part, (x, y))
        size = max(float(np.max(np.abs(each))) for each in (*force.values(), *moment.values())) + 1
        same(force[part] / size, mass * a / size, 1e-9)
        same(
            moment[part] / size, (mass * cross(r, a) + inertia * motion[f"{part}.acceleration"]) / size, 1e-9
        )


def joints_do_no_work_and_pins_carry_no_torque(drawing: Drawing, motion: lw.Motion) -> None:
    """Virtual work: a joint's force and torque on both parts together have no power; nor along what is free."""
    for name, kind, first, second, at, direction in drawing.joints():
        push = np.column_stack([motion[f"{name}.fx"], motion[f"{name}.fy"]])
        scale = float(np.max(np.abs(push))) + float(np.max(np.abs(motion[f"{name}.torque"]))) + 1
        _, v, _ = point_of(motion, second, at)
        if kind == "revolute":
            same(motion[f"{name}.torque"] / scale, np.zeros(len(motion)), 1e-9)
            other = point_of(motion, first, at)[1] if first != "ground" else np.zeros_like(v)
            same(v, other)
        else:
            host = motion[f"{first}.angle"] if first != "ground" else np.zeros(len(motion))
            axis = np.column_stack([np.cos(host + direction), np.sin(host + direction)])
            same(np.sum(push * axis, axis=1) / scale, np.zeros(len(motion)), 1e-9)
            if first != "ground":
                same(motion[f"{first}.rate"], motion[f"{second}.rate"])


# --------------------------------------------------------------------------------------------- invariance


@given(drawings(), st.sampled_from((1e-3, 1e3, 25.4)))
@FEWER
def test_units_of_length_change_nothing(drawing: Drawing, size: float) -> None:
    """In millimetres all angles are the same, lengths are 1000 times as large, efforts 10⁶ times."""
    base, scaled = moved(drawing), moved(replace(drawing, size=size))
    for part in drawing.parts:
        for name in ("angle", "rate", "acceleration", "jerk"):
            same(scaled[f"{part}.{name}"], base[f"{part}.{name}"])
        for name in ("x", "vy", "ax", "jy"):
            same(scaled[f"{part}.{name}"] / size, base[f"{part}.{name}"])
    same(scaled["drive.effort"] / size**2, base["drive.effort"])


@given(drawings(), st.tuples(st.floats(-9, 9), st.floats(-9, 9), st.floats(-3, 3)))
@FEWER
def test_moving_the_whole_machine_turns_its_forces_with_it(
    drawing: Drawing, pose: tuple[float, float, float]
) -> None:
    """A machine put elsewhere and turned, gravity with it, has the same motion and turned forces."""
    base, other = moved(drawing), moved(replace(drawing, moved=pose))
    c, s = math.cos(pose[2]), math.sin(pose[2])
    for part in drawing.parts:
        for name in ("angle", "rate", "acceleration", "jerk"):
            same(other[f"{part}.{name}"], base[f"{part}.{name}"])
    for name, *_ in drawing.joints():
        fx, fy = base[f"{name}.fx"], base[f"{name}.fy"]
        same(other[f"{name}.fx"], c * fx - s * fy, 1e-7)
        same(other[f"{name}.fy"], s * fx + c * fy, 1e-7)
        same(other[f"{name}.torque"], base[f"{name}.torque"], 1e-7)
    same(other["drive.effort"], base["drive.effort"])


@given(drawings())
@FEWER
def test_names_change_nothing(drawing: Drawing) -> None:
    """Parts and joints called otherwise move the same, to the last bit or nearly so."""
    rename = {name: f"zz{place}" for place, name in enumerate(reversed(drawing.parts))}
    rename |= {name: f"q_{99 - place}" for place, (name, *_) in enumerate(drawing.joints())}
    rename["A"] = "pin"
    base, other = moved(drawing), moved(replace(drawing, rename=rename))
    for part in drawing.parts:
        for name in ("x", "angle", "vy", "acceleration", "jerk"):
            same(other[f"{rename[part]}.{name}"], base[f"{part}.{name}"], 1e-10)
    for name, *_ in drawing.joints():
        same(other[f"{rename[name]}.fx"], base[f"{name}.fx"], 1e-9)


@given(drawings(), st.integers(0, 99))
@FEWER
def test_the_choice_of_body_frames_changes_nothing(drawing: Drawing, seed: int) -> None:
    """A part whose own frame stands elsewhere, turned, moves the same: angles differ by a constant."""
    random = np.random.default_rng(seed)
    frames = tuple(tuple(each) for each in random.uniform(-2, 2, (len(drawing.parts), 3)).tolist())
    base, other = moved(drawing), moved(replace(drawing, frames=frames))
    for place, part in enumerate(drawing.parts):
        same(other[f"{part}.angle"], base[f"{part}.angle"] + frames[place][2])
        for name in ("rate", "acceleration", "jerk"):
            same(other[f"{part}.{name}"], base[f"{part}.{name}"])
        r, v, a = point_of(base, part, frames[place][:2])
        same(np.column_stack([other[f"{part}.x"], other[f"{part}.y"]]), r)
        same(np.column_stack([other[f"{part}.vx"], other[f"{part}.vy"]]), v)
        same(np.column_stack([other[f"{part}.ax"], other[f"{part}.ay"]]), a)
    for name, *_ in drawing.joints():
        for column in ("fx", "fy", "torque"):
            same(other[f"{name}.{column}"], base[f"{name}.{column}"], 1e-7)
    same(other["drive.effort"], base["drive.effort"])
