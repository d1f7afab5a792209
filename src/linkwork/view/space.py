"""A scene in space, ready to be painted frame by frame: seen by a camera, far things first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from linkwork.view.camera import AMBIENT, LIGHT, Camera
from linkwork.view.mesh import CLEAR, Edge, Mesh, Tag, dot
from linkwork.view.outline import along_stations
from linkwork.view.plane import Rectangle, colour_places, connector_stations, trace_place
from linkwork.view.plane_parts import SPOT, Look
from linkwork.view.primitive import Circle, Path, Primitive, Text
from linkwork.view.proportion import placed, poses_of, rotations, round_length, thickness
from linkwork.view.scene import Connector, Scene
from linkwork.view.shape import Facets, Point
from linkwork.view.space_parts import add_shape, socket_of
from linkwork.view.theme import SHADES

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


class Seen(NamedTuple):
    """A primitive in the camera's plane, how near it is to the eye, and its corners (right, up, nearness) if it has.

    ``over`` are the places, among those of its mesh, of what it is painted over in any case.
    """

    nearness: float
    primitive: Primitive
    corners: Sequence[tuple[float, float, float]] = ()
    over: tuple[int, ...] = ()


EDGE_NEARER = 0.02
"""In thicknesses: how much nearer an outline counts than its faces, so that it is drawn over them."""

BALL_NEARER = 0.6
"""In radii: how much nearer the face of a ball is than its middle."""

FLOOR_CELLS, FLOOR_GAP = 9, 1.0
"""About how many cells the floor's grid has along its longer side; its depth below all, in thicknesses."""

TRACE_PIECE = 3

BALL_STEPS = 6


@dataclass(frozen=True)
class Floor:
    """A grid under everything, which shows what is level; shadows fall on it."""

    height: float
    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def corners(self) -> list[Point]:
        """Its four corners."""
        return [(x, y, self.height) for x in (self.xs[0], self.xs[-1]) for y in (self.ys[0], self.ys[-1])]


@dataclass(frozen=True)
class SpaceDrawing:
    """The surfaces of all bodies; what does not depend on the frame is found once."""

    scene: Scene
    camera: Camera = field(default_factory=Camera)

    @cached_property
    def thickness(self) -> float:
        """The usual width of a bar."""
        return thickness(self.scene)

    @cached_property
    def meshes(self) -> tuple[Mesh, ...]:
        """For each body its surfaces, in its own coordinates."""
        found = []
        for body, place in zip(self.scene.bodies, colour_places(self.scene), strict=True):
            mesh = Mesh()
            look = Look(self.thickness, place, self._sockets(body.name))
            for shape in body.shapes:
                add_shape(shape, mesh, look)
            found.append(mesh)
        return tuple(found)

    def _sockets(self, name: str) -> tuple[tuple[Point, float], ...]:
        """The hinges and balls of all bodies, as they stand in the first frame, seen from one body."""
        import numpy as np

        first = np.array(self.scene.poses[0])
        turns = rotations(first)
        own = self.scene.place(name)
        found = []
        for place, body in enumerate(self.scene.bodies):
            for shape in body.shapes:
                socket = socket_of(shape, self.thickness)
                if socket is not None:
                    world = turns[place] @ socket[0] + first[place, :3]
                    local = turns[own].T @ (world - first[own, :3])
                    found.append((tuple(local.tolist()), socket[1]))
        return tuple(found)

    @cached_property
    def _arrays(self) -> list[tuple[NDArray[float64], NDArray[float64]]]:
        """For each body its vertices and its normals."""
        import numpy as np

        return [
            (np.array(mesh.vertices).reshape(-1, 3), np.array(mesh.normals).reshape(-1, 3))
            for mesh in self.meshes
        ]

    @cached_property
    def edges(self) -> list[list[Edge]]:
        """For each body the edges of its surfaces."""
        return [mesh.edges() for mesh in self.meshes]

    @cached_property
    def reach(self) -> tuple[tuple[Point, ...], ...]:
        """For each body the corners of a box, in its own coordinates, around all that is drawn with it."""
        return tuple(_box_corners(self._outer_points(place)) for place in range(len(self.scene.bodies)))

    def _outer_points(self, place: int) -> list[Point]:
        mesh, name = self.meshes[place], self.scene.bodies[place].name
        points = list(mesh.vertices)
        for ball in mesh.balls:
            around = (-ball.radius, ball.radius)
            x, y, z = mesh.vertices[ball.center]
            points += [(x + dx, y + dy, z + dz) for dx in around for dy in around for dz in around]
        points += [trace.point for trace in self.scene.traces if trace.body == name]
        for one in self.scene.connectors:
            points += [one.first_point] if one.first_body == name else []
            points += [one.second_point] if one.second_body == name else []
        return points

    @cached_property
    def floor(self) -> Floor:
        """The floor below all frames, a whole number of cells wide."""
        import numpy as np

        corners = [
            edge
            for place in range(len(self.scene.bodies))
            if (points := self._outer_points(place))
            for world in [placed(poses_of(self.scene, place), np.array(points))]
            for edge in (world.min(axis=(0, 1)), world.max(axis=(0, 1)))
        ] or [np.full(3, -1.0), np.full(3, 1.0)]
        low, high = np.min(corners, axis=0), np.max(corners, axis=0)
        cell = round_length(2.0 * max(float(np.max(high[:2] - low[:2])), self.thickness) / FLOOR_CELLS)

        def lines(k: int) -> tuple[float, ...]:
            first, last = math.floor(low[k] / cell), math.ceil(high[k] / cell)
            return tuple(cell * step for step in range(first, last + 1))

        return Floor(float(low[2]) - FLOOR_GAP * self.thickness, lines(0), lines(1))

    @cached_property
    def _view(self) -> NDArray[float64]:
        import numpy as np

        return np.array(self.camera.axes())

    @cached_property
    def box(self) -> Rectangle:
        """The rectangle of the camera's plane that holds every frame and the floor."""
        import numpy as np

        seen = [np.array(self.floor.corners()) @ self._view.T]
        for place in range(len(self.scene.bodies)):
            points = self._outer_points(place)
            if points:
                world = placed(poses_of(self.scene, place), np.array(points))
                seen.append((world @ self._view.T).reshape(-1, 3))
        low = np.min([each.min(axis=0) for each in seen], axis=0)
        high = np.max([each.max(axis=0) for each in seen], axis=0)
        return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    @cached_property
    def trace_paths(self) -> tuple[NDArray[float64], ...]:
        """For each trace its path as the camera sees it: right, up, nearness."""
        import numpy as np

        found = []
        for trace in self.scene.traces:
            place = self.scene.place(trace.body)
            poses = np.array([frame[place] for frame in self.scene.poses])
            found.append(placed(poses, np.array([trace.point]))[:, 0] @ self._view.T)
        return tuple(found)

    def painted(self, frame: int) -> list[Primitive]:
        """What there is to see in one frame: the floor, then far things before near ones, then texts."""
        import numpy as np

        seen: list[Seen] = []
        shadows: list[Primitive] = []
        texts: list[Primitive] = []
        known: list[tuple[int, int]] = []
        for place, mesh in enumerate(self.meshes):
            pose = np.array([self.scene.poses[frame][place]])
            turn = rotations(pose)[0]
            vertices, normals = self._arrays[place]
            world = vertices @ turn.T + pose[0, :3]
            upright = normals @ turn.T
            shadows += self._shadows(mesh, world, upright)
            surfaces = self._surfaces(mesh, self.edges[place], world @ self._view.T, upright @ self._view.T)
            start = len(seen)
            for number, each in enumerate(surfaces, start):
                seen.append(each)
                known += [(start + below, number) for below in each.over]
            texts += [_name(complex(*(world[tag.at] @ self._view.T)[:2]), tag) for tag in mesh.tags]
        seen += [piece for one in self.scene.connectors for piece in self._connector(one, frame)]
        seen += self._traces(frame)
        if self._has_large_faces:
            from linkwork.view.order import back_to_front

            corners = [np.array(each.corners).reshape(-1, 3) for each in seen]
            seen = [seen[place] for place in back_to_front(corners, [each.nearness for each in seen], known)]
        else:
            seen.sort(key=lambda each: each.nearness)
        return [*self._floor_lines(), *shadows, *(each.primitive for each in seen), *texts]

    @cached_property
    def _has_large_faces(self) -> bool:
        """Whether there are solids: pieces of bars are so small that their middles tell their order."""
        return any(isinstance(shape, Facets) for body in self.scene.bodies for shape in body.shapes)

    def _surfaces(
        self, mesh: Mesh, edges: list[Edge], spots: NDArray[float64], normals: NDArray[float64]
    ) -> Iterator[Seen]:
        """Faces turned to the eye, outlines, and balls."""
        import numpy as np

        facing = (normals[:, 2] > 1e-9).tolist()
        lit = AMBIENT + (1 - AMBIENT) * np.maximum(normals @ np.array(LIGHT), 0.0)
        shades = np.rint(lit * (SHADES - 1)).astype(int).tolist()
        flat = (spots[:, 0] + 1j * spots[:, 1]).tolist()
        depths = spots[:, 2].tolist()
        places = spots.tolist()
        near = [sum(depths[k] for k in face.corners) / len(face.corners) for face in mesh.faces]
        painted: dict[int, int] = {}
        for number, (face, depth) in enumerate(zip(mesh.faces, near, strict=True)):
            if facing[face.normal] and face.ink != CLEAR:
                painted[number] = len(painted)
                ring = tuple(flat[k] for k in face.corners)
                path = Path((ring,), f"{face.ink}-{shades[face.normal]}")
                yield Seen(depth, path, [places[k] for k in face.corners])
        for edge in edges:
            seen = [number for number in edge.faces if facing[mesh.faces[number].normal]]
            if seen and (edge.sharp or len(seen) < len(edge.faces)):
                start, end = edge.ends
                depth = max(near[number] for number in seen) + EDGE_NEARER * self.thickness
                path = Path(((flat[start], flat[end]),), "edge", closed=False)
                over = tuple(painted[number] for number in seen if number in painted)
                yield Seen(depth, path, [places[k] for k in edge.ends], over)
        for ball in mesh.balls:
            at, depth = flat[ball.center], depths[ball.center] + BALL_NEARER * ball.radius
            yield from (Seen(depth, circle) for circle in ball_circles(at, ball.radius, ball.ink))

    def _shadows(self, mesh: Mesh, world: NDArray[float64], normals: NDArray[float64]) -> list[Primitive]:
        """The shadows of faces and balls on the floor, with the light right above."""
        import numpy as np

        def on_floor(points: NDArray[float64]) -> list[complex]:
            low = points.copy()
            low[:, 2] = self.floor.height
            seen = low @ self._view.T
            flat: list[complex] = (seen[:, 0] + 1j * seen[:, 1]).tolist()
            return flat

        upward = (normals[:, 2] > 0.02).tolist()
        flat = on_floor(world)
        found: list[Primitive] = [
            Path((tuple(flat[k] for k in face.corners),), "shadow")
            for face in mesh.faces
            if upward[face.normal]
        ]
        turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        circle = np.stack([np.cos(turns), np.sin(turns), 0 * turns], -1)
        for ball in mesh.balls:
            rim = on_floor(world[ball.center] + ball.radius * circle)
            found.append(Path((tuple(rim),), "shadow"))
        return found

    def _floor_lines(self) -> Iterable[Primitive]:
        floor = self.floor
        lines = [((x, floor.ys[0]), (x, floor.ys[-1])) for x in floor.xs]
        lines += [((floor.xs[0], y), (floor.xs[-1], y)) for y in floor.ys]
        right, up, _ = self.camera.axes()

        def flat(x: float, y: float) -> complex:
            point = (x, y, floor.height)
            return complex(dot(right, point), dot(up, point))

        yield Path(tuple((flat(*start), flat(*end)) for start, end in lines), "grid", closed=False)

    def _traces(self, frame: int) -> Iterator[Seen]:
        """Pieces of the paths among the bodies, and the tracing points before them all."""
        places = colour_places(self.scene)
        for trace, path in zip(self.scene.traces, self.trace_paths, strict=True):
            ink = trace_place(self.scene, trace, places)
            flat = (path[:, 0] + 1j * path[:, 1]).tolist()
            depths = path[:, 2].tolist()
            for start in range(0, len(flat) - 1, TRACE_PIECE):
                piece = slice(start, start + TRACE_PIECE + 1)
                depth = sum(depths[piece]) / len(depths[piece])
                yield Seen(depth, Path((tuple(flat[piece]),), f"trace-{ink}", closed=False))
            yield Seen(math.inf, Circle(flat[frame], SPOT * self.thickness, f"spot-{ink}"))

    def _connector(self, one: Connector, frame: int) -> Iterator[Seen]:
        """Its pieces, each as near as the part of the way it stands for."""
        import numpy as np

        ends = []
        for body, point in ((one.first_body, one.first_point), (one.second_body, one.second_point)):
            pose = np.array([self.scene.poses[frame][self.scene.place(body)]])
            ends.append(placed(pose, np.array([point]))[0, 0] @ self._view.T)
        first, second = (complex(end[0], end[1]) for end in ends)
        stations = connector_stations(one, self.thickness)
        for stops, line in zip(stations, along_stations(first, second, stations), strict=True):
            for stop, piece in zip(pairwise(stops), pairwise(line), strict=True):
                part = (stop[0][0] + stop[1][0]) / 2
                yield Seen(
                    float(ends[0][2] * (1 - part) + ends[1][2] * part),
                    Path((piece,), one.kind, closed=False),
                )


def _name(at: complex, tag: Tag) -> Text:
    return Text(at, tag.text, "mark-name" if tag.is_marked else "label", shift=10 + 10j)


def ball_circles(at: complex, radius: float, ink: str) -> Iterator[Circle]:
    """A ball as circles one on another, lighter towards the light."""
    yield Circle(at, radius, "rim")
    towards = complex(LIGHT[0], LIGHT[1])
    for step in range(BALL_STEPS):
        part = step / BALL_STEPS
        shade = round((0.3 + 0.65 * part) * (SHADES - 1))
        yield Circle(at + towards * radius * 0.62 * part, radius * (1 - part), f"{ink}-{shade}")


def _box_corners(points: list[Point]) -> tuple[Point, ...]:
    if not points:
        return ()
    low = [min(values) for values in zip(*points, strict=True)]
    high = [max(values) for values in zip(*points, strict=True)]
    return tuple((x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2]))
