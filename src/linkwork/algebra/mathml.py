"""Expressions as MathML, which browsers set without any library: the sibling of LaTeX for pages.

Only elements of MathML Core are used, so Chromium, Firefox and Safari agree. A browser does not break
a formula into lines; :func:`mathml_terms` gives the terms of a sum one by one, so that a page can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from html import escape
from typing import Final

from linkwork.algebra.arithmetic import divide, multiply, negate
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
    core_of,
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
    number_text,
    scaled_quotient,
    shortened,
    terms_in_reading_order,
)

Link = Callable[[str], str | None]
"""The address of what a name means; None where it has none."""

_FUNCTION: Final = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
_RELATION: Final = {LESS: "&lt;", LESS_EQUAL: "≤", EQUAL: "=", NOT_EQUAL: "≠"}

_MINUS: Final = '<mo form="prefix">−</mo>'  # a sign; the infix one has room on both sides
_TIMES: Final = '<mo rspace="0.17em">\u2062</mo>'  # invisible, and a thin space to keep words apart
_DOT: Final = "<mo>⋅</mo>"  # 2·3^x: between digits the sign is needed
_APPLY: Final = "<mo>\u2061</mo>"
_HIGH: Final = frozenset((DIV, SQRT, EXP, SELECT))
_MOST_LOW: Final = 40  # nodes looked at before brackets are left to stretch as they need

LONG: Final = 64
"""Characters of a term's text beyond which it is opened, if it can be, so that lines can be broken."""


def mathml(expression: Expression, link: Link | None = None) -> str:
    """The expression as a ``math`` element.

    ``link`` gives the address of what a name means: each name with one becomes a link. It is an HTML
    link inside ``mi``, since Chromium follows none on an element of MathML; such a formula is for HTML.

    >>> from linkwork.algebra import parse
    >>> mathml(parse("sqrt(x)/2"))
    '<math><mfrac><msqrt><mi>x</mi></msqrt><mn>2</mn></mfrac></math>'
    """
    return f"<math>{_row(number(expression), link)}</math>"


def mathml_terms(expression: Expression, link: Link | None = None) -> list[str]:
    """The terms of a sum, each with its sign, as rows to be put into ``math`` elements of their own.

    A single term is a list of one. Put side by side, they read as the whole; a line may end between two.
    A long fraction (or product) of a sum is opened too, as a factor and a bracket: it could not be broken.

    >>> from linkwork.algebra import parse
    >>> mathml_terms(parse("x - y + 2"))
    ['<mi>x</mi>', '<mo form="infix">+</mo><mn>2</mn>', '<mo form="infix">−</mo><mi>y</mi>']
    """
    rows: list[str] = []
    terms = _terms(number(expression))
    for place, term in enumerate(terms):
        sign, size = ("", term) if place == 0 else _signed(term)
        opened = _opened(size, link) if len(shortened(size)) > LONG else None
        if opened is None:
            needed = PRODUCT if sign else SUM if len(terms) > 1 else COMPARISON
            rows.append(sign + _row(size, link, needed))
        else:
            rows += [sign + opened[0], *opened[1:]]
    return rows


def mathml_name(name: str, link: Link | None = None) -> str:
    """A name as MathML: Greek letters by name, what follows an underscore, dot or digit as an index.

    A derivative ``A_by_B`` is set as one: ∂A/∂B.

    >>> mathml_name("theta_1"), mathml_name("x")
    ('<msub><mi>θ</mi><mn>1</mn></msub>', '<mi>x</mi>')
    >>> mathml_name("r_by_x")
    '<mfrac><mrow><mo form="prefix">∂</mo><mi>r</mi></mrow><mrow><mo form="prefix">∂</mo><mi>x</mi></mrow></mfrac>'
    """
    return _linked(_own_name(name), name, link)


# --------------------------------------------------------------------------------------------- names


def _derivative(function: str, variables: Sequence[str]) -> str:
    order = len(variables)
    sign = '<mo form="prefix">∂</mo>'
    above = sign if order == 1 else f"<msup>{sign}<mn>{order}</mn></msup>"
    below = ""
    for variable in dict.fromkeys(variables):
        times = variables.count(variable)
        below += sign + _indexed(variable, "" if times == 1 else f"<mn>{times}</mn>")
    return f"<mfrac><mrow>{above}{_indexed(function)}</mrow><mrow>{below}</mrow></mfrac>"


def _own_name(name: str) -> str:
    parts = derivative_parts(name)
    return _derivative(*parts) if parts else _indexed(name)


def _indexed(name: str, exponent: str = "") -> str:
    """A name with its index, and an exponent above the index, not behind it."""
    stem, indices = name_parts(name)
    words = "<mo>,</mo>".join(_word(part) for part in indices)
    index = f"<mrow>{words}</mrow>" if len(indices) > 1 else words
    kind = ("msub" if index else "") + ("sup" if exponent and index else "msup" if exponent else "")
    return f"<{kind}>{_word(stem)}{index}{exponent}</{kind}>" if kind else _word(stem)


def _word(word: str) -> str:
    if word.isdigit():
        return f"<mn>{word}</mn>"
    shown = escape(GREEK.get(word, word))
    if len(word) == 1 or word in GREEK:
        return f"<mi>{shown}</mi>"
    return f'<mi style="font-style:italic">{shown}</mi>'  # a word by itself would be set upright


def _linked(element: str, name: str, link: Link | None) -> str:
    address = link(name) if link is not None else None
    if address is None:
        return element
    return f'<mi><a href="{escape(address)}"><math>{element}</math></a></mi>'


# -------------------------------------------------------------------------------------------- pieces


def _row(expression: Expression, link: Link | None, needed: int = COMPARISON) -> str:
    """The elements of an expression, in brackets where its place binds tighter than it does."""
    row: list[str] = []
    waiting: list[Piece] = [(expression, needed)]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            row.append(piece)
            continue
        node, needed = piece
        pieces, binding = _pieces_of(node, link)
        waiting += reversed(_bracketed([node], pieces) if binding < needed else pieces)
    return "".join(row)


def _bracketed(inner: Sequence[Expression], pieces: Sequence[Piece]) -> list[Piece]:
    """Brackets as high as what they hold: browsers make stretched ones too high around a single line."""
    fixed = ' stretchy="false"' if _is_low(inner) else ""
    return [f"<mrow><mo{fixed}>(</mo>", *pieces, f"<mo{fixed}>)</mo></mrow>"]


def _is_low(inner: Sequence[Expression]) -> bool:
    """Whether the expressions are no higher than a line of letters and exponents; large ones never are."""
    waiting, seen = list(inner), 0
    while waiting:
        node = waiting.pop()
        seen += 1
        if seen > _MOST_LOW or node.operation in _HIGH or "/" in number_text(node.coefficient.value):
            return False
        if isinstance(node, Symbol) and derivative_parts(node.name):
            return False
        if node.operation is POW and (node.arguments[0].arguments or node.arguments[1].arguments):
            return False
        waiting += node.arguments
    return True


def _pieces_of(node: Expression, link: Link | None) -> tuple[list[Piece], int]:
    if isinstance(node, Symbol):
        return [mathml_name(node.name, link)], PRODUCT if derivative_parts(node.name) else ATOM
    if isinstance(node, Number):
        return _number_pieces(node.value)
    if node is PI:
        return ["<mi>π</mi>"], ATOM
    if _is_sum(node):
        return _sum_pieces(node)
    if node.core is not None:
        return _scaled_pieces(node)
    if node.operation is MUL:
        return _product_pieces(_factors(node)), PRODUCT
    if node.operation is DIV:
        return _fraction(*node.arguments)
    if node.operation is POW:
        base, exponent = node.arguments
        return _power(base, exponent, link), POWER
    if node.operation in COMPARISONS:
        a, b = node.arguments
        return [(a, SUM), f"<mo>{_RELATION[node.operation]}</mo>", (b, SUM)], COMPARISON
    return _called(node), ATOM if node.operation != EXP else POWER


def _number_pieces(value: Value) -> tuple[list[Piece], int]:
    shown = number_text(-value if value < 0 else value)
    binding = PRODUCT
    if "/" in shown:
        upper, lower = shown.split("/")
        row = f"<mfrac><mn>{upper}</mn><mn>{lower}</mn></mfrac>"
    elif "e" in shown:
        mantissa, exponent = shown.split("e")
        raised = f"<mn>{exponent}</mn>"
        if exponent.startswith("-"):
            raised = f"<mrow>{_MINUS}<mn>{exponent[1:]}</mn></mrow>"
        front = f"<mn>{mantissa}</mn>{_DOT}" if mantissa != "1" else ""
        row = f"<mrow>{front}<msup><mn>10</mn>{raised}</msup></mrow>"
    else:
        row, binding = f"<mn>{shown}</mn>", ATOM
    return ([_MINUS, row], SIGNED) if value < 0 else ([row], binding)


def _is_sum(node: Expression) -> bool:
    """Whether it reads as a sum; −(a − b) does, as b − a."""
    return core_of(node).operation is ADD and node.coefficient in (ONE, MINUS_ONE)


def _terms(total: Expression) -> list[Expression]:
    """The terms of a sum through all its brackets, in reading order; anything else is its only term."""
    found: list[Expression] = []
    waiting = [total]
    while waiting:
        node = waiting.pop()
        if not _is_sum(node):
            found.append(node)
        elif node.coefficient is ONE:
            waiting += reversed(node.arguments)
        else:
            waiting += [negate(term) for term in reversed(core_of(node).arguments)]
    return terms_in_reading_order(found) if len(found) > 1 else found


def _signed(term: Expression) -> tuple[str, Expression]:
    """The sign between a term and those before it, and the term without it."""
    if term.coefficient.negative:
        return '<mo form="infix">−</mo>', negate(term)
    return '<mo form="infix">+</mo>', term


def _sum_pieces(node: Expression) -> tuple[list[Piece], int]:
    first, *others = _terms(node)
    pieces: list[Piece] = [(first, SUM)]
    for term in others:
        sign, size = _signed(term)
        pieces += [sign, (size, PRODUCT)]
    return pieces, SUM


def _factors(product: Expression) -> list[Expression]:
    """The factors of a product through all its brackets: symbols, powers and sums, functions."""
    found: list[Expression] = []
    waiting = [product]
    while waiting:
        node = waiting.pop()
        if node.operation is MUL and node.core is None:
            waiting += reversed(node.arguments)
        else:
            found.append(node)
    return sorted(found, key=_place_in_product)


def _place_in_product(factor: Expression) -> tuple[int, int, str]:
    if isinstance(factor, Number):
        return -1, 0, ""
    simple = factor.operation is ADD or (factor.operation is POW and not factor.arguments[0].arguments)
    kind = 0 if not factor.arguments else 1 if simple else 2
    return kind, len(factor.lead), factor.lead


def _product_pieces(factors: Sequence[Expression]) -> list[Piece]:
    pieces: list[Piece] = [(factors[0], PRODUCT)]
    for factor in factors[1:]:
        pieces += [_times(factor), (factor, PRODUCT)]
    return pieces


def _times(factor: Expression) -> str:
    """The sign before a factor: none is seen, but digits after digits need one."""
    base = factor.arguments[0] if factor.operation is POW else factor
    return _DOT if isinstance(base, Number) else _TIMES


def _scaled_pieces(node: Expression) -> tuple[list[Piece], int]:
    """coefficient · core, as one fraction; a difference above its bar takes up the sign."""
    if node.coefficient.negative:
        turned = _turned(node)
        return (turned, PRODUCT) if turned else ([_MINUS, (negate(node), PRODUCT)], SIGNED)
    upper, lower = scaled_quotient(node)
    if lower is not ONE:
        return _fraction(upper, lower)
    factors = [exact(node.coefficient.value), *_factors(core_of(node))]
    return _product_pieces(factors), PRODUCT


def _turned(node: Expression) -> list[Piece] | None:
    """−2·(a − b)/c as 2·(b − a)/c, where there is such a difference."""
    upper, lower = scaled_quotient(negate(node))
    factors = _factors(core_of(upper))
    place = next((place for place, factor in enumerate(factors) if _is_difference(factor)), None)
    if place is None:
        return None
    factors[place] = negate(factors[place])
    if upper.coefficient is not ONE:
        factors.insert(0, upper.coefficient)
    if lower is ONE:
        return _product_pieces(factors)
    above: list[Piece] = [(factors[0], COMPARISON)] if len(factors) == 1 else _product_pieces(factors)
    return ["<mfrac><mrow>", *above, "</mrow>", *_argument(lower), "</mfrac>"]


def _is_difference(node: Expression) -> bool:
    return node.operation is ADD and any(term.coefficient.negative for term in _terms(node))


def _opened(term: Expression, link: Link | None) -> list[str] | None:
    """A product or fraction of a sum as a factor and a bracket, term by term; None where there is no sum."""
    upper, lower = scaled_quotient(term)
    factors = _factors(core_of(upper))
    sums = [factor for factor in factors if factor.operation is ADD]
    if not sums:
        return None
    inner = max(sums, key=lambda each: len(shortened(each)))
    factors.remove(inner)
    front = divide(reduce(multiply, factors, number(upper.coefficient)), lower)
    if front.coefficient.negative:
        front, inner = negate(front), negate(inner)
    first, *others = _terms(inner)
    look = 'stretchy="false"' if _is_low([first, *others]) else 'minsize="1.8em"'  # both ends alike
    front_row = f"{_row(front, link, PRODUCT)}{_TIMES}"
    rows = [f'{front_row}<mrow><mo form="prefix" {look}>(</mo>{_row(first, link, SUM)}</mrow>']
    for each in others:
        sign, size = _signed(each)
        rows.append(sign + _row(size, link, PRODUCT))
    rows[-1] += f'<mo form="postfix" {look}>)</mo>'
    return rows


def _argument(node: Expression) -> list[Piece]:
    """An operand where MathML counts elements: a row of its own unless it is one element anyway."""
    if isinstance(node, Symbol) or (isinstance(node, Number) and not node.negative) or node is PI:
        return [(node, COMPARISON)]
    if node.core is None and node.operation in (DIV, SQRT):
        return [(node, COMPARISON)]
    return ["<mrow>", (node, COMPARISON), "</mrow>"]


def _fraction(upper: Expression, lower: Expression) -> tuple[list[Piece], int]:
    return ["<mfrac>", *_argument(upper), *_argument(lower), "</mfrac>"], PRODUCT


def _power(base: Expression, exponent: Expression, link: Link | None) -> list[Piece]:
    if isinstance(base, Symbol) and isinstance(exponent, Number) and not derivative_parts(base.name):
        raised = _row(exponent, None)
        shown = _indexed(base.name, f"<mrow>{raised}</mrow>" if exponent.negative else raised)
        return [_linked(shown, base.name, link)]
    return ["<msup>", *_base(base), *_argument(exponent), "</msup>"]


def _base(base: Expression) -> list[Piece]:
    return [(base, ATOM)] if isinstance(base, Symbol) else ["<mrow>", (base, ATOM), "</mrow>"]


def _called(node: Expression) -> list[Piece]:
    arguments: list[Piece] = []
    for position, argument in enumerate(node.arguments):
        arguments += ["<mo>,</mo>", (argument, COMPARISON)] if position else [(argument, COMPARISON)]
    if node.operation is SQRT:
        return ["<msqrt>", *arguments, "</msqrt>"]
    if node.operation is ABS:
        bar = '<mo form="{}" stretchy="true">|</mo>'
        return ["<mrow>", bar.format("prefix"), *arguments, bar.format("postfix"), "</mrow>"]
    if node.operation is EXP:  # upright: an italic e is somebody's quantity
        return ['<msup><mi mathvariant="normal">e</mi>', *_argument(node.arguments[0]), "</msup>"]
    if node.operation is SELECT:
        return _cases(*node.arguments)
    name = _FUNCTION.get(node.operation, node.operation)
    return [f"<mrow><mi>{name}</mi>{_APPLY}", *_bracketed(node.arguments, arguments), "</mrow>"]


def _cases(condition: Expression, then: Expression, otherwise: Expression) -> list[Piece]:
    cell, end = '<mtd style="text-align:left">', "</mtd>"
    return [
        '<mrow><mo form="prefix" stretchy="true">{</mo><mtable>',
        *(f"<mtr>{cell}", (then, COMPARISON), f"{end}{cell}<mtext>if\u00a0</mtext>", (condition, COMPARISON)),
        *(f"{end}</mtr><mtr>{cell}", (otherwise, COMPARISON)),
        f"{end}{cell}<mtext>otherwise</mtext>{end}</mtr></mtable></mrow>",
    ]
