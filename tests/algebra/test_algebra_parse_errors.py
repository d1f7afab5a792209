"""Reading what is no expression: where the fault is, and what is said about it."""

from __future__ import annotations

from typing import Final

import pytest

from linkwork.algebra import parse, parse_equation, symbol
from linkwork.algebra.reserved import FUNCTION_NAMES
from linkwork.errors import BadName, LinkworkError, ParseError, UnknownName, UnknownNameInText, UsageError

# The text, with a caret ‸ where the fault is, and what the problem says.
BAD: Final[list[tuple[str, str]]] = [
    ("‸", "ends where a value is expected"),
    ("‸   ", "ends where a value is expected"),
    ("1 +‸", "ends where a value is expected"),
    ("1 +‸  \n", "ends where a value is expected"),
    ("x^‸", "ends where a value is expected"),
    ("-‸", "ends where a value is expected"),
    ("(‸", "ends where a value is expected"),
    ("sin(‸", "ends where a value is expected"),
    ("1 + ‸* 2", "a value is expected before '*'"),
    ("‸^2", "a value is expected before '^'"),
    ("x^‸^2", "a value is expected before '^'"),
    ("‸)", "a value is expected before ')'"),
    ("(‸)", "a value is expected before ')'"),
    ("sin(‸)", "a value is expected before ')'"),
    ("min(1,‸)", "a value is expected before ')'"),
    ("min(‸, 1)", "a value is expected before ','"),
    ("a <‸> b", "a value is expected before '>'"),
    ("‸(1 + 2", "never closed"),
    ("‸((1)", "never closed"),
    ("‸sin(x", "never closed"),
    ("1 + ‸sin((x)", "never closed"),
    ("(1)*‸(2", "never closed"),
    ("1‸)", "no open bracket"),
    ("sin(x)‸)", "no open bracket"),
    ("2 ‸x", "an operator is missing before 'x'"),
    ("2‸x", "an operator is missing before 'x'"),
    ("x ‸y", "an operator is missing before 'y'"),
    ("1 ‸2", "an operator is missing before '2'"),
    ("1.5‸.2", "an operator is missing before '.2'"),
    ("2‸(x)", "an operator is missing before '('"),
    ("(x)‸(y)", "an operator is missing before '('"),
    ("sqrt(2)‸(3)", "an operator is missing before '('"),
    ("x ‸sin(y)", "an operator is missing before 'sin'"),
    ("x\n‸y", "an operator is missing before 'y'"),
    ("x‸(1)", "'x' is not a function"),
    ("a.sin‸(1)", "'a.sin' is not a function"),
    ("‸sin x", "needs its arguments in brackets"),
    ("2*‸sin", "needs its arguments in brackets"),
    ("‸min + 1", "needs its arguments in brackets"),
    ("1 + ‸sin(1, 2)", "sin takes 1 argument, not 2"),
    ("‸atan2(1)", "atan2 takes 2 arguments, not 1"),
    ("‸atan2(1, 2, 3)", "atan2 takes 2 arguments, not 3"),
    ("‸min(1)", "min takes two or more arguments, not 1"),
    ("‸select(x, y)", "select takes 3 arguments, not 2"),
    ("(1‸, 2)", "a comma stands only between the arguments of a function"),
    ("1‸, 2", "a comma stands only between the arguments of a function"),
    ("sin((x‸, y))", "a comma stands only between the arguments of a function"),
    ("a < b ‸< c", "comparisons cannot be chained"),
    ("a == b + 1 ‸!= c", "comparisons cannot be chained"),
    ("x ‸= 1", "= defines or equates"),
    ("a‸=> b", "= defines or equates"),
    ("x ‸:= 1", "':' has no meaning here"),
    ("x‸[0]", "'[' has no meaning here"),
    ("‸{x}", "'{' has no meaning here"),
    ("x‸;y", "';' has no meaning here"),
    ("x‸!", "'!' has no meaning here"),
    ("50‸%", "'%' has no meaning here"),
    ("a ‸& b", "'&' has no meaning here"),
    ("‸__import__('os')", "cannot be the name of a quantity"),
    ("exec‸('1')", "is not a function"),
    ("x‸\x00y", "U+0000 has no meaning here"),
    ("‸\x07", "U+0007 has no meaning here"),
    ("x‸\u200by", "U+200B has no meaning here"),
    ("x‸\ud800", "U+D800 has no meaning here"),
    ("‸√2", "'√' has no meaning here"),
    ("x‸.", "'.' has no meaning here"),
    ("‸.", "'.' has no meaning here"),
    ("x‸²", "written with ^"),
    ("2*‸" + "n" * 201, "not a name"),
    ("2*‸1e999999", "outside the range of doubles"),
    ("‸1e-999999", "outside the range of doubles"),
    ("‸1.8e308", "outside the range of doubles"),
    ("‸1e-325", "outside the range of doubles"),
    ("2*‸" + "1" * 500, "this number has 500 digits"),
    ("‸0." + "1" * 500, "this number has 502 digits"),
    ("x‸/(y - y)", "division by an exact zero"),
    ("1 + x‸/0", "division by an exact zero"),
    ("0‸^-1", "division by an exact zero"),
    ("2‸^1024", "left the range of doubles"),
    ("1e200‸*1e200", "left the range of doubles"),
    ("5e-324 ‸deg", "left the range of doubles"),
    ("‸for + 1", "'for' cannot be the name of a quantity"),
    ("2*‸double", "'double' cannot be the name of a quantity"),
    ("‸lambda", "'lambda' cannot be the name of a quantity"),
    ("‸function", "'function' cannot be the name of a quantity"),
    ("‸True", "'True' cannot be the name of a quantity"),
    ("‸NaN", "'NaN' cannot be the name of a quantity"),
    ("2*‸crank.class", "'crank.class' cannot be the name of a quantity"),
    ("‸deg", "'deg' cannot be the name of a quantity"),
]


def marked(written: str) -> tuple[str, int]:
    """The text without its caret, and where that stood."""
    position = written.index("‸")
    return written.replace("‸", ""), position


@pytest.mark.parametrize(("written", "said"), BAD, ids=[repr(written[:30]) for written, _ in BAD])
def test_the_fault_is_pointed_at(written: str, said: str) -> None:
    """Text that is no expression is an error with a position and a caret under the fault."""
    given, position = marked(written)
    with pytest.raises(ParseError) as caught:
        parse(given)
    assert said in caught.value.problem
    assert caught.value.position == position
    shown, caret = caught.value.got.split("\n")
    assert caret.strip() == "^"
    wanted = given[position : position + 1] or " "
    assert (shown + " ")[len(caret) - 1] == (wanted if wanted.isprintable() else " ")


BAD_EQUATIONS: Final[list[tuple[str, str]]] = [
    ("‸", "not an equation"),
    ("a‸", "not an equation"),
    ("a == b‸", "not an equation"),
    ("a <= b‸", "not an equation"),
    ("a =‸ ", "ends where a value is expected"),
    ("‸= b", "ends where a value is expected"),
    ("a = b ‸= c", "= defines or equates"),
    ("a = b‸)", "no open bracket"),
    ("‸(a = b)", "never closed"),
    ("x = 2 ‸y", "an operator is missing"),
    ("2 ‸y = x", "an operator is missing"),
    ("y = ‸for", "cannot be the name"),
]


@pytest.mark.parametrize(("written", "said"), BAD_EQUATIONS)
def test_faults_of_equations_are_pointed_at(written: str, said: str) -> None:
    """The position counts from the beginning of the whole equation."""
    given, position = marked(written)
    with pytest.raises(ParseError) as caught:
        parse_equation(given)
    assert said in caught.value.problem
    assert caught.value.position == position


def test_unknown_names_are_suggested() -> None:
    """A name that is not among those given is an error with the nearest one."""
    with pytest.raises(UnknownNameInText, match="nothing here is called 'crnak'") as caught:
        parse("2*crnak", names=["rod", "crank"])
    assert caught.value.position == 2
    assert caught.value.fix == "did you mean crank?"
    assert caught.value.wanted == "crank, rod"
    assert isinstance(caught.value, UnknownName)
    with pytest.raises(UnknownNameInText) as caught:
        parse("x", names=[])
    assert "no names are defined" in caught.value.wanted
    with pytest.raises(UnknownNameInText) as caught:
        parse_equation("a = zz", names=["a"])
    assert caught.value.position == 4


def test_keywords_say_whose_they_are() -> None:
    """A name that a printed program could not use is an error naming the language."""
    for word, language in (("double", "C"), ("lambda", "Python"), ("typeof", "JavaScript")):
        with pytest.raises(ParseError) as caught:
            parse(word)
        assert caught.value.why == f"it is a word of {language}"
    for word in FUNCTION_NAMES:
        with pytest.raises(ParseError, match="is a function"):
            parse(word)


@pytest.mark.parametrize(
    "word", ["double", "Math.x", "crank.class", "pi", "π", "deg", "sin", "__file__", "a.__b"]
)
def test_the_fix_of_a_reserved_name_can_be_pasted(word: str) -> None:
    """The name that is proposed in place of a reserved one is not reserved itself."""
    with pytest.raises(BadName) as caught:
        symbol(word)
    proposed = caught.value.fix.removeprefix("call it ").split(" ")[0]
    assert parse(proposed) is symbol(proposed)


@pytest.mark.parametrize("stranger", [None, 5, 1.5, b"x", ["x"], object()])
def test_only_text_is_read(stranger: object) -> None:
    """Anything but a string is a misuse, with a fix."""
    with pytest.raises(UsageError, match="read from text") as caught:
        parse(stranger)  # type: ignore[arg-type]
    assert caught.value.fix
    with pytest.raises(UsageError, match="read from text"):
        parse_equation(stranger)  # type: ignore[arg-type]


# ----------------------------------------------------------------------------------------------- size

MANY: Final = 1_000_000

HUGE: Final[dict[str, tuple[str, int, str]]] = {
    "opening brackets": ("(" * MANY, MANY, "ends where a value is expected"),
    "one bracket too few": ("(" * 100_000 + "x" + ")" * 99_999, 0, "never closed"),
    "one bracket too many": ("(" * 100_000 + "x" + ")" * 100_001, 200_001, "no open bracket"),
    "closing brackets": (")" * MANY, 0, "a value is expected"),
    "calls": ("sin(" * 100_000, 400_000, "ends where a value is expected"),
    "digits": ("7" * MANY, 0, "this number has 1000000 digits"),
    "decimals": ("0." + "7" * MANY, 0, "this number has 1000002 digits"),
    "an exponent": ("1e" + "9" * MANY, 0, "outside the range of doubles"),
    "a name": ("n" * MANY, 0, "not a name"),
    "garbage": ("$" * MANY, 0, "'$' has no meaning"),
    "spaces before garbage": (" " * MANY + "$", MANY, "'$' has no meaning"),
    "garbage at the end": ("x + " * (MANY // 40) + "$", MANY // 10, "'$' has no meaning"),
    "operators": ("+*" * MANY, 1, "a value is expected before '*'"),
    "names": ("x " * MANY, 2, "an operator is missing"),
    "comparisons": ("x < " * MANY, 6, "cannot be chained"),
    "a tower of powers": ("9^" * 100_000 + "9", 199_997, "range of doubles"),
}


@pytest.mark.parametrize(("written", "position", "said"), HUGE.values(), ids=HUGE)
def test_huge_faults(written: str, position: int, said: str) -> None:
    """A fault in a megabyte is found like one in a line, and its message stays short."""
    with pytest.raises(ParseError) as caught:
        parse(written)
    assert said in caught.value.problem
    assert caught.value.position == position
    assert len(str(caught.value)) < 1000


def test_errors_are_plain_data() -> None:
    """The parts of an error are there for --json, and its text has one label a line."""
    with pytest.raises(LinkworkError) as caught:
        parse("2*(x + 1")
    assert caught.value.to_json() == {
        "error": "ParseError",
        "problem": "this bracket is never closed",
        "got": "2*(x + 1\n  ^",
        "fix": "2*(x + 1)",
    }
    assert str(caught.value).splitlines() == [
        "this bracket is never closed",
        "  got:    2*(x + 1",
        "            ^",
        "  fix:    2*(x + 1)",
    ]
