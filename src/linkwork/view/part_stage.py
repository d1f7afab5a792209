"""Parts and joints on a stage: the surfaces that pictures of them have, as triangles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import number
from linkwork.kinematics import Motion
from linkwork.model import Machine
from linkwork.model.part import GROUND
from linkwork.model.placed import Placed, coordinate_names
from linkwork.model.vector import Vector
from linkwork.model.visible_values import in_space, matrix_of, stretched
from linkwork.simulation import Solution
from linkwork.view import solid
from linkwork.view.machine_scene import machine_scene
from linkwork.view.mesh import Face, Mesh, dot, minus, polygon_normal, unit
from linkwork.view.mesh import across as beside
from linkwork.view.plane import PlaneDrawing, colour_places
from linkwork.view.plane_parts import Layer, Part
from linkwork.view.primitive import Circle, Path
from linkwork.view.scene import Connector, Scene
from linkwork.view.solid import Solid
from linkwork.view.solid_stage import see_solids
from linkwork.view.space import SpaceDrawing
from linkwork.view.staging import Staging
from linkwork.view.theme import THEMES, inks
from linkwork.view.triangulate import triangulated

Array = NDArray[np.float64]

LAYER: Final = 0.12
"""In thicknesses: how far the layers of a plane machine lie above one another."""
CONNECTOR_COLOUR: Final = "#7f8c98"
ROUND: Final = 32
MATT: Final = 8
"""The shade of a surface's ink that is its own colour."""


def see_parts(machine: Machine, staging: Staging, motion: Motion | Solution | None) -> None:
    """The parts and joints of a machine, as its pictures show them."""
    names = coordinate_names(machine.dimension)
    rows = [[staging.numbers[f"{part}.{name}"] for name in names] for part in machine.moving]
    scene = machine_scene(machine, np.array([rows]) if motion is None else motion)
    if machine.dimension == 3:
        _space_bodies(scene, staging)
    else:
        _plane_bodies(scene, staging)
    thickness = (SpaceDrawing if machine.dimension == 3 else PlaneDrawing)(scene).thickness
    for order, one in enumerate(scene.connectors, 1):
        _connector(f"{one.kind} {order}", one, thickness, staging)


# ------------------------------------------------------------------------------------------------ space


def _space_bodies(scene: Scene, staging: Staging) -> None:
    drawing = SpaceDrawing(scene)
    colours = inks(THEMES["light"], len(scene.bodies))
    for body, place, mesh in zip(scene.bodies, colour_places(scene), drawing.meshes, strict=True):
        if see_solids(body, place, staging):
            continue
        for ink in dict.fromkeys(face.ink for face in mesh.faces):
            surface = _faces(mesh, [face for face in mesh.faces if face.ink == ink])
            colour = colours[f"{ink}-{MATT}"].fill or CONNECTOR_COLOUR
            staging.plain(body.name, body.name, matrix_of(Placed.world(3)), surface, colour)
        for ball in mesh.balls:
            centre = Vector.of(*mesh.vertices[ball.center])
            there = Placed(GROUND, centre, Placed.world(3).axes)
            colour = colours[f"{ball.ink}-{MATT}"].fill or CONNECTOR_COLOUR
            staging.plain(
                body.name, body.name, matrix_of(there, (number(ball.radius),) * 3), solid.sphere(), colour
            )


def _faces(mesh: Mesh, faces: Sequence[Face]) -> Solid:
    positions: list[tuple[float, ...]] = []
    normals: list[tuple[float, ...]] = []
    triangles: list[tuple[int, int, int]] = []
    for face in faces:
        start = len(positions)
        corners = [mesh.vertices[k] for k in face.corners]
        positions += corners
        normals += [mesh.normals[face.normal]] * len(corners)
        triangles += [(start + a, start + b, start + c) for a, b, c in _cut(corners)]
    return Solid(np.array(positions), np.array(normals), np.array(triangles))


def _cut(corners: Sequence[tuple[float, ...]]) -> Iterable[tuple[int, int, int]]:
    """A flat polygon of space as triangles."""
    if len(corners) < 5:
        return [(0, k, k + 1) for k in range(1, len(corners) - 1)]
    first, second = beside(unit(polygon_normal(corners)))
    flat = np.array([[dot(minus(p, corners[0]), first), dot(minus(p, corners[0]), second)] for p in corners])
    return triangulated([flat])


# ------------------------------------------------------------------------------------------------ plane


def _plane_bodies(scene: Scene, staging: Staging) -> None:
    drawing = PlaneDrawing(scene)
    colours = inks(THEMES["light"], len(scene.bodies))
    step = LAYER * drawing.thickness
    for order, (body, parts) in enumerate(zip(scene.bodies, drawing.parts, strict=True)):
        pieces: dict[str, list[Solid]] = {}
        if see_solids(body, colour_places(scene)[order], staging):
            continue
        for number_of, part in enumerate(parts):
            height = step * (part.layer + (order + number_of / (len(parts) + 1)) / (len(scene.bodies) + 1))
            ink = colours[part.primitive.ink]
            for colour, surface in _sheets(part, ink.fill, ink.stroke, drawing.thickness):
                raised = surface.positions + np.array([0.0, 0.0, height])
                pieces.setdefault(colour, []).append(Solid(raised, surface.normals, surface.triangles))
        for colour, found in pieces.items():
            staging.plain(body.name, body.name, matrix_of(Placed.world(3)), solid.joined(found), colour)


def _sheets(
    part: Part, fill: str | None, stroke: str | None, thickness: float
) -> Iterable[tuple[str, Solid]]:
    """What is filled, and as narrow strips what is only a line."""
    primitive = part.primitive
    if part.layer == Layer.LABEL:
        return
    if isinstance(primitive, Circle) and fill:
        turns = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
        rim = np.column_stack([np.cos(turns), np.sin(turns)]) * primitive.radius
        yield fill, solid.sheet([rim + np.array([primitive.center.real, primitive.center.imag])])
    if isinstance(primitive, Path):
        rings = [np.array([[point.real, point.imag] for point in ring]) for ring in primitive.rings]
        if fill and primitive.closed:
            yield from (
                (fill, solid.sheet(group))
                for group in solid.nested([ring for ring in rings if len(ring) > 2])
            )
        elif stroke and not primitive.closed:
            yield from ((stroke, _strip(ring, 0.06 * thickness)) for ring in rings if len(ring) > 1)


def _strip(line: Array, half: float) -> Solid:
    """A line as a strip."""
    ways = np.diff(line, axis=0)
    across = np.column_stack([-ways[:, 1], ways[:, 0]])
    across *= half / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300)
    pieces = []
    for start, end, side in zip(line[:-1], line[1:], across, strict=True):
        corners = np.array([start - side, end - side, end + side, start + side])
        positions = np.column_stack([corners, np.zeros(4)])
        pieces.append(Solid(positions, np.tile([0.0, 0.0, 1.0], (4, 1)), np.array([[0, 1, 2], [0, 2, 3]])))
    return solid.joined(pieces)


# ------------------------------------------------------------------------------------------- connectors


def _connector(name: str, one: Connector, thickness: float, staging: Staging) -> None:
    ends = []
    for body, point in ((one.first_body, one.first_point), (one.second_body, one.second_point)):
        ends.append(staging.values.frame(body).point(in_space(Vector.of(*point))))
    radius = {"spring": 0.6, "damper": 0.4}.get(one.kind, 0.15) * thickness
    surface = solid.rod()
    if one.kind == "spring":
        way = staging.evaluated([*(ends[1] - ends[0])])
        surface = solid.spring(8.0, max(float(np.linalg.norm(way)) / radius, 1.0))
    staging.plain(
        name, GROUND, matrix_of(stretched(ends[0], ends[1], number(radius))), surface, CONNECTOR_COLOUR
    )
