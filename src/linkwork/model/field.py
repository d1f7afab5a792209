"""The fields of records: what a value may be in Python and in a file, said once per field.

A record (a part, a joint, a drive …) is a frozen dataclass whose fields carry a *kind*. A kind knows the
JSON Schema of its values, how to take what a user writes in Python, how to read what stands in a file, how
to write it back, and which expressions it holds. So a new joint is one class: its schema, its reader, its
writer and its checks follow from its fields.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from linkwork.algebra import Expression, Number, number, parse
from linkwork.algebra.reserved import FUNCTION_NAMES
from linkwork.errors import ExpressionError, LinkworkError, UsageError
from linkwork.model.fault import did_you_mean, nearest
from linkwork.model.lines import Path
from linkwork.model.ordered import Ordered
from linkwork.model.vector import Vector

Size = Any
"""The annotation of a field that holds an expression; a number or a text is taken for one."""
Sizes = Any
"""A field with a tuple of expressions; any sequence of numbers and texts is taken."""
Place = Any
"""A field with a :class:`Vector`; any sequence of two or three numbers or texts is taken."""
Places = Any
"""A field with a tuple of vectors."""
Points = Any
"""A field with named vectors; any mapping is taken."""

SIZES: Final = "sizes"
"""Scope of an expression that may use parameters."""
TIME: Final = "time"
"""Parameters and the time t."""
STATE: Final = "state"
"""Parameters, time, coordinates of parts and their rates."""
ANY: Final = "any"
"""Any name: in a drawing a name that is no parameter is a dimension without a number."""


class Leaf(NamedTuple):
    """An expression inside a record: where it stands, and what it may mention."""

    where: Path
    value: Expression
    scope: str
    own: tuple[str, ...] = ()  # names that mean something in this field alone, such as the s of a curve

    def inside(self, key: str | int) -> Leaf:
        """The same expression, seen from one level further out."""
        return self._replace(where=(key, *self.where))


class ExpressionReader(Protocol):
    """Reads one number or text of a file; errors get their place."""

    def __call__(self, path: Path, value: Any, scope: str, own: tuple[str, ...] = ()) -> Expression: ...


class Kind:
    """The kind of a field."""

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its values in a file."""
        raise TypeError(f"{type(self).__name__} has no schema")

    def taken(self, value: Any) -> Any:
        """What is stored of a value given in Python."""
        return value

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        """What is stored of a value read from a file; it fits the schema already."""
        return value

    def plain(self, value: Any) -> Any:
        """The stored value as texts, numbers, lists, tables and expressions, to be written to a file."""
        return value

    def leaves(self, value: Any) -> Iterator[Leaf]:
        """The expressions in the stored value, numbers left out."""
        return iter(())


@dataclass(frozen=True)
class Scalar(Kind):
    """A number or an expression."""

    scope: str = SIZES
    own: tuple[str, ...] = ()
    example: Any = 1.5

    def schema(self) -> dict[str, Any]:
        return {
            "type": ["number", "string"],
            "description": "a number, or an expression in quotes",
            "examples": [self.example],
        }

    def taken(self, value: Any) -> Any:
        if isinstance(value, str):
            return parse(value)
        if isinstance(value, bool):  # to Python a number, to a reader of the machine a mistake
            raise _unwanted("a number or an expression", value, self.schema())
        try:
            return number(value)
        except ExpressionError:
            if isinstance(value, float):  # not finite
                raise
            raise _unwanted("a number or an expression", value, self.schema()) from None

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        return expression(path, value, self.scope, self.own)

    def leaves(self, value: Any) -> Iterator[Leaf]:
        if value is not None and not isinstance(value, Number):
            yield Leaf((), value, self.scope, self.own)


@dataclass(frozen=True)
class Entries(Kind):
    """A list of one kind, stored as a tuple; ``least`` and ``most`` bound its length."""

    of: Kind
    least: int = 0
    most: int = 10**6
    about: str = "a list"
    example: Any = (1, 2)

    def schema(self) -> dict[str, Any]:
        shown = _lists(self.example)
        found = {"type": "array", "items": self.of.schema(), "description": self.about, "examples": [shown]}
        bounds = {"minItems": self.least} if self.least else {}
        return found | bounds | ({"maxItems": self.most} if self.most < 10**6 else {})

    def taken(self, value: Any) -> Any:
        entries = value.tolist() if hasattr(value, "tolist") else value  # an array of NumPy
        if isinstance(entries, str) or not isinstance(entries, Sequence | Vector):
            raise _unwanted("a list", value, self.schema())
        if not self.least <= len(entries) <= self.most:
            raise UsageError(
                f"a list of {len(entries)} has the wrong length",
                got=_shown(value),
                wanted=self.about,
                fix=str(_lists(self.example)),
            )
        return tuple(self.of.taken(entry) for entry in entries)

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        return tuple(self.of.read((*path, place), entry, expression) for place, entry in enumerate(value))

    def plain(self, value: Any) -> Any:
        return [self.of.plain(entry) for entry in value]

    def leaves(self, value: Any) -> Iterator[Leaf]:
        for place, entry in enumerate(value or ()):
            for leaf in self.of.leaves(entry):
                yield leaf.inside(place)


@dataclass(frozen=True)
class Coordinates(Entries):
    """A point or a direction, stored as a :class:`Vector`."""

    of: Kind = dataclasses.field(default_factory=Scalar)
    least: int = 2
    most: int = 3
    about: str = "a list of two numbers or expressions, in space three"

    def taken(self, value: Any) -> Any:
        return Vector(super().taken(value))

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        return Vector(super().read(path, value, expression))


@dataclass(frozen=True)
class OneOrMore(Entries):
    """One entry, or a list of them; stored as a tuple either way."""

    def schema(self) -> dict[str, Any]:
        found = super().schema()
        one = self.of.schema()["type"]
        kinds = [one] if isinstance(one, str) else [*one]
        return found | {"type": [*kinds, "array"], "examples": [self.example[0]]}

    def taken(self, value: Any) -> Any:
        several = hasattr(value, "__len__") and not isinstance(value, str)
        return super().taken(value if several else (value,))

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        return (
            super().read(path, value, expression)
            if isinstance(value, list)
            else (self.of.read(path, value, expression),)
        )

    def plain(self, value: Any) -> Any:
        return super().plain(value) if len(value) > 1 else self.of.plain(value[0])


class Formula(NamedTuple):
    """The text of a formula of frames, to be read where the machine is known."""

    text: str


def is_formula(text: str) -> bool:
    """Whether a text has vectors, or functions that plain expressions do not have.

    >>> is_formula("2*sin(t)"), is_formula("2*velocity(ball).x"), is_formula("[0, 0, 1]")
    (False, True, True)
    """
    called = re.findall(r"([^\W\d]\w*)\s*\(", text)
    return "[" in text or any(name not in FUNCTION_NAMES for name in called)


@dataclass(frozen=True)
class OrFormula(Kind):
    """A kind, or the text of a formula in its place."""

    of: Entries
    about: str
    is_formula: Callable[[str], bool] = lambda text: True

    def schema(self) -> dict[str, Any]:
        found = self.of.schema()
        kinds = [found["type"]] if isinstance(found["type"], str) else found["type"]
        about = f"{found['description']}, or {self.about} in quotes"
        return found | {"type": list(dict.fromkeys([*kinds, "string"])), "description": about}

    def taken(self, value: Any) -> Any:
        if isinstance(value, Formula):
            return value
        return Formula(value) if isinstance(value, str) and self.is_formula(value) else self.of.taken(value)

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        is_formula = isinstance(value, str) and self.is_formula(value)
        return Formula(value) if is_formula else self.of.read(path, value, expression)

    def plain(self, value: Any) -> Any:
        return value.text if isinstance(value, Formula) else self.of.plain(value)

    def leaves(self, value: Any) -> Iterator[Leaf]:
        return iter(()) if isinstance(value, Formula) else self.of.leaves(value)


@dataclass(frozen=True)
class TableOf(Kind):
    """A table of names and values of one kind."""

    of: Kind
    about: str = "a table of names and values"

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "description": self.about, "additionalProperties": self.of.schema()}

    def taken(self, value: Any) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            example = {"A": self.of.schema().get("examples", ["…"])[0]}
            raise _unwanted("a mapping of names", value, self.schema() | {"examples": [example]})
        return Ordered({name: self._taken(name, entry) for name, entry in value.items()})

    def _taken(self, name: str, entry: Any) -> Any:
        try:
            return self.of.taken(entry)
        except LinkworkError as error:
            error.problem = f"{name}: {error.problem}"
            raise

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        return Ordered(
            {name: self.of.read((*path, name), entry, expression) for name, entry in value.items()}
        )

    def plain(self, value: Any) -> Any:
        return {name: self.of.plain(entry) for name, entry in value.items()}

    def leaves(self, value: Any) -> Iterator[Leaf]:
        for name, entry in value.items():
            for leaf in self.of.leaves(entry):
                yield leaf.inside(name)


@dataclass(frozen=True)
class Text(Kind):
    """A text, such as a name or a reference like ``crank.B``."""

    about: str = "text"
    example: str = "crank"

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": self.about, "examples": [self.example]}

    def taken(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise _unwanted("a text", value, self.schema())
        return value


@dataclass(frozen=True)
class Flag(Kind):
    """True or false."""

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean", "description": "true or false", "examples": [True]}

    def taken(self, value: Any) -> Any:
        if not isinstance(value, bool):
            raise _unwanted("True or False", value, {"description": "True or False", "examples": [True]})
        return value


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number from 1 up."""

    example: int = 360

    def schema(self) -> dict[str, Any]:
        return {
            "type": "integer",
            "minimum": 1,
            "description": "a whole number from 1 up",
            "examples": [self.example],
        }

    def taken(self, value: Any) -> Any:
        if type(value) is not int or value < 1:
            raise _unwanted("a whole number", value, self.schema())
        return value


@dataclass(frozen=True)
class Choice(Kind):
    """One of a few words."""

    words: tuple[str, ...]

    def schema(self) -> dict[str, Any]:
        return {
            "type": "string",
            "enum": list(self.words),
            "description": "one of " + ", ".join(self.words),
            "examples": [self.words[0]],
        }

    def taken(self, value: Any) -> Any:
        if value not in self.words:
            near = nearest(value, self.words) if isinstance(value, str) else ""
            raise UsageError(
                "this word has no meaning here",
                got=_shown(value),
                wanted=", ".join(self.words),
                fix=f'"{near or self.words[0]}"',
            )
        return value


@dataclass(frozen=True)
class Inner(Kind):
    """A record inside a record, an inline table in a file."""

    of: type[Record]
    about: str = "a table"

    def schema(self) -> dict[str, Any]:
        return self.of.schema() | {"description": self.about}

    def taken(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self.of(**self._known(value))
        if not isinstance(value, self.of):
            fix = f"{self.of.__name__}({next(iter(self.of.kinds()))}=…)"
            raise UsageError(f"a {self.of.__name__} is wanted here", got=_shown(value), fix=fix)
        return value

    def _known(self, value: Mapping[str, Any]) -> Mapping[str, Any]:
        for name in value:
            if name not in self.of.kinds():
                raise UsageError(
                    f"a {self.of.__name__} has no {name!r}",
                    got=_shown(dict(value)),
                    wanted="one of " + ", ".join(self.of.kinds()),
                    fix=did_you_mean(str(name), self.of.kinds(), f"leave {name} out"),
                )
        return value

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        return self.of.read(path, value, expression)

    def plain(self, value: Any) -> Any:
        return value.plain()

    def leaves(self, value: Any) -> Iterator[Leaf]:
        return value.leaves() if value is not None else iter(())


@dataclass(frozen=True)
class Typed(Kind):
    """A record that comes in several types, told apart by its key ``type``, or another that all of them have."""

    types: Mapping[str, type[Record]]
    example: str

    @property
    def key(self) -> str:
        """The key that tells the type."""
        return self.types[self.example].discriminator

    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "description": f"a table with the key {self.key}",
            "oneOf": [record.schema() for record in self.types.values()],
            "properties": {
                self.key: {
                    "type": "string",
                    "enum": list(self.types),
                    "description": "one of " + ", ".join(self.types),
                    "examples": [self.example],
                }
            },
            "required": [self.key],
        }

    def taken(self, value: Any) -> Any:
        if not isinstance(value, tuple(self.types.values())):
            some = self.types[self.example].__name__
            raise UsageError(f"a {some} or the like is wanted here", got=_shown(value), fix=f"{some}(…)")
        return value

    def read(self, path: Path, value: Any, expression: ExpressionReader) -> Any:
        return self.types[value[self.key]].read(path, value, expression)

    def plain(self, value: Any) -> Any:
        return value.plain()

    def leaves(self, value: Any) -> Iterator[Leaf]:
        return iter(value.leaves())


def given(kind: Kind, default: Any = MISSING, about: str = "") -> Any:
    """A field of a record."""
    stored = default if default is MISSING or default is None else kind.taken(default)
    metadata = {"kind": kind, "about": about}
    return dataclasses.field(default=stored, metadata=metadata)


@dataclass(frozen=True)
class Record:
    """A frozen dataclass whose fields are made by :func:`given`."""

    word: ClassVar[str] = ""
    """What stands behind ``type =`` in a file, for records that come in several types."""
    discriminator: ClassVar[str] = "type"
    """The key behind which the word stands."""

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            if "kind" not in each.metadata or (value is None and each.default is None):
                continue
            try:
                object.__setattr__(self, each.name, each.metadata["kind"].taken(value))
            except LinkworkError as error:
                error.problem = f"{type(self).__name__}, {each.name}: {error.problem}"
                raise

    @classmethod
    def kinds(cls) -> Mapping[str, Kind]:
        """The fields and their kinds."""
        return _kinds_of(cls)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """The JSON Schema of the record's table in a file."""
        properties: dict[str, Any] = {}
        key = cls.discriminator
        if cls.word:
            properties[key] = {"const": cls.word, "description": f'"{cls.word}"', "examples": [cls.word]}
        for each in dataclasses.fields(cls):
            if "kind" in each.metadata:
                entry = each.metadata["kind"].schema()
                about = each.metadata["about"]
                properties[each.name] = (
                    entry | {"description": f"{about}: {entry['description']}"} if about else entry
                )
        needed = [each.name for each in dataclasses.fields(cls) if each.default is MISSING]
        return {
            "type": "object",
            "description": _first_line(cls.__doc__),
            "properties": properties,
            "required": [*([key] if cls.word else []), *needed],
            "additionalProperties": False,
        }

    @classmethod
    def read(cls, path: Path, table: Mapping[str, Any], expression: ExpressionReader) -> Any:
        """The record of a table that fits the schema."""
        kinds = cls.kinds()
        values = {
            key: kinds[key].read((*path, key), value, expression)
            for key, value in table.items()
            if key in kinds
        }
        return cls(**values)

    def plain(self) -> dict[str, Any]:
        """The fields that differ from their defaults, to be written to a file."""
        found: dict[str, Any] = {self.discriminator: self.word} if self.word else {}
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            if "kind" in each.metadata and value != each.default:
                found[each.name] = each.metadata["kind"].plain(value)
        return found

    def leaves(self) -> Iterator[Leaf]:
        """Every expression in the record, numbers left out."""
        for name, kind in self.kinds().items():
            for leaf in kind.leaves(getattr(self, name)):
                yield leaf.inside(name)


def registered(table: dict[str, Any]) -> Callable[[Any], Any]:
    """A decorator that enters a type of record under its word.

    Registering a class of the same name again replaces it, so that a notebook cell can be run twice.
    """

    def enter(cls: Any) -> Any:
        known = table.get(cls.word)
        if known is not None and known.__qualname__ != cls.__qualname__:
            raise UsageError(
                f"the type '{cls.word}' exists already",
                got=cls.__name__,
                why=f"it is {known.__name__}",
                fix=f'word = "my-{cls.word}"',
            )
        if not cls.word:
            raise UsageError(f"{cls.__name__} has no word to be called by in files", fix='word = "my-joint"')
        table[cls.word] = cls
        return cls

    return enter


_KINDS: Final[dict[type[Record], Mapping[str, Kind]]] = {}


def _kinds_of(record: type[Record]) -> Mapping[str, Kind]:
    """Found once for each class: records are made by the thousand."""
    if record not in _KINDS:
        fields = dataclasses.fields(record)
        _KINDS[record] = MappingProxyType(
            {each.name: each.metadata["kind"] for each in fields if "kind" in each.metadata}
        )
    return _KINDS[record]


def _unwanted(wanted: str, value: Any, schema: Mapping[str, Any]) -> UsageError:
    fix = repr(schema["examples"][0]) if "examples" in schema else ""
    return UsageError(
        f"{wanted} is wanted here", got=_shown(value), wanted=schema["description"], fix=fix or "{}"
    )


def _shown(value: Any) -> str:
    return f"{value!r} ({type(value).__name__})"[:80]


def _lists(value: Any) -> Any:
    """Nested tuples as lists, which is what a schema and a file have."""
    return [_lists(entry) for entry in value] if isinstance(value, tuple | list) else value


def _first_line(documentation: str | None) -> str:
    return (documentation or "").strip().split("\n")[0].rstrip(".")
