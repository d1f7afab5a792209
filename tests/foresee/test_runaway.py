"""Motions that run away are told as such, with the part and the time; those that only stop are not."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import linkwork as lw

BLOCKS = """
linkwork = 1
dimension = 3
[frame.a]
mass = 1
varies = ["tx"]
at = [1, 0, 0]
[frame.b]
mass = 1
varies = ["tx"]
at = [1, 0, 0]
[energy.spring]
value = "b.tx^2/2"
[force.drive]
type = "force"
at = "a"
force = ["{force}", 0, 0]
"""


def foreseen(folder: Path, force: str, push: float = 0.0) -> lw.Forecast:
    path = folder / "machine.toml"
    path.write_text(BLOCKS.format(force=force) + f'[initial.push]\nholds = "a.tx_rate == {push}"\n', "utf-8")
    return lw.predict(lw.load(str(path)))


def test_what_explodes_is_told_with_its_part_and_its_time(tmp_path: Path) -> None:
    """v' = v² from v = 1 on becomes infinite at t = 1; the block beside it swings on."""
    (ending,) = foreseen(tmp_path, "a.tx_rate^2", 1.0).endings
    assert ending.kind == "unknown"
    assert ending.why == "a.tx runs away, faster and faster without bound, at t = 1"


def test_what_grows_exponentially_outgrows_numbers(tmp_path: Path) -> None:
    """exp(t)/2 is more than any double at ln(2) + 709.8."""
    (ending,) = foreseen(tmp_path, "a.tx").endings
    assert ending.why.startswith("a.tx runs away, faster than numbers can tell, at t = 7")


def test_swings_that_grow_without_bound_are_told_to(tmp_path: Path) -> None:
    """x'' = -x + x'/20: the energy grows by exp(T/20) in half a period of the swing, T = π/sqrt(1 - 1/1600)."""
    text = BLOCKS.partition("[frame.b]")[0] + BLOCKS[BLOCKS.index("[force.drive]") :]
    path = tmp_path / "machine.toml"
    path.write_text(text.format(force="-a.tx + 0.05*a.tx_rate"), "utf-8")
    (ending,) = lw.predict(lw.load(str(path))).endings
    told = float(ending.why.rpartition("by a factor of ")[2].partition(" ")[0])
    assert told == pytest.approx(math.exp(0.05 * math.pi / math.sqrt(1 - 1 / 1600)), rel=1e-4)


def test_what_stops_the_simulation_otherwise_keeps_its_words(tmp_path: Path) -> None:
    """A force that does not exist beyond a place: nothing runs away there."""
    (ending,) = foreseen(tmp_path, "-sqrt(a.tx)").endings
    assert "runs away" not in ending.why


def test_what_cannot_begin_is_unknown_from_the_start(tmp_path: Path) -> None:
    """More places touch than rigid contacts can tell apart: that is told, with no fault of the program's own."""
    blocks = "".join(
        f'[part.b{place}]\nfree = true\nsolid = "translate([0, {place}, 0]) cube(1);"\ndensity = 1\n'
        for place in range(60)
    )
    table = '[part.table]\nfixed = true\nsolid = "translate([-5, -1, 0]) cube([10, 1, 1]);"\n'
    file = tmp_path / "tower.toml"
    file.write_text(f"linkwork = 1\ngravity = [0, -10]\n{table}{blocks}", "utf-8")
    forecast = lw.predict(lw.load(str(file)), 10.0)
    (ending,) = forecast.endings
    assert (ending.kind, ending.t) == ("unknown", 0)
    assert "more places touch" in ending.why
    assert forecast.to_json()["endings"][0]["kind"] == "unknown"


def test_what_is_pressed_together_is_at_rest_from_the_start(tmp_path: Path) -> None:
    """A block that a spring presses into a corner aslant trembles by rounding alone."""
    file = tmp_path / "pressed.toml"
    file.write_text(PRESSED, "utf-8")
    (ending,) = lw.predict(lw.load(str(file))).endings
    assert (ending.kind, ending.t) == ("rest", 0)


PRESSED = """linkwork = 1
gravity = [1.7, -9.81]
[part.room]
fixed = true
solid = "translate([-1, -1, 0]) difference() { cube([9, 9, 1]); translate([1, 1, -1]) cube([7, 7, 3]); }"
[part.block]
free = true
density = 1.3
solid = "translate([5, 0, 0]) cube([2, 1, 1]);"
"""
