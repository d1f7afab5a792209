"""One reading of one file of TOML: its data, and where each key stands, so that every fault names a line."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cached_property
from typing import Any, ClassVar, Final, NoReturn

from linkwork.errors import LinkworkError, ParseError
from linkwork.model.fault import PlacedError, did_you_mean, nearest
from linkwork.model.lines import Path, Places, line_of, places, source_line
from linkwork.model.schema import Mismatch, Numeral, type_shown
from linkwork.model.write import inline

_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_STATEMENT: Final = re.compile(r"""(?P<key>[^=\[\]#"']+?)\s*=\s*(?P<value>[^"'#\[{][^"'#]*)""")
# tomllib takes quadratic time over the dots of a key: a megabyte of them would take hours.
_ENDLESS_KEY: Final = re.compile(
    r"""(?<![\w"'.-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){100}""", re.ASCII
)


class Source:
    """A text and the name of its file; faults are raised through it."""

    notation: ClassVar[str] = "TOML"
    otherwise: ClassVar[str] = "see docs/machine-files.md, or start from: linkwork examples four-bar-table"
    """What to do about a text that no usual cure helps."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file

    @cached_property
    def places(self) -> Places:
        """Where the keys stand; found when the first fault is to be told."""
        return places(self.text)

    # -------------------------------------------------------------------------------- faults

    def fail(
        self, path: Path, problem: str, *, got: str = "", wanted: str = "", why: str = "", fix: str = ""
    ) -> NoReturn:
        """A fault of what stands at a path."""
        line = self.places.line(path)
        raise PlacedError(
            problem,
            file=self.file,
            line=line,
            got=got or source_line(self.text, line)[:100],
            wanted=wanted,
            why=why,
            fix=fix,
        )

    def fail_at(self, position: int, problem: str) -> NoReturn:
        """What no person writes."""
        line = line_of(self.text, position)
        got = source_line(self.text, line)[:60] + "…"
        raise PlacedError(problem, file=self.file, line=line, got=got, fix="is it the right file?")

    def placed(self, error: LinkworkError, path: Path, *, about: str = "", fix: str = "") -> PlacedError:
        """An error that arose from the file's content, with its place in the file."""
        line = self.places.line(path)
        return PlacedError(
            about + error.problem,
            file=self.file,
            line=line,
            got=error.got or source_line(self.text, line)[:100],
            wanted=error.wanted,
            why=error.why,
            fix=fix or error.fix,
        )

    # ---------------------------------------------------------------------------------- TOML

    def document(self) -> dict[str, Any]:
        """The data of the text."""
        endless = _ENDLESS_KEY.search(self.text)
        if endless:
            self.fail_at(endless.start(), "a name has a hundred dots or more")
        try:
            return tomllib.loads(self.text, parse_float=Numeral)
        except tomllib.TOMLDecodeError as error:
            self.fail_on_toml(str(error))
        except RecursionError:  # tomllib reads nested lists by recursion
            self.fail_at(self.places.deepest(), "lists or tables are nested too deeply")
        except ValueError:  # an integer of more digits than Python converts
            digits = re.search(r"\d[\d_]{4000,}", self.text)
            self.fail_at(digits.start() if digits else 0, "a number has thousands of digits")

    def fail_on_toml(self, message: str) -> NoReturn:
        """What ``tomllib`` says, in our words and at its place."""
        place = _PLACE.search(message)
        reason = message[: place.start()] if place else message
        if self.places.again and re.search("overwrite|twice|[Dd]uplicate", reason):
            path, position = next(iter(self.places.again.items()))
            self.fail_on_duplicate(path, position)
        position = len(self.text)
        if place and place[1]:
            lines = self.text.split("\n", int(place[1]) - 1)
            position = len(self.text) - len(lines[-1]) + int(place[2]) - 1
        self.fail_on_text(position, reason)

    def fail_on_text(self, position: int, reason: str) -> NoReturn:
        """A text that is not in the notation it should be in."""
        position = len(self.text[:position].rstrip()) if _is_blank(self.text, position) else position
        shown = ParseError("", text=self.text, position=position)  # for its caret
        line = line_of(self.text, position)
        raise PlacedError(
            f"this is not {self.notation}",
            file=self.file,
            line=line,
            got=shown.got,
            why=reason,
            fix=self.cure(source_line(self.text, line)),
        )

    def cure(self, line: str) -> str:
        """The usual cures: quotes around an expression, or around a name that is not plain ASCII."""
        statement = _STATEMENT.fullmatch(line)
        if statement is None:
            return self.otherwise
        key, value = statement["key"], statement["value"].strip()
        key = key if re.fullmatch(r"[\w.-]+", key, re.ASCII) else f'"{key}"'
        if re.fullmatch(r"[-+]?\d+(,\d+)?", value):
            return f"{key} = {value.replace(',', '.')}"
        if re.fullmatch(r"[-+\d.eE_]+", value):
            before = re.sub(r"(?<!\d)\.(?=\d)", "0.", value)  # TOML wants digits on both sides of a point
            written = re.sub(r"(?<=\d)\.(?!\d)", ".0", before)
            return f"{key} = {written}"
        return f'{key} = "{value}"'

    def fail_on_duplicate(self, path: Path, position: int) -> NoReturn:
        """A key that stands in two places."""
        line = line_of(self.text, position)
        raise PlacedError(
            f"'{path[-1]}' is given twice",
            file=self.file,
            line=line,
            got=source_line(self.text, line)[:100],
            why=f"it stands already in line {self.places.line(path)}",
            fix="remove one of them",
        )

    # ----------------------------------------------------------------------------- structure

    def fail_on_mismatch(self, mismatch: Mismatch) -> NoReturn:
        """Data that differ from their schema."""
        path, value, schema, known, missing = mismatch
        key = str(path[-1])
        if known is None:
            holder = self.shown(path[:-1]) if path[:-1] else "the file"
            self.fail(
                path,
                f"{holder} has no {key}"
                if missing
                else f"{self.shown(path)} is {_value_shown(value, schema)}",
                wanted=_wanted(schema),
                fix=self.nearest_word(key, value, schema) or self.example(path, schema),
            )
        self.fail(
            path,
            f"there is no key '{key[:60]}' {f'in {self.shown(path[:-1])}' if len(path) > 1 else 'here'}",
            wanted="one of " + ", ".join(known),
            fix=did_you_mean(key, known, f"remove {self.key(key[:60])}"),
        )

    def nearest_word(self, key: str, value: Any, schema: Any) -> str:
        """The word of a list that was probably meant."""
        words = [word for word in schema.get("enum", ()) if isinstance(word, str)]
        near = nearest(value, words) if isinstance(value, str) else ""
        return self.assignment(key, near) if near else ""

    def example(self, path: Path, schema: Any) -> str:
        """What could stand at a path instead, to be pasted."""
        if "examples" in schema:
            return self.assignment(path[-1], schema["examples"][0])
        if any(isinstance(each, int) for each in path):
            inner = next(iter(schema.get("properties", {"at": {}})))
            return f"{{ {inner} = … }}"
        header = ".".join(toml_key(str(each)) for each in path)
        holds_tables = schema.get("additionalProperties") not in (False, None) and len(path) == 1
        holds_tables = holds_tables and "object" in schema["additionalProperties"].get("type", ())
        return f"[{header}.A]" if holds_tables else f"[{header}]"

    def assignment(self, key: str | int, value: Any) -> str:
        """A key and its value as they are written; of an entry of a list the value alone."""
        return f"{self.key(key)} = {inline(value)}" if isinstance(key, str) else inline(value)

    def key(self, name: str) -> str:
        """A key as it is written."""
        return toml_key(name)

    def shown(self, path: Path) -> str:
        """A path in words: ``parameter a``, ``joint A between, entry 2``."""
        words = [f", entry {part + 1}" if isinstance(part, int) else f" {part[:60]}" for part in path]
        return "".join(words).strip()


def toml_key(name: str) -> str:
    """A name as a TOML key, in quotes where it needs them.

    >>> toml_key("crank"), toml_key("crank.angle")
    ('crank', '"crank.angle"')
    """
    plain = re.fullmatch(r"[A-Za-z0-9_-]+", name)
    return name if plain else json.dumps(name, ensure_ascii=False)


def _is_blank(text: str, position: int) -> bool:
    """Whether a fault is said to be behind the line it belongs to."""
    return not text[text.rfind("\n", 0, position) + 1 :].split("\n", 1)[0].strip()


def _value_shown(value: Any, schema: Any) -> str:
    """What is wrong with a value, in a few words: its type, or the value itself where the type is right."""
    if "const" in schema or ("enum" in schema and isinstance(value, str | int)):
        return json.dumps(value, ensure_ascii=False)[:60]
    if isinstance(value, list) and "array" in schema["type"]:
        return f"a list of {len(value)}"
    return str(value) if "minimum" in schema and isinstance(value, int) else type_shown(value)


def _wanted(schema: Any) -> str:
    """What a schema asks for, in words."""
    about: str = schema["description"]
    is_record = schema.get("type") == "object" and "a table" not in about
    return f"a table: {about[0].lower()}{about[1:]}" if is_record else about
