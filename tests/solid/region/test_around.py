"""Circles through regions: what runs inside is what contains its points."""

from __future__ import annotations

import math

import numpy as np
import pytest

from linkwork.solid.region import Region, involute_gear

REGIONS = {
    "gear": involute_gear(17, 1.0) - Region.circle(3),
    "ring": involute_gear(30, 1.0, internal=True),
    "polygons": Region.rectangle(9, 4).turned(0.3) - Region.rectangle(2, 1).moved((3, 2)),
    "discs": Region.circle(2, (1, 1)) | Region.circle(1, (4, 0)),
}


@pytest.mark.parametrize("name", REGIONS)
@pytest.mark.parametrize("centre", [(0.0, 0.0), (20.0, 3.3), (1.0, -2.0)])
def test_spans_are_where_points_are_inside(name: str, centre: tuple[float, float]) -> None:
    region, source = REGIONS[name], np.random.default_rng(1)
    radii = source.uniform(0.5, 25, 30)
    for radius, spans in zip(radii, region.spans_around(centre, radii), strict=True):
        angles = source.uniform(-math.pi, math.pi, 200)
        points = np.column_stack([centre[0] + radius * np.cos(angles), centre[1] + radius * np.sin(angles)])
        within = np.zeros(len(angles), dtype=bool)
        for first, last in spans:
            within |= (angles - first) % math.tau <= last - first
        assert np.array_equal(within, region.contains(points))


@pytest.mark.parametrize("name", REGIONS)
def test_reaches_bound_the_distances_of_the_boundary(name: str) -> None:
    region = REGIONS[name]
    least, most = region.edge_reaches((1.0, -2.0))
    points = np.vstack(region.outlines(1e-4))
    away = np.hypot(points[:, 0] - 1, points[:, 1] + 2)
    assert least.min() == pytest.approx(away.min(), abs=1e-2)
    assert most.max() == pytest.approx(away.max(), abs=1e-2)
    assert least.min() <= away.min() + 1e-9
    assert most.max() >= away.max() - 1e-9
