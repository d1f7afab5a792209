"""Whether a contact of a part holds it: without a gap, or from both sides with no more play than a fit may have."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import CLEARANCE, FLAT, ONE_SIDED, Contact
from linkwork.solid.placement import Floats, Triple, triple

WEDGES = 8
"""Of how many directions, those with the least gaps first, faces are looked at that may wedge a part together."""


def is_held(contact: Contact, others: Sequence[Contact], tolerance: float) -> bool:
    """Whether a contact has no gap, or faces others across the part between them that hold from one side too."""
    if contact.kind not in ONE_SIDED or contact.gap <= tolerance:
        return True
    if contact.kind == "ring":
        return any(_hold_along(contact, other) for other in others if other.kind in ("ring", "plane"))
    flat = [other for other in others if other.kind in FLAT and other is not contact]
    if any(_hold_between(contact, other) for other in flat) or _is_wedged(contact, flat):
        return True
    if contact.kind == "line":
        return False
    return any(other.kind == "shaft" and other.is_closed and _is_flat_of(contact, other) for other in others)


def _is_flat_of(contact: Contact, shaft: Contact) -> bool:
    """Whether a plane contact is that of a flat on a shaft, as of a D, with less play than a fit may have."""
    assert shaft.axis is not None
    assert shaft.middle is not None
    normal = contact.normals[0]
    if abs(float(normal @ shaft.axis)) > PARALLEL:
        return False
    off = abs(float((contact.points[0] - shaft.middle) @ normal))
    return off < shaft.radius and contact.gap + shaft.gap / 2 <= CLEARANCE * 2 * shaft.radius


def _hold_between(a: Contact, b: Contact) -> bool:
    """Whether two contacts face opposite ways, with less play between them than a fit may have."""
    return a.gap + b.gap <= CLEARANCE * width_between(a, b)


def _hold_along(ring: Contact, other: Contact) -> bool:
    """Whether a contact holds a part against a ring, along the axis of this, with less play than the ring is wide."""
    assert ring.axis is not None
    lean, back = (float(each.normals.mean(axis=0) @ ring.axis) for each in (ring, other))
    if lean * back >= -PARALLEL or (
        other.axis is not None and abs(float(other.axis @ ring.axis)) < 1 - PARALLEL
    ):
        return False
    play = ring.gap / abs(lean) + other.gap / abs(back)
    return play <= CLEARANCE * 2 * ring.radius


def width_between(a: Contact, b: Contact) -> float:
    """How wide the space is between two plane contacts that face opposite ways; 0 if they do not."""
    normal = a.normals[0]
    if normal @ b.normals[0] > -1 + PARALLEL:
        return 0.0
    between = float((b.points[0] - a.points[0]) @ normal)
    return between if between > 0 else a.gap + b.gap - between  # as seen from the part that is inside


def _is_wedged(contact: Contact, others: Sequence[Contact]) -> bool:
    """Whether two or three others that look aslant hold a part against a contact, as in a dovetail.

    If -n = Σ y n', y > 0, the part can leave the contact by no more than Σ y g', with the gaps of the others.
    """
    normal = contact.normals[0]
    if not any(-1 + PARALLEL < float(each.normals[0] @ normal) < -PARALLEL for each in others):
        return False
    tightest: dict[Triple, Contact] = {}
    for other in sorted(others, key=lambda each: each.gap):
        tightest.setdefault(triple(np.round(other.normals[0], 6)), other)
    leaning = [each for each in tightest.values() if abs(float(each.normals[0] @ normal)) < 1 - PARALLEL]
    for count in (2, 3):
        for some in combinations(leaning[:WEDGES], count):
            ways = np.array([each.normals[0] for each in some])
            shares = np.linalg.lstsq(ways.T, -normal, rcond=None)[0]
            if np.all(shares > PARALLEL) and np.abs(shares @ ways + normal).max() < PARALLEL:
                play = contact.gap + float(shares @ [each.gap for each in some])
                if play <= CLEARANCE * _wedged_width(contact, some, shares):
                    return True
    return False


def _wedged_width(contact: Contact, others: Sequence[Contact], shares: Floats) -> float:
    """How wide what is wedged is across a contact; of a bar the sum of its radii, as its gaps are summed up."""
    if contact.kind == "line":
        return contact.radius * (1 + float(shares.sum()))
    heights = np.vstack([contact.points, *(each.points for each in others)]) @ contact.normals[0]
    return float(np.ptp(heights))
