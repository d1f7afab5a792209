"""A quadratic form ½·a'Ka − b'a over accelerations, from which they are taken out one by one.

By Gauss's principle accelerations make such a form least. One that is made of others, a_i = Σ_k p_ik·a_k, is replaced
by them; one that nothing else is made of is eliminated by its own equation,

    a_u = b_u/K_uu − Σ_j (K_uj/K_uu)·a_j,     K_jk − K_uj·K_uk/K_uu,     b_j − b_u·K_uj/K_uu,

and found again going forwards. Along a chain of links this is the articulated-body algorithm (Featherstone 1983),
derived rather than typed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from linkwork.algebra import Expression
from linkwork.algebra.arithmetic import add, divide, multiply, negate, scale
from linkwork.algebra.expression import TWO, ZERO
from linkwork.errors import LinkworkError
from linkwork.mechanics.motion import combined


class Naming(Protocol):
    """What the values that are found on the way are called."""

    def named(self, name: str, value: Expression) -> Expression:
        """What stands for a value from now on."""

    def named_row(self, name: str, row: dict[str, Expression]) -> dict[str, Expression]:
        """The same of the values of a row, each by the row's name and its own."""

    def acceleration(self, name: str, value: Expression) -> Expression:
        """The same of an acceleration that was eliminated."""

    def linear_part(self, name: str, value: Expression) -> Expression:
        """The same of one that was replaced."""


class QuadraticForm:
    """The form over what is left; symmetric, and only entries that are not zero are kept."""

    def __init__(self, naming: Naming, nothing_moves: Callable[[str], LinkworkError]) -> None:
        """``nothing_moves`` makes the error for an acceleration whose own entry is zero."""
        self.naming = naming
        self.nothing_moves = nothing_moves
        self.k: dict[str, dict[str, Expression]] = {}
        self.b: dict[str, Expression] = {}
        self._replaced: dict[str, Mapping[str, Expression]] = {}
        self._eliminated: list[tuple[str, Expression, Mapping[str, Expression]]] = []

    def __contains__(self, name: object) -> bool:
        return name in self.k

    def add_b(self, name: str, value: Expression) -> None:
        """Add to b; the name takes part in the form from now on."""
        self.k.setdefault(name, {})
        self.b[name] = add(self.b.get(name, ZERO), value)

    def add_k(self, first: str, second: str, value: Expression) -> None:
        """Add to an entry of K and to the one across the diagonal."""
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
        side = self.naming.named(f"b_{name}", self.b.pop(name, ZERO))
        return self.naming.named_row(f"K_{name}", left), side

    def replace(self, name: str, made_of: dict[str, Expression]) -> None:
        """a_i = Σ_k p_ik·a_k put into the form."""
        row, side = self.taken_out(name)
        own = row.pop(name, ZERO)
        slopes = self._replaced[name] = self.naming.named_row(f"{name}_per", made_of)
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
        """Its own equation gives an acceleration that nothing left is made of; the others keep what is left of it."""
        row, side = self.taken_out(name)
        own = row.pop(name, ZERO)
        if own is ZERO:
            raise self.nothing_moves(name)
        shares = self.naming.named_row(
            f"G_{name}", {other: divide(entry, own) for other, entry in row.items()}
        )
        names = list(shares)
        for place, first in enumerate(names):
            self.add_b(first, negate(multiply(side, shares[first])))
            for second in names[place:]:
                self.add_k(first, second, negate(multiply(row[first], shares[second])))
        self._eliminated.append((name, divide(side, own), shares))

    def forwards(self, rates: dict[str, Expression]) -> None:
        """Find what was eliminated, and of what was replaced as much as that needs; ``rates`` are those known."""
        for name, alone, shares in reversed(self._eliminated):
            self._find(shares, rates)
            rates[name] = self.naming.acceleration(name, alone - combined(shares, rates))

    def _find(self, names: Iterable[str], rates: dict[str, Expression]) -> None:
        """What was replaced, what it is made of first."""
        waiting = list(names)
        while waiting:
            name = waiting[-1]
            missing = [] if name in rates else [each for each in self._replaced[name] if each not in rates]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if name not in rates:
                rates[name] = self.naming.linear_part(name, combined(self._replaced[name], rates))
