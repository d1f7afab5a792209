"""MathML: well formed, set as a person would set it, and read back it means the same."""

from __future__ import annotations

import math
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra import (
    Expression,
    Table,
    derivative,
    evaluate,
    mathml,
    nodes_in_order,
    number,
    parse,
    sin,
    symbol,
)
from linkwork.algebra.mathml import LONG, mathml_name, mathml_terms
from linkwork.algebra.names import name_parts
from linkwork.errors import BadName
from strategies import expressions, points, smooth_expressions, tables

T: Final = '<mo rspace="0.17em">\u2062</mo>'
PLUS, MINUS, SIGN = (
    '<mo form="infix">+</mo>',
    '<mo form="infix">−</mo>',
    '<mo form="prefix">−</mo>',
)
X, Y, Z = "<mi>x</mi>", "<mi>y</mi>", "<mi>z</mi>"


def low(content: str) -> str:
    return f'<mrow><mo stretchy="false">(</mo>{content}<mo stretchy="false">)</mo></mrow>'


def high(content: str) -> str:
    return f"<mrow><mo>(</mo>{content}<mo>)</mo></mrow>"


def called(name: str, content: str) -> str:
    return f"<mrow><mi>{name}</mi><mo>\u2061</mo>{low(content)}</mrow>"


GOLDEN: Final[Mapping[str, str]] = {
    "x + y": X + PLUS + Y,
    "x - 2*y": f"{X}{MINUS}<mn>2</mn>{T}{Y}",
    "x - (y + z)": X + MINUS + Y + MINUS + Z,
    "2*x/3": f"<mfrac><mrow><mn>2</mn>{T}{X}</mrow><mn>3</mn></mfrac>",
    "-x/(y + 1)": f"{SIGN}<mfrac>{X}<mrow>{Y}{PLUS}<mn>1</mn></mrow></mfrac>",
    "-(x - y)/z": f"<mfrac><mrow>{Y}{MINUS}{X}</mrow>{Z}</mfrac>",
    "-2*(x - y)*z/3": f"<mfrac><mrow><mn>2</mn>{T}{Z}{T}{low(Y + MINUS + X)}</mrow><mn>3</mn></mfrac>",
    "-1/3": f"{SIGN}<mfrac><mn>1</mn><mn>3</mn></mfrac>",
    "-3": f"{SIGN}<mn>3</mn>",
    "x^(y + 1)": f"<msup>{X}<mrow>{Y}{PLUS}<mn>1</mn></mrow></msup>",
    "(x + y)^2": f"<msup><mrow>{low(X + PLUS + Y)}</mrow><mn>2</mn></msup>",
    "(x/y)^2": f"<msup><mrow>{high(f'<mfrac>{X}{Y}</mfrac>')}</mrow><mn>2</mn></msup>",
    "(-x)^y": f"<msup><mrow>{low(SIGN + X)}</mrow>{Y}</msup>",
    "sin(x)^2": f"<msup><mrow>{called('sin', X)}</mrow><mn>2</mn></msup>",
    "exp(x)": f'<msup><mi mathvariant="normal">e</mi>{X}</msup>',
    "sqrt(x^2 + y)": f"<msqrt><msup>{X}<mn>2</mn></msup>{PLUS}{Y}</msqrt>",
    "abs(x)": f'<mrow><mo form="prefix" stretchy="true">|</mo>{X}<mo form="postfix" stretchy="true">|</mo></mrow>',
    "atan2(y, x)": called("atan2", Y + "<mo>,</mo>" + X),
    "asin(y)": called("arcsin", Y),
    "pi/2": "<mfrac><mi>π</mi><mn>2</mn></mfrac>",
    "9.81": "<mn>9.81</mn>",
    "1e-30": f"<mrow><msup><mn>10</mn><mrow>{SIGN}<mn>30</mn></mrow></msup></mrow>",
    "x <= y": f"{X}<mo>≤</mo>{Y}",
    "x < -y": f"{X}<mo>&lt;</mo>{SIGN}{Y}",
    "2*3^x": f"<mn>2</mn><mo>⋅</mo><msup><mrow><mn>3</mn></mrow>{X}</msup>",
    "z*(y*sin(x))*x": f"{X}{T}{Y}{T}{Z}{T}{called('sin', X)}",
    "V_x^2": f"<msubsup><mi>V</mi>{X}<mn>2</mn></msubsup>",
    "x_1^y": f"<msup><msub>{X}<mn>1</mn></msub>{Y}</msup>",
}


@pytest.mark.parametrize(("written", "wanted"), GOLDEN.items(), ids=GOLDEN)
def test_golden(written: str, wanted: str) -> None:
    """Fractions, roots, powers and signs, with brackets only where they are needed, no higher than needed."""
    assert mathml(parse(written)) == f"<math>{wanted}</math>"


NAMES: Final[Mapping[str, str]] = {
    "x": X,
    "theta": "<mi>θ</mi>",
    "Omega": "<mi>Ω</mi>",
    "lambda_": "<mi>λ</mi>",
    "x12": f"<msub>{X}<mn>12</mn></msub>",
    "theta2": "<msub><mi>θ</mi><mn>2</mn></msub>",
    "x_1_2": f"<msub>{X}<mrow><mn>1</mn><mo>,</mo><mn>2</mn></mrow></msub>",
    "V_theta": "<msub><mi>V</mi><mi>θ</mi></msub>",
    "crank": '<mi style="font-style:italic">crank</mi>',
    "P6d": '<mi style="font-style:italic">P6d</mi>',
    "crank.x": f'<msub><mi style="font-style:italic">crank</mi>{X}</msub>',
    "x_by_y": f'<mfrac><mrow><mo form="prefix">∂</mo>{X}</mrow><mrow><mo form="prefix">∂</mo>{Y}</mrow></mfrac>',
    "x_by_x": f'<msub>{X}<mrow><mi style="font-style:italic">by</mi><mo>,</mo>{X}</mrow></msub>',
    "α": "<mi>α</mi>",
    "<b>": '<mi style="font-style:italic">&lt;b&gt;</mi>',
    "": X,
}


@pytest.mark.parametrize(("name", "wanted"), NAMES.items(), ids=NAMES)
def test_names(name: str, wanted: str) -> None:
    """Greek letters by name, indices as in LaTeX, words in italics, derivatives as quotients."""
    assert mathml_name(name) == wanted


def test_higher_derivatives_count_their_variables() -> None:
    shown = "".join(ElementTree.fromstring(mathml_name("r_by_x_by_y_by_x")).itertext())
    assert shown == "∂3r∂x2∂y"


def test_powers_of_derivatives_have_brackets() -> None:
    """∂r/∂x² would be read as a second derivative, or as the square of x."""
    assert mathml(parse("r_by_x^2")).startswith("<math><msup><mrow><mo>(</mo><mfrac>")


# --------------------------------------------------------------------------------------------- links


def test_names_are_linked() -> None:
    """What has an address is a link around the whole name and its exponent; the rest stays as it was."""
    addresses = {"x_1": "#eq-x_1", "y": '#"&'}
    e = parse("x_1^2 + y*z")
    tree = ElementTree.fromstring(mathml(e, addresses.get))
    assert [link.get("href") for link in tree.iter("a")] == ['#"&', "#eq-x_1"]
    *_, last = tree.iter("a")
    assert [part.tag for part in last.iter()] == ["a", "math", "msubsup", "mi", "mn", "mn"]
    assert mathml(e, lambda name: None) == mathml(e)


@given(expressions())
def test_links_change_nothing_else(e: Expression) -> None:
    """The letters and signs are the same with links and without."""
    plain, linked = mathml(e), mathml(e, lambda name: f"#{name}")
    letters = ["".join(ElementTree.fromstring(each).itertext()) for each in (plain, linked)]
    assert letters[0] == letters[1]


# --------------------------------------------------------------------------------------- reading back

OPERATORS: Final = {"−": "-", "\u2062": "*", "⋅": "*", "\u2061": "", "≤": "<=", "=": "==", "≠": "!="}
COUNTED: Final = {"mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3}


def read(element: Element) -> str:
    """The formula that a reader sees, as text: only brackets that are printed count as brackets."""
    tag, parts = element.tag, list(element)
    if tag in COUNTED:
        assert len(parts) == COUNTED[tag], tag
    if tag == "mo":
        return OPERATORS.get(element.text or "", element.text or "")
    if tag == "mi" and not parts:
        word = element.text or ""
        if element.get("mathvariant") == "normal":
            return "exp(1)"
        return {"π": "pi"}.get(word, word.replace("arc", "a"))
    if tag == "mn":
        return element.text or ""
    if tag == "mfrac":
        return f"({row(parts[0])})/({row(parts[1])})"
    if tag == "msqrt":
        return f"sqrt({inside(element)})"
    if tag == "msup":
        return power(parts[0], parts[1])
    if parts and parts[0].text == "{":
        (then, condition), (otherwise, _) = (list(line) for line in parts[1])
        return f"select({row(condition)}, {row(then)}, {row(otherwise)})"
    if parts and parts[0].text == "|":
        return f"abs({inside(element)[1:-1]})"
    assert tag in ("math", "mrow"), tag
    return inside(element)


def row(element: Element) -> str:
    """A row as its parts one after the other; an element that is no row is a row of itself."""
    if element.tag in ("math", "mrow", "mtd") and not (len(element) and element[0].text in ("{", "|")):
        return inside(element)
    return read(element)


def inside(element: Element) -> str:
    """The parts one after the other; the bar of a fraction holds it together."""
    shown = [(part.tag, read(part)) for part in element if part.tag != "mtext"]
    return "".join(f"({text})" if tag == "mfrac" else text for tag, text in shown)


def power(base: Element, exponent: Element) -> str:
    inner = base
    while inner.tag == "mrow" and len(inner) == 1:
        inner = inner[0]
    assert inner.tag not in ("mfrac", "msup"), "a fraction or a power is raised without brackets"
    return f"{row(base)}^({row(exponent)})"


def same(one: Expression, other: Expression, at: Mapping[str, float]) -> bool:
    first, second = evaluate([one, other], at)
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) == math.isnan(second)
    return first == second or math.isclose(first, second, rel_tol=1e-7, abs_tol=1e-7 * size(one, at))


def size(e: Expression, at: Mapping[str, float]) -> float:
    """The largest number met on the way to a value: sums in another order differ by its roundings."""
    values = [abs(value) for value in evaluate(nodes_in_order([e]), at)]
    return max((value for value in values if math.isfinite(value)), default=1.0)


@given(smooth_expressions(), points())
def test_what_is_read_is_what_was_meant(e: Expression, at: dict[str, float]) -> None:
    """Reading the formula, with the brackets that are printed and no others, gives the same value."""
    assert same(e, parse(read(ElementTree.fromstring(mathml(e)))), at)


@given(smooth_expressions(most=12), points())
def test_terms_read_as_the_whole(e: Expression, at: dict[str, float]) -> None:
    """The terms one after the other, long fractions opened, are the expression."""
    rows = mathml_terms(e)
    shown = "".join(read(ElementTree.fromstring(f"<math>{each}</math>")) for each in rows)
    assert same(e, parse(shown), at)


@pytest.mark.parametrize("broken", ["<mfrac><mi>x</mi></mfrac>", "<msup><mfrac>{0}</mfrac><mn>2</mn></msup>"])
def test_the_reader_finds_faults(broken: str) -> None:
    with pytest.raises(AssertionError):
        read(ElementTree.fromstring(broken.format(X + Y)))


def test_the_reader_adds_no_brackets() -> None:
    assert read(ElementTree.fromstring(f"<math>{X}{T}<mrow>{X}{PLUS}{Y}</mrow></math>")) == "x*x+y"


# ------------------------------------------------------------------------------------- well-formedness

COUNTED_CORE: Final = {*COUNTED, "math", "mrow", "mi", "mn", "mo", "mtext", "msqrt", "mtable", "mtr", "mtd"}


def check_is_mathml(written: str) -> None:
    """XML with elements of MathML Core only, each with as many parts as it needs."""
    for element in ElementTree.fromstring(written).iter():
        assert element.tag in COUNTED_CORE
        if element.tag in COUNTED:
            assert len(element) == COUNTED[element.tag]


@given(expressions())
def test_any_expression_is_valid_mathml(e: Expression) -> None:
    check_is_mathml(mathml(e))
    for each in mathml_terms(e):
        check_is_mathml(f"<math>{each}</math>")


@given(smooth_expressions())
def test_derivatives_are_valid_mathml(e: Expression) -> None:
    check_is_mathml(mathml(derivative(e, symbol("x"))))


@given(tables())
def test_lines_of_tables_are_valid_mathml(table: Table) -> None:
    for line in table:
        for side in line.equation:
            check_is_mathml(mathml(side))


@given(st.from_regex(r"[^\W\d][\w.]{0,12}", fullmatch=True))
def test_any_name_is_valid_mathml(name: str) -> None:
    try:
        leaf = symbol(name)
    except BadName:
        assume(False)
    check_is_mathml(mathml(leaf**2))
    check_is_mathml(mathml(1 / (leaf**2 + 1) ** leaf))
    assert name_parts(name)[0]


@given(st.fractions())
def test_any_number_is_valid_mathml(value: object) -> None:
    e = number(value) * symbol("x")  # type: ignore[arg-type]
    check_is_mathml(mathml(e))
    check_is_mathml(mathml(symbol("x") ** symbol("y") ** abs(e)))


# --------------------------------------------------------------------------------------- lines and size


def test_a_long_fraction_is_opened_and_a_short_one_is_not() -> None:
    """(a sum)/x becomes 1/x (…), one row a term, when it is too long for a line."""
    short = parse("(a*b + c*d)/x")
    long = parse("(" + " + ".join(f"mass_{k}*speed_{k}^2" for k in range(9)) + ")/(2*x)")
    assert len(mathml_terms(short)) == 1
    rows = mathml_terms(long)
    assert len(str(long)) > LONG
    assert len(rows) == 9
    assert rows[0].startswith(f"<mfrac><mn>1</mn><mrow><mn>2</mn>{T}{X}</mrow></mfrac>{T}<mrow><mo")
    assert rows[-1].endswith(">)</mo>")


def test_a_long_negative_fraction_takes_its_sign_inside() -> None:
    rows = mathml_terms(parse("-(" + " - ".join(f"length_{k}*width_{k}" for k in range(9)) + ")/x"))
    assert rows[0].startswith(f"<mfrac><mn>1</mn>{X}</mfrac>")
    assert sum(each.startswith(MINUS) for each in rows) == 1


@pytest.mark.parametrize("step", [lambda e, x: sin(e), lambda e, x: e + sin(x), lambda e, x: 1 / (e + x)])
def test_deep_expressions(step: object) -> None:
    """Neither recursion nor quadratic work: a graph 20,000 deep takes a moment."""
    e: Expression = symbol("x")
    for place in range(20_000):
        e = step(e, symbol(f"x{place % 7}") * (place + 1))  # type: ignore[operator]
    began = time.perf_counter()
    assert mathml(e).startswith("<math>")
    assert mathml_terms(e)
    assert time.perf_counter() - began < 20


def test_the_same_every_time() -> None:
    e = parse("(x + y*z)/(z - sin(x)^2) - x*y")
    assert mathml(e) == mathml(parse("(z*y + x)/(z - sin(x)^2) - y*x"))
