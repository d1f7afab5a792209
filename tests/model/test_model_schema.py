"""The schema of machine files agrees with the reader, by the word of an independent validator."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema.protocols import Validator
from model_faults import FAULTS
from model_fuzz import assembled_texts, damaged_texts, mutated_texts

from linkwork import examples
from linkwork.model import Machine, machine_schema
from linkwork.model.schema import FORMAT, Numeral, mismatches
from linkwork.model.write import machine_to_text
from random_machines import machines


class Decimal(float):
    """A number with a point: to TOML never a whole one, to JSON Schema it may be."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decimal) and float(self) == float(other)

    __hash__ = float.__hash__


@cache
def validator() -> Validator:
    """jsonschema's, told that TOML keeps whole numbers and decimals apart."""
    standard = jsonschema.Draft202012Validator
    types = standard.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    return jsonschema.validators.extend(standard, type_checker=types)(machine_schema())


def valid(text: str) -> bool:
    return bool(validator().is_valid(tomllib.loads(text, parse_float=Decimal)))


@pytest.mark.parametrize("name", examples.names())
def test_examples_are_valid(name: str) -> None:
    assert valid(examples.path(name).read_text("utf-8"))


@given(machines())
def test_what_is_saved_is_valid(machine: Machine) -> None:
    assert valid(machine_to_text(machine))


def test_the_schema_is_json_and_names_its_version() -> None:
    schema = machine_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema
    assert schema["properties"]["linkwork"]["const"] == FORMAT == 1


def test_examples_inside_the_schema_are_valid() -> None:
    def walk(schema: Any) -> None:
        if isinstance(schema, dict):
            for example in schema.get("examples", ()):
                jsonschema.Draft202012Validator(schema).validate(example)
            for inner in schema.values():
                walk(inner)
        elif isinstance(schema, list):
            for inner in schema:
                walk(inner)

    walk(machine_schema())


def agrees(text: str) -> None:
    """The check by which files are read and the standard's meaning of the schema agree."""
    ours = list(mismatches(tomllib.loads(text, parse_float=Numeral), machine_schema()))
    assert valid(text) == (not ours), text


@given(st.one_of(assembled_texts(), damaged_texts(), mutated_texts()))
def test_the_reader_checks_what_the_schema_says(text: str) -> None:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    agrees(text)


@pytest.mark.parametrize("case", FAULTS)
def test_the_schema_refuses_what_the_reader_refuses_on_structure(case: str) -> None:
    try:
        tomllib.loads(FAULTS[case])
    except tomllib.TOMLDecodeError:
        return
    agrees(FAULTS[case])
