"""What can be wrong with a region that is given."""

from __future__ import annotations

from linkwork.errors import LinkworkError


class RegionError(LinkworkError):
    """A region that cannot be: loops that are not closed, sizes that are no positive numbers."""


def positive(what: str, value: float) -> float:
    """A size that has to be a finite number above zero."""
    number = float(value)
    if 0 < number < float("inf"):
        return number
    raise RegionError(f"{what} is {value}", wanted="a positive number")
