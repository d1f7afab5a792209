"""The engine of contacts under the address and undefined-behaviour sanitizers, in the plane and in space."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sanitizers import SANITIZERS, sanitizer_library

HERE = Path(__file__).parent
SUBJECTS = ("space", "space_moved", "closed_forms", "clocks", "elastic_space", "elastic_space_ends")


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS)
def test_contacts_are_computed_cleanly(subject: str, tmp_path: Path) -> None:
    environment = os.environ | {
        "LINKWORK_TEST_FLAGS": " ".join(SANITIZERS),
        "LD_PRELOAD": sanitizer_library(),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python's own, at exit
        "TMPDIR": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([*sys.path, str(HERE)]),
    }
    plugins = ["-p", "sanitized_engine", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", *plugins, str(HERE / f"test_{subject}.py")]
    outcome = subprocess.run(command, cwd=HERE.parents[1], env=environment, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout[-4000:] + outcome.stderr[-4000:]
