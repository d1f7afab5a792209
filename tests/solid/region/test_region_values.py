"""Regions as values: how they are given, printed, asked, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid.region import Arc, Line, Loop, Region, RegionError, involute_gear, rack
from linkwork.solid.region.columns import Columns, as_points
from linkwork.solid.region.nearness import edge_distances
from random_regions import regions


def test_loops_may_run_either_way() -> None:
    """What counts is how many loops are around a point."""
    corners = [(0, 0), (4, 0), (4, 4), (0, 4)]
    hole = [Arc((3, 2), (3, 2), (2, 2))]
    outer = [Line(corners[k - 1], corners[k]) for k in range(4)]
    plate = Region.rectangle(4, 4) - Region.circle(1, (2, 2))
    assert Region.from_loops([outer, hole]) == plate
    assert Region.from_loops([Loop(tuple(outer)).reversed, hole]) == plate
    assert Region.polygon(corners) == Region.polygon(corners[::-1]) == Region.rectangle(4, 4)


def test_rounded_coordinates_are_closed() -> None:
    """Ends that differ in the seventh digit meet, and arcs are put on circles through them."""
    third = 1 / math.sqrt(2)
    sector = Region.from_loops(
        [[Line((0, 0), (1, 0)), Arc((1, 0), (0.7071068, 0.7071068), (0, 0)), Line((third, third), (0, 0))]]
    )
    assert sector.area == pytest.approx(math.pi / 8, rel=1e-6)
    for loop in sector.loops:
        for edge in loop:
            if isinstance(edge, Arc):
                assert math.dist(edge.end, edge.centre) == pytest.approx(edge.radius, rel=1e-14)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: Region.circle(0), "the radius of a circle is 0"),
        (lambda: Region.circle(math.nan), "the radius of a circle is nan"),
        (lambda: Region.rectangle(1, -2), "the height of a rectangle is -2"),
        (lambda: Region.polygon([(0, 0), (1, 1)]), "a polygon has at least three corners"),
        (lambda: Region.polygon([(0, 0), (1, math.inf), (0, 1)]), "coordinates that are no numbers"),
        (lambda: Region.from_loops([[]]), "a loop has no edges"),
        (
            lambda: Region.from_loops([[Line((0, 0), (1, 0)), Line((1, 1), (0, 0))]]),
            "edge 1 of a loop does not end",
        ),
        (
            lambda: Region.from_loops([[Arc((1, 0), (-2, 0), (0, 0)), Line((-2, 0), (1, 0))]]),
            "edge 1 of a loop is an arc whose ends are off its circle",
        ),
        (lambda: Region.circle(1).scaled(0), "the scale is 0"),
        (lambda: Region.circle(1).mirrored((0, 0)), "a mirror needs a direction"),
        (lambda: Region.circle(1).stretched(0, 1), "a region is stretched by 0 and 1"),
        (lambda: Region().centroid, "an empty region has no centroid"),
        (lambda: Region.circle(1).outlines(0), "the deviation of chords is 0"),
        (lambda: rack(0, 1), "a gear has 0 teeth"),
    ],
)
def test_what_is_refused(made: Callable[[], object], words: str) -> None:
    """Errors name what is wrong."""
    with pytest.raises(RegionError, match=words):
        made()


@given(st.lists(st.tuples(st.floats(), st.floats()), min_size=3, max_size=7))
def test_any_polygon_is_a_region_or_refused(corners: list[tuple[float, float]]) -> None:
    """Numbers of any size: no warnings, and areas are numbers."""
    if all(abs(number) <= 1e60 for corner in corners for number in corner):
        region = Region.polygon(corners)
        assert 0 <= region.area < math.inf
        assert (region - Region.rectangle(1, 1)).area < math.inf
    else:
        with pytest.raises(RegionError, match="coordinates that are no numbers"):
            Region.polygon(corners)


def test_printed() -> None:
    """Values print what a reader wants to know."""
    plate = Region.rectangle(4, 2) - Region.circle(0.5, (1, 1)) - Region.circle(0.5, (3, 1))
    assert repr(plate) == "<Region: 1 outline, 2 holes, 8 edges, area 6.42920367>"
    assert repr(Region()) == "<Region: empty>"
    assert repr(plate.loops[1]) == "<Loop: circle of radius 0.5 about (1, 1)>"
    assert repr(plate.loops[0]) == "<Loop: 4 edges, area 8>"
    assert repr(plate.loops[0].edges[0]) == "Line((0, 0), (4, 0))"
    assert repr(plate.loops[1].edges[0]) == "Arc((0.5, 1), (1.5, 1), centre=(1, 1), anticlockwise=False)"


def test_an_empty_region_is_nothing() -> None:
    """Every question about nothing has an answer."""
    nothing = Region()
    disc = Region.circle(1)
    assert not nothing
    assert nothing.area == nothing.length == 0
    assert not nothing.components
    assert not nothing.outlines(0.1)
    assert not nothing.contains([(0, 0)]).any()
    assert nothing.distance([(0, 0)]).tolist() == [math.inf]
    assert nothing | disc == disc
    assert disc - nothing == disc
    assert not nothing & disc
    assert nothing - disc == nothing.moved((1, 1)) == nothing.grown(1) == nothing.stretched(1, 2) == nothing


def test_the_boundary_belongs_to_the_region() -> None:
    """Points on edges and corners, and nearer than the tolerance, are in it."""
    plate = Region.rectangle(4, 2) - Region.circle(0.5, (1, 1))
    on = [(0, 0), (4, 2), (2, 0), (4, 1), (1.5, 1), (1, 0.5), (1 + 0.3, 1 + 0.4), (4 + 1e-10, 1)]
    assert plate.contains(on).all()
    off = [(4 + 1e-7, 1), (1.3 - 1e-7, 1.4 - 1e-7), (-1e-7, -1e-7)]
    assert not plate.contains(off).any()
    assert np.abs(plate.distance(on)).max() < 1e-9


@given(regions(), st.floats(-4, 4))
def test_distances_do_not_change_when_turned(region: Region, angle: float) -> None:
    """Distances turn with the region, and their sign tells inside from outside."""
    points = np.random.default_rng(7).uniform(-6, 6, (40, 2))
    c, s = math.cos(angle), math.sin(angle)
    turned = points @ np.array([[c, s], [-s, c]])
    assert region.turned(angle).distance(turned) == pytest.approx(region.distance(points), abs=1e-9)
    clear = np.abs(region.distance(points)) > 1e-6
    assert ((region.distance(points) < 0) == region.contains(points))[clear].all()


def test_distances_from_many_edges() -> None:
    """Edges that are left out are never the nearest."""
    gear = involute_gear(30, 2)
    points = np.random.default_rng(3).uniform(-40, 40, (300, 2))
    every = edge_distances(Columns.of(gear.loops[0]), as_points(points)[:, None]).min(axis=1)
    assert np.abs(gear.distance(points)) == pytest.approx(every, abs=1e-12)


def test_right_angles_are_exact() -> None:
    """Turned by quarters, whole coordinates stay whole."""
    plate = Region.rectangle(4, 2)
    assert plate.turned(math.pi / 2).box == ((-2.0, 0.0), (0.0, 4.0))
    assert plate.turned(math.pi / 2).turned(-math.pi / 2) == plate
    assert plate.mirrored((1, 0)).mirrored((1, 0)) == plate
    assert plate.mirrored((0, 3)).box == ((0.0, -2.0), (4.0, 0.0))


def test_an_arc_of_a_giant_circle_is_a_line_within_the_tolerance() -> None:
    """Radii a million times the size would lose digits."""

    def sheet_with_side(distance: float) -> Region:
        flat = Arc((0, 1), (0, 0), centre=(-distance, 0.5), anticlockwise=False)
        return Region.from_loops([[flat, Line((0, 0), (1, 0)), Line((1, 0), (1, 1)), Line((1, 1), (0, 1))]])

    bent = sheet_with_side(1e7)
    assert all(isinstance(edge, Line) for loop in bent.loops for edge in loop)
    assert 1 - bent.area == pytest.approx(2 / 3 / 8e7, rel=0.1)
    sheet = sheet_with_side(1e9)
    assert [len(loop) for loop in (sheet | sheet.moved((-1, 0))).loops] == [4]


def test_tiny_and_huge_regions_together() -> None:
    """What is smaller than the tolerance of the whole vanishes; alone it is as good as any other."""
    tiny = Region.circle(1e-13)
    assert tiny.area == pytest.approx(math.pi * 1e-26)
    assert (tiny - Region.rectangle(1e-13, 1e-13)).area == pytest.approx((math.pi - 1) * 1e-26)
    assert Region.rectangle(1, 1) - tiny == Region.rectangle(1, 1)
    far = Region.rectangle(1, 1).moved((1e5, 1e5))
    assert (far | far.moved((1, 0))).area == pytest.approx(2, rel=1e-9)
