"""Coordinates of parts that a joint gives outright become lines.

Where a part hangs on another, the equation of the joint has the part's x and y with constant factors: the part's
place follows from its angle and from the place of its carrier. What is left are one variable for each freedom of the
tree that the joints span, and the equations that close its loops.
"""

from __future__ import annotations

from collections.abc import Sequence

from linkwork.algebra import Expression, Symbol, derivative, free_symbols, substitute, symbol
from linkwork.algebra.expression import ZERO
from linkwork.dynamics.lines import Lines
from linkwork.model.placed import coordinate_names
from linkwork.model.world import Equation


def reduced(lines: Lines, equations: Sequence[Equation]) -> list[Equation]:
    """The equations that are left when those that give a coordinate outright have become lines."""
    return _Reduction(lines).run(list(equations))


class _Reduction:
    """The coordinates that may become lines, and what each line depends on."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        machine = lines.machine
        names = [each for each in coordinate_names(machine.dimension) if not each.startswith("q")]
        self.order = {
            symbol(f"{part}.{name}"): (place, name == "angle")
            for place, part in enumerate(machine.moving)
            for name in names
        }
        self.fixed = frozenset(symbol(name) for name in machine.parameters)
        self.needs: dict[Symbol, frozenset[Symbol]] = {}

    def run(self, equations: list[Equation]) -> list[Equation]:
        """Round by round, so that every part hangs on the ground by as few others as possible."""
        waiting, patient = equations, True
        while waiting:
            placed = set(self.lines.places)
            left = [each for each in waiting if not self._becomes_line(each, placed, patient)]
            if len(left) == len(waiting) and not patient:
                break
            patient = len(left) < len(waiting)
            waiting = left
        return waiting

    def _becomes_line(self, equation: Equation, placed: set[Symbol], patient: bool) -> bool:
        leaves = free_symbols(equation.phi)
        loose = [leaf for leaf in leaves if leaf in self.order and leaf not in placed]
        if patient and len({leaf.name.rpartition(".")[0] for leaf in loose if self._is_place(leaf)}) > 1:
            return False  # wait until one of the two parts has its place
        free = [leaf for leaf in loose if leaf not in self.lines.places]
        for leaf in sorted(free, key=lambda each: (self.order[each][1], -self.order[each][0])):
            others = frozenset().union(*(self._needed(each) for each in leaves if each is not leaf))
            factor = derivative(equation.phi, leaf)
            if leaf not in others and self._is_constant(factor):
                value = -substitute([equation.phi], {leaf: 0})[0] / factor
                self.lines.become_line(leaf, value)
                self.needs[leaf] = others
                return True
        return False

    def _is_place(self, leaf: Symbol) -> bool:
        return not self.order[leaf][1]

    def _needed(self, leaf: Symbol) -> frozenset[Symbol]:
        return self.needs.get(leaf, frozenset()) | {leaf}

    def _is_constant(self, factor: Expression) -> bool:
        return factor is not ZERO and all(leaf in self.fixed for leaf in free_symbols(factor))
