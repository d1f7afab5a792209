"""The C runtime as Python functions on NumPy arrays, for the other ``test_runtime`` files.

Every workspace has exactly the promised length and starts as NaN, so that a sanitizer sees a write beyond it
and a result shows if scratch was read before it was written.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shlex
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from linkwork.emit.compiler import find_compiler, load_library
from linkwork.emit.runtime import PARTS, runtime_source

Vector = NDArray[np.float64]

CONVERGED, NO_PROGRESS, NO_SIGN_CHANGE, ITERATION_LIMIT, NOT_FINITE = range(5)

EXTRA_FLAGS_VARIABLE = "LINKWORK_TEST_FLAGS"
"""Flags for the compiler; test_runtime_sanitized.py runs the other files again with sanitizers through it."""

SIZES = """
int lw_newton_work(int equations, int unknowns) { return LW_NEWTON_WORK(equations, unknowns); }
int lw_newton_integers(int unknowns) { return LW_NEWTON_INTEGERS(unknowns); }
int lw_minimum_norm_work(int n) { return LW_MINIMUM_NORM_WORK(n); }
int lw_lu_work(int n) { return LW_LU_WORK(n); }
int lw_shortest_band_work(int m, int band) { return LW_SHORTEST_BAND_WORK(m, band); }
int lw_structure_sizes(int which)
{
    const size_t sizes[] = {
        sizeof(lw_newton_options), sizeof(lw_newton_report), sizeof(lw_bracket), sizeof(lw_root)};
    return (int)sizes[which];
}
"""

_doubles = ctypes.POINTER(ctypes.c_double)
_ints = ctypes.POINTER(ctypes.c_int)
SystemCallback = ctypes.CFUNCTYPE(None, _doubles, _doubles, _doubles, ctypes.c_void_p)
FunctionCallback = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_void_p)


class NewtonOptions(ctypes.Structure):
    _fields_ = (
        ("residual_tolerance", ctypes.c_double),
        ("rank_tolerance", ctypes.c_double),
        ("first_radius", ctypes.c_double),
        ("iteration_limit", ctypes.c_int),
    )


class NewtonReport(ctypes.Structure):
    _fields_ = (
        ("residual_norm", ctypes.c_double),
        ("status", ctypes.c_int),
        ("iterations", ctypes.c_int),
        ("rank", ctypes.c_int),
    )


class Bracket(ctypes.Structure):
    _fields_ = (
        ("left", ctypes.c_double),
        ("right", ctypes.c_double),
        ("left_value", ctypes.c_double),
        ("right_value", ctypes.c_double),
    )


class Root(ctypes.Structure):
    _fields_ = (
        ("x", ctypes.c_double),
        ("value", ctypes.c_double),
        ("status", ctypes.c_int),
        ("calls", ctypes.c_int),
    )


@functools.cache
def runtime() -> ctypes.CDLL:
    """All parts of the runtime, with public functions, compiled strictly."""
    if find_compiler() is None:
        pytest.skip("no C compiler on this machine")
    flags = ("-pedantic", *shlex.split(os.environ.get(EXTRA_FLAGS_VARIABLE, "")))
    source = "#define LW_STATIC\n" + runtime_source(*PARTS) + SIZES
    library = load_library(source, extra_flags=flags, directory=_folder().name)
    library.lw_lu_norm.restype = ctypes.c_double
    library.lw_lu_reciprocal_condition.restype = ctypes.c_double
    library.lw_norm.restype = ctypes.c_double
    library.lw_newton.restype = NewtonReport
    library.lw_brent.restype = Root
    library.lw_itp.restype = Root
    return library


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="linkwork-tests-")


def _pointer(array: Vector) -> ctypes._Pointer[ctypes.c_double]:
    assert array.flags.c_contiguous
    return array.ctypes.data_as(_doubles)


def _int_pointer(array: NDArray[np.intc]) -> ctypes._Pointer[ctypes.c_int]:
    return array.ctypes.data_as(_ints)


def _scratch(length: int) -> Vector:
    return np.full(length, np.nan)


def norm(vector: ArrayLike) -> float:
    v = np.array(vector, float)
    return float(runtime().lw_norm(len(v), _pointer(v)))


@dataclass(frozen=True)
class LU:
    status: int
    factors: Vector
    pivot: NDArray[np.intc]
    reciprocal_condition: float

    def solve(self, b: ArrayLike, *, transposed: bool = False) -> Vector:
        x = np.array(b, float)
        solver = runtime().lw_lu_solve_transposed if transposed else runtime().lw_lu_solve
        solver(len(x), _pointer(self.factors), _int_pointer(self.pivot), _pointer(x))
        return x


def lu(matrix: ArrayLike) -> LU:
    a = np.array(matrix, float)
    n = len(a)
    pivot = np.full(n, -1, np.intc)
    matrix_norm = runtime().lw_lu_norm(n, _pointer(a))
    status = runtime().lw_lu_factor(n, _pointer(a), _int_pointer(pivot))
    if status:
        return LU(status, a, pivot, 0.0)
    work = _scratch(runtime().lw_lu_work(n))
    reciprocal = runtime().lw_lu_reciprocal_condition(
        n, _pointer(a), _int_pointer(pivot), ctypes.c_double(matrix_norm), _pointer(work)
    )
    return LU(0, a, pivot, reciprocal)


def cholesky(matrix: ArrayLike, b: ArrayLike) -> tuple[int, Vector, Vector]:
    """Status, factor, solution (NaN if the status is not 0)."""
    a = np.array(matrix, float)
    x = np.array(b, float)
    status = runtime().lw_cholesky_factor(len(a), _pointer(a))
    if status:
        return status, a, np.full_like(x, np.nan)
    runtime().lw_cholesky_solve(len(a), _pointer(a), _pointer(x))
    return 0, a, x


def minimum_norm(matrix: ArrayLike, b: ArrayLike, tolerance: float = 0.0) -> tuple[int, Vector, float]:
    """Rank, solution, length of the residual."""
    a = np.array(matrix, float)
    m, n = a.shape
    right_side, x = np.array(b, float), _scratch(n)
    work, column = _scratch(runtime().lw_minimum_norm_work(n)), np.full(n, -1, np.intc)
    rank = runtime().lw_minimum_norm(
        m,
        n,
        _pointer(a),
        ctypes.c_double(tolerance),
        _pointer(right_side),
        _pointer(x),
        _pointer(work),
        _int_pointer(column),
    )
    return rank, x, float(np.linalg.norm(right_side[rank:])) if rank >= 0 else np.nan


def shortest_band(matrix: ArrayLike, b: ArrayLike, band: int) -> Vector | None:
    """The solution, or none where the rows depend too much on each other."""
    a = np.array(matrix, float)
    m, n = a.shape
    rows = [np.flatnonzero(row) for row in a]
    starts = np.array([0, *np.cumsum([len(row) for row in rows])], np.intc)
    columns = np.concatenate(rows).astype(np.intc)
    values, right_side, x = a[a != 0].copy(), np.array(b, float), _scratch(n)
    work = _scratch(runtime().lw_shortest_band_work(m, band))
    solved = runtime().lw_shortest_band(
        m,
        n,
        _int_pointer(starts),
        _int_pointer(columns),
        _pointer(values),
        band,
        _pointer(right_side),
        _pointer(x),
        _pointer(work),
    )
    return x if solved else None


@dataclass(frozen=True)
class NewtonResult:
    status: int
    x: Vector
    residual_norm: float
    iterations: int
    rank: int


def newton(
    residual: Callable[[Vector], ArrayLike],
    jacobian: Callable[[Vector], ArrayLike],
    start: ArrayLike,
    *,
    tolerance: float = 1e-12,
    rank_tolerance: float = 0.0,
    first_radius: float = 0.0,
    limit: int = 200,
) -> NewtonResult:
    x = np.array(start, float)
    n = len(x)
    with np.errstate(all="ignore"):
        m = len(np.asarray(residual(x.copy())))

    def evaluate(x_at: object, residual_at: object, jacobian_at: object, _context: object) -> None:
        here = np.ctypeslib.as_array(x_at, (n,)).copy()
        with np.errstate(all="ignore"):
            np.ctypeslib.as_array(residual_at, (m,))[:] = residual(here)
            if jacobian_at:
                np.ctypeslib.as_array(jacobian_at, (m, n))[:] = jacobian(here)

    work = _scratch(runtime().lw_newton_work(m, n))
    integers = np.full(runtime().lw_newton_integers(n), -1, np.intc)
    options = NewtonOptions(tolerance, rank_tolerance, first_radius, limit)
    callback = SystemCallback(evaluate)
    report = runtime().lw_newton(
        m, n, callback, None, ctypes.byref(options), _pointer(x), _pointer(work), _int_pointer(integers)
    )
    return NewtonResult(report.status, x, report.residual_norm, report.iterations, report.rank)


@dataclass(frozen=True)
class RootResult:
    status: int
    x: float
    value: float
    calls: int
    left: float
    right: float
    left_value: float
    right_value: float
    visited: tuple[float, ...]


def find_root(
    method: str,
    function: Callable[[float], float],
    ends: tuple[float, float],
    *,
    tolerance: float = 1e-12,
    limit: int = 5000,
) -> RootResult:
    """Run ``lw_brent`` or ``lw_itp``; the two values at the ends are computed here."""
    visited: list[float] = []

    def evaluate(x: float, _context: object) -> float:
        visited.append(x)
        return float(function(x))

    bracket = Bracket(*ends, function(ends[0]), function(ends[1]))
    solver = getattr(runtime(), f"lw_{method}")
    root = solver(FunctionCallback(evaluate), None, ctypes.byref(bracket), ctypes.c_double(tolerance), limit)
    final = (bracket.left, bracket.right, bracket.left_value, bracket.right_value)
    return RootResult(root.status, root.x, root.value, root.calls, *final, tuple(visited))


def itp_bound(ends: tuple[float, float], tolerance: float) -> int:
    bracket = Bracket(*ends, -1.0, 1.0)
    return int(runtime().lw_itp_bound(ctypes.byref(bracket), ctypes.c_double(tolerance)))


def test_the_structures_here_are_as_long_as_those_in_c() -> None:
    ours = [ctypes.sizeof(kind) for kind in (NewtonOptions, NewtonReport, Bracket, Root)]
    assert ours == [runtime().lw_structure_sizes(which) for which in range(4)]


def test_norm_neither_overflows_nor_vanishes() -> None:
    assert norm([3.0, -4.0]) == 5.0
    assert norm([3e200, -4e200]) == pytest.approx(5e200, rel=1e-15)
    assert norm([3e-200, -4e-200]) == pytest.approx(5e-200, rel=1e-15)
    assert norm([5e-324]) == 5e-324
    assert norm([0.0, 0.0]) == 0.0
    assert norm([]) == 0.0
    assert norm([1.0, np.inf]) == np.inf
    assert np.isnan(norm([1.0, np.nan, np.inf]))
