"""What ``derive`` found: a machine's table, perhaps with rates and numbers, in every form it can be shown."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from linkwork.algebra import Table, evaluate, latex, symbol, time_derivative
from linkwork.cli.settings import as_usage, read_settings
from linkwork.emit import Program, print_c, print_javascript, print_python
from linkwork.errors import BadName, LinkworkError, UsageError
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean, listed

PRINTERS: Final[Mapping[str, Callable[[Program], str]]] = {
    "c": print_c,
    "javascript": print_javascript,
    "python": print_python,
}
_COMMENT: Final = {"text": "", "latex": "% ", "c": "// ", "javascript": "// ", "python": "# "}


@dataclass(frozen=True)
class Derivation:
    """A table and the numbers known for it; ``with_numbers`` where the reader asked for them."""

    machine: Machine
    table: Table
    values: Mapping[str, float]
    with_numbers: bool

    @classmethod
    def of(cls, machine: Machine, rates: str, settings: Sequence[str]) -> Derivation:
        """The derivation that the options ask for."""
        table = _with_rates(machine, rates) if rates.strip() else machine.table()
        names = dict.fromkeys([*machine.parameters, *table.inputs])
        given = read_settings(settings, names, [line.name for line in table])
        parameters = {name: value for name, value in given.items() if name in machine.parameters}
        try:
            values = machine.values(parameters)
        except LinkworkError as error:
            raise as_usage(error, "--set") from error
        for name, value in given.items():
            if name not in parameters:
                values[name] = _number(name, value, values)
        return cls(machine, table, _known_values(table, values), bool(given))

    def text(self, form: str, name: str) -> str:
        """The table in one of the forms, the numbers behind it where they were asked for."""
        if form == "markdown":
            return self._markdown()
        if form in PRINTERS:
            shown = PRINTERS[form](_program(self.table, self.machine.name, name))
        else:
            shown = self.table.latex() + "\n" if form == "latex" else f"{self.table}\n"
        if self.with_numbers:
            rows = ["", f"with {', '.join(self._inputs_shown())}", "", *self._lines_shown()]
            shown += "".join(f"{_COMMENT[form]}{row}".rstrip() + "\n" for row in rows)
        return shown

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
        return found | ({"values": dict(self.values)} if self.values else {})

    def notes(self) -> list[str]:
        """What a reader should know besides."""
        if not self.table:
            return ["note: the machine defines nothing"]
        if not self.with_numbers:
            return []
        odd = [line.name for line in self.table if not math.isfinite(self.values.get(line.name, 0.0))]
        missing = [name for name in self.table.inputs if name not in self.values]
        notes = [f"note: no finite value here: {listed(odd)}"] if odd else []
        return notes + ([f"note: no value given for {listed(missing)}"] if missing else [])

    def _inputs_shown(self) -> list[str]:
        return [f"{name} = {self._value(name)}" for name in self.table.inputs if name in self.values]

    def _lines_shown(self) -> list[str]:
        lines = [line.name for line in self.table if line.name in self.values]
        width = max(map(len, lines), default=0)
        return [f"{name:<{width}} = {self._value(name)}" for name in lines]

    def _value(self, name: str) -> str:
        return f"{self.values[name]:.12g} {self._unit(name)}".rstrip()

    def _unit(self, name: str) -> str:
        return _in_one_line(self.machine.units.get(name, ""))

    def _markdown(self) -> str:
        """A page: title, formulas, and a table of the inputs, with that of the lines if there are numbers."""
        title = _in_one_line(self.machine.title) or _in_one_line(self.machine.name)
        blocks = [f"# {title}", f"$$\n{self.table.latex()}\n$$"]
        sections = [("given", self.table.inputs)]
        if self.with_numbers:
            sections.append(("found", tuple(line.name for line in self.table)))
        for heading, names in sections:
            rows = [f"| {heading} | value | unit |", "|---|---|---|"]
            for name in names:
                value = f"{self.values[name]:.12g}" if name in self.values else ""
                unit = self._unit(name).replace("|", "\\|")
                rows.append(f"| ${latex(symbol(name))}$ | {value} | {unit} |")
            blocks.append("\n".join(rows))
        return "\n\n".join(blocks) + "\n"


def _in_one_line(words: str) -> str:
    """Free text of a file without line ends: it may stand behind // and must not leave the comment."""
    return " ".join(words.split())


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
