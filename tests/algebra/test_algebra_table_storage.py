"""Tables as data: what is stored comes back equal, and nothing else is accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from linkwork.algebra import Definition, Table
from linkwork.errors import LinkworkError
from strategies import tables


@given(tables(kinks=True))
def test_json_gives_the_table_back(table: Table) -> None:
    """to_json is plain data that from_json, also after a trip through text, turns into an equal table."""
    assert Table.from_json(table.to_json()) == table
    assert Table.from_json(json.loads(json.dumps(table.to_json()))) == table


def test_the_file_format() -> None:
    """The format is documented: a version, names, and text that a person can read."""
    lines = [Definition.of("r", implicit="r^2 = x^2"), Definition.of("s", implicit="s + sin(s) = r")]
    assert Table.of(lines, outputs=["s"]).to_json() == {
        "linkwork": "table/1",
        "inputs": ["x"],
        "outputs": ["s"],
        "table": [
            {"name": "r", "explicit": "abs(x)", "implicit": "r^2 = x^2"},
            {"name": "s", "explicit": None, "implicit": "s + sin(s) = r", "start": "1"},
        ],
    }


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        None,
        "table",
        {"inputs": [], "outputs": []},
        {"inputs": [], "outputs": [], "table": None},
        {"inputs": [], "outputs": [], "table": ["a"]},
        {"inputs": [], "outputs": [], "table": [{}]},
        {"inputs": [], "outputs": [], "table": [{"name": "a"}]},
        {"inputs": [], "outputs": [], "table": [{"name": "a", "explicit": "1 +"}]},
        {"inputs": [], "outputs": [], "table": [{"name": "a", "explicit": ["x"]}]},
        {"inputs": [], "outputs": [], "table": [{"name": "a", "explicit": "x"}]},
        {"inputs": [], "outputs": [], "table": [{"name": "a", "implicit": "x"}]},
        {"inputs": [], "outputs": [], "table": [{"name": "a", "implicit": []}]},
        {"inputs": [], "outputs": [], "table": [{"name": "a", "implicit": ["a", "x"]}]},
        {"inputs": [], "outputs": ["b"], "table": [{"name": "a", "explicit": "1"}]},
        {"inputs": [], "outputs": [], "table": [{"name": 5, "explicit": "1"}]},
        {"inputs": [], "outputs": [], "table": [{"name": [], "explicit": "1"}]},
        {"inputs": [], "outputs": [], "table": [{"name": "for", "explicit": "1"}]},
        {"inputs": 5, "outputs": [], "table": [{"name": "a", "explicit": "1"}]},
        {"inputs": [], "outputs": 5, "table": [{"name": "a", "explicit": "1"}]},
    ],
)
def test_data_that_are_no_table(data: Any) -> None:
    """Anything that is not a table's data is an error of ours."""
    with pytest.raises(LinkworkError):
        Table.from_json(data)


def test_a_file_cannot_run_code() -> None:
    """Text in a file is read by our parser: calls and attributes are faults, not actions."""
    for attack in ("__import__('os').system('true')", "().__class__", "exec('1')", "x if y else z"):
        row = {"name": "a", "explicit": attack}
        with pytest.raises(LinkworkError):
            Table.from_json({"inputs": ["x", "y", "z"], "outputs": ["a"], "table": [row]})
