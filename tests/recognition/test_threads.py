"""Threads: a shaft and a hole that carry one are a screw, which moves as its pitch and its hand say."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwork.errors import LinkworkError
from linkwork.kinematics import move
from linkwork.model import Machine, load
from linkwork.model.write import machine_to_text
from linkwork.recognition import Recognition, recognise
from linkwork.recognition.threads import ThreadError

JACK = """
linkwork = 1
title = "A spindle that turns in its foot, and what it lifts along a rail"

[part.frame]
fixed = true
solid = '''
difference() {{
  translate([-30, -30, -10]) cube([60, 60, 10]);
  translate([0, 0, -11]) cylinder(d=8, h=12);
}}
translate([-30, -30, 0]) cube([60, 10, 60]);
translate([-5, -20, 0]) cube([10, 5, 60]);
'''

[part.spindle]
solid = '''
{spindle} cylinder(d=12, h=50);
translate([0, 0, -12]) cylinder(d=8, h=12.5);
translate([0, 0, -14]) cylinder(d=14, h=4);
'''
density = 7.8e-6

[part.{lifted}]
solid = '''
difference() {{
  translate([-15, -15, 20]) cube([30, 30, 10]);
  {nut} translate([0, 0, 19]) cylinder(d=12, h=12);
  translate([-5, -20, 19]) cube([10, 5, 12]);
}}
translate([-9, -20, 20]) cube([4, 6, 10]);
translate([5, -20, 20]) cube([4, 6, 10]);
'''
density = 7.8e-6
"""


def jack(folder: Path, spindle: str = "", nut: str = "", lifted: str = "carriage", more: str = "") -> Machine:
    file = folder / "jack.toml"
    file.write_text(JACK.format(spindle=spindle, nut=nut, lifted=lifted) + more, "utf-8")
    return load(file)


def kinds(found: Recognition) -> dict[frozenset[str], str]:
    return {frozenset(pair.parts): pair.kind for pair in found.pairs}


def lifted_by_two_turns(found: Recognition, folder: Path) -> float:
    """How far along z what is lifted goes while the spindle turns twice."""
    assert found.machine is not None
    drive = '\n[drive.turn]\njoint = "spindle_axis"\nrange = [0, "720 deg"]\n'
    file = folder / "found.toml"
    file.write_text(machine_to_text(found.machine) + drive, "utf-8")
    heights = move(load(file))["carriage.z"]
    return float(heights[-1] - heights[0])


@pytest.mark.parametrize("pitch", [2.0, -1.25])
def test_a_marked_thread_is_a_screw_of_its_pitch(pitch: float, tmp_path: Path) -> None:
    """A right-handed screw that turns to the left, seen from above, draws its nut down."""
    found = recognise(jack(tmp_path, f"thread({pitch})", f"thread({pitch})"))
    (screw,) = (pair for pair in found.pairs if pair.kind == "screw")
    assert screw.parts == ("spindle", "carriage")
    assert screw.pitch == pytest.approx(pitch)
    assert f"{'right' if pitch > 0 else 'left'}-handed thread" in screw.why
    assert screw.to_json()["pitch"] == pytest.approx(pitch)
    assert [(each.mobility, *map(str, each.variables)) for each in found.subsystems] == [(1, "spindle.angle")]
    assert lifted_by_two_turns(found, tmp_path) == pytest.approx(-2 * pitch)


def test_a_thread_in_a_plain_hole_only_slides(tmp_path: Path) -> None:
    found = recognise(jack(tmp_path, "thread(2)"))
    assert "screw" not in kinds(found).values()
    assert kinds(found)[frozenset(("frame", "carriage"))] == "prismatic"


def test_threads_of_different_pitch_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ThreadError, match="do not fit") as caught:
        recognise(jack(tmp_path, "thread(2)", "thread(-2)"))
    assert "2 and -2" in str(caught.value) or "-2 and 2" in str(caught.value)


def test_the_file_may_say_that_there_is_a_thread(tmp_path: Path) -> None:
    """So it is told of solids without marks, and that a part called nut is no fastener here."""
    machine = jack(tmp_path, lifted="nut", more='\n[joint]\n"nut/spindle" = "screw 2.5"\n')
    found = recognise(machine)
    (screw,) = (pair for pair in found.pairs if pair.kind == "screw")
    assert screw.pitch == pytest.approx(2.5)
    assert "the file says" in screw.why
    again = tmp_path / "again.toml"
    again.write_text(machine_to_text(machine), "utf-8")
    assert load(again).pair_words == machine.pair_words
    assert not [pair for pair in recognise(jack(tmp_path, lifted="nut")).pairs if pair.kind == "screw"]


@pytest.mark.parametrize("word", ["screw", "screw 0", "screw two", "screw 2 3", "screw -0.0", "screw ."])
def test_a_screw_needs_a_pitch(word: str, tmp_path: Path) -> None:
    with pytest.raises(LinkworkError, match="is no word") as caught:
        jack(tmp_path, more=f'\n[joint]\n"carriage/spindle" = "{word}"\n')
    assert '"screw 2"' in str(caught.value.wanted)


def test_what_is_marked_as_a_screw_is_a_fastener(tmp_path: Path) -> None:
    file = tmp_path / "plates.toml"
    file.write_text(
        """
linkwork = 1
[part.base]
fixed = true
solid = "difference() { cube([20, 20, 5]); translate([10, 10, -1]) cylinder(d=4, h=7); }"
[part.lid]
solid = "difference() { translate([0, 0, 5]) cube([20, 20, 5]); translate([10, 10, 4]) cylinder(d=4, h=7); }"
[part.peg]
solid = "screw() translate([10, 10, 0]) cylinder(d=4, h=10);"
""",
        "utf-8",
    )
    found = recognise(load(file))
    assert not found.pairs
    assert all("marked as a screw" in weld.why for weld in found.welds)
