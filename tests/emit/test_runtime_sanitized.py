"""The runtime under the address and undefined-behaviour sanitizers: a C program, then every other test.

The tests run again in a second Python into which the sanitizer's library is loaded first; since NumPy then
allocates through it, a read or write beyond an array is seen, not only one beyond a C variable.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_runtime_bridge import EXTRA_FLAGS_VARIABLE

from linkwork.emit.compiler import OPTIMISATIONS, find_compiler
from linkwork.emit.runtime import PARTS, runtime_source
from sanitizers import SANITIZERS, sanitizer_library

STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")

PROGRAM = r"""
#include <stdio.h>

/* Loop closure of a four-bar linkage; the unknowns are the angles of coupler and rocker. */
static void four_bar(const double *x, double *residual, double *jacobian, void *context)
{
    double crank = *(const double *)context;
    residual[0] = cos(crank) + 3.5 * cos(x[0]) - 4.0 - 3.0 * cos(x[1]);
    residual[1] = sin(crank) + 3.5 * sin(x[0]) - 3.0 * sin(x[1]);
    if (jacobian) {
        jacobian[0] = -3.5 * sin(x[0]);
        jacobian[1] = 3.0 * sin(x[1]);
        jacobian[2] = 3.5 * cos(x[0]);
        jacobian[3] = -3.0 * cos(x[1]);
    }
}

static double cubic(double x, void *context)
{
    return x * x * x - *(const double *)context;
}

int main(void)
{
    double a[4] = {4.0, 2.0, 2.0, 3.0}, b[2] = {2.0, 1.0}, lu_work[LW_LU_WORK(2)];
    double l[4] = {4.0, 2.0, 2.0, 3.0}, c[2] = {2.0, 1.0};
    double wide[3] = {1.0, 2.0, 2.0}, d[1] = {9.0}, shortest[3], wide_work[LW_MINIMUM_NORM_WORK(3)];
    double x[2] = {1.0, 2.0}, work[LW_NEWTON_WORK(2, 2)], crank = 0.5, two = 2.0;
    int pivot[2], column[3], integers[LW_NEWTON_INTEGERS(2)], rank;
    lw_newton_options options = {1e-12, 0.0, 0.0, 50};
    double norm = lw_lu_norm(2, a);
    lw_newton_report report;
    lw_bracket bracket = lw_bracket_between(cubic, &two, 0.0, 4.0), again = bracket;
    if (lw_lu_factor(2, a, pivot) || lw_cholesky_factor(2, l)) {
        return 1;
    }
    lw_lu_solve(2, a, pivot, b);
    lw_cholesky_solve(2, l, c);
    printf("lu %.6f %.6f\n", b[0], b[1]);
    printf("condition %.3f\n", lw_lu_reciprocal_condition(2, a, pivot, norm, lu_work));
    printf("cholesky %.6f %.6f\n", c[0], c[1]);
    rank = lw_minimum_norm(1, 3, wide, 0.0, d, shortest, wide_work, column);
    printf("minimum norm %d: %.6f %.6f %.6f\n", rank, shortest[0], shortest[1], shortest[2]);
    report = lw_newton(2, 2, four_bar, &crank, &options, x, work, integers);
    printf("newton %d, closed to 1e-12: %d\n", report.status, report.residual_norm <= 1e-12);
    printf("brent %.9f\n", lw_brent(cubic, &two, &bracket, 1e-12, 100).x);
    printf("itp %.9f\n", lw_itp(cubic, &two, &again, 1e-12, 100).x);
    return 0;
}
"""

ANSWER = """\
lu 0.500000 0.000000
condition 0.222
cholesky 0.500000 0.000000
minimum norm 1: 1.000000 2.000000 2.000000
newton 0, closed to 1e-12: 1
brent 1.259921050
itp 1.259921050
"""


def compile_program(folder: Path, *flags: str) -> Path:
    """The program above as an executable; skips the test where the compiler cannot do it."""
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    (folder / "empty.c").write_text("int main(void) { return 0; }\n")
    (folder / "program.c").write_text(runtime_source(*PARTS) + PROGRAM, encoding="utf-8")
    for name in ("empty", "program"):
        command = [*compiler.command, *flags, f"{name}.c", "-lm", "-o", name]
        outcome = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if name == "empty" and outcome.returncode:
            pytest.skip(f"{' '.join(compiler.command)} has no sanitizers: {outcome.stderr.strip()}")
        assert outcome.returncode == 0, outcome.stderr
    return folder / "program"


def assert_answer(program: Path) -> None:
    outcome = subprocess.run([program], capture_output=True, text=True)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, ANSWER, "")


@pytest.mark.parametrize("level", OPTIMISATIONS)
def test_a_c_program_uses_every_part(level: str, tmp_path: Path) -> None:
    assert_answer(compile_program(tmp_path, *STRICT, level))


def test_a_c_program_uses_every_part_cleanly(tmp_path: Path) -> None:
    assert_answer(compile_program(tmp_path, *STRICT, "-O1", *SANITIZERS))


@pytest.mark.slow
def test_all_other_tests_pass_under_the_sanitizers(tmp_path: Path) -> None:
    environment = os.environ | {
        EXTRA_FLAGS_VARIABLE: " ".join(SANITIZERS),
        "LD_PRELOAD": sanitizer_library(),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python's own, at exit
        "TMPDIR": str(tmp_path),
    }
    here = Path(__file__).parent
    tests = [str(here / f"test_runtime_{subject}.py") for subject in ("bridge", "linear", "newton", "root")]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    outcome = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout[-4000:] + outcome.stderr[-4000:]
