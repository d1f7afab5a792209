"""How far along its slow motion a pattern may be off, and what that does to times and to its end.

What does not come back keeps the errors of all leaps. By what it changes in a repetition they are a shift of so many
repetitions: the pattern is then where it would be so much earlier or later. As long as all repetitions last equally
long this does nothing to times; where they last longer and longer, as those of a pendulum that hardly swings over,
times are off by the shift times what the duration has grown by. And at the very end it may go another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from linkwork.foresee.course import SAFETY
from linkwork.foresee.envelope import Node
from linkwork.foresee.leading import advances
from linkwork.foresee.marks import Mark
from linkwork.foresee.pattern import ADVANCES
from linkwork.foresee.repeating import OTHER_CHANGE, Repeated
from linkwork.kinematics.arrays import Matrix

if TYPE_CHECKING:
    from linkwork.foresee.walking import Walking

MOST_SHIFT: Final = 1.0
"""Repetitions: more tells of variables that do not change, not of a shift."""
LEAST_SHIFT: Final = 1e-4
"""Repetitions: less is not tested, for an end that depends on as little is as rare."""
STRAYED: Final = 1e-4
"""Of the range of a variable: where leaps were off by less, that tells no shift."""
STANDS: Final = 1e-9
"""Of the range of a variable: what changes by less in a repetition tells no shift."""


def shift(following: Walking, node: Node) -> float:
    """By how many repetitions the pattern may be earlier or later at a node, by the errors of all leaps up to it.

    What others lead comes back to where it belongs, and tells nothing of that; nor does what advances.
    """
    changes = np.abs(node.slope[1:]) / np.maximum(node.spread, following.floor)
    leads = np.logical_not(following.envelope.led | following.guests)
    strayed = node.strayed + following.before / SAFETY / np.maximum(node.spread, following.floor)
    tells = leads & (changes < ADVANCES) & (changes > STANDS)
    least = float(np.max(strayed[tells], initial=0.0)) / max(
        float(np.max(changes[tells], initial=0.0)), STANDS
    )
    # each by its own change, where that is not what rounding leaves of it
    own = tells & (strayed > STRAYED)
    return min(max(least, float(np.max(strayed[own] / changes[own], initial=0.0))), MOST_SHIFT)


def along(following: Walking, node: Node) -> Matrix:
    """What a shift by a repetition changes: what goes on from tooth to tooth is where teeth hold it all the same."""
    if not following.pattern.couples:  # nothing holds what goes on
        return np.array([0.0, *node.slope[1:]])
    goes_on = advances(node.slope, node.spread, following.floor, following.course.positions)
    return np.array([0.0, *np.where(goes_on, 0.0, node.slope[1:])])


def later(following: Walking, duration: float) -> float:
    """By how much more times are off behind the last node, where the duration has become another."""
    return shift(following, following.last) * abs(duration - following.last.duration)


def goes_another_way(following: Walking, ended: Repeated) -> bool:
    """Whether a pattern may end otherwise than it did, if it is off by as much as it may be."""
    begin = ended.places[0]
    node = min(following.envelope.nodes, key=lambda each: abs(each.time - begin[0]))
    if not ended.marks:
        return False
    shifted = SAFETY * shift(following, node)
    ways = (-shifted, shifted) if shifted >= LEAST_SHIFT else ()
    besides = [begin + way * along(following, node) for way in ways]
    shadow = following.shadow
    if shadow is not None and abs(shadow[1][0] - begin[0]) < node.duration / 2:
        besides.append(shadow[1])
    for beside in besides:
        ran = following.repeat(beside, len(ended.places) + 1, node.slope, node.spread)
        if not _are_alike(ran.marks, ended.marks, np.maximum(node.spread, following.floor)):
            return True
    return False


def _are_alike(marks: Sequence[Mark], others: Sequence[Mark], spread: Matrix) -> bool:
    return len(marks) == len(others) and all(
        bool(np.all(np.abs(a.state - b.state) <= OTHER_CHANGE * spread))
        for a, b in zip(marks, others, strict=True)
    )
