"""Elements of XML as text, every word in them escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import quoteattr

HEADING = '<?xml version="1.0" encoding="UTF-8"?>\n'


def element(name: str, attributes: Mapping[str, object], inside: Iterable[str] = ()) -> str:
    """An element in lines of its own; attributes that are None are left out.

    >>> print(element("a", {"title": "<b> & 'c'", "size": None}, [element("d", {"e": True})]), end="")
    <a title="&lt;b&gt; &amp; 'c'">
      <d e="true"/>
    </a>
    """
    words = "".join(f" {key}={_value(value)}" for key, value in attributes.items() if value is not None)
    lines = [f"  {line}" for each in inside for line in each.splitlines(keepends=True)]
    return f"<{name}{words}>\n{''.join(lines)}</{name}>\n" if lines else f"<{name}{words}/>\n"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return f'"{str(value).lower()}"'
    if isinstance(value, float):
        return f'"{value!r}"'
    return quoteattr(in_one_line(str(value)))


def in_one_line(text: str) -> str:
    r"""A text in one line, without the letters that XML forbids.

    >>> in_one_line("a\n\x00 b")
    'a b'
    """
    plain = "".join(letter if letter.isprintable() and letter < "\ufffe" else " " for letter in text)
    return " ".join(plain.split())
