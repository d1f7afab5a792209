"""What is painted before what: at every place of a picture, the nearest thing last."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from linkwork.view.order import back_to_front

Array = NDArray[np.float64]


def random_triangles(seed: int, count: int) -> list[Array]:
    """Triangles in planes of their own heights and slight slopes, which do not go through one another."""
    random = np.random.default_rng(seed)
    found = []
    for height in random.permutation(count):
        flat = random.uniform(0, 10, 2) + random.uniform(-6, 6, (3, 2))
        slope = random.uniform(-0.01, 0.01, 2)
        found.append(np.column_stack([flat, height + flat @ slope]))
    return found


def covers(triangle: Array, at: Array) -> bool:
    flat = triangle[:, :2] - at
    sides = [float(flat[k - 1, 0] * flat[k, 1] - flat[k - 1, 1] * flat[k, 0]) for k in range(3)]
    return min(sides) > 0 or max(sides) < 0


@pytest.mark.parametrize("seed", range(6))
def test_of_two_at_one_place_the_nearer_is_painted_later(seed: int) -> None:
    """Whatever their middles are told to be."""
    triangles = random_triangles(seed, 25)
    random = np.random.default_rng(seed + 100)
    order = back_to_front(triangles, random.uniform(0, 1, len(triangles)).tolist())
    rank = {place: number for number, place in enumerate(order)}
    assert sorted(order) == list(range(len(triangles)))
    compared = 0
    for at in random.uniform(-2, 12, (400, 2)):
        there = [place for place, each in enumerate(triangles) if covers(each, at)]
        near = [_height(triangles[place], at) for place in there]
        for first in range(len(there)):
            for second in range(first):
                later = there[first] if near[first] > near[second] else there[second]
                earlier = there[first] + there[second] - later
                assert rank[earlier] < rank[later]
                compared += 1
    assert compared > 200


def _height(triangle: Array, at: Array) -> float:
    """Of a plane through three points."""
    return float(np.linalg.solve(np.column_stack([np.ones(3), triangle[:, :2]]), triangle[:, 2]) @ [1, *at])


def test_lines_are_over_what_is_behind_them_and_under_what_is_before() -> None:
    back, front = (np.array([[0, 0, z], [9, 0, z], [9, 9, z], [0, 9, z.real]]) for z in (0.0, 2.0))
    line = np.array([[1, 1, 1.0], [8, 7, 1.0]])
    assert back_to_front([front, line, back], [0.0, 5.0, 9.0]) == [2, 1, 0]


def test_what_goes_round_in_a_circle_is_painted_all_the_same() -> None:
    """Three planks, each with one end on the next."""
    plank = np.array([[-5, -1, 0], [5, -1, 1], [5, 1, 1], [-5, 1, 0.0]])
    plank += np.array([0.0, 3.0, 0.0])
    turned = []
    for k in range(3):
        c, s = np.cos(2 * np.pi * k / 3), np.sin(2 * np.pi * k / 3)
        turned.append(plank @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]))
    assert sorted(back_to_front(turned, [0.5, 0.5, 0.5])) == [0, 1, 2]


def test_what_is_known_counts_for_more_than_what_is_seen() -> None:
    lower, upper = (np.array([[0, 0, z], [1, 0, z], [0, 1, z]]) for z in (0.0, 1.0))
    assert back_to_front([lower, upper], [0.0, 1.0], [(1, 0)]) == [1, 0]
