"""Machines of many islands: their motions as one are the motions of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact import ContactIslands, events, touching
from linkwork.model.read import machine_from_text
from linkwork.recognition import recognise

PENDULUM = '''
[part.bob_{0}]
solid = """
translate([{1}, 0, 0]) difference() {{
  translate([-0.5, -4, 0]) cube([1, 4.5, 1]);
  cylinder(d=0.4, h=9, center=true);
}}
"""
density = 1
'''
FRAME = "translate([{}, 0, -1]) cylinder(d=0.4, h=3); translate([{}, -4, 0]) cube([1, 1, 1]);"


def pendulums(count: int, first: int = 0) -> ContactIslands:
    """So many pendulums in a row, each with a stop that it strikes."""
    places = [20 * (first + place) for place in range(count)]
    frame = " ".join(FRAME.format(x, x + 0.6) for x in places)
    text = "linkwork = 1\ngravity = [0, -10]\n[part.frame]\nfixed = true\nsolid = '''" + frame + "'''\n"
    text += "".join(PENDULUM.format(first + place, x) for place, x in enumerate(places))
    return ContactIslands(recognise(machine_from_text(text, "row.toml", "row")))


def test_three_islands_together_are_each_alone() -> None:
    """Columns, events, forces and energies of islands are those of each by itself; energies and efforts add up."""
    rates = {f"bob_{place}.angle": 1.0 + 0.5 * place for place in range(3)}
    how = {"step": 0.01, "laws": lw.contact.Laws(lw.contact.Law(restitution=0.5))}
    whole = pendulums(3).simulate(8.0, rates={name: -rate for name, rate in rates.items()}, **how)
    alone = [
        pendulums(1, place).simulate(8.0, rates={f"bob_{place}.angle": -rates[f"bob_{place}.angle"]}, **how)
        for place in range(3)
    ]
    assert len(whole.events) == sum(len(each.events) for each in alone) > 3
    assert [event["t"] for event in whole.events] == sorted(event["t"] for event in whole.events)
    for place, each in enumerate(alone):
        name = f"bob_{place}.angle"
        assert whole.columns[name] == pytest.approx(each.columns[name], abs=1e-7)
        own = [event for event in whole.events if f"bob_{place}" in event["parts"]]
        assert [event["kind"] for event in own] == [event["kind"] for event in each.events]
    for name in ("kinetic", "energy"):
        assert whole.columns[name] == pytest.approx(
            np.sum([each.columns[name] for each in alone], axis=0), abs=1e-6
        )
    for row in range(len(whole)):
        told = sorted(part for contact in whole.contacts(row) for part in contact["parts"])
        assert told == sorted(
            part for each in alone for contact in each.contacts(row) for part in contact["parts"]
        )


def test_events_are_put_into_words_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulation and the number of its events need no words; those up to a row are the first of all."""
    worded: list[Any] = []
    in_words = events._in_words

    def noted(*told: Any) -> Any:
        worded.append(told)
        return in_words(*told)

    monkeypatch.setattr(events, "_in_words", noted)
    laws = lw.contact.Laws(lw.contact.Law(restitution=0.5))
    rates = {"bob_0.angle": -1.0, "bob_1.angle": -1.5}
    whole = pendulums(2).simulate(8.0, rates=rates, step=0.01, laws=laws)
    assert len(whole.events) > 2
    assert not worded
    middle = whole.events[len(whole.events) // 2]["t"]
    cut = whole.first_rows(100, middle).events
    assert 0 < len(cut) < len(whole.events)
    assert [*cut] == [event for event in whole.events if event["t"] < middle]
    assert whole.events[0] is whole.events[0]
    assert len(worded) == 4


def test_starts_of_many_islands_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each island keeps its own: a hundred that begin again where they did are not looked at again."""
    looked: list[Any] = []
    monkeypatch.setattr(touching, "_check_apart", lambda *given: looked.append(given))
    one = pendulums(1).simulators[0].touching
    every = [replace(one) for _ in range(100)]
    for _ in range(3):
        for each in every:
            each.check_apart({"bob_0.x": 0.0, "bob_0.y": 0.0, "bob_0.angle": 0.0})
    assert len(looked) == 100
