"""The text of a machine file to a machine; every fault with file, line, and what to write instead."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection
from typing import Any, Final, NoReturn, TypeVar

from linkwork.algebra import Definition, Expression, number, parse, parse_equation, symbol
from linkwork.errors import CyclicDefinition, LinkworkError, ParseError, UnknownNameInText
from linkwork.model.contact import Contact
from linkwork.model.drawing import Drawing
from linkwork.model.drive import Drive, Span
from linkwork.model.fault import PlacedError, did_you_mean, listed
from linkwork.model.field import STATE, Coordinates, ExpressionReader, Record
from linkwork.model.force import FORCES
from linkwork.model.joint import JOINTS
from linkwork.model.lines import Path, source_line
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
)
from linkwork.model.source import Source, toml_key
from linkwork.model.structure import PLURALS, TABLES, unknown_name
from linkwork.model.unjoined import is_unjoined, with_dimension
from linkwork.model.view import View

R = TypeVar("R")

LEAST_PITCH: Final = 1e-9
"""Of a thread; one that is smaller, or larger than 10⁹, is an accident."""
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
    source = _MachineSource(text, file)
    document = source.document()
    source.check(document)
    return source.machine(document, name)


class _MachineSource(Source):
    """One reading of one machine file."""

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
        """Also names with dots, which TOML takes apart."""
        path, value = mismatch.path, mismatch.value
        if isinstance(value, dict) and mismatch.known is None and path[0] == "parameter":
            self.fail_on_dotted_name(path, value)
        if isinstance(value, dict) and mismatch.known is not None and len(path) == 3 and path[0] in TABLES:
            self.fail(
                path,
                f"there is no key '{str(path[2])[:60]}' in {self.shown(path[:-1])}",
                wanted="one of " + ", ".join(mismatch.known),
                why="TOML reads a name with a dot as a table in a table",
                fix=did_you_mean(str(path[2]), mismatch.known, f"[{path[0]}.{path[1]}_{path[2]}]"),
            )
        super().fail_on_mismatch(mismatch)

    def shown(self, path: Path) -> str:
        """Also ``output 3``."""
        is_output = path[0] == "outputs" and len(path) == 2
        return f"output {int(path[1]) + 1}" if is_output else super().shown(path)

    def fail_on_dotted_name(self, path: Path, value: dict[str, Any]) -> NoReturn:
        inner = next(iter(value), "angle")
        self.fail(
            path,
            f"{self.shown(path)} is a table",
            wanted="a number, or an expression",
            why="TOML reads a name with a dot as a table unless it stands in quotes",
            fix=f"{toml_key(f'{path[-1]}.{inner}')} = 1",
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
                is_spatial=found_later and said == 3,
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
            if word not in PAIR_WORDS and not _is_thread(word):
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
                raise self.placed(error, path, about=f"{self.shown(path)}: ") from cause
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
                    fix=f"move {toml_key(key)} to [definition]",
                )
            raise

    def definition(self, key: str, value: Any, known: Collection[str]) -> Definition:
        path: Path = ("definition", key)
        if not isinstance(value, dict):
            if isinstance(value, str) and re.search(r"(?<![<>=!])=(?!=)", value):
                self.fail(
                    path,
                    f"definition {key}: an equation stands where an expression is expected",
                    fix=f"{toml_key(key)} = {{ implicit = {json.dumps(value, ensure_ascii=False)} }}",
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
                f"{self.shown(path)} is {'infinite' if digits == 'inf' else 'not a number'}",
                wanted="a finite number",
                fix=f"{toml_key(path[-1])} = 1.0" if isinstance(path[-1], str) else "1.0",
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
                fix = f"[parameter]\n{toml_key(_name_at(error))} = 1"
            if isinstance(error, CyclicDefinition) and isinstance(path[-1], str):
                equation = json.dumps(error.got, ensure_ascii=False)
                fix = f"{toml_key(path[-1])} = {{ implicit = {equation} }}   # to solve an equation for it"
            if not fix and not error.fix:
                fix = f"{toml_key(path[-1])} = 1" if isinstance(path[-1], str) else "1"
            raise self.placed(error, path, about=f"{self.shown(path)}: ", fix=fix) from error


def _name_at(error: ParseError) -> str:
    match = _NAME.match(error.text, error.position)
    return match[0][:60] if match else ""


def _is_thread(word: str) -> bool:
    """Whether a word is that of a screw, with a pitch that can be computed with."""
    if not re.fullmatch(THREAD_WORD, word):
        return False
    return LEAST_PITCH <= abs(float(word.split()[1])) <= 1 / LEAST_PITCH


def _pair_word_fix(key: str, word: str) -> str:
    """The cure of a word that says nothing between solids; which joint is there is found, not said."""
    if word.strip().lower().startswith("screw"):
        return f'{toml_key(key)} = "screw 2"'
    return did_you_mean(
        word, PAIR_WORDS, f"remove {toml_key(key)}   # which joint is there is found from the solids"
    )
