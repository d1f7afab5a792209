"""Drives: coordinates whose value is given, by an expression of time or call by call."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.algebra import PI, Expression, sign, symbol
from linkwork.model.field import TIME, Entries, Record, Scalar, Size, Sizes, Text, Whole, given

CLOCK = symbol("t")
"""The time, in expressions of drives, forces and definitions."""


@dataclass(frozen=True)
class Drive(Record):
    """A coordinate that is told where to go.

    It is that of a ``joint`` (with ``coordinate`` where the joint has several) or one ``of`` a part, such
    as ``crank.angle`` or ``slider.x``. ``value`` is an expression of the time ``t``. Instead, ``range`` gives
    the first and the last value, up or down, run through at the given ``rate``; without either it makes one
    turn, backwards where the rate is negative.

    >>> Drive("A", range=("90 deg", 0), rate=2).path(), Drive("A").duration()
    (pi/2 - 2*t, 2*pi)
    """

    joint: str = given(Text("the joint", "A"), "")
    coordinate: str = given(Text("which coordinate of the joint", "angle"), "")
    of: str = given(Text("a coordinate of a part", "crank.angle"), "")
    value: Size | None = given(Scalar(TIME, example="2*pi*t"), None, "the value over time")
    range: Sizes | None = given(
        Entries(Scalar(), 2, 2, "a list of two numbers or expressions", example=(0, "360 deg")),
        None,
        "from, to",
    )
    rate: Size = given(Scalar(), 1, "change of the value per time; with a range how fast it runs")

    def path(self) -> Expression:
        """The value as an expression of time."""
        if self.value is not None:
            return self.value
        if self.range is None:
            return self.rate * CLOCK
        first, last = self.range
        return first + sign(last - first) * self.rate * CLOCK

    def duration(self) -> Expression | None:
        """How long the drive runs, where its range or the default of one turn says so."""
        if self.value is not None:
            return None
        way = 2 * PI if self.range is None else self.range[1] - self.range[0]
        return abs(way / self.rate)


@dataclass(frozen=True)
class Span(Record):
    """The time over which a machine is moved, and in how many steps."""

    start: Size = given(Scalar(), 0, "the first time")
    until: Size | None = given(Scalar(), None, "the last time")
    steps: int | None = given(Whole(), None, "how many steps; 360 without it")
