"""What is told of rest is true: its beginning, when each part last moves, what is still to go, states behind it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from clock_variants import example
from linkwork.contact.laws import Law, Laws
from linkwork.foresee.resting import NEAR_REST, tends_to

STEP = 0.01
BOUNCING = Laws(Law(restitution=0.4))
BALL = """
linkwork = 1
gravity = [0, -10]
[part.ground]
fixed = true
solid = "translate([-6, -2, -1]) cube([12, 2, 2]);"
[part.ball]
free = true
solid = "translate([0, 2, -1]) cylinder(r=1, h=2);"
density = 1
[contact]
restitution = {restitution}
"""


def jamming_clock() -> str:
    """The escapement with so strong a mainspring that it jams at once, after kicks that are shorter than rows."""
    return example("escapement").replace(
        'rest = "-10000 deg", stiffness = 20', 'rest = "-3000 deg", stiffness = 150'
    )


def creeping_clock() -> str:
    """The chiming clock without a tooth: at last its wheel creeps to where the mainspring is relaxed."""
    return example("chiming-clock").replace("for (k = [0:9])", "for (k = [0, 1, 2, 3, 4, 5, 7, 8, 9])")


def loaded(text: str, folder: Path) -> lw.Machine:
    path = folder / "clock.toml"
    path.write_text(text, "utf-8")
    return lw.load(str(path))


def near_of(name: str, column: np.ndarray) -> float:
    """What is near a place: a thousandth of a range, of what turns on and on of a turn."""
    is_angle = name.endswith(("angle", "turn"))
    return NEAR_REST * min(float(np.ptp(column)), 2 * math.pi if is_angle else math.inf)


def check_rest(forecast: lw.Forecast, run: lw.Solution) -> None:
    """Behind the beginning of rest nothing is away from its place, and just before it something is."""
    (ending,) = forecast.endings
    assert ending.kind == "rest"
    off = ending.time_error + 2 * float(run.times[1] - run.times[0])
    shares = []
    for name, place in ending.places.items():
        away = np.abs(run[name] - run[name][-1]) / max(near_of(name, run[name]), 1e-6)
        shares.append(away)
        assert np.max(away[run.times > ending.t + off]) <= 1, f"{name} moves on"
        assert abs(run[name][-1] - place) <= 0.3 * max(near_of(name, run[name]), 1e-6)
    before = (run.times > ending.t - 2 * off) & (run.times < ending.t)
    assert np.max([each[before] for each in shares]) > 0.9, "told too late"
    for name, left in ending.remaining.items():
        behind = np.abs(run[name] - ending.places[name])[run.times >= ending.t]
        assert np.max(behind) <= 1.05 * left + 1e-6, f"{name} goes farther than told"


@pytest.mark.parametrize(
    ("name", "until", "step"),
    [
        ("bowed-oscillator", 30000.0, 1.0),
        ("rotary-reciprocation", 1200.0, STEP),
        ("damped-pendulum", 400.0, STEP),
        ("big-tooth", 200.0, STEP),
    ],
)
def test_what_slows_down_is_at_rest_when_little_is_left_to_go(name: str, until: float, step: float) -> None:
    """Rest is told by the place to which a motion tends, not by where it had come when that was noticed."""
    machine = lw.load(name)
    contact = "rigid" if machine.is_unjoined else ""
    check_rest(lw.predict(machine), lw.simulate(machine, until=until, step=step, contact=contact))


def test_what_turns_back_is_not_at_rest() -> None:
    """However close rows are: a balance that bounces and stands for a moment in the middle of its swings moves on."""
    machine = lw.load("escapement")
    forecast = lw.predict(machine, laws=BOUNCING)
    check_rest(forecast, lw.simulate(machine, until=60, step=STEP, contact="rigid", laws=BOUNCING))


def test_kicks_between_rows_are_moves(tmp_path: Path) -> None:
    """A part that is struck and comes back before the next row was moved."""
    machine = loaded(jamming_clock(), tmp_path)
    forecast, run = lw.predict(machine), lw.simulate(machine, until=60, step=2e-3, contact="rigid")
    moves = forecast.endings[0].last_moves
    for part in ("ewheel", "lever", "bwheel"):
        angle = run[f"{part}.angle"]
        away = np.flatnonzero(np.abs(angle - angle[-1]) > near_of("angle", angle))
        assert moves[part] == pytest.approx(float(run.times[away[-1]]), abs=0.06)


def test_states_behind_the_beginning_of_rest_are_those_of_their_time(tmp_path: Path) -> None:
    """What still creeps is where it is then, not where it was when rest was noticed; gears move with their wheel."""
    machine = loaded(creeping_clock(), tmp_path)
    forecast = lw.predict(machine)
    (ending,) = forecast.endings
    assert {"ewheel.angle", "bigwheel.angle"} <= {*ending.remaining}
    assert ending.last_moves["bigwheel"] == pytest.approx(ending.last_moves["ewheel"], rel=0.03)
    run = lw.simulate(machine, until=ending.t + 60, step=STEP, contact="rigid")
    for time in (ending.t - 5, ending.t + 1, ending.t + 20, ending.t + 50):
        found = forecast.at(time)
        for name in ("ewheel.angle", "bwheel.angle"):
            rate = float(np.max(np.abs(run[name.replace("angle", "rate")][run.times > ending.t - 5])))
            allowed = 1e-6 + rate * found.time_error + found.errors.get(name, 0.0)
            assert found[name] == pytest.approx(np.interp(time, run.times, run[name]), abs=allowed)


def test_a_swing_that_dies_away_while_it_drifts_is_not_at_rest() -> None:
    """Ways that do not become shorter lead on, however short they are; those that do lead to a place ahead."""
    near, rows = np.array([1e-3]), np.arange(129.0)[:, None]
    assert tends_to(1e-6 * rows, near, 64) is None
    found = tends_to(1e-4 * np.exp(-rows / 40), near, 64)
    assert found is not None
    assert abs(found[0][0]) < 1e-7
    assert found[1][0] == pytest.approx(1e-4 * math.exp(-128 / 40), rel=1e-3)


@pytest.mark.parametrize("friction", [2, 8])
def test_an_irregular_motion_that_dies_away_comes_to_rest(friction: float, tmp_path: Path) -> None:
    """No 240 minima repeat others, but all it swings by falls: it is waited for, not told to be unknown."""
    text = example("irregular-pendulum").replace("density = 1\n", f"density = 1\nfriction = {friction}\n")
    machine = loaded(text, tmp_path)
    forecast = lw.predict(machine)
    (ending,) = forecast.endings
    run = lw.simulate(machine, until=1.2 * ending.t + 50, step=STEP, contact="rigid")
    assert ending.kind == "rest"
    for name, place in ending.places.items():
        assert np.max(np.abs(run[name] - place)[run.times > ending.t + ending.time_error]) < near_of(
            name, run[name]
        )


@pytest.mark.parametrize("restitution", [0.98, 0.99])
def test_a_ball_bounces_until_it_lies(restitution: float, tmp_path: Path) -> None:
    """From a height h it is over after sqrt(2h/g)·(1 + e)/(1 - e); it hops by less than h/1000 shortly before."""
    (ending,) = lw.predict(loaded(BALL.format(restitution=restitution), tmp_path)).endings
    over = math.sqrt(2 / 10) * (1 + restitution) / (1 - restitution)
    left = 2 * math.sqrt(2e-3 / 10) / (1 - restitution)
    assert ending.kind == "rest"
    assert ending.t == pytest.approx(over - left, abs=0.02 * over)


def test_a_swing_ends_where_a_blow_turns_it(tmp_path: Path) -> None:
    """From apex to apex a ball falls g·d²/8, d being 2/(1 + e) times as long: also where no row is at the blow."""
    (pattern,) = lw.predict(loaded(BALL.format(restitution=0.995), tmp_path)).patterns
    swing, lasted = pattern.swings["ball.y"], pattern.duration * 2 / 1.995
    assert swing.high - swing.low == pytest.approx(10 * lasted**2 / 8, rel=1e-3)
    assert swing.low == pytest.approx(-1, abs=1e-3)


def test_a_swing_that_dies_away_last_moves_when_it_is_last_away(tmp_path: Path) -> None:
    """As what comes to rest otherwise: when it was last farther from its place than a thousandth of its range."""
    machine = loaded(example("damped-pendulum").replace("friction = 8", "friction = 1"), tmp_path)
    forecast = lw.predict(machine)
    (ending,) = forecast.endings
    run = lw.simulate(machine, until=1.2 * ending.t, step=STEP, contact="rigid")
    assert forecast.patterns[-1].ends_because == "its swing has died away"
    angle = run["pendulum.angle"]
    away = np.flatnonzero(np.abs(angle - ending.places["pendulum.angle"]) > near_of("pendulum.angle", angle))
    assert abs(ending.last_moves["pendulum"] - float(run.times[away[-1]])) < ending.time_error


def test_what_stands_still_is_told_at_once(tmp_path: Path) -> None:
    """A ball that lies on the ground: nothing moves, and a look at a few hundred units of time tells it."""
    text = BALL.format(restitution=0).replace("translate([0, 2, -1])", "translate([0, 1, -1])")
    forecast = lw.predict(loaded(text, tmp_path))
    (ending,) = forecast.endings
    assert (ending.kind, ending.t, ending.why) == ("rest", 0.0, "nothing moves")
    assert forecast.simulated_time < 1000


def test_the_turn_of_what_has_a_place_too_is_named_beside_it() -> None:
    """A block that falls has three variables, and the words tell of each which it is."""
    said = lw.predict(lw.load("rocking-block")).summary
    assert "block.x and the turn of block last move at" in said
    assert "block.y last moves at" in said
