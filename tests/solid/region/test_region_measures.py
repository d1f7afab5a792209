"""Areas, centroids and moments in closed form; lengths; chords for looking."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid.region import Arc, Line, Region
from random_regions import regions


def test_disc() -> None:
    """π r², and π r⁴ / 4 about a diameter."""
    disc = Region.circle(3, (5, -7))
    area = 9 * math.pi
    assert disc.area == pytest.approx(area, rel=1e-15)
    assert disc.centroid == pytest.approx((5, -7), rel=1e-15)
    own = math.pi * 81 / 4
    assert disc.moments == pytest.approx((own + 49 * area, own + 25 * area, -35 * area), rel=1e-14)
    assert disc.length == pytest.approx(6 * math.pi)
    assert disc.box == ((2.0, -10.0), (8.0, -4.0))


def test_half_disc() -> None:
    """The centroid is 4 r / 3π from the diameter; about it the moment is π r⁴ / 8."""
    half = Region.circle(2) & Region.rectangle(8, 8).moved((-4, 0))
    assert half.centroid == pytest.approx((0, 8 / (3 * math.pi)), abs=1e-15)
    assert half.moments == pytest.approx((2 * math.pi, 2 * math.pi, 0), abs=1e-14)


@given(st.floats(0.01, 6.2), st.floats(0.1, 10))
def test_sector(angle: float, radius: float) -> None:
    """A sector about the x-axis: r² φ / 2, centroid 4 r sin(φ/2) / 3φ, ∫y² = r⁴ (φ − sin φ) / 8."""
    start, end = ((radius * math.cos(a), radius * math.sin(a)) for a in (-angle / 2, angle / 2))
    sector = Region.from_outline([Line((0, 0), start), Arc(start, end, (0, 0)), Line(end, (0, 0))])
    assert sector.area == pytest.approx(radius**2 * angle / 2, rel=1e-12)
    assert sector.centroid[0] == pytest.approx(
        4 * radius * math.sin(angle / 2) / (3 * angle), rel=1e-11, abs=1e-12
    )
    assert sector.moments[0] == pytest.approx(radius**4 * (angle - math.sin(angle)) / 8, rel=1e-9, abs=1e-14)
    assert sector.moments[1] == pytest.approx(radius**4 * (angle + math.sin(angle)) / 8, rel=1e-11)
    assert sector.length == pytest.approx(radius * (2 + angle))


def test_flat_arcs_lose_no_digits() -> None:
    """A segment of height h and chord c has an area of about 2 c h / 3, also when its centre is far away."""
    chord, height = 1.0, 1e-6
    radius = chord**2 / (8 * height) + height / 2
    flat = Arc((1, 0), (0, 0), centre=(0.5, height - radius))
    region = Region.from_outline([Line((0, 0), (0.5, -1)), Line((0.5, -1), (1, 0)), flat])
    assert region.area == pytest.approx(0.5 + 2 * chord * height / 3, rel=1e-11)


def test_far_away_moments_about_the_centroid_keep_their_digits() -> None:
    """Sums are taken about a point of the region, not about the origin."""
    near = Region.rectangle(2, 1) - Region.circle(0.25, (0.5, 0.5))
    far = near.moved((1e6, -1e6))
    assert far.area == pytest.approx(near.area, rel=1e-9)
    assert np.subtract(far.centroid, (1e6, -1e6)) == pytest.approx(near.centroid, abs=1e-8)


@given(regions(), st.floats(1e-5, 0.3))
def test_chords_are_within_the_deviation(region: Region, deviation: float) -> None:
    """Corners of outlines are on the boundary, middles of their chords within the deviation of it."""
    for corners in region.outlines(deviation):
        middles = 0.5 * (corners + np.roll(corners, -1, axis=0))
        assert np.abs(region.distance(corners)).max() < 1e-9
        assert np.abs(region.distance(middles)).max() <= deviation * (1 + 1e-6)
