"""Coming to rest: since when nothing moves but by a little, where each variable tends to, and when it last moves.

What slows down evenly never quite stops. The ways of two equal whiles, one after the other, fall by a factor f; so
way f / (1 - f) is left, and the place it tends to is that much ahead. What swings stands still where it turns back: it
is at rest only if it stays near for longer than such a machine needs to move on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.foresee.course import Course
from linkwork.kinematics.arrays import Matrix

NEAR_REST: Final = 1e-3
"""Of the range of a variable, of what turns on and on of a turn: what will not move by more any more is at rest."""
SETTLED: Final = 0.25
"""Of that: what may be left to go, by the ways so far, where rest is believed."""
STILL: Final = 1e-3
"""Of that: what moves by less in a while does not move."""
REST_ROWS: Final = 64
"""How many rows are a while."""
REST_WHILES: Final = 4
"""For how many whiles nothing may have moved away."""
PACES: Final = 2.0
"""The same by times in which a variable would move through its range as fast as it ever did; of a swing that is more
than half its period."""
LATE_MARKS: Final = 8
"""Marks of late between which the times tell, too, how long what moves may stand where it turns back."""
ROWS_A_BLOW: Final = 6
"""Between one blow and the next: a part may be kicked away and come back between rows."""
MOST_BLOWS: Final = 2000
"""Between which that is told; where there are more, parts chatter, and the longest times between them are."""


@dataclass(frozen=True, eq=False)
class Rest:
    """That all is at rest: since when, and the place to which each position tends."""

    since: float
    places: Matrix
    left: Matrix
    """What each still had to go, or by how much it swung about its place, when that was told: 0 of what stands."""


def near_rest(course: Course) -> Matrix:
    """For each of what is tracked, how far from its place it may be and still count as at rest.

    What trembles by no more than rounding is at rest from the start.
    """
    found: Matrix = np.maximum(NEAR_REST * course.ranges, course.tracked_floor)
    return found


def resting(times: Matrix, positions: Matrix, near: Matrix, lasts: float) -> Rest | None:
    """Rest in rows at equal distances, if it has lasted for whiles and for a time, and little is left to go."""
    tends = tends_to(positions, near, REST_ROWS)
    if tends is None:
        return None
    first = _last_away(positions, tends[0], near) + 1
    rows = len(times) - first
    if rows < REST_WHILES * REST_ROWS or times[-1] - times[first] < lasts:
        return None
    # what is slow shows in long whiles only
    tends = tends_to(positions, near, rows // 2)
    return None if tends is None else Rest(float(times[first]), *tends)


def pace(times: Matrix, positions: Matrix, floor: Matrix) -> float:
    """The longest time in which a variable would move through its range as fast as it ever did."""
    lasted = np.diff(times)
    is_later = lasted > 0
    fastest = np.max(
        np.abs(np.diff(positions, axis=0))[is_later] / lasted[is_later, None], axis=0, initial=0.0
    )
    ranges = np.ptp(positions, axis=0)
    moved = ranges > floor
    return float(np.max(ranges[moved] / fastest[moved], initial=0.0))


def tends_to(positions: Matrix, near: Matrix, rows: int) -> tuple[Matrix, Matrix] | None:
    """The places to which variables tend, by the last two whiles of so many rows, and how far away they are.

    None where one is not near its own.

    What goes one way has a way to go, as above; what goes to and fro stays between its ends, if they come nearer.
    """
    late = positions[-2 * rows - 1 :]
    if len(late) < 2 * rows + 1:
        return None
    steps = np.diff(late, axis=0)
    before, now = np.sum(np.abs(steps[:rows]), axis=0), np.sum(np.abs(steps[rows:]), axis=0)
    forth = np.sum(steps[rows:], axis=0)
    is_one_way = np.abs(forth) > (1 - STILL) * now
    slower = before - now
    with np.errstate(over="ignore"):
        to_go = np.where(slower > 0, now * now / np.maximum(slower, np.finfo(float).tiny), np.inf)
    extent = np.ptp(late[rows:], axis=0)
    swings = np.where(extent <= np.ptp(late[: rows + 1], axis=0), extent / 2, np.inf)
    left = np.where(now > STILL * near, np.where(is_one_way, to_go, swings), 0.0)
    if np.any(left > SETTLED * near):
        return None
    middle = (np.max(late[rows:], axis=0) + np.min(late[rows:], axis=0)) / 2
    return np.where(is_one_way | (left == 0), positions[-1] + np.sign(forth) * left, middle), left


def last_rows(positions: Matrix, places: Matrix, near: Matrix) -> list[int]:
    """The last row in which each variable is farther from its place than a little; -1 where it never was."""
    is_away = np.abs(positions - places) > near
    return [int(rows[-1]) if len(rows := np.flatnonzero(column)) else -1 for column in is_away.T]


def _last_away(positions: Matrix, places: Matrix, near: Matrix) -> int:
    return max(last_rows(positions, places, near), default=-1)


def settled_since(times: Matrix, positions: Matrix, places: Matrix, near: Matrix) -> float | None:
    """Since when all is near its place, in rows at any distances; None where something is not at last."""
    first = _last_away(positions, places, near) + 1
    return float(times[first]) if first < len(times) else None


def since_off(times: Matrix, positions: Matrix, rest: Rest, near: Matrix) -> float:
    """By how much the beginning of rest may be off, because places are known to what is left to go only."""
    sooner = settled_since(times, positions, rest.places, near + rest.left)
    later = settled_since(times, positions, rest.places, near - rest.left)
    assert sooner is not None
    assert later is not None
    return max(rest.since - sooner, later - rest.since)


def still_to_go(course: Course, times: Matrix, positions: Matrix, rest: Rest) -> dict[str, float]:
    """By how much variables move behind the beginning of rest, of those that did not stand when that was told."""
    most = np.max(np.abs(positions[times >= rest.since] - rest.places), axis=0)
    every = zip(course.tracked, most.tolist(), rest.left.tolist(), strict=True)
    return {name: each for name, each, left in every if left}


@dataclass(frozen=True)
class Blow:
    """An event of contacts: when, and which parts."""

    time: float
    parts: tuple[str, ...]


def unseen_span(
    course: Course, last_moves: Sequence[float], blows: Sequence[Blow]
) -> tuple[float, float] | None:
    """Between which times blows may have moved a part behind the row in which it was last seen to move."""
    owners = [name.partition(".")[0] for name in course.tracked]
    found = []
    for owner, last in zip(owners, last_moves, strict=True):
        own = [
            blow.time
            for blow in blows
            if blow.time > last and (owner in blow.parts or not {*blow.parts} <= {*owners, "ground"})
        ]
        found += [(last, own[-1])] if own else []
    return (min(begin for begin, _ in found), max(end for _, end in found)) if found else None


def rows_between(blows: Sequence[Blow], begin: float, end: float) -> Matrix:
    """Times between blows, and between the last of them and the end, that show what each of them does."""
    times = np.unique([begin, *(blow.time for blow in blows if begin < blow.time < end), end])
    longest = sorted(pairwise(times.tolist()), key=lambda gap: gap[0] - gap[1])[:MOST_BLOWS]
    shares = np.arange(1, ROWS_A_BLOW + 1) / (ROWS_A_BLOW + 1)
    found: Matrix = np.sort(np.concatenate([a + (b - a) * shares for a, b in longest]))
    return found
