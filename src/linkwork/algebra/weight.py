"""How heavy an expression or a table is to read: the one measure by which simpler forms are chosen.

This is the weighted operation count of Todd, McLeod and Harris (1994). It counts what stands on the
page, so a part that occurs twice counts twice; what a machine computes once and shares is counted by
:func:`linkwork.algebra.operation_count` instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from linkwork.algebra.expression import ADD, DIV, MUL, POW, SQRT, SYMBOL, TWO, Expression, Number, Value

if TYPE_CHECKING:
    from linkwork.algebra.table import Definition, Table

# What one occurrence of each operation costs a reader. Names, numbers and signs cost nothing; a number in
# front costs a multiplication, a fraction in front (3·x/2) two.
SUM_WEIGHT: Final = 1
PRODUCT_WEIGHT: Final = 1
QUOTIENT_WEIGHT: Final = 2
SQUARE_WEIGHT: Final = 1
POWER_WEIGHT: Final = 2
ROOT_WEIGHT: Final = 3
FUNCTION_WEIGHT: Final = 4
NESTED_WEIGHT: Final = 2  # more, for a fraction above or below the bar of another one

# What a line of a table costs besides its operations: one more name to remember and to look up. With 3 a
# difference such as m − k² that two lines need is written twice rather than named, a cosine is not.
LINE_WEIGHT: Final = 3

_REMEMBERED: Final = 20_000
_limit = _REMEMBERED
_known: dict[Expression, tuple[int, int, bool]] = {}


def weight(expression: Expression) -> int:
    """The weighted number of operations a reader meets, shared parts counted at each occurrence.

    >>> from linkwork.algebra import parse
    >>> weight(parse("a + b")), weight(parse("-2*a")), weight(parse("a*cos(e)")), weight(parse("a^2/b"))
    (1, 1, 5, 3)
    """
    return reading_weight(expression)[0] if expression.arguments else 0


def names_written(expression: Expression) -> int:
    """How often symbols stand in an expression, shared parts counted each time.

    >>> from linkwork.algebra import parse
    >>> names_written(parse("2*x*sin(x) + y"))
    3
    """
    return reading_weight(expression)[1]


def reading_weight(expression: Expression) -> tuple[int, int]:
    """The weight and, to choose between forms of the same weight, how often names are written."""
    found = _known.get(expression)
    if found is not None:
        return found[:2]
    if not expression.arguments:
        return 0, int(expression.operation is SYMBOL)
    global _limit
    if len(_known) > _limit:
        _known.clear()
    order = _unweighed(expression)
    _limit = max(_limit, 4 * len(order))  # a graph larger than the memory would be walked for ever
    for node in order:
        total, names, fraction = _own_weight(node), 0, False
        for argument in node.arguments:
            if argument.arguments:
                below, names_below, is_fraction = _known[argument]
                total, names, fraction = total + below, names + names_below, fraction or is_fraction
            elif argument.operation is SYMBOL:
                names += 1
        if fraction and _has_bar(node):
            total += NESTED_WEIGHT
        fraction = _has_bar(node) or (fraction and node.operation in (ADD, MUL))
        _known[node] = total, names, fraction
    return _known[expression][:2]


def _has_bar(node: Expression) -> bool:
    """Whether the topmost operation is set as a fraction of its own; (x/y)/2 is set as x/(2y)."""
    core = node.core
    if core is not None:
        return core.operation is not DIV and node.coefficient.value.denominator != 1
    return node.operation is DIV


def _unweighed(expression: Expression) -> list[Expression]:
    """The operations below whose weight is not known yet, arguments first."""
    order: list[Expression] = []
    waiting: list[tuple[Expression, bool]] = [(expression, False)]
    entered: set[Expression] = set()
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            order.append(node)
        elif node.arguments and node not in entered and node not in _known:
            entered.add(node)
            waiting.append((node, True))
            waiting += [(argument, False) for argument in node.arguments]
    return order


def _own_weight(node: Expression) -> int:
    """The weight of the topmost operation alone."""
    operation = node.operation
    if operation is ADD:
        return SUM_WEIGHT
    if operation is MUL:
        return PRODUCT_WEIGHT if node.core is None else coefficient_weight(node.coefficient.value)
    if operation is DIV:
        return QUOTIENT_WEIGHT
    if operation is POW and isinstance(node.arguments[1], Number):
        return SQUARE_WEIGHT if node.arguments[1] is TWO else POWER_WEIGHT
    return ROOT_WEIGHT if operation is SQRT else FUNCTION_WEIGHT


def coefficient_weight(value: Value) -> int:
    """The weight of a number in front: 0 for a sign, 1 for 2·x and x/2, 2 for 3·x/2."""
    return PRODUCT_WEIGHT * ((value.numerator not in (1, -1)) + (value.denominator != 1))


def line_weight(line: Definition) -> int:
    """The weight of the equation a reader sees, and of the line it takes."""
    left, right = line.equation
    return weight(left) + weight(right) + LINE_WEIGHT


def table_weight(table: Table | Iterable[Definition]) -> int:
    """The weight of all lines of a table.

    >>> from linkwork.algebra import Definition, Table
    >>> table_weight(Table.of([Definition.of("r", implicit="r^2 = x^2 + y^2"), Definition.of("u", "x/r")]))
    12
    """
    return sum(line_weight(line) for line in table)
