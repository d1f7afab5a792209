"""A walk through the tokens of a text, with the brackets that are open and the faults that may be met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NoReturn

from linkwork.solid.scad.fault import Place, ScadError, Source
from linkwork.solid.scad.tokens import END, KEYWORDS, NAME, NUMBER, OPERATOR, STRING, VECTOR, Token, tokens

_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_VALUES: Final = (NAME, NUMBER, STRING, VECTOR)


class Cursor:
    """One reading of one text: the token in hand and the one behind it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._tokens: Iterator[Token] = tokens(source)
        self.token = next(self._tokens)
        self.behind = self._after(self.token)
        self._open: list[Token] = []

    def _after(self, token: Token) -> Token:
        return token if token.kind == END else next(self._tokens)

    def take(self) -> Token:
        """The token in hand; the next one comes into the hand."""
        taken = self.token
        self.token = self.behind
        self.behind = self._after(self.token)
        return taken

    def sees(self, operator: str) -> bool:
        """Whether this operator is in hand."""
        return self.token.text == operator and self.token.kind == OPERATOR

    def sees_word(self, word: str) -> bool:
        """Whether this word is in hand."""
        return self.token.text == word and self.token.kind == NAME

    def takes(self, operator: str) -> bool:
        """Take this operator if it is in hand."""
        if not self.sees(operator):
            return False
        self.take()
        return True

    def opens(self, bracket: str, behind: str) -> None:
        """Take an opening bracket, which must be there."""
        if not self.sees(bracket):
            shape = f"{bracket} … {_CLOSING[bracket]}"
            self.fail(
                f"'{bracket}' is missing behind {behind}",
                wanted=f"{behind} {shape}",
                fix=f"{bracket} before {self.in_hand()}",
            )
        self._open.append(self.take())

    def closes(self, bracket: str) -> None:
        """Take the closing bracket of the last one that was opened."""
        if self.sees(bracket):
            self.take()
            self._open.pop()
            return
        opened = self._open[-1]
        if self.token.kind == END:
            raise ScadError(
                f"this '{opened.text}' is never closed",
                place=Place(self.source, opened.offset),
                fix=f"add {bracket}",
            )
        line = Place(self.source, opened.offset).line
        self.fail(
            f"{self.in_hand()} stands where a comma or '{bracket}' is expected",
            why=f"the bracket '{opened.text}' of line {line} is still open",
            fix=f"{',' if self.token.kind in _VALUES else bracket} before {self.in_hand()}",
        )

    @property
    def here(self) -> Place:
        """Where the token in hand stands."""
        return Place(self.source, self.token.offset)

    def in_hand(self) -> str:
        """The token in hand, for a message."""
        return "the end of the text" if self.token.kind == END else f"'{self.token.text[:40]}'"

    def fail(self, problem: str, *, wanted: str = "", why: str = "", fix: str = "") -> NoReturn:
        """Stop at the token in hand."""
        raise ScadError(problem, place=self.here, wanted=wanted, why=why, fix=fix)

    def name(self, wanted: str) -> Token:
        """Take a name, which must be there and must not be a word of the language."""
        if self.token.kind != NAME:
            fix = (
                f"a letter before it: n{self.token.text[:40]}"
                if self.token.kind == NUMBER
                else f"put {wanted} there"
            )
            self.fail(f"{self.in_hand()} stands where {wanted} is expected", fix=fix)
        if self.token.text in KEYWORDS:
            self.fail(
                f"'{self.token.text}' is a word of the language, not a name", fix=f"{self.token.text}_1"
            )
        return self.take()
