"""Threads: a shaft and a hole that carry one are a screw, which moves as its pitch and its hand say."""

from __future__ import annotations

from pathlib import Path

import pytest
from solid_machines import placed

from linkwork.errors import LinkworkError
from linkwork.kinematics import move
from linkwork.model import Machine, load
from linkwork.model.write import machine_to_text
from linkwork.recognition import Recognition, recognise
from linkwork.recognition.threads import ThreadError
from linkwork.solid.placement import Placement

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


# ------------------------------------------------------------------- several threads on one axis

RAIL = "translate([-40, 20, -60]) cube([80, 5, 120]); translate([-5, 15, -60]) cube([10, 5.5, 120]);"
TURNBUCKLE = {
    "frame": RAIL,
    "sleeve": """
difference() {
  translate([0, 0, -20]) cylinder(d=16, h=40);
  translate([0, 0, -10]) cylinder(d=12, h=20);
  thread(1.5) translate([0, 0, -21]) cylinder(d=8, h=15);
  thread(-1.5) translate([0, 0, 6]) cylinder(d=8, h=15);
}""",
    "low": """
thread(1.5) translate([0, 0, -40]) cylinder(d=8, h=32);
difference() { translate([-15, -6, -50]) cube([30, 26, 10]); translate([-5, 15, -51]) cube([10, 6, 12]); }""",
    "high": """
thread(-1.5) translate([0, 0, 8]) cylinder(d=8, h=32);
difference() { translate([-15, -6, 40]) cube([30, 26, 10]); translate([-5, 15, 39]) cube([10, 6, 12]); }""",
}
DIFFERENTIAL = {
    "frame": """
difference() { translate([-20, -20, 0]) cube([40, 40, 10]); thread(2) translate([0, 0, -1]) cylinder(d=10, h=12); }
translate([-20, -20, 0]) cube([40, 5, 80]); translate([-5, -16, 0]) cube([10, 6, 80]);""",
    "spindle": """
thread(2) translate([0, 0, -20]) cylinder(d=10, h=40);
label("fine end") thread(1.5) translate([0, 0, 20]) cylinder(d=10, h=40);
translate([0, 0, -25]) cylinder(d=20, h=5);""",
    "carriage": """
difference() {
  translate([-15, -15, 30]) cube([30, 25, 15]);
  thread(1.5) translate([0, 0, 29]) cylinder(d=10, h=17);
  translate([-5, -16, 29]) cube([10, 6, 17]);
}""",
}
BOTH_WAYS = {
    "spindle": """
thread(1.5) translate([0, 0, -30]) cylinder(d=8, h=25);
translate([0, 0, -5]) cylinder(d=8, h=10);
thread(-1.5) translate([0, 0, 5]) cylinder(d=8, h=25);""",
    "left": """
difference() { translate([-9, -9, -25]) cube([18, 18, 15]); thread(1.5) translate([0, 0, -26]) cylinder(d=8, h=17); }
""",
    "right": """
difference() { translate([-9, -9, 10]) cube([18, 18, 15]); thread(-1.5) translate([0, 0, 9]) cylinder(d=8, h=17); }
""",
}
SCREWS = {
    "turnbuckle": (TURNBUCKLE, {frozenset(("sleeve", "low")): 1.5, frozenset(("sleeve", "high")): -1.5}),
    "differential screw": (
        DIFFERENTIAL,
        {frozenset(("frame", "spindle")): 2.0, frozenset(("spindle", "carriage")): 1.5},
    ),
    "left and right": (
        BOTH_WAYS,
        {frozenset(("spindle", "left")): 1.5, frozenset(("spindle", "right")): -1.5},
    ),
}
"""Machines with several threads of one radius on one axis, and the pitch of each pair."""
PLACES = {
    "as drawn": (Placement(), 1.0),
    "turned": (Placement.shift((3, -1, 9)).holding(Placement.turn(1.1, (1, 2, -0.5))), 1.0),
    "mirrored and in inches": (Placement.scaling(1 / 25.4).holding(Placement.mirror((1, 2, 3))), -1 / 25.4),
    "twice as large": (Placement.scaling(2), 2.0),
}


def of_solids(folder: Path, solids: dict[str, str]) -> Machine:
    texts = [f"[part.{name}]\nsolid = '''\n{text}\n'''\n" for name, text in solids.items()]
    file = folder / "machine.toml"
    file.write_text("linkwork = 1\n" + "".join(texts), "utf-8")
    return load(file)


def pitches(found: Recognition) -> dict[frozenset[str], float | None]:
    return {frozenset(pair.parts): pair.pitch for pair in found.pairs if pair.kind == "screw"}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", SCREWS)
def test_each_thread_on_an_axis_has_its_own_pitch(name: str, place: str, tmp_path: Path) -> None:
    """A thread holds where it is; larger, its pitch is too, and in a mirror it is of the other hand."""
    solids, wanted = SCREWS[name]
    where, factor = PLACES[place]
    for order in (solids, dict(reversed(solids.items()))):
        found = recognise(placed(of_solids(tmp_path, order), where))
        assert pitches(found) == {both: pytest.approx(factor * pitch) for both, pitch in wanted.items()}


def test_a_differential_screw_goes_by_the_difference(tmp_path: Path) -> None:
    """Two turns take the carriage 2 · (1.5 − 2) along the spindle that turns to the left, and the spindle −2 · 2."""
    found = recognise(of_solids(tmp_path, DIFFERENTIAL))
    assert [(each.mobility, *map(str, each.variables)) for each in found.subsystems] == [(1, "spindle.angle")]
    assert found.machine is not None
    drive = '\n[drive.turn]\njoint = "spindle_thread"\nrange = [0, "720 deg"]\n'
    file = tmp_path / "found.toml"
    file.write_text(machine_to_text(found.machine) + drive, "utf-8")
    moved = move(load(file))
    gone = {part: float(moved[f"{part}.z"][-1] - moved[f"{part}.z"][0]) for part in ("spindle", "carriage")}
    assert abs(gone["spindle"]) == pytest.approx(4)
    assert gone["carriage"] == pytest.approx(gone["spindle"] / 4)


@pytest.mark.parametrize(
    "stretched", ["scale(2)", "scale([1, 1, 2])", "mirror([0, 0, 1])", "mirror([1, 0, 0])"]
)
def test_a_thread_is_stretched_with_its_axis(stretched: str, tmp_path: Path) -> None:
    factor = {"scale(2)": 2.0, "scale([1, 1, 2])": 2.0}.get(stretched, -1.0)
    bolt = "thread(1.5) cylinder(d=8, h=20);"
    hole = "thread(1.5) translate([0, 0, 4]) cylinder(d=8, h=8);"
    nut = f"difference() {{ translate([-9, -9, 5]) cube([18, 18, 6]); {hole} }}"
    found = recognise(of_solids(tmp_path, {"base": f"{stretched} {bolt}", "carriage": f"{stretched} {nut}"}))
    assert pitches(found) == {frozenset(("base", "carriage")): pytest.approx(factor * 1.5)}


def test_labels_and_copies_do_not_hide_a_thread(tmp_path: Path) -> None:
    """A label on either side of the mark, and the same cylinder once more without it, leave the thread where it is."""
    solids = {
        "base": 'thread(2) label("rod") cylinder(d=8, h=20); cylinder(d=8, h=20);',
        "carriage": """difference() {
          translate([-9, -9, 5]) cube([18, 18, 6]);
          translate([0, 0, 4]) cylinder(d=8, h=8); label("bore") thread(2) translate([0, 0, 4]) cylinder(d=8, h=8);
        }""",
    }
    found = recognise(of_solids(tmp_path, solids))
    assert pitches(found) == {frozenset(("base", "carriage")): pytest.approx(2)}
    assert "rod of base" in found.pairs[0].why
    assert "the hole bore of carriage" in found.pairs[0].why


@pytest.mark.parametrize("around", ["resize([9, 9, 30])", "hull()"])
def test_a_thread_inside_what_makes_another_shape_is_an_error(around: str, tmp_path: Path) -> None:
    with pytest.raises(LinkworkError, match="carries a thread"):
        recognise(of_solids(tmp_path, {"base": f"{around} thread(2) cylinder(d=8, h=20);"}))
