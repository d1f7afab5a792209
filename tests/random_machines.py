"""Random machines for the laws of every test folder: parts, frames, joints of every type, drives and forces.

They are well-formed descriptions, in the plane or in space; whether one assembles is left to chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from linkwork import Draw, Drive, Frame, Machine, Part, Pose, Shape, Span, View
from linkwork.model import force, joint
from linkwork.model.force import Force
from linkwork.model.joint import Joint

PARAMETERS: Final[Mapping[str, float | str]] = {"a": 2, "b": 0.75, "c": "a + b/3", "θ": "30 deg"}
SIZES: Final = ("a", "b", "a*b", "sqrt(c)", "1/3", 2, 0.1, 7, "a^2 + 1", "1e-3", 1e6)
LENGTHS: Final = (
    *SIZES,
    0,
    -1.5,
    "-b",
    "a - c",
    "sin(θ)",
    "cos(30 deg)*a",
    "min(a, b)",
    "select(a < b, a, 1)",
)
ANGLES: Final = ("30 deg", "θ", 0, -2, "pi/3", "atan2(a, b)")
OVER_TIME: Final = ("t", "sin(2*t)", "a*t^2", "30 deg*t", 1)
LETTERS: Final = st.characters(blacklist_categories=["Cs"])


class _World:
    """What joints and forces can name while a machine is being made."""

    def __init__(self, draw: st.DrawFn, dimension: int) -> None:
        self.draw = draw
        self.dimension = dimension
        self.points: dict[str, list[str]] = {}
        self.hinges: list[str] = []  # joints with an angle

    def one(self, choices: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(choices))

    def perhaps(self, value: Callable[[], Any]) -> dict[str, Any]:
        return value() if self.draw(st.booleans()) else {}

    def vector(self, choices: Sequence[Any] = LENGTHS) -> Any:
        return tuple(self.one(choices) for _ in range(self.dimension))

    def direction(self) -> Any:
        plane = ((1, 0), (0, -2), ("a", "b"), (-1, 1))
        space = ((0, 0, 1), (1, 0, 0), ("a", "b", -1), (0, -3, 0))
        return tuple(self.one(plane if self.dimension == 2 else space))

    def pose(self) -> dict[str, Any]:
        given = self.perhaps(lambda: {"at": self.vector()}) | self.perhaps(lambda: {"turn": self.one(ANGLES)})
        if self.dimension == 2:
            return given | self.perhaps(lambda: {"x": self.direction()})
        kind = self.one(("", "axis", "x", "z", "xz"))
        if kind == "xz":
            return given | {"z": (0, "a", 1), "x": (1, 0, 0)}
        return given | ({kind: self.direction()} if kind else {})

    def reference(self, part: str) -> str:
        places = [part, *(f"{part}.{point}" for point in self.points[part])]
        return str(self.one(places))

    def two_parts(self) -> list[str]:
        first = self.one(list(self.points))
        return [first, self.one([each for each in self.points if each != first])]

    def pair(self) -> dict[str, Any]:
        """Either way of saying where a joint is."""
        first, second = self.two_parts()
        given: dict[str, Any] = {"between": (self.reference(first), self.reference(second))}
        if self.draw(st.booleans()):
            given = {"parts": (first, second), "at": self.vector()}
        given |= self.perhaps(lambda: {"start": self.one(ANGLES)})
        return given | self.perhaps(lambda: {"axis": self.direction()})

    def axles(self) -> tuple[str, ...]:
        return tuple(self.draw(st.permutations(self.hinges)))

    def wheels(self) -> dict[str, Any]:
        key = self.one(("radii", "teeth"))
        given: dict[str, Any] = {key: (self.one(SIZES), self.one(SIZES))}
        if self.dimension == 3 or (self.hinges and self.draw(st.booleans())):
            return given | {"axles": self.axles()}
        carrier = self.perhaps(lambda: {"carrier": self.one(list(self.points))})
        return given | carrier | {"parts": tuple(self.two_parts()), "phase": self.one(ANGLES)}


def _cam(world: _World) -> Joint:
    samples = ((0, 1), ("90 deg", 2), ("180 deg", 1.5), ("270 deg", 0.5))
    if world.draw(st.booleans()):
        law: dict[str, Any] = (
            {"lift": "a + sin(angle)"} if world.draw(st.booleans()) else {"lift_samples": samples}
        )
        return joint.Cam(axles=world.axles(), **law)
    shape: dict[str, Any] = (
        {"profile": "3 + cos(angle)"} if world.draw(st.booleans()) else {"profile_samples": samples}
    )
    follower = world.one(("roller", "flat", "point"))
    return joint.Cam(**world.pair(), follower=follower, radius=world.one(SIZES), **shape)


def _curve(world: _World) -> Joint:
    curve = ("cos(s)", "a*sin(s)", "s/3")[: world.dimension]
    samples = ((0, 0, 0), (1, 2, 0.5), (3, 1, 1), (2, -1, 0))
    kind = world.one(("curve", "level", "samples"))
    given: dict[str, Any] = {"curve": curve} if kind == "curve" else {"level": "x^2 + a*y - 1"}
    if kind == "samples":
        given = {"samples": [row[: world.dimension] for row in samples], "closed": world.draw(st.booleans())}
    return joint.PointOnCurve(**world.pair(), **given)


def _rack(world: _World) -> Joint:
    radius = world.one((*SIZES, -2))
    if world.dimension == 3 or world.draw(st.booleans()):
        return joint.Rack(axles=world.axles(), radius=radius)
    pinion, rack = world.two_parts()
    return joint.Rack(pinion=pinion, rack=rack, radius=radius, axis=world.direction())


def _coordinate(world: _World) -> Joint:
    part = world.one([each for each in world.points if each != "ground"])
    owner = world.reference(part)
    return joint.Coordinate(of=f"{owner}.{world.one('xy')}", value=world.one(OVER_TIME))


def _pairs(kind: Callable[..., Joint]) -> Callable[[_World], Joint]:
    return lambda world: kind(**world.pair())


JOINTS: Final[Mapping[str, Callable[[_World], Joint]]] = {
    "revolute": _pairs(joint.Revolute),
    "prismatic": _pairs(joint.Prismatic),
    "fixed": _pairs(joint.Fixed),
    "cylindrical": _pairs(joint.Cylindrical),
    "spherical": _pairs(joint.Spherical),
    "universal": _pairs(joint.Universal),
    "constant-velocity": _pairs(joint.ConstantVelocity),
    "planar": _pairs(joint.Planar),
    "point-on-line": _pairs(joint.PointOnLine),
    "point-on-plane": _pairs(joint.PointOnPlane),
    "point-on-curve": _curve,
    "screw": lambda world: joint.Screw(**world.pair(), pitch=world.one(LENGTHS)),
    "distance": lambda world: joint.Distance(
        **world.pair(), **world.perhaps(lambda: {"length": world.one(SIZES)})
    ),
    "rolling": lambda world: joint.Rolling(
        **world.pair(), radius=world.one(SIZES), **world.perhaps(lambda: {"on": world.one((3, -5, "a"))})
    ),
    "gear": lambda world: joint.Gear(**world.wheels(), internal=world.draw(st.booleans())),
    "belt": lambda world: joint.Belt(**world.wheels(), crossed=world.draw(st.booleans())),
    "rack": _rack,
    "cam": _cam,
    "coordinate": _coordinate,
    "point": lambda world: joint.Point(
        of=world.reference(world.one([each for each in world.points if each != "ground"])),
        at=world.vector((*LENGTHS, *OVER_TIME)),
    ),
}
"""For each type of joint a random one."""

FORCES: Final[Mapping[str, Callable[[_World, Sequence[str]], Force]]] = {
    "force": lambda world, state: force.Push(
        at=world.reference(world.one(list(world.points))),
        force=world.vector((*LENGTHS, *state)),
        following=world.draw(st.booleans()),
    ),
    "slide-spring": lambda world, state: force.SlideSpring(
        joint="slide", stiffness=world.one(SIZES), rest=world.one(LENGTHS), damping=world.one(SIZES)
    ),
    "spring": lambda world, state: force.Spring(
        between=tuple(world.reference(each) for each in world.two_parts()),
        stiffness=world.one(SIZES),
        length=world.one(LENGTHS),
        damping=world.one(SIZES),
    ),
    "torque": lambda world, state: force.Torque(
        on=world.one(list(world.points)),
        torque=tuple(world.one((*LENGTHS, *state)) for _ in range(1 if world.dimension == 2 else 3)),
    ),
    "torsion-spring": lambda world, state: force.TorsionSpring(
        joint=world.hinges[0], stiffness=world.one(SIZES), rest=world.one(ANGLES), damping=world.one(SIZES)
    ),
}
"""For each type of force a random one."""


def _part(world: _World, points: Sequence[str]) -> Part:
    given: dict[str, Any] = {"points": {point: world.vector() for point in points}}
    if world.draw(st.booleans()):
        given |= {"shape": _shape(world), "density": world.one(SIZES)}
    else:
        given |= world.perhaps(lambda: {"mass": world.one(SIZES), "centre": world.vector()})
        given |= world.perhaps(lambda: {"inertia": _inertia(world)})
    given |= world.perhaps(lambda: {"start": Pose(**world.pose())})
    return Part(**given, draw=tuple(_drawn(world) for _ in range(world.draw(st.integers(0, 2)))))


def _inertia(world: _World) -> Any:
    if world.dimension == 2:
        return world.one(SIZES)
    size = world.one(SIZES)
    if world.draw(st.booleans()):
        return (size, size, f"1.5*({size})")  # each at most the sum of the other two
    return (*[f"10 + ({size})"] * 3, 0.1, "-b", 0)


def _shape(world: _World) -> Shape:
    forms = ("disc", "ring", "rectangle", "bar", "polygon")
    form = world.one(forms if world.dimension == 2 else ("box", "sphere", "cylinder", "cone", "bar"))
    given: dict[str, Any] = world.perhaps(lambda: {"at": world.vector()})
    if form in ("rectangle", "box"):
        given["size"] = tuple(world.one(SIZES) for _ in range(world.dimension))
    if form == "polygon":
        given["points"] = ((0, 0), ("a", 0), ("a", "b"), (0, 3))
    if form == "bar":
        given["points"] = ((0, 0, 0)[: world.dimension], ("a", 1, "b")[: world.dimension])
    if form in ("disc", "ring", "bar", "sphere", "cylinder", "cone"):
        given["radius"] = world.one(SIZES)
    if form == "ring":
        given |= {"radius": "a + 1", "inner": "a"}
    if form in ("cylinder", "cone"):
        given["length"] = world.one(SIZES)
    return Shape(form, **given)


def _drawn(world: _World) -> Draw:
    kind = world.one(("bar", "disc", "polygon", "line", "label", "box", "sphere"))
    given: dict[str, Any] = world.perhaps(lambda: {"at": world.vector()})
    given |= world.perhaps(lambda: {"points": [world.vector() for _ in range(3)]})
    given |= world.perhaps(lambda: {"radius": world.one(SIZES), "size": (1, "a", 2)})
    return Draw(kind, text=world.draw(st.text(LETTERS, max_size=5)), **given)


def _drives(world: _World, moving: Sequence[str]) -> dict[str, Drive]:
    found: dict[str, Drive] = {}
    targets = [f"{part}.{axis}" for part in moving for axis in "xy"]
    chosen = world.draw(st.lists(st.sampled_from(targets), unique=True, max_size=2))
    if world.draw(st.booleans()):
        found["swing"] = Drive(world.hinges[0], coordinate=world.one(("", "angle")))
    for place, of in enumerate(chosen):
        how: dict[str, Any] = {"value": world.one(OVER_TIME)}
        if world.draw(st.booleans()):
            how = {"range": (world.one(SIZES), -1), "rate": world.one(SIZES)}
        found[f"push{place}"] = Drive(of=of, **how)
    return found


@st.composite
def machines(draw: st.DrawFn, types: Sequence[str] = ()) -> Machine:
    """Any machine with parts; with ``types``, one joint of each of these, where the dimension has them."""
    dimensions = [dim for dim in (2, 3) if all(dim in joint.JOINTS[each].dimensions for each in types)]
    world = _World(draw, draw(st.sampled_from(dimensions)))
    names = [
        "ground",
        *draw(st.lists(st.sampled_from(["crank", "rod", "wheel", "_p", "β"]), min_size=2, unique=True)),
    ]
    points = {name: draw(st.lists(st.sampled_from(["A", "B", "P1", "µ"]), unique=True)) for name in names}
    parts = {name: _part(world, points[name]) for name in names}
    parts["ground"] = Part(points=parts["ground"].points)
    world.points = dict(points)
    frames: dict[str, Frame] = {}
    for name in draw(st.lists(st.sampled_from(["slot", "pivot", "f"]), unique=True)):
        carrier = draw(
            st.sampled_from(
                [*(f"{part}.{point}" for part in names for point in points[part]), *names, *frames]
            )
        )
        frames[name] = Frame(on=carrier, **world.pose())
    first = (world.reference("ground"), world.reference(names[1]))
    second = (world.reference("ground"), world.reference(names[-1]))
    joints: dict[str, Joint] = {"hinge": joint.Revolute(first), "pin": joint.Revolute(second)}
    world.hinges = ["hinge", "pin"]
    wanted = types or draw(st.lists(st.sampled_from([*JOINTS]), max_size=4))
    for place, word in enumerate(wanted):
        if world.dimension in joint.JOINTS[word].dimensions:
            joints[f"J{place}"] = JOINTS[word](world)
    state = ["hinge.angle", f"-{names[1]}.vx", f"{names[1]}.x^2 + t", *(f"{name}.x" for name in frames)]
    kinds = draw(st.lists(st.sampled_from([*FORCES]), max_size=3))
    if "slide-spring" in kinds:
        joints["slide"] = joint.Prismatic(first)
    return Machine.of(
        draw(st.text(LETTERS, min_size=1, max_size=8)),
        PARAMETERS,
        {"far": f"sqrt({names[1]}.x^2 + {names[1]}.y^2)", "twice": "2*far + a"}
        if draw(st.booleans())
        else {},
        dimension=world.dimension,
        parts=parts,
        frames=frames,
        joints=joints,
        drives=_drives(world, names[1:]),
        forces={f"F{place}": FORCES[kind](world, state) for place, kind in enumerate(kinds)},
        gravity=world.vector() if draw(st.booleans()) else None,
        time=Span(**world.perhaps(lambda: {"until": world.one(SIZES), "steps": 12})),
        view=View(traces=(world.reference(names[1]),), plots=("hinge.angle",))
        if draw(st.booleans())
        else None,
        units={"length": "mm", "a": "mm", "time": draw(st.text(LETTERS, max_size=3))}
        if draw(st.booleans())
        else {},
    )
