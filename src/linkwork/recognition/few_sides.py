"""Prisms of too few sides to stand for circles, among parts that nothing holds: people draw shafts and bores so."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.groups import Groups
from linkwork.solid import Prism
from linkwork.solid.region import Line
from linkwork.solid.region.chords import SIDES, fitted_circle

LEAST: Final = 8
"""With fewer sides a prism is meant as one: a nut, a square bar."""
ROUND: Final = 1e-5
"""By how much of the radius corners may be off a circle."""


def few_sided(groups: Groups, loose: Collection[str]) -> Iterator[str]:
    """What is said of prisms that look as if they were meant to be round, of parts that nothing holds."""
    for body in groups.bodies:
        counts = sorted({*_counts(body)})
        if body.name in loose and counts:
            yield (
                f"{body.name} has a prism of {' and one of '.join(map(str, counts))} sides, which are no circle:"
                f" {SIDES} or more are ($fn = {SIDES})"
            )


def _counts(body: Body) -> Iterator[int]:
    """How many sides regular prisms of a part have, where these are few but many for a prism."""
    for piece in body.pieces:
        if isinstance(piece.solid, Prism):
            for loop in piece.solid.region.loops:
                if LEAST <= len(loop) < SIDES and all(isinstance(edge, Line) for edge in loop):
                    corners = np.array([complex(*edge.start) for edge in loop])
                    centre, radius = fitted_circle(corners)
                    steps = np.abs(np.diff([*corners, corners[0]]))
                    if max(np.ptp(np.abs(corners - centre)), np.ptp(steps)) <= ROUND * radius:
                        yield len(loop)
