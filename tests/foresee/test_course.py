"""Laws of a motion that foresight leads on piece by piece."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.foresee.course import Course


def course_of(name: str) -> Course:
    (island,) = lw.predict(lw.load(name), 1e-3).foreseen
    return island.course


@pytest.mark.parametrize("name", ["escapement", "ratchet-ccw", "pendulum"])
def test_a_motion_led_on_in_pieces_is_that_in_one(name: str) -> None:
    course = course_of(name)
    times = np.linspace(0.0, 12.0, 97)
    whole = course.run(0.0, course.start, times)
    lead = course.set_going(0.0, course.start)
    pieces = [lead(piece) for piece in np.split(times, [5, 6, 40, 90])]
    assert np.concatenate([each.times for each in pieces]).tolist() == times.tolist()
    states = np.concatenate([each.states for each in pieces])
    assert states == pytest.approx(whole.states, abs=1e-5 * np.max(np.ptp(whole.states, axis=0)))
    happened = [event for each in pieces for event in each.events[:, 1].tolist()]
    assert happened == whole.events[:, 1].tolist(), "nothing is told anew where a piece begins"


def test_what_is_jammed_stays_so_however_often_it_is_led_on() -> None:
    """A simulation that is set going anew while a pawl holds a wheel may lose its hold."""
    course = course_of("ratchet-cw")
    lead = course.set_going(0.0, course.start)
    rows = [lead(piece) for piece in np.split(np.linspace(0.0, 1024.0, 1280), 40)]
    wheel = course.variables.index("wheel.angle")
    assert np.degrees(rows[-1].states[-1][wheel]) == pytest.approx(-26.336, abs=0.01)


def test_time_is_counted_once() -> None:
    course = course_of("pendulum")
    before = course.simulated
    lead = course.set_going(2.0, course.start)
    lead(np.array([2.0, 3.0]))
    lead(np.array([3.5, 5.0]))
    assert course.simulated - before == pytest.approx(3.0)
