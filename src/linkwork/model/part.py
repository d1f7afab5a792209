"""Parts: rigid bodies with named points, a mass, and a rough place to start from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from linkwork.model.draw import Draw
from linkwork.model.field import (
    Coordinates,
    Entries,
    Inner,
    OneOrMore,
    Place,
    Points,
    Record,
    Scalar,
    Size,
    Sizes,
    TableOf,
    Text,
    given,
)
from linkwork.model.ordered import Ordered
from linkwork.model.pose import Pose
from linkwork.model.shape import Shape

GROUND = "ground"
"""The part that does not move; it need not be named in a file."""


@dataclass(frozen=True)
class Part(Record):
    """A rigid body.

    ``points`` are named places in its own frame. The mass is given by ``mass``, ``centre`` and ``inertia``
    (about the centre of mass; one number in the plane, in space three principal ones or six: xx, yy, zz, xy,
    xz, yz), or follows from a ``shape`` and its ``density``. ``start`` is where it roughly stands.

    >>> Part(points={"A": (0, 0), "B": ("a", 0)}).points["B"]
    (a, 0)
    """

    points: Points = given(
        TableOf(Coordinates(example=("a", 0)), "a table of points"),
        Ordered(),
        "places in the part's own frame",
    )
    mass: Size | None = given(Scalar(example=0.2), None, "the mass")
    centre: Place | None = given(Coordinates(example=("a/2", 0)), None, "the centre of mass")
    inertia: Sizes | None = given(
        OneOrMore(Scalar(), 1, 6, "a number in the plane, 3 or 6 in space", example=(0.01,)),
        None,
        "moments of inertia",
    )
    shape: Shape | None = given(Inner(Shape, "a table: the shape that has the mass"), None)
    density: Size | None = given(Scalar(example=7.8), None, "mass per area in the plane, per volume in space")
    start: Pose | Any = given(Inner(Pose, "a table: where the part roughly stands"), None)
    draw: tuple[Draw, ...] = given(
        Entries(Inner(Draw), 0, about="a list of drawn shapes", example=({"shape": "disc", "radius": 1},)), ()
    )


@dataclass(frozen=True)
class Frame(Pose):
    """A frame fixed to a part or to another frame: a place with axes of its own, to which joints refer."""

    on: str = given(Text("the part or frame that carries it", "crank"), "ground")
