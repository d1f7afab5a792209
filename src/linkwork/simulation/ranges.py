"""Where drives end: the times at which their ranges are run through, and with them what is simulated.

A range of whole turns is no end: a crank that has turned once turns on. What has come to the end of any other range
would go where the machine's file does not let it.
"""

from __future__ import annotations

import math
from typing import Final

from linkwork.algebra import Expression, evaluate
from linkwork.kinematics.units import drives_an_angle
from linkwork.model import Machine

WHOLE: Final = 1e-9
"""The part of a turn by which a range may differ from whole turns."""


def range_ends(machine: Machine) -> dict[str, Expression]:
    """The times at which drives come to the end of their ranges, by the names of the drives.

    >>> from linkwork.model import load
    >>> range_ends(load("four-bar")), range_ends(load("peaucellier"))
    ({}, {'turn': 8*pi/9})
    """
    values = machine.values()
    found = {}
    for name, drive in machine.drives.items():
        duration = drive.duration()
        if drive.range is None or duration is None:
            continue
        first, last = evaluate([*drive.range], values)
        turns = (last - first) / (2 * math.pi)
        if not (drives_an_angle(machine, name) and abs(turns - round(turns)) < WHOLE):
            found[name] = duration
    return found


def first_end(machine: Machine, start: float) -> tuple[str, float] | None:
    """The drive that ends first, and when; none where no range ends after the start."""
    ends = range_ends(machine)
    times = dict(zip(ends, evaluate(list(ends.values()), machine.values()), strict=True))
    later = {name: time for name, time in times.items() if start < time < math.inf}
    return min(later.items(), key=lambda each: each[1]) if later else None


def range_notes(machine: Machine, does: str) -> tuple[str, ...]:
    """What a program does behind the first end of a range, for who makes it."""
    end = first_end(machine, evaluate([machine.time.start], machine.values())[0])
    return (
        () if end is None else (f"the drive {end[0]} is at the end of its range at t = {end[1]:.6g}: {does}",)
    )
