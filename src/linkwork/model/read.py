"""The text of a machine file to a machine; every fault with file, line, and what to write instead."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Collection
from functools import cached_property
from typing import Any, Final, NoReturn, TypeVar

from linkwork.algebra import Definition, Expression, number, parse, parse_equation, symbol
from linkwork.errors import CyclicDefinition, LinkworkError, ParseError, UnknownNameInText
from linkwork.model.contact import Contact
from linkwork.model.drawing import Drawing
from linkwork.model.drive import Drive, Span
from linkwork.model.fault import PlacedError, did_you_mean, listed, nearest
from linkwork.model.field import STATE, Coordinates, ExpressionReader, Record
from linkwork.model.force import FORCES
from linkwork.model.joint import JOINTS
from linkwork.model.lines import Path, Places, line_of, places, source_line
from linkwork.model.machine import Machine
from linkwork.model.names import Names, scope_names
from linkwork.model.ordered import Ordered
from linkwork.model.part import Frame, Part
from linkwork.model.pose import Pose
from linkwork.model.scene import Condition, Control, Energy, Surface
from linkwork.model.schema import (
    FORMAT,
    PAIR_WORDS,
    THREAD_WORD,
    Mismatch,
    Numeral,
    machine_schema,
    mismatches,
    type_shown,
)
from linkwork.model.structure import PLURALS, TABLES, unknown_name
from linkwork.model.unjoined import is_unjoined, with_dimension
from linkwork.model.view import View
from linkwork.model.write import inline

R = TypeVar("R")

_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_STATEMENT: Final = re.compile(r"""(?P<key>[^=\[\]#"']+?)\s*=\s*(?P<value>[^"'#\[{][^"'#]*)""")
# tomllib takes quadratic time over the dots of a key: a megabyte of them would take hours.
_ENDLESS_KEY: Final = re.compile(
    r"""(?<![\w"'.-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){100}""", re.ASCII
)
_NAME: Final = re.compile(r"[\w.]+")


def machine_from_text(text: str, file: str, name: str) -> Machine:
    r"""The machine that a TOML text describes. ``file`` is for messages; ``name`` is its name by default.

    >>> machine_from_text('linkwork = 1\n[parameter]\na = "2*x"\n', "m.toml", "m")
    Traceback (most recent call last):
    linkwork.model.fault.PlacedError: m.toml:3: parameter a: nothing here is called 'x'
      got:    2*x
                ^
      wanted: a
      fix:    [parameter]
              x = 1
    """
    source = _Source(text, file)
    document = source.document()
    source.check(document)
    return source.machine(document, name)


class _Source:
    """One reading of one text; it knows where each key stands."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file

    @cached_property
    def places(self) -> Places:
        return places(self.text)

    def fail(
        self, path: Path, problem: str, *, got: str = "", wanted: str = "", why: str = "", fix: str = ""
    ) -> NoReturn:
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
        place = _PLACE.search(message)
        reason = message[: place.start()] if place else message
        if self.places.again and re.search("overwrite|twice|[Dd]uplicate", reason):
            path, position = next(iter(self.places.again.items()))
            self.fail_on_duplicate(path, position)
        position = len(self.text)
        if place and place[1]:
            lines = self.text.split("\n", int(place[1]) - 1)
            position = len(self.text) - len(lines[-1]) + int(place[2]) - 1
        position = len(self.text[:position].rstrip()) if _is_blank(self.text, position) else position
        shown = ParseError("", text=self.text, position=position)  # for its caret
        line = line_of(self.text, position)
        raise PlacedError(
            "this is not TOML",
            file=self.file,
            line=line,
            got=shown.got,
            why=reason,
            fix=self.toml_fix(source_line(self.text, line)),
        )

    def toml_fix(self, line: str) -> str:
        """The usual cures: quotes around an expression, or around a name that is not plain ASCII."""
        statement = _STATEMENT.fullmatch(line)
        if statement is None:
            return "see docs/machine-files.md, or start from: linkwork examples four-bar-table"
        key, value = statement["key"], statement["value"].strip()
        key = key if re.fullmatch(r"[\w.-]+", key, re.ASCII) else f'"{key}"'
        if re.fullmatch(r"[-+]?\d+(,\d+)?", value):
            return f"{key} = {value.replace(',', '.')}"
        return f"{key} = {value}" if re.fullmatch(r"[-+\d.eE_]+", value) else f'{key} = "{value}"'

    def fail_on_duplicate(self, path: Path, position: int) -> NoReturn:
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

    def check(self, document: dict[str, Any]) -> None:
        """The format's number, then keys and types against the schema."""
        first = next(iter(document), "")
        if "linkwork" not in document:
            raise PlacedError(
                "this is not a machine file: the key linkwork is missing",
                file=self.file,
                line=1,
                got=source_line(self.text, 1)[:100] or "an empty line",
                wanted=f"linkwork = {FORMAT} as the first key",
                fix=f"linkwork = {FORMAT}",
            )
        for mismatch in mismatches(document["linkwork"], machine_schema()["properties"]["linkwork"]):
            self.fail(
                ("linkwork",),
                "this version reads another format of machine files",
                wanted=f"linkwork = {FORMAT}",
                why="a newer file needs a newer linkwork" if type(mismatch.value) is int else "",
                fix=f"linkwork = {FORMAT}",
            )
        if first != "linkwork":
            self.fail(
                ("linkwork",),
                f"linkwork = {FORMAT} must be the first key",
                why=f"'{first}' stands before it",
                fix=f"move linkwork = {FORMAT} to the beginning of the file",
            )
        for mismatch in mismatches(document, machine_schema()):
            self.fail_on_mismatch(mismatch)

    def fail_on_mismatch(self, mismatch: Mismatch) -> NoReturn:
        path, value, schema, known, missing = mismatch
        key = str(path[-1])
        if known is None:
            if isinstance(value, dict) and path[0] == "parameter":
                self.fail_on_dotted_name(path, value)
            problem = f"{_shown(path)} is {_value_shown(value, schema)}"
            self.fail(
                path,
                f"{_shown(path[:-1])} has no {key}" if missing else problem,
                wanted=_wanted(schema),
                fix=self.nearest_word(key, value, schema) or _example(path, schema),
            )
        is_name_with_dot = isinstance(value, dict) and len(path) == 3 and path[0] in TABLES
        otherwise = f"[{path[0]}.{path[1]}_{key}]" if is_name_with_dot else f"remove {_key(key[:60])}"
        self.fail(
            path,
            f"there is no key '{key[:60]}' {f'in {_shown(path[:-1])}' if len(path) > 1 else 'here'}",
            wanted="one of " + ", ".join(known),
            why="TOML reads a name with a dot as a table in a table" if is_name_with_dot else "",
            fix=did_you_mean(key, known, otherwise),
        )

    def nearest_word(self, key: str, value: Any, schema: Any) -> str:
        """The word of a list that was probably meant."""
        words = [word for word in schema.get("enum", ()) if isinstance(word, str)]
        near = nearest(value, words) if isinstance(value, str) else ""
        return f'{_key(key)} = "{near}"' if near else ""

    def fail_on_dotted_name(self, path: Path, value: dict[str, Any]) -> NoReturn:
        inner = next(iter(value), "angle")
        self.fail(
            path,
            f"{_shown(path)} is a table",
            wanted="a number, or an expression",
            why="TOML reads a name with a dot as a table unless it stands in quotes",
            fix=f"{_key(f'{path[-1]}.{inner}')} = 1",
        )

    # --------------------------------------------------------------------------- expressions

    def machine(self, document: dict[str, Any], name: str) -> Machine:
        """The machine of data that fit the schema."""
        given, defined = document.get("parameter", {}), document.get("definition", {})
        for table, names in (("parameter", given), ("definition", defined)):
            for key in names:
                self.reading((table, key), symbol, key)
        parameters = {key: self.parameter(key, value, given, defined) for key, value in given.items()}
        document, words = self.without_words(document)
        said = document.get("dimension")
        document = with_dimension(document)
        parts, frames, joints, controls = (
            document.get(table, {}) for table in ("part", "frame", "joint", "control")
        )
        drawn, dimension = "drawing" in document, document["dimension"]
        found_later = is_unjoined(document)
        scopes = scope_names(given, defined, dimension, parts, frames, joints, controls, drawn, found_later)
        definitions = tuple(self.definition(key, value, scopes[STATE]) for key, value in defined.items())

        def expression(path: Path, value: Any, scope: str, own: tuple[str, ...] = ()) -> Expression:
            return self.scoped(path, value, scopes[scope].and_also(own), scopes[STATE])

        try:
            return Machine(
                document.get("name", name),
                document.get("title", ""),
                Ordered(parameters),
                definitions,
                tuple(document.get("outputs", ())),
                Ordered(document.get("units", {})),
                pair_words=Ordered(words),
                is_flat=found_later and said == 2,
                folder=os.path.dirname(self.file),
                **self.structure(document, expression),
            )
        except PlacedError:
            raise
        except LinkworkError as error:
            raise self.placed(error, error.where) from error

    def without_words(self, document: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
        """The data without the joints that are a word, and those."""
        joints = document.get("joint", {})
        words = {key: value for key, value in joints.items() if isinstance(value, str)}
        for key, word in words.items():
            if word not in PAIR_WORDS and not re.fullmatch(THREAD_WORD, word):
                self.fail(
                    ("joint", key),
                    f"joint {key}: '{word}' is no word for what is between solids",
                    wanted=f'{", ".join(PAIR_WORDS)}, or screw with its pitch, such as "screw 2"',
                    fix=_pair_word_fix(key, word),
                )
        left = {key: value for key, value in joints.items() if key not in words}
        return ({**document, "joint": left} if words else document), words

    def scoped(self, path: Path, value: Any, names: Names, elsewhere: Names) -> Expression:
        """An expression; a name that may stand ``elsewhere`` but not here has an error of its own."""
        try:
            return self.expression(path, value, names)
        except PlacedError as fault:
            cause = fault.__cause__
            if isinstance(cause, UnknownNameInText) and (word := _name_at(cause)) in elsewhere:
                error = unknown_name(word, names, elsewhere)
                error.got = cause.got
                raise self.placed(error, path, about=f"{_shown(path)}: ") from cause
            raise

    def structure(self, document: dict[str, Any], expression: ExpressionReader) -> dict[str, Any]:
        """Parts, joints and the like, by the names of a machine's fields."""
        readers: dict[str, Callable[[dict[str, Any]], type[Record]]] = {
            "part": lambda table: Part,
            "frame": lambda table: Frame,
            "joint": lambda table: JOINTS[table["type"]],
            "drive": lambda table: Drive,
            "force": lambda table: FORCES[table["type"]],
            "surface": lambda table: Surface,
            "control": lambda table: Control,
            "energy": lambda table: Energy,
            "constraint": lambda table: Condition,
            "initial": lambda table: Condition,
        }
        found: dict[str, Any] = {
            "dimension": document["dimension"],
            "functions": Ordered(document.get("function", {})),
        }
        for table, record in readers.items():
            entries = document.get(table, {})
            found[PLURALS[table]] = Ordered(
                {
                    key: self.reading((table, key), record(entry).read, (table, key), entry, expression)
                    for key, entry in entries.items()
                }
            )
        if "gravity" in document:
            found["gravity"] = Coordinates().read(("gravity",), document["gravity"], expression)
        for key, single in (("time", Span), ("view", View), ("plane", Pose), ("contact", Contact)):
            found[key] = self.reading((key,), single.read, (key,), document.get(key, {}), expression)
        if "drawing" in document:
            found["drawing"] = self.reading(
                ("drawing",), Drawing.read, ("drawing",), document["drawing"], expression
            )
        return found

    def parameter(self, key: str, value: Any, given: Collection[str], defined: Collection[str]) -> Expression:
        path: Path = ("parameter", key)
        try:
            return self.expression(path, value, given)
        except PlacedError as fault:
            cause = fault.__cause__
            if isinstance(cause, UnknownNameInText) and (word := _name_at(cause)) in defined:
                self.fail(
                    path,
                    f"parameter {key}: '{word}' is a definition",
                    got=cause.got,
                    wanted=listed(given),
                    why="a parameter may use only other parameters",
                    fix=f"move {_key(key)} to [definition]",
                )
            raise

    def definition(self, key: str, value: Any, known: Collection[str]) -> Definition:
        path: Path = ("definition", key)
        if not isinstance(value, dict):
            if isinstance(value, str) and re.search(r"(?<![<>=!])=(?!=)", value):
                self.fail(
                    path,
                    f"definition {key}: an equation stands where an expression is expected",
                    fix=f"{_key(key)} = {{ implicit = {json.dumps(value, ensure_ascii=False)} }}",
                )
            return self.reading(path, Definition.of, key, self.expression(path, value, known))
        explicit = implicit = None
        if "explicit" in value:
            explicit = self.expression((*path, "explicit"), value["explicit"], known)
        if "implicit" in value:
            implicit = self.reading((*path, "implicit"), parse_equation, value["implicit"], known)
        return self.reading(path, Definition.of, key, explicit, implicit)

    def expression(self, path: Path, value: Any, names: Collection[str]) -> Expression:
        if isinstance(value, int):
            return self.reading(path, number, value)
        if isinstance(value, Numeral):
            return self.numeral(path, value.text)
        return self.reading(path, parse, value, names)

    def numeral(self, path: Path, written: str) -> Expression:
        digits = written.replace("_", "").lstrip("+-")
        if digits in ("inf", "nan"):
            self.fail(
                path,
                f"{_shown(path)} is {'infinite' if digits == 'inf' else 'not a number'}",
                wanted="a finite number",
                fix=f"{_key(path[-1])} = 1.0" if isinstance(path[-1], str) else "1.0",
            )
        value = self.reading(path, parse, digits)
        return -value if written.startswith("-") else value

    def reading(self, path: Path, read: Callable[..., R], *arguments: Any) -> R:
        """What ``read`` returns; its errors get their place in the file."""
        try:
            return read(*arguments)
        except PlacedError:
            raise
        except LinkworkError as error:
            fix = ""
            if isinstance(error, UnknownNameInText) and not error.fix.startswith("did you mean"):
                fix = f"[parameter]\n{_key(_name_at(error))} = 1"
            if isinstance(error, CyclicDefinition) and isinstance(path[-1], str):
                equation = json.dumps(error.got, ensure_ascii=False)
                fix = f"{_key(path[-1])} = {{ implicit = {equation} }}   # to solve an equation for it"
            if not fix and not error.fix:
                fix = f"{_key(path[-1])} = 1" if isinstance(path[-1], str) else "1"
            raise self.placed(error, path, about=f"{_shown(path)}: ", fix=fix) from error

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


def _is_blank(text: str, position: int) -> bool:
    """Whether a fault is said to be behind the line it belongs to."""
    return not text[text.rfind("\n", 0, position) + 1 :].split("\n", 1)[0].strip()


def _value_shown(value: Any, schema: Any) -> str:
    """What is wrong with a value, in a few words: its type, or the value itself where the type is right."""
    if isinstance(value, list) and "array" in schema["type"]:
        return f"a list of {len(value)}"
    if "enum" in schema and isinstance(value, str | int):
        return json.dumps(value, ensure_ascii=False)[:60]
    return str(value) if "minimum" in schema and isinstance(value, int) else type_shown(value)


def _name_at(error: ParseError) -> str:
    match = _NAME.match(error.text, error.position)
    return match[0][:60] if match else ""


def _shown(path: Path) -> str:
    """A path in words: ``parameter a``, ``output 3``, ``joint A between, entry 2``."""
    if path[0] == "outputs" and len(path) == 2:
        return f"output {int(path[1]) + 1}"
    words = [f", entry {part + 1}" if isinstance(part, int) else f" {part[:60]}" for part in path]
    return "".join(words).strip()


def _wanted(schema: Any) -> str:
    """What a schema asks for, in words."""
    about: str = schema["description"]
    is_record = schema.get("type") == "object" and "a table" not in about
    return f"a table: {about[0].lower()}{about[1:]}" if is_record else about


def _example(path: Path, schema: Any) -> str:
    """What could stand at a path instead, to be pasted."""
    if "examples" in schema:
        shown = inline(schema["examples"][0])
        return f"{_key(path[-1])} = {shown}" if isinstance(path[-1], str) else shown
    if any(isinstance(each, int) for each in path):
        inner = next(iter(schema.get("properties", {"at": {}})))
        return f"{{ {inner} = … }}"
    header = ".".join(_key(str(each)) for each in path)
    holds_tables = schema.get("additionalProperties") not in (False, None) and len(path) == 1
    holds_tables = holds_tables and "object" in schema["additionalProperties"].get("type", ())
    return f"[{header}.A]" if holds_tables else f"[{header}]"


def _key(name: str) -> str:
    """A name as a TOML key, in quotes where it needs them."""
    plain = re.fullmatch(r"[A-Za-z0-9_-]+", name)
    return name if plain else json.dumps(name, ensure_ascii=False)


def _pair_word_fix(key: str, word: str) -> str:
    """The cure of a word that says nothing between solids; which joint is there is found, not said."""
    if word.strip().lower().startswith("screw"):
        return f'{_key(key)} = "screw 2"'
    return did_you_mean(
        word, PAIR_WORDS, f"remove {_key(key)}   # which joint is there is found from the solids"
    )
