"""Text to tokens: numbers, names, strings, operators and the files that are drawn in; comments are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from linkwork.solid.scad.fault import Place, ScadError, Source

NUMBER: Final = "number"
NAME: Final = "name"
STRING: Final = "string"
VECTOR: Final = "vector"
"""Two numbers or more in square brackets, which one look reads: there are many of them, and thousands in a mesh."""
OPERATOR: Final = "operator"
FILE: Final = "file"
END: Final = "end"

KEYWORDS: Final = frozenset(
    ("module", "function", "if", "else", "let", "assert", "echo", "for", "each", "true", "false", "undef")
)
"""Words that cannot name a variable; echo, assert, let, for are called like modules all the same."""

_TOKEN: Final = re.compile(
    r"""(?:[\s\ufeff\u00a0]++ | //[^\n]*+ | /\*.*?\*/)*+
    (?:
      (?P<file>(?:include|use)[ \t\r\n]*<[^>\n]*>)
    | (?P<number>(?:\d++\.\d*+|\.\d++)(?:[eE][+-]?\d++)?+
        | \d++[eE][+-]\d++
        | \d++(?:[eE]\d++)?+(?![A-Za-z0-9_]))
    | (?P<name>\$?[A-Za-z0-9_]+)
    | (?P<string>"(?:[^"\\]++|\\.)*+")
    | (?P<vector>\[\s*+-?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?+
        (?:\s*+,\s*+-?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?+)++\s*+\])
    | (?P<operator><=|>=|==|!=|&&|\|\||/(?!\*)|[-+*%^<>=!?:;,.(){}\[\]\#])
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(?:x([0-7][0-9a-fA-F])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{6})|(.))", re.DOTALL)
_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r"}
_SKIPPED: Final = re.compile(r"(?:[\s\ufeff\u00a0]++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)


class Token(NamedTuple):
    """A word of the text."""

    kind: str
    text: str
    offset: int


def tokens(source: Source) -> Iterator[Token]:
    """The tokens of a text one by one, the end as the last.

    >>> [token.text for token in tokens(Source("", "cube([1, 2.5e1, 3d]); // end"))]
    ['cube', '(', '[', '1', ',', '2.5e1', ',', '3d', ']', ')', ';', '']
    >>> [token.text for token in tokens(Source("", "cube([1, -2.5e1, .3]);"))]
    ['cube', '(', '[1, -2.5e1, .3]', ')', ';', '']
    """
    text, position = source.text, 0
    while match := _TOKEN.match(text, position):
        kind = match.lastgroup or END
        position = match.end()
        yield Token(kind, match[kind], match.start(kind))
        if kind == END:
            return
    raise _fault(source, position)


def string_value(token: Token) -> str:
    r"""What stands between the quotation marks, its escapes resolved.

    >>> string_value(Token(STRING, r'"a\tb\x41"', 0))
    'a\tbA'
    """
    text = token.text[1:-1]
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    ascii_code, short_code, long_code, letter = match.groups()
    if letter is not None:
        return _LETTERS.get(letter, letter)
    code = int(ascii_code or short_code or long_code, 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def _fault(source: Source, position: int) -> ScadError:
    """What is wrong with a text that has no token here."""
    skipped = _SKIPPED.match(source.text, position)
    position = skipped.end() if skipped else position
    place = Place(source, position)
    rest = source.text[position : position + 2]
    if rest == "/*":
        return ScadError("this comment is never closed", place=place, fix="end it with */")
    if rest[0] == '"':
        return ScadError("this string is never closed", place=place, fix='end it with "')
    shown = repr(rest[0]) if rest[0].isprintable() else f"U+{ord(rest[0]):04X}"
    fix = "leave it out"
    if rest[0] in "“”„«»":
        fix = 'straight quotation marks: "…"'
    elif rest[0] in "−–×·":
        fix = "- and * as on the keyboard"
    return ScadError(f"the character {shown} has no meaning here", place=place, fix=fix)
