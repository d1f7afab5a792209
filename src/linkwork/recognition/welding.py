"""Which parts are welded: by the word of the file, pressed in, screwed, round pins, and what holds itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from linkwork.recognition.bearings import weld_bearings
from linkwork.recognition.bolts import weld_bolts
from linkwork.recognition.clamping import lies_across, weld_clamped, weld_split
from linkwork.recognition.freedom import ROUGH
from linkwork.recognition.grips import is_round_but_for_grip
from linkwork.recognition.groups import Groups
from linkwork.recognition.pillars import is_wheel, weld_plates
from linkwork.recognition.snap_rings import is_snap_ring
from linkwork.recognition.touch import Contact
from linkwork.recognition.wishes import OVERLAP, Wishes
from linkwork.solid.placement import Floats, cross


def weld(groups: Groups, wishes: Wishes, tolerance: float) -> None:
    """Weld all that the file says, that is pressed or screwed together, and that holds itself."""
    number = {body.name: place for place, body in enumerate(groups.bodies)}
    for names, wish in wishes.between.items():
        a, b = sorted(number[name] for name in names)
        if wish == "fixed":
            groups.weld(a, b, "the file says so")
        elif wish != OVERLAP:
            groups.apart.add((a, b))
        elif (a, b) in groups.touching:  # a shaft that is too thick is not pressed in
            groups.touching[a, b] = [
                replace(each, kind="shaft") if each.kind == "press" else each
                for each in groups.touching[a, b]
            ]
    for names, why in wishes.one.items():
        first, second = sorted(number[name] for name in names)
        groups.weld(first, second, why)
    every = {number[name]: why for name, why in wishes.fasteners.items()}
    lone = _lone_rivets(groups, every, [number[name] for name in wishes.rivets])
    fasteners = {place: why for place, why in every.items() if place not in lone}
    _weld_pressed(groups, fasteners)
    weld_bearings(groups, tolerance)
    _weld_fasteners(groups, fasteners)
    weld_clamped(groups, fasteners)
    weld_split(groups, fasteners)
    _weld_rings(groups, {number[name] for name in wishes.turning}, tolerance)
    weld_bolts(groups, _round_fits(groups), {number[name] for name in wishes.turning})
    _weld_pins(groups, tolerance)
    _weld_balls(groups)
    weld_held(groups)


def _weld_pressed(groups: Groups, fasteners: Collection[int]) -> None:
    """Weld what is pressed into a hole that is too narrow for it; fasteners are screwed in."""
    for (a, b), touched in groups.touching.items():
        if (a, b) in groups.apart or a in fasteners or b in fasteners:
            continue
        for each in touched:
            if each.kind == "press":
                inner, outer = (b, a) if each.inner else (a, b)
                name, hole = groups.bodies[inner].name, groups.bodies[outer].name
                why = f"{name} is thicker by {-each.gap:.3g} than its hole in {hole}: it is pressed in"
                groups.weld(a, b, why)
                break


def _weld_fasteners(groups: Groups, fasteners: Mapping[int, str]) -> None:
    """Weld screws, bolts and rivets to all that they go through, but for wheels that run loose on them.

    What lies on the face of one, under its head, is held too, however wide the hole or slot is.
    """
    for (a, b), touched in groups.touching.items():
        for place, other in ((a, b), (b, a)):
            shaft = next((each for each in touched if each.kind in ("shaft", "press")), None)
            if place not in fasteners or (a, b) in groups.apart:
                continue
            if shaft is None and (
                not lies_across(groups, touched, groups.bodies[place].round_arrays.axes)
                or _turns_beside(groups, place, other, fasteners)
            ):
                continue
            is_inside = shaft is not None and place == (b if shaft.inner else a)
            if shaft is not None and is_inside and _runs_loose(groups, place, other, shaft):
                continue
            pocket = None if is_inside or other in fasteners else _pocket(groups, place, other, fasteners)
            if pocket is not None:
                _weld_captive(groups, place, pocket)
                break
            name, held = groups.bodies[place].name, groups.bodies[other].name
            groups.weld(a, b, f"{name} holds {held} fast: {fasteners[place]}")
            if other not in fasteners:
                groups.holders.setdefault(place, other)
            break


def _pocket(groups: Groups, nut: int, shaft: int, fasteners: Collection[int]) -> int | None:
    """The part that keeps a nut from turning with a shaft whose thread fits its own, or that fits it plainly."""
    key = min(nut, shaft), max(nut, shaft)
    is_plain = any(each.kind == "shaft" for each in groups.touching[key])
    if not is_plain and groups.thread_of([key], groups.touching[key]) is None:
        return None
    axis = next(each.axis for each in groups.touching[key] if each.axis is not None)
    for (a, b), touched in groups.touching.items():
        other = b if a == nut else a
        if nut in (a, b) and other != shaft and other not in fasteners and (a, b) not in groups.apart:
            left = groups.freedom_of([((a, b), each) for each in touched])[0].basis
            if float(np.abs(left[:, :3] @ axis).max(initial=0.0)) * groups.size < ROUGH:
                return other
    return None


def _weld_captive(groups: Groups, nut: int, pocket: int) -> None:
    """Weld a nut to the part in which it cannot turn; its screw turns in it."""
    if groups.group_of(nut) != groups.group_of(pocket):
        name, part = groups.bodies[nut].name, groups.bodies[pocket].name
        groups.weld(min(nut, pocket), max(nut, pocket), f"{name} sits in {part}, which keeps it from turning")
    groups.holders.setdefault(nut, pocket)


def _turns_beside(groups: Groups, fastener: int, part: int, fasteners: Collection[int]) -> bool:
    """Whether a part is on a shaft along the axis of a fastener that lies on it, as a wheel beside a washer is."""
    rounds = groups.bodies[fastener].round_arrays
    for (a, b), touched in groups.touching.items():
        if part not in (a, b) or (b if a == part else a) in fasteners:
            continue
        for each in touched:
            if each.kind == "shaft" and each.axis is not None and each.middle is not None:
                is_along = np.abs(rounds.axes @ each.axis) > 1 - 1e-6
                away = np.linalg.norm(cross(rounds.points - each.middle, each.axis), axis=1)
                if bool((is_along & (away <= each.radius)).any()):
                    return True
    return False


def _lone_rivets(groups: Groups, fasteners: Collection[int], rivets: Collection[int]) -> set[int]:
    """The rivets that hold parts together that no other fastener does: these turn on them, as blades and bars do."""
    held: dict[int, set[int]] = {place: set() for place in fasteners}
    for (a, b), touched in groups.touching.items():
        if any(each.kind == "shaft" for each in touched):
            for place, other in ((a, b), (b, a)):
                if place in held and other not in held:
                    held[place].add(other)
    return {
        rivet
        for rivet in rivets
        if not any(len(held[rivet] & others) > 1 for place, others in held.items() if place != rivet)
    }


def _runs_loose(groups: Groups, fastener: int, part: int, shaft: Contact) -> bool:
    """Whether a part is round about its fastener and lies neither on it nor on anything else that it holds."""
    assert shaft.axis is not None
    assert shaft.middle is not None
    if shaft.kind == "press" or not groups.bodies[part].is_round(shaft.axis, shaft.middle, groups.tolerance):
        return False
    for (a, b), touched in groups.touching.items():
        if part not in (a, b):
            continue
        other = b if a == part else a
        key = (min(fastener, other), max(fastener, other))
        if other == fastener or any(each.kind in ("shaft", "press") for each in groups.touching.get(key, ())):
            flat = [each for each in touched if each.kind == "plane" and each.gap <= groups.tolerance]
            if any(abs(float(each.normals[0] @ shaft.axis)) > 1 - 1e-6 for each in flat):
                return False
    return True


def weld_held(groups: Groups) -> None:
    """Weld groups that leave each other no freedom, until none is left."""
    changed = True
    while changed:
        changed = False
        for (first, second), touched in groups.between().items():
            if groups.group_of(first) == groups.group_of(second):
                continue
            left, _, _ = groups.freedom_of(touched)
            if left.count == 0:
                (a, b), _ = touched[0]
                names = f"{groups.bodies[a].name} and {groups.bodies[b].name}"
                groups.weld(a, b, f"the surfaces on which {names} touch leave no motion between them")
                changed = True


# ---------------------------------------------------------------------------------- pins and bushings


@dataclass(frozen=True, eq=False)
class _Fit:
    """A shaft in its hole as one of its two parts sees it."""

    gap: float
    partner: int
    is_inside: bool
    axis: Floats
    middle: Floats
    radius: float
    length: float


def _weld_rings(groups: Groups, turning: Collection[int], tolerance: float) -> None:
    """Weld rings to the one part in whose groove they are: snap rings and clips, which only keep others in place."""
    for ring, fits in _round_fits(groups).items():
        fit, (holder, *others) = fits[0], [*dict.fromkeys(fit.partner for fit in fits)]
        body = groups.bodies[ring]
        if others or ring == 0 or ring in turning or groups.group_of(ring) == groups.group_of(holder):
            continue
        if is_snap_ring(body, fit.axis, fit.middle, tolerance) and _with_groove(groups, ring, fits) == holder:
            name = groups.bodies[holder].name
            groups.weld(holder, ring, f"{body.name} is a ring in a groove of {name}, and goes with it")
            groups.holders[ring] = holder


def _weld_pins(groups: Groups, tolerance: float) -> None:
    """Weld round pins and bushings that join several parts to one of them: if they turn in it makes no difference.

    Wheels that are one with their axles come last: between plates that are one with their pillars by then they turn.
    """
    wheels = {
        pin
        for pin, fits in _round_fits(groups).items()
        if all(fit.is_inside for fit in fits)
        and is_wheel(groups.bodies[pin], min(fit.radius for fit in fits))
    }
    _weld_pins_among(groups, tolerance, lambda pin: pin not in wheels)
    weld_plates(groups, [pin for pin in groups.holders if pin not in wheels])
    _weld_pins_among(groups, tolerance, wheels.__contains__)


def _weld_pins_among(groups: Groups, tolerance: float, is_one_of: Callable[[int], bool]) -> None:
    """Weld those of some round pins and bushings."""
    for pin, fits in _round_fits(groups).items():
        if not is_one_of(pin):
            continue
        partners = {groups.group_of(fit.partner) for fit in fits}
        is_pin = all(fit.is_inside for fit in fits)
        is_bushing = not is_pin and any(fit.is_inside for fit in fits)
        if pin == 0 or groups.group_of(pin) in partners or not (is_pin or is_bushing):
            continue
        if not _is_turned(groups, pin, fits, tolerance, is_pin=is_pin):
            continue
        if len(partners) < 2:
            if is_pin and _is_dowel(groups, pin, fits, tolerance):
                _weld_dowel(groups, pin, fits)
            continue
        grooved = _with_groove(groups, pin, fits) if is_bushing else None
        if grooved is not None:
            ring, holder = groups.bodies[pin].name, groups.bodies[grooved].name
            groups.weld(grooved, pin, f"{ring} is a ring in a groove of {holder}, and goes with it")
            groups.holders[pin] = grooved
            continue
        if is_bushing and _sticks_out(groups, pin, fits):
            continue
        tightest = min(fit.gap for fit in fits)
        chosen = [fit for fit in fits if fit.is_inside and (is_bushing or fit.gap <= tightest + tolerance)]
        kept = _with_groove(groups, pin, chosen) if is_pin else None
        outer = min(fit.partner for fit in chosen) if kept is None else kept
        name, partner = groups.bodies[pin].name, groups.bodies[outer].name
        what = _noun(groups, pin, fits[0]) if is_pin else "a round bushing between"
        keeps = "" if kept is None else f", and {partner} keeps it from sliding"
        why = f"{name} is {what} several parts{keeps}; that it turns in {partner} or not makes no difference"
        groups.weld(outer, pin, why)
        if is_pin and any(fit.gap > tightest + tolerance for fit in fits):
            _weld_tight(groups, pin, [fit.partner for fit in chosen if fit.partner != outer])
        if (
            groups.bodies[pin].size <= groups.bodies[outer].size
        ):  # a longer one is an axle, a part in its own right
            groups.holders[pin] = outer


def _is_turned(groups: Groups, pin: int, fits: list[_Fit], tolerance: float, *, is_pin: bool) -> bool:
    """Whether a part is round about all of its fits; a pin may have a head that a tool grips."""
    if is_pin:
        return all(is_round_but_for_grip(groups, pin, fit.axis, fit.middle, fit.radius) for fit in fits)
    return all(groups.bodies[pin].is_round(fit.axis, fit.middle, tolerance) for fit in fits)


def _noun(groups: Groups, pin: int, fit: _Fit) -> str:
    if groups.bodies[pin].is_round(fit.axis, fit.middle, groups.tolerance):
        return "a round pin through"
    return "a pin, round but for what a tool grips, through"


def _is_dowel(groups: Groups, pin: int, fits: list[_Fit], tolerance: float) -> bool:
    """Whether a pin is tight in several parts that are one, and all but a radius of it is within them."""
    heights = groups.surfaces[groups.group_of(pin)].heights(fits[0].axis)
    bare = float(heights[:, 1].max() - heights[:, 0].min()) - sum(fit.length for fit in fits)
    is_tight = min(fit.gap for fit in fits) <= tolerance
    return len({fit.partner for fit in fits}) > 1 and is_tight and bare <= fits[0].radius


def _weld_dowel(groups: Groups, pin: int, fits: list[_Fit]) -> None:
    outer = min(fits, key=lambda fit: (fit.gap, fit.partner)).partner
    name, partner = groups.bodies[pin].name, groups.bodies[outer].name
    groups.weld(
        outer, pin, f"{name} is a dowel: it is tight in {partner}, and ends in parts that are fixed to it"
    )
    groups.holders[pin] = outer


def _with_groove(groups: Groups, ring: int, fits: list[_Fit]) -> int | None:
    """The one part whose faces hold a ring, or a pin with collars, from both sides along its axis, if there is one."""
    found = []
    for partner in dict.fromkeys(fit.partner for fit in fits):
        key = (min(ring, partner), max(ring, partner))
        near = [*groups.touching.get(key, ()), *groups.facing.get(key, ())]
        along = [float(each.normals[0] @ fits[0].axis) for each in near if each.kind == "plane"]
        if any(each > 1 - 1e-6 for each in along) and any(each < -1 + 1e-6 for each in along):
            found.append(partner)
    return found[0] if len(found) == 1 else None


def _weld_tight(groups: Groups, axle: int, partners: list[int]) -> None:
    """Weld parts that sit tight on a round axle that has clearance elsewhere, if no other shaft holds them: wheels.

    Or if another one does so too, as pillars hold a plate.
    """
    for part in partners:
        if part in groups.holders:  # it goes with another part, as a nut does with its pocket
            continue
        beside = [places for places in groups.touching if part in places and axle not in places]
        is_on_pillars = any(_is_beside(groups, axle, part, sum(places) - part) for places in beside)
        if is_on_pillars or all(
            each.kind == "plane" for places in beside for each in groups.touching[places]
        ):
            name, own = groups.bodies[axle].name, groups.bodies[part].name
            groups.weld(part, axle, f"{own} sits tight on {name}, which has clearance in other holes")


def _is_beside(groups: Groups, axle: int, part: int, other: int) -> bool:
    """Whether another shaft is tight in a part as an axle is, and in what the axle is welded to: a second pillar."""

    def is_tight(in_what: int) -> bool:
        touched = groups.touching.get((min(other, in_what), max(other, in_what)), [])
        return any(
            each.kind == "shaft"
            and each.is_closed
            and each.gap <= groups.tolerance
            and bool(each.inner) == (other > in_what)
            for each in touched
        )

    home = groups.members[groups.group_of(axle)]
    return is_tight(part) and any(is_tight(place) for place in home if place not in (axle, other))


def _sticks_out(groups: Groups, bushing: int, fits: list[_Fit]) -> bool:
    """Whether a round part with another in it reaches out of what it is in by more than its radius, as a tube does."""
    axis = fits[0].axis
    own = groups.surfaces[groups.group_of(bushing)].heights(axis)
    for fit in fits:
        if fit.is_inside:
            held = groups.surfaces[groups.group_of(fit.partner)].heights(axis)
            out = max(held[:, 0].min() - own[:, 0].min(), own[:, 1].max() - held[:, 1].max())
            if out > fit.radius:
                return True
    return False


def _weld_balls(groups: Groups) -> None:
    """Weld balls in grooves of several parts to one of them: that they roll makes no difference to these."""
    partners: dict[int, list[int]] = {}
    for (a, b), touched in groups.touching.items():
        for each in touched:
            if each.kind == "groove" and (a, b) not in groups.apart:
                inner, outer = (b, a) if each.inner else (a, b)
                partners.setdefault(inner, []).append(outer)
    for ball, others in partners.items():
        body = groups.bodies[ball]
        held = {groups.group_of(other) for other in others}
        if ball == 0 or len(held) < 2 or groups.group_of(ball) in held or not body.is_ball:
            continue
        outer = min(others)
        name = groups.bodies[outer].name
        why = (
            f"{body.name} is a ball in grooves of several parts; that it rolls in {name} makes no difference"
        )
        groups.weld(outer, ball, why)
        groups.holders[ball] = outer


def _round_fits(groups: Groups) -> dict[int, list[_Fit]]:
    """The shafts and holes of each part that others fit all around; of those without teeth and threads."""
    found: dict[int, list[_Fit]] = {}
    threaded: set[int] = set()
    for (a, b), touched in groups.touching.items():
        threaded |= {a, b} if groups.thread_of([(a, b)], touched) else set()
        for each in touched:
            if each.kind != "shaft" or not each.is_closed or (a, b) in groups.apart:
                continue
            assert each.axis is not None
            assert each.middle is not None
            inner, outer = (b, a) if each.inner else (a, b)
            where = each.axis, each.middle, each.radius, each.length
            found.setdefault(inner, []).append(_Fit(each.gap, outer, True, *where))
            found.setdefault(outer, []).append(_Fit(each.gap, inner, False, *where))
    marked = [place for place in found if any(piece.gear for piece in groups.bodies[place].pieces)]
    return {place: fits for place, fits in found.items() if place not in threaded.union(marked)}
