"""Trigonometric sums folded: cos u·cos v + sin u·sin v is cos(u − v), cos²u + sin²u is 1.

The identities are applied to the terms of a polynomial, whatever else the two terms have in common, so
m·l²·cos²b + m·l²·sin²b folds to m·l². Sums are only ever folded, never unfolded: an angle a + b that the
author wrote stays one angle.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.algebra.arithmetic import add, function, negate
from linkwork.algebra.expression import COS, SIN, Expression
from linkwork.algebra.polynomial import (
    Monomial,
    Polynomial,
    add_into,
    as_expression,
    monomial_product,
    polynomial_of,
    product,
)
from linkwork.algebra.weight import PRODUCT_WEIGHT, SUM_WEIGHT, coefficient_weight, weight

_OTHER = {SIN: COS, COS: SIN}


def folded(p: Polynomial) -> Polynomial:
    """The polynomial with pairs of terms folded, as long as there are such pairs.

    >>> from linkwork.algebra import parse
    >>> as_expression(folded(polynomial_of(parse("x*sin(a + b)*cos(a) - sin(a)*cos(a + b)*x"))))
    x*sin(b)
    """
    if not any(base.operation in _OTHER for term in p for base, _ in term):
        return p
    while True:
        fewer = _with_squares_replaced(_with_pairs_folded(p))
        if rough_weight(fewer) >= rough_weight(p):
            return p
        p = fewer


def rough_weight(p: Polynomial) -> int:
    """The weight of the plain sum of the terms, without building it."""
    total = SUM_WEIGHT * (len(p) - 1)
    for term, value in p.items():
        total += coefficient_weight(value) if term else 0
        total += sum([abs(times) * (PRODUCT_WEIGHT + weight(base)) for base, times in term]) - bool(term)
    return total


def _with_pairs_folded(p: Polynomial) -> Polynomial:
    """Both terms of each pair replaced by the one they amount to."""
    p = dict(p)
    waiting = list(p)
    while waiting:
        term = waiting.pop(0)
        if term not in p:
            continue
        for partner, same, opposite in _pairings(term):
            if partner not in p or p[partner] not in (p[term], -p[term]):
                continue
            sum_of_both = same if p[partner] == p[term] else opposite
            if sum_of_both is None:
                continue
            value = p.pop(term)
            del p[partner]
            add_into(p, sum_of_both, value)
            waiting += [fresh for fresh in sum_of_both if fresh in p]
            break
    return p


def _pairings(term: Monomial) -> Iterator[tuple[Monomial, Polynomial | None, Polynomial | None]]:
    """Each term this one might fold with, and what this ± that one is (None: nothing shorter)."""
    circular = [(base, times) for base, times in term if base.operation in _OTHER and times > 0]
    for place, (f, times) in enumerate(circular):
        u = f.arguments[0]
        if times > 1:
            rest = monomial_product(term, ((f, -2),))
            yield monomial_product(rest, ((_partner(f), 2),)), {rest: 1}, None
        for g, _ in circular[place + 1 :]:
            v = g.arguments[0]
            if u is v:
                continue
            rest = monomial_product(monomial_product(term, ((f, -1),)), ((g, -1),))
            partner = monomial_product(monomial_product(rest, ((_partner(f), 1),)), ((_partner(g), 1),))
            if partner == term:
                continue
            sum_of_both, difference = _of_two_angles(f.operation, u, g.operation, v)
            yield partner, product({rest: 1}, sum_of_both), product({rest: 1}, difference)


def _partner(f: Expression) -> Expression:
    return function(_OTHER[f.operation], f.arguments[0])


def _of_two_angles(f: str, u: Expression, g: str, v: Expression) -> tuple[Polynomial, Polynomial]:
    """f(u)·g(v) plus and minus the same with sines and cosines exchanged."""
    if f is SIN and g is SIN:
        return _at(COS, u, negate(v)), _negated(_at(COS, u, v))
    if f is COS and g is COS:
        return _at(COS, u, negate(v)), _at(COS, u, v)
    if f is SIN:
        return _at(SIN, u, v), _at(SIN, u, negate(v))
    return _at(SIN, u, v), _at(SIN, v, negate(u))


def _at(operation: str, u: Expression, v: Expression) -> Polynomial:
    """The function at u + v."""
    return polynomial_of(function(operation, as_expression(polynomial_of(add(u, v)))))


def _negated(p: Polynomial) -> Polynomial:
    return {term: -value for term, value in p.items()}


def _with_squares_replaced(p: Polynomial) -> Polynomial:
    """sin² as 1 − cos², or cos² as 1 − sin², at each angle where this makes the sum lighter."""
    squared = dict.fromkeys(
        base for term in p for base, times in term if base.operation in _OTHER and times > 1
    )
    for f in squared:
        g = _partner(f)
        replaced: Polynomial = {}
        for term, value in p.items():
            times = dict(term).get(f, 0)
            if times < 2:
                add_into(replaced, {term: value})
                continue
            rest = monomial_product(term, ((f, -2 * (times // 2)),))
            factor: Polynomial = {rest: value}
            for _ in range(times // 2):
                factor = product(factor, {(): 1, ((g, 2),): -1})
            add_into(replaced, factor)
        if rough_weight(replaced) < rough_weight(p):
            p = replaced
    return p
