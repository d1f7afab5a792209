"""What ``clash`` prints: degrees of angles alone, and no zero with a sign."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_runner import Here

PARTS = """linkwork = 1
[part.rail]
solid = "cube([40, 4, 4]); translate([18, -5, 0]) cube([4, 14, 20]);"
fixed = true
[part.sledge]
solid = "translate([5, -3, -3]) difference() { cube([8, 10, 10]); translate([-1, 3, 3]) cube([10, 4, 4]); }"
"""
VANE = """linkwork = 1
[part.base]
solid = "cube([60, 60, 2], center=true); cylinder(d=4, h=12); translate([-20, 0, 0]) cylinder(d=6, h=12);"
fixed = true
[part.vane]
solid = '''translate([0, 0, 3]) difference() {
  union() { cylinder(d=10, h=4); cube([25, 4, 4]); }
  translate([0, 0, -1]) cylinder(d=4, h=9);
}'''
"""


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(capsys, monkeypatch)


def test_lengths_have_no_degrees_and_zero_has_no_sign(here: Here, tmp_path: Path) -> None:
    (tmp_path / "slider.toml").write_text(PARTS, "utf-8")
    answer = here("clash", str(tmp_path / "slider.toml"), "--steps", "12")
    assert answer.code == 0
    assert "\nsledge_slide from 0 to -8\n" in answer.out
    assert re.search(r"^rail and sledge collide from sledge_slide = [\d.]+ to ", answer.out, re.M)


def test_a_drive_of_any_name_that_shifts_has_no_degrees(here: Here, tmp_path: Path) -> None:
    (tmp_path / "slider.toml").write_text(PARTS, "utf-8")
    found = tmp_path / "found.toml"
    assert here("recognise", str(tmp_path / "slider.toml"), "-o", str(found)).code == 0
    drive = '[drive.push]\njoint = "sledge_slide"\nrange = [0, 10]\n'
    found.write_text(found.read_text("utf-8") + drive, "utf-8")
    answer = here("clash", str(found), "--steps", "12")
    assert re.search(r"^ground and sledge collide from push = [\d.]+ to ", answer.out, re.M), answer


def test_angles_are_told_in_degrees_too(here: Here, tmp_path: Path) -> None:
    (tmp_path / "vane.toml").write_text(VANE, "utf-8")
    answer = here("clash", str(tmp_path / "vane.toml"), "--steps", "36")
    assert answer.code == 0
    assert re.search(r"^base and vane collide from vane_axis = [\d.]+ \([\d.]+ deg\) to ", answer.out, re.M)


STILL = """linkwork = 1
[part.base]
fixed = true
solid = "cube([20, 20, 5]);"
[part.block]
{held} = true
solid = "translate([5, 5, 5]) cube([5, 5, 5]);"
"""


def test_a_way_too_long_to_be_looked_at_is_refused(here: Here, tmp_path: Path) -> None:
    """The vane strikes the post in its first turn: with few positions a turn it did not."""
    (tmp_path / "vane.toml").write_text(VANE + '[drive.d]\nof = "vane.angle"\nrange = [0, 1e300]\n', "utf-8")
    answer = here("clash", str(tmp_path / "vane.toml"))
    assert answer.code == 3
    assert "vane.toml:12: the way of the drive d is too long to be looked at" in answer.err
    assert "wanted: at most 2083 turns of each part" in answer.err
    assert "fix:    range = [0, 1.309e+04]" in answer.err


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("fixed", "nothing moves, so nothing collides"),
        ("free", "no joint moves, so nothing collides on the way"),
    ],
)
def test_where_nothing_moves_that_is_the_answer(held: str, told: str, here: Here, tmp_path: Path) -> None:
    (tmp_path / "still.toml").write_text(STILL.format(held=held), "utf-8")
    answer = here("clash", str(tmp_path / "still.toml"))
    assert answer.code == 0
    assert told in answer.out
    assert here("clash", str(tmp_path / "still.toml"), "--json").json()["ways"] == []


def test_simulate_warns_that_contacts_are_left_out(here: Here) -> None:
    """At most three pairs are named; --quiet says nothing."""
    warned = here("simulate", "engine", "--until", "0.01", "--rate", "crankshaft.angle=1")
    assert (
        "warning: contacts are not computed, though these may touch: frame and rod, frame and piston, "
        in warned.err
    )
    assert warned.err.count(" and 1 more\n") == 1
    assert "contacts" not in here("show", "engine").err
    assert "contacts" not in here("simulate", "engine", "--until", "0.01", "-q").err
    quiet = here("simulate", "engine", "--until", "0.01", "-q", "--json")
    assert quiet.err == ""
    assert quiet.json()["warnings"][0].startswith("contacts are not computed")


@pytest.mark.parametrize("name", ["ratchet-cw", "engine"])
def test_a_found_file_collides_as_its_machine_does(name: str, here: Here, tmp_path: Path) -> None:
    """Its joints tell the same motions; only the frame is called the ground there."""
    file = tmp_path / "found.toml"
    assert here("recognise", name, "-o", str(file), "--quiet").code == 0
    own, found = (here("clash", each, "--steps", "40") for each in (name, str(file)))
    assert found.code == 0
    assert found.out == own.out.replace("frame", "ground")
