"""Sections: their points are those of the solid, their areas those of closed forms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid import Block, Cone, Cylinder, Face, Prism, Solid, SolidError, Sphere, section
from linkwork.solid.placement import Floats
from linkwork.solid.region import Line, Region
from linkwork.solid.section import frame_across
from linkwork.solid.values import Inside
from random_solids import BRACKET, WEDGE, solids

HEIGHTS = st.sampled_from((-1.3, -0.61, 0.07, 0.43, 1.17, 1.9))
DIRECTIONS = st.sampled_from(((0, 0, 1), (0, 0, -1), (1, 0, 0), (0, 1, 0), (1, 1, 1), (0.2, -0.7, 0.3)))


def plane_points(axis: Sequence[float], height: float) -> tuple[Floats, Floats]:
    """Points of a plane, in its own coordinates and in space."""
    steps = np.linspace(-5.013, 5.021, 29)
    flat = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return flat, frame_across(axis, height).point(np.column_stack([flat, np.zeros(len(flat))]))


@given(solids(), DIRECTIONS, HEIGHTS)
def test_a_point_is_in_the_section_if_it_is_in_the_solid(
    solid: Solid, axis: tuple[float, float, float], height: float
) -> None:
    """For any solid, any direction and any height, away from boundaries."""
    deviation = 1e-4
    found = section(solid, height, axis, deviation)
    flat, points = plane_points(axis, height)
    clear = np.abs(found.distance(flat)) > 2 * deviation
    assert (found.contains(flat) == solid.contains(points))[clear].all()


@given(solids(square=True, prismatic=True), HEIGHTS)
def test_sections_of_square_solids_are_of_lines_and_whole_arcs(solid: Solid, height: float) -> None:
    """With all axes along x, y and z nothing is approximate: any deviation gives the same region."""
    assert section(solid, height, deviation=1e-2) == section(solid, height, deviation=1e-6)


@given(solids(), DIRECTIONS, HEIGHTS, st.floats(-3, 3))
def test_sections_turn_with_the_solid(
    solid: Solid, axis: tuple[float, float, float], height: float, angle: float
) -> None:
    """A solid turned about the axis has the same section, turned."""
    turned = section(solid.turned(angle, axis), height, axis, 1e-5)
    assert turned.area == pytest.approx(section(solid, height, axis, 1e-5).area, rel=1e-3, abs=1e-3)


CLOSED_FORMS: dict[str, tuple[Region, float, int]] = {
    "sphere": (section(Sphere(2), 1), 3 * math.pi, 2),
    "cylinder across": (section(Cylinder(2, 3), 1), 4 * math.pi, 2),
    "cylinder along": (section(Cylinder(2, 3), 1, (1, 0, 0)), 3 * 2 * math.sqrt(3), 4),
    "cone across": (section(Cone(2, 1, 4), 2), 2.25 * math.pi, 2),
    "cone through its axis": (section(Cone(2, 1, 4), 0, (1, 0, 0)), 12, 4),
    "cone with a tip through its axis": (section(Cone(2, 0, 4), 0, (1, 0, 0)), 8, 3),
    "block across a diagonal": (section(Block((1, 1, 1)), math.sqrt(3) / 2, (1, 1, 1)), math.sqrt(27) / 4, 6),
    "wedge": (section(WEDGE, 1), 1, 4),
    "wedge along": (section(WEDGE, 0.5, (0, 1, 0)), 2, 3),
    "prism along": (section(Prism(BRACKET, 2), 0.5, (0, 1, 0)), 2 * 2.5, 8),
    "pipe": (section(Cylinder(2, 3) - Cylinder(1, 3), 1), 3 * math.pi, 4),
}


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_closed_forms(name: str) -> None:
    """Areas, and no edges but those of the ideal figure."""
    region, area, edges = CLOSED_FORMS[name]
    assert region.area == pytest.approx(area, rel=1e-12)
    assert sum(len(loop) for loop in region.loops) == edges


@pytest.mark.parametrize("tilt", [0.1, 0.5, 1.0, 1.3])
def test_ellipses(tilt: float) -> None:
    """A plane at an angle to the axis cuts π r² / cos from a cylinder, and an ellipse from a cone."""
    axis = (math.sin(tilt), 0, math.cos(tilt))
    long = Cylinder(1, 40).moved((0, 0, -20))
    assert section(long, 0.3, axis, 1e-6).area == pytest.approx(math.pi / math.cos(tilt), rel=1e-5)


def test_parabola() -> None:
    """Two thirds of height times width (Archimedes): the plane x = z − √2 cuts y² = √8 z − 2 from x² + y² = z² ≤ 64."""
    found = section(Cone(0, 8, 8), -1, (1, 0, -1), 1e-7)
    height, width = (8 - math.sqrt(0.5)) * math.sqrt(2), 2 * math.sqrt(8 * math.sqrt(8) - 2)
    assert found.area == pytest.approx(2 / 3 * height * width, rel=1e-6)


@pytest.mark.parametrize("distance", [0.2, 0.9, 1.5])
def test_hyperbola(distance: float) -> None:
    """A plane along the axis cuts a hyperbola: its points are those with y² + d² ≤ (2 − z/2)²."""
    found = section(Cone(2, 0, 4), distance, (1, 0, 0), 1e-7)
    a, d = 2.0, distance
    # 2 ∫ z dy from 0 to √(a² − d²), with z = 2a − 2 √(y² + d²)
    reach = math.sqrt(a * a - d * d)
    under = 0.5 * (reach * a + d * d * math.asinh(reach / d))
    assert found.area == pytest.approx(2 * (2 * a * reach - 2 * under), rel=1e-6)


def test_a_section_is_that_just_above_its_height() -> None:
    """At its lower end a block has a section, at its upper end none; of two blocks the upper one counts."""
    low, high = Block((2, 2, 1)), Block((1, 1, 1)).moved((0, 0, 1))
    assert section(low, 0).area == 4
    assert not section(low, 1)
    assert section(low | high, 1).area == 1
    assert section(WEDGE, 0).area == pytest.approx(2)
    assert not section(WEDGE, 2)
    assert section(low.turned(math.pi, (1, 0, 0)), -1).area == pytest.approx(4)
    assert section(Block((2, 2, 1)), 0, (1, 0, 0)).area == pytest.approx(2)
    assert not section(Block((2, 2, 1)), 2, (1, 0, 0))


def test_coordinates_of_sections() -> None:
    """x and y across z, y and z across x, z and x across y."""
    block = Block((1, 2, 3))
    assert section(block, 0.5).box == ((0, 0), (1, 2))
    assert section(block, 0.5, (1, 0, 0)).box == ((0, 0), (2, 3))
    assert section(block, 0.5, (0, 1, 0)).box == ((0, 0), (3, 1))


def test_mirrored_and_scaled() -> None:
    """A mirror image has the mirrored section; scales multiply areas by their square."""
    part = Prism(BRACKET, 1).mirrored((1, 0, 0))
    assert section(part, 0.5) == BRACKET.mirrored((1, 0))
    assert section(part.scaled(3), 1.5).area == pytest.approx(9 * BRACKET.area)
    upside_down = Prism(BRACKET, 1).turned(math.pi, (1, 0, 0))
    assert section(upside_down, -0.5) == BRACKET.mirrored((0, 1))


def test_leaning_polygons_are_exact() -> None:
    """Of a prism without arcs that is cut aslant the section has lines only."""
    found = section(Prism(Region.rectangle(2, 1), 5), 2, (1, 0, 3))
    assert all(isinstance(edge, Line) for loop in found.loops for edge in loop)
    assert found.area == pytest.approx(2 * math.sqrt(10) / 3, rel=1e-12)


class Fog(Solid):
    """A solid that only knows its box."""

    box = (np.zeros(3), np.ones(3))

    def contains(self, points: Floats) -> Inside:
        return np.full(len(points), False)

    def faces(self) -> Iterator[Face]:
        return iter(())


def test_what_has_no_sections() -> None:
    """Solids of other kinds are refused with words."""
    with pytest.raises(SolidError, match="a fog has no sections here"):
        section(Fog() | Sphere(1), 0.5)
