"""Where something stands in a text, and the error that points there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import Any, Final, NamedTuple

from linkwork.errors import LinkworkError, with_caret

LONGEST_MESSAGE: Final = 600
"""Characters of each part of an error: texts may name things at any length."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Source:
    """A text and what to call it."""

    name: str
    text: str
    find: Callable[[str, Place], Path] | None = None
    """The file of a name that the text has, as seen from it; None where it does not come from a file."""


class Place(NamedTuple):
    """A character of a text, counted from 0."""

    source: Source
    offset: int

    @property
    def line(self) -> int:
        """The line, counted from 1."""
        return self.source.text.count("\n", 0, self.offset) + 1

    @property
    def column(self) -> int:
        """The character of the line, counted from 1."""
        return self.offset - self.source.text.rfind("\n", 0, self.offset)

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


class ScadError(LinkworkError):
    """A text in OpenSCAD's notation that is not a solid: what is wrong, and under a caret where."""

    column: int = 0

    def __init__(
        self,
        problem: str,
        *,
        place: Place | None = None,
        file: str = "",
        wanted: str = "",
        why: str = "",
        fix: str = "",
    ) -> None:
        got = ""
        head = f"{file}: " if file else ""
        if place is not None:
            got = with_caret(place.source.text, place.offset)
            head = f"{place}: "
            file = place.source.name
        shown = {"wanted": wanted, "why": why, "fix": fix}
        super().__init__(
            head + shortened(problem), got=got, **{part: shortened(text) for part, text in shown.items()}
        )
        self.file = file
        if place is not None:
            self.line, self.column = place.line, place.column

    def to_json(self) -> dict[str, Any]:
        """The parts of the error, with the column."""
        return super().to_json() | ({"column": self.column} if self.column else {})


class Complaint(Exception):
    """What is wrong with a value, told by something that does not know where the value was written."""

    def __init__(self, problem: str, *, wanted: str = "", why: str = "", fix: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.parts = {"wanted": wanted, "why": why, "fix": fix}

    def at(self, place: Place) -> ScadError:
        """The error that points to where it was written."""
        return ScadError(self.problem, place=place, **self.parts)


def shortened(text: str) -> str:
    """A text that fits into a message, whatever a file has for a name."""
    return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + "…"


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The fix for a misspelt name.

    >>> did_you_mean("cilinder", ["cube", "cylinder"])
    'did you mean cylinder?'
    """
    by_lower = {name.casefold(): name for name in known}
    near = get_close_matches(word[:60].casefold(), by_lower, n=1)
    return f"did you mean {by_lower[near[0]]}?" if near else otherwise


def listed(text: str) -> str:
    """A long list in several lines."""
    return "\n".join(wrap(text, 90))


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "argument"), counted(2, "argument")
    ('1 argument', '2 arguments')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
