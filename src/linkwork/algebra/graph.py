"""Walking the graph: order, free symbols, substitution, evaluation, storage. Nothing here recurses."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from linkwork.algebra.arithmetic import add, divide, function, multiply, power
from linkwork.algebra.expression import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    ATAN2,
    COS,
    DIV,
    EQUAL,
    EXP,
    LESS,
    LESS_EQUAL,
    LOG,
    MAX,
    MIN,
    MUL,
    NOT_EQUAL,
    NUMBER,
    OPERATIONS,
    PI,
    PI_OP,
    POW,
    SELECT,
    SIGN,
    SIN,
    SQRT,
    SYMBOL,
    TAN,
    Expression,
    Number,
    Operand,
    Symbol,
    number,
    symbol,
)
from linkwork.errors import UnknownName


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
    found = [node for node in nodes_in_order(roots) if isinstance(node, Symbol)]
    return tuple(sorted(found, key=lambda leaf: leaf.name))


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
    result = {old: number(new) for old, new in replacements.items()}
    for node in nodes_in_order(roots):
        if node in result:
            continue
        changed = [result.get(argument, argument) for argument in node.arguments]
        if any(new is not old for new, old in zip(changed, node.arguments, strict=True)):
            result[node] = rebuilt(node.operation, changed)
    return [result.get(root, root) for root in roots]


# ---------------------------------------------------------------------------------------- evaluation


def evaluate(roots: Sequence[Expression], values: Mapping[str, float]) -> list[float]:
    """The values of the expressions in floating point, by the rules of IEEE 754 (1/0 is inf).

    >>> x = symbol("x")
    >>> evaluate([x / 4, 1 / (x - x + x)], {"x": 3})
    [0.75, 0.3333333333333333]
    """
    result: dict[Expression, float] = {}
    for node in nodes_in_order(roots):
        if isinstance(node, Symbol):
            if node.name not in values:
                raise UnknownName(
                    f"'{node.name}' has no value",
                    got="values for " + (", ".join(sorted(values)) or "nothing"),
                    wanted=f"a value for {node.name}",
                    fix=f"add '{node.name}': 1.0 to the values",
                )
            result[node] = float(values[node.name])
        elif isinstance(node, Number):
            result[node] = float(node.value)
        elif node is PI:
            result[node] = math.pi
        else:
            result[node] = NUMERIC[node.operation](*[result[argument] for argument in node.arguments])
    return [result[root] for root in roots]


def _quotient(a: float, b: float) -> float:
    if b != 0:
        return a / b
    if a == 0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def _power(a: float, b: float) -> float:
    try:
        value = a**b
    except ZeroDivisionError:
        return math.copysign(math.inf, a) if b % 2 == 1 else math.inf
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    return math.nan if isinstance(value, complex) else value


def _total(routine: Callable[[float], float], beyond: float = math.nan) -> Callable[[float], float]:
    """The routine with IEEE results in place of Python's exceptions."""

    def evaluated(a: float) -> float:
        try:
            return routine(a)
        except ValueError:
            return math.nan
        except OverflowError:
            return beyond

    return evaluated


def _logarithm(a: float) -> float:
    return -math.inf if a == 0 else math.log(a)


def _sign(a: float) -> float:
    return 1.0 if a > 0 else -1.0 if a < 0 else a


NUMERIC: Final[dict[str, Callable[..., float]]] = {
    ADD: operator.add,
    MUL: operator.mul,
    DIV: _quotient,
    POW: _power,
    SQRT: _total(math.sqrt),
    SIN: _total(math.sin),
    COS: _total(math.cos),
    TAN: _total(math.tan),
    ASIN: _total(math.asin),
    ACOS: _total(math.acos),
    ATAN: math.atan,
    EXP: _total(math.exp, math.inf),
    LOG: _total(_logarithm),
    ABS: abs,
    SIGN: _sign,
    ATAN2: math.atan2,
    MIN: lambda a, b: a if a < b or a != a else b,
    MAX: lambda a, b: a if a > b or a != a else b,
    LESS: lambda a, b: float(a < b),
    LESS_EQUAL: lambda a, b: float(a <= b),
    EQUAL: lambda a, b: float(a == b),
    NOT_EQUAL: lambda a, b: float(a != b),
    SELECT: lambda condition, then, otherwise: then if condition != 0 else otherwise,
}


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
