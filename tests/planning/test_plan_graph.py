"""Graphs of places: components, what is reached, and matchings, beside SciPy's."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components, maximum_bipartite_matching

from linkwork.planning.graph import NONE, connected, matching, reached, strong_components
from linkwork.planning.grouping import numbered_by_first


def random_rows(seed: int, others: int | None = None) -> tuple[list[list[int]], int]:
    draw = random.Random(seed)
    count = draw.randint(1, 40)
    width = count if others is None else draw.randint(1, others)
    most = draw.choice([1, 2, 3, 6])
    return [draw.sample(range(width), min(draw.randint(0, most), width)) for _ in range(count)], width


def matrix(rows: list[list[int]], width: int) -> csr_array:
    dense = np.zeros((len(rows), width), np.int8)
    for row, places in enumerate(rows):
        dense[row, places] = 1
    return csr_array(dense)


@pytest.mark.parametrize("seed", range(60))
def test_components_are_those_of_another_search(seed: int) -> None:
    """What hangs together, in one direction or both, is the same; labels may differ."""
    rows, width = random_rows(seed)
    graph = matrix(rows, width)
    strong = connected_components(graph, directed=True, connection="strong")[1].tolist()
    assert numbered_by_first(strong_components(rows)) == numbered_by_first(strong)
    rows, width = random_rows(seed, 50)
    both = np.zeros((len(rows) + width,) * 2, np.int8)
    both[: len(rows), len(rows) :] = matrix(rows, width).toarray()
    weak = connected_components(csr_array(both), directed=False)[1].tolist()
    own, others = connected(rows, width)
    assert numbered_by_first([*own, *others]) == numbered_by_first(weak)


@pytest.mark.parametrize("seed", range(60))
def test_matchings_are_as_large_as_they_can_be(seed: int) -> None:
    """Each pair is an edge, no place is taken twice, and no other search finds more."""
    rows, width = random_rows(seed, 50)
    partner = matching(rows, width)
    taken = [place for place in partner if place != NONE]
    assert len(set(taken)) == len(taken)
    assert all(place in row for row, place in zip(rows, partner, strict=True) if place != NONE)
    assert len(taken) == np.sum(maximum_bipartite_matching(matrix(rows, width), perm_type="column") != NONE)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_reached(seed: int) -> None:
    """Paths from one place lead where a search in order of breadth comes."""
    rows, width = random_rows(seed)
    assert reached(rows, [0]) == sorted(
        breadth_first_order(matrix(rows, width), 0, return_predecessors=False)
    )
