"""Which contacts with play hold: those whose gap is closed at once by a motion that better fits leave.

The best fits say how a part can move: first what has no play, then round fits, the longest for their play first, then
others, the tightest first. They hold as a whole until what they leave free is a turn, a slide or both. From then on a
face that is only near another one takes a motion away if that motion brings the two together within what a fit may
have. A key in its way does; the rim of a flap that turns past its frame does not, nor the disc of a valve that turns in
a pipe. Whether they come together is seen by moving points of each part along the twist that brings them nearer the
fastest: they have to arrive in the material of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.freedom import ROUGH, Freedom, about, back, moved_by, shifts_and_turns
from linkwork.recognition.touch import CLEARANCE, ONE_SIDED, Contact
from linkwork.solid.placement import Floats
from linkwork.solid.values import Inside

Touched = tuple[tuple[Body, Body], Contact]
"""Two parts, and a contact with the normals from the first to the second."""
Left = Callable[[Sequence[Contact]], tuple[Freedom, str]]
"""What contacts leave free, and the pair that this is."""
GUIDED: Final = ("revolute", "prismatic", "cylindrical", "spherical")
"""Pairs that looser fits lessen only where they are closed at once."""
TURN: Final = CLEARANCE
"""How far a part may turn, in radians, before its fit stops it: the play of a fit as a part of its length."""
STEPS: Final = 10
"""In how many steps it is turned so far."""


def holding(touched: Sequence[Touched], left_by: Left, tolerance: float) -> list[list[Contact]]:
    """What each contact adds to those that fit better: itself, or parts of it; nothing if it holds nowhere."""
    found = [[each] if _play(each) <= tolerance else [] for _, each in touched]
    loose = [place for place, each in enumerate(found) if not each]
    if not loose:
        return found
    least = left_by([each for _, each in touched])[0].count
    for places in _levels(touched, loose, tolerance):
        held = [piece for pieces in found for piece in pieces]
        left, kind = left_by(held) if held else (None, "")
        for place in places:
            bodies, contact = touched[place]
            is_whole = left is None or left.count == least or kind not in GUIDED
            found[place] = [contact] if is_whole or left is None else _pieces(bodies, contact, left.basis)
    return found


def _play(contact: Contact) -> float:
    """How far a surface in the middle of its fit is from the other."""
    return contact.gap if contact.kind in ONE_SIDED else contact.gap / 2


def _levels(touched: Sequence[Touched], places: Sequence[int], tolerance: float) -> Iterator[list[int]]:
    """The places of contacts, those that fit best first; those that fit alike together."""

    def order(place: int) -> tuple[bool, float]:
        contact = touched[place][1]
        if contact.kind in (*ONE_SIDED, "slot"):  # they hold with others, from several sides
            return True, round(_play(contact) / tolerance)
        return False, round(_play(contact) / (contact.length or contact.radius), 9)

    for _, level in groupby(sorted(places, key=order), order):
        yield [*level]


def _pieces(bodies: tuple[Body, Body], contact: Contact, space: Floats) -> list[Contact]:
    """What a contact holds of a space of twists: shifts, as far as it stands across them, and turns that close it."""
    centre = contact.points.mean(axis=0)
    size = float(np.linalg.norm(contact.points - centre, axis=1).max()) + _play(contact)
    shifts, turns = shifts_and_turns(space, centre, size)
    across = contact.normals @ shifts.T @ shifts
    rates = about(contact.rows(), centre, size) @ turns.T
    stops, turned = (np.linalg.norm(each, axis=1) > ROUGH for each in (across, rates))
    if not (stops | turned).any():
        return [contact]
    found = []
    if stops.any():
        at_centre = np.tile(centre, (int(stops.sum()), 1))
        found.append(replace(contact, points=at_centre, normals=across[stops]))
    closed = turned.copy()
    if turned.any():
        twists = back(-rates[turned] @ turns, centre, size)
        closed[turned] = _close(bodies, contact.at(turned), twists)
    return [*found, contact.at(closed)] if closed.any() else found


def _close(bodies: tuple[Body, Body], contact: Contact, twists: Floats) -> Inside:
    """Whether twists of the second part, one for each point of a contact, bring it into the material of the other."""
    own, others = _surfaces(contact)
    found = np.zeros(len(twists), dtype=bool)
    for angle in TURN * (np.arange(STEPS) + 1) / STEPS:
        found |= bodies[0].membership.contains(moved_by(twists, angle, others))
        found |= bodies[1].membership.contains(moved_by(twists, -angle, own))
    return found


def _surfaces(contact: Contact) -> tuple[Floats, Floats]:
    """The points of a contact on the surface of the first part, and on that of the second."""
    points, away = contact.points, _play(contact) * contact.normals
    is_on_first = contact.kind == "plane" or contact.inner == 1
    return (points, points + away) if is_on_first else (points - away, points)
