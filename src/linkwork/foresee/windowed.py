"""Where something superimposed on a pattern is going on, and where leaps may land beside it."""

from __future__ import annotations

import numpy as np

from linkwork.foresee.envelope import Node, Window
from linkwork.foresee.leading import RELAXING, Leading


class Windowed(Leading):
    """A pattern in whose repetitions couples meet now and then that do not meet in it: in windows."""

    def allow(self, couples: frozenset[int], window: Window) -> None:
        """Couples meet besides those of the pattern, in windows."""
        self.allow_couples(couples)
        self.envelope.windows.append(window)

    def replace_window(self, old: Window, new: Window) -> Window:
        """What is superimposed lasts longer than was thought, or delays the pattern otherwise."""
        self.envelope.windows = [new if each is old else each for each in self.envelope.windows]
        return new

    def node_near(self, number: float) -> Node:
        """The last node before a number, or at it."""
        return next(
            (node for node in reversed(self.envelope.nodes) if node.number <= number), self.envelope.nodes[0]
        )

    def clear_before(self, number: float) -> float:
        """The last number up to one at which nothing superimposed is going on."""
        disturbed = {node.number for node in self.envelope.nodes if node.is_disturbed}
        while number > 0 and (number in disturbed or self.is_disturbed(number)):
            number -= 1
        return max(number, 0.0)

    def is_disturbed(self, number: float) -> bool:
        """Whether something superimposed is going on at the end of a repetition."""
        return any(
            number > window.first and 0 < (number - window.first) % window.period < window.length
            for window in self.envelope.windows
        )

    def _landing_between(self, first: float, number: float, last: float) -> float | None:
        """The number nearest to one, between two, at which nothing superimposed is going on, if there is one."""
        behind = self._landing(number)
        before = next(
            (each for each in np.arange(number, first - 1, -1) if self._landing(each) == each), None
        )
        found = [each for each in (behind, before) if each is not None and first <= each <= last]
        return min((float(each) for each in found), key=lambda each: abs(each - number), default=None)

    def _landing(self, number: float) -> float:
        """The first number from one on at which nothing superimposed is going on."""
        for _ in range(100):
            steps = [
                window.length - (number - window.first) % window.period
                for window in self.envelope.windows
                if (number + RELAXING + 1 - window.first) % window.period <= window.length + RELAXING + 1
            ]
            if not steps:
                break
            number += float(np.ceil(max(1.0, *steps)))
        return number
