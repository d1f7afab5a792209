"""Reading expressions: what is understood, and how."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest

from linkwork.algebra import (
    PI,
    Expression,
    acos,
    asin,
    atan,
    atan2,
    cos,
    equal,
    exp,
    log,
    maximum,
    minimum,
    not_equal,
    number,
    parse,
    parse_equation,
    select,
    sign,
    sin,
    sqrt,
    symbol,
    symbols,
    tan,
)

a, b, c, x, y = symbols("a b c x y")

PRECEDENCE: Final[list[tuple[str, Expression]]] = [
    ("a + b*c", a + (b * c)),
    ("(a + b)*c", (a + b) * c),
    ("a - b - c", (a - b) - c),
    ("a - (b - c)", a - (b - c)),
    ("a/b/c", (a / b) / c),
    ("a/(b/c)", a / (b / c)),
    ("a/b*c", (a / b) * c),
    ("a*b^c", a * (b**c)),
    ("a^b^c", a ** (b**c)),
    ("(a^b)^c", (a**b) ** c),
    ("2^3^2", number(512)),
    ("-a^2", -(a**2)),
    ("(-a)^3", -(a**3)),
    ("-2^2", number(-4)),
    ("(-2)^2", number(4)),
    ("a^-b", a ** (-b)),
    ("a^-2", 1 / a**2),
    ("a^-b^2", a ** -(b**2)),
    ("2^-a*b", (2 ** (-a)) * b),
    ("-a*b", (-a) * b),
    ("a*-b", a * (-b)),
    ("a - -b", a + b),
    ("a--b", a + b),
    ("a+-+-b", a + b),
    ("+a", a),
    ("--a", a),
    ("a < b + c", a < (b + c)),
    ("a + b < c", (a + b) < c),
    ("(a < b) + c", (a < b) + c),
    ("(a < b) < c", (a < b) < c),
    ("((((a))))", a),
    ("a*(b + c)*x", (a * (b + c)) * x),
]
SPELLINGS: Final[list[tuple[str, Expression]]] = [
    ("a**b", a**b),
    ("a ^ 2", a**2),
    ("a·b", a * b),
    ("a×b", a * b),
    ("a − b", a - b),
    ("−a", -a),
    ("a > b", b < a),
    ("a >= b", b <= a),
    ("a <= b", a <= b),
    ("a == b", equal(a, b)),
    ("a != b", not_equal(a, b)),
    ("pi", PI),
    ("π", PI),
    ("2*π", 2 * PI),
    ("30 deg", PI / 6),
    ("30deg", PI / 6),
    ("-30 deg", -PI / 6),
    ("a deg", a * PI / 180),
    ("(a + b) deg", (a + b) * PI / 180),
    ("2*a deg", 2 * (a * PI / 180)),
    ("a^2 deg", a ** (2 * PI / 180)),
    ("sin(90 deg)", number(1)),
    ("crank.angle*2", symbol("crank.angle") * 2),
    ("a.b.c + a", symbol("a.b.c") + a),
    ("_a1", symbol("_a1")),
    ("α + ß", symbol("α") + symbol("ß")),
    ("e", symbol("e")),
    ("E1", symbol("E1")),
    ("  a\t+\n b ", a + b),
    ("a\u00a0+\u2003b", a + b),
]
NUMERALS: Final[list[tuple[str, int | Fraction]]] = [
    ("0", 0),
    ("007", 7),
    ("1.5", Fraction(3, 2)),
    ("1.", 1),
    (".5", Fraction(1, 2)),
    ("0.1", Fraction(1, 10)),
    ("1e3", 1000),
    ("1E+3", 1000),
    ("2.5e-3", Fraction(1, 400)),
    (".5e1", 5),
    ("1.e2", 100),
    ("123456789012345678901234567890", 123456789012345678901234567890),
    ("0." + "3" * 30, Fraction(int("3" * 30), 10**30)),
    ("1e308", 10**308),
    ("5e-324", Fraction(5, 10**324)),
    ("1" + "0" * 308, 10**308),
    ("0e5", 0),
    ("1e+0000005", 100_000),
    ("٣", 3),
]
CALLS: Final[list[tuple[str, Expression]]] = [
    ("sqrt(a)", sqrt(a)),
    ("sin(a)", sin(a)),
    ("cos(a)", cos(a)),
    ("tan(a)", tan(a)),
    ("asin(a)", asin(a)),
    ("acos(a)", acos(a)),
    ("atan(a)", atan(a)),
    ("exp(a)", exp(a)),
    ("log(a)", log(a)),
    ("abs(a)", abs(a)),
    ("sign(a)", sign(a)),
    ("atan2(a, b)", atan2(a, b)),
    ("min(a, b)", minimum(a, b)),
    ("min(a, b, c, 2)", minimum(a, b, c, 2)),
    ("max(a, b, c)", maximum(a, b, c)),
    ("select(a < b, a, b)", select(a < b, a, b)),
    ("select(a, b, select(b, c, 1))", select(a, b, select(b, c, 1))),
    ("sin (a)", sin(a)),
    ("sin((a))", sin(a)),
    ("sin(a)^2", sin(a) ** 2),
    ("-sin(a)^2", -(sin(a) ** 2)),
    ("sin(-(a + b)*2)", -sin((a + b) * 2)),
    ("min(a + 1, (b))", minimum(a + 1, b)),
    ("min(a < b, 1)", minimum(a < b, 1)),
    ("sin(30 deg) + cos(x)*min(a, b)", number(Fraction(1, 2)) + cos(x) * minimum(a, b)),
]


@pytest.mark.parametrize(
    ("written", "wanted"),
    [*PRECEDENCE, *SPELLINGS, *CALLS],
    ids=[written for written, _ in (*PRECEDENCE, *SPELLINGS, *CALLS)],
)
def test_what_is_understood(written: str, wanted: Expression) -> None:
    """From loose to tight: comparison, + −, * /, sign, ^ (from the right), deg, brackets."""
    assert parse(written) is wanted


@pytest.mark.parametrize(("written", "wanted"), NUMERALS, ids=[written[:30] for written, _ in NUMERALS])
def test_numerals_are_exact(written: str, wanted: int | Fraction) -> None:
    """A numeral is the number it says, to the last digit."""
    assert parse(written) is number(wanted)


def test_names_may_be_restricted() -> None:
    """With names given, exactly those are known; functions and constants always are."""
    assert parse("a*sin(pi*b) + 90 deg", names=["a", "b"]) is a * sin(PI * b) + PI / 2
    assert parse("2", names=[]) is number(2)
    assert parse("a", names={"a": 1}) is a


@pytest.mark.parametrize(
    ("written", "left", "right"),
    [
        ("a = b", a, b),
        ("a=b", a, b),
        ("a^2 = b^2 + c^2", a**2, b**2 + c**2),
        (" a\n=\n0 ", a, number(0)),
        ("a <= b = c", a <= b, c),
        ("a = b == c", a, equal(b, c)),
        ("a = b >= c", a, c <= b),
        ("(a != b) = 1", not_equal(a, b), number(1)),
    ],
)
def test_equations_have_two_sides(written: str, left: Expression, right: Expression) -> None:
    """left = right; the = of a comparison is not that of an equation."""
    assert parse_equation(written) == (left, right)


# -------------------------------------------------------------------------------------------- no limits

MANY: Final = 1_000_000


def test_a_million_brackets() -> None:
    """Nesting is limited by memory alone."""
    assert parse("(" * MANY + "x" + ")" * MANY) is x
    assert parse("-" * 100_000 + "x") is x


def test_long_texts() -> None:
    """A sum, a chain of powers and a call as long as a book are read like short ones."""
    count = 20_000
    assert parse(" + ".join(["x"] * count)) is count * x
    assert parse(" * ".join(["x"] * count)) is x**count
    assert parse("^".join(["1"] * count)) is number(1)
    assert parse("min(" + ", ".join(["x"] * count) + ")") is x
    assert parse(" " * MANY + "x" + " " * MANY) is x
