"""A file that ``recognise`` wrote is an ordinary machine also where its parts touch: its joints are those it says."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact.exact_fits import exact_fits
from linkwork.contact.pairs import pairs_that_touch
from linkwork.contact.touching import touching_of
from linkwork.errors import UsageError
from linkwork.model.part import GROUND
from linkwork.model.read import machine_from_text
from linkwork.model.write import machine_to_text
from linkwork.recognition.given_joints import given_joints

EVERYDAY = Path(__file__).parents[1] / "recognition" / "everyday"


def loads(text: str) -> lw.Machine:
    return machine_from_text(text, "found.toml", "found")


def written(name: str) -> lw.Machine:
    """The machine with its joints, as the file has it that ``recognise -o`` writes."""
    found = lw.recognise(lw.load(name)).machine
    assert found is not None
    return loads(machine_to_text(found))


@pytest.mark.parametrize(
    ("name", "until"),
    [
        ("escapement", 3),
        ("ratchet-cw", 2),
        ("geneva-drive", 1),
        ("woodpecker", 0.3),
        ("rocking-block", 0.3),
        ("marble-run", 0.1),
        (str(EVERYDAY / "puck.toml"), 0.1),
    ],
)
def test_the_written_file_moves_as_the_solids_do(name: str, until: float) -> None:
    """With contacts every column of both is the same to the last digits that a file keeps."""
    own = lw.simulate(lw.load(name), until=until, contact="rigid")
    again = lw.simulate(written(name), until=until, contact="rigid")
    assert [event["kind"] for event in own.events] == [event["kind"] for event in again.events]
    assert own.columns.keys() == again.columns.keys()
    for column, values in own.columns.items():
        scale = 1e-7 * max(1.0, float(np.abs(values).max()))
        assert np.allclose(values, again.columns[column], rtol=1e-7, atol=scale), column


@pytest.mark.parametrize(
    "name", ["engine", "gear-train", "rack-pinion-solids", "pin-tumbler-lock", "film-advance", "click-pen"]
)
def test_the_same_parts_may_touch(name: str) -> None:
    found = lw.recognise(lw.load(name))
    machine = written(name)
    order = [*machine.moving, GROUND]
    assert {*pairs_that_touch(given_joints(machine), order)} == {*pairs_that_touch(found, order)}


FALLING = """
linkwork = 1
gravity = [0, -10]

[part.ground]
solid = "translate([-50, -10, 0]) cube([100, 10, 5]);"
points = { hook = [0, 20] }

[part.bob]
mass = 1
inertia = 1
centre = [10, 20]
solid = "translate([9, 19, 0]) cube([2, 2, 5]);"
points = { hook = [0, 20] }

[frame.rail]
on = "ground"
at = [10, 20]
x = [0, 1]

[frame.shoe]
on = "bob"
at = [10, 20]
x = [0, 1]

[joint.held]
"""
REVOLUTE = 'type = "revolute"\nbetween = ["ground.hook", "bob.hook"]\n'
PRISMATIC = 'type = "prismatic"\nbetween = ["rail", "shoe"]\n'


def test_a_joint_that_was_changed_is_obeyed() -> None:
    """A bob on a rail falls 19 onto the table and strikes it with √(2·10·19); on its string it never gets there."""
    falling = lw.simulate(loads(FALLING + PRISMATIC), until=3, contact="rigid")
    impact = next(event for event in falling.events if event["kind"] == "impact")
    assert impact["t"] == pytest.approx(np.sqrt(2 * 19 / 10), rel=1e-9)
    assert falling.columns["bob.angle"] == pytest.approx(0)
    swinging = lw.simulate(loads(FALLING + REVOLUTE), until=3, contact="rigid")
    assert not [*swinging.events]
    assert swinging.columns["energy"] == pytest.approx(swinging.columns["energy"][0], rel=1e-8)


def test_what_is_fixed_does_not_touch() -> None:
    text = FALLING + PRISMATIC + '\n[joint.glued]\ntype = "fixed"\nparts = ["bob", "flag"]\nat = [11, 20]\n'
    flag = '[part.flag]\nmass = 1\ninertia = 1\ncentre = [12, 20]\nsolid = "translate([11, 19, 0]) cube([2, 2, 5]);"\n'
    found = given_joints(loads(text + flag))
    assert frozenset(("bob", "flag")) not in {frozenset(each.parts) for each in found.interactions}
    assert frozenset((GROUND, "flag")) in {frozenset(each.parts) for each in found.interactions}


def test_a_ground_without_a_solid_is_refused() -> None:
    bare = FALLING.replace('solid = "translate([-50, -10, 0]) cube([100, 10, 5]);"\n', "")
    with pytest.raises(UsageError, match=r"the ground of .* has no solid"):
        lw.simulate(loads(bare + REVOLUTE), until=1, contact="rigid")


ARM_AND_BOB = """
linkwork = 1
gravity = [0, -9.81]

[part.ground]
points = { shoulder = [0, 0] }
solid = "translate([-3, -3, -1]) cube([6, 6, 1]); cylinder(d = 1, h = 1);"

[part.arm]
points = { shoulder = [0, 0], elbow = [7, 0] }
mass = 14
centre = [3.8, 0]
inertia = 95
solid = "translate([0, -0.8, 0.1]) cube([8, 1.6, 1]); translate([7, 0, 0.1]) cylinder(r = 0.3, h = 2.5);"

[part.bob]
points = { elbow = [7, 0] }
mass = 7
centre = [7, -2]
inertia = 21
solid = '''
translate([7, 0, 1.2]) difference() {
  translate([-0.6, -5, 0]) cube([1.2, 6, 1]);
  translate([0, 0, -1]) cylinder(r = BORE, h = 4);
}
'''

[joint.shoulder]
type = "revolute"
between = ["ground.shoulder", "arm.shoulder"]
"""


def test_a_shaft_without_clearance_and_without_its_joint_is_told() -> None:
    """It is found among the contacts; a run that stops where it is names it, and says what to do."""
    exact, loose, open_bore = (
        touching_of(given_joints(loads(ARM_AND_BOB.replace("r = BORE, h = 4", bore))))
        for bore in (
            "r = 0.3, h = 4",
            "r = 0.31, h = 4",
            "r = 0.3, h = 4); translate([0, -3, -1]) cube([6, 6, 4]",
        )
    )
    assert [(fit.shaft, fit.bore, fit.radius) for fit in exact_fits(exact)] == [("arm", "bob", 0.3)]
    assert not [*exact_fits(loose)]
    assert not [*exact_fits(open_bore)]


def test_a_four_bar_without_one_of_its_joints_stops_with_the_shaft_to_blame() -> None:
    """No step succeeds where a shaft without clearance is held by contacts: why says so, and what to do."""
    text = machine_to_text(written("four-bar-solids"))
    machine = loads(re.sub(r"(?s)\[joint\.crank_axis\].*?\n\n", "", text))
    assert "crank_axis" not in machine.joints
    stopped = lw.simulate(machine, until=1, contact="rigid")
    assert stopped.status == "stopped"
    assert stopped.why.endswith(
        "the shaft of ground has no clearance in the bore of crank (radius 4), so contacts hold it by rounding alone:"
        " give the two a joint, or the shaft some clearance"
    )
