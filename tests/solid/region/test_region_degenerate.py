"""Regions whose edges coincide, touch, or nearly do: the normal case in machines."""

from __future__ import annotations

import math

import pytest

from linkwork.solid.region import Arc, Line, Region, union

SQUARE = Region.rectangle(2, 2)
DISC = Region.circle(1, (1, 1))
UPPER = Region.rectangle(8, 4).moved((-4, 0))
RIGHT = Region.rectangle(4, 8).moved((0, -4))
RING = Region.circle(3) - Region.circle(2)


def box(x: float, y: float, width: float, height: float) -> Region:
    return Region.rectangle(width, height).moved((x, y))


def sector(first: float, last: float) -> Region:
    """A piece of the disc of radius 2 between two angles, less than half a turn."""
    start, end = ((2 * math.cos(angle), 2 * math.sin(angle)) for angle in (first, last))
    return Region.from_loops([[Line((0, 0), start), Arc(start, end, (0, 0)), Line(end, (0, 0))]])


# What it is, the region, its area, the edges of each loop (outer ones first), the number of pieces.
CATALOGUE: dict[str, tuple[Region, float, list[int], int]] = {
    "a whole edge shared": (SQUARE | box(2, 0, 3, 2), 10, [4], 1),
    "half an edge shared": (SQUARE | box(2, 1, 3, 2), 10, [8], 1),
    "an edge inside another's": (SQUARE | box(2, 0.5, 1, 1), 5, [8], 1),
    "flush on three sides": (SQUARE | box(0, 0, 2, 1), 4, [4], 1),
    "a notch flush with the edge": (SQUARE - box(0.5, 0, 1, 1), 3, [8], 1),
    "cut in two": (SQUARE - box(0.5, 0, 1, 2), 2, [4, 4], 2),
    "corners touch": (SQUARE | box(2, 2, 1, 1), 5, [4, 4], 2),
    "common part of neighbours": (SQUARE & box(2, 0, 3, 2), 0, [], 0),
    "corner on an edge": (SQUARE | box(-1, 0, 1, 1).turned(math.pi / 4), 5, [4, 4], 2),
    "diamond in a square": (SQUARE - Region.polygon([(1, 0), (2, 1), (1, 2), (0, 1)]), 2, [3] * 4, 4),
    "disc in a square": (SQUARE - DISC, 4 - math.pi, [3] * 4, 4),
    "disc in a square, filled": ((SQUARE - DISC) | DISC, 4, [4], 1),
    "disc and square": (SQUARE & DISC, math.pi, [2], 1),
    "disc on a line": (DISC | box(-1, -1, 4, 1), 4 + math.pi, [4, 2], 2),
    "disc beside a disc": (DISC | Region.circle(1, (3, 1)), 2 * math.pi, [2, 2], 2),
    "disc touches from within": (Region.circle(2, (2, 1)) - DISC, 3 * math.pi, [2, 2], 1),
    "disc filled from within": ((Region.circle(2, (2, 1)) - DISC) | DISC, 4 * math.pi, [2], 1),
    "three discs in a row": (
        Region.circle(3) - Region.circle(1, (-2, 0)) - Region.circle(1) - Region.circle(1, (2, 0)),
        6 * math.pi,
        [4, 4],
        2,
    ),
    "slot": (union([box(0, -1, 4, 2), Region.circle(1), Region.circle(1, (4, 0))]), 8 + math.pi, [4], 1),
    "slot cut out": (
        box(-5, -5, 15, 10) - box(0, -1, 4, 2) - Region.circle(1) - Region.circle(1, (4, 0)),
        150 - 8 - math.pi,
        [4, 4],
        1,
    ),
    "arcs that overlap": ((DISC & box(0, 1, 2, 1)) | (DISC & box(1, 0, 1, 2)), 0.75 * math.pi, [3], 1),
    "arcs that meet": ((DISC & box(0, 1, 2, 1)) | (DISC & box(0, 0, 2, 1)), math.pi, [2], 1),
    "sectors of a whole turn": (
        union(sector(k * math.pi / 4, (k + 1) * math.pi / 4) for k in range(8)),
        4 * math.pi,
        [2],
        1,
    ),
    "sectors that overlap": (union(sector(0.3 * k, 0.3 * k + 0.7) for k in range(9)), 2 * 3.1, [3], 1),
    "half a ring": (RING & UPPER, 2.5 * math.pi, [4], 1),
    "half a ring and its other half": ((RING & UPPER) | (RING - UPPER), 5 * math.pi, [2, 2], 1),
    "ring filled": (RING | Region.circle(2), 9 * math.pi, [2], 1),
    "ring with the same hole again": (RING - Region.circle(2), 5 * math.pi, [2, 2], 1),
    "plates with the same hole": (
        (box(-4, -4, 4, 8) | RIGHT) - Region.circle(2),
        64 - 4 * math.pi,
        [4, 2],
        1,
    ),
    "halves with the same hole": (
        (box(-4, -4, 4, 8) - Region.circle(2)) | (RIGHT - Region.circle(2)),
        64 - 4 * math.pi,
        [4, 2],
        1,
    ),
    "hole that touches a side": (box(-2, -1, 4, 4) - Region.circle(1), 16 - math.pi, [4, 2], 1),
    "hole with a corner on a side": (
        box(-2, 0, 4, 4) - Region.polygon([(0, 0), (1, 1), (0, 2), (-1, 1)]),
        14,
        [4, 4],
        1,
    ),
    "checkerboard": (
        union(box(x, y, 1, 1) for x in range(4) for y in range(4) if (x + y) % 2 == 0),
        8,
        [4] * 8,
        8,
    ),
    "frame of four bars": (
        union([box(0, 0, 4, 1), box(3, 0, 1, 4), box(0, 3, 4, 1), box(0, 0, 1, 4)]),
        12,
        [4, 4],
        1,
    ),
    "island in a hole": (RING | Region.circle(1), 6 * math.pi, [2, 2, 2], 2),
    "a gap below the tolerance": (SQUARE | box(2 + 1e-12, 0, 2, 2), 8, [4], 1),
    "an overlap below the tolerance": (SQUARE & box(2 - 1e-11, 0, 2, 2), 0, [], 0),
    "a sliver above the tolerance": (SQUARE & box(2 - 1e-7, 0, 2, 2), 2e-7, [4], 1),
    "a gap above the tolerance": (SQUARE | box(2 + 1e-7, 0, 2, 2), 8, [4, 4], 2),
    "discs touch but for rounding": (
        Region.circle(0.1, (0.3, 0)) | Region.circle(0.2, (0.6, 0)),
        0.05 * math.pi,
        [2, 2],
        2,
    ),
    "a step below the tolerance": (SQUARE | box(2, 1e-12, 1, 2), 6, [4], 1),
    "turned forth and back": (SQUARE | SQUARE.turned(1.1).turned(-1.1), 4, [4], 1),
    "a disc turned": (DISC ^ DISC.turned(0.7, (1, 1)), 0, [], 0),
    "a bow tie": (Region.polygon([(0, 0), (2, 2), (2, 0), (0, 2)]), 2, [3, 3], 2),
    "an edge run forth and back": (Region.polygon([(0, 0), (4, 0), (2, 0), (2, 2), (0, 2)]), 4, [4], 1),
    "corners on a line": (Region.polygon([(0, 0), (1, 0), (2, 0), (2, 2), (1, 2), (0, 2)]), 4, [4], 1),
    "no area": (Region.polygon([(0, 0), (1, 1), (2, 2)]), 0, [], 0),
}


@pytest.mark.parametrize("name", CATALOGUE)
def test_catalogue(name: str) -> None:
    """Areas, loops and pieces are those of the ideal figure, with no edges more than it has."""
    region, area, edges, pieces = CATALOGUE[name]
    assert region.area == pytest.approx(area, rel=1e-8, abs=1e-9)
    assert [len(loop) for loop in region.loops] == edges
    assert len(region.components) == pieces


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("angle", [0.1, 1.0, 2.5])
def test_catalogue_turned(name: str, angle: float) -> None:
    """Combined with itself, elsewhere and turned, each figure stays what it is."""
    region, area, edges, pieces = CATALOGUE[name]
    turned = region.moved((3, 7)).turned(angle)
    again = (turned - Region.circle(0.1, (99, 0))) | turned
    assert again.area == pytest.approx(area, rel=1e-7, abs=1e-9)
    assert sorted(len(loop) for loop in again.loops) == sorted(edges)
    assert len(again.components) == pieces


def test_nearly_the_same_triangles() -> None:
    """Where the sides of a narrow corner are one for a while, the corner stays where it is."""
    corners = [(-3.99999900999999, 0.99999896000001), (-1.9999990199999902, 1.99999898000001)]
    a = Region.polygon([*corners, (-1.99999903999999, 3.9999989800000098)]) | Region.circle(0.5)
    others = [(-3.999999012589241, 0.999998949642996), (-1.9999990251784956, 1.9999989748215041)]
    b = Region.polygon([*others, (-1.9999990503570038, 3.9999989748215037)])
    assert (a & b).area == pytest.approx(2, rel=1e-7)
    assert (a | b).area == pytest.approx(2 + math.pi / 4, rel=1e-7)


def test_joined_arcs_keep_their_circle() -> None:
    """Pieces of one circle that meet are one arc with the same centre and radius."""
    upper, lower = DISC & box(0, 1, 2, 1), DISC & box(0, 0, 2, 1)
    (loop,) = (upper | lower).loops
    assert loop.circle == ((1.0, 1.0), 1.0)
    assert (upper | lower) == DISC


def test_blocks_and_cylinders_of_a_wheel() -> None:
    """A rim made by turning blocks on a disc has all its corners, and no others."""
    teeth = [box(1.9, -0.2, 0.6, 0.4).turned(k * math.pi / 8) for k in range(16)]
    wheel = union([Region.circle(2), *teeth])
    assert [len(loop) for loop in wheel.loops] == [64]
    inside = 0.2 * math.sqrt(4 - 0.04) + 4 * math.asin(0.1)
    assert wheel.area == pytest.approx(4 * math.pi + 16 * (2.5 * 0.4 - inside), rel=1e-9)
