"""Whether a specification determines a motion: told by names of variables and constraints, before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from linkwork.algebra import Definition, Symbol, evaluate, free_symbols
from linkwork.algebra.table import Table
from linkwork.dynamics.form import Form
from linkwork.dynamics.plan import Plan
from linkwork.dynamics.specification import Specification
from linkwork.errors import LinkworkError, NoAnswer
from linkwork.kinematics.arrays import Matrix
from linkwork.model.drive import CLOCK
from linkwork.model.fault import listed
from linkwork.model.source import toml_key

SINGULAR = 1e-11
"""A singular value below this share of the largest counts as zero."""
SHARE = 1e-3
"""What has at least this share of the largest entry of a null vector takes part in it."""


MASSES_SHOWN = 5
"""For how many parts without mass an error shows what would give them one."""

HOLDS = 1e-9
"""A constraint as near to zero as this is said to hold."""


def dependent_conditions(spec: Specification, names: Sequence[str]) -> LinkworkError:
    """The error for constraints of the user's that say the same as others, or nothing."""
    moving = {*spec.variables, *spec.rates.values()}
    mentioned = {
        each.name: moving & {*free_symbols(*spec.lines.expanded([each.phi]))} for each in spec.constraints
    }
    empty = [name for name in names if not mentioned[name]]
    if empty:
        return LinkworkError(
            f"the constraint {empty[0]} restricts nothing",
            got="an equation without anything that varies",
            wanted="an equation of frames, parts or joints that move",
            fix=f"remove [constraint.{empty[0].partition('.')[0]}], or let it say something else",
        )
    shown = listed(names)
    return LinkworkError(
        f"the constraint {shown} says nothing that the others do not say"
        if len(names) == 1
        else f"the constraints {shown} say nothing that the others do not say",
        got=f"{len(spec.constraints)} constraints for {len(spec.variables)} variables",
        wanted="constraints that are independent of each other",
        why="a dependent constraint usually stands where another one was meant",
        fix=f"remove [constraint.{names[-1].partition('.')[0]}], or let it say something else",
    )


def undetermined(plan: Plan, values: Mapping[str, float]) -> LinkworkError | None:
    """The error for accelerations that equations of motion and constraints do not determine; none if they do."""
    matrix, rows = motion_matrix(plan, values)
    if not len(rows):
        return None
    scale = np.sqrt(np.maximum(np.max(np.abs(matrix), axis=1), 1e-300))
    _, sizes, vectors = np.linalg.svd(matrix / scale[:, None] / scale[None, :])
    null = vectors[sizes <= SINGULAR * max(float(sizes[0]), 1e-300)]
    if not len(null):
        return None
    share = np.max(np.abs(null / scale[None, :]), axis=0)
    taking = [leaf for leaf, entry in zip(rows, share, strict=True) if entry > SHARE * float(np.max(share))]
    multipliers = {each: name for name, each in plan.specification.multipliers.items()}
    loose = [leaf.name.removeprefix("V_") for leaf in taking if leaf not in multipliers]
    spare = [multipliers[leaf] for leaf in taking if leaf in multipliers]
    if loose:
        return _loose(plan, loose)
    return LinkworkError(
        f"the constraints {listed(spare)} depend on each other where the motion starts"
        if len(spare) > 1
        else f"the constraint {listed(spare)} restricts nothing where the motion starts",
        wanted="a start where they are independent",
        why="the forces that maintain them are not determined there, and the motion may go on in several ways",
        fix="start at another place",
    )


def _loose(plan: Plan, names: Sequence[str]) -> LinkworkError:
    spec = plan.specification
    mentioned = {name for each in plan.velocity_mentions.values() for name in each}
    missing = [name for name in names if name not in mentioned and name in plan.facts.idle]
    massless = list(dict.fromkeys(part for name in names if (part := _part_without_mass(spec, name))))
    if massless:
        return _massless(spec, [name for name in names if name.partition(".")[0] in massless], massless)
    if missing:
        return LinkworkError(
            f"nothing says how {listed(missing)} moves",
            got=f"{listed(missing)} in no constraint, and moving no mass",
            wanted="a constraint for each variable that moves no mass, or a mass that it moves",
            fix=f"take it out of varies, or [constraint.…] with {missing[0]}",
        )
    return LinkworkError(
        f"the accelerations of {listed(names)} are not determined",
        got=f"{len(spec.constraints)} constraints, and no mass that these move",
        wanted="as many constraints as variables that move no mass",
        why="no force can tell how they move, and the constraints leave them free",
        fix="add a constraint, or a mass",
    )


def _part_without_mass(spec: Specification, variable: str) -> str:
    """The part whose coordinate a variable is, if it has neither mass nor inertia."""
    name = variable.partition(".")[0]
    part = spec.machine.parts.get(name)
    return name if part is not None and (part.mass, part.inertia, part.density) == (None, None, None) else ""


def _massless(spec: Specification, variables: Sequence[str], parts: Sequence[str]) -> LinkworkError:
    first = parts[0]
    problem = (
        f"the part {first} has no mass" if len(parts) == 1 else f"the parts {listed(parts)} have no mass"
    )
    move = "moves" if len(variables) == 1 else "move"
    error = LinkworkError(
        f"{problem}: nothing says how {listed(variables)} {move}",
        got=f"neither mass nor inertia of {listed(parts)}",
        wanted="a mass for each part that forces move; a density does for a part that is given by its solid alone",
        why="no force can tell how they move, and the constraints leave them free",
        fix="\n".join(f"[part.{toml_key(each)}]\n{_some_mass(spec, each)}" for each in parts[:MASSES_SHOWN]),
    )
    error.where = ("part", first)
    return error


def _some_mass(spec: Specification, part: str) -> str:
    """What gives a part a mass; the solid of one tells its inertia."""
    if spec.machine.parts[part].solid:
        return "mass = 1   # or a density"
    return f"mass = 1\ninertia = {1 if spec.machine.dimension == 2 else [1, 1, 1]}"


def motion_matrix(plan: Plan, values: Mapping[str, float]) -> tuple[Matrix, list[Symbol]]:
    """The matrix of accelerations and multipliers in numbers, and what its rows belong to."""
    spec = plan.specification
    form = Form(spec)
    velocity = spec.velocity_constraints()
    zeroth = {*plan.classes.zeroth}
    held = [name for name in velocity if name not in plan.classes.holonomic[0] and name not in plan.redundant]
    for name in held:
        form.constrain(spec.multipliers[name], velocity[name])
    form.eliminate(spec.rates.values())
    rows = [rate for leaf, rate in spec.rates.items() if leaf.name not in zeroth]
    rows += [spec.multipliers[name] for name in held]
    places = {leaf.name: place for place, leaf in enumerate(rows)}
    left = form.quadratic.k
    entries = {(a, b): value for a in places for b, value in left.get(a, {}).items() if b in places}
    lines = [
        Definition(leaf.name, value) for leaf, value in (*spec.lines.places.items(), *form.speeds.items())
    ]
    numbers = _numbers([*lines, *form.definitions], values)
    found = evaluate(list(entries.values()), numbers)
    matrix = np.zeros((len(rows), len(rows)))
    for (a, b), number in zip(entries, found, strict=True):
        matrix[places[a], places[b]] = number
    return matrix, rows


def _numbers(lines: Sequence[Definition], values: Mapping[str, float]) -> dict[str, float]:
    table = Table.of(lines)
    found = table.evaluate({name: values.get(name, 0.0) for name in table.inputs})
    return {**values, **found}


def state_values(
    spec: Specification,
    parameters: Mapping[str, float],
    positions: Mapping[str, float],
    rates: Mapping[str, float],
    time: float,
) -> dict[str, float]:
    """Values for every name that equations mention, at one state."""
    found = {**parameters, CLOCK.name: time, **dict.fromkeys(spec.machine.controls, 0.0)}
    for leaf in spec.variables:
        found[leaf.name] = positions.get(leaf.name, 0.0)
        found[f"V_{leaf.name}"] = rates.get(leaf.name, 0.0)
    return found


def broken_constraints(spec: Specification, values: Mapping[str, float]) -> list[str]:
    """The constraints and initial conditions on positions that do not hold at a state, the worst first."""
    every = [*spec.holonomic, *spec.initial_positions]
    residuals = [abs(each) for each in evaluate(spec.lines.expanded([each.phi for each in every]), values)]
    worst = max(residuals, default=0.0)
    order = sorted(range(len(every)), key=lambda place: -residuals[place])
    return [every[place].name for place in order if not residuals[place] <= max(1e-3 * worst, HOLDS)]


def wholly_spare(spec: Specification, spare: Sequence[str]) -> list[str]:
    """Of constraints that depend on others, those of the user's conditions that say nothing else."""
    equations: dict[str, list[str]] = {}
    for each in spec.constraints:
        equations.setdefault(each.name.partition(".")[0], []).append(each.name)
    whole = {
        owner
        for owner, names in equations.items()
        if owner in spec.machine.constraints and {*names} <= {*spare}
    }
    return [name for name in spare if name.partition(".")[0] in whole]


def contradiction(spec: Specification, broken: Sequence[str], got: str) -> NoAnswer:
    """The error for constraints that cannot hold together."""
    return NoAnswer(
        f"no position of {spec.machine.name} satisfies its constraints {listed(broken)}",
        got=got,
        wanted="constraints that can hold together, from where the frames and parts start",
        fix="check the constraints, or start nearer to a position that satisfies them",
    )
