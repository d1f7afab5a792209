"""What is wrong with a mesh: which edges and triangles, and how many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid import Block, Sphere
from linkwork.solid.mesh import Mesh, MeshFileError, check_mesh, polyhedron_of, solid_mesh
from linkwork.solid.mesh.mesh import together, welded

CUBE = solid_mesh(Block((1, 1, 1)))
BALL = solid_mesh(Sphere(2), 0.05)


def test_a_sound_mesh_has_no_faults() -> None:
    found = check_mesh(BALL)
    assert found.is_sound
    assert found.faults() == []


def test_a_missing_triangle_leaves_three_open_edges() -> None:
    found = check_mesh(Mesh(CUBE.points, CUBE.triangles[1:]))
    assert found.open_edges == 3
    assert len(found.at_open_edges) == 3
    with pytest.raises(MeshFileError) as caught:
        polyhedron_of(found.mesh)
    assert "3 edges with a triangle on one side only" in caught.value.got
    assert "repair" in caught.value.fix


@given(st.sets(st.integers(0, len(BALL.triangles) - 1), max_size=20))
def test_flipped_triangles_are_named_and_mended(flipped: set[int]) -> None:
    triangles = BALL.triangles.copy()
    chosen = sorted(flipped)
    triangles[chosen] = triangles[chosen, ::-1]
    found = check_mesh(Mesh(BALL.points, triangles))
    assert found.flipped.tolist() == chosen
    assert found.is_sound == (not chosen)
    assert polyhedron_of(found.mesh, mend=True).volume == pytest.approx(BALL.volume)
    if chosen:
        with pytest.raises(MeshFileError, match="does not enclose") as caught:
            polyhedron_of(found.mesh)
        assert f"{len(chosen)} of {len(triangles)} face inwards" in caught.value.got
        assert "mend=True" in caught.value.fix


def test_a_mesh_inside_out() -> None:
    found = check_mesh(Mesh(CUBE.points, CUBE.triangles[:, ::-1]))
    assert found.is_inside_out
    assert found.faults() == ["all triangles face inwards"]
    assert polyhedron_of(found.mesh, mend=True).volume == pytest.approx(1)


def test_edges_with_more_than_two_triangles() -> None:
    """Two cubes that share an edge, and one with a fin."""
    beside = Mesh(CUBE.points + np.array([1.0, 1.0, 0.0]), CUBE.triangles)
    both = welded(together([CUBE, beside]).corners)
    found = check_mesh(both)
    assert (found.crowded_edges, found.open_edges) == (1, 0)
    assert len(found.at_crowded_edges) == 4
    with pytest.raises(MeshFileError) as caught:
        polyhedron_of(both, mend=True)
    assert "1 edge with more than two triangles" in caught.value.got


def test_a_void_is_no_fault() -> None:
    inner = Mesh(CUBE.points * 0.5 + 0.25, CUBE.triangles[:, ::-1])
    both = together([CUBE, inner])
    assert check_mesh(both).is_sound
    assert both.volume == pytest.approx(1 - 1 / 8)


def test_triangles_without_area_are_counted() -> None:
    """A thin one on an edge: closed still, but told."""
    a, b = CUBE.triangles[0, :2].tolist()
    middle = len(CUBE.points)
    points = np.concatenate([CUBE.points, [(CUBE.points[a] + CUBE.points[b]) / 2]])
    split = [(a, middle, int(CUBE.triangles[0, 2])), (middle, b, int(CUBE.triangles[0, 2])), (a, b, middle)]
    found = check_mesh(Mesh(points, np.concatenate([split, CUBE.triangles[1:]])))
    assert found.is_sound
    assert found.flat.tolist() == [2]
    assert "1 without area (triangles 2)" in found.faults()


@given(st.integers(0, 10**6))
def test_corners_at_one_place_are_one(seed: int) -> None:
    """However little they differ, and wherever the mesh is."""
    random = np.random.default_rng(seed)
    corners = BALL.corners + random.uniform(-100, 100, 3)
    shaken = corners + random.uniform(-2e-7, 2e-7, corners.shape)
    mesh = welded(shaken)
    assert len(mesh.points) == len(BALL.points)
    assert check_mesh(mesh).is_sound
