"""The scene: everything a picture shows, as a plain value that knows nothing of machines."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from linkwork.errors import NameTaken, UnknownName, UsageError
from linkwork.view.shape import PLANE, SPACE, Point, Shape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Pose = tuple[float, ...]
"""x, y, angle in the plane; x, y, z and the unit quaternion q0, q1, q2, q3 (scalar first) in space.

It takes the coordinates of the body to those of the world.
"""

ConnectorKind = Literal["spring", "damper", "rod", "belt"]

GROUND = "ground"
"""The name of the body that never moves and is drawn in grey."""

CONNECTOR_KINDS = ("spring", "damper", "rod", "belt")
POSE_LENGTH = {PLANE: 3, SPACE: 7}

SHORTEST_SHOW, LONGEST_SHOW, USUAL_SHOW = 0.5, 60.0, 6.0
"""Seconds. A motion that lasts between the first two is shown as it is, any other within the third."""

_GROUND_STANDS = 1e-9  # how far, relative to its coordinates, rounding may move the ground
_UNIT_QUATERNION = 1e-3  # how far a quaternion's length may be from one; it is normalised when drawn


def shown_seconds(span: float) -> float:
    """How long a motion that lasts this long should take on the screen.

    >>> shown_seconds(10.0), shown_seconds(86400.0)
    (10.0, 6.0)
    """
    return span if SHORTEST_SHOW <= span <= LONGEST_SHOW else USUAL_SHOW


@dataclass(frozen=True)
class Body:
    """A rigid part and what it looks like; its colour follows from its place in the scene."""

    name: str
    shapes: tuple[Shape, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "shapes", tuple(self.shapes))


@dataclass(frozen=True)
class Connector:
    """Something soft or slack between points of two bodies, drawn anew in every frame.

    The radii are those of the two pulleys of a belt.
    """

    kind: ConnectorKind
    first_body: str
    first_point: Point
    second_body: str
    second_point: Point
    first_radius: float = 0.0
    second_radius: float = 0.0


@dataclass(frozen=True)
class Trace:
    """The path of a body's point over all frames, such as a coupler curve."""

    name: str
    body: str
    point: Point


@dataclass(frozen=True, slots=True)
class Push:
    """Where two bodies touch, and the force on the first of them; that on the second is the opposite."""

    bodies: tuple[str, str]
    at: Point
    force: Point


@dataclass(frozen=True)
class Bars:
    """What lasts from when to when, and what happens in a moment: drawn as bars and ticks over time."""

    name: str
    spans: tuple[tuple[float, float], ...]
    moments: tuple[float, ...] = ()


@dataclass(frozen=True)
class Column:
    """A quantity with one value per frame; NaN leaves a gap in its plot. Columns of one group share axes."""

    name: str
    values: tuple[float, ...]
    unit: str = ""
    group: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(float(value) for value in self.values))


@dataclass(frozen=True)
class Scene:
    """Bodies, and where each of them is in every frame.

    ``times`` may be empty: then the frames follow one another without a clock.

    >>> from linkwork.view.shape import Bar
    >>> crank = Body("crank", (Bar(((0, 0), (1, 0))),))
    >>> turning = Scene.of("crank", [crank], [[[0, 0, 0.0]], [[0, 0, 0.1]]])
    >>> turning.dimension, turning.frames
    (2, 2)
    """

    title: str
    dimension: int
    bodies: tuple[Body, ...]
    poses: tuple[tuple[Pose, ...], ...]
    times: tuple[float, ...] = ()
    traces: tuple[Trace, ...] = ()
    connectors: tuple[Connector, ...] = ()
    drive: Column | None = None
    columns: tuple[Column, ...] = ()
    unit: str = ""
    pushes: tuple[tuple[Push, ...], ...] = ()
    """Of each frame; or none at all."""
    bars: tuple[Bars, ...] = ()
    time_unit: str = ""

    @staticmethod
    def of(
        title: str,
        bodies: Iterable[Body],
        poses: ArrayLike,
        *,
        times: Iterable[float] = (),
        traces: Iterable[Trace] = (),
        connectors: Iterable[Connector] = (),
        drive: Column | None = None,
        columns: Iterable[Column] = (),
        unit: str = "",
        pushes: Iterable[Iterable[Push]] = (),
        bars: Iterable[Bars] = (),
        time_unit: str = "",
    ) -> Scene:
        """A scene from poses of the shape (frames, bodies, 3) in the plane, (frames, bodies, 7) in space."""
        import numpy as np

        array = np.asarray(poses, dtype=float)
        if array.ndim != 3 or array.shape[2] not in POSE_LENGTH.values():
            raise UsageError(
                "these poses fit neither the plane nor space",
                got=f"an array of shape {array.shape}",
                wanted="(frames, bodies, 3) in the plane, (frames, bodies, 7) in space",
                fix="poses[numpy.newaxis] makes one frame of an array of bodies",
            )
        return Scene(
            title,
            PLANE if array.shape[2] == POSE_LENGTH[PLANE] else SPACE,
            tuple(bodies),
            tuple(tuple(tuple(pose) for pose in frame) for frame in array.tolist()),
            tuple(float(time) for time in times),
            tuple(traces),
            tuple(connectors),
            drive,
            tuple(columns),
            unit,
            tuple(tuple(frame) for frame in pushes),
            tuple(bars),
            time_unit,
        )

    def __post_init__(self) -> None:
        if self.dimension not in POSE_LENGTH:
            raise UsageError("a scene has two or three dimensions", got=f"{self.dimension}", wanted="2 or 3")
        _check_bodies(self)
        _check_poses(self)
        _check_times(self)
        _check_references(self)
        _check_columns(self)
        _check_pushes(self)

    @property
    def frames(self) -> int:
        """The number of frames; one is a still picture."""
        return len(self.poses)

    @property
    def seconds(self) -> float:
        """How long the motion should take on the screen."""
        return shown_seconds(self.times[-1] - self.times[0] if self.times else 0.0)

    def place(self, name: str) -> int:
        """The place of a body among the bodies."""
        for place, body in enumerate(self.bodies):
            if body.name == name:
                return place
        raise _unknown_body(self, name)


def check_frame(scene: Scene, frame: int) -> None:
    """Refuse a frame that the scene does not have."""
    if not 0 <= frame < scene.frames:
        raise UsageError(
            "the scene has no such frame",
            got=f"frame={frame}",
            wanted=f"0 to {scene.frames - 1}",
            fix=f"frame={min(max(frame, 0), scene.frames - 1)}",
        )


def _unknown_body(scene: Scene, name: str) -> UnknownName:
    return UnknownName(
        "the scene has no such body",
        got=repr(name),
        wanted="one of " + ", ".join(body.name for body in scene.bodies[:12]),
    )


def _check_bodies(scene: Scene) -> None:
    seen: set[str] = set()
    for body in scene.bodies:
        if body.name in seen:
            raise NameTaken("two bodies share a name", got=repr(body.name), fix="give each its own")
        seen.add(body.name)
        for shape in body.shapes:
            _check_shape(scene, body, shape)


def _check_shape(scene: Scene, body: Body, shape: Shape) -> None:
    kind = type(shape).__name__
    if scene.dimension not in shape.dimensions:
        raise UsageError(
            f"a {kind} cannot be drawn in {scene.dimension} dimensions",
            got=f"{kind} on the body {body.name!r}",
            wanted=f"a shape of {scene.dimension} dimensions",
            fix="Track for Rail, Hinge for Pin, Box for Block, Plate for Polygon, Sphere for Disc"
            if scene.dimension == SPACE
            else "Rail for Track, Pin for Hinge, Block for Box, Polygon for Plate, Disc for Sphere",
        )
    directions = [shape.axis] if hasattr(shape, "axis") else []
    for point in (*shape.spots(), *directions):
        _check_point(scene, f"the {kind} of {body.name!r}", point)
    if directions and not any(directions[0]):
        raise UsageError(
            f"the axis of the {kind} of {body.name!r} has no direction",
            got=repr(directions[0]),
            wanted="a vector other than zero",
            fix="axis=(0.0, 0.0, 1.0)",
        )


def _check_point(scene: Scene, owner: str, point: Point) -> None:
    if len(point) != scene.dimension or not all(map(math.isfinite, point)):
        raise UsageError(
            f"{owner} has a point that is none of this scene",
            got=repr(tuple(point)),
            wanted=f"{scene.dimension} finite coordinates",
            fix=f"{(0.0,) * scene.dimension}",
        )


def _check_poses(scene: Scene) -> None:
    if not scene.poses:
        raise UsageError("a scene without frames", got="poses=()", wanted="at least one frame")
    wanted = POSE_LENGTH[scene.dimension]
    for number, frame in enumerate(scene.poses):
        if len(frame) != len(scene.bodies):
            raise UsageError(
                f"frame {number} does not pose every body",
                got=f"{len(frame)} poses",
                wanted=f"{len(scene.bodies)}, one for each body",
                fix="give the ground its pose too" if any(_is_ground(b) for b in scene.bodies) else "",
            )
        for body, pose in zip(scene.bodies, frame, strict=True):
            if len(pose) != wanted or not all(map(math.isfinite, pose)):
                raise UsageError(
                    f"the body {body.name!r} has no definite pose in frame {number}",
                    got=repr(tuple(pose)),
                    wanted=f"{wanted} finite numbers",
                    why="a position that was not found cannot be drawn",
                    fix="leave out the frames where the machine could not be assembled",
                )
            if scene.dimension == SPACE and abs(math.hypot(*pose[3:]) - 1.0) > _UNIT_QUATERNION:
                raise UsageError(
                    f"the body {body.name!r} is turned by no unit quaternion in frame {number}",
                    got=repr(tuple(pose[3:])),
                    wanted="q0, q1, q2, q3 of length one, scalar first",
                    fix="divide it by its length",
                )
    _check_ground_stands(scene)


def _is_ground(body: Body) -> bool:
    return body.name == GROUND


def _check_ground_stands(scene: Scene) -> None:
    for place, body in enumerate(scene.bodies):
        if not _is_ground(body):
            continue
        first = scene.poses[0][place]
        for number, frame in enumerate(scene.poses):
            moved = math.dist(first, frame[place])
            if moved > _GROUND_STANDS * (1.0 + math.hypot(*first)):
                raise UsageError(
                    f"the ground moves in frame {number}",
                    got=repr(frame[place]),
                    wanted=f"{first!r} as in frame 0",
                    why=f"the body named {GROUND!r} is drawn as what stands still",
                    fix="give the moving body another name",
                )


def _check_times(scene: Scene) -> None:
    if not scene.times:
        return
    if len(scene.times) != scene.frames or not all(map(math.isfinite, scene.times)):
        raise UsageError(
            "the times do not belong to the frames",
            got=f"{len(scene.times)} times",
            wanted=f"{scene.frames} finite ones, one for each frame",
        )
    for number, (before, after) in enumerate(pairwise(scene.times), 1):
        if after <= before:
            raise UsageError(
                f"time does not go on at frame {number}",
                got=f"{after!r} after {before!r}",
                wanted="times that grow",
                fix="times=() for frames without a clock",
            )


def _check_references(scene: Scene) -> None:
    for trace in scene.traces:
        scene.place(trace.body)
        _check_point(scene, f"the trace {trace.name!r}", trace.point)
    for connector in scene.connectors:
        if connector.kind not in CONNECTOR_KINDS:
            raise UsageError(
                "no such kind of connector", got=repr(connector.kind), wanted=", ".join(CONNECTOR_KINDS)
            )
        if connector.kind == "belt" and scene.dimension == SPACE:
            raise UsageError(
                "a belt is drawn in the plane only",
                got="a belt in space",
                fix='kind="rod" for a straight run',
            )
        for body, point in (
            (connector.first_body, connector.first_point),
            (connector.second_body, connector.second_point),
        ):
            scene.place(body)
            _check_point(scene, f"the {connector.kind} at {body!r}", point)


def _check_columns(scene: Scene) -> None:
    drives = () if scene.drive is None else (scene.drive,)
    for column in (*drives, *scene.columns):
        if len(column.values) != scene.frames:
            raise UsageError(
                f"the column {column.name!r} does not belong to the frames",
                got=f"{len(column.values)} values",
                wanted=f"{scene.frames}, one for each frame",
            )


def _check_pushes(scene: Scene) -> None:
    if scene.pushes and len(scene.pushes) != scene.frames:
        raise UsageError(
            "the pushes do not belong to the frames",
            got=f"those of {len(scene.pushes)} frames",
            wanted=f"{scene.frames}, or none",
        )
    for push in (push for frame in scene.pushes for push in frame):
        for name in push.bodies:
            scene.place(name)
        for vector in (push.at, push.force):
            _check_point(scene, f"the push between {' and '.join(push.bodies)}", vector)
