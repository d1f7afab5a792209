"""Contacts on a stage: a ball where parts touch, and arrows for the forces on both.

Each of the contacts that hold at one time has a ball and two arrows of its own, which move with it; those that are not
needed at a time are too small to be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.contact import ContactSolution
from linkwork.view import solid
from linkwork.view.contact_scene import pushes_of
from linkwork.view.mesh import across
from linkwork.view.pushes import HEAD, LONGEST, SHAFT, SPOT, arrow_vector, middle_force
from linkwork.view.scene import Push
from linkwork.view.solid import Solid
from linkwork.view.stage import Array, Stage, Thing
from linkwork.view.theme import MARKED

UNSEEN: Final = 1e-6
"""The size of what is not needed, as a part of the machine's."""
NECK: Final = 0.62
"""Where the head of an arrow begins, as a part of its length."""
FORCE: Final = "#f06a7c"
"""The colour of arrows: that of the balls, but lighter."""


def with_contacts(stage: Stage, solution: ContactSolution, rows: Sequence[int]) -> Stage:
    """The stage of a motion with its contacts in the rows that it shows."""
    frames = pushes_of(solution, rows)
    most = max(map(len, frames), default=0)
    if not most or stage.motion is None:
        return stage
    low, high = stage.extent
    size = float(np.linalg.norm(high - low))
    hidden = _scaled((low + high) / 2, UNSEEN * size)
    matrices = np.tile(hidden, (len(frames), 3 * most, 1))
    middle = middle_force(frames)
    for frame, pushes in enumerate(frames):
        for slot, push in enumerate(pushes):
            matrices[frame, 3 * slot : 3 * slot + 3] = _matrices(push, middle, size, float(high[2]), hidden)
    first = len(stage.placements)
    names = [f"{what} {slot + 1}" for slot in range(most) for what in ("contact", "force", "force back")]
    ball, arrow = len(stage.solids), len(stage.solids) + 1
    things = [
        Thing(name, first + k, arrow if k % 3 else ball, FORCE if k % 3 else MARKED, shadow=False)
        for k, name in enumerate(names)
    ]
    placements = np.concatenate([stage.motion.placements, matrices.reshape(len(frames), -1)], axis=1)
    return replace(
        stage,
        placements=(*stage.placements, *names),
        start=np.concatenate([stage.start, matrices[0]]),
        solids=(*stage.solids, solid.sphere(), _arrow()),
        things=(*stage.things, *things),
        motion=replace(stage.motion, placements=placements),
    )


def _matrices(push: Push, middle: float, size: float, top: float, hidden: Array) -> list[Array]:
    """The ball and both arrows of a contact; in the plane they lie on top of the machine, where they are seen."""
    at = np.array([*push.at, top] if len(push.at) == 2 else push.at)
    along = np.zeros(3)
    along[: len(push.force)] = arrow_vector(push.force, middle, LONGEST * size)
    arrows = [_stretched(at, way, HEAD * size) if np.any(way) else hidden for way in (along, -along)]
    return [_scaled(at, SPOT * size), *arrows]


def _scaled(at: Array, scale: float) -> Array:
    return np.column_stack([scale * np.eye(3), at]).reshape(12)


def _stretched(at: Array, along: Array, width: float) -> Array:
    """The matrix of an arrow from a place along a vector."""
    length = float(np.linalg.norm(along))
    one, other = (np.array(each) for each in across(tuple((along / length).tolist())))
    wide = min(width, 0.4 * length)
    return np.column_stack([wide * one, wide * other, along, at]).reshape(12)


def _arrow() -> Solid:
    """Along z from 0 to 1, its head of radius 1."""
    thin = SHAFT / HEAD
    shaft, head = solid.rod(), solid.cone(0.0)
    return solid.joined(
        [
            Solid(shaft.positions * [thin, thin, NECK], shaft.normals, shaft.triangles),
            Solid(head.positions * [1, 1, 1 - NECK] + [0, 0, NECK], head.normals, head.triangles),
        ]
    )
