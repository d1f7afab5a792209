"""A stage as a glTF 2.0 file (.glb) for other programs: nodes for placements, their motion as an animation.

glTF has y upwards, so a stage in space hangs on a node that is turned. Its nodes know translation, rotation and scale
but no shear: a surface that is sheared for good is stored as it looks, one whose shear changes is refused.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from linkwork import __version__
from linkwork.errors import UsageError
from linkwork.view.sight import thing_matrices, view_of
from linkwork.view.solid import Solid
from linkwork.view.stage import Eye, Lamp, Stage, Thing, placed

Array = NDArray[np.float64]

SHEARED: Final = 1e-5
"""How far from square axes may be, as a cosine, before they count as sheared."""
STILL: Final = 1e-9
"""Changes of a placement below this share of the scene are none."""
MOST_OBJECTS: Final = 100_000
UPRIGHT: Final = [-0.7071067811865476, 0.0, 0.0, 0.7071067811865476]
"""The rotation that turns z upwards into y upwards, as x, y, z, w."""
_FLOAT, _WORD, _LONG = 5126, 5123, 5125
_VERTICES, _INDICES = 34962, 34963


def stage_glb(stage: Stage) -> bytes:
    """The bytes of a GLB file: surfaces, colours, lights, cameras, and the motion.

    >>> from linkwork import load
    >>> from linkwork.view.machine_stage import machine_stage
    >>> stage_glb(machine_stage(load("pendulum")))[:4]
    b'glTF'
    """
    return _Writer(stage).glb()


class _Writer:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.binary = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.materials: list[dict[str, Any]] = []
        self.nodes: list[dict[str, Any]] = []
        self.cameras: list[dict[str, Any]] = []
        self.lights: list[dict[str, Any]] = []
        self.channels: list[dict[str, Any]] = []
        self.samplers: list[dict[str, Any]] = []
        self._attributes: dict[int, dict[str, Any]] = {}
        self._known: dict[tuple[Any, ...], int] = {}
        self._times: int | None = None

    def glb(self) -> bytes:
        """All of the file."""
        self._check_count()
        root: dict[str, Any] = {"name": self.stage.title[:200] or "stage", "children": []}
        if self.stage.dimension == 3:
            root["rotation"] = UPRIGHT
        self.nodes.append(root)
        holders = [root, *(self._placement(place) for place in range(1, len(self.stage.placements)))]
        root["children"] += range(1, len(self.nodes))
        for thing in self.stage.things:
            self._thing(thing, holders[thing.placement])
        for eye in self.stage.eyes:
            root["children"].append(self._camera(eye))
        for lamp in self.stage.lamps:
            if lamp.kind != "sky":
                root["children"].append(self._light(lamp))
        return _packed(self._document(), bytes(self.binary))

    def _document(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"linkwork {__version__}"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{k: v for k, v in node.items() if v != []} for node in self.nodes],
            "meshes": self.meshes,
            "materials": self.materials,
            "cameras": self.cameras,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": len(self.binary)}],
        }
        if self.lights:
            found["extensionsUsed"] = ["KHR_lights_punctual"]
            found["extensions"] = {"KHR_lights_punctual": {"lights": self.lights}}
        if self.channels:
            found["animations"] = [{"name": "motion", "channels": self.channels, "samplers": self.samplers}]
        return {key: value for key, value in found.items() if value != []}

    # ------------------------------------------------------------------------------------- nodes

    def _check_count(self) -> None:
        """Refuse too many objects before work is done for any."""
        stage = self.stage
        count = sum(1 if thing.instances is None else len(thing.instances) for thing in stage.things)
        if count > MOST_OBJECTS:
            raise UsageError(
                "too many objects for a glTF file",
                got=f"{count}, repetitions counted",
                wanted=f"at most {MOST_OBJECTS}",
                why="each becomes a node, and programs that read them take long over so many",
                fix="count = 1000",
            )

    def _node(self, node: dict[str, Any]) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _placement(self, place: int) -> dict[str, Any]:
        node: dict[str, Any] = {"name": self.stage.placements[place], "children": []}
        number = self._node(node)
        self._move(
            node, number, self.stage.placement_rows(place), f"the placement {self.stage.placements[place]}"
        )
        return node

    def _move(self, node: dict[str, Any], number: int, rows: Array, name: str) -> None:
        """A node where it is first, and an animation where it does not stay there."""
        if not np.all(np.isfinite(rows)):
            raise UsageError(
                f"{name} has no place at some time", wanted="finite numbers", fix="check its formulas"
            )
        shift, turn, size, shear = decomposed(rows)
        if shear.max() > SHEARED:
            raise UsageError(
                f"{name} is sheared, which glTF cannot hold",
                why="something turned stands on a frame whose scale differs between its axes",
                fix="give the frame the same scale along all axes",
            )
        node |= {"translation": shift[0].tolist(), "rotation": turn[0].tolist(), "scale": size[0].tolist()}
        if len(rows) < 2 or self.stage.motion is None:
            return
        reach = max(float(np.abs(self.stage.extent).max()), 1e-300)
        for path, values, scale in (
            ("translation", shift, reach),
            ("rotation", turn, 1.0),
            ("scale", size, reach),
        ):
            if float(np.ptp(values, axis=0).max()) > STILL * scale:
                sampler = {
                    "input": self._time_accessor(),
                    "output": self._floats(values),
                    "interpolation": "LINEAR",
                }
                self.channels.append(
                    {"sampler": len(self.samplers), "target": {"node": number, "path": path}}
                )
                self.samplers.append(sampler)

    def _time_accessor(self) -> int:
        if self._times is None:
            assert self.stage.motion is not None
            times = self.stage.motion.times
            self._times = self._floats((times - times[0])[:, None], bounded=True)
        return self._times

    def _thing(self, thing: Thing, holder: dict[str, Any]) -> None:
        outer = np.column_stack([np.eye(3), np.zeros(3)])
        matrices = np.array(thing_matrices(thing, outer))
        shift, turn, size, shear = decomposed(matrices)
        stands = zip(matrices, shift.tolist(), turn.tolist(), size.tolist(), shear.tolist(), strict=True)
        for matrix, own_shift, own_turn, own_size, own_shear in stands:
            node: dict[str, Any] = {"name": thing.name[:200]}
            if own_shear > SHEARED:
                baked = self.stage.solids[thing.solid]
                solid = Solid(
                    placed(matrix, baked.positions), _turned(baked.normals, matrix), baked.triangles
                )
                node["mesh"] = self._mesh(("own", len(self.meshes)), solid, thing)
            else:
                node["mesh"] = self._mesh((thing.solid,), self.stage.solids[thing.solid], thing)
                if thing.matrix is not None or thing.instances is not None:
                    node |= {
                        "translation": own_shift,
                        "rotation": own_turn,
                        "scale": own_size,
                    }
            holder["children"].append(self._node(node))

    def _camera(self, eye: Eye) -> int:
        self.cameras.append(
            {
                "name": eye.name,
                "type": "perspective",
                "perspective": {
                    "yfov": float(np.radians(eye.angle)),
                    "znear": self._reach() * 1e-3,
                    "zfar": self._reach() * 50,
                },
            }
        )
        moves = self.stage.motion is not None and (eye.placement or eye.toward_placement)
        rows = []
        for row in range(self.stage.rows if moves else 1):
            view = view_of(self.stage, row, eye)
            rows.append(np.column_stack([view.axes.T, view.at]))
        node: dict[str, Any] = {"name": eye.name, "camera": len(self.cameras) - 1}
        number = self._node(node)
        self._move(node, number, np.array(rows), f"the camera {eye.name}")
        return number

    def _reach(self) -> float:
        return max(float(np.linalg.norm(self.stage.extent[1] - self.stage.extent[0])), 1e-6)

    def _light(self, lamp: Lamp) -> int:
        kind = {"sun": "directional"}.get(lamp.kind, lamp.kind)
        light: dict[str, Any] = {
            "name": lamp.name,
            "type": kind,
            "color": _linear(lamp.colour),
            "intensity": lamp.strength * (1.0 if kind == "directional" else 100.0),
        }
        if kind == "spot":
            light["spot"] = {"outerConeAngle": float(np.pi / 4)}
        self.lights.append(light)
        at, toward = placed(self.stage.matrices()[lamp.placement], np.array([lamp.at, lamp.toward]))
        back = at - toward
        matrix = np.column_stack([_beside(back), at])
        node: dict[str, Any] = {
            "name": lamp.name,
            "extensions": {"KHR_lights_punctual": {"light": len(self.lights) - 1}},
        }
        number = self._node(node)
        self._move(node, number, matrix[None], f"the light {lamp.name}")
        return number

    # ---------------------------------------------------------------------------------- surfaces

    def _mesh(self, key: tuple[Any, ...], solid: Solid, thing: Thing) -> int:
        material = self._material(thing)
        if (*key, material) not in self._known:
            self._known[(*key, material)] = len(self.meshes)
            if id(solid) not in self._attributes or key[0] == "own":
                wide = len(solid.positions) > 65535
                self._attributes[id(solid)] = {
                    "attributes": {
                        "POSITION": self._floats(solid.positions, bounded=True, target=_VERTICES),
                        "NORMAL": self._floats(_units(solid.normals), target=_VERTICES),
                    },
                    "indices": self._accessor(
                        solid.triangles.reshape(-1, 1).astype("<u4" if wide else "<u2"),
                        _LONG if wide else _WORD,
                        _INDICES,
                    ),
                }
            primitive = {**self._attributes[id(solid)], "material": material}
            self.meshes.append({"name": thing.name[:200], "primitives": [primitive]})
        return self._known[(*key, material)]

    def _material(self, thing: Thing) -> int:
        key = ("material", thing.colour, thing.opacity, thing.rough, thing.metal)
        if key not in self._known:
            self._known[key] = len(self.materials)
            material: dict[str, Any] = {
                "pbrMetallicRoughness": {
                    "baseColorFactor": [*_linear(thing.colour), thing.opacity],
                    "metallicFactor": thing.metal,
                    "roughnessFactor": thing.rough,
                },
                "doubleSided": True,
            }
            if thing.opacity < 1:
                material["alphaMode"] = "BLEND"
            self.materials.append(material)
        return self._known[key]

    def _floats(self, values: Array, *, bounded: bool = False, target: int = 0) -> int:
        rows = np.ascontiguousarray(values, "<f4")
        bounds = {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()} if bounded else {}
        return self._accessor(rows, _FLOAT, target, bounds)

    def _accessor(
        self, rows: NDArray[Any], kind: int, target: int = 0, bounds: dict[str, Any] | None = None
    ) -> int:
        self.binary += bytes(-len(self.binary) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": rows.nbytes}
        self.views.append(view | ({"target": target} if target else {}))
        self.binary += rows.tobytes()
        width = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[rows.shape[1]]
        self.accessors.append(
            {
                "bufferView": len(self.views) - 1,
                "componentType": kind,
                "count": len(rows),
                "type": width,
                **(bounds or {}),
            }
        )
        return len(self.accessors) - 1


# ------------------------------------------------------------------------------------------ matrices


def decomposed(matrices: Array) -> tuple[Array, Array, Array, Array]:
    """Translation, rotation (x, y, z, w), scale and shear of matrices (rows, 3, 4); the shear is a cosine.

    >>> shift, turn, size, shear = decomposed(np.array([[[0, -2, 0, 1], [3, 0, 0, 0], [0, 0, 1, 0]]]))
    >>> shift.tolist(), turn.round(3).tolist(), size.tolist(), shear.tolist()
    ([[1, 0, 0]], [[0.0, 0.0, 0.707, 0.707]], [[3.0, 2.0, 1.0]], [0.0])
    """
    linear = matrices[:, :, :3]
    sizes = np.linalg.norm(linear, axis=1)
    axes = linear / np.where(sizes > 0, sizes, 1.0)[:, None, :]
    for row in np.flatnonzero((sizes <= 0).any(axis=1)):
        axes[row] = _square(axes[row], sizes[row])
    products = np.abs(np.einsum("nki,nkj->nij", axes, axes) - np.eye(3))
    shear = products.max(axis=(1, 2))
    flipped = np.linalg.det(axes) < 0
    axes[flipped, :, 0] *= -1
    sizes[flipped, 0] *= -1
    return matrices[:, :, 3], _quaternions(axes), sizes, np.where(shear < 1e-12, 0.0, shear)


def _square(unit: Array, sizes: Array) -> Array:
    """Unit axes; those of length zero stand square to the others."""
    axes = unit.copy()
    lost = [k for k in range(3) if sizes[k] <= 0]
    if len(lost) == 1:
        k = lost[0]
        axes[:, k] = np.cross(axes[:, k - 2], axes[:, k - 1])
    elif len(lost) == 2:
        k = next(each for each in range(3) if each not in lost)
        square = _beside(axes[:, k])
        axes = np.roll(square, k + 1, axis=1)
    elif lost:
        axes = np.eye(3)
    return axes


def _beside(way: Array) -> Array:
    """Axes as columns, the third along a direction."""
    length = float(np.linalg.norm(way))
    z = way / length if length else np.array([0.0, 0.0, 1.0])
    least = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(least, z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _quaternions(axes: Array) -> Array:
    """Unit quaternions x, y, z, w that change their sign nowhere on the way."""
    from scipy.spatial.transform import Rotation

    found = Rotation.from_matrix(axes).as_quat()
    turns = np.sign(np.einsum("ij,ij->i", found[1:], found[:-1]))
    found[1:] *= np.cumprod(np.where(turns < 0, -1.0, 1.0))[:, None]
    return np.asarray(found)


def _units(normals: Array) -> Array:
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300))


def _turned(normals: Array, matrix: Array) -> Array:
    from linkwork.view.sight import cofactors

    return _units(normals @ cofactors(matrix[:, :3]).T)


def _linear(code: str) -> list[float]:
    """A colour in the linear light that glTF counts in."""
    parts = [int(code[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _packed(document: dict[str, Any], binary: bytes) -> bytes:
    """The two chunks of a GLB file."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    chunks: Sequence[tuple[bytes, bytes]] = ((b"JSON", text), (b"BIN\0", binary))
    body = b"".join(len(data).to_bytes(4, "little") + kind + data for kind, data in chunks)
    return b"glTF" + (2).to_bytes(4, "little") + (12 + len(body)).to_bytes(4, "little") + body
