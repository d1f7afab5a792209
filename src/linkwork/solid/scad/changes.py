"""Modules that change what stands behind them: moved, turned, stretched, marked, combined."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal

import numpy as np

from linkwork.solid.scad import matrices
from linkwork.solid.scad.arguments import Given
from linkwork.solid.scad.fault import did_you_mean
from linkwork.solid.scad.tree import (
    Called,
    Combined,
    Holder,
    Hull,
    Marked,
    Matrix,
    Minkowski,
    Node,
    Resized,
    Transformed,
)

Children = tuple[Node, ...]

SCREW: Final = "screw"
"""The label of a fastener."""

_CODE: Final = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")


def translate(given: Given, children: Children) -> Node:
    """translate(v)."""
    return Transformed(given.place, children, matrices.shift(given.vector("v", (2, 3))))


def rotate(given: Given, children: Children) -> Node:
    """rotate(a): about z by a number, about x, y, z by a vector; rotate(a, v): about an axis."""
    value = given.value("a")
    if isinstance(value, tuple):
        matrix = matrices.turn(given.vector("a", (1, 2, 3)))
    elif "v" in given:
        axis = given.vector("v", (2, 3))
        matrix = matrices.turn_about(given.number("a"), (*axis, 0.0)[:3])
    else:
        matrix = matrices.turn((0.0, 0.0, given.number("a")))
    return Transformed(given.place, children, matrix)


def mirror(given: Given, children: Children) -> Node:
    """mirror(v)."""
    return Transformed(given.place, children, matrices.mirror(given.vector("v", (2, 3))))


def scale(given: Given, children: Children) -> Node:
    """scale(v): a number, or one for each axis."""
    if isinstance(given.value("v"), float):
        factors: tuple[float, ...] = (given.number("v"),) * 3
    else:
        factors = (*given.vector("v", (2, 3)), 1.0)[:3]
    if 0 in factors:
        given.unfit("v", "factors other than 0", fix="a factor of 0 leaves nothing")
    return Transformed(given.place, children, matrices.stretch(factors))


def multmatrix(given: Given, children: Children) -> Node:
    """multmatrix(m): up to four rows of up to four numbers."""
    matrix = np.eye(4)
    rows = given.rows("m", range(1, 5))
    if not 1 <= len(rows) <= 4:
        given.unfit("m", "four rows of four numbers at most", fix=f"m = {np.eye(4, dtype=int).tolist()}")
    for place, row in enumerate(rows):
        matrix[place, : len(row)] = row
    _check_last_row(given, matrix)
    return Transformed(given.place, children, matrices.repaired(matrix))


def _check_last_row(given: Given, matrix: Matrix) -> None:
    last = matrix[3]
    if np.any(last[:3] != 0) or last[3] == 0:
        given.fail(
            "m",
            "the last row of the matrix is not 0, 0, 0, 1",
            wanted="no perspective",
            fix="[0, 0, 0, 1] as the last row, or leave it out",
        )
    matrix /= last[3]
    if abs(np.linalg.det(matrix[:3, :3])) <= 1e-12 * np.abs(matrix[:3, :3]).max() ** 3:
        given.fail(
            "m",
            "this matrix makes everything flat",
            wanted="a matrix with a determinant other than 0",
            fix="linear_extrude(1) projection() for a shadow",
        )


def resize(given: Given, children: Children) -> Node:
    """resize(newsize, auto)."""
    x, y, z = (*given.vector("newsize", (1, 2, 3)), 0.0, 0.0)[:3]
    if min(x, y, z) < 0:
        given.unfit("newsize", "lengths not below 0", fix="0 for what stays as it is; mirror() turns round")
    value = given.value("auto")
    auto = [given.flag("auto")] * 3
    if isinstance(value, tuple):
        auto = [bool(each) for each in (*value, False, False, False)[:3]]
    return Resized(given.place, children, (x, y, z), (auto[0], auto[1], auto[2]))


def together(how: Literal["union", "difference", "intersection"]) -> Callable[[Given, Children], Node]:
    """union, difference, intersection."""
    return lambda given, children: Combined(given.place, children, how)


def group(given: Given, children: Children) -> Node:
    """group, render: all of it, unchanged."""
    return Called(given.place, children, "")


def hull(given: Given, children: Children) -> Node:
    """hull."""
    return Hull(given.place, children)


def minkowski(given: Given, children: Children) -> Node:
    """minkowski."""
    return Minkowski(given.place, children)


# --------------------------------------------------------------------------------------- marks


def color(given: Given, children: Children) -> Node:
    """color(c, alpha): a name, a code, or parts of red, green and blue; how clear it is makes no difference."""
    if "c" not in given:
        return Holder(given.place, children)
    value = given.value("c")
    if isinstance(value, tuple):
        parts = given.vector("c", (3, 4))[:3]
        code = "#" + "".join(f"{round(255 * min(1.0, max(0.0, part))):02x}" for part in parts)
        return Marked(given.place, children, colour=code)
    from PIL.ImageColor import colormap

    name = given.text("c")
    code = _code(name.lower().replace(" ", ""))
    if not code:
        given.fail(
            "c",
            f"there is no colour '{name[:60]}'",
            wanted='the name of a colour of web pages, "#rrggbb", or [red, green, blue] from 0 to 1',
            fix=did_you_mean(name, colormap, 'color("red")'),
        )
    return Marked(given.place, children, colour=code)


def _code(name: str) -> str:
    """A colour as #rrggbb; empty for what is none."""
    from PIL.ImageColor import colormap

    match = _CODE.fullmatch(name)
    if match is None:
        found = colormap.get(name, "")
        return found if isinstance(found, str) else ""
    digits = match[1]
    return "#" + ("".join(2 * digit for digit in digits[:3]) if len(digits) < 6 else digits[:6])


def label(given: Given, children: Children) -> Node:
    """label(name)."""
    return Marked(given.place, children, label=given.text("name"))


def gear(given: Given, children: Children) -> Node:
    """gear(): what stands behind is a pitch cylinder, which may overlap that of another gear."""
    return Marked(given.place, children, gear=True)


def thread(given: Given, children: Children) -> Node:
    """thread(pitch): what stands behind carries a thread."""
    pitch = given.number("pitch")
    if pitch == 0:
        given.unfit("pitch", "the way of one turn; below 0 for a left-handed thread", fix="thread(1.25)")
    return Marked(given.place, children, thread=pitch)


def screw(given: Given, children: Children) -> Node:
    """screw(): what stands behind is a fastener, which holds together what it goes through."""
    return Marked(given.place, children, label=SCREW)
