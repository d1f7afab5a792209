"""Simplification beyond what building an expression does: equal terms found wherever a sum hides them.

Mechanics produces sums whose terms cancel (Lagrange's d/dt ∂T/∂v − ∂T/∂q always does), but apart from
one another and with their factors in another order: a·(b·c) here, (c·a)·b three brackets further down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from linkwork.algebra.arithmetic import add, scale
from linkwork.algebra.expression import (
    ADD,
    MUL,
    ONE,
    POW,
    ZERO,
    Expression,
    Number,
    Value,
    core_of,
    exact,
    without_collector,
)
from linkwork.algebra.graph import nodes_in_order, rebuilt

_PRODUCT_HASHES = 2**61 - 1


@without_collector
def collected(roots: Sequence[Expression]) -> list[Expression]:
    """The expressions with equal terms of each sum added up, whatever their brackets and order.

    Only sums that nobody else uses are opened, so nothing shared is lost and work never grows.

    >>> from linkwork.algebra import symbols
    >>> a, b, c, d = symbols("a b c d")
    >>> collected([(a * (b * c) + d) - (c * a) * b])
    [d]
    """
    order = nodes_in_order(roots)
    uses = Counter(chain.from_iterable([node.arguments for node in order]))
    uses.update(roots)
    signature = _product_signatures(order)
    lone = {node for node in order if uses[node] == 1}
    inner = {
        core_of(term)
        for node in order
        if node.operation is ADD
        for term in node.arguments
        if term in lone and core_of(term) in lone
    }
    changed: dict[Expression, Expression] = {}
    for node in order:
        if node.operation is ADD and node not in inner:
            total = _total(node, lone, signature)
            if total is not None:
                changed[node] = total
    return _with_changes(order, roots, changed)


def _product_signatures(order: Sequence[Expression]) -> dict[Expression, int]:
    """A hash of each node's factors that forgets their order and brackets."""
    signature: dict[Expression, int] = {ONE: 0}
    for node in order:
        if node is ONE or node.core is not None:
            signature[node] = signature[core_of(node)]
        elif node.operation is MUL:
            first, second = node.arguments
            signature[node] = (signature[first] + signature[second]) % _PRODUCT_HASHES
        elif exponent := _whole_exponent(node):
            signature[node] = signature[node.arguments[0]] * exponent % _PRODUCT_HASHES
        else:
            signature[node] = hash((node.rank, 1)) % _PRODUCT_HASHES
    return signature


def _total(root: Expression, lone: set[Expression], signature: dict[Expression, int]) -> Expression | None:
    """The sum with equal terms joined; None where no two are equal."""
    terms = _terms(root, lone)
    if len({signature[core] for _, core in terms}) == len(terms):
        return None
    joined: list[tuple[Value, Expression]] = []
    places: dict[int, list[int]] = {}
    for value, core in terms:
        for place in places.setdefault(signature[core], []):
            known, other = joined[place]
            if other is core or _factors(other) == _factors(core):
                joined[place] = (known + value, other)
                break
        else:
            places[signature[core]].append(len(joined))
            joined.append((value, core))
    if len(joined) == len(terms):
        return None
    total: Expression = ZERO
    for value, core in joined:
        total = add(total, scale(exact(value), core))
    return total


def _terms(root: Expression, lone: set[Expression]) -> list[tuple[Value, Expression]]:
    """The terms of a sum and of the sums inside it that nobody else uses, each with its number."""
    found: list[tuple[Value, Expression]] = []
    waiting: list[tuple[Value, Expression]] = [(1, root)]
    while waiting:
        value, node = waiting.pop()
        for term in reversed(node.arguments):
            factor = value * term.coefficient.value
            core = core_of(term)
            if core.operation is ADD and term in lone and core in lone:
                waiting.append((factor, core))
            else:
                found.append((factor, core))
    found.reverse()
    return found


def _factors(product: Expression) -> Counter[Expression]:
    """The factors of a product with their multiplicities, through all brackets."""
    found: Counter[Expression] = Counter()
    waiting = [(product, 1)]
    while waiting:
        node, times = waiting.pop()
        if node.operation is MUL:
            waiting += [(argument, times) for argument in node.arguments]
        elif exponent := _whole_exponent(node):
            waiting.append((node.arguments[0], times * exponent))
        else:
            found[node] += times
    return found


def _whole_exponent(node: Expression) -> int:
    """n of x^n for a whole n, 0 for anything else."""
    if node.operation is POW:
        exponent = node.arguments[1]
        if isinstance(exponent, Number) and exponent.value.denominator == 1:
            return int(exponent.value)
    return 0


def _with_changes(
    order: Sequence[Expression], roots: Sequence[Expression], changed: dict[Expression, Expression]
) -> list[Expression]:
    """The roots with some nodes replaced, everything above them rebuilt."""
    if not changed:
        return list(roots)
    result: dict[Expression, Expression] = {}
    done: set[Expression] = set()
    for node in order:
        replacement = changed.get(node)
        if replacement is None:
            _carry_over(node, result)
            done.add(node)
        else:
            for part in nodes_in_order([replacement], done):
                _carry_over(part, result)
            result[node] = result.get(replacement, replacement)
    return [result.get(root, root) for root in roots]


def _carry_over(node: Expression, result: dict[Expression, Expression]) -> None:
    arguments = [result.get(argument, argument) for argument in node.arguments]
    if any(new is not old for new, old in zip(arguments, node.arguments, strict=True)):
        result[node] = rebuilt(node.operation, arguments)
