"""Cones of flat sides, as meshes have them, hold as the cones that they stand for; bands of balls are none."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from solid_machines import Solids, ball_in_socket, pairs_of
from test_flat_sides import POSES, coarse

import linkwork as lw
from linkwork.model.solids import part_solids
from linkwork.recognition import recognise_solids
from linkwork.recognition.rounding import Rounding, as_recognised
from linkwork.solid import Cone, Cylinder, Polyhedron, Solid, Sphere

WORKSHOP = Path(__file__).parent / "workshop"


def meshed(solid: Solid, pose: str = "as drawn") -> Solid:
    """A solid elsewhere as a mesh whose digits are those of its place; one that is scaled was a mesh before."""
    place = POSES[pose]
    return coarse(solid.placed(place)) if place.scale == 1 else coarse(solid).placed(place)


def cones_of(solid: Solid, pose: str = "as drawn") -> list[Rounding]:
    """The cones for which flat sides of a mesh stand."""
    return [each for each in as_recognised(meshed(solid, pose))[1] if each.slope]


def solids_of(name: str) -> Solids:
    """The solids of a machine of the workshop."""
    return part_solids(lw.load(WORKSHOP / f"{name}.toml"))


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(
    ("name", "ground"), [("gyroscope", "frame"), ("pipe-between-cones", "stand"), ("printed-hinge", "leaf_a")]
)
def test_meshes_of_cones_have_the_pairs_of_their_solids(name: str, ground: str, pose: str) -> None:
    solids = solids_of(name)
    wanted = recognise_solids(solids, ground)
    meshes = {part: meshed(solid, pose) for part, solid in solids.items()}
    found = recognise_solids(meshes, ground)
    assert pairs_of(found) == pairs_of(wanted)


@pytest.mark.parametrize("pose", POSES)
def test_a_cone_is_known_by_its_sides(pose: str) -> None:
    """On a shaft about as thick, whose sides go over into its own, and with a tip."""
    for solid, slope in (
        (Cylinder(4, 5) | Cone(4, 3.2, 9).moved((0, 0, 5)), 0.8 / 9),
        (Cylinder(6, 2) | Cone(4, 0, 5).moved((0, 0, 2)), 0.8),
    ):
        (cone,) = cones_of(solid, pose)
        assert abs(cone.slope) == pytest.approx(slope, rel=1e-3)
        assert cone.largest == pytest.approx(4 * POSES[pose].scale, rel=1e-3)


def test_bands_of_balls_and_of_rounded_edges_are_no_cones() -> None:
    assert cones_of(Sphere(5)) == []
    barrel = Sphere(5) & Cylinder(4, 6).moved((0, 0, -3))
    assert cones_of(barrel | Cylinder(1, 9)) == []
    assert [each for solid in ball_in_socket().values() for each in cones_of(solid)] == []


def test_a_leaning_side_of_few_facets_is_no_cone() -> None:
    """With 20 sides a turn it is a pyramid."""
    ring = [(math.cos(k * math.tau / 20), math.sin(k * math.tau / 20)) for k in range(20)]
    points = *((3 * x, 3 * y, 0.0) for x, y in ring), (0.0, 0.0, 4.0)
    sides = *((k, (k + 1) % 20, 20) for k in range(20)), tuple(range(19, -1, -1))
    assert as_recognised(Polyhedron(points, sides))[1] == ()
