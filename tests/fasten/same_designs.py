"""Other ways to draw a design, and what its result must then be: moved, turned, mirrored, scaled, cut, slowed.

Each gives the other design; the results' exact times must be the same numbers, or follow by a given law.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any, TypeAlias

from random_designs import Design

Map: TypeAlias = Callable[[list[str]], list[str]]

COSINE, SINE = Fraction(3, 5), Fraction(4, 5)
HALF_TANGENT = Fraction(1, 2)
"""Of the angle whose cosine is 3/5 and whose sine is 4/5."""
ANGLE = 2 * math.atan(0.5)


def _linear(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> Map:
    def apply(point: list[str]) -> list[str]:
        x, y = Fraction(point[0]), Fraction(point[1])
        return [str(a * x + b * y), str(c * x + d * y)]

    return apply


TURN = _linear(COSINE, -SINE, SINE, COSINE)
UNTURN = _linear(COSINE, SINE, -SINE, COSINE)
MIRROR = _linear(Fraction(-1), Fraction(0), Fraction(0), Fraction(1))


def mapped(design: Design, change: Map, with_pawls: bool = True) -> Design:
    """All that is drawn, changed by a linear map; the pawls' outlines only if asked."""
    other = deepcopy(design)
    for key in ("p0", "v"):
        other[key] = change(design[key])
    if design.get("root"):
        other["root"] = [change(point) for point in design["root"]]
    for body in other["obstacles"]:
        body["poly"] = [change(point) for point in body["poly"]]
    for body in other["pawls"]:
        body["hinge"] = change(body["hinge"])
        if with_pawls:
            body["poly"] = [change(point) for point in body["poly"]]
    return other


def turned(design: Design) -> Design:
    """The whole by the angle of the triangle 3, 4, 5: angles of pawls stay."""
    return mapped(design, TURN)


def scaled(design: Design, factor: Fraction) -> Design:
    """Larger or smaller."""
    return mapped(design, _linear(factor, Fraction(0), Fraction(0), factor))


def shifted(design: Design, x: Fraction, y: Fraction) -> Design:
    """Obstacles and start elsewhere."""

    def move(point: list[str]) -> list[str]:
        return [str(Fraction(point[0]) + x), str(Fraction(point[1]) + y)]

    other = deepcopy(design)
    other["p0"] = move(design["p0"])
    for body in other["obstacles"]:
        body["poly"] = [move(point) for point in body["poly"]]
    return other


def mirrored(design: Design) -> Design:
    """Left for right: outlines run the other way, so that they are counter-clockwise, and angles change sign."""
    other = mapped(design, MIRROR)
    for body in (*other["obstacles"], *other["pawls"]):
        body["poly"].reverse()
    if other.get("root"):
        other["root"].reverse()
    for pawl in other["pawls"]:
        if isinstance(pawl["rest"], dict):
            rest = pawl["rest"]
            pawl["rest"] = {"half_tan": str(-Fraction(rest["half_tan"])), "turns": -int(rest["turns"])}
    return other


def mirrored_name(feature: dict[str, str] | None, design: Design, pawl: str) -> dict[str, str] | None:
    """What a feature is called in the mirrored design."""
    if feature is None:
        return None
    obstacle, corner = feature["obstacle"].split(".")
    sizes = {body["name"]: len(body["poly"]) for body in design["obstacles"]}
    mine = next(len(body["poly"]) for body in design["pawls"] if body["name"] == pawl)
    theirs = _reversed_number(corner, sizes[obstacle])
    return {
        "type": feature["type"],
        "pawl": _reversed_number(feature["pawl"], mine),
        "obstacle": f"{obstacle}.{theirs}",
    }


def _reversed_number(name: str, count: int) -> str:
    kind = name.rstrip("0123456789")
    number = int(name.removeprefix(kind))
    return f"{kind}{(count - 1 - number if kind == 'vertex' else count - 2 - number) % count}"


def redrawn(design: Design) -> Design:
    """Each pawl drawn at another angle: its outline turned back, its rest angle as much ahead."""
    other = deepcopy(design)
    for pawl in other["pawls"]:
        pawl["poly"] = [UNTURN(point) for point in pawl["poly"]]
        pawl["rest"] = _ahead(pawl["rest"])
    return other


def _ahead(rest: Any) -> Any:
    half, turns = (
        (Fraction(rest["half_tan"]), int(rest["turns"])) if isinstance(rest, dict) else (Fraction(rest), 0)
    )
    below = 1 - half * HALF_TANGENT
    if below == 0:
        raise ValueError("half a turn has no half tangent")
    return {"half_tan": str((half + HALF_TANGENT) / below), "turns": turns + (below < 0)}


def hastened(design: Design, factor: Fraction) -> Design:
    """The same way in less time."""
    other = deepcopy(design)
    other["v"] = [str(Fraction(x) * factor) for x in design["v"]]
    other["duration"] = str(Fraction(design["duration"]) / factor)
    return other


def hastened_polynomial(poly: list[int], factor: Fraction) -> list[int]:
    """The polynomial of times that are so much shorter, primitive and with a positive leading coefficient."""
    scaled = [value * factor**power for power, value in enumerate(poly)]
    common = math.lcm(*(value.denominator for value in scaled))
    whole = [int(value * common) for value in scaled]
    divisor = math.gcd(*whole) * (1 if whole[-1] > 0 else -1)
    return [value // divisor for value in whole]


def cut(design: Design) -> Design:
    """Each convex obstacle with more than three corners in two that share an edge."""
    other = deepcopy(design)
    other["obstacles"] = [part for body in design["obstacles"] for part in _halves(body)]
    return other


def _halves(body: Design) -> list[Design]:
    poly = body["poly"]
    if len(poly) < 4 or not _is_convex(poly):
        return [body]
    middle = len(poly) // 2
    return [
        {"name": f"{body['name']}a", "poly": poly[: middle + 1]},
        {"name": f"{body['name']}b", "poly": [poly[0], *poly[middle:]]},
    ]


def _is_convex(poly: list[list[str]]) -> bool:
    points = [(Fraction(x), Fraction(y)) for x, y in poly]
    triples = zip(points, points[1:] + points[:1], points[2:] + points[:2], strict=True)
    return all((b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]) for a, b, c in triples)


def notched(design: Design) -> Design:
    """With a corner in the middle of every edge, which is none."""
    other = deepcopy(design)
    for body in (*other["obstacles"], *other["pawls"]):
        corners = [[Fraction(x), Fraction(y)] for x, y in body["poly"]]
        following = corners[1:] + corners[:1]
        body["poly"] = [
            [str(x), str(y)]
            for a, b in zip(corners, following, strict=True)
            for x, y in (a, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2])
        ]
    return other


def unnotched_name(feature: dict[str, str] | None) -> tuple[str, str, str] | None:
    """What a feature of a design with such corners was called without them."""
    if feature is None:
        return None
    obstacle, corner = feature["obstacle"].split(".")
    return feature["type"], _halved(feature["pawl"]), f"{obstacle}.{_halved(corner)}"


def _halved(name: str) -> str:
    kind = name.rstrip("0123456789")
    return f"{kind}{int(name.removeprefix(kind)) // 2}"
