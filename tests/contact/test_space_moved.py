"""Laws of random bodies thrown into a corner: turned, mirrored or scaled with all around them they go as before.

Bodies that tumble forget where they came from: what differs by rounding at first differs tenfold after each impact. So
motions are compared over the first impacts, and to what is left of sixteen digits then.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from test_space import taken

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text

UNTIL = 0.75
START = [-1.2, -1.1, 1.2]
CORNER = """union() {
  translate([-3, -3, -1]) cube([7, 7, 1]);
  translate([-4, -4, -1]) cube([1, 8, 4]);
  translate([-4, -4, -1]) cube([8, 1, 4]);
}"""


def solid(rng: random.Random, kind: str) -> str:
    """A block, a ball, a cylinder, a coin or a prism about the origin."""
    one, two, three = (rng.uniform(0.3, 0.6) for _ in range(3))
    if kind == "block":
        return f"translate([{-one}, {-two}, {-three}]) cube([{2 * one}, {2 * two}, {2 * three}]);"
    if kind == "ball":
        return f"sphere(r={one});"
    height = {"cylinder": 2 * two, "coin": 0.2 * two, "prism": two}[kind]
    sides = f", $fn={rng.randint(3, 6)}" if kind == "prism" else ""
    return f"translate([0, 0, {-height / 2}]) cylinder(r={one}, h={height}{sides});"


@dataclass(frozen=True)
class Thrown:
    """A body thrown into a corner, with a spin; and how all of it is placed."""

    kind: str
    seed: int
    place: str = ""
    linear: tuple[tuple[float, ...], ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    """What becomes of vectors: a turn, or the image in a mirror, times the scale."""

    def run(self, law: Law) -> ContactSolution:
        rng = random.Random(self.seed)
        shape = solid(rng, self.kind)
        tilt = [rng.uniform(0, 360) for _ in range(3)]
        velocity = np.array([rng.uniform(-4, -2), rng.uniform(-4, -2), rng.uniform(-2, 1)])
        spin = np.array([rng.uniform(-4, 4) for _ in range(3)])
        velocity -= np.cross(spin, START)  # of what is at the origin of all
        by = np.array(self.linear)
        size = np.cbrt(abs(np.linalg.det(by)))
        gravity = by @ [0, 0, -10]
        velocity, spin = by @ velocity, np.sign(np.linalg.det(by)) * by / size @ spin
        text = f"""
linkwork = 1
gravity = {[float(each) for each in gravity]}
[part.room]
fixed = true
solid = '''{self.place} {CORNER}'''
[part.body]
free = true
density = 1
solid = '''{self.place} translate({START}) rotate({tilt}) {shape}'''
"""
        rates = dict(zip((f"body.{each}" for each in "xyz"), velocity.tolist(), strict=True))
        rates |= {f"body.q{k + 1}": float(spin[k] / 2) for k in range(3)}
        machine = machine_from_text(text, "thrown.toml", "thrown")
        found = simulate(machine, UNTIL, contact="rigid", laws=Laws(law), rates=rates)
        assert isinstance(found, ContactSolution)
        assert found.status == "complete", found.why
        return found


def places(found: ContactSolution) -> Matrix:
    return np.column_stack([found.columns[f"body.{each}"] for each in "xyz"])


def impacts(found: ContactSolution) -> list[tuple[float, list[str]]]:
    """When something strikes with more than a thousandth of the largest speed, and with what."""
    struck = [event for event in found.events if event["kind"] == "impact"]
    largest = max((event["approach"] for event in struck), default=0.0)
    return [(event["t"], event["features"]) for event in struck if event["approach"] > 1e-3 * largest]


def same_motion(one: ContactSolution, other: ContactSolution, by: Matrix) -> None:
    """All places of the other are images of the one's, and it strikes at the same times with the same features."""
    wanted = places(one) @ by.T
    assert np.abs(places(other) - wanted).max() < 1e-6 * np.abs(wanted).max()
    assert [features for _, features in impacts(other)] == [features for _, features in impacts(one)]
    assert [time for time, _ in impacts(other)] == pytest.approx([time for time, _ in impacts(one)], abs=1e-6)


KINDS = ("block", "ball", "cylinder", "coin", "prism")
LAWS = {"rough": Law(friction=0.4), "rough and springy": Law(friction=0.3, restitution=0.4)}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", KINDS)
def test_it_goes_the_same_way_however_it_is_turned(kind: str, law: str) -> None:
    seed = 1
    turn = Rotation.from_euler("xyz", (50, 20 + 31 * seed, 110), degrees=True)
    angles = turn.as_euler("xyz", degrees=True).tolist()
    by = turn.as_matrix()
    one = Thrown(kind, seed).run(LAWS[law])
    assert impacts(one)
    other = Thrown(kind, seed, f"rotate({angles})", tuple(map(tuple, by))).run(LAWS[law])
    same_motion(one, other, by)


@pytest.mark.parametrize("kind", KINDS)
def test_its_image_in_a_mirror_moves_as_an_image_does(kind: str) -> None:
    by = np.diag([-1.0, 1.0, 1.0])
    one = Thrown(kind, 3).run(LAWS["rough and springy"])
    other = Thrown(kind, 3, "mirror([1, 0, 0])", tuple(map(tuple, by))).run(LAWS["rough and springy"])
    same_motion(one, other, by)


@pytest.mark.parametrize(("kind", "scale"), [*zip(KINDS, (0.001, 1e3, 1e3, 0.001, 1e3), strict=True)])
def test_it_goes_the_same_way_however_large_it_is(kind: str, scale: float) -> None:
    """With lengths, velocities and gravity times s all times stay."""
    by = scale * np.eye(3)
    one = Thrown(kind, 4).run(LAWS["rough and springy"])
    other = Thrown(kind, 4, f"scale({scale})", tuple(map(tuple, by))).run(LAWS["rough and springy"])
    same_motion(one, other, by)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 5])
def test_no_energy_is_created(kind: str, seed: int) -> None:
    found = Thrown(kind, seed).run(LAWS["rough and springy"])
    energy = found.columns["energy"]
    assert np.diff(energy).max() <= 1e-8 * float(found.columns["kinetic"].max())
    assert min(taken(found)) >= -1e-10 * float(found.columns["kinetic"].max())
