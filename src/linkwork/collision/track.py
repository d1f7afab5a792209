"""Where parts are along a way: at the rows of a motion, and between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.solid import Placement
from linkwork.solid.placement import Floats

Complexes = NDArray[np.complex128]

STEEPEST: Final = 4.0
"""How much faster at a row than on the way to the next a coordinate may be; beside dead points rates are not used."""


@dataclass(frozen=True, eq=False)
class Track:
    """The coordinates of a part at the rows of a motion, x, y and angle or 7 in space, and their rates by the row.

    Between two rows they are cubic; the rates make that right to the fourth power of the step.
    """

    rows: Floats
    first: Floats
    """For each stretch between rows, how fast the coordinates change at its beginning, by the row."""
    last: Floats
    """And at its end."""

    @classmethod
    def of(cls, rows: Floats, rates: Floats | None = None) -> Track:
        """From coordinates and their rates by the row; without these, from the coordinates alone."""
        if rates is None:
            rates = np.gradient(rows, axis=0) if len(rows) > 1 else np.zeros_like(rows)
        steps = np.diff(rows, axis=0)
        largest = STEEPEST * np.abs(steps) + 1e-12

        def fit(slopes: Floats) -> Floats:
            good = np.isfinite(slopes) & (np.abs(slopes) <= largest)
            return np.where(good, slopes, steps)

        return cls(rows, fit(rates[:-1]), fit(rates[1:]))

    def at(self, where: Floats) -> Floats:
        """The coordinates at rows, whole or not: h₀₀ p + h₁₀ m + h₀₁ q + h₁₁ n of Hermite."""
        if len(self.rows) == 1:
            return np.repeat(self.rows, len(where), axis=0)
        before = np.clip(where.astype(int), 0, len(self.rows) - 2)
        t = (where - before)[:, None]
        p, q = self.rows[before], self.rows[before + 1]
        s = 1 - t
        even = s * s * (1 + 2 * t) * p + t * t * (1 + 2 * s) * q
        return np.asarray(even + s * s * t * self.first[before] - t * t * s * self.last[before])

    def turns_and_shifts(self, where: Floats) -> tuple[Complexes, Complexes]:
        """In the plane: a point z of the part is at turn · z + shift."""
        x, y, angle = self.at(where).T
        return np.exp(1j * angle), x + 1j * y

    def placement(self, where: float) -> Placement:
        """How far the part has moved."""
        row = self.at(np.array([where]))[0]
        return _in_plane(row) if len(row) == 3 else _in_space(row)

    def moved_back_by(self, other: Track, where: Floats) -> tuple[Complexes, Complexes]:
        """In the plane, as another part sees it."""
        turn, shift = self.turns_and_shifts(where)
        base, origin = other.turns_and_shifts(where)
        return turn * base.conj(), (shift - origin) * base.conj()


Tracks = Mapping[str, Track]


def _in_plane(row: Floats) -> Placement:
    x, y, angle = map(float, row)
    return Placement(Placement.turn(angle).axes, (x, y, 0.0))


def _in_space(row: Floats) -> Placement:
    w, x, y, z = row[3:] / np.linalg.norm(row[3:])
    matrix = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return Placement.of(matrix, row[:3])
