"""What a snap-fit does, by brute force in floats: small steps of time, and smaller ones where something happens.

A spring turns the pawl towards rest until something blocks it. So at any time the pawl is at rest if rest
lies in the run of free angles it is in, and else at the end of that run that is nearest to rest. Steps
only have to follow this one run, through its growing, shrinking, splitting and joining. It shares no code
with what it checks: no constraint curves, no polynomials, only free angles and the laws of friction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from free_angles import Arc, Floats, Scene, free_arcs, overlapping

STEPS = 800
PARTS = 32
"""Into how many a step is divided in which something happens."""
INSTANT = 4e-13
"""A share of the duration, shorter than which a step is not divided any more."""
CALM = 1e-10
"""A share of the duration, after which touches that meet in one instant can be told from each other."""
JUMP = 2e-5
"""Radians in one instant that are a snap. On a curve that ends in a tangent the pawl turns by the root of it."""
LEAP = 0.1
"""Radians in one step that are looked at more closely."""
NO_LEVER = 1e-4
"""Lever arm, in radii, below which a contact is about to slip over a tangent, where force has no bound."""
HEAD_ON = 1e-3
"""Radians to each side of a pawl that is met at rest, in which it is looked whether there is room."""
PATIENCE = 1000
"""Divided steps, after which a motion is given up."""


class Unresolved(Exception):
    """More happens in a short time than can be told apart."""


class State(NamedTuple):
    """Where the pawl is, and what holds it there: -1 for the touch where nothing does."""

    t: float
    theta: float
    arc: Arc
    touch: int
    sticks: bool
    direction: int

    @property
    def opposite(self) -> int:
        """The touch at the other end of the free angles."""
        return self.arc.upper_touch if self.theta <= self.arc.lower else self.arc.lower_touch

    def goes_on(self, next_one: State) -> bool:
        """Whether nothing happens between this state and the next."""
        return self[3:] == next_one[3:] and abs(self.theta - next_one.theta) < LEAP


@dataclass
class Run:
    """The motion of one pawl: its states in order, and what happened."""

    scene: Scene
    rest: float
    stiffness: float
    mu: float
    until: float
    states: list[State] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    ending: str = "end"
    unbounded: list[State] = field(default_factory=list)
    """After which the force grew beyond all bounds."""
    patience: int = PATIENCE

    def start(self, theta: float) -> None:
        """Begin where the pawl is put; unless something holds it there it turns to rest at once."""
        state = self.nearest(0.0, theta, free_arcs(self.scene, np.zeros(1))[0], 1e-7)
        if state is None:
            raise ValueError("the pawl overlaps an obstacle at the start")
        if abs(state.theta - theta) > 1e-9:
            self.tell(0.0, "snap", theta, state.theta, -1, state.touch)
        self.enter(state)

    def follow(self, times: Floats) -> None:
        """On to the last of the times, or to where the pawl stops."""
        for t, arcs in zip(times.tolist(), free_arcs(self.scene, times), strict=True):
            before = self.states[-1]
            if t <= before.t:
                continue
            state = self.nearest(t, before.theta, arcs, LEAP, like=before)
            if state is not None and before.goes_on(state):
                self.states.append(state)
            elif t - before.t <= INSTANT * self.until:
                self.happen(before, t, arcs)
            else:
                self.patience -= 1
                if not self.patience:
                    raise Unresolved
                self.follow(np.linspace(before.t, t, PARTS + 1)[1:])
            if self.ending != "end":
                return

    def nearest(
        self, t: float, theta: float, arcs: list[Arc], reach: float, like: State | None = None
    ) -> State | None:
        """The state in the run of free angles nearest to an angle, or in one where the same touch holds the pawl."""
        best, least = None, reach
        for arc in _lifted(theta, arcs):
            away = max(arc.lower - theta, theta - arc.upper, 0.0)
            if away <= least:
                state = self.settled(t, arc)
                if like is not None and like.touch >= 0 and like.goes_on(state):
                    return state
                best, least = state, away
        return best

    def settled(self, t: float, arc: Arc) -> State:
        """Turned to rest as far as an arc allows."""
        theta, touch = self.rest, -1
        if self.rest < arc.lower:
            theta, touch = arc.lower, arc.lower_touch
        elif self.rest > arc.upper:
            theta, touch = arc.upper, arc.upper_touch
        if touch < 0:
            return State(t, theta, arc, touch, False, 0)
        r, n, sense = self.contact(t, theta, touch)
        speed = float(r @ self.scene.velocity)
        sticks = self.mu * abs(r @ n) > abs(_cross(r, n)) and sense * float(r @ n) * speed < 0
        return State(t, theta, arc, touch, bool(sticks), int(np.sign(speed)))

    def contact(self, t: float, theta: float, touch: int) -> tuple[Floats, Floats, float]:
        """From hinge to contact; the normal out of the edge; +1 where the edge is the obstacle's, else -1."""
        scene = self.scene
        kind, i, j, _ = scene.touch(touch)
        turn = np.array([[math.cos(theta), -math.sin(theta)], [math.sin(theta), math.cos(theta)]])
        if kind == "B":
            return turn @ scene.pawl[i], _normal(scene.corners[j], scene.corners[scene.following[j]]), 1.0
        r = scene.corners[j] - scene.hinge - t * scene.velocity
        return r, turn @ _normal(scene.pawl[i], scene.pawl[(i + 1) % len(scene.pawl)]), -1.0

    def happen(self, before: State, t: float, arcs: list[Arc]) -> None:
        """Name what lies between two states that are an instant apart."""
        before = self.taken_back(before)
        connected = [a for a in _lifted(before.theta, arcs) if _meet(a, before.arc)]
        state = self.nearest(t, before.theta, connected, math.sqrt(INSTANT) * 20)
        jumped = state is None or abs(state.theta - before.theta) > JUMP
        if jumped and before.touch >= 0 and self.mu == 0 and self.lever(before) < NO_LEVER:
            self.unbounded.append(before)
        if state is None:
            self.tell(t, "jam", before.theta, before.theta, before.touch, before.opposite)
            self.ending = "jam"
            return
        state = self.calmed(state)
        if before.goes_on(state):
            self.states.append(state)
            return
        self.name(before, state, t, jumped)
        self.enter(state)

    def taken_back(self, before: State) -> State:
        """A state without a change of touch told just before, which was one of several that meet in one instant."""
        if not self.events or self.events[-1]["kind"] != "change":
            return before
        told = float(self.events[-1]["t"])
        if before.t - told > 2 * CALM * self.until:
            return before
        self.events.pop()
        while self.states[-1].t >= told:
            self.states.pop()
        return self.states[-1]

    def calmed(self, state: State) -> State:
        """A state a little later, unless more has happened by then."""
        t = state.t + CALM * self.until
        later = self.nearest(t, state.theta, free_arcs(self.scene, np.array([t]))[0], JUMP)
        return state if later is None or abs(later.theta - state.theta) > JUMP else later

    def name(self, before: State, state: State, t: float, jumped: bool) -> None:
        """Tell the event between two states."""
        if jumped:
            self.tell(t, "snap", before.theta, state.theta, before.touch, state.touch)
        elif before.touch < 0 <= state.touch:
            self.tell(t, "collide", before.theta, state.theta, -1, state.touch)
        elif state.touch < 0 <= before.touch:
            self.tell(t, "release", before.theta, state.theta, before.touch, -1)
        elif not self.same_feature(before, state):
            self.tell(t, "change", before.theta, state.theta, before.touch, state.touch)
        elif state.sticks:
            self.unbounded.append(before)
        elif before.direction * state.direction < 0:
            self.tell(t, "reverse", before.theta, state.theta, before.touch, state.touch)

    def enter(self, state: State) -> None:
        """Go on from a state, unless it sticks."""
        self.states.append(state)
        if state.sticks:
            self.tell(state.t, "stick", state.theta, state.theta, state.touch, state.touch)
            self.ending = "stick"

    def same_feature(self, before: State, after: State) -> bool:
        """Whether two states touch in the same place of the same polygons."""
        return self.scene.touch(before.touch)[:3] == self.scene.touch(after.touch)[:3]

    def lever(self, state: State) -> float:
        """How far the line of a contact's force passes from the hinge, in radii of the contact."""
        r, n, _ = self.contact(state.t, state.theta, state.touch)
        return float(abs(_cross(r, n)) / np.linalg.norm(r))

    def tell(self, t: float, kind: str, start: float, end: float, left: int, met: int) -> None:
        """Add an event."""
        names = {"theta_from": start, "theta_to": end, "from": self.named(left), "to": self.named(met)}
        self.events.append({"t": t, "kind": kind, **names})

    def named(self, touch: int) -> dict[str, str] | None:
        """A touch as the results name it."""
        if touch < 0:
            return None
        kind, i, j, _ = self.scene.touch(touch)
        mine, other = ("vertex", "edge") if kind == "B" else ("edge", "vertex")
        return {"type": kind, "pawl": f"{mine}{i}", "obstacle": self.scene.names[j].format(other)}

    def force(self, state: State) -> Floats:
        """The force of the contact on the pawl, which hands it to the root (Appendix A, eq. 34 to 37)."""
        if state.touch < 0 or state.sticks:
            return np.zeros(2)
        r, n, sense = self.contact(state.t, state.theta, state.touch)
        slides = sense * float(r @ self.scene.velocity) * np.sign(_cross(r, n))
        along = n - self.mu * np.sign(slides) * np.array([n[1], -n[0]])
        lever = _cross(r, along)
        torque = self.stiffness * (state.theta - self.rest)
        return along * (torque / lever) if lever else np.zeros(2)  # not sliding: about to slip over a tangent

    def largest(self) -> tuple[float, float]:
        """The largest force, and the largest against the motion."""
        heading = self.scene.velocity / np.linalg.norm(self.scene.velocity)
        forces = np.array([self.force(state) for state in self.states])
        force = float(np.linalg.norm(forces, axis=1).max(initial=0.0))
        resist = float((-forces @ heading).max(initial=0.0))
        if any(-self.force(state) @ heading > 0 for state in self.unbounded):
            resist = math.inf
        return math.inf if self.unbounded else force, resist


def _lifted(theta: float, arcs: list[Arc]) -> Iterable[Arc]:
    """Arcs in the covering space, on the turns near an angle."""
    for lower, upper, low, up in arcs:
        if math.isinf(lower):
            yield Arc(lower, upper, low, up)
            continue
        turns = round((theta - (lower + upper) / 2) / (2 * math.pi))
        for turn in (turns - 1, turns, turns + 1):
            yield Arc(lower + 2 * math.pi * turn, upper + 2 * math.pi * turn, low, up)


def _meet(a: Arc, b: Arc) -> bool:
    return a.lower <= b.upper + JUMP and b.lower <= a.upper + JUMP


def _cross(a: Floats, b: Floats) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _normal(start: Floats, end: Floats) -> Floats:
    along = end - start
    return np.asarray(np.array([along[1], -along[0]]) / np.linalg.norm(along))


def rest_angle(rest: Any) -> float:
    """Radians of a rest angle as designs write it."""
    if isinstance(rest, dict):
        return 2 * math.atan(float(Fraction(rest["half_tan"]))) + 2 * math.pi * int(rest.get("turns", 0))
    return float(Fraction(rest))


def _numbers(points: Any) -> Floats:
    return np.array([[float(Fraction(x)) for x in point] for point in points])


def _translation_times(moving: Floats, scene: Scene) -> Floats:
    """When a vertex of a polygon that does not turn lies on an edge's line, or the other way round."""
    ends = scene.corners[scene.following]
    times = []
    for points, starts, tips, sign in (
        (moving, scene.corners, ends, 1.0),
        (scene.corners, moving, np.roll(moving, -1, axis=0), -1.0),
    ):
        normal = np.stack([tips[:, 1] - starts[:, 1], starts[:, 0] - tips[:, 0]], axis=1)
        gap = np.sum((starts[None] - points[:, None]) * normal[None], axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            times.append((gap / (sign * normal @ scene.velocity)[None]).ravel())
    found = np.concatenate(times)
    return np.asarray(np.unique(found[np.isfinite(found)]))


def _root_stop(root: Floats, scene: Scene, until: float) -> float:
    """When a polygon that does not turn first overlaps an obstacle."""
    still = Scene(
        root, scene.corners, scene.following, scene.firsts, scene.names, scene.hinge, scene.velocity
    )
    times = _translation_times(root + scene.hinge, scene)
    times = np.concatenate([[0.0], times[(times > 0) & (times < until)], [until]])
    middles = (times[1:] + times[:-1]) / 2
    hinges = scene.hinge + middles[:, None] * scene.velocity
    blocked = overlapping(still, hinges, np.zeros(len(middles))) & (np.diff(times) > INSTANT * until)
    return float(times[int(np.argmax(blocked))]) if blocked.any() else math.inf


def _grid(scene: Scene, rest: float, steps: int, until: float, samples: Floats) -> Floats:
    """Equal steps, the asked times, and the times at which the pawl at rest may begin to be hit."""
    turn = np.array([[math.cos(rest), -math.sin(rest)], [math.sin(rest), math.cos(rest)]])
    hits = _translation_times(scene.pawl @ turn.T + scene.hinge, scene)
    hits = hits[(hits > 0) & (hits < until)]
    between = (hits[1:] + hits[:-1]) / 2 if len(hits) > 1 else hits
    times = np.concatenate([np.linspace(0, until, steps + 1), samples, between])
    return np.asarray(np.unique(times[(times > 0) & (times <= until)]))


def scene_of(design: dict[str, Any], pawl: dict[str, Any]) -> Scene:
    """One pawl of a design and the obstacles, in floats."""
    hinge = _numbers([design["p0"]])[0] + _numbers([pawl["hinge"]])[0]
    obstacles = [(each["name"], _numbers(each["poly"])) for each in design["obstacles"]]
    return Scene.of(_numbers(pawl["poly"]), obstacles, hinge, _numbers([design["v"]])[0])


def meets_head_on(design: dict[str, Any], result: dict[str, Any]) -> bool:
    """Whether a pawl at rest is met by a tip that it could give way to on either side."""
    for pawl in design["pawls"]:
        scene = scene_of(design, pawl)
        for event in result["pawls"][pawl["name"]]["events"]:
            if event["kind"] == "collide":
                hinge = scene.hinge + (event["t"] + HEAD_ON**3) * scene.velocity
                sides = event["theta_to"] + np.array([-HEAD_ON, HEAD_ON])
                if not overlapping(scene, np.array([hinge, hinge]), sides).any():
                    return True
    return False


def run_pawl(
    design: dict[str, Any],
    pawl: dict[str, Any],
    until: float,
    steps: int = STEPS,
    samples: Floats | None = None,
) -> Run:
    """The motion of one pawl up to a time, unless it stops before."""
    scene = scene_of(design, pawl)
    rest = rest_angle(pawl.get("rest", "0"))
    stiffness, mu = float(Fraction(pawl.get("k", "1"))), float(Fraction(design.get("mu", "0")))
    run = Run(scene, rest, stiffness, mu, until)
    start = pawl.get("theta_init")
    run.start(rest if start is None else float(Fraction(start)))
    if run.ending == "end":
        run.follow(_grid(scene, rest, steps, until, np.zeros(0) if samples is None else samples))
    return run


def simulate(design: dict[str, Any], steps: int = STEPS, samples: Iterable[float] = ()) -> dict[str, Any]:
    """The result of a design, in the form of ``linkwork fasten --json`` without what is exact."""
    until = float(Fraction(design["duration"]))
    stop, cause, who = until, "end", None
    if design.get("root") is not None:
        obstacles = [(each["name"], _numbers(each["poly"])) for each in design["obstacles"]]
        p0, v = _numbers([design["p0"], design["v"]])
        hit = _root_stop(_numbers(design["root"]), Scene.of(np.zeros((1, 2)), obstacles, p0, v), until)
        if hit < until:
            stop, cause = hit, "root_collision"
    until = stop
    asked = np.array([t for t in samples if t <= until])
    pawls = {}
    for pawl in design["pawls"]:
        run = run_pawl(design, pawl, until, steps, asked)
        last = run.states[-1].t if run.ending == "end" else run.events[-1]["t"]
        if run.ending != "end" and last < stop:
            stop, cause, who = last, run.ending, pawl["name"]
        pawls[pawl["name"]] = _told(run, asked)
    return {"termination": {"cause": cause, "pawl": who, "t": stop}, "pawls": pawls}


def _told(run: Run, asked: Floats) -> dict[str, Any]:
    at = {state.t: state for state in run.states}
    states = [at.get(float(t)) for t in asked]
    forces = [None if state is None else run.force(state).tolist() for state in states]
    force, resist = ("inf" if math.isinf(size) else size for size in run.largest())
    samples = {
        "t": asked.tolist(),
        "theta": [None if state is None else state.theta for state in states],
        "root_fx": [None if each is None else each[0] for each in forces],
        "root_fy": [None if each is None else each[1] for each in forces],
    }
    return {"events": run.events, "samples": samples, "max_force": force, "max_resist": resist}
