"""Matrices of dumps have six digits: they are read as the turns that they stand for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid import Placed
from linkwork.solid.scad import read_scad
from linkwork.solid.scad.matrices import repaired, shift, turn
from linkwork.solid.scad.tree import Matrix
from linkwork.solid.scad.value import number_text

parts_of_a_turn = st.tuples(st.integers(-400, 400), st.integers(1, 400)).map(
    lambda each: 360 * each[0] / each[1]
)


def printed(matrix: Matrix) -> Matrix:
    """A matrix as OpenSCAD dumps it."""
    return np.array([[float(number_text(number)) for number in row] for row in matrix])


@given(parts_of_a_turn, st.integers(0, 2), st.sampled_from([1.0, -1.0]))
def test_parts_of_a_turn_are_found_again(angle: float, axis: int, sign: float) -> None:
    """A turn about an axis by a whole part of a turn, perhaps mirrored, is exact again."""
    matrix = turn(angle * np.eye(3)[axis]) @ np.diag([sign, sign, sign, 1.0])
    np.testing.assert_allclose(repaired(printed(matrix)), matrix, atol=1e-12)


@given(
    st.tuples(*[st.integers(-24, 24).map(lambda step: 7.5 * step)] * 3),
    st.sampled_from([1.0, 2.5, 0.001, 400.0]),
)
def test_turns_about_several_axes_are_found_again(angles: tuple[float, float, float], scale: float) -> None:
    """So are turns about three axes, and scaled ones."""
    matrix = turn(angles) @ np.diag([scale, scale, scale, 1.0])
    linear = repaired(printed(matrix))[:3, :3]
    np.testing.assert_allclose(linear, matrix[:3, :3], atol=1e-5 * scale)
    square = linear.T @ linear
    np.testing.assert_allclose(square / square[0, 0], np.eye(3), atol=1e-12)


@given(st.tuples(*[st.floats(-180, 180)] * 3), st.tuples(*[st.floats(-100, 100)] * 3))
def test_any_turn_stays_a_turn(angles: tuple[float, float, float], by: tuple[float, float, float]) -> None:
    """The nearest turn is square to rounding, and as near as the print."""
    matrix = shift(by) @ turn(angles)
    found = repaired(printed(matrix))
    np.testing.assert_allclose(found[:3, :3].T @ found[:3, :3], np.eye(3), atol=1e-12)
    np.testing.assert_allclose(found[:3, :3], matrix[:3, :3], atol=3e-6)


@given(st.lists(st.floats(-3, 3).map(lambda number: round(number, 3)), min_size=9, max_size=9))
def test_other_matrices_stay_what_they_are(numbers: list[float]) -> None:
    """What is no turn is not made one."""
    matrix = np.eye(4)
    matrix[:3, :3] = np.array(numbers).reshape(3, 3)
    linear = matrix[:3, :3]
    if np.abs(linear.T @ linear - np.eye(3) * np.trace(linear.T @ linear) / 3).max() > 0.01:
        assert repaired(matrix) is matrix


def test_dumps_stand_as_texts_do() -> None:
    """A cylinder along a slanting axis, from a text and from its dump."""
    text = read_scad("rotate([0, 45, 30]) cylinder(r = 1, h = 2);")
    dump = read_scad(
        "multmatrix([[0.612372, -0.5, 0.612372, 0], [0.353553, 0.866025, 0.353553, 0], "
        "[-0.707107, 0, 0.707107, 0], [0, 0, 0, 1]]) "
        "{ cylinder($fn = 0, $fa = 12, $fs = 2, h = 2, r1 = 1, r2 = 1, center = false); }"
    )
    assert isinstance(text, Placed)
    assert isinstance(dump, Placed)
    np.testing.assert_allclose(dump.place.matrix, text.place.matrix, atol=1e-15)
