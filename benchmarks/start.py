"""How long ``import linkwork`` and a command take, beside the imports of the peers."""

from __future__ import annotations

import subprocess
import sys
import time

from report import Report

STATEMENTS = {
    "python alone": "pass",
    "import linkwork": "import linkwork",
    "import numpy": "import numpy",
    "import casadi": "import casadi",
    "import symengine": "import symengine",
    "import sympy": "import sympy",
}


def main() -> int:
    """Best of ten fresh processes each."""
    report = Report("start", "Starting up")
    for name, statement in STATEMENTS.items():
        seconds = min(_seconds([sys.executable, "-c", statement]) for _ in range(10))
        report.add("wall seconds of a fresh process", {"what": name, "s": round(seconds, 3)})
    command = [sys.executable, "-m", "linkwork", "--version"]
    seconds = min(_seconds(command) for _ in range(10))
    report.add("wall seconds of a fresh process", {"what": "linkwork --version", "s": round(seconds, 3)})
    report.write()
    return 0


def _seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


if __name__ == "__main__":
    sys.exit(main())
