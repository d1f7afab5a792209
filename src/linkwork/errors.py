"""What went wrong, told so that a reader can mend it: got, wanted, why, and a fix to paste.

Every error of linkwork is a :class:`LinkworkError`. Misuse raises one; a failure of nature (a machine
that locks, a solver that finds no root) is a reason inside a result, not an exception. The command
line prints the error without a traceback and leaves with its ``exit_code``.
"""

from __future__ import annotations

from typing import Any, ClassVar


class LinkworkError(Exception):
    """An error with the parts a reader needs.

    >>> raise LinkworkError("the name is taken", got="crank", fix="call it crank_2")
    Traceback (most recent call last):
    linkwork.errors.LinkworkError: the name is taken
      got:    crank
      fix:    call it crank_2
    """

    exit_code: ClassVar[int] = 3
    where: tuple[str | int, ...] = ()
    """For a fault of a machine: the keys under which a machine file holds its cause."""
    file: str = ""
    line: int = 0
    """Where that is, once it is known."""

    def __init__(
        self, problem: str, *, got: str = "", wanted: str = "", why: str = "", fix: str = ""
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.got = str(got)
        self.wanted = wanted
        self.why = why
        self.fix = fix

    def __str__(self) -> str:
        lines = [self.problem]
        for label in ("got", "wanted", "why", "fix"):
            text = getattr(self, label)
            if text:
                first, *rest = text.split("\n")
                lines.append(f"  {label + ':':<8}{first}")
                lines += [" " * 10 + line for line in rest]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The same parts as plain data, for ``--json``."""
        parts: dict[str, Any] = {"error": type(self).__name__, "problem": self.problem}
        for label in ("got", "wanted", "why", "fix"):
            if getattr(self, label):
                parts[label] = getattr(self, label)
        return parts | ({"file": self.file} if self.file else {}) | ({"line": self.line} if self.line else {})


class UsageError(LinkworkError):
    """A verb or function was called in a way it does not offer."""

    exit_code = 2


class ExpressionError(LinkworkError):
    """An expression has no meaning: division by an exact zero, a number beyond the range of doubles."""


class ParseError(ExpressionError):
    """Text is not an expression; ``position`` is where, counted in characters from 0."""

    def __init__(
        self, problem: str, *, text: str, position: int, wanted: str = "", why: str = "", fix: str = ""
    ) -> None:
        super().__init__(problem, got=with_caret(text, position), wanted=wanted, why=why, fix=fix)
        self.text = text
        self.position = position


class BadName(ExpressionError):
    """A name that cannot be used: not an identifier, a keyword, a function's name."""


class UnknownName(LinkworkError):
    """A name that nothing defines."""


class UnknownNameInText(ParseError, UnknownName):
    """A name in an expression's text that nothing defines."""


class NameTaken(LinkworkError):
    """A name defined twice."""


class CyclicDefinition(LinkworkError):
    """Definitions that need each other in a circle."""


class NotSolvable(LinkworkError):
    """An implicit definition from which its own name cannot be isolated."""


class MachineFileError(LinkworkError):
    """A machine file that cannot be read or says something that has no meaning."""


class NoAnswer(LinkworkError):
    """The question is well put but has no answer: a system that is structurally singular, a divergence."""

    exit_code = 4


class ToolMissing(LinkworkError):
    """A program that the job needs is not on this machine, or does not work."""

    exit_code = 5


def with_caret(text: str, position: int, width: int = 72) -> str:
    """The line of ``text`` around ``position``, shortened to ``width``, and a caret under the fault."""
    position = min(max(position, 0), len(text))
    line_start = text.rfind("\n", 0, position) + 1
    line_end = text.find("\n", position)
    line_end = len(text) if line_end < 0 else line_end
    start = max(line_start, position - width // 2)
    end = min(line_end, start + width)
    before = "…" if start > line_start else ""
    after = "…" if end < line_end else ""
    shown = "".join(character if character.isprintable() else " " for character in text[start:end])
    return f"{before}{shown}{after}\n{' ' * (len(before) + position - start)}^"
