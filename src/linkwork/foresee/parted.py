"""Whether what happens before a pattern is known: motions that begin beside one, or are simulated less closely.

A transient may be irregular, and what a simulation is off by then grows until it decides which pattern follows, and
when. Between two patterns that begins with what the first one is off by. So the same is simulated again, less closely
and from beside; by as much as these motions part the forecast may be off, and behind where that matters it is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.foresee.course import SAFETY, SIMULATED, Course
from linkwork.foresee.envelope import Node
from linkwork.foresee.leading import ADVANCED
from linkwork.foresee.marks import Follower, Mark
from linkwork.foresee.pattern import Pattern
from linkwork.kinematics.arrays import Matrix

MATTERS: Final = 1e-3
"""Of the range of a position inside a pattern: where motions have parted by more, the next is not known."""
DECIDES: Final = 0.05
"""The same in the first repetition of a pattern: where they have by more it may be another, or begin elsewhere."""
ROWS: Final = 128


@dataclass(frozen=True, eq=False)
class Anchor:
    """A state at a time, and by how much it may be off."""

    time: float
    state: Matrix
    off: Matrix


@dataclass(frozen=True, eq=False)
class Parted:
    """By how much a state may be off, and until when what was before it is known."""

    off: Matrix
    known: float
    is_sure: bool


def anchor_of(course: Course, nodes: list[Node], node: Node, before: Matrix) -> Anchor:
    """The end of a repetition: off by what leaps were, and by what was before the pattern."""
    way = ADVANCED * np.abs(node.place - nodes[0].place)[1:]
    way = np.maximum(way, np.maximum(node.spread, course.floor))
    return Anchor(
        node.time, node.place[1:], SAFETY * (node.strayed * way + node.missed * node.spread) + before
    )


def parted(course: Course, anchor: Anchor, mark: Mark, pattern: Pattern) -> Parted:
    """How far motions part that begin beside one until a mark of it, and in the first repetition behind that.

    At the mark alone motions that have parted may happen to be near each other.
    """
    if mark.time <= anchor.time:
        return Parted(anchor.off, mark.time, True)
    before = np.linspace(anchor.time, mark.time, ROWS + 1)
    times = np.concatenate([before, mark.time + pattern.duration * np.linspace(0.0, 1.0, ROWS + 1)[1:]])
    own = course.run(anchor.time, anchor.state, times)
    others = [course.run(anchor.time, anchor.state, times, SIMULATED)]
    if np.any(anchor.off):
        others += [course.run(anchor.time, anchor.state + way * anchor.off, times) for way in (-1.0, 1.0)]
    if not all(each.is_whole for each in (own, *others)):
        return Parted(anchor.off, mark.time, True)  # what stops the simulation is told otherwise
    ends = np.array([own.states[ROWS], *(each.states[ROWS] for each in others)])
    off = np.max(np.abs(ends - mark.state), axis=0)
    count = course.positions
    ranges = np.maximum(pattern.spread, course.floor)[:count]
    rows = np.max([np.abs(each.states - own.states)[:, :count] / ranges for each in others], axis=(0, 2))
    far = np.flatnonzero(rows > MATTERS)
    known = float(times[max(far[0] - 1, 0)]) if len(far) else mark.time
    largest = max(float(np.max(off[:count] / ranges, initial=0.0)), float(np.max(rows[ROWS:])))
    return Parted(off, min(known, mark.time), largest <= DECIDES)


def strays(course: Course, follower: Follower) -> float | None:
    """Until when a motion is known that ends otherwise if it is simulated less closely; None where it does not."""
    times, places = follower.rows_seen
    begun, state = follower.begun
    other = course.run(begun, state, times, SIMULATED)
    if not other.is_whole:
        return None  # what stops the simulation is told otherwise
    off = np.max(np.abs(course.places(other) - places) / course.ranges, axis=1)
    far = np.flatnonzero(off > MATTERS)
    return float(times[max(far[0] - 1, 0)]) if off[-1] > DECIDES else None
