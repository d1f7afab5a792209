"""Faults of machine files: where they are, and the name that was probably meant."""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from linkwork.errors import LinkworkError, MachineFileError
from linkwork.suffixes import SUFFIXES

MOST_NAMES_COMPARED = 20_000
"""Looking for the nearest of more names than this would take seconds."""


LONGEST_MESSAGE = 600
"""Characters of each part of an error. The longest honest one lists the types of joints."""


class Fault(NamedTuple):
    """An error and the keys under which a machine file holds its cause."""

    where: tuple[str | int, ...]
    error: LinkworkError


class PlacedError(MachineFileError):
    """A fault of a machine file, at a line of it (0 where no line is to blame)."""

    def __init__(
        self,
        problem: str,
        *,
        file: str,
        line: int = 0,
        got: str = "",
        wanted: str = "",
        why: str = "",
        fix: str = "",
    ) -> None:
        place = f"{file}:{line}" if line else file
        parts = {"got": got, "wanted": wanted, "why": why, "fix": fix}
        shown = {label: shortened(text) for label, text in parts.items()}
        super().__init__(f"{place}: {shortened(problem)}", **shown)
        self.file = file
        self.line = line

    def to_json(self) -> dict[str, Any]:
        """The parts of the error, under the name that scripts may rely on."""
        return super().to_json() | {"error": "MachineFileError"}


class NoSuchMachineError(PlacedError):
    """Neither a file that can be read nor an example has this name: the call is wrong, not the machine."""

    exit_code = 2


def shortened(text: str) -> str:
    """A text that fits into a message, whatever a file has for a name.

    >>> len(shortened("x" * 10**6))
    601
    """
    return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + "…"


def nearest(word: str, known: Iterable[str]) -> str:
    """The known name that ``word`` was probably meant to be; empty where none is near.

    >>> nearest("lenght", ["length", "width"]), nearest("L", ["l"]), nearest("x", ["length"])
    ('length', 'l', '')
    """
    by_lower = {name.casefold(): name for name in list(known)[:MOST_NAMES_COMPARED]}
    near = get_close_matches(word[:60].casefold(), by_lower, n=1)
    return by_lower[near[0]] if near else ""


def foreign_file(file: str, form: str) -> MachineFileError:
    """A file that is not read; ``form`` is how its name is given."""
    stem, suffix = os.path.splitext(file.partition("#")[0])
    return MachineFileError(
        f"files {suffix} hold no solids that are read",
        got=form.format(file),
        wanted=f"one of {', '.join(SUFFIXES)}",
        fix=f"{form.format(f'{stem}.step')}   # exported by the program that made it",
    )


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The fix for a misspelt name."""
    near = nearest(word, known)
    return f"did you mean {near}?" if near else otherwise


def listed(names: Iterable[str], most: int = 12) -> str:
    """Some names for a message.

    >>> listed("abcd", most=3)
    'a, b, c, …'
    """
    shown = list(names)
    return ", ".join(shown[:most]) + (", …" if len(shown) > most else "")
