"""Curves as arcs: smooth, and as near as stated."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid.region import Arc, Edge, Line, Region, RegionError, biarcs
from linkwork.solid.region.columns import Columns, as_points
from linkwork.solid.region.nearness import boundary_distances

Curve = Callable[[float], tuple[float, float]]
CURVES: dict[str, tuple[Curve, Curve, float, float]] = {
    "parabola": (lambda t: (t, t * t), lambda t: (1, 2 * t), -2, 3),
    "sine": (lambda t: (t, math.sin(t)), lambda t: (1, math.cos(t)), 0, 10),
    "spiral": (
        lambda t: (t * math.cos(t), t * math.sin(t)),
        lambda t: (math.cos(t) - t * math.sin(t), math.sin(t) + t * math.cos(t)),
        1,
        12,
    ),
    "ellipse": (
        lambda t: (5 * math.cos(t), math.sin(t)),
        lambda t: (-5 * math.sin(t), math.cos(t)),
        0,
        math.tau,
    ),
    "circle": (lambda t: (math.cos(t), math.sin(t)), lambda t: (-math.sin(t), math.cos(t)), 0, 3),
    "line": (lambda t: (3 * t, 4 * t), lambda t: (3, 4), 0, 1),
}


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("deviation", [1e-2, 1e-4, 1e-6])
def test_within_the_deviation(name: str, deviation: float) -> None:
    """The curve is nowhere further from its arcs than stated, and the arcs follow each other."""
    curve, direction, first, last = CURVES[name]
    edges = biarcs(curve, direction, first, last, deviation)
    points = as_points([curve(t) for t in np.linspace(first, last, 5001)])
    assert boundary_distances(Columns.of(edges), points).max() <= deviation
    assert edges[0].start == curve(first)
    assert edges[-1].end == curve(last)
    assert all(a.end == b.start for a, b in pairwise(edges))


@pytest.mark.parametrize("name", CURVES)
def test_smooth(name: str) -> None:
    """Arcs meet with the same tangent, within the flatness of arcs that were made lines."""
    edges = biarcs(*CURVES[name], 1e-4)
    for before, after in pairwise(edges):
        assert abs(cmath.phase(tangent(after, 0) / tangent(before, 1))) < 1e-5


def tangent(edge: Edge, share: float) -> complex:
    x, y = edge.end if share else edge.start
    if isinstance(edge, Line):
        return complex(edge.end[0] - edge.start[0], edge.end[1] - edge.start[1])
    return complex(x - edge.centre[0], y - edge.centre[1]) * (1j if edge.anticlockwise else -1j)


def test_a_circle_and_a_line_are_found_again() -> None:
    """Curves that are arcs already are these arcs."""
    circle = biarcs(*CURVES["circle"], 1e-6)
    assert all(isinstance(edge, Arc) and edge.radius == pytest.approx(1, rel=1e-9) for edge in circle)
    assert len(circle) <= 4
    assert all(isinstance(edge, Line) for edge in biarcs(*CURVES["line"], 1e-6))


def test_the_number_of_arcs_grows_with_the_cube_root() -> None:
    """Biarcs have an error of third order: a thousand times nearer takes about ten times as many."""
    few, many = (len(biarcs(*CURVES["sine"], deviation)) for deviation in (1e-3, 1e-6))
    assert 5 < many / few < 20


def test_corners_and_wrong_directions() -> None:
    """A corner is rounded within the deviation; jumps and directions against the curve are refused."""
    corner = biarcs(lambda t: (t, abs(t)), lambda t: (1, math.copysign(1, t)), -1, 2, 1e-3)
    assert boundary_distances(Columns.of(corner), as_points([(0, 0)])) < 1e-3
    with pytest.raises(RegionError, match="not smooth enough"):
        biarcs(lambda t: (t, float(t > 0.3)), lambda t: (1, 0), -1, 2, 1e-3)
    with pytest.raises(RegionError, match="not smooth enough"):
        biarcs(lambda t: (t, 0), lambda t: (-1, 0), -1, 2, 1e-3)


@given(st.floats(0.3, 3), st.floats(0.3, 3))
def test_ellipses_have_their_area_and_moments(x: float, y: float) -> None:
    """π a b; the moments are π a b³ / 4 and π a³ b / 4."""
    ellipse = Region.circle(1).stretched(x, y, 1e-7)
    assert ellipse.area == pytest.approx(math.pi * x * y, rel=1e-5)
    assert ellipse.moments[:2] == pytest.approx((math.pi * x * y**3 / 4, math.pi * x**3 * y / 4), rel=1e-5)
    assert ellipse.box[1] == pytest.approx((x, y), rel=1e-6)
