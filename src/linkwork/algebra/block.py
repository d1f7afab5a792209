"""Blocks: equations that must be solved together, by Newton's method.

For f(x, p) = 0 with Jacobian J = ∂f/∂x, a step goes from x to x + s·d with J·d = −f. s is 1, and is halved as
long as the residual does not fall. Residuals are weighed by the largest entry of their row in J, and so are
pivots, so that equations in different units count alike. The search ends well

- when each correction is at most ``CLOSE`` of its unknown, or the residual is zero;
- when a full step brings no progress and either each correction is at most ``NEAR`` of its unknown or each
  residual is at most ``ROUNDING`` of the sum of the sizes of its terms, and of the sizes of its slopes times
  the unknowns: the rest is rounding.

A block whose equations are linear in its unknowns is solved in one step. The programs of
:mod:`linkwork.emit` do the same operations in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from linkwork.algebra.arithmetic import add, negate, scale
from linkwork.algebra.differentiate import jacobian
from linkwork.algebra.expression import (
    ADD,
    DIV,
    MUL,
    ONE,
    POW,
    Expression,
    Symbol,
    core_of,
    exact,
    whole_exponent,
)
from linkwork.algebra.graph import free_symbols, nodes_in_order, substitute
from linkwork.algebra.instructions import operation_count
from linkwork.algebra.numeric import evaluate
from linkwork.errors import NoAnswer

if TYPE_CHECKING:
    from linkwork.algebra.table import Definition, Equation

CLOSE: Final = 1e-15
NEAR: Final = 1e-9
ROUNDING: Final = 1e-13
SHORTEST_STEP: Final = 1e-9
"""A step halved to less than this leads nowhere: no solution near by."""
MOST_TRIALS: Final = 200
"""Quadratic convergence takes five; a double root thirty."""


@dataclass(frozen=True)
class Block:
    """Equations, as many unknowns, and where the search for them begins.

    >>> from linkwork.algebra import parse, parse_equation, symbols
    >>> block = Block(symbols("x y"), (parse_equation("x*y = p"), parse_equation("x = y")), (parse("p"),) * 2)
    >>> block.known
    (p,)
    >>> block.solved({"p": 9.0})
    {'x': 3.0, 'y': 3.0}
    """

    unknowns: tuple[Symbol, ...]
    equations: tuple[Equation, ...]
    starts: tuple[Expression, ...]

    @classmethod
    def of(cls, lines: Sequence[Definition]) -> Block:
        """The block of some lines of a table, each of which has an implicit form."""
        equations = [line.implicit for line in lines if line.implicit is not None]
        starts = [ONE if line.start is None else line.start for line in lines]
        return cls(tuple(line.symbol for line in lines), tuple(equations), tuple(starts))

    @cached_property
    def _differences(self) -> list[Expression]:
        return [add(left, negate(right)) for left, right in self.equations]

    @cached_property
    def linear(self) -> bool:
        """Whether the equations are linear in the unknowns, as written."""
        return _is_linear(self._differences, self.unknowns)

    @cached_property
    def residuals(self) -> tuple[Expression, ...]:
        """What has to vanish: left − right; in a linear block at the point where all unknowns are zero."""
        found = self._differences
        return tuple(substitute(found, dict.fromkeys(self.unknowns, 0)) if self.linear else found)

    @cached_property
    def sizes(self) -> tuple[Expression, ...]:
        """How large the terms of each residual are: its rounding is in proportion. None in a linear block."""
        if self.linear:
            return ()
        return tuple(add(size_of_terms(left), size_of_terms(right)) for left, right in self.equations)

    @cached_property
    def entries(self) -> tuple[tuple[int, int, Expression], ...]:
        """The entries of the Jacobian that are not zero: row, column, value."""
        rows = jacobian(self._differences, self.unknowns)
        return tuple(
            (row, column, rows[row][column]) for row in range(len(rows)) for column in sorted(rows[row])
        )

    @cached_property
    def known(self) -> tuple[Symbol, ...]:
        """The symbols that the equations need besides the unknowns."""
        return tuple(leaf for leaf in free_symbols(*self._formulas) if leaf not in self.unknowns)

    @property
    def _formulas(self) -> list[Expression]:
        return [*self.residuals, *self.sizes, *(value for _, _, value in self.entries)]

    @property
    def operations(self) -> int:
        """How many operations give residuals and Jacobian once."""
        return operation_count(self._formulas)

    def solved(self, values: Mapping[str, float]) -> dict[str, float]:
        """The unknowns, where everything else has these values."""
        names = [leaf.name for leaf in self.unknowns]
        found = _Search(self, values).solution()
        return dict(zip(names, found, strict=True))


def size_of_terms(total: Expression) -> Expression:
    """The sum of the absolute values of a sum's terms.

    >>> from linkwork.algebra import symbols
    >>> x, y, z = symbols("x y z")
    >>> size_of_terms(x - (2 * y + z * z))
    z^2 + 2*abs(y) + abs(x)
    """
    sums: dict[Expression, Expression] = {}

    def size(term: Expression) -> Expression:
        core, factor = core_of(term), term.coefficient.value
        even = whole_exponent(core) % 2 == 0 and core.operation is POW
        return scale(exact(max(factor, -factor)), core if even else sums[core] if core in sums else abs(core))

    inner: set[Expression] = set()  # the sums whose terms are terms of this one
    waiting = [core_of(total)]
    while waiting:
        node = waiting.pop()
        if node.operation is ADD and node not in inner:
            inner.add(node)
            waiting += map(core_of, node.arguments)
    for node in nodes_in_order([total]):
        if node in inner:
            first, second = node.arguments
            sums[node] = add(size(first), size(second))
    return size(total)


def _is_linear(residuals: Sequence[Expression], unknowns: Sequence[Symbol]) -> bool:
    """Whether every unknown is only added, and multiplied and divided by what does not depend on any."""
    moving: set[Expression] = set(unknowns)
    for node in nodes_in_order(residuals):
        holding = [argument in moving for argument in node.arguments]
        if any(holding):
            by_constant = (node.operation is MUL and sum(holding) == 1) or (
                node.operation is DIV and not holding[1]
            )
            if node.operation is not ADD and not by_constant:
                return False
            moving.add(node)
    return True


# --------------------------------------------------------------------------------------- in numbers


class _Search:
    """One search: the values of everything known, and how to evaluate the equations."""

    def __init__(self, block: Block, values: Mapping[str, float]) -> None:
        self.block = block
        self.values = dict(values)

    def evaluated(self, x: Sequence[float]) -> tuple[list[float], list[float], list[list[float]]]:
        """Residuals, the sizes of what may round in them, and the Jacobian at x."""
        block, n = self.block, len(x)
        for leaf, value in zip(block.unknowns, x, strict=True):
            self.values[leaf.name] = value
        numbers = evaluate(block._formulas, self.values)
        first_entry = n + len(block.sizes)
        matrix = [[0.0] * n for _ in range(n)]
        for (row, column, _), value in zip(block.entries, numbers[first_entry:], strict=True):
            matrix[row][column] = value
        sizes = numbers[n:first_entry]
        for i in range(len(sizes)):
            for entry, value in zip(matrix[i], x, strict=True):
                sizes[i] += abs(entry * value)
        return numbers[:n], sizes, matrix

    def solution(self) -> list[float]:
        n = len(self.block.unknowns)
        if self.block.linear:
            f, _, matrix = self.evaluated([0.0] * n)
            found = _correction(matrix, f)
            if found is None:
                raise self.failure(f, "its equations depend on one another, or have no finite values")
            return found[0]
        return self.newton(evaluate(self.block.starts, self.values))

    def newton(self, x: list[float]) -> list[float]:
        f, sizes, matrix = self.evaluated(x)
        found = _correction(matrix, f)
        step = 1.0
        for _ in range(MOST_TRIALS):
            if found is None:
                if _is_within(ROUNDING, f, sizes):
                    return x
                raise self.failure(f, f"its Jacobian is singular, or not finite, at {self.place(x)}")
            d, weights, norm = found
            if norm == 0.0:
                return x
            y = [a + step * b for a, b in zip(x, d, strict=True)]
            g, new_sizes, new_matrix = self.evaluated(y)
            if _weighted(g, weights) < norm:
                x, f, sizes, matrix = y, g, new_sizes, new_matrix
                if step == 1.0 and _is_within(CLOSE, d, y):
                    return x
                found = _correction(matrix, f)
                step = 1.0
            else:
                if step == 1.0 and (_is_within(NEAR, d, y) or _is_within(ROUNDING, f, sizes)):
                    return x
                step *= 0.5
                if step < SHORTEST_STEP:
                    raise self.failure(f, f"no step from {self.place(x)} makes the residual smaller")
        raise self.failure(f, f"{MOST_TRIALS} steps were not enough")

    def place(self, x: Sequence[float]) -> str:
        names = [leaf.name for leaf in self.block.unknowns]
        shown = [f"{name} = {value:.6g}" for name, value in zip(names, x, strict=True)]
        return ", ".join(shown if len(shown) < 9 else [*shown[:8], "…"])

    def failure(self, f: Sequence[float], why: str) -> NoAnswer:
        names = [leaf.name for leaf in self.block.unknowns]
        equations = [f"{left} = {right}" for left, right in self.block.equations]
        shown = equations if len(equations) < 9 else [*equations[:8], "…"]
        starts = ", ".join(f"{name}: {start}" for name, start in zip(names, self.block.starts, strict=True))
        fix = f"other start values (now {starts[:120]}), or other values of the inputs"
        return NoAnswer(
            f"no solution was found for {', '.join(names[:8])}{', …' if len(names) > 8 else ''}",
            got="; ".join(shown) + f"; largest residual {_largest(f):.3g}",
            why=why,
            fix="other values of the inputs" if self.block.linear else fix,
        )


def _largest(v: Sequence[float]) -> float:
    """The largest size; NaN where one is."""
    largest = 0.0
    for value in v:
        if not abs(value) <= largest:
            largest = abs(value)
            if math.isnan(largest):
                break
    return largest


def _weighted(f: Sequence[float], weights: Sequence[float]) -> float:
    return _largest([a * w for a, w in zip(f, weights, strict=True)])


def _is_within(share: float, small: Sequence[float], large: Sequence[float]) -> bool:
    return all(abs(a) <= share * abs(b) for a, b in zip(small, large, strict=True))


def _correction(a: list[list[float]], f: Sequence[float]) -> tuple[list[float], list[float], float] | None:
    """d of J·d = −f, the weights of the rows, and the weighted size of f; None where J has no inverse.

    Gaussian elimination; the pivot is the largest of its column as a share of its row. ``a`` is overwritten.
    """
    n = len(f)
    sizes = [_largest(row) for row in a]
    if not all(0.0 < size < math.inf for size in sizes) or not all(map(math.isfinite, f)):
        return None
    weights, d = [1.0 / size for size in sizes], [-each for each in f]
    norm = _weighted(f, weights)
    shares = list(weights)  # go with the rows
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(a[i][k]) * shares[i])
        if not 0.0 < abs(a[pivot][k]) < math.inf:
            return None
        a[k], a[pivot] = a[pivot], a[k]
        for each in (d, shares):
            each[k], each[pivot] = each[pivot], each[k]
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            if factor != 0.0:
                for j in range(k + 1, n):
                    a[i][j] -= factor * a[k][j]
                d[i] -= factor * d[k]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            d[i] -= a[i][j] * d[j]
        d[i] /= a[i][i]
    return (d, weights, norm) if all(map(math.isfinite, d)) else None
