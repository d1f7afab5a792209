"""Texts and files in OpenSCAD's notation, read as solids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from linkwork.errors import UsageError
from linkwork.solid import Solid
from linkwork.solid.scad.build import solid_of
from linkwork.solid.scad.evaluate import Tell
from linkwork.solid.scad.fault import Place, Source
from linkwork.solid.scad.instantiate import tree_of
from linkwork.solid.scad.library import Library, checked, library, source_of
from linkwork.solid.scad.statements import read_statements
from linkwork.solid.scad.syntax import Assignment, Literal, Statement, block_of
from linkwork.solid.scad.tree import Node
from linkwork.solid.scad.value import Value


def read_scad(
    text: str,
    *,
    folder: str | Path | None = None,
    name: str = "",
    variables: Mapping[str, object] | None = None,
    tell: Tell | None = None,
) -> Solid:
    """The solid of a text in OpenSCAD's notation, or of a dump that OpenSCAD has made (``.csg``).

    ``folder`` is where files are that the text includes or uses; ``name`` is what errors call the text;
    ``variables`` take the place of assignments at its top. ``tell`` hears what the text echoes, and a note
    wherever the solid is not exact.

    >>> plate = read_scad("difference() { cube([4, 3, h]); cylinder(h = 9, d = 1); }", variables={"h": 2})
    >>> plate
    Difference(first=Block(size=(4.0, 3.0, 2.0)), others=(Cylinder(radius=0.5, height=9.0),))
    """
    return solid_of(read_tree(text, folder=folder, name=name, variables=variables, tell=tell), tell)


def read_scad_file(
    path: str | Path, *, variables: Mapping[str, object] | None = None, tell: Tell | None = None
) -> Solid:
    """The solid of a file ``.scad`` or ``.csg``; it may include and use files beside it and in folders below."""
    return solid_of(read_tree_file(path, variables=variables, tell=tell), tell)


def read_tree(
    text: str,
    *,
    folder: str | Path | None = None,
    name: str = "",
    variables: Mapping[str, object] | None = None,
    tell: Tell | None = None,
) -> Node:
    """The shapes of a text."""
    if not isinstance(text, str):
        raise UsageError("a text in OpenSCAD's notation is a string", got=f"{type(text).__name__}")
    source = checked(Source(name or "text", text))
    return _tree(source, library(None if folder is None else Path(folder)), variables, tell)


def read_tree_file(
    path: str | Path, *, variables: Mapping[str, object] | None = None, tell: Tell | None = None
) -> Node:
    """The shapes of a file."""
    found = Path(path)
    source = Source(found.name, source_of(found, None).text)
    folder = found.resolve().parent
    return _tree(source, library(folder, (found.resolve(),)), variables, tell)


def _tree(source: Source, files: Library, variables: Mapping[str, object] | None, tell: Tell | None) -> Node:
    if files.folder is not None:
        source = replace(source, find=files.found)
    statements = read_statements(source, files)
    end = Place(source, len(source.text))
    given: list[Statement] = [
        Assignment(end, name, Literal(end, value_of(value))) for name, value in (variables or {}).items()
    ]
    return tree_of(block_of([*statements, *given]), source, tell)


def value_of(given: object) -> Value:
    """A value of Python as one of OpenSCAD.

    >>> value_of([1, "a", True, None])
    (1.0, 'a', True, None)
    """
    if given is None or isinstance(given, bool | str):
        return given
    if isinstance(given, int | float):
        return float(given)
    if isinstance(given, Sequence):
        return tuple(value_of(each) for each in given)
    raise UsageError(
        "this is no value of OpenSCAD",
        got=f"{type(given).__name__}",
        wanted="a number, a string, True or False, None, or a list of such",
    )
