"""Repetitions that are simulated one after the other, and beside many of them others: whether what is off grows.

What is simulated is off by a little, and in most patterns that stays so. Where the end of a swing is near the edge of
what holds a wheel it grows, or leaps, within the pattern. So behind many repetitions in a row the same are simulated
again less closely, from beside their beginning by as much as that may be off, and on and on: never from a node anew.
By as much as both part, nodes may have strayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.foresee.course import SAFETY, SIMULATED
from linkwork.foresee.envelope import Node
from linkwork.foresee.marks import Mark, impacts_of
from linkwork.foresee.repeating import Repeated, ranges_of
from linkwork.foresee.shifting import along, later, shift
from linkwork.foresee.windowed import Windowed
from linkwork.kinematics.arrays import Matrix

LONG_WALK: Final = 16
"""Repetitions in a row that are simulated beside, too: in fewer nothing grows much."""


UNCERTAIN: Final = "how it goes on depends on less than this forecast may be off"


class Walking(Windowed):
    """A pattern whose repetitions are simulated one after the other, each of them a node."""

    shadow: tuple[float, Matrix] | None = None
    """The last repetition that was simulated beside a node, and where that ended."""

    has_parted = False
    """Whether that was no repetition of the pattern any more while the pattern still went on: nothing is known then."""

    def go_on_from(
        self,
        number: float,
        before: Matrix,
        place: Matrix,
        inside: Sequence[Mark],
        is_disturbed: bool = False,
    ) -> None:
        """A new node by what was simulated otherwise: places at the ends of two repetitions, marks of the last."""
        slope = place - before if is_disturbed else self.exact_slope(place - before)
        node = Node(
            number,
            place,
            slope,
            *ranges_of(inside),
            time_off=self.last.time_off + later(self, float(slope[0])),
            strayed=self.last.strayed,
            impacts=impacts_of(inside),
            regime=self.last.regime,
            is_disturbed=is_disturbed,
        )
        self.envelope.nodes.append(node)

    def _walk(self, most: int) -> Repeated | None:
        """Simulate so many repetitions from the last node on; each is a node."""
        first, count = self.last.number, self.pattern.marks
        until = self._landing(first + most)
        ran = self.repeat(self.last.place, int(until - first), self.last.slope, self.last.spread)
        for place, (before, after) in enumerate(pairwise(ran.places)):
            number, inside = first + place + 1, ran.marks[place * count : (place + 1) * count]
            self.go_on_from(number, before, after, inside, self.is_disturbed(number))
        self._walk_beside()
        return ran if ran.halt is not None and not self.has_parted else None

    def _walk_beside(self) -> None:
        """Simulate beside all repetitions since the last leap, if they are many."""
        nodes = self.envelope.nodes
        begun = len(nodes) - 1
        while begun and nodes[begun].number - nodes[begun - 1].number == 1 and not nodes[begun].is_disturbed:
            begun -= 1
        if nodes[-1].number - nodes[begun].number < LONG_WALK:
            return
        if self.shadow is None or self.shadow[0] < nodes[begun].number:
            node = nodes[begun]
            beside = shift(self, node) * along(self, node)
            beside[1:] += self.before if begun == 0 else 0.0
            self.shadow = node.number, node.place + beside
        number, place = self.shadow
        walked = [each for each in range(begun, len(nodes)) if nodes[each].number > number]
        if not walked:
            return
        node, counted = nodes[walked[0]], self.simulated_marks
        ran = self.repeat(place, len(walked), node.slope, node.spread, coarser=SIMULATED)
        self.simulated_marks = counted
        for each, beside in zip(walked, ran.places[1:], strict=False):
            nodes[each] = self._strayed_by(nodes[each], beside - nodes[each].place)
        known = len(ran.places) - 1
        if known < len(walked):
            self.has_parted = True
            del nodes[walked[known] :]
        self.shadow = self.last.number, ran.places[-1]

    def _strayed_by(self, node: Node, difference: Matrix) -> Node:
        """A node that may be off by a difference of time and state, unless leaps up to it were by more."""
        strayed = np.where(self.guests, 0.0, self._strayed(difference, node)) / SAFETY
        return replace(
            node,
            strayed=np.maximum(node.strayed, strayed),
            time_off=max(node.time_off, float(abs(difference[0]))),
        )
