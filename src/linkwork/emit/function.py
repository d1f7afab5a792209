"""A program ready to be called from Python: compiled where there is a compiler, else through NumPy."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable, Mapping
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from linkwork.algebra import Table
from linkwork.emit.c import print_c
from linkwork.emit.compiler import NativeWarning, load_library
from linkwork.emit.program import Program, as_program
from linkwork.emit.python import print_python
from linkwork.errors import ToolMissing, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

LARGE_PROGRAM: Final = 3000
"""Operations from which a program is compiled at -O1."""

NativeRows = Callable[[int | ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p], None]

_warned = False


def compiled(source: Program | Table, name: str = "evaluate") -> Function:
    """A callable of a program or table, in native code where possible.

    >>> length = compiled(Table.of({"r": "sqrt(x^2 + y^2)"}))
    >>> length(x=3, y=[4, 0])["r"].tolist()
    [5.0, 3.0]
    """
    program = as_program(source, name)
    return Function(program, _native_rows(program))


def interpreted(source: Program | Table, name: str = "evaluate") -> Function:
    """The same callable by the NumPy printer, whatever compilers there are."""
    return Function(as_program(source, name), None)


class Function:
    """A program that can be called with numbers or arrays of rows; it returns {output: array}.

    Arguments are given by position or by name. Scalars may be arrays of any shape; array arguments
    hold their entries on the last axis. Everything is broadcast together.
    """

    def __init__(self, program: Program, rows: NativeRows | None) -> None:
        self.program = program
        self._rows = rows

    @property
    def native(self) -> bool:
        """Whether calls run compiled code."""
        return self._rows is not None

    def __repr__(self) -> str:
        return f"{self.program!r}, {'native' if self.native else 'NumPy'}"

    def __call__(self, *arguments: ArrayLike, **by_name: ArrayLike) -> dict[str, NDArray[np.float64]]:
        values = self._in_order(arguments, by_name)
        shape = self._common_shape(values)
        if self._rows is None:
            return self._in_python(*values)
        return self._in_native_code(values, shape)

    def bind(self, inputs: NDArray[np.float64], outputs: NDArray[np.float64]) -> Callable[[], object]:
        """A call without arguments from one packed array to another: rows of all inputs, rows of all outputs.

        Preparing the pointers costs more than a small program, so loops in Python bind them once.
        """
        if self._rows is None:
            raise UsageError(
                "this function has no native code to bind", fix="install a C compiler, or call the function"
            )
        wanted = (self._size_in, self._size_out)
        for array, size in zip((inputs, outputs), wanted, strict=True):
            if array.dtype != float or not array.flags.c_contiguous or array.size % max(size, 1):
                raise UsageError(
                    "an array does not fit the program",
                    got=f"shape {array.shape}, {array.dtype}",
                    wanted=f"contiguous float64 rows of {size}",
                    fix="numpy.ascontiguousarray(array, float)",
                )
        count = outputs.size // self._size_out if self._size_out else 0
        if self._size_in and inputs.size // self._size_in < count:
            raise UsageError(
                "there are fewer rows to read than to write",
                got=f"{inputs.size // self._size_in} rows in, {count} rows out",
                wanted="as many inputs as outputs",
            )
        if not outputs.flags.writeable:
            raise UsageError("the outputs cannot be written to", fix="outputs.copy()")
        pointers = (ctypes.c_long(count), _pointer(inputs), _pointer(outputs))
        rows = self._rows

        def call() -> None:
            rows(*pointers)

        call.keeps = (inputs, outputs)  # type: ignore[attr-defined]
        return call

    @cached_property
    def _in_python(self) -> Callable[..., dict[str, NDArray[np.float64]]]:
        names: dict[str, Any] = {}
        code = compile(print_python(self.program), f"<{self.program.name}>", "exec")
        exec(code, names)  # printed by us from checked names and numbers; no text of a user is run
        function: Callable[..., dict[str, NDArray[np.float64]]] = names[self.program.name]
        return function

    @cached_property
    def _size_in(self) -> int:
        return sum(len(each.symbols) for each in self.program.inputs)

    @cached_property
    def _size_out(self) -> int:
        return len(self.program.results)

    def _in_order(
        self, arguments: tuple[ArrayLike, ...], by_name: Mapping[str, ArrayLike]
    ) -> list[NDArray[np.float64]]:
        """One float array an input, checked."""
        names = [each.name for each in self.program.inputs]
        given = dict(zip(names, arguments, strict=False)) | dict(by_name)
        if len(arguments) + len(by_name) != len(names) or set(given) != set(names):
            raise UsageError(
                f"{self.program.name} was called with the wrong arguments",
                got=f"{len(arguments)} by position, {', '.join(by_name) or 'none'} by name",
                wanted=", ".join(names) or "no arguments",
                fix=f"{self.program.name}({', '.join(f'{name}=…' for name in names)})",
            )
        values = []
        for each in self.program.inputs:
            value = _doubles(each.name, given[each.name])
            if not each.scalar and not each.takes(value.shape):
                raise UsageError(
                    f"'{each.name}' has the wrong shape",
                    got=f"shape {value.shape}",
                    wanted=f"{each.width} entries on the last axis",
                    fix=f"{each.name} = {[0.0] * min(each.width, 4)}",
                )
            values.append(value)
        return values

    def _common_shape(self, values: list[NDArray[np.float64]]) -> tuple[int, ...]:
        """The rows that all arguments broadcast to."""
        import numpy as np

        pairs = list(zip(self.program.inputs, values, strict=True))
        try:
            return np.broadcast_shapes(*[v.shape if e.scalar else v.shape[:-1] for e, v in pairs])
        except ValueError:
            raise UsageError(
                "the arguments have different numbers of rows",
                got=", ".join(f"{each.name}: {value.shape}" for each, value in pairs),
                wanted="shapes that broadcast together",
            ) from None

    def _in_native_code(
        self, values: list[NDArray[np.float64]], shape: tuple[int, ...]
    ) -> dict[str, NDArray[np.float64]]:
        import numpy as np

        pairs = zip(self.program.inputs, values, strict=True)
        packed = np.empty((*shape, self._size_in))
        begin = 0
        for each, value in pairs:
            end = begin + len(each.symbols)
            packed[..., begin:end] = value[..., None] if each.scalar else value
            begin = end
        results = np.empty((*shape, self._size_out))
        count = results.size // self._size_out if self._size_out else 0
        assert self._rows is not None
        self._rows(count, _pointer(packed), _pointer(results))
        found = {}
        begin = 0
        for output in self.program.outputs:
            end = begin + len(output.expressions)
            found[output.name] = results[..., begin] if output.scalar else results[..., begin:end]
            begin = end
        return found


def _doubles(name: str, given: ArrayLike) -> NDArray[np.float64]:
    """An argument as an array of doubles; text, dates and complex numbers are not taken for numbers."""
    import numpy as np

    try:
        value = np.asarray(given)
        plain = value.dtype.kind in "biuf"
        if plain or (value.dtype.kind == "O" and all(isinstance(each, Real) for each in value.flat)):
            return value.astype(float, copy=False)
        why = f"these are {value.dtype.name}"
    except (TypeError, ValueError, OverflowError) as error:
        why = str(error)
    raise UsageError(f"'{name}' is not numeric", got=repr(given)[:60], wanted="numbers", why=why)


def _pointer(array: NDArray[np.float64]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def optimisation(program: Program) -> str:
    """The compiler's level: large programs run no faster at -O2 but compile much longer."""
    return "-O2" if program.operations < LARGE_PROGRAM else "-O1"


def _native_rows(program: Program) -> NativeRows | None:
    """The compiled loop over rows; None, with one warning a process, where there is no compiler."""
    global _warned
    try:
        library = load_library(print_c(program), optimise=optimisation(program))
    except ToolMissing as problem:
        if not _warned:
            _warned = True
            warnings.warn(
                f"running without native code, many times slower: {problem}", NativeWarning, stacklevel=3
            )
        return None
    rows = library[f"{program.name}_rows"]
    rows.argtypes = (ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    rows.restype = None
    return rows
