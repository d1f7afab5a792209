"""Where each key of a TOML text stands, so that errors can name a line; ``tomllib`` does not tell.

The text is walked statement by statement: a table's header, or a key with its value. Brackets inside a
value are kept on an explicit stack, so nesting costs no recursion. It runs only when there is an error
to place, and never fails: in a text that is not TOML it finds what stands before the fault.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

Path = tuple[str | int, ...]
"""Keys from the outside inwards; places in an array are numbers from 0."""

DEEPEST: Final = 20
"""Levels that paths keep apart. Machine files have four; without a bound, paths could fill the memory."""

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?!")' r"|'''.*?'''(?!')" r'|"(?:\\.|[^"\\\n])*"' r"|'[^'\n]*'",
    re.DOTALL,
)
_WORD: Final = r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')"""
_KEY: Final = re.compile(rf"{_WORD}(?:[ \t]*\.[ \t]*{_WORD})*")
_HEADER: Final = re.compile(rf"\[\[?[ \t]*({_KEY.pattern})[ \t]*\]\]?")
_EQUALS: Final = re.compile(r"[ \t]*=")
_PLAIN: Final = re.compile(r"""[^"'\[\]{},#\n]+""")


@dataclass
class Places:
    """Where keys stand, as positions in the text."""

    text: str
    first: dict[Path, int] = field(default_factory=dict)
    again: dict[Path, int] = field(default_factory=dict)  # keys that occur a second time
    implied: dict[Path, int] = field(default_factory=dict)  # tables that only their inner keys name

    def line(self, path: Sequence[str | int]) -> int:
        """The line, counted from 1, of the innermost known part of the path."""
        for length in range(len(path), 0, -1):
            part = tuple(path[:length])
            position = self.first.get(part, self.implied.get(part))
            if position is not None:
                return line_of(self.text, position)
        return 1

    def deepest(self) -> int:
        """The position of the key with the most levels."""
        return self.first[max(self.first, key=len)] if self.first else 0

    def enter(self, path: Path, position: int) -> None:
        """Note that a key stands there."""
        if self.first.setdefault(path, position) != position:
            self.again.setdefault(path, position)
        for length in range(1, min(len(path), DEEPEST)):
            self.implied.setdefault(path[:length], position)


def line_of(text: str, position: int) -> int:
    """The line of a position, counted from 1."""
    return text.count("\n", 0, position) + 1


def source_line(text: str, line: int) -> str:
    """A line's text without the blanks around it, and without what would disturb a terminal."""
    lines = text.split("\n", line)
    shown = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return "".join(character if character.isprintable() else " " for character in shown)


def places(text: str) -> Places:
    r"""The place of every key.

    >>> found = places('linkwork = 1\n[parameter]\na = 3\nb = "2*a"\n')
    >>> found.line(["parameter", "b"]), found.line(["parameter", "c"]), found.line(["units"])
    (4, 2, 1)
    """
    found = Places(text)
    table: Path = ()
    position = _past(_BLANK, text, 0)
    while position < len(text):
        header = _HEADER.match(text, position)
        key = None if header else _KEY.match(text, position)
        if header:
            table = _words(header[1])
            found.enter(table, position)
            position = header.end()
        elif key:
            path = table + _words(key[0])
            found.enter(path, position)
            equals = _EQUALS.match(text, key.end())
            if equals is None:
                break
            position = _past_value(found, path, equals.end())
        else:
            break
        position = _past(_BLANK, text, position)
    return found


def _past(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _words(key: str) -> Path:
    """A dotted key taken apart; TOML itself reads the quotes and escapes."""
    if "." not in key and key[0] not in "\"'":
        return (key,)
    try:
        content: object = tomllib.loads(f"{key} = 0")
    except (ValueError, RecursionError):
        return (key,)
    words: list[str] = []
    while isinstance(content, dict):
        word, content = next(iter(content.items()))
        words.append(word)
    return tuple(words)


def _past_value(found: Places, path: Path, position: int) -> int:
    """The position behind a value, entering the keys and elements inside it on the way."""
    text = found.text
    open_paths: list[Path] = []  # the arrays and inline tables begun
    counts: list[int | None] = []  # how many commas so far in each array; None for an inline table
    while position < len(text):
        character = text[position]
        if character in "\"'":
            string = _STRING.match(text, position)
            if string is None:
                return len(text)
            position = string.end()
        elif character == "#":
            position = _past(_BLANK, text, position) if open_paths else _end_of_line(text, position)
        elif character == "\n" and not open_paths:
            return position
        elif character in "[{" or (character == "," and open_paths):
            if character == ",":
                counts[-1] = None if counts[-1] is None else counts[-1] + 1
            else:
                open_paths.append(path)
                counts.append(0 if character == "[" else None)
            position = _past(_BLANK, text, position + 1)
            if text[position : position + 1] not in ("]", "}") and len(open_paths) < DEEPEST:
                path, position = _inside(found, open_paths[-1], counts[-1], position)
        elif character in "]}" and open_paths:
            path = open_paths.pop()
            counts.pop()
            position += 1
        else:
            plain = _PLAIN.match(text, position)
            position = plain.end() if plain else position + 1
    return position


def _end_of_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _inside(found: Places, outer: Path, count: int | None, position: int) -> tuple[Path, int]:
    """Enter the element or the key that begins here; its path, and where its value begins."""
    if count is not None:
        found.enter((*outer, count), position)
        return (*outer, count), position
    key = _KEY.match(found.text, position)
    if key is None:
        return outer, position
    path = outer + _words(key[0])
    found.enter(path, position)
    return path, _past(_EQUALS, found.text, key.end())
