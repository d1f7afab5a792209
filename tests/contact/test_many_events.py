"""Motions with many events: bounces settle however long the run is, and what is not kept of the events is counted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from linkwork.contact import ContactSolution, Law, Laws, native, simulate
from linkwork.contact.event_log import EventLog
from linkwork.model.read import machine_from_text

HEIGHT, GRAVITY = 1.5, 10.0
BALL = machine_from_text(
    f"""
    linkwork = 1
    gravity = [0, -{GRAVITY}]
    [part.table]
    fixed = true
    solid = "translate([-50, -1, 0]) cube([100, 1, 1]);"
    [part.ball]
    free = true
    mass = 2
    solid = "translate([0, {HEIGHT + 0.5}, 0]) cylinder(r=0.5, h=1);"
    """,
    "ball.toml",
    "ball",
)


def bouncing(restitution: float, until: float, **how: Any) -> ContactSolution:
    found = simulate(BALL, until, contact="rigid", laws=Laws(Law(restitution=restitution)), **how)
    assert isinstance(found, ContactSolution)
    return found


@pytest.mark.parametrize("until", [10.0, 1e6, 1e10, 1e15])
def test_a_ball_settles_at_the_same_time_however_long_the_run_is(until: float) -> None:
    """Its bounces add up to sqrt(2 h/g) (1 + e)/(1 - e)."""
    found = bouncing(0.5, until, step=until / 4)
    assert found.status == "complete", found.why
    times = [event["t"] for event in found.events]
    fall = math.sqrt(2 * HEIGHT / GRAVITY)
    assert times[:10] == pytest.approx([fall * (1 + 2 * (1 - 0.5**k)) for k in range(10)], rel=1e-11)
    assert times[-1] == pytest.approx(3 * fall, abs=1e-5)
    assert found.columns["ball.y"][-1] == pytest.approx(-HEIGHT, abs=1e-9)


def test_bounces_that_become_shorter_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "SOME_EVENTS", 500)
    monkeypatch.setattr(native, "MOST_EVENTS", 20000)
    assert bouncing(0.99, 1e9, step=1e9).status == "complete"
    endless = bouncing(1.0, 1e9, step=1e9)
    assert endless.status == "stopped"
    assert "limit" in endless.why


def test_what_is_not_kept_of_the_events_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bouncing(0.999, 1000, step=100)
    monkeypatch.setattr(native, "KEPT", 500)
    found = bouncing(0.999, 1000, step=100)
    assert whole.unlisted is None
    assert found.unlisted is not None
    assert len(found.events) < 5000
    assert len(found.events) + found.unlisted.count == len(whole.events)
    assert found.events[:500] == whole.events[:500]
    assert found.events[-500:] == whole.events[-500:]
    assert found.lost == pytest.approx(whole.lost, rel=1e-9, abs=1e-9)
    (pair,), (wanted,) = found.touched, whole.touched
    assert (pair.impacts, pair.impulse) == (wanted.impacts, wanted.impulse)
    assert pair.lost == pytest.approx(wanted.lost)
    told = found.about()["unlisted"]
    assert told["count"] == found.unlisted.count
    assert found.events[499]["t"] <= told["from"] < told["until"] <= found.events[-500]["t"]


def test_events_that_come_ever_faster_have_an_end_and_steady_ones_have_none() -> None:
    for share, is_endless in ((0.999, False), (1.0, True)):
        log = EventLog(2, 100)
        times = np.cumsum(share ** np.arange(5000))
        for part in np.split(times, 50):
            log.add(np.column_stack([part, *[np.zeros(len(part))] * 3]))
        assert math.isinf(log.to_come()) == is_endless
        if not is_endless:
            assert 5000 < log.to_come() < 50000
