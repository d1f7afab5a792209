"""Triangles into pixels: which is nearest in each, and with what weights its corners count there.

In native code where there is a compiler. Without one NumPy does it: triangles of about one size are filled together.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.emit.compiler import load_library
from linkwork.errors import ToolMissing

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Filled = tuple[Array, Numbers, Array]
"""For each pixel the nearness of what is seen, the triangle (-1 for none), and the weights of its corners."""

SMALL: Final = 64
"""Pixels: larger triangles are filled one by one."""
MOST_AT_ONCE: Final = 2_000_000
"""Pixels that are looked at together."""


def filled(corners: Array, nearness: Array, near: Array, width: int) -> Filled:
    """Triangles (count, 3, 2) in pixels, y downwards, before what is ``near`` already."""
    library = _library()
    return (
        _by_numpy(corners, nearness, near, width)
        if library is None
        else _natively(library, corners, nearness, near, width)
    )


def nearest(corners: Array, nearness: Array, width: int, height: int) -> Array:
    """How near the nearest triangle is in each pixel, 0 where there is none."""
    library, near = _library(), np.zeros(width * height)
    if library is None:
        return _by_numpy(corners, nearness, near, width)[0]
    _call(library, corners, nearness, width, near, None, None)
    return near


def blended(which: Numbers, shares: Array, values: Array) -> Array:
    """Between the ``values`` (triangles, 3, width) at the corners of triangles, in proportion to the weights."""
    library = _library()
    if library is None:
        return np.asarray(np.einsum("ij,ijk->ik", shares, values[which]))
    found = np.empty((len(which), values.shape[2]))
    given = [np.ascontiguousarray(each) for each in (which, shares, values)]
    library.blend(len(which), values.shape[2], *(each.ctypes.data for each in (*given, found)))
    return found


# ---------------------------------------------------------------------------------------------- native

_SOURCE: Final = """
#include <math.h>
#include <stdint.h>

static double least(double a, double b, double c)
{
    double m = a < b ? a : b;
    return m < c ? m : c;
}

void fill(int64_t count, const double *corners, const double *nearness, int64_t width, int64_t height,
          const double *slopes, double *near, int64_t *whose, double *shares)
{
    for (int64_t k = 0; k < count; k++) {
        const double *p = corners + 6 * k, *n = nearness + 3 * k, *s = slopes + 9 * k;
        double left = floor(least(p[0], p[2], p[4])), right = ceil(-least(-p[0], -p[2], -p[4]));
        double top = floor(least(p[1], p[3], p[5])), bottom = ceil(-least(-p[1], -p[3], -p[5]));
        if (!isfinite(s[0] + s[1] + s[2] + s[3] + s[4] + s[5]))
            continue;
        if (!(right > 0 && bottom > 0 && left < width && top < height))
            continue;
        int64_t x0 = left > 0 ? (int64_t)left : 0, x1 = right < width ? (int64_t)right : width;
        int64_t y0 = top > 0 ? (int64_t)top : 0, y1 = bottom < height ? (int64_t)bottom : height;
        for (int64_t y = y0; y < y1; y++) {
            double a = s[0] + s[2] * (y + 0.5), b = s[3] + s[5] * (y + 0.5);
            for (int64_t x = x0; x < x1; x++) {
                double u = a + s[1] * (x + 0.5), v = b + s[4] * (x + 0.5), w = 1 - u - v;
                if (u < 0 || v < 0 || u + v > 1)
                    continue;
                double depth = u * n[0] + v * n[1] + w * n[2];
                int64_t place = y * width + x;
                if (depth > near[place]) {
                    near[place] = depth;
                    if (!whose)
                        continue;
                    whose[place] = k;
                    shares[3 * place] = u;
                    shares[3 * place + 1] = v;
                    shares[3 * place + 2] = w;
                }
            }
        }
    }
}

void blend(int64_t count, int64_t width, const int64_t *which, const double *shares, const double *values, double *out)
{
    for (int64_t k = 0; k < count; k++) {
        const double *s = shares + 3 * k, *v = values + 3 * width * which[k];
        for (int64_t a = 0; a < width; a++)
            out[width * k + a] = s[0] * v[a] + s[1] * v[width + a] + s[2] * v[2 * width + a];
    }
}
"""


@cache
def _library() -> ctypes.CDLL | None:
    try:
        library = load_library(_SOURCE, optimise="-O2")
    except ToolMissing:
        return None
    number, pointer = ctypes.c_int64, ctypes.c_void_p
    library.fill.argtypes = [number, pointer, pointer, number, number, *[pointer] * 4]
    library.fill.restype = None
    library.blend.argtypes = [number, number, *[pointer] * 4]
    library.blend.restype = None
    return library


def _natively(library: ctypes.CDLL, corners: Array, nearness: Array, near: Array, width: int) -> Filled:
    found = near.copy()
    whose = np.full(len(near), -1, np.int64)
    shares = np.empty((len(near), 3))
    _call(library, corners, nearness, width, found, whose, shares)
    return found, whose, shares


def _call(
    library: ctypes.CDLL,
    corners: Array,
    nearness: Array,
    width: int,
    near: Array,
    whose: Numbers | None,
    shares: Array | None,
) -> None:
    given = [np.ascontiguousarray(each, float) for each in (corners, nearness, _slopes(corners))]
    places = [None if each is None else each.ctypes.data for each in (*given, near, whose, shares)]
    library.fill(len(corners), *places[:2], width, len(near) // width, *places[2:])


# ----------------------------------------------------------------------------------------------- NumPy


def _by_numpy(corners: Array, nearness: Array, before: Array, width: int) -> Filled:
    near = before.copy()
    whose = np.full(len(near), -1, np.int64)
    shares = np.empty((len(near), 3))
    for places, weights, which in _fragments(corners, width, len(near) // width):
        depth = np.einsum("ij,ij->i", weights, nearness[which])
        visible = depth > near[places]
        places, depth = places[visible], depth[visible]
        order = np.argsort(depth, kind="stable")
        places = places[order]
        near[places] = depth[order]
        whose[places] = which[visible][order]
        shares[places] = weights[visible][order]
    return near, whose, shares


def _fragments(corners: Array, width: int, height: int) -> Iterator[tuple[Numbers, Array, Numbers]]:
    """Pixels in triangles: their places, their weights at the three corners, and whose they are."""
    low = np.floor(np.clip(corners.min(axis=1), 0, [width, height])).astype(int)
    high = np.ceil(np.clip(corners.max(axis=1), 0, [width, height])).astype(int)
    sizes = (high - low).max(axis=1)
    slopes = _slopes(corners)
    drawn = ((high - low) > 0).all(axis=1) & np.isfinite(slopes).all(axis=(1, 2))
    side = 2
    while side <= SMALL:
        chosen = np.flatnonzero(drawn & (sizes <= side) & (sizes > (side // 2 if side > 2 else 0)))
        step = max(1, MOST_AT_ONCE // side**2)
        for start in range(0, len(chosen), step):
            some = chosen[start : start + step]
            yield from _filled(slopes[some], low[some], high[some], (side, side), width, some)
        side *= 2
    for which in np.flatnonzero(drawn & (sizes > SMALL)):
        some = np.array([which])
        reach = high[which] - low[which]
        yield from _filled(slopes[some], low[some], high[some], (int(reach[0]), int(reach[1])), width, some)


def _slopes(corners: Array) -> Array:
    """For each triangle and each of its corners the weight as a + b·x + c·y: (count, 3, 3)."""
    before, after = np.roll(corners, -1, axis=1), np.roll(corners, -2, axis=1)
    across = after - before
    own = corners - before
    with np.errstate(all="ignore"):
        area = across[..., 0] * own[..., 1] - across[..., 1] * own[..., 0]
        b, c = -across[..., 1] / area, across[..., 0] / area
        return np.stack([-(b * before[..., 0] + c * before[..., 1]), b, c], -1)


def _filled(
    slopes: Array, low: Numbers, high: Numbers, size: tuple[int, int], width: int, chosen: Numbers
) -> Iterator[tuple[Numbers, Array, Numbers]]:
    x = low[:, :1] + np.arange(size[0])
    y = low[:, 1:] + np.arange(size[1])
    weights = []
    inside = (y < high[:, 1:])[:, :, None] & (x < high[:, :1])[:, None, :]
    for k in range(2):
        a, b, c = (slopes[:, k, entry, None] for entry in range(3))
        weights.append((a + c * (y + 0.5))[:, :, None] + (b * (x + 0.5))[:, None, :])
        inside &= weights[k] >= 0
    inside &= weights[0] + weights[1] <= 1
    found = np.nonzero(inside)
    if len(found[0]):
        first, second = weights[0][found], weights[1][found]
        places = y[found[0], found[1]] * width + x[found[0], found[2]]
        yield places, np.stack([first, second, 1 - first - second], -1), chosen[found[0]]
