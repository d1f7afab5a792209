"""Distances between edges, against the nearest of very many points of them."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.solid.region import Arc, Edge, Line
from linkwork.solid.region.columns import Columns
from linkwork.solid.region.gap import edge_gaps


def some_edges(count: int, seed: int) -> list[Edge]:
    random = np.random.default_rng(seed)
    found: list[Edge] = []
    for _ in range(count):
        x, y, u, v = random.uniform(-2, 2, 4).tolist()
        if random.random() < 0.5:
            found.append(Line((x, y), (u, v)))
        else:
            radius, first, sweep = random.uniform(0.2, 2), random.uniform(0, 6.2), random.uniform(0.1, 6)
            ends = [(x + radius * np.cos(a), y + radius * np.sin(a)) for a in (first, first + sweep)]
            found.append(Arc(ends[0], ends[1], (x, y), True, radius))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_gaps_are_those_of_the_nearest_points(seed: int) -> None:
    one, other = some_edges(120, 2 * seed), some_edges(120, 2 * seed + 1)
    gaps = edge_gaps(Columns.of(one), Columns.of(other))
    assert (gaps == 0).any()
    assert (gaps > 0).any()
    shares = np.linspace(0, 1, 401).tolist()
    for first, second, gap in zip(one, other, gaps.tolist(), strict=True):
        p, q = (np.array([complex(*edge.at(share)) for share in shares]) for edge in (first, second))
        nearest = float(np.abs(p[:, None] - q).min())
        step = (first.length + second.length) / 800
        assert nearest - 1.5 * step <= gap <= nearest + 1e-12


def test_gaps_are_the_same_both_ways_round() -> None:
    one, other = Columns.of(some_edges(200, 5)), Columns.of(some_edges(200, 6))
    assert edge_gaps(one, other) == pytest.approx(edge_gaps(other, one), abs=1e-12)
