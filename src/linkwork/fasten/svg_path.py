"""The data of SVG paths (SVG 2, chapter 9) as loops of points: lines exactly, curves and arcs by chords."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from linkwork.errors import LinkworkError
from linkwork.fasten.design import Vector
from linkwork.fasten.outline import FINENESS, checked_count, chords, decimal
from linkwork.fasten.rational import rational

_NUMBER: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_BLANK: Final = re.compile(r"[\s,]*")
_ARGUMENTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_FLAGS: Final = (3, 4)
"""Arguments of an arc that are one digit each and need nothing between them."""


def path_loops(data: str, deviation: float) -> list[list[Vector]]:
    """The loops that a path draws, each without its first point at the end.

    >>> [[(int(x), int(y)) for x, y in loop] for loop in path_loops("m1,1 h2v2z", 0.0)]
    [[(1, 1), (3, 1), (3, 3)]]
    """
    pen = _Pen(deviation)
    for command, arguments in _commands(data):
        pen.draw(command, arguments)
    return pen.finished()


def numbers(text: str) -> list[Fraction]:
    """The numbers of a list with blanks or commas between them."""
    found, position = [], _past_blank(text, 0)
    while position < len(text):
        number = _NUMBER.match(text, position)
        if number is None:
            raise _fault(text, position, "a number")
        found.append(rational(number[0]))
        position = _past_blank(text, number.end())
    return found


def _commands(data: str) -> Iterator[tuple[str, list[Fraction]]]:
    """Each command with as many numbers as it takes; what follows a move without a letter is a line."""
    position, command = _past_blank(data, 0), ""
    while position < len(data):
        if data[position].isalpha():
            command = data[position]
            position = _past_blank(data, position + 1)
            if command.upper() not in _ARGUMENTS:
                raise _fault(data, position - 1, "one of M L H V C S Q T A Z")
        elif command in ("", "z", "Z"):
            raise _fault(data, position, "a command: a letter")
        arguments = []
        for place in range(_ARGUMENTS[command.upper()]):
            is_flag = command in "aA" and place in _FLAGS
            number = re.compile("[01]").match(data, position) if is_flag else _NUMBER.match(data, position)
            if number is None:
                raise _fault(data, position, "0 or 1" if is_flag else "a number")
            arguments.append(rational(number[0]))
            position = _past_blank(data, number.end())
        yield command, arguments
        command = {"m": "l", "M": "L"}.get(command, command)


def _past_blank(text: str, position: int) -> int:
    blank = _BLANK.match(text, position)
    return blank.end() if blank else position


def _fault(text: str, position: int, wanted: str) -> LinkworkError:
    return LinkworkError(
        "this is no path", got=f"{text[max(0, position - 20) : position + 20]!r} at {position}", wanted=wanted
    )


class _Pen:
    """Where the drawing of a path has got to."""

    def __init__(self, deviation: float) -> None:
        self.deviation = deviation
        self.loops: list[list[Vector]] = []
        self.at: Vector = (Fraction(0), Fraction(0))
        self.before: tuple[str, Vector] = ("", self.at)  # the last curve and its last control point
        self.is_closed = False  # behind Z a new loop begins where the last one did

    def finished(self) -> list[list[Vector]]:
        """The loops; closing one repeats no point."""
        found = []
        for loop in self.loops:
            points = [each for place, each in enumerate(loop) if not place or each != loop[place - 1]]
            found.append(points[:-1] if len(points) > 1 and points[0] == points[-1] else points)
        return [loop for loop in found if len(loop) > 1]

    def draw(self, command: str, given: Sequence[Fraction]) -> None:
        kind, is_relative = command.upper(), command.islower()
        x0, y0 = self.at if is_relative else (Fraction(0), Fraction(0))
        if kind == "Z":
            if self.loops:
                self.to([self.loops[-1][0]])
                self.is_closed = True
            return
        if kind == "A":
            end = (x0 + given[5], y0 + given[6])
            self.to([*self.arc(given, end), end])
            return
        if kind in "HV":
            self.to([(x0 + given[0], self.at[1]) if kind == "H" else (self.at[0], y0 + given[0])])
            return
        points = [(x0 + given[place], y0 + given[place + 1]) for place in range(0, len(given), 2)]
        if kind == "M":
            self.loops.append([points[0]])
            self.at, self.before, self.is_closed = points[0], ("", points[0]), False
        elif kind == "L":
            self.to(points)
        else:
            self.curve(kind, points)

    def to(self, points: Sequence[Vector]) -> None:
        if not self.loops:
            raise LinkworkError("a path begins with M", wanted='d="M 0,0 …"')
        if self.is_closed:
            self.loops.append([self.at])
            self.is_closed = False
        self.loops[-1] += points
        self.at, self.before = points[-1], ("", points[-1])

    def curve(self, kind: str, points: list[Vector]) -> None:
        """A curve of Bézier; a smooth one reflects the control point of the one before."""
        wanted = "CS" if kind in "CS" else "QT"
        if kind in "ST":
            last = self.before[1] if self.before[0] and self.before[0] in wanted else self.at
            points = [(2 * self.at[0] - last[0], 2 * self.at[1] - last[1]), *points]
        control = [self.at, *points]
        self.to(_bezier(control, self.deviation))
        self.before = (kind, points[-2])

    def arc(self, given: Sequence[Fraction], end: Vector) -> list[Vector]:
        """Points between the ends of an elliptical arc, by its centre (SVG 2, appendix B.2.4)."""
        rx, ry, turn = abs(float(given[0])), abs(float(given[1])), math.radians(float(given[2]))
        if not rx or not ry or end == self.at:
            return []
        cosine, sine = math.cos(turn), math.sin(turn)
        dx, dy = (float(a - b) / 2 for a, b in zip(self.at, end, strict=True))
        x, y = cosine * dx + sine * dy, cosine * dy - sine * dx
        grown = max(1.0, math.hypot(x / rx, y / ry))
        rx, ry = rx * grown, ry * grown
        share = math.sqrt(max(0.0, 1 / ((x / rx) ** 2 + (y / ry) ** 2) - 1))
        share = share if given[3] != given[4] else -share
        cx, cy = share * rx * y / ry, -share * ry * x / rx
        start = math.atan2((y - cy) / ry, (x - cx) / rx)
        sweep = (math.atan2((-y - cy) / ry, (-x - cx) / rx) - start) % math.tau
        sweep = sweep if given[4] else sweep - math.tau
        middle = [float(a + b) / 2 for a, b in zip(self.at, end, strict=True)]
        size = max(rx, ry) + max(map(abs, middle))
        count = chords(sweep, max(rx, ry), self.deviation)
        found = []
        for step in range(1, count):
            angle = start + sweep * step / count
            px, py = cx + rx * math.cos(angle), cy + ry * math.sin(angle)
            found.append(
                (
                    decimal(cosine * px - sine * py + middle[0], size),
                    decimal(sine * px + cosine * py + middle[1], size),
                )
            )
        return found


def _bezier(control: Sequence[Vector], deviation: float) -> list[Vector]:
    """Points of a curve of Bézier behind its first one, exactly on it.

    A chord over a step h of the parameter is at most h²/8 max|B″| from the curve, and B″ lies in the hull of
    n(n - 1) times the second differences of the control points.
    """
    order = len(control) - 1
    bends = [
        math.hypot(*(float(a - 2 * b + c) for a, b, c in zip(*three, strict=True)))
        for three in zip(control, control[1:], control[2:], strict=False)
    ]
    size = max(
        math.dist([float(each) for each in control[0]], [float(each) for each in other]) for other in control
    )
    if not size or not any(bends):
        return [control[-1]]
    allowed = deviation or size / FINENESS
    count = checked_count(math.ceil(math.sqrt(order * (order - 1) * max(bends) / (8 * allowed))))
    return [_at(control, Fraction(step, count)) for step in range(1, count + 1)]


def _at(control: Sequence[Vector], share: Fraction) -> Vector:
    points = list(control)
    while len(points) > 1:  # de Casteljau
        points = [(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) for a, b in pairwise(points)]
    return points[0]
