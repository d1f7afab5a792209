"""Linkages of solids whose links strike stops: impacts of closed chains against the projection of all velocities.

Velocities of all bodies jump by M⁻¹(Gᵀλ + nᵀN), where G v = 0 are pins and slides and n v is how the gap opens: the
equations of J. J. Moreau (1988) for one place that is struck, solved here in full with NumPy.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from linkwork.contact import ContactSolution, simulate
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text

Point = tuple[float, float]


@dataclass(frozen=True)
class Link:
    """A bar between two places in a layer, with pins or eyes at its ends: mass, inertia, and its centre of mass."""

    ends: tuple[Point, Point]
    layer: int
    pins: tuple[bool, bool]
    mass: float
    inertia: float
    centre: Point

    @property
    def text(self) -> str:
        solids = " ".join(
            f"translate([{x}, {y}, {2 * self.layer}]) cylinder(d=1, h=2);" for x, y in self.ends
        )
        eyes, pins = "", ""
        for (x, y), pin in zip(self.ends, self.pins, strict=True):
            if pin:
                pins += f"translate([{x}, {y}, {2 * self.layer}]) cylinder(d=0.4, h=4);"
            else:
                eyes += f"translate([{x}, {y}, {2 * self.layer - 1}]) cylinder(d=0.4, h=4);"
        return f"difference() {{ hull() {{ {solids} }} {eyes} }} {pins}"


@dataclass(frozen=True)
class Linkage:
    """Links, the pins between them or to the ground, sliders, where a peg stands, and how it starts."""

    links: dict[str, Link]
    joints: tuple[tuple[str, str, Point], ...]
    peg: tuple[Point, float, int]
    rates: dict[str, float]
    slides: tuple[str, ...] = ()
    more: str = ""
    restitution: float = 0.0
    friction: float = 0.0

    @property
    def text(self) -> str:
        frame = "translate([-9, -9, -3]) cube([30, 20, 1]);"
        for one, other, (x, y) in self.joints:
            if one == "ground":
                frame += f"translate([{x}, {y}, -3]) cylinder(d=0.4, h={5 + 2 * self.links[other].layer});"
        (x, y), radius, layer = self.peg
        frame += f"translate([{x}, {y}, {2 * layer + 0.5}]) cylinder(r={radius}, h=1);" + self.more
        text = f"linkwork = 1\ndimension = 2\n[part.frame]\nfixed = true\nsolid = '''{frame}'''\n"
        for name, link in self.links.items():
            solid = SLIDER if name in self.slides else ""
            x, y = link.ends[0]
            solid = f"translate([{x}, {y}, 0]) {{ {solid} }}" if solid else link.text
            text += f"[part.{name}]\nsolid = '''{solid}'''\nmass = {link.mass}\ninertia = {link.inertia}\n"
            text += f"centre = [{link.centre[0]}, {link.centre[1]}]\n"
        return text + f"[contact]\nrestitution = {self.restitution}\nfriction = {self.friction}\n"

    def run(self, until: float) -> ContactSolution:
        machine = machine_from_text(self.text, "linkage.toml", "linkage")
        found = simulate(machine, until, step=until, contact="rigid", rates=self.rates, rtol=1e-12)
        assert isinstance(found, ContactSolution)
        assert found.status == "complete", found.why
        return found

    def velocities(self, found: ContactSolution) -> Matrix:
        """Of the centres of mass and of turning, in the last row."""
        rows = []
        for name, link in self.links.items():
            x, y, vx, vy, rate = (found.columns[f"{name}.{c}"][-1] for c in ("x", "y", "vx", "vy", "rate"))
            away = self.placed(found, name, link.centre) - [x, y]
            rows.append([vx - rate * away[1], vy + rate * away[0], rate])
        return np.array(rows).ravel()

    def placed(self, found: ContactSolution, name: str, at: Point) -> Matrix:
        """Where a place of the drawing of a link is in the last row."""
        x, y, angle = (found.columns[f"{name}.{c}"][-1] for c in ("x", "y", "angle"))
        c, s = math.cos(angle), math.sin(angle)
        return np.array([x + c * at[0] - s * at[1], y + s * at[0] + c * at[1]])

    def moves(self, found: ContactSolution, name: str, at: Matrix) -> Matrix:
        """How velocities of all links move a place of the world on one of them; nothing for the ground."""
        rows = np.zeros((2, 3 * len(self.links)))
        if name != "ground":
            place = 3 * [*self.links].index(name)
            away = at - self.placed(found, name, self.links[name].centre)
            rows[:, place : place + 3] = [[1, 0, -away[1]], [0, 1, away[0]]]
        return rows

    def constraints(self, found: ContactSolution) -> Matrix:
        """What all joints say of velocities: rows whose product with them is 0."""
        rows = []
        for one, other, at in self.joints:
            held = self.placed(found, other, at)
            rows += [*(self.moves(found, other, held) - self.moves(found, one, held))]
        for name in self.slides:
            row = np.zeros((2, 3 * len(self.links)))
            place = 3 * [*self.links].index(name)
            row[0, place + 1] = row[1, place + 2] = 1
            rows += [*row]
        return np.array(rows)


SLIDER = "translate([-0.5, -1.5, 0]) cube([1, 3, 2]); translate([0, -0.5, 0]) cube([9, 1, 2]); cylinder(d=0.4, h=4);"


def struck(linkage: Linkage, before: ContactSolution, event: Mapping[str, Any]) -> tuple[Matrix, float]:
    """Velocities after an inelastic or elastic impact by the full equations, and the impulse along the normal."""
    at, (x, y) = np.array(event["point"]), event["normal"]
    one, other = event["parts"]
    apart = linkage.moves(before, one, at) - linkage.moves(before, other, at)
    opens, slip = np.array([x, y]) @ apart, np.array([y, -x]) @ apart
    mass = np.array([[link.mass, link.mass, link.inertia] for link in linkage.links.values()]).ravel()
    held, v = linkage.constraints(before), linkage.velocities(before)

    def solved(pushes: Matrix, goals: Matrix, wanted: Matrix) -> tuple[Matrix, Matrix]:
        """Velocities by impulses of joints and some pushes, such that what is in goals becomes what is wanted."""
        across = np.concatenate([held, goals])
        gives = np.column_stack([held.T / mass[:, None], pushes.T / mass[:, None]])
        target = np.concatenate([np.zeros(len(held)), wanted]) - across @ v
        impulses = np.linalg.lstsq(across @ gives, target, rcond=None)[0]
        return v + gives @ impulses, impulses[len(held) :]

    if not linkage.friction:
        after, (impulse,) = solved(opens[None, :], opens[None, :], -linkage.restitution * (opens @ v)[None])
        return after, float(impulse)
    after, pushed = solved(np.array([opens, slip]), np.array([opens, slip]), np.zeros(2))
    if abs(pushed[1]) > linkage.friction * pushed[0]:
        way = -math.copysign(linkage.friction, slip @ v)
        after, pushed = solved((opens + way * slip)[None, :], opens[None, :], np.zeros(1))
    return after, float(pushed[0])


# --------------------------------------------------------------------------------- random linkages


def meet(one: Point, other: Point, first: float, second: float, side: int) -> Point:
    """Where circles about two places cross."""
    away = np.subtract(other, one)
    apart = math.hypot(*away)
    along = (first**2 - second**2 + apart**2) / (2 * apart)
    across = side * math.sqrt(first**2 - along**2)
    x, y = one + along * away / apart + across * np.array([-away[1], away[0]]) / apart
    return float(x), float(y)


def turned(about: Point, length: float, angle: float) -> Point:
    return about[0] + length * math.cos(angle), about[1] + length * math.sin(angle)


def link(rng: random.Random, one: Point, other: Point, layer: int, pins: tuple[bool, bool]) -> Link:
    share, off = rng.uniform(0.2, 0.8), rng.uniform(-0.5, 0.5)
    centre = (one[0] + share * (other[0] - one[0]) - off, one[1] + share * (other[1] - one[1]) + off)
    return Link((one, other), layer, pins, rng.uniform(0.5, 3), rng.uniform(0.5, 3), centre)


def beside(one: Point, other: Point, share: float, side: int) -> Point:
    """A place near a bar, as far that a peg of radius 0.3 there just touches the bar."""
    way = np.subtract(other, one) / math.dist(one, other)
    x, y = np.array(one) + share * np.subtract(other, one) + side * 0.8 * np.array([-way[1], way[0]])
    return float(x), float(y)


def four_bar(rng: random.Random) -> Linkage:
    """Its coupler strikes a peg when the crank has turned by a third of a radian."""
    a, d = (0.0, 0.0), (8.0, 0.0)
    lengths = (rng.uniform(2, 2.5), rng.uniform(7, 8), rng.uniform(5, 6))
    start, way = rng.uniform(0.5, 2.5), rng.choice((-1, 1))

    def pose(angle: float) -> tuple[Point, Point]:
        b = turned(a, lengths[0], angle)
        return b, meet(b, d, lengths[1], lengths[2], 1)

    (b, c), (late_b, late_c) = pose(start), pose(start + way * 0.35)
    share = rng.uniform(0.2, 0.8)
    # on the side to which the coupler goes
    here, there = (
        np.array(b) + share * np.subtract(c, b),
        np.array(late_b) + share * np.subtract(late_c, late_b),
    )
    across = np.subtract(late_c, late_b)
    side = 1 if across[0] * (there - here)[1] - across[1] * (there - here)[0] > 0 else -1
    links = {
        "crank": link(rng, a, b, 0, (False, True)),
        "coupler": link(rng, b, c, 1, (False, False)),
        "rocker": link(rng, d, c, 0, (False, True)),
    }
    joints = (
        ("ground", "crank", a),
        ("ground", "rocker", d),
        ("crank", "coupler", b),
        ("rocker", "coupler", c),
    )
    peg = (beside(late_b, late_c, share, side), 0.3, 1)
    return Linkage(links, joints, peg, {"crank.angle": way * rng.uniform(0.5, 3)})


def five_bar(rng: random.Random) -> Linkage:
    """Two cranks and two couplers: two freedoms, of which an impact takes one."""
    a, e = (0.0, 0.0), (8.0, 0.0)
    angles, rates = [rng.uniform(1.2, 2.2), rng.uniform(1.0, 1.9)], [rng.uniform(-2, 2), rng.uniform(-2, 2)]
    first, second = rng.uniform(5.5, 6.5), rng.uniform(5.5, 6.5)

    def pose(time: float) -> tuple[Point, Point, Point]:
        b, d = (
            turned(at, 3, angle + time * rate) for at, angle, rate in zip((a, e), angles, rates, strict=True)
        )
        return b, meet(b, d, first, second, 1), d

    (b, c, d), (late_b, late_c, _) = pose(0), pose(0.05)
    middle, late = (np.array(one) + np.array(other) for one, other in ((b, c), (late_b, late_c)))
    across, gone = np.subtract(c, b), late - middle
    side = 1 if across[0] * gone[1] - across[1] * gone[0] > 0 else -1
    way = np.array([-across[1], across[0]]) / math.hypot(*across)
    x, y = middle / 2 + side * way * 0.85
    links = {
        "left": link(rng, a, b, 0, (False, True)),
        "fore": link(rng, b, c, 1, (False, True)),
        "back": link(rng, d, c, 2, (False, False)),
        "right": link(rng, e, d, 1, (False, True)),
    }
    joints = (
        ("ground", "left", a),
        ("ground", "right", e),
        ("left", "fore", b),
        ("fore", "back", c),
        ("right", "back", d),
    )
    return Linkage(
        links, joints, ((float(x), float(y)), 0.3, 1), {"left.angle": rates[0], "right.angle": rates[1]}
    )


def slider_crank(rng: random.Random) -> Linkage:
    """Its slider runs into a stop."""
    a, crank, rod = (0.0, 0.0), rng.uniform(1.5, 2.5), rng.uniform(5, 7)
    start, way = rng.uniform(0.7, 2.4), rng.choice((-1, 1))

    def reach(angle: float) -> float:
        return crank * math.cos(angle) + math.sqrt(rod**2 - (crank * math.sin(angle)) ** 2)

    b, c = turned(a, crank, start), (reach(start), 0.0)
    late = reach(start + way * 0.4)
    peg = (late + math.copysign(0.8, late - c[0]), 1.2)
    links = {
        "crank": link(rng, a, b, 0, (False, True)),
        "rod": link(rng, b, c, 1, (False, False)),
        "slider": Link((c, c), 0, (True, True), rng.uniform(0.5, 3), 1.0, c),
    }
    joints = (("ground", "crank", a), ("crank", "rod", b), ("slider", "rod", c))
    block, bore = (
        f"translate([{c[0] + 4}, -2, -3]) cube([3, 4, 6]);",
        f"translate([{c[0]}, -0.5, 0]) cube([20, 1, 2]);",
    )
    guide = f"difference() {{ {block} {bore} }}"
    return Linkage(links, joints, (peg, 0.3, 0), {"crank.angle": way * 2.0}, ("slider",), guide)


LINKAGES: dict[str, Callable[[random.Random], Linkage]] = {
    "four-bar": four_bar,
    "five-bar": five_bar,
    "slider-crank": slider_crank,
}
LAWS = {"plastic": (0.0, 0.0), "springy": (0.5, 0.0), "rough": (0.0, 0.3)}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(each, marks=pytest.mark.slow) for each in (2, 3, 4))])
@pytest.mark.parametrize("kind", LINKAGES)
def test_a_link_that_strikes_a_stop_moves_on_as_the_whole_chain_lets_it(
    kind: str, seed: int, law: str
) -> None:
    """Velocities of all links right behind the impact are those of the full equations; so is the impulse if smooth."""
    restitution, friction = LAWS[law]
    linkage = replace(LINKAGES[kind](random.Random(seed)), restitution=restitution, friction=friction)
    event = next(event for event in linkage.run(0.6).events if event["kind"] == "impact")
    before, behind = (linkage.run(event["t"] + way * 1e-9) for way in (-1, 1))
    after, impulse = struck(linkage, before, event)
    size = float(np.max(np.abs(linkage.velocities(before))))
    assert linkage.velocities(behind) == pytest.approx(after, abs=1e-7 * size)
    if not friction:
        assert event["impulse"] == pytest.approx(impulse, rel=1e-6)
        effective = impulse / (1 + restitution) / event["approach"]
        lost = 0.5 * effective * event["approach"] ** 2 * (1 - restitution**2)
        assert event["lost"] == pytest.approx(lost, rel=1e-6)
