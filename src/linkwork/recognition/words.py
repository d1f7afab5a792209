"""The reasons of pairs, in words that a person can check against the drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.rounding import Rounding
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import ROLLING, WHEEL, Contact
from linkwork.solid.placement import cross_length


def reason(machinery: Machinery, joined: Joined, tolerance: float) -> str:
    """Why two parts make this pair."""
    groups = machinery.groups
    balls = [each for each in joined.contacts if each.kind in ROLLING]
    places = [*joined.parts]
    if balls and joined.contacts[0] in balls:  # told is what runs on the balls
        places = [
            groups.holders.get(each, each) if k == balls[0].inner else each for k, each in enumerate(places)
        ]
    names = tuple(groups.bodies[place].name for place in places)
    bodies = [groups.bodies[place] for place in joined.parts]
    sentences = [_fit(names, joined, tolerance), *_flat_sides(bodies, joined, tolerance), *joined.notes]
    return "; ".join(each for each in sentences if each)


def _flat_sides(bodies: Sequence[Body], joined: Joined, tolerance: float) -> Iterator[str]:
    """What was taken as round though it has flat sides."""
    contact = next((each for each in joined.contacts if each.kind == "shaft"), None)
    if contact is None:
        return
    for place, body in enumerate(bodies):
        what, radius = "shaft", contact.radius
        if place != contact.inner:
            what, radius = "hole", radius + contact.gap / 2
        flat = next((each for each in body.roundings if _is_on(each, contact, radius, tolerance)), None)
        if flat is not None:
            sides = f"{flat.sides} flat sides, {flat.deviation:.3g} from round at most"
            yield f"the {what} of {body.name} has {sides}"


def _is_on(flat: Rounding, contact: Contact, radius: float, tolerance: float) -> bool:
    """Whether what was taken as round is the surface of this radius at a contact."""
    assert contact.axis is not None
    assert contact.middle is not None
    off = cross_length(np.array(flat.point) - contact.middle, contact.axis)
    return abs(flat.radius - radius) <= tolerance and off <= contact.gap + tolerance


def _fit(names: tuple[str, ...], joined: Joined, tolerance: float) -> str:
    balls = [each for each in joined.contacts if each.kind in ROLLING]
    round_ones = [each for each in joined.contacts if each.kind in ("shaft", "sphere")]
    if round_ones and joined.contacts[0] not in balls:
        first = round_ones[0]
        text = _shaft(names, first, tolerance)
        if joined.kind == "revolute" and joined.left.count == 1 and len(round_ones) == 1:
            text += "; faces on both sides keep it from sliding"
        elif joined.kind == "prismatic" and joined.left.count == 1:
            pinned = any(each.kind == "slot" for each in joined.contacts)
            text += f"; {'a pin in a slot keeps' if pinned else 'other faces keep'} it from turning"
        return text
    if balls:
        return _balls(names, balls, tolerance)
    rings = [each for each in joined.contacts if each.kind == "ring"]
    if rings:
        return _seats(names, rings, tolerance)
    wheels = [each for each in joined.contacts if each.kind == WHEEL]
    if wheels:
        return _wheels(names, wheels, tolerance)
    slots = [each for each in joined.contacts if each.kind in ("slot", "line")]
    if slots:
        return _pins(names, slots, tolerance)
    ways = {tuple(np.round(each.normals[0], 6) + 0.0) for each in joined.contacts}
    play = clearance(joined.contacts, tolerance)
    gap = f" with {play:.3g} of clearance" if play else ""
    if joined.kind == "prismatic":
        beside = [way for way in ways if abs(float(np.array(way) @ joined.axis)) < 1e-6]
        held = f"{names[1]} is held between plane faces of {names[0]} that look in {len(beside)} directions"
        stop = "; another face stops it one way" if len(beside) < len(ways) else ""
        return f"{held}{gap}; it slides along all of them{stop}"
    return f"{names[1]} is held between plane faces of {names[0]}{gap}"


def _balls(names: tuple[str, ...], balls: Sequence[Contact], tolerance: float) -> str:
    """Balls or rollers between two parts: of a bearing, or of a guide."""
    first = balls[0]
    gap = f" with {first.gap:.3g} of clearance" if first.gap > tolerance else ""
    noun = "roller" if first.kind == "race" and first.length else "ball"
    what = f"{len(balls)} {noun}s (radius {first.radius:.6g}) run" if len(balls) > 1 else f"a {noun} runs"
    where = "in grooves between" if first.kind == "groove" else "between"
    return f"{what} {where} {names[0]} and {names[1]}{gap}"


def _wheels(names: tuple[str, ...], lines: Sequence[Contact], tolerance: float) -> str:
    """Wheels of one part on rails of another."""
    told = []
    for inner in dict.fromkeys(each.inner for each in lines):
        own = [each for each in lines if each.inner == inner]
        carrier, rail = (names[::-1] if inner else names)[:2]
        centres = np.array([each.middle for each in own])
        apart = np.linalg.norm(centres[:, None] - centres, axis=2)
        count = sum(apart[place, :place].min(initial=np.inf) > own[place].radius for place in range(len(own)))
        ways = {tuple(np.round(each.normals[0], 6) + 0.0) for each in own}
        what = f"{count} wheels of {carrier} run" if count > 1 else f"a wheel of {carrier} runs"
        look = f" that look in {len(ways)} directions" if len(ways) > 1 else ""
        told.append(f"{what} on faces of {rail}{look}")
    play = clearance(lines, tolerance)
    return ", and ".join(told) + (f" with {play:.3g} of clearance" if play else "")


def _seats(names: tuple[str, ...], rings: Sequence[Contact], tolerance: float) -> str:
    """Cones and what is in them: points in cups, tapers, centres."""
    first = rings[0]
    assert first.axis is not None
    inner, outer = (names[::-1] if first.inner else names)[:2]
    ways = {bool(each.normals.mean(axis=0) @ first.axis > 0) for each in rings}
    play = clearance(rings, tolerance)
    gap = f" with {play:.3g} of clearance" if play else ""
    if len(ways) > 1:
        return f"{inner} is held between conical seats of {outer}, from both sides{gap}"
    return f"{inner} is in a conical seat of {outer}{gap}"


def clearance(contacts: Sequence[Contact], tolerance: float) -> float:
    """The play of a fit in diameter, or between planes; 0 if there is none. That of lines around a shaft is a mean.

    What a shaft is told by is its play across its axis, however far faces beside it let it slide.
    Of faces that look the same way only the tightest counts, for it stops first; of two that look at one another
    with the part between them, how far it may go from one to the other.
    """
    fits = [each for each in contacts if each.kind in ("shaft", "sphere", *ROLLING)]
    fits = fits or [each for each in contacts if each.kind not in ("slot", "line")] or [*contacts]
    plays = [each.gap for each in fits if each.kind not in ("line", "plane")]
    plays += _plays_between([each for each in fits if each.kind == "plane"])
    lines = [2 * each.gap for each in fits if each.kind == "line"]
    plays += [sum(lines) / len(lines)] if lines else []
    return max((each for each in plays if each > tolerance), default=0.0)


def _plays_between(faces: Sequence[Contact]) -> list[float]:
    """How far a part may go across each way in which plane faces stop it."""
    faces = sorted(faces, key=lambda each: each.gap)
    ways = np.array([each.normals[0] for each in faces]).reshape(-1, 3)
    alike = ways @ ways.T > 1 - PARALLEL
    first = [place for place in range(len(faces)) if not alike[place, :place].any()]
    across = ways @ ways.T < PARALLEL - 1
    return [faces[place].gap + sum(faces[far].gap for far in first if across[place, far]) for place in first]


def _pins(names: tuple[str, ...], slots: Sequence[Contact], tolerance: float) -> str:
    """Round bars between plane faces: a shaft in a hole of flat sides, or pins in a slot."""
    first = slots[0]
    inner, outer = (names[::-1] if first.inner else names)[:2]
    play = clearance(slots, tolerance)
    gap = f" with {play:.3g} of clearance" if play else ""
    looks = {tuple(np.round(way, 6) + 0.0) for each in slots for way in each.normals}
    size = f"(radius {first.radius:.6g})"
    if (len(looks) > 2 and first.centre is None) or first.kind == "line":
        faces = f"plane faces of {outer} that look in {len(looks)} directions"
        return f"the shaft {inner} {size} {'is held between' if len(looks) > 2 else 'lies on'} {faces}{gap}"
    many = len(slots) > 1
    pins = f"{len(slots)} pins of {inner}" if many else f"a pin of {inner}"
    slot = "a slot" if first.centre is None else "a curved slot"
    return f"{pins} {size} {'are' if many else 'is'} in {slot} of {outer}{gap}"


def _shaft(names: tuple[str, ...], contact: Contact, tolerance: float) -> str:
    inner = names[1] if contact.inner else names[0]
    outer = names[0] if contact.inner else names[1]
    own, theirs = (contact.labels[::-1]) if contact.inner else contact.labels
    shaft = f"{own} of {inner}" if own and own != inner else inner
    noun, place = ("shaft", "hole") if contact.kind == "shaft" else ("ball", "socket")
    hole = f"the {place} {theirs} of {outer}" if theirs and theirs != outer else f"a {place} of {outer}"
    text = f"the {noun} {shaft} (radius {contact.radius:.6g}) fits {hole}"
    return text + (f" with {contact.gap:.3g} of clearance" if contact.gap > tolerance else "")
