"""A scene of the plane, ready to be painted frame by frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from linkwork.view.outline import (
    Station,
    along_stations,
    belt,
    convex_hull,
    damper_stations,
    direction,
    ring,
    spring_stations,
)
from linkwork.view.plane_parts import SPOT, Layer, Look, Part, at_point, plane_parts
from linkwork.view.primitive import Circle, Path, Primitive, extremes, mapped
from linkwork.view.proportion import placed, poses_of, thickness
from linkwork.view.pushes import middle_force, painted_pushes
from linkwork.view.scene import GROUND, Connector, Pose, Scene, Trace

Rectangle = tuple[float, float, float, float]
"""Left, bottom, right, top."""

SPRING_WIDTH, DAMPER_WIDTH = 0.75, 0.7
"""In thicknesses."""


@dataclass(frozen=True)
class PlaneDrawing:
    """The parts of all bodies; what does not depend on the frame is found once."""

    scene: Scene

    @cached_property
    def thickness(self) -> float:
        """The usual width of a bar."""
        return thickness(self.scene)

    @cached_property
    def parts(self) -> tuple[tuple[Part, ...], ...]:
        """For each body its parts, in its own coordinates."""
        places = colour_places(self.scene)
        looks = [Look(self.thickness, place) for place in places]
        return tuple(
            tuple(part for shape in body.shapes for part in plane_parts(shape, look))
            for body, look in zip(self.scene.bodies, looks, strict=True)
        )

    @cached_property
    def reach(self) -> tuple[tuple[complex, ...], ...]:
        """For each body a few points that hold all that is drawn with it."""
        return tuple(
            tuple(convex_hull([*self._extremes(place), *self._loose_ends(body.name)]))
            for place, body in enumerate(self.scene.bodies)
        )

    def _extremes(self, place: int) -> list[complex]:
        return [point for part in self.parts[place] for point in _outer_points(part.primitive)]

    def _loose_ends(self, name: str) -> list[complex]:
        """Points of traces and connectors on a body, the latter with their radius."""
        found = [at_point(trace.point) for trace in self.scene.traces if trace.body == name]
        for one in self.scene.connectors:
            for body, point, radius in (
                (one.first_body, one.first_point, one.first_radius),
                (one.second_body, one.second_point, one.second_radius),
            ):
                if body == name:
                    found += ring(at_point(point), radius or self.thickness / 2, 16)
        return found

    @cached_property
    def box(self) -> Rectangle:
        """The rectangle that holds every frame."""
        import numpy as np

        corners = []
        for place, points in enumerate(self.reach):
            if points:
                local = np.array([(point.real, point.imag) for point in points])
                world = placed(poses_of(self.scene, place), local)
                corners += [world.min(axis=(0, 1)), world.max(axis=(0, 1))]
        if not corners:
            return (-1.0, -1.0, 1.0, 1.0)
        low, high = np.min(corners, axis=0), np.max(corners, axis=0)
        return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    @cached_property
    def trace_paths(self) -> tuple[tuple[complex, ...], ...]:
        """For each trace its path in the world."""
        return tuple(
            tuple(self._world(frame, trace.body, trace.point) for frame in range(self.scene.frames))
            for trace in self.scene.traces
        )

    def _world(self, frame: int, body: str, point: tuple[float, ...]) -> complex:
        return _moved(self.scene.poses[frame][self.scene.place(body)], at_point(point))

    def painted(self, frame: int) -> list[Primitive]:
        """What there is to see in one frame, in the order of painting."""
        placed_parts = [
            ((part.layer, part.height), in_world(part.primitive, pose))
            for parts, pose in zip(self.parts, self.scene.poses[frame], strict=True)
            for part in parts
        ]
        placed_parts += [
            ((Layer.CONNECTOR, 0.0), self._connector(one, frame)) for one in self.scene.connectors
        ]
        places = colour_places(self.scene)
        for trace, path in zip(self.scene.traces, self.trace_paths, strict=True):
            ink = trace_place(self.scene, trace, places)
            placed_parts.append(((Layer.TRACE, 0.0), Path((path,), f"trace-{ink}", closed=False)))
            placed_parts.append(((Layer.PIN, 0.0), Circle(path[frame], SPOT * self.thickness, f"spot-{ink}")))
        placed_parts.sort(key=lambda each: each[0])  # stable: bodies keep their order
        pushes = painted_pushes(self.scene, frame, places, self.size, self.middle_force)
        return [*(primitive for _, primitive in placed_parts), *pushes]

    @cached_property
    def size(self) -> float:
        """How large the whole is: the diagonal of its box."""
        left, bottom, right, top = self.box
        return math.hypot(right - left, top - bottom)

    @cached_property
    def middle_force(self) -> float:
        """The middle one of all forces of contacts."""
        return middle_force(self.scene.pushes)

    def _connector(self, one: Connector, frame: int) -> Primitive:
        first = self._world(frame, one.first_body, one.first_point)
        second = self._world(frame, one.second_body, one.second_point)
        if one.kind == "belt":
            return Path((belt(first, one.first_radius, second, one.second_radius),), "belt")
        lines = along_stations(first, second, connector_stations(one, self.thickness))
        return Path(tuple(map(tuple, lines)), one.kind, closed=False)


def connector_stations(one: Connector, unit: float) -> list[list[Station]]:
    """The line of a connector, as stations that hold for every frame."""
    if one.kind == "spring":
        return spring_stations(SPRING_WIDTH * unit)
    if one.kind == "damper":
        return damper_stations(DAMPER_WIDTH * unit)
    return [[(0, 0, 0), (1, 0, 0)]]


def colour_places(scene: Scene) -> list[int | None]:
    """The place of each body among those that move; the ground has none.

    >>> from linkwork.view.scene import Body
    >>> scene = Scene.of("two", [Body("ground"), Body("crank")], [[[0, 0, 0], [0, 0, 0]]])
    >>> colour_places(scene)
    [None, 0]
    """
    moving = [body.name for body in scene.bodies if body.name != GROUND]
    return [None if body.name == GROUND else moving.index(body.name) for body in scene.bodies]


def trace_place(scene: Scene, trace: Trace, places: list[int | None]) -> int:
    """Whose colour a trace has: its body's."""
    return places[scene.place(trace.body)] or 0


def _moved(pose: Pose, point: complex) -> complex:
    return direction(pose[2]) * point + complex(pose[0], pose[1])


def in_world(primitive: Primitive, pose: Pose) -> Primitive:
    """A primitive of a body in the world."""
    turn, shift = direction(pose[2]), complex(pose[0], pose[1])
    return mapped(primitive, lambda point: turn * point + shift)


def _outer_points(primitive: Primitive) -> tuple[complex, ...]:
    """Points whose box holds the primitive however it is turned: a circle needs more than four."""
    if isinstance(primitive, Circle):
        return ring(primitive.center, primitive.radius * 1.02, 24)
    return extremes(primitive)
