"""Recognition does as much for each part of a large machine as for each of a small one: it asks about what is near."""

from __future__ import annotations

import cProfile
import pstats

import linkwork as lw
from linkwork.model.solids import part_solids
from linkwork.recognition import recognise_solids
from linkwork.solid import Solid, Union


def row_of_clocks(count: int) -> dict[str, Solid]:
    """So many escapements side by side, their frames one part."""
    one = part_solids(lw.load("escapement"))
    moved = [
        {name: solid.moved((14.0 * place, 0, 0)) for name, solid in one.items()} for place in range(count)
    ]
    wheels = {
        f"{name}_{place}": solid
        for place, each in enumerate(moved)
        for name, solid in each.items()
        if name != "frame"
    }
    return {"frame": Union(tuple(each["frame"] for each in moved)), **wheels}


def calls_for_each_part(count: int) -> float:
    solids = row_of_clocks(count)
    watched = cProfile.Profile()
    found = watched.runcall(recognise_solids, solids, "frame")
    assert [pair.kind for pair in found.pairs] == ["revolute"] * (3 * count)
    return float(pstats.Stats(watched).total_calls) / len(solids)  # type: ignore[attr-defined]


def test_the_work_for_a_part_does_not_grow_with_the_machine() -> None:
    """Counted are calls of functions, which are the same on every machine; 40 clocks have 121 parts."""
    assert calls_for_each_part(40) < 1.25 * calls_for_each_part(5)
