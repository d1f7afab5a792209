"""How deep parts are in one another at the start, against closed forms."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwork.contact.overlap_depth import depth_of_overlap
from linkwork.solid.region import Region


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("turn", [0.0, 0.3, 2.0])
def test_discs_are_as_deep_in_one_another_as_their_radii_tell(scale: float, turn: float) -> None:
    one, other = Region.circle(3 * scale), Region.circle(2 * scale).moved((4.2 * scale, 0)).turned(turn)
    assert depth_of_overlap(one, other)[0] == pytest.approx(0.8 * scale, rel=1e-10)


@given(angle=st.floats(0.05, math.pi / 4), depth=st.floats(1e-4, 0.9), shift=st.floats(-20, 20))
@settings(max_examples=25, deadline=None)
def test_a_corner_is_as_deep_in_a_face_as_it_is_below_it(angle: float, depth: float, shift: float) -> None:
    """A square on its corner, and a slab that is much wider and thicker."""
    slab = Region.rectangle(100, 50).moved((-50, -50))
    block = Region.rectangle(2, 2).turned(angle).moved((shift, -depth))
    found, point = depth_of_overlap(slab, block)
    assert found == pytest.approx(depth, rel=1e-9)
    assert point == pytest.approx((shift, -depth), abs=1e-9)


def test_an_edge_through_a_corner_is_deepest_between_two_faces() -> None:
    """A strip across the corner of a square: of its upper edge x + y = c the middle is c/2 from both faces."""
    square = Region.polygon([(0, 0), (10, 0), (10, 10), (0, 10)])
    strip = Region.polygon([(-5, 5), (5, -5), (5.9, -4.1), (-4.1, 5.9)])
    assert depth_of_overlap(square, strip)[0] == pytest.approx(0.9, rel=1e-10)
