"""Which of several fits on one axis turn: a wheel on a spindle that turns itself goes with it, unless something tells.

A key, a press fit and a set screw are known before. What sits tight on a spindle that has clearance in its bearings
goes with it. Of a round part nobody sees whether it turns on a spindle that turns too, or whether a round one between
others turns in this or in that: one such turn is no motion of the machine, and the part is made one with what it fits
no worse than anything else there. A part with a spring, friction or a drive of its own turns by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from linkwork.recognition.idle import Excited
from linkwork.recognition.joined import Joined, Machinery, again
from linkwork.recognition.spindles import is_on_line
from linkwork.recognition.telescopes import is_round, is_telescope
from linkwork.recognition.touch import ROLLING

TURNING = ("revolute", "cylindrical")


def weld_unseen_turns(
    machinery: Machinery, exciting: Callable[[Machinery], Excited], seen: Collection[str], tolerance: float
) -> Machinery:
    """Weld what turns on a spindle as well as with it, where that makes no difference or it sits tight."""
    turning = [each for each in machinery.joined if each.kind in TURNING]
    if len(turning) < 2:
        return machinery
    excited = exciting(machinery)
    for group in sorted({group for each in turning for group in each.groups if group}):
        names = machinery.groups.names_of([group])
        own = [each for each in machinery.joined if group in each.groups and not each.is_of_faces]
        if (
            not own
            or {*names} & {*seen}
            or machinery.groups.is_guided(group)
            or not _are_on_one_line(own, tolerance)
        ):
            continue
        chosen = _through(machinery, group, own, tolerance) or _on_spindle(machinery, group, own, tolerance)
        if chosen is None or any(is_telescope(machinery, tolerance, each) for each in own):
            continue
        if not any(excited(frozenset((group,)), each.axis, each) for each in own):
            joined, why = chosen
            machinery.groups.weld(*joined.parts, why)
            return weld_unseen_turns(again(machinery.groups), exciting, seen, tolerance)
    return machinery


def _are_on_one_line(own: Sequence[Joined], tolerance: float) -> bool:
    """Whether some pairs all turn about one line."""
    return all(each.kind in TURNING and is_on_line(each, own[0], tolerance) for each in own)


def gap_of(joined: Joined) -> float:
    """The clearance of the fit about which a pair turns."""
    return max((each.gap for each in joined.contacts if each.axis is not None), default=0.0)


def _is_plain(machinery: Machinery, group: int, joined: Joined, tolerance: float) -> bool:
    """Whether a group is round about the axis of a pair, without marks of gears."""
    bodies = [machinery.groups.bodies[place] for place in machinery.groups.members[group]]
    if any(piece.gear for body in bodies for piece in body.pieces) or any(
        body.has_threads for body in bodies
    ):
        return False
    return is_round(machinery.groups, group, joined, tolerance)


def _through(
    machinery: Machinery, group: int, own: Sequence[Joined], tolerance: float
) -> tuple[Joined, str] | None:
    """Of a round part that turns in several others the fit that is the tightest, and what is said of it.

    One on balls or rollers was given these to turn there.
    """
    rolls = any(each.kind in ROLLING for joined in own for each in joined.contacts)
    if len(own) < 2 or rolls or not _is_plain(machinery, group, own[0], tolerance):
        return None
    least = min(map(gap_of, own))
    chosen = min(
        (each for each in own if gap_of(each) <= least + tolerance),
        key=lambda each: min({*each.groups} - {group}),
    )
    name, partner = _names(machinery, group, chosen)
    return (
        chosen,
        f"{name} is round and turns in several parts; that it turns in {partner} or not makes no difference",
    )


def _on_spindle(
    machinery: Machinery, group: int, own: Sequence[Joined], tolerance: float
) -> tuple[Joined, str] | None:
    """The fit of a part on a spindle that turns about the same line in something else, if they go as one."""
    fit = own[0]
    (spindle,) = {*fit.groups} - {group}
    others = [
        each
        for each in machinery.joined
        if spindle and spindle in each.groups and each is not fit and is_on_line(each, fit, tolerance)
    ]
    bearings = [each for each in others if each.kind in TURNING and is_bearing(machinery, each, spindle)]
    if len(own) > 1 or not bearings:
        return None
    name, partner = _names(machinery, group, fit)
    loosest, tightest = (choose(map(gap_of, bearings)) for choose in (max, min))
    if gap_of(fit) <= tolerance < tightest:
        return fit, f"{name} sits tight on {partner}, which has clearance where it turns"
    if gap_of(fit) <= loosest + tolerance and _is_plain(machinery, group, fit, tolerance):
        return (
            fit,
            f"{name} is round and sits on {partner}, which turns: that it turns on it too makes no difference",
        )
    return None


def is_bearing(machinery: Machinery, joined: Joined, spindle: int) -> bool:
    """Whether a spindle turns there in the frame, or in what other pairs hold too; not in another wheel on it."""
    (other,) = {*joined.groups} - {spindle}
    return other == 0 or sum(other in each.groups for each in machinery.joined) > 1


def _names(machinery: Machinery, group: int, joined: Joined) -> tuple[str, str]:
    """The name of the part of a group in a pair, and that of the other."""
    names = [machinery.groups.bodies[place].name for place in joined.parts]
    return (names[0], names[1]) if joined.groups[0] == group else (names[1], names[0])
