"""One record of a STEP file: its kind, its arguments, and what they refer to.

An argument is a number, a text, a word between dots, a reference, a list, a value with a kind of its own, nothing
(``$``) or left to others (``*``). Asking for an argument of another sort is an error that names the record.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NoReturn

from linkwork.solid.step.fault import StepError, quoted
from linkwork.solid.step.text import StepText
from linkwork.solid.step.words import plain_text

DEEPEST: Final = 24
"""Brackets within brackets; a surface of splines needs three."""

_TOKEN: Final = re.compile(
    r"(?:\s++|/\*.*?\*/)*+"
    r"(?:([(),])"
    r"|\#\s*+(\d{1,18})(?!\d)"
    r"|([+-]?(?:\d++\.?\d*+|\.\d++)(?:[Ee][+-]?\d++)?)"
    r"|'((?:[^']|'')*+)'"
    r"|\.([A-Za-z_]\w*+)\."
    r"|([A-Za-z_!]\w*+)"
    r"|([$*])"
    r'|"([0-9A-Fa-f]*+)")',
    re.DOTALL,
)
_OPEN, _CLOSE, _COMMA = "(", ")", ","
_NUMBER: Final = r"[+-]?+(?:\d++\.?+\d*+|\.\d++)(?:[Ee][+-]?+\d++)?+"
_ONE: Final = rf"\s*+(?:\#\d{{1,18}}+|\.[A-Za-z_]\w*+\.|[$*]|{_NUMBER})\s*+"
_WORD: Final = re.compile(r"[A-Za-z_]\w*+")
_USUAL: Final = re.compile(
    rf"\s*+\(\s*+'([^'\\]*+)'\s*+((?:,(?:{_ONE}|\s*+\({_ONE}(?:,{_ONE})*+\)\s*+))*+)\)\s*+"
)
"""A name, and behind it plain values and lists of such: nine of ten records are so."""


@dataclass(frozen=True, slots=True)
class Reference:
    """``#12``: another record."""

    number: int


@dataclass(frozen=True, slots=True)
class Word:
    """``.T.``: one of a few words."""

    word: str


@dataclass(frozen=True, slots=True)
class Typed:
    """``LENGTH_MEASURE(25.4)``: values with a kind."""

    kind: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Absent:
    """``$`` or ``*``: nothing."""


Value = float | str | Reference | Word | Typed | Absent | tuple["Value", ...]
NOTHING: Final = Absent()


def read_values(source: StepText, number: int) -> tuple[Value, ...]:
    """The values between the brackets of a record; for one of several kinds, those kinds."""
    usual = _USUAL.fullmatch(source.text, *source.spans[number])
    found = None if usual is None else _usual_values(usual[1], usual[2])
    return _any_values(source, number) if found is None else (found,)


def _usual_values(name: str, rest: str) -> tuple[Value, ...] | None:
    """The values of a record that is known to be plain; None if a number is too large."""
    values: list[Value] = [plain_text(name)]
    inner: list[Value] = values
    for given in rest.split(",")[1:]:
        mark = given.strip()
        if mark[0] == _OPEN:
            inner, mark = [], mark[1:].lstrip()
        closes = mark[-1] == _CLOSE
        if closes:
            mark = mark[:-1].rstrip()
        first = mark[0]
        if first == "#":
            inner.append(Reference(int(mark[1:])))
        elif first in "$*":
            inner.append(NOTHING)
        elif first == "." and mark[-1] == "." and len(mark) > 1:
            inner.append(Word(mark[1:-1].upper()))
        else:
            value = float(mark)
            if not math.isfinite(value):
                return None
            inner.append(value)
        if closes:
            values.append(tuple(inner))
            inner = values
    return tuple(values)


def _any_values(source: StepText, number: int) -> tuple[Value, ...]:
    """The same for records of any sort, without recursion, so that no file is nested too deeply for it."""
    place, end = source.spans[number]
    kinds: list[str] = [""]
    stack: list[list[Value]] = [[]]
    kind, expects_value = "", True
    match = _TOKEN.match
    while (token := match(source.text, place, end)) is not None:
        sort = token.lastindex or 0
        mark = token[sort]
        place = token.end()
        if sort == 1 and mark == _OPEN:
            if len(stack) > DEEPEST:
                _fail(source, number, token.start(sort), "brackets are nested too deeply")
            kinds.append(kind)
            stack.append([])
            kind, expects_value = "", True
        elif sort == 1 and mark == _CLOSE:
            values = tuple(stack.pop())
            if not stack or kind:
                _fail(source, number, token.start(sort), "a bracket closes that was not opened")
            opened = kinds.pop()
            stack[-1].append(Typed(opened, values) if opened else values)
            expects_value = False
        elif sort == 1:
            if expects_value:
                _fail(source, number, token.start(sort), "there is a comma too many")
            expects_value = True
        elif sort == 6:
            kind = mark.upper()
        else:
            stack[-1].append(_plain(source, number, token, sort))
            expects_value = False
    if len(stack) != 1 or kind or source.text[place:end].strip():
        _fail(source, number, place, "this record cannot be read")
    return tuple(stack[0])


def _plain(source: StepText, number: int, token: re.Match[str], sort: int) -> Value:
    mark = token[sort]
    if sort == 2:
        return Reference(int(mark))
    if sort == 3:
        found = float(mark)
        if not math.isfinite(found):
            _fail(source, number, token.start(sort), "a number is too large", wanted="a number below 1e308")
        return found
    if sort == 4:
        return plain_text(mark)
    if sort == 5:
        return Word(mark.upper())
    return NOTHING if sort == 7 else mark


def _fail(
    source: StepText, number: int, place: int, problem: str, wanted: str = "#number = KIND(arguments);"
) -> NoReturn:
    start, end = source.spans[number]
    source.fail_at(
        place,
        problem,
        entity=number,
        got=quoted(source.text[max(start, place - 40) : min(end, place + 60)]) or "nothing",
        wanted=wanted,
        fix="export the file again",
    )


class Record:
    """A record, or one of the kinds of a record that is several at once."""

    __slots__ = ("_file", "kind", "number", "parts", "values")

    def __init__(
        self,
        file: StepFile,
        number: int,
        kind: str,
        values: tuple[Value, ...],
        parts: Mapping[str, tuple[Value, ...]],
    ) -> None:
        self._file = file
        self.number = number
        self.kind = kind
        self.values = values
        self.parts = parts
        """The arguments of each kind that it is."""

    def __repr__(self) -> str:
        return f"#{self.number} {self.kind}"

    def part(self, kind: str) -> Record:
        """The same record as one of its kinds."""
        if kind == self.kind:
            return self
        if kind not in self.parts:
            self.fail(f"this is no {kind}", got=self.kind, wanted=kind)
        return self.told(kind, self.parts[kind])

    def told(self, kind: str, values: tuple[Value, ...]) -> Record:
        """The same record with other values of one kind, as put together from several."""
        return Record(self._file, self.number, kind, values, self.parts)

    # ------------------------------------------------------------------------------ arguments

    def value(self, place: int) -> Value:
        """The argument at a place, counted from 0."""
        if place >= len(self.values):
            self.fail(
                "arguments are missing",
                wanted=f"at least {place + 1} arguments",
            )
        return self.values[place]

    def record(self, place: int, *kinds: str) -> Record:
        """The record that an argument refers to, which must be of one of these kinds, if any are said."""
        return self._followed(self.value(place), place, kinds)

    def optional(self, place: int, *kinds: str) -> Record | None:
        """The same where there may be nothing."""
        value = self.values[place] if place < len(self.values) else NOTHING
        return None if isinstance(value, Absent) else self._followed(value, place, kinds)

    def records(self, place: int, *kinds: str) -> list[Record]:
        """The records that a list of references names."""
        return [self._followed(each, place, kinds) for each in self._list(place)]

    def number_at(self, place: int) -> float:
        """A number, bare or with a kind."""
        value = self.value(place)
        if isinstance(value, Typed) and len(value.values) == 1:
            value = value.values[0]
        if not isinstance(value, float):
            self._fail_argument(place, "a number")
        return value

    def whole(self, place: int) -> int:
        """A whole number."""
        return int(self.number_at(place))

    def numbers(self, place: int) -> list[float]:
        """A list of numbers."""
        found = [each for each in self._list(place) if isinstance(each, float)]
        if len(found) != len(self._list(place)):
            self._fail_argument(place, "a list of numbers")
        return found

    def rows(self, place: int, *kinds: str) -> list[list[Record]]:
        """The records that lists of references in a list name."""
        return [[self._followed(each, place, kinds) for each in row] for row in self._lists(place)]

    def number_rows(self, place: int) -> list[list[float]]:
        """Lists of numbers in a list, all of one length."""
        found = [[each for each in row if isinstance(each, float)] for row in self._lists(place)]
        if any(len(row) != len(given) for row, given in zip(found, self._lists(place), strict=True)) or (
            len({len(row) for row in found}) > 1
        ):
            self._fail_argument(place, "lists of numbers")
        return found

    def word(self, place: int) -> str:
        """A word that stands between dots."""
        value = self.value(place)
        if not isinstance(value, Word):
            self._fail_argument(place, "a word like .T.")
        return value.word

    def flag(self, place: int) -> bool:
        """True or false."""
        word = self.word(place)
        if word not in ("T", "F"):
            self._fail_argument(place, ".T. or .F.")
        return word == "T"

    def text(self, place: int) -> str:
        """A text; empty where there is none."""
        value = self.values[place] if place < len(self.values) else ""
        return value if isinstance(value, str) else ""

    def _list(self, place: int) -> tuple[Value, ...]:
        value = self.value(place)
        if not isinstance(value, tuple):
            self._fail_argument(place, "a list")
        return value

    def _lists(self, place: int) -> list[tuple[Value, ...]]:
        found = [each for each in self._list(place) if isinstance(each, tuple)]
        if len(found) != len(self._list(place)):
            self._fail_argument(place, "a list of lists")
        return found

    def _followed(self, value: Value, place: int, kinds: tuple[str, ...]) -> Record:
        if not isinstance(value, Reference):
            self._fail_argument(place, "a reference to " + (" or ".join(kinds) or "a record"))
        found = self._file.record(value.number, self)
        if kinds and found.kind not in kinds and not any(kind in found.parts for kind in kinds):
            self.fail(
                f"{found!r} stands where something else belongs",
                got=found.kind,
                wanted=" or ".join(kinds),
                fix="export the file again",
            )
        return found

    # --------------------------------------------------------------------------------- faults

    def _fail_argument(self, place: int, wanted: str) -> NoReturn:
        self.fail(f"argument {place + 1} of {self.kind} makes no sense", wanted=wanted)

    def fail(
        self,
        problem: str,
        *,
        got: str = "",
        wanted: str = "",
        why: str = "",
        fix: str = "export the file again",
        error: type[StepError] = StepError,
    ) -> NoReturn:
        """Raise an error that names this record and its line."""
        source = self._file.source
        start, end = source.spans[self.number]
        source.fail_at(
            start,
            problem,
            entity=self.number,
            got=got or quoted(f"{source.kinds[self.number]}{source.text[start : min(end, start + 400)]}"),
            wanted=wanted,
            why=why,
            fix=fix,
            error=error,
        )


class StepFile:
    """The records of a file as they are asked for; each is read once."""

    def __init__(self, source: StepText) -> None:
        self.source = source
        self._read: dict[int, Record] = {}

    @property
    def count_read(self) -> int:
        """How many records were asked for."""
        return len(self._read)

    def record(self, number: int, user: Record | None = None) -> Record:
        """A record by its number; ``user`` is the one that refers to it."""
        known = self._read.get(number)
        if known is None:
            if number not in self.source.spans:
                self._fail_missing(number, user)
            known = self._read[number] = self._parsed(number)
        return known

    def of_kind(self, *kinds: str) -> list[Record]:
        """All records of some kinds, in the order of the file; also those that are several kinds at once."""
        numbers = [number for kind in kinds for number in self.source.of_kind.get(kind, ())]
        numbers += {number: None for kind in kinds for number in self._of_several.get(kind, ())}
        found = [self.record(number) for number in sorted(numbers, key=self.source.spans.__getitem__)]
        return [each for each in found if any(kind in each.parts for kind in kinds)]

    @cached_property
    def _of_several(self) -> dict[str, list[int]]:
        """The records of several kinds at once by the words in them that may be kinds, so that not all are read."""
        found: dict[str, list[int]] = {}
        for number in self.source.of_kind.get("", ()):
            for word in {*_WORD.findall(self.source.text, *self.source.spans[number])}:
                found.setdefault(word.upper(), []).append(number)
        return found

    def _parsed(self, number: int) -> Record:
        values = read_values(self.source, number)
        kind = self.source.kinds[number]
        if len(values) != 1 or not isinstance(values[0], tuple):
            _fail(self.source, number, self.source.spans[number][0], "this record cannot be read")
        arguments = values[0]
        if kind:
            return Record(self, number, kind, arguments, {kind: arguments})
        parts = {each.kind: each.values for each in arguments if isinstance(each, Typed)}
        if len(parts) != len(arguments) or not parts:
            _fail(self.source, number, self.source.spans[number][0], "this record cannot be read")
        return Record(self, number, " ".join(parts), (), parts)

    def _fail_missing(self, number: int, user: Record | None) -> NoReturn:
        if user is None:
            raise StepError(f"there is no #{number}", file=self.source.file)
        user.fail(
            f"#{number} is missing",
            wanted=f"a record #{number} = …",
            why="the record refers to one that the file does not have",
            fix="export the file again, whole",
        )
