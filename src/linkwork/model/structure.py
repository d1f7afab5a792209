"""What can be wrong with parts, joints, drives and forces: names, references, dimensions, masses.

Whether the machine assembles and moves is asked by :mod:`linkwork.kinematics`; here everything is decided
from the description alone.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from linkwork.algebra import Definition, Expression, Table, evaluate, free_symbols, symbol
from linkwork.errors import BadName, CyclicDefinition, LinkworkError, NameTaken, UnknownName
from linkwork.model.drive import CLOCK, Drive
from linkwork.model.fault import Fault, did_you_mean, listed
from linkwork.model.field import SIZES, STATE, Record
from linkwork.model.joint import Joint, Pair
from linkwork.model.joint.wheels import Wheels
from linkwork.model.lines import Path
from linkwork.model.part import GROUND, Part
from linkwork.model.placed import coordinate_names
from linkwork.model.vector import Vector
from linkwork.model.world import RATES, World, unknown_joint

if TYPE_CHECKING:
    from linkwork.model.machine import Machine

JOINT_COORDINATES: Final = ("angle", "displacement", "length", "s")
"""What the coordinates of our joints are called, for the names that an expression may use."""


def structure_faults(machine: Machine) -> Iterator[Fault]:
    """The faults of a machine's parts and joints, the plainest first."""
    yield from _dimension_faults(machine)
    yield from _name_faults(machine)
    yield from _vector_faults(machine)
    yield from _scope_faults(machine)
    yield from _frame_faults(machine)
    yield from _reference_faults(machine)
    yield from _joint_faults(machine)
    yield from _mass_faults(machine)
    yield from _drive_faults(machine)
    yield from _load_faults(machine)


def records(machine: Machine) -> Iterator[tuple[Path, Record]]:
    """Every record of the machine with its place in a file."""
    for table, entries in (
        ("part", machine.parts),
        ("frame", machine.frames),
        ("joint", machine.joints),
        ("drive", machine.drives),
        ("force", machine.forces),
    ):
        for name, record in entries.items():
            yield (table, name), record
    yield ("time",), machine.time


def state_names(machine: Machine) -> list[str]:
    """The names that expressions of the state may use besides parameters."""
    return scope_names(machine.dimension, machine.parts, machine.frames, machine.joints)[STATE]


def scope_names(
    dimension: int, parts: Mapping[str, Any], frames: Collection[str], joints: Collection[str]
) -> dict[str, list[str]]:
    """For each scope the names that its expressions may use besides parameters.

    ``parts`` maps each part to something with points: a part, or the table of a file.
    """
    if not parts:
        return {SIZES: [], "time": [CLOCK.name], STATE: []}
    axes = "xyz"[:dimension]
    moving = [name for name in parts if name != GROUND]
    own = [*coordinate_names(dimension), *(RATES[each] for each in coordinate_names(dimension))]
    found = [CLOCK.name, *(f"{part}.{name}" for part in moving for name in own)]
    places = [f"{part}.{point}" for part, each in parts.items() for point in _points(each)]
    found += [f"{place}.{axis}" for place in [*places, *frames] for axis in [*axes, *(f"v{a}" for a in axes)]]
    found += [f"{joint}.{name}" for joint in joints for name in JOINT_COORDINATES]
    return {SIZES: [], "time": [CLOCK.name], STATE: found}


def _points(part: Any) -> Collection[str]:
    found: Any = part.points if isinstance(part, Part) else part.get("points", ())
    return tuple(found)


def _dimension_faults(machine: Machine) -> Iterator[Fault]:
    if machine.dimension not in (2, 3):
        error = LinkworkError(
            "a machine lives in the plane or in space",
            got=f"dimension = {machine.dimension}",
            wanted="2 or 3",
            fix="dimension = 3",
        )
        yield Fault(("dimension",), error)


def _name_faults(machine: Machine) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for table in ("part", "frame", "joint", "drive", "force"):
        for name in getattr(machine, f"{table}s"):
            where = (table, name)
            try:
                symbol(name)
            except LinkworkError as error:
                yield Fault(where, error)
                continue
            if "." in name:
                fix = name.replace(".", "_")
                yield Fault(where, BadName(f"the name '{name}' has a dot", fix=f"[{table}.{fix}]"))
            if table in ("part", "frame", "joint") and seen.setdefault(name, table) != table:
                error = NameTaken(
                    f"'{name}' is both a {seen[name]} and a {table}",
                    why="their coordinates would have the same names",
                    fix=f"[{table}.{name}_{table}]",
                )
                yield Fault(where, error)
            if table in ("frame", "joint") and name == GROUND:
                yield Fault(
                    where, NameTaken("'ground' is the part that does not move", fix=f"[{table}.base]")
                )
    if machine.parts and CLOCK.name in machine.parameters:
        error = NameTaken(
            f"'{CLOCK.name}' is the time and cannot be a parameter", fix=f"[parameter]\n{CLOCK.name}_0 = 1"
        )
        yield Fault(("parameter", CLOCK.name), error)


def _vector_faults(machine: Machine) -> Iterator[Fault]:
    """Vectors of the wrong dimension."""

    def vectors(value: Any, where: Path) -> Iterator[tuple[Path, Vector]]:
        if isinstance(value, Vector):
            yield where, value
        elif isinstance(value, Record):
            for name in value.kinds():
                yield from vectors(getattr(value, name), (*where, name))
        elif isinstance(value, Mapping):
            for name, entry in value.items():
                yield from vectors(entry, (*where, name))
        elif isinstance(value, tuple):
            for place, entry in enumerate(value):
                yield from vectors(entry, (*where, place))

    found = [pair for where, record in records(machine) for pair in vectors(record, where)]
    if machine.gravity is not None:
        found.append((("gravity",), machine.gravity))
    for where, vector in found:
        if len(vector) != machine.dimension and where[-1] != "axis":
            fix = str([*map(str, vector), "0"][: machine.dimension]).replace("'", "")
            error = LinkworkError(
                f"a vector has {len(vector)} entries in a machine of dimension {machine.dimension}",
                got=str(vector),
                wanted=f"{machine.dimension} entries",
                why="" if machine.dimension == 3 else "for a machine in space write dimension = 3",
                fix=f"{where[-1]} = {fix}" if isinstance(where[-1], str) else fix,
            )
            yield Fault(where, error)


def _scope_faults(machine: Machine) -> Iterator[Fault]:
    """Expressions that mention what they may not, or that are no finite number."""
    names = scope_names(machine.dimension, machine.parts, machine.frames, machine.joints)
    defined = [line.name for line in machine.definitions]
    values = _parameter_values(machine)
    leaves = [((*where, *leaf.where), leaf) for where, record in records(machine) for leaf in record.leaves()]
    for where, leaf in leaves:
        known = {
            *machine.parameters,
            *names[leaf.scope],
            *leaf.own,
            *(defined if leaf.scope == STATE else ()),
        }
        free = [each.name for each in free_symbols(leaf.value)]
        for name in free:
            if name not in known:
                yield Fault(where, _unknown_name(name, known, machine))
        if all(name in values for name in free) and not math.isfinite(evaluate([leaf.value], values)[0]):
            error = LinkworkError(
                "this is no finite number", got=str(leaf.value)[:80], wanted="a finite number"
            )
            yield Fault(where, error)


def _parameter_values(machine: Machine) -> dict[str, float]:
    lines = [Definition(name, value) for name, value in machine.parameters.items()]
    try:
        return Table.of(lines, inputs=[]).evaluate({})
    except LinkworkError:  # told by the check of parameters
        return {}


def _unknown_name(name: str, known: Collection[str], machine: Machine) -> UnknownName:
    if name in state_names(machine):
        return UnknownName(
            f"'{name}' has no meaning here",
            wanted="an expression of parameters" + (" and t" if CLOCK.name in known else ""),
            why="this value is the same all the time",
        )
    return UnknownName(
        f"nothing here is called '{name}'",
        wanted="one of " + listed(known) if known else "a number: the machine has no parameters",
        fix=did_you_mean(name, known, f"[parameter]\n{name} = 1"),
    )


def _frame_faults(machine: Machine) -> Iterator[Fault]:
    for name, frame in machine.frames.items():
        seen, carrier = [name], frame.on
        while carrier in machine.frames:
            if carrier in seen:
                circle = " → ".join([*seen, carrier])
                error = CyclicDefinition(
                    "these frames carry each other in a circle", got=circle, fix='on = "ground"'
                )
                yield Fault(("frame", name, "on"), error)
                return
            seen.append(carrier)
            carrier = machine.frames[carrier].on


def _reference_faults(machine: Machine) -> Iterator[Fault]:
    """Parts, points, frames and joints that are named but not there."""
    world = World(machine)
    named = [(("frame", name, "on"), (frame.on,)) for name, frame in machine.frames.items()]
    for table, entries in (("joint", machine.joints), ("force", machine.forces)):
        for name, entry in entries.items():
            named.append(((table, name), entry.references()))
            for other in entry.joints():
                if other not in machine.joints:
                    yield Fault(_where(entry, (table, name), other), unknown_joint(other, machine.joints))
    named += [(("view", "traces", place), (each,)) for place, each in enumerate(machine.view.traces)]
    for where, references in named:
        for reference in references:
            try:
                world.frame(reference)
            except LinkworkError as error:
                table, name = where[:2]
                entry = getattr(machine, f"{table}s")[name] if table in ("joint", "force") else None
                if table != "view":
                    error.problem = f"{table} {name}: {error.problem}"
                yield Fault(_where(entry, where, reference), error)


def _where(entry: Record | None, where: Path, word: str) -> Path:
    """The key, and place in a list, at which a record names something."""
    for name in entry.kinds() if entry is not None else ():
        value = getattr(entry, name)
        if value == word:
            return (*where, name)
        if isinstance(value, tuple) and word in value:
            return (*where, name, value.index(word))
    return where


def _joint_faults(machine: Machine) -> Iterator[Fault]:
    world = World(machine)
    for name, joint in machine.joints.items():
        where = ("joint", name)
        for error in _form_errors(name, joint, machine):
            yield Fault(where, error)
        try:
            world.resolved(joint.equations(world, world.own(name)))
        except LinkworkError as error:
            yield Fault(where, error)


def _form_errors(name: str, joint: Joint, machine: Machine) -> Iterator[LinkworkError]:
    if machine.dimension not in joint.dimensions:
        here, there = ("the plane", "space") if machine.dimension == 2 else ("space", "the plane")
        yield LinkworkError(
            f"the joint {name}: there is no {joint.word} joint in {here}, only in {there}",
            fix=f"dimension = {5 - machine.dimension}",
        )
    if isinstance(joint, Wheels) and (joint.radii is None) == (joint.teeth is None):
        yield LinkworkError(f"the joint {name} needs radii or teeth, one of the two", fix="teeth = [40, 20]")
    if isinstance(joint, Wheels) and (joint.parts is None) == (joint.axles is None):
        yield LinkworkError(
            f"the joint {name} needs parts or axles, one of the two", fix='parts = ["sun", "planet"]'
        )
    if isinstance(joint, Wheels) and machine.dimension == 3 and joint.axles is None:
        yield LinkworkError(
            f"the joint {name}: in space wheels are named by their axles", fix='axles = ["A", "B"]'
        )
    if isinstance(joint, Pair) and not joint.joints():
        yield from _pair_errors(name, joint)


def _pair_errors(name: str, joint: Pair) -> Iterator[LinkworkError]:
    if (joint.between is None) == (joint.parts is None):
        yield LinkworkError(
            f"the joint {name} needs either between or parts with at",
            got="both" if joint.between else "neither",
            fix='between = ["crank.B", "rod.B"]',
        )
    elif joint.parts is not None and joint.at is None:
        yield LinkworkError(f"the joint {name} names parts but no place", fix="at = [0, 0]")
    elif joint.between is not None and joint.at is not None:
        yield LinkworkError(f"the joint {name} has at, which goes with parts", fix="leave at out")


def _mass_faults(machine: Machine) -> Iterator[Fault]:
    values = _parameter_values(machine)
    for name, part in machine.parts.items():
        where = ("part", name)
        for key, entries in (
            ("mass", (part.mass,)),
            ("density", (part.density,)),
            ("inertia", part.inertia or ()),
        ):
            for entry in [each for each in entries[:3] if each is not None]:
                number = evaluate([entry], values)[0]
                if number < 0:
                    error = LinkworkError(
                        f"the {key} of {name} is negative",
                        got=f"{number:.6g}",
                        wanted="0 or more",
                        fix=f"{key} = 1",
                    )
                    yield Fault((*where, key), error)
        for error in _mass_form_errors(name, part, machine.dimension):
            yield Fault(where, error)


def _mass_form_errors(name: str, part: Part, dimension: int) -> Iterator[LinkworkError]:
    if part.inertia is not None and len(part.inertia) not in ((1,) if dimension == 2 else (3, 6)):
        wanted = "1 number" if dimension == 2 else "3 numbers (principal) or 6 (xx, yy, zz, xy, xz, yz)"
        fix = "inertia = 0.01" if dimension == 2 else "inertia = [0.01, 0.01, 0.01]"
        yield LinkworkError(f"the inertia of {name} has {len(part.inertia)} numbers", wanted=wanted, fix=fix)
    if part.shape is not None:
        if part.mass is not None or part.inertia is not None or part.centre is not None:
            yield LinkworkError(
                f"{name} has a shape and a mass of its own", wanted="one of the two", fix="density = 1"
            )
        elif part.density is None:
            yield LinkworkError(f"the shape of {name} has no density", fix="density = 7.8")
        else:
            try:
                part.shape.with_density(part.density, dimension)
            except LinkworkError as error:
                yield error


def _drive_faults(machine: Machine) -> Iterator[Fault]:
    world = World(machine)
    seen: dict[Expression, str] = {}
    for name, drive in machine.drives.items():
        where = ("drive", name)
        try:
            target = driven(world, name, drive)
        except LinkworkError as error:
            yield Fault(where, error)
            continue
        if target in seen:
            error = LinkworkError(
                f"the drives {seen[target]} and {name} drive the same coordinate",
                got=drive.of or f"joint {drive.joint}",
                wanted="one drive for each coordinate",
                fix=f"remove [drive.{name}]",
            )
            yield Fault(where, error)
        seen[target] = name


def driven(world: World, name: str, drive: Drive) -> Expression:
    """The coordinate that a drive moves."""
    if bool(drive.joint) == bool(drive.of):
        raise LinkworkError(
            f"the drive {name} needs a joint or a coordinate, one of the two", fix='joint = "A"'
        )
    if drive.joint:
        target = world.resolved([world.coordinate(drive.joint, drive.coordinate)])[0]
    else:
        target = world.resolved([world.quantity(drive.of)])[0]
    if not free_symbols(target) or not any("." in leaf.name for leaf in free_symbols(target)):
        raise LinkworkError(
            f"the drive {name} drives what cannot move",
            got=drive.of or f"joint {drive.joint}",
            wanted="a coordinate of a part that moves",
            fix=f'of = "{next(iter(world.machine.moving), "crank")}.x"',
        )
    return target


def _load_faults(machine: Machine) -> Iterator[Fault]:
    world = World(machine)
    for name, force in machine.forces.items():
        try:
            force.loads(world)
        except LinkworkError as error:
            yield Fault(("force", name), error)
