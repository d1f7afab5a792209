"""Pins in slots that are bent about an axis: told, joints if the file says so, and two of them turn about that axis."""

from __future__ import annotations

import math

import pytest
from solid_machines import Solids, box, rod

import linkwork as lw
from linkwork.model.read import machine_from_text
from linkwork.recognition import Recognition, Wishes, recognise_solids
from linkwork.solid import Cylinder, Placement, Solid


def arc(radius: float, width: float, half: float, low: float, high: float) -> Solid:
    """What is to be cut away for a slot about the origin, from -half to half, with round ends."""
    wedge = Cylinder(radius + width / 2, high - low) - Cylinder(radius - width / 2, high - low)
    reach = 2 * radius
    sides = [box((-reach, 0, -1), (reach, reach, high - low + 1)).turned(half)]
    sides.append(box((-reach, -reach, -1), (reach, 0, high - low + 1)).turned(-half))
    for side in sides:
        wedge = wedge - side
    wedge = wedge - box((-reach, -reach, -1), (0, reach, high - low + 1))
    ends = [
        rod(width / 2, (radius * math.cos(s * half), radius * math.sin(s * half), 0), high - low)
        for s in (-1, 1)
    ]
    return (wedge | ends[0] | ends[1]).moved((0, 0, low))


def sector(pins: tuple[float, ...], play: float = 0.0) -> Solids:
    """A plate with a slot about the origin, and a shoe on pins in it, between the plate and their heads."""
    plate = box((4, -14, 0), (16, 14, 2)) - arc(10, 2 + play, 1.0, -1, 3)
    shoe = box((8, -9, 2), (15, 9, 3))
    for angle in pins:
        x, y = 10 * math.cos(angle), 10 * math.sin(angle)
        shoe |= rod(1, (x, y, -1), 3.5) | rod(1.5, (x, y, -1), 1)
    return {"plate": plate, "shoe": shoe}


def kinds(found: Recognition) -> set[tuple[str, ...]]:
    return {(pair.kind, *sorted(pair.parts)) for pair in found.pairs}


@pytest.mark.parametrize("play", [0.0, 0.1])
@pytest.mark.parametrize("factor", [1.0, 1000.0])
def test_two_pins_in_a_curved_slot_turn_about_its_middle(play: float, factor: float) -> None:
    place = Placement.turn(0.7, (1, 2, 3)).holding(Placement.scaling(factor))
    solids = {name: each.placed(place) for name, each in sector((-0.5, 0.4), play).items()}
    found = recognise_solids(solids, "plate")
    (pair,) = found.pairs
    assert pair.kind == "revolute"
    assert "2 pins of shoe" in pair.why
    assert "in a curved slot of plate" in pair.why
    assert pair.point is not None
    assert pair.axis is not None
    seen = place.inverse.point(pair.point)
    assert seen[:2] == pytest.approx([0, 0], abs=1e-6)


def test_pins_in_slots_about_two_axes_do_not_turn() -> None:
    plate = box((4, -14, 0), (26, 14, 2)) - arc(10, 2, 1.0, -1, 3) - arc(10, 2, 1.0, -1, 3).moved((9, 1, 0))
    shoe = box((8, -9, 2), (21, 9, 3)) | rod(1, (10, 0, -1), 3.5) | rod(1, (19, 1, -1), 3.5)
    found = recognise_solids({"plate": plate, "shoe": shoe}, "plate", Wishes(free=["shoe"]))
    assert found.pairs == ()


def test_a_pin_beside_a_slot_is_not_in_it() -> None:
    """Thinner than the slot by more than a tenth, or at another height."""
    thin = sector((-0.5, 0.4), 0.4)
    assert not [
        each for each in recognise_solids(thin, "plate", Wishes(free=["shoe"])).interactions if each.why
    ]
    raised = sector((-0.5, 0.4))
    raised["shoe"] = raised["shoe"].moved((0, 0, 3.5))
    assert kinds(recognise_solids(raised, "plate", Wishes(free=["shoe"]))) == set()


def linkage(word: str = "") -> str:
    """A crank on a plate and a rod on it, whose other end has a pin in a slot of the plate about the origin."""
    return f"""
linkwork = 1
[part.plate]
fixed = true
solid = '''
difference() {{
  translate([-20, -12, 0]) cube([50, 40, 2]);
  translate([0, 0, -1]) difference() {{ cylinder(r=11, h=4); translate([0, 0, -1]) cylinder(r=9, h=6);
    translate([-20, -40, -2]) cube([40, 40, 9]); translate([-20, 0, -2]) cube([20, 20, 9]); }}
}}
translate([20, 0, 0]) cylinder(d=3, h=3.5);
'''
[part.crank]
solid = '''difference() {{
  translate([20, 0, 2]) hull() {{ cylinder(d=6, h=1.5); translate([0, 6, 0]) cylinder(d=6, h=1.5); }}
  translate([20, 0, -1]) cylinder(d=3, h=9); }}
  translate([20, 6, 2]) cylinder(d=3, h=4);'''
inertia = 5
[part.rod]
solid = '''difference() {{
  translate([8, 6, 3.5]) hull() {{ translate([12, 0, 0]) cylinder(d=6, h=2); cylinder(d=6, h=2); }}
  translate([20, 6, 0]) cylinder(d=3, h=9); }}
  translate([8, 6, 0]) cylinder(r=1, h=4);'''
mass = 1
{word}
"""


def test_a_pin_in_a_curved_slot_is_told_and_a_joint_if_the_file_says_so() -> None:
    """Of crank and rod two motions are left, or one; the pin stays on its circle."""
    told = lw.recognise(machine_from_text(linkage(), "m.toml", "m"))
    reasons = [each.why for each in told.interactions if {*each.parts} == {"plate", "rod"}]
    assert "fits a curved slot of plate" in reasons[0]
    assert told.subsystems[0].mobility == 2
    word = '[joint]\n"plate/rod" = "slot"'
    found = lw.recognise(machine_from_text(linkage(word), "m.toml", "m"))
    assert kinds(found) == {
        ("revolute", "crank", "plate"),
        ("revolute", "crank", "rod"),
        ("slot", "plate", "rod"),
    }
    assert found.subsystems[0].mobility == 1
    assert found.machine is not None
    assert found.machine.joints["plate_rod_slot"].word == "distance"
    assert lw.show(found.machine).mobility == 1
