"""Expressions as a hash-consed graph: equal expressions are one object, so equality is identity.

An expression is a symbol, a number or an operation on other expressions. Building one applies only
cheap local rules (numbers are folded, signs and coefficients move outwards, the operands of + and ×
stand in a fixed order, x − x and x/x vanish); the structure the author chose is otherwise kept,
because flattening sums loses the sharing that keeps large mechanisms small.

Every expression is ``coefficient · core``: the core of −2·x·y is x·y. This one decomposition makes
subtraction, negation and collecting of equal terms the same rule.

Numbers are exact rationals. A Python float enters as the decimal it prints as (0.1 is 1/10), so it
comes out of every printer as the same double.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from functools import wraps
from hashlib import blake2b
from sys import getrefcount
from typing import Any, Final, NoReturn, ParamSpec, SupportsIndex, TypeAlias, TypeVar

from linkwork.algebra.reserved import free_name, reserved_because
from linkwork.errors import BadName, ExpressionError, UsageError

P = ParamSpec("P")
R = TypeVar("R")

Value: TypeAlias = int | Fraction
Operand: TypeAlias = "Expression | int | float | Fraction"

# The operations. Their order enters the hashes of nodes, hence the order of operands in printed code.
SYMBOL, NUMBER, PI_OP, ADD, MUL, DIV, POW = "symbol", "number", "pi", "+", "*", "/", "^"
SQRT, SIN, COS, TAN, ASIN, ACOS, ATAN = "sqrt", "sin", "cos", "tan", "asin", "acos", "atan"
EXP, LOG, ABS, SIGN = "exp", "log", "abs", "sign"
ATAN2, MIN, MAX = "atan2", "min", "max"
LESS, LESS_EQUAL, EQUAL, NOT_EQUAL, SELECT = "<", "<=", "==", "!=", "select"

UNARY: Final = (SQRT, SIN, COS, TAN, ASIN, ACOS, ATAN, EXP, LOG, ABS, SIGN)
COMPARISONS: Final = (LESS, LESS_EQUAL, EQUAL, NOT_EQUAL)
OPERATIONS: Final = (
    *(SYMBOL, NUMBER, PI_OP, ADD, MUL, DIV, POW),
    *UNARY,
    *(ATAN2, MIN, MAX),
    *COMPARISONS,
    SELECT,
)
_CODE: Final = {operation: code for code, operation in enumerate(OPERATIONS)}

# Numerator and denominator of an exact number have at most this many bits, so that each is itself a
# double; a longer fraction is rounded to the nearest double. Without a bound a file of a few
# kilobytes could ask for numbers of millions of digits.
EXACT_BITS: Final = 1023


class Expression:
    """A node of the graph. Build it with operators and functions, never directly.

    >>> x, y = symbols("x y")
    >>> (x + y) * 2 - y * 2 - 2 * x is number(0)
    True
    >>> (x + y) - y is x
    True
    >>> print(3 * x / 6 + x ** 2 * x)
    x^3 + x/2
    """

    __slots__ = ("arguments", "coefficient", "core", "lead", "operation", "rank")

    operation: str
    arguments: tuple[Expression, ...]
    coefficient: Number  # the number in front
    core: Expression | None  # what it multiplies; None stands for the node itself
    lead: str  # the first name below, in the alphabet: operands are ordered by it
    rank: int  # and then by a hash of their structure

    def __add__(self, other: Operand) -> Expression:
        return arithmetic.add(self, other if isinstance(other, Expression) else number(other))

    def __radd__(self, other: Operand) -> Expression:
        return arithmetic.add(number(other), self)

    def __sub__(self, other: Operand) -> Expression:
        return arithmetic.add(
            self, arithmetic.negate(other if isinstance(other, Expression) else number(other))
        )

    def __rsub__(self, other: Operand) -> Expression:
        return arithmetic.add(number(other), arithmetic.negate(self))

    def __mul__(self, other: Operand) -> Expression:
        return arithmetic.multiply(self, other if isinstance(other, Expression) else number(other))

    def __rmul__(self, other: Operand) -> Expression:
        return arithmetic.multiply(number(other), self)

    def __truediv__(self, other: Operand) -> Expression:
        return arithmetic.divide(self, other if isinstance(other, Expression) else number(other))

    def __rtruediv__(self, other: Operand) -> Expression:
        return arithmetic.divide(number(other), self)

    def __pow__(self, other: Operand) -> Expression:
        return arithmetic.power(self, number(other))

    def __rpow__(self, other: Operand) -> Expression:
        return arithmetic.power(number(other), self)

    def __neg__(self) -> Expression:
        return arithmetic.negate(self)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return arithmetic.function(ABS, self)

    def __lt__(self, other: Operand) -> Expression:
        return arithmetic.function(LESS, self, number(other))

    def __le__(self, other: Operand) -> Expression:
        return arithmetic.function(LESS_EQUAL, self, number(other))

    def __gt__(self, other: Operand) -> Expression:
        return arithmetic.function(LESS, number(other), self)

    def __ge__(self, other: Operand) -> Expression:
        return arithmetic.function(LESS_EQUAL, number(other), self)

    def __bool__(self) -> NoReturn:
        raise ExpressionError(
            "an expression is neither true nor false before it has values",
            got=f"the truth of {self}",
            wanted="a choice made when the expression is evaluated",
            fix="select(condition, value_if_true, value_if_false)",
        )

    def __str__(self) -> str:
        from linkwork.algebra.text import shortened

        return shortened(self)

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        from linkwork.algebra.latex import latex

        return f"${latex(self)}$"

    def __copy__(self) -> Expression:
        return self

    def __deepcopy__(self, memo: object) -> Expression:
        return self

    def __reduce__(self) -> tuple[Callable[..., Expression], tuple[object, ...]]:
        from linkwork.algebra.graph import packed, unpacked

        return unpacked, (packed(self),)


class Symbol(Expression):
    """A named quantity; make one with :func:`symbol`."""

    __slots__ = ("name",)

    name: str


class Number(Expression):
    """An exact number; make one with :func:`number`."""

    __slots__ = ("negative", "value")

    value: Value
    negative: bool


# Operands stand in an order that reads well and is the same in every run, whatever was built before. (Hashes
# of integers and of tuples of them do not depend on the seed of a run; those of strings do.)
_BEHIND_ALL_NAMES: Final = "\U0010ffff"


def precedes(a: Expression, b: Expression) -> bool:
    """Whether a stands before b among the operands of an operation that lets them change places."""
    return a.rank < b.rank if a.lead == b.lead else a.lead < b.lead


def core_of(a: Expression) -> Expression:
    """What the number in front multiplies: x·y of −2·x·y, and 1 of a number."""
    return a if a.core is None else a.core


def whole_exponent(a: Expression) -> int:
    """n of x^n for a whole n, 0 for anything else."""
    if a.operation is POW:
        exponent = a.arguments[1]
        if isinstance(exponent, Number) and exponent.value.denominator == 1:
            return int(exponent.value)
    return 0


# ------------------------------------------------------------------------------------------ the pool

# Symbols live for ever: they are few, and their identity is what values are looked up by.
_symbols: dict[str, Symbol] = {}
_numbers: dict[Value, Number] = {}
_pool: dict[tuple[object, ...], Expression] = {}
_POOL_START: Final = 200_000
_new: Final = object.__new__
_pool_limit = _numbers_limit = _POOL_START


def node(operation: str, *arguments: Expression) -> Expression:
    """The one node of this operation on these arguments, exactly as given: no rule is applied."""
    key = (operation, *arguments)
    known = _pool.get(key)
    if known is not None:
        return known
    lead = min([argument.lead for argument in arguments])
    rank = hash((_CODE[operation], *[argument.rank for argument in arguments]))
    return _entered(key, arguments, lead, rank)


def pair(operation: str, a: Expression, b: Expression) -> Expression:
    """The same as ``node(operation, a, b)``, quicker, for the sums and products that most nodes are."""
    key = (operation, a, b)
    known = _pool.get(key)
    if known is not None:
        return known
    lead = a.lead if a.lead <= b.lead else b.lead
    return _entered(key, (a, b), lead, hash((_CODE[operation], a.rank, b.rank)))


def _entered(key: tuple[Any, ...], arguments: tuple[Expression, ...], lead: str, rank: int) -> Expression:
    if len(_pool) > _pool_limit:
        _forget_unused()
    fresh = _new(Expression)
    fresh.operation = key[0]
    fresh.arguments = arguments
    fresh.lead = lead
    fresh.rank = rank
    fresh.coefficient = ONE
    fresh.core = None
    return _pool.setdefault(key, fresh)


def _leaf(kind: type[Expression], operation: str, lead: str, rank: int) -> Any:
    fresh = _new(kind)
    fresh.operation = operation
    fresh.arguments = ()
    fresh.lead = lead
    fresh.rank = rank
    fresh.core = None
    return fresh


def without_collector(build: Callable[P, R]) -> Callable[P, R]:
    """Switch the cyclic collector off while a function builds many nodes.

    The graph has no cycles, so the collector finds nothing there, yet it would walk the growing graph
    again and again (a fifth of the time of a large derivation).
    """

    @wraps(build)
    def building(*arguments: P.args, **by_name: P.kwargs) -> R:
        if not gc.isenabled():
            return build(*arguments, **by_name)
        gc.disable()
        try:
            return build(*arguments, **by_name)
        finally:
            gc.enable()

    return building


def _forget_unused() -> None:
    """Drop the nodes that only the pool still holds.

    A parent enters the pool after its children, so one pass from the newest to the oldest suffices.
    (Weak references would do this without a pass, and cost twice as much for every node built.)
    """
    global _pool_limit, _numbers_limit
    for memo in (_floats, _products, _sums, _opposites, _reciprocals):
        memo.clear()
    only_the_pool = 2  # the dictionary's value and the argument of getrefcount
    keys = list(_pool)
    while keys:  # a key holds its arguments, so it is let go before they are looked at
        key = keys.pop()
        if getrefcount(_pool[key]) == only_the_pool:
            del _pool[key]
        del key
    only_itself = only_the_pool + 1  # a number is its own coefficient
    for value in list(_numbers):
        if getrefcount(_numbers[value]) == only_itself:
            del _numbers[value]
    _pool_limit = max(_POOL_START, 2 * len(_pool))
    _numbers_limit = max(_POOL_START, 2 * len(_numbers))


# -------------------------------------------------------------------------------------------- leaves

_LONGEST_NAME: Final = 200
_WORD: Final = re.compile(r"\w+")  # identifiers may also hold marks and dots that no reader takes for letters


def symbol(name: str) -> Symbol:
    """The symbol of this name: letters, digits and underscores, parts joined by dots (``crank.angle``).

    >>> symbol("crank.angle") is symbol("crank.angle")
    True
    """
    known = _symbols.get(name) if isinstance(name, str) else None
    if known is not None:
        return known
    if not isinstance(name, str) or not is_name(name):
        shown = repr(name) if len(repr(name)) < 60 else repr(name)[:57] + "…"
        raise BadName(
            "this is not a name",
            got=shown,
            wanted="letters, digits and underscores, not starting with a digit, at most 200 characters",
            fix="use a name such as crank_angle or crank.angle",
        )
    reason = reserved_because(name)
    if reason:
        raise BadName(
            f"'{name}' cannot be the name of a quantity",
            got=name,
            why=reason,
            fix=f"call it {free_name(name)} or give it a longer name",
        )
    digest = blake2b(name.encode(), digest_size=7).digest()
    fresh: Symbol = _leaf(Symbol, SYMBOL, name.casefold(), int.from_bytes(digest, "big"))
    fresh.name = name
    fresh.coefficient = ONE
    return _symbols.setdefault(name, fresh)


def as_symbols(given: Iterable[Expression | str], what: str) -> list[Expression]:
    """What one differentiates by: symbols (or other nodes); a name stands for its symbol."""
    if isinstance(given, Expression | str) or not isinstance(given, Iterable):
        raise UsageError(
            f"{what} takes a sequence of symbols",
            got=f"{given!r} ({type(given).__name__})"[:80],
            wanted="[x, y]",
            fix=f"{what}(…, [{given}])"[:80],
        )
    return [symbol(each) if isinstance(each, str) else _as_node(each, what) for each in given]


def as_expressions(given: Iterable[Operand], what: str) -> list[Expression]:
    """The expressions of a sequence; a single one is a mistake."""
    if isinstance(given, Expression | str) or not isinstance(given, Iterable):
        raise UsageError(
            f"{what} takes a sequence of expressions",
            got=f"{given!r} ({type(given).__name__})"[:80],
            wanted="[x*y, x + y]",
            fix=f"{what}([{given}], …)"[:80],
        )
    return [number(each) for each in given]


def _as_node(given: object, what: str) -> Expression:
    if isinstance(given, Expression):
        return given
    raise UsageError(
        f"{what} works with symbols", got=f"{given!r} ({type(given).__name__})"[:80], wanted='symbol("x")'
    )


def is_name(name: str) -> bool:
    """Whether the text has the form of a name, reserved or not."""
    parts = name.split(".")
    return len(name) <= _LONGEST_NAME and all(
        part.isidentifier() and _WORD.fullmatch(part) is not None for part in parts
    )


def symbols(names: str | Iterable[str]) -> tuple[Symbol, ...]:
    """Several symbols at once, from names separated by spaces or commas.

    >>> symbols("x y, z")
    (x, y, z)
    """
    parts = names.replace(",", " ").split() if isinstance(names, str) else names
    return tuple(symbol(name) for name in parts)


def number(value: Operand) -> Expression:
    """The expression of a number; expressions pass through unchanged.

    >>> number(0.1) is number(Fraction(1, 10))
    True
    """
    if type(value) is int:
        known = _numbers.get(value)
        return known if known is not None else exact(value)
    if isinstance(value, Expression):
        return value
    if isinstance(value, float):
        return _of_float(float(value))  # also NumPy's, whose text is not a number
    if isinstance(value, Fraction):
        return exact(value)
    if isinstance(value, SupportsIndex):
        with suppress(TypeError):
            return exact(int(value.__index__()))
    if hasattr(value, "__float__") and not isinstance(value, complex):
        with suppress(TypeError, ValueError):
            return _of_float(float(value))
    raise ExpressionError(
        "this is neither an expression nor a number",
        got=f"{value!r} ({type(value).__name__})"[:120],
        wanted="an expression, an int, a Fraction or a float",
        fix="for text use parse(...)",
    )


def _of_float(value: float) -> Number:
    """The decimal a float prints as, exactly."""
    known = _floats.get(value)
    if known is not None:
        return known
    if value - value != 0:
        raise ExpressionError(
            "a number in an expression must be finite",
            got=repr(value),
            why="infinities and NaN cannot be differentiated or compared",
            fix="use a large finite number, or leave the term out",
        )
    known = _floats[value] = exact(Fraction(repr(value)))
    return known


def exact(value: Value) -> Number:
    if value.denominator == 1:
        value = value.numerator
    known = _numbers.get(value)
    if known is not None:
        return known
    if _bits(value) > EXACT_BITS:
        value = _rounded(value)
        if value in _numbers:
            return _numbers[value]
    if len(_numbers) > _numbers_limit:
        _forget_unused()
    rank = (value.numerator * 1_000_003 + value.denominator) % (2**61 - 1)  # hash(-1) is hash(-2)
    fresh: Number = _leaf(Number, NUMBER, _BEHIND_ALL_NAMES, rank)
    fresh.value = value
    fresh.negative = value < 0
    fresh.coefficient = fresh
    fresh.core = ONE
    return _numbers.setdefault(value, fresh)


def _bits(value: Value) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _rounded(value: Value) -> Fraction:
    """The nearest double of a number that is too long to be kept exactly."""
    try:
        nearest = float(value)
    except OverflowError:
        nearest = 0.0
    if nearest == 0:
        raise _out_of_range("a number that left the range of doubles")
    return Fraction(repr(nearest))


def _out_of_range(got: str) -> ExpressionError:
    return ExpressionError(
        "a number left the range of doubles",
        got=got,
        wanted="magnitudes from about 5e-324 to 1.8e308",
        fix="choose units in which the numbers are nearer to 1",
    )


def _one() -> Number:
    """The number 1, the core of every number."""
    fresh: Number = _leaf(Number, NUMBER, 2 * _BEHIND_ALL_NAMES, 1)  # a sum's number stands last
    fresh.value = 1
    fresh.negative = False
    fresh.coefficient = fresh
    return _numbers.setdefault(1, fresh)


ONE: Final = _one()
ZERO: Final = exact(0)
TWO: Final = exact(2)
MINUS_ONE: Final = exact(-1)
HALF: Final = exact(Fraction(1, 2))
PI: Final[Expression] = _leaf(Expression, PI_OP, _BEHIND_ALL_NAMES, 0)
PI.coefficient = ONE


# ----------------------------------------------------------------------------- arithmetic of numbers

# Coefficients repeat, and rational arithmetic is slow beside a look-up.
_floats: dict[float, Number] = {}
_products: dict[tuple[Number, Number], Number] = {}
_sums: dict[tuple[Number, Number], Number] = {}
_opposites: dict[Number, Number] = {}
_reciprocals: dict[Number, Number] = {}


def product_of_numbers(p: Number, q: Number) -> Number:
    if p is ONE:
        return q
    if q is ONE:
        return p
    known = _products.get((p, q))
    if known is None:
        known = _products[p, q] = exact(p.value * q.value)
    return known


def power_of_number(p: Number, n: int) -> Number:
    if (_bits(p.value) - 1) * n <= EXACT_BITS:
        return exact(p.value**n)
    try:
        nearest = float(p.value) ** n
    except OverflowError:
        nearest = 0.0
    if nearest == 0:
        raise _out_of_range(f"{p}^{n}")
    return exact(Fraction(repr(nearest)))


def sum_of_numbers(p: Number, q: Number) -> Number:
    known = _sums.get((p, q))
    if known is None:
        known = _sums[p, q] = exact(p.value + q.value)
    return known


def opposite(p: Number) -> Number:
    known = _opposites.get(p)
    if known is None:
        known = _opposites[p] = exact(-p.value)
    return known


def reciprocal(p: Number) -> Number:
    known = _reciprocals.get(p)
    if known is None:
        known = _reciprocals[p] = exact(1 / Fraction(p.value))
    return known


# The operators of expressions are written with the arithmetic, and the arithmetic with expressions.
from linkwork.algebra import arithmetic  # noqa: E402
