"""What ``derive`` found: a machine's table, perhaps with rates and numbers, in every form it can be shown."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from linkwork.algebra import Table, evaluate, latex, symbol, time_derivative
from linkwork.cli.meaning import meaning
from linkwork.cli.settings import as_usage, read_settings
from linkwork.emit import Program, print_c, print_javascript, print_python
from linkwork.errors import BadName, LinkworkError, NoAnswer, UsageError
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean, listed

if TYPE_CHECKING:
    from linkwork.mechanics import Derivation

PRINTERS: Final[Mapping[str, Callable[[Program], str]]] = {
    "c": print_c,
    "javascript": print_javascript,
    "python": print_python,
}
_COMMENT: Final = {"text": "", "latex": "% ", "c": "// ", "javascript": "// ", "python": "# "}


@dataclass(frozen=True)
class Request:
    """What was asked for, as :func:`linkwork.mechanics.derive` takes it, and rates of a plain table."""

    rates: str = ""
    wishes: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of ``derive`` that were given."""
    construction: bool = False
    values: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table and the numbers known for it; ``with_numbers`` where the reader asked for them."""

    machine: Machine
    table: Table
    values: Mapping[str, float]
    with_numbers: bool
    derivation: Derivation | None = None
    with_construction: bool = False
    all_values: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, machine: Machine, request: Request, settings: Sequence[str]) -> Sheet:
        """The sheet that the options ask for."""
        if _is_of_joints(machine):
            return cls._of_joints(machine, request, settings)
        derivation = _derived(machine, request)
        if derivation is not None:
            table = derivation.table
        else:
            table = _with_rates(machine, request.rates) if request.rates.strip() else machine.table()
        names = dict.fromkeys([*machine.parameters, *table.inputs, *_speeds(derivation)])
        given = read_settings(settings, names, [line.name for line in table])
        parameters = {name: value for name, value in given.items() if name in machine.parameters}
        try:
            values = machine.values(parameters)
        except LinkworkError as error:
            raise as_usage(error, "--set") from error
        for name, value in given.items():
            if name not in parameters:
                values[name] = _number(name, value, values)
        known = _known_values(table, values)
        with_numbers = bool(given) or request.values
        return cls(machine, table, known, with_numbers, derivation, request.construction, values)

    @classmethod
    def _of_joints(cls, given: Machine, request: Request, settings: Sequence[str]) -> Sheet:
        """The equations of a machine of parts and joints, where it stands as drawn, with the rates it has there."""
        from linkwork.cli.settings import joined
        from linkwork.simulation.equations import drawn_state, equations

        machine = joined(given.name, given)
        table = equations(machine, _quantities(machine, request), tidy=request.wishes.get("tidy", True))
        chosen = read_settings(
            settings, dict.fromkeys([*machine.parameters, *table.inputs]), [line.name for line in table]
        )
        try:
            values = machine.values({name: chosen[name] for name in chosen if name in machine.parameters})
        except LinkworkError as error:
            raise as_usage(error, "--set") from error
        if chosen or request.values:
            values = {**drawn_state(machine, values), **values}
        values |= {
            name: _number(name, value, values)
            for name, value in chosen.items()
            if name not in machine.parameters
        }
        with_numbers = bool(chosen) or request.values
        known = _known_values(table, values) if with_numbers else {}
        return cls(machine, table, known, with_numbers, None, request.construction, values)

    def text(self, form: str, name: str) -> str:
        """The table in one of the forms, the numbers behind it where they were asked for."""
        if form == "markdown":
            return self._markdown()
        if form == "html":
            from linkwork.cli.derivation_page import page_of

            return page_of(self, name)
        if form in PRINTERS:
            shown = self._heading(_COMMENT[form]) + PRINTERS[form](self.program(name))
        else:
            shown = self.table.latex() + "\n" if form == "latex" else f"{self.table}\n"
        if self.with_construction and form == "text":
            shown = "\n".join([*self.construction_lines(), "", shown])
        if self.with_numbers:
            rows = ["", f"with {', '.join(self.inputs_shown())}", "", *self._lines_shown()]
            shown += "".join(f"{_COMMENT[form]}{row}".rstrip() + "\n" for row in rows)
        return shown

    def _heading(self, comment: str) -> str:
        """What the names of a drawing's program mean, as comments above it."""
        if self.derivation is None:
            return ""
        rows = [in_one_line(self.machine.title) or in_one_line(self.machine.name)]
        for heading, names in (("given", self.table.inputs), ("found", self.table.outputs)):
            for each in names:
                words, unit = meaning(self.machine, each), self.unit(each)
                told = f"{words} ({unit})" if words and unit else words or unit
                rows.append(f"{heading} {each}: {told}" if told else f"{heading} {each}")
        rows += self.derivation.construction.assumptions
        # a backslash at the end of a line would make the next one part of the comment
        return "".join(f"{comment}{row}".rstrip("\\ ") + "\n" for row in rows)

    def program(self, name: str) -> Program:
        """The table as a program; without a name it is called after the machine."""
        return _program(self.table, self.machine.name, name)

    def construction_lines(self) -> list[str]:
        """How the drawing is constructed, in words."""
        if self.derivation is None:
            return []
        construction = self.derivation.construction
        steps = [f"{place:>2}. {step.words}" for place, step in enumerate(construction.steps, 1)]
        return steps + [f"    {each}" for each in construction.assumptions]

    def to_json(self) -> dict[str, Any]:
        """The result of ``--json``."""
        table = self.table.to_json()
        found = {
            "machine": self.machine.name,
            "title": self.machine.title,
            "table": table["table"],
            "inputs": table["inputs"],
            "outputs": table["outputs"],
            "units": dict(self.machine.units),
        }
        if self.derivation is not None:
            found |= self.derivation.to_json()
        return found | ({"values": dict(self.values)} if self.values else {})

    def notes(self) -> list[str]:
        """What a reader should know besides."""
        if not self.table:
            return [
                "note: the machine defines nothing: formulas are those of a drawing or of definitions; its equations "
                "of motion are told by linkwork plan, and written as a program by linkwork synthesise"
            ]
        blocks = self.table.blocks if self.derivation is None else self.derivation.construction.simultaneous
        notes = [f"note: {len(each)} equations are solved at once, for {listed(each)}" for each in blocks]
        if not self.with_numbers:
            return notes
        odd = [line.name for line in self.table if not math.isfinite(self.values.get(line.name, 0.0))]
        notes += [f"note: no finite value here: {listed(odd)}"] if odd else []
        missing = [name for name in self.table.inputs if name not in self.values]
        return notes + ([f"note: no value given for {listed(missing)}"] if missing else [])

    def problem(self) -> LinkworkError | None:
        """Why the drawing does not exist for the values that are known; None where it does."""
        if self.derivation is None:
            return None
        from linkwork.sketch.impossible import impossible

        return impossible(self.derivation.construction, self.all_values)

    def inputs_shown(self) -> list[str]:
        """The inputs that have values, each with its value."""
        return [f"{name} = {self.value_shown(name)}" for name in self.table.inputs if name in self.values]

    def _lines_shown(self) -> list[str]:
        lines = [line.name for line in self.table if line.name in self.values]
        width = max(map(len, lines), default=0)
        return [f"{name:<{width}} = {self.value_shown(name)}" for name in lines]

    def value_shown(self, name: str) -> str:
        """A value with its unit."""
        return f"{self.values[name]:.12g} {self.unit(name)}".rstrip()

    def unit(self, name: str) -> str:
        """The unit of a name, if the machine tells one."""
        return in_one_line(self.machine.units.get(name, ""))

    def _markdown(self) -> str:
        """A page: title, construction, formulas, and a table of the inputs, with that of the lines if there are
        numbers.
        """
        title = in_one_line(self.machine.title) or in_one_line(self.machine.name)
        blocks = [f"# {title}"]
        if self.derivation is not None:
            steps = [
                f"{place}. {step.words}" for place, step in enumerate(self.derivation.construction.steps, 1)
            ]
            blocks.append("\n".join(steps))
            if self.derivation.construction.assumptions:
                blocks.append(" ".join(self.derivation.construction.assumptions))
        blocks.append(f"$$\n{self.table.latex()}\n$$")
        sections = [("given", self.table.inputs)]
        if self.with_numbers:
            sections.append(("found", tuple(line.name for line in self.table)))
        for heading, names in sections:
            rows = [f"| {heading} | value | unit |", "|---|---|---|"]
            for name in names:
                value = f"{self.values[name]:.12g}" if name in self.values else ""
                unit = self.unit(name).replace("|", "\\|")
                rows.append(f"| ${latex(symbol(name))}$ | {value} | {unit} |")
            blocks.append("\n".join(rows))
        return "\n\n".join(blocks) + "\n"


def in_one_line(words: str) -> str:
    """Free text of a file without line ends: it may stand behind // and must not leave the comment."""
    return " ".join(words.split())


def _speeds(derivation: Derivation | None) -> list[str]:
    """Velocities and accelerations of dimensions: they may be set also where they do not enter a result."""
    if derivation is None:
        return []
    leaves = (leaf for line in derivation.construction.definitions for leaf in line.mentions)
    return [f"{prefix}_{leaf.name}" for leaf in leaves for prefix in "VA"]


def _is_of_joints(machine: Machine) -> bool:
    """Whether a machine has parts that move and nothing else to derive from."""
    return machine.drawing is None and not machine.definitions and (bool(machine.moving) or machine.is_scene)


def _quantities(machine: Machine, request: Request) -> list[str]:
    """What is asked for of the equations of a machine of joints; other wishes are those of drawings."""
    others = [key for key in request.wishes if key not in ("quantity", "tidy")]
    if others or request.construction or request.rates.strip():
        option = others[0] if others else "construction" if request.construction else "rates"
        raise UsageError(
            f"--{option} is about drawings and definitions, which {machine.name} has not",
            got=f"a machine of {len(machine.moving)} parts that move",
            wanted="--quantity, --values or --set for its equations",
            fix=f"linkwork derive {machine.name} --quantity kinetic_energy",
        )
    return [word.strip() for word in str(request.wishes.get("quantity", "")).split(",") if word.strip()]


def _derived(machine: Machine, request: Request) -> Derivation | None:
    """What is derived from the machine's drawing; None where it has none."""
    if machine.drawing is None:
        if request.wishes or request.construction:
            raise UsageError(
                f"{machine.name} has no drawing to derive this from",
                wanted="a machine file with a table [drawing]",
                fix="linkwork derive crank-piston --reaction a",
            )
        return None
    from linkwork.mechanics import derive

    wishes = dict(request.wishes)
    if request.rates.strip():
        names = [word.strip() for word in request.rates.split(",") if word.strip()]
        wishes["moving"] = [*names, *str(wishes.get("moving", "")).split(",")]
        plain = derive(machine, **wishes)
        outputs = plain.table.outputs
        wishes["quantity"] = [*outputs, *(f"V_{name}" for name in outputs)]
        wishes |= {"reaction": (), "accelerations": wishes.get("accelerations", ())}
    return derive(machine, **wishes)


def _with_rates(machine: Machine, rates: str) -> Table:
    """The table and its time derivative; the inputs keep their order, the rates come behind."""
    table = machine.table()
    coordinates = list(dict.fromkeys(word.strip() for word in rates.split(",") if word.strip()))
    for name in coordinates:
        if name not in table.inputs:
            raise UsageError(
                f"--rates: nothing in the table depends on '{name}'"
                if name in machine.parameters
                else f"--rates: there is no parameter '{name}'",
                wanted="one of " + listed(table.inputs) if table.inputs else "none: the table has no inputs",
                fix=did_you_mean(name, table.inputs, f"--rates {next(iter(table.inputs), 'e')}"),
            )
    moving = time_derivative(table, coordinates)
    order = dict.fromkeys([*table.inputs, *machine.parameters, *moving.inputs])
    inputs = [name for name in order if name in moving.inputs]
    return Table.of(moving.definitions, outputs=moving.outputs, inputs=inputs)


def _number(name: str, value: Any, values: Mapping[str, float]) -> float:
    try:
        return evaluate([value], values)[0]
    except LinkworkError as error:
        raise as_usage(error, f"--set {name}") from error


def _known_values(table: Table, values: Mapping[str, float]) -> dict[str, float]:
    """The inputs that have values, and the lines that need no others."""
    known = {name: values[name] for name in table.inputs if name in values}
    if len(known) == len(table.inputs):
        try:
            return known | table.evaluate(known)
        except NoAnswer:  # a block without a solution for these values
            return known
    for line in table:
        if line.explicit is not None and all(leaf.name in known for leaf in line.mentions):
            known[line.name] = evaluate([line.explicit], known)[0]
    return known


def _program(table: Table, machine: str, name: str) -> Program:
    """The table as a program; without a name it is called after the machine."""
    plain = re.sub(r"\W+", "_", name or machine, flags=re.ASCII).strip("_")
    try:
        return Program.of_table(table, name or plain)
    except BadName as error:
        if not name:
            return Program.of_table(table, f"machine_{plain}")
        raise UsageError(f"--name: {error.problem}", why=error.why, fix=f"--name machine_{plain}") from error
