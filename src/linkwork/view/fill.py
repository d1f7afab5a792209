"""Triangles into pixels: which is nearest in each, and with what weights its corners count there.

In native code where there is a compiler. Without one NumPy does it: triangles of about one size are filled together.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.view.kernel import library as _library

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Places = NDArray[np.int32]

NOBODY: Final = -1
"""Stands for a pixel in which there is no triangle."""
SMALL: Final = 64
"""Pixels: larger triangles are filled one by one."""
MOST_AT_ONCE: Final = 2_000_000
"""Pixels that are looked at together."""


def native() -> ctypes.CDLL | None:
    """The compiled functions; none where NumPy has to do."""
    return _library()


def fill(
    corners: Array,
    nearness: Array,
    slopes: Array,
    width: int,
    near: Array,
    whose: Places | None = None,
    first: int = 0,
) -> None:
    """Put triangles (count, 3, 2) in pixels, y downwards, before what is ``near`` already.

    ``near`` and ``whose`` are changed in place; triangles are counted from ``first``.
    """
    compiled = native()
    if compiled is None:
        _by_numpy(corners, nearness, slopes, width, near, whose, first)
        return
    given = [np.ascontiguousarray(each, float) for each in (corners, nearness, slopes)]
    compiled.fill(
        len(corners),
        *(each.ctypes.data for each in given),
        width,
        len(near) // width,
        first,
        near.ctypes.data,
        None if whose is None else whose.ctypes.data,
    )


def slopes_of(corners: Array) -> Array:
    """For each triangle the weights of its first and second corner as a + b·x + c·y: (count, 2, 3)."""
    compiled = native()
    if compiled is not None:
        given, found = np.ascontiguousarray(corners, float), np.empty((len(corners), 2, 3))
        compiled.slopes(len(corners), given.ctypes.data, found.ctypes.data)
        return found
    before, after = np.roll(corners, -1, axis=1)[:, :2], np.roll(corners, -2, axis=1)[:, :2]
    across = after - before
    own = corners[:, :2] - before
    with np.errstate(all="ignore"):
        area = across[..., 0] * own[..., 1] - across[..., 1] * own[..., 0]
        b, c = -across[..., 1] / area, across[..., 0] / area
        return np.stack([-(b * before[..., 0] + c * before[..., 1]), b, c], -1)


# ----------------------------------------------------------------------------------------------- NumPy


def _by_numpy(
    corners: Array,
    nearness: Array,
    slopes: Array,
    width: int,
    near: Array,
    whose: Places | None,
    first: int,
) -> None:
    for places, weights, which in _fragments(corners, slopes, width, len(near) // width):
        depth = np.einsum("ij,ij->i", weights, nearness[which])
        visible = depth > near[places]
        places, depth = places[visible], depth[visible]
        order = np.argsort(depth, kind="stable")
        near[places[order]] = depth[order]
        if whose is not None:
            whose[places[order]] = first + which[visible][order]


def _fragments(
    corners: Array, slopes: Array, width: int, height: int
) -> Iterator[tuple[Numbers, Array, Numbers]]:
    """Pixels in triangles: their places, their weights at the three corners, and whose they are."""
    low = np.floor(np.clip(corners.min(axis=1), 0, [width, height])).astype(int)
    high = np.ceil(np.clip(corners.max(axis=1), 0, [width, height])).astype(int)
    sizes = (high - low).max(axis=1)
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
