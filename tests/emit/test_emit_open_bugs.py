"""Laws that do not hold yet. Each test is the smallest reproduction; when it passes it moves to its file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from emit_agreement import check_or_refused
from emit_languages import cases_of, in_parts_of, run_numpy
from emit_special import OPEN_BUGS, differences

from linkwork.algebra import PI, Definition, Table, atan2, evaluate, minimum, symbol, symbols
from linkwork.emit import Function, Input, Output, Program, compiled, interpreted
from linkwork.errors import BadName, LinkworkError, NameTaken, UsageError

X, Y, Z = symbols("x y z")


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINKWORK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


# C that does not compile strictly (compiled() then falls back to NumPy with a warning)


def test_an_unused_input_called_e(tmp_path: Path) -> None:
    """The e of 1e-05 is taken for a use of the parameter e, which is then not silenced."""
    check_or_refused(lambda: Program.of("f", [symbol("e"), X], {"r": X * 1e-5}), [1.0, 2.0], [2e-5], tmp_path)


def test_a_definition_that_nothing_uses(tmp_path: Path) -> None:
    """Its local is an unused variable."""
    check_or_refused(
        lambda: Program.of("f", [X], {"r": X}, [Definition.of("u", "x + 1")]), [1.0], [1.0], tmp_path
    )


def test_an_output_that_is_asked_for_twice(tmp_path: Path) -> None:
    """The two parameters get one name in C; the dictionary of Python has one entry for two results."""
    table = Table.of({"r": "x + 1"}, outputs=["r", "r"])
    check_or_refused(lambda: Program.of_table(table), [1.0], [2.0, 2.0], tmp_path)


def test_an_input_called_like_a_part_of_the_function(tmp_path: Path) -> None:
    """The parameter hides the function that is to be called."""
    part = symbol("f_part1")
    with in_parts_of(1):
        check_or_refused(
            lambda: Program.of("f", [part, X], {"r": [(X + part) ** 2, X + part]}), [1, 2], [9, 3], tmp_path
        )


@pytest.mark.parametrize(
    "name", ["main", "pow", "floor", "printf", "out", "row", "rows", "lw_min", "NAN", "signbit"]
)
def test_function_names_that_c_knows(name: str, tmp_path: Path) -> None:
    """Refuse them or print another name."""
    check_or_refused(lambda: Program.of(name, [X, Y], {"r": minimum(X, Y)}), [1.0, 2.0], [1.0], tmp_path)


@pytest.mark.parametrize(
    "name", ["a.b", "np", "\u00b5", "\ufb01x", "__debug__", "Float64Array", "_Bool", "__LINE__"]
)
def test_function_names_that_other_languages_cannot_have(name: str, tmp_path: Path) -> None:
    """A dot; Python's np and __debug__; letters that Python normalises; the array type of JavaScript."""
    check_or_refused(lambda: Program.of(name, [X, Y], {"r": [X + Y]}), [1.0, 2.0], [3.0], tmp_path)


@pytest.mark.parametrize(
    "name", ["_Bool", "_Complex", "__func__", "__LINE__", "__FILE__", "__debug__", "__proto__"]
)
def test_quantities_with_names_that_begin_with_an_underscore(name: str, tmp_path: Path) -> None:
    """C reserves _X and __x, Python __debug__, JavaScript has out.__proto__."""
    check_or_refused(lambda: Program.of("f", [symbol(name)], {name: symbol(name)}), [2.0], [2.0], tmp_path)


# JavaScript


@pytest.mark.parametrize("value", [X + 1, [X + 1]])
def test_a_dotted_result_in_javascript(value: Any, tmp_path: Path) -> None:
    """``out.crank.angle = …`` stores into out.crank, which is not there; wanted: out["crank.angle"]."""
    check_or_refused(lambda: Program.of("f", [X], {"crank.angle": value}), [1.0], [2.0], tmp_path)


@pytest.mark.parametrize("name", ["constructor", "valueOf", "toString", "hasOwnProperty"])
def test_an_array_result_called_like_a_method_of_objects(name: str, tmp_path: Path) -> None:
    """``out.constructor ??= …`` finds Object itself, and stores the results there for all programs."""
    check_or_refused(lambda: Program.of("f", [X], {name: [X + 1]}), [1.0], [2.0], tmp_path)


# Special values


@pytest.mark.parametrize(("operation", "language"), OPEN_BUGS)
def test_special_values_are_the_same_in_every_language(operation: str, language: str) -> None:
    """1^NaN and 1^inf are 1 except in JavaScript; signs of zero from min, max (JavaScript), sign (NumPy)."""
    assert differences(operation, language) == []


def test_a_constant_division_by_zero_in_python(tmp_path: Path) -> None:
    """Python's own floats raise ZeroDivisionError where np.float64 gives inf, as C and JavaScript do."""
    program = Program.of("f", [X], {"r": X + 1 / (PI - math.pi)})
    assert run_numpy(cases_of([program], [[[1.0]]]), tmp_path)[0].tolist() == [[math.inf]]


def test_a_difference_turned_round_keeps_its_zero() -> None:
    """y − x at x = y is −0 for evaluate, +0 for printers: an angle of π against 0."""
    angle = atan2(Z, Y - X)
    printed = interpreted(Program.of("f", [X, Y, Z], {"r": angle}))(1, 1, 0)["r"]
    assert evaluate([angle], {"x": 1, "y": 1, "z": 0}) == [float(printed)]


# Programs that should be refused


def test_a_definition_twice() -> None:
    """Both would be one local."""
    with pytest.raises(NameTaken):
        Program.of("f", [X], {"r": symbol("u")}, [Definition.of("u", "x + 1"), Definition.of("u", "x + 2")])


def test_two_arguments_of_one_name() -> None:
    """The names of scalar arguments are not compared, only their symbols."""
    with pytest.raises(NameTaken):
        Program("f", (Input("a", ("x",), True), Input("a", ("y",), True)), (Output("r", (X + Y,), True),))


def test_definitions_out_of_order(tmp_path: Path) -> None:
    """A definition used before it stands: refuse it, or sort as Table does."""
    lines = [Definition.of("b", "a + 1"), Definition.of("a", "x + 2")]
    check_or_refused(lambda: Program.of("f", [X], {"r": symbol("b")}, lines), [1.0], [4.0], tmp_path)


@pytest.mark.parametrize("name", ["a..b", "a.", ".a", "a.1b"])
def test_dots_in_the_wrong_place(name: str) -> None:
    """Not a symbol, so not an argument either."""
    with pytest.raises(BadName):
        Program.of("f", [X], {name: [X]})


@pytest.mark.parametrize("name", ["1x", "a b", ""])
def test_the_fix_of_a_bad_name_is_a_good_name(name: str) -> None:
    """What is told instead ("call it 1x_") can be pasted."""
    with pytest.raises(BadName) as caught:
        Program.of("f", [X], {name: X})
    assert caught.value.fix.removeprefix("call it ").isidentifier()


def test_a_large_table_with_a_quantity_called_inputs() -> None:
    """Its arguments become arrays called inputs and outputs: these names should give way."""
    names = [*(f"q{place}" for place in range(30)), "inputs"]
    program = Program.of_table(Table.of({"outputs": " + ".join(names)}, inputs=names))
    assert program.inputs[0].symbols == tuple(names)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Program.of("f", ["x"], {"r": X}),  # type: ignore[list-item]
        lambda: Program.of("f", X, {"r": X}),  # type: ignore[arg-type]
        lambda: Program.of("f", {"p": X}, {"r": X}),  # type: ignore[dict-item]
        lambda: Program.of("f", [X], {"r": np.array([1.0, 2.0])}),  # type: ignore[dict-item]
        lambda: interpreted(X + 1),  # type: ignore[arg-type]
    ],
    ids=["text for a symbol", "one symbol", "a symbol for a list", "a NumPy array", "an expression"],
)
def test_misuse_raises_our_errors(make: Callable[[], object]) -> None:
    """Not AttributeError or TypeError from inside."""
    with pytest.raises(LinkworkError):
        make()


# Calls

BOTH = pytest.mark.parametrize("made", [compiled, interpreted])


@BOTH
def test_an_argument_given_twice(made: Callable[[Program], Function]) -> None:
    """By position and by name: the first value is dropped silently."""
    with pytest.raises(UsageError):
        made(Program.of("f", [X, Y], {"r": X + Y}))(1, 2, x=5)


@BOTH
@pytest.mark.parametrize("value", [None, "1.5", np.datetime64("2020-01-01"), np.array([1j])])
def test_what_is_no_number(made: Callable[[Program], Function], value: Any) -> None:
    """None becomes NaN, a date its number of days, complex numbers lose their imaginary part."""
    with pytest.raises(UsageError):
        made(Program.of("f", [X], {"r": X + 1}))(value)


def test_results_that_do_not_depend_on_all_arguments_have_the_shape_of_all() -> None:
    """By NumPy a constant comes back as a Python float, others in the shape of what they mention."""
    program = Program.of("f", [X, Y], {"c": 3, "x": X, "p": [1, X], "n": []})
    native, slow = (made(program)(1, [1, 2, 3]) for made in (compiled, interpreted))
    assert {name: np.shape(value) for name, value in slow.items()} == {
        name: np.shape(value) for name, value in native.items()
    }


def test_arrays_with_two_axes_of_rows() -> None:
    """By NumPy, scalar results come out transposed: p.T reverses all axes, not only the last."""
    program = Program.of("f", {"p": [X, Y]}, {"r": X + Y})
    p = np.arange(12.0).reshape(2, 3, 2)
    assert interpreted(program)(p)["r"].tolist() == compiled(program)(p)["r"].tolist()


def test_scalars_with_two_axes_beside_arrays() -> None:
    """The same with a scalar: for square shapes a silently wrong result."""
    inputs = (Input("x", ("x",), scalar=True), Input("p", ("y", "z")))
    program = Program("f", inputs, (Output("r", (X + Y * Z,), scalar=True),))
    x, p = np.arange(4.0).reshape(2, 2), np.arange(8.0).reshape(2, 2, 2)
    assert interpreted(program)(x, p)["r"].tolist() == compiled(program)(x, p)["r"].tolist()


def test_rows_that_do_not_fit_by_numpy() -> None:
    """The native function says which arguments; NumPy's ValueError comes through."""
    with pytest.raises(UsageError):
        interpreted(Program.of("f", [X, Y], {"r": X + Y}))([1, 2], [1, 2, 3])


def test_a_result_is_not_the_argument_itself() -> None:
    """By NumPy an input handed through is the caller's own array: writing to the result changes it."""
    given = np.ones(3)
    assert not np.shares_memory(interpreted(Program.of("f", [X], {"x": X}))(given)["x"], given)


# Bound calls


def test_binding_needs_as_many_rows_in_as_out() -> None:
    """The loop runs over the rows of the outputs: with fewer inputs it reads memory that is not ours."""
    with pytest.raises(UsageError):
        compiled(Program.of("f", [X, Y], {"r": X + Y})).bind(np.zeros((1, 2)), np.zeros(5))


def test_binding_what_cannot_be_written() -> None:
    """A read-only array is written to."""
    outputs = np.zeros(1)
    outputs.flags.writeable = False
    with pytest.raises(UsageError):
        compiled(Program.of("f", [X], {"r": X + 1})).bind(np.zeros(1), outputs)


def test_binding_a_program_without_results() -> None:
    """ZeroDivisionError."""
    compiled(Program.of("f", [X], {})).bind(np.zeros(1), np.zeros(0))()
