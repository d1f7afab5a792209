"""Many starts of one pawl on one slice: what follows a place of the slice is found once, and then looked up.

A motion is a chain of arcs: rest, or sliding along one constraint one way, up to the next event. All that comes onto an
arc does the same from there on, wherever it came from. So arcs are kept as they are first followed, exactly, each with
its end, the events there and what it goes on with; a start only adds the way to the first arc it meets. This takes the
place of the paper's plane sweep (section 9): a sweep visits all curves of the slice before the first answer, here only
those are touched that some start reaches, and answers are those of the follower to the last digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from linkwork.fasten.algebraic import Root, as_fmpq
from linkwork.fasten.angle import rest_of_radians
from linkwork.fasten.course import Course, Event, Stretch
from linkwork.fasten.cut import lengthened
from linkwork.fasten.design import Design, Pawl
from linkwork.fasten.fan import LEVEL
from linkwork.fasten.motion import Follower, Sliding, rest_chart
from linkwork.fasten.point import Point, compare_times
from linkwork.fasten.rational import rational
from linkwork.fasten.slices import Feature

State: TypeAlias = tuple[Point, Sliding | None] | Course
Key: TypeAlias = tuple[Feature | None, int, int]


@dataclass
class Arc:
    """Rest or sliding from one event to the next; ``onwards`` is the arc after it, once it has been looked up."""

    start: Point
    stretch: Stretch
    events: tuple[Event, ...]
    state: State
    onwards: Arc | None = None


class Futures(Follower):
    """The motions of a pawl from any time and angle of its slice.

    >>> from linkwork.fasten import load_design
    >>> design = load_design("motion-diode")
    >>> starts = Futures(design, design.pawls[0])
    >>> [event.kind for event in starts.course("0").events]
    ['collide', 'reverse', 'snap', 'change', 'reverse', 'change', 'snap']
    >>> known = starts.count
    >>> [event.kind for event in starts.course("2", "1/2").events][:2]  # turned away from A, let go at t = 2
    ['snap', 'snap']
    >>> known, starts.count
    (8, 8)
    """

    def __init__(self, design: Design, pawl: Pawl, stop: fmpq | None = None) -> None:
        super().__init__(lengthened(design), pawl, as_fmpq(design.duration) if stop is None else stop)
        self.arcs: dict[Key, list[Arc]] = {}

    @property
    def count(self) -> int:
        """How many arcs are known."""
        return sum(map(len, self.arcs.values()))

    def course(self, t: str, theta: str | None = None) -> Course:
        """The motion of a pawl that is let go at a time, at rest or at an angle in radians; it must be free there."""
        at = Root.of(as_fmpq(rational(t)))
        if theta is None:
            return self.run(Point(self.rest_in, Root.of(self.rest_u), t=at))
        chart, u = rest_chart(rest_of_radians(rational(theta)))
        return self.run(Point(chart, Root.of(u), t=at))

    def run(self, start: Point | None = None, in_contact: bool = False) -> Course:
        """Follow the pawl, on arcs that are known where it comes onto one."""
        self.events, self.stretches = [], []
        point = start or Point(self.rest_in, Root.of(self.rest_u), t=Root.of(fmpq(0)))
        state: State = self._begin(point, in_contact)
        before: Arc | None = None
        events, stretches = list(self.events), []
        while isinstance(state, tuple):
            arc = (before.onwards if before else None) or self._arc(*state)
            if before is not None:
                before.onwards = arc
            begun = arc.stretch if state[0] is arc.start else _from(arc.stretch, state[0])
            stretches.append(begun)
            events += arc.events
            state, before = arc.state, arc
        return Course(tuple(events), tuple(stretches), state.cause, state.end, state.contact)

    def _arc(self, point: Point, move: Sliding | None) -> Arc:
        """The arc that a state is on, followed to its end where it is not known."""
        key = (None, LEVEL, 0) if move is None else (move.feature, move.way, point.chart)
        known = self.arcs.setdefault(key, [])
        for arc in known:
            if arc.start is point or _is_on(arc, point):
                return arc
        self.events, self.stretches = [], []
        state: State = self._rest_on(point) if move is None else self._slide_on(point, move)
        found = Arc(point, self.stretches[-1], tuple(self.events), state)
        known.append(found)
        return found


def _from(stretch: Stretch, point: Point) -> Stretch:
    """The rest of a stretch, from a point on it."""
    return Stretch(stretch.feature, stretch.way, point, stretch.end)


def _is_on(arc: Arc, point: Point) -> bool:
    """Whether a point lies on an arc, before its end."""
    way = arc.stretch.way
    if way == LEVEL:
        return (
            (arc.stretch.feature is None or point.u.compare(arc.start.u) == 0)
            and compare_times(arc.start, point) <= 0
            and compare_times(point, arc.stretch.end) < 0
        )
    end = arc.stretch.end
    begun = point.u.compare(arc.start.u) in (0, way)
    if end.chart != arc.start.chart:
        return begun
    return begun and point.u.compare(end.u) == -way
