"""The events of a run as they come: the first and the last are kept, those between are counted.

A motion may have more events than there is memory for. What becomes of parts is seen by the first and by the last of
them; impacts and what they took are summed up for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import numpy as np

from linkwork.kinematics.arrays import Matrix

KEPT: Final = 10**5
"""Of the first events, and of the last ones, that are kept of a run."""
ZENO: Final = 1e-9
"""Bounces that become shorter and shorter end, and settle, before they last this share of what they did."""
STEADY: Final = 0.99
"""What does not become shorter by more is not taken for bounces that do."""
MARKED: Final = 64
"""One in so many events of which the time is noted, to see whether they come ever faster."""
_STRIKES: Final = (0, 5)
"""The kinds of events of the engine that are impulses: impacts, also those that settle."""
_END: Final = 2
"""The kind of the end of a contact: of an elastic one, with the impulse of all of it, its largest force, its loss."""

P = TypeVar("P")


@dataclass(frozen=True)
class Struck:
    """What events tell of two parts: how many impacts, the largest impulse, the energy lost, the largest force."""

    impacts: int = 0
    impulse: float = 0.0
    lost: float = 0.0
    force: float = 0.0

    def __add__(self, other: Struck) -> Struck:
        return Struck(
            self.impacts + other.impacts,
            max(self.impulse, other.impulse),
            self.lost + other.lost,
            max(self.force, other.force),
        )


@dataclass(frozen=True)
class Unlisted(Generic[P]):
    """Events between two times that are not kept: how many, and what they tell, by pairs of parts."""

    count: int
    begin: float
    end: float
    struck: Mapping[P, Struck]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"count": self.count, "from": self.begin, "until": self.end}


Q = TypeVar("Q")


def joined(every: Iterable[Unlisted[Q] | None]) -> Unlisted[Q] | None:
    """Those of several motions together."""
    given = [each for each in every if each is not None]
    if not given:
        return None
    struck: dict[Q, Struck] = {}
    for each in given:
        for pair, own in each.struck.items():
            struck[pair] = struck.get(pair, Struck()) + own
    count = sum(each.count for each in given)
    return Unlisted(count, min(each.begin for each in given), max(each.end for each in given), struck)


@dataclass(eq=False)
class EventLog:
    """Rows of events in the order of their times; ``normal`` is the column of impulses, the last that of losses."""

    normal: int
    kept: int
    count: int = 0
    _first: list[Matrix] = field(default_factory=list)
    _last: list[Matrix] = field(default_factory=list)
    _marks: list[tuple[int, float]] = field(default_factory=list)
    """How many there were before which time."""
    _between: Unlisted[int] | None = None

    def add(self, rows: Matrix) -> None:
        """More rows."""
        room = max(self.kept - self.count, 0)
        self._marks += [(self.count + k, float(rows[k, 0])) for k in range(0, len(rows), MARKED)]
        self.count += len(rows)
        if room:
            self._first.append(rows[:room].copy())
        if len(rows) > room:
            self._last.append(rows[room:].copy())
        while len(self._last) > 1 and sum(map(len, self._last[1:])) >= self.kept:
            self._forget(self._last.pop(0))

    def _forget(self, rows: Matrix) -> None:
        kinds, impulses, largest, losses = (rows[:, at] for at in (1, self.normal, self.normal + 1, -1))
        strikes = np.isin(kinds, _STRIKES)
        pressed = (kinds == _END) & (largest > 0)
        told = strikes | pressed
        forces = np.where(pressed, largest, np.where(strikes | (kinds == _END), 0.0, impulses))
        struck = {
            int(pair): Struck(
                int(strikes[own].sum()),
                float(np.max(impulses[own & told], initial=0.0)),
                float(losses[own & told].sum()),
                float(forces[own].max()),
            )
            for pair in np.unique(rows[:, 2])
            for own in [rows[:, 2] == pair]
        }
        forgotten = Unlisted(len(rows), float(rows[0, 0]), float(rows[-1, 0]), struck)
        self._between = joined((self._between, forgotten))

    def events(self) -> tuple[Matrix, Unlisted[int] | None]:
        """What is kept, and what is not."""
        every = [*self._first, *self._last]
        return (every[0] if len(every) == 1 else np.concatenate(every)), self._between

    def to_come(self) -> float:
        """How many more events may come if bounces become shorter as they have done; infinite where they do not.

        The time that the second half of all took, by that of the first, tells how fast they do.
        """
        half = len(self._marks) // 2
        (first, begin), (count, middle), (last, end) = (self._marks[k] for k in (0, half, -1))
        if not (first < count < last and begin < middle < end):
            return math.inf
        share = (end - middle) / (last - count) / ((middle - begin) / (count - first))
        return count * math.log(ZENO) / math.log(share) if share < STEADY else math.inf
