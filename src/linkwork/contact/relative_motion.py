"""How two parts of a found machine can move past each other at most, as one joint between them would let them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.contact.pairs import group_of_parts
from linkwork.kinematics.arrays import Matrix
from linkwork.recognition.finding import Recognition

ALIKE: Final = 1e-9
"""Sine of the angle between directions that are one."""


@dataclass(frozen=True)
class JointBetween:
    """A joint between two groups of parts that move as one: its kind, a point of its axis, and the axis."""

    kind: str = ""
    parts: tuple[str, ...] = ()
    point: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis: tuple[float, ...] = (0.0, 0.0, 1.0)


def joints_of_groups(found: Recognition) -> list[JointBetween]:
    """The joints of a found machine, between the parts after which its groups are called."""
    group_of = group_of_parts(found)
    return [
        JointBetween(
            pair.kind,
            tuple(group_of[part] for part in pair.parts),
            (0.0, 0.0, 0.0) if pair.point is None else tuple(pair.point),
            (0.0, 0.0, 1.0) if pair.axis is None else tuple(pair.axis),
        )
        for pair in found.pairs
    ]


def relative_motion(joints: Sequence[JointBetween], one: str, other: str) -> JointBetween:
    """The joint between two parts; else that of a plane in which joints between others let them move alone.

    Two wheels with parallel axes on a frame do not move along these:

    >>> wheels = [JointBetween("revolute", ("frame", wheel), (x, 0, 0)) for wheel, x in (("one", 0), ("other", 5))]
    >>> relative_motion(wheels, "one", "other").kind
    'planar'
    """
    direct = next((joint for joint in joints if {*joint.parts} == {one, other}), None)
    if direct is not None:
        return direct
    for normal in _normals(joints):
        if other in _reached((joint for joint in joints if _keeps_plane(joint, normal)), one):
            return JointBetween("planar", (one, other), (0.0, 0.0, 0.0), tuple(normal.tolist()))
    return JointBetween()


def _normals(joints: Sequence[JointBetween]) -> list[Matrix]:
    """Across all planes in which parts may move: the axes of joints in which they turn, each once."""
    found: list[Matrix] = []
    for joint in joints:
        axis = np.asarray(joint.axis, float)
        if joint.kind in ("revolute", "planar") and not any(_are_parallel(axis, each) for each in found):
            found.append(axis)
    return found


def _keeps_plane(joint: JointBetween, normal: Matrix) -> bool:
    """Whether a joint lets its parts move across a normal alone."""
    if joint.kind == "prismatic":
        return abs(float(np.dot(joint.axis, normal))) < ALIKE
    return joint.kind in ("revolute", "planar") and _are_parallel(np.asarray(joint.axis, float), normal)


def _are_parallel(one: Matrix, other: Matrix) -> bool:
    return float(np.linalg.norm(np.cross(one, other))) < ALIKE


def _reached(joints: Iterable[JointBetween], start: str) -> set[str]:
    """The parts that hang together with one by joints."""
    left, found = list(joints), {start}
    while True:
        near = [joint for joint in left if not found.isdisjoint(joint.parts)]
        if not near:
            return found
        left = [joint for joint in left if joint not in near]
        found = found.union(*(joint.parts for joint in near))
