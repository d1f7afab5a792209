"""The four-bar drawn from its table: a still picture (SVG) and a live page that runs the printed program."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import linkwork as lw

Point = tuple[float, float]
SCALE = 70.0  # pixels for a unit of length
PAGE = Path(__file__).with_name("page.html")


def picture(table: lw.Table, values: Mapping[str, float], ghosts: int = 12) -> str:
    """The linkage at the crank angle of ``values``, faint at others, and the coupler point's whole path."""
    function = lw.compiled(lw.Table.of(table, outputs=["P6x", "P6y", "P9x", "P9y"]))
    turn = np.linspace(0, 2 * np.pi, 361)
    path = function(**{**values, "e": turn})
    curve = list(zip(path["P9x"], path["P9y"], strict=True))
    shapes = []
    for angle in turn[:: 360 // ghosts][:-1]:
        shapes.append(_linkage(function, {**values, "e": float(angle)}, 'class="ghost"'))
    shapes.append(f'<polygon class="path" points="{_points(curve)}"/>')
    shapes.append(_linkage(function, values, 'class="links"'))
    p9 = function(**values)
    shapes.append(_circle((float(p9["P9x"]), float(p9["P9y"])), 7, 'class="pen"'))
    reach = values["a"] + values["c"]
    left, right = -values["a"] - 0.6, values["b"] + reach * 0.75
    low, high = -reach * 0.55, reach + 0.2
    return _framed(shapes, left, right, low, high)


def _linkage(function: lw.Function, values: Mapping[str, float], kind: str) -> str:
    at = {name: float(value) for name, value in function(**values).items()}
    crank = (values["a"] * np.cos(values["e"]), values["a"] * np.sin(values["e"]))
    points = [(0.0, 0.0), crank, (at["P6x"], at["P6y"]), (values["b"], 0.0)]
    pins = "".join(_circle(point, 5, "") for point in points)
    return f'<g {kind}><polyline points="{_points(points)}"/>{pins}</g>'


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{x * SCALE:.1f},{-y * SCALE:.1f}" for x, y in points)


def _circle(centre: Point, radius: float, kind: str) -> str:
    return f'<circle {kind} cx="{centre[0] * SCALE:.1f}" cy="{-centre[1] * SCALE:.1f}" r="{radius}"/>'


def _framed(shapes: Sequence[str], left: float, right: float, low: float, high: float) -> str:
    box = f"{left * SCALE:.0f} {-high * SCALE:.0f} {(right - left) * SCALE:.0f} {(high - low) * SCALE:.0f}"
    style = (
        ".links polyline{fill:none;stroke:#2b5c8a;stroke-width:9;stroke-linecap:round;stroke-linejoin:round}"
        ".links circle{fill:#fff;stroke:#1b3a57;stroke-width:3}"
        ".ghost polyline{fill:none;stroke:#8fb3d1;stroke-width:2;opacity:.45}.ghost circle{display:none}"
        ".path{fill:#d9572214;stroke:#d95722;stroke-width:3}.pen{fill:#d95722;stroke:#fff;stroke-width:2}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif">'
        f'<style>{style}</style><rect x="{left * SCALE:.0f}" y="{-high * SCALE:.0f}" width="100%" '
        f'height="100%" fill="#fbfaf7"/>{"".join(shapes)}</svg>\n'
    )


def page(table: lw.Table, values: Mapping[str, float], title: str) -> str:
    """One HTML file that moves the linkage by the JavaScript printed from the table."""
    outputs = ["P6x", "P6y", "P9x", "P9y"]
    program = lw.Program.of_table(lw.Table.of(table, outputs=outputs), "four_bar")
    order = [given.name for given in program.inputs]
    settings = {"inputs": order, "values": {name: values[name] for name in order}}
    text = PAGE.read_text(encoding="utf-8")
    for mark, content in (
        ("TITLE", html.escape(title)),
        ("TABLE", html.escape(str(table))),
        ("PROGRAM", lw.print_javascript(program, module=False)),
        ("SETTINGS", json.dumps(settings)),
    ):
        text = text.replace(f"{{{{{mark}}}}}", content)
    return text
