"""Whether each part, joint, drive and pose is given completely and makes sense by itself.

What a record lacks, has twice, or cannot be: a joint between a part and itself, a direction without a length,
a gear without teeth, a negative mass. Names and references are looked after by
:mod:`linkwork.model.structure`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from linkwork.algebra import Expression, evaluate, free_symbols
from linkwork.errors import LinkworkError
from linkwork.model.drive import CLOCK, Drive
from linkwork.model.fault import Fault
from linkwork.model.joint import Cam, Coordinate, Distance, Joint, Pair, PointOnCurve, Rack, Rolling
from linkwork.model.joint.wheels import Wheels
from linkwork.model.lines import Path
from linkwork.model.part import GROUND, Part
from linkwork.model.pose import Pose
from linkwork.model.shape import Shape
from linkwork.model.spline import FEWEST_SAMPLES
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.machine import Machine
    from linkwork.model.world import World

SHORTEST_DIRECTION: Final = 1e-150
"""Length below which a vector gives no direction: its square would leave the range of doubles."""

Values = Mapping[str, float]


# --------------------------------------------------------------------------------------------- poses


def pose_faults(machine: Machine) -> Iterator[Fault]:
    """Poses with keys that have no meaning where they stand."""
    if GROUND in machine.parts and machine.parts[GROUND].start is not None:
        error = LinkworkError(
            "the ground has a start",
            why="the ground does not move; its frame is the world's",
            fix="leave start out, and give the points of the ground other places",
        )
        yield Fault(("part", GROUND, "start"), error)
    for where, pose in poses(machine):
        if machine.dimension == 2:
            for key in ("axis", "z"):
                if getattr(pose, key) is not None:
                    error = LinkworkError(
                        f"{key} has no meaning in the plane", wanted="turn, or x", fix='turn = "30 deg"'
                    )
                    yield Fault((*where, key), error)
        elif pose.axis is not None and (pose.x is not None or pose.z is not None):
            error = LinkworkError(
                "an axis of the turn stands beside z or x",
                why="where z or x is given, the turn goes about z",
                fix="leave axis out",
            )
            yield Fault((*where, "axis"), error)


def direction_faults(machine: Machine, values: Values) -> Iterator[Fault]:
    """Directions that have no length."""
    for where, pose in poses(machine):
        for key in ("axis", "x", "z"):
            yield from _no_direction((*where, key), getattr(pose, key), values)
        if pose.z is not None and pose.x is not None and machine.dimension == 3:
            across = pose.x.cross(pose.z)
            if _length(across, values) <= 1e-12 * _length(pose.x, values) * _length(pose.z, values):
                error = LinkworkError(
                    "x and z point along the same line", got=f"x = {pose.x}, z = {pose.z}", fix="leave x out"
                )
                yield Fault((*where, "x"), error)
    for name, joint in machine.joints.items():
        axis = getattr(joint, "axis", None)
        if isinstance(axis, Vector):
            yield from _no_direction(("joint", name, "axis"), axis, values)


def poses(machine: Machine) -> Iterator[tuple[Path, Pose]]:
    """Where parts start, and frames."""
    for name, part in machine.parts.items():
        if part.start is not None:
            yield ("part", name, "start"), part.start
    for name, frame in machine.frames.items():
        yield ("frame", name), frame


def _no_direction(where: Path, vector: Vector | None, values: Values) -> Iterator[Fault]:
    if vector is not None and not _length(vector, values) > SHORTEST_DIRECTION:
        example = [1, 0] if len(vector) == 2 else [0, 0, 1]
        error = LinkworkError(
            f"{where[-1]} has no direction",
            got=f"{where[-1]} = {vector}",
            wanted="a vector that is not zero",
            fix=f"{where[-1]} = {example}",
        )
        yield Fault(where, error)


def _length(vector: Vector, values: Values) -> float:
    return max(map(abs, evaluate([*vector], values)))


# -------------------------------------------------------------------------------------------- joints


def joint_faults(machine: Machine, world: World, values: Values) -> Iterator[Fault]:
    """Joints that lack something, have too much, or cannot be."""
    for name, joint in machine.joints.items():
        for key, error in _joint_errors(joint, world, values):
            error.problem = f"the joint {name} {error.problem}"
            yield Fault(("joint", name, *key), error)


Found = tuple[tuple[str, ...], LinkworkError]
"""The key to blame, if one is, and what is wrong."""


def _joint_errors(joint: Joint, world: World, values: Values) -> Iterator[Found]:
    dimension = world.dimension
    if dimension not in joint.dimensions:
        here, there = ("the plane", "space") if dimension == 2 else ("space", "the plane")
        yield (
            ("type",),
            LinkworkError(
                f"is {joint.word}, which exists only in {there}",
                got=f"a machine in {here}",
                wanted=f"a joint of {here}",
                fix=f"dimension = {5 - dimension}",
            ),
        )
    named = joint.joints()
    if len(set(named)) < len(named):
        error = LinkworkError("names the same joint twice", got=", ".join(named), fix='axles = ["A", "B"]')
        yield ("axles",), error
    if isinstance(joint, Wheels):
        yield from _wheel_errors(joint, dimension, values)
    if isinstance(joint, Rack):
        yield from _rack_errors(joint, dimension, values)
    if isinstance(joint, Cam):
        yield from _cam_errors(joint)
    if isinstance(joint, PointOnCurve):
        yield from _curve_errors(joint, dimension)
    if isinstance(joint, Distance) and joint.length is not None:
        yield from _not_positive("length", [joint.length], values)
    if isinstance(joint, Rolling):
        yield from _not_positive("radius", [joint.radius], values)
    if isinstance(joint, Coordinate) and "." not in joint.of:
        fix = f'of = "{joint.of or "slider"}.x"'
        yield ("of",), LinkworkError(f"holds '{joint.of}', which is no coordinate", fix=fix)
    if isinstance(joint, Pair) and not joint.joints():
        yield from _pair_errors(joint, world)


def _one_of(joint: Joint, *keys: str, fix: str) -> Iterator[Found]:
    """Exactly one of these keys must be given."""
    present = [key for key in keys if getattr(joint, key) not in (None, (), "")]
    if len(present) != 1:
        wanted = f"{', '.join(keys[:-1])} or {keys[-1]}"
        error = LinkworkError(
            f"needs {wanted}", got=" and ".join(present) or "none of them", wanted="one of them", fix=fix
        )
        yield tuple(present[1:2]), error


def _wheel_errors(joint: Wheels, dimension: int, values: Values) -> Iterator[Found]:
    yield from _one_of(joint, "radii", "teeth", fix="teeth = [40, 20]")
    if dimension == 3 and joint.axles is None:
        yield (
            (),
            LinkworkError(
                "needs axles", why="in space wheels are named by their joints", fix='axles = ["A", "B"]'
            ),
        )
    yield from _one_of(joint, "parts", "axles", fix='parts = ["sun", "planet"]')
    key = "radii" if joint.radii is not None else "teeth"
    yield from _not_positive(key, joint.sizes(), values)


def _rack_errors(joint: Rack, dimension: int, values: Values) -> Iterator[Found]:
    if dimension == 3 and joint.axles is None:
        why = "in space pinion and rack are named by their joints"
        yield (), LinkworkError("needs axles", why=why, fix='axles = ["A", "B"]')
    if joint.axles is not None and (joint.pinion or joint.rack):
        yield ("axles",), LinkworkError("has axles and parts", wanted="one of them", fix="leave axles out")
    for key in ("pinion", "rack") if joint.axles is None else ():
        if not getattr(joint, key):
            yield (), LinkworkError(f"has no {key}", wanted="a part, or axles", fix=f'{key} = "{key}"')
    if not evaluate([joint.radius], values)[0]:
        yield (
            ("radius",),
            LinkworkError("has a pinion of radius 0", wanted="another radius", fix="radius = 1"),
        )


def _cam_errors(joint: Cam) -> Iterator[Found]:
    keys = ("lift", "lift_samples", "profile", "profile_samples")
    yield from _one_of(joint, *keys, fix='profile = "2 + 0.5*cos(angle)"')
    if joint.by_law and joint.axles is None:
        wanted = "the joints of cam and follower"
        yield (), LinkworkError("has a lift but no axles", wanted=wanted, fix='axles = ["A", "B"]')
    if joint.axles is not None and not joint.by_law:
        fix = 'between = ["crank", "rod.B"]'
        why = "axles go with lift; a profile is followed by a point or frame"
        yield ("axles",), LinkworkError("has a profile and axles", why=why, fix=fix)
    samples = joint.lift_samples or joint.profile_samples
    if samples:
        yield from _sample_errors("lift_samples" if joint.lift_samples else "profile_samples", samples)


def _curve_errors(joint: PointOnCurve, dimension: int) -> Iterator[Found]:
    yield from _one_of(joint, "curve", "level", "samples", fix='curve = ["cos(s)", "sin(s)"]')
    if joint.samples:
        yield from _sample_errors("samples", joint.samples)
    if dimension == 2 and joint.level is not None and any(s.name == "z" for s in free_symbols(joint.level)):
        error = LinkworkError(
            "has a level with z", got=str(joint.level)[:80], wanted="x and y", fix='level = "x^2 + y^2 - 1"'
        )
        yield ("level",), error


def _sample_errors(key: str, samples: Sequence[Iterable[Expression]]) -> Iterator[Found]:
    if len(samples) < FEWEST_SAMPLES:
        error = LinkworkError(
            f"has {len(samples)} samples",
            wanted=f"at least {FEWEST_SAMPLES}",
            fix=f"{key} = [[0, 1], [2, 2], [4, 1]]",
        )
        yield (key,), error
    for row in samples:
        if free_symbols(*row):
            error = LinkworkError(
                "has a sample that depends on a parameter",
                got=str([*row]),
                wanted="numbers",
                why="the curve through samples is laid once",
                fix="give the curve as an expression instead",
            )
            yield (key,), error


def _pair_errors(joint: Pair, world: World) -> Iterator[Found]:
    if (joint.between is None) == (joint.parts is None):
        error = LinkworkError(
            "needs either between or parts with at",
            got="both" if joint.between else "neither",
            wanted="two points or frames; or two parts and the place where they meet as drawn",
            fix='between = ["crank.B", "rod.B"]',
        )
        yield (("parts",) if joint.between else ()), error
        return
    if joint.parts is not None and joint.at is None:
        zero = [0] * world.dimension
        yield ("parts",), LinkworkError("names parts but no place", wanted="at", fix=f"at = {zero}")
    if joint.between is not None and joint.at is not None:
        yield ("at",), LinkworkError("has at, which goes with parts", fix="leave at out")
    key = "parts" if joint.between is None else "between"
    first, second = (world.frame(each).part for each in joint.references())
    if first == second:
        error = LinkworkError(
            f"joins {first} to itself", got=f"{key} = {[*joint.references()]}", wanted="two different parts",
            fix=f'{key} = ["ground", "{first if first != GROUND else "crank"}"]',
        )  # fmt: skip
        yield (key,), error


def _not_positive(key: str, sizes: Sequence[Expression], values: Values) -> Iterator[Found]:
    for found in evaluate([*sizes], values):
        if not found > 0:
            fix = f"{key} = {1 if len(sizes) == 1 else [2, 1]}"
            wanted = "more than 0"
            yield (key,), LinkworkError(f"has {key} that cannot be", got=f"{found:g}", wanted=wanted, fix=fix)


# -------------------------------------------------------------------------------------------- masses


def mass_faults(machine: Machine, values: Values) -> Iterator[Fault]:
    """Masses that are negative, given twice or not wholly."""
    for name, part in machine.parts.items():
        for key in ("mass", "density", "inertia"):
            yield from _negative_mass(name, key, getattr(part, key), values)
        for keys, error in _mass_form_errors(name, part, machine.dimension):
            yield Fault(("part", name, *keys), error)
        if part.shape is not None and part.density is not None:
            for error in _shape_errors(part.shape, part.density, machine.dimension, values):
                error.problem = f"the shape of {name}: {error.problem}"
                yield Fault(("part", name, "shape"), error)


def _negative_mass(
    name: str, key: str, given: Expression | tuple[Expression, ...] | None, values: Values
) -> Iterator[Fault]:
    entries = given if isinstance(given, tuple) else () if given is None else (given,)
    for entry in entries[:3]:  # the products of inertia behind the moments may be negative
        number = evaluate([entry], values)[0]
        if number < 0:
            error = LinkworkError(
                f"the {key} of {name} is negative", got=f"{number:.6g}", wanted="0 or more", fix=f"{key} = 1"
            )
            yield Fault(("part", name, key), error)


def _mass_form_errors(name: str, part: Part, dimension: int) -> Iterator[Found]:
    about_axis = dimension == 2 or part.solid is not None
    if part.inertia is not None and len(part.inertia) not in ((1,) * about_axis + (3, 6) * (dimension == 3)):
        wanted = "1 number" if dimension == 2 else "3 numbers (principal) or 6 (xx, yy, zz, xy, xz, yz)"
        fix = "inertia = 0.01" if dimension == 2 else "inertia = [0.01, 0.01, 0.01]"
        problem = f"the inertia of {name} has {len(part.inertia)} numbers"
        yield ("inertia",), LinkworkError(problem, wanted=wanted, fix=fix)
    if part.shape is None:
        if part.density is not None and part.solid is None:
            problem = f"{name} has a density but no shape"
            yield ("density",), LinkworkError(problem, fix='shape = { form = "disc", radius = 1 }')
        return
    for key in ("mass", "inertia", "centre"):
        if getattr(part, key) is not None:
            problem = f"{name} has a shape and {key}"
            error = LinkworkError(
                problem, why=f"{key} follows from shape and density", fix=f"leave {key} out"
            )
            yield (key,), error
    if part.density is None:
        yield ("shape",), LinkworkError(f"the shape of {name} has no density", fix="density = 7.8")


def _shape_errors(
    shape: Shape, density: Expression, dimension: int, values: Values
) -> Iterator[LinkworkError]:
    try:
        found = shape.with_density(density, dimension)
    except LinkworkError as error:
        yield error
        return
    for key in ("radius", "inner", "length", "size"):
        sizes = getattr(shape, key)
        for entry in evaluate([*sizes] if isinstance(sizes, tuple) else [sizes], values):
            if entry < 0:
                yield LinkworkError(
                    f"its {key} is negative", got=f"{entry:.6g}", wanted="0 or more", fix=f"{key} = 1"
                )
    numbers = evaluate([found.mass, *found.centre, *found.inertia], values)
    if not all(number - number == 0 for number in numbers) or not (
        numbers[0] > 0 or not evaluate([density], values)[0]
    ):
        yield LinkworkError(
            "it has no area" if dimension == 2 else "it has no volume",
            got=f"mass {numbers[0]:.6g}",
            wanted="a shape of some size",
            fix=f"check {', '.join(shape.plain()) or 'its sizes'}",
        )


# --------------------------------------------------------------------------------- drives and time


def drive_faults(machine: Machine, values: dict[str, float]) -> Iterator[Fault]:
    """Drives that lack something or get nowhere, and a span of time without any."""
    start = evaluate([machine.time.start], values)[0]
    for name, drive in machine.drives.items():
        for key, error in _drive_errors(drive, values | {CLOCK.name: start}):
            error.problem = f"the drive {name} {error.problem}"
            yield Fault(("drive", name, *key), error)
    first, last = machine.time.start, machine.time.until
    if last is not None and evaluate([last - first], values)[0] == 0:
        error = LinkworkError("the time ends where it starts", got=f"until = {last}", fix="until = 1")
        yield Fault(("time", "until"), error)


def _drive_errors(drive: Drive, values: Values) -> Iterator[Found]:
    if bool(drive.joint) == bool(drive.of):
        error = LinkworkError(
            "needs a joint or a coordinate",
            got="joint and of" if drive.of else "none of them",
            wanted="joint, or of",
            fix='joint = "A"' if not drive.of else "leave of out",
        )
        yield (("of",) if drive.of else ()), error
    if drive.coordinate and not drive.joint:
        yield (
            ("coordinate",),
            LinkworkError("has coordinate, which goes with joint", fix="leave coordinate out"),
        )
    if drive.of and "." not in drive.of:
        yield (
            ("of",),
            LinkworkError(f"drives '{drive.of}', which is no coordinate", fix=f'of = "{drive.of}.x"'),
        )
    if drive.value is not None and drive.range is not None:
        yield (
            ("range",),
            LinkworkError("has a value and a range", wanted="one of them", fix="leave range out"),
        )
    if drive.value is not None and not math.isfinite(first := evaluate([drive.value], values)[0]):
        got = f"{str(drive.value)[:60]}, which is {first} at t = {values[CLOCK.name]:g}"
        yield (
            ("value",),
            LinkworkError("starts at no finite value", got=got, wanted="a finite number", fix='value = "t"'),
        )
    speed = evaluate([drive.rate], values)[0]
    if drive.value is None and (speed == 0 or (drive.range is not None and speed < 0)):
        error = LinkworkError(
            f"has the rate {speed:g}",
            wanted="more than 0" if drive.range is not None else "another rate",
            why="it runs from the first value of its range to the last" if drive.range is not None else "",
            fix="rate = 1",
        )
        yield ("rate",), error
    if drive.range is not None and evaluate([drive.range[1] - drive.range[0]], values)[0] == 0:
        yield (
            ("range",),
            LinkworkError("has a range of no width", got=str([*drive.range]), fix='range = [0, "360 deg"]'),
        )
