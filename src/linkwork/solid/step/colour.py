"""Colours of bodies in a STEP file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from linkwork.errors import LinkworkError
from linkwork.solid.step.record import Record, Reference, StepFile, Value

FARTHEST: Final = 40
"""Records between a body's style and its colour, at most."""

_NAMED: Final = {
    "red": "#ff0000", "green": "#00ff00", "blue": "#0000ff", "yellow": "#ffff00", "magenta": "#ff00ff",
    "cyan": "#00ffff", "black": "#000000", "white": "#ffffff",
}  # fmt: skip


def colours(file: StepFile) -> dict[int, str]:
    """The colours that items have, by their numbers. What cannot be understood is no colour, and no fault either."""
    found: dict[int, str] = {}
    for record in file.of_kind("STYLED_ITEM", "OVER_RIDING_STYLED_ITEM"):
        try:
            given = record.part(next(kind for kind in record.parts if kind.endswith("STYLED_ITEM")))
            found.setdefault(given.record(2).number, _colour(file, given))
        except LinkworkError:
            continue
    return found


def _colour(file: StepFile, styled: Record) -> str:
    """The first colour among what a style leads to, nearest first."""
    waiting, seen = [*_references(styled.value(1))], set[int]()
    while waiting and len(seen) < FARTHEST:
        number = waiting.pop(0)
        if number in seen:
            continue
        seen.add(number)
        record = file.record(number, styled)
        if "COLOUR_RGB" in record.parts:
            shares = [record.part("COLOUR_RGB").number_at(place) for place in (1, 2, 3)]
            return "#" + "".join(f"{round(255 * min(max(share, 0.0), 1.0)):02x}" for share in shares)
        if "DRAUGHTING_PRE_DEFINED_COLOUR" in record.parts:
            return _NAMED.get(record.part("DRAUGHTING_PRE_DEFINED_COLOUR").text(0).lower(), "")
        for values in record.parts.values():
            waiting += _references(values)
    return ""


def _references(value: Value) -> Iterator[int]:
    waiting = [value]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, Reference):
            yield each.number
        elif isinstance(each, tuple):
            waiting += each
        elif hasattr(each, "values"):
            waiting += each.values
