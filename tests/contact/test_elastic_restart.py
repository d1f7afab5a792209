"""An elastic motion that is taken up at any of its rows goes on as it did: parts that overlap there press."""

from __future__ import annotations

import numpy as np
import pytest
from test_elastic_stacks import SINKS, blocks, bond, tower

import linkwork as lw
from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.errors import NoAnswer
from linkwork.model import Machine
from linkwork.model.read import machine_from_text

RATES = {"angle": "rate", "x": "vx", "y": "vy"}


def state_of(found: ContactSolution, row: int) -> tuple[dict[str, float], dict[str, float]]:
    """Places and rates of all variables in a row, as a start is given."""
    start = {name: float(found.columns[name][row]) for name in found.variables}
    rates = {}
    for name in found.variables:
        part, last = name.rsplit(".", 1)
        rates[name] = float(found.columns[f"{part}.{RATES[last]}"][row])
    return start, rates


def taken_up(machine: Machine, until: float, row: int, law: Law) -> tuple[ContactSolution, ContactSolution]:
    """A motion of 1000 rows from its start, and what follows from a row of it."""
    step, laws = until / 1000, Laws(law)
    whole = simulate(machine, until, step=step, contact="elastic", laws=laws)
    assert isinstance(whole, ContactSolution)
    start, rates = state_of(whole, row)
    rest = simulate(
        machine, until - row * step, step=step, contact="elastic", laws=laws, start=start, rates=rates
    )
    assert isinstance(rest, ContactSolution)
    assert rest.status == "complete", rest.why
    return whole, rest


def differences(whole: ContactSolution, rest: ContactSolution, row: int) -> float:
    return max(
        float(np.max(np.abs(rest.columns[name] - whole.columns[name][row : row + len(rest)])))
        for name in whole.variables
    )


@pytest.mark.parametrize(
    ("name", "until"),
    [("escapement", 20.0), ("double-escapement", 10.0), ("ratchet-cw", 10.0), ("door-latch", 1.0)],
)
@pytest.mark.parametrize("row", [200, 370, 500, 830])
def test_a_motion_goes_on_from_any_row(name: str, until: float, row: int) -> None:
    whole, rest = taken_up(lw.load(name), until, row, Law())
    assert rest.columns["contact"][0] == pytest.approx(whole.columns["contact"][row], rel=1e-5, abs=1e-6)
    assert len(rest.contacts(0)) == len(whole.contacts(row))
    assert differences(whole, rest, row) < 3e-6


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("turn", [0.0, 30.0])
def test_a_tower_that_stands_goes_on_standing(friction: float, turn: float) -> None:
    whole, rest = taken_up(blocks(tower(4), turn=turn), 1.0, 700, Law(friction=friction))
    assert len(rest.contacts(0)) == len(whole.contacts(700)) == 8
    assert rest.columns["contact"][0] == pytest.approx(whole.columns["contact"][700], rel=1e-3)
    assert differences(whole, rest, 700) < 1e-2 * SINKS


def test_bricks_in_bond_go_on_standing() -> None:
    """As far as creep lets them: its speed is judged by the length of a run, which is another here."""
    whole, rest = taken_up(blocks(bond(3)), 0.5, 600, Law(friction=0.3))
    assert len(rest.contacts(0)) == len(whole.contacts(600))
    assert differences(whole, rest, 600) < SINKS


def test_no_energy_is_made_at_a_restart() -> None:
    whole, rest = taken_up(lw.load("escapement"), 20.0, 500, Law())
    energy = rest.columns["energy"]
    assert energy[0] == pytest.approx(whole.columns["energy"][500], rel=1e-9)
    assert np.max(np.diff(energy)) <= 1e-9 * energy[0]


def test_what_is_far_in_another_part_is_refused_still() -> None:
    machine = blocks(tower(2))
    with pytest.raises(NoAnswer, match="b0 and b1 are in one another at the start"):
        simulate(machine, 1.0, contact="elastic", start={"b1.y": -0.2})


def test_what_explodes_is_named_with_the_time() -> None:
    """A spring of 10^9 units that is pressed together by 0.005 throws the block away."""
    found = simulate(
        blocks(tower(1)), 1.0, contact="elastic", laws=Laws(Law(stiffness=1e9)), start={"b0.y": -0.005}
    )
    assert isinstance(found, ContactSolution)
    (gone,) = found.departed
    assert gone.parts == ("b0",)
    assert 0.0 < gone.time < 1.0


@pytest.mark.parametrize(("x", "is_refused"), [(2.01, False), (2.3, True), (3.0, True)])
def test_small_parts_deep_in_one_another_are_refused_however_large_the_frame_is(
    x: float, is_refused: bool
) -> None:
    """Two discs of diameter 1 on a table of length 100: what they may press is a share of their own size."""
    disc = 'free = true\nmass = 1\nsolid = "translate([{}, 0, -0.5]) cylinder(d=1, h=1);"\n'
    text = 'linkwork = 1\n[part.base]\nfixed = true\nsolid = "translate([-50, -10, -2]) cube([100, 1, 4]);"\n'
    text += f"[part.a]\n{disc.format(-3)}[part.b]\n{disc.format(0)}"
    machine = machine_from_text(text, "discs.toml", "discs")
    if is_refused:
        with pytest.raises(NoAnswer, match="a and b are in one another"):
            simulate(machine, 0.01, contact="elastic", start={"a.x": x})
    else:
        assert simulate(machine, 0.01, contact="elastic", start={"a.x": x}).status == "complete"


@pytest.mark.parametrize(("length", "thick"), [(2.0, 1.0), (90.0, 0.4)])
def test_a_flat_part_on_a_thin_table_is_not_behind_the_back_of_it(length: float, thick: float) -> None:
    """Its upper corners are before the table: it lies as deep as its weight presses both lower ones, however long."""
    text = f"""
    linkwork = 1
    dimension = 2
    gravity = [0, -10]
    [part.table]
    fixed = true
    solid = "translate([-100, {-thick}, 0]) cube([200, {thick}, 1]);"
    [part.plate]
    free = true
    mass = 1
    inertia = {length**2 / 12}
    solid = "translate([0, 0, 0]) cube([{length}, 0.5, 1]);"
    """
    found = simulate(machine_from_text(text, "plate.toml", "plate"), 3.0, contact="elastic")
    assert found.status == "complete"
    assert found.columns["depth"].max() < 1e-3
    assert found.columns["depth"][-1] == pytest.approx(10 / 2e5, rel=1e-3)
