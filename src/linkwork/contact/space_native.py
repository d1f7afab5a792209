"""Shapes in space in the memory of the engine."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from linkwork.contact.boundary import Boundary
from linkwork.contact.features import WAYS, Feature
from linkwork.contact.native import rigid_runtime
from linkwork.kinematics.arrays import Matrix

_POINTER: Final = ctypes.c_void_p


@dataclass(frozen=True)
class SpaceCouple:
    """Two solids that may touch, how their parts are joined, and the constants of their contact."""

    solids: tuple[int, int]
    joined: int
    point: tuple[float, ...]
    axis: tuple[float, ...]
    friction: float
    restitution: float
    stiffness: float
    damping: float
    """By depth and its rate."""


@dataclass(frozen=True, eq=False)
class SpaceShapes:
    """The solids of all bodies and which of them may touch."""

    bodies: int
    boundaries: tuple[Boundary, ...]
    features: tuple[tuple[Feature, ...], ...]
    body_of: tuple[int, ...]
    couples: tuple[SpaceCouple, ...]
    size: float


@cache
def _runtime() -> ctypes.CDLL:
    library = rigid_runtime("#define LW_SPACE\n")
    library.lw_shapes_bytes.restype = ctypes.c_size_t
    library.lw_shapes_bytes.argtypes = [_POINTER]
    library.lw_shapes_fill.restype = _POINTER
    library.lw_shapes_fill.argtypes = [*[_POINTER] * 2, ctypes.c_double, *[_POINTER] * 9]
    return library


class NativeSpaceShapes:
    """Shapes in space in the memory of the engine."""

    dimension: ClassVar[int] = 3
    tangents: ClassVar[int] = 3

    def __init__(self, shapes: SpaceShapes) -> None:
        self.library = _runtime()
        features = [each for own in shapes.features for each in own]
        leaves = [leaf for boundary in shapes.boundaries for leaf in boundary.leaves]
        counts = (shapes.bodies, len(shapes.boundaries), len(shapes.couples), len(features), len(leaves))
        self._counts = np.array(counts, np.intc)
        self._kept = (
            _rows([_numbers(each) for each in features], 24),
            np.array([[e.kind, e.leaf, e.side, len(e.ways)] for e in features], np.intc).reshape(-1, 4),
            _rows([[*leaf.point, *leaf.axis, leaf.radius] for leaf in leaves], 7),
            np.array([leaf.kind for leaf in leaves], np.intc),
            np.array([step for boundary in shapes.boundaries for step in boundary.program], np.intc),
            _solid_words(shapes),
            _rows([_ball(own) for own in shapes.features], 4),
            np.array([[*each.solids, each.joined] for each in shapes.couples], np.intc).reshape(-1, 3),
            _rows(
                [
                    [*e.point, *e.axis, e.friction, e.restitution, e.stiffness, e.damping]
                    for e in shapes.couples
                ],
                10,
            ),
        )
        self._memory = np.zeros(self.library.lw_shapes_bytes(self._counts.ctypes.data), np.uint8)
        self.pointer = self.library.lw_shapes_fill(
            self._memory.ctypes.data,
            self._counts.ctypes.data,
            shapes.size,
            *(each.ctypes.data for each in self._kept),
        )


def _rows(rows: list[list[float]], width: int) -> Matrix:
    return np.ascontiguousarray(np.array(rows, float).reshape(-1, width))


def _numbers(feature: Feature) -> list[float]:
    ways = np.zeros((WAYS, 3))
    ways[: len(feature.ways)] = feature.ways[:WAYS] if feature.ways else ways[:0]
    middle = feature.point if feature.middle is None else feature.middle
    size = [feature.radius, feature.length]
    return [*feature.point, *feature.axis, *size, *ways.ravel(), *middle, feature.reach]


def _ball(features: tuple[Feature, ...]) -> list[float]:
    """A ball around all features."""
    middles = np.array([each.point if each.middle is None else each.middle for each in features])
    reaches = np.array([each.reach for each in features])
    low, high = (middles - reaches[:, None]).min(axis=0), (middles + reaches[:, None]).max(axis=0)
    middle = (low + high) / 2
    reach = float((np.linalg.norm(middles - middle, axis=1) + reaches).max())
    return [*middle, reach]


def _solid_words(shapes: SpaceShapes) -> NDArray[np.intc]:
    words = []
    feature = leaf = step = 0
    for body, boundary, own in zip(shapes.body_of, shapes.boundaries, shapes.features, strict=True):
        counts = (len(own), len(boundary.leaves), len(boundary.program))
        words.append([body, feature, counts[0], leaf, counts[1], step, counts[2]])
        feature, leaf, step = feature + counts[0], leaf + counts[1], step + counts[2]
    return np.array(words, np.intc).reshape(-1, 7)
