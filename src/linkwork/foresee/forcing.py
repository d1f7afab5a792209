"""The time after which all that the clock tells a machine is as before: the period of what drives it.

Formulas of the motion may mention the time, as those of a shaken table or of a force that swings do. What depends on
nothing else is a function of the time alone; if all such functions that enter the motion are made of sines and cosines
whose periods have a common multiple, that is the period.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from linkwork.algebra import Definition, Expression, Symbol, evaluate, nodes_in_order, substitute, symbol
from linkwork.algebra.expression import COS, SIN
from linkwork.algebra.order import in_dependency_order
from linkwork.model.drive import CLOCK

MOST_MULTIPLE: Final = 24
"""Of the longest period of a sine: a common multiple of all that is longer is not looked for."""
ROUNDING: Final = 1e-9
"""Of a rate or a value: what is so near another is the same."""
TIMES: Final = (0.0, 0.37, 1.1)
"""Times by which it is told whether the argument of a sine grows evenly."""
PHASES: Final = (0.0, 0.137, 0.41, 0.59, 0.83)
"""Parts of the period at which values are compared with those a period later."""


def clock_period(lines: Sequence[Definition], values: Mapping[str, float]) -> float | None:
    """The period of what formulas of a motion say of the time; None where there is none.

    >>> clock_period([Definition.of("push", "a*x + b*cos(3*t) + sin(t/2)^2")], {"a": 1, "b": 2})
    12.566370614359172
    """
    entering = _entering(lines, values)
    if not entering:
        return None
    waves = [node for node in nodes_in_order(entering) if node.operation in (SIN, COS)]
    rates = [_rate(wave.arguments[0], values) for wave in waves]
    if not all(map(math.isfinite, rates)):
        return None
    period = _common([abs(rate) for rate in rates if rate])
    return period if period is not None and _is_as_before(entering, values, period) else None


def _entering(lines: Sequence[Definition], values: Mapping[str, float]) -> list[Expression]:
    """The functions of the time alone that formulas combine with anything else; none where that cannot be told."""
    told: dict[Expression, Expression] = {}
    entering: dict[Expression, None] = {}
    for line in in_dependency_order(list({line.name: line for line in lines}.values())):
        if not any(leaf is CLOCK or leaf in told for leaf in line.mentions):
            continue
        if line.explicit is None:
            return []
        (body,) = substitute([line.explicit], told)
        timed = _timed([body], values)
        entering |= dict.fromkeys(
            each
            for node in nodes_in_order([body])
            if node not in timed
            for each in node.arguments
            if each in timed
        )
        if body in timed:
            told[symbol(line.name)] = body
    return list(entering)


def _timed(roots: Sequence[Expression], values: Mapping[str, float]) -> set[Expression]:
    """The nodes that mention the time, and nothing else but what has a value."""
    timed: set[Expression] = set()
    known: set[Expression] = set()
    for node in nodes_in_order(roots):
        is_known = node.name in values or node is CLOCK if isinstance(node, Symbol) else True
        if is_known and all(each in known for each in node.arguments):
            known.add(node)
            if node is CLOCK or any(each in timed for each in node.arguments):
                timed.add(node)
    return timed


def _rate(argument: Expression, values: Mapping[str, float]) -> float:
    """How fast an argument grows; 0 where it does not, not a number where it grows unevenly."""
    first, second, third = (evaluate([argument], {**values, CLOCK.name: time})[0] for time in TIMES)
    rate = (third - first) / (TIMES[2] - TIMES[0])
    is_even = abs(second - first - rate * (TIMES[1] - TIMES[0])) <= ROUNDING * max(abs(rate), abs(first))
    return rate if is_even else math.nan


def _common(rates: Sequence[float]) -> float | None:
    """The least common multiple of the periods of some rates."""
    slowest = min(rates, default=0.0)
    for multiple in range(1, MOST_MULTIPLE + 1) if slowest else ():
        turns = [multiple * rate / slowest for rate in rates]
        if all(abs(each - round(each)) <= ROUNDING * each for each in turns):
            return 2 * math.pi * multiple / slowest
    return None


def _is_as_before(functions: Sequence[Expression], values: Mapping[str, float], period: float) -> bool:
    """Whether functions have the same values a period later."""
    rows = [
        evaluate(functions, {**values, CLOCK.name: period * (phase + later)})
        for phase in PHASES
        for later in (0, 1)
    ]
    columns = list(zip(*rows, strict=True))
    return all(
        abs(a - b) <= ROUNDING * max(map(abs, column))
        for column in columns
        for a, b in zip(column[::2], column[1::2], strict=True)
    )
