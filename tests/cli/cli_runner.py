"""Runs the command line as a newcomer does (the console script) or in this process (quicker)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from linkwork.cli.run import run

SCRIPT = Path(sys.executable).with_name("linkwork")


class Answer(NamedTuple):
    """What a run left behind."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        """The one JSON document on stdout; anything beside it is an error."""
        found = json.loads(self.out, parse_constant=_no_constant)
        assert isinstance(found, dict)
        return found


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def script(*arguments: str, cwd: Path | None = None, **environment: str) -> Answer:
    """The installed console script in a process of its own."""
    done = subprocess.run(
        [SCRIPT, *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**clean_environment(), **environment},
        timeout=60,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def clean_environment() -> dict[str, str]:
    """The environment without what changes our output."""
    return {
        name: value
        for name, value in os.environ.items()
        if name not in ("LINKWORK_DEBUG", "NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS")
        and not name.endswith("_COMPLETE")
    }


class Here:
    """The command line inside this process, its output captured."""

    def __init__(self, capture: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("LINKWORK_DEBUG", raising=False)
        self._capture = capture

    def __call__(self, *arguments: str) -> Answer:
        self._capture.readouterr()
        code = run(arguments)
        return Answer(code, *self._capture.readouterr())
