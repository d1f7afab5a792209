"""The drawing of a snap-fit: obstacles that stand, the root, and the pawls on their hinges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from linkwork.fasten import CarriedMotion, Design, Fastening, PawlMotion
from linkwork.fasten.angle import starting_angle
from linkwork.fasten.design import Polygon as Corners
from linkwork.fasten.design import every_pawl
from linkwork.fasten.placing import placed_pawls
from linkwork.view.scene import GROUND, Body, Column, Pose, Scene
from linkwork.view.shape import Label, Pin, Point, Polygon, Shape

FRAMES: Final = 240
"""Of a film."""


def design_scene(design: Design) -> Scene:
    """A design as it is at the start."""
    angles = {pawl.name: starting_angle(pawl).angle for pawl in every_pawl(design.pawls)}
    return Scene.of(design.title or design.name, design_bodies(design), [design_poses(design, 0.0, angles)])


def fastening_scene(found: Fastening) -> Scene:
    """The motion up to its end, frame by frame."""
    design, last = found.design, found.ending.at.time
    times = [last * frame / FRAMES for frame in range(FRAMES + 1)] if last else [0.0]
    angles = {name: [motion.angle_at(t) for t in times] for name, motion in found.pawls.items()}
    poses = [
        design_poses(design, t, {name: turned[frame] for name, turned in angles.items()})
        for frame, t in enumerate(times)
    ]
    columns = [Column(f"{name}.angle", tuple(turned), "rad") for name, turned in angles.items()]
    pushes = [
        Column(f"{name}.force_{axis}", values, group="force on the root")
        for name, motion in found.pawls.items()
        for axis, values in zip("xy", zip(*_forces(motion, times), strict=True), strict=True)
    ]
    columns += sorted(pushes, key=lambda column: not any(column.values))  # what feels none comes last
    title = design.title or design.name
    return Scene.of(title, design_bodies(design), poses, times=times, columns=columns)


def _forces(motion: PawlMotion | CarriedMotion, times: Sequence[float]) -> list[list[float]]:
    return [[_finite(each) for each in motion.root_force_at(t)] for t in times]


def design_bodies(design: Design) -> list[Body]:
    """The obstacles as one body that stands, the root where there is one, and every pawl."""
    standing: list[Shape] = [Polygon(_points(each.poly)) for each in design.obstacles]
    standing += [Label(_middle(each.poly), each.name) for each in design.obstacles]
    bodies = [Body(GROUND, tuple(standing))]
    if design.root is not None:
        bodies.append(Body("root", (Polygon(_points(design.root)),)))
    return bodies + [
        Body(f"pawl {pawl.name}", (Polygon(_points(pawl.poly)), Pin((0.0, 0.0))))
        for pawl in every_pawl(design.pawls)
    ]


def design_poses(design: Design, t: float, angles: Mapping[str, float]) -> list[Pose]:
    """Where the bodies are at a time, with the angles of the pawls then."""
    x, y = (float(place) + t * float(rate) for place, rate in zip(design.p0, design.v, strict=True))
    poses: list[Pose] = [(0.0, 0.0, 0.0)]
    if design.root is not None:
        poses.append((x, y, 0.0))
    return poses + [(x + each.x, y + each.y, each.angle) for each in placed_pawls(design.pawls, angles)]


def _finite(force: float) -> float:
    """A force that grows without bound leaves a gap in its plot."""
    return float(force) if math.isfinite(force) else math.nan


def _points(polygon: Corners) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in polygon)


def _middle(polygon: Corners) -> Point:
    """The middle of the box around a polygon."""
    return tuple((float(min(each)) + float(max(each))) / 2 for each in zip(*polygon, strict=True))
