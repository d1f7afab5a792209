"""What a functional mock-up unit offers: its variables, and what stands in its description beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final

_PART: Final = r"[A-Za-z_][A-Za-z0-9_]*|'(?:[A-Za-z0-9_!#$%&()*+,\-./:;<>=?@\[\]^{}|~ ]|\\['\"\\])+'"
_STRUCTURED: Final = re.compile(rf"(?:{_PART})(?:\.(?:{_PART}))*|der\((?:{_PART})(?:\.(?:{_PART}))*\)")


class Kind(Enum):
    """What a variable is to the importer."""

    TIME = "time"
    PARAMETER = "parameter"
    FOLLOWING = "parameter that follows from others"
    INPUT = "input"
    STATE = "state"
    RATE = "rate of a state"
    OUTPUT = "output"
    INDICATOR = "event indicator"


@dataclass(frozen=True)
class Variable:
    """A real variable; its value reference is its place among all of them."""

    name: str
    kind: Kind
    start: float | None = None
    """Its start, where it has one: exact for parameters and inputs, a guess for states and outputs."""
    unit: str = ""
    about: str = ""
    least: float | None = None
    most: float | None = None
    rate_of: int | None = None
    """The place of the state whose rate it is."""
    is_output: bool = False
    needs: tuple[int, ...] = ()
    """The places of the states, inputs and the time that a rate or an output depends on."""

    @property
    def is_computed_at_start(self) -> bool:
        """Whether its first value comes out of the initialization."""
        return self.kind not in (Kind.TIME, Kind.PARAMETER, Kind.INPUT)


@dataclass(frozen=True)
class Description:
    """A unit as its description tells it. ``token`` changes with everything that is inside."""

    identifier: str
    name: str
    title: str
    tool: str
    variables: tuple[Variable, ...]
    start: float
    stop: float
    tolerance: float
    has_constraints: bool
    sources: tuple[str, ...]
    notes: tuple[str, ...] = ()
    token: str = ""

    def places(self, *kinds: Kind) -> list[int]:
        """The places of the variables of some kinds."""
        return [place for place, each in enumerate(self.variables) if each.kind in kinds]

    @cached_property
    def outputs(self) -> list[int]:
        """The places of all that is observed, states among them."""
        return [place for place, each in enumerate(self.variables) if each.is_output]

    @cached_property
    def initial_unknowns(self) -> list[int]:
        """The places of what the initialization finds and an importer may ask for; indicators are not among them."""
        found = (place for place, each in enumerate(self.variables) if each.is_computed_at_start)
        return [place for place in found if self.variables[place].kind is not Kind.INDICATOR]

    @property
    def naming(self) -> str:
        """The convention that all names follow."""
        every = all(_STRUCTURED.fullmatch(each.name) for each in self.variables)
        return "structured" if every else "flat"

    @property
    def units(self) -> list[str]:
        """The units that are used, each once."""
        return list(dict.fromkeys(each.unit for each in self.variables if each.unit))


def structured(name: str) -> str:
    r"""A dotted name with the parts that are no identifiers in quotes.

    >>> structured("bob.x"), structured("spare.rod 2.rate"), structured("it's")
    ('bob.x', "spare.'rod 2'.rate", "'it\\'s'")
    """
    return ".".join(_quoted(part) for part in name.split("."))


def _quoted(part: str) -> str:
    if not part.isascii() or re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", part):
        return part
    return "'" + re.sub(r"(['\"\\])", r"\\\1", part) + "'"


def distinct(names: Iterable[str]) -> list[str]:
    """The names, made distinct by underscores.

    >>> distinct(["time", "x", "time"])
    ['time', 'x', 'time_']
    """
    found: dict[str, None] = {}
    for name in names:
        while name in found:
            name += "_"
        found[name] = None
    return list(found)
