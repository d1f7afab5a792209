"""Packing: long texts and arrays of numbers, small enough to stand in a page.

Numbers are written as planes of bytes, all first bytes before all second ones: neighbours are alike there, and deflate
halves them. Triangles are written as differences, which repeat; motions as series in time, one behind the other, by the
differences of their bits, and so are the places of an object that is repeated.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint8]
"""Numbers of four bytes each, a row for each."""


def packed(content: bytes) -> str:
    """Bytes as text that a page can unpack.

    >>> zlib.decompress(base64.b64decode(packed(b"wheel")))
    b'wheel'
    """
    return base64.b64encode(zlib.compress(content, 9)).decode()


def packed_stage(stage: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The stage with places of its arrays instead of these, and the arrays, packed."""
    collected: list[Words] = []
    count = 0

    def place(words: Words) -> list[int]:
        nonlocal count
        collected.append(words)
        count += len(words)
        return [count - len(words), len(words)]

    meshes = [
        {
            "positions": place(_words(mesh["positions"])),
            "normals": place(_words(mesh["normals"])),
            "triangles": place(_differences(mesh["triangles"], wide=mesh["wide"])),
        }
        for mesh in stage["meshes"]
    ]
    objects = [
        {**each, "instances": each.get("instances") and place(_table(np.array(each["instances"], "<f4")))}
        for each in stage["objects"]
    ]
    motion = stage["motion"] and {
        "times": stage["motion"]["times"],
        "placements": place(_series(stage["motion"]["placements"], len(stage["motion"]["times"]))),
        "columns": place(_series(stage["motion"]["columns"], len(stage["motion"]["times"]))),
    }
    planes = np.concatenate(collected).T if collected else np.zeros((4, 0), np.uint8)
    return {**stage, "meshes": meshes, "objects": objects, "motion": motion}, packed(planes.tobytes())


def _words(text: str) -> Words:
    return np.frombuffer(base64.b64decode(text), np.uint8).reshape(-1, 4)


def _differences(text: str, *, wide: bool) -> Words:
    return _steps(np.frombuffer(base64.b64decode(text), "<u4" if wide else "<u2").astype("<u4"))


def _series(text: str, rows: int) -> Words:
    """A table of ``rows`` rows, column by column."""
    return _table(np.frombuffer(base64.b64decode(text), "<f4").reshape(rows, -1))


def _table(numbers: NDArray[np.float32]) -> Words:
    return _steps(np.ascontiguousarray(numbers.T).reshape(-1).view("<u4"))


def _steps(bits: NDArray[np.uint32]) -> Words:
    """From each number to the next; what is too large wraps around."""
    return np.diff(bits, prepend=bits.dtype.type(0)).astype("<u4").view(np.uint8).reshape(-1, 4)
