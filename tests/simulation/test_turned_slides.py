"""A crank and a slide move alike whichever way the slide lies."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

TEXT = """
linkwork = 1
[part.ground]
points = {{ A = [0, 0] }}
[part.crank]
points = {{ A = [0, 0], B = {b} }}
mass = 1
inertia = 0.5
[part.rod]
points = {{ B = {b}, C = {c} }}
mass = 0.7
centre = {m}
inertia = 0.3
[part.slide]
points = {{ C = {c} }}
mass = 2
inertia = 0.1
[frame.way]
at = {c}
x = {x}
[frame.shoe]
on = "slide"
at = {c}
x = {x}
[joint.A]
type = "revolute"
between = ["ground.A", "crank.A"]
[joint.B]
type = "revolute"
between = ["crank.B", "rod.B"]
[joint.C]
type = "revolute"
between = ["rod.C", "slide.C"]
[joint.S]
type = "prismatic"
between = ["way", "shoe"]
"""


def turned(degrees: float, path: Path) -> lw.Machine:
    """A crank, a rod and a slide along x, all turned about the axis of the crank."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    given = {"b": (0.6, 0.8), "c": (4.0, 0.0), "m": (2.3, 0.4), "x": (1.0, 0.0)}
    points = {name: [x * cos - y * sin, x * sin + y * cos] for name, (x, y) in given.items()}
    path.write_text(TEXT.format(**points))
    return lw.load(path)


@pytest.mark.parametrize("degrees", [30, 45, 90, 180, -77.3])
def test_turned_machines_move_alike(degrees: float, tmp_path: Path) -> None:
    angles = []
    for each in (0.0, degrees):
        machine = turned(each, tmp_path / "m.toml")
        found = lw.simulate(machine, until=3, step=0.5, rates={"crank.angle": 2.0}).to_frame()
        angles.append(np.column_stack([found["crank.angle"], found["rod.angle"]]))
    assert float(np.ptp(angles[0][:, 0])) > 1
    assert angles[1] == pytest.approx(angles[0], abs=1e-7)
