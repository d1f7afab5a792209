"""Parts that collide, drawn where they are deepest in one another."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from linkwork.collision.compare import Clash
from linkwork.collision.travel import Clashes
from linkwork.kinematics.guess import quaternion_of
from linkwork.solid import Placement
from linkwork.view.machine_layout import Array
from linkwork.view.machine_marks import poses_as_drawn
from linkwork.view.machine_scene import machine_scene
from linkwork.view.scene import Scene


def clash_scene(found: Clashes, clash: Clash | None = None) -> Scene:
    """A machine at a clash, by itself the deepest of all, with the place marked; as drawn where nothing collides."""
    if not found.clashes:
        standing = machine_scene(found.machine, poses_as_drawn(found.machine))
        return replace(standing, title=f"nothing collides in {found.machine.name}")
    clash = clash or max(found.clashes, key=lambda each: each.depth)
    poses = np.array(
        [[_coordinates(clash.poses[part], found.machine.dimension) for part in found.machine.moving]]
    )
    place = np.array(clash.point[: found.machine.dimension])
    scene = machine_scene(found.machine, poses, pointed=[(f"{clash.depth:.4g} deep", place)])
    first, second = clash.parts
    return replace(scene, title=f"{first} and {second} collide at {clash.drive} = {clash.deepest_at:.4g}")


def _coordinates(pose: Placement, dimension: int) -> Array:
    """Where a part is, as coordinates of its machine: x, y, angle, or its origin and quaternion in space."""
    if dimension == 3:
        return np.array([*pose.origin, *quaternion_of(pose.matrix)])
    (cosine, sine, _), _, _ = pose.axes
    return np.array([*pose.origin[:2], math.atan2(sine, cosine)])
