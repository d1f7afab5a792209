"""Shapes to solids: matrices are carried down to the shapes, which are then made where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from linkwork.solid import Difference, Intersection, Named, Placement, RoundFace, Solid, Union
from linkwork.solid.pieces import pieces
from linkwork.solid.region import Region
from linkwork.solid.scad import facets, leaves
from linkwork.solid.scad.evaluate import Tell
from linkwork.solid.scad.extrude import extruded
from linkwork.solid.scad.fault import ScadError
from linkwork.solid.scad.frames import SAME, Note, frame_of, mapped
from linkwork.solid.scad.hulls import solid_hull
from linkwork.solid.scad.limits import DEEPEST_SOLID
from linkwork.solid.scad.matrices import stretch
from linkwork.solid.scad.plane import RegionBuilder, factors, within_measure
from linkwork.solid.scad.revolve import revolved
from linkwork.solid.scad.shadows import shadow
from linkwork.solid.scad.simple import again, extent, simple_solids
from linkwork.solid.scad.sums import solid_sum
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
    Projected,
    Resized,
    Revolved,
    Transformed,
    nodes_below,
)
from linkwork.solid.section import section

OF_A_FACE: Final = 20
OF_A_SOLID: Final = 200
OF_A_HULL: Final = 5000
"""Steps, which are about microseconds."""

_LEAVES: Final[dict[type, Callable[[Any, Matrix, Note], Solid]]] = {
    Cube: leaves.cube,
    Ball: leaves.ball,
    Drum: leaves.drum,
    Facets: leaves.polyhedral,
}


def solid_of(tree: Node, tell: Tell | None = None) -> Solid:
    """The solid that a tree of shapes stands for."""
    if is_plane(tree):
        shape = next(node for node in nodes_below(tree) if isinstance(node, (*PLANE, Projected)))
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
        if isinstance(found, Extruded | Revolved | Projected):
            return isinstance(found, Projected)
        if isinstance(found, Holder):
            waiting += reversed(found.children)
    return False


class Builder(RegionBuilder):
    """The making of solids."""

    def whole(self, tree: Node) -> Task[Solid | None]:
        """All that there is, as a solid."""
        found: Solid | None = yield self.solid(tree, np.eye(4), 0)
        return found

    def solid(self, node: Node, matrix: Matrix, depth: int) -> Any:
        """A node as a solid; None for nothing."""
        if type(node) in _LEAVES:
            making = _LEAVES[type(node)]
            return self.made(node.place, steps_of(node), lambda: making(node, matrix, self.note(node.place)))
        if isinstance(node, (*PLANE, Offset, Projected)):
            raise ScadError(
                "a plane shape stands among solids",
                place=node.place,
                wanted="either plane shapes or solids, not both",
                fix="linear_extrude(height = …) it first",
            )
        if depth > DEEPEST_SOLID:
            raise ScadError(
                f"differences and intersections are nested more than {DEEPEST_SOLID} deep",
                place=node.place,
                fix="cut it all away in one: difference() { body; hole; hole; }",
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
                return self._together(node, within_measure(matrix @ node.matrix, node.place), depth)
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
        taken = [
            each for other in others for each in (other.solids if isinstance(other, Union) else (other,))
        ]
        if isinstance(first, Difference):
            return Difference(first.first, (*first.others, *taken))
        return Difference(first, tuple(taken))

    def _marked(self, node: Marked, matrix: Matrix, depth: int) -> Task[Solid | None]:
        solid: Solid | None = yield self._together(node, matrix, depth + 1)
        if solid is None:
            return None
        return marked(solid, node, _pitch(solid, node, matrix) if node.thread else 0.0)

    def _drawn(self, node: Extruded | Revolved, matrix: Matrix) -> Task[Solid | None]:
        region: Region = yield self.whole_region(node, np.eye(3))
        if not region:
            return None
        note = self.note(node.place)
        edges = sum(len(loop) for loop in region.loops)
        if isinstance(node, Extruded):
            layers = max(node.slices, 20 * abs(node.twist) / facets.FACET_DEGREES, 1.0)
            steps = OF_A_FACE * edges * layers
            return self.made(node.place, steps, lambda: extruded(node, region, matrix, note))
        steps = OF_A_FACE * edges * facets.SIDES_FOR_ROUND
        return self.made(node.place, steps, lambda: revolved(node, region, matrix, note))

    def region(self, node: Node, matrix: Matrix) -> Any:
        """A node as a region of the plane; what is projected is made as a solid first."""
        return self._projected(node, matrix) if isinstance(node, Projected) else super().region(node, matrix)

    def _projected(self, node: Projected, matrix: Matrix) -> Task[Region]:
        solid: Solid | None = yield self._together(node, np.eye(4), 0)
        if solid is None or solid.is_empty:
            return Region()
        note = self.note(node.place)
        steps = OF_A_FACE * facets.SIDES_FOR_ROUND * sum(1 for _ in pieces(solid))
        return self.made(
            node.place,
            steps,
            lambda: mapped(
                section(solid, 0.0) if node.cuts else shadow(solid, note),
                matrix[:2, :2],
                matrix[:2, 2],
                note,
            ),
        )

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
        steps = OF_A_HULL * sum(1 for solid in solids for _ in pieces(solid))
        note = self.note(node.place)
        found: Solid = self.made(node.place, steps, lambda: making(solids, node.place, note))
        if not own or np.array_equal(matrix, np.eye(4)):
            return found
        return found.placed(Placement.of(matrix[:3, :3], matrix[:3, 3]))

    def _resized(self, node: Resized, matrix: Matrix, depth: int) -> Task[Solid | None]:
        solid: Solid | None = yield self._together(node, np.eye(4), depth)
        if solid is None:
            return None
        note = self.note(node.place)

        def resize() -> Solid | None:
            simple = simple_solids(solid, "resize")
            low, high = extent(simple)
            stretched = matrix @ stretch(factors(node, high - low))
            return joined([again(each, stretched, note) for each in simple])

        return self.made(node.place, OF_A_FACE, resize)


def steps_of(node: Node) -> float:
    """The work of making a shape that stands alone."""
    sides = getattr(node, "sides", 0)
    faces = (
        len(node.faces)
        if isinstance(node, Facets)
        else sides * sides / 2
        if isinstance(node, Ball)
        else sides
    )
    return OF_A_SOLID + OF_A_FACE * faces


def marked(solid: Solid, node: Marked, thread: float) -> Solid:
    """A solid with a mark and a thread; marks that do not contradict one another become one."""
    label, gear, colour = node.label, node.gear, node.colour
    if isinstance(solid, Named) and not (solid.label and label) and not (solid.thread and thread):
        label, gear, colour = label or solid.label, gear or solid.gear, colour or solid.colour
        thread = thread or solid.thread
        solid = solid.solid
    return solid.named(label, gear=gear, colour=colour, thread=thread)


def _pitch(solid: Solid, node: Marked, matrix: Matrix) -> float:
    """How far a turn of a thread goes where it stands: as far as its axis is stretched, other-handed in a mirror."""
    linear = matrix[:3, :3]
    back = np.linalg.inv(linear)
    axes = [face.axis for face in solid.faces() if isinstance(face, RoundFace)]
    along = [1 / float(np.linalg.norm(back @ axis)) for axis in axes] or [float(np.linalg.norm(linear[:, 2]))]
    if max(along) - min(along) > SAME * max(along):
        raise ScadError(
            "this thread is stretched by different factors along its axes",
            place=node.place,
            wanted="one axis, or the same scale for all",
            fix="thread(…) on each cylinder by itself",
        )
    return node.thread * along[0] * float(np.sign(np.linalg.det(linear)))


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
