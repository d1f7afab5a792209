"""The motion of one pawl, followed exactly from contact to contact.

The spring pulls the pawl towards its rest angle, constraints hold it off: in the slice (t, θ) the pawl is at
the point of its free interval that is nearest to the rest angle. So it rests, slides along a constraint, or,
where nothing holds it any longer, snaps: it turns at one time until something stops it. Where no angle
remains free it jams. What follows a contact is read off the fan of wedges there (``fan``), which replaces
the case distinctions of the paper's sections 8.3 and 9.2; equation (32) is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpz_poly

from linkwork.fasten.ahead import BORDER, CurveAhead, LevelAhead, sites_at, turning
from linkwork.fasten.algebraic import Root, as_fmpq
from linkwork.fasten.course import Course, Event, Stretch
from linkwork.fasten.design import Design, Pawl, Rest
from linkwork.fasten.fan import (
    LEVEL,
    UP,
    Fan,
    Site,
    Wall,
    applicability,
    corners_at,
    fan,
    features_of,
    holds_on,
    is_free,
    window,
)
from linkwork.fasten.friction import Grip, InTime, grip
from linkwork.fasten.near import Near
from linkwork.fasten.point import Point, along, at_time, sign_at, time_against
from linkwork.fasten.slices import Feature, Form, Slice


@dataclass(frozen=True)
class Sliding:
    """On a constraint, upwards, level or downwards."""

    feature: Feature
    way: int


OPEN, RESTING, JAMMED = "open", "resting", "jammed"


def rest_chart(rest: Rest) -> tuple[int, fmpq]:
    """The chart of the rest angle and u there, with |u| ≤ 1."""
    half = as_fmpq(rest.half_tan)
    if abs(half) <= 1:
        return 2 * rest.turns, half
    return 2 * rest.turns + (1 if half > 0 else -1), -1 / half


class Follower:
    """One pawl on its way; ``run`` follows it until it stops or the time ``stop`` comes."""

    def __init__(self, design: Design, pawl: Pawl, stop: fmpq) -> None:
        self.piece = Slice(design, pawl)
        self.near = Near(self.piece, float(design.duration))
        self.mu = as_fmpq(design.mu)
        self.stop = stop
        self.rest_in, self.rest_u = rest_chart(pawl.rest)
        self.events: list[Event] = []
        self.stretches: list[Stretch] = []

    def rest(self, chart: int) -> fmpq | None:
        """u of the rest angle in a chart, where it is seen there."""
        if chart == self.rest_in:
            return self.rest_u
        beside = chart - self.rest_in
        if abs(beside) == 1 and beside * self.rest_u * BORDER >= 1:  # within the chart's border
            return -1 / self.rest_u
        return None

    def side(self, point: Point) -> int:
        """1 where the pawl is turned beyond its rest angle, -1 where short of it, 0 at rest."""
        goal = self.rest(point.chart)
        if goal is None:
            return 1 if point.chart > self.rest_in else -1
        return point.u.compare(Root.of(goal))

    def run(self, start: Point | None = None, in_contact: bool = False) -> Course:
        """Follow the pawl; ``in_contact`` starts it where it is, without an event."""
        point = start or Point(self.rest_in, Root.of(self.rest_u), t=Root.of(fmpq(0)))
        state = self._begin(point, in_contact)
        while isinstance(state, tuple):
            point, move = state
            state = self._rest_on(point) if move is None else self._slide_on(point, move)
        return state

    # What holds at a point -----------------------------------------------------------------------

    def _begin(self, point: Point, in_contact: bool) -> tuple[Point, Sliding | None] | Course:
        sites = sites_at(point, self.near, self.piece)
        if self.side(point) == 0:
            return self._settle(point, self._decide(point, sites, None), None)
        if in_contact:
            decision = self._decide(point, sites, None)
            if isinstance(decision, Sliding):
                return self._grip(point, decision)
        return self._snap(point, None)

    def _decide(
        self, point: Point, sites: Sequence[Site], held: Feature | None, is_turning: bool = False
    ) -> Sliding | str:
        """What the pawl does just after a point of contact."""
        if not sites:
            return RESTING if self.side(point) == 0 else OPEN
        wedges = fan(point, sites, self.piece)
        side = self.side(point)
        wall = _wall_at_rest(wedges) if side == 0 else _wall_towards_rest(wedges, side, is_turning)
        if side == 0 and wall != RESTING and self._is_level_free(point, sites):
            return RESTING
        if isinstance(wall, str):
            return wall
        return Sliding(self._holder(wall, held, point), wall.way)

    def _is_level_free(self, point: Point, sites: Sequence[Site]) -> bool:
        """Whether the rest angle itself stays free, as in a gap without clearance."""
        u = point.u.exact
        assert u is not None
        corners = [pair for site in sites for pair in corners_at(site, point, u, self.piece)]
        later = point.time_bounds()[1] + 1
        return is_free(later, u, point.chart, corners, self.piece)

    def _holder(self, wall: Wall, held: Feature | None, point: Point) -> Feature:
        holding = [feature for feature in wall.features if holds_on(wall, feature, point, self.piece)]
        if held in holding and held is not None:
            return held
        return (holding or list(wall.features))[0]

    def _settle(
        self, point: Point, decision: Sliding | str, held: Feature | None
    ) -> tuple[Point, Sliding | None] | Course:
        """Go on from a point of contact, as decided."""
        if decision == JAMMED:
            self._note("jam", point, held, self._opposing(point, held) or held or self._met(point))
            return self._end("jam", point, held)
        if decision == OPEN:
            return self._snap(point, held)
        if decision == RESTING:
            if held is not None:
                self._note("release", point, held, None)
            return point, None
        assert isinstance(decision, Sliding)
        if held is None:
            self._note("collide", point, None, decision.feature)
        elif held != decision.feature:
            self._note("change", point, held, decision.feature)
        return self._grip(point, decision)

    def _opposing(self, point: Point, held: Feature | None) -> Feature | None:
        """The constraint in touch that pushes the pawl back towards rest."""
        side = self.side(point)
        for site in sites_at(point, self.near, self.piece):
            for feature in features_of(site, self.piece):
                if feature == held or self._pushes(point, feature) != -(side or 1):
                    continue
                if self._can_touch(point, feature):
                    return feature
        return None

    def _met(self, point: Point) -> Feature | None:
        """What a pawl at rest runs into that has no room to turn: a contact that would turn it, or any."""
        sites = sites_at(point, self.near, self.piece)
        found = [feature for site in sites for feature in features_of(site, self.piece)]
        touching = [feature for feature in sorted(found) if self._can_touch(point, feature)]
        turns = [feature for feature in touching if self._pushes(point, feature)]
        return next(iter((*turns, *touching)), None)

    def _can_touch(self, point: Point, feature: Feature) -> bool:
        """Whether the vertex bulges and neither of its edges points into the edge's body."""
        outline, at = (
            (self.piece.obstacles, feature.obstacle)
            if feature.kind == "A"
            else (self.piece.pawl, feature.pawl)
        )
        forms = applicability(feature, self.piece)
        return outline.bulges[at] and all(
            point.u.sign_of(form.charts[point.chart % 2].constant) >= 0 for form in forms
        )

    def _pushes(self, point: Point, feature: Feature) -> int:
        """The sign of ∂f/∂θ: which way the constraint pushes the pawl."""
        gap = self.piece.constraint(feature).gap
        turned = Form((gap.start[1], -gap.start[0], fmpq(0)), (gap.rate[1], -gap.rate[0], fmpq(0))).charts[
            point.chart % 2
        ]
        return point.sign(*turned)

    def _snap(self, point: Point, held: Feature | None) -> tuple[Point, Sliding | None] | Course:
        """Turn towards rest until something stops the pawl."""
        way = -self.side(point)
        for met in turning(point, way, self.rest, self.near, self.piece):
            sites = sites_at(met, self.near, self.piece)
            decision = self._decide(met, sites, None, is_turning=True)
            if decision == OPEN:
                continue
            onto = decision.feature if isinstance(decision, Sliding) else None
            self._note("snap", point, held, onto, met)
            if decision == JAMMED:
                return self._settle(met, decision, None)
            return self._grip(met, decision) if isinstance(decision, Sliding) else (met, None)
        raise AssertionError("turning ends at rest")

    def _grip(self, point: Point, move: Sliding) -> tuple[Point, Sliding | None] | Course:
        """Sticks at once, or slides."""
        if self.mu > 0 and self._sticks_after(point, move):
            self._note("stick", point, move.feature, move.feature)
            return self._end("stick", point, move.feature)
        return point, move

    # On the way ----------------------------------------------------------------------------------

    def _rest_on(self, point: Point) -> tuple[Point, Sliding | None] | Course:
        ahead = LevelAhead(None, point, self.piece, self.near)
        last = ahead.at(at_time(self.stop))
        met = ahead.first_hit(last) if ahead.is_ahead(last) else None
        self.stretches.append(Stretch(None, LEVEL, point, met or last))
        if met is None:
            return self._end("end", last, None)
        sites = sites_at(met, self.near, self.piece)
        return self._settle(met, self._decide(met, sites, None), None)

    def _slide_on(self, point: Point, move: Sliding) -> tuple[Point, Sliding | None] | Course:
        """To the next point of interest on a constraint."""
        hold = grip(move.feature, self.piece, self.mu, point.chart % 2)
        if move.way == LEVEL:
            met, is_contact = self._along_level(point, move, hold)
        else:
            met, is_contact = self._along_curve(point, move, hold)
        self.stretches.append(Stretch(move.feature, move.way, point, met))
        if self._is_over(met):
            return self._end("end", met, move.feature)
        if is_contact:
            sites = sites_at(met, self.near, self.piece)
            decision = self._decide(met, sites, move.feature)
            if decision != move:
                return self._settle(met, decision, move.feature)
        beyond = self._in_next_chart(met)
        after = self._grip(beyond, move)
        if not isinstance(after, Course) and self._turns_round(met, move, hold.sliding):
            self._note("reverse", met, move.feature, move.feature)  # what sticks there does not slide back
        return after

    def _is_over(self, point: Point) -> bool:
        return time_against(point, self.stop) >= 0

    def _in_next_chart(self, point: Point) -> Point:
        if point.u.exact is not None and abs(point.u.exact) == BORDER:
            return point.in_chart(point.chart + (1 if point.u.exact > 0 else -1))
        return point

    def _along_level(self, point: Point, move: Sliding, hold: Grip) -> tuple[Point, bool]:
        ahead = LevelAhead(move.feature, point, self.piece, self.near)
        first = ahead.at(at_time(self.stop))
        conditions = [hold.sliding, *((hold.cone,) if self.mu > 0 else ())]
        for condition in conditions:
            found = ahead.first_time(condition)
            if found is not None and ahead.compare(found, first) < 0:
                first = found
        met = ahead.first_hit(first)
        return (met, True) if met is not None else (first, False)

    def _along_curve(self, point: Point, move: Sliding, hold: Grip) -> tuple[Point, bool]:
        ahead = CurveAhead(move.feature, move.way, point, self.piece, self.near)
        goal = self.rest(point.chart)
        over = along(ahead.relation, at_time(self.stop))
        contacts = [ahead.tangent()] + ([fmpz_poly([-goal.p, goal.q])] if goal is not None else [])
        contacts += [ahead.levels] if ahead.levels.degree() > 0 else []
        others = [over, ahead.condition(hold.sliding)]
        if self.mu > 0:
            others.append(ahead.condition(hold.cone))
        first, is_contact = Root.of(move.way * BORDER), False
        for poly in (*contacts, *others):
            root = ahead.first_root(poly, first)
            if root is None:
                continue
            order = root.compare(first)
            if order == -move.way or (order == 0 and poly in contacts):
                first, is_contact = root, poly in contacts
        met = ahead.first_hit(first)
        if met is not None:
            return ahead.point(met), True
        return ahead.point(first), is_contact

    # Friction ------------------------------------------------------------------------------------

    def _sticks_after(self, point: Point, move: Sliding) -> bool:
        hold = grip(move.feature, self.piece, self.mu, point.chart % 2)
        return all(self._sign_after(point, move, condition) > 0 for condition in (hold.cone, hold.against))

    def _turns_round(self, point: Point, move: Sliding, sliding: InTime) -> bool:
        if point.sign(*sliding) != 0:
            return False
        after = self._sign_after(point, move, sliding)
        if move.way == LEVEL:
            return after != 0
        before = self._sign_after(point, Sliding(move.feature, -move.way), sliding)
        return before * after < 0

    def _sign_after(self, point: Point, move: Sliding, condition: InTime) -> int:
        """The sign of a condition just ahead of a point on a constraint."""
        if sign := point.sign(*condition):
            return sign
        if move.way == LEVEL:
            rates = condition
            while len(rates) > 1:
                rates = tuple(power * poly for power, poly in enumerate(rates))[1:]
                if sign := point.sign(*rates):
                    return sign
            return 0
        relation = CurveAhead(move.feature, move.way, point, self.piece, self.near).relation
        poly = along(relation, condition)
        low, high = window(point, [each for each in (poly, relation.slope) if each.degree() > 0])
        u = high if move.way == UP else low
        below = sign_at(relation.slope, u) if len(condition) % 2 == 0 else 1
        return sign_at(poly, u) * below

    # Notes ---------------------------------------------------------------------------------------

    def _note(
        self, kind: str, at: Point, before: Feature | None, after: Feature | None, to: Point | None = None
    ) -> None:
        self.events.append(Event(kind, at, to or at, before, after))

    def _end(self, cause: str, point: Point, contact: Feature | None) -> Course:
        return Course(tuple(self.events), tuple(self.stretches), cause, point, contact)


def _wall_at_rest(wedges: Fan) -> Wall | str:
    level = wedges.level
    if wedges.free[level] or wedges.free[level + 1]:
        return RESTING
    for k in range(level - 1, -1, -1):  # where both ways are open, chance decides: we say upwards
        if wedges.free[k]:
            return wedges.walls[k]
    for k in range(level + 2, len(wedges.free)):
        if wedges.free[k]:
            return wedges.walls[k - 1]
    return JAMMED


def _wall_towards_rest(wedges: Fan, side: int, is_turning: bool) -> Wall | str:
    """The wall that holds the pawl off its rest angle; it goes to the free wedge that is nearest to rest.

    A pawl that comes turning is in the wedge farthest from rest and goes on through free ones only.
    """
    free, walls = list(wedges.free), list(wedges.walls)
    if side < 0:
        free.reverse()
        walls.reverse()
    chosen = _last_of_first_run(free) if is_turning else max((k for k, f in enumerate(free) if f), default=-1)
    if chosen < 0:
        return JAMMED
    return OPEN if chosen == len(free) - 1 else walls[chosen]


def _last_of_first_run(free: Sequence[bool]) -> int:
    first = next((k for k, f in enumerate(free) if f), -1)
    last = first
    while first >= 0 and last + 1 < len(free) and free[last + 1]:
        last += 1
    return last
