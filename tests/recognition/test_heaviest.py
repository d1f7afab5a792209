"""Which part is taken for the frame where neither the file nor a name tells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import linkwork as lw
from linkwork.model.read import machine_from_text
from linkwork.recognition.body import Body
from linkwork.recognition.heaviest import counted
from linkwork.solid import Solid, mass_properties
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
