"""Structure is a value that keeps the user's names and order, and refuses what has no meaning."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from plan_cases import structures, untimed

from linkwork.errors import NameTaken, UnknownName, UsageError
from linkwork.planning import Structure, components


def test_order_is_the_users() -> None:
    """Equations and variables come out in the order in which they went in."""
    structure = Structure.of({"z": ["q", "p"], "a": ["p", "o"]})
    assert structure.equations == ("z", "a")
    assert structure.variables == ("q", "p", "o")
    assert structure.mentions == (("q", "p"), ("p", "o"))


def test_given_variables_set_the_order() -> None:
    """A given list of variables is kept as it is, also those that no equation mentions."""
    assert Structure.of({"e": ["b"]}, variables=["c", "b", "a"]).variables == ("c", "b", "a")


def test_pairs_and_mapping_agree() -> None:
    """Pairs say the same as a mapping, and any iterables do for lists."""
    assert Structure.of([("e", iter("ab")), ("f", ("b",))]) == Structure.of({"e": ["a", "b"], "f": ["b"]})


def test_repeated_mention_counts_once() -> None:
    """That a variable stands twice in one equation says nothing new."""
    assert Structure.of({"e": ["a", "b", "a"]}) == Structure.of({"e": ["a", "b"]})


def test_set_is_sorted() -> None:
    """A set has no order of its own that lasts from run to run, so its names are sorted."""
    assert Structure.of({"e": {"c", "a", "b"}}).variables == ("a", "b", "c")


@untimed
@given(structures())
def test_value(structure: Structure) -> None:
    """Equal content is equal, hashes equal and survives pickling, whatever was computed in between."""
    twin = Structure(structure.equations, structure.variables, structure.mentions)
    assert len(structure.rows) == len(structure.equations)
    assert structure == twin
    assert hash(structure) == hash(twin)
    assert pickle.loads(pickle.dumps(structure)) == twin


@untimed
@given(structures())
def test_rows_hold_the_mentions(structure: Structure) -> None:
    """Each row has the place of every variable that its equation mentions, in that order."""
    named = tuple(tuple(structure.variables[place] for place in row) for row in structure.rows)
    assert named == structure.mentions


@untimed
@given(structures())
def test_only_everything_is_the_same(structure: Structure) -> None:
    """Seen through all its equations and variables a structure is itself."""
    assert structure.only(structure.equations, structure.variables) == structure


def test_long_structure_prints_short() -> None:
    """A large structure prints its first equations and how many follow."""
    text = str(Structure.of({f"e{place}": ["x"] for place in range(1_030)}, ["x", "y"]))
    assert text.count("\n") < 30
    assert "… and 1,010 equations more" in text
    assert "mentioned nowhere: 'y'" in text


def test_empty_structure_prints() -> None:
    """A structure of nothing, and an equation of nothing, say so."""
    assert str(Structure.of({})) == "0 equations, 0 variables"
    assert "e: nothing" in str(Structure.of({"e": []}))


def test_duplicate_equation() -> None:
    """Two equations of one name are refused, and both places are told."""
    with pytest.raises(NameTaken, match="two equations") as caught:
        Structure.of([("e", ["a"]), ("f", ["a"]), ("e", ["b"])])
    assert caught.value.got == "'e' at places 1 and 3"


def test_duplicate_variable() -> None:
    """A variable declared twice is refused."""
    with pytest.raises(NameTaken, match="two variables"):
        Structure.of({"e": ["a"]}, variables=["a", "b", "a"])


def test_mention_of_a_stranger() -> None:
    """A mention of a variable that is not in the given list names the equation and the likeliest spelling."""
    with pytest.raises(UnknownName, match="'drive'") as caught:
        Structure.of({"drive": ["crnk"]}, variables=["crank", "rod"])
    assert caught.value.got == "crnk"
    assert caught.value.fix == "write 'crank'"


def test_stranger_unlike_any_name() -> None:
    """Where no declared name is near, the fix does not guess one."""
    with pytest.raises(UnknownName) as caught:
        Structure.of({"drive": ["x"]}, variables=[])
    assert caught.value.wanted == "nothing, as nothing is declared"
    assert "declare" in caught.value.fix


@pytest.mark.parametrize("ask", [lambda s: s.mentioned_in("nope"), lambda s: s.only(["nope"], ["a"])])
def test_unknown_equation(ask: Any) -> None:
    """A question about an equation that is not there is refused."""
    with pytest.raises(UnknownName, match="no such equation"):
        ask(Structure.of({"e": ["a"]}))


def test_unknown_variable() -> None:
    """A view through a variable that is not there is refused."""
    with pytest.raises(UnknownName, match="no such variable"):
        Structure.of({"e": ["a"]}).only(["e"], ["nope"])


MISUSES: list[Any] = [{"e": "ab"}, {"e": None}, {"e": [1]}, {1: ["a"]}, ["ab"], [("e",)], 7, "ab"]


@pytest.mark.parametrize("mentions", MISUSES, ids=repr)
def test_misuse(mentions: Any) -> None:
    """Text for a list, numbers for names, equations without variables: each is refused with a fix."""
    with pytest.raises(UsageError) as caught:
        Structure.of(mentions)
    assert caught.value.got
    assert caught.value.wanted
    assert caught.value.fix


def test_text_for_a_list_of_variables() -> None:
    """A text is not read letter by letter as a list of variables."""
    with pytest.raises(UsageError, match="the variables must be a list"):
        Structure.of({"e": ["a"]}, variables="ab")


def test_raw_constructor_checks_too() -> None:
    """What Structure.of cannot build cannot be built by hand either."""
    with pytest.raises(UsageError, match="its own list"):
        Structure(("e", "f"), ("a",), (("a",),))
    with pytest.raises(NameTaken, match="'e' lists a variable twice"):
        Structure(("e",), ("a",), (("a", "a"),))
    with pytest.raises(UnknownName):
        Structure(("e",), ("a",), (("b",),))


@untimed
@given(structures())
def test_components_part_the_whole(structure: Structure) -> None:
    """Every equation with its mentions and every variable is in exactly one component, order kept."""
    pieces = components(structure)
    row = {e: names for piece in pieces for e, names in zip(piece.equations, piece.mentions, strict=True)}
    assert row == dict(zip(structure.equations, structure.mentions, strict=True))
    variables = [name for piece in pieces for name in piece.variables]
    assert sorted(variables) == sorted(structure.variables)
    firsts = [structure.equations.index(piece.equations[0]) for piece in pieces if piece.equations]
    assert firsts == sorted(firsts)


@untimed
@given(structures())
def test_components_are_connected(structure: Structure) -> None:
    """From any member of a component every other can be reached through mentions."""
    for piece in components(structure):
        if not piece.equations:
            assert len(piece.variables) == 1
            continue
        reached_equations, reached_variables = {piece.equations[0]}, set(piece.mentions[0])
        for _ in piece.equations:
            for equation, names in zip(piece.equations, piece.mentions, strict=True):
                if reached_variables & set(names):
                    reached_equations.add(equation)
                    reached_variables |= set(names)
        assert reached_equations == set(piece.equations)
        assert reached_variables == set(piece.variables)


def test_components_of_loners() -> None:
    """An equation about nothing and a variable of no equation are components of one, the latter last."""
    pieces = components(Structure.of({"e": ["a"], "idle": []}, ["lonely", "a"]))
    assert [(piece.equations, piece.variables) for piece in pieces] == [
        (("e",), ("a",)),
        (("idle",), ()),
        ((), ("lonely",)),
    ]
    assert components(Structure.of({})) == ()


def _run(script: str, hash_seed: str = "0") -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_import_is_light() -> None:
    """Importing plan loads neither NumPy nor SciPy: they are loaded by the first question."""
    script = (
        "import sys, linkwork.planning\nprint(*(name for name in ('numpy', 'scipy') if name in sys.modules))"
    )
    assert _run(script).split() == []


def test_same_answer_in_every_process() -> None:
    """Answers do not depend on Python's per-process hashing of texts, even if mentions are sets."""
    script = (
        "from linkwork.planning import *\n"
        "rows = {f'e{k}': {f'v{k % 5}', f'v{k * k % 11}', f'v{k * 3 % 11}'} for k in range(11)}\n"
        "structure = Structure.of(rows)\n"
        "print(match(structure), parts(structure), components(structure), sep='\\n')"
    )
    assert _run(script, hash_seed="1") == _run(script, hash_seed="2")
