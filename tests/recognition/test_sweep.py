"""Chains of motions reach no farther than their members together: nothing leaves its bounds, and these are not wide."""

from __future__ import annotations

import math

import numpy as np
import pytest
from solid_machines import Solids, box, rod

from linkwork.recognition import recognise_solids
from linkwork.recognition.faces import Faces
from linkwork.recognition.motion import Motion
from linkwork.recognition.reach import Surfaces
from linkwork.recognition.sweep import swept
from linkwork.solid import Block, Cone, Cylinder, Solid, Sphere
from linkwork.solid.placement import Floats

KINDS = ("turn", "turn", "turn", "slide", "turn and slide", "ball", "plane")


def surfaces_of(solid: Solid) -> Surfaces:
    return Surfaces.of([("part", solid.box, Faces.of(solid.faces()))])


def rotated(points: Floats, axis: Floats, about: Floats, angle: float) -> Floats:
    seen = points - about
    along = np.outer(seen @ axis, axis)
    return np.asarray(
        about + along + math.cos(angle) * (seen - along) + math.sin(angle) * np.cross(axis, seen - along)
    )


def direction(rng: np.random.Generator) -> Floats:
    way = rng.normal(size=3)
    return np.asarray(way / np.linalg.norm(way))


def somewhere(points: Floats, motion: Motion, rng: np.random.Generator) -> Floats:
    """Points after some motion of its kind."""
    angle, length = rng.uniform(0, math.tau), rng.uniform(-9, 9)
    if motion.kind == "ball":
        assert motion.point is not None
        return rotated(points, direction(rng), motion.point, angle)
    assert motion.axis is not None
    about = rng.normal(size=3) * 5 if motion.kind == "plane" or motion.point is None else motion.point
    if motion.kind != "slide":
        points = rotated(points, motion.axis, about, angle)
    return points + length * motion.axis if "slide" in motion.kind else points


@pytest.mark.parametrize("seed", range(60))
def test_nothing_leaves_the_box_of_its_chain(seed: int) -> None:
    rng = np.random.default_rng(seed)
    solid = (Block((1, 2, 3)), Cylinder(1, 2), Cone(2, 1, 3), Sphere(1.5))[seed % 4].moved((seed % 7, 1, -3))
    inside = rng.uniform(*solid.box, (4000, 3))
    inside = inside[solid.contains(inside)]
    motions = []
    for _ in range(rng.integers(1, 4)):
        kind = KINDS[rng.integers(len(KINDS))]
        axis = np.eye(3)[rng.integers(3)] if rng.random() < 0.5 else direction(rng)
        point = None if kind == "plane" else rng.normal(size=3) * 4
        motions.append(Motion(kind, None if kind == "ball" else axis, point))
    least, most = swept(surfaces_of(solid), motions, 1e-9).box(np.eye(3))
    for _ in range(20):
        points = inside
        for motion in motions:
            points = somewhere(points, motion, rng)
        assert np.all(points >= least - 1e-9)
        assert np.all(points <= most + 1e-9)


def test_a_wheel_in_a_fork_reaches_no_farther_than_its_radius_from_the_axis_of_the_fork() -> None:
    """The axis of the fork meets that of the wheel in its middle."""
    wheel = surfaces_of(Cylinder(5, 2).moved((0, 0, -1)).turned(math.pi / 2, (1, 0, 0)))
    lean = np.array([math.sin(0.3), 0.0, math.cos(0.3)])
    own = Motion("turn", np.array([0.0, 1.0, 0.0]), np.zeros(3))
    least, most = swept(wheel, [own, Motion("turn", lean, 7 * lean)], 1e-9).box(np.eye(3))
    assert most == pytest.approx(np.full(3, math.hypot(5, 1)), abs=0.02)
    assert least == pytest.approx(-most)


def test_turns_about_parallel_axes_reach_as_far_as_both_arms() -> None:
    across = np.array([0.0, 0.0, 1.0])
    motions = [Motion("turn", across, np.array([place, 0.0, 0.0])) for place in (3.0, 0.0)]
    least, most = swept(surfaces_of(rod(1, (3, 0, -1), 2)), motions, 1e-9).box(np.eye(3))
    assert most == pytest.approx([4, 4, 1])
    assert least == pytest.approx([-4, -4, -1])


def scooter(ahead: float) -> Solids:
    """A wheel in a fork that a frame steers, so far ahead of its axis, and one behind that its axle lets slide."""
    behind = -11
    bar = (
        box((behind - 2, -9, 7), (2, -7, 9))
        | box((-2, -9, 7), (2, 2, 9))
        | rod(0.5, (behind, -9, 0), 14, "y")
    )
    frame = (bar | box((behind - 1, -9, -1), (behind + 1, -8, 8))) - rod(0.61, (0, 0, 5), 9)
    head = rod(0.6, (0, 0, 6.1), 6) | rod(1.5, (0, 0, 6.1), 0.8) | rod(1.5, (0, 0, 9.1), 0.5)
    legs = box((ahead - 0.4, -2, -1), (ahead + 0.4, -1.2, 6.5)) | box(
        (ahead - 0.4, 1.2, -1), (ahead + 0.4, 2, 6.5)
    )
    fork = head | legs | box((-0.4, -2, 5.8), (ahead + 0.4, 2, 6.5)) | rod(0.3, (ahead, -2, 0), 4, "y")
    front = rod(5, (ahead, -1, 0), 2, "y") - rod(0.31, (ahead, -2, 0), 4, "y")
    rear = rod(5, (behind, -1, 0), 2, "y") - rod(0.51, (behind, -2, 0), 4, "y")
    return {"frame": frame, "fork": fork, "front": front, "rear": rear}


@pytest.mark.parametrize(("ahead", "kind"), [(0.0, "revolute"), (3.0, "cylindrical")])
def test_what_a_steered_wheel_never_reaches_it_does_not_push(ahead: float, kind: str) -> None:
    found = recognise_solids(scooter(ahead), "frame")
    assert {each.kind for each in found.pairs if "rear" in each.parts} == {kind}
    touching = {frozenset(each.parts) for each in found.interactions}
    assert (frozenset(("front", "rear")) in touching) == (ahead > 0)
