"""Parts: rigid bodies with named points, a mass, and a rough place to start from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from linkwork.algebra import Expression, number, sqrt, symbol
from linkwork.model.draw import Draw
from linkwork.model.field import (
    Choice,
    Coordinates,
    Entries,
    Flag,
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
from linkwork.model.placed import Placed, about, quaternion_axes, turned_axes
from linkwork.model.pose import Pose
from linkwork.model.shape import Mass, Shape
from linkwork.model.vector import Vector

GROUND = "ground"
"""The part that does not move; it need not be named in a file."""


@dataclass(frozen=True)
class RestSpring(Record):
    """A spring in the joint of a part: it pulls the joint's coordinate, 0 where the part is drawn, to ``rest``."""

    stiffness: Size = given(Scalar(example=20), 0, "torque per angle, or force per length")
    rest: Size = given(Scalar(example="90 deg"), 0, "the angle or displacement without force")


@dataclass(frozen=True)
class Part(Record):
    """A rigid body.

    ``points`` are named places in its own frame. The mass is given by ``mass``, ``centre`` and ``inertia``
    (about the centre of mass; one number in the plane, in space three principal ones or six: xx, yy, zz, xy,
    xz, yz), or follows from a ``shape`` and its ``density``. ``start`` is where it roughly stands.

    A part of a machine whose joints are to be found has a ``solid`` instead; see :mod:`linkwork.recognition`.

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
    solid: tuple[str, ...] | None = given(
        OneOrMore(
            Text("text: OpenSCAD notation, or the name of a file", "cube([1, 2, 3]);"),
            1,
            about="a text in OpenSCAD notation or the name of a file, or a list of them",
            example=("cube([1, 2, 3]);",),
        ),
        None,
        "its solid, where it stands",
    )
    fixed: bool = given(Flag(), False, "whether it stands still: the frame of a machine of solids")
    free: bool = given(Flag(), False, "whether nothing holds it, in a machine of solids")
    fastener: bool = given(Flag(), False, "whether it holds fast what it goes through, as a screw does")
    gear: bool = given(Flag(), False, "whether its solid is the pitch body of a gear or rack")
    friction: Size | None = given(Scalar(example=5), None, "torque or force per speed, in its joint")
    spring: RestSpring | None = given(Inner(RestSpring, "a table: the spring in its joint"), None)


TRANSLATION: Final = ("tx", "ty", "tz")
ROTATION: Final = ("rw", "rx", "ry", "rz")
SCALE: Final = ("sx", "sy", "sz")
TURN: Final = "turn"


@dataclass(frozen=True)
class Frame(Pose):
    """A frame on a part or on another frame: a place with axes of its own, fixed or with coordinates that vary.

    ``varies`` names what is a variable of the motion: the translation ``tx``, ``ty``, ``tz`` in the axes of the
    carrier, the angle ``turn`` about ``axis``, entries ``rx``, ``ry``, ``rz`` of a unit quaternion (``rw`` comes by
    itself), the scale ``sx``, ``sy``, ``sz``. ``at``, ``turn``, ``quaternion`` and ``scale`` are then where it
    starts, ``rates`` how fast. With a mass the frame is a body: a point, or with ``inertia`` (about the centre of
    mass; three principal moments or six entries xx, yy, zz, xy, xz, yz; one number in the plane) an extended one.
    """

    on: str = given(Text("the part or frame that carries it", "crank"), "ground")
    varies: tuple[str, ...] = given(
        Entries(
            Choice((*TRANSLATION, TURN, *ROTATION, *SCALE)),
            0,
            about="a list of coordinates",
            example=("tz", "rx"),
        ),
        (),
    )
    quaternion: Sizes | None = given(
        Entries(Scalar(), 4, 4, "a list of four numbers w, x, y, z", example=(1, 0, 0, 0)),
        None,
        "the orientation, in space",
    )
    scale: Sizes | None = given(
        OneOrMore(Scalar(), 1, 3, "a number, or one for each axis", example=(2,)),
        None,
        "the scale of its axes",
    )
    rates: Sizes = given(
        TableOf(Scalar(example=2), "a table of coordinates and their rates at the start"), Ordered()
    )
    mass: Size | None = given(Scalar(example=0.2), None, "the mass of a body that moves with it")
    centre: Place | None = given(Coordinates(example=(0, 0, 1)), None, "its centre of mass")
    inertia: Sizes | None = given(
        OneOrMore(Scalar(), 1, 6, "a number in the plane, 3 or 6 in space", example=(0.01, 0.01, 0.01)),
        None,
        "its moments of inertia",
    )

    def coordinates(self, dimension: int) -> tuple[str, ...]:
        """The coordinates that vary, in order; a quaternion that varies has its scalar part too."""
        wanted = {*self.varies, *(("rw",) if {*ROTATION[1:]} & {*self.varies} else ())}
        return tuple(
            each for each in (*TRANSLATION[:dimension], TURN, *ROTATION, *SCALE[:dimension]) if each in wanted
        )

    @property
    def is_quaternion(self) -> bool:
        """Whether its orientation is given or varies as a quaternion."""
        return self.quaternion is not None or not {*ROTATION}.isdisjoint(self.varies)

    def starts(self, dimension: int) -> dict[str, Expression]:
        """Where each coordinate that varies starts."""
        origin = self.at or Vector.zero(dimension)
        found: dict[str, Expression] = dict(zip(TRANSLATION, origin, strict=False))
        found[TURN] = self.turn
        if dimension == 3:
            found |= zip(ROTATION, self.start_quaternion(), strict=True)
        found |= zip(SCALE, self.start_scale(dimension), strict=False)
        return {name: found[name] for name in self.coordinates(dimension)}

    def start_quaternion(self) -> tuple[Expression, ...]:
        """The orientation at the start, of length 1."""
        if self.quaternion is None:
            return about(self.axis or Vector.axis(3, 2), self.turn)
        length = sqrt(sum((each * each for each in self.quaternion), number(0)))
        return tuple(each / length for each in self.quaternion)

    def start_scale(self, dimension: int) -> tuple[Expression, ...]:
        """The scale along each axis at the start."""
        given_scale = self.scale or (number(1),)
        return given_scale * dimension if len(given_scale) == 1 else given_scale

    def moved(self, name: str, dimension: int) -> Placed:
        """The frame in its carrier, with symbols for the coordinates that vary."""
        if not self.varies and self.quaternion is None and self.scale is None:
            return self.placed(dimension)
        free = {each: symbol(f"{name}.{each}") for each in self.coordinates(dimension)}
        origin = Vector(
            tuple(
                free.get(each, entry)
                for each, entry in zip(TRANSLATION, self.at or Vector.zero(dimension), strict=False)
            )
        )
        scale = None
        if self.scale is not None or {*SCALE} & free.keys():
            scale = Vector(
                tuple(free.get(e, s) for e, s in zip(SCALE, self.start_scale(dimension), strict=False))
            )
        if dimension == 3 and self.is_quaternion:
            parts = zip(ROTATION, self.start_quaternion(), strict=True)
            entries = [free.get(each, entry) for each, entry in parts]
            return Placed(GROUND, origin, quaternion_axes(entries), scale=scale)
        if dimension == 3 and TURN in free:
            turned = Placed(GROUND, Vector.zero(3), turned_axes(Vector.axis(3, 2), free[TURN]))
            if self.is_plain_turn:
                return Placed(GROUND, origin, turned_axes(self.turning_axis(), free[TURN]), scale=scale)
            axes = replace(self, turn=number(0)).placed(3).holding(turned).axes
            return Placed(GROUND, origin, axes, scale=scale)
        pose = replace(self, at=origin, turn=free.get(TURN, self.turn), scale=None, varies=())
        return replace(pose.placed(dimension), scale=scale)

    @property
    def is_plain_turn(self) -> bool:
        """Whether its axes are its carrier's, turned about one axis."""
        return self.x is None and self.z is None

    def turning_axis(self) -> Vector:
        """The axis about which it turns, in its carrier."""
        if not self.is_plain_turn:
            return replace(self, turn=number(0), at=None, scale=None, varies=()).placed(3).z
        return self.axis.unit() if self.axis is not None else Vector.axis(3, 2)


def mass_of(body: Part | Frame, dimension: int) -> Mass:
    """The mass of a part or frame, however it is given; 0 where it is not."""
    if isinstance(body, Part) and body.shape is not None and body.density is not None:
        return body.shape.with_density(body.density, dimension)
    zero = number(0)
    inertia = body.inertia or ((zero,) if dimension == 2 else (zero,) * 6)
    if dimension == 3 and len(inertia) == 3:
        inertia = (*inertia, zero, zero, zero)
    mass = zero if body.mass is None else body.mass
    return Mass(mass, body.centre or Vector.zero(dimension), inertia)


def is_massive(body: Part | Frame) -> bool:
    """Whether a part or frame has mass or inertia."""
    if isinstance(body, Part) and body.shape is not None:
        return body.density is not None
    return body.mass is not None or body.inertia is not None
