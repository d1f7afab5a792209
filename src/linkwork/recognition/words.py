"""The reasons of pairs, in words that a person can check against the drawing."""

from __future__ import annotations

import numpy as np

from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.touch import Contact


def reason(machinery: Machinery, joined: Joined, tolerance: float) -> str:
    """Why two parts make this pair."""
    names = tuple(machinery.groups.bodies[place].name for place in joined.parts)
    sentences = [_fit(names, joined, tolerance), *joined.notes]
    return "; ".join(each for each in sentences if each)


def _fit(names: tuple[str, ...], joined: Joined, tolerance: float) -> str:
    round_ones = [each for each in joined.contacts if each.kind in ("shaft", "sphere")]
    if round_ones:
        first = round_ones[0]
        text = _shaft(names, first, tolerance)
        if joined.kind == "revolute" and joined.left.count == 1 and len(round_ones) == 1:
            text += "; faces on both sides keep it from sliding"
        elif joined.kind == "prismatic" and joined.left.count == 1:
            text += "; other faces keep it from turning"
        return text
    ways = {tuple(np.round(each.normals[0], 6) + 0.0) for each in joined.contacts}
    if joined.kind == "prismatic":
        beside = [way for way in ways if abs(float(np.array(way) @ joined.axis)) < 1e-6]
        held = f"{names[1]} is held between plane faces of {names[0]} that look in {len(beside)} directions"
        stop = "; another face stops it one way" if len(beside) < len(ways) else ""
        return f"{held}; it slides along all of them{stop}"
    return f"{names[1]} is held between plane faces of {names[0]}"


def _shaft(names: tuple[str, ...], contact: Contact, tolerance: float) -> str:
    inner = names[1] if contact.inner else names[0]
    outer = names[0] if contact.inner else names[1]
    own, theirs = (contact.labels[::-1]) if contact.inner else contact.labels
    shaft = f"{own} of {inner}" if own and own != inner else inner
    noun, place = ("shaft", "hole") if contact.kind == "shaft" else ("ball", "socket")
    hole = f"the {place} {theirs} of {outer}" if theirs and theirs != outer else f"a {place} of {outer}"
    text = f"the {noun} {shaft} (radius {contact.radius:.6g}) fits {hole}"
    return text + (f" with {contact.gap:.3g} of clearance" if contact.gap > tolerance else "")
