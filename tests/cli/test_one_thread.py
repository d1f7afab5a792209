"""Small matrices are no work for several threads: the command line uses one, if nobody says else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ASKED = """
import os, sys
import linkwork.cli
assert "numpy" not in sys.modules  # it would have its threads already
sys.argv = ["linkwork", "--version"]
try:
    linkwork.cli.main()
finally:
    print("threads", os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.parametrize(("given", "used"), [(None, "1"), ("3", "3")])
def test_the_command_line_multiplies_in_one_thread(given: str | None, used: str) -> None:
    others = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    env = others | ({} if given is None else {"OPENBLAS_NUM_THREADS": given})
    run = subprocess.run(
        [sys.executable, "-c", ASKED], env=env, capture_output=True, text=True, timeout=60, check=True
    )
    assert run.stdout.split()[-2:] == ["threads", used]
