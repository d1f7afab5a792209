"""Formulas of a file of solids may speak of joints that are found, by their names or by those of their parts."""

from __future__ import annotations

import math

import pytest

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.model.read import machine_from_text
from linkwork.model.write import machine_to_text

CABINET = """
linkwork = 1
DIMENSION

[part.cabinet]
solid = '''
difference() { cube([20, 30, 10]); translate([2, -1, 2]) cube([16, 30, 6]); }
translate([32, 2, 0]) cylinder(d = 1, h = 8);
translate([16, 1, 0]) cube([16, 2, 2]);
'''

[part.drawer]
density = 1
solid = "translate([2, -1, 2]) cube([16, 28, 6]);"

[part.lid]
density = 1
solid = "difference() { translate([30, 0, 3]) cube([10, 4, 1]); translate([32, 2, 0]) cylinder(d = 1, h = 8); }"

"""


def cabinet(table: str, dimension: str = "") -> lw.Machine:
    return machine_from_text(CABINET.replace("DIMENSION", dimension) + table, "cabinet.toml", "cabinet")


@pytest.mark.parametrize("dimension", ["", "dimension = 3"])
@pytest.mark.parametrize(
    "holds",
    [
        '"drawer.displacement == 3", "lid.angle == 0.4", "rate(drawer.displacement) == 2", "lid_axis.angle_rate == 5"',
        '"drawer_slide.displacement == 3", "lid_axis.angle == 0.4", "drawer.displacement_rate == 2",'
        ' "rate(lid_axis.angle) == 5"',
    ],
)
def test_a_start_is_told_by_the_names_of_what_is_found(dimension: str, holds: str) -> None:
    """In the plane and in space, of places and of rates; the written file says the same."""
    given = cabinet(f"[initial.start]\nholds = [{holds}]\n", dimension)
    found = lw.recognise(given).machine
    assert found is not None
    for machine in (given, machine_from_text(machine_to_text(found), "found.toml", "found")):
        moved = lw.simulate(machine, until=0.1)
        assert moved.columns["drawer.y"][0] == pytest.approx(3)
        assert moved.columns["drawer.vy"] == pytest.approx(2)
        assert moved["lid_axis.angle"][[0, -1]] == pytest.approx([0.4, 0.9])


def test_a_force_may_speak_of_a_joint_that_is_found() -> None:
    """A spring between the drawer and its place: it swings as √(stiffness/mass) says."""
    given = cabinet(
        '[force.back]\ntype = "force"\nat = "drawer"\nforce = [0, "-2688*drawer.displacement", 0]\n'
        '[initial.start]\nholds = "drawer.displacement == 1"\n'
    )
    moved = lw.simulate(given, until=math.pi)
    assert moved.columns["drawer.y"][-1] == pytest.approx(math.cos(math.pi), abs=1e-6)


@pytest.mark.parametrize(
    ("holds", "problem"),
    [
        ("lid.displacement == 1", "'lid.displacement' is no quantity of the machine"),
        ("lid_axis.displacement == 1", "the joint lid_axis has no coordinate 'displacement'"),
        ("lit.angle == 1", "nothing here is called 'lit.angle'"),
        ("lid.angel == 1", "nothing here is called 'lid.angel'"),
    ],
)
def test_what_is_not_found_is_told_with_its_line(holds: str, problem: str) -> None:
    with pytest.raises(LinkworkError) as told:
        lw.simulate(cabinet(f'[initial.start]\nholds = "{holds}"\n'), until=0.1)
    assert problem in str(told.value)
    assert told.value.where == ("initial", "start", "holds", 0) or "cabinet.toml:21" in str(told.value)
