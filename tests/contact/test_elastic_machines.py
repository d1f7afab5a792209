"""Latches, cams, ratchets, loose fits, balls and bars: elastic parts end as rigid ones do, however they are placed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files

import numpy as np
import pytest

from linkwork import load
from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.model import Machine
from linkwork.model.read import machine_from_text

GRAVITY = 9.81


@dataclass(frozen=True)
class Placed:
    """How a machine is placed: turned with its gravity, in a mirror, larger."""

    turn: float = 0.0
    way: float = 1.0
    scale: float = 1.0


@dataclass(frozen=True)
class Drawn:
    """Solids and physics of parts; how long to look, and with which friction and first rates."""

    parts: dict[str, tuple[str, Callable[[Placed], str]]]
    until: float
    friction: float = 0.0
    rates: dict[str, float] = field(default_factory=dict)

    def machine(self, placed: Placed) -> Machine:
        down, pull = math.radians(placed.turn), GRAVITY * placed.scale
        text = f"linkwork = 1\ngravity = [{pull * math.sin(down)!r}, {-pull * math.cos(down)!r}]\n"
        for name, (solid, physics) in self.parts.items():
            moved = (
                f"rotate({placed.turn}) scale({placed.scale}) mirror([{1 - placed.way}, 0, 0]) {{ {solid} }}"
            )
            text += f"[part.{name}]\nsolid = '{moved}'\n{physics(placed)}\n"
        return machine_from_text(text, "drawn.toml", "drawn")

    def run(self, model: str, placed: Placed, times_stiffer: float = 1.0) -> ContactSolution:
        law = Law(
            friction=self.friction,
            stiffness=1e6 * times_stiffer,
            pressing=1e3 * times_stiffer**2 / placed.scale,
        )
        down = math.radians(placed.turn)
        rates = {}
        for name, speed in self.rates.items():
            rates[f"{name}.x"] = placed.way * placed.scale * speed * math.cos(down)
            rates[f"{name}.y"] = placed.way * placed.scale * speed * math.sin(down)
        found = simulate(self.machine(placed), self.until, contact=model, laws=Laws(law), rates=rates)
        assert isinstance(found, ContactSolution)
        assert found.status == "complete", found.why
        return found


def fixed(placed: Placed) -> str:
    return "fixed = true"


def free(mass: float, inertia: float) -> Callable[[Placed], str]:
    return lambda placed: f"free = true\nmass = {mass}\ninertia = {inertia * placed.scale**2!r}"


def hinged(inertia: float, friction: float, rest: float, stiffness: float) -> Callable[[Placed], str]:
    def physics(placed: Placed) -> str:
        area = placed.scale**2
        return (
            f"inertia = {inertia * area!r}\nmass = 1e-9\nfriction = {friction * area!r}\n"
            f"spring = {{ rest = {placed.way * rest!r}, stiffness = {stiffness * area!r} }}"
        )

    return physics


def disc(x: float, y: float, radius: float) -> str:
    return f"translate([{x}, {y}, -1]) cylinder(r={radius}, h=2);"


def box(x: float, y: float, wide: float, high: float, turn: float = 0.0) -> str:
    return f"translate([{x}, {y}, -1]) rotate({turn}) cube([{wide}, {high}, 2]);"


def prism(*corners: tuple[float, float]) -> str:
    return f"translate([0, 0, -1]) linear_extrude(2) polygon({[list(each) for each in corners]});"


def bored(x: float, y: float, *solids: str) -> str:
    return (
        f"difference() {{ union() {{ {' '.join(solids)} }} translate([{x}, {y}, -2]) cylinder(d=1, h=4); }}"
    )


def frame(*axes: tuple[float, float]) -> str:
    plate = "translate([-5, -5, -3]) cube([12, 12, 1]);"
    return plate + "".join(f" translate([{x}, {y}, -3]) cylinder(d=1, h=5);" for x, y in axes)


FLOOR = box(-20, -1, 40, 1)
BALL = free(1.0, 0.125)
TEETH = "for (k = [0:9]) rotate(36*k)" + prism((1.5, -0.5), (2.8, 0.35), (1.9, 0.5))
PAWL = bored(4.2, 0, disc(4.2, 0, 0.8), prism((4.2, 0.5), (2.5, 0.9), (2.5, 0.6), (4.2, -0.5)))
HOOK = prism((0.3, 3.7), (0.7, 4), (2.5, 1.9), (2.2, 1.2), (1.8, 1.6), (2.0, 1.9))
MACHINES = {
    "a ball in a groove": Drawn(
        {
            "floor": (prism((-3, 3), (0, 0), (3, 3), (3, -1), (-3, -1)), fixed),
            "ball": (disc(1.2, 2.6, 0.5), BALL),
        },
        2.0,
    ),
    "a ring on a thinner pin": Drawn(
        {
            "pin": (disc(0, 0, 0.8), fixed),
            "ring": (
                "difference() { translate([0, -0.3, -1]) cylinder(r=2, h=2); translate([0, -0.3, -2])"
                " cylinder(r=1.1, h=4); translate([1.2, -0.5, -2]) cube([0.5, 0.4, 4]); }",
                free(1.0, 2.0),
            ),
        },
        2.0,
    ),
    "a bar on two posts": Drawn(
        {
            "posts": (box(-3, -1, 1, 2) + box(2, -1, 1, 2) + box(-3, -2, 6, 1), fixed),
            "bar": (box(-3, 1.4, 7, 0.5, -2), free(1.0, 4.2)),
        },
        2.0,
        friction=0.3,
    ),
    "a block that falls on its corner": Drawn(
        {"floor": (FLOOR, fixed), "block": (box(0, 1.5, 1, 1, 20), free(1.0, 1 / 6))}, 2.0
    ),
    "three balls in a box": Drawn(
        {
            "box": (
                "difference() { translate([-2, -0.5, -1]) cube([4, 5, 2]); translate([-1.5, 0, -2]) cube([3, 6, 4]); }",
                fixed,
            ),
            "a": (disc(-0.8, 0.8, 0.6), free(1.0, 0.18)),
            "b": (disc(0.6, 1.2, 0.6), free(1.0, 0.18)),
            "c": (disc(-0.1, 2.6, 0.6), free(1.0, 0.18)),
        },
        2.0,
    ),
    "a ball that strikes two": Drawn(
        {
            "floor": (FLOOR, fixed),
            "a": (disc(-3, 0.5, 0.5), BALL),
            "b": (disc(0, 0.5, 0.5), BALL),
            "c": (disc(1.2, 0.5, 0.5), BALL),
        },
        1.5,
        rates={"a": 4.0},
    ),
    "a ball on a wedge": Drawn(
        {
            "floor": (FLOOR, fixed),
            "wedge": (prism((-2, 0), (2, 0), (-2, 1.5)), free(2.0, 1.0)),
            "ball": (disc(-1.2, 2.6, 0.5), BALL),
        },
        1.0,
    ),
    "a ratchet": Drawn(
        {
            "frame": (frame((0, 0), (4.2, 0)), fixed),
            "wheel": (bored(0, 0, disc(0, 0, 2), TEETH), hinged(1.0, 0.4, -6.0, 2.0)),
            "pawl": (PAWL, hinged(0.2, 0.3, 0.3, 3.0)),
        },
        3.0,
    ),
    "a cam": Drawn(
        {
            "frame": (frame((0, 0), (4, 2.2)), fixed),
            "cam": (bored(0, 0, disc(0.5, 0, 1.5)), hinged(2.0, 0.3, 9.0, 1.5)),
            "lever": (bored(4, 2.2, box(-1, 1.7, 5.8, 0.9), disc(4, 2.2, 0.8)), hinged(1.0, 1.0, 0.3, 6.0)),
        },
        5.0,
        friction=0.2,
    ),
    "a latch": Drawn(
        {
            "frame": (frame((0, 0), (0, 4)), fixed),
            "hook": (bored(0, 4, disc(0, 4, 0.8), HOOK), hinged(0.3, 0.4, -0.1, 3.0)),
            "arm": (bored(0, 0, disc(0, 0, 0.8), box(0, -0.3, 2.6, 0.6)), hinged(0.5, 0.5, 1.5, 2.0)),
        },
        4.0,
    ),
}


@pytest.mark.parametrize("name", MACHINES)
def test_stiffer_parts_end_as_rigid_ones(name: str) -> None:
    """A hundred times as stiff, and parting a hundred times as slowly: what is left of the difference is small."""
    drawn = MACHINES[name]
    rigid, soft, stiff = (
        drawn.run("rigid", Placed()),
        drawn.run("elastic", Placed()),
        drawn.run("elastic", Placed(), 100.0),
    )

    def off(found: ContactSolution) -> float:
        return max(abs(float(found.columns[each][-1] - rigid.columns[each][-1])) for each in rigid.variables)

    assert off(stiff) < 2e-3
    assert off(stiff) < 0.5 * off(soft) + 1e-5


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("placed", [Placed(way=-1.0), Placed(turn=37.0), Placed(scale=10.0)])
def test_a_machine_moves_alike_wherever_it_is_placed(name: str, placed: Placed) -> None:
    drawn = MACHINES[name]
    one, other = drawn.run("elastic", Placed()), drawn.run("elastic", placed)
    turn = np.exp(1j * math.radians(placed.turn))
    for each in one.variables:
        part, last = each.rsplit(".", 1)
        if last == "angle":
            assert other.columns[each] == pytest.approx(placed.way * one.columns[each], abs=5e-5)
        else:
            x, y = (one.columns[f"{part}.{axis}"] - one.columns[f"{part}.{axis}"][0] for axis in "xy")
            moved = placed.scale * (placed.way * x + 1j * y) * turn
            wanted = moved.real if last == "x" else moved.imag
            got = other.columns[each] - other.columns[each][0]
            assert got == pytest.approx(wanted, abs=1e-6 * placed.scale)


@pytest.mark.parametrize("name", [name for name, drawn in MACHINES.items() if "frame" not in drawn.parts])
def test_what_leaves_a_machine_is_what_contacts_took(name: str) -> None:
    found = MACHINES[name].run("elastic", Placed())
    energy, lost = found.columns["energy"], found.columns["lost"]
    assert energy + lost == pytest.approx(
        energy[0] + np.zeros(len(energy)), abs=1e-6 * lost[-1] + 1e-9 * abs(energy[0])
    )
    assert np.max(np.diff(energy)) <= 1e-8 * np.max(np.abs(energy))


@pytest.mark.parametrize("rtol", [1e-8, 1e-9])
def test_contacts_side_by_side_do_not_take_turns(rtol: float) -> None:
    """Four ribs of a click pen whose rotor has no more room press alike, and part as fast as they may, all at once."""
    text = (files("linkwork.examples") / "click-pen.toml").read_text(encoding="utf-8")
    short = text.replace("translate([60, -32, 1])", "translate([24, -32, 1])")
    assert short != text
    found = simulate(machine_from_text(short, "pen.toml", "pen"), 5.3, step=0.1, contact="elastic", rtol=rtol)
    assert found.status == "complete", found.why


def test_the_pen_clicks_in_and_out() -> None:
    """After each click the rotor is two or four units farther, with the tip out (y = 0) or drawn in (y = 8)."""
    for model in ("rigid", "elastic"):
        found = simulate(load("click-pen"), 6.0, step=1.0, contact=model)
        assert found.columns["rotor.x"] == pytest.approx([0, 4, 6, 10, 12, 16, 18], abs=0.1)
        assert found.columns["rotor.y"] == pytest.approx([0, 8, 0, 8, 0, 8, 0], abs=0.1)
