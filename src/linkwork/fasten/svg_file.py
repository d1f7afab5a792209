"""Outlines of SVG drawings: polygons, rectangles, circles and paths, where their transforms put them.

In SVG y goes down; here it goes up, so a drawing looks as it does on the screen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, NoReturn
from xml.parsers import expat

from linkwork.errors import LinkworkError
from linkwork.fasten.design import Vector
from linkwork.fasten.outline import Outline, arc_points, chords
from linkwork.fasten.rational import rational
from linkwork.fasten.svg_path import numbers, path_loops
from linkwork.model.fault import PlacedError

SHAPES: Final = ("polygon", "polyline", "rect", "circle", "ellipse", "path")
UNSEEN: Final = frozenset("clipPath defs marker mask pattern symbol".split())
"""What stands inside these is not drawn where it stands."""
_TRANSFORM: Final = re.compile(r"\s*,?\s*([A-Za-z]+)\s*\(([^()]*)\)")
_LENGTH: Final = re.compile(r"\s*(.*?)\s*(px)?\s*")


class Affine(NamedTuple):
    """x' = a x + c y + e, y' = b x + d y + f."""

    a: Fraction
    b: Fraction
    c: Fraction
    d: Fraction
    e: Fraction
    f: Fraction

    def of(self, point: Vector) -> Vector:
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def behind(self, other: Affine) -> Affine:
        """First ``other``, then this one."""
        (a, b), (c, d), (e, f) = (
            self._turned(other.a, other.b),
            self._turned(other.c, other.d),
            self.of((other.e, other.f)),
        )
        return Affine(a, b, c, d, e, f)

    def _turned(self, x: Fraction, y: Fraction) -> Vector:
        return self.a * x + self.c * y, self.b * x + self.d * y


_ONE, _ZERO = Fraction(1), Fraction(0)
UPWARD: Final = Affine(_ONE, _ZERO, _ZERO, -_ONE, _ZERO, _ZERO)


def svg_outlines(text: str, file: str, deviation: float) -> list[Outline]:
    """The closed outlines of a drawing, named by their ids or, where they have none, by the nearest group's."""
    return _Drawing(file, deviation).read(text)


class _Drawing:
    def __init__(self, file: str, deviation: float) -> None:
        self.file = file
        self.deviation = deviation
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.places = [
            (UPWARD, "", True)
        ]  # of each open element: its transform, its name, whether it is drawn
        self.found: list[Outline] = []

    def fail(
        self, problem: str, *, got: str = "", wanted: str = "", why: str = "", fix: str = ""
    ) -> NoReturn:
        line = self.parser.CurrentLineNumber
        raise PlacedError(problem, file=self.file, line=line, got=got, wanted=wanted, why=why, fix=fix)

    def read(self, text: str) -> list[Outline]:
        self.parser.StartElementHandler = self.begin
        self.parser.EndElementHandler = self.end
        self.parser.EntityDeclHandler = self.refuse
        try:
            self.parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            self.fail("this is not XML", why=expat.ErrorString(error.code), fix="save it as plain SVG")
        return self.found

    def refuse(self, *_: object) -> None:
        self.fail("this SVG file defines entities", wanted="plain XML", fix="save it as plain SVG")

    def begin(self, kind: str, given: Mapping[str, str]) -> None:
        kind = kind.rpartition(" ")[2]
        outer, name, is_drawn = self.places[-1]
        is_drawn = is_drawn and kind not in UNSEEN
        place, own = outer, given.get("id", "")
        try:
            if given.get("transform"):
                place = outer.behind(transform(given["transform"]))
            if is_drawn and kind in SHAPES:
                self.found += [
                    Outline(
                        own or name, tuple(place.of(each) for each in loop), self.parser.CurrentLineNumber
                    )
                    for loop in self.loops(kind, given)
                ]
        except PlacedError:
            raise
        except LinkworkError as error:
            about = f"{kind} {own}".strip()
            self.fail(
                f"{about}: {error.problem}", got=error.got, wanted=error.wanted, why=error.why, fix=error.fix
            )
        self.places.append((place, own or name, is_drawn))

    def end(self, kind: str) -> None:
        self.places.pop()

    def loops(self, kind: str, given: Mapping[str, str]) -> list[list[Vector]]:
        """The loops of a shape, in its own coordinates."""
        if kind == "path":
            return path_loops(given.get("d", ""), self.deviation)
        if kind in ("polygon", "polyline"):
            flat = numbers(given.get("points", ""))
            loop = [(flat[place], flat[place + 1]) for place in range(0, len(flat) - 1, 2)]
            return [loop[:-1] if len(loop) > 1 and loop[0] == loop[-1] else loop]
        if kind == "rect":
            return [self.rectangle(given)]
        rx, ry = (length(given, key) for key in (("r", "r") if kind == "circle" else ("rx", "ry")))
        centre = length(given, "cx"), length(given, "cy")
        if rx <= 0 or ry <= 0:
            return []
        radius = float(max(rx, ry))
        count = max(3, chords(math.tau, radius, self.deviation))
        unit = arc_points((_ZERO, _ZERO), 1.0, 0.0, math.tau, count)[:-1]
        return [[(centre[0] + rx * x, centre[1] + ry * y) for x, y in unit]]

    def rectangle(self, given: Mapping[str, str]) -> list[Vector]:
        if any(length(given, key) for key in ("rx", "ry")):
            self.fail(
                "a rectangle with round corners is not read",
                wanted="a path",
                fix="turn it into a path and save again",
            )
        x, y, width, height = (length(given, key) for key in ("x", "y", "width", "height"))
        return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def length(given: Mapping[str, str], key: str) -> Fraction:
    """A length in user units; those of paper have no size here."""
    found = _LENGTH.fullmatch(given.get(key, "0"))
    assert found is not None
    return rational(found[1])


def transform(text: str) -> Affine:
    """A list of transforms, the last of which is done first.

    >>> [int(each) for each in transform("translate(10, 20) rotate(90)").of((Fraction(1), Fraction(0)))]
    [10, 21]
    """
    found, position = Affine(_ONE, _ZERO, _ZERO, _ONE, _ZERO, _ZERO), 0
    while text[position:].strip():
        one = _TRANSFORM.match(text, position)
        if one is None:
            raise _no_transform(text[position:])
        found = found.behind(_single(one[1], numbers(one[2])))
        position = one.end()
    return found


def _single(kind: str, given: Sequence[Fraction]) -> Affine:
    count = len(given)
    if kind == "matrix" and count == 6:
        return Affine(*given)
    if kind == "translate" and count in (1, 2):
        return Affine(_ONE, _ZERO, _ZERO, _ONE, given[0], given[1] if count == 2 else _ZERO)
    if kind == "scale" and count in (1, 2):
        return Affine(given[0], _ZERO, _ZERO, given[-1], _ZERO, _ZERO)
    if kind == "rotate" and count in (1, 3):
        cosine, sine = (_rounded(turn(math.radians(float(given[0])))) for turn in (math.cos, math.sin))
        turned = Affine(cosine, sine, -sine, cosine, _ZERO, _ZERO)
        if count == 1:
            return turned
        there = Affine(_ONE, _ZERO, _ZERO, _ONE, given[1], given[2])
        return there.behind(turned).behind(there._replace(e=-given[1], f=-given[2]))
    if kind in ("skewX", "skewY") and count == 1:
        skew = _rounded(math.tan(math.radians(float(given[0]))))
        return Affine(_ONE, *((_ZERO, skew) if kind == "skewX" else (skew, _ZERO)), _ONE, _ZERO, _ZERO)
    raise _no_transform(f"{kind}({', '.join(map(str, given))})")


def _rounded(value: float) -> Fraction:
    """To 15 digits, so that quarter turns are exact."""
    return Fraction(round(value * 10**15), 10**15)


def _no_transform(text: str) -> LinkworkError:
    return LinkworkError(
        "this is no transform",
        got=text[:60],
        wanted="matrix, translate, scale, rotate, skewX or skewY, with their numbers",
        fix='transform="translate(1, 2)"',
    )
