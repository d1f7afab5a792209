"""Threads: shafts and holes that carry one make a screw pair, which goes along its axis as it turns."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from linkwork.errors import LinkworkError
from linkwork.recognition.touch import Contact
from linkwork.solid.scad.changes import THREAD

_MARK: Final = re.compile(rf"{THREAD} (?P<pitch>[-+.\deE]+)")
"""The label of what carries a thread, with its pitch."""


class ThreadError(LinkworkError):
    """A thread in another that does not fit it."""


def pitch_of_label(label: str) -> float | None:
    """The pitch of a thread by its label, below 0 if it is left-handed; None if it is none.

    >>> pitch_of_label("thread -1.5"), pitch_of_label("threadbare")
    (-1.5, None)
    """
    found = _MARK.fullmatch(label)
    return float(found["pitch"]) if found else None


def pitch_between(
    contacts: Sequence[Contact],
    parts: tuple[str, str],
    said: Mapping[frozenset[str], float],
) -> tuple[float, str] | None:
    """The pitch of the thread between two parts, and a note why; None if there is none.

    The file may say it; else both the shaft and its hole are marked. A thread in a plain hole turns and slides in it.
    """
    pitch, source = said.get(frozenset(parts)), "the file says that it is"
    for contact in contacts if pitch is None else ():
        if contact.kind == "shaft":
            both = [pitch_of_label(label) for label in contact.labels]
            if both[0] is not None and both[1] is not None:
                _check(both[0], both[1], parts)
                pitch, source = both[0], "both are marked as"
    if pitch is None:
        return None
    hand = "right" if pitch > 0 else "left"
    return pitch, f"{source} a {hand}-handed thread, along which a turn takes it {abs(pitch):.6g}"


def _check(one: float, other: float, parts: tuple[str, str]) -> None:
    """Refuse a thread in one of another pitch, or of the other hand."""
    if not math.isclose(one, other, rel_tol=1e-9):
        raise ThreadError(
            f"the threads of {parts[0]} and {parts[1]} do not fit",
            got=f"pitches {one:g} and {other:g}",
            wanted="one pitch; below 0 both are left-handed",
            fix=f"thread({one:g}) on both",
        )
