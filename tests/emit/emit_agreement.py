"""The one comparison that all tests of values share: is this result one that rounding can explain?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import emit_bounds
import numpy as np
from emit_languages import PRINTERS, Case, Floats, Runner, run_evaluate, values_of

from linkwork.emit import Program
from linkwork.errors import LinkworkError


def check_agreement(cases: Sequence[Case], runners: Mapping[str, Runner] = PRINTERS) -> None:
    """Every result of the printers, and of ``evaluate``, is one that the error analysis admits."""
    with TemporaryDirectory() as folder:
        results = {language: run(cases, Path(folder)) for language, run in runners.items()}
        evaluated = run_evaluate(cases, Path(folder))
    for place, case in enumerate(cases):
        printed = {language: found[place] for language, found in results.items()}
        check_case(case, printed, evaluated[place])


def check_case(case: Case, printed: Mapping[str, Floats], evaluated: Floats) -> None:
    """The same for one program; roots of equations agree to a few roundings."""
    program = case.program
    if program.blocks:
        for language, results in printed.items():
            np.testing.assert_allclose(results, evaluated, 1e-13, 1e-13, err_msg=language)
        return
    for row, numbers in enumerate(case.rows):
        values = values_of(program, numbers)
        nears = [
            emit_bounds.of_printed(program, values),
            emit_bounds.of_evaluated(program, values),
            emit_bounds.of_stored(program, values),
        ]
        for output, (one, other, stored) in enumerate(zip(*nears, strict=True)):
            where = partial(_where, program, output, values)
            assert one.agrees_with(stored), f"{one} as instructions, {stored} as a graph: {where()}"
            found = float(evaluated[row, output])
            assert other.admits(found), f"evaluate: {found!r} instead of {other}: {where()}"
            for language, results in printed.items():
                found = float(results[row, output])
                assert one.admits(found), f"{language}: {found!r} instead of {one}: {where()}"


def _where(program: Program, output: int, values: Mapping[str, float]) -> str:
    return f"{program.results[output]} of {program.definitions} at {values}"


def check_or_refused(
    make: Callable[[], Program], row: Sequence[float], wanted: Sequence[float], folder: Path
) -> None:
    """Either one of our errors when the program is made, or the right results in every language."""
    try:
        program = make()
    except LinkworkError:
        return
    case = Case(program, np.array([row]))
    for language, run in PRINTERS.items():
        np.testing.assert_array_equal(run([case], folder)[0][0], wanted, err_msg=language)
