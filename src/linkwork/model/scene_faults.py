"""What can be wrong with frames that vary, bodies, surfaces, energies, controls and formulas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from linkwork.algebra import Expression, evaluate
from linkwork.errors import LinkworkError, NameTaken
from linkwork.model.control_faults import control_faults
from linkwork.model.fault import Fault, did_you_mean, listed
from linkwork.model.field import Formula
from linkwork.model.formula_reader import Reference, macro_of
from linkwork.model.lines import Path
from linkwork.model.part import ROTATION, TURN, Frame
from linkwork.model.scene import Energy

if TYPE_CHECKING:
    from linkwork.model.machine import Machine
    from linkwork.model.world import World

Values = Mapping[str, float]

IN_THE_PLANE: Final = ("tx", "ty", TURN, "sx", "sy")


def frame_faults(machine: Machine, values: Values) -> Iterator[Fault]:
    """Frames whose coordinates, orientation or scale cannot be."""
    for name, frame in machine.frames.items():
        for key, error in _frame_errors(frame, machine.dimension, values):
            error.problem = f"the frame {name} {error.problem}"
            yield Fault(("frame", name, *key), error)


Found = tuple[tuple[str | int, ...], LinkworkError]


def _frame_errors(frame: Frame, dimension: int, values: Values) -> Iterator[Found]:
    for place, each in enumerate(frame.varies):
        if dimension == 2 and each not in IN_THE_PLANE:
            wanted = ", ".join(IN_THE_PLANE)
            yield (
                ("varies", place),
                LinkworkError(
                    f"varies in {each}, which the plane has not", wanted=wanted, fix="dimension = 3"
                ),
            )
    turning = [each for each in frame.varies if each in ROTATION]
    if turning and TURN in frame.varies:
        why = "an orientation is either an angle about an axis or a quaternion"
        yield (
            ("varies",),
            LinkworkError(f"varies in {TURN} and in {turning[0]}", why=why, fix='varies = ["turn"]'),
        )
    if turning and (frame.x is not None or frame.z is not None):
        key = "x" if frame.x is not None else "z"
        error = LinkworkError(
            f"has {key} and a quaternion that varies",
            wanted="quaternion, or axis and turn",
            fix="quaternion = [1, 0, 0, 0]",
        )
        yield (key,), error
    if frame.quaternion is not None:
        yield from _quaternion_errors(frame, dimension, values)
    if frame.scale is not None:
        yield from _scale_errors(frame, dimension, values)
    known = frame.coordinates(dimension)
    for each in frame.rates:
        if each not in known:
            error = LinkworkError(
                f"has a rate of {each}, which does not vary",
                wanted="one of " + listed(known) if known else "coordinates that vary",
                fix=did_you_mean(each, known, f'varies = ["{each}"]'),
            )
            yield ("rates", each), error


def _quaternion_errors(frame: Frame, dimension: int, values: Values) -> Iterator[Found]:
    if dimension == 2:
        yield (
            ("quaternion",),
            LinkworkError("has a quaternion in the plane", wanted="turn", fix='turn = "30 deg"'),
        )
    elif not any(evaluate([*(frame.quaternion or ())], values)):
        why = "a quaternion of length 0 is no orientation"
        fix = "quaternion = [1, 0, 0, 0]"
        yield ("quaternion",), LinkworkError("has a quaternion that is zero", why=why, fix=fix)


def _scale_errors(frame: Frame, dimension: int, values: Values) -> Iterator[Found]:
    sizes = frame.scale or ()
    if len(sizes) not in (1, dimension):
        problem = f"has a scale of {len(sizes)} numbers"
        yield ("scale",), LinkworkError(problem, wanted=f"1 number, or {dimension}", fix="scale = 2")
    if not all(evaluate([*sizes], values)):
        yield ("scale",), LinkworkError("has a scale of 0", why="it would have no size", fix="scale = 1")


# -------------------------------------------------------------------------------------------- bodies


def body_faults(machine: Machine, values: Values) -> Iterator[Fault]:
    """Masses and moments of inertia that no body has."""
    for table, bodies in (("part", machine.parts), ("frame", machine.frames)):
        for name, body in bodies.items():
            if isinstance(body, Frame):
                yield from _frame_mass_faults(name, body, machine.dimension, values)
            if body.inertia is not None and machine.dimension == 3 and len(body.inertia) in (3, 6):
                moments = principal_moments(evaluate([*body.inertia], values))
                error = _inertia_error(name, moments)
                if error is not None:
                    yield Fault((table, name, "inertia"), error)


def _frame_mass_faults(name: str, frame: Frame, dimension: int, values: Values) -> Iterator[Fault]:
    if frame.mass is not None and not evaluate([frame.mass], values)[0] >= 0:
        error = LinkworkError(f"the mass of {name} is negative", wanted="0 or more", fix="mass = 1")
        yield Fault(("frame", name, "mass"), error)
    if frame.inertia is not None and len(frame.inertia) not in ((1,) if dimension == 2 else (3, 6)):
        wanted = "1 number" if dimension == 2 else "3 numbers (principal) or 6 (xx, yy, zz, xy, xz, yz)"
        fix = "inertia = 0.01" if dimension == 2 else "inertia = [0.01, 0.01, 0.01]"
        problem = f"the inertia of {name} has {len(frame.inertia)} numbers"
        yield Fault(("frame", name, "inertia"), LinkworkError(problem, wanted=wanted, fix=fix))
    if frame.inertia is not None and dimension == 2 and not evaluate([frame.inertia[0]], values)[0] >= 0:
        error = LinkworkError(f"the inertia of {name} is negative", wanted="0 or more", fix="inertia = 0.01")
        yield Fault(("frame", name, "inertia"), error)
    if frame.mass is None and frame.centre is not None:
        error = LinkworkError(f"{name} has a centre of mass but no mass", fix="mass = 1")
        yield Fault(("frame", name, "centre"), error)


def principal_moments(entries: Sequence[float]) -> list[float]:
    """The principal moments of inertia, the smallest first; entries are xx, yy, zz and, if any, xy, xz, yz.

    >>> [round(each, 6) for each in principal_moments([2, 2, 5, 1, 0, 0])]
    [1.0, 3.0, 5.0]
    """
    if not any(entries[3:]):
        return sorted(entries[:3])
    xx, yy, zz, xy, xz, yz = entries
    mean = (xx + yy + zz) / 3
    spread = (xx - mean) ** 2 + (yy - mean) ** 2 + (zz - mean) ** 2 + 2 * (xy**2 + xz**2 + yz**2)
    size = math.sqrt(spread / 6)
    if size == 0:
        return [mean] * 3
    a, b, c = ((each - mean) / size for each in (xx, yy, zz))
    d, e, f = xy / size, xz / size, yz / size
    half = (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)) / 2
    angle = math.acos(min(1.0, max(-1.0, half))) / 3
    return sorted(mean + 2 * size * math.cos(angle + 2 * math.pi * turn / 3) for turn in range(3))


def _inertia_error(name: str, moments: Sequence[float]) -> LinkworkError | None:
    least, middle, most = moments
    slack = 1e-7 * max(abs(most), abs(least))  # where two are alike, half of their digits are rounding
    shown = ", ".join(f"{each:.6g}" for each in moments)
    if least < -slack:
        return LinkworkError(
            f"the inertia of {name} is not positive definite",
            got=f"principal moments {shown}",
            wanted="moments of 0 or more",
            fix="inertia = [0.01, 0.01, 0.01]",
        )
    if most > least + middle + slack:
        return LinkworkError(
            f"no body has the inertia of {name}",
            got=f"principal moments {shown}",
            wanted="each moment at most the sum of the other two",
            why="Ixx + Iyy − Izz is twice the integral of z² over the mass",
            fix=f"inertia = [{least:.6g}, {middle:.6g}, {least + middle:.6g}]",
        )
    return None


# ------------------------------------------------------------------------------------------ formulas


def formula_faults(machine: Machine, world: World, values: Values) -> Iterator[Fault]:
    """Functions, surfaces, conditions, energies, forces and controls that cannot be read."""
    yield from _function_faults(machine)
    for name, surface in machine.surfaces.items():
        try:
            world.frame(surface.on)
        except LinkworkError as error:
            error.problem = f"surface {name}: {error.problem}"
            yield Fault(("surface", name, "on"), error)
    for table, conditions in (("constraint", machine.constraints), ("initial", machine.initial)):
        for name, condition in conditions.items():
            for place, text in enumerate(condition.holds):
                yield from _unreadable((table, name, "holds", place), partial(_zeros, world, text))
    for name, energy in machine.energies.items():
        yield from _energy_faults(machine, world, name, energy)
    for name, force in machine.forces.items():
        given = getattr(force, "force", None)
        if isinstance(given, Formula):
            yield from _unreadable(("force", name, "force"), partial(world.vocabulary.vector, given.text))
    yield from control_faults(machine, values)


def _unreadable(where: Path, read: Callable[[], object]) -> Iterator[Fault]:
    try:
        read()
    except LinkworkError as error:
        yield Fault(where, error)


def _zeros(world: World, text: str) -> list[Expression]:
    """What is zero where an equation holds, by coordinates that there are."""
    return world.resolved(world.vocabulary.zeros(text))


def _function_faults(machine: Machine) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for heading, text in machine.functions.items():
        try:
            name, _ = macro_of(heading, text)
        except LinkworkError as error:
            yield Fault(("function", heading), error)
            return
        if seen.setdefault(name, heading) != heading:
            taken = NameTaken(f"the function {name} is defined twice", fix=f"call the second one {name}_2")
            yield Fault(("function", heading), taken)


def _energy_faults(machine: Machine, world: World, name: str, energy: Energy) -> Iterator[Fault]:
    given = [key for key in ("value", "each", "pair") if getattr(energy, key)]
    if len(given) != 1:
        error = LinkworkError(
            f"the energy {name} needs value, each or pair",
            got=" and ".join(given) or "none of them",
            wanted="one of them",
            fix='each = "mass(body)*g*position(body).z"',
        )
        yield Fault(("energy", name, *given[1:2]), error)
        return
    for place, body in enumerate(energy.bodies):
        if body not in machine.bodies:
            error = LinkworkError(
                f"the energy {name} names '{body}', which is no body",
                wanted="one of " + listed(machine.bodies),
                fix=did_you_mean(body, machine.bodies, f"[frame.{body}]\nmass = 1"),
            )
            yield Fault(("energy", name, "bodies", place), error)
            return
    bodies = [Reference(body) for body in energy.bodies or machine.bodies]
    read = partial(potential_value, world, name)
    if energy.value:
        yield from _unreadable(("energy", name, "value"), partial(read, energy.value, {}))
    elif energy.each and bodies:
        yield from _unreadable(("energy", name, "each"), partial(read, energy.each, {"body": bodies[0]}))
    elif energy.pair and len(bodies) > 1:
        pair = {"a": bodies[0], "b": bodies[1]}
        yield from _unreadable(("energy", name, "pair"), partial(read, energy.pair, pair))


def potential_value(world: World, name: str, text: str, given: Mapping[str, Reference]) -> Expression:
    """The value of a potential energy, which depends on places and time alone."""
    found = world.vocabulary.scalar(text, given)
    if world.mentions_rates([found]):
        raise LinkworkError(
            f"the energy {name} depends on velocities",
            got=text[:80],
            wanted="a potential: an expression of positions and time",
            fix='[force.drag]\ntype = "force"',
        )
    return found
