"""Tables with blocks that tests of algebra and of programs share."""

from __future__ import annotations

import math
import random

from linkwork.algebra import Definition, Table, TableBuilder

Values = dict[str, float]


def equations(start: object = 1, /, **forms: str) -> list[Definition]:
    """Lines with implicit forms only, all searched for from one start."""
    return [Definition.of(name, implicit=form, start=start) for name, form in forms.items()]  # type: ignore[arg-type]


def kepler() -> Table:
    """The eccentric anomaly of an orbit, by Kepler's equation, and the distance."""
    lines = [Definition.of("E", implicit="E - ec*sin(E) = M", start="M"), Definition.of("d", "1 - ec*cos(E)")]
    return Table.of(lines, inputs=["M", "ec"])


def two_circles(start: float = 2) -> Table:
    """The upper intersection of two circles, and what follows from it: another equation, another formula."""
    return Table.of(
        [
            *equations(start, x="(x - a)^2 + (y - b)^2 = r^2", y="x^2 + y^2 = s^2"),
            Definition.of("u", "x*y + a"),
            Definition.of("z", implicit="z + exp(z) = u*x", start="u"),
            Definition.of("v", "sin(z)*y"),
        ],
        inputs=["a", "b", "r", "s"],
    )


CIRCLES: Values = {"a": 1.0, "b": -0.5, "r": 2.0, "s": 2.1}


def platform(seed: int) -> tuple[Table, Values, Values]:
    """A triangle hung by a rod at each corner from random anchors: six distances for six coordinates.

    No corner can be placed without the others. Also the values of the inputs, and those of the unknowns.
    """
    source = random.Random(seed)
    places = {f"{axis}{k}": source.uniform(-3, 3) + 4 * k for k in range(3) for axis in "xy"}
    anchors = {f"{axis}{k}": places[f"x{k}"] + source.uniform(1, 3) for k in range(3) for axis in "ab"}
    values = dict(anchors)
    build = TableBuilder()
    for k in range(3):
        after = (k + 1) % 3
        px, py, qx, qy = (places[f"{axis}{j}"] for j in (k, after) for axis in "xy")
        values[f"l{k}"] = math.hypot(px - anchors[f"a{k}"], py - anchors[f"b{k}"])
        values[f"m{k}"] = math.hypot(px - qx, py - qy)
        near = {axis: places[f"{axis}{k}"] + source.uniform(-0.02, 0.02) for axis in "xy"}
        rod = f"(x{k} - a{k})^2 + (y{k} - b{k})^2 = l{k}^2"
        side = f"(x{k} - x{after})^2 + (y{k} - y{after})^2 = m{k}^2"
        build.define(f"x{k}", implicit=rod, start=near["x"])
        build.define(f"y{k}", implicit=side, start=near["y"])
    build.define("area", "(x1 - x0)*(y2 - y0) - (x2 - x0)*(y1 - y0)")
    return build.table(), values, places


def bipartite(seed: int) -> tuple[Table, Values, Values]:
    """K₃,₃: three points, three others, the nine distances between them; the rest as for the platform.

    A1 is the origin and B1 lies on the axis, so that eight distances give eight coordinates.
    """
    source = random.Random(seed)
    points = ("A2", "A3", "B2", "B3")
    places = {f"{p}.{axis}": source.uniform(-4, 4) for p in points for axis in "xy"}
    values = {"d11": 3 + source.random()}
    fixed = {"A1.x": 0.0, "A1.y": 0.0, "B1.x": values["d11"], "B1.y": 0.0}
    text = {"A1.x": "0", "A1.y": "0", "B1.x": "d11", "B1.y": "0"}
    solved_for = {"12": "B2.x", "13": "B3.x", "21": "A2.x", "31": "A3.x"}
    solved_for |= {"22": "A2.y", "23": "B3.y", "32": "B2.y", "33": "A3.y"}
    build = TableBuilder()
    for pair, unknown in solved_for.items():
        ends = [f"A{pair[0]}", f"B{pair[1]}"]
        (ax, ay), (bx, by) = (tuple((fixed | places)[f"{end}.{axis}"] for axis in "xy") for end in ends)
        values[f"d{pair}"] = math.hypot(ax - bx, ay - by)
        gaps = [" - ".join(text.get(f"{end}.{axis}", f"{end}.{axis}") for end in ends) for axis in "xy"]
        near = places[unknown] + source.uniform(-0.01, 0.01)
        build.define(unknown, implicit=f"({gaps[0]})^2 + ({gaps[1]})^2 = d{pair}^2", start=near)
    return build.table(), values, places


def random_system(seed: int, size: int) -> tuple[Table, Values]:
    """A block of random coupled equations A·x + sin(x) terms = p, strongly diagonal, so that it has a solution."""
    source = random.Random(seed)
    names = [f"q{k}" for k in range(size)]
    lines = []
    for k, name in enumerate(names):
        others = source.sample(names, min(size, 3))
        others.append(names[(k + 1) % size])  # a circle through all
        terms = [f"{source.uniform(-0.4, 0.4):.3f}*{source.choice(FORMS).format(other)}" for other in others]
        lines.append(
            Definition.of(name, implicit=f"{3 + source.random():.3f}*{name} + {' + '.join(terms)} = p{k}")
        )
    lines += [Definition.of("total", " + ".join(names)), Definition.of("top", implicit="top^3 + top = total")]
    return Table.of(lines), {f"p{k}": source.uniform(-2, 2) for k in range(size)}


FORMS = ("sin({})", "cos({})", "atan({})", "{}", "exp(-{}^2)")
