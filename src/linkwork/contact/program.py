"""The program of a machine whose parts may touch: its own, with a force and a moment on each part as further inputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from linkwork.algebra import Expression, cos, free_symbols, sin, symbol
from linkwork.contact.pairs import grouped, moving_parts
from linkwork.dynamics.c_program import scheme_text
from linkwork.dynamics.synthesis import Synthesis
from linkwork.dynamics.tangent import motion_program, response_program, tangent_programs, values_along
from linkwork.emit.program import Program
from linkwork.emit.runtime import filled, runtime_source
from linkwork.model import Machine
from linkwork.model.drive import CLOCK
from linkwork.model.force import Push, Torque
from linkwork.model.placed import PLANE_COORDINATES, RATES, angular_velocity, coordinate_names
from linkwork.model.scene import Control

LOADS: Final = {2: ("x", "y", "turn"), 3: ("x", "y", "z", "turn_x", "turn_y", "turn_z")}
"""The force on a part and the moment, in the plane and in space."""


def pushed(machine: Machine, parts: Sequence[str]) -> Machine:
    """The machine with inputs for a force at the origin of each of these parts and a moment on it."""
    controls, forces = dict(machine.controls), dict(machine.forces)
    for place, part in enumerate(parts):
        names = [f"touch_{way}_{place}" for way in LOADS[machine.dimension]]
        controls |= {name: Control() for name in names}
        loads = tuple(symbol(name) for name in names)
        forces[f"touch_force_{place}"] = Push(at=part, force=loads[: machine.dimension])
        forces[f"touch_moment_{place}"] = Torque(on=part, torque=loads[machine.dimension :])
    return replace(
        machine,
        controls=type(machine.controls)(controls),
        forces=type(machine.forces)(forces),
    )


def body_quantities(synthesis: Synthesis, parts: Sequence[str]) -> list[Expression]:
    """The coordinates of parts and their rates, as the engine wants them; in space with the angular velocity."""
    known = dict(synthesis.spec.machine_quantities())
    names = coordinate_names(synthesis.spec.machine.dimension)
    found: list[Expression] = []
    for part in parts:
        coordinates = [known[f"{part}.{name}"] for name in names]
        rates = [known[f"{part}.{RATES[name]}"] for name in names]
        if len(names) > len(PLANE_COORDINATES):
            rates[3:] = angular_velocity(coordinates[3:], rates[3:])
        found += [*coordinates, *rates]
    return found


def body_places(quantities: Sequence[Expression]) -> list[Expression]:
    """The cosine and sine of the angle of each part of the plane, and its origin."""
    found: list[Expression] = []
    for place in range(0, len(quantities), 2 * len(PLANE_COORDINATES)):
        x, y, angle = quantities[place : place + len(PLANE_COORDINATES)]
        found += [cos(angle), sin(angle), x, y]
    return found


def touching_source(synthesis: Synthesis, parts: Sequence[str], inputs: int) -> str:
    """The C text of the library of a machine whose parts may touch."""
    values = body_quantities(synthesis, parts)
    places = body_places(values) if synthesis.spec.machine.dimension == 2 else []
    bodies = replace(synthesis.show([*values, *places]), name="bodies")
    motion = motion_program(synthesis, "motion", values, places)
    response = response_program(synthesis, "response", values, synthesis.spec.controls[inputs:], places)
    along = values_along(synthesis, "bodies_along", values)
    derivative_along, _ = tangent_programs(synthesis)
    text = scheme_text(synthesis, [bodies, motion, response, along, derivative_along])
    groups = _groups(synthesis, parts)
    calls = filled(_CALLS, {"inputs": str(inputs), "is_timeless": str(int(is_timeless(motion))), **groups})
    return "\n".join([runtime_source("toucher"), text, calls])


def _groups(synthesis: Synthesis, parts: Sequence[str]) -> dict[str, str]:
    """The parts in groups that joints hold together: the text of which is which, and of which entries of the state."""
    names = [*synthesis.plan.classes.first, *[*synthesis.plan.classes.second] * 2]
    owners = [name.rpartition(".")[0] for name in names]
    machine = synthesis.spec.machine
    has_formulas = any((machine.constraints, machine.energies, machine.definitions, machine.initial))
    links = [moving_parts(machine, joint.references()) for joint in machine.joints.values()]
    groups = [tuple(parts)] if has_formulas or not {*owners} <= {*parts} else grouped(parts, links)
    home = {part: (place, group.index(part)) for place, group in enumerate(groups) for part in group}

    def text(numbers: Iterable[int]) -> str:
        return ", ".join(map(str, [*numbers, 0]))

    return {
        "members": str(max(map(len, groups))),
        "member": text(home[part][1] for part in parts),
        "group": text(home[part][0] for part in parts),
        "state_group": text(home[owner][0] for owner in owners)
        if len(groups) > 1
        else text([0] * len(names)),
    }


def is_timeless(motion: Program) -> bool:
    """Whether nothing that a program computes depends on the clock."""
    told = free_symbols(*(each for output in motion.outputs for each in output.expressions))
    return CLOCK not in {*told, *(leaf for line in motion.definitions for leaf in line.mentions)}


_CALLS = """
static const int body_member[] = {@member@}, body_group[] = {@group@}, state_group[] = {@state_group@};

static const lw_toucher toucher = {
    &scheme, @inputs@, @is_timeless@, bodies, motion, response, bodies_along, derivative_along,
    @members@, body_member, body_group, state_group
};

const lw_toucher *machine_toucher(void)
{
    return &toucher;
}

const lw_scheme *machine_scheme(void)
{
    return &scheme;
}

void machine_constants(const double *p, double *k)
{
    constants(p, k);
}

void machine_derivative(const double *y, const double *k, const double *c, double t, double *rate)
{
    derivative(y, k, c, &t, rate);
}
"""
