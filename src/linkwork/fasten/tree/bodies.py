"""A pawl and all that it carries, in numbers: where its bodies are, and how contacts depend on the hinges' angles.

The angles θ are those of the hinges, each against its carrier; a body's own angle φ is the sum along its
carriers. Lengths are in units of the design's size, times in those in which the root goes so far, and
stiffnesses in those of the stiffest spring, so that one set of tolerances fits all designs.

A contact has two coordinates: ``gap``, the distance of the vertex from the edge's line, negative behind it, and
``along``, where on the edge's line the vertex is. A force λ that keeps the gap open and a force f along the edge
turn the hinges by λ ∂gap/∂θ + f ∂along/∂θ: virtual work. A body's point P moves by the hinge at h with
∂P/∂θ = perp(P - h), where perp turns by a right angle. So with w_i = P - h_i, for hinges i that carry the body and
an edge's direction e (its normal for gap, its tangent for along)

    B:  ∂(e·P)/∂θ_i =  perp(w_i)·e    ∂²/∂θ_i∂θ_j = -w·e of the lower hinge of the two    ∂²/∂θ_i∂t = 0
    A:                -perp(w_i)·e                = -w·e of the upper hinge               = perp(v)·e

where for A the point stands and the edge turns. One configuration is some ten numbers: lists of floats are several
times as quick for it as arrays. Stacks of configurations (``touching``) are arrays.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from linkwork.fasten.design import Design, Pawl, Polygon

Floats: TypeAlias = NDArray[np.float64]
Pair: TypeAlias = tuple[float, float]


class Touch(NamedTuple):
    """Edge ``pawl`` of a body on vertex ``obstacle`` (A), or vertex ``pawl`` of it on edge ``obstacle`` (B)."""

    body: int
    kind: str
    pawl: int
    obstacle: int


class Contact(NamedTuple):
    """A contact's coordinates and how they change with the angles and with time."""

    gap: float
    along: float
    gap_by: Floats
    along_by: Floats
    gap_rate: float
    along_rate: float


class Pose(NamedTuple):
    """Where the bodies are: cosines and sines of their angles, and their hinges."""

    cosine: list[float]
    sine: list[float]
    x: list[float]
    y: list[float]


class Lever(NamedTuple):
    """A contact seen from the hinges: the edge's directions, the vertex from the edge's start and from each hinge."""

    normal: Pair
    tangent: Pair
    off: Pair
    arms: list[Pair]
    """From the hinges that carry the body, the root's first."""
    sense: float
    """1 where the vertex moves (B), -1 where the edge does."""


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
        self.boxes = [
            (*self.points[part].min(0).tolist(), *self.points[part].max(0).tolist()) for part in self.parts
        ]
        edges = self.points[self.after] - self.points
        self.length = np.hypot(edges[:, 0], edges[:, 1])
        self.tangent = edges / self.length[:, None]
        self.normal = np.stack([self.tangent[:, 1], -self.tangent[:, 0]], axis=-1)
        back = self.tangent[self.before]
        self.corners: list[Pair] = [(x, y) for x, y in self.points.tolist()]
        self.directions: list[Pair] = [(x, y) for x, y in self.tangent.tolist()]
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
        self.chains = [np.flatnonzero(row).tolist() for row in self.carries]
        """The hinges that carry each body, the root's first."""
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
        self.hinge_places: list[Pair] = [(x, y) for x, y in self.hinges.tolist()]
        self.origin: Pair = (float(self.start[0]), float(self.start[1]))
        self.heading: Pair = (float(self.velocity[0]), float(self.velocity[1]))
        self.outlines = [Outlines([each / self.size]) for each in polygons]
        self.obstacles = Outlines([each / self.size for each in standing])
        self.names = tuple(each.name for each in design.obstacles)
        self.moving = Outlines([each / self.size for each in polygons])
        """The corners of all bodies, counted through."""
        self.body_of = np.array([body for body, _ in self.moving.owner])

    def pose(self, t: float, theta: Sequence[float]) -> Pose:
        """Where the bodies are at a time, with hinges turned so."""
        angles: list[float] = []
        pose = Pose([], [], [], [])
        for body, carrier in enumerate(self.parent):
            x, y = self.hinge_places[body]
            angle = float(theta[body])
            if carrier < 0:
                x += self.origin[0] + self.heading[0] * t
                y += self.origin[1] + self.heading[1] * t
            else:
                c, s = pose.cosine[carrier], pose.sine[carrier]
                x, y = pose.x[carrier] + c * x - s * y, pose.y[carrier] + s * x + c * y
                angle += angles[carrier]
            angles.append(angle)
            pose.cosine.append(math.cos(angle))
            pose.sine.append(math.sin(angle))
            pose.x.append(x)
            pose.y.append(y)
        return pose

    def placed(self, t: Floats, theta: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Cosines, sines and hinges at a stack of configurations, for each corner of ``moving``."""
        phi = theta @ self.carries.T
        cosine, sine = np.cos(phi), np.sin(phi)
        x, y = np.empty_like(phi), np.empty_like(phi)
        for body, carrier in enumerate(self.parent):
            hx, hy = self.hinge_places[body]
            if carrier < 0:
                x[:, body] = self.origin[0] + hx + self.heading[0] * t
                y[:, body] = self.origin[1] + hy + self.heading[1] * t
            else:
                c, s = cosine[:, carrier], sine[:, carrier]
                x[:, body] = x[:, carrier] + c * hx - s * hy
                y[:, body] = y[:, carrier] + s * hx + c * hy
        chosen = self.body_of
        return cosine[:, chosen], sine[:, chosen], x[:, chosen], y[:, chosen]

    def touch(self, kind: str, corner: int, obstacle: int) -> Touch:
        """A contact, by its place among the corners of ``moving``."""
        body, number = self.moving.owner[corner]
        return Touch(body, kind, number, obstacle)

    def lever(self, touch: Touch, pose: Pose) -> Lever:
        """A contact at a pose, as its hinges feel it."""
        body, outline, standing = touch.body, self.outlines[touch.body], self.obstacles
        c, s, hx, hy = pose.cosine[body], pose.sine[body], pose.x[body], pose.y[body]
        x, y = outline.corners[touch.pawl]
        mx, my = hx + c * x - s * y, hy + s * x + c * y
        ox, oy = standing.corners[touch.obstacle]
        if touch.kind == "B":
            tx, ty = standing.directions[touch.obstacle]
            px, py, off, sense = mx, my, (mx - ox, my - oy), 1.0
        else:
            x, y = outline.directions[touch.pawl]
            tx, ty = c * x - s * y, s * x + c * y
            px, py, off, sense = ox, oy, (ox - mx, oy - my), -1.0
        arms = [(px - pose.x[each], py - pose.y[each]) for each in self.chains[body]]
        return Lever((ty, -tx), (tx, ty), off, arms, sense)

    def contact(self, touch: Touch, pose: Pose) -> Contact:
        """The coordinates of a contact and their derivatives."""
        (nx, ny), (tx, ty), (ox, oy), arms, sense = self.lever(touch, pose)
        gap_by, along_by = [0.0] * self.count, [0.0] * self.count
        for hinge, (x, y) in zip(self.chains[touch.body], arms, strict=True):
            gap_by[hinge] = sense * (x * ny - y * nx)
            along_by[hinge] = sense * (x * ty - y * tx)
        vx, vy = self.heading
        return Contact(
            ox * nx + oy * ny,
            ox * tx + oy * ty,
            np.array(gap_by),
            np.array(along_by),
            sense * (vx * nx + vy * ny),
            sense * (vx * tx + vy * ty),
        )

    def place(self, touch: Touch, pose: Pose) -> Pair:
        """The coordinates of a contact: gap and along."""
        found = self.lever(touch, pose)
        (nx, ny), (tx, ty), (ox, oy) = found.normal, found.tangent, found.off
        return ox * nx + oy * ny, ox * tx + oy * ty

    def force(self, touch: Touch, pose: Pose, press: float, rub: float) -> Floats:
        """The force on a body, in units of the user, for λ and f of a contact."""
        found = self.lever(touch, pose)
        scale = found.sense * self.stiffest / self.size
        return scale * (press * np.array(found.normal) + rub * np.array(found.tangent))

    def length(self, touch: Touch) -> float:
        """Of the contact's edge."""
        if touch.kind == "B":
            return float(self.obstacles.length[touch.obstacle])
        return float(self.outlines[touch.body].length[touch.pawl])

    def offset(self, theta: Floats) -> Floats:
        """The springs' torques."""
        return np.asarray(self.k * (theta - self.rest))


def _floats(points: Polygon) -> Floats:
    return np.array([[float(x), float(y)] for x, y in points])


def _size(polygons: list[Floats], hinges: Floats) -> float:
    """How far the tree reaches from its first hinge."""
    reach = sum(math.hypot(*hinge) for hinge in hinges[1:])
    return float(reach + max(np.hypot(*each.T).max() for each in polygons))
