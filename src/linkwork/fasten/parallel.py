"""Many designs on all cores; an interruption ends the work at once, and the workers with it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager


@contextmanager
def workers(count: int | None = None) -> Iterator[ProcessPoolExecutor]:
    """So many worker processes, one for each core without a number."""
    pool = ProcessPoolExecutor(count or os.cpu_count() or 1, initializer=_leave_interrupts_alone)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _leave_interrupts_alone() -> None:
    """Ctrl-C reaches the whole group of processes; only the one that asked shall answer it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
