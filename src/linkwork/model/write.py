"""A machine to the text of a machine file, which reads back as the same machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from linkwork.algebra import Definition, Expression, Number, number, parse
from linkwork.algebra.text import pieces_of, written
from linkwork.errors import UsageError
from linkwork.model.contact import Contact
from linkwork.model.drawing import Drawing
from linkwork.model.field import Record
from linkwork.model.machine import Machine
from linkwork.model.schema import FORMAT
from linkwork.model.store import LARGEST_FILE
from linkwork.model.structure import PLURALS
from linkwork.model.unjoined import with_dimension
from linkwork.model.view import View

LARGEST_INTEGER = 2**63 - 1
"""What every reader of TOML must accept."""


def machine_to_text(machine: Machine, *, with_name: bool = True) -> str:
    """The machine as TOML; ``with_name=False`` leaves the name to the file's.

    >>> print(machine_to_text(Machine.of("ring", {"r": 0.5, "R": "2*r"}, {"area": "pi*(R^2 - r^2)"})))
    linkwork = 1
    name = "ring"
    <BLANKLINE>
    [parameter]
    r = 0.5
    R = "2*r"
    <BLANKLINE>
    [definition]
    area = "pi*(R^2 - r^2)"
    <BLANKLINE>
    """
    head = [f"linkwork = {FORMAT}"]
    if with_name:
        head.append(f"name = {quoted(machine.name)}")
    if machine.title:
        head.append(f"title = {quoted(machine.title)}")
    if machine.outputs:
        head.append(f"outputs = [{', '.join(quoted(name) for name in machine.outputs)}]")
    if dimension := _told_dimension(machine):
        head.append(f"dimension = {dimension}")
    if machine.gravity is not None:
        head.append(f"gravity = {inline([*machine.gravity])}")
    blocks = [head]
    if machine.parameters:
        rows = [f"{_key(name)} = {_value(value)}" for name, value in machine.parameters.items()]
        blocks.append(["[parameter]", *rows])
    if machine.definitions:
        blocks.append(["[definition]", *map(_definition, machine.definitions)])
    blocks += _structure(machine)
    if machine.units:
        rows = [f"{_key(name)} = {quoted(unit)}" for name, unit in machine.units.items()]
        blocks.append(["[units]", *rows])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _told_dimension(machine: Machine) -> int:
    """The dimension that the file must tell, or 0: of solids whose joints are to be found it says that they move in the
    plane, or in space, so that without such a wish their vectors must do.
    """
    if machine.is_flat:
        return 2
    if machine.dimension == 2:
        return 0
    is_told = machine.is_unjoined and not machine.is_spatial
    return 0 if is_told and _has_vectors(machine) else machine.dimension


def _has_vectors(machine: Machine) -> bool:
    """Whether anything is given that has as many entries as the dimension."""
    document = {
        table: {name: record.plain() for name, record in getattr(machine, field).items()}
        for table, field in PLURALS.items()
        if table in ("part", "frame", "force")
    }
    gravity = {} if machine.gravity is None else {"gravity": [*machine.gravity]}
    return with_dimension({**document, **gravity})["dimension"] == machine.dimension


def _structure(machine: Machine) -> Iterator[list[str]]:
    """The tables of parts, joints and the like, one block each."""
    if machine.functions:
        rows = [f"{_key(heading)} = {quoted(text)}" for heading, text in machine.functions.items()]
        yield ["[function]", *rows]
    for table, field in PLURALS.items():
        for name, record in getattr(machine, field).items():
            yield [f"[{table}.{_key(name)}]", *_rows(record)]
    if machine.pair_words:
        yield ["[joint]", *(f"{_key(name)} = {quoted(word)}" for name, word in machine.pair_words.items())]
    yield from _contact(machine.contact)
    if machine.plane.plain():
        yield ["[plane]", *_rows(machine.plane)]
    if machine.time.plain():
        yield ["[time]", *_rows(machine.time)]
    yield from _view(machine.view)
    if machine.drawing is not None:
        yield from _drawing(machine.drawing)


def _contact(contact: Contact) -> Iterator[list[str]]:
    """What contacts are like: of all parts, then a table for each pair."""
    if rows := [f"{name} = {inline(value)}" for name, value in contact.plain().items() if name != "pair"]:
        yield ["[contact]", *rows]
    for pair, constants in contact.pair.items():
        yield [f"[contact.pair.{_key(pair)}]", *_rows(constants)]


def _view(view: View) -> Iterator[list[str]]:
    """What is to be seen: a table for each object, light and camera."""
    plain = view.plain()
    tables = {key: plain.pop(key) for key in ("object", "light", "camera") if key in plain}
    if plain:
        yield ["[view]", *(f"{key} = {inline(value)}" for key, value in plain.items())]
    for key, entries in tables.items():
        for name, entry in entries.items():
            yield [
                f"[view.{key}.{_key(name)}]",
                *(f"{_key(each)} = {inline(value)}" for each, value in entry.items()),
            ]


def _drawing(drawing: Drawing) -> Iterator[list[str]]:
    """The drawing: what is short in its own table, the constraints and the like one to a line."""
    plain = drawing.plain()
    tables = {name: value for name, value in plain.items() if isinstance(value, Mapping)}
    yield [
        "[drawing]",
        *(f"{_key(name)} = {inline(value)}" for name, value in plain.items() if name not in tables),
    ]
    for name, entries in tables.items():
        yield [f"[drawing.{name}]", *(f"{_key(key)} = {inline(entry)}" for key, entry in entries.items())]


def _rows(record: Record) -> list[str]:
    return [f"{_key(name)} = {_in_lines(value)}" for name, value in record.plain().items()]


def _in_lines(value: Any) -> str:
    """A value of a row: a text of several lines stands in as many."""
    if isinstance(value, str) and "\n" in value and not re.search(r"[^\n\t\x20-\x7e\x80-\U0010ffff]", value):
        escaped = value.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        if not escaped.endswith('"'):
            return f'"""\n{escaped}"""'
    return inline(value)


def inline(value: Any) -> str:
    """A value on one line, such as :meth:`Record.plain` gives.

    >>> inline({"at": [1, 0.5], "text": "it"})
    '{ at = [1, 0.5], text = "it" }'
    """
    if isinstance(value, Expression):
        return _value(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(name)} = {inline(entry)}" for name, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(inline, value))}]"
    return str(value)


def quoted(text: str) -> str:
    r"""A TOML string.

    >>> print(quoted('say "x"\n'))
    "say \"x\"\n"
    """
    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', _escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    plain = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return plain.get(character, f"\\u{ord(character):04x}")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else quoted(name)


def _value(value: Expression) -> str:
    """A TOML number where one holds the value exactly, else an expression in quotes."""
    if isinstance(value, Number):
        exact = Fraction(value.value)
        if exact.denominator == 1 and abs(exact) <= LARGEST_INTEGER:
            return str(exact)
        try:
            shown = repr(float(exact))
        except OverflowError:
            shown = "inf"
        if "inf" not in shown and parse(shown.lstrip("-")) is number(abs(exact)):
            return shown
    return quoted(_text([value]))


def _definition(line: Definition) -> str:
    if line.implicit is None:
        return f"{_key(line.name)} = {quoted(_text([line.value]))}"
    implicit = f"implicit = {quoted(_text(line.implicit))}"
    if line.explicit is None or line == Definition.of(line.name, implicit=line.implicit):
        return f"{_key(line.name)} = {{ {implicit} }}"
    return f"{_key(line.name)} = {{ explicit = {quoted(_text([line.explicit]))}, {implicit} }}"


def _text(sides: Iterable[Expression]) -> str:
    """Expressions in our notation, equal signs between them; a graph too large to write out is an error."""
    pieces: list[str] = []
    length = 0
    for side in sides:
        if pieces:
            pieces.append(" = ")
        for piece in written(side, pieces_of, ("(", ")")):
            pieces.append(piece)
            length += len(piece)
            if length > LARGEST_FILE:
                raise UsageError(
                    "an expression is too large to be written into a file",
                    got="".join(pieces[:20])[:60] + "…",
                    wanted=f"at most {LARGEST_FILE // 2**20} MiB of text",
                    why="its shared parts are written out each time they occur",
                    fix="give its parts names of their own: one definition each",
                )
    return "".join(pieces)
