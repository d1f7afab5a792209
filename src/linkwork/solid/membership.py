"""Whether points are in a solid that is put together of others: all its simple solids are asked at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import ORIGIN, Floats, Placement, Triple
from linkwork.solid.values import (
    Block,
    Cone,
    Cylinder,
    Difference,
    Inside,
    Intersection,
    Named,
    Placed,
    Solid,
    Sphere,
    Union,
    contains_within_box,
)

SOME_PAIRS = 2000
"""How many pairs of a point and a simple solid are looked at all, for to leave out any takes longer."""
FEW = 40
"""Up to how many simple solids near all points are looked at with all of these."""
ALL_PAIRS = 50_000
"""How many pairs are then looked at together: they stay in the processor's cache, and the product of matrices does
not go to several threads, which wait for each other longer than they work."""
CUTTING = 1.6
"""A cell is cut where both halves together have at most so many times as many simple solids as the whole."""

Places = NDArray[np.intp]
Leaf = tuple[Solid, Placement]


@dataclass(frozen=True, eq=False)
class Node:
    """What is in any, or in all, of some simple solids, by their numbers, and of other nodes; not in ``without``."""

    is_any: bool
    leaves: list[int]
    nodes: list[Node]
    without: Node | None = None

    @classmethod
    def of(cls, is_any: bool, nodes: Sequence[Node], without: Node | None = None) -> Node:
        """What is in any, or in all, of some nodes; those of the same sort become one."""
        if len(nodes) == 1 and without is not None and not is_any:
            (node,) = nodes
            every = [without] if node.without is None else [node.without, without]
            return cls(node.is_any, node.leaves, node.nodes, cls.of(True, every))
        leaves: list[int] = []
        others: list[Node] = []
        for node in nodes:
            is_leaf = len(node.leaves) == 1 and not node.nodes
            if node.without is None and (node.is_any == is_any or is_leaf):
                leaves += node.leaves
                others += node.nodes
            else:
                others.append(node)
        return cls(is_any or not nodes, leaves, others, without)

    def added(self) -> list[int]:
        """The simple solids that are in it wherever no other one is."""
        if not self.is_any and len(self.leaves) + len(self.nodes) > 1:
            return []
        return [*self.leaves, *(leaf for node in self.nodes for leaf in node.added())]

    def holds(self, rows: Inside) -> Inside:
        """Whether points are in it; ``rows`` tells for each simple solid which are in that."""
        combine = np.logical_or if self.is_any else np.logical_and
        if len(self.leaves) == 1:
            found: Inside = rows[self.leaves[0]].copy()
        else:
            found = combine.reduce(rows[self._places], axis=0)
        for node in self.nodes:
            combine(found, node.holds(rows), out=found)
        return found if self.without is None else found & ~self.without.holds(rows)

    def among(self, numbers: Mapping[int, int]) -> Node | None:
        """The same where there are only some simple solids, by other numbers; None if nothing can be in it there."""
        leaves = [numbers[leaf] for leaf in self.leaves if leaf in numbers]
        nodes = [found for node in self.nodes if (found := node.among(numbers)) is not None]
        count = len(leaves) + len(nodes)
        if not count or (not self.is_any and count < len(self.leaves) + len(self.nodes)):
            return None
        without = None if self.without is None else self.without.among(numbers)
        return Node(self.is_any, leaves, nodes, without)

    @cached_property
    def _places(self) -> Places:
        return np.array(self.leaves, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Kind(ABC):
    """Simple solids of one kind: their numbers, where they stand, and their sizes as columns."""

    numbers: Places
    back: Floats
    """The ways back into the axes of each: by own coordinate, solid, and coordinate of the world."""
    offset: Floats
    """Where the middle of each is in these axes."""
    sizes: Floats

    @classmethod
    def of(cls, numbers: Sequence[int], leaves: Sequence[Leaf]) -> Kind:
        """Some simple solids in place, and their numbers."""
        back = np.array([place.back for _, place in leaves]).transpose(2, 0, 1)
        offset = np.einsum("ikj,kj->ik", back, np.array([place.origin for _, place in leaves]))
        offset += np.array([middle_of(solid) for solid, _ in leaves]).T
        sizes = np.array([_sizes(solid) for solid, _ in leaves]).T
        return cls(np.array(numbers, dtype=np.intp), np.ascontiguousarray(back), offset, sizes)

    def fill(self, rows: Inside, points: Floats) -> None:
        """Tell of each solid and each point, by its coordinates as rows, whether it is inside."""
        seen = (self.back.reshape(-1, 3) @ points).reshape(3, len(self.numbers), -1)
        seen -= self.offset[..., None]
        rows[self.numbers] = self.contain(seen, self.sizes[..., None])

    @abstractmethod
    def contain(self, seen: Floats, sizes: Floats) -> Inside:
        """Whether points are in solids of these sizes, by the three coordinates in their axes from their middles.

        The coordinates are used up: they are many, and arrays beside them would take longer to write than to compute.
        """


class Blocks(Kind):
    """Blocks, by half their edges."""

    def contain(self, seen: Floats, sizes: Floats) -> Inside:
        within = np.abs(seen, out=seen) < sizes
        within[0] &= within[1]
        within[0] &= within[2]
        return np.asarray(within[0])


class Rounds(Kind):
    """Cylinders and cones, by the radius halfway, its growth and half the height."""

    def contain(self, seen: Floats, sizes: Floats) -> Inside:
        x, y, z = seen
        middle, growth, half = sizes
        radius = np.maximum(middle + growth * z, 0.0) if growth.any() else middle
        x *= x
        y *= y
        x += y
        found = x < radius * radius
        found &= np.abs(z, out=z) < half
        return np.asarray(found)


class Balls(Kind):
    """Balls, by their radius."""

    def contain(self, seen: Floats, sizes: Floats) -> Inside:
        seen *= seen
        x, y, z = seen
        return np.asarray(x + y + z < sizes[0] ** 2)


_KINDS: dict[type[Solid], type[Kind]] = {Block: Blocks, Cylinder: Rounds, Cone: Rounds, Sphere: Balls}


def _sizes(solid: Solid) -> tuple[float, ...]:
    if isinstance(solid, Block):
        x, y, z = solid.size
        return x / 2, y / 2, z / 2
    if isinstance(solid, Cylinder):
        return solid.radius, 0.0, solid.height / 2
    if isinstance(solid, Cone):
        return (
            (solid.bottom + solid.top) / 2,
            (solid.top - solid.bottom) / solid.height,
            solid.height / 2,
        )
    assert isinstance(solid, Sphere)
    return (solid.radius,)


def middle_of(solid: Solid) -> Triple:
    """The middle of a block, cylinder, cone or ball in its own axes."""
    if isinstance(solid, Block):
        x, y, z = solid.size
        return x / 2, y / 2, z / 2
    return (0.0, 0.0, solid.height / 2) if isinstance(solid, (Cylinder, Cone)) else ORIGIN


@dataclass(frozen=True, eq=False)
class Asked:
    """Simple solids in place, those of a kind together, others one by one, and what is made of them."""

    count: int
    kinds: list[Kind]
    others: list[tuple[int, Solid]]
    whole: Node

    @classmethod
    def of(cls, leaves: Sequence[Leaf], whole: Node) -> Asked:
        """Some simple solids, and what is made of them."""
        found: dict[type[Kind], list[int]] = {}
        others = []
        for number, (solid, place) in enumerate(leaves):
            if type(solid) in _KINDS:
                found.setdefault(_KINDS[type(solid)], []).append(number)
            else:
                others.append((number, solid.placed(place)))
        kinds = [kind.of(numbers, [leaves[each] for each in numbers]) for kind, numbers in found.items()]
        return cls(len(leaves), kinds, others, whole)

    def contains(self, points: Floats) -> Inside:
        """Whether points are in what is made of them: all are asked about all of these."""
        at_once = max(1, ALL_PAIRS // max(1, self.count))
        if len(points) <= at_once:
            return self.whole.holds(self._rows(points))
        parts = [points[start : start + at_once] for start in range(0, len(points), at_once)]
        return np.concatenate([self.whole.holds(self._rows(some)) for some in parts])

    def _rows(self, points: Floats) -> Inside:
        """Which points are in each simple solid."""
        rows = np.empty((self.count, len(points)), dtype=bool)
        if self.kinds:
            coordinates = np.ascontiguousarray(points.T)
            for kind in self.kinds:
                kind.fill(rows, coordinates)
        for number, solid in self.others:
            rows[number] = contains_within_box(solid, points)
        return rows


@dataclass(eq=False)
class Cell:
    """A piece of space with the simple solids that reach into it, and what is made of them there.

    Where they are many it is cut in two by a plane, on either side of which there are fewer: so each point is asked
    about those near it, and the work for n points in n holes of a plate grows as n log n.
    """

    leaves: list[Leaf]
    boxes: Floats
    """Two corners of a box around each."""
    whole: Node

    def contains(self, points: Floats) -> Inside:
        """Whether points of this piece of space are in what is made of them."""
        if len(points) * len(self.leaves) <= SOME_PAIRS or self._halves is None:
            return self._asked.contains(points)
        axis, place, low, high = self._halves
        found = np.zeros(len(points), dtype=bool)
        is_low = points[:, axis] < place
        for cell, mine in ((low, is_low), (high, ~is_low)):
            if cell is not None and mine.any():
                found[mine] = cell.contains(points[mine])
        return found

    @cached_property
    def _asked(self) -> Asked:
        return Asked.of(self.leaves, self.whole)

    @cached_property
    def _halves(self) -> tuple[int, float, Cell | None, Cell | None] | None:
        """The axis across which it is cut, where, and the cells on either side; None if cutting does not help."""
        if len(self.leaves) <= FEW:
            return None
        places = np.median(self.boxes.mean(axis=1), axis=0)
        is_low, is_high = self.boxes[:, 0] < places, self.boxes[:, 1] >= places
        counts = is_low.sum(axis=0) + is_high.sum(axis=0)
        axis = int(np.argmin(counts))
        if counts[axis] > CUTTING * len(self.leaves):
            return None
        low, high = self._among(is_low[:, axis]), self._among(is_high[:, axis])
        return axis, float(places[axis]), low, high

    def _among(self, near: Inside) -> Cell | None:
        places = np.flatnonzero(near)
        whole = self.whole.among({place: number for number, place in enumerate(places.tolist())})
        return (
            None if whole is None else Cell([self.leaves[each] for each in places], self.boxes[places], whole)
        )


@dataclass(eq=False)
class Membership:
    """A solid as simple ones in place, and what is made of them.

    >>> plate = Block((4, 4, 1)) - Cylinder(1, 1).moved((2, 2, 0))
    >>> Membership(plate).contains(np.array([[2, 2, 0.5], [2, 3.5, 0.5], [9, 9, 9]])).tolist()
    [False, True, False]
    """

    solid: Solid

    def __post_init__(self) -> None:
        self._leaves: list[Leaf] = []
        self._whole = self._node(self.solid, Placement())
        self._local: dict[bytes, Asked | None] = {}

    def _node(self, solid: Solid, place: Placement) -> Node:
        if isinstance(solid, Placed):
            return self._node(solid.solid, place.holding(solid.place))
        if isinstance(solid, Named):
            return self._node(solid.solid, place)
        if isinstance(solid, Difference):
            without = Node.of(True, [self._node(other, place) for other in solid.others])
            return Node.of(False, [self._node(solid.first, place)], without)
        if isinstance(solid, (Union, Intersection)):
            return Node.of(isinstance(solid, Union), [self._node(each, place) for each in solid.solids])
        self._leaves.append((solid, place))
        return Node(True, [len(self._leaves) - 1], [])

    @cached_property
    def _all(self) -> Asked:
        """All simple solids."""
        return Asked.of(self._leaves, self._whole)

    @cached_property
    def _cell(self) -> Cell:
        """All of space."""
        return Cell(self._leaves, self._boxes, self._whole)

    @cached_property
    def _boxes(self) -> Floats:
        """Two corners of a box around each simple solid."""
        if not self._leaves:
            return np.zeros((0, 2, 3))
        own = np.array([solid.box for solid, _ in self._leaves])
        axes = np.array([place.axes for _, place in self._leaves])
        origins = np.array([place.origin for _, place in self._leaves])
        middles = np.einsum("ki,kij->kj", own.mean(axis=1), axes) + origins
        spreads = np.einsum("ki,kij->kj", (own[:, 1] - own[:, 0]) / 2, np.abs(axes))
        return np.stack([middles - spreads, middles + spreads], axis=1)

    def bare(self, low: Floats, high: Floats) -> Inside:
        """Whether there is but one simple solid at each of some boxes, and it is wholly part of the solid there."""
        near = np.ones((len(low), len(self._leaves)), dtype=bool)
        for axis in range(3):
            near &= self._boxes[:, 0, axis] <= high[:, axis, None]
            near &= self._boxes[:, 1, axis] >= low[:, axis, None]
        adds = np.zeros(len(self._leaves), dtype=bool)
        adds[self._whole.added()] = True
        return np.asarray((near.sum(axis=1) == 1) & near[:, adds].any(axis=1))

    def contains(self, points: Floats) -> Inside:
        """Whether each row of an array lies in the solid."""
        points = np.asarray(points, dtype=float)
        pairs = len(self._leaves) * len(points)
        if pairs <= SOME_PAIRS:
            return self._all.contains(points) if pairs else np.zeros(len(points), dtype=bool)
        near = self._near(np.ascontiguousarray(points.T))
        if np.count_nonzero(near) <= FEW:
            local = self._among(near)
            return np.zeros(len(points), dtype=bool) if local is None else local.contains(points)
        return self._all.contains(points) if pairs <= ALL_PAIRS else self._cell.contains(points)

    def _near(self, coordinates: Floats) -> Inside:
        """The simple solids in which any of some points can be, by their coordinates as rows."""
        low, high = coordinates.min(axis=1), coordinates.max(axis=1)
        return np.asarray(
            np.logical_and.reduce((self._boxes[:, 0] <= high) & (self._boxes[:, 1] >= low), axis=1)
        )

    def _among(self, near: Inside) -> Asked | None:
        """The solid where only some of its simple solids are, kept for the next time; None if it is nowhere there."""
        key = near.tobytes()
        if key not in self._local:
            places = np.flatnonzero(near)
            whole = self._whole.among({place: number for number, place in enumerate(places.tolist())})
            leaves = [self._leaves[place] for place in places]
            self._local[key] = None if whole is None else Asked.of(leaves, whole)
        return self._local[key]
