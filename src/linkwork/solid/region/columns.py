"""Edges as columns of numbers: what the algorithms on many edges at once work with.

Points are complex numbers: with z* the conjugate, Re(a* b) is the inner product and Im(a* b) the cross
product of two vectors.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.region.edge import Arc, Edge, Line

Points: TypeAlias = NDArray[np.complex128]
Numbers: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]
Truths: TypeAlias = NDArray[np.bool_]

LONGEST_SWEEP: Final = 3.3
"""Radians. Longer arcs are halved before an overlay, so that none can close on itself."""


def cross(a: Points, b: Points) -> Numbers:
    """The cross product of vectors."""
    return a.real * b.imag - a.imag * b.real


def dot(a: Points, b: Points) -> Numbers:
    """The inner product of vectors."""
    return a.real * b.real + a.imag * b.imag


class Boxes(NamedTuple):
    """Upright rectangles."""

    left: Numbers
    right: Numbers
    bottom: Numbers
    top: Numbers

    def grown(self, margin: float) -> Boxes:
        return Boxes(self.left - margin, self.right + margin, self.bottom - margin, self.top + margin)

    def take(self, places: Places) -> Boxes:
        return Boxes(self.left[places], self.right[places], self.bottom[places], self.top[places])


@dataclass(frozen=True, eq=False)
class Columns:
    """Edges by column. ``turn`` is 1 for arcs anticlockwise, −1 for arcs clockwise and 0 for lines."""

    start: Points
    end: Points
    centre: Points
    radius: Numbers
    turn: Numbers

    @staticmethod
    def of(edges: Iterable[Edge]) -> Columns:
        rows: list[tuple[float, ...]] = []
        for edge in edges:
            if isinstance(edge, Arc):
                turn = 1.0 if edge.anticlockwise else -1.0
                rows.append((*edge.start, *edge.end, *edge.centre, edge.radius, turn))
            else:
                rows.append((*edge.start, *edge.end, 0.0, 0.0, 0.0, 0.0))
        table = np.array(rows, dtype=float).reshape(len(rows), 8)
        points = np.ascontiguousarray(table[:, :6]).view(complex)
        return Columns(points[:, 0], points[:, 1], points[:, 2], table[:, 6], table[:, 7])

    @staticmethod
    def joined(parts: Sequence[Columns]) -> Columns:
        """The edges of all parts, one after another."""
        if len(parts) == 1:
            return parts[0]
        return Columns(
            np.concatenate([part.start for part in parts]),
            np.concatenate([part.end for part in parts]),
            np.concatenate([part.centre for part in parts]),
            np.concatenate([part.radius for part in parts]),
            np.concatenate([part.turn for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.start)

    def take(self, places: Places | Truths) -> Columns:
        return Columns(
            self.start[places], self.end[places], self.centre[places], self.radius[places], self.turn[places]
        )

    def same(self, other: Columns) -> bool:
        """Whether these are the same edges in the same order."""
        own, theirs = ((each.start, each.end, each.centre, each.radius, each.turn) for each in (self, other))
        return all(np.array_equal(*pair) for pair in zip(own, theirs, strict=True))

    def edge(self, place: int) -> Edge:
        """One of them as a value."""
        start, end = _pair(self.start[place]), _pair(self.end[place])
        if self.turn[place] == 0:
            return Line(start, end)
        return Arc(
            start, end, _pair(self.centre[place]), bool(self.turn[place] > 0), float(self.radius[place])
        )

    def edges(self) -> tuple[Edge, ...]:
        """All of them as values."""
        points = (
            np.column_stack([each.real, each.imag]).tolist() for each in (self.start, self.end, self.centre)
        )
        return tuple(
            Arc((a, b), (c, d), (x, y), turn > 0, radius) if turn else Line((a, b), (c, d))
            for (a, b), (c, d), (x, y), radius, turn in zip(
                *points, self.radius.tolist(), self.turn.tolist(), strict=True
            )
        )

    def reversed(self) -> Columns:
        """The same edges run the other way, the last first."""
        return Columns(
            self.end[::-1], self.start[::-1], self.centre[::-1], self.radius[::-1], -self.turn[::-1] + 0.0
        )

    @cached_property
    def chord(self) -> Points:
        return self.end - self.start

    @cached_property
    def sweep(self) -> Numbers:
        """Signed angle from start to end, 0 for lines."""
        swept = np.angle((self.end - self.centre) * np.conj(self.start - self.centre)) * self.turn
        return np.where(self.turn == 0, 0.0, np.where(swept <= 0, swept + math.tau, swept) * self.turn)

    @cached_property
    def length(self) -> Numbers:
        return np.where(self.turn == 0, np.abs(self.chord), self.radius * np.abs(self.sweep))

    @cached_property
    def first_angle(self) -> Numbers:
        return np.angle(self.start - self.centre)

    @cached_property
    def bisector(self) -> Points:
        """The directions from the centres to the middles of arcs."""
        found: Points = np.exp(1j * (self.first_angle + self.sweep / 2))
        return found

    @cached_property
    def half_cosine(self) -> Numbers:
        """The cosines of half the angles of arcs."""
        return np.cos(self.sweep / 2)

    def at(self, places: Places, share: Numbers) -> Points:
        """The points after these shares of these edges."""
        straight = self.start[places] + share * self.chord[places]
        if not self.turn.any():
            return straight
        angle = self.first_angle[places] + share * self.sweep[places]
        return np.where(
            self.turn[places] == 0, straight, self.centre[places] + self.radius[places] * np.exp(1j * angle)
        )

    def directions(self, places: Places, share: Numbers) -> Points:
        """Tangents there, the way the edges run."""
        straight = self.chord[places]
        if not self.turn.any():
            return straight
        angle = self.first_angle[places] + share * self.sweep[places]
        return np.where(self.turn[places] == 0, straight, 1j * self.turn[places] * np.exp(1j * angle))

    def shares(self, places: Places, points: Points) -> Numbers:
        """The share of each edge after which its point nearest to the given one comes.

        Below 0 or above 1 where the line or circle of the edge has a nearer point than the edge.
        """
        chord = self.chord[places]
        offset = points - self.start[places]
        square = np.where(self.turn[places] == 0, dot(chord, chord), 1.0)
        straight = dot(chord, offset) / np.where(square == 0, 1.0, square)
        if not self.turn.any():
            return straight
        centre, turn, full = self.centre[places], self.turn[places], np.abs(self.sweep[places])
        angle = np.angle((points - centre) * np.conj(self.start[places] - centre)) * turn
        angle = np.where(angle < 0, angle + math.tau, angle)
        angle = np.where(angle > full / 2 + math.pi, angle - math.tau, angle)
        return np.where(turn == 0, straight, angle / np.where(full == 0, 1.0, full))

    def off(self, places: Places, points: Points) -> Numbers:
        """The distances of points from the lines and circles of these edges."""
        chord, length = self.chord[places], np.abs(self.chord[places])
        straight = np.abs(cross(chord, points - self.start[places])) / np.where(length == 0, 1.0, length)
        if not self.turn.any():
            return straight
        round_ = np.abs(np.abs(points - self.centre[places]) - self.radius[places])
        return np.where(self.turn[places] == 0, straight, round_)

    @cached_property
    def boxes(self) -> Boxes:
        a, b = self.start, self.end
        left, right = np.minimum(a.real, b.real), np.maximum(a.real, b.real)
        bottom, top = np.minimum(a.imag, b.imag), np.maximum(a.imag, b.imag)
        if self.turn.any():
            low = np.where(self.turn >= 0, self.first_angle, self.first_angle + self.sweep)
            full = np.abs(self.sweep)
            passes = [(quarter * (math.pi / 2) - low) % math.tau < full for quarter in range(4)]
            x, y, r = self.centre.real, self.centre.imag, self.radius
            right, top = np.where(passes[0], x + r, right), np.where(passes[1], y + r, top)
            left, bottom = np.where(passes[2], x - r, left), np.where(passes[3], y - r, bottom)
        return Boxes(left, right, bottom, top)

    def halved(self) -> tuple[Columns, Places]:
        """The same edges with long arcs in two, and of which edge each is a part."""
        own = np.arange(len(self))
        long = np.abs(self.sweep) > LONGEST_SWEEP
        if not long.any():
            return self, own
        order = np.repeat(own, np.where(long, 2, 1))
        middle = self.at(own, np.full(len(self), 0.5))
        first = np.append(True, order[1:] != order[:-1])
        parts = self.take(order)
        split = long[order]
        return Columns(
            np.where(split & ~first, middle[order], parts.start),
            np.where(split & first, middle[order], parts.end),
            parts.centre,
            parts.radius,
            parts.turn,
        ), order


def _pair(point: complex) -> tuple[float, float]:
    return float(point.real), float(point.imag)


def as_points(given: object) -> Points:
    """Rows of two coordinates as complex numbers."""
    table = np.asarray(given, dtype=float).reshape(-1, 2)
    return table[:, 0] + 1j * table[:, 1]
