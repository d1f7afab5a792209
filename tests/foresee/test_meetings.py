"""Parts that meet now and then: what a late meeting does, when each is, and what is told of the machine beside it."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from clock_variants import chiming_clock, example
from linkwork.foresee import Forecast
from linkwork.view.forecast import later_times

SPRING = 'friction = 3\nspring = { rest = "20 deg", stiffness = 20 }'
"""Of the clapper of the chiming clock."""
CHIME = ("bigwheel", "clapper")


def loaded(folder: Path, text: str) -> lw.Machine:
    path = folder / "machine.toml"
    path.write_text(text, "utf-8")
    return lw.load(str(path))


def with_clapper(stiffness: float, friction: float = 3) -> str:
    text = example("chiming-clock")
    assert text.count(SPRING) == 1
    return text.replace(
        SPRING, f'friction = {friction}\nspring = {{ rest = "20 deg", stiffness = {stiffness} }}'
    )


def with_gears(small: float, large: float) -> str:
    text = example("chiming-clock")
    for old, new in ((3, small), (12, large)):
        assert text.count(f"translate([0, 0, 1]) cylinder(d={old}, h=1)") == 1
        text = text.replace(
            f"translate([0, 0, 1]) cylinder(d={old}, h=1)", f"translate([0, 0, 1]) cylinder(d={new}, h=1)"
        )
    return text


def simulated(machine: lw.Machine, until: float) -> lw.ContactSolution:
    found = lw.simulate(machine, until=until, step=0.02, contact="rigid")
    assert isinstance(found, lw.ContactSolution)
    return found


def strokes(run: lw.ContactSolution) -> list[float]:
    """When the clapper begins to be lifted."""
    times = [each["t"] for each in run.events if {*each["parts"]} == {*CHIME} and each["kind"] != "end"]
    return [b for a, b in pairwise([-math.inf, *times]) if b - a > 50]


def last_turn(run: lw.ContactSolution) -> float:
    """When the wheel is last away from where it stays, by a thousandth of a turn."""
    wheel = run.columns["ewheel.angle"]
    return float(run.times[np.flatnonzero(np.abs(wheel - wheel[-1]) > 2e-3 * math.pi)[-1]])


def assert_state(forecast: Forecast, run: lw.ContactSolution, time: float) -> None:
    """What is told of a time is so at one that differs by no more than what is told, to a hundredth of the swing."""
    found = forecast.at(time)
    near = np.abs(run.times - time) <= found.time_error + 0.021
    for name in ("ewheel.angle", "bwheel.angle"):
        values, slack = run.columns[name][near], 0.01 * float(np.ptp(run.columns["bwheel.angle"]))
        assert values.min() - slack <= found[name] <= values.max() + slack, f"{name} at t = {time}"


@pytest.mark.parametrize("stiffness", [4000, 6000])
def test_a_clapper_that_is_too_stiff_stops_the_clock(stiffness: float, tmp_path: Path) -> None:
    """The first meetings do no harm; one that the weaker mainspring cannot pass ends it, as in a full simulation."""
    machine = loaded(tmp_path, with_clapper(stiffness))
    forecast, run = lw.predict(machine), simulated(machine, 1900)
    (pattern,), (ending,) = forecast.patterns, forecast.endings
    assert pattern.ends_because == "bigwheel meets clapper"
    assert pattern.valid_until == pytest.approx(strokes(run)[-1], abs=0.1)
    assert ending.last_moves["ewheel"] == pytest.approx(last_turn(run), abs=0.1)
    assert "bigwheel and clapper" in ending.why
    assert "jammed" in ending.why
    assert "ewheel" in ending.why.partition("while")[2]
    assert forecast.simulated_time < ending.t * 0.75


def test_what_holds_a_wheel_is_told_and_not_a_spring_that_still_pulls(tmp_path: Path) -> None:
    """The wheel stands 770° before its mainspring would be relaxed, for the clapper is not lifted."""
    machine = loaded(tmp_path, with_clapper(2000, 3000))
    (ending,) = lw.predict(machine).endings
    assert math.degrees(ending.places["ewheel.angle"]) == pytest.approx(-9228.5, abs=2)
    assert ending.why.startswith("jammed, bigwheel and clapper hold each other")
    assert "relaxed" not in ending.why


@pytest.mark.parametrize(("small", "large"), [(4, 11), pytest.param(2.6, 12.4, marks=pytest.mark.slow)])
def test_states_near_meetings_whose_period_is_not_whole(small: float, large: float, tmp_path: Path) -> None:
    """Before, in and behind meetings the state is that of a full simulation, at the time that is asked for."""
    machine = loaded(tmp_path, with_gears(small, large))
    forecast, run = lw.predict(machine), simulated(machine, 2000)
    for begun in strokes(run):
        for later in (-12.0, -5.0, 3.0, 9.0, 16.0, 27.0):
            assert_state(forecast, run, begun + later)


def test_a_state_is_found_where_numbers_of_repetitions_are_no_whole_ones(tmp_path: Path) -> None:
    """Rounding must not lead back to where the search for a restart came from."""
    forecast = lw.predict(loaded(tmp_path, with_gears(2.6, 12.4)))
    assert forecast.at(1565)["ewheel.angle"] < forecast.at(1550)["ewheel.angle"]


def test_late_meetings_delay_as_they_are_told_to(tmp_path: Path) -> None:
    """Each stroke is when a full simulation says, though each delays the clock by more than the one before."""
    machine = loaded(tmp_path, with_clapper(2000, 3000))
    forecast = lw.predict(machine)
    (chime,) = forecast.superimposed
    told = sorted([*chime.times, *later_times(forecast, chime)])
    own = strokes(simulated(machine, forecast.patterns[0].valid_until))
    assert told == pytest.approx(own[: len(told)], abs=0.1)
    assert "delays the pattern by up to" in chime.effect


def test_the_first_meeting_is_told_although_a_pattern_is_not_sure_yet(tmp_path: Path) -> None:
    """With a tooth missing it takes three turns of the wheel to be sure; the clapper is struck before."""
    text = example("chiming-clock").replace("for (k = [0:9])", "for (k = [0, 1, 2, 3, 4, 5, 6, 7, 8])")
    machine = loaded(tmp_path, text)
    forecast = lw.predict(machine, 900)
    (chime,) = forecast.superimposed
    assert chime.first == pytest.approx(strokes(simulated(machine, 900))[0], abs=0.05)


def test_two_strokes_do_not_make_the_end_unsure(tmp_path: Path) -> None:
    """What a clapper does that rests otherwise is no error of the pattern: its end is that of a full simulation."""
    text = with_gears(2.6, 12.4).replace("-10000 deg", "-4000 deg", 1)
    machine = loaded(tmp_path, text)
    (ending,) = lw.predict(machine).endings
    assert ending.kind == "rest"
    assert ending.last_moves["ewheel"] == pytest.approx(last_turn(simulated(machine, 1000)), rel=5e-3)


def test_swings_are_those_of_the_time_that_is_told(tmp_path: Path) -> None:
    """Not of the first repetition, nor of any but the one that ends at that time."""
    machine = lw.load("escapement")
    (pattern,) = lw.predict(machine, 400).patterns
    run = lw.simulate(machine, until=60, step=0.01, contact="rigid")
    end, swing = pattern.confirmed_at, pattern.swings["bwheel.angle"]
    own = run["bwheel.angle"][(run.times >= end - pattern.duration) & (run.times <= end)]
    assert swing.high - swing.low == pytest.approx(np.ptp(own), rel=1e-3)
    assert f"at t = {end:.6g}" in lw.predict(machine, 400).summary


def test_no_averages_where_a_force_depends_on_the_time(tmp_path: Path) -> None:
    """However little it does, and whatever its period is: repetitions later are not those now."""
    long = example("escapement").replace(
        'rest = "-10000 deg", stiffness = 20', 'rest = "-1000000 deg", stiffness = 0.2'
    )
    torque = '\n[force.breeze]\ntype = "torque"\non = "ewheel"\ntorque = "1e-6*sin(2*pi*t)"\n'
    steady, breezy = lw.predict(loaded(tmp_path, long)), lw.predict(loaded(tmp_path, long + torque))
    assert any(each.is_average for each in steady.patterns)
    assert not any(each.is_average for each in breezy.patterns)


def test_rest_is_told_when_it_begins(tmp_path: Path) -> None:
    """With a hairspring that holds the balance still, the wheel falls on the lever and stays, in a few hundredths."""
    machine = loaded(tmp_path, example("escapement").replace('rest = "90 deg"', 'rest = "0 deg"'))
    (ending,), run = lw.predict(machine).endings, simulated(machine, 5)
    assert ending.kind == "rest"
    assert ending.t == pytest.approx(max(each["t"] for each in run.events), abs=ending.time_error)
    assert ending.time_error < 0.01


def test_a_clapper_is_set_going_where_it_lies() -> None:
    """It trembles on its chime by 1e-8; a polynomial through that would set it going inside, and no leap would land."""
    forecast = lw.predict(lw.load("hour-and-day-clock"))
    (stage,) = forecast.foreseen[0].stages
    variables = forecast.foreseen[0].course.variables
    clappers = [1 + place for place, name in enumerate(variables) if "clapper.angle" in name]
    for before, after in pairwise(stage.envelope.nodes):
        if before.is_disturbed or after.is_disturbed:
            continue
        between = stage.envelope.place((before.number + after.number) / 2)
        assert between[clappers] == pytest.approx(before.place[clappers], abs=1e-12)
    assert forecast.simulated_time < 0.19 * forecast.reached


def test_strokes_are_apart_though_another_clapper_falls_meanwhile(tmp_path: Path) -> None:
    """One of the days takes two hundred to fall, longer than an hour: each hour is struck, and told."""
    machine = loaded(tmp_path, chiming_clock(1007))
    forecast = lw.predict(machine)
    pattern, run = forecast.patterns[0], simulated(machine, 1670)
    hours = next(each for each in forecast.superimposed if "hour_clapper" in each.parts)
    met = [each["t"] for each in run.events if {*each["parts"]} == {*hours.parts} and each["kind"] != "end"]
    own = [b for a, b in pairwise([-math.inf, *met]) if b - a > 50 and b < pattern.valid_until - 1]
    assert hours.repetitions == 4
    assert [*hours.times] == pytest.approx(own, abs=0.1)


def test_a_pattern_that_ends_before_a_meeting_ends_there(tmp_path: Path) -> None:
    """The mainspring is relaxed shortly before a stroke: the pattern does not last until all is at rest."""
    forecast = lw.predict(loaded(tmp_path, chiming_clock(1004)))
    (pattern,), (ending,) = forecast.patterns, forecast.endings
    assert pattern.valid_until < ending.t - 30
    assert pattern.last_duration > 8
    low, high = (getattr(pattern.swings["bwheel.angle"], name) for name in ("last_low", "last_high"))
    assert math.degrees(high - low) == pytest.approx(31.5, abs=1)
