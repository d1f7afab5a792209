"""Four by four numbers that move, turn, mirror and stretch, exact at the usual angles; and their repair from print.

OpenSCAD's dumps give matrices with six digits, which are turns only nearly. A matrix that is a turn within that
print is made one: by the angles it is nearest to if they print the same digits, else by the nearest turn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from linkwork.solid.scad.degrees import cosine, sine
from linkwork.solid.scad.tree import Matrix
from linkwork.solid.scad.value import number_text

PRINTED: Final = 1.5e-5
"""How far six digits may lead from a turn, relative to its scale."""

PRINTED_TURN: Final = 2e-7
"""How far six digits may lead from an angle, as a part of a turn."""

MOST_TEETH: Final = 720
"""Angles that are parts of a turn with at most this denominator are taken for it, others for hundredths of a degree."""


def shift(by: Sequence[float]) -> Matrix:
    """A shift, by two or three numbers."""
    matrix = np.eye(4)
    matrix[: len(by), 3] = by
    return matrix


def turn(angles: Sequence[float]) -> Matrix:
    """Turns in degrees about x, then y, then z.

    >>> turn((0, 0, 90)).astype(int).tolist()
    [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    """
    matrix = np.eye(4)
    for axis, angle in enumerate(angles):
        if not angle:
            continue
        c, s = cosine(angle), sine(angle)
        first, second = (axis + 1) % 3, (axis + 2) % 3
        single = np.eye(4)
        single[first, first] = single[second, second] = c
        single[second, first], single[first, second] = s, -s
        matrix = single @ matrix
    return matrix + 0.0


def turn_about(angle: float, axis: Sequence[float]) -> Matrix:
    """A turn in degrees about an axis through the origin; no turn about an axis without a direction."""
    length = math.hypot(*axis)
    matrix = np.eye(4)
    if length == 0:
        return matrix
    x, y, z = (each / length for each in axis)
    c, s = cosine(angle), sine(angle)
    crossed = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix[:3, :3] = c * np.eye(3) + s * crossed + (1 - c) * np.outer((x, y, z), (x, y, z))
    return matrix + 0.0


def mirror(normal: Sequence[float]) -> Matrix:
    """The mirror image across a normal; nothing where it has no direction."""
    matrix = np.eye(4)
    n = np.array([*normal, 0.0][:3])
    square = float(n @ n)
    if square > 0:
        matrix[:3, :3] -= 2 * np.outer(n, n) / square
    return matrix + 0.0


def stretch(factors: Sequence[float]) -> Matrix:
    """A scale along each axis."""
    return np.diag([*factors, 1.0])


def repaired(matrix: Matrix) -> Matrix:
    """The turn, mirror or scale that a matrix with six digits stands for; others are left as they are."""
    linear = matrix[:3, :3]
    scale = float(np.cbrt(abs(np.linalg.det(linear))))
    if not scale > 0 or not np.isfinite(scale):
        return matrix
    error = float(np.abs(linear.T @ linear / scale**2 - np.eye(3)).max())
    if error > PRINTED or error < 1e-12 or not _is_printed(linear):
        return matrix
    u, _, v = np.linalg.svd(linear)
    nearest = u @ v
    sign = 1.0 if np.linalg.det(nearest) > 0 else -1.0
    guess = turn(_round_angles(sign * nearest))[:3, :3] * sign
    if scale != 1 and abs(scale - 1) < PRINTED:
        scale = 1.0
    repaired = matrix.copy()
    repaired[:3, :3] = scale * (guess if _prints_like(scale * guess, linear) else nearest)
    return repaired


def _round_angles(rotation: Matrix) -> tuple[float, float, float]:
    """The angles about x, y and z of a rotation, as they were probably written."""
    y = math.asin(min(1.0, max(-1.0, -rotation[2, 0])))
    if abs(rotation[2, 0]) > 1 - 1e-9:
        x, z = 0.0, math.atan2(-rotation[0, 1], rotation[1, 1])
    else:
        x, z = math.atan2(rotation[2, 1], rotation[2, 2]), math.atan2(rotation[1, 0], rotation[0, 0])
    return _round_angle(x), _round_angle(y), _round_angle(z)


def _round_angle(angle: float) -> float:
    """The angle in degrees, out of all that print alike, that a person would have written."""
    turns = Fraction(angle / math.tau)
    simple = _simplest(turns - Fraction(PRINTED_TURN), turns + Fraction(PRINTED_TURN))
    hundredths = round(turns * 36_000)
    if simple.denominator > MOST_TEETH and abs(Fraction(hundredths, 36_000) - turns) <= PRINTED_TURN:
        return hundredths / 100
    return float(simple * 360)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the least denominator between two numbers.

    >>> _simplest(Fraction("0.3333"), Fraction("0.3334"))
    Fraction(1, 3)
    """
    whole = math.floor(low)
    if whole == low or whole + 1 <= high:
        return Fraction(whole if whole == low else whole + 1)
    return whole + 1 / _simplest(1 / (high - whole), 1 / (low - whole))


def _is_printed(linear: Matrix) -> bool:
    """Whether all numbers have at most six digits."""
    return all(float(number_text(each)) == each for each in linear.flat)


def _prints_like(guess: Matrix, linear: Matrix) -> bool:
    """Whether numbers print like others, up to one in the last digit."""
    return bool(np.abs(guess - linear).max() <= 1.01e-6 * max(1.0, float(np.abs(linear).max())))
