"""The bytes of a file up to a limit, so that neither a wrong file nor a device without an end fills the memory."""

from __future__ import annotations

import os


def contents(path: str | os.PathLike[str], most: int) -> bytes | None:
    """All bytes of a file; None where there are more than so many.

    How long a file says that it is does not count: that of a device is 0, and a file may grow.
    """
    with open(path, "rb") as file:
        found = file.read(most + 1)
    return found if len(found) <= most else None
