"""A pawl and all that it carries, in numbers: where its bodies are, and how contacts depend on the hinges' angles.

The angles θ are those of the hinges, each against its carrier; a body's own angle φ is the sum along its
carriers. Lengths are in units of the design's size, times in those in which the root goes so far, and
stiffnesses in those of the stiffest spring, so that one set of tolerances fits all designs.

A contact has two coordinates: ``gap``, the distance of the vertex from the edge's line, negative behind it, and
``along``, where on the edge's line the vertex is. A force λ that keeps the gap open and a force f along the edge
turn the hinges by λ ∂gap/∂θ + f ∂along/∂θ: virtual work. A body's point P moves by the hinge at h with
∂P/∂θ = perp(P - h), where perp turns by a right angle. All functions take stacks of configurations, and complex
ones, of which the imaginary parts give derivatives without differences.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from linkwork.fasten.design import Design, Pawl, Polygon

Floats: TypeAlias = NDArray[np.float64]
Array: TypeAlias = NDArray[Any]


class Touch(NamedTuple):
    """Edge ``pawl`` of a body on vertex ``obstacle`` (A), or vertex ``pawl`` of it on edge ``obstacle`` (B)."""

    body: int
    kind: str
    pawl: int
    obstacle: int


class Contact(NamedTuple):
    """A contact's coordinates and how they change with the angles and with time."""

    gap: Array
    along: Array
    gap_by: Array
    along_by: Array
    gap_rate: Array
    along_rate: Array


class Pose(NamedTuple):
    """Where the bodies are: their angles and their hinges."""

    phi: Array
    hinge: Array


class Outlines:
    """Closed polygons, counted through: vertices, which comes next, edges and their lengths."""

    def __init__(self, polygons: list[Floats]) -> None:
        self.points = np.concatenate([*polygons, np.zeros((0, 2))])
        starts = np.cumsum([0, *map(len, polygons)])
        self.owner = [(k, corner) for k, each in enumerate(polygons) for corner in range(len(each))]
        self.parts = [np.arange(a, b) for a, b in pairwise(starts)]
        following = [np.roll(part, -1) for part in self.parts]
        self.after = np.concatenate([*following, np.zeros(0, dtype=int)]).astype(int)
        self.before = np.concatenate([*(np.roll(part, 1) for part in self.parts), []]).astype(int)
        edges = self.points[self.after] - self.points
        self.length = np.hypot(edges[:, 0], edges[:, 1])
        self.tangent = edges / self.length[:, None]
        self.normal = np.stack([self.tangent[:, 1], -self.tangent[:, 0]], axis=-1)
        back = self.tangent[self.before]
        self.bulges = back[:, 0] * self.tangent[:, 1] - back[:, 1] * self.tangent[:, 0] >= 0


def carried(pawl: Pawl, parent: int = -1, first: int = 0) -> Iterator[tuple[Pawl, int]]:
    """A pawl and all that it carries, carriers first, each with the place of its carrier (-1: the root)."""
    yield pawl, parent
    place = first + 1
    for child in pawl.pawls:
        yield from carried(child, first, place)
        place += sum(1 for _ in carried(child))


class Bodies:
    """A tree of pawls among obstacles, in scaled numbers."""

    def __init__(self, design: Design, pawl: Pawl) -> None:
        pairs = list(carried(pawl))
        self.pawls = tuple(each for each, _ in pairs)
        self.parent = [carrier for _, carrier in pairs]
        self.count = len(pairs)
        self.carries = np.zeros((self.count, self.count))
        for body, carrier in enumerate(self.parent):
            self.carries[body] = self.carries[carrier] if carrier >= 0 else 0.0
            self.carries[body, body] = 1.0
        polygons = [_floats(each.poly) for each in self.pawls]
        standing = [_floats(each.poly) for each in design.obstacles]
        hinges = _floats(tuple(each.hinge for each in self.pawls))
        self.size = _size(polygons, hinges)
        velocity = np.array([float(value) for value in design.v])
        self.speed = float(np.hypot(*velocity))
        self.pace = self.size / self.speed
        """The unit of time."""
        stiffness = np.array([float(each.k) for each in self.pawls])
        self.stiffest = float(stiffness.max())
        self.k = stiffness / self.stiffest
        self.rest = np.array([each.rest.angle for each in self.pawls])
        self.start = _floats((design.p0,))[0] / self.size
        self.velocity = velocity / self.speed
        self.hinges = hinges / self.size
        self.outlines = [Outlines([each / self.size]) for each in polygons]
        self.obstacles = Outlines([each / self.size for each in standing])
        self.names = tuple(each.name for each in design.obstacles)
        self.reach = np.array([np.hypot(*each.points.T).max() for each in self.outlines])

    def pose(self, t: Array, theta: Array) -> Pose:
        """Where the bodies are at times (…) and angles (…, bodies)."""
        phi = theta @ self.carries.T
        places: list[Array] = []
        for body, carrier in enumerate(self.parent):
            if carrier < 0:
                places.append(self.start + self.velocity * np.asarray(t)[..., None] + self.hinges[body])
            else:
                places.append(places[carrier] + turned(self.hinges[body], phi[..., carrier]))
        return Pose(phi, np.stack(places, axis=-2))

    def contact(self, touch: Touch, pose: Pose) -> Contact:
        """The coordinates of a contact and their derivatives."""
        outline, angle = self.outlines[touch.body], pose.phi[..., touch.body]
        hinge = pose.hinge[..., touch.body, :]
        if touch.kind == "B":
            j = touch.obstacle
            tangent, normal = self.obstacles.tangent[j], self.obstacles.normal[j]
            point = hinge + turned(outline.points[touch.pawl], angle)
            off, sense = point - self.obstacles.points[j], 1.0
        else:
            point = np.broadcast_to(self.obstacles.points[touch.obstacle], hinge.shape)
            tangent = turned(outline.tangent[touch.pawl], angle)
            normal = turned(outline.normal[touch.pawl], angle)
            off, sense = point - hinge - turned(outline.points[touch.pawl], angle), -1.0
        moved = perp(point[..., None, :] - pose.hinge) * (sense * self.carries[touch.body])[:, None]
        return Contact(
            dot(off, normal),
            dot(off, tangent),
            dot(moved, np.asarray(normal)[..., None, :]),
            dot(moved, np.asarray(tangent)[..., None, :]),
            sense * dot(self.velocity, normal),
            sense * dot(self.velocity, tangent),
        )

    def force(self, touch: Touch, pose: Pose, press: float, rub: float) -> Floats:
        """The force on a body, in units of the user, for λ and f of a contact."""
        if touch.kind == "B":
            normal, tangent = (
                self.obstacles.normal[touch.obstacle],
                self.obstacles.tangent[touch.obstacle],
            )
            sense = 1.0
        else:
            outline, angle = self.outlines[touch.body], pose.phi[touch.body]
            normal, tangent = (
                turned(outline.normal[touch.pawl], angle),
                turned(outline.tangent[touch.pawl], angle),
            )
            sense = -1.0
        return np.asarray(sense * (press * normal + rub * tangent) * self.stiffest / self.size)

    def length(self, touch: Touch) -> float:
        """Of the contact's edge."""
        if touch.kind == "B":
            return float(self.obstacles.length[touch.obstacle])
        return float(self.outlines[touch.body].length[touch.pawl])

    def offset(self, theta: Array) -> Array:
        """The springs' torques."""
        return np.asarray(self.k * (theta - self.rest))


def turned(vector: Array, angle: Array) -> Array:
    """A vector turned by angles (…): (…, 2)."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return _pairs(vector[0] * cosine - vector[1] * sine, vector[0] * sine + vector[1] * cosine)


def perp(vectors: Array) -> Array:
    """Vectors turned by a right angle, counter-clockwise."""
    return _pairs(-vectors[..., 1], vectors[..., 0])


def _pairs(x: Array, y: Array) -> Array:
    """Two arrays of one shape as vectors; ``np.stack`` takes five times as long for a few of them."""
    found = np.empty((*x.shape, 2), x.dtype)
    found[..., 0], found[..., 1] = x, y
    return found


def dot(a: Array, b: Array) -> Array:
    """Scalar products of vectors in the plane, without conjugation."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1])


def _floats(points: Polygon) -> Floats:
    return np.array([[float(x), float(y)] for x, y in points])


def _size(polygons: list[Floats], hinges: Floats) -> float:
    """How far the tree reaches from its first hinge."""
    reach = sum(math.hypot(*hinge) for hinge in hinges[1:])
    return float(reach + max(np.hypot(*each.T).max() for each in polygons))
