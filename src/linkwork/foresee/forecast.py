"""What was foreseen: patterns with the times between which they hold, what is superimposed, and how it ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from linkwork.errors import UsageError
from linkwork.foresee.foresight import Foreseen, is_interrupted
from linkwork.foresee.recall import Recalled, recall
from linkwork.foresee.replay import replay
from linkwork.model import Machine
from linkwork.results import Viewable
from linkwork.simulation import Solution


@dataclass(frozen=True)
class Swing:
    """Between which ends a variable swings, in the repetition that confirmed a pattern and in its last one."""

    low: float
    high: float
    low_change: float
    """Since the repetition before."""
    high_change: float
    last_low: float
    last_high: float


@dataclass(frozen=True)
class ForeseenPattern:
    """What repeats, how long it lasts, what each variable gains, from when to when it holds and why it ends."""

    parts: tuple[str, ...]
    minima: int
    duration: float
    change: Mapping[str, float]
    valid_from: float
    valid_until: float
    ends_because: str
    repetitions: float
    last_duration: float
    swings: Mapping[str, Swing]
    contacts: tuple[tuple[str, str], ...]
    restarts: int
    """How often the simulation was set going at a place that had been foretold."""
    deviation: float
    """The largest difference found there, of a swing (of the duration, for the time since the restart before)."""
    is_average: bool = False
    """Whether repetitions are not alike: durations and swings are then those on the average at a few places."""
    durations: tuple[float, float] = (0.0, 0.0)
    """The least and the largest duration of those that were simulated."""
    confirmed_at: float = 0.0
    """The end of the repetition that confirmed the pattern: durations, changes and swings at first are of that one."""
    settles: float | None = None
    """Where it settles into a cycle: by what factor falls in each repetition what it differs by from that."""


@dataclass(frozen=True)
class Superimposed:
    """Parts that meet now and then while a pattern goes on."""

    parts: tuple[str, ...]
    period: float | None
    """None where it was seen too rarely to be called periodic."""
    duration: float
    first: float
    effect: str
    repetitions: float | None
    """Of the pattern, in one period."""
    times: tuple[float, ...]
    """At which it was simulated."""


@dataclass(frozen=True)
class Ending:
    """How it ends: ``"rest"``, ``"horizon"``, ``"goes on"``, or ``"unknown"`` from a time on."""

    kind: str
    t: float
    why: str
    parts: tuple[str, ...]
    last_moves: Mapping[str, float] = field(default_factory=dict)
    """When each part last is away from where it comes to rest, by a thousandth of its range or of a turn."""
    places: Mapping[str, float] = field(default_factory=dict)
    """Where the variables come to rest."""
    time_error: float = 0.0
    """By how much the time may be off."""
    remaining: Mapping[str, float] = field(default_factory=dict)
    """By how much variables still move behind it, of those that come to rest ever more slowly, or still tremble."""


@dataclass(frozen=True)
class RejectedPattern:
    """A hypothesis that did not hold, and why."""

    minima: int
    t: float
    why: str


@dataclass(frozen=True, eq=False)
class Forecast(Viewable):
    """What a machine will do until the horizon, and what of that was tested.

    >>> import linkwork as lw
    >>> clock = lw.predict(lw.load("time-bomb"))
    >>> clock.patterns[0].minima, round(clock.patterns[0].duration, 2), round(clock.patterns[0].valid_until, 1)
    (2, 7.39, 319.6)
    """

    machine: Machine
    contact: str
    horizon: float
    patterns: tuple[ForeseenPattern, ...]
    superimposed: tuple[Superimposed, ...]
    endings: tuple[Ending, ...]
    """One for each group of parts that act on each other."""
    rejected: tuple[RejectedPattern, ...]
    simulated_time: float
    summary: str
    foreseen: tuple[Foreseen, ...] = field(repr=False, default=())

    @property
    def deviation(self) -> float:
        """The largest difference that any restart of the simulation found."""
        return max((each.deviation for each in self.patterns), default=0.0)

    @property
    def known_until(self) -> float:
        """Until when everything is foreseen."""
        return min(
            (math.inf if each.kind == "rest" else each.t for each in self.endings), default=self.horizon
        )

    @property
    def is_partial(self) -> bool:
        """Whether it was interrupted before it was finished."""
        return any(is_interrupted(each) for each in self.foreseen)

    @property
    def reached(self) -> float:
        """The horizon that was asked for; without one, when the last thing happens that is foreseen."""
        return self.horizon if math.isfinite(self.horizon) else max(each.t for each in self.endings)

    def at(self, time: float) -> Recalled:
        """All quantities at a time, by a restart near it and a short simulation, with an estimate of the error."""
        self._check_foreseen(time)
        return recall(self.foreseen, float(time))

    def replay(self, begin: float, end: float, rows: int = 300) -> Solution:
        """The motion between two times, as ``simulate`` would tell it, by a restart near the first."""
        self._check_foreseen(begin)
        return replay(self.foreseen, float(begin), float(end), rows)

    def _check_foreseen(self, time: float) -> None:
        first = min(each.course.time for each in self.foreseen)
        last = min(self.known_until, self.horizon)
        if not (isinstance(time, int | float) and first <= time <= last and math.isfinite(time)):
            raise UsageError(
                "this time is not foreseen",
                got=f"t = {time}",
                wanted=f"{first:g} to {last:.9g}" if math.isfinite(last) else f"{first:g} or later",
                fix=f"at({last if math.isfinite(last) else first:.6g})",
            )

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "machine": self.machine.name,
            "contact": self.contact,
            "patterns": [asdict(each) for each in self.patterns],
            "superimposed": [asdict(each) for each in self.superimposed],
            "endings": [asdict(each) for each in self.endings],
            "rejected": [asdict(each) for each in self.rejected],
            "deviation": self.deviation,
            "summary": self.summary,
            "simulated_time": self.simulated_time,
            "horizon": self.reached,
            "partial": self.is_partial,
        }

    def to_frame(self) -> dict[str, list[Any]]:
        """The patterns as columns."""
        names = (
            "minima",
            "duration",
            "last_duration",
            "valid_from",
            "valid_until",
            "repetitions",
            "ends_because",
        )
        columns = {name: [getattr(each, name) for each in self.patterns] for name in names}
        variables = dict.fromkeys(name for each in self.patterns for name in each.change)
        return columns | {
            f"change of {name}": [each.change.get(name, 0.0) for each in self.patterns] for name in variables
        }

    def __repr__(self) -> str:
        return f"Forecast {self.machine.name}: {self.summary}"
