"""Accelerations by elimination along the table: as many lines as the table has, not their square.

By Gauss's principle the accelerations make ½·Σ m·(x'' − f/m)² least. With x'' = C + a, where C is known and a is
linear in the accelerations u'' of the free dimensions, that is ½·a'Ka − b'a with K = m on the diagonal and
b = f − m·C. The lines of the table say a_i = Σ_k p_ik·a_k, p_ik the slopes of a line by what it mentions. Going
through the lines backwards, each a_i is replaced by that; a free dimension that no earlier line mentions is
eliminated by its own equation,

    u'' = b_u/K_uu − Σ_j (K_uj/K_uu)·a_j,     K_jk − K_uj·K_uk/K_uu,     b_j − b_u·K_uj/K_uu,

and found going forwards again. For a chain of links this is the articulated-body algorithm (Featherstone 1983),
derived rather than typed in: what is left after each link is a 3×3 matrix.

What is found on the way becomes lines of the table (:class:`NamedTerms`), or goes without names where only the
results are wanted (:class:`linkwork.mechanics.formulas.Formulas`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from linkwork.algebra import Definition, Expression, free_symbols, gradient, symbol
from linkwork.algebra.arithmetic import add, divide, multiply, negate, scale
from linkwork.algebra.expression import TWO, ZERO
from linkwork.algebra.table_derivative import line_partials
from linkwork.errors import LinkworkError
from linkwork.mechanics.balance import Mechanics
from linkwork.mechanics.bodies import Position
from linkwork.mechanics.motion import combined


class Terms(Protocol):
    """In which terms an elimination is written."""

    def load(self, position: Position) -> Expression:
        """f − m·C of a position."""

    def over(self, expression: Expression) -> Expression:
        """An expression of lines in these terms."""

    def named(self, name: str, value: Expression) -> Expression:
        """What stands for a value from now on."""

    def named_row(self, name: str, row: dict[str, Expression]) -> dict[str, Expression]:
        """The same of the values of a row, each by the row's name and its own."""

    def acceleration(self, dimension: str, value: Expression) -> Expression:
        """The same of the acceleration of a dimension."""

    def linear_part(self, line: str, value: Expression) -> Expression:
        """The same of the linear part of a line's acceleration."""


class NamedTerms:
    """An elimination in lines of the table."""

    def __init__(self, mechanics: Mechanics) -> None:
        self.mechanics = mechanics
        self.named = mechanics.lines.named

    def load(self, position: Position) -> Expression:
        """f − m·C of a position."""
        force = self.mechanics.force(position)
        if position.mass is ZERO:
            return force
        return force - position.mass * self.mechanics.convective(position.x)

    def over(self, expression: Expression) -> Expression:
        """An expression of lines is one of these terms already."""
        return expression

    def named_row(self, name: str, row: dict[str, Expression]) -> dict[str, Expression]:
        """A row of lines."""
        return {other: self.named(f"{name}_{other}", value) for other, value in row.items()}

    def acceleration(self, dimension: str, value: Expression) -> Expression:
        """A new line for the acceleration of a dimension."""
        return self.mechanics.lines.define(Definition.of(f"A_{dimension}", value))

    def linear_part(self, line: str, value: Expression) -> Expression:
        """A new line for the linear part of a line's acceleration."""
        return self.mechanics.lines.define(Definition.of(f"a_{line}", value))


class Elimination:
    """The quadratic form ½·a'Ka − b'a over what is not eliminated yet."""

    def __init__(self, mechanics: Mechanics, free: Sequence[str], terms: Terms) -> None:
        self.mechanics = mechanics
        self.lines = mechanics.lines
        self.terms = terms
        self.free = list(free)
        self.k: dict[str, dict[str, Expression]] = {}
        self.b: dict[str, Expression] = {}
        self.solved: list[tuple[str, Expression, Mapping[str, Expression]]] = []
        self.replaced: dict[str, Mapping[str, Expression]] = {}

    def accelerations(self) -> None:
        """Enter the accelerations of the free dimensions."""
        self.begin()
        lines = list(self.lines.base)
        moving = self.moving_names(lines)
        uses = dict.fromkeys(self.mechanics.moving, 0)
        for line in lines:
            for leaf in line.mentions:
                if leaf.name in uses:
                    uses[leaf.name] += 1
        for line in reversed(lines):
            if line.name in self.k:
                self.replace(line, moving)
            for leaf in line.mentions:
                if leaf.name in uses:
                    uses[leaf.name] -= 1
                    if not uses[leaf.name]:
                        self.eliminate(leaf.name)
        for name in self.mechanics.moving:
            if name in self.k:
                self.eliminate(name)
        self.forwards()

    def system(self) -> tuple[dict[tuple[str, str], Expression], dict[str, Expression]]:
        """The mass matrix and right-hand side of the free dimensions: all lines replaced, nothing eliminated.

        Composite bodies take part in it as one, so that it needs as many operations as it has entries.
        """
        self.begin()
        lines = list(self.lines.base)
        moving = self.moving_names(lines)
        for line in reversed(lines):
            if line.name in self.k:
                self.replace(line, moving)
        for name in self.mechanics.moving:
            if name not in self.free and name in self.k:
                self.eliminate(name)
        places = {name: place for place, name in enumerate(self.free)}
        matrix = {
            (first, second): value
            for first in self.free
            for second, value in self.k.get(first, {}).items()
            if places[first] <= places[second]
        }
        return matrix, {name: self.b.get(name, ZERO) for name in self.free}

    def moving_names(self, lines: Sequence[Definition]) -> set[str]:
        """The dimensions that move, and the lines that move with them."""
        moving = set(self.mechanics.moving)
        for line in lines:
            if any(leaf.name in moving for leaf in line.mentions):
                moving.add(line.name)
        return moving

    def begin(self) -> None:
        """K and b of the positions."""
        for each in self.mechanics.positions:
            leaves = free_symbols(each.x)
            slopes = [self.terms.over(slope) for slope in gradient(each.x, leaves)]
            load, mass = self.terms.load(each), self.terms.over(each.mass)
            for place, (first, slope) in enumerate(zip(leaves, slopes, strict=True)):
                self.add_b(first.name, load * slope)
                for second, other in zip(leaves[place:], slopes[place:], strict=True):
                    self.add_k(first.name, second.name, mass * slope * other)

    def add_b(self, name: str, value: Expression) -> None:
        self.k.setdefault(name, {})
        self.b[name] = add(self.b.get(name, ZERO), value)

    def add_k(self, first: str, second: str, value: Expression) -> None:
        if value is ZERO:
            return
        row = self.k.setdefault(first, {})
        row[second] = total = add(row.get(second, ZERO), value)
        if first != second:
            self.k.setdefault(second, {})[first] = total

    def taken_out(self, name: str) -> tuple[dict[str, Expression], Expression]:
        """The row of a name and its side; the form no longer has it."""
        row = self.k.pop(name, {})
        for other in row:
            if other != name:
                del self.k[other][name]
        left = {other: value for other, value in row.items() if value is not ZERO}
        return self.terms.named_row(f"K_{name}", left), self.terms.named(f"b_{name}", self.b.pop(name, ZERO))

    def replace(self, line: Definition, moving: set[str]) -> None:
        """a_i = Σ_k p_ik·a_k put into the form."""
        row, side = self.taken_out(line.name)
        own = row.pop(line.name, ZERO)
        slopes = {
            name: self.terms.over(slope)
            for name, slope in line_partials(line).items()
            if name in moving and slope is not ZERO
        }
        slopes = self.replaced[line.name] = self.terms.named_row(f"{line.name}_per", slopes)
        names = list(slopes)
        for place, (first, slope) in enumerate(slopes.items()):
            self.add_b(first, multiply(side, slope))
            for other, entry in row.items():
                share = multiply(entry, slope)
                self.add_k(first, other, scale(TWO, share) if other == first else share)
            pushed = multiply(own, slope)
            for second in names[place:]:
                self.add_k(first, second, multiply(pushed, slopes[second]))

    def eliminate(self, name: str) -> None:
        """A dimension that nothing left mentions: its equation, and what the others keep of it."""
        row, side = self.taken_out(name)
        own = row.pop(name, ZERO)
        if name not in self.free:  # its acceleration is given
            for other, entry in row.items():
                self.add_b(other, -entry * symbol(f"A_{name}"))
            return
        if own is ZERO:
            raise nothing_moves(name)
        shares = self.terms.named_row(
            f"G_{name}", {other: divide(entry, own) for other, entry in row.items()}
        )
        names = list(shares)
        for place, first in enumerate(names):
            self.add_b(first, negate(multiply(side, shares[first])))
            for second in names[place:]:
                self.add_k(first, second, negate(multiply(row[first], shares[second])))
        self.solved.append((name, side / own, shares))

    def forwards(self) -> None:
        """The accelerations of the dimensions, and the linear parts of those of the lines they need."""
        driven = [name for name in self.mechanics.moving if name not in self.free]
        rates: dict[str, Expression] = {name: symbol(f"A_{name}") for name in driven}
        for name, alone, shares in reversed(self.solved):
            self.find_parts(shares, rates)
            rates[name] = self.terms.acceleration(name, alone - combined(shares, rates))

    def find_parts(self, names: Iterable[str], rates: dict[str, Expression]) -> None:
        """The linear parts of the accelerations of lines, those they need first."""
        waiting = list(names)
        while waiting:
            name = waiting[-1]
            missing = [] if name in rates else [each for each in self.replaced[name] if each not in rates]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if name not in rates:
                rates[name] = self.terms.linear_part(name, combined(self.replaced[name], rates))


def nothing_moves(name: str) -> LinkworkError:
    """The error for a free dimension that has nothing to accelerate."""
    return LinkworkError(
        f"nothing with mass moves when {name} does",
        why="its acceleration would be a force divided by 0",
        wanted="masses on points, or inertias on lines, that it moves",
        fix="[drawing.masses]\nP = 1",
    )
