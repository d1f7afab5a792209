"""Stages by hand, as the plain data a page takes, and the program of a small machine: a cart with a pendulum."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np

from linkwork.dynamics.javascript_program import javascript_for_page
from linkwork.dynamics.standalone import Standalone
from linkwork.dynamics.webassembly_program import webassembly_source
from linkwork.emit import Program
from linkwork.emit.webassembly import build_module
from linkwork.model.read import machine_from_text
from linkwork.simulation.simulator import Simulator
from linkwork.simulation.start import rough_start
from linkwork.view.packing import packed

TITLE = "</script><script>alert(1)</script>"
CART = f"""
linkwork = 1
title = "{TITLE}"
dimension = 3
[parameter]
g = 9.81
reach = 1.5
anchor = 1
push = 4
[control.throttle]
keys = ["ArrowLeft", "ArrowRight"]
[control.brake]
keys = ["b", "n"]
[frame.cart]
varies = ["tx"]
mass = 2
[frame.arm]
on = "cart"
varies = ["ry"]
axis = [0, 1, 0]
turn = "100 deg"
[frame.bob]
on = "arm"
at = [0, 0, "-reach"]
mass = 1
[frame.needle]
varies = ["ty"]
at = [0, 1, 0]
[constraint.points]
holds = "position(needle).y^2 == anchor"
[energy.weight]
each = "mass(body)*g*position(body).z"
[force.engine]
type = "force"
at = "cart"
force = ["push*throttle - brake*cart.vx", 0, 0]
"""
"""There is no needle where the anchor is below zero."""
RECORDED = Path(__file__).parents[1] / "golden" / "cart_module.txt"
FRAMES = ("cart", "arm", "bob")
STILL = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]


def box() -> dict[str, Any]:
    """A cube of side 1."""
    positions: list[Any] = []
    normals: list[Any] = []
    triangles: list[list[int]] = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            first = len(positions)
            triangles += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
            for u, v in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
                positions.append(np.insert([u, v], axis, side))
                normals.append(np.insert([0.0, 0.0], axis, 2 * side))
    return {
        "positions": encoded(positions, "<f4"),
        "normals": encoded(normals, "<f4"),
        "triangles": encoded(triangles, "<u2"),
        "wide": False,
    }


def encoded(values: Any, kind: str) -> str:
    return base64.b64encode(np.asarray(values, kind).tobytes()).decode()


def block(placement: int, size: Sequence[float], colour: str, **more: Any) -> dict[str, Any]:
    """A box of a size on a placement."""
    x, y, z = size
    matrix = [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0]
    looks = {"opacity": 1, "rough": 0.6, "metal": 0, "shadow": True, "instances": None}
    return {
        "name": colour,
        "placement": placement,
        "mesh": 0,
        "matrix": matrix,
        "colour": colour,
        **looks,
        **more,
    }


def stage(**more: Any) -> dict[str, Any]:
    """A cart on a floor, with a pendulum, seen by three cameras, one of which rides along."""
    camera = {"toward_placement": 0, "up": [0, 0, 1], "angle": 45, "toward": [0, 0, 0]}
    return {
        "title": TITLE,
        "dimension": 3,
        "up": [0, 0, 1],
        "unit": "m",
        "background": None,
        "placements": ["ground", *FRAMES],
        "start": STILL * len(FRAMES),
        "extent": [[-4, -2, -2], [4, 2, 2]],
        "meshes": [box()],
        "objects": [
            block(0, (12, 6, 0.2), "#7f9f6a", matrix=[12, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0.2, -1.8]),
            block(1, (1.6, 0.8, 0.4), "#3a7cb8"),
            block(2, (0.1, 0.1, 1.5), "#8b97a3", matrix=[0.1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 1.5, -0.75]),
            block(3, (0.4, 0.4, 0.4), "#e0912f"),
        ],
        "lights": [],
        "cameras": [
            {**camera, "name": "side", "placement": 0, "at": [0, -9, 2]},
            {**camera, "name": "above", "placement": 0, "at": [0.5, -1, 9]},
            {**camera, "name": "rider", "placement": 1, "at": [-3, -1, 1.5], "toward_placement": 3},
        ],
        "traces": [{"name": "bob", "placement": 3, "point": [0, 0, 0], "colour": "#c9593c"}],
        "columns": [{"name": "energy", "unit": "J"}, {"name": "cart.tx", "unit": "m"}],
        "plots": [0],
        "motion": None,
        "live": None,
        **more,
    }


def replay(**more: Any) -> dict[str, Any]:
    """The cart goes three metres in two seconds, while the arm turns by a quarter."""
    times = [0.0, 0.5, 1.0, 2.0]
    rows = []
    for time in times:
        angle = np.pi / 4 * time
        c, s = np.cos(angle), np.sin(angle)
        cart = [1, 0, 0, 1.5 * time, 0, 1, 0, 0, 0, 0, 1, 0]
        arm = [c, 0, s, 1.5 * time, 0, 1, 0, 0, -s, 0, c, 0]
        rows.append([*cart, *arm, *arm])
    columns = [[1.0, 1.5 * time] for time in times]
    motion = {
        "times": times,
        "placements": encoded(rows, "<f4"),
        "columns": encoded(columns, "<f4"),
    }
    return stage(motion=motion, **more)


def live(*, keys: tuple[str, str] = ("ArrowLeft", "ArrowRight"), **more: Any) -> dict[str, Any]:
    """The same computed in the page; ``keys`` steer it to the left and to the right."""
    parameters = [
        {"name": name, "value": value, "unit": "", "least": least, "most": most}
        for name, value, least, most in (("g", 9.81, 0, 20), ("reach", 1.5, 0.5, 3), ("anchor", 1, -1, 2))
    ]
    controls = [
        {"name": "throttle", "keys": list(keys), "least": -1, "most": 1},
        {"name": "brake", "keys": ["b", "n"], "least": -1, "most": 1},
    ]
    return stage(live={"parameters": parameters, "controls": controls, "tolerance": 1e-6}, **more)


@cache
def programs() -> tuple[Standalone, Program]:
    """What computes the cart, and what tells where it stands."""
    machine = machine_from_text(CART, "cart.toml", "cart")
    simulator = Simulator(machine)
    synthesis = simulator.synthesis
    entries = []
    for name in FRAMES:
        placed = synthesis.spec.lines.frame(name)
        for row in range(3):
            entries += [*(axis[row] for axis in placed.axes), placed.origin[row]]
    show = synthesis.show(entries)
    rough = rough_start(simulator.specification, machine.values())
    return Standalone(synthesis, rough.positions), show


@cache
def program(*, with_module: bool = False) -> str:
    """The script that computes the cart, or lets a module do so."""
    return javascript_for_page(*programs(), with_module=with_module)


@cache
def recorded_module() -> bytes:
    """The cart in WebAssembly, as it was once compiled: what needs a module needs no compiler."""
    return zlib.decompress(base64.b64decode(RECORDED.read_text("ascii")))


def record_module() -> None:
    """To be called when what a page and its module say to each other has changed."""
    text = packed(build_module(webassembly_source(*programs())))
    RECORDED.write_text("\n".join(wrap(text, 110)) + "\n", "ascii")
