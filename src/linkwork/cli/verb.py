"""A verb of the command line: its function, what it does in a line, and how it is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    """What the registry holds of a verb. The first example is also what error messages propose."""

    name: str
    run: Callable[..., None]
    summary: str
    examples: tuple[str, ...]

    @property
    def help(self) -> str:
        """The text of ``--help``; the backspace keeps the lines of the examples apart."""
        return "\n".join([self.summary, "", "\b", "Examples:", *(f"  {line}" for line in self.examples)])
