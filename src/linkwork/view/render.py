"""A stage as pixels: triangles drawn into an image with the depth of each pixel, near ones over far ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.view.fill import blended, filled
from linkwork.view.shadow import Shadow, shadow_of
from linkwork.view.sight import LINE, Seen, View, chosen_eye, seen_paths, seen_things, view_of
from linkwork.view.stage import Stage

Array = NDArray[np.float64]

FINER: Final = 2
"""Pictures are drawn this much larger and then made smaller, which smooths their edges."""
THINNEST: Final = 0.75
"""Half the width of the thinnest line, in pixels: any thinner would have gaps."""
PAPER: Final = np.array([1.0, 1.0, 1.0])
BRIGHTER_BELOW: Final = 0.35
"""How much lighter a background is at its lower end."""


class Canvas:
    """Pixels with colour and nearness."""

    def __init__(self, width: int, height: int, paper: Array) -> None:
        self.width, self.height = width, height
        self.colour = np.broadcast_to(paper, (height, width, 3)).reshape(-1, 3).copy()
        self.near = np.zeros(width * height)

    def draw(self, things: Sequence[Seen], view: View, shadow: Shadow | None, opacity: float = 1.0) -> None:
        """Triangles over what was there before, which shows through where they are not opaque."""
        corners = np.concatenate([each.corners for each in things])
        nearness = np.concatenate([each.nearness for each in things])
        owner = np.repeat(np.arange(len(things)), [len(each.corners) for each in things])
        corners = corners * [self.height, -self.height] + [self.width / 2, self.height / 2]
        near, whose, shares = filled(corners, nearness, self.near, self.width)
        seen = np.flatnonzero(whose >= 0)
        which = whose[seen]
        lights = np.concatenate([each.light for each in things]).reshape(-1, 3, 6)
        light = blended(which, shares[seen], lights).reshape(-1, 2, 3)
        if shadow is not None:
            sunny = np.flatnonzero(light[:, 0].any(axis=1))
            places = seen[sunny]
            spots = np.column_stack([places % self.width + 0.5, self.height - 0.5 - places // self.width])
            spots = (spots - [self.width / 2, self.height / 2]) / self.height
            light[sunny[shadow.hides(view.world(spots, near[places]))], 0] = 0.0
        own = np.array([each.colour for each in things])[owner[which]]
        shaded = np.minimum(own * light.sum(axis=1), 1.0)
        self.colour[seen] += opacity * (shaded - self.colour[seen])
        if opacity == 1:
            self.near = near


def rendered(stage: Stage, row: int, size: tuple[int, int], camera: str = "") -> NDArray[np.uint8]:
    """One row of a stage as an image of height × width × 3 bytes."""
    width, height = size[0] * FINER, size[1] * FINER
    view = view_of(stage, row, chosen_eye(stage, camera))
    canvas = Canvas(width, height, backdrop(stage, height))
    seen = [*seen_things(stage, row, view), *seen_paths(stage, view, max(LINE, THINNEST / height))]
    shadow = shadow_of(stage, row)
    opaque = [each for each in seen if each.thing.opacity >= 1]
    if opaque:
        canvas.draw(opaque, view, shadow)
    for each in sorted(seen, key=lambda one: float(one.nearness.mean())):
        if each.thing.opacity < 1:
            canvas.draw([each], view, shadow, each.thing.opacity)
    image = canvas.colour.reshape(size[1], FINER, size[0], FINER, 3).mean(axis=(1, 3))
    return np.asarray(np.rint(255 * image), np.uint8)


def backdrop(stage: Stage, height: int) -> Array:
    """What is behind everything: paper, or a background that is lighter at its lower end."""
    if not stage.background:
        return PAPER
    colour = np.array([int(stage.background[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    share = BRIGHTER_BELOW * np.linspace(0, 1, height)[:, None, None]
    return colour + share * (1 - colour)
