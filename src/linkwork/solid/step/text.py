"""The text of a STEP file (ISO 10303-21), split into its records; each is understood when it is first asked for.

A large file has a million records of which many matter to nobody (styles, dates, people). One pass finds where each
begins and what kind it is; its arguments are read when something refers to it. So the time is linear in the length.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Final, NoReturn

from linkwork.solid.step.fault import StepError, quoted

LARGEST_FILE: Final = 512 * 2**20
"""Bytes."""

_BLANK: Final = r"(?:\s++|/\*.*?\*/)*+"
_BODY: Final = r"(?:[^;'/]++|'[^']*+'|/\*.*?\*/|/)*+"
_RECORD: Final = re.compile(rf"{_BLANK}\#\s*+(\d{{1,18}})\s*+=\s*+([A-Za-z_]\w*+)?({_BODY});", re.DOTALL)
_STATEMENT: Final = re.compile(rf"{_BLANK}([A-Za-z_][\w-]*+)?({_BODY});", re.DOTALL)
_SCHEMAS: Final = ("CONFIG_CONTROL_DESIGN", "AUTOMOTIVE_DESIGN", "AP203", "AP214", "AP242")
WANTED_SCHEMAS: Final = "AP203, AP214 or AP242"


class StepText:
    """The records of a file, by number and by kind."""

    def __init__(self, text: str, file: str = "") -> None:
        self.text = text.removeprefix("\ufeff")
        self.file = file
        self.spans: dict[int, tuple[int, int]] = {}
        """Where the arguments of a record begin and end."""
        self.kinds: dict[int, str] = {}
        """The kind of a record; empty for one that is several kinds at once."""
        self._split()

    @cached_property
    def of_kind(self) -> dict[str, list[int]]:
        """The numbers of all records of a kind, in the order of the file."""
        found: dict[str, list[int]] = {}
        for number, kind in self.kinds.items():
            found.setdefault(kind, []).append(number)
        return found

    # ------------------------------------------------------------------------------ sections

    def _split(self) -> None:
        statement = _STATEMENT.match(self.text)
        if statement is None or (statement[1] or "").upper() != "ISO-10303-21":
            self._fail_as_foreign()
        place, seen = statement.end(), False
        while True:
            statement = _STATEMENT.match(self.text, place)
            if statement is None:
                self._fail_as_cut(place)
            name, place = (statement[1] or "").upper(), statement.end()
            if name == "END-ISO-10303-21":
                break
            if name == "FILE_SCHEMA":
                self._check_schema(statement)
            if name == "DATA":
                seen, place = True, self._split_data(place)
        if not seen:
            self.fail_at(
                place,
                "this STEP file has no data",
                got="a header alone",
                wanted="a section DATA; … ENDSEC;",
                fix="export it again",
            )

    def _split_data(self, place: int) -> int:
        """Enter the records of a section; where the section ends."""
        match, spans, kinds = _RECORD.match, self.spans, self.kinds
        while found := match(self.text, place):
            number = int(found[1])
            if number in spans:
                self.fail_at(
                    found.start(1),
                    f"#{number} is given twice",
                    got=quoted(found[0]),
                    wanted="a number of its own for each record",
                    fix="export the file again",
                )
            spans[number] = found.span(3)
            kinds[number] = (found[2] or "").upper()
            place = found.end()
        statement = _STATEMENT.match(self.text, place)
        if statement is None:
            self._fail_as_cut(place)
        if (statement[1] or "").upper() != "ENDSEC":
            self.fail_at(
                statement.end() - len(statement[0].lstrip()),
                "this is no record",
                got=quoted(statement[0]),
                wanted="#number = KIND(…);",
                fix="export the file again",
            )
        return statement.end()

    def _check_schema(self, statement: re.Match[str]) -> None:
        names = re.findall(r"'([^']*)'", statement[2])
        known = [name for name in names if name.strip().upper().startswith(_SCHEMAS)]
        if names and not known:
            self.fail_at(
                statement.start(1),
                "this STEP file describes something else than parts of machines",
                got=quoted(", ".join(names)),
                wanted=WANTED_SCHEMAS,
                fix="export it as STEP AP214",
            )

    # -------------------------------------------------------------------------------- faults

    def _fail_as_foreign(self) -> NoReturn:
        self.fail_at(
            0,
            "this is no STEP file",
            got=quoted(self.text) or "nothing",
            wanted="text that begins with ISO-10303-21;",
            fix="export it as STEP AP214 (.step, .stp)",
        )

    def _fail_as_cut(self, place: int) -> NoReturn:
        rest = self.text[place:].lstrip()
        self.fail_at(
            len(self.text) - len(rest) if rest else len(self.text.rstrip()),
            "the file ends too early",
            got=quoted(rest) or "the end of the file",
            wanted="END-ISO-10303-21; at its end",
            why="it was cut off, or a quote is not closed",
            fix="export or copy it again",
        )

    def fail_at(
        self,
        place: int,
        problem: str,
        *,
        entity: int = 0,
        got: str = "",
        wanted: str = "",
        why: str = "",
        fix: str = "",
        error: type[StepError] = StepError,
    ) -> NoReturn:
        """Raise the error of a place in the text."""
        raise error(
            problem,
            file=self.file,
            line=self.line_at(place),
            entity=entity,
            got=got,
            wanted=wanted,
            why=why,
            fix=fix,
        )

    def line_at(self, place: int) -> int:
        """The number of the line of a place in the text, counted from 1."""
        return bisect_right(self._line_starts, place)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]
