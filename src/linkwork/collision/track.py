"""Where parts are along a way: at the rows of a motion, and between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.collision.screw import moved_by, position, rates_at_ends, twists
from linkwork.collision.screw import steps as steps_between
from linkwork.solid import Placement
from linkwork.solid.placement import Floats

Complexes = NDArray[np.complex128]
Places = NDArray[np.intp]

STEEPEST: Final = 4.0
"""How much faster at a row than on the way to the next a coordinate may be; beside dead points rates are not used."""


@dataclass(frozen=True, eq=False)
class Track:
    """The coordinates of a part at the rows of a motion: x, y and angle, or its origin and quaternion in space.

    Between two rows what has been gone since the first of them is cubic, in space the twist of a screw; the rates make
    that right to the fourth power of the step.
    """

    rows: Floats
    steps: Floats
    """For each stretch between rows, how far it goes: the change of the coordinates, or a twist."""
    first: Floats
    """How fast that grows at its beginning, by the row."""
    last: Floats
    """And at its end."""

    @classmethod
    def of(cls, rows: Floats, rates: Floats | None = None) -> Track:
        """From coordinates and their rates by the row; without these, from the coordinates alone."""
        return _in_space(rows, rates) if rows.shape[1] == 7 else _in_plane(rows, rates)

    @property
    def turn(self) -> float:
        """How far the part turns between two rows, at most."""
        turning = self.steps[:, 2:] if self.rows.shape[1] == 3 else self.steps[:, :3]
        return float(np.hypot.reduce(turning, axis=1).max(initial=0.0))  # which overflows nowhere

    def gone(self, where: Floats) -> tuple[Places, Floats]:
        """The rows before places, and how far it is from there: h₁₀ m + h₀₁ d + h₁₁ n of Hermite."""
        before = np.clip(where.astype(int), 0, len(self.rows) - 2)
        t = (where - before)[:, None]
        s = 1 - t
        gone = t * t * (1 + 2 * s) * self.steps[before]
        return before, gone + s * s * t * self.first[before] - t * t * s * self.last[before]

    def turns_and_shifts(self, where: Floats) -> tuple[Complexes, Complexes]:
        """In the plane: a point z of the part is at turn · z + shift."""
        x, y, angle = self._in_plane_at(where).T
        return np.exp(1j * angle), x + 1j * y

    def placement(self, where: float) -> Placement:
        """How far the part has moved."""
        at = np.array([where])
        if self.rows.shape[1] == 3:
            x, y, angle = map(float, self._in_plane_at(at)[0])
            return Placement(Placement.turn(angle).axes, (x, y, 0.0))
        if len(self.rows) == 1:
            return position(self.rows[0])
        before, gone = self.gone(at)
        return position(self.rows[before[0]]).holding(moved_by(gone[0]))

    def _in_plane_at(self, where: Floats) -> Floats:
        if len(self.rows) == 1:
            return np.repeat(self.rows, len(where), axis=0)
        before, gone = self.gone(where)
        return np.asarray(self.rows[before] + gone)

    def moved_back_by(self, other: Track, where: Floats) -> tuple[Complexes, Complexes]:
        """In the plane, as another part sees it."""
        turn, shift = self.turns_and_shifts(where)
        base, origin = other.turns_and_shifts(where)
        return turn * base.conj(), (shift - origin) * base.conj()


Tracks = Mapping[str, Track]


def _in_plane(rows: Floats, rates: Floats | None) -> Track:
    if rates is None:
        rates = np.gradient(rows, axis=0) if len(rows) > 1 else np.zeros_like(rows)
    steps = np.diff(rows, axis=0)
    largest = STEEPEST * np.abs(steps) + 1e-12

    def fit(slopes: Floats) -> Floats:
        good = np.isfinite(slopes) & (np.abs(slopes) <= largest)
        return np.where(good, slopes, steps)

    return Track(rows, steps, fit(rates[:-1]), fit(rates[1:]))


def _in_space(rows: Floats, rates: Floats | None) -> Track:
    """Without rates, along the screw from each row to the next."""
    along = None if rates is None else twists(rows, rates)
    steps = steps_between(rows, along)
    if along is None:
        return Track(rows, steps, steps, steps)
    largest = np.stack([np.linalg.norm(steps[:, half], axis=1) for half in (slice(3), slice(3, 6))], axis=1)
    beside = np.pad(
        largest, ((1, 1), (0, 0))
    )  # where a part turns back, its way to the next row tells nothing
    largest = STEEPEST * np.maximum.reduce([beside[:-2], largest, beside[2:]]) + 1e-12

    def fit(slopes: Floats) -> Floats:
        fast = np.stack([np.linalg.norm(slopes[:, half], axis=1) for half in (slice(3), slice(3, 6))], axis=1)
        good = (fast <= largest).all(axis=1, keepdims=True)  # what is no number is not good
        return np.where(good, slopes, steps)

    return Track(rows, steps, fit(along[:-1]), fit(rates_at_ends(steps, along)))
