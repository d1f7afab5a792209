"""The variables by which ``recognise`` tells motions are names that the found machine knows."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.algebra import number
from linkwork.errors import LinkworkError, NoAnswer, UsageError
from linkwork.model.ordered import Ordered
from linkwork.model.read import machine_from_text
from linkwork.model.write import machine_to_text

HERE = Path(__file__).parent


def found(name: str) -> lw.Recognition:
    """What is found in a machine; parts of which nothing tells a mass have one."""
    machine = lw.load(HERE / f"{name}.toml" if "/" in name else name)
    weightless = {
        key: replace(part, density=number(1))
        for key, part in machine.parts.items()
        if part.density is None and part.mass is None and part.inertia is None
    }
    return lw.recognise(replace(machine, parts=Ordered({**machine.parts, **weightless})))


@pytest.mark.parametrize(
    "name",
    [
        "everyday/ball-socket",
        "everyday/caster",
        "everyday/drawer",
        "everyday/universal",
        "workshop/desk-lamp",
        "workshop/tie-rod",
        "click-pen",
        "gear-train",
        "irregular-pendulum",
        "woodpecker",
    ],
)
def test_a_rate_may_be_told_of_every_variable(name: str) -> None:
    """Each alone at a rate of its own: what moves then has energy, and the others may be told to stand still."""
    recognised = found(name)
    machine = recognised.machine
    assert machine is not None
    names = [variable.name for variable in recognised.variables()]
    for moving in names:
        rates = {each: float(each == moving) for each in names}
        begun = lw.simulate(machine, until=1e-3, step=1e-3, rates=rates)
        assert begun.columns["kinetic"][0] > 0, moving


def test_a_slide_in_space_starts_and_moves_by_its_displacement() -> None:
    machine = found("everyday/drawer").machine
    assert machine is not None
    own, by_joint = (
        lw.simulate(machine, until=1, start={name: 3.0}, rates={name: 2.0}).columns["drawer.y"]
        for name in ("drawer.displacement", "drawer_slide.displacement")
    )
    assert own[[0, -1]] == pytest.approx([3, 5])
    assert np.array_equal(own, by_joint)


@pytest.mark.parametrize("angle", [0.5, -2.0, 3.0])
def test_a_turn_in_space_starts_at_its_angle(angle: float) -> None:
    """Sine and cosine alone tell half a turn from none: the shaft is as far round as it was told to be."""
    machine = found("everyday/universal").machine
    assert machine is not None
    told = {"yokeA.angle": angle}
    moved = lw.simulate(machine, until=1e-3, step=1e-3, start=told, rates={"yokeA.angle": 4.0}).columns
    q = [float(moved[f"yokeA.q{place}"][0]) for place in range(4)]
    turned = 2 * math.atan2(math.hypot(*q[1:]), q[0])
    assert min(turned, 2 * math.pi - turned) == pytest.approx(abs(angle), abs=1e-9)
    rates = [float(moved[f"yokeA.r{place}"][0]) for place in range(4)]
    assert 2 * math.hypot(*rates) == pytest.approx(
        4.0
    )  # the length of a unit quaternion's rate is half the spin


def test_a_wheel_that_follows_others_may_be_told() -> None:
    """The coordinates of meshing wheels follow from one another; which of them is the variable need not be known."""
    recognised = found("gear-train")
    machine = recognised.machine
    assert machine is not None
    gears = [pair for pair in recognised.pairs if pair.kind == "gear"]
    first, second = gears[0].parts
    for told in (first, second):
        moved = lw.simulate(machine, until=1e-3, step=1e-3, rates={f"{told}.angle": 1.0}).columns
        assert moved[f"{told}.rate"][0] == pytest.approx(1)
        assert moved[f"{second}.rate"][0] == pytest.approx(gears[0].ratio * moved[f"{first}.rate"][0])


def test_a_drive_of_a_written_file_names_the_coordinate_as_told() -> None:
    machine = found("everyday/drawer").machine
    assert machine is not None
    drive = '\n[drive.pull]\nof = "drawer.displacement"\nrange = [0, 4]\n'
    driven = machine_from_text(machine_to_text(machine) + drive, "found.toml", "found")
    assert lw.Mechanism(driven).move(steps=4).columns["drawer.y"] == pytest.approx([0, 1, 2, 3, 4])


def test_what_the_joints_do_not_allow_is_refused() -> None:
    machine = found("everyday/drawer").machine
    assert machine is not None
    with pytest.raises(NoAnswer, match="cannot move so at first"):
        lw.simulate(machine, until=1, rates={"drawer.displacement": 1.0, "drawer.y": 2.0})
    with pytest.raises(NoAnswer, match="cannot stand so at first"):
        lw.simulate(machine, until=1, start={"drawer.displacement": 1.0, "drawer.x": 2.0})
    with pytest.raises(UsageError, match=r"no variable 'drawer\.displacment'") as caught:
        lw.simulate(machine, until=1, rates={"drawer.displacment": 1.0})
    assert "drawer.displacement" in caught.value.fix
    with pytest.raises(UsageError, match=r"no variable 'drawer\.turn_x'"):
        lw.simulate(machine, until=1, start={"drawer.turn_x": 1.0})


@pytest.mark.parametrize(
    "name", ["everyday/drawer", "everyday/universal", "workshop/tie-rod", "click-pen", "gear-train"]
)
def test_every_variable_with_a_value_is_a_column(name: str) -> None:
    """Told to go at a rate of its own it begins where it is drawn and goes on so, however far round."""
    recognised = found(name)
    machine = recognised.machine
    assert machine is not None
    free = replace(machine, forces=Ordered({}), gravity=None)
    for variable in recognised.variables():
        if variable.coordinate.startswith("turn_"):
            continue
        begun = lw.simulate(free, until=1e-3, step=5e-4, rates={variable.name: 1.0})
        assert np.diff(begun[variable.name]) == pytest.approx(5e-4, rel=1e-3), variable.name


def test_columns_of_joints_are_those_of_their_parts() -> None:
    """A slide along y goes as y does; a shaft that turns at a rate of 4 is at 4 t after many turns too."""
    drawer, universal = found("everyday/drawer").machine, found("everyday/universal").machine
    assert drawer is not None
    assert universal is not None
    slid = lw.simulate(
        drawer, until=1, start={"drawer.displacement": 3.0}, rates={"drawer.displacement": 2.0}
    )
    for name in ("drawer.displacement", "drawer_slide.displacement"):
        assert slid[name] == pytest.approx(slid["drawer.y"])
    turned = lw.simulate(universal, until=8, step=0.25, rates={"yokeA.angle": 4.0})
    assert turned["yokeA.angle"] == pytest.approx(4 * turned.times, abs=1e-6)
    with pytest.raises(LinkworkError, match=r"no column 'drawer\.displacment'") as caught:
        slid["drawer.displacment"]
    assert "drawer.displacement" in caught.value.fix
