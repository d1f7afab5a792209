"""Wheels that run on rails: what carries them is held by the rails as if it touched these itself.

A wheel touches a plane face along a line of its rim or of a flank of its groove. It turns under what it carries, and
the line stays where it is: so what it may not do against the rail, its carrier may not do either. Wheels with a V
groove on the edges of a rail, from both sides or pressed on by weight, leave a slide; wheels on a floor no pair.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.body import Body, near
from linkwork.recognition.groups import Groups, Places
from linkwork.recognition.held import is_held
from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import CLEARANCE, WHEEL, Contact
from linkwork.solid import RoundFace
from linkwork.solid.placement import Floats, cross
from linkwork.solid.surface import TURN
from linkwork.solid.values import Inside

PLACES: Final = (np.arange(9) + 0.5) / 9
"""Where along its flank a wheel is looked at, as parts of the length."""
TURNING: Final = ("revolute", "cylindrical")


def lend_wheels(groups: Groups) -> None:
    """Give what carries wheels their contacts with rails, where it is not joined with these otherwise."""
    if not _may_run(groups):
        return
    machinery = Machinery.of(groups)
    joined = {each.groups for each in machinery.joined}
    found: dict[Places, list[Contact]] = {}
    for wheel, carrier, turn in _wheels(groups, machinery.joined):
        flanks = _flanks(groups.bodies[wheel], turn, groups.tolerance)
        play = CLEARANCE * max((max(each.radius, each.far_radius) for each in flanks), default=0.0)
        own = groups.group_of(carrier)
        for rail, body in enumerate(groups.bodies):
            if not flanks or not near(body, groups.bodies[wheel], play + groups.tolerance):
                continue
            other = groups.group_of(rail)
            if other in (own, groups.group_of(wheel)) or (min(own, other), max(own, other)) in joined:
                continue
            if not groups.are_apart(own, other):
                key = min(carrier, rail), max(carrier, rail)
                for each in _on_faces(body, groups.bodies[wheel], flanks, play, groups.tolerance):
                    found.setdefault(key, []).append(each if key[0] == rail else each.flipped())
    for key, every in found.items():
        held = [each for each in every if is_held(each, every, groups.tolerance)]
        if held:
            groups.rolling[key] = held


def _may_run(groups: Groups) -> bool:
    """Whether anything lies along a plane face with a line of it: a bar that was seen to, or a cone that may."""
    every = [each for found in (groups.touching, groups.facing) for some in found.values() for each in some]
    return any(each.kind == "line" for each in every) or any(
        not body.round_arrays.are_cylinders.all() for body in groups.bodies
    )


def drop_idle_wheels(groups: Groups) -> None:
    """Take back what was lent where it made no pair: such wheels only touch."""
    if groups.rolling:
        joined = {each.groups for each in Machinery.of(groups).joined}
        for a, b in [*groups.rolling]:
            first, second = sorted((groups.group_of(a), groups.group_of(b)))
            if (first, second) not in joined:
                del groups.rolling[a, b]


def _wheels(groups: Groups, joined: Sequence[Joined]) -> Iterator[tuple[int, int, Joined]]:
    """Parts that turn on one other part alone, this part, and how they do."""
    count: dict[int, int] = {}
    for each in joined:
        for group in each.groups:
            count[group] = count.get(group, 0) + 1
    for each in joined:
        for place in (0, 1):
            group, carrier = each.groups[place], each.parts[1 - place]
            if group and count[group] == 1 and each.kind in TURNING:
                for wheel in groups.members[group]:
                    yield wheel, groups.held_by(carrier), each


def _flanks(wheel: Body, turn: Joined, tolerance: float) -> list[RoundFace]:
    """The faces of a wheel that are round about its axis, all around."""
    rounds = wheel.round_arrays
    whole = (rounds.angles[:, 1] > TURN - PARALLEL) & (np.abs(rounds.axes @ turn.axis) > 1 - PARALLEL)
    whole &= np.linalg.norm(cross(rounds.points - turn.point, turn.axis), axis=1) <= 100 * tolerance
    return [wheel.rounds[place] for place in np.flatnonzero(whole).tolist()]


def _on_faces(
    rail: Body, wheel: Body, flanks: Sequence[RoundFace], play: float, tolerance: float
) -> Iterator[Contact]:
    """The contacts of flanks of a wheel on plane faces of a rail; normals go to the wheel."""
    faces = rail.flats.near(*wheel.box, play + tolerance)
    seen: list[Contact] = []
    for flank in flanks if len(faces) else ():
        for way in (1.0, -1.0):
            for face in faces[_touching(rail, faces, flank, way, tolerance)]:
                found = _line(rail, wheel, flank, way * rail.flats.normals[face], rail.flats.points[face])
                if found is not None and not any(_are_one(found, each, tolerance) for each in seen):
                    seen.append(found)
                    yield found


def _lean(flank: RoundFace) -> Floats:
    """The direction out of a wheel at its flank: its part away from the axis, and that along it."""
    slope = (flank.far_radius - flank.radius) / (flank.span[1] - flank.span[0])
    return np.asarray(np.array([1.0, -slope]) / math.hypot(1.0, slope))


def _touching(rail: Body, faces: NDArray[np.intp], flank: RoundFace, way: float, tolerance: float) -> Inside:
    """Which faces a flank lies along with a line of it, no farther away than a fit may be."""
    normals = way * rail.flats.normals[faces]
    along = normals @ np.array(flank.axis)
    lean = _lean(flank)
    # the wheel is before the face, and the line of it nearest to the face looks straight at it
    start = np.array(flank.point) + flank.span[0] * np.array(flank.axis)
    heights = np.einsum("ij,ij->i", start - rail.flats.points[faces], normals)
    gaps = heights - flank.radius * np.sqrt(np.maximum(0.0, 1 - along**2))
    largest = max(flank.radius, flank.far_radius)
    return np.asarray(
        (np.abs(along + lean[1]) <= PARALLEL) & (gaps >= -tolerance) & (gaps <= CLEARANCE * largest)
    )


def _line(rail: Body, wheel: Body, flank: RoundFace, normal: Floats, point: Floats) -> Contact | None:
    """The contact along the line of a flank that is nearest to a face, if both bound their parts there."""
    axis = np.array(flank.axis)
    radial = -(normal - (normal @ axis) * axis)
    radial /= np.linalg.norm(radial)
    low, high = flank.span
    heights = low + PLACES * (high - low)
    radii = flank.radius + PLACES * (flank.far_radius - flank.radius)
    line = np.array(flank.point) + np.outer(heights, axis) + np.outer(radii, radial)
    gap = float((line[0] - point) @ normal)
    on_rail, ways = line - gap * normal, np.tile(normal, (len(line), 1))
    met = wheel.bounded(line, -ways)
    met[met] &= rail.bounded(on_rail[met], ways[met])
    if not met.any():
        return None
    ends = on_rail[np.flatnonzero(met)[[0, -1]]]
    middle = np.array(flank.point) + heights.mean() * axis
    labels = "", flank.label
    return Contact(WHEEL, ends, ways[:2], max(0.0, gap), 1, middle=middle, radius=flank.radius, labels=labels)


def _are_one(a: Contact, b: Contact, tolerance: float) -> bool:
    """Whether contacts are of one flank and one plane, told of two faces in it."""
    return float(a.normals[0] @ b.normals[0]) > 1 - PARALLEL and bool(
        np.abs(a.points - b.points).max() <= tolerance
    )
