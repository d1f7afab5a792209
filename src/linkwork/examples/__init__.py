"""What comes with linkwork, one file each beside this one, called by its name: machines in TOML, designs in JSON."""

from __future__ import annotations

import json
import tomllib
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from linkwork.errors import UsageError

_FOLDER = Path(__file__).parent


@cache
def names() -> tuple[str, ...]:
    """The machines' names in the order of the alphabet.

    >>> "four-bar-table" in names()
    True
    """
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


@cache
def designs() -> tuple[str, ...]:
    """The names of the snap-fit designs in the order of the alphabet.

    >>> "two-pawl-tee" in designs()
    True
    """
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.json")))


def path(name: str) -> Path:
    """The file of an example."""
    known = (*names(), *designs())
    if name not in known:
        near = get_close_matches(name.casefold(), known, n=1)
        raise UsageError(
            f"there is no example '{name}'",
            wanted=", ".join(known),
            fix=f"did you mean {near[0]}?" if near else "linkwork examples",
        )
    return _FOLDER / f"{name}.{'json' if name in designs() else 'toml'}"


def content(name: str) -> dict[str, Any]:
    """The data of an example's file."""
    text = path(name).read_text("utf-8")
    found: dict[str, Any] = json.loads(text) if name in designs() else tomllib.loads(text)
    return found


def describe(name: str) -> str:
    """One line about an example: its title."""
    return str(content(name)["title"])
