"""Functions: how they are called, what comes back, and what is said when a call cannot be meant."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from emit_languages import needs_compiler

from linkwork.algebra import Table, symbols
from linkwork.emit import Program, compiled, interpreted
from linkwork.errors import UsageError

X, Y, Z = symbols("x y z")

SCALARS = Program.of("scalars", [X, Y], {"total": X + Y, "product": X * Y})
ARRAYS = Program.of("arrays", {"p": [X, Y], "q": [Z]}, {"swapped": [Y, X, Z], "total": X + 10 * Y + 100 * Z})
DATE = np.datetime64("2020-01-01")
MIXED = Program("mixed", (*SCALARS.inputs, *ARRAYS.inputs[1:]), ARRAYS.outputs[1:])


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINKWORK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(
    params=[pytest.param(compiled, id="native", marks=needs_compiler), pytest.param(interpreted, id="NumPy")]
)
def made(request: pytest.FixtureRequest) -> Any:
    """The two makers of functions: all laws of calling hold for both."""
    return request.param


# Calls that are meant


def test_arguments_come_by_position_or_by_name(made: Any) -> None:
    """In any mixture, the rest by name."""
    function = made(SCALARS)
    for found in (function(3, 4), function(3, y=4), function(y=4, x=3), function(*[3], y=4)):
        assert {name: value.item() for name, value in found.items()} == {"total": 7.0, "product": 12.0}


def test_a_table_is_a_function_too(made: Any) -> None:
    """Its inputs are the arguments, its outputs the results."""
    function = made(Table.of({"r": "sqrt(x^2 + y^2)", "area": "pi*r^2"}, outputs=["area"]), "disk")
    assert function.program.name == "disk"
    assert function(x=3, y=4)["area"].item() == pytest.approx(25 * math.pi)


def test_results_come_in_the_order_of_the_program(made: Any) -> None:
    """A caller may unpack the values."""
    assert list(made(SCALARS)(1, 2)) == ["total", "product"]


@pytest.mark.parametrize(
    ("x", "y", "shape"),
    [
        (2, 3, ()),
        ([1, 2, 3], 4, (3,)),
        ([1, 2, 3], [4, 5, 6], (3,)),
        ([[1], [2]], [3, 4, 5], (2, 3)),
        (np.ones((2, 1, 3)), np.ones((4, 1)), (2, 4, 3)),
        ([], 1, (0,)),
        (np.zeros((0, 3)), [1, 2, 3], (0, 3)),
    ],
)
def test_scalars_are_broadcast(made: Any, x: Any, y: Any, shape: tuple[int, ...]) -> None:
    """Scalars may be arrays of any shape; each result has the common one, and NumPy's values."""
    found = made(SCALARS)(x, y)
    assert found["total"].shape == found["product"].shape == shape
    np.testing.assert_array_equal(found["total"], np.add(x, y))
    np.testing.assert_array_equal(found["product"], np.multiply(x, y))


@pytest.mark.parametrize(("rows", "others"), [((), ()), ((4,), (4,)), ((4,), ()), ((), (4,)), ((1,), (3,))])
def test_arrays_hold_their_entries_on_the_last_axis(
    made: Any, rows: tuple[int, ...], others: tuple[int, ...]
) -> None:
    """Axes before it are rows, broadcast together."""
    source = np.random.default_rng(1)
    p, q = source.normal(size=(*rows, 2)), source.normal(size=(*others, 1))
    found = made(ARRAYS)(p, q)
    shape = np.broadcast_shapes(rows, others)
    assert found["total"].shape == shape
    assert found["swapped"].shape == (*shape, 3)
    np.testing.assert_allclose(found["total"], p[..., 0] + 10 * p[..., 1] + 100 * q[..., 0], rtol=1e-13)
    wanted = np.concatenate([p[..., ::-1] + 0 * q[..., :1], q + 0 * p[..., :1]], axis=-1)
    np.testing.assert_array_equal(found["swapped"], wanted)


def test_scalars_and_arrays_together(made: Any) -> None:
    """A scalar of n rows goes with an array of n rows."""
    found = made(MIXED)([1, 2, 3], 4, [[5], [6], [7]])
    assert found["total"].tolist() == [541.0, 642.0, 743.0]


@pytest.mark.parametrize(
    "given",
    [
        np.arange(6, dtype=np.int32),
        np.arange(6, dtype=np.float32),
        np.arange(12.0)[::2],
        np.arange(6.0)[::-1],
        np.arange(6).astype(">f8"),
        [True, False, True, True, False, False],
        tuple(range(6)),
        range(6),
        np.arange(6, dtype=np.longdouble),
    ],
    ids=["int32", "float32", "strided", "reversed", "big-endian", "bool", "tuple", "range", "long double"],
)
def test_anything_numeric_is_converted(made: Any, given: Any) -> None:
    """Other types, strides and byte orders give the doubles they stand for."""
    found = made(SCALARS)(given, 1)["total"]
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, np.asarray(given, float) + 1)


@pytest.mark.parametrize("value", [10**30, Fraction(1, 2), [Fraction(1, 2), 1], np.float32(0.5), np.array(3)])
def test_numbers_of_python_and_numpy_are_numbers(made: Any, value: Any) -> None:
    """Large integers and fractions too, which NumPy would keep as objects."""
    assert made(SCALARS)(value, 0)["total"].tolist() == np.asarray(value, float).tolist()


def test_arrays_in_other_orders_of_memory(made: Any) -> None:
    """A transposed or Fortran-ordered array means its entries, not its memory."""
    p = np.arange(8.0).reshape(2, 4).T
    for order in (p, np.asfortranarray(p), np.ascontiguousarray(p)):
        assert made(ARRAYS)(order, [0])["swapped"].tolist() == [[y, x, 0.0] for x, y in p.tolist()]


def test_results_have_the_shape_of_all_arguments(made: Any) -> None:
    """Also those that mention only some of them, constants, and empty ones."""
    found = made(Program.of("partial", [X, Y], {"c": 3, "x": X, "p": [1, X], "n": []}))(1, [[1, 2, 3]])
    shapes = {name: value.shape for name, value in found.items()}
    assert shapes == {"c": (1, 3), "x": (1, 3), "p": (1, 3, 2), "n": (1, 3, 0)}
    assert all(value.dtype == np.float64 for value in found.values())


def test_arrays_with_several_axes_of_rows(made: Any) -> None:
    """Every axis but the last is one of rows, in its place, beside scalars of the same shape."""
    x, y, q = np.arange(6.0).reshape(2, 3), np.arange(3.0), np.arange(6.0).reshape(2, 3, 1)
    found = made(MIXED)(x, y, q)["total"]
    np.testing.assert_array_equal(found, x + 10 * y + 100 * q[..., 0])
    square = np.arange(8.0).reshape(2, 2, 2)
    found = made(ARRAYS)(square, [[0.0]])
    np.testing.assert_array_equal(found["total"], square[..., 0] + 10 * square[..., 1])
    np.testing.assert_array_equal(found["swapped"][..., :2], square[..., ::-1])


def test_arguments_are_left_untouched(made: Any) -> None:
    """A call writes to its results only, also where an input is handed through."""
    given = np.ones(3)
    made(Program.of("through", [X], {"x": X, "y": X}))(given)["x"][...] = 7
    assert given.tolist() == [1, 1, 1]
    p, q = np.arange(6.0).reshape(3, 2), np.array([9.0])
    found = made(ARRAYS)(p, q)
    found["swapped"][...] = -1
    assert p.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert q.tolist() == [9]


def test_a_second_call_leaves_the_first_result_alone(made: Any) -> None:
    """Results are fresh arrays, not one buffer filled again."""
    function = made(SCALARS)
    first = function([1.0, 2.0], 1)["total"]
    function([5.0, 6.0], 1)
    assert first.tolist() == [2.0, 3.0]


def test_no_arguments_at_all(made: Any) -> None:
    """A program without inputs is called with nothing."""
    found = made(Program.of("constant", [], {"r": 2.5, "s": [1, 2]}))()
    assert float(found["r"]) == 2.5
    assert found["s"].tolist() == [1.0, 2.0]


def test_numbers_beyond_domains_give_no_warning(made: Any) -> None:
    """1/0 is inf and log(−1) NaN, silently, as in all printed languages."""
    function = made(Table.of({"r": "1/x", "s": "log(x - 1)"}))
    found = function(x=[0.0, 1.0])
    assert found["r"].tolist() == [math.inf, 1.0]
    assert [str(each) for each in found["s"].tolist()] == ["nan", "-inf"]


@needs_compiler
def test_what_a_function_shows() -> None:
    """The program, and how it runs."""
    assert repr(compiled(SCALARS)) == "scalars(x, y) → total, product, 2 operations, native"
    assert repr(interpreted(SCALARS)) == "scalars(x, y) → total, product, 2 operations, NumPy"
    assert compiled(SCALARS).native
    assert not interpreted(SCALARS).native


# Calls that cannot be meant


@pytest.mark.parametrize(
    ("arguments", "by_name"),
    [
        ((), {}),
        ((1,), {}),
        ((1, 2, 3), {}),
        ((1,), {"z": 2}),
        ((1, 2), {"z": 2}),
        ((), {"x": 1}),
        ((), {"x": 1, "Y": 2}),
        ((1, 2), {"x": 5}),
        ((1,), {"x": 5}),
    ],
)
def test_wrong_arguments_are_told_apart_from_right_ones(
    made: Any, arguments: tuple[Any, ...], by_name: dict[str, Any]
) -> None:
    """The error tells how many came by position, which by name, and how the call should look."""
    with pytest.raises(UsageError, match="scalars was called with the wrong arguments") as caught:
        made(SCALARS)(*arguments, **by_name)
    assert caught.value.got.startswith(f"{len(arguments)} by position")
    assert all(name in caught.value.got for name in by_name)
    assert caught.value.wanted == "x, y"
    assert caught.value.fix == "scalars(x=…, y=…)"


NOT_NUMERIC = ["abc", "1.5", ["1", "b"], {}, object(), 1j, np.array([1j]), [[1, 2], [3]], None, [None], DATE]


@pytest.mark.parametrize("value", NOT_NUMERIC)
def test_what_is_not_numeric_is_named(made: Any, value: Any) -> None:
    """The argument by its name, and what it was."""
    with pytest.raises(UsageError, match="'y' is not numeric") as caught:
        made(SCALARS)(1, value)
    assert caught.value.got == repr(value)[:60]
    assert caught.value.wanted == "numbers"


@pytest.mark.parametrize(
    "value", [1.0, [1.0], [1.0, 2.0, 3.0], [[1.0], [2.0]], np.zeros((2, 3)), np.zeros((2, 0)), []]
)
def test_an_array_of_the_wrong_shape_is_named(made: Any, value: Any) -> None:
    """The argument by its name, its shape, and how many entries it should have."""
    with pytest.raises(UsageError, match="'p' has the wrong shape") as caught:
        made(ARRAYS)(value, [1.0])
    assert caught.value.got == f"shape {np.shape(value)}"
    assert caught.value.wanted.startswith("2 entries")
    assert caught.value.fix == "p = [0.0, 0.0]"


def test_rows_that_do_not_fit_together_are_named(made: Any) -> None:
    """Every argument with its shape."""
    with pytest.raises(UsageError, match="different numbers of rows") as caught:
        made(ARRAYS)(np.zeros((3, 2)), np.zeros((4, 1)))
    assert caught.value.got == "p: (3, 2), q: (4, 1)"
