"""Machines whose parts are all turned in space: the same joints, senses of angles and slides, motion and energy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw
from linkwork.model import Machine
from linkwork.model.ordered import Ordered
from linkwork.model.read import machine_from_text
from linkwork.recognition.drawn_axes import drawn_axes
from linkwork.solid import Block, Cylinder
from linkwork.solid.placement import Placement

CAM = """
linkwork = 1
[part.plate]
fixed = true
solid = '''
translate([-10, -10, -4]) cube([40, 40, 4]); cylinder(d=4, h=6);
for (x = [4, 12]) translate([x, 20, 0]) cube([4, 9, 6]);
'''
[part.wheel]
solid = "difference() { cylinder(d=12, h=5); cylinder(d=4, h=99, center=true); }"
inertia = 30
spring = { rest = "70 deg", stiffness = 15 }
[part.rod]
solid = "translate([8, 18, 0]) cube([4, 11, 6]);"
mass = 2
spring = { rest = -1.5, stiffness = 40 }
"""
GIMBAL = """
linkwork = 1
[part.stand]
fixed = true
solid = '''
for (x = [-20, 16]) translate([x, -3, -3])
  difference() { cube([4, 6, 20]); translate([-9, 3, 3]) rotate([0, 90, 0]) cylinder(d=3, h=30); }
translate([-20, -3, 17]) cube([40, 6, 3]);
'''
[part.ring]
solid = '''
difference() { translate([-14, -14, -2]) cube([28, 28, 4]); translate([-10, -10, -9]) cube([20, 20, 20]);
  rotate([90, 0, 0]) cylinder(d=3, h=99, center=true); }
for (s = [0, 180]) rotate([0, 0, s]) translate([14, 0, 0]) rotate([0, 90, 0]) cylinder(d=3, h=7);
for (s = [0, 180]) rotate([0, 0, s]) translate([14, 0, 0]) rotate([0, 90, 0]) cylinder(d=5, h=2);
'''
density = 0.01
spring = { rest = "40 deg", stiffness = 900 }
[part.disc]
solid = "cube([12, 19.9, 1], center=true); rotate([90, 0, 0]) cylinder(d=3, h=30, center=true);"
density = 0.01
spring = { rest = "-25 deg", stiffness = 700 }
"""
TURNS = [(180, 0, 0), (90, 0, 0), (0, -90, 0), (123, 45, 67), (-31, 160, 12)]


def turned(machine: Machine, angles: tuple[float, float, float]) -> Machine:
    """The machine with all its solids turned about x, then y, then z."""
    parts = {}
    for name, part in machine.parts.items():
        assert part.solid is not None
        texts = tuple(f"rotate({list(angles)}) {{ {text} }}" for text in part.solid)
        parts[name] = replace(part, solid=texts)
    return replace(machine, parts=Ordered(parts))


def motion(machine: Machine) -> tuple[list[tuple[str, ...]], dict[str, list[float]]]:
    """The pairs, and all angles, displacements and energies of joints over time."""
    found = lw.recognise(machine)
    assert found.machine is not None
    solution = lw.simulate(found.machine, until=0.4, step=0.2)
    columns = {name: list(map(float, values)) for name, values in solution.to_frame().items()}
    kept = {name: values for name, values in columns.items() if name.split(".")[-1] in KEPT}
    for joint in found.machine.joints:
        for word in ("angle", "displacement"):
            name = f"{joint}.{word}"
            if name in columns:
                kept[name] = columns[name]
    return sorted((pair.kind, *pair.parts) for pair in found.pairs), kept


KEPT = ("angle", "displacement", "kinetic", "potential", "energy")


@pytest.mark.parametrize("text", [CAM, GIMBAL], ids=["plane", "space"])
def test_springs_turn_and_push_the_same_way_however_the_machine_lies(text: str) -> None:
    machine = machine_from_text(text, "turned.toml", "turned")
    pairs, told = motion(machine)
    assert len(pairs) == 2
    assert max(abs(np.array(told["kinetic"]))) > 0
    for angles in TURNS:
        again, other = motion(turned(machine, angles))
        assert again == pairs
        assert other.keys() == told.keys()
        for name, values in told.items():
            assert other[name] == pytest.approx(values, rel=1e-6, abs=1e-6), (angles, name)


def test_the_axis_of_a_pair_turns_with_the_machine() -> None:
    machine = machine_from_text(GIMBAL, "turned.toml", "turned")
    first = lw.recognise(machine).pairs
    for angles in TURNS:
        x, y, z = np.radians(angles)
        matrix = _about(2, z) @ _about(1, y) @ _about(0, x)
        for one, other in zip(first, lw.recognise(turned(machine, angles)).pairs, strict=True):
            assert matrix @ np.array(one.axis) == pytest.approx(np.array(other.axis), abs=1e-9)


@pytest.mark.parametrize("normal", [(1, 0, 0), (0, 1, 0), (1, -1, 0), (1, 2, 3)])
def test_solids_all_mirrored_tell_right_handed_axes_along_their_own(normal: tuple[float, ...]) -> None:
    """The axes are those of the drawing but for their signs; mirrored along one of the world's, the world's."""
    for angle in (0.0, 0.7, 2.9):
        place = Placement.turn(angle, (0.3, 1, 2)).holding(Placement.mirror(normal))
        solids = [Block((1, 2, 3)).placed(place), Cylinder(1, 5).placed(place)]
        axes = drawn_axes(solids)
        assert np.linalg.det(axes) == pytest.approx(1)
        assert np.abs(axes @ place.matrix) == pytest.approx(np.eye(3), abs=1e-9)
        if angle == 0 and np.count_nonzero(normal) == 1:
            assert axes == pytest.approx(np.eye(3))


def _about(axis: int, angle: float) -> np.ndarray:
    """The matrix of a turn about one of the axes."""
    a, b = (axis + 1) % 3, (axis + 2) % 3
    found = np.eye(3)
    found[a, a] = found[b, b] = np.cos(angle)
    found[b, a], found[a, b] = np.sin(angle), -np.sin(angle)
    return found
