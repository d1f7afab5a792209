"""Elastic blocks that stand flush on one another, corner over corner: they neither sink in nor gain energy.

Each block rests on two corners. Where it bears w in all, each of these is w / (2 stiffness) deep, in closed form.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.model import Machine
from linkwork.model.read import machine_from_text

GRAVITY = 9.81
MASS = 0.5
STIFFNESS = 1e5
SINKS = MASS * GRAVITY / (2 * STIFFNESS)
Corner = tuple[float, float]


def blocks(corners: list[Corner], *, turn: float = 0.0, way: float = 1.0, scale: float = 1.0) -> Machine:
    """Unit cubes with these lower left corners on a floor; turned with their gravity, in a mirror, or larger."""

    def placed(x: float, y: float, wide: float, high: float) -> str:
        return (
            f"rotate({turn}) scale({scale}) mirror([{1 - way}, 0, 0])"
            f" translate([{x!r}, {y!r}, -1]) cube([{wide}, {high}, 2]);"
        )

    down = math.radians(turn)
    text = f"""linkwork = 1
gravity = [{GRAVITY * scale * math.sin(down)!r}, {-GRAVITY * scale * math.cos(down)!r}]
[part.floor]
fixed = true
solid = '{placed(-0.5, -1, 1, 1) if len({x for x, _ in corners}) == 1 else placed(-9, -1, 18, 1)}'
"""
    for number, (x, y) in enumerate(corners):
        text += f"""[part.b{number}]
free = true
mass = {MASS}
inertia = {MASS / 6 * scale**2!r}
solid = '{placed(x, y, 1, 1)}'
"""
    return machine_from_text(text, "blocks.toml", "blocks")


def tower(high: int) -> list[Corner]:
    return [(-0.5, float(level)) for level in range(high)]


def bond(wide: int) -> list[Corner]:
    """Rows of bricks, each over the joint of two below it."""
    return [(0.5 * level + place, float(level)) for level in range(wide) for place in range(wide - level)]


def stood(machine: Machine, law: Law, until: float = 1.0) -> ContactSolution:
    found = simulate(machine, until, contact="elastic", laws=Laws(law))
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    energy, lost = found.columns["energy"], found.columns["lost"]
    scale = float(np.max(np.abs(energy)))
    assert np.max(np.diff(energy)) <= 1e-9 * scale
    assert energy + lost == pytest.approx(energy[0] + np.zeros(len(energy)), abs=1e-8 * scale)
    return found


def moved(found: ContactSolution, scale: float = 1.0) -> float:
    """How far any block was from where it began, at most."""
    return (
        max(
            float(np.max(np.abs(found.columns[f"{part}.{name}"] - found.columns[f"{part}.{name}"][0])))
            for part, name in product(found.machine.moving, "xy")
        )
        / scale
    )


@pytest.mark.parametrize("high", [2, 3, 4, 5])
@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("turn", [0.0, 90.0, 30.0])
def test_a_tower_stands(high: int, friction: float, turn: float) -> None:
    """It is hardly damped, and so swings: no deeper than twice what it is at rest, and a little for bounces."""
    found = stood(blocks(tower(high), turn=turn), Law(friction=friction, pressing=1.0), until=0.5)
    assert moved(found) <= 2.5 * SINKS * high * (high + 1) / 2


@pytest.mark.parametrize("turn", [0.0, 123.4])
def test_a_tower_comes_to_rest_as_deep_as_its_weight_says(turn: float) -> None:
    found = stood(blocks(tower(4), turn=turn), Law(friction=0.3), until=4.0)
    down = math.radians(turn)
    sunk = 0.0
    for level in range(4):
        x, y = (found.columns[f"b{level}.{name}"] for name in "xy")
        sunk += SINKS * (4 - level)
        assert (x[0] - x[-1]) * math.sin(down) - (y[0] - y[-1]) * math.cos(down) == pytest.approx(
            -sunk, rel=1e-3
        )


@pytest.mark.parametrize("how", [{}, {"way": -1.0, "turn": 30.0}, {"scale": 10.0}, {"turn": 90.0}])
def test_bricks_in_bond_stand(how: dict[str, float]) -> None:
    """With friction: without, the outer ones lean outwards, since what they bear is on one half of them, and slide."""
    scale = how.get("scale", 1.0)
    found = stood(blocks(bond(3), **how), Law(friction=0.3, pressing=100.0 / scale), until=0.5)
    assert moved(found, scale) <= 2.5 * SINKS * 6


@pytest.mark.parametrize("offset", [1e-12, 1e-9, -3e-8, 1e-6, -1e-4, 1e-3])
def test_a_tower_stands_that_is_not_quite_flush(offset: float) -> None:
    corners = [(-0.5 + (offset if level % 2 else -0.5 * offset), float(level)) for level in range(3)]
    found = stood(blocks(corners), Law(friction=0.2, pressing=1.0), until=0.5)
    assert moved(found) <= 2.5 * SINKS * 6


def test_a_tower_and_its_mirror_image_sink_alike() -> None:
    one, other = (stood(blocks(tower(3), way=way), Law(friction=0.3)) for way in (1.0, -1.0))
    for level in range(3):
        assert other.columns[f"b{level}.y"] == pytest.approx(one.columns[f"b{level}.y"], abs=1e-8)


def test_a_block_that_slides_off_an_edge_falls() -> None:
    """What rests on nothing does not stand: a block pushed over the edge of another one of its size tips off it."""
    found = simulate(
        blocks(tower(1)), 1.5, contact="elastic", laws=Laws(Law(pressing=1.0)), rates={"b0.x": 1.0}
    )
    assert found.status == "complete", found.why
    assert found.columns["b0.y"][-1] < -1


@pytest.mark.parametrize("slope", [20.0, 45.0, 70.0])
def test_a_block_slides_off_a_sharp_edge(slope: float) -> None:
    """Its corners come out of the face below while they press on that above: that is not being pressed through."""
    under = -0.1 / math.tan(math.radians(slope))
    machine = machine_from_text(
        f"""linkwork = 1
gravity = [0, {-GRAVITY}]
[part.ledge]
fixed = true
solid = 'translate([0, 0, -1]) linear_extrude(2) polygon([[-9, 0], [-9, -0.1], [{under!r}, -0.1], [0, 0]]);'
[part.block]
free = true
mass = {MASS}
inertia = {MASS / 6!r}
solid = 'translate([-1.2, 0, -1]) cube([1, 1, 2]);'
""",
        "ledge.toml",
        "ledge",
    )
    found = simulate(
        machine, 1.0, contact="elastic", laws=Laws(Law(stiffness=1e3, pressing=1.0)), rates={"block.x": 2.0}
    )
    assert found.status == "complete", found.why
    assert found.columns["block.y"][-1] < -0.1
    energy = found.columns["energy"]
    assert np.max(np.diff(energy)) <= 1e-9 * np.max(np.abs(energy))
