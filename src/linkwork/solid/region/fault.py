"""What can be wrong with a region that is given."""

from __future__ import annotations

from typing import Final

from linkwork.errors import LinkworkError

LARGEST: Final = 1e60
"""Of coordinates and sizes: fourth powers of more, which second moments have, are no numbers any more."""


class RegionError(LinkworkError):
    """A region that cannot be: loops that are not closed, sizes that are no positive numbers."""


def positive(what: str, value: float) -> float:
    """A size that has to be a number above zero."""
    number = float(value)
    if 0 < number <= LARGEST:
        return number
    raise RegionError(f"{what} is {value}", wanted=f"a positive number up to {LARGEST:g}")
