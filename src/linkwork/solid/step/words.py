"""Texts inside a STEP file: how ISO 10303-21 writes quotes and letters beyond ASCII."""

from __future__ import annotations

import re
from typing import Final

_CODES: Final = re.compile(
    r"\\X2\\((?:[0-9A-Fa-f]{4})*)\\X0\\|\\X4\\((?:[0-9A-Fa-f]{8})*)\\X0\\|\\X\\([0-9A-Fa-f]{2})|\\S\\(.)"
    r"|\\P[A-I]\\|\\[NF]\\|\\\\|''",
    re.DOTALL,
)


def plain_text(written: str) -> str:
    r"""What stands between the quotes, as a person reads it.

    >>> plain_text(r"it''s \X2\03B103B2\X0\ and \X\E9"), plain_text(r"\S\d"), plain_text(r"a\\b")
    ("it's αβ and é", 'ä', 'a\\b')
    """
    if "\\" not in written and "'" not in written:
        return written
    return _CODES.sub(_letter, written)


def _letter(found: re.Match[str]) -> str:
    two, four, one, shifted = found.groups()
    if two is not None:
        return bytes.fromhex(two).decode("utf-16-be", errors="replace")
    if four is not None:
        return bytes.fromhex(four).decode("utf-32-be", errors="replace")
    if one is not None:
        return chr(int(one, 16))
    if shifted is not None:
        return chr((ord(shifted) + 128) & 0xFF)
    return {"''": "'", "\\\\": "\\"}.get(found[0], "")
