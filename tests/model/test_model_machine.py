"""Machines as values: parameters that follow each other, tables, and what cannot be a machine."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from fractions import Fraction

import pytest

from linkwork.algebra import Definition, number, parse
from linkwork.errors import (
    BadName,
    CyclicDefinition,
    ExpressionError,
    LinkworkError,
    NameTaken,
    UnknownName,
    UsageError,
)
from linkwork.model import Machine, Ordered

RING = Machine.of("ring", {"r": 3, "R": "r + w", "w": 0.1}, {"area": "pi*(R^2 - r^2)"}, units={"r": "mm"})


def test_parameters_stay_exact() -> None:
    """A decimal is kept as it was written, not as the nearest double."""
    assert RING.parameters["w"] is number(Fraction(1, 10))
    assert RING.parameters["R"] is parse("r + w")


def test_parameters_follow_those_they_depend_on() -> None:
    assert RING.values() == {"r": 3.0, "R": 3.1, "w": 0.1}
    assert RING.values({"r": 10}) == {"r": 10.0, "R": 10.1, "w": 0.1}
    assert RING.values({"R": "2*r"})["R"] == 6.0
    assert RING.values({"r": "30 deg"})["r"] == pytest.approx(math.pi / 6)


def test_overriding_leaves_the_machine_alone() -> None:
    changed = RING.with_parameters({"w": 1})
    assert changed.values()["R"] == 4.0
    assert RING.values()["R"] == 3.1
    assert changed != RING


def test_the_table_has_the_parameters_it_needs_as_inputs_in_their_order() -> None:
    table = RING.table()
    assert table.inputs == ("r", "R")
    assert table.outputs == ("area",)
    assert table.evaluate(RING.values())["area"] == pytest.approx(math.pi * (3.1**2 - 9))


def test_a_parameter_can_be_an_output() -> None:
    machine = Machine.of("m", {"a": 1, "b": 2}, {"c": "2*a"}, outputs=["c", "b"])
    assert machine.table().inputs == ("a", "b")


def test_definitions_may_stand_in_any_order() -> None:
    machine = Machine.of("m", {"a": 2}, {"c": "2*b", "b": "a^2"})
    assert [line.name for line in machine.table()] == ["b", "c"]
    assert [line.name for line in machine.definitions] == ["c", "b"]


def test_a_machine_is_a_value() -> None:
    """Equal ones are equal after a pickle, hash alike, and the order of the parameters counts."""
    assert pickle.loads(pickle.dumps(RING)) == RING
    assert hash(pickle.loads(pickle.dumps(RING))) == hash(RING)
    assert Machine.of("m", {"a": 1, "b": 2}) != Machine.of("m", {"b": 2, "a": 1})
    assert repr(RING) == "Machine ring: r, R, w → area"
    with pytest.raises(AttributeError):
        RING.name = "other"  # type: ignore[misc]


def test_an_ordered_mapping_compares_with_a_dict() -> None:
    assert Ordered({"a": 1}) == {"a": 1}
    assert Ordered([("a", 1)]) != {"a": 2}
    assert repr(Ordered({"a": 1})) == "Ordered({'a': 1})"


def test_plain_data() -> None:
    data = RING.to_json()
    assert data["parameters"] == {"r": "3", "R": "r + w", "w": "0.1"}
    assert data["units"] == {"r": "mm"}


MISUSES: dict[str, tuple[Callable[[], object], type[LinkworkError], str]] = {
    "unknown name in a parameter": (lambda: Machine.of("m", {"a": "b"}), UnknownName, "b"),
    "circle of parameters": (lambda: Machine.of("m", {"a": "b", "b": "a"}), CyclicDefinition, "a → b → a"),
    "parameter by itself": (lambda: Machine.of("m", {"a": "a + 1"}), CyclicDefinition, "itself"),
    "infinite parameter": (lambda: Machine.of("m", {"a": math.inf}), ExpressionError, "finite"),
    "parameter without a value": (lambda: Machine.of("m", {"a": "log(0)"}), ExpressionError, "-inf"),
    "bad name": (lambda: Machine.of("m", {"a b": 1}), BadName, "not a name"),
    "function's name": (lambda: Machine.of("m", {"sin": 1}), BadName, "function"),
    "unknown name in a definition": (lambda: Machine.of("m", {"a": 1}, {"x": "b"}), UnknownName, "x"),
    "definition by itself": (lambda: Machine.of("m", {}, {"x": "x + 1"}), CyclicDefinition, "itself"),
    "circle of definitions": (lambda: Machine.of("m", {}, {"x": "y", "y": "x"}), CyclicDefinition, "x → y"),
    "parameter and definition": (lambda: Machine.of("m", {"a": 1}, {"a": 2}), NameTaken, "both"),
    "defined twice": (
        lambda: Machine.of("m", {}, [Definition.of("x", 1), Definition.of("x", 2)]),
        NameTaken,
        "twice",
    ),
    "unknown output": (lambda: Machine.of("m", {"a": 1}, outputs=["q"]), UnknownName, "output"),
    "output twice": (lambda: Machine.of("m", {"a": 1}, outputs=["a", "a"]), NameTaken, "twice"),
    "unit of nothing": (lambda: Machine.of("m", units={"a": "mm"}), UnknownName, "unit"),
    "no name": (lambda: Machine.of(""), UsageError, "empty"),
    "lone surrogate": (lambda: Machine.of("m", title="\ud800"), UsageError, "characters"),
    "forms that disagree": (
        lambda: Machine.of("m", {"a": 4}, [Definition.of("r", "-a/2", "r = sqrt(a)")]),
        ExpressionError,
        "disagree",
    ),
    "unknown override": (lambda: RING.values({"W": 1}), UnknownName, "did you mean w"),
    "cyclic override": (lambda: RING.values({"r": "R"}), CyclicDefinition, "circle"),
    "override by itself": (lambda: RING.values({"r": "r + 1"}), CyclicDefinition, "itself"),
    "infinite override": (lambda: RING.values({"r": math.nan}), ExpressionError, "finite"),
    "override beyond doubles": (
        lambda: Machine.of("m", {"a": 1, "b": "1/a"}).values({"a": 0}),
        ExpressionError,
        "inf",
    ),
}


@pytest.mark.parametrize("case", MISUSES)
def test_misuse_raises_one_of_our_errors(case: str) -> None:
    build, kind, words = MISUSES[case]
    with pytest.raises(LinkworkError) as caught:
        build()
    assert isinstance(caught.value, kind)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("explicit", "implicit"),
    [
        ("sqrt(x^2 + y^2)", "r^2 - x^2 - y^2 = 0"),
        ("x*cos(90 deg)", "r/x = cos(pi/2)"),
        ("-sqrt(x^2 + y^2)", "r^2 = x^2 + y^2"),
        ("sqrt(x - 100)", "r^2 = x - 100"),
        ("0*x", "r*r = 0"),
        ("1e9*x", "r = x*1e9"),
        ("x - x*cos(0)", "r + x = x*cos(0)"),
    ],
)
def test_forms_that_agree_are_accepted(explicit: str, implicit: str) -> None:
    """Rounding, roots of the other sign, and places without a value are no disagreement."""
    machine = Machine.of("m", {"x": 3, "y": 4}, [Definition.of("r", explicit, implicit)])
    assert machine.definitions[0].implicit is not None
