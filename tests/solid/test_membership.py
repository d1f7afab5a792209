"""Points in solids: many simple solids asked at once answer as each of them does alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid import Block, Difference, Intersection, Named, Placed, Solid, Union
from linkwork.solid.membership import ALL_PAIRS, FEW, Membership
from linkwork.solid.mesh import polyhedron_of, solid_mesh
from linkwork.solid.placement import Floats
from linkwork.solid.polyhedron import ODD_TURN
from linkwork.solid.values import Inside
from random_solids import solids

APART = 12.0
POINTS = ALL_PAIRS // FEW


def alone(solid: Solid, points: Floats) -> Inside:
    """Whether points are in a solid, by what each word means."""
    if isinstance(solid, Placed):
        return alone(solid.solid, solid.place.local(points))
    if isinstance(solid, Named):
        return alone(solid.solid, points)
    if isinstance(solid, Union):
        return np.asarray(np.any([alone(each, points) for each in solid.solids], axis=0))
    if isinstance(solid, Intersection):
        return np.asarray(np.all([alone(each, points) for each in solid.solids], axis=0))
    if isinstance(solid, Difference):
        taken = np.any([alone(each, points) for each in solid.others], axis=0)
        return np.asarray(alone(solid.first, points) & ~taken)
    return solid.contains(points)


@given(solids(), st.integers(0, 2**32 - 1), st.sampled_from((3, POINTS + 5)))
def test_points_are_in_a_solid_as_its_words_say(solid: Solid, seed: int, count: int) -> None:
    """For any solid, for few points and for more than are looked at together."""
    points = np.random.default_rng(seed).uniform(-5, 5, (count, 3))
    assert (Membership(solid).contains(points) == alone(solid, points)).all()


@pytest.mark.parametrize("copies", [2, FEW + 20])
@given(solid=solids(), seed=st.integers(0, 2**32 - 1))
def test_many_copies_hold_what_one_does(copies: int, solid: Solid, seed: int) -> None:
    """In a row of copies that are far enough apart, whether or not those that are not near are left out."""
    points = np.random.default_rng(seed).uniform(-APART / 2, APART / 2, (POINTS + 5, 3))
    places = np.arange(len(points)) % copies
    row = Union(tuple(solid.moved((APART * place, 0, 0)) for place in range(copies)))
    shifted = points + np.outer(APART * places, (1, 0, 0))
    low, high = solid.box
    assert float(np.max([-low, high])) < APART / 2
    assert (Membership(row).contains(shifted) == alone(solid, points)).all()


def test_no_points_are_in_nothing() -> None:
    assert Membership(Union(())).contains(np.zeros((0, 3))).tolist() == []
    assert Membership(Union(())).contains(np.zeros((2, 3))).tolist() == [False, False]


def test_rays_through_corners_of_a_mesh_are_not_trusted() -> None:
    """Points whose rays meet a corner or an edge are told by the directions that the surface fills, however many."""
    block = Block((2.0, 3.0, 1.0))
    mesh = polyhedron_of(solid_mesh(block, 0.1))
    way = ODD_TURN.inverse.direction((0.0, 0.0, 1.0))
    edges = np.array([mesh.corners[list(polygon)].mean(axis=0) for polygon in mesh.polygons])
    marks = np.vstack([mesh.corners, edges, (mesh.corners[:1] + mesh.corners) / 2])
    points = np.vstack([marks + share * way for share in np.linspace(-2.0, 2.0, 2000)])
    low, high = block.box
    clear = np.all(np.minimum(np.abs(points - low), np.abs(points - high)) > 1e-9, axis=1)
    assert (mesh.contains(points)[clear] == block.contains(points)[clear]).all()
