"""The shadow of the sun: what the sun sees is lit, all behind it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.view.fill import nearest
from linkwork.view.sight import along_axes, sun_direction, thing_matrices
from linkwork.view.stage import Stage, placed

Array = NDArray[np.float64]

PIXELS: Final = 1200
"""Of the sun's picture, each way."""
SLACK: Final = 3.0
"""In its pixels: how far behind what the sun sees a place still counts as lit."""


@dataclass(frozen=True, eq=False)
class Shadow:
    """The sun's picture: its axes (across, across, towards the sun), its scale and middle, and the nearness in it."""

    axes: Array
    scale: float
    middle: Array
    near: Array

    def hides(self, points: Array) -> NDArray[np.bool_]:
        """Whether something stands between places and the sun."""
        seen = along_axes(points - self.middle, self.axes)
        spots = np.floor(seen[:, :2] * self.scale + PIXELS / 2).astype(int)
        inside = ((spots >= 0) & (spots < PIXELS)).all(axis=1)
        found = np.zeros(len(points), bool)
        places = spots[inside, 1] * PIXELS + spots[inside, 0]
        found[inside] = self.near[places] > seen[inside, 2] * self.scale + 2 * PIXELS + SLACK
        return found


def shadow_of(stage: Stage, row: int) -> Shadow | None:
    """The shadow in one row of a stage; none without a sun that casts one."""
    sun = sun_direction(stage, row)
    low, high = stage.extent
    if sun is None:
        return None
    right = np.cross([0.0, 0.0, 1.0] if abs(sun[2]) < 0.99 else [1.0, 0.0, 0.0], sun)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(sun, right), sun])
    middle = (low + high) / 2
    corners = np.array(
        [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    reach = float(np.abs((corners - middle) @ axes.T).max())
    scale = PIXELS / 2 / max(reach, 1e-12)
    matrices = stage.matrices(row)
    triangles = []
    for thing in stage.things:
        is_land = thing.is_scenery and thing.instances is None
        if thing.shadow and not is_land and thing.opacity > 0.5:
            solid = stage.solids[thing.solid]
            for matrix in thing_matrices(thing, matrices[thing.placement]):
                triangles.append(placed(matrix, solid.positions)[solid.triangles])
    if not triangles:
        return None
    seen = (np.concatenate(triangles) - middle) @ axes.T * scale
    near = nearest(seen[:, :, :2] + PIXELS / 2, seen[:, :, 2] + 2 * PIXELS, PIXELS, PIXELS)
    return Shadow(axes, scale, middle, near)
