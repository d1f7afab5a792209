"""The lists of near touches have all touches that are near, however the bodies have moved since they were made."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact.laws import Laws
from linkwork.contact.native import NativeShapes
from linkwork.contact.touching import touching_of
from linkwork.emit.compiler import load_library
from linkwork.emit.runtime import runtime_library
from linkwork.recognition import recognise

CHECK = """
int lost_touches(const lw_shapes *g, double *six, lw_place *place, double *doubles, int is_facing, int steps,
                 const double *moves, const double *distances, int *seen, int *kept);
int lost_touches(const lw_shapes *g, double *six, lw_place *place, double *doubles, int is_facing, int steps,
                 const double *moves, const double *distances, int *seen, int *kept)
{
    lw_where w = {six, place};
    lw_lists lists;
    int lost = 0;
    lw_lists_begin(&lists, g, doubles);
    lists.is_facing = is_facing;
    *seen = *kept = 0;
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < 6 * g->bodies; ++i) {
            six[i] += moves[step * 6 * g->bodies + i];
        }
        lw_where_places(g, &w);
        for (int couple = 0; couple < g->couples; ++couple) {
            const lw_neighbour *first;
            double apart;
            lw_neighbour near[LW_NEAR_MOST];
            int used = lists.used, found, listed;
            found = lw_near_touches(g, &w, couple, distances[step], is_facing, LW_NEAR_MOST, near);
            listed = lw_nearby(&lists, g, &w, couple, distances[step], &first, &apart);
            *kept += listed >= 0 && lists.used == used;
            for (int i = 0; i < found && listed >= 0; ++i) {
                int is_there = 0;
                lw_measure m;
                lw_measure_touch(g, &w, near[i].touch, &m);
                if (fabs(m.gap) > distances[step]) {
                    continue;
                }
                for (int j = 0; j < listed; ++j) {
                    is_there |= first[j].apart <= apart && lw_same_touch(first[j].touch, near[i].touch);
                }
                lost += !is_there;
                ++*seen;
            }
        }
    }
    return lost;
}
"""


@cache
def checker() -> ctypes.CDLL:
    library = load_library(runtime_library("contacts") + CHECK)
    library.lost_touches.argtypes = [
        *[ctypes.c_void_p] * 4,
        ctypes.c_int,
        ctypes.c_int,
        *[ctypes.c_void_p] * 4,
    ]
    library.lw_lists_doubles.restype = ctypes.c_size_t
    return library


@pytest.mark.parametrize("name", ["escapement", "geneva-drive", "gears-in-contact"])
@pytest.mark.parametrize("pace", [1e-4, 1e-2, 0.3])
@pytest.mark.parametrize("is_facing", [False, True])
def test_no_near_touch_is_lost(name: str, pace: float, is_facing: bool) -> None:
    """But for corners and sides that look away from each other, where those are left out, and go on to meanwhile."""
    touching = touching_of(recognise(lw.load(name)))
    shapes = NativeShapes(touching.with_laws(Laws()))
    random = np.random.default_rng(8)
    bodies, steps, library = shapes.bodies, 2000, checker()
    moves = pace * random.normal(size=(steps, bodies, 6))
    moves[:, :, :2] *= 0.1 * touching.size
    moves -= moves.mean(axis=0)
    distances = (0.004 + pace) * touching.size * random.uniform(0.0, 1.0, steps)
    six, place = np.zeros((bodies, 6)), np.zeros((bodies + 1, 4))
    doubles = np.zeros(library.lw_lists_doubles(len(touching.couples)))
    seen, kept = ctypes.c_int(), ctypes.c_int()
    given = (each.ctypes.data for each in (six, place, doubles))
    more = (each.ctypes.data for each in (moves, distances))
    lost = library.lost_touches(
        shapes.pointer, *given, is_facing, steps, *more, ctypes.byref(seen), ctypes.byref(kept)
    )
    assert lost == 0
    assert seen.value > 50
    assert pace > 1e-3 or kept.value > steps // 2
