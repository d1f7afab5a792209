"""Random clocks, ratchets, cams, Geneva drives, latches and loose fits, and how they are placed and scaled.

All physics of a machine is told in units of a length, a mass and a time, so that scaled ones move alike: angles stay,
lengths and times grow with their units.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from linkwork.model import Machine
from linkwork.model.read import machine_from_text


@dataclass(frozen=True)
class Placed:
    """Units in which a machine is made, and where it stands: mirrored in x, then turned, then shifted."""

    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    mirrored: bool = False
    turn: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def way(self) -> int:
        return -1 if self.mirrored else 1

    def solid(self, text: str) -> str:
        mirror = "mirror([1, 0, 0]) " if self.mirrored else ""
        x, y = self.shift
        return f"translate([{x}, {y}, 0]) rotate({self.turn}) {mirror}scale({self.length!r}) union() {{ {text} }}"

    def vector(self, x: Any, y: Any) -> tuple[Any, Any]:
        """A direction, mirrored and turned."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return (c * self.way * x - s * y, s * self.way * x + c * y)


Physics = Callable[[Placed], str]


@dataclass(frozen=True)
class Drawn:
    """Solids and physics of parts, and what else the file says; gravity, contacts, and how long to look."""

    parts: dict[str, tuple[str, Physics]]
    until: float
    gravity: float = 0.0
    friction: float = 0.0
    restitution: float = 0.0
    more: Physics = field(default=lambda _: "")
    driven: bool = False

    def machine(self, placed: Placed = Placed()) -> Machine:
        pull = self.gravity * placed.length / placed.time**2
        x, y = placed.vector(0.0, -pull)
        text = f"linkwork = 1\ngravity = [{x!r}, {y!r}]\n"
        for name, (solid, physics) in self.parts.items():
            text += f"[part.{name}]\nsolid = '''{placed.solid(solid)}'''\n{physics(placed)}\n"
        text += f"[contact]\nfriction = {self.friction!r}\nrestitution = {self.restitution!r}\n"
        return machine_from_text(text + self.more(placed), "drawn.toml", "drawn")


def fixed(_: Placed) -> str:
    return "fixed = true"


def free(mass: float, inertia: float) -> Physics:
    return lambda by: (
        f"free = true\nmass = {mass * by.mass!r}\ninertia = {inertia * by.mass * by.length**2!r}"
    )


def hinged(inertia: float, friction: float, rest: float, stiffness: float) -> Physics:
    """Angles in degrees."""

    def physics(by: Placed) -> str:
        unit = by.mass * by.length**2
        return (
            f"inertia = {inertia * unit!r}\nmass = {1e-3 * by.mass!r}\nfriction = {friction * unit / by.time!r}\n"
            f'spring = {{ rest = "{by.way * rest!r} deg", stiffness = {stiffness * unit / by.time**2!r} }}'
        )

    return physics


def sliding(mass: float, friction: float, rest: float, stiffness: float, along: str = "y") -> Physics:
    """The rest is counted along x or y, of which a mirror turns x."""

    def physics(by: Placed) -> str:
        where = rest * by.length * (by.way if along == "x" else 1)
        return (
            f"mass = {mass * by.mass!r}\nfriction = {friction * by.mass / by.time!r}\n"
            f"spring = {{ rest = {where!r}, stiffness = {stiffness * by.mass / by.time**2!r} }}"
        )

    return physics


def driven(part: str, rate: float) -> Physics:
    return lambda by: f'[drive.motor]\nof = "{part}.angle"\nrate = {by.way * rate / by.time!r}\n'


def bored(x: float, y: float, solid: str, d: float = 1.0) -> str:
    return f"difference() {{ union() {{ {solid} }} translate([{x}, {y}, -9]) cylinder(d={d}, h=18); }}"


def shafts(*places: tuple[float, float]) -> str:
    plate = "translate([-30, -30, -4]) cube([90, 80, 1]);"
    return plate + "".join(f" translate([{x}, {y}, -4]) cylinder(d=1, h=6);" for x, y in places)


def disc(x: float, y: float, radius: float, low: float = 0.0, height: float = 1.0) -> str:
    return f"translate([{x}, {y}, {low}]) cylinder(r={radius}, h={height});"


def box(x: float, y: float, wide: float, high: float, turn: float = 0.0) -> str:
    return f"translate([{x}, {y}, 0]) rotate({turn}) cube([{wide}, {high}, 1]);"


def prism(corners: list[tuple[float, float]]) -> str:
    return f"linear_extrude(1) polygon({[list(each) for each in corners]});"


# ------------------------------------------------------------------------------------------ the kinds


def clock(rng: random.Random) -> Drawn:
    """An escape wheel with any number of teeth, a lever with three pallets, a balance."""
    teeth, tip = rng.randint(7, 14), rng.uniform(5.25, 5.45)
    turn, lean = rng.uniform(0, 360 / teeth), rng.uniform(2, 7)
    entry, leave = rng.uniform(4, 10), rng.uniform(-45, -35)
    lever = f"""translate([-5, 6.4, 0]) cube([10, 2.2, 1]);
      translate([-3, 5.6, 0]) rotate({entry}) cube([0.9, 2, 1]);
      translate([-3, 5.6, 0]) rotate(25) cube([0.9, 2, 1]);
      translate([2.4, 5.7, 0]) rotate({leave}) translate([0, 0.1, 0]) cube([1, 2, 1]);
      translate([-0.5, 8, 0]) cube([1, 8, 1]);
      translate([0, 16.2, 0]) rotate(-45) translate([0, -1, 0]) cube([1, 1.8, 1]);
      translate([0, 16.2, 0]) rotate(45) translate([-1, -1, 0]) cube([1, 1.8, 1]);"""
    wheel = f"""rotate({turn}) {{ cylinder(d=10, h=1);
      for (k = [1:{teeth}]) rotate(360*k/{teeth}) translate([-3.2, 0, 0]) cube([0.3, {tip}, 1]); }}"""
    tilted = f"translate([0, 7.5, 0]) rotate({lean}) translate([0, -7.5, 0])"
    banks = disc(-1.6, 14, 0.5, -4, 5) + disc(1.6, 14, 0.5, -4, 5)
    return Drawn(
        {
            "frame": (shafts((0, 0), (0, 7.5), (0, 20)) + banks, fixed),
            "wheel": (bored(0, 0, wheel), hinged(200, 20, -10000, rng.uniform(10, 30))),
            "lever": (tilted + bored(0, 7.5, lever), hinged(10, 5, 0, 1e-6)),
            "balance": (
                bored(0, 20, disc(0, 20, 4, -1) + disc(-3, 20, 0.5, -1, 2)),
                hinged(20, 6, rng.uniform(80, 100), rng.uniform(10, 20)),
            ),
        },
        15.0,
        friction=rng.choice((0.0, 0.0, 0.1)),
    )


def ratchet(rng: random.Random) -> Drawn:
    """A wheel with slanted or square teeth that a spring turns, and a pawl."""
    teeth = rng.randint(6, 16)
    turn, rest = rng.uniform(0, 360 / teeth), rng.choice((-1, 1)) * rng.uniform(600, 1500)
    tooth = rng.choice(
        (
            "translate([-4.2, 0, 0]) cube([0.4, 4.5, 1])",
            "linear_extrude(1) polygon([[4, -1], [6, 0.2], [4.5, 1]])",
        )
    )
    wheel = f"rotate({turn}) {{ cylinder(d=10, h=1); for (k = [1:{teeth}]) rotate(360*k/{teeth}) {tooth}; }}"
    lean = rng.uniform(2, 9)
    pawl = f"translate([8, 6.6, 0]) rotate({lean}) {{ {box(-6.7, -0.3, 6.7, 0.6)} cylinder(d=1.6, h=1); }}"
    return Drawn(
        {
            "frame": (shafts((0, 0), (8, 6.6)), fixed),
            "wheel": (bored(0, 0, wheel), hinged(20, 40, rest, 2)),
            "pawl": (bored(8, 6.6, pawl), hinged(2, 2, 25, 4)),
        },
        6.0,
        friction=rng.choice((0.0, 0.2)),
        restitution=rng.choice((0.0, 0.3)),
    )


def cam(rng: random.Random) -> Drawn:
    """A cam of two or three rounds, or with corners, and a follower that slides or swings, driven or by a spring."""
    base, nose = rng.uniform(2.5, 4), rng.uniform(0.5, 1.5)
    turn = rng.uniform(0, 360)
    rounds = [(0.0, 0.0, base), (rng.uniform(2, 4), 0.0, nose)]
    if rng.random() < 0.4:
        rounds.append((rng.uniform(-2, 0), rng.uniform(1, 3), rng.uniform(0.4, 1)))
    shape = "hull() {" + "".join(disc(*each) for each in rounds) + "}"
    if rng.random() < 0.3:
        shape = disc(0, 0, base) + f"rotate(30) translate([0, -0.8, 0]) cube([{base + 1.5}, 1.6, 1]);"
    is_driven = rng.random() < 0.5
    shaft = hinged(30, 1, 0, 1e-6) if is_driven else hinged(30, 5, rng.choice((-1, 1)) * 900, 20)
    top = max(base, *(math.hypot(x, y) + r for x, y, r in rounds), base + 2) + 0.01
    swings = rng.random() < 0.5
    if swings:
        follower = bored(-7, top + 1, box(-7, top, 13, 1.0) + disc(-7, top + 1, 1.5))
        holds, physics = shafts((0, 0), (-7, top + 1)), hinged(20, 3, -40, 60)
    else:
        end = disc(0, top + 1, 1) if rng.random() < 0.5 else box(-4, top, 8, 1)
        follower = end + box(-0.6, top + 0.8, 1.2, 12)
        block = f"translate([-3, {top + 5}, -4]) cube([6, 4, 6]);"
        guide = f"difference() {{ {block} {box(-0.6, top, 1.2, 20)} }}"
        holds, physics = shafts((0, 0)) + guide, sliding(2, 3, -6, 60)
    return Drawn(
        {
            "frame": (holds, fixed),
            "cam": (f"rotate({turn}) " + bored(0, 0, shape), shaft),
            "follower": (follower, physics),
        },
        6.0,
        friction=rng.choice((0.0, 0.15)),
        restitution=rng.choice((0.0, 0.4)),
        more=driven("cam", rng.choice((-1, 1)) * rng.uniform(1, 8)) if is_driven else (lambda _: ""),
        driven=is_driven,
    )


def geneva(rng: random.Random) -> Drawn:
    """A driver with a pin, and a cross with three to eight slots."""
    slots, apart, pin = rng.randint(3, 8), 10.0, rng.uniform(0.4, 0.6)
    play = rng.uniform(0.02, 0.06)
    arm, reach = apart * math.sin(math.pi / slots), apart * math.cos(math.pi / slots)
    lock = max(arm - 2.5 * pin, 0.9)
    end = min(2 * pin, apart - arm - 0.7)
    crank = f"hull() {{ {disc(0, 0, 1.2, -2)} {disc(-arm, 0, end, -2)} }}"
    locking = f"difference() {{ {disc(0, 0, lock, -1.5, 2.5)} {disc(-apart, 0, reach + 0.2, -3, 6)} }}"
    driver = f"{crank} translate([{-arm}, 0, -1.5]) cylinder(r={pin}, h=2.5); {locking}"
    cuts = f"""for (k = [1:{slots}]) rotate(180/{slots} + 360*k/{slots} + 180) translate([0, 0, -1]) hull()
        for (x = [{apart - arm - play}, {apart}]) translate([x, 0, 0]) cylinder(r={pin + play}, h=3);
      for (k = [1:{slots}]) rotate(360*k/{slots} + 180) translate([{apart}, 0, -1]) cylinder(r={lock + play}, h=3);"""
    cross = (
        f"translate([{apart}, 0, 0]) difference() {{ {disc(0, 0, reach)} {cuts} {disc(0, 0, 0.5, -1, 3)} }}"
    )
    return Drawn(
        {
            "frame": (shafts((0, 0), (apart, 0)), fixed),
            "driver": (bored(0, 0, driver), hinged(5, 1, 0, 1e-6)),
            "cross": (cross, hinged(rng.uniform(1, 10), rng.uniform(0.1, 2), 0, 1e-6)),
        },
        4.0,
        friction=rng.choice((0.0, 0.1)),
        restitution=rng.choice((0.0, 0.2)),
        more=driven("driver", rng.choice((-1, 1)) * rng.uniform(2, 8)),
        driven=True,
    )


def latch(rng: random.Random) -> Drawn:
    """A slide that a spring pushes under a bolt with a bevel, which snaps into its notch, or a hook that swings."""
    bevel, depth = rng.uniform(30, 60), rng.uniform(0.8, 1.5)
    back = rng.uniform(80, 95)
    rise = 1.5
    run = rise / math.tan(math.radians(bevel))
    lip = prism(
        [
            (-4, 0),
            (-4 + rise / math.tan(math.radians(rng.uniform(25, 60))), rise),
            (-1, rise),
            (-1, rise - depth),
            (2, rise - depth),
            (2, rise),
            (6, rise),
            (6, 0),
        ]
    )
    slide = f"translate([-9, 0, 0]) {{ {lip} }}" + box(-14, -1, 12, 1.2) + box(-24, -0.8, 11, 0.8)
    tail = 0.2 + rise / math.tan(math.radians(back))
    if rng.random() < 0.5:
        bolt = prism(
            [(0, 0.3), (-run, 0.3 + rise), (-run, 3), (tail + 1, 3), (tail + 1, 0.3 + rise), (1, 0.3)]
        ) + box(-0.5, 2.9, 1, 8)
        guide = "difference() { translate([-3, 6, -4]) cube([6, 3, 6]); translate([-0.5, 5, 0]) cube([1, 6, 1]); }"
        holds, physics = guide, sliding(1, 2, -2, 40)
    else:
        bolt = bored(
            6,
            3,
            prism(
                [
                    (0, 0.3),
                    (-run, 0.3 + rise),
                    (-run, 3),
                    (6, 3.6),
                    (6, 2.4),
                    (tail + 1, 0.3 + rise),
                    (1, 0.3),
                ]
            )
            + disc(6, 3, 1),
        )
        holds, physics = "translate([6, 3, -4]) cylinder(d=1, h=6);", hinged(5, 2, 20, 60)
    plate = "translate([-30, -5, -4]) cube([60, 20, 1]);"
    way = "difference() { translate([-23, -4, -4]) cube([5, 7, 6]); translate([-30, -0.8, 0]) cube([20, 0.8, 1]); }"
    return Drawn(
        {
            "frame": (plate + way + holds, fixed),
            "slide": (slide, sliding(rng.uniform(1, 5), 2, rng.uniform(6, 14), 30, "x")),
            "tongue": (bolt, physics),
        },
        4.0,
        friction=rng.choice((0.0, 0.2)),
        restitution=rng.choice((0.0, 0.3)),
    )


def loose(rng: random.Random) -> Drawn:
    """A weight on a pin with play, or a block in a wide slot: kept as contacts."""
    play = rng.uniform(0.02, 0.5)
    if rng.random() < 0.5:
        solid = bored(
            0, 0, disc(0, 0, 2.5) + box(0, -0.5, rng.uniform(3, 6), 1, rng.uniform(0, 360)), 2 + play
        )
        holds = "translate([0, 0, -4]) cylinder(d=2, h=6); translate([-9, -9, -4]) cube([18, 18, 1]);"
    else:
        solid = box(-1, -0.5, 2, 1) + box(-1.5, 1.5 - play / 3, 3, 1) + box(-0.3, 0, 0.6, 2)
        slot = f"translate([-7, {-0.5 - play / 2}, -1]) cube([14, {1 + play}, 3]);"
        above = "translate([-7, 0, -1]) cube([14, 4, 3]);"
        holds = f"difference() {{ translate([-9, -3, 0]) cube([18, 4, 1]); {slot} {above} }}"
    return Drawn(
        {"frame": (holds, fixed), "weight": (solid, free(rng.uniform(0.5, 2), rng.uniform(0.5, 3)))},
        3.0,
        gravity=10.0,
        friction=rng.choice((0.0, 0.2, 0.5)),
        restitution=rng.choice((0.0, 0.3, 0.7)),
        more=lambda _: '[joint]\n"frame/weight" = "contact"\n',
    )


def thrown(rng: random.Random) -> Drawn:
    """A few polygons and discs that fall into a box."""
    parts: dict[str, tuple[str, Physics]] = {
        "frame": (box(-6, -1, 12, 1) + box(-6, 0, 1, 12) + box(5, 0, 1, 12), fixed)
    }
    for k in range(rng.randint(2, 4)):
        x, y = rng.uniform(-3, 3), 1.6 + 2.6 * k
        if rng.random() < 0.3:
            solid = disc(x, y, rng.uniform(0.5, 1.2))
        else:
            count = rng.randint(3, 6)
            start = rng.uniform(0, 6)
            angles = [start + 2 * math.pi * (i + rng.uniform(0, 0.5)) / count for i in range(count)]
            radius = rng.uniform(0.6, 1.2)
            solid = prism([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles])
        parts[f"body{k}"] = (solid, lambda by: f"free = true\ndensity = {by.mass / by.length**3!r}")
    return Drawn(
        parts,
        3.0,
        gravity=10.0,
        friction=rng.choice((0.0, 0.3, 0.6)),
        restitution=rng.choice((0.0, 0.3, 0.6)),
    )


KINDS: dict[str, Callable[[random.Random], Drawn]] = {
    "clock": clock,
    "ratchet": ratchet,
    "cam": cam,
    "geneva": geneva,
    "latch": latch,
    "loose": loose,
    "thrown": thrown,
}
