"""What sticks is held as long as any forces in the cones of friction hold it, in the plane."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from linkwork.emit.compiler import find_compiler, load_library
from linkwork.emit.runtime import runtime_library

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")

HARNESS = """
/* Forces of places that stick, or are smooth, by how forces move them. */
int held_still(int count, const int *grips, double friction, int forces, const double *matrix,
               const double *bias, double *force)
{
    static lw_touching r;
    static lw_held held[LW_TOUCH_MOST];
    lw_couple couple = {0};
    lw_shapes shapes = {0};
    couple.friction = friction;
    shapes.couple = &couple;
    r.shapes = &shapes;
    for (int i = 0; i < count; ++i) {
        held[i].touch.couple = 0;
        held[i].grip = grips[i] ? LW_STICKING : LW_SMOOTH;
    }
    memcpy(r.matrix, matrix, sizeof(double) * (size_t)(forces * forces));
    memcpy(r.bias, bias, sizeof(double) * (size_t)forces);
    if (!lw_least_motion(&r, count, held, forces)) {
        return 0;
    }
    memcpy(force, r.force, sizeof(double) * (size_t)forces);
    return 1;
}
"""


@pytest.mark.parametrize("seed", range(40))
def test_what_some_forces_hold_is_held(seed: int) -> None:
    """Bodies are pressed by forces in the cones of more places than they have freedoms, so that nothing need move.

    The complementarity problem may have other solutions there, in which something slips: it is not to be asked.
    """
    rng = np.random.default_rng(seed)
    places, friction = int(rng.integers(4, 12)), rng.uniform(0.1, 1.5)
    sticks = rng.random(places) < 0.8
    first = np.concatenate([[0], np.cumsum(1 + sticks)])
    normals, forces = first[:-1], int(first[-1])
    moves = rng.normal(size=(forces, max(2, forces - int(rng.integers(1, 5)))))
    held = np.zeros(forces)
    held[normals] = rng.random(places)
    held[normals[sticks] + 1] = friction * held[normals[sticks]] * rng.uniform(-1, 1, sticks.sum())
    matrix = np.ascontiguousarray(moves @ moves.T)
    bias = -matrix @ held
    found = np.zeros(forces)
    library = load_library(runtime_library("contacts") + HARNESS)
    arrays = (each.ctypes.data_as(ctypes.c_void_p) for each in (matrix, bias, found))
    grips = sticks.astype(np.intc)
    assert library.held_still(
        places, grips.ctypes.data_as(ctypes.c_void_p), ctypes.c_double(friction), forces, *arrays
    )
    assert np.max(np.abs(matrix @ found + bias)) <= 1e-11 * np.max(np.abs(bias))
    assert np.all(found[normals] >= 0)
    assert np.all(np.abs(found[normals[sticks] + 1]) <= friction * found[normals[sticks]] * (1 + 1e-12))
