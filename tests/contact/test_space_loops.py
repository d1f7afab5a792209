"""Machines with closed loops in space whose links strike stops: as in their plane, and by the laws of one freedom.

Hinges with parallel axes hold a loop in its plane more than once: of the constraints of such machines some follow from
the others, and from which ones depends on how they are turned.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.model.read import machine_from_text
from linkwork.simulation import Solution

POSES = {
    "as drawn": (0.0, 0.0, 0.0),
    "upright": (90.0, 0.0, 0.0),
    "oblique": (31.0, -47.0, 112.0),
    "overhead": (-160.0, 12.0, -75.0),
}
SOME_POSES = [
    pytest.param(pose, marks=[] if pose in ("as drawn", "oblique") else pytest.mark.slow) for pose in POSES
]
UNTIL = 0.5


def bar(
    one: tuple[float, float], other: tuple[float, float], layer: int, pins: str = "", eyes: str = ""
) -> str:
    """A link between two places with round ends, and with pins or eyes at its first (1) or second one."""
    ends = [f"translate([{x}, {y}, {2 * layer}]) {{ cylinder(d=1, h=1.8); }}" for x, y in (one, other)]
    text = f"hull() {{ {' '.join(ends)} }}"
    holes = "".join(
        f"translate([{x}, {y}, {2 * layer - 1}]) cylinder(d=0.4, h=4);"
        for place, (x, y) in zip("12", (one, other), strict=True)
        if place in eyes
    )
    if holes:
        text = f"difference() {{ {text} {holes} }}"
    return text + "".join(
        f"translate([{x}, {y}, {2 * layer}]) cylinder(d=0.4, h=3.8);"
        for place, (x, y) in zip("12", (one, other), strict=True)
        if place in pins
    )


def stud(x: float, y: float, top: float = 1.8) -> str:
    return f"translate([{x}, {y}, -3]) cylinder(d=0.4, h={3 + top});"


@dataclass(frozen=True)
class Linkage:
    """The solids of the frame and of the links, the first of which turns about the origin, at a rate at first."""

    frame: str
    links: dict[str, str]
    rate: float

    def run(
        self, pose: tuple[float, ...] | None, law: Law, until: float = UNTIL, contact: str = "rigid"
    ) -> ContactSolution:
        """In its plane, or in space, turned; there is no gravity."""
        turn = f"rotate({list(pose)})" if pose is not None else ""
        text = f"linkwork = 1\ndimension = {2 if pose is None else 3}\n"
        text += f"[part.frame]\nfixed = true\nsolid = '''{turn} {{ {self.frame} }}'''\n"
        for name, solid in self.links.items():
            text += f"[part.{name}]\ndensity = 1\nsolid = '''{turn} {{ {solid} }}'''\n"
        first = next(iter(self.links))
        rates = {f"{first}.angle": self.rate}
        if pose is not None:
            axis = Rotation.from_euler("xyz", pose, degrees=True).apply([0, 0, 1])
            rates = {f"{first}.q{k + 1}": float(self.rate / 2 * axis[k]) for k in range(3)}
        machine = machine_from_text(text, "linkage.toml", "linkage")
        found = simulate(machine, until, step=until / 50, contact=contact, rates=rates, laws=Laws(law))
        assert isinstance(found, ContactSolution)
        assert found.status == "complete", found.why
        return found


BASE = "translate([-9, -9, -3]) cube([30, 20, 1]);"
FOUR_BAR = Linkage(
    BASE + stud(0, 0) + stud(8, 0) + "translate([8.8, 2.5, -3]) cube([1, 1, 4]);",
    {
        "crank": bar((0, 0), (0, 2), 0, pins="2", eyes="1"),
        "coupler": bar((0, 2), (8, 5), 1, eyes="12"),
        "rocker": bar((8, 0), (8, 5), 0, pins="2", eyes="1"),
    },
    -1.5,
)
PARALLELOGRAM = Linkage(
    BASE + stud(0, 0) + stud(6, 0) + "translate([4.1, 0.7, -3]) cube([1, 1, 6]);",
    {
        "crank": bar((0, 0), (1, 3), 0, pins="2", eyes="1"),
        "rod": bar((1, 3), (7, 3), 1, eyes="12"),
        "other": bar((6, 0), (7, 3), 0, pins="2", eyes="1"),
    },
    2.0,
)
GUIDE = (
    "difference() { translate([11, -2, -3]) cube([3, 4, 6]); translate([7, -0.5, 0]) cube([20, 1, 1.8]); }"
)
SLIDER = "translate([6.5, -1.5, 0]) cube([1, 3, 1.8]); translate([7, -0.5, 0]) cube([9, 1, 1.8]);"
SLIDER_CRANK = Linkage(
    BASE + stud(0, 0) + GUIDE + "translate([8.1, 0.9, -3]) cube([1, 1, 4]);",
    {
        "crank": bar((0, 0), (0, 2), 0, pins="2", eyes="1"),
        "rod": bar((0, 2), (7, 0), 1, eyes="12"),
        "slider": SLIDER + "translate([7, 0, 0]) cylinder(d=0.4, h=3.8);",
    },
    -2.0,
)
LINKAGES = {"four-bar": FOUR_BAR, "parallelogram": PARALLELOGRAM, "slider-crank": SLIDER_CRANK}
LAWS = {"plastic": Law(), "springy": Law(restitution=0.6), "rough": Law(friction=0.3)}


def struck(found: ContactSolution) -> tuple[float, float, float]:
    """When something is struck first, the impulse of all places that are struck then, and the energy that it takes."""
    impacts = [event for event in found.events if event["kind"] == "impact"]
    now = [event for event in impacts if event["t"] - impacts[0]["t"] < 1e-9]
    return now[0]["t"], sum(event["impulse"] for event in now), sum(event["lost"] for event in now)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("pose", SOME_POSES)
@pytest.mark.parametrize("kind", LINKAGES)
def test_a_linkage_strikes_a_stop_in_space_as_it_does_in_its_plane(kind: str, pose: str, law: str) -> None:
    flat = LINKAGES[kind].run(None, LAWS[law])
    solid = LINKAGES[kind].run(POSES[pose], LAWS[law])
    wanted, found = struck(flat), struck(solid)
    assert (found[0], found[2]) == pytest.approx((wanted[0], wanted[2]), rel=1e-6)
    if not LAWS[
        law
    ].friction:  # with it one freedom does not tell what is normal and what is friction of an impulse
        assert found[1] == pytest.approx(wanted[1], rel=1e-6)
    energies = [found.columns["kinetic"] for found in (flat, solid)]
    assert energies[1] == pytest.approx(energies[0], rel=1e-6, abs=1e-6 * float(energies[0][0]))
    assert np.diff(energies[1]).max() <= 1e-8 * energies[1][0]


@pytest.mark.parametrize("pose", SOME_POSES)
@pytest.mark.parametrize("kind", LINKAGES)
def test_an_elastic_linkage_is_pushed_back_in_space_as_in_its_plane(kind: str, pose: str) -> None:
    """In space two places press where one does in the plane: each half as stiff."""
    flat = LINKAGES[kind].run(None, Law(stiffness=1e5, damping=1e3, pressing=10.0), contact="elastic")
    solid = LINKAGES[kind].run(
        POSES[pose], Law(stiffness=5e4, damping=500.0, pressing=10.0), contact="elastic"
    )
    for name in ("kinetic", "contact", "lost"):
        wanted = flat.columns[name]
        assert solid.columns[name] == pytest.approx(
            wanted, rel=1e-5, abs=1e-6 * float(flat.columns["energy"][0])
        )
    assert solid.columns["depth"].max() == pytest.approx(flat.columns["depth"].max(), rel=1e-4)


# ------------------------------------------------------------------------------ a universal joint

BEND = 25.0
UNIVERSAL = {
    "frame": """
    difference() { translate([-20, -20, -60]) cube([40, 40, 10]); translate([0, 0, -61]) cylinder(d=10, h=12); }
    translate([-20, 15, -60]) cube([40, 5, 120]);
    rotate([0, 25, 0]) {
      difference() { translate([-20, -20, 50]) cube([40, 40, 10]); translate([0, 0, 49]) cylinder(d=10, h=12); }
      translate([12, 6, 60]) cube([4, 4, 8]);
    }""",
    "yoke1": """
    translate([0, 0, -70]) cylinder(d=10, h=50); translate([-14, -5, -24]) cube([28, 10, 4]);
    translate([0, 0, -72]) cylinder(d=14, h=11.9); translate([0, 0, -49.9]) cylinder(d=14, h=2);
    for (s=[-1, 1]) difference() {
      translate([s*12 - 2, -5, -24]) cube([4, 10, 32]);
      translate([s*12 - 3, 0, 0]) rotate([0, 90, 0]) cylinder(d=5, h=6);
    }""",
    "yoke2": """
    rotate([0, 25, 0]) {
      translate([0, 0, 20]) cylinder(d=10, h=50); translate([-5, -14, 20]) cube([10, 28, 4]);
      translate([0, 0, 48]) cylinder(d=14, h=1.9);
      translate([0, -2, 62]) cube([20, 4, 4]);
      for (s=[-1, 1]) difference() {
        translate([-5, s*12 - 2, -8]) cube([10, 4, 32]);
        translate([0, s*12 + 3, 0]) rotate([90, 0, 0]) cylinder(d=5, h=6);
      }
    }""",
    "cross": "translate([-14, 0, 0]) rotate([0, 90, 0]) cylinder(d=5, h=28);"
    "translate([0, 14, 0]) rotate([90, 0, 0]) cylinder(d=5, h=28);",
}


def posed(solids: dict[str, str], pose: tuple[float, ...]) -> str:
    text = "linkwork = 1\n"
    for name, solid in solids.items():
        fixed = "fixed = true\n" if name == "frame" else ""
        text += f"[part.{name}]\n{fixed}density = 1\nsolid = '''rotate({list(pose)}) {{ {solid} }}'''\n"
    return text


def turned(found: Solution, part: str, row: int = -1) -> float:
    """By how much a part has turned."""
    w, *vector = (found.columns[f"{part}.q{k}"][row] for k in range(4))
    return 2 * math.atan2(math.hypot(*vector), abs(w))


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("pose", SOME_POSES)
def test_an_arm_on_the_second_shaft_of_a_universal_joint_strikes_a_stop(
    pose: str, restitution: float
) -> None:
    """It does so where tan(first) = cos(bend) tan(second); of one freedom restitution² of the energy is left."""
    machine = machine_from_text(posed(UNIVERSAL, POSES[pose]), "universal.toml", "universal")
    axis = Rotation.from_euler("xyz", POSES[pose], degrees=True).apply([0, 0, 1])
    rates = {f"yoke1.q{k + 1}": float(axis[k]) for k in range(3)}  # 2 radians in a unit of time
    law = Laws(Law(restitution=restitution))
    whole = simulate(machine, 0.3, step=0.01, contact="rigid", rates=rates, laws=law)
    assert isinstance(whole, ContactSolution)
    assert whole.status == "complete", whole.why
    struck_at = next(event["t"] for event in whole.events if event["kind"] == "impact")
    until = simulate(machine, struck_at, step=struck_at, contact="rigid", rates=rates, laws=law)
    second = 2 * math.atan((-16 + math.sqrt(16**2 + 6**2 - 2**2)) / (2 + 6))  # 6 cos − 16 sin = 2
    assert turned(until, "yoke2") == pytest.approx(second, abs=1e-7)
    first = math.atan(math.cos(math.radians(BEND)) * math.tan(second))
    assert turned(until, "yoke1") == pytest.approx(first, abs=1e-7)
    kinetic = whole.columns["kinetic"]
    assert kinetic[0] == pytest.approx(until.columns["kinetic"][0])
    behind = kinetic[whole.columns["time"] > struck_at][0]
    assert behind == pytest.approx(restitution**2 * kinetic[0], abs=1e-7 * kinetic[0])


# ------------------------------------------------------------------------------------------ a vise

PITCH = 4.0
VISE = {
    "frame": """
    difference() {
      translate([-40, -20, 0]) cube([30, 40, 40]);
      thread(4) translate([-41, 0, 25]) rotate([0, 90, 0]) cylinder(d=14, h=32);
    }
    translate([-40, -20, -10]) cube([120, 40, 10]); translate([-10, -8, 0]) cube([90, 16, 8]);
    translate([60, 10, 0]) cube([10, 8, 20]);""",
    "jaw": """
    difference() {
      translate([30, -20, 0]) cube([24, 40, 40]); translate([29, -8, -1]) cube([26, 16, 9]);
      translate([29, 0, 25]) rotate([0, 90, 0]) cylinder(d=10, h=12);
      translate([34, 0, 25]) rotate([0, 90, 0]) cylinder(d=16, h=6.05);
    }""",
    "spindle": """
    thread(4) translate([-70, 0, 25]) rotate([0, 90, 0]) cylinder(d=14, h=99);
    translate([29, 0, 25]) rotate([0, 90, 0]) cylinder(d=10, h=6);
    translate([34, 0, 25]) rotate([0, 90, 0]) cylinder(d=16, h=6);
    translate([-80, 0, 25]) rotate([0, 90, 0]) cylinder(d=24, h=10);""",
}


@pytest.mark.parametrize("pose", SOME_POSES)
def test_the_jaw_of_a_vise_strikes_a_block(pose: str) -> None:
    """It goes 6 units at an even pace, which the screw turns into 6/4 turns, and back at half of it."""
    machine = machine_from_text(posed(VISE, POSES[pose]), "vise.toml", "vise")
    axis = Rotation.from_euler("xyz", POSES[pose], degrees=True).apply([1, 0, 0])
    rates = {f"jaw.{name}": float(100 * each) for name, each in zip("xyz", axis, strict=True)}
    law = Laws(Law(restitution=0.5))
    found = simulate(machine, 0.1, step=0.005, contact="rigid", rates=rates, laws=law)
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    impact = next(event for event in found.events if event["kind"] == "impact")
    assert impact["t"] == pytest.approx(0.06, rel=1e-7)
    kinetic, time = found.columns["kinetic"], found.columns["time"]
    assert kinetic[time > 0.061] == pytest.approx(kinetic[0] / 4, rel=1e-8)
    jaw = np.column_stack([found.columns[f"jaw.{name}"] for name in "xyz"]) @ axis
    assert jaw == pytest.approx(np.where(time < 0.06, 100 * time, 6 - 50 * (time - 0.06)), abs=1e-7)
    row = int(np.searchsorted(time, 0.03 + 1e-9)) - 1
    turn = 2 * math.pi * 100 * time[row] / PITCH
    assert math.cos(turned(found, "spindle", row)) == pytest.approx(math.cos(turn), abs=1e-6)
