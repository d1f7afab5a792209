"""Impulses that several places may share in many ways are shared out evenly, and as mirrors show them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text

LAWS = {
    "plastic": Law(),
    "springy": Law(restitution=0.5),
    "rough": Law(friction=0.3),
    "rough and springy": Law(friction=0.3, restitution=0.5),
}
HEIGHT, GRAVITY = 1.0, 10.0


def fallen(solid: str, law: Law, *, plane: bool = False) -> ContactSolution:
    """A solid that falls flat on a table from a unit of height; a plane one along y."""
    table, up = (
        ("translate([-9, -1, 0]) cube([18, 1, 1]);", "[0, 1, 0]")
        if plane
        else (
            "translate([-9, -9, -1]) cube([18, 18, 1]);",
            "[0, 0, 1]",
        )
    )
    gravity = [0, -GRAVITY] if plane else [0, 0, -GRAVITY]
    text = f"""linkwork = 1
gravity = {gravity}
[part.table]
fixed = true
solid = '''{table}'''
[part.body]
free = true
density = 1
solid = '''translate({up}) {{ {solid} }}'''
"""
    machine = machine_from_text(text, "fallen.toml", "fallen")
    found = simulate(machine, 0.6, contact="rigid", laws=Laws(law))
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


def struck(found: ContactSolution) -> Matrix:
    """Where it is struck first, and the impulse there: a row for each place."""
    impacts = [event for event in found.events if event["kind"] == "impact"]
    now = [event for event in impacts if event["t"] == impacts[0]["t"]]
    rows = [[*event["point"], event["impulse"]] for event in now]
    return np.array(sorted([round(each, 6) for each in row] for row in rows))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(
    ("solid", "volume", "places"),
    [
        ("translate([-1, -1, 0]) cube(2);", 8.0, 4),
        ("cylinder(r=1, h=0.5);", math.pi / 2, 8),
    ],
    ids=["block", "disc"],
)
def test_what_falls_flat_is_struck_alike_in_all_places(
    solid: str, volume: float, places: int, law: str
) -> None:
    found = fallen(solid, LAWS[law])
    whole = (1 + LAWS[law].restitution) * volume * math.sqrt(2 * GRAVITY * HEIGHT)
    assert struck(found)[:, -1] == pytest.approx([whole / places] * places, rel=1e-6)
    if not LAWS[law].restitution:
        lying = [contact["force"][2] for contact in found.contacts(len(found) - 1)]
        assert lying == pytest.approx([volume * GRAVITY / places] * places, rel=1e-6)


FEET = "linear_extrude(1) { translate([-3, 1]) square([6, 1]); for (x=[-3, -0.5, 2]) translate([x, 0]) square(1); }"


@pytest.mark.parametrize("law", LAWS)
def test_three_feet_in_the_plane_are_struck_alike(law: str) -> None:
    found = struck(fallen(FEET, LAWS[law], plane=True))
    whole = (1 + LAWS[law].restitution) * 9 * math.sqrt(2 * GRAVITY * HEIGHT)
    assert found[:, -1] == pytest.approx([whole / 6] * 6, rel=1e-6)


HOOK = "linear_extrude(1) polygon([[0, 0], [4, 0], [4, 1], [1, 1], [1, 3], [0, 2.5]]);"
AREA, CENTRE = 23 / 4, (107 / 69, 127 / 138)


@pytest.mark.parametrize("law", LAWS)
def test_impulses_of_the_image_in_a_mirror_are_images(law: str) -> None:
    """They are the shortest that stop the fall, or turn it round, and turn nothing."""
    one, other = (struck(fallen(f"{way} {HOOK}", LAWS[law])) for way in ("", "mirror([1, 0, 0])"))
    image = other * [-1, 1, 1, 1]
    assert image[np.lexsort(image.T[::-1])] == pytest.approx(one, abs=1e-5)
    whole = (1 + LAWS[law].restitution) * AREA * math.sqrt(2 * GRAVITY * HEIGHT)
    balance = np.array([np.ones(len(one)), one[:, 0], one[:, 1]])
    shortest = np.linalg.lstsq(balance, whole * np.array([1, *CENTRE]), rcond=None)[0]
    assert (shortest > 0).all()
    assert one[:, -1] == pytest.approx(shortest, abs=1e-5)


@pytest.mark.parametrize("law", ["plastic", "rough"])
@pytest.mark.parametrize(
    ("solid", "places"), [("translate([-1, -1, 0]) cube(2);", 4), ("cylinder(r=1, h=1, $fn=6);", 6)]
)
def test_forces_that_begin_in_space_are_even(solid: str, places: int, law: str) -> None:
    """All places under what has fallen flat begin with the same force, and with no friction."""
    begun = [event for event in fallen(solid, LAWS[law]).events if event["kind"] == "begin"]
    forces = np.array([event["force"] for event in begun])
    assert len(forces) == places
    np.testing.assert_allclose(forces, forces.mean(), rtol=1e-9)
    np.testing.assert_allclose([event["tangential"] for event in begun], 0.0, atol=1e-9)
