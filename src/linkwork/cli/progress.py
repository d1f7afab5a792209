"""Progress of long work, on stderr and only where a person is watching."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[float], None]
"""Called with the amount of work done so far."""


@contextmanager
def progress(title: str, total: float | None = None, *, quiet: bool = False) -> Iterator[Report]:
    """A bar while the block runs; it vanishes at the end. Without a terminal, or quiet, there is none.

    >>> with progress("simulating", total=3) as done:
    ...     for step in range(3):
    ...         done(step + 1)
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda amount: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # rich itself honours NO_COLOR and a dumb terminal.
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda amount: bar.update(task, completed=amount)
