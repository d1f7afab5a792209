"""Areas, centroids and second moments of what edges enclose, by Green's theorem.

A loop encloses the polygon of its corners, for which there are closed formulas, and at each arc the segment
between chord and arc. For that ∮ x dy and its like are taken along the arc and back along the chord by
Gauss's rule, which for arcs of up to half a turn is right to the last digit, and loses none for flat arcs,
as closed formulas about a far centre do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.solid.region.columns import Columns, Numbers, Points, cross

_NODES, _WEIGHTS = (
    (rule + shift) / 2 for rule, shift in zip(np.polynomial.legendre.leggauss(16), (1, 0), strict=True)
)
"""Gauss's rule between 0 and 1."""


class Moments(NamedTuple):
    """∫ of 1, x, y, x², y², xy over an area."""

    area: float
    x: float
    y: float
    xx: float
    yy: float
    xy: float

    def moved(self, by: complex) -> Moments:
        """The moments after a shift."""
        a, b = by.real, by.imag
        return Moments(
            self.area,
            self.x + a * self.area,
            self.y + b * self.area,
            self.xx + 2 * a * self.x + a * a * self.area,
            self.yy + 2 * b * self.y + b * b * self.area,
            self.xy + a * self.y + b * self.x + a * b * self.area,
        )


def moments_of(edges: Columns) -> Moments:
    """The moments about the origin; summed about a point among the edges, so that no digits are lost."""
    if not len(edges):
        return Moments(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    edges, _ = edges.halved()
    middle = complex(edges.start.mean())
    sums = _under_chords(edges.start - middle, edges.end - middle)
    arcs = edges.turn != 0
    if arcs.any():
        sums = sums + _segments(edges.take(arcs), middle)
    return Moments(*sums.tolist()).moved(middle)


def _under_chords(a: Points, b: Points) -> Numbers:
    twice = cross(a, b)
    (x, y), (u, v) = (a.real, a.imag), (b.real, b.imag)
    return np.array(
        [
            twice.sum() / 2,
            (twice * (x + u)).sum() / 6,
            (twice * (y + v)).sum() / 6,
            (twice * (x * x + x * u + u * u)).sum() / 12,
            (twice * (y * y + y * v + v * v)).sum() / 12,
            (twice * (2 * x * y + x * v + u * y + 2 * u * v)).sum() / 24,
        ]
    )


def _segments(arcs: Columns, origin: complex) -> Numbers:
    start, spoke, sweep = (
        (arcs.start - origin)[:, None],
        (arcs.start - arcs.centre)[:, None],
        arcs.sweep[:, None],
    )
    half = sweep * (_NODES / 2)
    along = start + spoke * (2j * np.sin(half)) * np.exp(1j * half)  # start + spoke·(exp(2i·half) − 1)
    onward = 1j * sweep * spoke * np.exp(2j * half)
    back = arcs.chord[:, None]
    return _integrals(along, onward) - _integrals(start + back * _NODES, back)


def _integrals(at: Points, onward: Points) -> Numbers:
    """∫ x dy, ½ x² dy, −½ y² dx, ⅓ x³ dy, −⅓ y³ dx, ½ x² y dy along curves, a row of nodes for each."""
    x, y = at.real, at.imag
    dx, dy = onward.real * _WEIGHTS, onward.imag * _WEIGHTS
    forms = (
        x * dy,
        x**2 * dy / 2,
        -(y**2) * dx / 2,
        x**3 * dy / 3,
        -(y**3) * dx / 3,
        x**2 * y * dy / 2,
    )
    return np.array([form.sum() for form in forms])
