"""What a spring drives changes smoothly in the logarithm of what is left of it, and leaps by that are right."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from clock_variants import example, like
from linkwork.foresee.envelope import Envelope, Node, Window
from linkwork.foresee.following import Following
from linkwork.foresee.slow_axis import SlowAxis

SPENT = 1000.0


def duration(number: float) -> float:
    """Longer by a step with each halving of what is left."""
    return 7.0 - 0.3 * math.log(SPENT - number)


def passed(number: float) -> float:
    """The time after so many repetitions, from the first on."""
    left = SPENT - number
    return 7.0 * number - 0.3 * (SPENT * (math.log(SPENT) - 1) - left * (math.log(left) - 1))


def envelope_of(axis: SlowAxis) -> Envelope:
    every = (0.0, 100.0, 200.0, 300.0)
    ranges = np.zeros(1), np.ones(1)
    nodes = [
        Node(number, np.array([passed(number), 0.0]), np.array([duration(number - 0.5), 0.0]), *ranges)
        for number in every
    ]
    return Envelope(nodes, axis=axis)


def test_a_time_is_foretold_where_little_is_left() -> None:
    """Far ahead of the nodes, where a polynomial in the number of repetitions is off by thousands of times as much."""
    exact = passed(990.0)
    by_logarithm, by_number = (envelope_of(axis).foretold(990.0)[0] for axis in (SlowAxis(SPENT), SlowAxis()))
    assert by_logarithm == pytest.approx(exact, abs=0.02)
    assert abs(by_number - exact) > 2.0


@pytest.mark.parametrize("spent", [SPENT, math.inf])
def test_near_a_number_the_axis_is_that_of_repetitions(spent: float) -> None:
    axis = SlowAxis(spent)
    assert axis.along(10.0, 10.5) == pytest.approx(0.5, rel=1e-3)
    assert axis.stretch(10.0, 10.0) == 1
    ahead = (axis.along(10.0, 400.0 + 1e-3) - axis.along(10.0, 400.0 - 1e-3)) / 2e-3
    assert ahead == pytest.approx(axis.stretch(10.0, 400.0), rel=1e-6)


def test_what_is_led_is_not_lost_by_a_leap_that_was_foretold_badly(tmp_path: Path) -> None:
    """Near its end a clock is foretold less well; that its balance comes back is still so, and nothing is walked."""
    draw, path = random.Random("acc 6"), tmp_path / "clock.toml"
    path.write_text(like(example("escapement"), draw, 0.75, 1.3), "utf-8")
    forecast = lw.predict(lw.load(str(path)))
    assert forecast.endings[0].kind == "rest"
    assert forecast.simulated_time * 5 < forecast.reached


def test_a_landing_between_two_numbers_may_be_before_what_is_superimposed_or_behind_it() -> None:
    """The nearest free one to where it is wanted; none where there is none."""
    following = lw.predict(lw.load("chiming-clock"), 60.0).foreseen[0].stages[0].following
    assert isinstance(following, Following)
    following.envelope.windows[:] = [Window(100.0, 30.0, 1000.0)]
    before, behind = (
        following._landing_between(50.0, 110.0, 200.0),
        following._landing_between(50.0, 128.0, 200.0),
    )
    assert before is not None
    assert behind is not None
    assert before < 100 < 130 <= behind
    assert following._landing_between(105.0, 110.0, 120.0) is None


@pytest.mark.parametrize(("machine", "variable", "is_led"), [("clock", 2, True), ("pendulum", 0, False)])
def test_what_comes_back_within_a_repetition_is_seen_to(
    machine: str, variable: int, is_led: bool, tmp_path: Path
) -> None:
    """The balance of a clock, which its spring drives, does; a pendulum that loses a share of each swing does not."""
    path, text = tmp_path / "machine.toml", example("escapement")
    if machine == "pendulum":
        text = example("damped-pendulum").replace("friction = 8", "friction = 1")
    path.write_text(text, "utf-8")
    stage = lw.predict(lw.load(str(path))).foreseen[0].stages[0]
    following, node = stage.following, stage.envelope.nodes[1]
    assert isinstance(following, Following)
    following.envelope.nodes[2:] = []
    places = following.repeat(node.place, 1, node.slope, node.spread).places
    asked = np.arange(len(node.spread)) == variable
    assert following.course.variables[variable] in ("bwheel.angle", "pendulum.angle")
    assert bool(following._come_back(places, node.slope, node.spread, asked)[variable]) == is_led
