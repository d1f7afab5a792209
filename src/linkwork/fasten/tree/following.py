"""The motion of a pawl that carries pawls, followed in numbers from contact to contact.

The tree is in equilibrium with its springs and contacts, and goes along the curve of equilibria of the contacts
that hold it (``equilibrium``) until something happens: a contact closes, loses its force, comes to the end of its
edge, begins to slide or to stick, or the curve turns back in time. What follows is tried an instant later: the
equilibria of all contacts that touch there are solved for, and those count whose forces push and that are inside of
nothing. Where there is none near, the tree turns by itself (``relax``), if it is not held by friction (it sticks) or
has no room left at all (it jams).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from linkwork.fasten.lost import MotionLost
from linkwork.fasten.tree.bodies import Bodies, Floats, Touch
from linkwork.fasten.tree.curve import Ahead
from linkwork.fasten.tree.equilibrium import Equilibria, Hold, Mode
from linkwork.fasten.tree.relax import relaxed, turning
from linkwork.fasten.tree.sequel import NEAR, Sequel
from linkwork.fasten.tree.touching import first_touch, is_inside, touching

INSTANT = 1e-9
"""After an event, when what follows is tried; in units of the time in which the root goes the design's size."""
PUSHED = (1e3, 1e5)
"""So many instants later it is tried whether friction holds a tree that no equilibrium goes on from: by then its
forces differ from the limit, and its corners from those they left, by more than rounding."""
SNAP = 2e-5
"""Radians beyond which turning at one time is a snap."""
FIRST, LONGEST, SHORTEST = 1e-3, 0.05, 1e-12
"""Lengths of steps along a curve of equilibria; a tree at rest goes straight, and as far as it is pushed at once."""
LONGER = 2.5
"""By which a step is longer than the last one, which was short enough."""
BEND = 0.97
"""The cosine of the angle by which a curve may turn in one step."""
MOST_EVENTS = 2000
CROWDED = 14
"""Events in one instant beyond which a motion is given up."""
CHATTER, SMALL = 40, 1e-3
"""Small snaps in a row (radians), each of them soon after the last, beyond which a contact chatters: no equilibrium
goes on with its friction, and it creeps from one hold to the next."""


@dataclass(frozen=True)
class Happening:
    """What happens to one body of a tree at one time."""

    body: int
    kind: str
    t: float
    theta_from: float
    theta_to: float
    before: Touch | None
    after: Touch | None


@dataclass(frozen=True)
class Stretch:
    """The tree in one mode: its equilibria at places of the way, in order of time."""

    system: Equilibria
    points: tuple[Floats, ...]
    since: float
    """The time of the event that it follows, an instant before the first of its equilibria."""


@dataclass(frozen=True)
class Followed:
    """The motion of a tree: ``cause`` is end, jam or stick, ``body`` the one to blame."""

    bodies: Bodies
    happenings: tuple[Happening, ...]
    stretches: tuple[Stretch, ...]
    cause: str
    body: int
    t: float
    theta: Floats
    mode: Mode


class Follower:
    """One tree on its way until the time ``stop``; everything in scaled numbers."""

    def __init__(self, bodies: Bodies, mu: float, stop: float) -> None:
        self.bodies, self.mu, self.stop = bodies, mu, stop
        self.sequel = Sequel(bodies, mu)
        self.happenings: list[Happening] = []
        self.stretches: list[Stretch] = []
        self.ways: dict[Touch, int] = {}
        """Which way the contacts slide."""
        self.falls = 0
        """Snaps at one time."""
        self.chatters, self.last_push = 0, -1.0
        """Small snaps in a row that had to be pushed, and when the last was."""
        self.since = 0.0
        """The time of the last event."""
        self.instant = INSTANT
        """Grows where events follow one another at once, until what separates them is above rounding."""

    def run(self, theta: Floats) -> Followed:
        """Follow the tree from where it is put; what touches there at once is no event unless it is at rest."""
        t = 0.0
        mode: Mode = ()
        is_relaxed = bool(np.abs(theta - self.bodies.rest).max() < 1e-9)
        state = self._settle(t, theta, mode, is_start=not is_relaxed)
        crowd, last = 0, -1.0
        for _ in range(MOST_EVENTS):
            if isinstance(state, Followed):
                return state
            y, mode = state
            self.since = t
            y = self._go_on(y, mode)
            t, theta = float(y[0]), y[1 : 1 + self.bodies.count]
            if t >= self.stop - 1e-12:
                return self._ended("end", 0, self.stop, theta, mode)
            crowd = crowd + 1 if t - last < 10 * self.instant else 0
            last, self.instant = t, INSTANT * 2.0**crowd
            if crowd > CROWDED:
                break
            state = self._settle(t, theta, mode)
        raise self._lost("too much happens to a tree of pawls in one instant", last)

    def _lost(self, problem: str, t: float) -> MotionLost:
        return MotionLost(
            problem,
            got=f"pawl {self.bodies.pawls[0].name} at t = {t * self.bodies.pace:.9g}",
            wanted="events and equilibria that can be told apart in floating point",
            fix="move corners that coincide apart by a little, or draw pawls whose hinge hardly turns as one",
        )

    # What follows an event -------------------------------------------------------------------------

    def _settle(
        self, t: float, theta: Floats, held: Mode, is_start: bool = False
    ) -> tuple[Floats, Mode] | Followed:
        """The equilibrium with which the motion goes on, or its end."""
        touches = touching(self.bodies, t, theta, 1e-8 if is_start else 1e-9)
        if is_start and (found := self.sequel.going_on(t, theta, touches, held, self.instant)):
            return self._entered(found)
        snapped = self._turned(t, theta)
        if snapped is not None:
            return self._landed(t, theta, snapped, held, 0.0)
        if found := self.sequel.going_on(t, theta, touches, held, self.instant):
            rested = Equilibria(self.bodies, found[1], self.mu).rested(theta)
            self._tell(t, rested, rested, held, found[1])
            return self._entered(found)
        return self._pushed(t, theta, touches, held)

    def _entered(self, found: tuple[Floats, Mode]) -> tuple[Floats, Mode]:
        self.falls = 0
        known = {hold.touch for hold in found[1]}
        self.ways = {touch: way for touch, way in self.ways.items() if touch in known}
        return found

    def _turned(self, t: float, theta: Floats) -> Floats | None:
        """Where the tree turns at one time, if it does."""
        if turning(self.bodies, self.mu, t, theta) is None:
            return None
        found = relaxed(self.bodies, self.mu, t, theta)
        return found if np.abs(found - theta).max() > SNAP else None

    def _landed(
        self, t: float, theta: Floats, found: Floats, held: Mode, later: float
    ) -> tuple[Floats, Mode] | Followed:
        """Go on from where a snap ended, tried so much later."""
        self.falls += 1
        if self.falls > CROWDED:
            raise self._lost("a tree of pawls snaps again and again", t)
        touches = touching(self.bodies, t + later, found)
        after = self.sequel.going_on(t + later, found, touches, held, self.instant)
        if after is not None:
            y = Equilibria(self.bodies, after[1], self.mu).at_time(after[0], t + self.instant)
            if y is not None and np.abs(y - after[0]).max() < NEAR:
                after, found = (y, after[1]), y[1 : 1 + self.bodies.count]
            self._tell(t, theta, found, held, after[1])
            return self._entered(after)
        pressing = tuple(Hold(touch) for touch in self.sequel.pressing(t + later, found, touches))
        self._tell(t, theta, found, held, pressing)
        return self._pushed(t + later, found, touches, pressing)

    def _pushed(
        self, t: float, theta: Floats, touches: Sequence[Touch], held: Mode
    ) -> tuple[Floats, Mode] | Followed:
        """No equilibrium goes on from here: the tree is freed, or stuck, or has no room."""
        pressing: list[Touch] = []
        for wait in (each * self.instant for each in PUSHED):
            room = self.sequel.room(t + wait, theta, touches)
            if room is None and not pressing:
                return self._jammed(t, theta, touches, held)
            if room is not None:
                found = relaxed(self.bodies, self.mu, t + wait, room[0])
                if (turned := float(np.abs(found - room[0]).max())) > SNAP:
                    self._count_chatter(t, turned)
                    return self._landed(t, theta, found, held, wait)
                pressing = pressing or room[1]
        blamed = tuple(hold for hold in held if hold.touch in pressing) or tuple(map(Hold, pressing)) or held
        if not self.mu or not blamed:
            raise self._lost("the motion of a tree of pawls cannot be followed", t)
        self._tell(t, theta, theta, held, blamed)
        touch = blamed[0].touch
        self._note(touch.body, "stick", t, theta, theta, touch, touch)
        return self._ended("stick", touch.body, t, theta, blamed)

    def _count_chatter(self, t: float, turned: float) -> None:
        """Give up where a tree creeps on by small snaps, one after the other."""
        is_next = turned < SMALL and t - self.last_push < SMALL
        self.chatters, self.last_push = self.chatters + 1 if is_next else 0, t
        if self.chatters > CHATTER:
            raise self._lost(
                "a contact of a tree of pawls chatters: its friction neither holds nor lets it slide", t
            )

    def _jammed(self, t: float, theta: Floats, touches: Sequence[Touch], held: Mode) -> Followed:
        first = held[0].touch if held else None
        to = self.sequel.opposing(t, theta, touches, first) or first or touches[0]
        body = first.body if first is not None else to.body
        self._note(body, "jam", t, theta, theta, first, to)
        return self._ended("jam", body, t, theta, held)

    # On the way ------------------------------------------------------------------------------------

    def _go_on(self, y: Floats, mode: Mode) -> Floats:
        """Follow the equilibria of a mode up to the next event."""
        system = Equilibria(self.bodies, mode, self.mu)
        tangent = system.tangent(y)
        points, step = [y], FIRST if mode else self.stop - float(y[0]) + FIRST
        while tangent is not None:
            ahead = Ahead(system, y, tangent)
            found = self._step(ahead, step)
            if found is None:
                step /= 2
                if step < SHORTEST:
                    break
                continue
            y, is_event = found
            tangent = system.tangent(y, tangent)
            points.append(y)
            step = min(step * LONGER, LONGEST) if mode else step
            if is_event:
                break
        self.stretches.append(Stretch(system, tuple(points), self.since))
        return y

    def _step(self, ahead: Ahead, length: float) -> tuple[Floats, bool] | None:
        """A step along the curve, to the first event on it at most; none where it is too long."""
        y = ahead.at(length)
        if y is None:
            return None
        tangent = ahead.tangent(length)
        if tangent is None or (float(tangent @ ahead.direction) < BEND and length > 1e-8):
            return None
        first = self._first_event(ahead, length)
        met = first_touch(
            self.bodies, ahead.configuration, length, {hold.touch for hold in ahead.system.mode}
        )
        if met is not None and (first is None or met[0] <= first[0]):
            return ahead.sure(met[0]), True
        if first is not None:
            place, turns = first
            y = ahead.sure(place)
            if turns is not None and not self.mu:
                self._reverse(y, ahead.system.mode[turns])
                return y, False
            return y, True
        theta = y[1 : 1 + self.bodies.count]
        if is_inside(self.bodies, float(y[0]), theta, 1e-10):
            return None if length > 1e-7 else (y, True)
        self._watch(ahead, length)
        return y, False

    def _watch(self, ahead: Ahead, length: float) -> None:
        """Remember which way the contacts slide."""
        for hold, speed in zip(ahead.system.mode, ahead.sliding(length), strict=True):
            if abs(speed) > 1e-9:
                self.ways.setdefault(hold.touch, 1 if speed > 0 else -1)

    def _reverse(self, y: Floats, hold: Hold) -> None:
        self.ways[hold.touch] = -self.ways[hold.touch]
        theta = y[1 : 1 + self.bodies.count]
        self._note(hold.touch.body, "reverse", float(y[0]), theta, theta, hold.touch, hold.touch)

    def _first_event(self, ahead: Ahead, length: float) -> tuple[float, int | None] | None:
        """The first place at which a condition of the mode fails, and which contact's sliding turns round there."""
        at_end = self._conditions(ahead, length)
        at_start = self._conditions(ahead, 0.0)
        best: tuple[float, int | None] | None = None
        for key, value in at_end.items():
            if value >= -1e-14 or at_start[key] < -1e-9:
                continue
            if at_start[key] <= 0:
                place = 0.0
            else:
                place = float(
                    brentq(lambda s, key=key: self._conditions(ahead, s)[key], 0.0, length, xtol=1e-15)
                )
            if best is None or place < best[0]:
                best = place, key[1] if key[0] == "turn" else None
        return best

    def _conditions(self, ahead: Ahead, place: float) -> dict[tuple[str, int], float]:
        """Numbers that are positive as long as nothing happens to the mode."""
        y = ahead.sure(place)
        system, bodies = ahead.system, self.bodies
        tangent = ahead.tangent(place)
        found = {("stop", 0): self.stop - float(y[0]), ("bound", 0): float(y[-1])}
        found["fold", 0] = 0.0 if tangent is None else float(tangent[0])
        pose = bodies.pose(float(y[0]), y[1 : 1 + bodies.count].tolist())
        speeds, at = ahead.sliding(place), 1 + bodies.count
        for k, hold in enumerate(system.mode):
            along = bodies.place(hold.touch, pose)[1]
            found["start", k], found["end", k] = along, bodies.length(hold.touch) - along
            found["force", k] = float(y[at])
            if not hold.slide:
                found["up", k] = self.mu * float(y[at]) - float(y[at + 1])
                found["down", k] = self.mu * float(y[at]) + float(y[at + 1])
            elif self.mu:
                found["turn", k] = hold.slide * speeds[k]
            elif hold.touch in self.ways:
                found["turn", k] = self.ways[hold.touch] * speeds[k]
            at += hold.rows
        return found

    # Notes -----------------------------------------------------------------------------------------

    def _tell(self, t: float, theta: Floats, later: Floats, before: Mode, after: Mode) -> None:
        """Note what happens to every body between two modes."""
        snaps = bool(np.abs(later - theta).max() > SNAP)
        for body in range(self.bodies.count):
            lost = {hold.touch: hold for hold in before if hold.touch.body == body}
            gained = {hold.touch: hold for hold in after if hold.touch.body == body}
            if snaps:
                if abs(later[body] - theta[body]) > SNAP or lost.keys() != gained.keys():
                    self._note(
                        body, "snap", t, theta, later, next(iter(lost), None), next(iter(gained), None)
                    )
                continue
            for kind, left, met in _changes(lost, gained):
                self._note(body, kind, t, theta, later, left, met)

    def _note(
        self,
        body: int,
        kind: str,
        t: float,
        theta: Floats,
        later: Floats,
        before: Touch | None,
        after: Touch | None,
    ) -> None:
        self.happenings.append(
            Happening(body, kind, t, float(theta[body]), float(later[body]), before, after)
        )

    def _ended(self, cause: str, body: int, t: float, theta: Floats, mode: Mode) -> Followed:
        return Followed(
            self.bodies, tuple(self.happenings), tuple(self.stretches), cause, body, t, theta, mode
        )


def _changes(
    lost: dict[Touch, Hold], gained: dict[Touch, Hold]
) -> Iterator[tuple[str, Touch | None, Touch | None]]:
    """What happens to one body's contacts, one after the other."""
    gone = [touch for touch in lost if touch not in gained]
    new = [touch for touch in gained if touch not in lost]
    for left, met in zip(gone, new, strict=False):
        yield "change", left, met
    for left in gone[len(new) :]:
        yield "release", left, None
    for met in new[len(gone) :]:
        yield "collide", None, met
    for touch, hold in gained.items():
        before = lost[touch].slide if touch in lost else None
        if not hold.slide and before != 0:
            yield "stick", touch, touch
        elif before == 0 and hold.slide:
            yield "slip", touch, touch
        elif before is not None and before * hold.slide < 0:
            yield "reverse", touch, touch
