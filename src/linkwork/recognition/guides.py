"""Pins that slots guide: told of parts that may touch, and joints where the file says so."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.groups import Groups, Places
from linkwork.recognition.mesh import Solids
from linkwork.recognition.mobility import Position
from linkwork.recognition.slots import AND
from linkwork.recognition.touch import Contact
from linkwork.solid.placement import Floats, cross


@dataclass(frozen=True, eq=False)
class Guide:
    """A pin in a slot as a joint: a point of the axis of the pin stays in the plane halfway between the sides.

    The first of the groups and parts has the slot, the second the pin; ``axis`` is across the sides.
    """

    groups: Places
    parts: Places
    axis: Floats
    point: Floats
    solids: frozenset[frozenset[Solids]]
    why: str
    centre: Floats | None = None
    """Of a curved slot: the point about which it is bent, at the height of ``point``."""
    kind: str = "slot"


def guides(groups: Groups, wanted: Collection[frozenset[str]], tolerance: float) -> list[Guide]:
    """The slots of parts of which the file says that they are joints."""
    found: list[Guide] = []
    for names in wanted:
        places = tuple(sorted(place for place, body in enumerate(groups.bodies) if body.name in names))
        own = [each for each in groups.touching.get((places[0], places[1]), ()) if each.kind == "slot"]
        if not own:
            raise _no_slot((groups.bodies[places[0]].name, groups.bodies[places[1]].name))
        found += [_guide(groups, (places[0], places[1]), each, tolerance) for each in own]
    return found


def _guide(groups: Groups, places: Places, contact: Contact, tolerance: float) -> Guide:
    holder, pin = places if contact.inner else places[::-1]
    assert contact.middle is not None
    labels = contact.labels if contact.inner else contact.labels[::-1]
    slot, own = groups.bodies[holder].name, groups.bodies[pin].name
    sides = [frozenset(((slot, side or slot), (own, labels[1] or own))) for side in labels[0].split(AND)]
    return Guide(
        (groups.group_of(holder), groups.group_of(pin)),
        (holder, pin),
        contact.normals[0],
        contact.middle,
        frozenset(sides),
        f"{_fit(groups, places, contact, tolerance)}; the file says that it is a joint",
        contact.centre,
    )


def slot_reasons(
    groups: Groups, joined: Collection[Places], tolerance: float
) -> Iterator[tuple[Places, str]]:
    """The pairs of parts that no pair joins of which a pin of one is in a slot of the other, and what is to be said."""
    for (a, b), touched in groups.touching.items():
        both = groups.group_of(a), groups.group_of(b)
        slots = [each for each in touched if each.kind == "slot"]
        if slots and both[0] != both[1] and both not in joined and both[::-1] not in joined:
            fits = dict.fromkeys(_fit(groups, (a, b), each, tolerance) for each in slots)
            word = f'"{groups.bodies[a].name}/{groups.bodies[b].name}" = "slot"'
            yield (
                (a, b),
                f"{'; '.join(fits)}; it slides and turns there: a contact, which simulate --contact looks at, "
                f"or a joint if the file says {word}",
            )


def _fit(groups: Groups, places: Places, contact: Contact, tolerance: float) -> str:
    inner, outer = (groups.bodies[place].name for place in (places[::-1] if contact.inner else places))
    own, theirs = contact.labels[::-1] if contact.inner else contact.labels
    noun = own if "pin" in own.lower() else f"pin {own}".strip()
    pin = f"{noun} of {inner}" if own and own != inner else f"pin {inner}"
    slot = f"a {'' if contact.centre is None else 'curved '}slot of {outer}"
    if theirs and theirs != outer:
        slot = f"between {theirs} of {outer}" if AND in theirs else f"the slot {theirs} of {outer}"
    play = f" with {contact.gap:.3g} of clearance" if contact.gap > tolerance else ""
    return f"the {pin} (radius {contact.radius:.6g}) fits {slot}{play}"


def guide_rows(
    guide: Guide,
    rates: Floats,
    numbers: Places,
    position: Position,
    point: Floats,
    centre: Floats | None = None,
) -> Floats:
    """How fast the pin leaves the middle of its slot, for velocities of all bodies in rows; 0 for what a joint allows.

    ``rates`` has six numbers for each body in this position; ``point`` is the pin as drawn in their lengths, ``centre``
    that of a curved slot.
    """
    holder, pin = numbers
    across = position.turns[holder] @ guide.axis
    place = position.turns[pin] @ point + position.shifts[pin]
    if centre is not None:
        across = place - position.turns[holder] @ centre - position.shifts[holder]
    relative = rates[:, pin] - rates[:, holder]
    found: Floats = (relative[:, 3:] + cross(relative[:, :3], place)) @ across
    return found


def _no_slot(names: tuple[str, str]) -> RecognitionError:
    error = RecognitionError(
        f"no pin of {names[0]} or {names[1]} is in a slot of the other",
        got=f'"{names[0]}/{names[1]}" = "slot"',
        wanted="a round pin between two sides that look at each other, plane ones or round ones about one axis",
        fix=f'"{names[0]}/{names[1]}" = "contact"',
    )
    error.where = ("joint", f"{names[0]}/{names[1]}")
    return error
