"""What recognition found, in words: each pair with its reason, what moves, what may touch."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Final

from linkwork.model.part import GROUND

if TYPE_CHECKING:
    from linkwork.recognition.finding import Recognition
    from linkwork.recognition.pair import Pair
    from linkwork.recognition.subsystems import Subsystem

WIDTH: Final = 110
"""Letters in a line, at most."""


def report(found: Recognition) -> str:
    """All that was found, for people."""
    title = [] if found.given is None else [found.given.title or found.given.name, ""]
    lines = [*title, _indented(f"{_standing(found)}{_plane(found)}", "")]
    for name, count in found.separate.items():
        lines.append(f"{name} falls into {count} pieces that do not hang together")
    for pair in found.pairs:
        lines += ["", _heading(pair), _indented(pair.why)]
    for weld in found.welds:
        lines += ["", f"fixed  {weld.parts[0]} and {weld.parts[1]}", _indented(weld.why)]
    lines.append("")
    for number, each in enumerate(found.subsystems, start=1):
        moves = f"{each.mobility} motion{'' if each.mobility == 1 else 's'}"
        variables = f", told by {', '.join(map(str, each.variables))}" if each.variables else ""
        loose = f"; nothing joins it to {found.ground}" if _is_loose(found, each) else ""
        locked = f"; {', '.join(each.locked)} cannot move: they hold one another up" if each.locked else ""
        told = f"subsystem {number}: {', '.join(each.parts)}; {moves}{variables}{loose}{locked}"
        lines.append(_indented(told, ""))
    if found.interactions:
        lines += ["", "may touch"]
        for touch in found.interactions:
            lines.append(_hanging(f"{' and '.join(touch.parts)}: {_solids(touch.primitives)}"))
            if touch.why:
                lines.append(_indented(touch.why, "    "))
    return "\n".join(lines) + "\n"


def _standing(found: Recognition) -> str:
    """What stands still, unless that is an empty ground."""
    is_empty = found.ground == GROUND and GROUND not in found.solids and bool(found.solids)
    return "no part stands still" if is_empty else f"{found.ground} stands still"


def _is_loose(found: Recognition, subsystem: Subsystem) -> bool:
    """Whether pairs join parts of a subsystem with one another, but none of them with the frame."""
    frame, own = {*found.groups[0]}, {*subsystem.parts}
    pairs = [{*pair.parts} for pair in found.pairs if own & {*pair.parts}]
    return bool(pairs) and not any(frame & parts for parts in pairs)


def _plane(found: Recognition) -> str:
    """In which plane the others move, or why in none."""
    if len(found.groups) == 1:
        return ""
    if found.plane is None:
        return f"; the others move in space, for {found.in_space}"
    across = "of x and y" if found.plane == (0.0, 0.0, 1.0) else f"across ({_numbers(found.plane)})"
    return f"; all others move in the plane {across}"


def _heading(pair: Pair) -> str:
    where = f"  axis ({_numbers(pair.axis)})" if pair.axis is not None else ""
    where += f" through ({_numbers(pair.point)})" if pair.point is not None else ""
    ratio = f"  ratio {pair.ratio:.6g}" if pair.ratio is not None else ""
    return f"{pair.kind}  {pair.parts[0]} and {pair.parts[1]}{where}{ratio}"


def _numbers(values: tuple[float, ...]) -> str:
    return ", ".join(f"{round(value, 9) + 0.0:.6g}" for value in values)


def _indented(text: str, indent: str = "  ") -> str:
    return fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent or "  ")


def _hanging(text: str) -> str:
    return fill(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _solids(pairs: tuple[tuple[str, str], ...]) -> str:
    """Which solids may touch which: those that may touch the same ones together."""
    partners: dict[str, list[str]] = {}
    for own, theirs in pairs:
        partners.setdefault(own, []).append(theirs)
    alike: dict[tuple[str, ...], list[str]] = {}
    for own, others in partners.items():
        alike.setdefault(tuple(others), []).append(own)
    return "; ".join(f"{', '.join(own)} with {', '.join(others)}" for others, own in alike.items())
