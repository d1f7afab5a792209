"""Forces and springs of the file: freedoms that they excite stay, and they act where they were given."""

from __future__ import annotations

import math

import numpy as np
import pytest
from solid_machines import wheel_on_shaft

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.model.read import machine_from_text
from linkwork.recognition import Recognition, Wishes, recognise_solids
from linkwork.recognition.pulls import Pulls, Push

LID = """
linkwork = 1
{head}
[part.box]
fixed = true
solid = "difference() {{ translate([-10, -10, 0]) cube([20, 20, 10]); translate([-6, -20, 5]) cube([12, 40, 10]); }}"
[part.lid]
solid = "translate([-6, -10, 5]) cube([12, 20, 3]);"
mass = 2
{tail}
"""
HANDLE = (
    '[frame.handle]\non = "lid"\nat = [0, 0, 8]\n[force.lift]\ntype = "force"\nat = "handle"\nforce = {}\n'
)


def lid(force: str = "", head: str = "") -> Recognition:
    tail = HANDLE.format(force) if force else ""
    return lw.recognise(machine_from_text(LID.format(head=head, tail=tail), "lid.toml", "lid"))


@pytest.mark.parametrize(
    ("force", "head", "kind", "words"),
    [
        ("", "", "prismatic", "nothing lifts it off"),
        ("[0, 0, 30]", "", "planar", "the force lift may lift it off"),
        ("[0, 0, -30]", "", "prismatic", "nothing lifts it off"),
        ("[5, 7, 0]", "", "prismatic", "nothing lifts it off"),
        ('[0, 0, "sin(t)"]', "", "planar", "the force lift may lift it off"),
        ("[0, 0, 30]", "gravity = [0, 0, -10]", "planar", "the force lift may lift it off"),
        ("[0, 0, 10]", "gravity = [0, 0, -10]", "prismatic", "nothing lifts it off"),
        ("[0, 7]", "gravity = [0, 0, -10]", "prismatic", "nothing lifts it off"),
    ],
)
def test_a_force_lifts_what_lies_on_a_face(force: str, head: str, kind: str, words: str) -> None:
    """Its size counts against the weight where both are known; one that changes may lift."""
    (pair,) = lid(force, head).pairs
    assert pair.kind == kind
    assert words in pair.why


@pytest.mark.parametrize(
    ("push", "kind"),
    [
        (Push("p", "wheel", (0, 0, 3)), "cylindrical"),
        (Push("p", "wheel", (3, 1, 0)), "revolute"),
        (Push("p", "wheel", ways=((0, 1, 1),)), "cylindrical"),
        (Push("p", "plate", (0, 0, 3)), "revolute"),
    ],
)
def test_a_shift_that_a_force_causes_stays(push: Push, kind: str) -> None:
    (pair,) = recognise_solids(wheel_on_shaft(), "plate", Wishes(pulls=Pulls(pushes=(push,)))).pairs
    assert pair.kind == kind
    assert ("the force p may push it that way" in pair.why) == (kind == "cylindrical")


def test_a_spring_pulls_along_the_line_between_its_ends() -> None:
    """From above it lifts the lid; from the side at the same height it does not."""
    for height, kind in ((30, "planar"), (8, "prismatic")):
        tail = (
            f"[part.box.points]\nhook = [0, 40, {height}]\n[part.lid.points]\neye = [0, 0, 8]\n"
            '[force.pull]\ntype = "spring"\nbetween = ["box.hook", "lid.eye"]\nstiffness = 3\n'
        )
        machine = machine_from_text(LID.format(head="", tail=tail), "lid.toml", "lid")
        assert [pair.kind for pair in lw.recognise(machine).pairs] == [kind]


def test_a_force_acts_where_and_as_it_was_given() -> None:
    """A lid of mass 2 under 30 upwards and 8 along its groove goes 30/4·t² and 8/4·t² in a time t."""
    found = lid("[0, 8, 30]").machine
    assert found is not None
    assert found.dimension == 2
    solution = lw.simulate(found, until=0.5, step=0.5)
    last = {name: values[-1] for name, values in solution.to_frame().items()}
    # the force acts 1.5 above the centre of mass: it turns the lid too, and the place told is that of its origin
    assert found.world().frame("handle").part == "lid"
    assert last["lid.angle"] != 0
    assert sorted(_centre(found, last)) == pytest.approx([8 / 4 * 0.25, 30 / 4 * 0.25])


def _centre(machine: lw.Machine, row: dict[str, float]) -> list[float]:
    """How far the centre of mass of the lid has gone."""
    mass = machine.body_mass("lid")
    assert mass is not None
    drawn = np.array([float(str(entry)) for entry in mass.centre])
    turn = row["lid.angle"]
    turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) @ drawn
    gone = np.array([row["lid.x"], row["lid.y"]]) + turned - drawn
    return [abs(float(each)) for each in gone]


@pytest.mark.parametrize("two", ["[0, -4]", "[0, -4, 0]"])
def test_two_entries_stand_for_x_and_y(two: str) -> None:
    """Solids lie in space: whether the machine turns out plane or not, one rule holds for all vectors."""
    found = lid(two, "gravity = [0, 0, -10]").machine
    assert found is not None
    assert found.dimension == 3
    assert str(found.forces["lift"].plain()["force"]) == "[0, -4, 0]"


def test_a_vector_of_one_entry_is_refused_with_one_that_fits() -> None:
    with pytest.raises(LinkworkError, match="force") as caught:
        lid("[5]")
    assert "dimension" not in str(caught.value)


def test_names_of_frames_are_not_taken_by_joints() -> None:
    tail = '[frame.lid_slide]\non = "lid"\n'
    found = lw.recognise(machine_from_text(LID.format(head="", tail=tail), "lid.toml", "lid"))
    assert found.machine is not None
    assert [*found.machine.joints] == ["lid_slide_2"]
    assert "lid_slide" in found.machine.frames
