"""Variables and amounts of them in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from linkwork.model.fault import listed

MOST_NAMED = 12
TURNS = ("angle", "q0", "q1", "q2", "q3")
"""What tells how a part is turned."""


def named(names: Sequence[str]) -> str:
    """Some names in a sentence.

    >>> named(["a"]), named("ab"), named("abc")
    ('a', 'a and b', 'a, b and c')
    """
    if len(names) > MOST_NAMED or len(names) < 2:
        return listed(names, MOST_NAMED)
    return f"{listed(names[:-1])} and {names[-1]}"


def listed_amounts(changes: Sequence[tuple[str, float]]) -> str:
    """Variables and what they gain."""
    return ", ".join(f"{owner(name)} {amount(name, value, True)}" for name, value in changes)


def owner(name: str) -> str:
    """The part that a variable tells the angle of, else its name."""
    return name.removesuffix(".angle")


def mover(name: str) -> str:
    """What moves where a variable does: the part, of one that tells how it is turned, else the variable."""
    part, _, quantity = name.partition(".")
    return part if quantity in TURNS else name


def amount(name: str, value: float, signed: bool = False, digits: int = 5) -> str:
    """A value, of angles in degrees."""
    sign = "+" if signed else ""
    if name.endswith("angle"):
        return f"{round(math.degrees(value), 6) + 0.0:{sign}.{digits}g}°"
    return f"{value:{sign}.{digits}g}"
