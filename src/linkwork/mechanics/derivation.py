"""What is derived from a drawing: the construction, and the table of what was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkwork.algebra import Definition, Expression, Number, Table, free_symbols, number, sqrt, symbol
from linkwork.algebra.expression import without_collector
from linkwork.algebra.parse import FAMILIES
from linkwork.algebra.shorten import shortened
from linkwork.errors import UsageError
from linkwork.mechanics.deriving import FORMS, Deriving
from linkwork.mechanics.formulas import Formulas
from linkwork.model.drawing import Drawing
from linkwork.model.fault import did_you_mean
from linkwork.model.machine import Machine
from linkwork.planning import Structure, match
from linkwork.results import Viewable
from linkwork.sketch.construct import Construction, construct
from linkwork.sketch.impossible import impossible

Names = Sequence[str] | str
"""Names as a list, or in one text with commas."""


@dataclass(frozen=True, repr=False)
class Derivation(Viewable):
    """A table of definitions with the construction it comes from."""

    machine: Machine
    construction: Construction
    table: Table

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        found = self.table.to_json()
        return {
            "machine": self.machine.name,
            "title": self.machine.title,
            "table": found["table"],
            "inputs": found["inputs"],
            "outputs": found["outputs"],
            "construction": [step.to_json() for step in self.construction.steps],
            "assumptions": list(self.construction.assumptions),
            "simultaneous": [list(each) for each in self.construction.simultaneous],
            "units": dict(self.machine.units),
        }

    def evaluate(self, values: Mapping[str, float] | None = None) -> dict[str, float]:
        """The values of all lines, for the machine's parameters and other values given here.

        An error tells which step of the construction fails where the drawing does not exist for them.
        """
        known = {**self.machine.values(), **(values or {})}
        problem = impossible(self.construction, known)
        if problem is not None:
            raise problem
        return self.table.evaluate({name: known[name] for name in self.table.inputs if name in known})

    def to_frame(self) -> dict[str, list[str]]:
        """The table as columns: name, equation, explicit form."""
        return {
            "name": [line.name for line in self.table],
            "equation": [str(line) for line in self.table],
            "explicit": ["" if line.explicit is None else str(line.explicit) for line in self.table],
        }

    def __str__(self) -> str:
        return str(self.table)

    def __repr__(self) -> str:
        return f"Derivation of {self.machine.name}: {', '.join(self.table.inputs)} → {', '.join(self.table.outputs)}"


@without_collector
def derive(
    machine: Machine,
    *,
    reaction: Names = (),
    accelerations: Names = (),
    quantity: Names = (),
    by: Names = (),
    tolerance: Names = (),
    equilibrium: str = "",
    moving: Names = (),
    static: bool = False,
    form: str = "closed",
    tidy: bool = True,
) -> Derivation:
    """The table of what is asked for, from a machine's drawing.

    ``reaction``: what holds these dimensions (a force for a length, a torque for an angle). ``accelerations``:
    of dimensions that are free. ``quantity``: any names, such as P9x or those the machine defines; ``by`` adds
    their derivatives by dimensions, ``tolerance`` their worst and their likely errors for errors of dimensions.
    ``equilibrium``: the value of a dimension that nothing needs to hold. ``moving`` are the dimensions that
    change in time (default: those asked for); ``static`` leaves motion out. ``form`` is closed, matrix or
    recursive; without ``tidy``, and in the recursive form, the table stays as it is derived.

    >>> from linkwork.model import load
    >>> print(derive(load("crank-piston"), reaction="a"))
    P8a^2 = L^2 - (c*sin(a))^2
    reaction_a = -c*sin(a)*(c*cos(a) + P8a)/P8a
    """
    drawing = _drawing_of(machine)
    if form not in FORMS:
        fix = did_you_mean(form, FORMS, "form='closed'")
        raise UsageError(f"accelerations have no form '{form}'", wanted=", ".join(FORMS), fix=fix)
    reactions, free, wanted = _names(reaction), _names(accelerations), _names(quantity)
    if static and free:
        raise UsageError(
            "what accelerates is not at rest",
            got=f"--static with --accelerations {', '.join(free)}",
            fix=f"--reaction {free[0]} --static",
        )
    if equilibrium:
        reactions, static = [equilibrium], True
    change = _names(moving) or list(drawing.moving) or ([] if free or static else reactions)
    deriving = Deriving(machine, constructed(machine), change, free, form)
    deriving.static = static
    deriving.check_dimensions(free, "--accelerations")
    deriving.check_dimensions(reactions, "--equilibrium" if equilibrium else "--reaction")
    deriving.check_dimensions(change, "--moving")
    deriving.check_names(_names(by), "--by")
    deriving.check_names(_names(tolerance), "--tolerance")
    outputs = [*(f"reaction_{name}" for name in reactions), *(f"A_{name}" for name in free), *wanted]
    outputs = outputs or _default_outputs(machine, deriving)
    _enter(deriving, outputs)
    outputs += _slopes(deriving, outputs, _names(by)) + _errors(deriving, outputs, _names(tolerance))
    table = _table(machine, deriving, outputs)
    if tidy and not (free and form == "recursive"):  # there every link reads like every other
        keep = [line.name for line in table if line.name.startswith(("inertia_", "load_"))]
        table = shortened(table, keep=keep if form == "matrix" or len(free) > 2 else ())
        table = _table_of(machine, table.definitions, outputs)
    if equilibrium:
        table = _solved_for(machine, table, equilibrium)
    return Derivation(machine, deriving.construction, table)


@without_collector
def formulas(
    machine: Machine, *, accelerations: Names = (), quantity: Names = (), moving: Names = ()
) -> dict[str, Expression]:
    """What is asked for over the inputs alone, for programs: nothing between has a name.

    The accelerations of free dimensions are eliminated one by one. The other words mean what they do in
    :func:`derive`, whose table is for people.

    >>> from linkwork.model import load
    >>> formulas(load("crank-piston"), quantity="P8x_by_a")
    {'P8x_by_a': -c*sin(a) - c*sin(a)*(c*cos(a))/sqrt(L^2 - (c*sin(a))^2)}
    """
    free, change = _names(accelerations), _names(moving) or list(_drawing_of(machine).moving)
    deriving = Deriving(machine, constructed(machine), change, free, "recursive")
    deriving.check_dimensions(free, "--accelerations")
    deriving.check_dimensions(change, "--moving")
    found = deriving.terms = Formulas(deriving.mechanics)
    outputs = [*(f"A_{name}" for name in free), *_names(quantity)] or _default_outputs(machine, deriving)
    for name in outputs:
        if deriving.resolve(name) is symbol(name) and not (name in deriving.lines or name in found):
            _check_given(deriving, name)
    return {name: found.of(deriving.resolve(name)) for name in outputs}


def _drawing_of(machine: Machine) -> Drawing:
    if machine.drawing is None:
        raise UsageError(
            f"the machine {machine.name} has no drawing",
            wanted="a machine file with a table [drawing]",
            fix="linkwork examples four-bar-drawing",
        )
    return machine.drawing


def constructed(machine: Machine) -> Construction:
    """The construction of a machine's drawing."""
    drawing = _drawing_of(machine)
    names = {leaf.name for leaf in free_symbols(*(each.value for each in drawing.leaves()))}
    taken = names | {*machine.parameters} | {line.name for line in machine.definitions}
    return construct(drawing, machine.values() if machine.parameters else {}, taken)


def _names(given: Names) -> list[str]:
    words = given.split(",") if isinstance(given, str) else given
    return list(dict.fromkeys(_plain(word.strip()) for word in words if word.strip()))


def _plain(name: str) -> str:
    """A name that may be written like a function: velocity(P9x) is V_P9x."""
    family, bracket, rest = name.partition("(")
    return (
        FAMILIES[family] + rest[:-1].strip()
        if bracket and family in FAMILIES and rest.endswith(")")
        else name
    )


def _default_outputs(machine: Machine, deriving: Deriving) -> list[str]:
    """What the file asks for, else what it defines, else where all points are."""
    points = [f"{name}{axis}" for name in deriving.construction.drawing.points for axis in "xy"]
    moving = [name for name in points if not isinstance(deriving.places[name], Number)]
    return list(machine.outputs) or [line.name for line in machine.definitions] or moving


def _enter(deriving: Deriving, names: Sequence[str]) -> None:
    """Names as lines of the table."""
    for name in names:
        value = deriving.resolve(name)
        if value is not symbol(name):
            deriving.lines.define(Definition.of(name, value))
        elif name not in deriving.lines:
            _check_given(deriving, name)


def _check_given(deriving: Deriving, name: str) -> None:
    """An error unless a name that is not derived is a dimension."""
    if name.startswith("A_") and name[2:] in deriving.dimensions():
        raise UsageError(
            f"'{name}' is given unless {name[2:]} is free",
            wanted=f"how {name[2:]} accelerates when nothing holds it",
            fix=f"--accelerations {name[2:]}",
        )
    if name not in deriving.dimensions():
        known = [*deriving.places, *(line.name for line in deriving.lines.base), *deriving.own]
        raise UsageError(
            f"nothing in {deriving.machine.name} is called '{name}'",
            wanted="a coordinate such as P1x, a definition, reaction_a, A_a, V_P1x, P1x_by_a, kinetic_energy",
            fix=did_you_mean(name, known, f"--quantity {known[0] if known else 'P1x'}"),
        )


def _slopes(deriving: Deriving, quantities: Sequence[str], dimensions: Sequence[str]) -> list[str]:
    """Lines for the derivatives of quantities by dimensions."""
    names = [f"{quantity}_by_{each}" for quantity in quantities for each in dimensions]
    _enter(deriving, names)
    return names


def _errors(deriving: Deriving, quantities: Sequence[str], dimensions: Sequence[str]) -> list[str]:
    """A tolerance stack: how far quantities can be off, and how far they are likely to be off."""
    found: list[str] = []
    for quantity in quantities if dimensions else ():
        value = deriving.resolve(quantity)
        parts = [deriving.lines.by(value, each) * symbol(f"tol_{each}") for each in dimensions]
        worst = sum((abs(each) for each in parts), number(0))
        likely = sqrt(sum((each**2 for each in parts), number(0)))
        deriving.lines.define(Definition.of(f"{quantity}_worst", worst))
        deriving.lines.define(Definition.of(f"{quantity}_likely", likely))
        found += [f"{quantity}_worst", f"{quantity}_likely"]
    return found


def _table(machine: Machine, deriving: Deriving, outputs: Sequence[str]) -> Table:
    by_name = {line.name: line for line in deriving.lines.lines}
    needed: set[str] = set()
    waiting = list(outputs)
    while waiting:
        name = waiting.pop()
        if name not in needed and name in by_name:
            needed.add(name)
            waiting += [leaf.name for leaf in by_name[name].mentions]
    return _table_of(machine, [line for line in deriving.lines.lines if line.name in needed], outputs)


def _table_of(machine: Machine, lines: Sequence[Definition], outputs: Sequence[str]) -> Table:
    """Lines as a table; inputs in the order of the parameters, then the rest, velocities, accelerations."""
    defined = {line.name for line in lines}
    names = ({leaf.name for line in lines for leaf in line.mentions} | {*outputs}) - defined
    order = [name for name in machine.parameters if name in names]
    rest = sorted(names - {*order}, key=lambda name: (name.startswith("A_"), name.startswith("V_"), name))
    return Table.of(lines, outputs=list(dict.fromkeys(outputs)), inputs=[*order, *rest])


def _solved_for(machine: Machine, table: Table, dimension: str) -> Table:
    """The table with a dimension as its unknown: the reaction is zero, solved with all that depends on it."""
    moving = {dimension: None}
    for line in table:
        if any(leaf.name in moving for leaf in line.mentions):
            moving[line.name] = None
    reaction = f"reaction_{dimension}"
    if reaction not in moving:
        raise UsageError(
            f"--equilibrium: what holds {dimension} does not depend on {dimension}",
            got=str(table[reaction]),
            wanted="a reaction that vanishes at some value",
            fix=f"--reaction {dimension}",
        )
    del moving[reaction]
    equations = {line.name: line.equation for line in table if line.name in moving}
    equations[reaction] = (table[reaction].value, number(0))
    mentions = {
        name: [leaf.name for leaf in free_symbols(*sides) if leaf.name in moving]
        for name, sides in equations.items()
    }
    owner = {name: equation for equation, name in match(Structure.of(mentions, list(moving))).pairs}
    start: Mapping[str, float] = machine.values()
    known = dict(start) | (table.evaluate(start) if {*table.inputs} <= start.keys() else {})
    lines = [line for line in table if line.name not in moving and line.name != reaction]
    for name in moving:
        lines.append(Definition.of(name, implicit=equations[owner[name]], start=known.get(name, 1.0)))
    return _table_of(machine, lines, [dimension])
