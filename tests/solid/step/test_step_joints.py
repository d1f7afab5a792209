"""Joints of machines that STEP files hold: found from the faces of their shells."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwork.recognition import Recognition, recognise_solids
from linkwork.solid.step import read_step

FILES = Path(__file__).parent / "files"


def found_in(name: str, ground: str) -> Recognition:
    parts = read_step(FILES / f"{name}.step").parts
    return recognise_solids({part.name: part.solid for part in parts}, ground)


@pytest.mark.parametrize("unit", ["mm", "inch"])
def test_a_shaft_turns_in_a_plate(unit: str) -> None:
    (pair,) = found_in(f"shaft_in_plate_{unit}", "plate").pairs
    assert (pair.kind, set(pair.parts)) == ("revolute", {"plate", "shaft"})


def test_a_hinge_has_one_joint() -> None:
    found = found_in("hinge_ap203", "fixed leaf")
    (pair,) = found.pairs
    assert pair.kind == "revolute"
    assert {"fixed leaf", "pin"} in [set(group) for group in found.groups]
    assert "moving leaf" in pair.parts


def test_a_gear_box_has_two_shafts() -> None:
    found = found_in("gear_box_ap242", "housing")
    turning = [group for group in found.groups if group[0] != "housing"]
    assert sorted(map(sorted, turning)) == [["axle", "pinion"], ["axle_2", "wheel"]]
    for group in turning:
        (pair,) = (pair for pair in found.pairs if {*pair.parts} & {*group})
        assert (pair.kind, "housing" in pair.parts) == ("revolute", True)
    assert {"housing", "cover", "screw", "screw_2"} in [set(group) for group in found.groups]
    assert {"axle", "pinion"} in [set(group) for group in found.groups]
