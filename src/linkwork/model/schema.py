"""The structure of machine files, said once: the published JSON Schema, and the check that reads by it.

What a schema cannot say (that names exist, that nothing runs in a circle) is in :mod:`linkwork.model.check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from linkwork.model.contact import Contact
from linkwork.model.drawing import Drawing
from linkwork.model.drive import Drive, Span
from linkwork.model.field import Coordinates, Typed
from linkwork.model.force import FORCES
from linkwork.model.joint import JOINTS
from linkwork.model.lines import Path
from linkwork.model.part import Frame, Part
from linkwork.model.pose import Pose
from linkwork.model.scene import Condition, Control, Energy, Surface
from linkwork.model.view import View

FORMAT: Final = 1
"""The number behind ``linkwork =`` in the files this version reads and writes."""

PAIR_WORDS: Final = ("fixed", "contact", "ignore", "slot", "overlap")
"""What may be said of two solids instead of a joint: they are one, they only touch, they have nothing to do with
each other, a pin is in a slot, they may lie in one another as they are drawn."""
THREAD_WORD: Final = r"screw (?![-+.0]*([eE]|$))[-+]?(?=\.?\d)\d*\.?\d*([eE][-+]?\d+)?"
"""Or that one is a screw in the other, with its pitch."""

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

    >>> sorted(machine_schema()["properties"])  # doctest: +NORMALIZE_WHITESPACE
    ['constraint', 'contact', 'control', 'definition', 'dimension', 'drawing', 'drive', 'energy', 'force', 'frame',
     'function', 'gravity', 'initial', 'joint', 'linkwork', 'name', 'outputs', 'parameter', 'part', 'plane', 'surface',
     'time', 'title', 'units', 'view']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:linkwork:machine:{FORMAT}",
        "title": "linkwork machine file",
        "type": "object",
        "required": ["linkwork"],
        "properties": {
            **_heading(),
            **_texts_by_name(),
            "part": _table_of(Part.schema(), "the rigid bodies"),
            "frame": _table_of(Frame.schema(), "frames fixed to parts or to other frames"),
            "joint": _table_of(_joint_schema(), "what joins the parts"),
            "drive": _table_of(Drive.schema(), "coordinates that are told where to go"),
            "force": _table_of(Typed(FORCES, "force").schema(), "what pushes, pulls and turns"),
            "surface": _table_of(Surface.schema(), "surfaces that frames carry"),
            "constraint": _table_of(Condition.schema(), "equations that hold at all times"),
            "initial": _table_of(Condition.schema(), "equations that hold at the first time"),
            "energy": _table_of(Energy.schema(), "potential energies"),
            "control": _table_of(Control.schema(), "inputs that are set while the program runs"),
            "drawing": Drawing.schema(),
            "contact": Contact.schema(),
            "time": Span.schema(),
            "view": View.schema(),
            "plane": Pose.schema(),
        },
        "additionalProperties": False,
    }


def _heading() -> dict[str, Any]:
    """What a machine is called, what it gives, and the space it is in."""
    return {
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
        "dimension": {
            "type": "integer",
            "enum": [2, 3],
            "description": "2 for a machine in the plane, 3 for one in space",
            "examples": [2],
        },
        "gravity": Coordinates(example=(0, -9.81)).schema(),
    }


def _texts_by_name() -> dict[str, Any]:
    """The tables of names with a number or a text each."""
    return {
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
        "function": {
            "type": "object",
            "description": "a table of functions and their formulas",
            "additionalProperties": {
                "type": "string",
                "description": "text: a formula of the arguments",
                "examples": ["2*cos(angle)"],
            },
        },
        "units": {
            "type": "object",
            "description": "a table of names and their units, as they shall appear in headings",
            "additionalProperties": {"type": "string", "description": "text: a unit", "examples": ["mm"]},
        },
    }


def _joint_schema() -> dict[str, Any]:
    """A joint, or a word about what is to be found between solids."""
    found = Typed(JOINTS, "revolute").schema()
    word = {"type": "string", "enum": list(PAIR_WORDS)}
    thread = {"type": "string", "pattern": f"^{THREAD_WORD}$", "examples": ["screw 2"]}
    words = ", ".join(f'"{each}"' for each in PAIR_WORDS)
    about = f'{found["description"]}, or of solids a word: {words} or "screw 2"'
    return found | {
        "description": about,
        "type": ["object", "string"],
        "oneOf": [*found["oneOf"], word, thread],
    }


def _table_of(entry: dict[str, Any], about: str) -> dict[str, Any]:
    return {"type": "object", "description": f"a table: {about}", "additionalProperties": entry}


class Mismatch(NamedTuple):
    """A place where data differ from the schema: a bad value, an unknown key (``known`` has the others), or
    a missing one.
    """

    path: Path
    value: Any
    schema: Schema
    known: tuple[str, ...] | None = None
    missing: bool = False


def mismatches(value: Any, schema: Schema, path: Path = ()) -> Iterator[Mismatch]:
    """Where data read from TOML differ from a schema, in their order.

    Understands what :func:`machine_schema` uses. Depth is bounded by the schema, which never refers to itself.

    >>> [mismatch.path for mismatch in mismatches({"linkwork": 1, "titel": "x"}, machine_schema())]
    [('titel',)]
    """
    if "const" in schema:
        if type(value) is not type(schema["const"]) or value != schema["const"]:
            yield Mismatch(path, value, schema)
    elif not _types(value) & _allowed(schema) or _is_out_of_bounds(value, schema):
        yield Mismatch(path, value, schema)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from mismatches(item, schema["items"], (*path, place))
    elif isinstance(value, dict):
        yield from _table_mismatches(value, _chosen(value, schema), path)


def _table_mismatches(value: dict[str, Any], schema: Schema, path: Path) -> Iterator[Mismatch]:
    named = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for key, item in value.items():
        inner = named.get(key, others)
        if inner is False:
            yield Mismatch((*path, key), item, schema, tuple(named))
        elif inner is not True:
            yield from mismatches(item, inner, (*path, key))
    for key in schema.get("required", ()):
        if key not in value:
            yield Mismatch((*path, key), None, named[key], missing=True)


def _chosen(value: dict[str, Any], schema: Schema) -> Schema:
    """Of several schemas the one that the key they share chooses; where it chooses none, the common part."""
    option: Schema
    for option in schema.get("oneOf", ()):
        key = schema["required"][0]
        if "properties" in option and option["properties"][key]["const"] == value.get(key):
            return option
    return schema


_TYPES: Final = {
    bool: {"boolean"},
    int: {"integer", "number"},
    Numeral: {"number"},
    str: {"string"},
    list: {"array"},
    dict: {"object"},
    type(None): {"null"},
}
_SHOWN: Final = {
    "boolean": "true or false",
    "number": "a number",
    "string": "text",
    "array": "a list",
    "object": "a table",
    "null": "null",
}


def _types(value: Any) -> set[str]:
    return _TYPES.get(type(value), {"date"})


def _allowed(schema: Schema) -> set[str]:
    given = schema["type"]
    return {given} if isinstance(given, str) else set(given)


def _is_out_of_bounds(value: Any, schema: Schema) -> bool:
    """Too short, too long, too small, or none of the values that are listed."""
    if "enum" in schema and value not in schema["enum"]:
        return True
    if isinstance(value, int) and not isinstance(value, bool):
        return bool(value < schema.get("minimum", value))
    if isinstance(value, list):
        return not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
    least = schema.get("minLength", 0) if isinstance(value, str) else schema.get("minProperties", 0)
    return isinstance(value, str | dict) and len(value) < least


def type_shown(value: Any) -> str:
    """What a value is, in a word for messages."""
    if isinstance(value, str | dict) and not value:
        return "an empty text" if isinstance(value, str) else "an empty table"
    shown = [_SHOWN[name] for name in sorted(_types(value)) if name in _SHOWN]
    return shown[0] if shown else "a date or time"
