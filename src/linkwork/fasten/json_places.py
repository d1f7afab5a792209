"""Where each key of a JSON text stands, so that errors can name a line; ``json`` does not tell."""

from __future__ import annotations

import json
import re
from typing import Final

from linkwork.model.lines import DEEPEST, Path, Places

_TOKEN: Final = re.compile(r'"(?:\\.|[^"\\])*"?|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)


def json_places(text: str) -> Places:
    r"""The place of every key and of every entry of a list; in a broken text of what stands before the fault.

    >>> found = json_places('{"p0": ["0",\n "1"],\n "mu": 0}')
    >>> found.line(["p0", 1]), found.line(["mu"])
    (2, 3)
    """
    found = Places(text)
    open_paths: list[Path] = []  # the lists and objects begun
    counts: list[int | None] = []  # how many commas so far in each list; None for an object
    key: Path | None = None  # what the value to come belongs to, in an object
    for token in _TOKEN.finditer(text):
        character = token[0][0]
        if character in "]}":
            if open_paths:
                open_paths.pop()
                counts.pop()
            key = None
        elif character == ",":
            if counts and counts[-1] is not None:
                counts[-1] += 1
            key = None
        elif character == ":":
            continue
        elif character == '"' and counts and counts[-1] is None and key is None:
            key = (*open_paths[-1], _unquoted(token[0]))
            _enter(found, key, token.start())
        else:
            path: Path = key or ()
            if counts and counts[-1] is not None:
                path = (*open_paths[-1], counts[-1])
                _enter(found, path, token.start())
            if character in "[{":
                open_paths.append(path[:DEEPEST])
                counts.append(0 if character == "[" else None)
            key = None
    return found


def _enter(found: Places, path: Path, position: int) -> None:
    if len(path) < DEEPEST:
        found.enter(path, position)


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token.strip('"')
