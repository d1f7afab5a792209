"""Shells and meshes as prisms: the same points are inside, wherever they stand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from toothed_machines import CHANGES, Make, involute, mesh_of_prism, shell_of_prism

from linkwork.recognition.prisms import as_prisms, prism_ways
from linkwork.solid import Cylinder, PlaneFace, Prism, Shell, Solid, Union
from linkwork.solid.mesh import polyhedron_of, solid_mesh
from linkwork.solid.pieces import pieces
from linkwork.solid.placement import triple
from linkwork.solid.region import Region


def stepped(make: Make) -> Solid:
    """A wheel with a pinion on it, made as one."""
    if make is shell_of_prism:
        return make(involute(14) - Region.circle(2), 3.0) | make(involute(9) - Region.circle(2), 2.0).moved(
            (0, 0, 3)
        )
    return make(involute(14) - Region.circle(2), 3.0) - make(Region.circle(4, (1, 1)), 2.0).moved((0, 0, 2))


@pytest.mark.parametrize("make", [shell_of_prism, mesh_of_prism])
@pytest.mark.parametrize("change", CHANGES)
def test_the_same_points_are_inside(make: Make, change: str) -> None:
    solid = CHANGES[change](stepped(make))
    found = as_prisms(solid)
    assert {type(piece.solid) for piece in pieces(found)} <= {Prism}
    low, high = solid.box
    points = np.random.default_rng(5).uniform(low, high, (500, 3))
    differ = solid.contains(points) != found.contains(points)
    assert not differ.any()


def test_nothing_is_left_between_layers() -> None:
    """Points at the very height at which one layer ends and the next begins."""
    lower, upper = involute(14), involute(9)
    outline = Union((Prism(lower, 3.0), Prism(upper, 5.0)))
    found = as_prisms(polyhedron_of(solid_mesh(outline, 0.01)))
    assert isinstance(found, Union)
    middle = np.array([[0.0, 0.0, 3.0], [1.0, -2.0, 3.0], [0.5, 1.0, 2.0]])
    assert found.contains(middle).all()


def test_what_is_no_prism_or_has_few_faces_stays() -> None:
    few = shell_of_prism(Region.rectangle(2, 3), 1.0)
    assert isinstance(few, Shell)
    assert as_prisms(few) is few
    assert as_prisms(Cylinder(1, 2)) == Cylinder(1, 2)


def test_the_axis_of_a_prism_is_found_among_more_frequent_directions() -> None:
    """Each side of a star looks where others do too, as often as its two ends: only the ends are across all others."""
    angles = np.arange(80) * math.tau / 80
    radii = np.where(np.arange(80) % 2, 9.0, 10.0)
    corners = [(r * math.cos(t), r * math.sin(t)) for r, t in zip(radii, angles, strict=True)]
    shell = shell_of_prism(Region.polygon(corners), 3.0)
    assert {type(piece.solid) for piece in pieces(as_prisms(shell))} == {Prism}
    normals = [face.normal for face in shell.faces() if isinstance(face, PlaneFace)]
    assert len(normals) == 82
    assert {triple(np.abs(np.round(way, 9))) for way in prism_ways(normals)} == {(0.0, 0.0, 1.0)}
    assert not prism_ways([*normals, (0.6, 0.0, 0.8)])
