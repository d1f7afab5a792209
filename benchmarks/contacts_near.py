"""How long it takes to find what is near of two moving outlines, with gaps, normals and witness points."""

from __future__ import annotations

import ctypes
import importlib
import math
import time

import numpy as np

from linkwork.contact.native import Couple, NativeShapes, Shapes
from linkwork.contact.shapes import outline_of
from linkwork.emit.compiler import load_library
from linkwork.emit.runtime import runtime_library
from linkwork.solid.region import Region

WITHIN = 5.0

LOOP = """
void near_many(const lw_shapes *g, double *six, lw_place *place, double *doubles, int count,
               const double *angles, double within, int is_plain, double *gaps, long *found);
void near_many(const lw_shapes *g, double *six, lw_place *place, double *doubles, int count,
               const double *angles, double within, int is_plain, double *gaps, long *found)
{
    lw_where w = {six, place};
    lw_lists lists;
    lw_lists_begin(&lists, g, doubles);
    *found = 0;
    for (int k = 0; k < count; ++k) {
        const lw_neighbour *first = NULL;
        lw_neighbour all[LW_NEAR_MOST];
        double apart = INFINITY;
        int near;
        six[2] = angles[2 * k];
        six[8] = angles[2 * k + 1];
        lw_where_places(g, &w);
        gaps[k] = INFINITY;
        near = is_plain ? lw_near_touches(g, &w, 0, within, 0, LW_NEAR_MOST, all)
                        : lw_nearby(&lists, g, &w, 0, within, &first, &apart);
        for (int i = 0; i < near; ++i) {
            lw_measure m;
            if (!is_plain && first[i].apart > apart) {
                continue;
            }
            lw_measure_touch(g, &w, is_plain ? all[i].touch : first[i].touch, &m);
            gaps[k] = fmin(gaps[k], m.apart);
            *found += m.apart <= within;
        }
    }
}
"""


def wheel(edges: int) -> Region:
    """A wheel of saw teeth around the origin."""
    angles = np.arange(edges) * math.tau / edges
    radii = np.where(np.arange(edges) % 2 == 0, 50.0, 42.0)
    return Region.polygon(np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]).tolist())


def lever(edges: int) -> Region:
    """A lever of so many edges beside the wheel."""
    angles = np.arange(edges) * math.tau / edges
    radii = np.where(np.arange(edges) % 2 == 0, 16.0, 12.0)
    points = np.column_stack([66.5 + radii * np.cos(angles), 1.5 * radii * np.sin(angles)])
    return Region.polygon(points.tolist())


def measure(kept: bool, count: int = 20000) -> tuple[float, float]:
    """Microseconds for each position of a pair of 40 and 16 edges, and how many near touches there were."""
    outlines = (outline_of(wheel(40)), outline_of(lever(16)))
    shapes = NativeShapes(Shapes(2, outlines, (0, 1), (Couple((0, 1)),), 50.0))
    library = load_library(runtime_library("contacts") + LOOP, optimise="-O3")
    library.near_many.argtypes = [
        *[ctypes.c_void_p] * 4, ctypes.c_int, ctypes.c_void_p, ctypes.c_double, ctypes.c_int, *[ctypes.c_void_p] * 2
    ]  # fmt: skip
    library.lw_lists_doubles.restype = ctypes.c_size_t
    turn = np.linspace(0.0, math.tau, count)
    angles = np.ascontiguousarray(np.column_stack([turn, 0.02 * np.sin(5 * turn)]))
    six, place, gaps = np.zeros((2, 6)), np.zeros((3, 4)), np.zeros(count)
    doubles, found = np.zeros(library.lw_lists_doubles(1)), ctypes.c_long()
    best = math.inf
    for _ in range(5):
        begin = time.process_time()
        library.near_many(
            shapes.pointer, six.ctypes.data, place.ctypes.data, doubles.ctypes.data, count, angles.ctypes.data,
            WITHIN, int(not kept), gaps.ctypes.data, ctypes.byref(found),
        )  # fmt: skip
        best = min(best, time.process_time() - begin)
    return 1e6 * best / count, found.value / count


def measure_shapely(count: int = 500) -> float:
    """The same distance by shapely, whose shapes are made anew in each position."""
    shapely = importlib.import_module("shapely")
    affinity = importlib.import_module("shapely.affinity")
    one, other = (
        shapely.Polygon([edge.start for edge in region.loops[0].edges]) for region in (wheel(40), lever(16))
    )
    begin = time.process_time()
    for turn in np.linspace(0.0, math.tau, count):
        moved = affinity.rotate(one, turn, origin=(0, 0), use_radians=True)
        moved.distance(affinity.rotate(other, 0.02 * math.sin(5 * turn), origin=(0, 0), use_radians=True))
    return 1e6 * (time.process_time() - begin) / count
