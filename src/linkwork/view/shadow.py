"""The shadow of the sun: what the sun sees is lit, all behind it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.view.fill import fill, slopes_of
from linkwork.view.sight import World, along_axes, sun_direction
from linkwork.view.stage import Stage, Thing

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


class Sunlight:
    """The shadows of a stage row by row; what stands still is looked at once while the sun stands still."""

    def __init__(self, stage: Stage, world: World) -> None:
        casters = [thing for thing in stage.things if _casts(thing)]
        self._stage, self._world = stage, world
        self._still = [thing for thing in casters if stage.is_still(thing.placement)]
        self._moving = [thing for thing in casters if not stage.is_still(thing.placement)]
        self._before: Shadow | None = None
        self._near = np.zeros(PIXELS * PIXELS)

    def shadow(self, row: int) -> Shadow | None:
        """The shadow in one row, good until the next is asked for; none without a sun or anything that casts one."""
        sun = sun_direction(self._stage, row)
        if sun is None or not (self._still or self._moving):
            return None
        if self._before is None or not np.array_equal(self._before.axes[2], sun):
            self._before = _empty(self._stage, sun)
            self._cast(self._before, self._still, row)
        if not self._moving:
            return self._before
        np.copyto(self._near, self._before.near)
        found = replace(self._before, near=self._near)
        self._cast(found, self._moving, row)
        return found

    def _cast(self, shadow: Shadow, things: Sequence[Thing], row: int) -> None:
        for thing in things:
            for surface in self._world.surfaces(thing, row):
                points = (surface.points - shadow.middle) @ shadow.axes.T * shadow.scale
                corners = (points[:, :2] + PIXELS / 2)[surface.triangles]
                nearness = (points[:, 2] + 2 * PIXELS)[surface.triangles]
                fill(corners, nearness, slopes_of(corners), PIXELS, shadow.near)


def _casts(thing: Thing) -> bool:
    is_land = thing.is_scenery and thing.instances is None
    return thing.shadow and not is_land and thing.opacity > 0.5


def _empty(stage: Stage, sun: Array) -> Shadow:
    """The sun's picture with nothing in it."""
    low, high = stage.extent
    right = np.cross([0.0, 0.0, 1.0] if abs(sun[2]) < 0.99 else [1.0, 0.0, 0.0], sun)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(sun, right), sun])
    middle = (low + high) / 2
    corners = np.array(
        [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    reach = float(np.abs((corners - middle) @ axes.T).max())
    return Shadow(axes, PIXELS / 2 / max(reach, 1e-12), middle, np.zeros(PIXELS * PIXELS))
