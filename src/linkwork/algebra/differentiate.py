"""Derivatives of expressions: along a direction, gradients, Jacobians with their sparsity, Hessians.

Every operation has one rule: its partial derivatives, first and second. Forward mode carries rates
from the symbols to the results (dF = Σ ∂F/∂a · da), reverse mode carries weights from a result back
to the symbols (ā += ∂F/∂a · F̄). Each visits a node once, so one direction or one gradient costs a
small multiple of the expression, whatever the number of symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from linkwork.algebra.arithmetic import add, divide, multiply, negate, scale
from linkwork.algebra.expression import (
    DIV,
    ONE,
    ZERO,
    Expression,
    Operand,
    as_expressions,
    as_symbols,
    core_of,
    number,
    without_collector,
)
from linkwork.algebra.graph import nodes_in_order
from linkwork.algebra.partials import first_partials, second_partials
from linkwork.errors import UsageError

SparseRow = dict[int, Expression]


def derivative(expression: Expression, by: Expression) -> Expression:
    """The partial derivative by one symbol.

    >>> from linkwork.algebra import symbols, sin
    >>> x, y = symbols("x y")
    >>> derivative(x * sin(x * y), x)
    y*cos(x*y)*x + sin(x*y)
    """
    (symbol,) = as_symbols([by], "derivative")
    return directional([number(expression)], {symbol: ONE})[0]


@without_collector
def directional(results: Sequence[Expression], rates: Mapping[Expression, Operand]) -> list[Expression]:
    """The rates of the results when each symbol changes at its rate (forward mode).

    Symbols without a rate are constants. With rates {q: v, v: a} this is the time derivative.

    >>> from linkwork.algebra import symbols
    >>> q, v, a = symbols("q v a")
    >>> directional([q * v], {q: v, v: a})
    [a*q + v^2]
    """
    results = as_expressions(results, "directional")
    if not isinstance(rates, Mapping):
        raise UsageError("directional takes a rate for each symbol", got=repr(rates)[:80], wanted="{x: 1}")
    symbols = as_symbols(rates, "directional")
    moved = Moved(dict(zip(symbols, (number(value) for value in rates.values()), strict=True)))
    return moved.all_of(results)


class Moved:
    """Rates of expressions, one after another; the rate of what they share is built once.

    >>> from linkwork.algebra import symbols
    >>> q, v = symbols("q v")
    >>> moved = Moved({q: v})
    >>> moved.of(q**2), moved.of(q**2 + v)
    (2*q*v, 2*q*v)
    """

    def __init__(self, rates: dict[Expression, Expression]) -> None:
        self._rate = rates
        self._seen: set[Expression] = set()

    def enter(self, moving: Expression, rate: Expression) -> None:
        """The rate of a part that nothing given so far contains."""
        self._rate[moving] = rate

    def of(self, result: Expression) -> Expression:
        """The rate of one expression."""
        known = self._rate.get(result)
        return self.all_of([result])[0] if known is None else known

    def all_of(self, results: Sequence[Expression]) -> list[Expression]:
        """The rates of several."""
        rate = self._rate
        for node in nodes_in_order(results, self._seen):
            if node.arguments and node not in rate and not rate.keys().isdisjoint(node.arguments):
                rate[node] = _rate_of(node, rate)
        return [rate.get(result, ZERO) for result in results]


def _rate_of(node: Expression, rate: Mapping[Expression, Expression]) -> Expression:
    if node.operation is DIV:  # q = a/b moves by (a' − q·b')/b, one division
        upper, lower = node.arguments
        moved = add(rate.get(upper, ZERO), negate(multiply(node, rate.get(lower, ZERO))))
        return divide(moved, lower)
    total: Expression = ZERO
    for argument, partial in first_partials(node):
        known = rate.get(argument)
        if known is not None:
            total = add(total, _share(partial, known))
    return total


def _share(partial: Expression, amount: Expression) -> Expression:
    """partial · amount, as one quotient where either is a reciprocal."""
    if partial is ONE:
        return amount
    if amount is ONE:
        return partial
    for reciprocal, other in ((partial, amount), (amount, partial)):
        core = core_of(reciprocal)
        if core.operation is DIV and core.arguments[0] is ONE:
            return scale(reciprocal.coefficient, divide(other, core.arguments[1]))
    return multiply(partial, amount)


@without_collector
def gradient(result: Expression, by: Sequence[Expression]) -> list[Expression]:
    """The derivatives of one result by many symbols (reverse mode).

    >>> from linkwork.algebra import symbols
    >>> x, y = symbols("x y")
    >>> gradient(x * y**2, [x, y])
    [y^2, 2*x*y]
    """
    result, by = number(result), as_symbols(by, "gradient")
    if not result.arguments:
        return [ONE if symbol is result else ZERO for symbol in by]
    order = nodes_in_order([result])
    moving = _moving(order, by)
    weight: dict[Expression, Expression] = {result: ONE}
    for node in reversed(order):
        above = weight.get(node)
        if above is not None and node.arguments and node in moving:
            _hand_down(node, above, weight, moving)
    return [weight.get(symbol, ZERO) for symbol in by]


def _hand_down(
    node: Expression, above: Expression, weight: dict[Expression, Expression], moving: set[Expression]
) -> None:
    """Give each argument its share of the weight above it."""
    for argument, share in _shares(node, above, moving):
        known = weight.get(argument)
        weight[argument] = share if known is None else add(known, share)


def _shares(
    node: Expression, above: Expression, moving: set[Expression]
) -> Iterator[tuple[Expression, Expression]]:
    if node.operation is DIV:  # both arguments of a quotient use the weight over the divisor
        upper, lower = node.arguments
        share = divide(above, lower)
        if upper in moving:
            yield upper, share
        if lower in moving:
            yield lower, negate(_share(share, node))
        return
    for argument, partial in first_partials(node):
        if argument in moving and partial is not ZERO:
            yield argument, _share(partial, above)


def _moving(order: Iterable[Expression], by: Iterable[Expression]) -> set[Expression]:
    """The nodes that depend on any of the symbols, and the symbols themselves."""
    moving = set(by)
    for node in order:
        if not moving.isdisjoint(node.arguments):
            moving.add(node)
    return moving


# ----------------------------------------------------------------------------------------- Jacobians


@without_collector
def jacobian(results: Sequence[Expression], by: Sequence[Expression]) -> list[SparseRow]:
    """The nonzero derivatives of many results by many symbols: one {column: derivative} a result.

    Forward or reverse, whichever carries fewer numbers through the graph.

    >>> from linkwork.algebra import symbols
    >>> x, y, z = symbols("x y z")
    >>> jacobian([x * y, z**2], [x, y, z])
    [{0: y, 1: x}, {2: 2*z}]
    """
    results, by = as_expressions(results, "jacobian"), as_symbols(by, "jacobian")
    if len(set(by)) < len(by):
        distinct = list(dict.fromkeys(by))
        place = [distinct.index(symbol) for symbol in by]
        rows = jacobian(results, distinct)
        return [{k: row[place[k]] for k in range(len(by)) if place[k] in row} for row in rows]
    order = nodes_in_order(results)
    if _forward_work(order, by) <= _reverse_work(order, results, by):
        return _jacobian_forward(order, results, by)
    return _jacobian_reverse(order, results, by)


def sparsity(results: Sequence[Expression], by: Sequence[Expression]) -> list[tuple[int, ...]]:
    """Which symbols each result mentions, as columns, without differentiating anything.

    >>> from linkwork.algebra import symbols
    >>> x, y, z = symbols("x y z")
    >>> sparsity([x * y, z**2], [x, y, z])
    [(0, 1), (2,)]
    """
    results, by = as_expressions(results, "sparsity"), as_symbols(by, "sparsity")
    mentioned = _columns_below(nodes_in_order(results), by)
    return [_bits_of(mentioned.get(result, 0)) for result in results]


def _columns_below(order: Sequence[Expression], by: Sequence[Expression]) -> dict[Expression, int]:
    """For each node the set of columns it depends on, as the bits of an integer."""
    columns = {symbol: 1 << column for column, symbol in enumerate(by)}
    for node in order:
        if node.arguments and node not in columns:
            mask = 0
            for argument in node.arguments:
                mask |= columns.get(argument, 0)
            if mask:
                columns[node] = mask
    return columns


def _bits_of(mask: int) -> tuple[int, ...]:
    text = bin(mask)[:1:-1]
    return tuple(position for position, bit in enumerate(text) if bit == "1")


def _forward_work(order: Sequence[Expression], by: Sequence[Expression]) -> int:
    return sum(mask.bit_count() for mask in _columns_below(order, by).values())


def _reverse_work(
    order: Sequence[Expression], results: Sequence[Expression], by: Sequence[Expression]
) -> int:
    moving = _moving(order, by)
    rows: dict[Expression, int] = {}
    for row, result in enumerate(results):
        rows[result] = rows.get(result, 0) | 1 << row
    work = 0
    for node in reversed(order):
        mask = rows.get(node, 0)
        if mask and node in moving:
            work += mask.bit_count()
            for argument in node.arguments:
                rows[argument] = rows.get(argument, 0) | mask
    return work


def _jacobian_forward(
    order: Sequence[Expression], results: Sequence[Expression], by: Sequence[Expression]
) -> list[SparseRow]:
    rates: dict[Expression, SparseRow] = {symbol: {column: ONE} for column, symbol in enumerate(by)}
    for node in order:
        if not node.arguments or node in rates:
            continue
        row: SparseRow = {}
        for argument, partial in first_partials(node) if _any_known(node, rates) else ():
            for column, rate in rates.get(argument, {}).items():
                _accumulate(row, column, multiply(partial, rate))
        if row:
            rates[node] = row
    return [dict(sorted(rates.get(result, {}).items())) for result in results]


def _any_known(node: Expression, known: Mapping[Expression, object]) -> bool:
    return any(argument in known for argument in node.arguments)


def _jacobian_reverse(
    order: Sequence[Expression], results: Sequence[Expression], by: Sequence[Expression]
) -> list[SparseRow]:
    moving = _moving(order, by)
    weights: dict[Expression, SparseRow] = {}
    for row, result in enumerate(results):
        weights.setdefault(result, {})[row] = ONE
    for node in reversed(order):
        above = weights.get(node)
        if above is None or not node.arguments or node not in moving:
            continue
        for argument, partial in first_partials(node):
            if argument in moving and partial is not ZERO:
                below = weights.setdefault(argument, {})
                for row, weight in above.items():
                    _accumulate(below, row, multiply(partial, weight))
    jacobian_rows: list[SparseRow] = [{} for _ in results]
    for column, symbol in enumerate(by):
        for row, weight in weights.get(symbol, {}).items():
            if weight is not ZERO:
                jacobian_rows[row][column] = weight
    return jacobian_rows


def _accumulate(row: SparseRow, column: int, term: Expression) -> None:
    known = row.get(column)
    total = term if known is None else add(known, term)
    if total is ZERO:
        row.pop(column, None)
    else:
        row[column] = total


# ------------------------------------------------------------------------------------------ Hessians


def hessian_vector(
    result: Expression, by: Sequence[Expression], direction: Sequence[Operand]
) -> list[Expression]:
    """The Hessian times a vector: the gradient's rate along the vector, at the price of two gradients.

    >>> from linkwork.algebra import symbols
    >>> x, y, u, v = symbols("x y u v")
    >>> hessian_vector(x * y**2, [x, y], [u, v])
    [2*v*y, 2*(u*y + v*x)]
    """
    by = as_symbols(by, "hessian_vector")
    return directional(gradient(result, by), dict(zip(by, direction, strict=True)))


@without_collector
def hessian(result: Expression, by: Sequence[Expression]) -> tuple[list[Expression], list[SparseRow]]:
    """The gradient and the lower triangle of the Hessian, its nonzeros as {column: value} a row.

    Edge pushing (Gower and Mello 2012): nodes are eliminated from the result downwards, and the
    second derivatives by pairs of nodes still standing are pushed on to their arguments. Partial sums
    shared by many entries are formed once, so the mass matrix of a chain comes out with the operations
    of the composite-rigid-body algorithm, not with one differentiation a column.

    >>> from linkwork.algebra import symbols
    >>> x, y = symbols("x y")
    >>> hessian(x * y**2, [x, y])
    ([y^2, 2*x*y], [{}, {0: 2*y, 1: 2*x}])
    """
    result, by = number(result), as_symbols(by, "hessian")
    if len(set(by)) < len(by):
        return _hessian_by_repeated(result, by)
    order = nodes_in_order([result])
    moving = _moving(order, by)
    weight: dict[Expression, Expression] = {result: ONE}
    pairs = _Pairs(order, by)
    for node in reversed(order):
        if node.arguments and node in moving and node in weight:
            partials = [(a, d) for a, d in first_partials(node) if a in moving and d is not ZERO]
            pairs.eliminate(node, partials)
            for a, b, second in second_partials(node):
                if a in moving and b in moving:
                    pairs.add(a, b, multiply(second, weight[node]))
            _hand_down(node, weight[node], weight, moving)
    return [weight.get(symbol, ZERO) for symbol in by], pairs.lower_triangle(by)


def _hessian_by_repeated(
    result: Expression, by: Sequence[Expression]
) -> tuple[list[Expression], list[SparseRow]]:
    """The Hessian where a symbol stands several times in ``by``."""
    distinct = list(dict.fromkeys(by))
    place = [distinct.index(symbol) for symbol in by]
    slopes, triangle = hessian(result, distinct)

    def entry(row: int, column: int) -> Expression | None:
        high, low = max(place[row], place[column]), min(place[row], place[column])
        return triangle[high].get(low)

    rows = []
    for row in range(len(by)):
        entries = {column: entry(row, column) for column in range(row + 1)}
        rows.append({column: value for column, value in entries.items() if value is not None})
    return [slopes[each] for each in place], rows


class _Pairs:
    """The second derivatives by pairs of nodes, each kept with the one that is eliminated first."""

    def __init__(self, order: Sequence[Expression], by: Sequence[Expression]) -> None:
        self.position = {node: position for position, node in enumerate(order)}
        self.position |= {symbol: -1 - place for place, symbol in enumerate(by)}  # never eliminated
        self.partners: dict[Expression, dict[Expression, Expression]] = {}

    def add(self, a: Expression, b: Expression, value: Expression) -> None:
        """Add ``value`` to the entry (a, b), which is the entry (b, a)."""
        if self.position[a] < self.position[b]:
            a, b = b, a
        partners = self.partners.get(a)
        if partners is None:
            self.partners[a] = {b: value}
        else:
            known = partners.get(b)
            partners[b] = value if known is None else add(known, value)

    def eliminate(self, node: Expression, partials: Sequence[tuple[Expression, Expression]]) -> None:
        """Replace every pair with ``node`` by pairs with its arguments (chain rule)."""
        partners = self.partners.pop(node, None)
        if partners is None:
            return
        own = partners.pop(node, None)
        for argument, partial in partials:
            self.push(argument, partial, partners)
        if own is None:
            return
        for place, (a, by_a) in enumerate(partials):
            pushed = multiply(by_a, own)
            self.add(a, a, multiply(by_a, pushed))
            for b, by_b in partials[:place]:
                self.add(a, b, multiply(by_b, pushed))

    def push(
        self, argument: Expression, partial: Expression, partners: Mapping[Expression, Expression]
    ) -> None:
        """Hand each pair of an eliminated node on to one argument; most of the work is here."""
        position, rows = self.position, self.partners
        own_position = position[argument]
        for other, value in partners.items():
            share = value if partial is ONE else multiply(partial, value)
            if argument is other:
                share = add(share, share)
            first, second = (other, argument) if position[other] > own_position else (argument, other)
            row = rows.get(first)
            if row is None:
                rows[first] = {second: share}
            else:
                known = row.get(second)
                row[second] = share if known is None else add(known, share)

    def lower_triangle(self, by: Sequence[Expression]) -> list[SparseRow]:
        """What is left when only the symbols stand."""
        column = {symbol: place for place, symbol in enumerate(by)}
        rows: list[SparseRow] = [{} for _ in by]
        for a, partners in self.partners.items():
            for b, value in partners.items():
                if a in column and b in column and value is not ZERO:
                    row, place = sorted((column[a], column[b]), reverse=True)
                    rows[row][place] = value
        return [dict(sorted(row.items())) for row in rows]
