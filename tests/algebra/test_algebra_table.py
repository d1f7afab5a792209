"""Tables: order, names, values, storage."""

from __future__ import annotations

from typing import Any, Final

import pytest
from algebra_oracle import ROUNDING_OF_DOUBLES, ROUNDING_OF_ORACLE, Near, NoValue, by_graph, near
from hypothesis import assume, given

from linkwork.algebra import (
    Definition,
    Table,
    evaluate,
    free_symbols,
    number,
    operation_count,
    parse,
    sqrt,
    symbol,
    symbols,
)
from linkwork.errors import (
    CyclicDefinition,
    NotSolvable,
    UnknownName,
    UsageError,
)
from strategies import IMPLICIT, NAMES, points, tables

x, y, z = symbols("x y z")


def names_of(table: Table) -> list[str]:
    """The names of a table's lines, in their order."""
    return [line.name for line in table]


# ---------------------------------------------------------------------------------------------- order


def test_lines_are_sorted_but_otherwise_stay_where_they_are() -> None:
    """Each line comes after those it needs; lines that are free to stay keep their place."""
    table = Table.of({"d": "c + x", "a": "x", "c": "b*a", "b": "y"})
    assert names_of(table) == ["a", "b", "c", "d"]
    assert names_of(Table.of({"c": "x", "a": "x", "b": "y"})) == ["c", "a", "b"]
    assert table.mentions() == {"a": ("x",), "b": ("y",), "c": ("a", "b"), "d": ("c", "x")}


@given(tables())
def test_every_line_needs_only_earlier_ones(table: Table) -> None:
    """Whatever order the lines are given in, each one mentions inputs and earlier lines only."""
    shuffled = Table.of(reversed(table.definitions), inputs=NAMES)
    known = set(NAMES)
    for line in shuffled:
        assert {leaf.name for leaf in line.mentions} <= known
        known.add(line.name)
    assert sorted(names_of(shuffled)) == sorted(names_of(table))


@pytest.mark.parametrize(
    ("lines", "circle"),
    [
        ({"a": "b", "b": "a"}, "a → b → a"),
        ({"a": "x", "b": "a + d", "c": "b", "d": "c*y"}, "b → d → c → b"),
        ({"a": "b", "b": "c", "c": "d", "d": "b + x"}, "b → c → d → b"),
        ({"a": "x + b", "b": "c", "c": "c1 + c2", "c1": "x", "c2": "b"}, "b → c → c2 → b"),
    ],
)
def test_a_circle_is_named(lines: dict[str, str], circle: str) -> None:
    """Definitions that need each other in a circle are an error that shows the circle."""
    with pytest.raises(CyclicDefinition) as caught:
        Table.of(lines)
    assert caught.value.got == circle


def test_a_long_circle_is_shown_in_part() -> None:
    """A circle of a thousand lines is an error of one line."""
    count = 1000
    lines = {f"u{place}": f"u{(place + 1) % count}" for place in range(count)}
    with pytest.raises(CyclicDefinition) as caught:
        Table.of(lines)
    assert caught.value.got.startswith("u0 → u1 →")
    assert "…" in caught.value.got
    assert len(caught.value.got) < 200


# ---------------------------------------------------------------------------------------------- names


def test_inputs_are_what_nothing_defines() -> None:
    """Inputs are found and sorted; given ones keep their order, may be unused, and must suffice."""
    assert Table.of({"a": "y*x"}).inputs == ("x", "y")
    assert Table.of({"a": "y*x"}, inputs=["y", "x", "w"]).inputs == ("y", "x", "w")
    assert Table.of({"a": "2"}).inputs == ()
    assert Table.of({"a": "y*x"}).input_symbols == (x, y)
    with pytest.raises(UnknownName, match="'y' is neither an input nor defined") as caught:
        Table.of({"a": "y*x", "b": "y"}, inputs=["x"])
    assert "a, b" in caught.value.got


def test_outputs_are_lines_or_inputs() -> None:
    """Every line is an output unless some are chosen; an unknown one is an error with a suggestion."""
    assert Table.of({"a": "x", "b": "a"}).outputs == ("a", "b")
    assert Table.of({"a": "x", "b": "a"}, outputs=["b", "x"]).outputs == ("b", "x")
    with pytest.raises(UnknownName, match="does not define 'speeed'") as caught:
        Table.of({"speed": "x"}, outputs=["speeed"])
    assert caught.value.fix == "did you mean speed?"


def test_lines_are_found_by_name() -> None:
    """A table is a mapping in reading order."""
    table = Table.of({"a": "x", "b": "a^2"})
    assert table["b"].explicit is symbol("a") ** 2
    assert "a" in table
    assert "x" not in table
    assert len(table) == 2
    assert str(table) == "a = x\nb = a^2"
    assert repr(table) == "Table of 2 definitions: x → a, b"
    with pytest.raises(UnknownName, match="does not define 'c'"):
        table["c"]


# ------------------------------------------------------------------------------------------- definitions


def test_definitions_from_text_numbers_and_expressions() -> None:
    """A definition has an explicit form, an implicit one, or both."""
    assert Definition.of("r", 2.5).explicit is number(2.5)
    assert Definition.of("r", x * y).explicit is x * y
    assert Definition.of("r", "x*y").equation == (symbol("r"), x * y)
    both = Definition.of("r", explicit="-sqrt(x)", implicit="r^2 = x")
    assert both.value is -sqrt(x)
    assert both.equation == (symbol("r") ** 2, x)
    assert str(both) == "r^2 = x"
    assert both.mentions == (x,)
    with pytest.raises(UsageError, match="'r' is defined by nothing"):
        Definition.of("r")
    with pytest.raises(NotSolvable, match="does not mention it"):
        Definition.of("r", implicit="x = y")


SOLVED: Final = [
    ("r^2 = x^2 + y^2", "sqrt(x^2 + y^2)"),
    ("x^2 + y^2 = r^2", "sqrt(x^2 + y^2)"),
    ("2*r = x", "x/2"),
    ("r*y + x = r", "x/(1 - y)"),
    ("r/y = x", "x*y"),
    ("y/r = x", "y/x"),
    ("x - r = y", "x - y"),
    ("sin(r) = x", "asin(x)"),
    ("cos(2*r) = x", "acos(x)/2"),
    ("tan(r) + 1 = x", "atan(x - 1)"),
    ("exp(-r) = x", "-log(x)"),
    ("log(r/x) = y", "x*exp(y)"),
    ("sqrt(r - x) = y", "y^2 + x"),
    ("2^r = x", "log(x)/log(2)"),
    ("r^(2/3) = x", "x^(3/2)"),
    ("(r + x)^4 = y", "y^(1/4) - x"),
    ("r^x = y", "y^(1/x)"),
]


@pytest.mark.parametrize(("implicit", "wanted"), SOLVED)
def test_implicit_forms_are_solved(implicit: str, wanted: str) -> None:
    """An implicit form from which the name can be isolated has an explicit one."""
    assert Definition.of("r", implicit=implicit).explicit is parse(wanted)


def test_odd_roots_keep_their_sign() -> None:
    """r³ = x has its one real root on both sides of zero."""
    root = Definition.of("r", implicit="r^3 = x").value
    assert evaluate([root], {"x": -8})[0] == pytest.approx(-2, rel=1e-15)
    assert evaluate([root], {"x": 27})[0] == pytest.approx(3, rel=1e-15)


@pytest.mark.parametrize("implicit", ["r + sin(r) = x", "r^2 + r = x", "abs(r) = x", "min(r, x) = y"])
def test_what_cannot_be_isolated_is_said(implicit: str) -> None:
    """Where the name cannot be isolated there is no explicit form, and asking for it is an error."""
    line = Definition.of("r", implicit=implicit)
    assert line.explicit is None
    assert x in line.mentions
    assert symbol("r") not in line.mentions
    with pytest.raises(NotSolvable, match="'r' cannot be isolated"):
        assert Table.of([line])["r"].value


@pytest.mark.parametrize("implicit", ["r + sign(r) = x", "r = x + (r > 0)", "r + select(r < 1, 1, 2) = x"])
def test_steps_are_not_linear(implicit: str) -> None:
    """An equation whose slope is constant but which jumps is not solved as if it were linear."""
    line = Definition.of("r", implicit=implicit)
    if line.explicit is not None:
        values = {"x": 3.0, "r": evaluate([line.explicit], {"x": 3.0})[0]}
        left, right = evaluate(line.implicit or (), values)
        assert left == right


@pytest.mark.parametrize("line", IMPLICIT)
def test_solutions_satisfy_their_equations(line: Any) -> None:
    """Putting the explicit form into the implicit one makes both sides equal."""
    definition = line("u", x, y)
    values = {"x": 0.75, "y": 1.25}
    values["u"] = evaluate([definition.value], values)[0]
    left, right = evaluate(definition.implicit, values)
    assert left == pytest.approx(right, rel=1e-14)


# ---------------------------------------------------------------------------------------------- values


@given(tables(kinks=True), points())
def test_expanded_lines_have_the_values_of_the_table(table: Table, values: dict[str, float]) -> None:
    """expanded() mentions inputs only and has the value that evaluate() finds line by line."""
    expanded = table.expanded()
    assert {leaf.name for leaf in free_symbols(*expanded)} <= set(NAMES)
    try:
        known = line_by_line(table, values, ROUNDING_OF_ORACLE)
        bounds = line_by_line(table, values, ROUNDING_OF_DOUBLES)
        found = by_graph(expanded, known)
    except NoValue:
        assume(False)
    assert all(known[line.name].agrees_with(each) for line, each in zip(table, found, strict=True))
    in_doubles = table.evaluate(values)
    assert list(in_doubles) == names_of(table)
    assert all(bounds[name].agrees_with(Near(value, 0)) for name, value in in_doubles.items())


def line_by_line(table: Table, values: dict[str, float], rounding: float) -> dict[str, Near]:
    """The values of a table's lines, and of its inputs."""
    known = near(values)
    for line in table:
        known[line.name] = by_graph([line.value], known, rounding)[0]
    return known


def test_expanding_keeps_sharing() -> None:
    """u ← u² + u, thirty times over: expanded, it has two operations a line, not 2^30."""
    lines = {"u0": "x"} | {f"u{place}": f"u{place - 1}^2 + u{place - 1}" for place in range(1, 31)}
    table = Table.of(lines, outputs=["u30"])
    assert operation_count(table.expanded()) == table.operations == 60


def test_every_input_needs_a_value() -> None:
    """Evaluating without a value for an input names it; other values are ignored."""
    table = Table.of({"a": "x*y"})
    assert table.evaluate({"x": 2, "y": 3, "other": 5, "a": 99}) == {"a": 6.0}
    with pytest.raises(UnknownName, match="y has no value"):
        table.evaluate({"x": 2})
    with pytest.raises(UnknownName, match="x, y have no value"):
        table.evaluate({})


def test_tables_are_values() -> None:
    """Equal tables are equal, hash alike, and differ by lines, inputs and outputs."""
    table = Table.of({"a": "x + 1", "b": "a^2"})
    same = Table.of({"b": "a*a", "a": "1 + x"}, outputs=["a", "b"])
    assert table == same
    assert hash(table) == hash(same)
    assert table != Table.of({"a": "x + 1", "b": "a^2"}, outputs=["b"])
    assert table != Table.of({"a": "x + 1", "b": "a^3"})
    assert len({table, same}) == 1
    with pytest.raises(AttributeError):
        table.inputs = ()  # type: ignore[misc]


def test_latex_of_a_table() -> None:
    """A table is an aligned block with one equation a line."""
    table = Table.of([Definition.of("theta", "x"), Definition.of("r", implicit="r^2 = theta^2 + 1")])
    assert table.latex() == "\\begin{aligned}\n\\theta &= x \\\\\nr^{2} &= \\theta^{2} + 1\n\\end{aligned}"
