"""Processes that are superimposed on a pattern: parts that meet now and then, while it goes on (Algorithm 15)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.foresee.following import Following
from linkwork.foresee.marks import Follower, Halt, Mark, couples_of
from linkwork.foresee.pattern import STATE_MATCH
from linkwork.foresee.repeating import SAME_MARK
from linkwork.kinematics.arrays import Matrix

PATIENCE = 60
"""Repetitions after which a pattern that was disturbed is given up."""


@dataclass(frozen=True)
class Occurrence:
    """What happened once besides the pattern: which couples met, from when to when, and how late it made the rest."""

    couples: frozenset[int]
    number: float
    """The repetition in which it began."""
    begin: float
    end: float
    last_number: float
    delay: float


@dataclass(frozen=True, eq=False)
class Broken:
    """A disturbance after which the pattern does not go on."""

    couples: frozenset[int]
    begin: float
    halt: Halt
    follower: Follower


def pass_through(following: Following, number: float) -> Occurrence | Broken | None:
    """Simulate from the last node on until the pattern goes on as before behind a meeting; None if nothing met."""
    pattern = following.pattern
    start, place, duration = following.last.number, following.last.place, following.last.duration
    follower = following.follower(place, duration)
    known = pattern.couples | following.allowed
    marks: list[Mark] = []
    places = [place]
    strange: list[tuple[float, int]] = []
    resumed: list[tuple[float, Mark]] = []
    until = float(place[0]) + PATIENCE * duration
    while (mark := follower.next(until, pattern.only_low)) is not None:
        if not marks and mark.time - place[0] < SAME_MARK * duration / pattern.marks:
            continue  # that from which it was to begin
        marks.append(mark)
        strange += [(time, touch[0]) for time, touch in mark.met if touch[0] not in known]
        inside = marks[-pattern.marks :]
        own = _number_of(following, mark, start)
        if len(marks) % pattern.marks == 0:
            places.append(np.array([mark.time, *mark.state]))
            is_next = own == following.last.number + 1
            if is_next and not strange and not following.is_disturbed(following.last.number + 1):
                following.go_on_from(following.last.number + 1, places[-2], places[-1], inside)
        if couples_of(inside) - known:
            resumed = []
        elif own is not None and own > (resumed[-1][0] if resumed else number):
            resumed.append((own, mark))
        if len(resumed) > 1 and resumed[-1][0] - resumed[-2][0] == 1:
            _keep_disturbed(following, start, places, marks, resumed[-1][0])
            return _occurrence(following, strange, number, resumed, inside)
    halt = follower.halt or Halt(marks[-1].time, marks[-1].state, "other", "") if marks else follower.halt
    if not strange:
        strange = [(halt.time if halt else float(place[0]), -1)]
    couples = frozenset(couple for _, couple in strange if couple >= 0)
    assert halt is not None
    return Broken(couples, strange[0][0], halt, follower)


def _keep_disturbed(
    following: Following, start: float, places: list[Matrix], marks: list[Mark], own: float
) -> None:
    """The repetitions before one that were disturbed, each as it was; unless there were more of them, or fewer."""
    if own != start + len(places) - 1:
        return
    count = following.pattern.marks
    for place in range(1, len(places) - 1):
        if start + place > following.last.number:
            inside = marks[(place - 1) * count : place * count]
            following.go_on_from(start + place, places[place - 1], places[place], inside, is_disturbed=True)


def _occurrence(
    following: Following,
    strange: list[tuple[float, int]],
    number: float,
    resumed: list[tuple[float, Mark]],
    inside: list[Mark],
) -> Occurrence | None:
    (_, before), (own, mark) = resumed[-2:]
    delay = mark.time - float(following.envelope.foretold(own)[0])
    places = [np.array([each.time, *each.state]) for each in (before, mark)]
    if own > following.last.number:
        following.go_on_from(own, places[0], places[1], inside)
    if not strange:
        return None
    couples = frozenset(couple for _, couple in strange)
    return Occurrence(couples, number, strange[0][0], strange[-1][0], own, delay)


def _number_of(following: Following, mark: Mark, start: float) -> float | None:
    """The repetition at whose end a state is as foretold, if it is."""
    last = following.last
    guess = last.number + (mark.time - last.time) / last.duration
    spread = np.maximum(last.spread, following.floor)
    for number in (round(guess), round(guess) - 1, round(guess) + 1):
        foretold: Matrix = following.envelope.foretold(float(number))[1:]
        if number > start and np.all(np.abs(mark.state - foretold) <= STATE_MATCH * spread):
            return float(number)
    return None
