"""Code of derived tables: C, JavaScript and Python give what the table gives."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from mechanisms import ALL

sys.path.insert(0, str(Path(__file__).parent.parent / "emit"))

from emit_languages import cases_of, needs_compiler, needs_node, run_c, run_node

from linkwork.algebra import Table
from linkwork.emit import Program, interpreted
from linkwork.mechanics import derive

pytestmark = [needs_compiler, needs_node]
SOUND = [name for name in ALL if name != "ladder"]


def tables() -> list[tuple[Table, list[list[float]], list[dict[str, float]]]]:
    """Accelerations and reactions of all mechanisms, with rows of inputs and what the table gives."""
    found = []
    for name in SOUND:
        mechanism = ALL[name]
        for ask in ({"accelerations": mechanism.free}, {"reaction": mechanism.moving}):
            table = derive(mechanism.machine, moving=mechanism.moving, **ask).table  # type: ignore[arg-type]
            given = [mechanism.random_values(seed) for seed in range(3)]
            rows = [[each[key] for key in table.inputs] for each in given]
            results = [table.evaluate({key: each[key] for key in table.inputs}) for each in given]
            found.append((table, rows, results))
    return found


@pytest.fixture(scope="module")
def everything() -> list[tuple[Table, list[list[float]], list[dict[str, float]]]]:
    return tables()


@pytest.mark.parametrize("language", ["c", "javascript", "python"])
def test_code_gives_what_the_table_gives(language: str, everything: object, tmp_path: Path) -> None:
    """All outputs of all mechanisms, for three sets of values each."""
    cases: list[tuple[Table, list[list[float]], list[dict[str, float]]]] = everything  # type: ignore[assignment]
    programs = [Program.of_table(table) for table, _, _ in cases]
    if language == "python":
        for (_, rows, results), program in zip(cases, programs, strict=True):
            call = interpreted(program)
            for row, wanted in zip(rows, results, strict=True):
                given = dict(zip([each.name for each in program.inputs], row, strict=True))
                found = call(**given)
                for output in program.outputs:
                    value = found[output.name]
                    assert float(value) == pytest.approx(wanted[output.name], rel=1e-10, abs=1e-10)
        return
    runner = run_c if language == "c" else run_node
    answers = runner(cases_of(programs, [rows for _, rows, _ in cases]), tmp_path)
    for (table, _, results), answer in zip(cases, answers, strict=True):
        numbers = np.array([[each[name] for name in table.outputs] for each in results])
        np.testing.assert_allclose(np.reshape(answer, numbers.shape), numbers, rtol=1e-10, atol=1e-10)
