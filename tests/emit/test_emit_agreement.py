"""All printers and ``evaluate`` compute the same numbers, up to what rounding can do to the expression."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import emit_bounds
from emit_languages import PRINTERS, Case, needs_compiler, needs_node, run_evaluate, values_of
from emit_strategies import batches, called, formulas, programs
from hypothesis import given


def check_agreement(cases: list[Case]) -> None:
    """Every result of every printer, and of evaluate, is one that the error analysis admits."""
    with TemporaryDirectory() as folder:
        results = {language: run(cases, Path(folder)) for language, run in PRINTERS.items()}
        results["evaluate"] = run_evaluate(cases, Path(folder))
    for place, case in enumerate(cases):
        for row, values in enumerate(case.rows):
            named = values_of(case.program, values)
            printed = emit_bounds.of_printed(case.program, named)
            evaluated = emit_bounds.of_evaluated(case.program, named)
            for output, (one, other) in enumerate(zip(printed, evaluated, strict=True)):
                where = f"{case.program.results[output]} of {case.program.definitions} at {named}"
                assert one.agrees_with(other), f"{where}: {one} as instructions, {other} as a graph"
                for language, found in results.items():
                    near = other if language == "evaluate" else one
                    value = found[place][row, output]
                    assert near.admits(value), f"{language}: {value!r} instead of {near} for {where}"


@needs_compiler
@needs_node
@batches(4)
@given(called(formulas(), count=5, most=30))
def test_all_languages_agree_on_formulas(cases: list[Case]) -> None:
    check_agreement(cases)


@needs_compiler
@needs_node
@batches(4)
@given(called(programs(), count=5, most=15))
def test_all_languages_agree_on_programs(cases: list[Case]) -> None:
    check_agreement(cases)
