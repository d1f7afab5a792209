"""A table that grows by what is asked of it: partial derivatives, velocities and accelerations of its lines.

Names: ``P6x_by_e`` is ∂P6x/∂e, ``P6x_by_e_e`` the second derivative, ``V_P6x`` and ``A_P6x`` the time
derivatives. ``C_P6x`` is the acceleration where those of the dimensions are left out: the Coriolis and
centripetal terms, with all mixed second derivatives Σ ∂²x/∂u_j∂u_k·V_j·V_k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from linkwork.algebra import Definition, Expression, Operand, directional, free_symbols, substitute, symbol
from linkwork.algebra.expression import ZERO
from linkwork.algebra.table_derivative import rate_name, rates_of_lines
from linkwork.errors import NameTaken

Key = tuple[str, ...]
"""A kind of derivative: ("by", "a"), ("by", "a", "a"), ("V", "a", "b"), ("A", …), ("C", …)."""


class Growing:
    """The lines of a derivation; each kind of derivative is entered once, for all lines at a time.

    ``base`` are the lines of the geometry; ``given`` are names that are no lines and must not become any.
    """

    def __init__(self, lines: Iterable[Definition], given: Iterable[str] = ()) -> None:
        self.base = list(lines)
        self.given = frozenset(given)
        self._by_name = {line.name: line for line in self.base}
        self._units: dict[Expression, Operand] = {}
        self._refresh: list[Callable[[], None]] = []
        self._rates: dict[Key, dict[str, Expression]] = {}
        self._covered: dict[Key, set[str]] = {}

    @property
    def lines(self) -> list[Definition]:
        """All lines so far."""
        return list(self._by_name.values())

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def get(self, name: str) -> Definition | None:
        """The line of this name, if there is one."""
        return self._by_name.get(name)

    def define(self, line: Definition, *, moves: bool = False) -> Expression:
        """One more line, unless it is there; with ``moves`` it is differentiated as the others are."""
        present = self._by_name.get(line.name)
        if line.name in self.given or (present is not None and present != line):
            raise NameTaken(
                f"'{line.name}' is the name of something that is derived",
                got=f"{line.name}, given" if present is None else str(present),
                wanted=str(line)[:80],
                fix=f"call what is given {line.name}_0",
            )
        if present is None:
            self._by_name[line.name] = line
            if moves:
                self.base.append(line)
                for enter in self._refresh:
                    enter()
        return line.symbol

    def named(self, wanted: str, value: Expression) -> Expression:
        """A value under a name, or one like it that is free; names and numbers keep to themselves."""
        if not value.arguments:
            return value
        while wanted in self.given or (wanted in self and self._by_name[wanted].explicit is not value):
            wanted += "_"
        return self.define(Definition.of(wanted, value))

    def note_unit(self, cosine: Expression, sine: Expression) -> None:
        """Note that two lines are a cosine and a sine: cosine² + sine² = 1."""
        self._units[cosine**2 + sine**2] = 1

    def is_geometry(self, quantity: Expression) -> bool:
        """Whether a quantity depends on the geometry alone, not on what mechanics has added."""
        base = {line.name for line in self.base}
        return all(leaf.name in base or leaf.name not in self for leaf in free_symbols(quantity))

    # -------------------------------------------------------------------------- by a dimension

    def by(self, quantity: Expression, dimension: str) -> Expression:
        """∂quantity/∂dimension."""
        key = ("by", dimension)

        def name_of(name: str) -> str:
            return f"{name}_by_{dimension}"

        if key not in self._rates:
            self._enter(key, lambda: self.base, lambda: {dimension: 1}, name_of)
        return self._rate(key, quantity, self._rates[key], name_of)

    def by_twice(self, quantity: Expression, dimension: str) -> Expression:
        """∂²quantity/∂dimension²."""
        once, own, key = self.by(quantity, dimension), f"_by_{dimension}", ("by", dimension, dimension)

        def first() -> Mapping[str, Operand]:
            return self._rates["by", dimension]

        if key not in self._rates:
            start = self._with_rates_called(lambda name: name + own)
            self._enter(key, start, first, lambda name: f"{name}_{dimension}")
        return self._rate(key, once, {**first(), **self._rates[key]}, lambda name: name + own)

    # -------------------------------------------------------------------------------- in time

    def velocity(self, quantity: Expression, moving: Sequence[str]) -> Expression:
        """d quantity/dt while some dimensions move."""
        key = ("V", *moving)
        if key not in self._rates:
            speeds = {name: symbol(rate_name(name)) for name in moving}
            self._enter(key, lambda: self.base, lambda: speeds, rate_name)
        return self._rate(key, quantity, {**self._input_rates(moving), **self._rates[key]}, rate_name)

    def acceleration(self, quantity: Expression, moving: Sequence[str]) -> Expression:
        """d² quantity/dt²."""
        once, key = self.velocity(quantity, moving), ("A", *moving)

        def first() -> Mapping[str, Operand]:
            return {**self._input_rates(moving), **self._rates["V", *moving]}

        if key not in self._rates:
            self._enter(key, self._with_rates_called(rate_name), first, rate_name)
        return self._rate(key, once, {**first(), **self._rates[key]}, rate_name)

    def convective(self, quantity: Expression, moving: Sequence[str]) -> Expression:
        """The part of the acceleration of a quantity of the geometry without those of the dimensions."""
        once, key = self.velocity(quantity, moving), ("C", *moving)

        def first() -> Mapping[str, Operand]:
            return {**self._rates["V", *moving], **{rate_name(name): ZERO for name in moving}}

        if key not in self._rates:
            names = self._with_rates_called(rate_name)
            self._enter(key, names, first, lambda name: f"C_{name.removeprefix('V_')}")
        return _along(once, self._rates[key])

    def _input_rates(self, moving: Sequence[str]) -> dict[str, Expression]:
        """The rates of velocities, and of accelerations and jerks that are given."""
        found: dict[str, Expression] = {}
        for name in moving:
            speed = rate_name(name)
            second = rate_name(speed)
            found[speed] = symbol(second)
            if second not in self:
                jerk = rate_name(second)
                found |= {second: symbol(jerk), jerk: symbol(rate_name(jerk))}
        return found

    # ------------------------------------------------------------------------------ new lines

    def _with_rates_called(self, name_of: Callable[[str], str]) -> Callable[[], list[Definition]]:
        """The lines of the geometry, and their rates by the names these have."""

        def start() -> list[Definition]:
            names = [name_of(line.name) for line in self.base]
            return [*self.base, *(self._by_name[name] for name in names if name in self)]

        return start

    def _enter(
        self,
        key: Key,
        start: Callable[[], Sequence[Definition]],
        rates: Callable[[], Mapping[str, Operand]],
        name_of: Callable[[str], str],
    ) -> None:
        """Enter the rates of all lines of ``start`` as new lines, and of those that come later."""

        def enter() -> None:
            lines = start()
            new, found = rates_of_lines(lines, {**rates(), **self._rates.get(key, {})}, name_of)
            for line in new:
                self.define(self._with_units(line))
            self._rates[key] = found
            self._covered[key] = {line.name for line in lines} | self._covered.get(key, set())

        enter()
        self._refresh.append(enter)

    def _with_units(self, line: Definition) -> Definition:
        if not self._units or line.explicit is None or line.implicit is not None:
            return line
        shown = substitute([line.explicit], self._units)[0]
        return line if shown is line.explicit else Definition.of(line.name, shown)

    def _rate(
        self,
        key: Key,
        quantity: Expression,
        rates: Mapping[str, Expression | Operand],
        name_of: Callable[[str], str],
    ) -> Expression:
        """The rate of a quantity that may depend on any lines; those that have no rate yet get one."""
        leaves = [leaf.name for leaf in free_symbols(quantity)]
        if all(name in self._covered[key] or name not in self for name in leaves):
            return _along(quantity, rates)
        needed: set[str] = set()
        waiting = leaves
        while waiting:
            name = waiting.pop()
            if name in self and name not in needed:
                needed.add(name)
                waiting += [leaf.name for leaf in self._by_name[name].mentions]
        start = [line for line in self.lines if line.name in needed]
        new, found = rates_of_lines(start, rates, self._free(name_of))
        for line in new:
            self.define(line)
        self._rates[key] |= {name: found[name] for name in needed if name in found}
        self._covered[key] |= needed
        return _along(quantity, found)

    def _free(self, name_of: Callable[[str], str]) -> Callable[[str], str]:
        """The same naming, with an underscore behind names that are taken."""

        def named(name: str) -> str:
            wanted = name_of(name)
            while wanted in self or wanted in self.given:
                wanted += "_"
            return wanted

        return named


def combined(slopes: Mapping[str, Expression], rates: Mapping[str, Expression]) -> Expression:
    """Σ slope·rate."""
    return sum((slope * rates[name] for name, slope in slopes.items()), ZERO)


def _along(quantity: Expression, rates: Mapping[str, Operand]) -> Expression:
    """The rate of an expression of lines and inputs."""
    moving: dict[Expression, Operand] = {
        leaf: rates[leaf.name] for leaf in free_symbols(quantity) if leaf.name in rates
    }
    return directional([quantity], moving)[0] if moving else ZERO
