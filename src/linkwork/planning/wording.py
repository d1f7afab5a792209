"""Puts numbers and lists of names into sentences."""

from __future__ import annotations

from collections.abc import Sequence

NAMES_SHOWN = 20
"""Names in one list before it is cut short; a longer one hides the sentence around it."""


def listed(names: Sequence[str], names_shown: int = NAMES_SHOWN) -> str:
    """The names in quotes, as one lists them in a sentence.

    >>> listed(("a", "b", "c"))
    "'a', 'b' and 'c'"
    >>> listed(("a", "b", "c", "d"), names_shown=2)
    "'a', 'b' and 2 more"
    """
    shown = [repr(name) for name in names[:names_shown]]
    if len(names) > len(shown):
        shown.append(f"{len(names) - len(shown):,} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def counted(count: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "equation"), counted(5000, "equation")
    ('1 equation', '5,000 equations')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
