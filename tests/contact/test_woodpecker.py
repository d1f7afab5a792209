"""The woodpecker toy with the numbers of Ch. Glocker (thesis, TU München, 1995, p. 162), stepped beside the engine.

F. Pfeiffer, Ch. Glocker: Multibody Dynamics with Unilateral Contacts (1996); R. I. Leine, Ch. Glocker, D. H. van
Campen: Nonlinear Dynamics of the Woodpecker Toy (ASME DETC 2001). A sleeve that slides and tilts on a pole, touching it
at its lower and its upper corner, and a bird on it by a spring, whose beak strikes the pole. In metres and kilograms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

import linkwork as lw
from linkwork.contact import ContactSolution
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text

SLEEVE, BIRD, SLEEVE_INERTIA, BIRD_INERTIA = 3e-4, 4.5e-3, 5e-9, 7e-7
STIFFNESS, G, FRICTION = 5.6e-3, 9.81, 0.3
POLE, HOLE, HALF, ARM, BODY = 2.5e-3, 3.1e-3, 5.8e-3, 1e-2, 1.5e-2
BEAK = (BODY - 2.01e-2, 2e-2)
"""Where it is, from the hinge."""
RESTITUTION = np.array([0.5, 0.0, 0.0])
TILT, LEAN, RATES = -0.1036, -0.2788, (-0.3411, 0.0, -7.4583)
"""The published start: angles of sleeve and bird, rates of height and angles."""
PACE = 1e-4
Places = npt.NDArray[np.intp]


class State(NamedTuple):
    """What a model says of a state: masses, forces; gaps of beak, lower and upper corner, their rates and slips."""

    mass: Matrix
    force: Matrix
    gap: Matrix
    opens: Matrix
    slips: Matrix


def small_angles(q: Matrix, _: Matrix) -> State:
    """The published model, with sines taken for angles and cosines for 1."""
    _, tilt, lean = q
    lever = np.array([1, ARM, BODY])
    mass = BIRD * np.outer(lever, lever) + np.diag([SLEEVE, SLEEVE_INERTIA, BIRD_INERTIA])
    force = -BIRD * G * lever - [SLEEVE * G, 0, 0] + STIFFNESS * (tilt - lean) * np.array([0, -1, 1])
    gap = np.array(
        [ARM + BEAK[0] - POLE - BEAK[1] * lean, HOLE - POLE + HALF * tilt, HOLE - POLE - HALF * tilt]
    )
    opens = np.array([[0, 0, -BEAK[1]], [0, HALF, 0], [0, -HALF, 0]])
    return State(mass, force, gap, opens, np.array([[1, ARM, BEAK[0]], [1, HOLE, 0], [1, HOLE, 0]]))


def placed(at: tuple[float, float], angle: float) -> Matrix:
    """A point of a part that is turned; its rate is the point of the part that is turned by 90 degrees more."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * at[0] - s * at[1], s * at[0] + c * at[1]])


def as_it_is(q: Matrix, u: Matrix) -> State:
    """The same sleeve and bird without that."""
    _, tilt, lean = q
    right = math.pi / 2

    def rows(on_sleeve: tuple[float, float], on_bird: tuple[float, float]) -> Matrix:
        up, turn = np.array([0.0, 1.0]), (placed(on_sleeve, tilt + right), placed(on_bird, lean + right))
        return np.column_stack([up, *turn])

    centre = rows((ARM, 0), (BODY, 0))
    bends = placed((ARM, 0), tilt + 2 * right) * u[1] ** 2 + placed((BODY, 0), lean + 2 * right) * u[2] ** 2
    mass = BIRD * centre.T @ centre + np.diag([SLEEVE, SLEEVE_INERTIA, BIRD_INERTIA])
    force = BIRD * centre.T @ ([0, -G] - bends) - [SLEEVE * G, 0, 0]
    force += STIFFNESS * (tilt - lean) * np.array([0, -1, 1])
    corners = [(HOLE, -HALF), (HOLE, HALF)]
    across = [placed((ARM, 0), tilt) + placed(BEAK, lean), *(placed(corner, tilt) for corner in corners)]
    moves = [rows((ARM, 0), BEAK), *(rows(corner, (0, 0)) for corner in corners)]
    gap = np.array([each[0] - POLE for each in across])
    return State(
        mass, force, gap, np.array([each[0] for each in moves]), np.array([each[1] for each in moves])
    )


def impulses(found: State, touch: Places, v: Matrix, given: Matrix) -> tuple[Matrix, Matrix]:
    """Velocities behind impulses of which some is given, and these: nothing approaches, friction holds or is full."""
    rows = np.concatenate([found.opens[touch], found.slips[touch]])
    response = np.linalg.solve(found.mass, rows.T).T
    gives = np.einsum("ij,ij->i", rows, response)
    count = len(touch)
    v = v + given @ response[:count]
    pushed = np.zeros(2 * count)
    for _ in range(5000):
        before = pushed.copy()
        for i in range(2 * count):
            limit = FRICTION * (pushed[i - count] + given[i - count])
            least, most = (0.0, math.inf) if i < count else (-limit, limit)
            new = min(max(pushed[i] - rows[i] @ v / gives[i], least), most)
            v = v + (new - pushed[i]) * response[i]
            pushed[i] = new
        if np.max(np.abs(pushed - before)) <= 1e-12 * np.max(np.abs(pushed)):
            break
    return v, pushed[:count] + given


def stepped(model: Callable[[Matrix, Matrix], State], tilt: float, until: float) -> Matrix:
    """J. J. Moreau's stepping with Poisson's restitution: rows of time, three coordinates, rates and impulses."""
    q, u, rows = np.array([0.0, tilt, LEAN]), np.array(RATES), []
    for k in range(round(until / PACE)):
        q = q + PACE / 2 * u
        found = model(q, u)
        touch = np.flatnonzero(found.gap <= 0)
        struck = found.opens[touch] @ u < -0.01
        u = u + PACE * np.linalg.solve(found.mass, found.force)
        pushed = np.zeros(3)
        if len(touch):
            u, pushed[touch] = impulses(found, touch, u, np.zeros(len(touch)))
            back = np.where(struck, RESTITUTION[touch] * pushed[touch], 0)
            if back.any():
                u, pushed[touch] = impulses(found, touch, u, back)
        q = q + PACE / 2 * u
        rows.append([PACE * (k + 1), *q, *u, *pushed])
    return np.array(rows)


def begins(rows: Matrix, place: int) -> list[float]:
    """When a contact begins, but for those that come within 10 ms of another."""
    on = rows[:, 7 + place] > 0
    times = rows[np.flatnonzero(on & ~np.roll(on, 1)), 0]
    return apart(times.tolist())


def apart(times: list[float]) -> list[float]:
    return [time for before, time in zip([-1.0, *times], times, strict=False) if time - before > 0.01]


def test_the_stepping_meets_the_published_motion() -> None:
    """The published start lies on the motion that repeats itself: a period later all but the height is as it was."""
    rows = stepped(small_angles, TILT, 0.16)
    (back,) = np.flatnonzero((rows[:-1, 3] > LEAN) & (rows[1:, 3] <= LEAN))
    assert rows[back, 0] == pytest.approx(0.1463, abs=3e-4)
    assert rows[back, [2, 4, 6]] == pytest.approx([TILT, RATES[0], RATES[2]], rel=1e-2)


MACHINE = f"""
linkwork = 1
gravity = [0, -{G}]
[part.pole]
fixed = true
solid = 'translate([{-POLE}, -0.4, -0.004]) cube([{2 * POLE}, 0.5, 0.008]);'
[part.sleeve]
solid = '''
  translate([{HOLE}, {-HALF}, -0.006]) cube([0.002, {2 * HALF}, 0.012]);
  translate([{HOLE}, -0.0015, -0.002]) cube([{ARM - HOLE}, 0.003, 0.004]);
  translate([{ARM}, 0, -0.005]) cylinder(d=0.003, h=0.01);
'''
mass = {SLEEVE}
centre = [0, 0]
inertia = {SLEEVE_INERTIA}
[part.bird]
solid = '''
difference() {{
  union() {{
    for (z = [-0.005, 0.002]) translate([{ARM}, 0, z]) cylinder(d=0.006, h=0.003);
    for (z = [-0.005, 0.002]) translate([{ARM}, -0.002, z]) cube([0.01, 0.004, 0.003]);
    translate([{ARM + 0.007}, -0.012, -0.005]) cube([0.016, 0.036, 0.01]);
    translate([0, 0, -0.005]) linear_extrude(0.01)
      polygon([[{ARM + 0.007}, 0.018], [{ARM + 0.007}, 0.022], [{ARM + BEAK[0]}, {BEAK[1]}]]);
  }}
  translate([{ARM}, 0, -0.006]) cylinder(d=0.003, h=0.012);
}}'''
mass = {BIRD}
centre = [{ARM + BODY}, 0]
inertia = {BIRD_INERTIA}
spring = {{ rest = 0, stiffness = {STIFFNESS} }}
[joint]
"pole/sleeve" = "contact"
[constraint.guide]
holds = "sleeve.x == 0"
[contact]
friction = {FRICTION}
[contact.pair."bird/pole"]
restitution = {RESTITUTION[0]}
[initial.start]
holds = ["sleeve.angle == -0.1", "bird.angle == {LEAN}", "rate(sleeve.y) == {RATES[0]}",
  "rate(sleeve.angle) == {RATES[1]}", "rate(bird.angle) == {RATES[2]}"]
"""


def test_the_toy_moves_as_the_stepping_says() -> None:
    """Beak, upper and lower corner strike at the same times, and it comes down as far."""
    until = 0.15
    rows = stepped(as_it_is, -0.1, until)
    found = lw.simulate(machine_from_text(MACHINE, "toy.toml", "toy"), until, step=PACE, contact="rigid")
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    impacts = [event for event in found.events if event["kind"] == "impact"]
    beak = [event["t"] for event in impacts if "bird" in event["parts"]]
    corners = apart([event["t"] for event in impacts if "sleeve" in event["parts"]])
    assert beak == pytest.approx(begins(rows, 0), abs=3e-4)
    assert corners == pytest.approx(sorted([*begins(rows, 1), *begins(rows, 2)]), abs=3e-4)
    names = ("sleeve.y", "sleeve.angle", "bird.angle")
    for place, (name, scale) in enumerate(zip(names, (0.02, 0.2, 0.4), strict=True)):
        own = found.columns[name][1 : len(rows) + 1]
        assert np.max(np.abs(own - rows[:, 1 + place])) < 0.02 * scale


def test_the_example_pecks_its_way_down() -> None:
    """With a sleeve that has play across the pole too: even pecks, a fiftieth of a second apart from the published."""
    found = lw.simulate(lw.load("woodpecker"), 2.0, step=1e-3, contact="rigid")
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    pecks = [event["t"] for event in found.events if event["kind"] == "impact" and "bird" in event["parts"]]
    periods = np.diff(pecks)[4:]
    assert len(periods) > 5
    assert np.ptp(periods) < 1e-3
    assert np.mean(periods) == pytest.approx(0.146, rel=0.05)
    sticks = [event for event in found.events if event["kind"] == "stick"]
    assert len(sticks) >= len(pecks)
