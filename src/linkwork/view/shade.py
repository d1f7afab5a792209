"""The colours of pixels: light between the corners of triangles, without that of a sun that does not reach them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.view.fill import Array, Places, fill, native, slopes_of
from linkwork.view.shadow import PIXELS, SLACK, Shadow
from linkwork.view.sight import Seen, View

Colours = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Triangles:
    """Triangles in a picture of pixels: corners, one over depth, slopes of weights, light, whose they are, colours."""

    corners: Array
    nearness: Array
    slopes: Array
    light: Array
    owner: Places
    colours: Array

    @staticmethod
    def of(things: Sequence[Seen], width: int, height: int) -> Triangles:
        """Those of things in a picture of this size."""
        corners = np.concatenate([np.zeros((0, 3, 2)), *(each.corners for each in things)])
        corners = corners * [height, -height] + [width / 2, height / 2]
        counts = [len(each.corners) for each in things]
        return Triangles(
            corners,
            np.concatenate([np.zeros((0, 3)), *(each.nearness for each in things)]),
            slopes_of(corners),
            np.concatenate([np.zeros((0, 3, 2, 3)), *(each.light for each in things)]).reshape(-1, 3, 6),
            np.repeat(np.arange(len(things), dtype=np.int32), counts),
            np.array([each.colour for each in things]).reshape(-1, 3),
        )

    def __len__(self) -> int:
        return len(self.corners)

    def put(self, width: int, near: Array, whose: Places, first: int = 0) -> None:
        """Fill them into a picture, before what is near already."""
        fill(self.corners, self.nearness, self.slopes, width, near, whose, first)


def shade(
    triangles: Triangles,
    first: int,
    near: Array,
    whose: Places,
    colour: Colours,
    view: View,
    shadow: Shadow | None,
    opacity: float = 1.0,
) -> None:
    """Colour the pixels (height, width, 3) in which these triangles, counted from ``first``, are nearest."""
    height, width = colour.shape[:2]
    compiled = native()
    if compiled is None:
        _by_numpy(triangles, first, near, whose, colour, view, shadow, opacity)
        return
    eye = np.array([*view.at, *view.axes.ravel(), view.focus])
    sun = None if shadow is None else np.array([*shadow.axes.ravel(), *shadow.middle, shadow.scale, SLACK])
    light = np.ascontiguousarray(triangles.light, float)
    compiled.shade(
        width,
        height,
        near.ctypes.data,
        whose.ctypes.data,
        first,
        len(triangles),
        triangles.slopes.ctypes.data,
        light.ctypes.data,
        triangles.owner.ctypes.data,
        triangles.colours.ctypes.data,
        opacity,
        eye.ctypes.data,
        None if sun is None else sun.ctypes.data,
        PIXELS,
        None if shadow is None else shadow.near.ctypes.data,
        colour.ctypes.data,
    )


def _by_numpy(
    triangles: Triangles,
    first: int,
    near: Array,
    whose: Places,
    colour: Colours,
    view: View,
    shadow: Shadow | None,
    opacity: float,
) -> None:
    height, width = colour.shape[:2]
    seen = np.flatnonzero((whose >= first) & (whose < first + len(triangles)))
    which = whose[seen] - first
    x, y = seen % width + 0.5, seen // width + 0.5
    a, b = ((s[:, 0] + s[:, 2] * y + s[:, 1] * x) for s in np.moveaxis(triangles.slopes[which], 1, 0))
    weights = np.stack([a, b, 1 - a - b], -1)
    light = np.einsum("ij,ijk->ik", weights, triangles.light[which]).reshape(-1, 2, 3)
    if shadow is not None:
        sunny = np.flatnonzero(light[:, 0].any(axis=1))
        spots = np.column_stack([x[sunny] - width / 2, height / 2 - y[sunny]]) / height
        light[sunny[shadow.hides(view.world(spots, near[seen[sunny]]))], 0] = 0.0
    bright = np.minimum(triangles.colours[triangles.owner[which]] * light.sum(axis=1), 1.0)
    flat = colour.reshape(-1, 3)
    flat[seen] = flat[seen] + opacity * (bright - flat[seen])


def smaller(colour: Colours, finer: int) -> NDArray[np.uint8]:
    """A picture in bytes; each of its pixels is the mean of ``finer`` times ``finer``."""
    height, width = colour.shape[0] // finer, colour.shape[1] // finer
    compiled = native()
    if compiled is not None:
        found = np.empty((height, width, 3), np.uint8)
        compiled.smaller(width, height, finer, colour.ctypes.data, found.ctypes.data)
        return found
    total = np.zeros((height, width, 3))
    for down in range(finer):
        for across in range(finer):
            total += colour[down::finer, across::finer]
    return np.asarray(255 * (total / finer**2) + 0.5, np.uint8)
