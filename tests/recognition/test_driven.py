"""Drives in files of solids: a found machine goes where its file says, whatever the space of the file looks like."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from linkwork.errors import LinkworkError, UnknownName
from linkwork.kinematics import move
from linkwork.model import Machine, load
from linkwork.recognition import recognise

ENGINE = """
linkwork = 1
{head}
[part.base]
fixed = true
solid = '''
translate([-20, 5, -40]) cube([120, 4, 80]);
rotate([90, 0, 0]) translate([0, 0, -8]) cylinder(d=6, h=20);
'''
[part.crank]
solid = '''
difference() {{
  rotate([90, 0, 0]) union() {{ cylinder(d=12, h=4); cube([20, 5, 4]); }}
  rotate([90, 0, 0]) translate([0, 0, -1]) cylinder(d=6, h=10);
}}
'''
[part.tip]
solid = "rotate([90, 0, 0]) translate([15, 2, 4]) cube([3, 2, 3]);"
[joint]
"crank/tip" = "fixed"
[drive.turn]
{target}
range = [0, "90 deg"]
"""
SCREW = """
linkwork = 1
gravity = [0, 0, -9.81]
[part.base]
fixed = true
solid = "thread(2) cylinder(d=8, h=40); translate([-10, -10, -5]) cube([20, 20, 5]);"
[part.carriage]
solid = '''
difference() {{ translate([-9, -9, 15]) cube([18, 18, 6]); thread(2) translate([0, 0, 14]) cylinder(d=8, h=8); }}
'''
[drive.turn]
{target}
range = [0, "360 deg"]
"""


def machine(folder: Path, text: str) -> Machine:
    file = folder / "machine.toml"
    file.write_text(text, "utf-8")
    return load(file)


@pytest.mark.parametrize("head", ["gravity = [0, 0, -9.81]", "gravity = [0, 0, 0]", ""])
@pytest.mark.parametrize(
    "target",
    [
        'of = "crank.angle"',
        'joint = "crank_axis"',
        'of = "tip.angle"',
        'joint = "crank_axis"\ncoordinate = "angle"',
    ],
)
def test_a_plane_machine_is_driven_by_its_angle(target: str, head: str, tmp_path: Path) -> None:
    """However many entries the gravity has, and also by a part that is fixed to the one that turns."""
    found = recognise(machine(tmp_path, ENGINE.format(head=head, target=target))).machine
    assert found is not None
    assert found.dimension == 2
    moved = move(found)
    assert moved["crank.angle"][-1] - moved["crank.angle"][0] == pytest.approx(math.pi / 2)


@pytest.mark.parametrize("target", ['of = "carriage.angle"', 'joint = "carriage_thread"'])
def test_a_machine_of_space_is_driven_by_what_tells_its_motion(target: str, tmp_path: Path) -> None:
    """Parts of space have no angle of their own; that in its joint with the frame is meant."""
    found = recognise(machine(tmp_path, SCREW.format(target=target)))
    assert [str(each) for each in found.variables()] == ["carriage.angle"]
    assert found.machine is not None
    moved = move(found.machine)
    assert abs(moved["carriage.z"][-1] - moved["carriage.z"][0]) == pytest.approx(2)


@pytest.mark.parametrize(
    "target", ['of = "crank.displacement"', 'joint = "crank"', 'of = "base.x"', 'of = "crank.z"']
)
def test_what_cannot_be_driven_is_told_with_what_can(target: str, tmp_path: Path) -> None:
    found = recognise(machine(tmp_path, ENGINE.format(head="gravity = [0, 0, -9.81]", target=target)))
    with pytest.raises(UnknownName, match="in the machine that is found") as caught:
        assert found.machine is not None
    assert caught.value.where[:2] == ("drive", "turn")
    assert "crank_axis" in caught.value.wanted or "crank.angle" in caught.value.wanted


def test_a_part_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(LinkworkError, match="no part 'crnk'"):
        machine(tmp_path, ENGINE.format(head="", target='of = "crnk.angle"'))
