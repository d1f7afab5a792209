"""A stage as pixels: triangles drawn into an image with the depth of each pixel, near ones over far ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.view.fill import NOBODY, Places
from linkwork.view.shade import Triangles, shade, smaller
from linkwork.view.shadow import Sunlight
from linkwork.view.sight import (
    LINE,
    Lamps,
    Seen,
    View,
    World,
    chosen_eye,
    lamps_of,
    seen,
    seen_paths,
    view_of,
)
from linkwork.view.stage import Stage, Thing

Array = NDArray[np.float64]

FINER: Final = 2
"""Pictures are drawn this much larger and then made smaller, which smooths their edges."""
THINNEST: Final = 0.75
"""Half the width of the thinnest line, in pixels: any thinner would have gaps."""
PAPER: Final = np.array([1.0, 1.0, 1.0])
BRIGHTER_BELOW: Final = 0.35
"""How much lighter a background is at its lower end."""


class Pictures:
    """The pictures of a stage by one camera; what is the same in all rows is worked out once."""

    def __init__(self, stage: Stage, size: tuple[int, int], camera: str = "") -> None:
        self._stage = stage
        self._width, self._height = size[0] * FINER, size[1] * FINER
        self._eye = chosen_eye(stage, camera)
        self._world = World(stage)
        self._sunlight = Sunlight(stage, self._world)
        paper = np.broadcast_to(backdrop(stage, self._height), (self._height, self._width, 3))
        self._paper = np.ascontiguousarray(paper, np.float32)
        self._still = [thing for thing in stage.things if stage.is_still(thing.placement)]
        self._moving = [thing for thing in stage.things if not stage.is_still(thing.placement)]
        still = (self._eye.placement, self._eye.toward_placement, *(each.placement for each in stage.lamps))
        self._looks_still = all(stage.is_still(placement) for placement in still)
        self._before: Layer | None = None
        # Kept from row to row: large arrays cost more to get than to fill.
        self._near, self._before_all = np.zeros((2, self._width * self._height))
        self._whose = np.full(self._width * self._height, NOBODY, np.int32)
        self._colour = self._paper.copy()

    def picture(self, row: int) -> NDArray[np.uint8]:
        """One row as an image of height × width × 3 bytes."""
        view = view_of(self._stage, row, self._eye, self._width / self._height)
        lamps = lamps_of(self._stage, self._stage.matrices(row))
        if self._before is None or not self._looks_still:
            paths = seen_paths(self._stage, view, max(LINE, THINNEST / self._height))
            self._before = self._layer([*self._seen(self._still, row, view, lamps), *paths])
        below, moved = self._before, self._seen(self._moving, row, view, lamps)
        above = Triangles.of(_opaque(moved), self._width, self._height)
        near, whose, colour = self._near, self._whose, self._colour
        np.copyto(near, below.near)
        np.copyto(whose, below.whose)
        np.copyto(colour, self._paper)
        above.put(self._width, near, whose, len(below.triangles))
        shadow = self._sunlight.shadow(row)
        shade(below.triangles, 0, near, whose, colour, view, shadow)
        shade(above, len(below.triangles), near, whose, colour, view, shadow)
        clear = [each for each in (*below.clear, *moved) if each.thing.opacity < 1]
        for each in sorted(clear, key=lambda one: float(one.nearness.mean())):
            pane = Triangles.of([each], self._width, self._height)
            np.copyto(self._before_all, near)
            whose.fill(NOBODY)
            pane.put(self._width, self._before_all, whose)
            shade(pane, 0, self._before_all, whose, colour, view, shadow, each.thing.opacity)
        return smaller(colour, FINER)

    def _layer(self, things: Sequence[Seen]) -> Layer:
        """What is behind all that moves."""
        triangles = Triangles.of(_opaque(things), self._width, self._height)
        near = np.zeros(self._width * self._height)
        whose = np.full(len(near), NOBODY, np.int32)
        triangles.put(self._width, near, whose)
        return Layer(triangles, near, whose, tuple(each for each in things if each.thing.opacity < 1))

    def _seen(self, things: Sequence[Thing], row: int, view: View, lamps: Lamps) -> list[Seen]:
        return [
            each
            for thing in things
            for surface in self._world.surfaces(thing, row)
            for each in seen(thing, surface, view, lamps)
        ]


@dataclass(frozen=True, eq=False)
class Layer:
    """Opaque triangles filled into a picture, and what is before them but not opaque."""

    triangles: Triangles
    near: Array
    whose: Places
    clear: tuple[Seen, ...]


def _opaque(things: Sequence[Seen]) -> list[Seen]:
    return [each for each in things if each.thing.opacity >= 1]


def rendered(stage: Stage, row: int, size: tuple[int, int], camera: str = "") -> NDArray[np.uint8]:
    """One row of a stage as an image of height × width × 3 bytes."""
    return Pictures(stage, size, camera).picture(row)


def backdrop(stage: Stage, height: int) -> Array:
    """What is behind everything: paper, or a background that is lighter at its lower end."""
    if not stage.background:
        return PAPER
    colour = np.array([int(stage.background[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    share = BRIGHTER_BELOW * np.linspace(0, 1, height)[:, None, None]
    return colour + share * (1 - colour)
