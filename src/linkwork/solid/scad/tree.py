"""What a text asks for once all loops have run: shapes, and what is done to them.

Angles are in degrees; a number of ``sides`` of 0 means round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.scad.fault import Place

Matrix = NDArray[np.float64]
Pair = tuple[float, float]
Triple = tuple[float, float, float]

ROUND: Final = 0


@dataclass(frozen=True, eq=False)
class Node:
    """Anything a module gives."""

    place: Place


# --------------------------------------------------------------------------------------- solids


@dataclass(frozen=True, eq=False)
class Cube(Node):
    """A box with a corner or its centre at the origin."""

    size: Triple
    centred: bool


@dataclass(frozen=True, eq=False)
class Ball(Node):
    """A sphere about the origin."""

    radius: float
    sides: int


@dataclass(frozen=True, eq=False)
class Drum(Node):
    """A cylinder, or a cone, along z."""

    height: float
    bottom: float
    top: float
    centred: bool
    sides: int


@dataclass(frozen=True, eq=False)
class Facets(Node):
    """A polyhedron; its faces turn left seen from inside, as OpenSCAD wants them."""

    points: tuple[Triple, ...]
    faces: tuple[tuple[int, ...], ...]


# --------------------------------------------------------------------------------- plane shapes


@dataclass(frozen=True, eq=False)
class Square(Node):
    """A rectangle with a corner or its centre at the origin."""

    size: Pair
    centred: bool


@dataclass(frozen=True, eq=False)
class Disc(Node):
    """A circle about the origin."""

    radius: float
    sides: int


@dataclass(frozen=True, eq=False)
class Outline(Node):
    """A polygon: where its paths lie in one another, every second one is a hole."""

    points: tuple[Pair, ...]
    paths: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Gear(Node):
    """The outline of a gear with involute teeth, about the origin, a tooth on +x."""

    teeth: int
    module: float
    pressure_angle: float
    backlash: float
    shift: float
    internal: bool


@dataclass(frozen=True, eq=False)
class Rack(Node):
    """The outline of a rack along x."""

    teeth: int
    module: float
    pressure_angle: float
    backlash: float
    width: float


Leaf: Final = (Cube, Ball, Drum, Facets, Square, Disc, Outline, Gear, Rack)
PLANE: Final = (Square, Disc, Outline, Gear, Rack)

# ------------------------------------------------------------------------------ what holds others


@dataclass(frozen=True, eq=False)
class Holder(Node):
    """What is made of other nodes: here, all of them together."""

    children: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Called(Holder):
    """What a module of the text gives; dumps, which have groups instead, do not tell its name.

    ``changes`` says whether it was called on children, such as one that copies or cuts what stands behind it.
    """

    name: str
    changes: bool = False


@dataclass(frozen=True, eq=False)
class Alone(Holder):
    """What is marked with ``!``: nothing else is made."""


@dataclass(frozen=True, eq=False)
class Combined(Holder):
    """Some nodes together, the first without the others, or what is common to all."""

    how: Literal["union", "difference", "intersection"]


@dataclass(frozen=True, eq=False)
class Transformed(Holder):
    """Nodes elsewhere: four by four numbers, the last row 0 0 0 1."""

    matrix: Matrix


@dataclass(frozen=True, eq=False)
class Resized(Holder):
    """Nodes stretched to fill a box; 0 keeps a length, or lets it follow where ``auto`` says so."""

    size: Triple
    auto: tuple[bool, bool, bool]


@dataclass(frozen=True, eq=False)
class Marked(Holder):
    """Nodes with a label, a colour, the mark of a gear, or a thread of so much a turn."""

    label: str = ""
    gear: bool = False
    colour: str = ""
    thread: float = 0.0


@dataclass(frozen=True, eq=False)
class Extruded(Holder):
    """A plane shape drawn along z, perhaps turning and growing."""

    height: float
    centred: bool
    twist: float
    slices: int
    scale: Pair


@dataclass(frozen=True, eq=False)
class Revolved(Holder):
    """A plane shape turned about the y axis, which becomes the z axis, from an angle on."""

    angle: float
    start: float
    sides: int


@dataclass(frozen=True, eq=False)
class Hull(Holder):
    """The least convex shape around nodes."""


@dataclass(frozen=True, eq=False)
class Minkowski(Holder):
    """All sums of a point of each node."""


@dataclass(frozen=True, eq=False)
class Offset(Holder):
    """A plane shape grown by a distance, or shrunk; corners become round, sharp or flat."""

    distance: float
    corners: Literal["round", "sharp", "flat"]


@dataclass(frozen=True, eq=False)
class Projected(Holder):
    """Solids as a plane shape: where the plane z = 0 cuts them, or their shadow on it."""

    cuts: bool


def nodes_below(node: Node) -> Iterator[Node]:
    """A node and all that it holds, those first that stand first in the text."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        if isinstance(found, Holder):
            waiting += reversed(found.children)
