"""Whether all parts of a machine move in one plane, and which; if not, why.

Pairs tell it where they hold every part: all turns about one direction, no shift along it; where parts lie along that
direction does not matter. Parts that nothing holds stay in a plane if nothing pushes them out:

- gravity and forces pull along it;
- each of them is its own mirror image across it, for then its turning needs no moment that tilts it;
- each other part is the mirror image of itself in the same plane, as far as they lie side by side, or has only sides
  across the plane there, from both of its sides: so what they push on each other can balance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from linkwork.recognition.drawn_axes import upwards
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Joined, Machinery, connected
from linkwork.recognition.pulls import Pull
from linkwork.recognition.reach import Surfaces
from linkwork.recognition.skin import plane_samples, round_samples, samples_of
from linkwork.solid.placement import Floats, Triple, cross, unit

UPRIGHT = 1e-6
"""The least rise of a plane's own y-axis by which it is told what is up."""


@dataclass(frozen=True, eq=False)
class Plane:
    """The direction across the plane in which all parts move; if there is none, ``why`` they move in space."""

    normal: Floats | None
    why: str = ""


def motion_plane(machinery: Machinery, *, is_flat: bool = False) -> Plane:
    """The plane in which all parts move; where the file says that there is one, free parts stay in it."""
    loose = floating_groups(machinery)
    axes = machinery.groups.axes
    plane, up = plane_of(machinery.joined, axes), axes[2]
    if not loose and (plane is not None or not machinery.joined):
        return Plane(plane, "" if machinery.joined else "nothing moves")
    if is_flat and plane is None:
        plane = _across_slides(machinery.joined, axes)
    if plane is None and machinery.joined:
        return Plane(None, _out_of_plane(machinery))
    guided = _guided_plane(machinery.groups, loose) if loose else None
    if plane is not None:
        candidates = [plane]
    elif is_flat:
        candidates = _directions(machinery.groups.surfaces[loose[0]], up)
    else:
        candidates = [up] if guided is None else [guided]
    reasons = []
    for each in candidates:
        in_slots = guided is not None and abs(float(each @ guided)) > 1 - 1e-9
        why = _pushed_out(machinery.groups, loose, each)
        if not why and not is_flat and not in_slots:
            strictly = plane is None and (each is not up or _lies_across(machinery.groups, loose, each))
            why = _tilted(machinery.groups, loose, each, strictly=strictly)
        if not why:
            return Plane(each)
        reasons.append(why)
    return Plane(None, reasons[0])


def _pushed_out(groups: Groups, loose: list[int], normal: Floats) -> str:
    """What pulls parts that nothing holds out of a plane."""
    for group in loose:
        pull = groups.pulls.along(groups.names_of([group]), normal)
        if pull != Pull():
            return f"{pull.name} pulls {groups.names_of([group])[0]}, which nothing holds, out of the plane"
    return ""


def _lies_across(groups: Groups, loose: list[int], normal: Floats) -> bool:
    """Whether a part that nothing holds lies on a face across a direction."""
    return any(
        each.kind == "plane" and abs(float(each.normals[0] @ normal)) > 1 - 1e-6
        for (a, b), touched in groups.touching.items()
        if {groups.group_of(a), groups.group_of(b)} & {*loose}
        for each in touched
    )


def _across_slides(joined: Iterable[Joined], axes: Floats) -> Floats | None:
    """A direction across slides that all go one way: that of z if it can be, for it is the one that people mean."""
    every = list(joined)
    if not every or any(each.kind != "prismatic" for each in every):
        return None
    way = every[0].axis
    if any(abs(float(each.axis @ way)) < 1 - 1e-9 for each in every):
        return None
    return next((each for each in axes[::-1] if abs(float(each @ way)) < 1e-9), None)


def _out_of_plane(machinery: Machinery) -> str:
    """Which pairs are not in one plane."""
    bodies = machinery.groups.bodies

    def told(joined: Joined) -> str:
        return " and ".join(bodies[machinery.groups.held_by(place)].name for place in joined.parts)

    every = list(machinery.joined)
    moving = next((each for each in every if each.kind in ("spherical", "screw", "cylindrical")), None)
    if moving is not None:
        return f"the pair of {told(moving)} is {moving.kind}"
    turning = [each for each in every if each.kind in ("revolute", "planar")]
    sliding = [each for each in every if each.kind == "prismatic"]
    if not turning:
        return "all of them slide along one line, which lies in many planes"
    first = turning[0]
    for other in turning:
        if abs(float(other.axis @ first.axis)) < 1 - 1e-9:
            return f"the axes of {told(first)} and of {told(other)} are not parallel"
    for other in sliding:
        if abs(float(other.axis @ first.axis)) > 1e-9:
            return f"{told(other)} do not slide across the axis of {told(first)}"
    return "nothing tells a plane"


def _guided_plane(groups: Groups, loose: list[int]) -> Floats | None:
    """The direction of all pins that are in slots, if each of some groups has such a pin or slot: it lies across it."""
    axes: list[Floats] = []
    guided: set[int] = set()
    for (a, b), touched in groups.touching.items():
        both = {groups.group_of(a), groups.group_of(b)}
        own = [each.axis for each in touched if each.kind == "slot" and each.axis is not None]
        if len(both) == 2 and both & set(loose) and own:
            axes += own
            guided |= both
    if not axes or not set(loose) <= guided or any(abs(float(each @ axes[0])) < 1 - 1e-9 for each in axes):
        return None
    return upwards(axes[0], groups.axes)


def floating_groups(machinery: Machinery) -> list[int]:
    """The groups that no pairs join to the frame, not even through others."""
    moving = [group for group in machinery.numbers if group]
    sets = connected(moving, [each.groups for each in machinery.joined])
    held = {group for each in machinery.joined if 0 in each.groups for group in each.groups}
    return [group for each in sets if not held & set(each) for group in each]


def plane_of(joined: Iterable[Joined], axes: Floats) -> Floats | None:
    """The direction that all turns go about and no shift goes along; None if there is none."""
    every = list(joined)
    turning = [each.axis for each in every if each.kind in ("revolute", "planar")]
    sliding = [each.axis for each in every if each.kind == "prismatic"]
    if any(each.kind in ("spherical", "screw", "cylindrical") for each in every):
        return None
    if not turning:
        crossed = [cross(sliding[0], each) for each in sliding[1:]]
        turning = [upwards(each / math.hypot(*each), axes) for each in crossed if math.hypot(*each) > 1e-6][
            :1
        ]
        if not turning:
            return None
    plane = turning[0]
    if any(abs(float(axis @ plane)) < 1 - 1e-9 for axis in turning):
        return None
    return None if any(abs(float(axis @ plane)) > 1e-9 for axis in sliding) else plane


def plane_axes(plane: Triple | Floats | None, drawn: Floats) -> Floats:
    """The directions of a machine's own axes, as rows: those of the world unless its plane lies askew.

    Of the two sides of a plane that stands upright as it was drawn it is seen from the one from which z points up. A
    machine that was turned as a whole is seen from the same side, and what is up is up.
    """
    if plane is None:
        return np.eye(3)
    z = np.array(plane)
    if cross(z, _across(z, drawn)) @ drawn[2] < -UPRIGHT:
        z = -z
    x = _across(z, np.eye(3))
    y = cross(z, x)
    return np.array([-x, -y, z] if y[2] < -UPRIGHT else [x, y, z])


def _across(z: Floats, axes: Floats) -> Floats:
    """The direction across another that is nearest to the first of some axes that is not along it."""
    along = next(each for each in axes if abs(float(each @ z)) < 0.9)
    return np.array(unit(along - (along @ z) * z))


def _directions(surfaces: Surfaces, up: Floats) -> list[Floats]:
    """The directions across plane faces, that of z first: it is the one that people mean."""
    found: list[Floats] = [up]
    left = surfaces.flats.normals
    while len(left := left[np.abs(left @ found[-1]) < 1 - 1e-9]):
        found.append(left[0])
    return found


def _tilted(groups: Groups, loose: list[int], normal: Floats, *, strictly: bool) -> str:
    """What may tilt a part that nothing holds out of a plane; ``strictly``, all that is not mirrored in one plane."""
    for group in loose:
        heights = groups.surfaces[group].heights(normal)
        low, high = float(heights[:, 0].min()), float(heights[:, 1].max())
        middle = (low + high) / 2
        name = groups.names_of([group])[0]
        if not _is_mirror(groups, group, normal, middle):
            return f"{name}, which nothing holds, is not its own mirror image across the plane"
        slab = (-math.inf, math.inf) if strictly else (low, high)
        for other in groups.members:
            if other == group or _is_mirror(groups, other, normal, middle, slab):
                continue
            if strictly or not _supports(groups.surfaces[other], normal, middle, slab, groups.tolerance):
                return f"{groups.names_of([other])[0]} may push {name}, which nothing holds, out of the plane"
    return ""


def _supports(
    surfaces: Surfaces, normal: Floats, middle: float, slab: tuple[float, float], tolerance: float
) -> bool:
    """Whether all that a part has between two heights are sides along a direction that go across a middle."""
    heights, slopes = surfaces.heights(normal), surfaces.slopes(normal)
    within = (heights[:, 1] > slab[0] + tolerance) & (heights[:, 0] < slab[1] - tolerance)
    sides = within & (slopes < 1e-9)
    if np.any(within & ~sides & (slopes < 1 - 1e-9)):
        return False
    return bool(
        np.all(heights[sides, 0] < middle - tolerance) and np.all(heights[sides, 1] > middle + tolerance)
    )


def _is_mirror(
    groups: Groups,
    group: int,
    normal: Floats,
    middle: float,
    slab: tuple[float, float] = (-math.inf, math.inf),
) -> bool:
    """Whether a group, or what of it lies between two heights, is its own mirror image in a plane at a height."""
    points = _both_sides(groups.surfaces[group], groups.bodies[0].skin)
    heights = points @ normal
    points = points[(heights > slab[0]) & (heights < slab[1])]
    images = points + 2 * np.outer(middle - points @ normal, normal)
    solids = [groups.bodies[member].solid for member in groups.members[group]]
    seen, mirrored = (np.any([solid.contains(each) for solid in solids], axis=0) for each in (points, images))
    return bool(np.array_equal(seen, mirrored))


def _both_sides(surfaces: Surfaces, skin: float) -> Floats:
    """Points on both sides of all faces."""
    every = [
        plane_samples(surfaces.flats),
        round_samples(surfaces.rounds),
        *(samples_of(face) for _, face in surfaces.others),
    ]
    points, normals = (np.concatenate(each) for each in zip(*every, strict=True))
    return np.concatenate([points + skin * normals, points - skin * normals])
