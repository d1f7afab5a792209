"""The four-bar drawn from its table: a still picture (SVG) and a live page that runs the printed program."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import linkwork as lw

Point = tuple[float, float]
WIDTH = 900.0  # pixels
STYLE = (
    ".links polyline{fill:none;stroke:#2b5c8a;stroke-width:12;stroke-linecap:round;stroke-linejoin:round}"
    ".links circle{fill:#fff;stroke:#1b3a57;stroke-width:4}"
    ".ground circle{fill:#d8d3c8}"
    ".ghost{fill:none;stroke:#8fb3d1;stroke-width:2.5;opacity:.4;stroke-linejoin:round}"
    ".path{fill:#d957221a;stroke:#d95722;stroke-width:4}.pen circle{fill:#d95722;stroke:#fff;stroke-width:3}"
)
PAGE = Path(__file__).with_name("page.html")


def picture(table: lw.Table, values: Mapping[str, float], ghosts: int = 15) -> str:
    """The linkage at the crank angle of ``values``, faint at others, and the coupler point's whole path."""
    positions = lw.compiled(lw.Table.of(table, outputs=["P6x", "P6y", "P9x", "P9y"]))
    turn = np.linspace(0, 2 * np.pi, 361)
    linkages = [_joints(positions, {**values, "e": float(angle)}) for angle in turn[:: 360 // ghosts]]
    curve = [_coupler_point(positions, {**values, "e": float(angle)}) for angle in turn]
    now, pen = _joints(positions, values), _coupler_point(positions, values)
    corners = np.array([*curve, *(joint for linkage in linkages for joint in linkage)])
    margin = 0.08 * np.ptp(corners[:, 0])
    low, high = corners.min(axis=0) - margin, corners.max(axis=0) + margin
    scale = WIDTH / (high[0] - low[0])

    def placed(points: Sequence[Point]) -> str:
        return " ".join(f"{(x - low[0]) * scale:.1f},{(high[1] - y) * scale:.1f}" for x, y in points)

    def circles(points: Sequence[Point], radius: float) -> str:
        centres = (placed([point]).split(",") for point in points)
        return "".join(f'<circle cx="{x}" cy="{y}" r="{radius}"/>' for x, y in centres)

    shapes = [f'<polyline class="ghost" points="{placed(linkage)}"/>' for linkage in linkages]
    shapes.append(f'<polygon class="path" points="{placed(curve)}"/>')
    shapes.append(f'<g class="ground">{circles([now[0], now[-1]], 15)}</g>')
    shapes.append(f'<g class="links"><polyline points="{placed(now)}"/>{circles(now, 7)}</g>')
    shapes.append(f'<g class="pen">{circles([pen], 8)}</g>')
    box = f"0 0 {WIDTH:.0f} {(high[1] - low[1]) * scale:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><style>{STYLE}</style>'
        f'<rect width="100%" height="100%" fill="#fbfaf7"/>{"".join(shapes)}</svg>\n'
    )


def _joints(positions: lw.Function, values: Mapping[str, float]) -> list[Point]:
    """Origin, crank pin, coupler's end, rocker's pivot."""
    at = positions(**values)
    crank = (values["a"] * np.cos(values["e"]), values["a"] * np.sin(values["e"]))
    return [(0.0, 0.0), crank, (float(at["P6x"]), float(at["P6y"])), (values["b"], 0.0)]


def _coupler_point(positions: lw.Function, values: Mapping[str, float]) -> Point:
    at = positions(**values)
    return float(at["P9x"]), float(at["P9y"])


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
