"""Free bodies: forces add up to mass times acceleration, and that is the acceleration of the motion."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact import ContactSolution
from linkwork.contact.free_body import FreeBodies, free_bodies
from linkwork.errors import UsageError
from linkwork.simulation import Solution

MACHINES = {
    "escapement": 3.0,
    "double-escapement": 3.1,
    "ratchet-cw": 2.0,
    "rotary-reciprocation": 2.0,
    "geneva-drive": 2.45,
    "cam-and-follower": 0.9,
    "door-latch": 0.01,
    "gears-in-contact": 0.27,
    "woodpecker": 0.27,
    "rocking-block": 2.0,
}


def run(name: str, time: float, after: float = 0.0, contact: str = "rigid") -> Solution:
    """A motion in whose rows a time stands, with close ones around it."""
    return lw.simulate(lw.load(name), time + after, step=time / 1000, contact=contact)


def size_of(found: FreeBodies) -> float:
    return max((float(np.hypot(*each.force)) for body in found.bodies for each in body.acting), default=1.0)


@pytest.mark.parametrize("name", MACHINES)
def test_forces_and_moments_make_the_acceleration(name: str) -> None:
    """ΣF = m·a, and ΣM = I·α about the centre of mass, for every part."""
    solution = run(name, MACHINES[name])
    assert solution.status == "complete"
    found = free_bodies(solution)
    size = size_of(found)
    for body in found.bodies:
        assert body.force == pytest.approx(np.array(body.acceleration) * body.mass, abs=1e-9 * max(size, 1))
        moments = max((abs(each.moment_about(body.centre)) for each in body.acting), default=1.0)
        assert body.moment == pytest.approx(body.inertia * body.turning, abs=1e-8 * max(moments, size, 1))


@pytest.mark.parametrize("name", MACHINES)
def test_accelerations_are_those_of_the_motion(name: str) -> None:
    """Rates of the rows around, differentiated: an independent way to the same number."""
    time = MACHINES[name]
    step = time * 1e-5
    solution = lw.simulate(lw.load(name), time, step=step, contact="rigid")
    assert isinstance(solution, ContactSolution)
    inside = range(len(solution) - 3, len(solution))
    assert not [event for event in solution.events if event["t"] > time - 4 * step]
    found = free_bodies(solution, float(solution.times[inside[1]]))
    for body in found.bodies:
        rates = solution[f"{body.part}.rate"][[inside[0], inside[2]]]
        turning = float(rates[1] - rates[0]) / (2 * step)
        assert body.turning == pytest.approx(turning, rel=1e-4, abs=1e-4 * abs(rates).max() / time + 1e-6)


def test_what_one_part_does_to_another_is_done_back() -> None:
    """Every force of a joint or contact between moving parts has its opposite, at the same point."""
    found = free_bodies(run("door-latch", 0.01))
    for body in found.bodies:
        for each in body.acting:
            if each.kind == "contact" and each.name in found.machine.moving:
                back = [b for b in found[each.name].acting if b.kind == "contact" and b.name == body.part]
                assert any(
                    np.allclose(b.point, each.point) and np.allclose(b.force, np.negative(each.force))
                    for b in back
                )
    joints = {each.name for body in found.bodies for each in body.acting if each.kind == "joint"}
    shared = [[e for b in found.bodies for e in b.acting if e.name == name] for name in joints]
    assert any(len(pair) == 2 for pair in shared)
    for pair in shared:
        if len(pair) == 2:
            about = pair[0].point
            assert np.add(pair[0].force, pair[1].force) == pytest.approx([0, 0], abs=1e-9 * size_of(found))
            moments = [each.moment_about(about) for each in pair]
            assert sum(moments) == pytest.approx(0, abs=1e-9 * max(*map(abs, moments), size_of(found)))


def test_a_block_at_rest_stands_on_its_corners() -> None:
    found = free_bodies(run("rocking-block", 2.0))["block"]
    up = [each.force[1] for each in found.acting if each.kind == "contact"]
    weight = next(each.force[1] for each in found.acting if each.kind == "weight")
    assert sum(up) == pytest.approx(-weight)
    assert weight == pytest.approx(-9810 * found.mass)
    assert up == pytest.approx([up[0]] * 2)


def test_a_linkage_without_contacts_has_free_bodies() -> None:
    """The forces in its joints are those of inverse dynamics along the same motion."""
    machine = lw.load("four-bar")
    solution = lw.simulate(machine, 0.3, step=0.1)
    found = free_bodies(solution)
    motion = lw.move(machine, until=0.3, steps=3)
    told = {each.name: each for each in found["rocker"].acting if each.kind == "joint"}
    for joint, each in told.items():
        forces = [abs(float(motion[f"{joint}.f{axis}"][-1])) for axis in "xy"]
        assert np.abs(each.force) == pytest.approx(forces, rel=1e-6)


def test_a_machine_in_space_is_refused() -> None:
    with pytest.raises(UsageError, match="no free bodies in the plane"):
        free_bodies(lw.simulate(lw.load("pendulum"), 1))


@pytest.mark.parametrize(
    ("name", "part", "time"), [("rocking-block", "block", 1.0), ("woodpecker", "bird", 0.1)]
)
def test_columns_tell_where_the_drawing_of_a_part_is(name: str, part: str, time: float) -> None:
    """The centre of mass moves with the frame in which a part is drawn: x + R(angle)·centre."""
    machine = lw.load(name)
    first, later = (lw.simulate(machine, until, step=until / 10, contact="rigid") for until in (1e-6, time))
    x, y, angle = (float(later.columns[f"{part}.{each}"][-1]) for each in ("x", "y", "angle"))
    start = [float(first.columns[f"{part}.{each}"][-1]) for each in ("x", "y", "angle")]
    seen = np.array(free_bodies(first)[part].centre) - start[:2]
    turn = angle - start[2]
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    assert free_bodies(later)[part].centre == pytest.approx(turned @ seen + [x, y], abs=1e-9)
    assert abs(turn) > 1e-3
