"""The curve of equilibria ahead of one of them, by its length along the tangent there."""

from __future__ import annotations

from functools import cache

import numpy as np

from linkwork.fasten.tree.bodies import Floats
from linkwork.fasten.tree.equilibrium import Equilibria


class Ahead:
    """Equilibria at places of a curve, each solved for once."""

    def __init__(self, system: Equilibria, y: Floats, tangent: Floats) -> None:
        self.system, self.y, self.direction = system, y, tangent
        self.count = 1 + system.bodies.count
        self.row = np.zeros(len(y))
        self.row[: self.count] = tangent[: self.count]
        self.at = cache(self._at)
        self.tangent = cache(self._tangent)

    def _at(self, place: float) -> Floats | None:
        if not place:
            return self.y
        guess = self.y + place * self.direction
        if not self.system.mode:
            return guess
        return self.system.solved(guess, self.row, float(self.row @ self.y) + place)

    def sure(self, place: float) -> Floats:
        """The equilibrium at a place, or one that stands for it."""
        found = self.at(place)
        return self.y + place * self.direction if found is None else found

    def _tangent(self, place: float) -> Floats | None:
        found = self.system.tangent(self.sure(place), self.direction)
        return None if found is None else np.asarray(found)

    def configuration(self, place: float) -> tuple[float, Floats]:
        """Time and angles at a place."""
        y = self.sure(place)
        return float(y[0]), y[1 : self.count]

    def sliding(self, place: float) -> list[float]:
        """How fast contacts slide there, by the length of the curve."""
        y, tangent = self.sure(place), self.tangent(place)
        if tangent is None:
            return [0.0] * len(self.system.mode)
        bodies = self.system.bodies
        pose = bodies.pose(float(y[0]), y[1 : self.count].tolist())
        found = []
        for hold in self.system.mode:
            contact = bodies.contact(hold.touch, pose)
            found.append(float(contact.along_by @ tangent[1 : self.count] + contact.along_rate * tangent[0]))
        return found
