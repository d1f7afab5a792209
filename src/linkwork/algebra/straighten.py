"""Products and quotients as a person writes them: one row of factors over one row of factors."""

from __future__ import annotations

from linkwork.algebra.arithmetic import divide, multiply, scale
from linkwork.algebra.expression import DIV, MUL, ONE, Expression, exact
from linkwork.algebra.graph import nodes_in_order, rebuilt
from linkwork.algebra.text import place_in_product
from linkwork.errors import ExpressionError

Factors = tuple[list[Expression], list[Expression]]


def straightened(expression: Expression) -> Expression:
    """The expression with quotients inside products, and products inside products, written in one row.

    >>> from linkwork.algebra import parse
    >>> print(parse("l*(x/d)*(g*m)"))
    l*(x/d)*(g*m)
    >>> print(straightened(parse("l*(x/d)*(g*m)")))
    g*l*m*x/d
    """
    result: dict[Expression, Expression] = {}
    for node in nodes_in_order([expression]):
        if not node.arguments:
            continue
        arguments = [result.get(argument, argument) for argument in node.arguments]
        try:
            changed = any(new is not old for new, old in zip(arguments, node.arguments, strict=True))
            new = rebuilt(node.operation, arguments) if changed else node
            new = _in_one_row(new) if _is_bent(new) else new
        except ExpressionError:  # a number left the range of doubles
            continue
        if new is not node:
            result[node] = new
    return result.get(expression, expression)


def _is_bent(node: Expression) -> bool:
    """Whether a product or quotient has more brackets than it needs."""
    if node.core is not None or node.operation not in (MUL, DIV):
        return False
    first, second = node.arguments
    if node.operation is DIV:
        return first.operation is DIV or second.operation is DIV
    inner = [each for each in (first, second) if each.core is None]
    return any(each.operation is DIV for each in inner) or all(
        each.operation is MUL for each in (first, second)
    )


def _in_one_row(node: Expression) -> Expression:
    above, below = _factors(node)
    upper: Expression = ONE
    lower: Expression = ONE
    for each in sorted(above, key=place_in_product):
        upper = multiply(upper, each)
    for each in sorted(below, key=place_in_product):
        lower = multiply(lower, each)
    return divide(upper, lower) if below else upper


def _factors(node: Expression) -> Factors:
    """What stands above and below the bar."""
    above: list[Expression] = []
    below: list[Expression] = []
    waiting = [(node, True)]
    while waiting:
        each, is_above = waiting.pop()
        if each.core is not None and each.core.operation in (MUL, DIV):
            (above if is_above else below).append(scale(exact(each.coefficient.value), ONE))
            waiting.append((each.core, is_above))
        elif each.core is None and each.operation is MUL:
            waiting += [(part, is_above) for part in each.arguments]
        elif each.operation is DIV:
            waiting += [(each.arguments[0], is_above), (each.arguments[1], not is_above)]
        else:
            (above if is_above else below).append(each)
    return above, below
