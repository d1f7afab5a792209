"""Machines that a drive turns evenly: what they do repeats itself by turns of the drive, and so is told by these.

Parts that touch may bounce in ever smaller hops, and how many minima of the kinetic energy a repetition has then
depends on how close rows are. So the motion is looked at once in each turn, or in each part of one after which what is
driven is the same (Poincaré's section by the phase of the drive); minima count only where that shows nothing.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from linkwork.foresee.course import Course, Strobe
from linkwork.foresee.pattern import CONFIRMATIONS, IGNORED, since
from linkwork.foresee.survey import Seen, begin, look
from linkwork.foresee.symmetry import driven_alike

PATIENCE: Final = 3
"""How many times as long as minima told a repetition may last."""


def seen_by_beats(course: Course, seen: Seen, until: float) -> Seen:
    """What marks at equal parts of a turn show of a motion, where they show more than minima did."""
    if course.turn is None or course.touching is None or course.strobe is not None:
        return seen
    if seen.pattern is None and not seen.why:
        return seen  # it ended meanwhile
    alike = driven_alike(course)
    if alike is None:
        return seen  # at which angle it is does not matter
    interval, begun = course.turn / alike, seen.marks[0]
    if seen.pattern is not None:
        first = since(seen.marks, seen.pattern, course.floor)
        begun = next(mark for mark in seen.marks if mark.time == first)
        most = PATIENCE * max(math.ceil(seen.pattern.duration / interval), 1)
        until = min(until, first + (IGNORED + (CONFIRMATIONS + 2) * most) * interval)
    course.strobe = Strobe(begun.time, interval)
    follower = begin(course, begun.time, begun.state, seen.follower.spacing, until)
    found = look(course, follower, begun.time, until)
    if found.pattern is None:
        course.strobe = None
        return seen
    return replace(found, marks=[*(mark for mark in seen.marks if mark.time < begun.time), *found.marks])
