"""The lightest form of an expression: the same value, never heavier, and light where it can be."""

from __future__ import annotations

import time

import pytest
from algebra_oracle import NoValue, by_graph, near
from hypothesis import assume, given
from hypothesis import strategies as st
from test_algebra_instructions import polynomials

from linkwork.algebra import (
    Expression,
    cos,
    nodes_in_order,
    number,
    parse,
    sin,
    symbol,
    symbols,
    tidied,
    weight,
)
from linkwork.algebra.expression import exact
from linkwork.algebra.factor import factored
from linkwork.algebra.fold import folded, rough_weight
from linkwork.algebra.polynomial import (
    Polynomial,
    TooLong,
    as_expression,
    exact_quotient,
    monomial,
    polynomial_of,
    product,
)
from strategies import expressions, points, smooth_expressions

POINTS = st.lists(points(), min_size=3, max_size=3)


@st.composite
def trigonometric_sums(draw: st.DrawFn) -> Expression:
    """Sums of products of sines and cosines of few angles, so that many terms fold."""
    x, y, z = symbols("x y z")
    angles = [x, y, x + y, x - y, 2 * z + x]
    factors = [f(angle) for angle in angles for f in (sin, cos)] + [x, z]
    total: Expression = number(0)
    for _ in range(draw(st.integers(2, 6))):
        term = number(draw(st.sampled_from((1, 1, -1, 2))))
        for factor in draw(st.lists(st.sampled_from(factors), min_size=1, max_size=4)):
            term = term * factor
        total = total + term
    return total


def agree(found: Expression, given: Expression, some: list[dict[str, float]]) -> bool:
    """Whether both have the same value at the points where the given one has a value."""
    compared = 0
    for values in some:
        try:
            wanted = by_graph([given], near(values))[0]
            value = by_graph([found], near(values))[0]
        except NoValue:
            continue
        if not value.agrees_with(wanted):
            return False
        compared += 1
    assume(compared)
    return True


# ------------------------------------------------------------------------------------------------ laws


@given(polynomials() | expressions() | smooth_expressions() | trigonometric_sums(), POINTS)
def test_a_tidy_form_has_the_same_value(expression: Expression, some: list[dict[str, float]]) -> None:
    """Whatever road the form was found on, it equals the given one."""
    assert agree(tidied(expression), expression, some)


@given(polynomials() | expressions() | smooth_expressions() | trigonometric_sums())
def test_a_tidy_form_is_never_heavier(expression: Expression) -> None:
    """The weight never grows, and a tidy form is tidy."""
    found = tidied(expression)
    assert weight(found) <= weight(expression)
    assert tidied(found) is found


@given(polynomials() | trigonometric_sums(), POINTS)
def test_polynomials_keep_the_value(expression: Expression, some: list[dict[str, float]]) -> None:
    """Multiplied out, folded and factored: each step alone keeps the value."""
    try:
        p = polynomial_of(expression)
        folding = folded(p)
    except TooLong:
        assume(False)
    assert agree(as_expression(p), expression, some)
    assert agree(as_expression(folding), expression, some)
    assert agree(factored(p), expression, some)
    assert rough_weight(folding) <= rough_weight(p)


def whole_polynomials(fewest: int) -> st.SearchStrategy[Polynomial]:
    """Polynomials in x, y, z and sin(x) without denominators."""
    bases = [*symbols("x y z"), sin(symbol("x"))]
    terms = st.lists(st.integers(0, 2), min_size=4, max_size=4).map(
        lambda powers: monomial(dict(zip(bases, powers, strict=True)))
    )
    return st.dictionaries(terms, st.integers(1, 9) | st.integers(-9, -1), min_size=fewest, max_size=4)


@given(whole_polynomials(1), whole_polynomials(2))
def test_exact_division_undoes_multiplication(p: Polynomial, q: Polynomial) -> None:
    """(p·q)/q is p; (p·q + 1)/q has a rest."""
    both = product(p, q)
    assert exact_quotient(both, q) == p
    both[()] = both.get((), 0) + 1
    assert exact_quotient({term: value for term, value in both.items() if value}, q) is None


@given(trigonometric_sums())
def test_names_do_not_matter(expression: Expression) -> None:
    """Under names in another alphabetical order as many terms fold."""
    renamed = parse(str(expression).replace("x", "p9").replace("y", "p1").replace("z", "a"))
    fold = folded(polynomial_of(expression))
    other = folded(polynomial_of(renamed))
    assert len(fold) == len(other)


# ------------------------------------------------------------------------------------------- closed forms


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("a*b + a*c", "a*(b + c)"),
        ("cos(a)*cos(b) + sin(a)*sin(b)", "cos(a - b)"),
        ("m*cos(a)*cos(b) - sin(b)*sin(a)*m", "m*cos(a + b)"),
        ("sin(a)*cos(b) + cos(a)*sin(b)", "sin(a + b)"),
        ("sin(a)*cos(b) - cos(a)*sin(b)", "sin(a - b)"),
        ("cos(a)*cos(a + b) + sin(a)*sin(a + b)", "cos(b)"),
        ("cos(a + b)*sin(a) - sin(a + b)*cos(a)", "-sin(b)"),
        ("m*l^2*cos(a)^2 + l^2*m*sin(a)^2", "l^2*m"),
        ("3*cos(a)^2 + sin(a)^2", "3 - 2*sin(a)^2"),
        ("1 - cos(a)^2", "sin(a)^2"),
        ("x*cos(a)^4 - x*sin(a)^4", "x*(2*cos(a)^2 - 1)"),
        ("(a*cos(e) - b)^2 + (a*sin(e))^2", "a^2 + b^2 - 2*a*b*cos(e)"),
        ("(sin(a) + sin(a + b))^2 + (cos(a) + cos(a + b))^2", "2 + 2*cos(b)"),
        ("cos((a + b) + (c - a))", "cos(b + c)"),
        ("(x^2 - y^2)/(y - x)", "-x - y"),
        ("(x^2 + 2*x*y + y^2)/(x + y)^2", "1"),
        ("x + (y - x)*(d/2)/d", "(x + y)/2"),
        ("1/(x + y) - 1/(x + y)*z + z/(y + x)", "1/(x + y)"),
        ("x/(x*y + x*z)", "1/(y + z)"),
        ("sqrt(x + y)*sqrt(y + x)*x - x^2", "x*y"),
        ("(x + y)^2 - (x - y)^2", "4*x*y"),
        ("x*y*z - (z*x)*y + 1", "1"),
        ("sin(x)*(a*b + a*c)/a", "sin(x)*(b + c)"),
    ],
)
def test_known_forms(written: str, wanted: str) -> None:
    """What a person would write, up to the order of terms."""
    found, best = tidied(parse(written)), parse(wanted)
    assert weight(found) <= weight(best)
    assert as_expression(polynomial_of(found)) is as_expression(polynomial_of(best))


@pytest.mark.parametrize(
    "written",
    [
        "m*l^2*V^2*sin(b)",
        "-2*c^2*sin(a)*cos(a)",
        "L^2 - c^2*sin(a)^2",
        "(b - x)^2 + y^2",
        "(x + y)^7*(x - y)^7",
        "a^2 + b^2 - 2*a*b*cos(e)",
        "x",
        "3",
        "select(x < y, x, y)",
    ],
)
def test_what_reads_well_is_left_alone(written: str) -> None:
    """Brackets that save operations stay closed, and double angles are not introduced."""
    assert tidied(parse(written)) is parse(written)


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("x", 0),
        ("-x", 0),
        ("a + b - c", 2),
        ("-2*a", 1),
        ("a/2", 1),
        ("3*a/2", 2),
        ("a/b", 2),
        ("a^2", 1),
        ("a^3", 2),
        ("sqrt(a)", 3),
        ("sin(a)", 4),
        ("atan2(a, b)", 4),
        ("sin(a) + sin(a)*b", 10),
    ],
)
def test_the_weights(written: str, wanted: int) -> None:
    """The weight is counted as the page is read."""
    assert weight(parse(written)) == wanted


# --------------------------------------------------------------------------------------------- no limits


def test_a_shared_graph_is_weighed_at_once() -> None:
    """2^1000 occurrences are counted, not visited; and tidying leaves such a thing alone."""
    x = symbol("x")
    total: Expression = x + 1
    for _ in range(1000):
        total = total * sin(total)
    assert weight(total) > 2**1000
    assert tidied(total) is total


def test_deep_expressions() -> None:
    """Depth is no limit: sines of sines, and fractions in fractions."""
    x = symbol("x")
    nested: Expression = x
    fraction: Expression = x
    for place in range(20_000):
        nested = sin(nested) + x
        if place < 2000:
            fraction = x + 1 / fraction
    assert weight(tidied(nested)) == 5 * 20_000
    assert weight(tidied(fraction)) <= weight(fraction)
    assert len(nodes_in_order([tidied(nested)])) == len(nodes_in_order([nested]))


def test_nothing_explodes() -> None:
    """A product of sums that would have a million terms is left as it is, quickly."""
    names = [symbol(f"s{place}") for place in range(40)]
    whole: Expression = number(1)
    for place in range(20):
        whole = whole * (names[place] + names[place + 20])
    begun = time.process_time()
    assert tidied(whole) is whole
    assert tidied((names[0] + names[1]) ** 60) is (names[0] + names[1]) ** 60
    assert time.process_time() - begun < 1


def test_numbers_stay_exact() -> None:
    """Coefficients that would lose digits are not multiplied out."""
    x, y = symbols("x y")
    large = exact(10**40 + 1)
    found = tidied((large * x + y) ** 8 * (x + large * y) ** 8)
    assert found is (large * x + y) ** 8 * (x + large * y) ** 8


def test_a_hidden_division_by_zero_stays_hidden() -> None:
    """What is not defined anywhere is left as it was written, not raised."""
    zero = "(a + b)^2 - a^2 - 2*a*b - b^2"
    for written in (f"x/({zero})", f"x + y/({zero} + y - y)^2", f"log({zero})/({zero})"):
        tidied(parse(written))
    hidden = parse("1/((a + b)^2 - a^2 - 2*a*b - b^2)")
    assert tidied(hidden) is hidden


def test_small_lines_are_quick() -> None:
    """Thousands of lines are tidied while someone waits."""
    lines = [parse(f"b{k} + (c*(x{k} - b{k}) + e*y{k})/d{k}") for k in range(200)]
    begun = time.process_time()
    for line in lines:
        tidied(line)
    assert time.process_time() - begun < 2
