"""Progress of long work, on stderr and only where a person is watching."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

Report = Callable[[float], None]
"""Called with the amount of work done so far."""

_REDRAWN = 0.1  # seconds between two looks at the amount


@contextmanager
def progress(
    title: str, total: float | None = None, *, quiet: bool = False, patience: float = 0.0
) -> Iterator[Report]:
    """A bar while the block runs; it vanishes at the end. Without a terminal, or quiet, there is none.

    With ``patience``, in seconds, it appears only when the work takes longer than that.

    >>> with progress("simulating", total=3) as done:
    ...     for step in range(3):
    ...         done(step + 1)
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda amount: None
    elif patience > 0:
        with _late_bar(title, total, patience) as report:
            yield report
    else:
        with _bar(title, total) as report:
            yield report


@contextmanager
def _bar(title: str, total: float | None) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import Progress

    # rich itself honours NO_COLOR and a dumb terminal.
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda amount: bar.update(task, completed=amount)


@contextmanager
def _late_bar(title: str, total: float | None, patience: float) -> Iterator[Report]:
    """The work need not report anything for the bar to appear: a thread waits for its end."""
    over = Event()
    amounts = [0.0]

    def watch() -> None:
        if not over.wait(patience):
            with _bar(title, total) as report:
                while not over.wait(_REDRAWN):
                    report(amounts[0])

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield lambda amount: amounts.__setitem__(0, amount)
    finally:
        over.set()
        watcher.join()
