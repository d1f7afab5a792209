"""Forecasts of small machines whose motion is known in closed form: swings that die away, grow, turn or stay."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.errors import UsageError

BLOCK = 'linkwork = 1\ndimension = 3\n[frame.a]\nmass = 1\nvaries = ["tx"]\nat = [{at}, 0, 0]\n'
SPRING = '[energy.spring]\nvalue = "{stiffness}/2*a.tx^2"\n'
FORCE = '[force.drag]\ntype = "force"\nat = "a"\nforce = ["{force}", 0, 0]\n'
WHEEL = """
linkwork = 1
[part.frame]
fixed = true
solid = '''
label("plate") translate([-5, -5, -3]) cube([30, 10, 2]);
label("shaft") translate([0, 0, -1]) cylinder(d=2, h=4);
label("stop") translate([STOP, -1, -1]) cube([2, 2, 3]);
'''
[part.wheel]
solid = '''
difference() {
  union() { label("rim") cylinder(r=4, h=2); label("arm") rotate(180) translate([0, -0.5, 0]) cube([6, 1, 2]); }
  label("bore") translate([0, 0, -1]) cylinder(d=2, h=4);
}
'''
density = 1
[initial.push]
holds = "wheel.rate == 3"
[contact]
restitution = 1
"""


def foreseen(folder: Path, text: str, horizon: float | None = None) -> lw.Forecast:
    path = folder / "machine.toml"
    path.write_text(text, "utf-8")
    return lw.predict(lw.load(str(path)), horizon)


def swing(forecast: lw.Forecast, name: str) -> float:
    """How far a variable swings at last."""
    found = forecast.patterns[-1].swings[name]
    return found.last_high - found.last_low


@pytest.mark.parametrize("stiffness", [1e12, 1.0, 1e-12])
def test_a_spring_is_as_fast_as_it_is(stiffness: float, tmp_path: Path) -> None:
    """Period 2π·sqrt(m/k), however fast or slow: rows neither miss it nor wait for ever."""
    forecast = foreseen(tmp_path, BLOCK.format(at=1) + SPRING.format(stiffness=stiffness))
    assert forecast.patterns[0].duration == pytest.approx(2 * math.pi / math.sqrt(stiffness), rel=1e-6)
    assert forecast.endings[0].kind == "goes on"


def test_a_swing_dies_away(tmp_path: Path) -> None:
    """With x'' = -x - c·x' it falls as exp(-c·t/2): it is at rest when less than a thousandth of its way, 2, from 0."""
    forecast = foreseen(
        tmp_path, BLOCK.format(at=1) + SPRING.format(stiffness=1) + FORCE.format(force="-0.001*a.tx_rate")
    )
    (ending,) = forecast.endings
    own = 2 * math.log(1 / 2e-3) / 1e-3
    assert ending.kind == "rest"
    assert ending.t == pytest.approx(own, abs=2 * math.pi)
    assert abs(ending.t - own) < ending.time_error
    assert forecast.simulated_time < ending.t / 20
    assert abs(ending.places["a.tx"]) < 2e-3


def test_a_slow_stop_is_waited_for(tmp_path: Path) -> None:
    """With x'' = -x - 10·x' nothing swings; the slower of two exponentials has 1/1000 left at t = 68.5."""
    forecast = foreseen(
        tmp_path, BLOCK.format(at=1) + SPRING.format(stiffness=1) + FORCE.format(force="-10*a.tx_rate")
    )
    slow, fast = 5 - math.sqrt(24), 5 + math.sqrt(24)
    assert forecast.endings[0].kind == "rest"
    assert forecast.endings[0].t == pytest.approx(math.log(1000 * fast / (fast - slow)) / slow, rel=0.02)


def test_a_swing_grows_to_its_limit_and_goes_on(tmp_path: Path) -> None:
    """The oscillator of van der Pol with a small parameter swings between -2 and 2."""
    drive = FORCE.format(force="0.01*(1 - a.tx^2)*a.tx_rate")
    forecast = foreseen(tmp_path, BLOCK.format(at=0.1) + SPRING.format(stiffness=1) + drive)
    assert forecast.endings[0].kind == "goes on"
    assert swing(forecast, "a.tx") == pytest.approx(4, rel=2e-3)


def test_what_loses_nothing_swings_as_far_as_at_first(tmp_path: Path) -> None:
    """Two oscillators with no common period: as long as something is foretold, both swing by 2."""
    second = '[frame.b]\nmass = 1\nvaries = ["tx"]\nat = [1, 0, 0]\n[energy.other]\nvalue = "2.02*b.tx^2"\n'
    forecast = foreseen(tmp_path, BLOCK.format(at=1) + second + SPRING.format(stiffness=1))
    for name in ("a.tx", "b.tx"):
        assert swing(forecast, name) == pytest.approx(2, rel=0.02)


def test_the_plane_of_a_pendulum_turns_with_the_earth() -> None:
    """Foucault: as far as before, and in a plane that turns by 2π·sin(latitude) in a day."""
    forecast = lw.predict(lw.load("foucault-pendulum"), 20_000)
    (pattern,) = forecast.patterns
    x, y = swing(forecast, "wire.rx"), swing(forecast, "wire.ry")
    first = pattern.swings["wire.ry"]
    assert math.hypot(x, y) == pytest.approx(first.high - first.low, rel=0.01)
    turned = 2 * math.pi * 20_000 / 86164.0905 * math.sin(math.radians(48.846))
    assert math.atan2(x, y) == pytest.approx(turned, abs=0.02)


def test_what_turns_fast_is_seen(tmp_path: Path) -> None:
    """A crank that turns fifty times in a unit of time, and parts of a coupling whose kinetic energy is constant."""
    (pattern,) = lw.predict(lw.load("slider-crank")).patterns
    assert pattern.duration == pytest.approx(0.02, rel=1e-9)
    (pattern,) = lw.predict(lw.load("oldham")).patterns
    assert pattern.duration == pytest.approx(0.02, rel=1e-9)
    assert pattern.swings["cross.x"].high == pytest.approx(0.01, rel=1e-3)


def test_a_wheel_turns_evenly_among_others(tmp_path: Path) -> None:
    forecast = foreseen(tmp_path, WHEEL.replace("STOP", "20"))
    assert forecast.endings[0].kind == "goes on"
    assert "evenly" in forecast.summary
    assert forecast.at(1000)["wheel.angle"] == pytest.approx(3000, rel=1e-6)


def test_an_arm_between_two_sides_of_a_stop(tmp_path: Path) -> None:
    """It comes back as fast as it struck: a swing of w takes w/3, to and fro; the kinetic energy is constant.

    The edge of the arm, 0.5 beside its middle, strikes the corner of the stop at (5.5, 1).
    """
    forecast = foreseen(tmp_path, WHEEL.replace("STOP", "5.5"))
    (pattern,) = forecast.patterns
    swings = pattern.swings["wheel.angle"]
    assert pattern.duration == pytest.approx(2 * (swings.high - swings.low) / 3, rel=1e-3)
    half = math.atan2(1, 5.5) + math.asin(0.5 / math.hypot(5.5, 1))
    assert swings.high - swings.low == pytest.approx(math.tau - 2 * half, rel=1e-3)
    assert forecast.endings[0].kind == "goes on"


@pytest.mark.parametrize("time", [-5.0, math.inf, math.nan])
def test_a_time_that_is_none_is_refused_with_one_that_is(time: float) -> None:
    """Also where the motion is foreseen without an end."""
    with pytest.raises(UsageError) as told:
        lw.predict(lw.load("geneva-drive"), horizon=1e4).at(time)
    assert "inf" not in (told.value.fix or "")
