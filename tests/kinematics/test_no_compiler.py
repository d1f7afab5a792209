"""Without a C compiler everything works as before, only slower: the same numbers."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

import linkwork as lw

SCRIPT = """
import json, sys
import numpy as np
import linkwork as lw
found = {}
for name, steps in (("four-bar", 24), ("slider-crank", 24), ("jansen-leg", 12), ("bennett", 11), ("peaucellier", 12)):
    motion = lw.move(lw.load(name), steps=steps)
    found[name] = {"status": motion.status, "columns": {k: v.tolist() for k, v in motion.columns.items()},
                   "mobility": lw.show(lw.load(name)).mobility, "limits": len(motion.limits)}
json.dump(found, sys.stdout)
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    """A script in a fresh interpreter that finds no compiler."""
    environment = {**os.environ, "LINKWORK_COMPILER": "none"}
    return subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )


def test_the_same_numbers_without_a_compiler() -> None:
    """Motions with all rates and forces, mobility and status agree to 1e-9 of each column's size."""
    done = run(SCRIPT)
    assert done.returncode == 0, done.stderr
    for name, plain in json.loads(done.stdout).items():
        motion = lw.move(lw.load(name), steps=len(plain["columns"]["time"]) - 1)
        assert (plain["status"], plain["limits"]) == (motion.status, len(motion.limits))
        assert plain["mobility"] == lw.show(lw.load(name)).mobility
        assert list(plain["columns"]) == list(motion.columns)
        for column, values in plain["columns"].items():
            size = max(1.0, float(np.max(np.abs(motion[column]))))
            np.testing.assert_allclose(
                np.array(values) / size, motion[column] / size, atol=1e-9, err_msg=column
            )


def test_solving_without_a_compiler() -> None:
    """``solve`` along a loop gives the closed form of the four-bar as with a compiler."""
    done = run(
        """
import math
import linkwork as lw
mechanism = lw.Mechanism(lw.load("four-bar"))
position = mechanism.solve({"crank": 0.3})
position = mechanism.solve({"crank": 2.5}, start=position)
psi = position["rocker.angle"]
misfit = 7/2*math.cos(psi) - 7/5*math.cos(2.5) + (4 - 36 + 25 + 49)/20 - math.cos(2.5 - psi)
assert abs(misfit) < 1e-12, misfit
"""
    )
    assert done.returncode == 0, done.stderr


def test_sweeping_without_a_compiler() -> None:
    """``sweep`` gives its rows, slower."""
    done = run(
        """
import numpy as np
import linkwork as lw
assert len(lw.Mechanism(lw.load("four-bar")).sweep(np.linspace(0, 2, 5)).q) == 5
"""
    )
    assert done.returncode == 0, done.stderr
