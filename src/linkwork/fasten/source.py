"""One reading of one design file, in JSON or in TOML: its data, their faults in words, and at which line."""

from __future__ import annotations

import json
import sys
from functools import cached_property
from typing import Any, ClassVar, Final, NoReturn

from linkwork.fasten.json_places import json_places
from linkwork.fasten.schema import FORMAT, design_schema
from linkwork.model.fault import PlacedError
from linkwork.model.lines import Path, Places, source_line
from linkwork.model.schema import Numeral, mismatches
from linkwork.model.source import Source

START: Final = "see docs/fastening.md, or start from: linkwork examples two-pawl-tee"

COUNTED: Final = {"poly": "vertex", "root": "vertex", "start_region": "vertex", "directions": "number"}
"""Lists of points, and what one of them is called; they are counted from 0."""


class DesignSource(Source):
    """A design in TOML."""

    otherwise: ClassVar[str] = START
    data: dict[str, Any]

    def check(self) -> dict[str, Any]:
        """The data, once they fit the schema."""
        self.data = {}
        found = self.document()
        if not isinstance(found, dict):
            self.fail_on_kind(found)
        self.data = found
        if "linkwork" in found:
            self.fail(
                ("linkwork",),
                "this is a machine file, not a snap-fit design",
                wanted=self.assignment("schema", FORMAT),
                fix=f"linkwork show {self.file}",
            )
        if found.get("schema", FORMAT) != FORMAT:
            self.fail(
                ("schema",),
                "this is no design of a format that this version reads",
                wanted=self.assignment("schema", FORMAT),
                fix=self.assignment("schema", FORMAT),
            )
        for mismatch in mismatches(found, design_schema()):
            self.fail_on_mismatch(mismatch)
        return found

    def fail_on_kind(self, found: Any) -> NoReturn:
        """Data that are no table."""
        raise PlacedError(
            "this is not a snap-fit design",
            file=self.file,
            line=1,
            got=source_line(self.text, 1)[:100] or "an empty line",
            wanted=f'a table of keys: {{"schema": "{FORMAT}", …}}',
            fix=self.otherwise,
        )

    def shown(self, path: Path) -> str:
        """A path in the words of the drawing: ``pawl L, vertex 3, y``."""
        words: list[str] = []
        behind, entries = path, self.data
        while behind and behind[0] in ("obstacles", "pawls") and len(behind) > 1:
            name, entries = self.name_at(entries, behind)
            words, behind = [f"{str(behind[0])[:-1]} {name}"], behind[2:]
        counted = ""
        for part in behind:
            if isinstance(part, str):
                counted = COUNTED.get(part, "")
                words += [part[:60]] if part != "poly" else []
            elif counted:
                words.append(f"{counted} {part}")
                counted = ""
            else:
                words.append("xy"[part] if part < 2 else f"entry {part + 1}")
        return ", ".join(words)

    def name_at(self, table: dict[str, Any], path: Path) -> tuple[str, dict[str, Any]]:
        """What an obstacle or a pawl is called, or its number in the list where it has no name; and its table."""
        entries = table.get(str(path[0]))
        entry = entries[int(path[1])] if isinstance(entries, list) else None
        found = entry if isinstance(entry, dict) else {}
        name = found.get("name")
        return name[:60] if isinstance(name, str) and name else f"{int(path[1]) + 1} of the list", found


class JsonDesignSource(DesignSource):
    """A design in JSON."""

    notation: ClassVar[str] = "JSON"

    @cached_property
    def places(self) -> Places:
        """Where the keys stand."""
        return json_places(self.text)

    def document(self) -> Any:
        """The data of the text; numbers with a point stay text, so that they are read exactly."""
        self.has_duplicate = False
        try:
            found = json.loads(
                self.text,
                parse_float=Numeral,
                parse_int=_whole,
                parse_constant=Numeral,
                object_pairs_hook=self.table,
            )
        except json.JSONDecodeError as error:
            is_cut_off = error.pos >= len(self.text.rstrip()) or error.msg.startswith("Unterminated")
            self.fail_on_text(error.pos, f"{error.msg}{': the file ends too early' if is_cut_off else ''}")
        except RecursionError:
            self.fail_at(self.places.deepest(), "lists or tables are nested too deeply")
        if self.has_duplicate and self.places.again:
            self.fail_on_duplicate(*next(iter(self.places.again.items())))
        return found

    def table(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """The pairs of an object; JSON lets keys be repeated, of which then only the last would count."""
        found = dict(pairs)
        self.has_duplicate |= len(found) < len(pairs)
        return found

    def cure(self, line: str) -> str:
        """JSON has no usual cures."""
        return self.otherwise

    def key(self, name: str) -> str:
        """A key in its quotes."""
        return json.dumps(name, ensure_ascii=False)

    def assignment(self, key: str | int, value: Any) -> str:
        """A key with its value."""
        shown = json.dumps(value, ensure_ascii=False)
        return f"{self.key(key)}: {shown}" if isinstance(key, str) else shown


def _whole(digits: str) -> int | Numeral:
    """A whole number; one of more digits than Python converts stays text."""
    return int(digits) if len(digits) < sys.int_info.default_max_str_digits else Numeral(digits)
