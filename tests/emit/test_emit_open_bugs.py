"""Laws that do not hold yet. Each test is the smallest reproduction; when it passes it moves to its file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from emit_headers import library_names
from emit_languages import STRICT, compile_c, joined_c, needs_compiler

from linkwork.algebra import minimum, symbols
from linkwork.emit import Program, interpreted
from linkwork.errors import BadName

X, Y = symbols("x y")


@needs_compiler
@pytest.mark.parametrize("flags", [STRICT, ("-Wall", "-Wextra", "-Werror")], ids=["C99", "as it comes"])
def test_a_function_of_the_c_library_is_refused_or_can_be_replaced(
    flags: tuple[str, ...], tmp_path: Path
) -> None:
    """Every name that a header of C declares or defines, as far as we accept it, compiles as a function.

    203 do not in C99: floorf, sinl, FP_NAN, double_t, iswalpha, cacosh, strspn, … (compiled() then falls
    back to NumPy with a warning).
    """
    programs = []
    for name in sorted(library_names(*flags)):
        try:
            programs.append(Program.of(name, [X, Y], {"r": minimum(X, Y) + 1}))
        except BadName:
            continue
    compile_c(joined_c(programs) + "int main(void) { return 0; }\n", tmp_path, *flags)


@pytest.mark.parametrize("value", [10**30, Fraction(1, 2), [Fraction(1, 2), 1]])
def test_numbers_of_python_that_numpy_keeps_as_objects(value: Any) -> None:
    """Large integers and fractions are numbers; ``evaluate`` takes them."""
    found = interpreted(Program.of("f", [X], {"r": X}))(value)["r"]
    assert found.tolist() == ([float(each) for each in value] if isinstance(value, list) else float(value))
