"""Boxes around solids along the axes in which a machine was drawn: as tight as drawn, however the machine is turned."""

from __future__ import annotations

import numpy as np

from linkwork.recognition.drawn_axes import WORLD
from linkwork.solid import Difference, Intersection, Named, Placed, Solid, Union
from linkwork.solid.placement import Floats, Placement
from linkwork.solid.values import Box


def box_along(solid: Solid, axes: Floats) -> Box:
    """The corners of a box around a solid, in coordinates along some axes.

    >>> from linkwork.solid import Block
    >>> turned = Block((1, 2, 3)).turned(0.5)
    >>> axes = np.array([[np.cos(0.5), np.sin(0.5), 0], [-np.sin(0.5), np.cos(0.5), 0], [0, 0, 1]])
    >>> box_along(turned, axes)[1].round(9).tolist()
    [1.0, 2.0, 3.0]
    """
    if np.array_equal(axes, WORLD):
        return solid.box
    return _box(solid, Placement.of(axes))


def _box(solid: Solid, place: Placement) -> Box:
    """The box of a solid that is placed so, by those of the simple ones that it is made of."""
    if isinstance(solid, Placed):
        return _box(solid.solid, place.holding(solid.place))
    if isinstance(solid, Named):
        return _box(solid.solid, place)
    if isinstance(solid, Difference):
        return _box(solid.first, place)
    if isinstance(solid, Intersection) and solid.solids:
        lows, highs = (
            np.array(each) for each in zip(*(_box(each, place) for each in solid.solids), strict=True)
        )
        low = lows.max(axis=0)
        return low, np.maximum(low, highs.min(axis=0))
    if isinstance(solid, Union) and solid.solids:
        every = [_box(each, place) for each in solid.solids if not each.is_empty]
        lows, highs = (np.array([box[end] for box in every]).reshape(-1, 3) for end in (0, 1))
        return lows.min(axis=0, initial=np.inf), highs.max(axis=0, initial=-np.inf)
    return Placed(solid, place).box
