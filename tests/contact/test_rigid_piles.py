"""Random rigid polygons that fall into a box and lie on one another: friction takes energy, and nothing gives any."""

from __future__ import annotations

import random

import numpy as np
import pytest
from overlaps import CHORD, deepest_overlap
from piles import pile, polygons

from linkwork.contact import ContactSolution, Law, Laws, simulate


def fallen(seed: int, friction: float) -> ContactSolution:
    machine = pile(polygons(random.Random(seed)))
    found = simulate(machine, 2.0, step=0.002, contact="rigid", laws=Laws(Law(friction=friction)))
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


def check_energy(solution: ContactSolution) -> None:
    energy = solution.columns["energy"]
    assert np.diff(energy).max() <= 1e-9 * energy[0]


def test_what_slides_between_what_holds_it_is_not_driven_by_friction() -> None:
    """A piece slides down between a wall and one that stands: how hard they press it is free, but they do not pull.

    More places touch than there are freedoms, and of the forces that keep them the least pulled, so that its friction
    drove it down faster than it falls.
    """
    check_energy(fallen(92, 0.6))


@pytest.mark.parametrize(("seed", "friction"), [(97, 1.0), (99, 1.0)])
def test_slip_that_turns_and_turns_back_within_a_step_is_braked_both_ways(seed: int, friction: float) -> None:
    """Friction is against the slip also where this changes its way twice between two steps of the integrator."""
    check_energy(fallen(seed, friction))


@pytest.mark.parametrize(("seed", "friction"), [(38, 0.3), (47, 0.8)])
def test_slip_that_ends_while_a_corner_nears_the_end_of_a_face_is_seen(seed: int, friction: float) -> None:
    """What is looked at inside a step for one place does not spoil what is known of others at its end."""
    check_energy(fallen(seed, friction))


@pytest.mark.parametrize("seed", [3, 74])
@pytest.mark.parametrize("friction", [0.0, 0.3, 0.7])
def test_piles_lose_energy_and_nothing_is_in_another(seed: int, friction: float) -> None:
    solution = fallen(seed, friction)
    check_energy(solution)
    deepest, where = deepest_overlap(solution, range(0, len(solution), 50))
    assert deepest <= 2 * CHORD, where
