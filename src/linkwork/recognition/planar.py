"""Whether all parts of a machine move in one plane, and which.

Pairs tell it where they hold every part: all turns about one direction, no shift along it. Parts that nothing holds
stay in a plane if the whole machine is its own mirror image in it, and gravity pulls along it: nothing then pushes them
out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Joined, Machinery, connected, upwards
from linkwork.recognition.reach import Surfaces
from linkwork.recognition.skin import samples_of
from linkwork.solid import PlaneFace
from linkwork.solid.placement import Floats, Triple, cross, unit

UPRIGHT = 1e-6
"""The least rise of a plane's own y-axis by which it is told what is up."""


def motion_plane(machinery: Machinery, gravity: Triple | None) -> Floats | None:
    """The direction across the plane in which all parts move; None for a machine in space."""
    loose = floating_groups(machinery)
    if not loose:
        return plane_of(machinery.joined)
    plane = plane_of(machinery.joined)
    guided = _guided_plane(machinery.groups, loose)
    if plane is not None:
        candidates = [plane]
    elif machinery.joined:
        candidates = []
    else:
        candidates = _directions(machinery.groups.surfaces[loose[0]]) if guided is None else [guided]
    pull = np.zeros(3) if gravity is None else np.array(unit(gravity))
    kept = [each for each in candidates if abs(float(each @ pull)) < 1e-9]
    for each in kept:
        in_slots = guided is not None and abs(float(each @ guided)) > 1 - 1e-9
        if in_slots or _is_mirror(machinery.groups, loose[0], each):
            return each
    return None


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
    return upwards(axes[0])


def floating_groups(machinery: Machinery) -> list[int]:
    """The groups that no pairs join to the frame, not even through others."""
    moving = [group for group in machinery.numbers if group]
    sets = connected(moving, [each.groups for each in machinery.joined])
    held = {group for each in machinery.joined if 0 in each.groups for group in each.groups}
    return [group for each in sets if not held & set(each) for group in each]


def plane_of(joined: Iterable[Joined]) -> Floats | None:
    """The direction that all turns go about and no shift goes along; None if there is none."""
    every = list(joined)
    turning = [each.axis for each in every if each.kind in ("revolute", "planar")]
    sliding = [each.axis for each in every if each.kind == "prismatic"]
    if any(each.kind in ("spherical", "screw", "cylindrical") for each in every):
        return None
    if not turning:
        crossed = [cross(sliding[0], each) for each in sliding[1:]]
        turning = [upwards(each / math.hypot(*each)) for each in crossed if math.hypot(*each) > 1e-6][:1]
        if not turning:
            return None
    plane = turning[0]
    if any(abs(float(axis @ plane)) < 1 - 1e-9 for axis in turning):
        return None
    return None if any(abs(float(axis @ plane)) > 1e-9 for axis in sliding) else plane


def plane_axes(plane: Triple | Floats | None) -> Floats:
    """The directions of a machine's own axes, as rows: those of the world unless its plane lies askew.

    Of the two sides of a plane that stands upright it is seen from the one from which z points up.
    """
    if plane is None:
        return np.eye(3)
    z = np.array(plane)
    along = next(each for each in np.eye(3) if abs(float(each @ z)) < 0.9)
    x = np.array(unit(along - (along @ z) * z))
    y = cross(z, x)
    return np.array([x, -y, -z]) if y[2] < -UPRIGHT else np.array([x, y, z])


def _directions(surfaces: Surfaces) -> list[Floats]:
    """The directions across plane faces, that of z first: it is the one that people mean."""
    found: list[Floats] = [np.array([0.0, 0.0, 1.0])]
    for face in surfaces.faces:
        if isinstance(face, PlaneFace) and all(abs(float(face.normal @ each)) < 1 - 1e-9 for each in found):
            found.append(np.array(face.normal))
    return found


def _is_mirror(groups: Groups, loose: int, normal: Floats) -> bool:
    """Whether all parts are their own mirror images in the plane that halves a group across this direction."""
    surfaces = groups.surfaces
    reach = surfaces[loose].heights(normal)
    middle = (float(reach[:, 0].min()) + float(reach[:, 1].max())) / 2
    for group, members in groups.members.items():
        points = np.vstack([np.zeros((0, 3)), *_both_sides(surfaces[group], groups.bodies[0].skin)])
        images = points + 2 * np.outer(middle - points @ normal, normal)
        solids = [groups.bodies[member].solid for member in members]
        seen, mirrored = (
            np.any([solid.contains(each) for solid in solids], axis=0) for each in (points, images)
        )
        if not np.array_equal(seen, mirrored):
            return False
    return True


def _both_sides(surfaces: Surfaces, skin: float) -> Iterator[Floats]:
    for face in surfaces.faces:
        points, normals = samples_of(face)
        yield points + skin * normals
        yield points - skin * normals
