"""What a run with contacts tells besides its rows: spans, groups, losses, events; laws between them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import pairwise
from threading import Event

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact import ContactSolution, Law, Laws
from linkwork.contact.event_log import EventLog
from linkwork.contact.events import ToldEvents
from linkwork.contact.islands import ContactIslands
from linkwork.contact.losses import sliding_power
from linkwork.contact.spans import Span, held_spans, together
from linkwork.errors import LinkworkError, UsageError
from linkwork.model.read import machine_from_text
from linkwork.recognition import recognise

BALL = """
linkwork = 1
gravity = [0, -10]
[part.floor]
fixed = true
solid = "translate([-5, -1, 0]) cube([10, 1, 1]);"
[part.ball]
free = true
solid = "translate([0, 2, 0]) cylinder(r=0.5, h=1);"
mass = 3
inertia = 0.4
"""
CLOCKS = ("escapement", "double-escapement", "ratchet-ccw", "geneva-drive", "door-latch")


@cache
def run(name: str, until: float = 6.0, law: Law | None = None) -> ContactSolution:
    machine = machine_from_text(BALL, "ball.toml", "ball") if name == "ball" else lw.load(name)
    found = lw.simulate(machine, until, contact="rigid", laws=Laws(law) if law else None)
    assert isinstance(found, ContactSolution)
    return found


@pytest.mark.parametrize("name", CLOCKS)
def test_spans_of_contacts_are_those_of_the_rows(name: str) -> None:
    """In each row those parts touch whose spans hold the row's time."""
    solution = run(name)
    for row, time in enumerate(solution.times.tolist()):
        told = {tuple(each["parts"]) for each in solution.contacts(row)}
        inside = {pair for pair, spans in solution.held.items() for s in spans if s.begin < time < s.end}
        edges = {pair for pair, spans in solution.held.items() for s in spans if time in s}
        assert inside <= told <= inside | edges


@pytest.mark.parametrize("name", CLOCKS)
def test_groups_of_parts_follow_one_another_without_a_gap(name: str) -> None:
    """They fill the whole time, differ from their neighbours, and are those of the rows."""
    solution = run(name)
    every = solution.together
    assert (every[0].span.begin, every[-1].span.end) == solution.whole
    for one, other in pairwise(every):
        assert one.span.end == other.span.begin
        assert one.groups != other.groups
    for row, time in enumerate(solution.times.tolist()):
        now = [each.groups for each in every if each.span.begin <= time <= each.span.end]
        assert tuple(map(tuple, solution.subsystems(row))) in now


def test_parts_that_hang_together_over_others_are_one_group() -> None:
    held = {("a", "b"): [Span(0, 2)], ("b", "c"): [Span(1, 3)], ("c", "ground"): [Span(0, 4)]}
    found = together(held, ["a", "b", "c"], Span(0, 4))
    assert [(each.span, each.groups) for each in found] == [
        (Span(0, 1), (("a", "b"), ("c",))),
        (Span(1, 2), (("a", "b", "c"),)),
        (Span(2, 3), (("a",), ("b", "c"))),
        (Span(3, 4), (("a",), ("b",), ("c",))),
    ]


def test_a_contact_that_never_ends_lasts_until_the_end() -> None:
    begin = {"t": 1.0, "kind": "begin", "parts": ["a", "b"], "features": ["corner", "edge"]}
    assert held_spans([begin, {**begin, "t": 2.0}], 5.0) == {("a", "b"): [Span(1.0, 5.0)]}


def test_events_have_the_keys_of_the_interface() -> None:
    solution = run("escapement")
    for event in solution.to_json()["events"]:
        assert {"t", "kind", "parts", "features", "impulse"} <= {*event}
        assert (event["impulse"] > 0) == (event["kind"] in ("impact", "settle"))


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.8, 1.0])
def test_a_ball_loses_what_it_does_not_give_back(restitution: float) -> None:
    """An impact at speed v takes m·v²·(1 − e²)/2."""
    solution = run("ball", 1.5, Law(restitution=restitution))
    impacts = [event for event in solution.events if event["kind"] == "impact"]
    assert impacts
    for event in impacts:
        wanted = 3 * event["approach"] ** 2 * (1 - restitution**2) / 2
        assert event["lost"] == pytest.approx(wanted, abs=1e-9)
    assert impacts[0]["approach"] == pytest.approx(np.sqrt(2 * 10 * 1.5))


def by_rows(solution: ContactSolution) -> float:
    """What sliding takes, by friction times speed in the rows."""
    return float(np.trapezoid(sliding_power(solution), solution.times))


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_what_is_lost_without_dampers_is_lost_in_impacts_and_by_sliding(friction: float) -> None:
    """The block of the example has neither joints nor dampers."""
    solution = run("rocking-block", 2.0, Law(friction=friction, restitution=0.4))
    gone = solution.energy["total"][0] - solution.energy["total"][-1]
    lost = solution.lost
    assert sum(lost.values()) == pytest.approx(gone)
    assert lost["other"] == 0
    assert abs(by_rows(solution) - lost["sliding"]) < 1e-4 * gone
    assert all(event.get("lost", 0.0) > -1e-9 * gone for event in solution.events)


@pytest.mark.parametrize(("step", "error"), [(1e-3, 1e-2), (1e-4, 1e-3), (1e-5, 1e-4)])
def test_friction_takes_energy_from_what_slides(step: float, error: float) -> None:
    """The bird's sleeve slides down its pole; the balance is as good as rows are close."""
    solution = lw.simulate(lw.load("woodpecker"), 0.3, step=step, contact="rigid")
    assert isinstance(solution, ContactSolution)
    gone = solution.energy["total"][0] - solution.energy["total"][-1]
    assert solution.lost["sliding"] > 0.5 * gone
    assert abs(by_rows(solution) - solution.lost["sliding"]) < error * gone


def test_islands_are_told_together() -> None:
    """Two clocks that have nothing to do with each other are one machine, with the parts of both."""
    text = BALL.replace("translate([0, 2, 0])", "translate([-2, 2, 0])")
    text += """
[part.other]
free = true
solid = "translate([2, 3, 0]) cylinder(r=0.5, h=1);"
mass = 1
inertia = 1
"""
    machine = machine_from_text(text, "balls.toml", "balls")
    solution = lw.simulate(machine, 1.0, contact="rigid")
    assert isinstance(solution, ContactSolution)
    assert solution.machine.moving == ("ball", "other")
    assert solution.poses.shape == (len(solution), 2, 3)
    assert {each.parts for each in solution.touched} == {("ball", "ground"), ("other", "ground")}
    times = [event["t"] for event in solution.events]
    assert times == sorted(times)


def test_a_run_without_contacts_has_one_group_of_each_part() -> None:
    bare = replace(run("ball", 0.1), events=ToldEvents(()))
    assert [each.groups for each in bare.together] == [(("ball",),)]
    assert bare.touched == []


def test_a_part_without_a_mass_is_named_with_contacts_as_without() -> None:
    """The inputs through which contacts push parts do not hide what is wrong with the machine."""
    machine = machine_from_text(BALL.replace("mass = 3\ninertia = 0.4\n", ""), "ball.toml", "ball")
    with pytest.raises(LinkworkError, match="the part ball has no mass"):
        lw.simulate(machine, until=1, contact="rigid")


STACK = """
linkwork = 1
gravity = [0, -10]
[part.table]
fixed = true
solid = "translate([-5, -1, 0]) cube([10, 1, 1]);"
""" + "".join(
    f"""
[part.b{place}]
free = true
solid = "translate([0, {place}, 0]) cube(1);"
density = 1
"""
    for place in range(6)
)


def test_every_contact_of_a_stack_is_told() -> None:
    """Six blocks stand on one another: each carries those above it, and each row tells all of it."""
    solution = lw.simulate(machine_from_text(STACK, "stack.toml", "stack"), until=1, contact="rigid")
    assert solution.status == "complete"
    assert solution.columns["b0.on.ground"] == pytest.approx(60)
    for place in range(5):
        assert solution.columns[f"b{place}.on.b{place + 1}"] == pytest.approx(10 * (5 - place))


def test_time_does_not_run_backwards_through_impacts() -> None:
    with pytest.raises(UsageError, match="forwards in time"):
        lw.simulate(machine_from_text(BALL, "ball.toml", "ball"), until=-1, contact="rigid")


def test_bounces_that_are_too_many_are_given_up() -> None:
    """A ball between two walls, at enormous speed."""
    box = (
        BALL
        + """
[part.lid]
fixed = true
solid = "translate([-5, 4, 0]) cube([10, 1, 1]);"
[contact]
restitution = 1
"""
    )
    machine = machine_from_text(box, "box.toml", "box")
    solution = lw.simulate(machine, until=1, contact="rigid", rates={"ball.y": -1e9})
    assert solution.status == "stopped"
    assert "limit" in solution.why


def test_the_energy_of_elastic_contacts_counts_once() -> None:
    """The total is the column, however often it is asked for."""
    solution = lw.simulate(machine_from_text(BALL, "ball.toml", "ball"), until=2, contact="elastic")
    for _ in range(3):
        assert np.array_equal(solution.energy["total"], solution.columns["energy"])


def test_a_long_motion_ends_when_it_is_told_to() -> None:
    """Ctrl-C reaches the thread that waits: it tells the engine, which asks now and then, and nothing goes on."""
    stop = Event()
    (simulator,) = ContactIslands(recognise(lw.load("escapement"))).simulators
    with ThreadPoolExecutor() as pool:
        running = pool.submit(simulator.simulate_contacts, 1e9, model="rigid", step=1e7, stop=stop)
        stop.set()
        with pytest.raises(KeyboardInterrupt):
            running.result()


def test_what_elastic_contacts_do_is_told_however_far_apart_rows_are() -> None:
    """A ball that has bounced: its impulse turned its momentum, its loss is that of the run, and its force the peak."""
    machine = machine_from_text(BALL, "ball.toml", "ball")
    law = Laws(Law(stiffness=1e5, damping=300, pressing=0.1))
    for step in (0.4, 1e-3):
        found = lw.simulate(machine, 0.8, step=step, contact="elastic", laws=law)
        assert isinstance(found, ContactSolution)
        (ball,) = found.touched
        (end,) = [event for event in found.events if event["kind"] == "end"]
        assert ball.impacts == 0
        assert ball.lost == pytest.approx(found.columns["lost"][-1], rel=1e-6)
        assert ball.force == end["peak"] > 3 * 10
        assert ball.impulse == pytest.approx(3 * (found.columns["ball.vy"][-1] + 10 * 0.8), rel=1e-6)


def test_events_that_are_not_kept_are_told_of_as_those_that_are() -> None:
    """Of a log that keeps few events, what it forgot and what it kept make up what all of them tell."""
    rows = np.zeros((40, 12))
    rows[:, 0] = np.arange(40)
    rows[:, 1] = np.tile([0, 1, 2, 3, 5], 8)  # impact, begin, end, stick, settle
    rows[:, 2] = np.arange(40) % 3
    rows[:, 7:] = np.random.default_rng(3).uniform(1, 2, (40, 5))
    log = EventLog(8, 10)
    for place in range(0, 40, 5):
        log.add(rows[place : place + 5])
    kept, between = log.events()
    assert between is not None
    assert between.count == 40 - len(kept)
    forgotten = rows[10 : 10 + between.count]
    for pair, told in between.struck.items():
        own = forgotten[forgotten[:, 2] == pair]
        strikes, ends = own[np.isin(own[:, 1], (0, 5))], own[own[:, 1] == 2]
        others = own[np.isin(own[:, 1], (1, 3))]
        assert told.impacts == len(strikes)
        assert told.impulse == max([*strikes[:, 8], *ends[:, 8]])
        assert told.lost == pytest.approx(strikes[:, -1].sum() + ends[:, -1].sum())
        assert told.force == max([*ends[:, 9], *others[:, 8], 0.0])
