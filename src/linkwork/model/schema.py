"""The structure of machine files, said once: the published JSON Schema, and the check that reads by it.

What a schema cannot say (that names exist, that nothing runs in a circle) is in :mod:`linkwork.model.check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from linkwork.model.lines import Path

FORMAT: Final = 1
"""The number behind ``linkwork =`` in the files this version reads and writes."""

LATER: Final = frozenset(
    """part frame joint drive force energy constraint surface drawing contact control initial view""".split()
)
"""Tables of machine files that are fixed already but that this version cannot read."""

Schema = Mapping[str, Any]


class Numeral(NamedTuple):
    """A number with a point or an exponent, as written: read exactly, not through a double."""

    text: str


_EXPRESSION: Final = {
    "type": "string",
    "description": "text: an expression in ordinary notation",
    "examples": ["a*cos(e) + 30 deg"],
}
_DEFINITION: Final = {
    "type": ["string", "number", "object"],
    "description": "an expression, or a table with its explicit and implicit form",
    "minProperties": 1,
    "properties": {
        "explicit": _EXPRESSION,
        "implicit": {
            "type": "string",
            "description": "text: an equation that the name satisfies",
            "examples": ["r^2 = x^2 + y^2"],
        },
    },
    "additionalProperties": False,
    "examples": ["sqrt(x^2 + y^2)"],
}


def machine_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of machine files.

    >>> sorted(machine_schema()["properties"])
    ['definition', 'linkwork', 'name', 'outputs', 'parameter', 'title', 'units']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:linkwork:machine:{FORMAT}",
        "title": "linkwork machine file",
        "type": "object",
        "required": ["linkwork"],
        "properties": {
            "linkwork": {"const": FORMAT, "description": "the version of the format", "examples": [FORMAT]},
            "name": {
                "type": "string",
                "minLength": 1,
                "description": "text: the machine's name; without it the file's name counts",
                "examples": ["four-bar"],
            },
            "title": {
                "type": "string",
                "description": "text: one line about the machine",
                "examples": ["A four-bar"],
            },
            "outputs": {
                "type": "array",
                "items": {"type": "string", "description": "a name in quotes", "examples": ["x"]},
                "description": "a list of names: the definitions wanted as results; without it all",
                "examples": [["x", "y"]],
            },
            "parameter": {
                "type": "object",
                "description": "a table of names and values: numbers, or expressions of other parameters",
                "additionalProperties": {
                    "type": ["number", "string"],
                    "description": "a number, or an expression of other parameters",
                    "examples": [1.5],
                },
            },
            "definition": {
                "type": "object",
                "description": "a table of names and what they equal, in any order",
                "additionalProperties": _DEFINITION,
            },
            "units": {
                "type": "object",
                "description": "a table of names and their units, as they shall appear in headings",
                "additionalProperties": {"type": "string", "description": "text: a unit", "examples": ["mm"]},
            },
        },
        "additionalProperties": False,
    }


class Mismatch(NamedTuple):
    """A place where data differ from the schema: an unknown key (``known`` has the others) or a bad value."""

    path: Path
    value: Any
    schema: Schema
    known: tuple[str, ...] | None = None


def mismatches(value: Any, schema: Schema, path: Path = ()) -> Iterator[Mismatch]:
    """Where data read from TOML differ from a schema, in their order.

    Understands what :func:`machine_schema` uses: type, const, minLength, minProperties, properties,
    additionalProperties, items. Depth is bounded by the schema, which never refers to itself.

    >>> [mismatch.path for mismatch in mismatches({"linkwork": 1, "titel": "x"}, machine_schema())]
    [('titel',)]
    """
    if "const" in schema:
        if type(value) is not int or value != schema["const"]:
            yield Mismatch(path, value, schema)
        return
    if not _types(value) & _allowed(schema) or _is_too_short(value, schema):
        yield Mismatch(path, value, schema)
        return
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from mismatches(item, schema["items"], (*path, place))
    elif isinstance(value, dict):
        named = schema.get("properties", {})
        others = schema["additionalProperties"]
        for key, item in value.items():
            inner = named.get(key, others)
            if inner is False:
                yield Mismatch((*path, key), item, schema, tuple(named))
            else:
                yield from mismatches(item, inner, (*path, key))


_TYPES: Final = {
    bool: {"boolean"},
    int: {"integer", "number"},
    Numeral: {"number"},
    str: {"string"},
    list: {"array"},
    dict: {"object"},
}
_SHOWN: Final = {
    "boolean": "true or false",
    "number": "a number",
    "string": "text",
    "array": "a list",
    "object": "a table",
}


def _types(value: Any) -> set[str]:
    return _TYPES.get(type(value), {"date"})


def _allowed(schema: Schema) -> set[str]:
    given = schema["type"]
    return {given} if isinstance(given, str) else set(given)


def _is_too_short(value: Any, schema: Schema) -> bool:
    least = schema.get("minLength", 0) if isinstance(value, str) else schema.get("minProperties", 0)
    return isinstance(value, str | dict) and len(value) < least


def type_shown(value: Any) -> str:
    """What a value is, in a word for messages."""
    if isinstance(value, str | dict) and not value:
        return "an empty text" if isinstance(value, str) else "an empty table"
    shown = [_SHOWN[name] for name in sorted(_types(value)) if name in _SHOWN]
    return shown[0] if shown else "a date or time"
