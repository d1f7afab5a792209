"""An expression in its lightest form: multiplied out, folded, factored, or left as it was written.

Several equivalent forms are made and weighed (see ``weight.py``); the lightest is taken, the given one
where none is lighter. All forms equal the given one wherever that has a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from linkwork.algebra.arithmetic import add, function, negate, scale
from linkwork.algebra.expression import (
    ADD,
    COS,
    DIV,
    MUL,
    PI,
    SIN,
    ZERO,
    Expression,
    core_of,
    exact,
    sum_of_numbers,
    whole_exponent,
    without_collector,
)
from linkwork.algebra.factor import factored
from linkwork.algebra.fold import folded
from linkwork.algebra.graph import nodes_in_order, rebuilt
from linkwork.algebra.polynomial import TooLong, as_expression, polynomial_of, terms_of
from linkwork.algebra.straighten import straightened
from linkwork.algebra.weight import reading_weight, weight
from linkwork.errors import ExpressionError

_REMEMBERED: Final = 10_000
_HEAVIEST: Final = 400  # beyond this weight a sum is not multiplied out: it is no longer read either
_known: dict[Expression, Expression] = {}
_forms_known: dict[tuple[Expression, bool], Expression] = {}


@without_collector
def tidied(expression: Expression) -> Expression:
    """The lightest of several equivalent forms; never a heavier one than the given.

    >>> from linkwork.algebra import parse
    >>> print(tidied(parse("m*l^2*cos(a)^2 + l^2*m*sin(a)^2")))
    m*l^2
    >>> print(tidied(parse("cos(a)*cos(a + b) + sin(a)*sin(a + b)")))
    cos(b)
    >>> print(tidied(parse("(x + y)^2 - (x - y)^2")))
    4*x*y
    """
    if not expression.arguments:
        return expression
    found = _known.get(expression)
    if found is None:
        if len(_known) > _REMEMBERED:
            _known.clear()
        found = _known[expression] = _tidied(expression)
        _known.setdefault(found, found)
    return found


def _tidied(expression: Expression) -> Expression:
    """Bottom up: each sum that is a factor, each argument of a function, then the whole."""
    best: dict[Expression, Expression] = {}
    order = nodes_in_order([expression])
    roots = _roots(order)
    roots[expression] = True
    for node in order:
        if not node.arguments:
            continue
        changed = without_right_angles(_rebuilt(node, best))
        if node in roots:
            changed = _lightest(changed, is_angle=not roots[node])
        if changed is not node:
            best[node] = changed
    found = best.get(expression, expression)
    if found is not expression and reading_weight(found) >= reading_weight(expression):
        found = expression
    row = straightened(found)
    return row if reading_weight(row) <= reading_weight(found) else found


def without_right_angles(node: Expression) -> Expression:
    """A sine or cosine whose argument has right angles as a term, without them.

    >>> from linkwork.algebra import parse
    >>> without_right_angles(parse("sin(b - pi)")), without_right_angles(parse("cos(b + pi/2)"))
    (-sin(b), -sin(b))
    """
    if node.operation not in (SIN, COS):
        return node
    turns = quarter_turns(node.arguments[0])
    if not turns:
        return node
    rest = add(node.arguments[0], scale(exact(Fraction(-turns, 2)), PI))
    sine, cosine = function(SIN, rest), function(COS, rest)
    circle = [sine, cosine, negate(sine), negate(cosine)]
    return circle[(turns + (node.operation is COS)) % 4]


def quarter_turns(angle: Expression) -> int:
    """How many right angles a sum has as a term of its own; 0 where it is no whole number of them.

    >>> from linkwork.algebra import parse
    >>> quarter_turns(parse("a - pi/2")), quarter_turns(parse("a + pi")), quarter_turns(parse("a + pi/3"))
    (-1, 2, 0)
    """
    waiting, found = [angle], ZERO
    while waiting:
        term = waiting.pop()
        if term.operation is ADD:
            waiting += term.arguments
        elif term is PI or term.core is PI:
            found = sum_of_numbers(found, term.coefficient)
    turns = 2 * found.value
    return int(turns) if turns.denominator == 1 else 0


def _rebuilt(node: Expression, best: dict[Expression, Expression]) -> Expression:
    """The node on the best forms of its arguments."""
    arguments = [best.get(argument, argument) for argument in node.arguments]
    if all(new is old for new, old in zip(arguments, node.arguments, strict=True)):
        return node
    try:
        return rebuilt(node.operation, arguments)
    except ExpressionError:  # a zero divisor, say, that was hidden before: it stays hidden
        return node


def _roots(order: list[Expression]) -> dict[Expression, bool]:
    """The sums that are factors (True) and the arguments of functions (False)."""
    roots: dict[Expression, bool] = {}
    for node in order:
        is_product = node.operation in (MUL, DIV) or whole_exponent(node) > 0
        if node.operation is ADD:
            continue
        for argument in node.arguments:
            if not is_product and argument.arguments:
                roots[argument] = False
            elif is_product and core_of(argument).operation is ADD and node.core is None:
                roots.setdefault(core_of(argument), True)
    return roots


def _lightest(expression: Expression, is_angle: bool = False) -> Expression:
    """The lightest form of one sum or product, whose atoms are tidy already.

    Of the argument of a function that is the plain sum where no form is lighter, so that the sine and
    the cosine of one angle are seen to have the same argument.
    """
    least = weight(expression)
    if least < 2 or least > _HEAVIEST:
        return expression
    found = _forms_known.get((expression, is_angle))
    if found is not None:
        return found
    best = expression
    try:
        for form in _forms(expression, is_angle):
            if form is best or weight(form) > least:
                continue
            is_plain = is_angle and weight(form) == least and best is expression
            if is_plain or reading_weight(form) < reading_weight(best):
                best, least = form, weight(form)
    except ExpressionError:  # a number left the range of doubles
        pass
    if len(_forms_known) > _REMEMBERED:
        _forms_known.clear()
    _forms_known[expression, is_angle] = best
    return best


def _forms(expression: Expression, is_angle: bool) -> Iterator[Expression]:
    """Equivalent forms, from several roads."""
    whole = None
    try:
        whole = polynomial_of(expression)
        if is_angle:
            yield as_expression(whole)
        yield factored(folded(whole))
    except TooLong:
        pass
    try:
        terms = terms_of(expression)
        if terms != whole:
            yield factored(folded(terms))
    except TooLong:
        pass
