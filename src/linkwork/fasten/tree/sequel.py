"""What a tree of pawls can do after an event: equilibria an instant later, and room for it where there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from linkwork.fasten.tree.bodies import Bodies, Floats, Touch
from linkwork.fasten.tree.curve import Ahead
from linkwork.fasten.tree.equilibrium import Equilibria, Mode
from linkwork.fasten.tree.relax import closed, modes
from linkwork.fasten.tree.touching import is_inside

LATER = 1e5
"""So many instants later modes that seem alike are compared."""
NEAR = 1e-3
"""Radians within which an equilibrium goes on from another; at a tangent the angle goes with the instant's root."""
SPLIT = 3e-5
"""Radians to either side, from where equilibria are looked for that branch off."""


class Sequel:
    """What can follow at a configuration of a tree; times are scaled, as all numbers."""

    def __init__(self, bodies: Bodies, mu: float) -> None:
        self.bodies, self.mu = bodies, mu

    def going_on(
        self, t: float, theta: Floats, touches: Sequence[Touch], held: Mode, instant: float
    ) -> tuple[Floats, Mode] | None:
        """The equilibrium an instant later, near by: the one of least energy, on what held the tree before."""
        kept = {hold.touch for hold in held}
        found: list[tuple[float, bool, int, int, Floats, Mode]] = []
        for place, mode in enumerate(modes(touches, self.bodies.count, self.mu > 0)):
            y = self._tried(t, theta, mode, instant)
            if y is not None:
                is_brief = self._tried(t, theta, mode, LATER * instant) is None
                offset = y[1 : 1 + self.bodies.count] - self.bodies.rest
                energy = float(self.bodies.k @ offset**2)
                strange = sum(hold.touch not in kept for hold in mode)
                found.append((energy, is_brief, strange, place, y, self._anchored(t, theta, mode)))
        if not found:
            return None
        least = min(found, key=lambda each: each[0])
        last = 1 + self.bodies.count
        moved = 1e-3 * np.abs(least[4][1:last] - theta).max() + 1e-13
        same = [each for each in found if np.abs(each[4][1:last] - least[4][1:last]).max() <= moved]
        best = min(same, key=lambda each: each[1:4])
        return best[4], best[5]

    def _anchored(self, t: float, theta: Floats, mode: Mode) -> Mode:
        pose = self.bodies.pose(t, theta.tolist())
        return tuple(
            hold if hold.slide else replace(hold, anchor=self.bodies.place(hold.touch, pose)[1])
            for hold in mode
        )

    def _tried(self, t: float, theta: Floats, mode: Mode, instant: float) -> Floats | None:
        """The equilibrium of a mode an instant later, where it is one that can be."""
        system = Equilibria(self.bodies, self._anchored(t, theta, mode), self.mu)
        later = t + instant
        for start in self._starts(theta):
            y = system.at_time(system.guess(later, start), later)
            if y is not None and self._can_be(theta, system, y):
                return y
            if y is not None and np.abs(y[1 : 1 + self.bodies.count] - theta).max() < SPLIT / 10:
                return None  # where it is regular there is no other
        return None

    def _starts(self, theta: Floats) -> Iterator[Floats]:
        """Where equilibria are looked for: here, and a little to either side, counter-clockwise first."""
        yield theta
        for sense in (SPLIT, -SPLIT):
            for body in range(self.bodies.count):
                yield theta + sense * np.eye(self.bodies.count)[body]

    def _can_be(self, theta: Floats, system: Equilibria, y: Floats) -> bool:
        bodies = self.bodies
        later = y[1 : 1 + bodies.count]
        if y[-1] <= 0 or np.abs(later - theta).max() > NEAR or is_inside(bodies, float(y[0]), later):
            return False
        pose, tangent = bodies.pose(float(y[0]), later.tolist()), system.tangent(y)
        if tangent is None:
            return False
        speeds = Ahead(system, y, tangent).sliding(0.0)
        for hold, (press, rub), speed in zip(system.mode, system.press(y), speeds, strict=True):
            place = bodies.place(hold.touch, pose)[1]
            if press < -1e-13 or not -1e-12 <= place <= bodies.length(hold.touch) + 1e-12:
                return False
            if hold.slide and self.mu > 0 and hold.slide * speed < -1e-11:
                return False
            if not hold.slide and abs(rub) > self.mu * press * (1 + 1e-9) + 1e-14:
                return False
        return system.is_stable(y)

    def pressing(self, t: float, theta: Floats, touches: Sequence[Touch]) -> list[Touch]:
        """The contacts that hold a tree where it is, as few as can."""
        offset = self.bodies.offset(theta)
        for mode in modes(touches, self.bodies.count, rubs=False):
            if mode:
                system = Equilibria(self.bodies, mode, 0.0)
                y = system.guess(t, theta)
                pushes = system.pushes(y)
                forces = y[1 + self.bodies.count : -1]
                if (forces >= 0).all() and np.abs(pushes @ forces / y[-1] - offset).max() < 1e-7:
                    return [hold.touch for hold in mode]
        return list(touches[:1])

    def room(
        self, later: float, theta: Floats, touches: Sequence[Touch]
    ) -> tuple[Floats, list[Touch]] | None:
        """A configuration near by that is free at a later time, and the contacts it is pushed by."""
        if not is_inside(self.bodies, later, theta):
            return theta, []
        for size in range(1, min(self.bodies.count, len(touches)) + 1):
            for chosen in combinations(touches, size):
                for start in self._starts(theta):
                    found = closed(self.bodies, chosen, later, start)
                    is_near = np.abs(found - theta).max() <= 20 * NEAR
                    if is_near and not is_inside(self.bodies, later, found):
                        return found, list(chosen)
        return None

    def opposing(
        self, t: float, theta: Floats, touches: Sequence[Touch], first: Touch | None
    ) -> Touch | None:
        """The contact that pushes against another one, or against the springs; at rest against turning on.

        Where none does so by itself, several hold the tree together: one of the others is told.
        """
        pose = self.bodies.pose(t, theta.tolist())
        push = np.ones(self.bodies.count) if first is None else self.bodies.contact(first, pose).gap_by
        others = [touch for touch in touches if touch != first]
        against = [touch for touch in others if self.bodies.contact(touch, pose).gap_by @ push < -1e-9]
        return next(iter((*against, *others)), None)
