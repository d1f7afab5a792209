"""Brent and ITP on functions that are flat, steep, broken or infinite, and the laws of a bracket."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq
from test_runtime_bridge import (
    CONVERGED,
    ITERATION_LIMIT,
    NO_SIGN_CHANGE,
    NOT_FINITE,
    RootResult,
    find_root,
    itp_bound,
)

Function = Callable[[float], float]
EPSILON = 2.0**-52

both_methods = pytest.mark.parametrize("method", ["brent", "itp"])


def logarithm(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


def reciprocal(x: float) -> float:
    return 1 / x if x else math.inf


def nearly_flat(x: float) -> float:
    return x * math.exp(-1 / x**2) if x else 0.0


def assert_bracket_kept(result: RootResult, function: Function, ends: tuple[float, float]) -> None:
    """All points lie inside; the final ends were visited, or are the first ones, and differ in sign."""
    low, high = min(ends), max(ends)
    assert all(low < x < high for x in result.visited)
    assert low <= result.left <= result.right <= high
    assert result.x in (result.left, result.right)
    for x, value in ((result.left, result.left_value), (result.right, result.right_value)):
        assert x in (*result.visited, *ends)
        assert function(x) == value
    if result.value != 0.0:
        assert (result.left_value < 0) != (result.right_value < 0)
    assert result.calls == len(result.visited)


ROOTS = [
    pytest.param(lambda x: x**3 - x - 2, (1.0, 2.0), 1.5213797068045676, id="cubic of the ITP paper"),
    pytest.param(lambda x: x * math.exp(x) - 1, (-1.0, 1.0), 0.5671432904097838, id="Lambert"),
    pytest.param(lambda x: math.sin(x) - x / 2, (math.pi / 2, math.pi), 1.895494267033981, id="sine"),
    pytest.param(lambda x: math.cos(x) - x, (0.0, 4.0), 0.7390851332151607, id="cosine"),
    pytest.param(lambda x: -math.expm1(9 - 9 * x), (0.0, 9.0), 1.0, id="one-sided"),
    pytest.param(lambda x: math.exp(50 * (x - 0.3)) - 1, (-1.0, 10.0), 0.3, id="steep"),
    pytest.param(lambda x: math.atan(1e9 * (x - 0.7)), (0.0, 1.0), 0.7, id="nearly a jump"),
    pytest.param(lambda x: math.copysign(abs(x - 2) ** 0.1, x - 2), (0.0, 100.0), 2.0, id="vertical tangent"),
    pytest.param(lambda x: 1e300 * (x - 1) if x > 1 else 1e-300 * (x - 1), (-3.0, 2.0), 1.0, id="a kink"),
    pytest.param(lambda x: 1e200 * (x - 1e-3), (-1.0, 1.0), 1e-3, id="large values"),
    pytest.param(lambda x: 1e-200 * (x - 1e-3), (-1.0, 1.0), 1e-3, id="small values"),
    pytest.param(lambda x: x - 1e6, (-1e308, 1e308), 1e6, id="a width beyond the range of doubles"),
    pytest.param(logarithm, (0.0, 50.0), 1.0, id="minus infinity at an end"),
    pytest.param(lambda x: reciprocal(x) - 4, (0.0, 8.0), 0.25, id="infinity at an end"),
    pytest.param(lambda x: math.inf if x > 3 else x - 2, (0.0, 9.0), 2.0, id="infinity over half of it"),
    pytest.param(lambda x: 1 if x > 0.1 else -1, (0.0, 1.0), 0.1, id="jump"),
    pytest.param(lambda x: math.floor(x) + 0.5, (-7.3, 4.2), 0.0, id="staircase"),
    pytest.param(reciprocal, (-1.0, 2.0), 0.0, id="pole"),
    pytest.param(lambda x: math.tan(x), (1.0, 2.0), math.pi / 2, id="pole of the tangent"),
]


@both_methods
@pytest.mark.parametrize(("function", "ends", "root"), ROOTS)
@pytest.mark.parametrize("tolerance", [1e-6, 1e-13, 0.0])
def test_the_place_of_change_is_found_within_the_tolerance(
    method: str, function: Function, ends: tuple[float, float], root: float, tolerance: float
) -> None:
    result = find_root(method, function, ends, tolerance=tolerance)
    assert result.status == CONVERGED
    assert abs(result.x - root) <= tolerance + 8 * EPSILON * abs(root) + 1e-300
    assert result.value == function(result.x)
    assert_bracket_kept(result, function, ends)


@both_methods
@pytest.mark.parametrize("power", [3, 5, 9, 19])
def test_multiple_roots_are_found_although_the_function_is_flat(method: str, power: int) -> None:
    def function(x: float) -> float:
        return (x - 1) ** power

    result = find_root(method, function, (0.0, 3.1), tolerance=1e-9)
    assert result.status == CONVERGED
    assert abs(result.x - 1) <= 1e-9 + 8 * EPSILON
    assert_bracket_kept(result, function, (0.0, 3.1))


@both_methods
def test_a_function_that_underflows_has_a_root_wherever_it_is_zero(method: str) -> None:
    result = find_root(method, nearly_flat, (-1.0, 4.0), tolerance=1e-12)
    assert result.status == CONVERGED
    assert nearly_flat(result.x) == 0.0 or abs(result.x) <= 1e-12


@both_methods
@pytest.mark.parametrize("ends", [(2.0, 5.0), (-5.0, 2.0), (2.0, 2.0), (5.0, 2.0)])
def test_a_root_at_an_end_is_returned_without_a_call(method: str, ends: tuple[float, float]) -> None:
    result = find_root(method, lambda x: x - 2, ends)
    assert (result.status, result.x, result.value, result.calls) == (CONVERGED, 2.0, 0.0, 0)


@both_methods
def test_a_root_met_by_chance_closes_the_bracket(method: str) -> None:
    result = find_root(method, lambda x: x, (-1.0, 1.0))
    assert (result.status, result.x, result.left, result.right) == (CONVERGED, 0.0, 0.0, 0.0)


@both_methods
def test_the_ends_may_be_given_in_either_order(method: str) -> None:
    forward = find_root(method, lambda x: x**3 - 2, (0.0, 3.0))
    backward = find_root(method, lambda x: x**3 - 2, (3.0, 0.0))
    assert forward == backward


@both_methods
@pytest.mark.parametrize(
    ("function", "ends", "status"),
    [
        (lambda x: x**2 + 1, (-1.0, 1.0), NO_SIGN_CHANGE),
        (lambda x: -math.inf, (-1.0, 1.0), NO_SIGN_CHANGE),
        (lambda x: 1.0, (3.0, 3.0), NO_SIGN_CHANGE),
        (lambda x: math.nan, (-1.0, 1.0), NOT_FINITE),
        (lambda x: math.nan if x < 0 else 0.0, (-1.0, 1.0), NOT_FINITE),
        (lambda x: x, (-math.inf, 1.0), NOT_FINITE),
        (lambda x: x, (-1.0, math.inf), NOT_FINITE),
        (lambda x: 1.0, (math.nan, 1.0), NOT_FINITE),
    ],
)
def test_what_is_no_bracket_is_refused_without_a_call(
    method: str, function: Function, ends: tuple[float, float], status: int
) -> None:
    result = find_root(method, function, ends)
    assert (result.status, result.calls) == (status, 0)


@both_methods
def test_nan_inside_the_bracket_ends_the_search_with_the_bracket_so_far(method: str) -> None:
    def function(x: float) -> float:
        return math.nan if 0.2 < x < 0.4 else x - 0.3

    result = find_root(method, function, (0.0, 1.0))
    assert result.status == NOT_FINITE
    assert 0.0 <= result.left <= 0.2
    assert 0.4 <= result.right <= 1.0


@both_methods
@pytest.mark.parametrize("limit", [0, 1, 4])
def test_the_limit_on_calls_is_kept_and_the_bracket_too(method: str, limit: int) -> None:
    def function(x: float) -> float:
        return math.exp(x) - 3

    result = find_root(method, function, (0.0, 10.0), limit=limit)
    assert (result.status, result.calls) == (ITERATION_LIMIT, limit)
    assert_bracket_kept(result, function, (0.0, 10.0))


@both_methods
def test_smooth_roots_take_few_calls(method: str) -> None:
    """Bisection would need 40."""
    result = find_root(method, lambda x: x**3 - x - 2, (1.0, 2.0), tolerance=1e-12)
    assert result.calls <= 12


@pytest.mark.parametrize(("function", "ends", "root"), ROOTS[:8])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-13])
def test_brent_takes_as_many_calls_as_scipy(
    function: Function, ends: tuple[float, float], root: float, tolerance: float
) -> None:
    _, theirs = brentq(function, *ends, xtol=tolerance, rtol=4 * EPSILON, full_output=True)
    at_the_ends = 2
    assert (
        find_root("brent", function, ends, tolerance=tolerance).calls <= theirs.function_calls - at_the_ends
    )


def test_the_bound_of_itp_is_that_of_bisection_and_one() -> None:
    assert itp_bound((0.0, 1.0), 1e-3) == 10 + 1
    assert itp_bound((1.0, 1e6), 1e-9) == math.ceil(math.log2((1e6 - 1) / 1e-9)) + 1
    assert itp_bound((0.0, 1e-9), 1e-3) == 1


@pytest.mark.parametrize(("function", "ends", "root"), ROOTS)
@pytest.mark.parametrize("tolerance", [1e-2, 1e-6, 1e-13, 0.0])
def test_itp_keeps_its_bound_on_every_function(
    function: Function, ends: tuple[float, float], root: float, tolerance: float
) -> None:
    result = find_root("itp", function, ends, tolerance=tolerance)
    assert result.calls <= itp_bound(ends, tolerance)


# Laws


@st.composite
def rising_functions(draw: st.DrawFn) -> tuple[Function, tuple[float, float], float]:
    """A function with one change of sign at a known place: odd powers, exponentials and jumps, stretched."""
    root = draw(st.floats(-1e6, 1e6))
    left = root - 10.0 ** draw(st.floats(-6, 6))
    right = root + 10.0 ** draw(st.floats(-6, 6))
    assume(left < root < right)
    power = draw(st.sampled_from([1, 3, 7, 0.2]))
    height, jump = 10.0 ** draw(st.floats(-50, 50)), draw(st.sampled_from([0.0, 1.0]))
    sign = draw(st.sampled_from([1.0, -1.0]))

    def function(x: float) -> float:
        if x == root:
            return 0.0
        distance = x - root
        size = (
            height * (abs(distance) ** power + jump) * (math.exp(min(distance, 50.0)) if distance > 0 else 1)
        )
        return sign * math.copysign(size, distance)

    return function, (left, right), root


@both_methods
@given(case=rising_functions(), tolerance=st.sampled_from([1e-3, 1e-9, 0.0]))
def test_the_bracket_is_never_lost(
    method: str, case: tuple[Function, tuple[float, float], float], tolerance: float
) -> None:
    function, ends, root = case
    result = find_root(method, function, ends, tolerance=tolerance)
    assert result.status == CONVERGED
    assert_bracket_kept(result, function, ends)
    width = tolerance + 4 * EPSILON * abs(result.x) + 1e-300
    assert result.right - result.left <= width
    if result.value != 0.0:
        assert result.left <= root <= result.right


@given(case=rising_functions(), tolerance=st.sampled_from([1e-3, 1e-9, 0.0]))
def test_brent_and_itp_agree_and_itp_keeps_its_bound(
    case: tuple[Function, tuple[float, float], float], tolerance: float
) -> None:
    function, ends, _ = case
    brent, itp = (find_root(method, function, ends, tolerance=tolerance) for method in ("brent", "itp"))
    widths = (brent.right - brent.left) + (itp.right - itp.left)
    if function(brent.x) != 0.0 and function(itp.x) != 0.0:
        assert abs(brent.x - itp.x) <= widths
    assert itp.calls <= itp_bound(ends, tolerance)
