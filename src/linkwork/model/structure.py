"""What can be wrong with parts, joints, drives and forces as a whole: names, references, dimensions, scopes.

Whether the machine assembles and moves is asked by :mod:`linkwork.kinematics`; here everything is decided
from the description alone.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from linkwork.algebra import Definition, Expression, Number, Table, evaluate, free_symbols, symbol
from linkwork.errors import BadName, CyclicDefinition, LinkworkError, NameTaken, UnknownName
from linkwork.model.contact import contact_faults
from linkwork.model.drawing_faults import drawing_faults
from linkwork.model.drive import CLOCK, Drive
from linkwork.model.fault import Fault, did_you_mean, listed
from linkwork.model.field import SIZES, STATE, Leaf, Record
from linkwork.model.form import (
    direction_faults,
    drive_faults,
    joint_faults,
    mass_faults,
    pose_faults,
)
from linkwork.model.joint import Coordinate, Rack
from linkwork.model.lines import Path
from linkwork.model.names import scopes_of, state_names
from linkwork.model.part import GROUND
from linkwork.model.placed import coordinate_names
from linkwork.model.scene_faults import body_faults, formula_faults, frame_faults
from linkwork.model.vector import Vector
from linkwork.model.view_faults import view_faults
from linkwork.model.world import World, unknown_joint, unknown_part

if TYPE_CHECKING:
    from linkwork.model.machine import Machine

ENERGIES: Final = ("kinetic", "potential", "energy")
"""Columns that every simulation has."""

DEEPEST_FRAMES: Final = 100
"""Frames standing on each other. Each adds a turn to the expressions of what stands on it."""

PLURALS: Final = {
    "part": "parts",
    "frame": "frames",
    "surface": "surfaces",
    "joint": "joints",
    "drive": "drives",
    "force": "forces",
    "control": "controls",
    "energy": "energies",
    "constraint": "constraints",
    "initial": "initial",
}
"""The tables of records, in the order of a file, and the machine's fields that hold them."""
TABLES: Final = tuple(PLURALS)


def structure_faults(machine: Machine) -> Iterator[Fault]:
    """The faults of a machine's parts and joints, the plainest first; later checks rely on the earlier ones."""
    yield from _name_faults(machine)
    if machine.drawing is not None and machine.dimension != 2:
        error = LinkworkError(
            "drawings are in the plane", got=f"dimension = {machine.dimension}", fix="dimension = 2"
        )
        yield Fault(("dimension",), error)
    yield from pose_faults(machine)
    yield from _vector_faults(machine)
    values = _parameter_values(machine)
    yield from _scope_faults(machine, values)
    yield from direction_faults(machine, values)
    yield from _frame_faults(machine)
    yield from frame_faults(machine, values)
    world = World(machine)
    yield from _reference_faults(machine, world)
    yield from body_faults(machine, values)
    yield from formula_faults(machine, world, values)
    yield from joint_faults(machine, world, values)
    yield from _equation_faults(machine, world)
    yield from mass_faults(machine, values)
    yield from drive_faults(machine, values)
    yield from _target_faults(machine, world)
    yield from _load_faults(machine, world)
    yield from _quantity_faults(machine, world)
    yield from _plot_faults(machine)
    yield from view_faults(machine, world, values)
    yield from contact_faults(machine, values)
    yield from drawing_faults(machine)


def records(machine: Machine) -> Iterator[tuple[Path, Record]]:
    """Every record of the machine with its place in a file."""
    for table in TABLES:
        for name, record in getattr(machine, PLURALS[table]).items():
            yield (table, name), record
    yield ("time",), machine.time
    yield ("view",), machine.view
    yield ("contact",), machine.contact
    if machine.drawing is not None:
        yield ("drawing",), machine.drawing


def inner_values(value: Any, where: Path) -> Iterator[tuple[Path, Any]]:
    """The vectors, texts and other single values inside a record, each with its place."""
    waiting: list[tuple[Path, Any]] = [(where, value)]
    while waiting:
        path, entry = waiting.pop()
        if isinstance(entry, Record):
            waiting += [((*path, name), getattr(entry, name)) for name in reversed([*entry.kinds()])]
        elif isinstance(entry, Mapping):
            waiting += [((*path, name), inner) for name, inner in reversed([*entry.items()])]
        elif isinstance(entry, tuple):
            waiting += [((*path, place), entry[place]) for place in reversed(range(len(entry)))]
        else:
            yield path, entry


# --------------------------------------------------------------------------------------------- names


def _name_faults(machine: Machine) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for table in TABLES:
        for name in getattr(machine, PLURALS[table]):
            where = (table, name)
            yield from _bad_name(where, name, f"[{table}.{name.replace('.', '_')}]")
            if table in ("part", "frame", "joint") and seen.setdefault(name, table) != table:
                taken = NameTaken(
                    f"'{name}' is both a {seen[name]} and a {table}",
                    why="their coordinates would have the same names",
                    fix=f"[{table}.{name}_{table}]",
                )
                yield Fault(where, taken)
            if table in ("frame", "joint") and name == GROUND:
                taken = NameTaken("'ground' is the part that does not move", fix=f"[{table}.base]")
                yield Fault(where, taken)
    for name, part in machine.parts.items():
        for point in part.points:
            fix = f"{point.replace('.', '_')} = [0, 0]"
            yield from _bad_name(("part", name, "points", point), point, fix)
    if machine.parts or machine.is_scene:
        yield from _taken_names(machine, seen)


def _bad_name(where: Path, name: str, without_dot: str) -> Iterator[Fault]:
    try:
        symbol(name)
    except LinkworkError as error:
        yield Fault(where, error)
    if "." in name:
        yield Fault(
            where, BadName(f"the name '{name}' has a dot", why="a dot leads to a point", fix=without_dot)
        )


def _taken_names(machine: Machine, owners: Mapping[str, str]) -> Iterator[Fault]:
    """Parameters and definitions called as the time or as what a part, frame or joint has."""
    names = [("parameter", name) for name in machine.parameters]
    for table, name in [*names, *(("definition", line.name) for line in machine.definitions)]:
        owner = name.partition(".")[0]
        if name == CLOCK.name:
            problem = f"'{name}' is the time and cannot be a {table}"
            yield Fault((table, name), NameTaken(problem, fix=f"[{table}]\n{name}_0 = 1"))
        elif "." in name and (owner in owners or owner == GROUND):
            fix = f"[{table}]\n{name.replace('.', '_')} = 1"
            problem = f"'{name}' is called like a quantity of the {owners.get(owner, 'part')} {owner}"
            yield Fault((table, name), NameTaken(problem, fix=fix))


# ------------------------------------------------------------------------------ vectors and scopes


def _vector_faults(machine: Machine) -> Iterator[Fault]:
    """Vectors of the wrong dimension."""
    found: list[tuple[Path, Any]] = []
    for where, record in records(machine):
        is_unused = isinstance(record, Rack) and (machine.dimension == 3 or record.axles)
        skipped = (*where, "axis") if is_unused else ()
        found += [pair for pair in inner_values(record, where) if pair[0] != skipped]
    if machine.gravity is not None:
        found.append((("gravity",), machine.gravity))
    for key, direction in machine.plane.plain().items():
        if isinstance(direction, list) and len(direction) != 3:
            error = LinkworkError(
                "the plane of a machine lies in the space of its solids",
                got=f"{key} has {len(direction)} entries",
                wanted="3 entries",
                fix="z = [0, 0, 1]",
            )
            yield Fault(("plane", key), error)
    for where, vector in found:
        if not isinstance(vector, Vector) or len(vector) == machine.dimension:
            continue
        if machine.is_unjoined and where[0] == "part" and where[-1] == "centre" and len(vector) in (2, 3):
            continue  # two entries leave the third to the solid
        yield Fault(where, _wrong_count(machine, where, vector))


def _wrong_count(machine: Machine, where: Path, vector: Vector) -> LinkworkError:
    """What is said of a vector with too many entries or too few."""
    shown = [str(each) if isinstance(each, Number) else f'"{each}"' for each in vector]
    fix = f"[{', '.join([*shown, '0', '0'][: machine.dimension])}]"
    fix = f"{where[-1]} = {fix}" if isinstance(where[-1], str) else fix
    if machine.is_unjoined:
        return LinkworkError(
            f"a vector has {len(vector)} entries",
            got=str(vector),
            wanted="x, y and z, or x and y",
            why="solids whose joints are to be found lie in space",
            fix=fix,
        )
    return LinkworkError(
        f"a vector has {len(vector)} entries in a machine of dimension {machine.dimension}",
        got=str(vector),
        wanted=f"{machine.dimension} entries",
        why="" if machine.dimension == 3 else "for a machine in space write dimension = 3",
        fix=fix,
    )


def _scope_faults(machine: Machine, values: Mapping[str, float]) -> Iterator[Fault]:
    """Expressions that mention what they may not, or that are no finite number."""
    known = scopes_of(machine)
    for where, leaf in _leaves(machine):
        free = [each.name for each in free_symbols(leaf.value)]
        for name in free:
            if name not in known[leaf.scope] and name not in leaf.own:
                yield Fault(where, unknown_name(name, known[leaf.scope].and_also(leaf.own), known[STATE]))
        if all(name in values for name in free) and not math.isfinite(evaluate([leaf.value], values)[0]):
            error = LinkworkError(
                "this is no finite number",
                got=str(leaf.value)[:80],
                wanted="a finite number",
                fix=f"{where[-1]} = 1" if isinstance(where[-1], str) else "1",
            )
            yield Fault(where, error)


def _leaves(machine: Machine) -> Iterator[tuple[Path, Leaf]]:
    """Every expression of the records, and of gravity."""
    for where, record in records(machine):
        for leaf in record.leaves():
            yield (*where, *leaf.where), leaf
    for place, entry in enumerate(machine.gravity or ()):
        yield ("gravity", place), Leaf((place,), entry, SIZES)


def _parameter_values(machine: Machine) -> dict[str, float]:
    lines = [Definition(name, value) for name, value in machine.parameters.items()]
    try:
        return Table.of(lines, inputs=[]).evaluate({})
    except LinkworkError:  # told by the check of parameters
        return {}


def unknown_name(name: str, known: Collection[str], elsewhere: Collection[str]) -> UnknownName:
    """The error for a name in an expression that may not stand there, though perhaps ``elsewhere``."""
    if name in elsewhere:
        return UnknownName(
            f"'{name}' has no meaning here",
            wanted="one of " + listed(known) if known else "a number: the machine has no parameters",
            why=f"'{name}' follows from the motion"
            if CLOCK.name in known
            else f"'{name}' changes while the machine moves, this does not",
            fix="a number, or an expression of parameters",
        )
    return UnknownName(
        f"nothing here is called '{name}'",
        wanted="one of " + listed(sorted(known)) if known else "a number: the machine has no parameters",
        fix=did_you_mean(name, known, f"[parameter]\n{name} = 1"),
    )


# ---------------------------------------------------------------------------------------- references


def _frame_faults(machine: Machine) -> Iterator[Fault]:
    """Frames that carry each other in a circle, or in a chain without end."""
    depth: dict[str, int] = {}
    for name in machine.frames:
        chain: dict[str, None] = {}  # a set that keeps its order
        carrier = name
        while carrier in machine.frames and carrier not in depth:
            if carrier in chain:
                circle = [*chain][[*chain].index(carrier) :]
                error = CyclicDefinition(
                    "these frames carry each other in a circle",
                    got=listed([*circle, carrier]).replace(", ", " → "),
                    wanted="frames that end on a part",
                    fix='on = "ground"',
                )
                yield Fault(("frame", carrier, "on"), error)
                return
            chain[carrier] = None
            carrier = machine.frames[carrier].on
        for place, each in enumerate(reversed(chain), 1):
            depth[each] = depth.get(carrier, 0) + place
        if depth[name] > DEEPEST_FRAMES:
            deep = LinkworkError(
                f"more than {DEEPEST_FRAMES} frames stand on each other",
                got=f"{depth[name]}",
                fix='on = "ground"',
            )
            yield Fault(("frame", name, "on"), deep)


def _reference_faults(machine: Machine, world: World) -> Iterator[Fault]:
    """Parts, points, frames and joints that are named but not there."""
    for name, frame in machine.frames.items():
        yield from _unknown_references(world, ("frame", name), frame, (frame.on,))
    for table in ("joint", "force"):
        for name, entry in getattr(machine, PLURALS[table]).items():
            where = (table, name)
            for other in entry.joints():
                if other not in machine.joints:
                    yield Fault(_where(entry, where, other), unknown_joint(other, machine.joints))
            if not isinstance(entry, Coordinate):  # it may name a joint; its equation tells
                yield from _unknown_references(world, where, entry, entry.references())
            for part in getattr(entry, "parts", None) or ():
                if part not in world.parts:
                    yield Fault(_where(entry, where, part), unknown_part(part, world.parts))
    yield from _unknown_references(world, ("view",), machine.view, machine.view.traces)


def _unknown_references(
    world: World, where: Path, entry: Record, references: Iterable[str]
) -> Iterator[Fault]:
    for reference in references:
        try:
            world.frame(reference)
        except LinkworkError as error:
            if len(where) == 2:
                error.problem = f"{where[0]} {where[1]}: {error.problem}"
            yield Fault(_where(entry, where, reference), error)


def _where(entry: Record, where: Path, word: str) -> Path:
    """The key, and place in a list, at which a record names something."""
    for name in entry.kinds():
        value = getattr(entry, name)
        if isinstance(value, str) and value == word:
            return (*where, name)
        if isinstance(value, tuple) and word in value:
            return (*where, name, value.index(word))
    return where


# ------------------------------------------------------------------------- equations, drives, forces


def _equation_faults(machine: Machine, world: World) -> Iterator[Fault]:
    """Joints whose equations cannot be written, or say nothing about anything that moves."""
    for name, joint in machine.joints.items():
        where: Path = ("joint", name, "of") if isinstance(joint, Coordinate) else ("joint", name)
        try:
            phi = world.resolved(joint.equations(world, world.own(name)))
        except LinkworkError as error:
            yield Fault(where, error)
            continue
        if phi and not _moves(machine, phi):
            still = LinkworkError(
                f"the joint {name} holds what cannot move",
                got=f"{joint.word} of " + listed(joint.references() or joint.joints()),
                wanted="a part that moves",
                fix=f"remove [joint.{name}]",
            )
            yield Fault(where, still)


def _moves(machine: Machine, expressions: Iterable[Expression]) -> bool:
    """Whether the expressions mention any coordinate."""
    free = free_symbols(*expressions)
    return any(each.name not in machine.parameters and each is not CLOCK for each in free)


def _target_faults(machine: Machine, world: World) -> Iterator[Fault]:
    """Drives of what is not there or cannot move, and two drives of one coordinate."""
    seen: dict[Expression, str] = {}
    for name, drive in machine.drives.items():
        is_joint_known = drive.joint in machine.joints
        key = "of" if drive.of else "coordinate" if is_joint_known and drive.coordinate else "joint"
        where = ("drive", name, key)
        try:
            if machine.is_unjoined:  # which joints and coordinates there are is found later
                if drive.of:
                    world.frame(drive.of.rpartition(".")[0])
                continue
            target = driven(world, name, drive)
        except LinkworkError as error:
            if is_joint_known and not world.measured(drive.joint):
                error.fix = f"remove [drive.{name}]"
            yield Fault(where, error)
            continue
        if target in seen:
            again = LinkworkError(
                f"the drives {seen[target]} and {name} drive the same coordinate",
                got=drive.of or f"joint {drive.joint}",
                wanted="one drive for each coordinate",
                fix=f"remove [drive.{name}]",
            )
            yield Fault(where, again)
        seen[target] = name


def driven(world: World, name: str, drive: Drive) -> Expression:
    """The coordinate that a drive moves."""
    target = world.coordinate(drive.joint, drive.coordinate) if drive.joint else world.quantity(drive.of)
    target = world.resolved([target])[0]
    if not _moves(world.machine, [target]):
        raise LinkworkError(
            f"the drive {name} drives what cannot move",
            got=drive.of or f"joint {drive.joint}",
            wanted="a coordinate of a part that moves",
            fix=f'of = "{next(iter(world.machine.moving), "crank")}.x"',
        )
    return target


def _load_faults(machine: Machine, world: World) -> Iterator[Fault]:
    for name, force in machine.forces.items():
        try:
            force.loads(world)
        except LinkworkError as error:
            if not error.fix:
                error.fix = f"remove [force.{name}]"
            yield Fault(("force", name), error)


def _quantity_faults(machine: Machine, world: World) -> Iterator[Fault]:
    """Coordinates in expressions that no joint, point or frame has."""
    found = [(where, leaf.value) for where, leaf in _leaves(machine) if leaf.scope == STATE]
    for line in machine.definitions:
        sides = [side for side in (line.explicit, *(line.implicit or ())) if side is not None]
        found += [(("definition", line.name), side) for side in sides]
    for where, value in found:
        for leaf in free_symbols(value):
            if leaf.name in machine.parameters:
                continue
            error = _coordinate_error(machine, world, leaf.name)
            if error is not None:
                yield Fault(where, error)


def _coordinate_error(machine: Machine, world: World, name: str) -> LinkworkError | None:
    """Why a joint or a part has no coordinate of such a name; other names were looked up with their scope."""
    owner, _, which = name.rpartition(".")
    is_joint = owner in machine.joints
    if not is_joint and (owner not in machine.moving or machine.is_unjoined):
        return None
    try:
        world.quantity(name)
    except LinkworkError:
        known = world.measured(owner) if is_joint else coordinate_names(machine.dimension)
        names = [f"{owner}.{each}" for each in known]
        return UnknownName(
            f"the {'joint' if is_joint else 'part'} {owner} has no coordinate '{which}'",
            got=name,
            wanted=listed(names) or "a joint that leaves something free",
            fix=did_you_mean(name, names, next(iter(names), "name another joint")),
        )
    return None


def _plot_faults(machine: Machine) -> Iterator[Fault]:
    for place, name in enumerate(machine.view.plots):
        if not is_column(machine, name):
            near = did_you_mean(name, [*state_names(machine), *machine.drives], "plots = []")
            error = UnknownName(
                f"'{name}' is no column of the motion", wanted="such as crank.angle", fix=near
            )
            yield Fault(("view", "plots", place), error)


def is_column(machine: Machine, name: str) -> bool:
    """Whether a motion may have a column of this name; which quantities it has, the motion tells.

    >>> from linkwork.model import load
    >>> [is_column(load("four-bar"), name) for name in ("time", "coupler.P.x", "A.fx", "cuopler.x")]
    [True, True, True, False]
    """
    owner, _, _ = name.rpartition(".")
    if not owner:
        return name in ("time", *ENERGIES, *machine.drives, *(line.name for line in machine.definitions))
    part, _, point = owner.partition(".")
    if point:
        return part in machine.parts and point in machine.parts[part].points
    return any(
        owner in entries for entries in (machine.parts, machine.frames, machine.joints, machine.drives)
    )
