"""The integrators of the C runtime on Python functions, for the other ``test_integrators`` files.

As in ``test_runtime_bridge``, every workspace has exactly the promised length and starts as NaN, so that a
sanitizer sees a write beyond it and a result shows if scratch was read before it was written.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shlex
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike
from test_runtime_bridge import EXTRA_FLAGS_VARIABLE, Vector

from linkwork.emit.compiler import find_compiler, load_library
from linkwork.emit.runtime import runtime_source

DONE, NO_RATE, NOT_FINITE, TOO_SHORT, REFUSED = range(5)

METHODS = ("dopri5", "dop853", "radau5")
EXPLICIT = ("dopri5", "dop853")

SIZES = """
int lw_integrator_size(void) { return (int)sizeof(lw_integrator); }
int lw_dopri5_work(int n) { return LW_DOPRI5_WORK(n); }
int lw_dop853_work(int n) { return LW_DOP853_WORK(n); }
int lw_radau5_work(int n) { return LW_RADAU5_WORK(n); }
int lw_radau5_integers(int n) { return LW_RADAU5_INTEGERS(n); }
"""

Rates = Callable[[float, Vector], ArrayLike | None]
"""Of t and y; None where they cannot be evaluated."""

_doubles = ctypes.POINTER(ctypes.c_double)
RateCallback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, _doubles, _doubles, ctypes.c_void_p)


class IntegratorStructure(ctypes.Structure):
    _fields_ = (
        ("n", ctypes.c_int),
        ("f", RateCallback),
        ("context", ctypes.c_void_p),
        ("jacobian", RateCallback),
        ("rtol", ctypes.c_double),
        ("atol", _doubles),
        ("h_max", ctypes.c_double),
        ("y", _doubles),
        ("t", ctypes.c_double),
        ("t_old", ctypes.c_double),
        ("h", ctypes.c_double),
        ("stiff", ctypes.c_int),
        ("steps", ctypes.c_long),
        ("rejected", ctypes.c_long),
        ("evaluations", ctypes.c_long),
        ("jacobians", ctypes.c_long),
        ("factorisations", ctypes.c_long),
        ("reach", ctypes.c_double),
        ("last_error", ctypes.c_double),
        ("flags", ctypes.c_int * 4),
        ("rows", _doubles * 6),
        ("pivots", ctypes.POINTER(ctypes.c_int)),
        ("newton", ctypes.c_double * 4),
        ("jacobian_flags", ctypes.c_int * 2),
    )


@functools.cache
def library() -> ctypes.CDLL:
    """The three methods, with public functions, compiled strictly."""
    if find_compiler() is None:
        pytest.skip("no C compiler on this machine")
    flags = ("-pedantic", *shlex.split(os.environ.get(EXTRA_FLAGS_VARIABLE, "")))
    source = "#define LW_STATIC\n" + runtime_source(*METHODS) + SIZES
    built = load_library(source, extra_flags=flags, directory=_folder().name)
    built.lw_step_words.restype = ctypes.c_char_p
    return built


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="linkwork-tests-")


def _callback(function: Rates, shape: tuple[int, ...]) -> Any:
    def evaluate(t: float, y_at: object, out_at: object, _context: object) -> int:
        n = shape[0]
        if n == 0:
            return 0 if function(t, np.empty(0)) is not None else 1
        with np.errstate(all="ignore"):
            value = function(t, np.ctypeslib.as_array(y_at, (n,)).copy())
        if value is None:
            return 1
        np.ctypeslib.as_array(out_at, shape)[:] = value
        return 0

    return RateCallback(evaluate)


class Integrator:
    """One integration under way, with the fields of the C structure in ``state``."""

    def __init__(
        self,
        method: str,
        f: Rates,
        start: ArrayLike,
        t: float = 0.0,
        *,
        rtol: float = 1e-6,
        atol: ArrayLike = 1e-6,
        jacobian: Rates | None = None,
        h: float = 0.0,
        h_max: float = np.inf,
    ) -> None:
        self.method = method
        self.y = np.array(start, float)
        n = len(self.y)
        self._atol = np.array(np.broadcast_to(np.asarray(atol, float), (n,)))
        self._work = np.full(getattr(library(), f"lw_{method}_work")(n), np.nan)
        self._integers = np.full(library().lw_radau5_integers(n), -1, np.intc)
        self._f = _callback(f, (n,))
        self.state = IntegratorStructure()
        arguments = [
            ctypes.byref(self.state),
            n,
            self._f,
            None,
            ctypes.c_double(t),
            self.y.ctypes.data_as(_doubles),
            ctypes.c_double(rtol),
            self._atol.ctypes.data_as(_doubles),
            self._work.ctypes.data_as(_doubles),
        ]
        if method == "radau5":
            arguments.append(self._integers.ctypes.data_as(ctypes.POINTER(ctypes.c_int)))
        getattr(library(), f"lw_{method}_begin")(*arguments)
        if jacobian is not None:
            self.state.jacobian = _callback(jacobian, (n, n))
        self.state.h = h
        self.state.h_max = h_max

    def step(self, t_end: float) -> int:
        advance = getattr(library(), f"lw_{self.method}_step")
        return int(advance(ctypes.byref(self.state), ctypes.c_double(t_end)))

    def run(self, t_end: float, limit: int = 100_000) -> int:
        """Step until ``t_end`` or until a step fails; the status of the last one."""
        for _ in range(limit):
            status = self.step(t_end)
            if status != DONE or self.state.t == t_end:
                return status
        raise AssertionError(f"{limit} steps lead only to t = {self.state.t}")

    def dense(self, t: float) -> Vector:
        value = np.full_like(self.y, np.nan)
        evaluate = getattr(library(), f"lw_{self.method}_dense")
        failed = evaluate(ctypes.byref(self.state), ctypes.c_double(t), value.ctypes.data_as(_doubles))
        assert not failed
        return value

    def changed(self) -> None:
        library().lw_integrator_changed(ctypes.byref(self.state))


@dataclass(frozen=True)
class Fixed:
    """What equal steps give: y at the end, and inside every step the value and the time of dense output."""

    y: Vector
    inside: list[tuple[float, Vector]]


def fixed_steps(
    method: str,
    f: Rates,
    start: ArrayLike,
    t_end: float,
    count: int,
    *,
    at: float = 0.4,
    jacobian: Rates | None = None,
) -> Fixed:
    """``count`` equal steps from 0, all accepted: the tolerance on the error is huge, h_max sets the length."""
    h = t_end / count
    integrator = Integrator(method, f, start, rtol=1e-10, atol=1e15, jacobian=jacobian, h=h, h_max=h)
    inside = []
    while integrator.state.t != t_end:
        assert integrator.step(t_end) == DONE
        t = (1 - at) * integrator.state.t_old + at * integrator.state.t
        inside.append((t, integrator.dense(t)))
    assert integrator.state.steps == count
    return Fixed(integrator.y, inside)


def test_the_structure_here_is_as_long_as_the_one_in_c() -> None:
    assert ctypes.sizeof(IntegratorStructure) == library().lw_integrator_size()


def test_every_status_has_words_of_its_own() -> None:
    words = [
        library().lw_step_words(status).decode() for status in (DONE, NO_RATE, NOT_FINITE, TOO_SHORT, REFUSED)
    ]
    assert len(set(words)) == 5
    assert all(words)
