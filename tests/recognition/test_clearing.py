"""Parts that lie in one another where they are drawn: what is told to do, done, gets them out."""

from __future__ import annotations

import math
import re

import pytest
from solid_machines import Solids, box, rod

from linkwork.model import Machine
from linkwork.model.read import machine_from_text
from linkwork.recognition import recognise
from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.finding import recognise_solids
from linkwork.solid import Cylinder, Solid

POSES = (0.0, 1.1)


def _ratchet(deep: float) -> Solids:
    """A pawl on a pin beside a block that it presses into, by an angle."""
    plate = box((-10, -10, -2), (30, 20, -1)) | rod(1, (20, 0, -1.5), 4)
    pawl = (box((-6, -1, 0), (1, 1, 1)) | Cylinder(2, 1)) - rod(1, (0, 0, -1), 3)
    tooth = box((5, -9, 0), (15, -1, 1)) - rod(1, (10, -5, -1), 3)
    axle = rod(1, (10, -5, -1.5), 4)
    return {"plate": plate | axle, "tooth": tooth, "pawl": pawl.turned(deep).moved((20, 0, 0))}


def _slide(deep: float) -> Solids:
    """A bolt in a guide that is too far in a stop, which the way across the guide would not clear."""
    guide = box((0, 0, 0), (10, 10, 10)) - box((-1, 3, 3), (11, 7, 7))
    stop = box((15, 1, 1), (18, 9, 9)) | box((12, -2, -2), (18, -1, 12))
    return {"guide": guide | stop, "bolt": box((-5, 3, 3), (15 + deep, 7, 7))}


def _done(solids: Solids, fix: str) -> Solids:
    """The machine with what the words tell."""
    told = re.match(r"(turn|move) (\w+) by (\S+ degrees about )?\((.*?)\)(?: through \((.*?)\))?:", fix)
    assert told is not None, fix
    do, name, angle, way, point = told.groups()
    numbers = [tuple(float(entry) for entry in entries.split(",")) for entries in (way, point or "0,0,0")]
    if do == "move":
        moved: Solid = solids[name].moved(numbers[0])
    else:
        moved = solids[name].turned(math.radians(float(angle.split()[0])), *numbers)
    return {**solids, name: moved}


@pytest.mark.parametrize("turn", POSES)
@pytest.mark.parametrize("deep", [0.01, 0.05, 0.2])
def test_a_pawl_is_turned_about_its_pin(deep: float, turn: float) -> None:
    """Not shifted off it; behind the turn its pairs are those of a pawl that was drawn clear."""
    solids = {name: each.turned(turn) for name, each in _ratchet(deep).items()}
    with pytest.raises(RecognitionError) as caught:
        recognise_solids(solids, "plate")
    assert caught.value.fix is not None
    assert "degrees" in caught.value.fix
    found = recognise_solids(_done(solids, caught.value.fix), "plate")
    assert [pair.kind for pair in found.pairs] == ["revolute", "revolute"]


@pytest.mark.parametrize("deep", [0.01, 1.0])
def test_a_bolt_is_moved_along_its_guide(deep: float) -> None:
    solids = _slide(deep)
    with pytest.raises(RecognitionError) as caught:
        recognise_solids(solids, "guide")
    assert caught.value.fix is not None
    found = recognise_solids(_done(solids, caught.value.fix), "guide")
    assert [pair.kind for pair in found.pairs] == ["prismatic"]


BESIDE_RAILS = """
linkwork = 1
[part.frame]
fixed = true
solid = '''
translate([-80, -20, -12]) cube([160, 40, {floor}]);
for (y = [-9, 6]) translate([-80, y, -12]) cube([160, 3, 12]);
translate([0, -20, 26]) rotate([-90, 0, 0]) cylinder(d=6, h=40);
for (y = [-20, 17]) translate([-4, y, -12]) cube([8, 3, 45]);
'''
[part.pinion]
solid = '''
translate([0, 3, 26]) rotate([90, 0, 0]) difference() {{
  rotate({angle}) involute_gear(teeth=20, modul=2, h=6, backlash=0.2);
  translate([0, 0, -1]) cylinder(d=6, h=9);
}}
'''
[part.bar]
solid = '''
translate({shift}) {{
  translate([0, 3, 6]) rotate([90, 0, 0]) rack(teeth=21, modul=2, h=6, width=13, backlash=0.2);
  translate([-70, -6, -10]) cube([140, 12, 4]);
}}
'''
"""


@pytest.mark.parametrize(("floor", "kind"), [(2, "prismatic"), (0.5, "planar")])
@pytest.mark.parametrize("angle", [2.0, 4.5])
def test_a_rack_is_moved_until_its_teeth_are_in_gaps_also_if_only_its_sides_are_held(
    angle: float, floor: float, kind: str
) -> None:
    """It may lie on a floor or hang on its pinion alone: the words are the same."""

    def machine(shift: str) -> Machine:
        text = BESIDE_RAILS.format(floor=floor, angle=angle, shift=shift)
        return machine_from_text(text, "m.toml", "m")

    with pytest.raises(RecognitionError) as caught:
        recognise(machine("[0, 0, 0]"))
    told = re.match(r"the teeth of bar moved by \((.*?)\): all are then in gaps", caught.value.fix or "")
    assert told is not None, caught.value.fix
    found = recognise(machine(f"[{told.group(1)}]"))
    assert (kind, "frame", "bar") in {(pair.kind, *pair.parts) for pair in found.pairs}
