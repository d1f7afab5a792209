"""What a slot or a pocket holds captive: T-shaped sliders, and nuts through which a spindle goes."""

from __future__ import annotations

import pytest
from solid_machines import POSES, pairs_of, placed

import linkwork as lw
from linkwork.model.read import machine_from_text

BED = """
linkwork = 1
[part.bed]
fixed = true
solid = '''difference() {{
  translate([-50, -20, 0]) cube([100, 40, 20]);
  translate([-60, -4, 10]) cube([120, 8, 11]); translate([-60, -8, 6]) cube([120, 16, 5]);
}}'''
[part.slider]
solid = "{slider}"
"""
SLIDERS = {
    "without play": "translate([-15, -4, 10]) cube([30, 8, 15]); translate([-15, -8, 6]) cube([30, 16, 5]);",
    "with play": "translate([-15, -3.9, 10]) cube([30, 7.8, 15]); translate([-15, -7.8, 6.1]) cube([30, 15.6, 4.8]);",
    "with a round neck": "translate([0,0,6.1]) { translate([-7, -7.8]) cube([14, 15.6, 4.8]); cylinder(d=7.8,h=18); }",
}
JACK = """
linkwork = 1
[part.frame]
fixed = true
solid = '''
difference() {{
  union() {{ translate([-30, -15, -6]) cube([60, 30, 6]); translate([-30, -15, 60]) cube([60, 30, 6]); }}
  translate([0, 0, -7]) cylinder(d=6, h=80);
}}
for (x = [-20, 20]) translate([x, 0, -1]) cylinder(d=5, h=62);
'''
[part.lead_screw]
solid = '''
translate([0, 0, -10]) cylinder(d=6, h=80);
for (z = [-10, 66]) translate([0, 0, z]) cylinder(d=12, h=4);
{handle}
'''
[part.carriage]
solid = '''difference() {{
  translate([-28, -12, 20]) cube([56, 24, 12]);
  for (x = [-20, 20]) translate([x, 0, 19]) cylinder(d=5, h=20);
  translate([0, 0, 19]) cylinder(d=6.6, h=20);
  translate([0, 0, 26.01]) cylinder(d=11.2, h=6, $fn=6);
}}'''
[part.nut]
solid = '''difference() {{
  translate([0, 0, 26.1]) cylinder(d=11, h=5.8, $fn=6);
  translate([0, 0, 19]) cylinder(d={hole}, h=20);
}}'''
"""


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("name", SLIDERS)
def test_a_slider_in_an_open_t_slot_slides(name: str, pose: str) -> None:
    machine = machine_from_text(BED.format(slider=SLIDERS[name]), "m.toml", "m")
    assert pairs_of(lw.recognise(placed(machine, POSES[pose]))) == {("prismatic", "bed", "slider")}


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("hole", [6, 6.2])
def test_a_nut_without_thread_goes_with_its_pocket(hole: float, pose: str) -> None:
    """So the spindle turns in it, which has a handle to be seen turning by; it holds no spindle fast."""
    text = JACK.format(hole=hole, handle="translate([0, 0, -14]) cube([20, 4, 4]);")
    found = lw.recognise(placed(machine_from_text(text, "m.toml", "m"), POSES[pose]))
    assert ("carriage", "nut") in {tuple(sorted(members)) for members in found.groups}
    assert {("prismatic", "carriage", "frame"), ("revolute", "frame", "lead_screw")} <= pairs_of(found)
    assert all(each.mobility == len(each.variables) for each in found.subsystems)


@pytest.mark.parametrize("hole", [6, 6.2])
def test_a_nut_in_its_pocket_does_not_hold_a_round_spindle(hole: float) -> None:
    """Nobody sees whether it turns, but the carriage slides along it, with the nut."""
    found = lw.recognise(machine_from_text(JACK.format(hole=hole, handle=""), "m.toml", "m"))
    assert ("carriage", "nut") in {tuple(sorted(members)) for members in found.groups}
    assert ("prismatic", "carriage", "frame") in pairs_of(found)
