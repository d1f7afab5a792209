"""A solid in space as half-spaces, balls, round bars and cones put together: the surfaces that bound it, and where."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product, repeat
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.contact.outlines import NotBounded, is_simple, of_simple
from linkwork.solid import (
    Block,
    Cylinder,
    Difference,
    Intersection,
    Named,
    Placed,
    Placement,
    Polyhedron,
    Prism,
    Solid,
    Sphere,
    Union,
)
from linkwork.solid.placement import Floats, cross
from linkwork.solid.region import Arc, Line, Region
from linkwork.solid.values import Cone

PLANE, BALL, BAR, CONE = 0, 1, 2, 3
LARGER, SMALLER, OPPOSITE = -1, -2, -3
EVERYWHERE: Final = 1e300
ALIKE: Final = 1e-9
"""Of the size: surfaces that are nearer are one."""
THROUGH: Final = 1e-11
"""Of the size: a surface that is nearer to a point goes through it."""
TINY: Final = 1e-300
"""Keeps a direction that there is not from being none."""
DEEPEST: Final = 60
"""Numbers that a program may keep at a time."""

Reduced = list[int] | bool
"""A program, or whether all points are inside."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """A surface without ends: a plane with its normal, a ball, a cylinder with its axis, or a cone.

    Of a cone, the point is its apex, the axis goes to where it is wide, and ``radius`` is the sine of half its angle.
    What was drawn along x is told of cylinders and cones, whose rims are cut from there on: so they are cut the same
    way however they are turned, and as an image in a mirror is.
    """

    kind: int
    point: Floats
    axis: Floats
    radius: float
    drawn_x: Floats = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))

    def value(self, points: Floats) -> Floats:
        """How far points are outside of it; below 0 inside."""
        away = points - self.point
        if self.kind == PLANE:
            return np.asarray(away @ self.axis)
        if self.kind == BALL:
            return np.asarray(np.sqrt(np.einsum("ij,ij->i", away, away)) - self.radius)
        along = away @ self.axis
        off = away - np.outer(along, self.axis)
        aside = np.sqrt(np.einsum("ij,ij->i", off, off))
        if self.kind == BAR:
            return np.asarray(aside - self.radius)
        return np.asarray(aside * self.cosine - along * self.radius)

    @property
    def cosine(self) -> float:
        """Of half the angle of a cone."""
        return math.sqrt(1 - self.radius**2)

    def normals(self, points: Floats) -> Floats:
        """The directions in which its number grows, at points of it."""
        if self.kind == PLANE:
            return np.tile(self.axis, (len(points), 1))
        away = points - self.point
        if self.kind != BALL:
            away = away - np.outer(away @ self.axis, self.axis)
        away = away / np.maximum(np.linalg.norm(away, axis=1), TINY)[:, None]
        return np.asarray(self.cosine * away - self.radius * self.axis if self.kind == CONE else away)


@dataclass(frozen=True, eq=False)
class Surface:
    """A leaf as a face of a solid: ``side`` is 1 where its number grows outwards; all of it is in a box.

    ``span`` tells from where to where along the axis of the leaf.
    """

    leaf: int
    side: int
    low: Floats
    high: Floats
    span: tuple[float, float]
    label: str


class Leaves:
    """The leaves of a solid as arrays."""

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        self.kinds = np.array([leaf.kind for leaf in leaves])
        self.points = np.array([leaf.point for leaf in leaves]).reshape(-1, 3)
        self.axes = np.array([leaf.axis for leaf in leaves]).reshape(-1, 3)
        self.radii = np.array([leaf.radius for leaf in leaves])

    def values(self, used: NDArray[np.intp], middle: Floats, half: Floats) -> tuple[Floats, Floats]:
        """The numbers of some leaves in the middle of a box, and by how much others in it may differ."""
        kinds, axes, radii = self.kinds[used], self.axes[used], self.radii[used]
        away = middle - self.points[used]
        along = np.where(kinds == BALL, 0.0, np.einsum("ij,ij->i", away, axes))
        aside = np.linalg.norm(away - along[:, None] * axes, axis=1)
        values = np.where(kinds == PLANE, along, aside - radii)
        values = np.where(
            kinds == CONE, aside * np.sqrt(1 - np.minimum(radii, 1) ** 2) - along * radii, values
        )
        return values, np.where(kinds == PLANE, np.abs(axes) @ half, np.linalg.norm(half))


class Piece(NamedTuple):
    """A stretch of a program that makes one number, below 0 within a box alone."""

    start: int
    stop: int
    low: Floats
    high: Floats


@dataclass(eq=False)
class Boundary:
    """A solid as leaves and a program over their numbers; ``surfaces`` are the leaves as faces."""

    size: float
    """The diagonal of its box."""
    middle: Floats
    """Of that box."""
    leaves: list[Leaf] = field(default_factory=list)
    program: list[int] = field(default_factory=list)
    surfaces: list[Surface] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    """What it is put together of, the parts of each before it."""
    table: Leaves = field(default_factory=lambda: Leaves(()))
    low: Floats = field(default_factory=lambda: np.full(3, -math.inf))
    high: Floats = field(default_factory=lambda: np.full(3, math.inf))
    """The box in which it tells of points."""

    @classmethod
    def of(cls, solid: Solid) -> Boundary:
        """The boundary of a solid of blocks, balls, cylinders, cones and prisms."""
        low, high = solid.box
        found = cls(float(np.linalg.norm(high - low)), (low + high) / 2)
        found._put(solid, Placement(), 1, "")
        if _depth(found.program) > DEEPEST:
            raise NotBounded("a solid is put together too deeply for contacts in space")
        found.surfaces = found._joined()
        found.table = Leaves(found.leaves)
        return found

    def within(self, low: Floats, high: Floats) -> Boundary:
        """The same for points in a box alone: the program leaves out what decides nothing there.

        It is empty if the box is inside or outside as a whole.
        """
        margin = ALIKE * self.size
        skips: dict[int, int] = {}
        if self.pieces:
            is_far = np.any((self._lows > high + margin) | (self._highs < low - margin), axis=1)
            for number in np.flatnonzero(is_far):
                piece = self.pieces[number]
                skips[piece.start] = max(piece.stop, skips.get(piece.start, 0))
        used = np.array(sorted(self.used), np.intp)
        values, spread = self.table.values(used, (low + high) / 2, (high - low) / 2)
        decided = dict(zip(used[values - spread > margin].tolist(), repeat(False)))
        decided |= dict(zip(used[values + spread < -margin].tolist(), repeat(True)))
        stack: list[Reduced] = []
        place = 0
        while place < len(self.program):
            stop = skips.get(place, 0)
            if stop:
                stack.append(False)
            else:
                _reduce(stack, self.program[place], decided)
            place = max(stop, place + 1)
        program = stack[0] if stack and not isinstance(stack[0], bool) else []
        return replace(self, program=program, pieces=[], low=low - margin, high=high + margin)

    @cached_property
    def _lows(self) -> Floats:
        return np.array([piece.low for piece in self.pieces]).reshape(-1, 3)

    @cached_property
    def _highs(self) -> Floats:
        return np.array([piece.high for piece in self.pieces]).reshape(-1, 3)

    def holds(self, points: Floats) -> NDArray[np.bool_]:
        """Which points are in the box of which it tells."""
        return np.asarray(np.all((points >= self.low) & (points <= self.high), axis=1))

    @property
    def used(self) -> set[int]:
        """The leaves of the program."""
        return {step for step in self.program if step >= 0}

    def value(self, points: Floats, replaced: dict[int, float] | None = None) -> Floats:
        """The numbers of points, with those of some leaves replaced: below 0 inside."""
        given = {leaf: np.full(len(points), number) for leaf, number in (replaced or {}).items()}
        used = self.used - {*given}
        return self._computed({leaf: self.leaves[leaf].value(points) for leaf in used} | given)

    def around(self, points: Floats) -> Callable[[Floats], Floats]:
        """The same of points moved next to nothing, by the ways: what goes through one counts by its normal.

        There it is the way that decides, and not what rounding makes of a number that is 0. Each point may have any
        number of ways: the points are the last but one of their dimensions.
        """
        near = THROUGH * self.size
        numbers = {leaf: self.leaves[leaf].value(points) for leaf in self.used}
        through = {leaf: np.abs(own) <= near for leaf, own in numbers.items()}
        normals = {leaf: self.leaves[leaf].normals(points) for leaf, own in through.items() if own.any()}

        def value_towards(ways: Floats) -> Floats:
            moved = {
                leaf: np.where(through[leaf], near * np.einsum("ij,...ij->...i", own, ways), numbers[leaf])
                for leaf, own in normals.items()
            }
            return np.broadcast_to(self._computed(numbers | moved), ways.shape[:-1])

        return value_towards

    def _computed(self, numbers: Mapping[int, Floats]) -> Floats:
        """What the program makes of the numbers of its leaves."""
        stack: list[Floats] = []
        for step in self.program:
            if step >= 0:
                stack.append(numbers[step])
            elif step == OPPOSITE:
                stack.append(-stack.pop())
            else:
                last = stack.pop()
                of = np.maximum if step == LARGER else np.minimum
                stack.append(of(stack.pop(), last))
        return stack[0]

    # --------------------------------------------------------------------------------- building

    def _put(self, solid: Solid, place: Placement, side: int, label: str) -> None:
        """Append the program of a solid; ``side`` is -1 where it is taken away."""
        if isinstance(solid, Placed):
            self._put(solid.solid, place.holding(solid.place), side, label)
        elif isinstance(solid, Named):
            self._put(solid.solid, place, side, label or solid.label)
        else:
            start = len(self.program)
            self._put_steps(solid, place, side, label)
            corners = place.point(np.array(list(product(*np.transpose(solid.box)))))
            self.pieces.append(Piece(start, len(self.program), corners.min(axis=0), corners.max(axis=0)))

    def _put_steps(self, solid: Solid, place: Placement, side: int, label: str) -> None:
        if isinstance(solid, Union | Intersection):
            self._put_all(solid.solids, place, side, label, SMALLER if isinstance(solid, Union) else LARGER)
        elif isinstance(solid, Difference):
            self._put(solid.first, place, side, label)
            self._put_all(solid.others, place, -side, label, SMALLER)
            self.program += [OPPOSITE, LARGER]
        elif isinstance(solid, Prism) and not is_simple(solid.region):
            self._put(of_simple(solid), place, side, label)
        else:
            self._put_faces(_faces(solid), place, side, label)

    def _put_all(self, solids: Sequence[Solid], place: Placement, side: int, label: str, step: int) -> None:
        for number, each in enumerate(solids):
            self._put(each, place, side, label)
            self.program += [step] if number else []

    def _put_faces(
        self, faces: Iterable[tuple[Leaf, Floats]], place: Placement, side: int, label: str
    ) -> None:
        """What is within all of some faces, each with points around which its own ends lie."""
        for number, (leaf, corners) in enumerate(faces):
            put = Leaf(
                leaf.kind,
                place.point(leaf.point),
                place.direction(leaf.axis),
                leaf.radius if leaf.kind == CONE else leaf.radius * place.scale,
                place.direction(leaf.drawn_x),
            )
            images = place.point(corners)
            same, way = self._place_of(put)
            self.program += [same] if way > 0 else [same, OPPOSITE]
            self.program += [LARGER] if number else []
            along = (images - self.leaves[same].point) @ self.leaves[same].axis
            span = float(along.min()), float(along.max())
            box = images.min(axis=0), images.max(axis=0)
            self.surfaces.append(Surface(same, side * way, *box, span, label))

    def _place_of(self, leaf: Leaf) -> tuple[int, int]:
        """The place of a leaf among those that are there, or a new one; -1 for a plane seen from behind."""
        near = ALIKE * self.size
        for place, other in enumerate(self.leaves):
            if other.kind != leaf.kind or abs(other.radius - leaf.radius) > (
                ALIKE if leaf.kind == CONE else near
            ):
                continue
            along = float(other.axis @ leaf.axis)
            away = leaf.point - other.point
            if leaf.kind == PLANE:
                alike = abs(along) > 1 - 1e-12 and abs(float(away @ other.axis)) <= near
            elif leaf.kind == BALL:
                alike = math.hypot(*away) <= near
            elif leaf.kind == CONE:
                alike = along > 1 - 1e-12 and math.hypot(*away) <= near
            else:
                off = away - (away @ other.axis) * other.axis
                alike = abs(along) > 1 - 1e-12 and math.hypot(*off) <= near
            if alike:
                return place, -1 if leaf.kind == PLANE and along < 0 else 1
        self.leaves.append(leaf)
        return len(self.leaves) - 1, 1

    def _joined(self) -> list[Surface]:
        """The surfaces, those of the same leaf and side as one."""
        found: dict[tuple[int, int], Surface] = {}
        for each in self.surfaces:
            before = found.setdefault((each.leaf, each.side), each)
            if before is not each:
                low, high = np.minimum(before.low, each.low), np.maximum(before.high, each.high)
                span = min(before.span[0], each.span[0]), max(before.span[1], each.span[1])
                label = before.label or each.label
                found[each.leaf, each.side] = Surface(each.leaf, each.side, low, high, span, label)
        return list(found.values())


def _reduce(stack: list[Reduced], step: int, decided: Mapping[int, bool]) -> None:
    """Append a step to programs of which some make numbers of one sign alone, as some leaves do."""
    if step >= 0:
        stack.append(decided.get(step, [step]))
        return
    last = stack.pop()
    if step == OPPOSITE:
        stack.append(not last if isinstance(last, bool) else [*last, step])
        return
    first, decides = stack.pop(), step == SMALLER
    if isinstance(first, bool) or isinstance(last, bool):
        one, other = (first, last) if isinstance(first, bool) else (last, first)
        stack.append(one if one is decides else other)
        return
    first += [*last, step]
    stack.append(first)


def _depth(program: Sequence[int]) -> int:
    depth = most = 0
    for step in program:
        depth += 1 if step >= 0 else 0 if step == OPPOSITE else -1
        most = max(most, depth)
    return most


# -------------------------------------------------------------------------------- simple solids


def _faces(solid: Solid) -> list[tuple[Leaf, Floats]]:
    """The leaves within which a simple convex solid lies, and points around each of its faces."""
    if isinstance(solid, Block):
        return _prism_faces(Prism(Region.rectangle(*solid.size[:2]), solid.size[2]))
    if isinstance(solid, Sphere):
        corners = np.array([[-1.0] * 3, [1.0] * 3]) * solid.radius
        return [(Leaf(BALL, np.zeros(3), np.array([0.0, 0.0, 1.0]), solid.radius), corners)]
    if isinstance(solid, Cylinder) or (isinstance(solid, Cone) and solid.bottom == solid.top):
        radius = solid.radius if isinstance(solid, Cylinder) else solid.bottom
        return _cylinder_faces(np.zeros(3), radius, solid.height)
    if isinstance(solid, Cone):
        return _cone_faces(solid)
    if isinstance(solid, Prism):
        return _prism_faces(solid)
    if isinstance(solid, Polyhedron):
        return _polyhedron_faces(solid)
    raise NotBounded(
        "contacts in space are computed for blocks, balls, cylinders, cones and what is put together of them",
        got=f"a {type(solid).__name__.lower()}",
        fix="cube([10, 10, 10]);",
    )


def _cylinder_faces(base: Floats, radius: float, height: float) -> list[tuple[Leaf, Floats]]:
    z = np.array([0.0, 0.0, 1.0])
    square = np.array([[x, y, 0.0] for x in (-radius, radius) for y in (-radius, radius)]) + base
    top = square + height * z
    return [
        (Leaf(BAR, base, z, radius), np.vstack([square, top])),
        (Leaf(PLANE, base, -z, 0.0), square),
        (Leaf(PLANE, base + height * z, z, 0.0), top),
    ]


def _cone_faces(cone: Cone) -> list[tuple[Leaf, Floats]]:
    """Of a cone or a piece of one: its side, and its ends that are no apex."""
    z = np.array([0.0, 0.0, 1.0])
    narrows = cone.bottom - cone.top
    apex = cone.height * cone.bottom / narrows * z
    sine = abs(narrows) / math.hypot(narrows, cone.height)
    wide = max(cone.bottom, cone.top)
    square = np.array([[x, y, 0.0] for x in (-wide, wide) for y in (-wide, wide)])
    faces = [
        (Leaf(CONE, apex, -z if narrows > 0 else z, sine), np.vstack([square, square + cone.height * z]))
    ]
    if cone.bottom > 0:
        faces.append((Leaf(PLANE, np.zeros(3), -z, 0.0), square))
    if cone.top > 0:
        faces.append((Leaf(PLANE, cone.height * z, z, 0.0), square + cone.height * z))
    return faces


def _prism_faces(prism: Prism) -> list[tuple[Leaf, Floats]]:
    (loop,) = prism.region.loops
    if loop.circle is not None:
        centre, radius = loop.circle
        return _cylinder_faces(np.array([*centre, 0.0]), radius, prism.height)
    arcs = [edge for edge in loop if isinstance(edge, Arc)]
    corners = np.array([edge.start for edge in loop])
    z = np.array([0.0, 0.0, 1.0])
    low = np.column_stack([corners, np.zeros(len(corners))])
    faces: list[tuple[Leaf, Floats]] = []
    if arcs:  # of one alone, and its chord: what is within both and the ends of the cylinder
        whole = _cylinder_faces(np.array([*arcs[0].centre, 0.0]), arcs[0].radius, prism.height)
        box = np.array(list(product(*np.transpose(prism.box))))
        faces = [(leaf, box) for leaf, _ in whole]
    else:
        faces = [
            (Leaf(PLANE, low[0], -z, 0.0), low),
            (Leaf(PLANE, low[0] + prism.height * z, z, 0.0), low + prism.height * z),
        ]
    for edge in loop:
        if isinstance(edge, Line):
            ends = np.array([[*edge.start, 0.0], [*edge.end, 0.0]])
            normal = cross(ends[1] - ends[0], z)
            side = np.vstack([ends, ends + prism.height * z])
            faces.append((Leaf(PLANE, ends[0], normal / math.hypot(*normal), 0.0), side))
    return faces


def _polyhedron_faces(solid: Polyhedron) -> list[tuple[Leaf, Floats]]:
    found = []
    for polygon in solid.polygons:
        rows = solid.corners[list(polygon)]
        normal = cross(rows, np.roll(rows, -1, axis=0)).sum(axis=0)
        leaf = Leaf(PLANE, rows[0], normal / math.hypot(*normal), 0.0)
        if leaf.value(solid.corners).max() > ALIKE * float(np.ptp(solid.corners, axis=0).max()):
            raise NotBounded("contacts in space are computed for polyhedra without hollows alone")
        found.append((leaf, rows))
    return found
