"""A motion in a few lines: how it ended, what it met on the way, and how far things went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwork.kinematics import Motion
    from linkwork.model import Machine
    from linkwork.simulation import Solution

MOST_ROWS = 40
"""Ranges that are shown; more than a page of them helps nobody."""


def motion_text(motion: Motion) -> str:
    """The summary that ``move`` prints.

    >>> from linkwork import load, move
    >>> print(motion_text(move(load("four-bar"), steps=4)).splitlines()[2])
    status    complete
    """
    machine = motion.machine
    lines = [machine.title or machine.name, ""]
    told = motion.why if motion.why not in map(str, motion.limits) else ""
    lines.append(f"status    {motion.status}" + (f": {told}" if told else ""))
    lines.append(f"rows      {len(motion)}{_span(motion)}")
    lines.append(f"residual  {motion.residual:.1e} of the machine's size")
    lines += [f"limit     {limit}" for limit in motion.limits]
    odd = [name for name, column in motion.columns.items() if not isfinite(column.sum())]
    if odd:
        lines.append(f"note      no finite value in {', '.join(odd[:6])}{', …' if len(odd) > 6 else ''}")
    if motion.not_unique:
        lines.append(f"note      forces not unique: {', '.join(motion.not_unique)}")
    return "\n".join([*lines, "", *range_rows(motion, main_columns(motion))]).rstrip() + "\n"


def main_columns(motion: Motion) -> list[str]:
    """The columns a reader looks for first: drives, coordinates of parts, traced points, efforts of drives."""
    machine = motion.machine
    axes = ("x", "y", "angle") if machine.dimension == 2 else ("x", "y", "z")
    wanted: Iterable[str] = (
        *machine.drives,
        *(f"{part}.{axis}" for part in machine.moving for axis in axes),
        *(f"{point}.{axis}" for point in machine.view.traces for axis in "xyz"),
        *(name for name in motion.columns if machine.dimension == 3 and _is_of_a_joint(machine, name)),
        *machine.view.plots,
        *(f"{drive}.effort" for drive in machine.drives),
    )
    return [name for name in dict.fromkeys(wanted) if name in motion.columns]


def _is_of_a_joint(machine: Machine, name: str) -> bool:
    """Whether a column is a coordinate of a joint or its rate, not a force."""
    joint, _, which = name.rpartition(".")
    return joint in machine.joints and which.removesuffix("_rate") in ("angle", "displacement", "length", "s")


def _span(motion: Motion) -> str:
    if not len(motion):
        return ""
    unit = motion.units.get("time", "")
    return f", time {motion.times[0]:.6g} to {motion.times[-1]:.6g} {unit}".rstrip()


def range_rows(motion: Motion | Solution, names: Sequence[str]) -> list[str]:
    """A table of the least and the greatest value of columns."""
    if not len(motion):
        return []
    rows = [("column", "least", "greatest", "unit")]
    for name in names[:MOST_ROWS]:
        column = motion[name]
        rows.append((name, _number(column.min()), _number(column.max()), motion.units.get(name, "")))
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    shown = [
        f"{name:<{widths[0]}}  {low:>{widths[1]}}  {high:>{widths[2]}}  {' '.join(unit.split())}".rstrip()
        for name, low, high, unit in rows
    ]
    left = len(names) - MOST_ROWS
    return shown + ([f"… and {left} more"] if left > 0 else [])


def _number(value: float) -> str:
    """Six digits; what is nothing but rounding is told as 0.

    >>> _number(1e-17), _number(-2.5)
    ('0', '-2.5')
    """
    return f"{0.0 if abs(value) < 1e-12 else value:.6g}"
