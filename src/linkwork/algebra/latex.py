"""Expressions as LaTeX, set as an engineer would write them: fractions, roots, Greek letters, indices."""

from __future__ import annotations

from typing import Final

from linkwork.algebra.arithmetic import negate
from linkwork.algebra.expression import (
    ABS,
    ADD,
    COMPARISONS,
    DIV,
    EQUAL,
    EXP,
    LESS,
    LESS_EQUAL,
    MINUS_ONE,
    MUL,
    NOT_EQUAL,
    ONE,
    PI,
    POW,
    SELECT,
    SQRT,
    Expression,
    Number,
    Symbol,
    Value,
    exact,
    number,
)
from linkwork.algebra.names import GREEK, derivative_parts, name_parts
from linkwork.algebra.text import (
    ATOM,
    COMPARISON,
    POWER,
    PRODUCT,
    SIGNED,
    SUM,
    Piece,
    factors_in_reading_order,
    number_text,
    scaled_quotient,
    terms_in_reading_order,
    written,
)

_FUNCTION: Final = {"asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan"} | {
    name: rf"\{name}" for name in ("sin", "cos", "tan", "log", "min", "max")
}
_RELATION: Final = {LESS: "<", LESS_EQUAL: r"\le", EQUAL: "=", NOT_EQUAL: r"\ne"}


def latex(expression: Expression) -> str:
    r"""The expression in LaTeX's mathematical notation.

    >>> from linkwork.algebra import parse
    >>> latex(parse("sqrt(x^2 + theta_1^2)/(2*P6d)"))
    '\\frac{\\sqrt{x^{2} + \\theta_{1}^{2}}}{2 \\, \\mathit{P6d}}'
    """
    return "".join(written(number(expression), _pieces_of, (r"\left(", r"\right)")))


def latex_name(name: str) -> str:
    r"""A name in LaTeX: Greek letters by name, what follows an underscore, dot or digit as an index.

    >>> latex_name("theta_1"), latex_name("x12"), latex_name("crank.angle")
    ('\\theta_{1}', 'x_{12}', '\\mathit{crank}_{\\mathit{angle}}')
    """
    derivative = derivative_parts(name)
    if derivative is not None:
        function, variables = derivative
        order = len(variables)
        above = (
            rf"\partial {latex_name(function)}"
            if order == 1
            else rf"\partial^{{{order}}} {latex_name(function)}"
        )
        below = [
            rf"\partial {latex_name(each)}"
            + (rf"^{{{times}}}" if (times := variables.count(each)) > 1 else "")
            for each in dict.fromkeys(variables)
        ]
        return rf"\frac{{{above}}}{{{' '.join(below)}}}"
    stem, indices = name_parts(name)
    return _word(stem) + (rf"_{{{','.join(_word(part) for part in indices)}}}" if indices else "")


def _word(word: str) -> str:
    if word in GREEK and word != "omicron":  # which LaTeX writes as an o
        return "\\" + word
    if len(word) == 1 or word.isdigit():
        return word
    return rf"\mathit{{{word}}}"


def _pieces_of(node: Expression) -> tuple[list[Piece], int]:
    if isinstance(node, Symbol):
        return [latex_name(node.name)], PRODUCT if derivative_parts(node.name) else ATOM
    if isinstance(node, Number):
        return _number_pieces(node.value)
    if node is PI:
        return [r"\pi"], ATOM
    if node.core is not None:
        return _scaled_pieces(node)
    if node.operation is ADD:
        return _sum_pieces(list(node.arguments))
    if node.operation is MUL:
        first, second = factors_in_reading_order(node)
        return [(first, PRODUCT), r" \, ", (second, PRODUCT)], PRODUCT
    if node.operation is DIV:
        return _fraction(*node.arguments)
    if node.operation is POW:
        return [(node.arguments[0], ATOM), "^{", (node.arguments[1], COMPARISON), "}"], POWER
    if node.operation in COMPARISONS:
        a, b = node.arguments
        return [(a, SUM), f" {_RELATION[node.operation]} ", (b, SUM)], COMPARISON
    return _called(node), ATOM if node.operation != EXP else POWER


def _number_pieces(value: Value) -> tuple[list[Piece], int]:
    shown = number_text(-value if value < 0 else value)
    if "/" in shown:
        upper, lower = shown.split("/")
        shown = rf"\frac{{{upper}}}{{{lower}}}"
    elif "e" in shown:
        mantissa, exponent = shown.split("e")
        shown = (rf"{mantissa} \cdot " if mantissa != "1" else "") + f"10^{{{exponent}}}"
    if value < 0:
        return ["-", shown], SIGNED
    return [shown], ATOM if shown.replace(".", "").isdigit() else PRODUCT


def _scaled_pieces(node: Expression) -> tuple[list[Piece], int]:
    core = node.core
    assert core is not None
    if node.coefficient is MINUS_ONE and core.operation is ADD:
        return _sum_pieces([negate(term) for term in core.arguments])
    if node.coefficient.negative:
        return ["-", (negate(node), PRODUCT)], SIGNED
    upper, lower = scaled_quotient(node)
    if lower is not ONE:
        return _fraction(upper, lower)
    return [(exact(node.coefficient.value), PRODUCT), r" \, ", (core, PRODUCT)], PRODUCT


def _sum_pieces(terms: list[Expression]) -> tuple[list[Piece], int]:
    first, second = terms_in_reading_order(terms)
    if second.coefficient.negative:
        return [(first, SUM), " - ", (negate(second), PRODUCT)], SUM
    return [(first, SUM), " + ", (second, PRODUCT)], SUM


def _fraction(upper: Expression, lower: Expression) -> tuple[list[Piece], int]:
    return [r"\frac{", (upper, COMPARISON), "}{", (lower, COMPARISON), "}"], PRODUCT


def _called(node: Expression) -> list[Piece]:
    arguments: list[Piece] = []
    for position, argument in enumerate(node.arguments):
        arguments += [", ", (argument, COMPARISON)] if position else [(argument, COMPARISON)]
    if node.operation is SQRT:
        return [r"\sqrt{", *arguments, "}"]
    if node.operation is ABS:
        return [r"\left|", *arguments, r"\right|"]
    if node.operation is EXP:
        return ["e^{", *arguments, "}"]
    if node.operation is SELECT:
        condition, then, otherwise = ((argument, COMPARISON) for argument in node.arguments)
        return [
            r"\begin{cases}",
            *(then, r" & \text{if } ", condition, r" \\ ", otherwise, r" & \text{otherwise}"),
            r"\end{cases}",
        ]
    name = _FUNCTION.get(node.operation, rf"\operatorname{{{node.operation}}}")
    return [name, r"\left(", *arguments, r"\right)"]
