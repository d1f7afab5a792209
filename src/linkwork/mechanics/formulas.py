"""Mechanics over the inputs alone: what the lines of a table stand for, and how fast it moves, without names between.

A program needs no names, and what cancels between two lines is seen where they are put into each other. Velocities
are rates of these values, forward through the graph they share; C is the rate of a velocity while the dimensions
move at constant speeds. With one dimension u that moves these are ∂x/∂u·u' and ∂²x/∂u²·u'², which is shortest. A
line with an equation moves by that: r² = x² + y² gives r' = (x·x' + y·y')/r.
"""

from __future__ import annotations

from linkwork.algebra import Definition, Expression, free_symbols, symbol
from linkwork.algebra.differentiate import Moved
from linkwork.algebra.expression import ONE, ZERO, Number, Symbol
from linkwork.algebra.graph import Replaced
from linkwork.algebra.table_derivative import rate_name, rates_of_lines
from linkwork.mechanics.balance import Mechanics
from linkwork.mechanics.bodies import Position


class Formulas:
    """The lines of a derivation over its inputs, and an elimination in these terms."""

    def __init__(self, mechanics: Mechanics) -> None:
        self.mechanics = mechanics
        speeds: dict[Expression, Expression] = {
            symbol(name): symbol(rate_name(name)) for name in mechanics.moving
        }
        self._pace = ONE if len(speeds) != 1 else speeds.popitem()[1]
        self._pace_squared = self._pace**2
        self._moved = Moved(speeds or {symbol(name): ONE for name in mechanics.moving})
        self._over_inputs = Replaced({})
        self._entered: set[str] = set()
        for line in mechanics.lines.base:
            self._enter(line)
            if line.implicit is not None:
                self._enter_motion(line)

    def __contains__(self, name: object) -> bool:
        return name in self._entered

    def _enter(self, line: Definition) -> None:
        self._over_inputs.enter(line.symbol, self.over(line.value))
        self._entered.add(line.name)

    def _enter_motion(self, line: Definition) -> None:
        """The speed of a line with an equation, and the rate of that, by derivatives of the equation."""
        known = Replaced({leaf: self.over(leaf) for leaf in (line.symbol, *line.mentions)})
        rates: dict[str, Expression] = {}
        for leaf in line.mentions:
            speed = self._moved.of(known.of(leaf))
            if speed is not ZERO:
                once, twice = symbol(rate_name(leaf.name)), symbol(rate_name(rate_name(leaf.name)))
                known.enter(once, speed)
                known.enter(twice, self._moved.of(speed))
                rates |= {leaf.name: once, once.name: twice}
        values = [self.over(line.symbol)]
        lines = [line]
        while lines and len(values) < 3:
            lines, rates = rates_of_lines(lines, rates, rate_name)
            for each in lines:
                values.append(known.of(each.value))
                known.enter(each.symbol, values[-1])
                if values[-2].arguments:
                    self._moved.enter(*values[-2:])

    def of(self, expression: Expression) -> Expression:
        """An expression of any lines over the inputs."""
        waiting = [leaf.name for leaf in free_symbols(expression)]
        while waiting:
            name = waiting[-1]
            line = None if name in self else self.mechanics.lines.get(name)
            missing = [] if line is None else [leaf.name for leaf in line.mentions if self._is_missing(leaf)]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if line is not None:
                self._enter(line)
        return self.over(expression)

    def _is_missing(self, leaf: Symbol) -> bool:
        return leaf.name not in self and leaf.name in self.mechanics.lines

    # ------------------------------------------------------------- the terms of an elimination

    def load(self, position: Position) -> Expression:
        """f − m·C of a position."""
        load = self._meant(position.force)
        speed = self._moved.of(self.over(position.x))
        if position.damping is not ZERO:
            load = load - self._meant(position.damping) * (speed * self._pace)
        if position.mass is not ZERO:
            load = load - self._meant(position.mass) * (self._moved.of(speed) * self._pace_squared)
        return load

    def _meant(self, value: Expression) -> Expression:
        return value if isinstance(value, Number) else self.of(self.mechanics.meaning(value))

    def over(self, expression: Expression) -> Expression:
        """An expression of lines of the geometry over the inputs."""
        return self._over_inputs.of(expression)

    def named(self, name: str, value: Expression) -> Expression:
        """A value stands for itself."""
        return value

    def named_row(self, name: str, row: dict[str, Expression]) -> dict[str, Expression]:
        """Values stand for themselves."""
        return row

    def acceleration(self, dimension: str, value: Expression) -> Expression:
        """The acceleration of a dimension, noted for what depends on it."""
        name = f"A_{dimension}"
        self._over_inputs.enter(symbol(name), value)
        self._entered.add(name)
        return value

    def linear_part(self, line: str, value: Expression) -> Expression:
        """A value stands for itself."""
        return value
