"""A program: named inputs and outputs, and the definitions between them. Tables in, programs out.

A program is what a printer prints: one function with scalar or array arguments. It knows nothing of
languages; :mod:`linkwork.emit.listing` turns it into statements, each language into text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkwork.algebra import Definition, Expression, Operand, Symbol, Table, instructions, number, symbol
from linkwork.algebra.instructions import Instructions
from linkwork.algebra.reserved import reserved_because
from linkwork.errors import BadName, NameTaken, UnknownName

# More scalar arguments than this become one array: nobody calls a function with a hundred numbers.
MOST_SCALARS = 24


@dataclass(frozen=True)
class Input:
    """An argument: one scalar, or an array whose places are named symbols."""

    name: str
    symbols: tuple[str, ...]
    scalar: bool = False


@dataclass(frozen=True)
class Output:
    """A result: one scalar or an array of expressions over the inputs and definitions."""

    name: str
    expressions: tuple[Expression, ...]
    scalar: bool = False


@dataclass(frozen=True)
class Program:
    """One function to be printed.

    >>> from linkwork.algebra import symbols, sin
    >>> q, v = symbols("q v")
    >>> Program.of("swing", {"state": [q, v]}, {"rate": [v, -sin(q)]})
    swing(state[2]) → rate[2], 2 operations
    """

    name: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    definitions: tuple[Definition, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        inputs: Mapping[str, Sequence[Symbol]] | Sequence[Symbol],
        outputs: Mapping[str, Operand | Sequence[Operand]],
        definitions: Sequence[Definition] = (),
    ) -> Program:
        """A program from expressions: a mapping of array inputs, or a sequence of scalar ones."""
        if isinstance(inputs, Mapping):
            given = [Input(key, tuple(leaf.name for leaf in leaves)) for key, leaves in inputs.items()]
        else:
            given = [Input(leaf.name, (leaf.name,), scalar=True) for leaf in inputs]
        results = [_output(key, value) for key, value in outputs.items()]
        return cls(name, tuple(given), tuple(results), tuple(definitions))

    @classmethod
    def of_table(cls, table: Table, name: str = "evaluate") -> Program:
        """The program that computes a table's outputs from its inputs, by the lines they need.

        >>> Program.of_table(Table.of({"r": "sqrt(x^2 + y^2)"}), "length")
        length(x, y) → r, 4 operations
        """
        results = [Output(output, (symbol(output),), scalar=True) for output in table.outputs]
        given = [Input(key, (key,), scalar=True) for key in table.inputs]
        if len(given) + len(results) > MOST_SCALARS:
            given = [Input("inputs", table.inputs)]
            results = [Output("outputs", tuple(symbol(output) for output in table.outputs))]
        return cls(name, tuple(given), tuple(results), tuple(_needed_lines(table)))

    def __post_init__(self) -> None:
        _check_name(self.name, "function")
        names = [*(each.name for each in self.inputs), *(each.name for each in self.outputs)]
        for each in names:
            _check_name(each, "argument")
        defined = {line.name for line in self.definitions}
        given = [leaf for each in self.inputs for leaf in each.symbols]
        arrays = [each.name for each in self.inputs if not each.scalar]
        arrays += [each.name for each in self.outputs if not each.scalar]
        outputs = [each.name for each in self.outputs if each.scalar and each.name not in defined]
        _check_distinct([*given, *arrays, *defined, *(name for name in outputs if name not in given)])
        known = defined.union(given)
        for leaf in self.code.leaves.values():
            if isinstance(leaf, Symbol) and leaf.name not in known:
                raise UnknownName(
                    f"the program {self.name} uses '{leaf.name}', which is neither an input nor defined",
                    wanted="one of " + ", ".join([*given, *sorted(defined)][:20]),
                    fix=f"add {leaf.name} to the inputs",
                )

    @cached_property
    def results(self) -> tuple[Expression, ...]:
        """All output expressions in order."""
        return tuple(expression for each in self.outputs for expression in each.expressions)

    @cached_property
    def code(self) -> Instructions:
        """The instructions of the definitions, then of the outputs."""
        return instructions([*(line.value for line in self.definitions), *self.results])

    @property
    def operations(self) -> int:
        """How many operations one call costs."""
        return self.code.count().total()

    def __repr__(self) -> str:
        inputs = ", ".join(_shown(each.name, each.symbols, each.scalar) for each in self.inputs)
        outputs = ", ".join(_shown(each.name, each.expressions, each.scalar) for each in self.outputs)
        return f"{self.name}({inputs}) → {outputs}, {self.operations} operations"


def _output(name: str, value: Operand | Sequence[Operand]) -> Output:
    if isinstance(value, Sequence):
        return Output(name, tuple(number(entry) for entry in value))
    return Output(name, (number(value),), scalar=True)


def _shown(name: str, entries: Sequence[object], scalar: bool) -> str:
    return name if scalar else f"{name}[{len(entries)}]"


def _needed_lines(table: Table) -> list[Definition]:
    """The lines that the outputs depend on, in order."""
    needed = set(table.outputs)
    lines = []
    for line in reversed(table.definitions):
        if line.name in needed:
            needed.update(leaf.name for leaf in line.mentions)
            lines.append(line)
    lines.reverse()
    return lines


def _check_name(name: str, what: str) -> None:
    reason = "it is no identifier" if not name.replace(".", "_").isidentifier() else reserved_because(name)
    if reason:
        raise BadName(
            f"'{name}' cannot be the name of a {what}", got=name, why=reason, fix=f"call it {name}_"
        )


def _check_distinct(names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise NameTaken(
                f"'{name}' means two things in one program",
                why="inputs, outputs and definitions share one set of names",
                fix=f"rename one of them, for instance to {name}_out",
            )
        seen.add(name)
