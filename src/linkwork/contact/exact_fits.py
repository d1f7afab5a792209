"""Shafts in bores of the same radius, which contacts hold badly: the place where they touch is all around at once.

The gap of a shaft in a bore is R - r - |d|, d being the way from one centre to the other. Without a clearance d is
rounding and nothing more, and so is the direction in which the bore pushes: where the load turns no step may succeed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import Final

from linkwork.contact.shapes import Outline
from linkwork.contact.touching import APART, Touching

NO_CLEARANCE: Final = 1e-6
"""Of the radius of a bore: a shaft has no room in it with less clearance than this."""


@dataclass(frozen=True)
class ExactFit:
    """A shaft of one part without clearance in the bore of another, which goes more than half around it."""

    shaft: str
    bore: str
    radius: float

    @property
    def words(self) -> str:
        """What it is, and what to do about it."""
        return (
            f"the shaft of {self.shaft} has no clearance in the bore of {self.bore} (radius {self.radius:.6g}),"
            " so contacts hold it by rounding alone: give the two a joint, or the shaft some clearance"
        )


def exact_fits(touching: Touching) -> Iterator[ExactFit]:
    """All such fits of parts that no joint joins."""
    for couple in touching.couples:
        if couple.joined == APART:
            sides = [
                (part, touching.outlines[place])
                for part, place in zip(couple.parts, couple.places, strict=True)
            ]
            for (shaft, own), (bore, around) in permutations(sides):
                yield from (ExactFit(shaft, bore, radius) for radius in _radii_of_fits(own, around))


def _radii_of_fits(shaft: Outline, bore: Outline) -> Iterator[float]:
    """The radii of rounds that are drawn in hollows of the same radius, of more than half a turn."""
    for hollow, round_one in product(bore.hollows, shaft.rounds):
        radius = float(hollow[2])
        room = abs(radius - float(round_one[2])) + math.dist(hollow[:2], round_one[:2])
        goes_around = hollow[5] < 0
        if goes_around and room <= NO_CLEARANCE * radius:
            yield radius
