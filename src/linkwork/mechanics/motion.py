"""A table that grows by what is asked of it: partial derivatives, velocities and accelerations of its lines.

Names: ``P6x_by_e`` is ∂P6x/∂e, ``P6x_by_e_e`` the second derivative, ``V_P6x`` and ``A_P6x`` the time
derivatives. ``C_P6x`` is the acceleration where those of the dimensions are left out: the Coriolis and
centripetal terms, with all mixed second derivatives Σ ∂²x/∂u_j∂u_k·V_j·V_k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from linkwork.algebra import (
    Definition,
    Expression,
    Operand,
    directional,
    free_symbols,
    number,
    substitute,
    symbol,
)
from linkwork.algebra.table_derivative import rate_name, rates_of_lines

ZERO = number(0)


class Growing:
    """The lines of a derivation; each kind of derivative is entered once, for all lines at a time."""

    def __init__(self, lines: Iterable[Definition]) -> None:
        self.base = list(lines)
        self.lines = list(self.base)
        self._names = {line.name for line in self.lines}
        self._units: dict[Expression, Operand] = {}
        self._refresh: list[Callable[[], None]] = []
        self._rates: dict[tuple[str, ...], Mapping[str, Expression]] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def define(self, line: Definition, *, moves: bool = False) -> Expression:
        """One more line, unless it is there; with ``moves`` it is differentiated as the others are."""
        if line.name not in self._names:
            self._names.add(line.name)
            self.lines.append(line)
            if moves:
                self.base.append(line)
                for enter in self._refresh:
                    enter()
        return line.symbol

    def note_unit(self, cosine: Expression, sine: Expression) -> None:
        """Note that two lines are a cosine and a sine: cosine² + sine² = 1."""
        self._units[cosine**2 + sine**2] = 1

    def _with_units(self, line: Definition) -> Definition:
        if not self._units or line.explicit is None or line.implicit is not None:
            return line
        shown = substitute([line.explicit], self._units)[0]
        return line if shown is line.explicit else Definition.of(line.name, shown)

    def _with(
        self,
        key: tuple[str, ...],
        start: Callable[[], Sequence[Definition]],
        rates: Callable[[], Mapping[str, Operand]],
        name_of: Callable[[str], str],
    ) -> None:
        """Enter the rates of all lines of ``start`` as new lines, and of those that come later."""

        def enter() -> None:
            new, found = rates_of_lines(start(), {**rates(), **self._rates.get(key, {})}, name_of)
            for line in new:
                self.define(self._with_units(line))
            self._rates[key] = found

        enter()
        self._refresh.append(enter)

    # -------------------------------------------------------------------------- by a dimension

    def by(self, quantity: Expression, dimension: str) -> Expression:
        """∂quantity/∂dimension."""
        key = ("by", dimension)
        if key not in self._rates:
            self._with(key, lambda: self.base, lambda: {dimension: 1}, lambda name: f"{name}_by_{dimension}")
        return self._rate(quantity, self._rates[key], lambda name: f"{name}_by_{dimension}")

    def by_twice(self, quantity: Expression, dimension: str) -> Expression:
        """∂²quantity/∂dimension²."""
        once, own, key = self.by(quantity, dimension), f"_by_{dimension}", ("by", dimension, dimension)
        if key not in self._rates:
            self._with(
                key,
                lambda: self._with_rates_called(lambda name: name + own),
                lambda: self._rates["by", dimension],
                lambda name: f"{name}_{dimension}",
            )
        return _along(once, self._rates[key])

    # -------------------------------------------------------------------------------- in time

    def velocity(self, quantity: Expression, moving: Sequence[str]) -> Expression:
        """d quantity/dt while some dimensions move."""
        key = ("V", *moving)
        if key not in self._rates:
            speeds = {name: symbol(rate_name(name)) for name in moving}
            self._with(key, lambda: self.base, lambda: speeds, rate_name)
        rates = dict(self._rates[key])
        if not self._is_geometry(quantity):  # it may depend on velocities as well
            for name in moving:
                speed, second = rate_name(name), rate_name(rate_name(name))
                rates |= {speed: symbol(second), second: symbol(rate_name(second))}
        return self._rate(quantity, rates, rate_name)

    def acceleration(self, quantity: Expression, moving: Sequence[str], free: bool = False) -> Expression:
        """d² quantity/dt²; with ``free`` without the accelerations of the dimensions."""
        key = ("C" if free else "A", *moving)
        once = self.velocity(quantity, moving)
        if key not in self._rates:
            self._accelerate(key, moving, free)
        return _along(once, self._rates[key])

    def _is_geometry(self, quantity: Expression) -> bool:
        """Whether a quantity depends on the geometry alone, not on what mechanics has added."""
        base = {line.name for line in self.base}
        return all(leaf.name in base or leaf.name not in self for leaf in free_symbols(quantity))

    def _rate(
        self, quantity: Expression, rates: Mapping[str, Expression], name_of: Callable[[str], str]
    ) -> Expression:
        """The rate of a quantity that may depend on any lines; those that have no rate yet get one."""
        if self._is_geometry(quantity):
            return _along(quantity, rates)
        by_name = {line.name: line for line in self.lines}
        needed: dict[str, None] = {}
        waiting = [leaf.name for leaf in free_symbols(quantity)]
        while waiting:
            name = waiting.pop()
            if name in by_name and name not in needed:
                needed[name] = None
                waiting += [leaf.name for leaf in by_name[name].mentions]
        start = [line for line in self.lines if line.name in needed]
        new, found = rates_of_lines(start, rates, self._free(name_of))
        for line in new:
            self.define(line)
        return _along(quantity, found)

    def _free(self, name_of: Callable[[str], str]) -> Callable[[str], str]:
        """The same naming, for names that are taken with an underscore behind."""

        def named(name: str) -> str:
            wanted = name_of(name)
            while wanted in self:
                wanted += "_"
            return wanted

        return named

    def _accelerate(self, key: tuple[str, ...], moving: Sequence[str], free: bool) -> None:
        def rates() -> dict[str, Operand]:
            found: dict[str, Operand] = dict(self._rates["V", *moving])
            for speed in map(rate_name, moving):
                found[speed] = 0 if free else symbol(rate_name(speed))
            return found

        prefix = "C" if free else "A"
        self._with(
            key,
            lambda: self._with_rates_called(lambda name: f"V_{name}"),
            rates,
            lambda name: f"{prefix}_{name.removeprefix('V_')}",
        )

    def _with_rates_called(self, name_of: Callable[[str], str]) -> list[Definition]:
        """The lines that move, and their rates by the names these have."""
        names = {name_of(line.name) for line in self.base}
        return [*self.base, *(line for line in self.lines if line.name in names)]


def _along(quantity: Expression, rates: Mapping[str, Expression]) -> Expression:
    """The rate of an expression of lines and inputs."""
    moving: dict[Expression, Operand] = {
        leaf: rates[leaf.name] for leaf in free_symbols(quantity) if leaf.name in rates
    }
    return directional([quantity], moving)[0] if moving else ZERO
