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
    ZERO,
    Expression,
    Value,
    as_expressions,
    core_of,
    exact,
    whole_exponent,
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
    roots = as_expressions(roots, "collected")
    order = nodes_in_order(roots)
    uses = Counter(chain.from_iterable([node.arguments for node in order]))
    uses.update(roots)
    sums = [node for node in order if node.operation is ADD]
    inner = {core_of(term) for node in sums for term in node.arguments if _is_lone(term, uses)}
    signature: dict[Expression, int] = {ONE: 0}
    changed: dict[Expression, Expression] = {}
    for node in sums:
        if node not in inner:
            total = _total(node, uses, signature)
            if total is not None:
                changed[node] = total
    return _with_changes(order, roots, changed)


def _is_lone(term: Expression, uses: Counter[Expression]) -> bool:
    """Whether a term, and what its coefficient multiplies, has one user only."""
    return uses[term] == 1 and (term.core is None or uses[term.core] == 1)


def _signature(product: Expression, known: dict[Expression, int]) -> int:
    """A hash of a product's factors that forgets their order and brackets."""
    waiting = [product]
    while waiting:
        node = waiting[-1]
        if node in known:
            waiting.pop()
        elif node.operation is MUL or whole_exponent(node):
            parts = node.arguments if node.operation is MUL else node.arguments[:1]
            missing = [part for part in parts if part not in known]
            if missing:
                waiting += missing
            else:
                times = 1 if node.operation is MUL else whole_exponent(node)
                known[node] = times * sum(known[part] for part in parts) % _PRODUCT_HASHES
        else:
            known[node] = hash((node.rank, 1)) % _PRODUCT_HASHES
    return known[product]


def _total(
    root: Expression, uses: Counter[Expression], signatures: dict[Expression, int]
) -> Expression | None:
    """The sum with equal terms joined; None where no two are equal."""
    terms = _terms(root, uses)
    if len({_signature(core, signatures) for _, core in terms}) == len(terms):
        return None
    joined: list[tuple[Value, Expression]] = []
    places: dict[int, list[int]] = {}
    for value, core in terms:
        for place in places.setdefault(signatures[core], []):
            known, other = joined[place]
            if other is core or _factors(other) == _factors(core):
                joined[place] = (known + value, other)
                break
        else:
            places[signatures[core]].append(len(joined))
            joined.append((value, core))
    if len(joined) == len(terms):
        return None
    total: Expression = ZERO
    for value, core in joined:
        total = add(total, scale(exact(value), core))
    return total


def _terms(root: Expression, uses: Counter[Expression]) -> list[tuple[Value, Expression]]:
    """The terms of a sum and of the sums inside it that nobody else uses, each with its number."""
    found: list[tuple[Value, Expression]] = []
    waiting: list[tuple[Value, Expression]] = [(1, root)]
    while waiting:
        value, node = waiting.pop()
        for term in reversed(node.arguments):
            factor = value * term.coefficient.value
            core = core_of(term)
            if core.operation is ADD and _is_lone(term, uses):
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
        elif exponent := whole_exponent(node):
            waiting.append((node.arguments[0], times * exponent))
        else:
            found[node] += times
    return found


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
