"""A machine in another form is the same machine: mirrored, scaled, shifted, turned, its parts reordered and renamed."""

from __future__ import annotations

import pytest
from forms import FORMS, differences, machine_files, told

import linkwork as lw

QUICK = (
    "everyday/bushing",
    "everyday/cart",
    "everyday/rivet-hinge-scissors",
    "everyday/square-shaft-slides",
    "workshop/crankset",
    "workshop/hinge-pin",
    "workshop/pliers",
    "workshop/scissor-lift",
    "workshop/stopcock",
    "workshop/x-frame",
)
"""Small machines with parts that float: pins, bushings, rivets, and ones alike that may change places."""
SEVERE = ("reversed", "renamed and shuffled", "all of it")


def differing(name: str, forms: tuple[str, ...]) -> dict[str, object]:
    """What comes out differently, by the form in which it does."""
    machine = lw.load(machine_files()[name])
    base = told(machine)
    found = {form: differences(machine, base, FORMS[form]) for form in forms}
    return {form: each for form, each in found.items() if each}


@pytest.mark.parametrize("name", QUICK)
def test_other_forms_have_the_same_pairs_groups_and_motions(name: str) -> None:
    assert differing(name, SEVERE) == {}


def test_what_nearly_all_rows_hold_is_not_held_in_any_pose() -> None:
    """Among the many faces of a bolt in its door one pushes it one way only: so it slides, however it lies."""
    assert differing("examples/door-latch", ("all of it",)) == {}


@pytest.mark.parametrize(
    "name", ["examples/film-advance", "examples/pin-tumbler-lock", "workshop/sliding-gate"]
)
def test_what_slides_beside_others_is_beside_them_in_any_pose(name: str) -> None:
    """Shadows are compared along the axes of the drawing: so a film stays clear of a shaft, and pins of each other.

    So are the boxes around all that parts sweep: a gate's wheels stay below the rollers that guide its upper edge.
    """
    assert differing(name, ("turned",)) == {}


def test_a_machine_that_is_mirrored_as_a_whole_has_the_axes_of_its_drawing() -> None:
    """Screws 0.3 beside the strip of a drawer are clear of it in the shadows along these axes, and in no others."""
    assert differing("models/drawer_two_rails", ("mirrored aslant",)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", machine_files())
def test_all_machines_are_the_same_in_all_forms(name: str) -> None:
    assert differing(name, (*FORMS,)) == {}
