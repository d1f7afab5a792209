"""Into how many separate solids a part falls.

Two pieces of neighbouring sections belong to one solid if they overlap: solids that touch in a point or along a
line only are separate. For prismatic solids the sections are their layers, and the answer is certain; for others
sections are taken at several heights between those where simple solids turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from linkwork.solid.layers import Layer, heights, is_prismatic, layers
from linkwork.solid.placement import Z_AXIS
from linkwork.solid.region.pairs import linked
from linkwork.solid.section import section
from linkwork.solid.values import Solid

LOOKS: Final = 9
"""Sections between two heights at which simple solids turn."""


class Separate(NamedTuple):
    """How many solids, and whether that is certain or what sections show."""

    number: int
    certain: bool


def separate_solids(solid: Solid, axis: Sequence[float] = Z_AXIS) -> Separate:
    """The number of connected solids in a solid, found along an axis.

    >>> from linkwork.solid import Block
    >>> separate_solids(Block((4, 1, 1)) - Block((1, 2, 2)).moved((1, -0.5, -0.5)))
    Separate(number=2, certain=True)
    """
    if is_prismatic(solid, axis):
        return Separate(_connected(list(layers(solid, axis))), True)
    looks: list[Layer] = []
    for low, high in pairwise(heights(solid, axis)):
        edges = np.linspace(low, high, LOOKS + 1).tolist()
        looks += [Layer(a, b, section(solid, 0.5 * (a + b), axis)) for a, b in pairwise(edges)]
    return Separate(_connected(looks), False)


def _connected(rows: list[Layer]) -> int:
    """How many groups the pieces of sections form, from bottom to top."""
    found = [Layer(low, high, piece) for low, high, region in rows for piece in region.components]
    starting: dict[float, list[int]] = defaultdict(list)
    for place, layer in enumerate(found):
        starting[layer.low].append(place)
    pairs = [
        (place, other)
        for place, layer in enumerate(found)
        for other in starting[layer.high]
        if layer.region & found[other].region
    ]
    first, second = (np.array([pair[k] for pair in pairs], dtype=int) for k in (0, 1))
    return len(np.unique(linked(len(found), first, second)))
