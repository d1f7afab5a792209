"""LaTeX as an engineer would write it, and as LaTeX accepts it."""

from __future__ import annotations

import re
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra import Expression, Table, derivative, latex, number, parse, symbol
from linkwork.algebra.latex import latex_name
from linkwork.errors import BadName
from strategies import expressions, smooth_expressions, tables

GOLDEN: Final[dict[str, str]] = {
    "x + y": "x + y",
    "x - 2*y": r"x - 2 \, y",
    "2*x/3": r"\frac{2 \, x}{3}",
    "-x/(y + 1)": r"-\frac{x}{y + 1}",
    "-1/3": r"-\frac{1}{3}",
    "x^(y + 1)": "x^{y + 1}",
    "(x + y)^2": r"\left(x + y\right)^{2}",
    "(x/y)^2": r"\left(\frac{x}{y}\right)^{2}",
    "(-x)^y": r"\left(-x\right)^{y}",
    "sin(x)^2": r"\sin\left(x\right)^{2}",
    "exp(x)^2": r"\left(e^{x}\right)^{2}",
    "sqrt(x^2 + y^2)": r"\sqrt{x^{2} + y^{2}}",
    "abs(x - 1)": r"\left|x - 1\right|",
    "atan2(y, x) + asin(y)": r"\operatorname{atan2}\left(y, x\right) + \arcsin\left(y\right)",
    "pi/2": r"\frac{\pi}{2}",
    "1.5e-30": r"1.5 \cdot 10^{-30}",
    "9.81": "9.81",
    "x <= y": r"x \le y",
    "x != y": r"x \ne y",
    "V_x^2": "V_{x}^{2}",
    "1/(1 + x/y)": r"\frac{1}{\frac{x}{y} + 1}",
    "select(x < y, x, -y)": r"\begin{cases}x & \text{if } x < y \\ -y & \text{otherwise}\end{cases}",
}


@pytest.mark.parametrize(("written", "wanted"), GOLDEN.items(), ids=GOLDEN)
def test_golden(written: str, wanted: str) -> None:
    """Fractions, roots, powers and cases, with brackets only where they are needed."""
    assert latex(parse(written)) == wanted
    assert parse(written)._repr_latex_() == f"${wanted}$"


def test_numbers_as_bases_have_brackets() -> None:
    r"""\frac{1}{3}^{x} would read as 1/3^x, and 10^{30}^{1/3} is an error of LaTeX."""
    assert latex(parse("(1/3)^x")) == r"\left(\frac{1}{3}\right)^{x}"
    assert latex(parse("1e30^(1/3)")) == r"\left(10^{30}\right)^{\frac{1}{3}}"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("x", "x"),
        ("theta", r"\theta"),
        ("Omega", r"\Omega"),
        ("x12", "x_{12}"),
        ("theta2", r"\theta_{2}"),
        ("theta_1", r"\theta_{1}"),
        ("x_1_2", "x_{1,2}"),
        ("V_theta", r"V_{\theta}"),
        ("crank", r"\mathit{crank}"),
        ("crank.angle", r"\mathit{crank}_{\mathit{angle}}"),
        ("P6d", r"\mathit{P6d}"),
        ("α", "α"),
    ],
)
def test_names(name: str, wanted: str) -> None:
    """Greek letters by name; what follows an underscore, a dot or a letter's digits is an index."""
    assert latex_name(name) == wanted
    assert latex(symbol(name)) == wanted


def check_is_latex(written: str) -> None:
    r"""Braces, \left … \right and environments are balanced, and no index is raised twice."""
    depth = 0
    for character in re.sub(r"\\[{}]", "", written):
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0
    opened: list[str] = []
    for kind, name in re.findall(r"\\(left|right|begin|end)(?![a-z])(?:\{(\w+)\})?", written):
        if kind in ("left", "begin"):
            opened.append(kind + name)
        else:
            assert opened.pop() == {"right": "left", "end": "begin"}[kind] + name
    assert not opened
    flat = written
    while "{" in flat:  # from the innermost braces outwards
        assert not re.search(r"[\^_]\{[^{}]*\}\s*\^\{[^{}]*\}\s*[\^_]\{", flat)
        assert not re.search(r"\^\{[^{}]*\}\s*\^", flat)
        flat = re.sub(r"(?<![\^_])\{[^{}]*\}|(?<=[\^_])\{[^{}]*\}(?!\s*[\^_])", "", flat)
        if re.search(r"[\^_]\{[^{}]*\}\s*[\^_]", flat):
            flat = re.sub(r"_\{[^{}]*\}(?=\s*\^)", "", flat)
    assert "^^" not in flat


@pytest.mark.parametrize(
    "broken", ["{x", "x}", r"\left(x", r"x\right)", "x^{2}^{3}", r"\begin{cases}x", "x^{y^{2}^{3}}"]
)
def test_the_check_itself(broken: str) -> None:
    """The check below does find faults."""
    with pytest.raises((AssertionError, IndexError)):
        check_is_latex(broken)


@given(expressions())
def test_any_expression_is_valid_latex(e: Expression) -> None:
    """Every expression gives balanced LaTeX."""
    check_is_latex(latex(e))


@given(smooth_expressions())
def test_derivatives_are_valid_latex(e: Expression) -> None:
    """Derivatives, with their many fractions, too."""
    check_is_latex(latex(derivative(e, symbol("x"))))


@given(tables())
def test_tables_are_valid_latex(table: Table) -> None:
    """A table is one aligned block with as many rows as lines."""
    written = table.latex()
    check_is_latex(written)
    assert written.count("&=") == len(table)


@given(st.from_regex(r"[^\W\d][\w.]{0,12}", fullmatch=True))
def test_any_name_is_valid_latex(name: str) -> None:
    """Every name that is accepted gives balanced LaTeX."""
    try:
        leaf = symbol(name)
    except BadName:
        assume(False)
    check_is_latex(latex(leaf**2))


@given(st.fractions())
def test_any_number_is_valid_latex(value: object) -> None:
    """Every number, as a value, a factor and an exponent."""
    e = number(value) * symbol("x")  # type: ignore[arg-type]
    check_is_latex(latex(e))
    check_is_latex(latex(symbol("x") ** symbol("y") ** abs(e)))
