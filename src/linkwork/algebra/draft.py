"""A table in the making: its lines, who uses whom, and what a change of some lines would save."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from linkwork.algebra.arithmetic import divide, scale
from linkwork.algebra.expression import ZERO, Expression, exact
from linkwork.algebra.graph import free_symbols, substitute
from linkwork.algebra.polynomial import TooLong, as_product, common_factor, content, monomial, terms_of
from linkwork.algebra.table import Definition, Equation
from linkwork.algebra.tidy import tidied
from linkwork.algebra.weight import line_weight, weight
from linkwork.errors import ExpressionError


class Draft:
    """Lines by name in an order in which each needs only earlier ones (but for blocks)."""

    def __init__(self, lines: Iterable[Definition], kept: Iterable[str]) -> None:
        self.lines = {line.name: line for line in lines}
        self.kept = frozenset(kept)
        self.users: dict[str, dict[str, None]] = {name: {} for name in self.lines}
        for line in self.lines.values():
            self._enter(line)
        self._changed: dict[tuple[Definition, tuple[Definition, ...]], Definition | None] = {}

    def _enter(self, line: Definition) -> None:
        for leaf in line.mentions:
            if leaf.name in self.users:
                self.users[leaf.name][line.name] = None

    def put(self, line: Definition) -> None:
        """Replace the line of this name."""
        self._leave(self.lines[line.name])
        self.lines[line.name] = line
        self._enter(line)

    def drop(self, name: str) -> None:
        """Remove a line that nobody uses."""
        self._leave(self.lines.pop(name))
        del self.users[name]

    def _leave(self, line: Definition) -> None:
        for leaf in line.mentions:
            if leaf.name in self.users:
                self.users[leaf.name].pop(line.name, None)

    def tidy(self) -> None:
        """Every line in its lightest form."""
        for line in list(self.lines.values()):
            tidy = tidied_line(line)
            if tidy is not line:
                self.put(tidy)

    def drop_unneeded(self) -> None:
        """Remove the lines that no kept line needs."""
        needed: set[str] = set()
        waiting = list(self.kept)
        while waiting:
            name = waiting.pop()
            if name not in needed:
                needed.add(name)
                waiting += [leaf.name for leaf in self.lines[name].mentions if leaf.name in self.lines]
        for name in [name for name in self.lines if name not in needed]:
            self.drop(name)

    def may_go(self, line: Definition) -> bool:
        """Whether the line may be put into its users: it has a value, and nobody asked for it."""
        return line.explicit is not None and line.name not in self.kept

    def with_values(self, line: Definition, of: Sequence[Definition]) -> Definition | None:
        """The line with the values of some others in it, tidied; None where that makes no sense."""
        key = (line, tuple(of))
        if key not in self._changed:
            values: dict[Expression, Expression] = {other.symbol: other.value for other in of}
            try:
                self._changed[key] = tidied_line(rewritten(line, values))
            except ExpressionError:  # a division by zero comes to light: the line stays as it is
                self._changed[key] = None
        return self._changed[key]

    def dying(self, changed: Mapping[str, Definition]) -> list[str]:
        """The lines nobody needs any more once these have changed."""
        touched = [leaf.name for name in changed for leaf in self.lines[name].mentions]
        new_users: dict[str, list[str]] = {}
        for line in changed.values():
            for leaf in line.mentions:
                new_users.setdefault(leaf.name, []).append(line.name)
        dead: dict[str, None] = {}
        while touched:
            name = touched.pop()
            if name in dead or name not in self.lines or name in self.kept:
                continue
            users = [user for user in self.users[name] if user not in changed]
            if all(user in dead for user in (*users, *new_users.get(name, ()))):
                dead[name] = None
                touched += [leaf.name for leaf in changed.get(name, self.lines[name]).mentions]
        return list(dead)

    def gain(self, changed: Mapping[str, Definition], dead: Iterable[str]) -> int:
        """How much lighter the table would be with these lines changed and those gone."""
        dead = set(dead)
        before = sum(line_weight(self.lines[name]) for name in {*changed, *dead})
        return before - sum(line_weight(line) for name, line in changed.items() if name not in dead)

    def apply(self, changed: Mapping[str, Definition], dead: Sequence[str]) -> None:
        """Make the change. Lines that go may be among those that change."""
        for line in changed.values():
            self.put(line)
        for name in dead:
            self.drop(name)

    def levels(self) -> dict[str, int]:
        """How many lines stand below each, one upon the other: the same whatever the names and the order."""
        found: dict[str, int] = {}
        for line in self.lines.values():
            found[line.name] = 1 + max([found.get(leaf.name, 0) for leaf in line.mentions], default=0)
        return found


# ------------------------------------------------------------------------------------ single lines


def rewritten(line: Definition, values: Mapping[Expression, Expression]) -> Definition:
    """The line with values put in for symbols, in all its forms."""
    explicit, implicit, start = line.explicit, line.implicit, line.start
    if explicit is not None:
        explicit = substitute([explicit], values)[0]
    if implicit is not None:
        left, right = substitute(implicit, values)
        implicit = (left, right)
    if start is not None:
        start = substitute([start], values)[0]
    return replace(line, explicit=explicit, implicit=implicit, start=start)


def tidied_line(line: Definition) -> Definition:
    """The line with both forms tidied; the implicit one only while it is the simpler."""
    explicit = None if line.explicit is None else tidied(line.explicit)
    implicit = None if line.implicit is None else _tidied_equation(line.implicit, line.symbol)
    if implicit is not None and line.symbol not in free_symbols(*implicit):
        implicit = line.implicit  # an equation for nothing is left as it is
    elif implicit is not None and explicit is not None:
        left, right = implicit
        if left is line.symbol and line.symbol not in free_symbols(right):
            explicit = min(explicit, right, key=weight)
            implicit = None
        elif weight(explicit) < weight(left) + weight(right):
            implicit = None
    if explicit is line.explicit and _same(implicit, line.implicit):
        return line
    return replace(line, explicit=explicit, implicit=implicit)


def _same(a: Equation | None, b: Equation | None) -> bool:
    if a is None or b is None:
        return a is b
    return a[0] is b[0] and a[1] is b[1]


def _tidied_equation(equation: Equation, unknown: Expression) -> Equation:
    """Both sides tidied, what they share cancelled: 2·r·r' = 2·x·x' is r·r' = x·x'."""
    left, right = (tidied(side) for side in equation)
    best = (left, right)
    try:
        factor = _shared_factor(left, right, unknown)
        shorter = (tidied(divide(left, factor)), tidied(divide(right, factor)))
    except (TooLong, ExpressionError):
        return best
    if unknown not in free_symbols(*shorter):
        return best
    return min(best, shorter, key=lambda sides: weight(sides[0]) + weight(sides[1]))


def _shared_factor(left: Expression, right: Expression, unknown: Expression) -> Expression:
    """What all terms of both sides have in common, but never the unknown itself."""
    terms = [*terms_of(left), *terms_of(right)]
    shared = {base: times for base, times in common_factor(terms) if unknown not in free_symbols(base)}
    numbers = [side.coefficient.value for side in (left, right) if side is not ZERO]
    number = content({((unknown, place),): value for place, value in enumerate(numbers)})
    return scale(exact(number), as_product(monomial(shared)))
