"""Parts that lie in or on others so that weight holds them: carriages on V-ways, plates on balls, tapers, pivots.

Faces that all look one way hold nothing by themselves, for the part can be lifted off. Where gravity or forces press it
on, they balance what the faces can push, and those that push hold both ways. What then is left free has to be a turn, a
slide or both, or turns about a point: a part on a plane face may be anywhere on it, which is no pair. Where the file
tells no pull, weight along one of the axes in which the machine was drawn is tried: a V stands upright in these, a
corner that a part merely lies in does not. A pair that would hold up what turned or slid without it is none: what lies
in a notch there is a detent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.recognition.freedom import ROUGH
from linkwork.recognition.groups import Groups, Places, Touch
from linkwork.recognition.joined import LOWER, Joined, Machinery, without_blocked
from linkwork.recognition.touch import Contact
from linkwork.solid.placement import Floats

HELD: Final = ("revolute", "prismatic", "cylindrical", "spherical")
"""What parts do that weight holds in or on others."""
NOTE: Final = "it lies there, and nothing lifts it off"


def settle(groups: Groups) -> None:
    """Let contacts on which parts lie hold both ways, where nothing lifts them off and nothing else is held up."""
    candidates = [
        (places, touched) for places, touched in groups.between().items() if _may_rest(groups, touched)
    ]
    if not candidates:
        return
    found = without_blocked(Machinery.of(groups))
    for places, touched in candidates:
        if places in {each.groups for each in found.joined} or any(
            groups.group_of(place) != place for place in places
        ):
            continue
        trial = next(_resting(groups, places, touched), None)
        if trial is None:
            continue
        before = [
            (touching, own, touching[_key(own)])
            for own, _ in touched
            for touching in (groups.touching, groups.rolling)
            if _key(own) in touching
        ]
        _close(groups, trial)
        after = Machinery.of(groups)
        if _keeps_moving(found, after):
            found = after
            continue
        for touching, own, every in before:
            touching[_key(own)] = every
            groups.resting.pop(own, None)


def _key(parts: Places) -> Places:
    return min(parts), max(parts)


def _may_rest(groups: Groups, touched: Sequence[Touch]) -> bool:
    """Whether contacts of two groups make no pair, though they look into more than one direction."""
    flat = [each for _, each in touched if not each.is_closed and _lies(each, groups.tolerance)]
    normals = np.vstack([np.zeros((0, 3)), *(each.normals for each in flat)])
    if len(normals) < 2 or float((normals @ normals[0]).min()) > 1 - ROUGH:
        return False
    return groups.freedom_of(touched)[1].kind not in (*LOWER, "fixed")


def _resting(groups: Groups, places: Places, touched: Sequence[Touch]) -> Iterator[list[Touch]]:
    """The contacts that hold, for each pull that makes them a pair."""
    for pull, changing in _pulls(groups, places):
        pressed = [_is_pressed(contact, touched, pull, groups.tolerance) for _, contact in touched]
        if not any(pressed):
            continue
        pushed = np.vstack([each.normals for (_, each), on in zip(touched, pressed, strict=True) if on])
        if len(changing) and float(np.abs(pushed @ changing.T).max()) > ROUGH:
            continue
        closed = [
            (own, replace(each, is_closed=True) if on else each)
            for (own, each), on in zip(touched, pressed, strict=True)
        ]
        if groups.freedom_of(closed)[1].kind in HELD:
            yield [each for each, on in zip(closed, pressed, strict=True) if on]


def _pulls(groups: Groups, places: Places) -> Iterator[tuple[Floats, Floats]]:
    """Directions in which the second of two groups is pulled against the first, and those of forces that change."""
    told = False
    for group, way in zip(places, (-1.0, 1.0), strict=True):
        names = groups.names_of([group])
        steady = groups.pulls.steady(names) if group else None
        if steady is not None:
            told = True
            if np.any(steady):
                yield way * steady / np.linalg.norm(steady), groups.pulls.changing(names)
    if not told:
        for axis in groups.axes[::-1]:  # the last of them is up, as most people draw
            yield -axis, np.zeros((0, 3))
            yield axis, np.zeros((0, 3))


def _is_pressed(contact: Contact, touched: Sequence[Touch], pull: Floats, tolerance: float) -> bool:
    """Whether a contact can bear a share of a pull that others balance with it."""
    from scipy.optimize import nnls

    if contact.is_closed or not _lies(contact, tolerance):
        return False
    others = [each.normals for _, each in touched if _lies(each, tolerance)]
    every = np.unique(np.round(np.vstack(others), 9) + 0.0, axis=0).T
    for normal in np.unique(np.round(contact.normals, 9) + 0.0, axis=0):
        share = -float(normal @ pull)
        if share > ROUGH:
            _, rest = nnls(every, -pull - share / 2 * normal)
            if rest < ROUGH:
                return True
    return False


def _lies(contact: Contact, tolerance: float) -> bool:
    """Whether a part lies on another there: without a gap, or as a ball with play in its cup, or a cup on a ball."""
    return contact.gap <= tolerance or contact.kind == "sphere"


def _close(groups: Groups, held: Sequence[Touch]) -> None:
    """Let contacts hold both ways from now on."""
    for own, contact in held:
        key = _key(own)
        kept = contact if key == own else contact.flipped()
        for touching in (groups.touching, groups.rolling):
            if key in touching:
                touching[key] = [
                    replace(each, is_closed=True) if _is_same(each, kept) else each for each in touching[key]
                ]
        groups.resting[own] = NOTE
        groups.resting[own[::-1]] = NOTE


def _is_same(a: Contact, b: Contact) -> bool:
    return a.kind == b.kind and a.points.shape == b.points.shape and bool(np.allclose(a.points, b.points))


def _keeps_moving(before: Machinery, after: Machinery) -> bool:
    """Whether all pairs that moved still do."""
    moved = {each.groups for each in _moving(before)}
    return moved <= {each.groups for each in _moving(after)}


def _moving(machinery: Machinery) -> Iterator[Joined]:
    """The pairs that some motion of the whole machine uses."""
    for each in machinery.parts_in_motion():
        linkage = each.linkage
        for joined, link in zip(each.joined, linkage.links, strict=True):
            if linkage.is_tree or len(linkage.used(link)):
                yield joined
