"""A polynomial written for a reader: few operations, brackets only where they save some.

What all terms share is taken out; terms with one denominator stand over one bar; of the rest, what
several terms share is taken out of those terms, the most rewarding factor first (Horner's scheme is the
case of one variable). Squares that stand alone, as in a² + b² − 2·a·b·cos(e), are left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from linkwork.algebra.arithmetic import add, divide, multiply, scale
from linkwork.algebra.expression import ADD, ONE, ZERO, Expression, Number, exact
from linkwork.algebra.fold import folded
from linkwork.algebra.polynomial import (
    Monomial,
    Polynomial,
    TooLong,
    add_into,
    as_expression,
    as_product,
    common_factor,
    content,
    exact_quotient,
    monomial,
    monomial_quotient,
    polynomial_of,
    powered,
    product,
    ratio,
)
from linkwork.algebra.weight import PRODUCT_WEIGHT, coefficient_weight, weight

_CHOICES: Final = 3  # first factors that are tried in turn
_FEW_TERMS: Final = 12  # of which sums that is done


def factored(p: Polynomial) -> Expression:
    """The polynomial as an expression with few operations.

    >>> from linkwork.algebra import parse
    >>> print(factored(polynomial_of(parse("a*b + c*a"))))
    a*(b + c)
    >>> print(factored(polynomial_of(parse("(x^2 - y^2)/(x - y) + z/w"))))
    x + y + z/w
    """
    groups: dict[Monomial, Polynomial] = {}
    for term, value in p.items():
        below = tuple([(base, -times) for base, times in term if times < 0])
        groups.setdefault(below, {})[tuple([factor for factor in term if factor[1] > 0])] = value
    separate = _total(_quotient(above, below) for below, above in groups.items())
    if len(groups) < 2:
        return separate
    try:
        together = _over_one_bar(groups)
    except TooLong:
        return separate
    return min(separate, together, key=weight)


def _over_one_bar(groups: dict[Monomial, Polynomial]) -> Expression:
    """All terms over their common denominator, sums multiplied out so that they may cancel."""
    highest: Counter[Expression] = Counter()
    for below in groups:
        for base, times in below:
            highest[base] = max(highest[base], times)
    bottom = monomial(highest)
    above: Polynomial = {}
    for below, part in groups.items():
        missing: Polynomial = {(): 1}
        for base, times in monomial_quotient(bottom, below):
            opened: Polynomial = polynomial_of(base) if base.operation is ADD else {((base, 1),): 1}
            missing = product(missing, powered(opened, times))
        add_into(above, product(part, missing))
    return min(_quotient(above, bottom), _quotient(folded(above), bottom), key=weight)


def _quotient(above: Polynomial, below: Monomial) -> Expression:
    """above / below, after sums below have been cancelled where they divide what is above."""
    bottom: Expression = ONE
    for base, times in below:
        shown, left = base, times
        if base.operation is ADD:
            divisor = polynomial_of(base)
            if not divisor:
                raise TooLong  # a hidden division by zero stays as it was written
            while left and (shorter := exact_quotient(above, divisor)) is not None:
                above, left = shorter, left - 1
            shown = min(base, factored(divisor), key=weight) if left else base
        bottom = multiply(bottom, as_product(((shown, left),)) if left else ONE)
    cancelled = dict(common_factor(above)) if above else {}
    still = [(base, times) for base, times in below if base in cancelled and base.operation is not ADD]
    if still:  # cancelling a sum may bring a common factor to light
        return factored(product(above, {tuple([(base, -times) for base, times in below]): 1}))
    return divide(_whole(above), bottom)


def _whole(p: Polynomial, choices: int = _CHOICES) -> Expression:
    """A polynomial without denominators: its number, what all terms share, and the rest."""
    if not p:
        return ZERO
    shared = common_factor(p)
    rest = {monomial_quotient(term, shared): value for term, value in p.items()} if shared else p
    number = content(rest)
    if number != 1:
        divided = {term: ratio(value, number) for term, value in rest.items()}
        if len(rest) == 1 or _numbers(divided) + coefficient_weight(number) <= _numbers(rest):
            rest = divided
        else:
            number = 1
    return scale(exact(number), multiply(as_product(shared), _bracket(rest, choices)))


def _numbers(p: Polynomial) -> int:
    """The weight of the numbers in front of the terms."""
    return sum([coefficient_weight(value) for term, value in p.items() if term])


def _bracket(rest: Polynomial, choices: int) -> Expression:
    """A sum of which no factor can be taken out as a whole."""
    if len(rest) == 1:
        return as_expression(rest)
    tries = _by_reward(rest)[: choices if len(rest) <= _FEW_TERMS else 1]
    if not tries:
        return _total([scale(exact(value), as_product(term)) for term, value in rest.items()])
    return min([_grouped(rest, base) for base in tries], key=weight)


def _grouped(rest: Polynomial, base: Expression | None) -> Expression:
    """The sum with shared factors taken out of some of its terms, ``base`` first."""
    parts: list[Expression] = []
    while base is not None:
        inside = {
            term: value for term, value in rest.items() if not _is_lone_power(term) and base in dict(term)
        }
        rest = {term: value for term, value in rest.items() if term not in inside}
        parts.append(_whole(inside, choices=1))
        base = next(iter(_by_reward(rest)), None)
    parts += [scale(exact(value), as_product(term)) for term, value in rest.items()]
    return _total(parts)


def _by_reward(p: Polynomial) -> list[Expression]:
    """The atoms that several terms hold, those that save most when taken out of them first."""
    holders: dict[Expression, int] = {}
    for term in p:
        if not _is_lone_power(term):
            for base, _ in term:
                holders[base] = holders.get(base, 0) + 1
    rewards = [
        ((count - 1) * (weight(base) + PRODUCT_WEIGHT), count, base)
        for base, count in holders.items()
        if count > 1
    ]
    rewards.sort(key=lambda reward: reward[:2], reverse=True)
    return [base for _, _, base in rewards]


def _is_lone_power(term: Monomial) -> bool:
    """Whether the term is a name or a power of one, which reads best as it stands."""
    return len(term) == 1 and not term[0][0].arguments


def _total(parts: Iterable[Expression]) -> Expression:
    """The sum of the parts: numbers behind, negative parts last."""
    total: Expression = ZERO
    for part in sorted(parts, key=lambda part: (part.coefficient.negative, isinstance(part, Number))):
        total = add(total, part)
    return total
