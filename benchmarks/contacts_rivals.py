"""The same escapement in MuJoCo, Box2D and pymunk: the angle of the anchor at rows of times, and the CPU time."""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from contacts_model import (
    BOB_ARM,
    BOB_DAMPING,
    BOB_INERTIA,
    BOB_MASS,
    DISTANCE,
    FRICTION,
    GRAVITY,
    START,
    TEETH,
    TORQUE,
    WHEEL_DAMPING,
    WHEEL_INERTIA,
    WHEEL_MASS,
    Polygon,
    pallet,
    tooth,
)

ROW = 0.02
MILLI = 1e3
"""The plane engines compute in millimetres: their tolerances are made for things of about a metre."""


class Ran(NamedTuple):
    """Angles of the anchor at rows of times, and the CPU time that they took."""

    angles: np.ndarray
    cpu: float


def rows_of(step: float, until: float) -> tuple[int, int]:
    """How many rows there are, and how many steps each takes."""
    return round(until / ROW), max(1, round(ROW / step))


def mujoco(step: float, until: float, stiff: float | None) -> Ran:
    """MuJoCo; ``stiff`` is the time constant of its contacts."""
    engine = importlib.import_module("mujoco")

    model = engine.MjModel.from_xml_string(_mujoco_model(step, stiff))
    data = engine.MjData(model)
    data.qpos[1] = START
    data.ctrl[0] = 1
    rows, each = rows_of(step, until)
    angles = np.zeros(rows)
    begin = time.process_time()
    for row in range(rows):
        engine.mj_step(model, data, nstep=each)
        angles[row] = data.qpos[1]
    return Ran(angles, time.process_time() - begin)


def _mujoco_model(step: float, stiff: float | None) -> str:
    softness = "" if stiff is None else f'solref="{stiff} 1"'
    meshes, geoms = [], {"wheel": "", "anchor": ""}
    shapes = [("wheel", tooth(number)) for number in range(TEETH)] + [
        ("anchor", pallet(side)) for side in (1, -1)
    ]
    for number, (body, polygon) in enumerate(shapes):
        vertices = " ".join(f"{x:.9f} {y:.9f} {z}" for x, y in polygon for z in (-0.002, 0.002))
        meshes.append(f'<mesh name="m{number}" vertex="{vertices}"/>')
        own, with_others = (1, 0) if body == "wheel" else (0, 1)
        geoms[body] += f'<geom type="mesh" mesh="m{number}" contype="{own}" conaffinity="{with_others}"/>'
    return f"""<mujoco><compiler angle="radian"/>
<option timestep="{step}" gravity="0 -{GRAVITY} 0" integrator="implicitfast" cone="elliptic" iterations="50"
 tolerance="1e-12"/>
<default><geom {softness} friction="{FRICTION} 0 0" condim="3" mass="0"/></default>
<asset>{"".join(meshes)}</asset><worldbody>
<body name="wheel"><joint name="w" type="hinge" axis="0 0 1" damping="{WHEEL_DAMPING}"/>
<inertial pos="0 0 0" mass="{WHEEL_MASS}" diaginertia="{WHEEL_INERTIA} {WHEEL_INERTIA} {WHEEL_INERTIA}"/>
{geoms["wheel"]}</body>
<body name="anchor" pos="0 {DISTANCE} 0"><joint name="a" type="hinge" axis="0 0 1" damping="{BOB_DAMPING}"/>
<inertial pos="0 {-BOB_ARM} 0" mass="{BOB_MASS}" diaginertia="{BOB_INERTIA} {BOB_INERTIA} {BOB_INERTIA}"/>
{geoms["anchor"]}</body></worldbody>
<actuator><motor joint="w" gear="{-TORQUE}"/></actuator></mujoco>"""


def _in_milli(polygon: Polygon) -> Polygon:
    return [(MILLI * x, MILLI * y) for x, y in polygon]


def _shapes() -> Iterator[tuple[bool, Polygon]]:
    """Whether each shape is of the wheel, and its corners in millimetres."""
    for number in range(TEETH):
        yield True, _in_milli(tooth(number))
    for side in (1, -1):
        yield False, _in_milli(pallet(side))


def pymunk(step: float, until: float) -> Ran:
    """pymunk, which is Chipmunk."""
    engine = importlib.import_module("pymunk")

    space = engine.Space()
    space.gravity, space.iterations, space.collision_slop = (0, -GRAVITY * MILLI), 30, 0.01
    wheel = engine.Body(WHEEL_MASS, WHEEL_INERTIA * MILLI**2)
    bob = engine.Body(BOB_MASS, BOB_INERTIA * MILLI**2)
    arm = BOB_ARM * MILLI
    bob.angle = START
    bob.position = (arm * math.sin(START), DISTANCE * MILLI - arm * math.cos(START))
    space.add(wheel, bob)
    for of_wheel, polygon in _shapes():
        corners = polygon if of_wheel else [(x, y + arm) for x, y in polygon]
        shape = engine.Poly(wheel if of_wheel else bob, corners)
        shape.filter = engine.ShapeFilter(group=1 if of_wheel else 2)
        shape.friction = math.sqrt(FRICTION)  # of two shapes the product counts
        space.add(shape)
    for body, at, anchor in ((wheel, (0, 0), (0, 0)), (bob, (0, DISTANCE * MILLI), (0, arm))):
        space.add(engine.PivotJoint(space.static_body, body, at, anchor))
    rows, each = rows_of(step, until)
    angles = np.zeros(rows)
    begin = time.process_time()
    for row in range(rows):
        for _ in range(each):
            wheel.torque = -(TORQUE + WHEEL_DAMPING * wheel.angular_velocity) * MILLI**2
            bob.torque = -BOB_DAMPING * MILLI**2 * bob.angular_velocity
            space.step(step)
        angles[row] = bob.angle
    return Ran(angles, time.process_time() - begin)


def box2d(step: float, until: float) -> Ran:
    """Box2D."""
    engine = importlib.import_module("Box2D")

    world = engine.b2World(gravity=(0, -GRAVITY * MILLI), doSleep=False)
    ground = world.CreateStaticBody()
    wheel = world.CreateDynamicBody(position=(0, 0))
    bob = world.CreateDynamicBody(position=(0, DISTANCE * MILLI), angle=START)
    for of_wheel, polygon in _shapes():
        body = wheel if of_wheel else bob
        body.CreatePolygonFixture(
            vertices=polygon, density=1, friction=FRICTION, groupIndex=-1 if of_wheel else -2
        )
    arm = BOB_ARM * MILLI
    wheel.massData = engine.b2MassData(mass=WHEEL_MASS, I=WHEEL_INERTIA * MILLI**2, center=(0, 0))
    inertia = BOB_INERTIA * MILLI**2 + BOB_MASS * arm**2
    bob.massData = engine.b2MassData(mass=BOB_MASS, I=inertia, center=(0, -arm))
    world.CreateRevoluteJoint(bodyA=ground, bodyB=wheel, anchor=(0, 0))
    world.CreateRevoluteJoint(bodyA=ground, bodyB=bob, anchor=(0, DISTANCE * MILLI))
    rows, each = rows_of(step, until)
    angles = np.zeros(rows)
    begin = time.process_time()
    for row in range(rows):
        for _ in range(each):
            wheel.ApplyTorque(-(TORQUE + WHEEL_DAMPING * wheel.angularVelocity) * MILLI**2, True)
            bob.ApplyTorque(-BOB_DAMPING * MILLI**2 * bob.angularVelocity, True)
            world.Step(step, 20, 10)
        angles[row] = bob.angle
    return Ran(angles, time.process_time() - begin)
