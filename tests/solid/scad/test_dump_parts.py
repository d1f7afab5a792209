"""Parts of dumps: a dump does not tell modules from loops, so that pieces that lie apart are parts, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwork.solid import separate_solids
from linkwork.solid.scad.parts import read_scad_parts

PLATE = "translate([0, 0, -9]) cube([50, 50, 2], center = true);"
PIN = "group() { cylinder(r = 2, h = 9); cylinder(r = 4, h = 2); }"
LOW, HIGH = 2.5, 9
"""From where to where a ring is about the pin."""


def ring(hole: float, low: float = LOW) -> str:
    shift = f"[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, {low}], [0, 0, 0, 1]]"
    return (
        f"multmatrix({shift}) {{ group() {{ difference() {{ cylinder(r = 6, h = 3); "
        f"cylinder(r = {hole}, h = 9, center = true); }} }} }}"
    )


def at(x: float, *objects: str) -> str:
    """Objects that are placed together, as by ``translate() { a(); b(); }``."""
    text = " ".join(objects)
    return f"multmatrix([[1, 0, 0, {x}], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]) {{ {text} }}"


def group(*objects: str) -> str:
    return f"group() {{ {' '.join(objects)} }}"


DUMPS = {
    "a loop over two parts at a time": (group(at(-9, PIN, ring(2.1)), at(9, PIN, ring(2.1))), [1] * 4),
    "a loop over one part": (group(at(-9, PIN), at(9, PIN)), [1, 1]),
    "two parts placed together": (at(5, PIN, ring(2.1)), [1, 1]),
    "parts along another axis": (
        f"multmatrix([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]]) {{ "
        f"{group(at(-9, PIN, ring(2.1)), at(9, PIN, ring(2.1)))} }}",
        [1] * 4,
    ),
    "a ring that is pressed on": (group(at(-9, PIN, ring(2)), at(9, PIN, ring(2))), [1, 1]),
    "one pressed on and one that turns": (
        group(PIN, group(ring(2.1)), group(ring(2, LOW + 3.5))),
        [1, 1],
    ),
    "a knob that ends a little above its bar": (
        group("cube([9, 9, 1]);", at(3, "cylinder(r = 1, h = 5);"), at(40, "cylinder(r = 1, h = 1);")),
        [2],
    ),
    "loops inside a part": (
        group(
            "cube([60, 9, 1], center = true);",
            group(at(-20, "cylinder(r = 2, h = 9);"), at(20, "cylinder(r = 2, h = 9);")),
        ),
        [1],
    ),
    "an assembly of loops": (
        group(group("cube([9, 9, 1]);"), group(at(-20, group(PIN)), at(-40, group(PIN)))),
        [1] * 3,
    ),
    "a union": (
        "union() { cube(1); multmatrix([[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]) { cube(1); } }",
        [2],
    ),
}


@pytest.mark.parametrize("case", DUMPS)
def test_pieces_of_groups_that_lie_apart_are_parts(case: str, tmp_path: Path) -> None:
    text, pieces = DUMPS[case]
    path = tmp_path / "m.csg"
    path.write_text(f"{PLATE}\n{text}\n")
    _, *parts = read_scad_parts(path)
    assert [separate_solids(each.solid).number for each in parts] == pieces
