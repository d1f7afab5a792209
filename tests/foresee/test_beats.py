"""What a drive turns evenly among parts that touch is told by the phase of the drive, however often these bounce."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import linkwork as lw
from clock_variants import example
from linkwork.foresee.course import Strobe
from linkwork.foresee.symmetry import driven_alike
from other_machines import ratchet_on_a_motor

BOUNCING = "\n[contact]\nrestitution = 0.355\n"


def foreseen(folder: Path, text: str, horizon: float) -> lw.Forecast:
    path = folder / "machine.toml"
    path.write_text(text, "utf-8")
    return lw.predict(lw.load(str(path)), horizon)


def bouncing_ratchet(kept: str = "[0:7]") -> str:
    """A pawl with a stiff spring that hops ever less behind each tooth: so many minima as rows can tell."""
    text = ratchet_on_a_motor("ccw", 0.717).replace("stiffness = 4", "stiffness = 19").replace("[0:7]", kept)
    return (
        text.replace("friction = 2\n", "friction = 2.46\n").replace("inertia = 2\n", "inertia = 3.1\n")
        + BOUNCING
    )


def test_hops_that_become_ever_smaller_do_not_end_a_pattern(tmp_path: Path) -> None:
    """One pattern, of a tooth, until the horizon; it was told to end each few turns, where a hop more was seen."""
    forecast = foreseen(tmp_path, bouncing_ratchet(), 100.0)
    (pattern,) = forecast.patterns
    assert pattern.duration == pytest.approx(2 * math.pi / 0.717 / 8, rel=1e-9)
    assert pattern.ends_because == "the horizon"
    assert pattern.minima > 1


def test_a_wheel_that_lacks_a_tooth_must_turn_as_a_whole(tmp_path: Path) -> None:
    (pattern,) = foreseen(tmp_path, bouncing_ratchet("[0, 1, 2, 3, 4, 5, 6]"), 100.0).patterns
    assert pattern.duration == pytest.approx(2 * math.pi / 0.717, rel=1e-9)


def test_a_geneva_drive_repeats_itself_turn_by_turn(tmp_path: Path) -> None:
    """However its cross trembles in a dwell: it was told of turns that last 0.24 instead of 1.42."""
    text = (
        example("geneva-drive")
        .replace('rate = "2*pi"', "rate = 4.4287")
        .replace("friction = 50", "friction = 3")
    )
    (pattern,) = foreseen(tmp_path, text + BOUNCING, 40.0).patterns
    assert pattern.duration == pytest.approx(2 * math.pi / 4.4287, rel=1e-9)
    assert abs(pattern.change["cross.angle"]) == pytest.approx(math.pi / 2, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "parts"), [("geneva-drive", 1), ("cam-and-follower", 1), ("gears-in-contact", 1)]
)
def test_what_is_driven_is_alike_after_a_part_of_a_turn(name: str, parts: int) -> None:
    course = lw.predict(lw.load(name), 0.01).foreseen[0].course
    assert driven_alike(course) == parts


def test_marks_are_the_nearest_times() -> None:
    strobe = Strobe(0.5, 0.25)
    assert strobe.nearest(1.3) == pytest.approx(1.25)
    assert strobe.nearest(-0.1) == pytest.approx(0.0)


def test_what_is_irregular_until_the_horizon_is_not_known_until_there(tmp_path: Path) -> None:
    """A motion simulated ten times less closely parts from it: states behind that were told as if they were sure."""
    text = (
        ratchet_on_a_motor("ccw", 5.997)
        .replace("stiffness = 4", "stiffness = 1.44")
        .replace("friction = 2\n", "friction = 0.31\n")
    )
    forecast = foreseen(tmp_path, text.replace("inertia = 2\n", "inertia = 1.29\n"), 60.0)
    (ending,) = forecast.endings
    assert not forecast.patterns
    assert ending.kind == "unknown"
    assert 10 < ending.t < 50
