"""The triangles of a glTF 2.0 file: all meshes of its scene where their nodes stand."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import MachineFileError

Array = NDArray[np.float64]
Triangles = NDArray[np.int64]

_MAGIC, _JSON, _BINARY = b"glTF", b"JSON", b"BIN\0"
_TYPES: Final = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS: Final = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_MOST_NODES: Final = 10_000
_TRIANGLES: Final = 4
"""The mode of primitives that are triangles."""


def gltf_triangles(content: bytes) -> tuple[Array, Array | None, Triangles]:
    """Positions, normals (none where a mesh has none) and triangles."""
    try:
        return _Reader(content).triangles()
    except (
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
        ValueError,
        OverflowError,
        RecursionError,
    ) as error:
        raise MachineFileError(
            "this glTF file is broken",
            why=_in_words(error),
            wanted="glTF 2.0",
            fix="export it again",
        ) from None


def _in_words(error: Exception) -> str:
    """What an exception says about a file, for those who did not write this reader.

    >>> _in_words(KeyError("version"))
    "it has no 'version' where one is wanted"
    """
    if isinstance(error, UnicodeDecodeError):
        return f"it is no text in UTF-8, from byte {error.start} on"
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON: {error.msg.lower()} in line {error.lineno}, column {error.colno}"
    if isinstance(error, KeyError):
        return f"it has no {str(error.args[0])[:60]!r} where one is wanted"
    if isinstance(error, IndexError):
        return "it refers to an entry that is not there"
    if isinstance(error, RecursionError):
        return "its JSON is nested too deeply"
    if isinstance(error, TypeError | AttributeError):
        return "an entry is of another kind than glTF says, such as a text for a list"
    return str(error)[:100]


def _refuse(problem: str, wanted: str = "glTF 2.0") -> NoReturn:
    raise MachineFileError(problem, wanted=wanted, fix="export it again as a GLB file")


class _Reader:
    def __init__(self, content: bytes) -> None:
        self.binary = b""
        text = content
        if content[:4] == _MAGIC:
            text = self._chunks(content)
        self.document: dict[str, Any] = json.loads(text.decode("utf-8-sig"))
        if str(self.document["asset"]["version"])[:2] != "2.":
            _refuse("this is another version of glTF")
        self._buffers: dict[int, bytes] = {}

    def _chunks(self, content: bytes) -> bytes:
        text, place = b"", 12
        while place + 8 <= len(content):
            size = int.from_bytes(content[place : place + 4], "little")
            kind, chunk = content[place + 4 : place + 8], content[place + 8 : place + 8 + size]
            if len(chunk) < size:
                _refuse("this GLB file ends too early")
            if kind == _JSON:
                text = chunk
            elif kind == _BINARY and not self.binary:
                self.binary = chunk
            place += 8 + size
        return text

    def triangles(self) -> tuple[Array, Array | None, Triangles]:
        positions: list[Array] = []
        normals: list[Array | None] = []
        corners: list[Triangles] = []
        count = 0
        for mesh, matrix in self._meshes():
            for primitive in self.document["meshes"][mesh]["primitives"]:
                if primitive.get("mode", _TRIANGLES) != _TRIANGLES:
                    continue
                points, across, triangles = self._primitive(primitive)
                positions.append(points @ matrix[:3, :3].T + matrix[:3, 3])
                normals.append(None if across is None else _turned(across, matrix[:3, :3]))
                corners.append(triangles + count)
                count += len(points)
        if not corners:
            _refuse("this glTF file has no triangles", "meshes of triangles")
        known = [each for each in normals if each is not None]
        every = np.concatenate(known) if len(known) == len(normals) else None
        return np.concatenate(positions), every, np.concatenate(corners)

    def _meshes(self) -> Iterator[tuple[int, Array]]:
        """The meshes of the scene with the matrices of their nodes, each node once."""
        document = self.document
        nodes: list[dict[str, Any]] = document.get("nodes", [])
        if not nodes:
            yield from ((mesh, np.eye(4)) for mesh in range(len(document["meshes"])))
            return
        scenes = document.get("scenes") or [{"nodes": list(range(len(nodes)))}]
        waiting = [(root, np.eye(4)) for root in scenes[document.get("scene", 0)].get("nodes", [])]
        seen = 0
        while waiting:
            place, outer = waiting.pop()
            seen += 1
            if seen > _MOST_NODES:
                _refuse("the nodes of this glTF file are too many, or form a circle")
            node = nodes[_natural(place)]
            matrix = outer @ _node_matrix(node)
            if "mesh" in node:
                yield _natural(node["mesh"]), matrix
            waiting += [(child, matrix) for child in node.get("children", [])]

    def _primitive(self, primitive: dict[str, Any]) -> tuple[Array, Array | None, Triangles]:
        points = self._accessor(primitive["attributes"]["POSITION"]).astype(float)
        normals = None
        if "NORMAL" in primitive["attributes"]:
            normals = self._accessor(primitive["attributes"]["NORMAL"]).astype(float)
            if normals.shape != points.shape:
                _refuse("a mesh has more normals than places, or fewer")
        if points.ndim != 2 or points.shape[1] != 3:
            _refuse("the places of a mesh have not three coordinates")
        if "indices" in primitive:
            numbers = self._accessor(primitive["indices"]).ravel().astype(np.int64)
        else:
            numbers = np.arange(len(points))
        triangles = numbers[: len(numbers) // 3 * 3].reshape(-1, 3)
        if triangles.size and (triangles.min() < 0 or triangles.max() >= len(points)):
            _refuse("a triangle has a corner that is not there")
        return points, normals, triangles

    def _accessor(self, place: int) -> NDArray[Any]:
        accessor = self.document["accessors"][_natural(place)]
        if "sparse" in accessor or "bufferView" not in accessor:
            _refuse("sparse accessors cannot be read")
        kind, width = np.dtype(_TYPES[accessor["componentType"]]), _WIDTHS[accessor["type"]]
        view = self.document["bufferViews"][_natural(accessor["bufferView"])]
        data = self._buffer(_natural(view["buffer"]))
        offset, count = _natural(view.get("byteOffset", 0)), _natural(accessor["count"])
        data = data[offset : offset + _natural(view["byteLength"])]
        step = _natural(view.get("byteStride", kind.itemsize * width))
        start = _natural(accessor.get("byteOffset", 0))
        if step < kind.itemsize * width or start + step * (count - 1) + kind.itemsize * width > len(data):
            _refuse("this glTF file ends too early")
        rows = np.lib.stride_tricks.as_strided(
            np.frombuffer(data, np.uint8)[start:], (count, kind.itemsize * width), (step, 1), writeable=False
        )
        return np.ascontiguousarray(rows).view(kind).reshape(count, width)

    def _buffer(self, place: int) -> bytes:
        if place not in self._buffers:
            uri = self.document["buffers"][place].get("uri")
            self._buffers[place] = self.binary if uri is None else _inline(uri)
        return self._buffers[place]


def _inline(uri: str) -> bytes:
    head, comma, data = uri.partition(",")
    if not comma or not head.startswith("data:") or not head.endswith(";base64"):
        _refuse("this glTF file keeps its data in another file", "one file: GLB, or data inside the .gltf")
    try:
        return base64.b64decode(data, validate=True)
    except binascii.Error:
        _refuse("the data inside this glTF file are broken")


def _natural(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} where a number from 0 up is wanted"[:80])
    return value


def _node_matrix(node: dict[str, Any]) -> Array:
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = (float(each) for each in node.get("rotation", (0, 0, 0, 1)))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    found = np.eye(4)
    found[:3, :3] = turn * np.array(node.get("scale", (1, 1, 1)), float)
    found[:3, 3] = np.array(node.get("translation", (0, 0, 0)), float)
    return found


def _turned(normals: Array, matrix: Array) -> Array:
    """Normals of a surface that a matrix moves: by the cofactors, which have its inverse's directions."""
    cofactors = np.stack(
        [np.cross(matrix[1], matrix[2]), np.cross(matrix[2], matrix[0]), np.cross(matrix[0], matrix[1])]
    )
    found = normals @ cofactors.T
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-300))
