"""What is wrong with a STEP file: which file, which line, which entity."""

from __future__ import annotations

from typing import Any, Final

from linkwork.errors import LinkworkError

LONGEST_QUOTE: Final = 100
"""Characters of a file that a message repeats."""


class StepError(LinkworkError):
    """A STEP file that cannot be read; ``entity`` is the number of the guilty one, 0 where none is."""

    def __init__(
        self,
        problem: str,
        *,
        file: str = "",
        line: int = 0,
        entity: int = 0,
        got: str = "",
        wanted: str = "",
        why: str = "",
        fix: str = "",
    ) -> None:
        place = f"{file}:{line}" if file and line else file or (f"line {line}" if line else "")
        parts = [place, f"#{entity}" if entity else "", problem]
        super().__init__(": ".join(filter(None, parts)), got=got, wanted=wanted, why=why, fix=fix)
        self.file, self.line, self.entity = file, line, entity

    def to_json(self) -> dict[str, Any]:
        """The same parts as plain data."""
        return super().to_json() | ({"entity": self.entity} if self.entity else {})


class BeyondReader(StepError):
    """What is sound STEP but more than the reader of our own knows: a free-form surface, for instance."""


def quoted(text: str) -> str:
    r"""A piece of a file on one line, shortened.

    >>> quoted("#1 = CARTESIAN_POINT('',\n  (0.,0.,0.));")
    "#1 = CARTESIAN_POINT('', (0.,0.,0.));"
    """
    plain = " ".join(text[: 4 * LONGEST_QUOTE].split())
    shown = "".join(each if each.isprintable() else "�" for each in plain)
    return shown if len(shown) <= LONGEST_QUOTE else shown[:LONGEST_QUOTE] + "…"
