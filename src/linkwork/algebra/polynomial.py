"""Expressions as polynomials: terms with exact coefficients over atoms, where equal terms meet.

A term is a product of powers of atoms: names, functions, roots, and in denominators also sums. Exponents
may be negative, so quotients by a product need nothing special. A sum in a denominator is an atom in a
fixed form (its first coefficient is 1), so 1/(x − y) and 1/(y − x) are recognised as one up to the sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Final, TypeAlias

from linkwork.algebra.arithmetic import add, divide, multiply, power, scale
from linkwork.algebra.expression import (
    ADD,
    DIV,
    MUL,
    ONE,
    SQRT,
    ZERO,
    Expression,
    Number,
    Value,
    core_of,
    exact,
    whole_exponent,
)

Monomial: TypeAlias = tuple[tuple[Expression, int], ...]
"""Atoms with their exponents, none of them 0, in the order in which operands stand."""

Polynomial: TypeAlias = dict[Monomial, Value]
"""Terms with their coefficients, none of them 0."""

UNIT: Final[Monomial] = ()
MOST_TERMS: Final = 200  # what grows beyond is left as it was written
MOST_BITS: Final = 256  # of a coefficient, for the same reason
_HIGHEST_POWER: Final = 8  # of a sum that is multiplied out
_REMEMBERED: Final = 10_000


class TooLong(Exception):
    """A polynomial outgrew the limits; the caller keeps the expression as it was."""


def _place(factor: tuple[Expression, int]) -> tuple[str, int]:
    return factor[0].lead, factor[0].rank


def monomial(factors: Mapping[Expression, int]) -> Monomial:
    """The product of the atoms to these powers."""
    return tuple(sorted([factor for factor in factors.items() if factor[1]], key=_place))


def monomial_product(m: Monomial, n: Monomial) -> Monomial:
    """m · n."""
    if not m:
        return n
    if not n:
        return m
    factors = dict(m)
    for atom, exponent in n:
        factors[atom] = factors.get(atom, 0) + exponent
    return monomial(factors)


def monomial_quotient(m: Monomial, n: Monomial) -> Monomial:
    """m / n."""
    return monomial_product(m, tuple([(atom, -exponent) for atom, exponent in n])) if n else m


def constant(value: Value) -> Polynomial:
    """A number as a polynomial."""
    return {UNIT: value} if value else {}


def atom(expression: Expression) -> Polynomial:
    """An expression taken as a whole; only its coefficient stands apart."""
    if isinstance(expression, Number):
        return constant(expression.value)
    core = expression if expression.core is None else expression.core
    return {((core, 1),): expression.coefficient.value}


def add_into(total: Polynomial, other: Polynomial, factor: Value = 1) -> None:
    """total += factor · other."""
    for term, value in other.items():
        joined = total.get(term, 0) + factor * value
        if joined:
            total[term] = joined
        else:
            total.pop(term, None)
    if len(total) > MOST_TERMS:
        raise TooLong


def product(p: Polynomial, q: Polynomial) -> Polynomial:
    """p · q, with squares of roots undone."""
    if len(p) * len(q) > 4 * MOST_TERMS:
        raise TooLong
    total: Polynomial = {}
    rooted = False
    for m, a in p.items():
        for n, b in q.items():
            term = monomial_product(m, n)
            joined = total.get(term, 0) + a * b
            if joined:
                total[term] = joined
            else:
                total.pop(term, None)
            rooted = rooted or any(base.operation is SQRT and abs(times) > 1 for base, times in term)
    if len(total) > MOST_TERMS or any(_bits(value) > MOST_BITS for value in total.values()):
        raise TooLong
    return _without_squared_roots(total) if rooted else total


def _bits(value: Value) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _without_squared_roots(p: Polynomial) -> Polynomial:
    """√x² as x, and 1/√x³ as 1/(x·√x). What is below the root stays whole where it is divided by."""
    total: Polynomial = {}
    for term, value in p.items():
        rest: dict[Expression, int] = {}
        whole: Polynomial = {UNIT: value}
        for base, exponent in term:
            halves = int(exponent / 2)  # towards zero
            if base.operation is not SQRT or not halves:
                rest[base] = rest.get(base, 0) + exponent
                continue
            if exponent - 2 * halves:
                rest[base] = exponent - 2 * halves
            inner = polynomial_of(base.arguments[0])
            whole = product(whole, powered(inner if halves > 0 else reciprocal(inner), abs(halves)))
        add_into(total, product(whole, {monomial(rest): 1}))
    return total


def powered(p: Polynomial, exponent: int) -> Polynomial:
    """p to a whole power of at least 1."""
    if len(p) == 1:
        ((term, value),) = p.items()
        if _bits(value) * exponent > 2 * MOST_BITS:
            raise TooLong
        if not any(base.operation is SQRT for base, _ in term):
            return {tuple([(base, times * exponent) for base, times in term]): value**exponent}
    if exponent > _HIGHEST_POWER:
        raise TooLong
    result = p
    for _ in range(exponent - 1):
        result = product(result, p)
    return result


def reciprocal(p: Polynomial) -> Polynomial:
    """1 / p. A sum becomes one atom, after its number and its common factors have been taken out."""
    if not p:
        raise TooLong  # a hidden division by zero stays as it was written
    common = common_factor(p)
    whole = {monomial_quotient(term, common): value for term, value in p.items()}
    first = whole[min(whole, key=_place_of_term)]
    inverse = 1 / Fraction(first)
    one_over: Polynomial = {tuple([(base, -times) for base, times in common]): _plain(inverse)}
    if len(whole) == 1:
        return one_over
    bottom = as_expression({term: _plain(value * inverse) for term, value in whole.items()})
    return product(one_over, {((bottom, -1),): 1})


def ratio(a: Value, b: Value) -> Value:
    """a / b, exactly."""
    if type(a) is int and type(b) is int and not a % b:
        return a // b
    return _plain(Fraction(a) / b)


def _plain(value: Value) -> Value:
    return value.numerator if value.denominator == 1 else value


def _place_of_term(term: Monomial) -> list[tuple[str, int, int]]:
    return [(base.lead, base.rank, -times) for base, times in term] or [("~", 0, 0)]


def common_factor(p: Iterable[Monomial]) -> Monomial:
    """The highest powers that every term holds; a denominator that any of them has counts as held."""
    terms = iter(p)
    least = dict(next(terms))
    seen = set(least)
    for term in terms:
        others = dict(term)
        for base, times in term:
            if times < 0 and base not in seen:
                least[base] = 0  # what the terms so far hold of it
        seen.update(others)
        least = {
            base: min(times, others.get(base, 0))
            for base, times in least.items()
            if base in others or times < 0
        }
    return monomial(least)


def content(p: Polynomial) -> Value:
    """The greatest number that leaves whole coefficients."""
    if all(value in (1, -1) for value in p.values()):
        return 1
    above = gcd(*[value.numerator for value in p.values()])
    return _plain(Fraction(above, lcm(*[value.denominator for value in p.values()])))


def exact_quotient(p: Polynomial, q: Polynomial) -> Polynomial | None:
    """p / q where the division leaves no rest, for terms without denominators; None otherwise."""
    bases = sorted({base for term in (*p, *q) for base, _ in term}, key=lambda base: (base.lead, base.rank))
    rank = {base: place for place, base in enumerate(bases)}

    def height(term: Monomial) -> list[int]:
        exponents = [0] * len(rank)
        for base, times in term:
            exponents[rank[base]] = times
        return exponents

    top = max(q, key=height)
    rest, found = dict(p), Polynomial()
    while rest:
        leading = max(rest, key=height)
        factor = monomial_quotient(leading, top)
        if any(times < 0 for _, times in factor) or len(found) > MOST_TERMS:
            return None
        found[factor] = ratio(rest[leading], q[top])
        for term, value in q.items():
            place = monomial_product(factor, term)
            left = rest.get(place, 0) - found[factor] * value
            if left:
                rest[place] = left
            else:
                rest.pop(place, None)
        if len(rest) > MOST_TERMS:
            return None
    return found


# --------------------------------------------------------------------------- from and to expressions

_known: dict[Expression, Polynomial] = {}


def polynomial_of(expression: Expression) -> Polynomial:
    """The expression multiplied out; what is not +, −, ×, ÷ or a whole power is an atom.

    >>> from linkwork.algebra import parse
    >>> sorted(polynomial_of(parse("(x + 1)^2 - 2*x")).values())
    [1, 1]
    """
    if len(_known) > _REMEMBERED:
        _known.clear()
    waiting = [expression]
    while waiting:
        node = waiting[-1]
        if node in _known:
            waiting.pop()
            continue
        parts = _parts(node)
        missing = [part for part in parts if part not in _known]
        if missing:
            waiting += missing
        else:
            _known[node] = _multiplied_out(node, [_known[part] for part in parts])
            waiting.pop()
    return _known[expression]


def _parts(node: Expression) -> tuple[Expression, ...]:
    """The operands of an operation that polynomials know; none for an atom."""
    if node.operation in (ADD, MUL, DIV):
        return node.arguments
    return node.arguments[:1] if whole_exponent(node) > 0 else ()


def _multiplied_out(node: Expression, parts: list[Polynomial]) -> Polynomial:
    if not parts:
        return atom(node)
    if node.operation is ADD:
        total = dict(parts[0])
        add_into(total, parts[1])
        return total
    if node.operation is MUL:
        return product(*parts)
    if node.operation is DIV:
        return product(parts[0], reciprocal(parts[1]))
    return powered(parts[0], whole_exponent(node))


def terms_of(expression: Expression) -> Polynomial:
    """The terms of a sum without opening any brackets: sums that are factors are atoms.

    >>> from linkwork.algebra import parse
    >>> len(terms_of(parse("x*(y + 1) + 2*(1 + y)*x - z")))
    2
    """
    total: Polynomial = {}
    waiting: list[tuple[Value, Expression]] = [(1, expression)]
    while waiting:
        value, node = waiting.pop()
        value, node = value * node.coefficient.value, core_of(node)
        if node.operation is ADD:
            waiting += [(value, argument) for argument in reversed(node.arguments)]
        else:
            factor, term = _factors_of(node)
            add_into(total, {term: value * factor})
        if len(waiting) > MOST_TERMS:
            raise TooLong
    return total


def _factors_of(node: Expression) -> tuple[Value, Monomial]:
    """The factors of a product or quotient, and its number."""
    value: Value = 1
    factors: dict[Expression, int] = {}
    waiting = [(node, 1)]
    while waiting:
        part, times = waiting.pop()
        if part.coefficient is not ONE:
            if _bits(part.coefficient.value) * abs(times) > MOST_BITS:
                raise TooLong
            value = value * Fraction(part.coefficient.value) ** times
            part = core_of(part)
        if part.operation is MUL:
            waiting += [(argument, times) for argument in part.arguments]
        elif part.operation is DIV:
            waiting += [(part.arguments[0], times), (part.arguments[1], -times)]
        elif whole_exponent(part) > 0:
            waiting.append((part.arguments[0], times * whole_exponent(part)))
        elif part is not ONE:
            factors[part] = factors.get(part, 0) + times
        if len(waiting) > MOST_TERMS:
            raise TooLong
    return _plain(value), monomial(factors)


def as_expression(p: Polynomial) -> Expression:
    """The plain sum of the terms; the same one for equal polynomials."""
    total: Expression = ZERO
    for term in sorted(p, key=_place_of_term):
        total = add(total, scale(exact(p[term]), as_product(term)))
    return total


def as_product(term: Monomial) -> Expression:
    """The term as a product, or as a quotient where exponents are negative."""
    above: Expression = ONE
    below: Expression = ONE
    for base, times in term:
        if times > 0:
            above = multiply(above, power(base, exact(times)))
        else:
            below = multiply(below, power(base, exact(-times)))
    return divide(above, below)
