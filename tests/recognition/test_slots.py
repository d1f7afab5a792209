"""Pins in slots: told where parts may touch, joints if the file says so, and what holds a part beside them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from solid_machines import Solids, box, rod

import linkwork as lw
from linkwork.recognition import Recognition, RecognitionError, recognise_solids
from linkwork.recognition.wishes import Wishes
from linkwork.solid import Solid
from linkwork.solid.placement import Placement

POSES = {
    "as drawn": Placement(),
    "turned": Placement.shift((3, -8, 2)).holding(Placement.turn(1.1, (1, 0.4, -0.6))),
    "large and mirrored": Placement.scaling(1e3).holding(Placement.mirror((1, 2, 0.3))),
}
DISTANCE, CRANK = 40.0, 15.0


def placed(solids: Solids, pose: str) -> Solids:
    return {name: solid.placed(POSES[pose]) for name, solid in solids.items()}


def pairs_of(found: Recognition) -> list[tuple[str, tuple[str, str]]]:
    return [(pair.kind, pair.parts) for pair in found.pairs]


def quick_return(clearance: float = 0.1) -> Solids:
    """A crank whose pin is in the slot of a lever (Whitworth)."""
    base = box((-60, -40, -5), (60, 120, 0)) | rod(5, (0, 0, -1), 20) | rod(4, (0, DISTANCE, -1), 6)
    crank = rod(20, (0, DISTANCE, 0), 5) - rod(4, (0, DISTANCE, -1), 8)
    crank |= rod(3, (CRANK, DISTANCE, 4), 9)
    half = 3 + clearance / 2
    lever = box((-8, -10, 6), (8, 70, 12)) - rod(5, (0, 0, 5), 8) - box((-half, 20, 5), (half, 65, 13))
    return {"base": base, "crank": crank, "lever": lever.turned(math.atan2(DISTANCE, CRANK) - math.pi / 2)}


def slotted(solid: Solid, low: float, high: float) -> Solid:
    return solid - box((low, -1, -5), (high, 1, 9))


PINS = rod(1, (0, 0, -1), 6) | rod(1, (10, 0, -1), 6)


@pytest.mark.parametrize("clearance", [0.0, 0.1])
@pytest.mark.parametrize("pose", POSES)
def test_a_pin_in_a_slot_is_told(pose: str, clearance: float) -> None:
    found = recognise_solids(placed(quick_return(clearance), pose), "base")
    assert pairs_of(found) == [("revolute", ("base", "crank")), ("revolute", ("base", "lever"))]
    (touch,) = found.interactions
    size = 3 * POSES[pose].scale
    play = f" with {clearance * POSES[pose].scale:.3g} of clearance" if clearance else ""
    assert touch.why.startswith(f"the pin crank (radius {size:.6g}) fits a slot of lever{play}; it slides")
    assert '"crank/lever" = "slot"' in touch.why
    assert touch.to_json()["why"] == touch.why


@pytest.mark.parametrize("pose", POSES)
def test_it_is_a_joint_if_the_file_says_so(pose: str) -> None:
    wishes = Wishes(slots=[frozenset(("lever", "crank"))])
    found = recognise_solids(placed(quick_return(), pose), "base", wishes)
    assert [pair.kind for pair in found.pairs] == ["revolute", "revolute", "slot"]
    assert found.pairs[-1].parts == ("lever", "crank")
    assert [(each.parts, each.mobility) for each in found.subsystems] == [(("crank", "lever"), 1)]
    assert found.interactions == ()


MACHINE = """
linkwork = 1
[part.base]
solid = '''
translate([-60, -40, -5]) cube([120, 160, 5]);
translate([0, 0, -1]) cylinder(r=5, h=20);
translate([0, 40, -1]) cylinder(r=4, h=6);
'''
[part.crank]
solid = '''
translate([0, 40, 0]) {
  difference() { cylinder(r=20, h=5); translate([0, 0, -1]) cylinder(r=4, h=8); }
  translate([15, 0, 4]) cylinder(r=3, h=9);
}
'''
[part.lever]
solid = '''
rotate([0, 0, atan2(40, 15) - 90]) difference() {
  translate([-8, -10, 6]) cube([16, 80, 6]);
  translate([0, 0, 5]) cylinder(r=5, h=8);
  translate([-3, 20, 5]) cube([6, 45, 8]);
}
'''
[joint]
"crank/lever" = "slot"
"""
DRIVE = """
[drive.turn]
joint = "crank_axis"
range = [0, "360 deg"]
"""


def test_the_found_machine_moves_as_the_closed_form_says(tmp_path: Path) -> None:
    """The angle of the lever is that of the pin, seen from the axis of the lever; written and read again."""
    path = tmp_path / "m.toml"
    path.write_text(MACHINE)
    found = lw.recognise(lw.load(path)).machine
    assert found is not None
    lw.save(found, path)
    path.write_text(path.read_text() + DRIVE)
    frame = lw.move(lw.load(path), steps=72).to_frame()
    for turn, angle in zip(frame["turn"], frame["lever.angle"], strict=True):
        x, y = CRANK * math.cos(turn), DISTANCE + CRANK * math.sin(turn)
        assert angle == pytest.approx(math.atan2(y, x) - math.atan2(DISTANCE, CRANK), abs=1e-9)


def test_a_word_for_a_slot_that_is_none_is_refused() -> None:
    solids = quick_return()
    with pytest.raises(RecognitionError, match="no pin of base or lever is in a slot of the other"):
        recognise_solids(solids, "base", Wishes(slots=[frozenset(("base", "lever"))]))


@pytest.mark.parametrize("pose", POSES)
def test_a_round_shaft_turns_in_a_square_hole(pose: str) -> None:
    """A hole that is left between four blocks."""
    frame = box((-5, -5, 0), (-1, 5, 4)) | box((1, -5, 0), (5, 5, 4))
    frame |= box((-1, -5, 0), (1, -1, 4)) | box((-1, 1, 0), (1, 5, 4))
    shaft = rod(0.97, (0, 0, -3), 10) | box((0, 0, 6), (4, 1, 8))
    found = recognise_solids(placed({"frame": frame, "shaft": shaft}, pose), "frame")
    assert pairs_of(found) == [("revolute", ("frame", "shaft"))]
    assert "held between plane faces of frame that look in 4 directions" in found.pairs[0].why
    assert found.pairs[0].clearance == pytest.approx(0.06 * POSES[pose].scale, rel=1e-6)


def test_a_pin_in_a_slot_keeps_a_part_from_turning() -> None:
    """A bracket with a hole on one pin and a slot on the other can only be lifted off."""
    plate = box((-10, -10, -2), (20, 10, 0)) | PINS
    bracket = slotted(box((-3, -3, 1), (14, 3, 3)) - rod(1, (0, 0, 0), 5), 8, 12)
    found = recognise_solids({"plate": plate, "bracket": bracket}, "plate")
    assert pairs_of(found) == [("prismatic", ("plate", "bracket"))]
    assert found.pairs[0].axis == pytest.approx((0, 0, 1))
    assert "a pin in a slot keeps it from turning" in found.pairs[0].why


@pytest.mark.parametrize("pose", POSES)
def test_a_bar_slides_along_its_slot_on_two_pins(pose: str) -> None:
    plate = box((-10, -10, -2), (20, 10, 1)) | PINS
    bar = slotted(box((-5, -3, 1), (18, 3, 3)), -3, 15)
    found = recognise_solids(placed({"plate": plate, "bar": bar}, pose), "plate")
    assert pairs_of(found) == [("prismatic", ("plate", "bar"))]
    assert "2 pins of plate" in found.pairs[0].why


@pytest.mark.parametrize("pose", POSES)
def test_the_trammel_of_archimedes_is_no_hinge(pose: str) -> None:
    """Two pins in crossed slots allow a turn about another point in every position: that is no revolute pair."""
    base = box((-20, -20, -4), (20, 20, 0)) - box((-18, -1, -2), (18, 1, 1)) - box((-1, -18, -2), (1, 18, 1))
    ends = (8 * math.cos(0.6), 0.0, -2.0), (0.0, 8 * math.sin(0.6), -2.0)
    bar = rod(1, ends[0], 3) | rod(1, ends[1], 3) | box((-12, -12, 1), (12, 12, 2))
    solids = placed({"base": base, "bar": bar}, pose)
    found = recognise_solids(solids, "base")
    assert found.pairs == ()
    assert found.subsystems[0].mobility == 3
    assert "slot" in found.interactions[0].why
    joined = recognise_solids(solids, "base", Wishes(slots=[frozenset(("base", "bar"))]))
    assert [pair.kind for pair in joined.pairs] == ["slot", "slot"]
    assert joined.subsystems[0].mobility == 1


def test_a_wheel_between_walls_is_no_pin() -> None:
    house = box((-6, -6, -2), (6, 6, -1)) | box((-6, -6, -1), (-4.1, 6, 3)) | box((4.1, -6, -1), (6, 6, 3))
    house |= rod(1, (0, 0, -1.5), 5)
    found = recognise_solids({"house": house, "wheel": rod(4, (0, 0, 0), 2) - rod(1, (0, 0, -1), 5)}, "house")
    assert pairs_of(found) == [("revolute", ("house", "wheel"))]
    assert found.pairs[0].clearance == 0
