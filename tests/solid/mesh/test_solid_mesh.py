"""Meshes of solids: closed, of the right volume, nowhere farther from the surface than asked for."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid import (
    EMPTY,
    Block,
    Cone,
    Cylinder,
    Placement,
    Polyhedron,
    Prism,
    Solid,
    SolidError,
    Sphere,
    mass_properties,
)
from linkwork.solid.mesh import Mesh, check_mesh, solid_mesh
from linkwork.solid.mesh.shell_mesh import shell_mesh
from linkwork.solid.placement import Floats
from linkwork.solid.region import Region
from linkwork.solid.shell import Shell
from linkwork.solid.shell.moments import moments
from linkwork.solid.step import read_step

FILES = Path(__file__).parents[1] / "step" / "files"
CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
SOLIDS: dict[str, Solid] = {
    "block": Block((3, 2, 1)),
    "cylinder": Cylinder(2, 5),
    "cone": Cone(3, 1, 4),
    "tip above": Cone(3, 0, 4),
    "tip below": Cone(0, 3, 4),
    "ball": Sphere(2),
    "prism": Prism(Region.rectangle(4, 3) - Region.circle(1, (2, 1.5)), 2),
    "polyhedron": Polyhedron(CORNERS, ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))),
    "plate": Block((6, 4, 1)) - Cylinder(1, 3).moved((2, 2, -1)) - Sphere(1).moved((5, 3, 1)),
    "turned": (Block((3, 2, 1)) | Cylinder(0.5, 4)).turned(0.7, (1, 2, 3)).mirrored((1, 0, 2)),
    "common": Sphere(2) & Block((3, 3, 3)),
}


def middles(mesh: Mesh) -> Floats:
    return np.asarray(mesh.corners.mean(axis=1))


@pytest.mark.parametrize("name", SOLIDS)
def test_meshes_of_simple_solids_and_of_what_is_made_of_them(name: str) -> None:
    """Their triangles lie within the deviation of the surface: a little outside no point is in, a little inside all."""
    solid, deviation = SOLIDS[name], 0.02
    mesh = solid_mesh(solid, deviation)
    assert check_mesh(mesh).is_sound
    assert mesh.volume == pytest.approx(mass_properties(solid).volume, rel=0.04)
    normals = np.cross(mesh.corners[:, 1] - mesh.corners[:, 0], mesh.corners[:, 2] - mesh.corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    large = lengths > 0.01 * lengths.max()
    outward = normals[large] / lengths[large, None]
    assert not solid.contains(middles(mesh)[large] + 1.2 * deviation * outward).any()
    assert solid.contains(middles(mesh)[large] - 1.2 * deviation * outward).all()


def test_finer_meshes_are_nearer() -> None:
    errors = [math.pi * 20 - solid_mesh(Cylinder(2, 5), deviation).volume for deviation in (0.1, 0.01, 0.001)]
    assert errors[0] > 5 * errors[1] > 25 * errors[2] > 0


def test_the_deviation_is_that_of_the_placed_solid() -> None:
    fine = len(solid_mesh(Sphere(1).scaled(100), 0.1).triangles)
    assert fine == len(solid_mesh(Sphere(100), 0.1).triangles)


def test_nothing_has_no_triangles() -> None:
    assert len(solid_mesh(EMPTY, 1.0).triangles) == 0
    apart = Block((1, 1, 1)) & Block((1, 1, 1)).moved((5, 0, 0))
    assert len(solid_mesh(apart, 1.0).triangles) == 0


def test_a_deviation_must_be_one() -> None:
    for wrong in (0.0, -1.0, math.nan, 1e-12):
        with pytest.raises(SolidError, match="too small"):
            solid_mesh(Block((1, 1, 1)), wrong)


def test_deep_solids_are_no_trouble() -> None:
    """Where their boxes are known: these are found by recursion."""
    solid: Solid = Block((1, 1, 1))
    for place in range(2 * sys.getrecursionlimit()):
        solid = (solid | Block((1, 1, 1)).moved((place % 5, 0, 0))).named(f"{place}")
        assert solid.box is not None
    assert solid_mesh(solid, 0.1).volume == pytest.approx(5)


# ------------------------------------------------------------------------------------------ shells


def shells_of_files() -> dict[str, Shell]:
    found: dict[str, Shell] = {}
    for path in sorted(FILES.glob("*.step")):
        if path.stem.startswith("free"):
            continue
        for part in read_step(path).parts:
            solid = getattr(part.solid, "solid", part.solid)
            assert isinstance(solid, Shell)
            found.setdefault(f"{path.stem}/{part.product}", solid)
    return found


SHELLS = shells_of_files()


@pytest.mark.parametrize("name", SHELLS)
def test_meshes_of_shells_are_closed_and_near(name: str) -> None:
    """Every sort of face and edge: neighbours share all corners, and no triangle is far from the faces."""
    shell, deviation = SHELLS[name], 0.05
    mesh = shell_mesh(shell.patches, deviation)
    found = check_mesh(mesh)
    assert found.is_sound, found.faults()
    true = moments(shell.patches)
    assert abs(mesh.volume - true.volume) < 1.2 * deviation * true.area
    assert mesh.area == pytest.approx(true.area, rel=0.02)
    low, high = shell.box
    assert np.all(mesh.box[0] > low - 1e-6)
    assert np.all(mesh.box[1] < high + 1e-6)


def test_shells_combine_with_other_solids() -> None:
    shell = SHELLS["shaft_in_plate_mm/plate"]
    cut = shell - Block((100, 100, 2)).moved((-10, -10, 3))
    mesh = solid_mesh(cut, 0.02)
    assert check_mesh(mesh).is_sound
    assert mesh.volume == pytest.approx(moments(shell.patches).volume * 6 / 8, rel=1e-3)


@given(st.floats(0, 6), st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.1, 1)), st.booleans())
def test_placed_shells_have_placed_meshes(
    angle: float, axis: tuple[float, float, float], mirrored: bool
) -> None:
    shell = SHELLS["part_octant/octant"]
    place = Placement.turn(angle, axis, (1, 2, 3))
    place = Placement.mirror((1, 1, 0)).holding(place) if mirrored else place
    mesh = solid_mesh(shell.placed(place), 0.5)
    assert check_mesh(mesh).is_sound
    assert mesh.volume == pytest.approx(solid_mesh(shell, 0.5).volume)
