"""The programs that golden files, splitting and stand-alone runs share."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from linkwork.algebra import (
    Definition,
    Expression,
    Table,
    cos,
    maximum,
    minimum,
    number,
    select,
    sign,
    sin,
    sqrt,
    symbol,
    symbols,
    time_derivative,
)
from linkwork.emit import Program, print_c, print_javascript, print_python

GOLDEN: Final = Path(__file__).parent.parent / "golden"

PRINTED: Final = {"c": print_c, "mjs": print_javascript, "py.txt": print_python}
"""The ending of a golden file, and the printer of what stands in it."""


def four_bar() -> Program:
    """The angles of coupler and rocker of a four-bar linkage, and how fast they turn.

    The crank is a, the coupler b, the rocker c, the frame d; e joins the crank's pin to the rocker's pivot.
    """
    table = Table.of(
        [
            Definition.of("pin.x", "a*cos(q)"),
            Definition.of("pin.y", "a*sin(q)"),
            Definition.of("e", implicit="e^2 = (d - pin.x)^2 + pin.y^2"),
            Definition.of("lean", "atan2(-pin.y, d - pin.x)"),
            Definition.of("coupler", "lean + acos((b^2 + e^2 - c^2)/(2*b*e))"),
            Definition.of("rocker", "atan2(pin.y + b*sin(coupler), pin.x + b*cos(coupler) - d)"),
        ],
        outputs=["coupler", "rocker"],
        inputs=["q", "a", "b", "c", "d"],
    )
    moving = time_derivative(table, ["q"], outputs=["coupler", "rocker", "V_coupler", "V_rocker"])
    return Program.of_table(moving, "four_bar")


def bumper() -> Program:
    """The force of a stop with dry friction that cannot pull and gives way at a limit."""
    x, v, k, c, limit = symbols("x v k c limit")
    depth = maximum(x - 1, 0)
    push = minimum(maximum(k * depth + c * v, 0), limit)
    force = select(depth > 0, -push - 0.3 * sign(v) * push, 0)
    touching = (x >= 1) * 1
    return Program.of("bumper", [x, v, k, c, limit], {"force": force, "touching": touching})


def pendulum() -> Program:
    """The rate of a double pendulum's state, and its energy."""
    q1, q2, v1, v2, m1, m2, l1, l2, g = symbols("q1 q2 v1 v2 m1 m2 l1 l2 g")
    difference = symbol("delta")
    s, c = sin(difference), cos(difference)
    determinant = symbol("determinant")
    r1 = -m2 * l1 * l2 * s * v2**2 - (m1 + m2) * g * l1 * sin(q1)
    r2 = m2 * l1 * l2 * s * v1**2 - m2 * g * l2 * sin(q2)
    a, b, d = (m1 + m2) * l1**2, m2 * l1 * l2 * c, m2 * l2**2
    energy = (
        a * v1**2 / 2 + b * v1 * v2 + d * v2**2 / 2 - (m1 + m2) * g * l1 * cos(q1) - m2 * g * l2 * cos(q2)
    )
    return Program.of(
        "pendulum",
        {"state": [q1, q2, v1, v2], "parameters": [m1, m2, l1, l2, g]},
        {
            "rate": [v1, v2, (d * r1 - b * r2) / determinant, (a * r2 - b * r1) / determinant],
            "energy": energy,
        },
        [Definition.of("delta", q1 - q2), Definition.of("determinant", a * d - b**2)],
    )


def meeting() -> Program:
    """Where two circles meet, and how that point moves with a centre: a block, and the block of its rates."""
    lines = [
        Definition.of("x", implicit="(x - a)^2 + y^2 = r^2", start="a"),
        Definition.of("y", implicit="x^2 + y^2 = s^2", start="r"),
        Definition.of("height", "y - x/2"),
    ]
    table = time_derivative(Table.of(lines, inputs=["a", "r", "s"]), ["a"], outputs=["x", "height"])
    return Program.of_table(table, "meeting")


def all_programs() -> dict[str, Program]:
    """The programs of the golden files by name."""
    return {each.name: each for each in (four_bar(), bumper(), pendulum(), meeting())}


_VALUES: Final = {
    "four_bar": {"q": 0.7, "a": 1.0, "b": 3.5, "c": 3.0, "d": 4.0, "V_q": 2.0},
    "bumper": {"x": 1.25, "v": -0.5, "k": 8.0, "c": 1.0, "limit": 1.5},
    "pendulum": {
        "q1": 0.3,
        "q2": -0.8,
        "v1": 1.5,
        "v2": 0.25,
        "m1": 2.0,
        "m2": 1.0,
        "l1": 1.5,
        "l2": 0.5,
        "g": 9.81,
    },
    "meeting": {"a": 3.0, "r": 2.0, "s": 2.5, "V_a": 1.5},
    "long_program": {"x": 0.25, "y": 0.5, "z": -1.5},
}


def row_of(program: Program) -> list[float]:
    """Inputs for one of the programs here, inside every domain, in the order of its arguments."""
    return [_VALUES[program.name][leaf] for each in program.inputs for leaf in each.symbols]


def long_program(lines: int, outputs: int, seed: int = 1) -> Program:
    """Definitions over any earlier ones, some of them aliases, and outputs over all: nothing stays local.

    Values stay near 1, and most operations are ones that every language rounds in the same way.
    """
    source = random.Random(seed)
    inputs = symbols("x y z")
    known: list[Expression] = list(inputs)
    definitions = []
    for place in range(lines):
        a, b, c = (source.choice(known) for _ in range(3))
        value = source.choice(_PIECES)(a, b, c)
        definitions.append(Definition.of(f"d{place}", value))
        known.append(symbol(f"d{place}"))
    unused = [line.symbol for line in definitions]
    results = [
        (source.choice(known) + each) / 2
        for each in [*unused, *(source.choice(known) for _ in range(outputs))]
    ]
    half = len(results) // 2
    return Program.of(
        "long_program",
        inputs,
        {"first": results[0], "early": results[1:half], "late": results[half:]},
        definitions,
    )


_PIECES: Final = (
    lambda a, b, c: (a + b) / 2 - c / 8,
    lambda a, b, c: a * b / (c * c + 2),
    lambda a, b, c: sqrt(a * a + b * b + 1) / 2,
    lambda a, b, c: select(a < b, a, c),
    lambda a, b, c: maximum(a, minimum(b, c)) - c / 4,
    lambda a, b, c: a,
    lambda a, b, c: number(3) / (4 + b**4),
    lambda a, b, c: (a - b) * (a - b) / (1 + (a - b) ** 2) + c / 3,
)
