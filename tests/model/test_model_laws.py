"""Laws of random machines: what is saved loads back equal, and a machine is a value."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwork.model import Machine
from linkwork.model.force import FORCES as ALL_FORCES
from linkwork.model.joint import JOINTS as ALL_JOINTS
from linkwork.model.read import machine_from_text
from linkwork.model.structure import inner_values, records
from linkwork.model.write import machine_to_text
from random_machines import FORCES, JOINTS, machines


def test_every_type_has_a_random_one() -> None:
    ours = {word for word, kind in ALL_JOINTS.items() if kind.__module__.startswith("linkwork.")}
    assert {*JOINTS} == ours
    assert {*FORCES} == {*ALL_FORCES}


@given(machines())
def test_a_saved_machine_loads_back_equal(machine: Machine) -> None:
    text = machine_to_text(machine)
    again = machine_from_text(text, "file", "name")
    assert again == machine
    assert hash(again) == hash(machine)
    assert machine_to_text(again) == text


def documented_coordinates(word: str) -> set[str]:
    """The last column of a joint's row on the page about machine files."""
    page = (Path(__file__).parents[2] / "docs" / "machine-files.md").read_text("utf-8")
    row = next(
        line for line in page.splitlines() if line.startswith(f"| `{word}` |") and line.count(" | ") >= 3
    )
    return {*re.findall("`(.*?)`", row.rsplit("|", 2)[1])}


@pytest.mark.parametrize("word", JOINTS)
@given(data=st.data())
@settings(max_examples=5)
def test_every_joint_survives_its_file(word: str, data: st.DataObject) -> None:
    machine = data.draw(machines(types=[word]))
    assert machine.joints["J0"].word == word
    assert machine.world().measured("J0").keys() <= documented_coordinates(word)
    assert machine_from_text(machine_to_text(machine), "file", "name") == machine


@given(machines())
def test_a_machine_is_a_value(machine: Machine) -> None:
    """Frozen to the innermost record, hashable, and equal after a pickle or a copy."""
    for again in (pickle.loads(pickle.dumps(machine)), copy.deepcopy(machine)):
        assert again == machine
        assert hash(again) == hash(machine)
    with pytest.raises(dataclasses.FrozenInstanceError):
        machine.dimension = 4  # type: ignore[misc]
    for _, record in records(machine):
        assert isinstance(hash(record), int)
        for name in record.kinds():
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(record, name, None)
        assert all(isinstance(hash(value), int) for _, value in inner_values(record, ()))


@given(machines())
def test_other_values_of_the_parameters_leave_the_rest_alone(machine: Machine) -> None:
    other = machine.with_parameters({"a": 3})
    assert other != machine
    assert other.with_parameters({"a": 2}) == machine
    unchanged: list[Any] = [other.parts, other.joints, other.drives, other.forces]
    assert unchanged == [machine.parts, machine.joints, machine.drives, machine.forces]
