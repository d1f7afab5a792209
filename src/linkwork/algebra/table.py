"""The table: named definitions in reading order, each explicit, implicit or both.

This is the intermediate variable table of Todd, McLeod and Harris (1994): instead of one endless
formula, a page of short ones. ``r² = x² + y²`` is the implicit form of ``r = √(x² + y²)``; it reads
better and differentiates to less (r·r' = x·x' + y·y'), the explicit form is what is evaluated.

Equations that cannot be solved one after the other (E − ec·sin(E) = M; two circles for the two coordinates
of their intersection) stay implicit and are solved together, in *blocks*, by Newton's method.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from linkwork.algebra.block import Block
from linkwork.algebra.differentiate import derivative
from linkwork.algebra.expression import ONE, Expression, Symbol, number, symbol
from linkwork.algebra.graph import Replaced, free_symbols
from linkwork.algebra.instructions import operation_count
from linkwork.algebra.isolate import isolated
from linkwork.algebra.latex import latex, latex_name
from linkwork.algebra.numeric import as_double, evaluate
from linkwork.algebra.order import Unit, in_dependency_order, in_units
from linkwork.algebra.parse import parse, parse_equation
from linkwork.algebra.text import text
from linkwork.errors import CyclicDefinition, NameTaken, NotSolvable, UnknownName, UsageError

Equation = tuple[Expression, Expression]


@dataclass(frozen=True)
class Definition:
    """One line of a table: a name, what it equals, and an equation it satisfies.

    At least one of the two forms is given. An implicit form alone is solved for the name where that is
    possible; ``explicit`` stays None where it is not. Then the name is found by Newton's method, from
    ``start``: a number or an expression of inputs and earlier lines, 1 if not given. It chooses the branch,
    so an equation that is given one, and is not linear, is not solved by formula, whose branch is fixed.

    >>> Definition.of("r", implicit="r^2 = x^2 + y^2")
    r^2 = x^2 + y^2
    >>> Definition.of("r", implicit="r^2 = x^2 + y^2").explicit
    sqrt(x^2 + y^2)
    >>> Definition.of("r", implicit="r^2 = x^2 + y^2", start=-1).explicit is None
    True
    """

    name: str
    explicit: Expression | None
    implicit: Equation | None = None
    start: Expression | None = None

    @classmethod
    def of(
        cls,
        name: str,
        explicit: Expression | str | float | None = None,
        implicit: Equation | str | None = None,
        start: Expression | str | float | None = None,
    ) -> Definition:
        """A definition from expressions, numbers or text."""
        defined = symbol(name)
        if start is not None:
            start = _as_start(name, start, implicit)
        if isinstance(explicit, str):
            explicit = parse(explicit)
        if isinstance(implicit, str):
            implicit = parse_equation(implicit)
        if explicit is None and implicit is None:
            raise UsageError(
                f"'{name}' is defined by nothing",
                wanted="an explicit form, an implicit form, or both",
                fix=f'Definition.of("{name}", "a + b")',
            )
        if implicit is not None and defined not in free_symbols(*implicit):
            raise NotSolvable(
                f"the equation for '{name}' does not mention it",
                got=f"{implicit[0]} = {implicit[1]}",
                fix=f"{name} = …",
            )
        if explicit is None and implicit is not None:
            return cls(name, None, implicit, start).solved()
        value = number(explicit)  # type: ignore[arg-type]
        leaves = free_symbols(value)
        if defined in leaves:
            raise CyclicDefinition(
                f"'{name}' is defined by itself",
                got=f"{name} = {value}",
                fix=f'to solve an equation for it: Definition.of("{name}", implicit="{name} = {value}")',
            )
        line = cls(name, value, implicit, start)
        if implicit is None:
            vars(line)["mentions"] = leaves  # known already
        return line

    @property
    def symbol(self) -> Symbol:
        """The name as a symbol, to be used in other definitions."""
        return symbol(self.name)

    @cached_property
    def mentions(self) -> tuple[Symbol, ...]:
        """The other symbols this definition needs, in either of its forms or to begin with."""
        sides = [side for side in (self.explicit, *(self.implicit or ()), self.start) if side is not None]
        return tuple(leaf for leaf in free_symbols(*sides) if leaf is not self.symbol)

    @property
    def start_mentions(self) -> tuple[Symbol, ...]:
        """The symbols needed to begin with."""
        return () if self.start is None else free_symbols(self.start)

    @property
    def is_equation(self) -> bool:
        """Whether the implicit form is all that was given: such lines may be solved together."""
        if self.implicit is None:
            return False
        return self.explicit is None or self.explicit is isolated(*self.implicit, self.symbol)

    def solved(self) -> Definition:
        """The line with its explicit form where its equation can be solved for the name alone."""
        if self.explicit is not None or self.implicit is None:
            return self
        left, right = self.implicit
        chosen = self.start is not None and self.symbol in free_symbols(derivative(left - right, self.symbol))
        explicit = None if chosen else isolated(left, right, self.symbol)
        start = ONE if explicit is None and self.start is None else self.start
        return replace(self, explicit=explicit, start=start)

    def unsolved(self) -> Definition:
        """The line as one of a block: without explicit form, with a start."""
        return replace(self, explicit=None, start=ONE if self.start is None else self.start)

    @property
    def equation(self) -> Equation:
        """The form to be read: implicit where there is one."""
        return self.implicit if self.implicit is not None else (self.symbol, self.value)

    @property
    def value(self) -> Expression:
        """The explicit form; an error where there is none."""
        if self.explicit is None:
            raise NotSolvable(
                f"'{self.name}' cannot be isolated from its equation",
                got="{} = {}".format(*(self.implicit or ())),
                wanted="an explicit form",
                why="it occurs several times, not linearly, or the equation is solved together with others",
                fix=f"give one: {self.name} = …",
            )
        return self.explicit

    def __str__(self) -> str:
        return " = ".join(text(side) for side in self.equation)

    __repr__ = __str__

    def to_json(self) -> dict[str, str | None]:
        """Name and both forms as text, and the start where there is one."""
        return {
            "name": self.name,
            "explicit": None if self.explicit is None else text(self.explicit),
            "implicit": None if self.implicit is None else " = ".join(text(side) for side in self.implicit),
        } | ({} if self.start is None else {"start": text(self.start)})


@dataclass(frozen=True, repr=False)
class Table:
    """Definitions in an order in which each needs only earlier ones, with named inputs and outputs.

    Equations that need each other stand together and are solved together.

    >>> table = Table.of({"r": "sqrt(x^2 + y^2)", "area": "pi*r^2"}, outputs=["area"])
    >>> print(table)
    r = sqrt(x^2 + y^2)
    area = pi*r^2
    >>> table.inputs
    ('x', 'y')
    >>> round(table.evaluate({"x": 3, "y": 4})["area"], 3)
    78.54
    >>> equations = {"x": "x^2 + y^2 = 25", "y": "x - y = d"}
    >>> meet = Table.of(Definition.of(name, implicit=form, start=9) for name, form in equations.items())
    >>> meet.blocks
    (('x', 'y'),)
    >>> {name: round(value, 9) for name, value in meet.evaluate({"d": 1}).items()}
    {'x': 4.0, 'y': 3.0}
    """

    definitions: tuple[Definition, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @classmethod
    def of(
        cls,
        definitions: Mapping[str, Expression | str | float] | Iterable[Definition],
        outputs: Sequence[str] | None = None,
        inputs: Sequence[str] | None = None,
    ) -> Table:
        """A table from definitions in any order; they are sorted, keeping the given order where possible.

        ``inputs`` fixes the order of the inputs (default: by name), and any other free name is then
        an error. ``outputs`` defaults to every definition.
        """
        if isinstance(definitions, Mapping):
            definitions = [Definition.of(name, value) for name, value in definitions.items()]
        given = list(definitions)
        for line in given:
            if not isinstance(line, Definition):
                raise UsageError(
                    "a table is made of definitions",
                    got=f"{line!r} ({type(line).__name__})"[:80],
                    wanted='{"name": "expression"} or Definition.of("name", "expression")',
                    fix=f'Table.of({{"r": "{line}"}})'[:80],
                )
        defined = _unique_names(given)
        needed = sorted({leaf.name for line in given for leaf in line.mentions} - defined.keys())
        if inputs is None:
            inputs = needed
        else:
            _check_inputs(inputs, needed, defined)
        chosen = tuple(defined) if outputs is None else tuple(outputs)
        _check_once(inputs, "input")
        _check_once(chosen, "output")
        for name in chosen:
            if name not in defined and name not in inputs:
                raise _unknown(name, [*defined, *inputs])
        return cls(tuple(in_dependency_order(given)), tuple(inputs), chosen)

    @cached_property
    def _by_name(self) -> dict[str, Definition]:
        return {line.name: line for line in self.definitions}

    def __getitem__(self, name: str) -> Definition:
        if name not in self._by_name:
            raise _unknown(name, list(self._by_name))
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __len__(self) -> int:
        return len(self.definitions)

    def __iter__(self) -> Iterator[Definition]:
        return iter(self.definitions)

    @cached_property
    def input_symbols(self) -> tuple[Symbol, ...]:
        """The inputs as symbols."""
        return tuple(symbol(name) for name in self.inputs)

    def mentions(self) -> dict[str, tuple[str, ...]]:
        """Which other names each definition needs: what the planner sees."""
        return {line.name: tuple(leaf.name for leaf in line.mentions) for line in self.definitions}

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The lines in the order in which they are solved: one by one, those of a block together."""
        if all(line.explicit is not None for line in self.definitions):
            return tuple((line,) for line in self.definitions)
        return tuple(in_units(self.definitions))

    @property
    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """The names that are found by Newton's method, those found together in one tuple, in order.

        A single equation that cannot be solved by formula is a block of one.
        """
        return tuple(tuple(line.name for line in unit) for unit in self.units if unit[0].explicit is None)

    @cached_property
    def _solvers(self) -> dict[Unit, Block]:
        return {unit: Block.of(unit) for unit in self.units if unit[0].explicit is None}

    def expanded(self, names: Sequence[str] | None = None) -> list[Expression]:
        """The outputs (or the named definitions) over the inputs alone; shared parts stay shared.

        What depends on a block cannot be expanded: that is an error.

        >>> Table.of({"u": "x + 1", "v": "u^2"}).expanded(["v"])
        [(x + 1)^2]
        """
        over_inputs = Replaced({})
        closed: dict[str, str] = {}  # what cannot be expanded, and the block's name it depends on
        for line in self.definitions:
            blocked = [closed[leaf.name] for leaf in line.mentions if leaf.name in closed] if closed else []
            if line.explicit is None or blocked:
                closed[line.name] = blocked[0] if blocked else line.name
                continue
            over_inputs.enter(line.symbol, over_inputs.of(line.explicit))
        wanted = self.outputs if names is None else names
        for name in wanted:
            if name in closed:
                raise _not_closed(name, self[closed[name]])
            if name not in self._by_name and name not in self.inputs:
                raise _unknown(name, [*self._by_name, *self.inputs])
        return [over_inputs.of(symbol(name)) for name in wanted]

    def evaluate(self, values: Mapping[str, float]) -> dict[str, float]:
        """The value of every definition, in floating point; blocks by Newton's method.

        A block that has no solution, or none that can be reached from its start, raises ``NoAnswer``.
        """
        missing = [name for name in self.inputs if name not in values]
        if missing:
            raise UnknownName(
                f"{', '.join(missing)} {'has' if len(missing) == 1 else 'have'} no value",
                got="values for " + (", ".join(values) or "nothing"),
                wanted="a value for " + ", ".join(self.inputs),
                fix="evaluate({" + ", ".join(f'"{name}": 1.0' for name in self.inputs) + "})",
            )
        known = {name: as_double(name, value) for name, value in values.items()}
        for unit in self.units:
            if unit[0].explicit is None:
                known |= self._solvers[unit].solved(known)
            else:
                known[unit[0].name] = evaluate([unit[0].explicit], known)[0]
        return {line.name: known[line.name] for line in self.definitions}

    @property
    def operations(self) -> int:
        """How many operations evaluate the whole table, parts shared between lines counted once.

        A block counts with one evaluation of its residuals and their Jacobian.
        """
        explicit = [line.explicit for line in self.definitions if line.explicit is not None]
        return operation_count(explicit) + sum(block.operations for block in self._solvers.values())

    def __str__(self) -> str:
        return "\n".join(str(line) for line in self.definitions)

    def __repr__(self) -> str:
        return f"Table of {len(self)} definitions: {', '.join(self.inputs)} → {', '.join(self.outputs)}"

    def latex(self) -> str:
        """The table as an ``aligned`` block."""
        lines = []
        for line in self.definitions:
            left, right = line.equation
            shown = latex_name(line.name) if left is line.symbol else latex(left)
            lines.append(rf"{shown} &= {latex(right)}")
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"$${self.latex()}$$"

    def to_json(self) -> dict[str, Any]:
        """The table as plain data; :meth:`from_json` gives an equal one."""
        return {
            "linkwork": "table/1",
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "table": [line.to_json() for line in self.definitions],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Table:
        """The table of :meth:`to_json`."""
        try:
            lines = [
                Definition.of(row["name"], row.get("explicit"), row.get("implicit"), row.get("start"))
                for row in data["table"]
            ]
            return cls.of(lines, outputs=data["outputs"], inputs=data["inputs"])
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise UsageError(
                "these data are not a table",
                got=str(data)[:80],
                wanted='{"inputs": […], "outputs": […], "table": [{"name", "explicit", "implicit"}, …]}',
                why=f"{type(error).__name__}: {error}",
                fix="use the result of table.to_json()",
            ) from None


class TableBuilder:
    """Collects definitions one by one, handing out the symbol of each.

    >>> build = TableBuilder()
    >>> r = build.define("r", "sqrt(x^2 + y^2)")
    >>> build.define("area", r * r)
    area
    >>> build.table(outputs=["area"])
    Table of 2 definitions: x, y → area
    """

    def __init__(self, definitions: Iterable[Definition] = (), inputs: Iterable[str] = ()) -> None:
        self._lines = _unique_names(list(definitions))
        self._inputs = tuple(inputs)

    def define(
        self,
        name: str,
        explicit: Expression | str | float | None = None,
        implicit: Equation | str | None = None,
        start: Expression | str | float | None = None,
    ) -> Symbol:
        """Add a definition and return its symbol."""
        if name in self._lines or name in self._inputs:
            raise _taken(name)
        self._lines[name] = Definition.of(name, explicit, implicit, start)
        return symbol(name)

    def __contains__(self, name: object) -> bool:
        return name in self._lines

    def __getitem__(self, name: str) -> Definition:
        return self._lines[name]

    def table(self, outputs: Sequence[str] | None = None, inputs: Sequence[str] | None = None) -> Table:
        """The table of what was defined. Inputs given to the builder come first, others by name."""
        if inputs is None and self._inputs:
            mentioned = {leaf.name for line in self._lines.values() for leaf in line.mentions}
            inputs = [*self._inputs, *sorted(mentioned - self._lines.keys() - set(self._inputs))]
        return Table.of(self._lines.values(), outputs, inputs)


def _as_start(name: str, start: Expression | str | float, implicit: Equation | str | None) -> Expression:
    """Where the search for a name begins, checked."""
    if implicit is None:
        raise UsageError(
            f"'{name}' has a start but no equation to be solved from it",
            got=f"start = {start}",
            fix=f'Definition.of("{name}", implicit="… = …", start={start})',
        )
    value = parse(start) if isinstance(start, str) else number(start)
    if symbol(name) in free_symbols(value):
        raise CyclicDefinition(
            f"the start of '{name}' needs {name} itself",
            got=f"start = {value}",
            wanted="a number, or an expression of inputs and earlier lines",
        )
    return value


def _not_closed(name: str, line: Definition) -> NotSolvable:
    on = "" if name == line.name else f" depends on {line.name}, which"
    return NotSolvable(
        f"'{name}'{on} has no closed form",
        got=str(line),
        wanted="a formula over the inputs alone",
        why="its equation is solved in numbers, by Newton's method",
        fix="table.evaluate({…}) for values, table_jacobian(…) for derivatives",
    )


def _unique_names(lines: Sequence[Definition]) -> dict[str, Definition]:
    by_name: dict[str, Definition] = {}
    for line in lines:
        if line.name in by_name:
            raise _taken(line.name)
        by_name[line.name] = line
    return by_name


def _check_once(names: Sequence[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise NameTaken(
                f"'{name}' stands twice among the {what}s", got=", ".join(names), fix=f"name each {what} once"
            )
        seen.add(name)


def _taken(name: str) -> NameTaken:
    return NameTaken(
        f"'{name}' is defined twice",
        why="a table gives every name one meaning",
        fix=f"call the second one {name}_2, or remove it",
    )


def _unknown(name: str, known: Sequence[str]) -> UnknownName:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    return UnknownName(
        f"the table does not define '{name}'",
        wanted="one of " + ", ".join(known[:20]) + (", …" if len(known) > 20 else ""),
        fix=f"did you mean {near[0]}?" if near else f"add a definition of {name}",
    )


def _check_inputs(inputs: Sequence[str], needed: Sequence[str], defined: Mapping[str, Definition]) -> None:
    for name in inputs:
        if name in defined:
            raise NameTaken(
                f"'{name}' is both an input and defined",
                got=str(defined[name]),
                why="a quantity is either given or computed",
                fix=f"leave {name} out of the inputs, or remove its definition",
            )
    for name in needed:
        if name not in inputs:
            users = [line.name for line in defined.values() if symbol(name) in line.mentions]
            raise UnknownName(
                f"'{name}' is neither an input nor defined",
                got=f"used in the definition of {', '.join(users[:5])}",
                wanted="one of the inputs " + ", ".join(inputs),
                fix=f"add {name} to the inputs, or define it",
            )
