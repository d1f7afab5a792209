"""Expressions as text in ordinary notation; what is printed, :func:`parse` reads back as the same node.

Sums and products of two are printed without brackets where the structure allows: the operand that is
itself a sum comes first, so ``(a + b) + c`` needs none, and only a second such operand is bracketed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from linkwork.algebra.arithmetic import negate, scale
from linkwork.algebra.expression import (
    ADD,
    COMPARISONS,
    DIV,
    MAX,
    MIN,
    MINUS_ONE,
    MUL,
    ONE,
    PI,
    POW,
    Expression,
    Number,
    Symbol,
    Value,
    exact,
)

# How tightly each form binds; an operand that binds less tightly than its place needs brackets.
COMPARISON, SUM, SIGNED, PRODUCT, POWER, ATOM = 1, 2, 3, 4, 5, 6

Piece = str | tuple[Expression, int]
"""A piece of output: finished text, or an expression and the binding its place demands."""

PiecesOf = Callable[[Expression], tuple[list[Piece], int]]

_SHOWN: Final = 2000
_LONGEST_DECIMAL: Final = 300  # digits; longer ones are written as fractions, which the reader takes


def text(expression: Expression) -> str:
    """The whole expression. Shared parts are written out each time they occur.

    >>> from linkwork.algebra import symbols, sin
    >>> x, y = symbols("x y")
    >>> text(-(x - y) / 2 * sin(x) ** 2)
    '(y - x)*sin(x)^2/2'
    """
    return "".join(written(expression, pieces_of, ("(", ")")))


def shortened(expression: Expression) -> str:
    """The beginning of the expression, for messages: a shared graph may be endless when written out."""
    shown, length = [], 0
    for piece in written(expression, pieces_of, ("(", ")")):
        shown.append(piece)
        length += len(piece)
        if length > _SHOWN:
            return "".join(shown) + "…"
    return "".join(shown)


def written(expression: Expression, pieces_of: PiecesOf, brackets: tuple[str, str]) -> Iterator[str]:
    """The text of an expression bit by bit, from what ``pieces_of`` says of each node."""
    opening, closing = brackets
    waiting: list[Piece] = [(expression, COMPARISON)]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            yield piece
            continue
        node, needed = piece
        pieces, binding = pieces_of(node)
        if binding < needed:
            pieces = [opening, *pieces, closing]
        waiting += reversed(pieces)


def pieces_of(node: Expression) -> tuple[list[Piece], int]:
    """The node as text and operands in reading order, and how tightly the whole binds."""
    if isinstance(node, Symbol):
        return [node.name], ATOM
    if isinstance(node, Number):
        return _number_pieces(node.value)
    if node is PI:
        return ["pi"], ATOM
    if node.core is not None:
        return _scaled_pieces(node)
    if node.operation is ADD:
        return _sum_pieces(node.arguments)
    if node.operation in _INFIX:
        return _INFIX[node.operation](node)
    if node.operation in COMPARISONS:
        a, b = node.arguments
        return [(a, SUM), f" {node.operation} ", (b, SUM)], COMPARISON
    pieces: list[Piece] = [node.operation, "("]
    commutes = node.operation in (MIN, MAX)
    arguments = sorted(node.arguments, key=_first_name) if commutes else node.arguments
    for position, argument in enumerate(arguments):
        pieces += [", ", (argument, COMPARISON)] if position else [(argument, COMPARISON)]
    return [*pieces, ")"], ATOM


def number_text(value: Value) -> str:
    """An exact number as the shorter of a fraction and a finite decimal.

    >>> from fractions import Fraction
    >>> number_text(Fraction(981, 100)), number_text(Fraction(1, 3)), number_text(Fraction(1, 8))
    ('9.81', '1/3', '1/8')
    """
    fraction = f"{value.numerator}" if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    decimal = _finite_decimal(value)
    return decimal if decimal and len(decimal) < len(fraction) else fraction


def _finite_decimal(value: Value) -> str:
    """The decimal notation of a number that has a finite one; empty for the others."""
    rest, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        places = max(places, power)
    if rest != 1:
        return ""
    digits = str(abs(value.numerator) * (10**places // value.denominator)).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    if len(digits) > 25:
        significant = digits.lstrip("0")
        exponent = len(significant) - 1 - places
        mantissa = significant.rstrip("0")
        if len(mantissa) > _LONGEST_DECIMAL:
            return ""
        point = f".{mantissa[1:]}" if len(mantissa) > 1 else ""
        return f"{sign}{mantissa[0]}{point}e{exponent}"
    if places == 0:
        return sign + digits
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def _number_pieces(value: Value) -> tuple[list[Piece], int]:
    shown = number_text(value)
    if value < 0:
        return [shown], SIGNED
    return [shown], PRODUCT if "/" in shown else ATOM


def _scaled_pieces(node: Expression) -> tuple[list[Piece], int]:
    """coefficient · core: a sign in front, the numerator before, a denominator behind."""
    core = _core(node)
    if node.coefficient is MINUS_ONE and core.operation is ADD:
        return _sum_pieces([negate(term) for term in core.arguments])  # −(a − b) is read as b − a
    value = node.coefficient.value
    if value < 0:
        turned = _with_a_difference_turned(core)
        if turned is None:
            return ["-", (negate(node), PRODUCT)], SIGNED
        above, _, below = number_text(-value).partition("/")
        front: list[Piece] = [above, "*"] if above != "1" else []
        return [*front, *turned, *(["/", below] if below else [])], PRODUCT
    upper, lower = scaled_quotient(node)
    if lower is not ONE:
        return [(upper, PRODUCT), "/", (lower, POWER)], PRODUCT
    return [number_text(value), "*", (core, PRODUCT)], PRODUCT


def _with_a_difference_turned(core: Expression) -> list[Piece] | None:
    """−core where it is a difference, or a product with one, that can take up the sign."""
    if _is_difference(core):
        return [(negate(core), PRODUCT)]
    if core.operation not in (MUL, DIV):
        return None
    first, second = factors_in_reading_order(core) if core.operation is MUL else core.arguments
    if _is_difference(first):
        return [(negate(first), PRODUCT), core.operation, (second, POWER)]
    if _is_difference(second):
        return [(first, PRODUCT), core.operation, (negate(second), POWER)]
    return None


def _is_difference(node: Expression) -> bool:
    return node.operation is ADD and _is_negative(node.arguments[1])


def scaled_quotient(node: Expression) -> tuple[Expression, Expression]:
    """What stands above and below the bar when coefficient · core is written as one fraction."""
    core, value = _core(node), node.coefficient.value
    upper, lower = core.arguments if core.operation is DIV else (core, ONE)
    if "/" in number_text(value):
        return scale(exact(value.numerator), upper), scale(exact(value.denominator), lower)
    return scale(node.coefficient, upper), lower


def _core(node: Expression) -> Expression:
    return node if node.core is None else node.core


def _is_negative(node: Expression) -> bool:
    return node.coefficient.negative


def _sum_pieces(terms: Iterable[Expression]) -> tuple[list[Piece], int]:
    first, second = terms_in_reading_order(terms)
    if _is_negative(second):
        return [(first, SUM), " - ", (negate(second), PRODUCT)], SUM
    return [(first, SUM), " + ", (second, PRODUCT)], SUM


def terms_in_reading_order(terms: Iterable[Expression]) -> list[Expression]:
    """The two terms of a sum as a person would write them."""
    return sorted(terms, key=_place_in_sum)


def _place_in_sum(term: Expression) -> tuple[bool, bool, bool, int, str]:
    """Sums first, negative terms behind, numbers behind; then higher powers, then the alphabet."""
    return (
        _core(term).operation is not ADD or abs(term.coefficient.value) != 1,
        _is_negative(term),
        isinstance(term, Number),
        -_degree(_core(term)),
        _first_name(term),
    )


def _degree(core: Expression) -> int:
    if core.operation is POW and isinstance(core.arguments[1], Number):
        return int(core.arguments[1].value)
    return 2 if core.operation is MUL else 1


def _first_name(node: Expression) -> str:
    """A key for reading order: the nearest symbol's name, short ones first, then by the alphabet."""
    level = [node]
    for _ in range(4):
        names = [leaf.name for leaf in level if isinstance(leaf, Symbol)]
        if names:
            return min(f"{len(name):03} {name.casefold()} {name}" for name in names)
        level = [argument for parent in level for argument in parent.arguments]
    return "~"


def factors_in_reading_order(node: Expression) -> list[Expression]:
    """The two factors of a product as a person would write them."""
    return sorted(node.arguments, key=place_in_product)


def _product_pieces(node: Expression) -> tuple[list[Piece], int]:
    first, second = factors_in_reading_order(node)
    return [(first, PRODUCT), "*", (second, POWER)], PRODUCT


def place_in_product(factor: Expression) -> tuple[bool, int, str]:
    """Products first, then symbols, powers and brackets, then functions; each by the alphabet."""
    if factor.operation is MUL:
        return False, 0, ""
    kind = 0 if not factor.arguments else 1 if factor.operation in (POW, ADD) else 2
    if factor.operation is POW and not isinstance(factor.arguments[0], Symbol):
        kind = 2
    return True, kind, _first_name(factor)


def _quotient_pieces(node: Expression) -> tuple[list[Piece], int]:
    upper, lower = node.arguments
    return [(upper, PRODUCT), "/", (lower, POWER)], PRODUCT


def _power_pieces(node: Expression) -> tuple[list[Piece], int]:
    base, exponent = node.arguments
    return [(base, ATOM), "^", (exponent, ATOM)], POWER


_INFIX: Final = {MUL: _product_pieces, DIV: _quotient_pieces, POW: _power_pieces}
