"""The same machine gives the same bytes: nothing depends on the run or on what was built before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

SCRIPT: Final = """
import sys
from linkwork import algebra as lw
from linkwork.algebra import expression as inside
from strategies import INPUTS, random_expression

if sys.argv[1] == "after":  # unrelated expressions first, some of them forgotten again
    kept = [random_expression(300, seed=seed) for seed in range(20)]
    for name in ("zz", "q7", "b", "a", "y", "x", "q0"):
        lw.symbol(name)
    for place in range(2000):
        lw.sin(lw.symbol(f"s{place % 50}") * place) + place / 7
    inside._forget_unused()

def show(label, *roots):
    code = lw.instructions(list(roots))
    leaves = [(place, lw.text(leaf)) for place, leaf in code.leaves.items()]
    print(label, code.operations, code.operands, leaves, code.results)

by = lw.symbols(INPUTS)
small = random_expression(60, seed=9)
first, rows = lw.hessian(small, by)
entries = [entry for row in rows for entry in row.values()]
for e in (small, *first, *entries, *lw.hessian_vector(small, by, range(1, 9))):
    print(lw.text(e))
    print(lw.latex(e))
show("small", small, *first, *entries)
large = random_expression(3000, seed=10)
show("large", large, *lw.gradient(large, by))
show("jacobian", *(v for row in lw.jacobian([small, large], by) for v in row.values()))

table = lw.Table.of([
    lw.Definition.of("r", implicit="r^2 = x^2 + y^2"),
    lw.Definition.of("u", "min(r, x)*atan2(y, x) - (y - x)*(x - 1)*(x - 2)"),
    lw.Definition.of("v", "select(u < r, sin(u)^5, cos(r)/r)"),
])
twice = lw.time_derivative(lw.time_derivative(table, ["x", "y"]), ["x", "y", "V_x", "V_y"])
print(twice, twice.latex(), twice.to_json())
jacobian = lw.table_jacobian(table, ["v"], ["x", "y"])
print(jacobian.table, jacobian.rows)
print(lw.table_hessian_vector(table, "v", ["x", "y"], ["p", "q"]))
"""


def printed(seed: str, order: str) -> bytes:
    """What the script prints in a process of its own."""
    tests = Path(__file__).parents[1]
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(tests), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", SCRIPT, order]
    return subprocess.run(command, env=environment, check=True, capture_output=True).stdout


def test_the_same_bytes_in_every_run() -> None:
    """Gradients, Hessians, tables and instructions do not depend on the hash seed or on earlier work."""
    runs = [
        printed("0", "first"),
        printed("1", "first"),
        printed("12345", "after"),
        printed("random", "after"),
    ]
    assert len(runs[0]) > 100_000
    assert all(run == runs[0] for run in runs)
