"""Accelerations by elimination along the table: as many lines as the table has, not their square.

By Gauss's principle the accelerations make ½·Σ m·(x'' − f/m)² least. With x'' = C + a, where C is known and a is
linear in the accelerations u'' of the free dimensions, that is ½·a'Ka − b'a with K = m on the diagonal and
b = f − m·C. The lines of the table say a_i = Σ_k p_ik·a_k, p_ik the slopes of a line by what it mentions. Going
through the lines backwards, each a_i is replaced by that, and a free dimension that no earlier line mentions is
eliminated (:mod:`linkwork.mechanics.quadratic`); for a chain of links a 3×3 matrix is left after each.

What is found on the way becomes lines of the table (:class:`NamedTerms`), or goes without names where only the
results are wanted (:class:`linkwork.mechanics.formulas.Formulas`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from linkwork.algebra import Definition, Expression, free_symbols, gradient, symbol
from linkwork.algebra.expression import ZERO
from linkwork.algebra.table_derivative import line_partials
from linkwork.errors import LinkworkError
from linkwork.mechanics.balance import Mechanics
from linkwork.mechanics.bodies import Position
from linkwork.mechanics.quadratic import Naming, QuadraticForm


class Terms(Naming, Protocol):
    """In which terms an elimination is written."""

    def load(self, position: Position) -> Expression:
        """f − m·C of a position."""

    def over(self, expression: Expression) -> Expression:
        """An expression of lines in these terms."""


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
    """The quadratic form of the positions, taken apart along the lines of the table."""

    def __init__(self, mechanics: Mechanics, free: Sequence[str], terms: Terms) -> None:
        self.mechanics = mechanics
        self.lines = mechanics.lines
        self.terms = terms
        self.free = list(free)
        self.form = QuadraticForm(terms, nothing_moves)

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
            if line.name in self.form:
                self.replace(line, moving)
            for leaf in line.mentions:
                if leaf.name in uses:
                    uses[leaf.name] -= 1
                    if not uses[leaf.name]:
                        self.eliminate(leaf.name)
        for name in self.mechanics.moving:
            if name in self.form:
                self.eliminate(name)
        driven = [name for name in self.mechanics.moving if name not in self.free]
        self.form.forwards({name: symbol(f"A_{name}") for name in driven})

    def system(self) -> tuple[dict[tuple[str, str], Expression], dict[str, Expression]]:
        """The mass matrix and right-hand side of the free dimensions: all lines replaced, nothing eliminated.

        Composite bodies take part in it as one, so that it needs as many operations as it has entries.
        """
        self.begin()
        lines = list(self.lines.base)
        moving = self.moving_names(lines)
        for line in reversed(lines):
            if line.name in self.form:
                self.replace(line, moving)
        for name in self.mechanics.moving:
            if name not in self.free and name in self.form:
                self.eliminate(name)
        places = {name: place for place, name in enumerate(self.free)}
        matrix = {
            (first, second): value
            for first in self.free
            for second, value in self.form.k.get(first, {}).items()
            if places[first] <= places[second]
        }
        return matrix, {name: self.form.b.get(name, ZERO) for name in self.free}

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
                self.form.add_b(first.name, load * slope)
                for second, other in zip(leaves[place:], slopes[place:], strict=True):
                    self.form.add_k(first.name, second.name, mass * slope * other)

    def replace(self, line: Definition, moving: set[str]) -> None:
        """A line by what it mentions."""
        slopes = {
            name: self.terms.over(slope)
            for name, slope in line_partials(line).items()
            if name in moving and slope is not ZERO
        }
        self.form.replace(line.name, slopes)

    def eliminate(self, name: str) -> None:
        """A dimension that nothing left mentions; where its acceleration is given, it goes to the other side."""
        if name in self.free:
            self.form.eliminate(name)
            return
        row, _ = self.form.taken_out(name)
        row.pop(name, None)
        for other, entry in row.items():
            self.form.add_b(other, -entry * symbol(f"A_{name}"))


def nothing_moves(name: str) -> LinkworkError:
    """The error for a free dimension that has nothing to accelerate."""
    return LinkworkError(
        f"nothing with mass moves when {name} does",
        why="its acceleration would be a force divided by 0",
        wanted="masses on points, or inertias on lines, that it moves",
        fix="[drawing.masses]\nP = 1",
    )
