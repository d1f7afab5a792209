"""What collides, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwork.collision.compare import Clash
    from linkwork.collision.travel import Clashes


def report(found: Clashes) -> str:
    """The ways that were looked at, and what collides on them."""
    lines = [found.machine.title or found.machine.name, ""]
    if not found.ways:
        return "\n".join([*lines, *_still(found)]) + "\n"
    for drive, first, last, status in found.ways:
        lines.append(f"{drive} from {_shown(first)} to {_shown(last)}{_ended(status)}")
    lines += ["", *(_told(each, is_angle=each.drive in found.turning) for each in found.clashes)]
    if not found.clashes:
        lines.append("nothing collides")
    return "\n".join(lines) + "\n"


def _still(found: Clashes) -> list[str]:
    """What is said where no joint lets anything move."""
    free = [name for name in found.machine.moving if name in found.machine.parts]
    if not free:
        return ["nothing moves, so nothing collides: all parts are fixed to one another"]
    names = ", ".join(free)
    return [
        f"no joint moves, so nothing collides on the way of one; free: {names}",
        "what free parts strike is told by linkwork simulate with --contact rigid",
    ]


def _ended(status: str) -> str:
    """What is said of the end of a way."""
    if status == "complete":
        return ""
    if status == "cut short":
        return ", cut short: its slowest wheel has not made a turn"
    return f", where it stops: {status}"


def _shown(value: float) -> str:
    """A value as it is printed, without the sign of a zero.

    >>> _shown(-0.0), _shown(-1.5)
    ('0', '-1.5')
    """
    return f"{value + 0.0:.6g}"


def _told(each: Clash, *, is_angle: bool) -> str:
    where = ", ".join(f"{round(value, 9) + 0.0:.4g}" for value in each.point)
    degrees = f" ({math.degrees(each.at):.4g} deg)" if is_angle else ""
    out = ""
    if each.out is not None:
        shift = ", ".join(f"{round(value, 9) + 0.0:.4g}" for value in each.out)
        out = f"; {each.parts[1]} would be clear there if it were {math.hypot(*each.out):.4g} away, by ({shift})"
    return (
        f"{each.parts[0]} and {each.parts[1]} collide from {each.drive} = {_shown(each.at)}{degrees} "
        f"to {_shown(each.until)}, deepest by {each.depth:.4g} at {_shown(each.deepest_at)}, near ({where}){out}"
    )
