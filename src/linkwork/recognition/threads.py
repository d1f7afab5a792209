"""Threads: shafts and holes that carry one make a screw pair, which goes along its axis as it turns."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from linkwork.errors import LinkworkError
from linkwork.recognition.touch import Contact

SAME = 1e-9
"""Relative differences of pitches that are rounding."""


class ThreadError(LinkworkError):
    """A thread in another that does not fit it."""


def pitch_between(
    contacts: Sequence[Contact],
    parts: Collection[tuple[str, str]],
    said: Mapping[frozenset[str], float],
) -> tuple[float, str] | None:
    """The pitch of the thread between parts that touch, and a note why; None if there is none.

    The file may say it; else both the shaft and its hole are marked. A thread in a plain hole turns and slides in it.
    """
    told = [said[frozenset(both)] for both in parts if frozenset(both) in said]
    marked = [pitch for each in contacts if each.kind == "shaft" for pitch in each.threads]
    if not told and not marked:
        return None
    pitches = told or [pitch for both in marked for pitch in both]
    if any(not math.isclose(pitches[0], other, rel_tol=SAME) for other in pitches):
        raise _unfit(pitches, next(iter(parts)))
    pitch, source = pitches[0], "the file says that it is" if told else "both carry"
    hand = "right" if pitch > 0 else "left"
    return pitch, f"{source} a {hand}-handed thread, along which a turn takes it {abs(pitch):.6g}"


def _unfit(pitches: Sequence[float], parts: tuple[str, str]) -> ThreadError:
    """That a thread is in one of another pitch, or of the other hand, or two of them join the same parts."""
    other = next(each for each in pitches if not math.isclose(pitches[0], each, rel_tol=SAME))
    return ThreadError(
        f"the threads of {parts[0]} and {parts[1]} do not fit",
        got=f"pitches {pitches[0]:g} and {other:g}",
        wanted="one pitch; below 0 both are left-handed",
        fix=f"thread({pitches[0]:g}) on both; where they are drawn turn by turn, draw both so",
    )
