"""A forecast in a few sentences: what repeats, what is superimposed, how it ends."""

from __future__ import annotations

import math
from collections.abc import Sequence

from linkwork.foresee.amounts import amount, listed_amounts, mover, named, owner
from linkwork.foresee.forecast import Ending, ForeseenPattern, Superimposed

SEEN = 1e-6
"""Of the range of a variable: a change per repetition that is told."""
TOLD_ERROR = 1e-3
"""Of a time: what it may be off by is told if it is more."""
QUATERNION = ("q0", "q1", "q2", "q3")
"""How a part is turned in space: numbers that say little to a reader."""
MOST_TOLD = 3
"""Variables whose changes or swings are told."""


def summary(
    patterns: Sequence[ForeseenPattern], superimposed: Sequence[Superimposed], endings: Sequence[Ending]
) -> str:
    """The sentences."""
    told = [pattern_words(each, _goes_on(each, endings)) for each in patterns]
    told += [superimposed_words(each) for each in superimposed]
    whys = {each.ends_because for each in patterns}
    told += [ending_words(each, len(endings) > 1, each.why in whys) for each in endings]
    repeating = {each.parts for each in patterns}
    told += [_nothing_seen(each, len(endings) > 1) for each in endings if each.parts not in repeating]
    return "; ".join(each for each in told if each)


def _goes_on(pattern: ForeseenPattern, endings: Sequence[Ending]) -> bool:
    """Whether nothing ends a pattern but that it was not looked at any farther."""
    return any(
        each.kind == "goes on" and each.t == pattern.valid_until and each.parts == pattern.parts
        for each in endings
    )


def pattern_words(pattern: ForeseenPattern, goes_on: bool = False) -> str:
    """What repeats, and how it changes."""
    gains = sorted(
        (name for name in pattern.change if abs(pattern.change[name]) > SEEN and name not in pattern.swings),
        key=lambda name: -abs(pattern.change[name]),
    )
    until = "on" if goes_on else f"to {pattern.valid_until:.6g}"
    how = "unevenly, on the average with period" if pattern.is_average else "with period"
    words = [f"from t = {pattern.valid_from:.6g} {until} it repeats itself {how} {pattern.duration:.6g}"]
    if pattern.is_average:
        least, most = pattern.durations
        words[0] += f" ({least:.4g} to {most:.4g}, at last {pattern.last_duration:.4g})"
    elif not math.isclose(pattern.duration, pattern.last_duration, rel_tol=1e-4):
        words[0] += f" (at last {pattern.last_duration:.6g})"
    if gains:
        words.append(
            listed_amounts([(name, pattern.change[name]) for name in gains[:MOST_TOLD]]) + " each time"
        )
    told = [name for name in pattern.swings if name.rpartition(".")[2] not in QUATERNION] or list(
        pattern.swings
    )
    words += [swing_words(name, pattern) for name in told[:MOST_TOLD]]
    if pattern.settles is not None and any(" at last " in each for each in words):
        words.append(f"settling: what differs from the last falls to {100 * pattern.settles:.3g} % each time")
    return ", ".join(words) + ("" if goes_on else f", until {pattern.ends_because}")


def swing_words(name: str, pattern: ForeseenPattern) -> str:
    """How far a variable swings, in the repetition that confirmed a pattern and at last."""
    swing = pattern.swings[name]
    first, last = swing.high - swing.low, swing.last_high - swing.last_low
    told = f"{owner(name)} swings by {amount(name, first)}"
    if abs(last - first) > 1e-3 * first:
        each = swing.high_change - swing.low_change
        then = f" ({amount(name, each, True)} each time then)" if abs(each) > SEEN * first else ""
        told += f" at t = {pattern.confirmed_at:.6g}{then}, at last by {amount(name, last)}"
    return told


def superimposed_words(each: Superimposed) -> str:
    """What happens now and then."""
    who = named(each.parts)
    if each.period is None:
        times = named([f"{time:.6g}" for time in each.times])
        return f"{who} meet at t = {times}, for {each.duration:.4g}"
    return (
        f"{who} meet every {each.period:.6g} ({each.repetitions:g} repetitions) from t = {each.first:.6g} on, "
        f"for {each.duration:.4g}, and {each.effect}"
    )


def ending_words(ending: Ending, with_parts: bool, is_told: bool) -> str:
    """How it ends."""
    who = f" ({named(ending.parts)})" if with_parts else ""
    if ending.kind == "rest":
        last = "".join(f", {each}" for each in _last_moves(ending))
        why = "" if is_told else f": {ending.why}"
        told = (
            f" ± {float(f'{ending.time_error:.2g}'):g}" if ending.time_error > TOLD_ERROR * ending.t else ""
        )
        return f"at rest from t = {ending.t:.6g}{told}{who}{why}{last}"
    if ending.kind == "unknown":
        why = "" if is_told else f": {ending.why}"
        return f"unknown from t = {ending.t:.6g} on{who}{why}"
    return f"it goes on{who}: {ending.why}, until t = {ending.t:.6g}" if ending.kind == "goes on" else ""


def _last_moves(ending: Ending) -> list[str]:
    """When parts last move, those together that do so at one time; what they still creep behind that."""
    left = {
        mover(name): f" (but for {amount(name, each, digits=2)})" for name, each in ending.remaining.items()
    }
    places = {name.partition(".")[0] for name in ending.last_moves if "." in name}
    times: dict[str, list[str]] = {}
    for part, time in ending.last_moves.items():
        if time > 0:
            what = f"the turn of {part}" if part in places else part
            times.setdefault(f"{time:.6g}", []).append(what + left.get(part, ""))
    return [
        f"{named(parts)} last {'move' if len(parts) > 1 else 'moves'} at {time}"
        for time, parts in times.items()
    ]


def _nothing_seen(ending: Ending, with_parts: bool) -> str:
    """That a horizon was too near for a pattern."""
    who = f" of {named(ending.parts)}" if with_parts else ""
    if ending.kind != "horizon":
        return ""
    return f"until the horizon, t = {ending.t:.6g}, no pattern{who} was seen to repeat itself often enough"
