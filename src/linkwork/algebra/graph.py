"""Walking the graph: order, free symbols, substitution, storage. Nothing here recurses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from linkwork.algebra.arithmetic import add, divide, function, multiply, power
from linkwork.algebra.expression import (
    ADD,
    DIV,
    MUL,
    NUMBER,
    OPERATIONS,
    PI,
    PI_OP,
    POW,
    SYMBOL,
    Expression,
    Number,
    Operand,
    Symbol,
    as_expressions,
    as_symbols,
    number,
    symbol,
)


def nodes_in_order(roots: Iterable[Expression], seen: set[Expression] | None = None) -> list[Expression]:
    """Every node below the roots once, arguments before what uses them, in a fixed order.

    Nodes already in ``seen`` are left out; those found are added to it.

    >>> x = symbol("x")
    >>> nodes_in_order([x * x + 1])
    [x, 2, x^2, 1, x^2 + 1]
    """
    order: list[Expression] = []
    seen = set() if seen is None else seen
    waiting: list[Expression | None] = list(roots)
    waiting.reverse()
    while waiting:
        top = waiting.pop()
        if top is None:  # everything below the next one is done
            order.append(waiting.pop())  # type: ignore[arg-type]
        elif top not in seen:
            seen.add(top)
            if top.arguments:
                waiting += (top, None)
                for argument in reversed(top.arguments):
                    if argument not in seen:
                        waiting.append(argument)
            else:
                order.append(top)
    return order


def free_symbols(*roots: Expression) -> tuple[Symbol, ...]:
    """The symbols the expressions mention, in the order of their names.

    >>> x, y = symbol("x"), symbol("y")
    >>> free_symbols(y * x + y)
    (x, y)
    """
    found: list[Symbol] = []
    seen: set[Expression] = set()
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.arguments:
            waiting += node.arguments
        elif isinstance(node, Symbol):
            found.append(node)
    return tuple(sorted(found, key=_name_of)) if len(found) > 1 else tuple(found)


def _name_of(leaf: Symbol) -> str:
    return leaf.name


def rebuilt(operation: str, arguments: Sequence[Expression]) -> Expression:
    """The operation on these arguments, by the same rules as when a person writes it."""
    build = _BUILD.get(operation)
    return build(*arguments) if build is not None else function(operation, *arguments)


_BUILD: Final[dict[str, Callable[[Expression, Expression], Expression]]] = {
    ADD: add,
    MUL: multiply,
    DIV: divide,
    POW: power,
}


def substitute(roots: Sequence[Expression], replacements: Mapping[Expression, Operand]) -> list[Expression]:
    """The expressions with some parts (symbols or any subexpressions) replaced, all at once.

    >>> x, y = symbol("x"), symbol("y")
    >>> substitute([x + y], {x: y, y: 2 * x})
    [2*x + y]
    """
    roots = as_expressions(roots, "substitute")
    old = as_symbols(replacements, "substitute")
    new = [number(each) for each in replacements.values()]
    replaced = Replaced(dict(zip(old, new, strict=True)))
    return replaced.all_of(roots)


class Replaced:
    """Expressions with some parts replaced, one after another; what they share is built once.

    >>> x, y, u = symbol("x"), symbol("y"), symbol("u")
    >>> replaced = Replaced({u: x + y})
    >>> replaced.of(2 * u), replaced.of((2 * u) ** 2)
    (2*(x + y), 4*(x + y)^2)
    """

    def __init__(self, replacements: dict[Expression, Expression]) -> None:
        self._changed = replacements
        self._seen: set[Expression] = set()

    def enter(self, old: Expression, new: Expression) -> None:
        """One more part to be replaced, which nothing given so far contains."""
        self._changed[old] = new

    def of(self, root: Expression) -> Expression:
        """One expression with the parts replaced."""
        if root not in self._changed and root not in self._seen:
            self._replace_below([root])
        return self._changed.get(root, root)

    def all_of(self, roots: Sequence[Expression]) -> list[Expression]:
        """Several of them."""
        self._replace_below(roots)
        return [self._changed.get(root, root) for root in roots]

    def _replace_below(self, roots: Sequence[Expression]) -> None:
        changed = self._changed
        for node in nodes_in_order(roots, self._seen):
            arguments = node.arguments
            if arguments and node not in changed and not changed.keys().isdisjoint(arguments):
                changed[node] = rebuilt(node.operation, [changed.get(each, each) for each in arguments])


# -------------------------------------------------------------------------------------------- storage

Packed = list[tuple[str, object]]


def packed(root: Expression) -> Packed:
    """The graph below an expression as a flat list, for pickling at any depth."""
    order = nodes_in_order([root])
    place = {node: position for position, node in enumerate(order)}
    rows: Packed = []
    for node in order:
        if isinstance(node, Symbol):
            rows.append((SYMBOL, node.name))
        elif isinstance(node, Number):
            rows.append((NUMBER, (node.value.numerator, node.value.denominator)))
        else:
            rows.append((node.operation, tuple(place[argument] for argument in node.arguments)))
    return rows


def unpacked(rows: Packed) -> Expression:
    """The expression of :func:`packed`, entered into this process's graph."""
    built: list[Expression] = []
    for operation, content in rows:
        if operation == SYMBOL:
            built.append(symbol(str(content)))
        elif operation == NUMBER:
            built.append(number(Fraction(*content)))  # type: ignore[misc]
        elif operation == PI_OP:
            built.append(PI)
        else:
            arguments = [built[position] for position in content]  # type: ignore[attr-defined]
            built.append(rebuilt(_SAME[operation], arguments))
    return built[-1]


# Operations are compared by identity; a string from a pickle is equal, not identical.
_SAME: Final = {operation: operation for operation in OPERATIONS}
