"""Velocities of linkages: all that the pairs allow and nothing else, in one set of bodies or in several."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.recognition.mobility import SHIFTS_HELD, TURNS_HELD, Link, Linkage, Position

KINDS = ("revolute", "prismatic", "cylindrical", "spherical", "planar", "screw")


def link(first: int, second: int, kind: str, seed: int) -> Link:
    """A pair at a random place."""
    source = np.random.default_rng(seed)
    axis = source.normal(size=3)
    return Link(first, second, kind, axis / np.linalg.norm(axis), source.normal(size=3), 0.1)


@pytest.mark.parametrize("kind", KINDS)
def test_bodies_apart_move_as_the_equations_of_all_say(kind: str) -> None:
    """A pair of bodies, one alone, and one that nothing holds: as if they were looked at as a whole."""
    linkage = Linkage(5, (link(0, 1, kind, 1), link(3, 1, "revolute", 2), link(0, 2, kind, 3)))
    _, space = linkage.velocities[0]
    rows = linkage.rows(Position.drawn(5))
    assert np.abs(rows @ space.T).max() < 1e-12
    assert np.abs(space @ space.T - np.eye(len(space))).max() < 1e-12
    assert len(space) == rows.shape[1] - np.linalg.matrix_rank(rows)


@pytest.mark.parametrize("kind", KINDS)
def test_linkages_alike_have_one_key(kind: str) -> None:
    one, same, other = (Linkage(2, (link(0, 1, kind, seed),)) for seed in (1, 1, 2))
    assert one.key == same.key
    assert one.key != other.key
    assert len(one.velocities[0][1]) == 6 - len(SHIFTS_HELD[kind]) - len(TURNS_HELD[kind]) - (kind == "screw")
