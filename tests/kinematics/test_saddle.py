"""Dead points and crossings of curves that are known in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.saddle import fold, saddle


def circle(z: Matrix) -> tuple[Matrix, Matrix]:
    """x² + y² = 1, which turns back in y at (0, 1)."""
    return np.array([z @ z - 1]), 2 * z[None]


@pytest.mark.parametrize("height", [0.0, 1e-14, 1e-11, 1e-6, 1e-3, -1e-9])
def test_the_saddle_of_a_hyperbola_has_the_height_of_its_gap(height: float) -> None:
    """(x − 1)(y − 2) = h: the saddle is at (1, 2) whatever h is, and tells |h|."""

    def hyperbola(z: Matrix) -> tuple[Matrix, Matrix]:
        x, y = z - np.array([1.0, 2.0])
        return np.array([x * y - height]), np.array([[y, x]])

    found = saddle(hyperbola, np.array([1.03, 2.01]))
    assert found is not None
    np.testing.assert_allclose(found.z, [1, 2], atol=1e-12)
    assert found.height == pytest.approx(abs(height), abs=1e-16, rel=1e-6)


def test_a_fold_is_where_the_last_unknown_turns_back() -> None:
    """From a point beside the top of a circle to the top itself."""
    found = fold(circle, np.array([0.05, 0.99]))
    assert found is not None
    np.testing.assert_allclose(found, [0, 1], atol=1e-14)


def test_a_straight_line_has_neither() -> None:
    """x + y = 1 never loses its rank."""

    def line(z: Matrix) -> tuple[Matrix, Matrix]:
        return np.array([z.sum() - 1]), np.ones((1, 2))

    assert fold(line, np.array([0.5, 0.5])) is None
    assert saddle(line, np.array([0.5, 0.5])) is None
