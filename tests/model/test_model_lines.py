"""The finder of lines: every key of a TOML text at its line, and no text that breaks it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_fuzz import EXAMPLE_TEXTS, assembled_texts, damaged_texts

from linkwork.model.lines import Path, line_of, places, source_line

TEXT = '''\
# a comment with = and [brackets]
linkwork = 1
title = """
[not.a.table]
a = 1
"""
outputs = [
  "x",  # the first
  "y, z",
]

[parameter]
a = 1
"quoted.name" = 2
'literal' = 3
b.c = 4

[ definition . r ]
explicit = 'it''s'
[definition]
s = { explicit = "a # b", implicit = ["p", { q = 1 }] }
[[part]]
name = "x"
'''

LINES: dict[Path, int] = {
    ("linkwork",): 2,
    ("title",): 3,
    ("outputs",): 7,
    ("outputs", 0): 8,
    ("outputs", 1): 9,
    ("parameter",): 12,
    ("parameter", "a"): 13,
    ("parameter", "quoted.name"): 14,
    ("parameter", "literal"): 15,
    ("parameter", "b"): 16,
    ("parameter", "b", "c"): 16,
    ("definition", "r", "explicit"): 19,
    ("definition", "s", "implicit", 1, "q"): 21,
    ("part",): 22,
    ("part", "name"): 23,
    ("nothing",): 1,
}


@pytest.mark.parametrize("path", LINES)
def test_keys_are_found(path: Path) -> None:
    found = places(TEXT.replace("'it''s'", "'its'"))
    assert found.line(path) == LINES[path]


def test_an_unknown_key_is_placed_at_its_table() -> None:
    assert places(TEXT).line(("parameter", "zzz", 3)) == 12


def test_second_occurrences_are_remembered() -> None:
    found = places("a = 1\nb = 2\na = 3\n")
    assert found.again == {("a",): 12}


def test_lines_of_texts() -> None:
    assert line_of("a\nb\nc", 4) == 3
    assert source_line("a\n  b \nc", 2) == "b"
    assert source_line("a", 5) == ""
    assert source_line("a\033[2Jb", 1) == "a [2Jb"


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _paths(item, (*path, key))


@pytest.mark.parametrize("text", EXAMPLE_TEXTS)
def test_every_key_of_the_examples_is_found(text: str) -> None:
    found = places(text)
    for path in _paths(tomllib.loads(text)):
        assert path in found.first or path in found.implied  # [part.crank] says part only by the way
        assert str(path[-1]) in source_line(text, found.line(path)) or isinstance(path[-1], int)


@given(st.one_of(assembled_texts(), damaged_texts()))
def test_every_key_of_any_toml_is_found(text: str) -> None:
    """Whatever ``tomllib`` accepts, the finder knows every key of it."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError):
        document = {}
    found = places(text)
    for path in _paths({key: value for key, value in document.items() if not _has_arrays_of_tables(value)}):
        assert path in found.first or path in found.implied


def _has_arrays_of_tables(value: Any) -> bool:
    """``[[a]]`` has no place of its own for each element; machine files have no such tables yet."""
    if isinstance(value, dict):
        return any(map(_has_arrays_of_tables, value.values()))
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    assert places(text).line(("a", "b")) >= 1


@pytest.mark.parametrize("text", ["a = " + "[" * 50_000, "a = cos(1)\n" + "{a=" * 50_000, "[" * 50_000])
def test_nesting_costs_neither_recursion_nor_memory(text: str) -> None:
    assert max(map(len, places(text).first), default=0) <= 21
