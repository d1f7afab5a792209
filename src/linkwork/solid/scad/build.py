"""Shapes to solids: matrices are carried down to the shapes, which are then made where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Final, TypeVar

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.solid import Difference, Intersection, Named, Placement, Solid, Union
from linkwork.solid.region import Region, difference, hull, intersection, union
from linkwork.solid.scad import leaves
from linkwork.solid.scad.evaluate import Tell
from linkwork.solid.scad.extrude import extruded
from linkwork.solid.scad.fault import Complaint, Place, ScadError
from linkwork.solid.scad.frames import Note, frame_of, mapped, plane_part
from linkwork.solid.scad.hulls import solid_hull
from linkwork.solid.scad.limits import DEEPEST_SOLID
from linkwork.solid.scad.matrices import stretch
from linkwork.solid.scad.offsets import offset_region
from linkwork.solid.scad.outlines import outline_of
from linkwork.solid.scad.revolve import revolved
from linkwork.solid.scad.simple import extent, simple_solids
from linkwork.solid.scad.sums import region_sum, solid_sum
from linkwork.solid.scad.tasks import Task, run
from linkwork.solid.scad.tree import (
    PLANE,
    Ball,
    Combined,
    Cube,
    Drum,
    Extruded,
    Facets,
    Holder,
    Hull,
    Leaf,
    Marked,
    Matrix,
    Minkowski,
    Node,
    Offset,
    Resized,
    Revolved,
    Transformed,
    nodes_below,
)

Made = TypeVar("Made")
_LEAVES: Final[dict[type, Callable[[Any, Matrix, Note], Solid]]] = {
    Cube: leaves.cube,
    Ball: leaves.ball,
    Drum: leaves.drum,
    Facets: leaves.polyhedral,
}


def solid_of(tree: Node, tell: Tell | None = None) -> Solid:
    """The solid that a tree of shapes stands for."""
    if is_plane(tree):
        shape = next(node for node in nodes_below(tree) if isinstance(node, PLANE))
        raise ScadError(
            "this is a plane shape, not a solid", place=shape.place, fix="linear_extrude(height = …) it"
        )
    solid: Solid | None = run(Builder(tell).whole(tree))
    if solid is None or solid.is_empty:
        raise ScadError(
            "there is no solid in this text",
            place=tree.place,
            wanted="a cube, a cylinder or the like that is neither disabled nor cut away",
            fix="cube([10, 20, 5]);",
        )
    return solid


def is_plane(node: Node) -> bool:
    """Whether the first shape in a node is a plane one, not drawn into space."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Leaf):
            return isinstance(found, PLANE)
        if isinstance(found, Extruded | Revolved):
            return False
        if isinstance(found, Holder):
            waiting += reversed(found.children)
    return False


class Builder:
    """The making of solids and regions; what is not exact is told once for each place."""

    def __init__(self, tell: Tell | None) -> None:
        self.tell = tell
        self._told: set[tuple[str, str]] = set()

    def note(self, place: Place) -> Note:
        """What tells that something at a place is not exact."""

        def noted(text: str) -> None:
            key = (str(place), text)
            if self.tell is not None and key not in self._told:
                self.tell(f"NOTE: {place}: {text}")
            self._told.add(key)

        return noted

    def made(self, place: Place, making: Callable[[], Made]) -> Made:
        """Make something, and tell where if it cannot be."""
        try:
            return making()
        except Complaint as complaint:
            raise complaint.at(place) from None
        except ScadError:
            raise
        except LinkworkError as error:
            raise ScadError(
                error.problem, place=place, wanted=error.wanted, why=error.why, fix=error.fix
            ) from None

    # -------------------------------------------------------------------------------- solids

    def whole(self, tree: Node) -> Task[Solid | None]:
        """All that there is, as a solid."""
        found: Solid | None = yield self.solid(tree, np.eye(4), 0)
        return found

    def solid(self, node: Node, matrix: Matrix, depth: int) -> Any:
        """A node as a solid; None for nothing."""
        if type(node) in _LEAVES:
            return self.made(node.place, lambda: _LEAVES[type(node)](node, matrix, self.note(node.place)))
        if isinstance(node, (*PLANE, Offset)):
            raise ScadError(
                "a plane shape stands among solids",
                place=node.place,
                wanted="either plane shapes or solids, not both",
                fix="linear_extrude(height = …) it first",
            )
        if depth > DEEPEST_SOLID:
            raise ScadError(
                f"differences and intersections are nested more than {DEEPEST_SOLID} deep", place=node.place
            )
        match node:
            case Extruded() | Revolved():
                return self._drawn(node, matrix)
            case Resized():
                return self._resized(node, matrix, depth)
            case Hull() | Minkowski():
                return self._around(node, matrix, depth)
            case Marked():
                return self._marked(node, matrix, depth)
            case Combined(how="difference" | "intersection"):
                return self._combined(node, matrix, depth)
            case Transformed():
                return self._together(node, matrix @ node.matrix, depth)
        return self._together(node, matrix, depth)

    def _parts(self, node: Node, matrix: Matrix, depth: int) -> Task[list[Solid | None]]:
        found: list[Solid | None] = []
        for child in node.children if isinstance(node, Holder) else ():
            found.append((yield self.solid(child, matrix, depth)))
        return found

    def _together(self, node: Node, matrix: Matrix, depth: int) -> Task[Solid | None]:
        parts = yield self._parts(node, matrix, depth)
        return joined(parts)

    def _combined(self, node: Combined, matrix: Matrix, depth: int) -> Task[Solid | None]:
        parts: list[Solid | None] = yield self._parts(node, matrix, depth + 1)
        if not parts or parts[0] is None or (node.how == "intersection" and None in parts):
            return None
        first, *others = (part for part in parts if part is not None)
        if not others:
            return first
        if node.how == "intersection":
            return Intersection((first, *others))
        if isinstance(first, Difference):
            return Difference(first.first, (*first.others, *others))
        return Difference(first, tuple(others))

    def _marked(self, node: Marked, matrix: Matrix, depth: int) -> Task[Solid | None]:
        solid: Solid | None = yield self._together(node, matrix, depth + 1)
        return None if solid is None else marked(solid, node)

    def _drawn(self, node: Extruded | Revolved, matrix: Matrix) -> Task[Solid | None]:
        region: Region = yield self._region_together(node, np.eye(3))
        if not region:
            return None
        note = self.note(node.place)
        if isinstance(node, Extruded):
            return self.made(node.place, lambda: extruded(node, region, matrix, note))
        return self.made(node.place, lambda: revolved(node, region, matrix, note))

    def _around(self, node: Hull | Minkowski, matrix: Matrix, depth: int) -> Task[Solid | None]:
        """A hull or a sum, made along its own axes where they may be turned as a whole."""
        frame = frame_of(matrix)
        own = frame is not None and frame.is_similar
        parts: list[Solid | None] = yield self._parts(node, np.eye(4) if own else matrix, depth + 1)
        solids = [part for part in parts if part is not None]
        if not solids or (isinstance(node, Minkowski) and len(solids) < len(parts)):
            return None
        making = solid_hull if isinstance(node, Hull) else solid_sum
        if isinstance(node, Minkowski) and len(solids) == 1:
            return solids[0].placed(Placement.of(matrix[:3, :3], matrix[:3, 3])) if own else solids[0]
        found: Solid = self.made(node.place, lambda: making(solids, node.place, self.note(node.place)))
        if not own or np.array_equal(matrix, np.eye(4)):
            return found
        return found.placed(Placement.of(matrix[:3, :3], matrix[:3, 3]))

    def _resized(self, node: Resized, matrix: Matrix, depth: int) -> Task[Solid | None]:
        solid = yield self._together(node, np.eye(4), depth)
        if solid is None:
            return None
        low, high = self.made(node.place, lambda: extent(simple_solids(solid, "resize")))
        found: Solid | None = yield self._together(node, matrix @ stretch(factors(node, high - low)), depth)
        return found

    # ------------------------------------------------------------------------------- regions

    def region(self, node: Node, matrix: Matrix) -> Any:
        """A node as a region of the plane."""
        if isinstance(node, PLANE):
            return self.made(node.place, lambda: outline_of(node, matrix, self.note(node.place)))
        if isinstance(node, (*Leaf, Extruded, Revolved)):
            raise ScadError(
                "a solid stands among plane shapes",
                place=node.place,
                wanted="plane shapes: square, circle, polygon",
            )
        match node:
            case Transformed():
                return self._region_transformed(node, matrix)
            case Offset() | Hull() | Minkowski() | Resized():
                return self._region_changed(node, matrix)
            case Combined(how="difference" | "intersection"):
                return self._region_combined(node, matrix)
        return self._region_together(node, matrix)

    def _regions(self, node: Node, matrix: Matrix) -> Task[list[Region]]:
        found: list[Region] = []
        for child in node.children if isinstance(node, Holder) else ():
            found.append((yield self.region(child, matrix)))
        return found

    def _region_together(self, node: Node, matrix: Matrix) -> Task[Region]:
        regions = yield self._regions(node, matrix)
        found: Region = self.made(node.place, lambda: union(regions))
        return found

    def _region_transformed(self, node: Transformed, matrix: Matrix) -> Task[Region]:
        inner = plane_part(node.matrix)
        if inner is None:
            raise ScadError(
                "a plane shape is turned out of its plane",
                place=node.place,
                wanted="turns about z before linear_extrude, other turns after it",
                fix="rotate([90, 0, 0]) linear_extrude(height = …) …",
            )
        found: Region = yield self._region_together(node, matrix @ inner)
        return found

    def _region_combined(self, node: Combined, matrix: Matrix) -> Task[Region]:
        regions = yield self._regions(node, matrix)
        if not regions:
            return Region()
        found: Region = self.made(
            node.place,
            lambda: (
                intersection(regions) if node.how == "intersection" else difference(regions[0], regions[1:])
            ),
        )
        return found

    def _region_changed(self, node: Offset | Hull | Minkowski | Resized, matrix: Matrix) -> Task[Region]:
        """What is done to regions along their own axes, before they are moved."""
        regions: list[Region] = yield self._regions(node, np.eye(3))
        note = self.note(node.place)

        def change() -> Region:
            if isinstance(node, Hull):
                return hull(regions)
            if isinstance(node, Minkowski):
                return reduce(region_sum, regions) if all(regions) and regions else Region()
            whole = union(regions)
            if isinstance(node, Offset) or not whole:
                return offset_region(node, whole) if isinstance(node, Offset) else whole
            low, high = whole.box
            x, y, _ = factors(node, np.array([*np.subtract(high, low), 0.0]))
            return mapped(whole, np.diag([x, y]), np.zeros(2), note)

        return self.made(node.place, lambda: mapped(change(), matrix[:2, :2], matrix[:2, 2], note))


def marked(solid: Solid, node: Marked) -> Solid:
    """A solid with a mark; marks that do not contradict one another become one."""
    label, gear, colour = node.label, node.gear, node.colour
    if isinstance(solid, Named) and not (solid.label and label):
        label, gear, colour = label or solid.label, gear or solid.gear, colour or solid.colour
        solid = solid.solid
    return solid.named(label, gear=gear, colour=colour)


def joined(parts: Sequence[Solid | None]) -> Solid | None:
    """Some solids together: unions among them are taken apart, so that they are not nested."""
    found: list[Solid] = []
    for part in parts:
        if isinstance(part, Union):
            found += part.solids
        elif part is not None:
            found.append(part)
    if len(found) < 2:
        return found[0] if found else None
    return Union(tuple(found))


def factors(node: Resized, size: Matrix) -> tuple[float, float, float]:
    """By how much each direction is stretched."""
    given = [new / old if new > 0 and old > 0 else 0.0 for new, old in zip(node.size, size, strict=True)]
    following = max(given)
    found = [
        factor if factor > 0 else following if auto and following > 0 else 1.0
        for factor, auto in zip(given, node.auto, strict=True)
    ]
    return found[0], found[1], found[2]
