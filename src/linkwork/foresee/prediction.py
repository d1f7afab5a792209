"""The verb ``predict``: what a machine will do, from a few repetitions of what it does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.algebra import Operand
from linkwork.contact.islands import ContactIslands
from linkwork.contact.laws import Laws
from linkwork.contact.motion import MODELS, touching_machine
from linkwork.errors import UsageError
from linkwork.foresee.amounts import mover, named
from linkwork.foresee.course import Course, contact_courses, plain_course
from linkwork.foresee.envelope import Node
from linkwork.foresee.forecast import (
    Ending,
    Forecast,
    ForeseenPattern,
    RejectedPattern,
    Superimposed,
    Swing,
)
from linkwork.foresee.foresight import Foreseen, Foresight, Stage, has_faded, is_interrupted
from linkwork.foresee.marks import NOISE, Halt, dips
from linkwork.foresee.pattern import ADVANCES
from linkwork.foresee.process import Occurrence, met_in
from linkwork.foresee.recall import time_error
from linkwork.foresee.repeating import ranges_of
from linkwork.foresee.resting import last_rows, near_rest, since_off, still_to_go
from linkwork.foresee.springs import turning_springs
from linkwork.foresee.words import summary
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.model.fault import listed
from linkwork.simulation import Simulator
from linkwork.simulation.simulator import DEFAULT_TOLERANCE

GUESS: Final = 0.05
"""How far apart rows are at first, before it is known how fast a machine is."""
RELAXED: Final = 1e-4
"""Of the energy that was in all springs at first: with less left, of a torque a hundredth, one is relaxed."""
SEEN_SHARE: Final = 0.01
"""Of that energy, and of what is left of it: a spring with less is not told."""
SWINGS: Final = 1e-2
"""Of the range inside a repetition: a variable the middle of whose range goes on by less swings; also by as much as it
would take to go on, if all repetitions together do not lead out of that range, as of a swing that dies away."""
DIED_AWAY: Final = "its motion has died away"
"""Why what comes to rest ever more slowly does."""
SOON: Final = 30.0
"""Repetitions: what is at rest no later than that after a pattern ended is why it did."""
MINIMA_ROWS: Final = 1025
"""In which the minima of a repetition are counted: parts that bounce in ever smaller hops have no number of them."""
NO_DELAY: Final = 3e-3
"""Of a duration: what is superimposed and delays a pattern by less has no effect on it."""
SAME_DELAY: Final = 0.2
"""Of the longest delay: those that differ by less are told as one."""


def predict(
    machine: Machine,
    horizon: float | None = None,
    *,
    contact: str | None = None,
    laws: Laws | None = None,
    rtol: float = DEFAULT_TOLERANCE,
    parameters: Mapping[str, Operand | str] | None = None,
    report: Callable[[float], None] = lambda time: None,
) -> Forecast:
    """What a machine will do until the horizon, or until it stops, at most for a million repetitions.

    Machines of solids touch as ``"rigid"`` parts, or as ``"elastic"`` ones; ``contact=""`` leaves contacts out.
    ``report`` is told now and then until when it is foreseen. Ctrl-C (``KeyboardInterrupt``) ends the search: the
    forecast is what was found so far.

    >>> from linkwork.model import load
    >>> clock = predict(load("escapement"))
    >>> round(clock.patterns[0].duration, 3), clock.endings[0].kind
    (7.386, 'rest')
    """
    chosen = machine.with_parameters(parameters) if parameters else machine
    model = ("rigid" if chosen.is_unjoined else "") if contact is None else contact
    last = math.inf if horizon is None else horizon
    courses = _courses(chosen, model, laws, rtol)
    first = min(course.time for course in courses)
    _check_horizon(last, first)
    islands: list[Foreseen] = []
    for course in courses:
        foresight = Foresight(course, min(last, course.range_end[1]), GUESS, report)
        is_stopped = bool(islands) and is_interrupted(islands[-1])
        islands.append(foresight.interrupted() if is_stopped else foresight.run())
    return forecast_of(machine, model, last, islands)


def _check_horizon(horizon: float, first: float) -> None:
    if not isinstance(horizon, int | float) or math.isnan(horizon) or horizon <= first:
        raise UsageError(
            "there is no time to foresee",
            got=f"a horizon of {horizon}",
            wanted=f"a time after t = {first:g}, or none: until it stops",
            fix="horizon=1000",
        )


def _courses(machine: Machine, model: str, laws: Laws | None, rtol: float) -> list[Course]:
    if not model:
        return [_with_motion(plain_course(Simulator(machine), rtol))]
    if model not in MODELS:
        raise UsageError(
            f"there is no model of contact '{model}'", wanted=" or ".join(MODELS), fix='contact="rigid"'
        )
    return contact_courses(ContactIslands(touching_machine(machine)), model, laws, rtol)


def _with_motion(course: Course) -> Course:
    """A machine with a motion of its own; one of which drives tell all is refused."""
    if not course.variables:
        name = course.whole.name
        raise UsageError(
            f"all of the motion of {name} is driven: nothing is left to foresee",
            wanted="a part that moves by itself",
            fix=f"linkwork move {name}",
        )
    return course


def forecast_of(machine: Machine, model: str, horizon: float, islands: list[Foreseen]) -> Forecast:
    """What was found of each island, as one forecast."""
    patterns: list[ForeseenPattern] = []
    superimposed: list[Superimposed] = []
    endings: list[Ending] = []
    for island in islands:
        ending = _ending(island, horizon)
        endings.append(ending)
        for place, stage in enumerate(island.stages):
            is_last = place == len(island.stages) - 1
            patterns.append(_pattern(island, stage, ending if is_last else None, horizon))
            superimposed += _superimposed(island, stage)
    rejected = [
        RejectedPattern(each.marks, each.time, each.why) for island in islands for each in island.rejected
    ]
    return Forecast(
        machine,
        model,
        horizon,
        tuple(patterns),
        tuple(superimposed),
        tuple(endings),
        tuple(rejected),
        sum(island.course.simulated for island in islands),
        summary(patterns, superimposed, endings),
        tuple(islands),
    )


def _parts(island: Foreseen) -> tuple[str, ...]:
    return tuple(island.course.begun.machine.moving)


def _pattern(island: Foreseen, stage: Stage, ending: Ending | None, horizon: float) -> ForeseenPattern:
    course, pattern = island.course, stage.pattern
    nodes = stage.envelope.nodes
    positions = course.variables[: course.positions]
    gained = nodes[0].slope[1:] if stage.is_average else pattern.change
    change = {name: float(value) for name, value in zip(positions, gained, strict=False)}
    couples = course.touching.couples if course.touching is not None else ()
    contacts = dict.fromkeys(couples[couple].parts for couple in sorted(pattern.couples))
    until = min(stage.end, horizon, course.range_end[1])
    return ForeseenPattern(
        _parts(island),
        pattern.marks if course.strobe is None else _minima(course, nodes[0]),
        nodes[0].duration if stage.is_average else pattern.duration,
        change,
        stage.begin,
        until,
        _why(island, stage, ending),
        stage.repetitions(until),
        _last_inside(nodes, until).duration,
        _swings(course, stage, until),
        tuple(contacts),
        len(nodes) - 1 if stage.is_average else sum(node.deviation > 0 for node in nodes),
        max(node.deviation for node in nodes),
        stage.is_average,
        (min(node.duration for node in nodes), max(node.duration for node in nodes)),
        nodes[0].time,
        stage.following.settles,
    )


def _minima(course: Course, node: Node) -> int:
    """How many minima the kinetic energy has in a repetition that is told by the phase of a drive."""
    counted, last = course.simulated, node.time + node.duration
    rows = course.run(node.time, node.place[1:], np.linspace(node.time, last, MINIMA_ROWS))
    course.simulated = counted
    kinetic = course.column(rows, "kinetic")
    return len(dips(kinetic, NOISE * float(np.max(kinetic, initial=0.0)), 0))


def _last_inside(nodes: list[Node], until: float) -> Node:
    """The last repetition until a time: where a horizon cuts a pattern off, between the nodes around it."""
    last = nodes[-1]
    if until >= last.time or len(nodes) == 1:
        return last
    from scipy.interpolate import PchipInterpolator

    times = [node.time for node in nodes]
    at = max(until, times[0])
    slope, low, high = (
        PchipInterpolator(times, [getattr(node, name) for node in nodes])(at)
        for name in ("slope", "low", "high")
    )
    return replace(last, slope=slope, low=low, high=high)


def _swings(course: Course, stage: Stage, until: float) -> dict[str, Swing]:
    """What goes to and fro in a repetition."""
    (low, high), (low_before, high_before) = _first_ranges(stage)
    last = _last_inside(stage.envelope.nodes, until)
    found = {}
    for place, name in enumerate(course.variables[: course.positions]):
        spread = float(high[place] - low[place])
        changes = float(low[place] - low_before[place]), float(high[place] - high_before[place])
        ends = float(last.low[place]), float(last.high[place])
        shift, led = abs(sum(changes)) / 2, abs(sum(ends) - float(low[place] + high[place])) / 2
        comes_back = shift <= SWINGS * spread or (shift <= ADVANCES * spread and led <= spread / 2)
        if spread > stage.following.floor[place] and comes_back:
            found[name] = Swing(float(low[place]), float(high[place]), *changes, *ends)
    return dict(sorted(found.items(), key=lambda each: float(f"{each[1].low - each[1].high:.4g}")))


def _first_ranges(stage: Stage) -> tuple[tuple[Matrix, Matrix], tuple[Matrix, Matrix]]:
    """Between which ends each variable was in the first repetition that was believed, and in the one before."""
    marks, count, first = stage.seen.marks, stage.pattern.marks, stage.envelope.nodes[0]
    if stage.is_average:
        gained = first.slope[1:]
        return (first.low, first.high), (first.low - gained, first.high - gained)
    return ranges_of(marks[-count:]), ranges_of(marks[-2 * count : -count])


def _superimposed(island: Foreseen, stage: Stage) -> list[Superimposed]:
    """What was simulated while a pattern was followed, and what had met before that was sure to be one."""
    found = []
    couples = island.course.touching.couples if island.course.touching is not None else ()
    before = met_in(island.course, stage.seen.marks, stage.pattern)
    if stage is not island.stages[0]:  # what ended the stage before may still go on
        before = [each for each in before if each[1] >= stage.begin]
    keys = [
        *(each.couples for each in stage.occurrences),
        *(key for key, begin, _ in before if begin >= stage.begin),
    ]
    for key in dict.fromkeys(keys):
        recurring, repetitions = stage.recurring.get(key), stage.periods.get(key)
        own = [each for each in stage.occurrences if each.couples == key]
        if recurring is not None:
            own = recurring.occurrences
        spans = [(begin, end) for couples_met, begin, end in before if couples_met == key]
        if repetitions is not None:
            spans = _in_step(stage, spans, own[0], repetitions)
        spans += [(each.begin, each.end) for each in own]
        parts = dict.fromkeys(part for couple in sorted(key) for part in couples[couple].parts)
        found.append(
            Superimposed(
                tuple(parts),
                _time_of(stage, own[0].number, repetitions) if repetitions is not None else None,
                float(np.mean([end - begin for begin, end in spans])),
                spans[0][0],
                _effect(stage, own),
                repetitions,
                tuple(begin for begin, _ in spans),
            )
        )
    return found


def _in_step(
    stage: Stage, spans: Sequence[tuple[float, float]], first: Occurrence, repetitions: float
) -> list[tuple[float, float]]:
    """Those of some meetings that lie a period before one, or a period before such."""
    found: list[tuple[float, float]] = []
    next_begin = first.begin
    for begin, end in reversed(spans):
        if abs((next_begin - begin) / stage.pattern.duration - repetitions) <= 1:
            found, next_begin = [(begin, end), *found], begin
    return found


def _effect(stage: Stage, own: Sequence[Occurrence]) -> str:
    """What occurrences do to a pattern."""
    delays = [each.delay for each in own]
    most = max(delays, key=abs, default=0.0)
    if abs(most) <= NO_DELAY * stage.pattern.duration:
        return "the pattern goes on as before"
    much = "" if max(delays) - min(delays) <= SAME_DELAY * abs(most) else "up to "
    return f"it {'delays' if most > 0 else 'hastens'} the pattern by {much}{abs(most):.2g}"


def _time_of(stage: Stage, first: float, repetitions: float) -> float:
    """How long so many repetitions last from one on."""
    begin, end = (float(stage.envelope.place(number)[0]) for number in (first, first + repetitions))
    return end - begin


def _why(island: Foreseen, stage: Stage, ending: Ending | None) -> str:
    """Why a pattern ends."""
    if stage.met and island.course.touching is not None:
        pairs = [" meets ".join(island.course.touching.couples[couple].parts) for couple in sorted(stage.met)]
        return named(pairs)
    last = stage.envelope.nodes[-1]
    if ending is not None and ending.kind == "rest" and ending.t - stage.end <= SOON * last.duration:
        return ending.why
    if ending is not None and stage.end >= ending.t == island.course.range_end[1]:
        return ending.why
    if ending is not None and ending.kind == "horizon" and stage.end >= ending.t:
        return "the horizon"
    if ending is not None and ending.kind == "horizon":
        return _why_beyond(island, stage.end + SOON * last.duration) or stage.why
    return stage.why


def _why_beyond(island: Foreseen, until: float) -> str:
    """Why an island is at rest soon behind the horizon, if it is: the horizon does not change why a pattern ends."""
    follower = island.follower
    if follower is None:
        return ""
    while follower.next(until) is not None:
        pass
    if follower.halt is None or follower.halt.kind != "rest":
        return ""
    return _why_at_rest(replace(island, halt=follower.halt), DIED_AWAY)


def _ending(island: Foreseen, horizon: float) -> Ending:
    """How an island ends."""
    parts, halt, (drive, end) = _parts(island), island.halt, island.course.range_end
    asked, horizon = horizon, min(horizon, end)
    last = island.stages[-1] if island.stages else None
    if halt is not None and halt.kind == "rest":
        return _rest(island, halt)
    if halt is not None and halt.kind == "even":
        return Ending("goes on", halt.time, halt.why, parts)
    if halt is not None and halt.kind != "time":
        return Ending("unknown", halt.time, halt.why, parts)
    if island.why:
        return Ending("unknown", island.known_until, island.why, parts)
    if last is not None and last.end < horizon and last.follower is None:
        return Ending("goes on", last.end, "it was foreseen for a million repetitions", parts)
    if horizon < asked:
        return Ending("unknown", horizon, f"the drive {drive} is at the end of its range", parts)
    return Ending("horizon", horizon, "the horizon is reached", parts)


def _rest(island: Foreseen, halt: Halt) -> Ending:
    """How an island comes to rest."""
    course, follower = island.course, island.follower
    moves, places = _last_moves(island)
    off, remaining = time_error(island, halt.time), {}
    if has_faded(island):
        off += island.stages[-1].end_off
    if follower is not None and halt.time > course.time:
        off += follower.spacing  # it may have begun since the row before
    if follower is not None and follower.rest is not None and not has_faded(island):
        told = *follower.rows_seen, follower.rest
        off += since_off(*told, near_rest(course))
        remaining = still_to_go(course, *told)
    why = _why_at_rest(island, DIED_AWAY if remaining else "nothing moves any more")
    return Ending("rest", halt.time, why, _parts(island), moves, places, off, remaining)


def _last_moves(island: Foreseen) -> tuple[dict[str, float], dict[str, float]]:
    """When each part is last away from where it rests, and where that is; of what did not move of late no time."""
    if has_faded(island):
        last = island.stages[-1]
        assert last.last_moves is not None
        node = last.envelope.nodes[-1]
        names = island.course.variables[: island.course.positions]
        moves = {
            part: max(time for name, time in last.last_moves.items() if mover(name) == part)
            for part in map(mover, last.last_moves)
        }
        return moves, {
            name: float(middle) for name, middle in zip(names, (node.low + node.high) / 2, strict=False)
        }
    course, follower = island.course, island.follower
    assert follower is not None
    assert follower.rest is not None
    times, rows = follower.rows_seen
    tends = follower.rest.places
    moves = {}
    for place, row in enumerate(last_rows(rows, tends, near_rest(course))):
        if np.ptp(rows[:, place]) > course.tracked_floor[place] and row >= 0:
            part = mover(course.tracked[place])
            moves[part] = max(float(times[row]), moves.get(part, -math.inf))
    return moves, dict(zip(course.tracked, tends.tolist(), strict=True))


def _why_at_rest(island: Foreseen, otherwise: str) -> str:
    """Which springs are relaxed, or what holds the parts; else what is given."""
    course, halt = island.course, island.halt
    assert halt is not None
    if halt.why == "nothing moves" or has_faded(island):
        return halt.why
    springs = turning_springs(course)
    stored = [spring.energy(course.start) for spring in springs]
    left = [spring.energy(halt.state) for spring in springs]
    near = near_rest(course)[: course.positions]
    moved = np.abs(halt.state - course.start)[: course.positions] > near
    pulls = [
        moved[spring.place] and each > max(RELAXED * sum(stored), SEEN_SHARE * sum(left))
        for spring, each in zip(springs, left, strict=True)
    ]
    held, pulling = _held(island), [spring.part for spring, own in zip(springs, pulls, strict=True) if own]
    if pulling and held:
        still = (
            f"spring of {pulling[0]} still pulls"
            if len(pulling) == 1
            else f"springs of {named(pulling)} still pull"
        )
        return f"jammed, {listed(held)} hold each other while the {still}"
    names = [
        spring.part
        for spring, first, own in zip(springs, stored, pulls, strict=True)
        if first > SEEN_SHARE * sum(stored) and not own
    ]
    if len(names) > 1:
        return f"the springs of {named(names)} are relaxed"
    return f"the spring of {names[0]} is relaxed" if names else otherwise


def _held(island: Foreseen) -> list[str]:
    """The pairs of parts that touch at the end."""
    course, follower = island.course, island.follower
    if course.touching is None or follower is None:
        return []
    row = follower.last_touching
    pairs = dict.fromkeys(course.touching.couples[couple].parts for couple in np.flatnonzero(row).tolist())
    return [" and ".join(pair) for pair in pairs]
