"""Which part is taken for the frame where neither the file nor a name tells."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings

import linkwork as lw
from linkwork.model.read import machine_from_text
from linkwork.recognition import recognise_solids
from linkwork.recognition.body import Body
from linkwork.recognition.heaviest import counted
from linkwork.solid import Block, Cylinder, Solid, mass_properties
from linkwork.solid.mass import NoVolume
from random_solids import solids

AS_MUCH = (4 + 4 * 0.04) / 0.96
"""The height at which the second part has as much volume as the first."""


@settings(max_examples=25)
@given(solids())
def test_counted_volumes_are_right_within_their_error(solid: Solid) -> None:
    """Counts of points are never farther off than they say, so what they tell apart is apart."""
    try:
        volume = mass_properties(solid).volume
    except NoVolume:
        return
    found, error = counted([Body.of("part", solid, 1e-6)])
    assert abs(found - volume) <= error


@pytest.mark.parametrize(
    ("height", "frame"), [(4.0, "second"), (1.001, "second"), (0.999, "first"), (0.3, "first")]
)
def test_the_larger_of_two_parts_stands_still(height: float, frame: str) -> None:
    """By counts where these tell, and by exact volumes where they are too near each other."""
    hub = "translate([0, 0, 4]) difference() { cylinder(d=10, h=%r); translate([0, 0, -1]) cylinder(d=2, h=99); }"
    text = f'''
        linkwork = 1
        [part.first]
        solid = "cylinder(d=10, h=4); cylinder(d=2, h=8);"
        density = 1
        [part.second]
        solid = "{hub % (height * AS_MUCH)}"
        density = 1
    '''
    assert lw.recognise(machine_from_text(text, "m.toml", "m")).ground == frame


def test_what_merely_reaches_beyond_on_all_sides_is_no_frame() -> None:
    """A propeller on a shaft reaches farther than the block in which it turns, and is around nothing."""
    block = Block((56, 56, 20)).moved((-28, -28, 0)) - Cylinder(3, 40).moved((0, 0, -1))
    rotor = (
        Cylinder(3, 60).moved((0, 0, -12))
        | Cylinder(6, 3).moved((0, 0, -3))
        | Cylinder(12, 12).moved((0, 0, 20))
    )
    for turn in range(3):
        rotor |= Block((46, 12, 2)).moved((0, -6, 28)).turned(turn * math.tau / 3, (0, 0, 1))
    assert recognise_solids({"rotor": rotor, "block": block}).ground == "block"


def test_a_stand_of_a_floor_and_two_cheeks_is_around_its_wheel() -> None:
    stand = Block((40, 90, 1)).moved((-20, -45, -45))
    for side in (-20, 19):
        stand |= Block((1, 90, 90)).moved((side, -45, -45))
    stand |= Cylinder(3, 40).turned(math.pi / 2, (0, 1, 0)).moved((-20, 0, 0))
    wheel = (Cylinder(42, 30) - Cylinder(3, 30)).turned(math.pi / 2, (0, 1, 0)).moved((-15, 0, 0))
    assert recognise_solids({"wheel": wheel, "stand": stand}).ground == "stand"
