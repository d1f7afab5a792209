"""Laws that do not hold yet, each with its smallest case. A test that passes here moves to its own file."""

from __future__ import annotations

import operator
import pickle
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import sympy

from linkwork.algebra import (
    Definition,
    Expression,
    Number,
    Symbol,
    Table,
    asin,
    atan,
    evaluate,
    from_sympy,
    hessian,
    instructions,
    jacobian,
    latex,
    number,
    operation_count,
    parse,
    parse_equation,
    symbol,
    symbols,
    table_jacobian,
    text,
    time_derivative,
    to_sympy,
)
from linkwork.algebra import expression as inside
from linkwork.algebra.numeric import NUMERIC
from linkwork.errors import CyclicDefinition, LinkworkError, NameTaken, ParseError, UnknownName, UsageError

w, x, y, z = symbols("w x y z")


# ------------------------------------------------------------------------------------------ expressions


@pytest.mark.parametrize(
    "e",
    [
        2 * (x + y) - 2 * x,
        2 * (x - y) + 2 * y,
        2 * (x + 1) + 2,
        3 * x + 1 - 3,
        asin(-1),
        atan(-1),
    ],
    ids=str,
)
def test_building_is_idempotent(e: Expression) -> None:
    """parse(text(e)) is e and a pickle is e: add() does not look for cancellation under a coefficient, and
    the rule of odd functions calls node() for the exact value it should ask its own rule for.
    """
    assert parse(text(e)) is e
    assert pickle.loads(pickle.dumps(e)) is e


@pytest.mark.parametrize("name", ["π", "a·b", "x\u0302", "℘"])
def test_every_name_that_is_accepted_can_be_read(name: str) -> None:
    r"""symbol() accepts what isidentifier() accepts, the reader splits names by \w: they differ."""
    try:
        leaf = symbol(name)
    except LinkworkError:
        return
    assert parse(name) is leaf


@pytest.mark.parametrize("value", [Fraction(2**1024 - 1, 7), Fraction(3**640, 2**400 * 5**250)])
def test_long_numbers_are_read_back(value: Fraction) -> None:
    """A numerator above the largest double, or a decimal of more than 400 digits, is printed but not read."""
    e = number(value)
    assert parse(text(e)) is e


def test_negative_bases_with_broken_exponents() -> None:
    """pow(−1e300, 2.5) is NaN in C; here the overflow of the complex power is taken for infinity."""
    assert evaluate([x**y], {"x": -1e300, "y": 2.5})[0] != float("inf")


@pytest.mark.parametrize("value", [10**400, "one", None], ids=["huge", "text", "None"])
def test_values_that_are_no_doubles(value: object) -> None:
    """Misuse of evaluate() raises an error of ours, not OverflowError, ValueError or TypeError."""
    with pytest.raises(LinkworkError):
        evaluate([x], {"x": value})  # type: ignore[dict-item]


@pytest.mark.parametrize("stranger", [np.array([1.0, 2.0]), np.complex128(1 + 2j)], ids=["array", "complex"])
def test_strangers_of_numpy(stranger: object) -> None:
    """An array is an error of ours, and the imaginary part of a complex number is not dropped silently."""
    with pytest.raises(LinkworkError):
        number(stranger)  # type: ignore[arg-type]


def test_names_that_are_not_hashable() -> None:
    """symbol([]) is a BadName, not a TypeError."""
    with pytest.raises(LinkworkError):
        symbol([])  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------- the reader


def test_equations_are_read_from_text_only() -> None:
    """parse_equation(5) is a UsageError like parse(5)."""
    with pytest.raises(UsageError):
        parse_equation(5)  # type: ignore[arg-type]


def test_degrees_too_small_have_a_caret() -> None:
    """A number that leaves the range by ``deg`` is a ParseError with a position, as after any operator."""
    with pytest.raises(ParseError):
        parse("5e-324 deg")


def test_exponents_with_leading_zeros() -> None:
    """1e+0000005 is 100000."""
    assert parse("1e+0000005") is number(100_000)


def test_spaces_before_a_fault() -> None:
    r"""Reading takes linear time: \s* is tried from every space of a run before a stray character."""
    script = (
        "from linkwork.algebra import parse\ntry:\n  parse(' '*50_000 + '$')\nexcept Exception: print('read')"
    )
    found = subprocess.run([sys.executable, "-c", script], timeout=10, capture_output=True, check=True)
    assert found.stdout == b"read\n"


def test_the_fix_of_a_keyword_can_be_pasted() -> None:
    """The fix for Math.x is not Math.x_, which is refused as well."""
    with pytest.raises(ParseError) as caught:
        parse("Math.x")
    proposed = caught.value.fix.removeprefix("call it ").split(" ")[0]
    assert parse(proposed) is symbol(proposed)


# ------------------------------------------------------------------------------------------ derivatives


def test_symbols_given_twice() -> None:
    """jacobian by (x, x) has both columns, as gradient has; or it is an error. Not one of them."""
    assert jacobian([x * y], [x, x]) == [{0: y, 1: y}]
    assert hessian(x**2, [x, x])[1] == [{0: number(2)}, {0: number(2), 1: number(2)}]


# ---------------------------------------------------------------------------------------- instructions


SIGNED: dict[str, Callable[..., float]] = {"-": operator.sub, "neg": operator.neg}


def executed(e: Expression, values: dict[str, float]) -> float:
    """The value by the instructions."""
    code = instructions([e])
    registers: list[float] = []
    for place, (operation, operands) in enumerate(zip(code.operations, code.operands, strict=True)):
        content = code.leaves.get(place)
        if isinstance(content, Symbol):
            registers.append(values[content.name])
        elif isinstance(content, Number):
            registers.append(float(content.value))
        else:
            known = [registers[operand] for operand in operands]
            registers.append((NUMERIC | SIGNED)[operation](*known))
    return registers[code.results[0]]


def test_wrong_code() -> None:
    """The instructions of this sum compute something else: enter_product takes every absorbed factor for a
    reciprocal, but products dissolved by note_common_factor are absorbed, too.
    """
    e = parse("w*(w - x)*(1/x)*w + (w - x)*(1/x)")
    values = {"w": 3.5, "x": 1.25}
    assert executed(e, values) == pytest.approx(evaluate([e], values)[0], rel=1e-14)


def test_long_products_need_no_stack() -> None:
    """x·a₁·…·aₙ + x·b₁·…·bₙ: value() and enter() call each other once for every factor."""
    first: Expression = x
    second: Expression = x
    for place in range(2000):
        first = first * symbol(f"a{place}")
        second = second * symbol(f"b{place}")
    assert operation_count([first + second]) == 4000


# -------------------------------------------------------------------------------------------- the pool


def test_what_is_dropped_is_forgotten() -> None:
    """One pass forgets a whole chain. Now it forgets the top only: list(_pool) holds the keys, and the keys
    hold the arguments; taking the keys off the list one by one (keys.pop()) forgets all.
    """
    inside._forget_unused()
    before = len(inside._pool)
    e: Expression = symbol("forgotten")
    for place in range(100):
        e = abs(e + place) ** y
    del e
    inside._forget_unused()
    assert len(inside._pool) <= before


def test_numbers_are_forgotten_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that come and go without a node do not pile up; now only a growing pool sweeps them."""
    monkeypatch.setattr(inside, "_POOL_START", 100)
    monkeypatch.setattr(inside, "_pool_limit", 100)
    before = len(inside._numbers)
    for place in range(300_000):
        number(place + 1_000_000)
    assert len(inside._numbers) < before + 250_000


# ---------------------------------------------------------------------------------------------- SymPy


def test_nested_choices_come_back_from_sympy() -> None:
    """SymPy folds a select inside a condition into ITE, which from_sympy does not know."""
    e = parse("select(select(z < y, y*z, y) - z, 1, sin(z))")
    values = {"y": 0.5, "z": 0.25}
    assert evaluate([from_sympy(to_sympy(e))], values) == evaluate([e], values)


@pytest.mark.parametrize("stranger", ["x + 1", None, [1, 2], sympy.Matrix([1, 2])])
def test_only_sympy_comes_from_sympy(stranger: object) -> None:
    """Anything else is an error of ours, not an AttributeError."""
    with pytest.raises(LinkworkError):
        from_sympy(stranger)


# ---------------------------------------------------------------------------------------------- LaTeX


def test_numbers_as_bases_have_brackets() -> None:
    r"""\frac{1}{3}^{x} reads as 1/3^x, and 10^{30}^{1/3} is an error of LaTeX."""
    assert latex(parse("(1/3)^x")) == r"\left(\frac{1}{3}\right)^{x}"
    assert latex(parse("1e30^(1/3)")) == r"\left(10^{30}\right)^{\frac{1}{3}}"


# --------------------------------------------------------------------------------------------- tables


def test_a_line_that_needs_itself() -> None:
    """x = x + 1 is the smallest circle."""
    with pytest.raises(CyclicDefinition):
        Table.of({"x": "x + 1"})


def both_forms() -> Table:
    """r by x and y, and also by r² = s."""
    lines = [Definition.of("r", "sqrt(x^2 + y^2)", "r^2 = s"), Definition.of("s", "x^2 + y^2")]
    return Table.of(lines)


def test_names_of_the_implicit_form_count() -> None:
    """Both forms of a line name what it needs: else ∂r/∂x is lost (in reverse), or 0 (forward)."""
    assert table_jacobian(both_forms(), ["r"], ["x"]).rows[0]
    assert "V_r" in time_derivative(both_forms(), ["x"])


@pytest.mark.parametrize("implicit", ["r + sign(r) = x", "r = x + (r > 0)", "r + select(r < 1, 1, 2) = x"])
def test_steps_are_not_linear(implicit: str) -> None:
    """An equation whose slope is constant but which jumps is not solved as if it were linear."""
    line = Definition.of("r", implicit=implicit)
    if line.explicit is not None:
        values = {"x": 3.0, "r": evaluate([line.explicit], {"x": 3.0})[0]}
        left, right = evaluate(line.implicit or (), values)
        assert left == right


def test_derivative_tables_keep_the_inputs() -> None:
    """Declared inputs keep their order and stay, used or not; now they are found anew and sorted."""
    table = Table.of({"u": "2*z"}, inputs=["z", "x"])
    once = time_derivative(table, ["x", "z"])
    assert [name for name in once.inputs if name in table.inputs] == ["z", "x"]


def test_new_names_do_not_capture_inputs() -> None:
    """A derivative's name that an input has already is an error, not a new meaning for that input."""
    with pytest.raises(NameTaken):
        table_jacobian(Table.of({"u": "x^2*u_by_x"}), ["u"], ["x"])


def test_unknown_outputs_in_the_forward_sweep() -> None:
    """An output that does not exist is an error in either sweep; forward, its row is empty."""
    with pytest.raises(UnknownName):
        table_jacobian(Table.of({"u": "x", "v": "u^2"}), ["nothing", "u", "v"], ["x"])


def test_expanding_names() -> None:
    """expanded([]) is [], and expanding a name the table does not define is an error."""
    table = Table.of({"u": "x^2"})
    assert table.expanded([]) == []
    with pytest.raises(UnknownName):
        table.expanded(["nothing"])


def test_data_of_a_table_with_an_empty_equation() -> None:
    """from_json raises errors of ours only, not IndexError."""
    with pytest.raises(LinkworkError):
        Table.from_json({"inputs": [], "outputs": [], "table": [{"name": "a", "implicit": []}]})


@pytest.mark.parametrize("given", [{"inputs": ["x", "x"]}, {"outputs": ["u", "u"]}])
def test_names_given_twice(given: dict[str, list[str]]) -> None:
    """An input or an output that stands twice in its list is an error (a C function would not compile)."""
    with pytest.raises(LinkworkError):
        Table.of({"u": "x"}, **given)
