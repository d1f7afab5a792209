"""The stage: all that a picture of a machine in motion needs, as a plain value that knows nothing of machines.

Placements are matrices x' = A·x + b that change with time; the first is the ground and stands still. Objects, lights,
cameras and traces hang on placements. Surfaces are found once: what changes is in the placements.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from linkwork.view.solid import Solid

Array = NDArray[np.float64]
Numbers = tuple[float, ...]

IDENTITY: Final = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The matrix of the ground."""
ROUGH: Final = 0.6
THICK: Final = 0.05
"""The height from which on a machine of the plane is thick, as a part of its size."""
MOST_MEASURED: Final = 60
"""Rows of a motion by which its extent is found."""
MOST_INSTANCES_MEASURED: Final = 400


@dataclass(frozen=True, eq=False)
class Thing:
    """A surface on a placement; ``matrix`` is where it stands there, ``instances`` where each of many does."""

    name: str
    placement: int
    solid: int
    colour: str
    matrix: Numbers | None = None
    instances: Array | None = None
    opacity: float = 1.0
    rough: float = ROUGH
    metal: float = 0.0
    shadow: bool = True
    is_scenery: bool = False
    """Whether it is land or trees, which say nothing about how large the machine is."""


@dataclass(frozen=True)
class Lamp:
    """A light of the kind sun, point, spot or sky."""

    name: str
    kind: str
    placement: int
    at: Numbers
    toward: Numbers
    colour: str
    strength: float
    shadow: bool


@dataclass(frozen=True)
class Eye:
    """A camera; ``angle`` is what it sees from top to bottom, in degrees."""

    name: str
    placement: int
    at: Numbers
    toward: Numbers
    toward_placement: int
    up: Numbers
    angle: float
    automatic: bool = False
    """Whether nobody has placed it: a page may step back with it."""


@dataclass(frozen=True)
class Path:
    """The path of a point of a placement."""

    name: str
    placement: int
    point: Numbers
    colour: str


@dataclass(frozen=True)
class Shown:
    """A quantity that can be plotted."""

    name: str
    unit: str = ""


@dataclass(frozen=True, eq=False)
class Replay:
    """A motion: for each time the entries of all placements but the ground's, and the columns."""

    times: Array
    placements: Array
    columns: Array


@dataclass(frozen=True)
class Slider:
    """A parameter that can be changed while a simulation runs."""

    name: str
    value: float
    unit: str
    least: float
    most: float


@dataclass(frozen=True)
class Keys:
    """A control and the keys that move it."""

    name: str
    keys: tuple[str, ...]
    least: float
    most: float


@dataclass(frozen=True)
class Live:
    """What a simulation on the stage can be told."""

    parameters: tuple[Slider, ...]
    controls: tuple[Keys, ...]
    tolerance: float = 1e-6
    ends: tuple[str, ...] = ()
    """The drives whose ranges end; the program tells when, behind the placements."""
    standing: tuple[int, ...] = ()
    """Placements that parameters alone decide: they do not move."""


@dataclass(frozen=True, eq=False)
class Stage:
    """Placements, what hangs on them, and how they move."""

    title: str
    dimension: int
    placements: tuple[str, ...]
    start: Array
    solids: tuple[Solid, ...]
    things: tuple[Thing, ...]
    lamps: tuple[Lamp, ...] = ()
    eyes: tuple[Eye, ...] = ()
    paths: tuple[Path, ...] = ()
    columns: tuple[Shown, ...] = ()
    plots: tuple[int, ...] = ()
    background: str = ""
    unit: str = ""
    motion: Replay | None = None
    live: Live | None = None

    @property
    def up(self) -> Numbers:
        """What is upwards: z in space, y in the plane."""
        return (0.0, 0.0, 1.0) if self.dimension == 3 else (0.0, 1.0, 0.0)

    @property
    def is_thick(self) -> bool:
        """Whether a machine of the plane has bodies that are worth being seen from aside."""
        size = self.extent[1] - self.extent[0]
        return self.dimension == 2 and bool(size[2] > THICK * np.linalg.norm(size))

    @property
    def rows(self) -> int:
        """In how many rows it moves; 1 stands still."""
        return 1 if self.motion is None else len(self.motion.times)

    def matrices(self, row: int = 0) -> Array:
        """The matrices of all placements, (placements, 3, 4)."""
        moved = self.start if self.motion is None else self.motion.placements[row]
        return np.concatenate([[IDENTITY], np.reshape(moved, (-1, 12))]).reshape(-1, 3, 4)

    def placement_rows(self, placement: int) -> Array:
        """The matrices of one placement in all rows, (rows, 3, 4)."""
        if placement == 0:
            return np.tile(np.reshape(IDENTITY, (3, 4)), (self.rows, 1, 1))
        moved = self.start.reshape(1, -1) if self.motion is None else self.motion.placements
        return np.asarray(moved[:, 12 * (placement - 1) : 12 * placement].reshape(-1, 3, 4))

    def is_still(self, placement: int) -> bool:
        """Whether a placement is the same in all rows."""
        return placement == 0 or self.motion is None or bool(self._is_still[placement - 1])

    @cached_property
    def _is_still(self) -> NDArray[np.bool_]:
        assert self.motion is not None
        rows = self.motion.placements
        same = (rows == rows[:1]).all(axis=0)
        return np.asarray(same.reshape(-1, 12).all(axis=1))

    @cached_property
    def extent(self) -> Array:
        """The least and the greatest corner of what is seen; land counts only where there is nothing else."""
        seen = [thing for thing in self.things if not thing.is_scenery] or [*self.things]
        rows = np.unique(np.linspace(0, self.rows - 1, min(self.rows, MOST_MEASURED)).round().astype(int))
        corners: list[Array] = []
        for thing in seen:
            local = thing_points(thing, self.solids[thing.solid].box)
            for row in rows if thing.placement else rows[:1]:
                world = placed(self.matrices(int(row))[thing.placement], local)
                corners += [world.min(axis=0), world.max(axis=0)]
        found = np.array([each for each in corners if np.all(np.isfinite(each))])
        return (
            np.array([found.min(axis=0), found.max(axis=0)])
            if len(found)
            else np.array([[-1.0] * 3, [1.0] * 3])
        )


def placed(matrix: Array, points: Array) -> Array:
    """Points moved by a matrix of three rows and four columns."""
    return np.asarray(points @ matrix[:, :3].T + matrix[:, 3])


def thing_points(thing: Thing, points: Array) -> Array:
    """Points of a thing's surface where it stands on its placement; of many instances some."""
    if thing.instances is not None:
        step = max(1, len(thing.instances) // MOST_INSTANCES_MEASURED)
        return np.concatenate([placed(each.reshape(3, 4), points) for each in thing.instances[::step]])
    return points if thing.matrix is None else placed(np.reshape(thing.matrix, (3, 4)), points)


# --------------------------------------------------------------------------------------------- as data


def stage_data(stage: Stage) -> dict[str, Any]:
    """The stage as data for JSON: numbers, texts and lists; long arrays are in base64, little-endian."""
    return {
        "title": stage.title,
        "dimension": 3 if stage.is_thick else stage.dimension,
        "up": list(stage.up),
        "unit": stage.unit,
        "background": stage.background or None,
        "placements": list(stage.placements),
        "start": stage.start.reshape(-1).tolist(),
        "extent": stage.extent.tolist(),
        "meshes": [_mesh_data(solid) for solid in stage.solids],
        "objects": [_thing_data(thing) for thing in stage.things],
        "lights": [_lamp_data(lamp) for lamp in stage.lamps],
        "cameras": [_eye_data(eye) for eye in stage.eyes],
        "traces": [
            {"name": path.name, "placement": path.placement, "point": list(path.point), "colour": path.colour}
            for path in stage.paths
        ],
        "columns": [{"name": each.name, "unit": each.unit} for each in stage.columns],
        "plots": list(stage.plots),
        "motion": None if stage.motion is None else _motion_data(stage.motion),
        "live": None if stage.live is None else _live_data(stage.live),
    }


def _floats(values: Array) -> str:
    return base64.b64encode(np.ascontiguousarray(values, "<f4").tobytes()).decode()


def _mesh_data(solid: Solid) -> dict[str, Any]:
    wide = len(solid.positions) > 65535
    triangles = np.ascontiguousarray(solid.triangles, "<u4" if wide else "<u2")
    return {
        "positions": _floats(solid.positions),
        "normals": _floats(solid.normals),
        "triangles": base64.b64encode(triangles.tobytes()).decode(),
        "wide": wide,
    }


def _thing_data(thing: Thing) -> dict[str, Any]:
    return {
        "name": thing.name,
        "placement": thing.placement,
        "mesh": thing.solid,
        "matrix": None if thing.matrix is None else list(thing.matrix),
        "instances": None if thing.instances is None else thing.instances.tolist(),
        "colour": thing.colour,
        "opacity": thing.opacity,
        "rough": thing.rough,
        "metal": thing.metal,
        "shadow": thing.shadow,
    }


def _lamp_data(lamp: Lamp) -> dict[str, Any]:
    return {
        "kind": lamp.kind,
        "placement": lamp.placement,
        "at": list(lamp.at),
        "toward": list(lamp.toward),
        "colour": lamp.colour,
        "strength": lamp.strength,
        "shadow": lamp.shadow,
    }


def _eye_data(eye: Eye) -> dict[str, Any]:
    return {
        "name": eye.name,
        "placement": eye.placement,
        "at": list(eye.at),
        "toward": list(eye.toward),
        "toward_placement": eye.toward_placement,
        "up": list(eye.up),
        "angle": eye.angle,
        "automatic": eye.automatic,
    }


def _motion_data(motion: Replay) -> dict[str, Any]:
    return {
        "times": motion.times.tolist(),
        "placements": _floats(motion.placements),
        "columns": _floats(motion.columns),
    }


def _live_data(live: Live) -> dict[str, Any]:
    return {
        "parameters": [
            {
                "name": each.name,
                "value": each.value,
                "unit": each.unit,
                "least": each.least,
                "most": each.most,
            }
            for each in live.parameters
        ],
        "controls": [
            {"name": each.name, "keys": list(each.keys), "least": each.least, "most": each.most}
            for each in live.controls
        ],
        "tolerance": live.tolerance,
        "ends": list(live.ends),
        "standing": list(live.standing),
    }
