"""Whatever is given to the reader, it answers with an expression or with an error of ours."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.algebra import Expression, evaluate, minimum, number, parse, parse_equation, sin, symbol, text
from linkwork.errors import ExpressionError, LinkworkError, ParseError
from strategies import expressions

TOKENS: Final = (
    *("x", "y", "crank.angle", "pi", "π", "deg", "sin", "atan2", "min", "max", "select", "for", "double"),
    *("+", "-", "*", "/", "^", "**", "−", "·", "×", "<", "<=", ">", ">=", "==", "!=", "="),
    *("(", ")", ",", "(", ")", "[", "]", ".", "'", " ", "\n", "\t", "…", "x²", "é"),
    *("0", "1", "2", "3.5", "1e3", "1e400", ".5", "1.", "9" * 401, "1e-400", "0.1", "1/3"),
)


def answer(written: str) -> Expression | LinkworkError:
    """What the reader makes of a text; any other exception gets through."""
    try:
        return parse(written)
    except LinkworkError as error:
        return error


def check(written: str) -> None:
    """An expression, or an error with a place in the text; two sides, or an error."""
    found = answer(written)
    if not isinstance(found, Expression):
        assert isinstance(found, ParseError)
        assert found.text == written
        assert 0 <= found.position <= len(written)
        assert "^" in str(found)
    with suppress(LinkworkError):
        left, right = parse_equation(written)
        assert isinstance(left, Expression)
        assert isinstance(right, Expression)


@given(st.text())
def test_any_text(written: str) -> None:
    """Any characters at all."""
    check(written)


@given(st.lists(st.sampled_from(TOKENS), max_size=25), st.sampled_from(("", " ")))
def test_any_soup_of_tokens(tokens: list[str], between: str) -> None:
    """Operators, names, brackets and numbers in any order."""
    check(between.join(tokens))


@given(expressions(), st.integers(0, 10**9), st.integers(1, 4))
def test_misprints(e: Expression, seed: int, count: int) -> None:
    """The text of an expression with a few characters lost, doubled, exchanged or put in."""
    source = random.Random(seed)
    letters = list(text(e))
    for _ in range(count):
        place = source.randrange(len(letters) + 1)
        kind = source.randrange(4)
        if kind == 0:
            letters[place:place] = source.choice(TOKENS)
        elif kind == 1:
            del letters[place : place + 1]
        elif kind == 2:
            letters[place:place] = letters[place : place + 1]
        else:
            other = source.randrange(len(letters) + 1)
            letters[place : place + 1] = letters[other : other + 1]
    check("".join(letters))


# ------------------------------------------------------------------------------------------- sentences


def _longer(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from(("+", "-", "*", "/", "**", " + ", " - "))
    return st.one_of(
        st.tuples(part, operators, part).map("".join),
        part.map("-{}".format),
        part.map("({})".format),
        part.map("sin({})".format),
        st.tuples(part, st.sampled_from(("<", "<=", ">", ">=")), part).map("({0[0]} {0[1]} {0[2]})".format),
        st.lists(part, min_size=2, max_size=4).map(", ".join).map("min({})".format),
    )


SENTENCES: Final = st.recursive(st.sampled_from(("x", "y", "z", "1", "2", "3", "0")), _longer, max_leaves=12)


@given(SENTENCES)
def test_precedence_is_that_of_python(written: str) -> None:
    """Python's own reader, given our operators, understands the same text as the same expression."""
    names = {"x": symbol("x"), "y": symbol("y"), "z": symbol("z"), "sin": sin, "min": minimum, "n": number}
    in_python = re.sub(r"\d", r"n(\g<0>)", written)
    found = answer(written)
    if isinstance(found, Expression):
        assert eval(in_python, names) is found  # only what the strategy above can write
    else:
        with pytest.raises(ExpressionError, match=re.escape(found.problem)):
            eval(in_python, names)


@given(SENTENCES)
def test_what_is_read_is_printed_and_read_again(written: str) -> None:
    """The text of what was read is read as the same expression, and that has a value."""
    found = answer(written)
    if isinstance(found, Expression):
        assert parse(text(found)) is found
        assert isinstance(evaluate([found], {"x": 1.5, "y": 2.5, "z": 0.5})[0], float)
    else:
        assert "zero" in found.problem or "range" in found.problem
