"""The machines that come with linkwork: one file each beside this one, called by its name."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from linkwork.errors import UsageError

_FOLDER = Path(__file__).parent


@cache
def names() -> tuple[str, ...]:
    """The examples' names in the order of the alphabet.

    >>> "four-bar-table" in names()
    True
    """
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


def path(name: str) -> Path:
    """The file of an example."""
    if name not in names():
        near = get_close_matches(name.casefold(), names(), n=1)
        raise UsageError(
            f"there is no example '{name}'",
            wanted=", ".join(names()),
            fix=f"did you mean {near[0]}?" if near else "linkwork examples",
        )
    return _FOLDER / f"{name}.toml"


def describe(name: str) -> str:
    """One line about an example: its title."""
    return str(tomllib.loads(path(name).read_text("utf-8"))["title"])
