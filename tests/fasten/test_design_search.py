"""Searching for designs: goals are reached, a search goes on where it was, and says what it lacks."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from cases import tee_down
from exact import design_value

from linkwork.errors import LinkworkError
from linkwork.fasten import design_from_text, design_to_text, fasten, history, search
from linkwork.fasten.search import varied


def hooked(**goal: Any) -> dict[str, Any]:
    """The tee with the depth of its left hook and the stiffness of its right pawl to be varied."""
    return tee_down("1/10") | {
        "search": {
            "vary": {
                "depth": {"low": "-3/4", "high": "1/2", "moves": {"L.2": ["1", "0"]}},
                "stiffness": {"low": "1/10", "high": "3", "sets": "R.k"},
            },
            "goal": goal,
        }
    }


def test_a_goal_is_reached_and_the_best_comes_first(tmp_path: Path) -> None:
    plain = history(fasten(design_value(tee_down("1/10")))).peak
    goal = Fraction(plain).limit_denominator(1000) / 2
    found = search(design_value(hooked(insertion_most=str(goal), removable=True)), 24, processes=2)
    best = found.best[0]
    assert best.miss == 0
    assert best.insertion <= float(goal)
    assert [each.rank for each in found.best] == sorted(each.rank for each in found.best)
    again = fasten(varied(found.design, best.values))
    assert history(again).peak == pytest.approx(best.insertion, rel=1e-9)


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    design = design_value(hooked(insertion_most="1/20"))
    state = tmp_path / "tries.json"
    first = search(design, 6, state=state, processes=1)
    assert len(json.loads(state.read_text())["tries"]) == 6
    more = search(design, 10, state=state, processes=1)
    assert more.tries[:6] == first.tries
    other = design_value(hooked(insertion_most="1/30"))
    with pytest.raises(LinkworkError, match="not the state of a search of this design"):
        search(other, 10, state=state)


def test_a_search_survives_a_round_trip_through_its_file() -> None:
    design = design_value(hooked(retention_least="1/5", removable=False))
    assert design_from_text(design_to_text(design), "d.json", "random") == design


@pytest.mark.parametrize(
    ("dimension", "problem"),
    [
        ({"low": "1", "high": "0", "sets": "mu"}, "no range"),
        ({"low": "0", "high": "1"}, "either moves vertices or sets"),
        ({"low": "0", "high": "1", "sets": "L.mass"}, "no such number"),
        ({"low": "0", "high": "1", "moves": {"L.9": ["1", "0"]}}, "no such vertex"),
        ({"low": "0", "high": "1", "moves": {"L": ["1", "0"]}}, "names no vertex"),
    ],
)
def test_a_dimension_without_a_meaning_is_refused(dimension: dict[str, Any], problem: str) -> None:
    with pytest.raises(LinkworkError, match=problem):
        design_value(tee_down("0") | {"search": {"vary": {"d": dimension}}})


def test_a_vertex_that_is_none_is_told_with_those_that_are() -> None:
    """The range of the polygon's vertices, and a fix that can be pasted; so with a range the wrong way round."""
    moves = {"low": "0", "high": "1", "moves": {"L.9": ["1", "0"]}}
    with pytest.raises(LinkworkError) as caught:
        design_value(tee_down("0") | {"search": {"vary": {"d": moves}}})
    assert caught.value.wanted.startswith("L.0 to L.")
    assert caught.value.fix == '"moves": {"L.0": ["1", "0"]}'
    turned = {"low": "1", "high": "0", "sets": "mu"}
    with pytest.raises(LinkworkError) as caught:
        design_value(tee_down("0") | {"search": {"vary": {"d": turned}}})
    assert caught.value.fix == '"low": "0", "high": "1"'


def test_a_design_without_a_search_says_so() -> None:
    with pytest.raises(LinkworkError, match="nothing of a search"):
        search(design_value(tee_down("0")), 4)
