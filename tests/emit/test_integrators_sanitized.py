"""The integrators as a generated program uses them: constants for n and f, every level, the sanitizers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_runtime_bridge import EXTRA_FLAGS_VARIABLE
from test_runtime_sanitized import STRICT

from linkwork.emit.compiler import OPTIMISATIONS, find_compiler
from linkwork.emit.runtime import runtime_source
from sanitizers import SANITIZERS, sanitizer_library

PROGRAM = r"""
#include <stdio.h>

/* Kepler's problem, eccentricity 0.6: one revolution leads back to the start. */
static int planet(double t, const double *y, double *dy, void *context)
{
    double distance = sqrt(y[0] * y[0] + y[1] * y[1]), cubed = distance * distance * distance;
    (void)t;
    ++*(long *)context;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -y[0] / cubed;
    dy[3] = -y[1] / cubed;
    return 0;
}

static lw_step_status dop853_of_planet(lw_integrator *s, double t_end)
{
    return lw_dop853_advance(s, 4, planet, t_end);
}

static lw_step_status dopri5_of_planet(lw_integrator *s, double t_end)
{
    return lw_dopri5_advance(s, 4, planet, t_end);
}

static void revolve(const char *name, lw_integrator *s, lw_step_status (*step)(lw_integrator *, double),
                    int (*dense)(lw_integrator *, double, double *))
{
    const double year = 6.283185307179586;
    double inside[4] = {0.0, 0.0, 0.0, 0.0}, error = 0.0;
    const double half[4] = {-1.6, 0.0, 0.0, -0.5}, start[4] = {0.4, 0.0, 0.0, 2.0};
    lw_step_status status = LW_STEP_DONE;
    while (s->t != year && status == LW_STEP_DONE) {
        status = step(s, year);
        if (s->t_old <= 0.5 * year && 0.5 * year < s->t && dense(s, 0.5 * year, inside)) {
            return;
        }
    }
    for (int i = 0; i < 4; ++i) {
        error = fmax(error, fmax(fabs(s->y[i] - start[i]), fabs(inside[i] - half[i])));
    }
    printf("%s: %s, closed to 1e-6: %d, all counted: %d\n", name, lw_step_words(status), error < 1e-6,
           s->evaluations == *(long *)s->context);
}

int main(void)
{
    const double atol[4] = {1e-11, 1e-11, 1e-11, 1e-11};
    double y[6][4], first[LW_DOPRI5_WORK(4)], second[LW_DOP853_WORK(4)], third[LW_RADAU5_WORK(4)];
    int integers[LW_RADAU5_INTEGERS(4)];
    long count[6] = {0, 0, 0, 0, 0, 0};
    lw_integrator s;
    for (int k = 0; k < 6; ++k) {
        y[k][0] = 0.4;
        y[k][1] = y[k][2] = 0.0;
        y[k][3] = 2.0;
    }
    lw_dopri5_begin(&s, 4, planet, &count[0], 0.0, y[0], 1e-11, atol, first);
    revolve("dopri5", &s, lw_dopri5_step, lw_dopri5_dense);
    lw_dopri5_begin(&s, 4, planet, &count[1], 0.0, y[1], 1e-11, atol, first);
    revolve("dopri5, constants", &s, dopri5_of_planet, lw_dopri5_dense);
    lw_dop853_begin(&s, 4, planet, &count[2], 0.0, y[2], 1e-11, atol, second);
    revolve("dop853", &s, lw_dop853_step, lw_dop853_dense);
    lw_dop853_begin(&s, 4, planet, &count[3], 0.0, y[3], 1e-11, atol, second);
    revolve("dop853, constants", &s, dop853_of_planet, lw_dop853_dense);
    lw_radau5_begin(&s, 4, planet, &count[4], 0.0, y[4], 1e-11, atol, third, integers);
    revolve("radau5", &s, lw_radau5_step, lw_radau5_dense);
    for (int i = 0; i < 4; ++i) {
        if (y[0][i] != y[1][i] || y[2][i] != y[3][i]) {
            puts("constants change the result");
        }
    }
    return 0;
}
"""

ANSWER = "".join(
    f"{name}: the step is done, closed to 1e-6: 1, all counted: 1\n"
    for name in ("dopri5", "dopri5, constants", "dop853", "dop853, constants", "radau5")
)


def assert_answer(folder: Path, *flags: str) -> None:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    (folder / "empty.c").write_text("int main(void) { return 0; }\n")
    source = runtime_source("dopri5", "dop853", "radau5") + PROGRAM
    (folder / "program.c").write_text(source, encoding="utf-8")
    for name in ("empty", "program"):
        command = [*compiler.command, *flags, f"{name}.c", "-lm", "-o", name]
        outcome = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if name == "empty" and outcome.returncode:
            pytest.skip(f"{' '.join(compiler.command)} has no sanitizers: {outcome.stderr.strip()}")
        assert outcome.returncode == 0, outcome.stderr
    outcome = subprocess.run([folder / "program"], capture_output=True, text=True)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, ANSWER, "")


@pytest.mark.parametrize("level", OPTIMISATIONS)
def test_a_c_program_uses_every_method(level: str, tmp_path: Path) -> None:
    assert_answer(tmp_path, *STRICT, level)


def test_a_c_program_uses_every_method_cleanly(tmp_path: Path) -> None:
    assert_answer(tmp_path, *STRICT, "-O1", *SANITIZERS)


@pytest.mark.slow
def test_all_other_tests_pass_under_the_sanitizers(tmp_path: Path) -> None:
    environment = os.environ | {
        EXTRA_FLAGS_VARIABLE: " ".join(SANITIZERS),
        "LD_PRELOAD": sanitizer_library(),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python's own, at exit
        "TMPDIR": str(tmp_path),
    }
    here = Path(__file__).parent
    tests = [
        str(here / f"test_integrators_{part}.py")
        for part in ("bridge", "complex_lu", "order", "problems", "edges")
    ]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    outcome = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout[-4000:] + outcome.stderr[-4000:]
