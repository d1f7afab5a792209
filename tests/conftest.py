"""How the tests run: no deadlines, the same examples every time under CI, many more when thorough.

``pytest --hypothesis-profile=thorough`` tries 33 times as many examples.
"""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("quick", deadline=None, max_examples=30)
settings.register_profile("ci", settings.get_profile("quick"), derandomize=True, print_blob=True)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=1000)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "quick")

collect_ignore = ["solid/step/make_with_occt.py"]
"""Needs OCCT, which is no dependency: it made files that tests read."""


def pytest_configure() -> None:
    """Commands that tests start can be interrupted, also where tests run in the background, which ignores Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that drive other processes (browsers, compilers, commands) get two more tries.

    On a busy machine such a process may start or end late; the summary counts every ``rerun``.
    """
    for item in items:
        if hasattr(getattr(item, "module", None), "subprocess") or {"cli", "view"} & set(item.path.parts):
            item.add_marker(pytest.mark.flaky(reruns=2))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say plainly where tests in a browser were left out, and what brings it."""
    reasons = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    count = sum("no chromium" in reason for reason in reasons)
    if count:
        terminalreporter.write_line(
            f"{count} tests in a browser were left out: there is no chromium here. "
            "On Debian this brings it: apt-get install chromium"
        )
