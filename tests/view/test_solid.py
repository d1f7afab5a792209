"""Surfaces as triangles: closed, facing outwards, with the volumes of the shapes they stand for."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.view import solid
from linkwork.view.solid import Solid
from linkwork.view.triangulate import triangulated

Array = NDArray[np.float64]
TURN = np.linspace(0, 2 * np.pi, 241)
CIRCLE = np.column_stack([np.cos(TURN), np.sin(TURN), 0 * TURN])
KNOT = np.column_stack(
    [(2 + np.cos(3 * TURN)) * np.cos(2 * TURN), (2 + np.cos(3 * TURN)) * np.sin(2 * TURN), np.sin(3 * TURN)]
)
BENT = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], float)

CLOSED = {
    "box": (solid.box(), 1.0),
    "sphere": (solid.sphere(), 4 / 3 * np.pi),
    "cylinder": (solid.cylinder(), np.pi),
    "rod": (solid.rod(), np.pi),
    "cone": (solid.cone(0.0), np.pi / 3),
    "blunt cone": (solid.cone(0.5), np.pi / 3 * (1 + 0.5 + 0.25)),
    "torus": (solid.torus(0.25), 2 * np.pi**2 * 0.25**2),
    "ring": (solid.tube(CIRCLE, 0.25), 2 * np.pi**2 * 0.25**2),
    "knot": (solid.tube(KNOT, 0.2), None),
    "straight tube": (solid.tube(np.array([[0.0, 0, 0], [1, 1, 1]]), 0.1), np.sqrt(3) * np.pi * 0.01),
    "plate": (solid.extruded(BENT), 3.0),
    "plate the other way round": (solid.extruded(BENT[::-1]), 3.0),
    "spring": (solid.spring(6.0, 5.0), None),
}


def volume(surface: Solid) -> float:
    """By Gauss's theorem: the sum of the tetrahedra from the origin."""
    a, b, c = (surface.positions[surface.triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6


def facing(surface: Solid) -> Array:
    """How far each triangle looks the way of its normals, as a cosine."""
    a, b, c = (surface.positions[surface.triangles[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    mean = surface.normals[surface.triangles].mean(axis=1)
    lengths = np.linalg.norm(across, axis=1) * np.linalg.norm(mean, axis=1)
    return np.asarray(np.einsum("ij,ij->i", across, mean) / lengths)


@pytest.mark.parametrize("name", CLOSED)
def test_closed_surfaces_hold_their_volume(name: str) -> None:
    surface, wanted = CLOSED[name]
    if wanted is None:
        assert volume(surface) > 0
    else:
        assert volume(surface) == pytest.approx(wanted, rel=0.09)  # of inscribed polyhedra: a little less
        assert volume(surface) <= wanted * (1 + 1e-9)


@pytest.mark.parametrize("name", CLOSED)
def test_every_edge_of_a_closed_surface_is_passed_once_each_way(name: str) -> None:
    surface, _ = CLOSED[name]
    places = np.round(surface.positions, 7) + 0.0
    _, same = np.unique(places, axis=0, return_inverse=True)
    ways: Counter[tuple[int, int]] = Counter()
    for triangle in same.ravel()[surface.triangles].tolist():
        ways.update(zip(triangle, [*triangle[1:], triangle[0]], strict=True))
    assert all(ways[(b, a)] == count for (a, b), count in ways.items() if a != b)


@pytest.mark.parametrize("name", CLOSED)
def test_normals_are_units_and_look_outwards(name: str) -> None:
    surface, _ = CLOSED[name]
    assert np.allclose(np.linalg.norm(surface.normals, axis=1), 1)
    assert facing(surface).min() > 0.5


def test_smooth_surfaces_have_smooth_normals() -> None:
    """Those of a ball point away from its middle."""
    assert np.allclose(solid.sphere().positions, solid.sphere().normals)


def test_land_follows_its_heights() -> None:
    xs, ys = np.linspace(-1, 1, 21), np.linspace(-2, 2, 31)
    x, y = np.meshgrid(xs, ys)
    surface = solid.terrain(xs, ys, 0.3 * x - 0.2 * y)
    assert np.allclose(surface.positions[:, 2], 0.3 * surface.positions[:, 0] - 0.2 * surface.positions[:, 1])
    assert np.allclose(surface.normals, np.array([-0.3, 0.2, 1]) / np.linalg.norm([-0.3, 0.2, 1]))
    assert facing(surface).min() > 0.999


def test_letters_have_holes() -> None:
    """An o is less than its outline; the letters of a text stand beside one another, around the origin."""
    one, two = solid.words("o"), solid.words("oo")
    assert 0.1 < _area(one) < 0.5
    assert _area(two) == pytest.approx(2 * _area(one), rel=1e-6)
    assert np.allclose(two.positions.min(axis=0), -two.positions.max(axis=0), atol=1e-9)
    assert len(solid.words("$x_1$ <b>").positions)
    with pytest.raises(UsageError, match="too long"):
        solid.words("x" * 201)


def _area(surface: Solid) -> float:
    a, b, c = (surface.positions[surface.triangles[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2


def ring_area(ring: Array) -> float:
    x, y = ring.T
    return float(x @ np.roll(y, -1) - np.roll(x, -1) @ y) / 2


@given(st.lists(st.floats(0.3, 1.0), min_size=3, max_size=24), st.booleans())
def test_triangles_cover_a_star_and_leave_its_hole_out(radii: list[float], with_hole: bool) -> None:
    turns = np.linspace(0, 2 * np.pi, len(radii), endpoint=False)
    outline = np.column_stack([np.cos(turns), np.sin(turns)]) * np.array(radii)[:, None]
    inner = 0.05 * np.array([[1, 0], [0, -1], [-1, 0], [0, 1]])
    rings = [outline, inner] if with_hole and len(radii) > 3 else [outline]
    points = np.concatenate(rings)
    corners = points[np.array(triangulated(rings))]
    areas = [ring_area(triangle) for triangle in corners]
    assert min(areas) > -1e-12
    assert sum(areas) == pytest.approx(sum(map(ring_area, rings)), abs=1e-9)
    assert len(corners) == len(points) - 2 + 2 * (len(rings) - 1)


def test_a_surface_of_nothing_finite_is_refused() -> None:
    with pytest.raises(UsageError, match="no number"):
        Solid(np.array([[np.nan, 0, 0]]), np.zeros((1, 3)), np.zeros((0, 3), int))
