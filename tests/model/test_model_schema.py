"""The schema of machine files agrees with the reader, by the word of an independent validator."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_fuzz import assembled_texts, damaged_texts

from linkwork import examples
from linkwork.model import machine_schema
from linkwork.model.schema import FORMAT, LATER, Numeral, mismatches

_KINDS: dict[str, Any] = {
    "string": str,
    "number": (int, float),
    "object": dict,
    "array": list,
    "boolean": bool,
}


def valid(value: Any, schema: dict[str, Any]) -> bool:
    """JSON Schema as the standard has it, for the words that ours uses."""
    unknown = schema.keys() - {
        *("$schema", "$id", "title", "description", "examples", "type", "const", "required", "properties"),
        *("additionalProperties", "items", "minLength", "minProperties"),
    }
    assert not unknown
    if "const" in schema and (isinstance(value, bool) or value != schema["const"]):
        return False
    kinds = schema.get("type", list(_KINDS))
    kinds = [kinds] if isinstance(kinds, str) else kinds
    fits = any(isinstance(value, _KINDS[kind]) for kind in kinds)
    if not fits or (isinstance(value, bool) and "boolean" not in kinds):
        return False
    if isinstance(value, str):
        return len(value) >= int(schema.get("minLength", 0))
    if isinstance(value, list):
        return all(valid(item, schema.get("items", {})) for item in value)
    if isinstance(value, dict):
        named, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        return (
            len(value) >= schema.get("minProperties", 0)
            and all(key in value for key in schema.get("required", ()))
            and all(key in named or others is not False for key in value)
            and all(valid(item, named.get(key, others)) for key, item in value.items())
        )
    return True


@pytest.mark.parametrize("name", examples.names())
def test_examples_are_valid(name: str) -> None:
    assert valid(tomllib.loads(examples.path(name).read_text("utf-8")), machine_schema())


def test_the_schema_is_json_and_names_its_version() -> None:
    schema = machine_schema()
    assert json.loads(json.dumps(schema)) == schema
    assert schema["properties"]["linkwork"]["const"] == FORMAT == 1
    assert not LATER & schema["properties"].keys()


def test_examples_inside_the_schema_are_valid() -> None:
    def walk(schema: Any) -> None:
        if isinstance(schema, dict):
            for example in schema.get("examples", ()):
                assert valid(example, schema)
            for key in ("properties", "additionalProperties", "items"):
                inner = schema.get(key)
                for each in inner.values() if key == "properties" and inner else [inner]:
                    walk(each)

    walk(machine_schema())


@given(st.one_of(assembled_texts(), damaged_texts()))
def test_the_reader_checks_what_the_schema_says(text: str) -> None:
    """The check by which files are read and the standard's meaning of the schema agree."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    ours = list(mismatches(tomllib.loads(text, parse_float=Numeral), machine_schema()))
    assert valid(document, machine_schema()) == (not ours and "linkwork" in document)
