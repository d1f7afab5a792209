"""Misuse of tables raises errors of ours, whichever way a name is wrong."""

from __future__ import annotations

import pytest

from linkwork.algebra import Definition, Table, TableBuilder, along, table_jacobian, time_derivative
from linkwork.algebra.table_derivative import rate_name
from linkwork.errors import CyclicDefinition, LinkworkError, NameTaken, UnknownName, UsageError


def test_a_name_has_one_meaning() -> None:
    """A name defined twice, or given and defined, is an error."""
    with pytest.raises(NameTaken, match="'a' is defined twice"):
        Table.of([Definition.of("a", "x"), Definition.of("a", "y")])
    build = TableBuilder()
    build.define("a", "x")
    assert "a" in build
    with pytest.raises(NameTaken, match="'a' is defined twice"):
        build.define("a", "y")
    with pytest.raises(NameTaken, match="both an input and defined"):
        Table.of({"a": "x"}, inputs=["x", "a"])


@pytest.mark.parametrize("given", [{"inputs": ["x", "x"]}, {"outputs": ["u", "u"]}])
def test_names_given_twice(given: dict[str, list[str]]) -> None:
    """An input or an output that stands twice in its list is an error (a C function would not compile)."""
    with pytest.raises(LinkworkError):
        Table.of({"u": "x"}, **given)


def test_a_line_that_needs_itself() -> None:
    """x = x + 1 is the smallest circle."""
    with pytest.raises(CyclicDefinition):
        Table.of({"x": "x + 1"})


def test_only_inputs_can_be_differentiated_by() -> None:
    """Differentiating by a line, or by a name the table does not know, is an error that lists the inputs."""
    table = Table.of({"u": "x*y", "v": "u^2"})
    for name in ("u", "w"):
        with pytest.raises(UsageError, match=f"'{name}' is not an input") as caught:
            table_jacobian(table, ["v"], [name])
        assert "x, y" in caught.value.wanted
        with pytest.raises(UsageError, match=f"'{name}' is not an input"):
            along(table, {name: 1}, rate_name)
        with pytest.raises(UsageError, match=f"'{name}' is not an input"):
            time_derivative(table, [name])


def test_unknown_outputs_and_taken_names() -> None:
    """An output the table does not define, or a new line whose name is taken, is an error."""
    table = Table.of({"u": "x*y", "v": "sin(u)*u_2"})
    with pytest.raises(UnknownName, match="does not define 'w'"):
        table_jacobian(table, ["w"], ["x", "y"])
    with pytest.raises(NameTaken):
        along(table, {"x": 1}, lambda name: "v")


def test_new_names_do_not_capture_inputs() -> None:
    """A derivative's name that an input has already is an error, not a new meaning for that input."""
    with pytest.raises(NameTaken):
        table_jacobian(Table.of({"u": "x^2*u_by_x"}), ["u"], ["x"])


def test_unknown_outputs_in_the_forward_sweep() -> None:
    """An output that does not exist is an error in either sweep."""
    with pytest.raises(UnknownName):
        table_jacobian(Table.of({"u": "x", "v": "u^2"}), ["nothing", "u", "v"], ["x"])


def test_expanding_names() -> None:
    """expanded([]) is [], and expanding a name the table does not define is an error."""
    table = Table.of({"u": "x^2"})
    assert table.expanded([]) == []
    with pytest.raises(UnknownName):
        table.expanded(["nothing"])
