"""Drives with a range: what is simulated ends with it, and whole turns go on."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import linkwork as lw
from linkwork import Machine
from linkwork.cli.run import run
from linkwork.model.read import machine_from_text
from linkwork.simulation.ranges import range_ends

LIFT = """
linkwork = 1
[parameter]
high = 0.5
speed = 0.25
[part.table]
mass = 1
[part.bob]
points = { A = [0, 1] }
mass = 1
inertia = 0.1
[joint.A]
type = "revolute"
between = ["table", "bob.A"]
[joint.guide]
type = "prismatic"
between = ["ground", "table"]
[drive.lift]
joint = "guide"
range = [0, "high"]
rate = "speed"
TIME
"""


def lift(time: str = "") -> Machine:
    """A table that is shifted by half a metre within two seconds, and what hangs from it."""
    return machine_from_text(LIFT.replace("TIME", time), "lift.toml", "lift")


def test_a_simulation_ends_with_the_range_of_its_drive() -> None:
    """Without a time as `move` does, behind the end with the reason, before it as asked for."""
    whole = lw.simulate(lift())
    assert (whole.status, whole.times[-1]) == ("complete", pytest.approx(2))
    assert whole["table.x"].max() == pytest.approx(lw.move(lift())["table.x"].max())
    assert lw.simulate(lift(), 1.5).times[-1] == 1.5
    for found in (lw.simulate(lift(), 7), lw.simulate(lift("[time]\nuntil = 7"))):
        assert found.times[-1] == pytest.approx(2)
        assert found["table.x"].max() <= 0.5 + 1e-9
        assert (found.status, found.why) == ("stopped", "the drive lift is at the end of its range at t = 2")
        assert found.accurate


def test_the_end_of_a_range_follows_its_parameters() -> None:
    assert lw.simulate(lift(), 7, parameters={"speed": 0.5}).times[-1] == pytest.approx(1)


def test_whole_turns_of_an_angle_go_on() -> None:
    assert range_ends(lw.load("jansen-walker")) == {}
    found = lw.simulate(lw.load("slider-crank"), 0.05)
    assert (found.status, found.times[-1]) == ("complete", 0.05)
    assert {*range_ends(lw.load("scissor"))} == {"lift"}


def test_positions_that_are_not_found_are_no_complete_simulation() -> None:
    """Behind its dead point the linkage does not go together: the rows before it are all numbers, and the last ones."""
    text = (
        files("linkwork.examples").joinpath("peaucellier.toml").read_text("utf-8").replace('"80 deg"]', "3]")
    )
    found = lw.simulate(machine_from_text(text, "wide.toml", "wide"))
    assert found.status == "stopped"
    assert "no position satisfies the constraints at t = " in found.why
    assert 3.0 < found.times[-1] < 3.2
    assert all(np.isfinite(column).all() for column in found.columns.values())


def test_programs_that_go_on_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["synthesise", "peaucellier", "--target", "javascript"]) == 0
    words = "the drive turn is at the end of its range at t = 2.79253: the program goes on behind it"
    assert words in capsys.readouterr().out
    assert run(["synthesise", "four-bar", "--target", "javascript"]) == 0
    assert "range" not in capsys.readouterr().out
