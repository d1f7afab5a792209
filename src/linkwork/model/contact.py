"""What contacts between the parts of a machine are like: friction, restitution, and how hard and damped they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from linkwork.algebra import evaluate
from linkwork.errors import LinkworkError, UnknownName
from linkwork.model.fault import Fault, did_you_mean, listed
from linkwork.model.field import Inner, Record, Scalar, Size, TableOf, given
from linkwork.model.ordered import Ordered
from linkwork.model.part import GROUND

if TYPE_CHECKING:
    from linkwork.model.machine import Machine

LARGEST: Final[Mapping[str, float]] = {
    "friction": math.inf,
    "restitution": 1.0,
    "stiffness": math.inf,
    "damping": math.inf,
    "pressing": math.inf,
}
"""The constants of a contact, and what each may be at most; none is below 0, and the stiffness is above it."""


@dataclass(frozen=True)
class ContactConstants(Record):
    """The constants of the contacts between some parts."""

    friction: Size | None = given(Scalar(example=0.3), None, "Coulomb's coefficient")
    restitution: Size | None = given(Scalar(example=0.5), None, "Poisson's coefficient, 0 to 1")
    stiffness: Size | None = given(Scalar(example=1e5), None, "force per depth, where parts are elastic")
    damping: Size | None = given(Scalar(example=1e4), None, "force per speed, where parts are elastic")
    pressing: Size | None = given(
        Scalar(example=100), None, "how soon depth brings the damping in, per length"
    )

    def values(self, values: Mapping[str, float]) -> dict[str, float]:
        """Those that are given, in numbers."""
        found = {name: getattr(self, name) for name in LARGEST}
        return {name: evaluate([each], values)[0] for name, each in found.items() if each is not None}


@dataclass(frozen=True)
class Contact(ContactConstants):
    """What contacts are like: of all parts, and of those in ``pair``, by one part or by two with a slash.

    >>> Contact(friction=0.1, pair={"lever/wheel": {"restitution": 0.5}}).pair["lever/wheel"].plain()
    {'restitution': 1/2}
    """

    pair: Ordered[ContactConstants] = given(
        TableOf(Inner(ContactConstants), "a table of parts, or pairs of them, and their constants"), Ordered()
    )

    def renamed(self, names: Mapping[str, str]) -> Contact:
        """The same with other names of parts; of entries that then speak of the same parts the last counts."""
        pair: dict[frozenset[str], tuple[str, ContactConstants]] = {}
        for key, constants in self.pair.items():
            parts = [names.get(name, name) for name in pair_parts(key)]
            pair.pop(frozenset(parts), None)
            pair[frozenset(parts)] = "/".join(dict.fromkeys(parts)), constants
        return replace(self, pair=Ordered(pair.values()))


def pair_parts(key: str) -> list[str]:
    """The parts that a key of the table of pairs names.

    >>> pair_parts("ewheel / lever"), pair_parts("lever")
    (['ewheel', 'lever'], ['lever'])
    """
    return [name.strip() for name in key.split("/")]


def constant_error(name: str, value: float) -> LinkworkError | None:
    """What is wrong with a constant of a contact, if anything is."""
    least = "above 0" if name == "stiffness" else "not below 0"
    wanted = "a number from 0 to 1" if LARGEST[name] == 1 else f"a finite number {least}"
    if math.isfinite(value) and 0 <= value <= LARGEST[name] and (value > 0 or name != "stiffness"):
        return None
    return LinkworkError(
        f"the {name} of a contact makes no sense",
        got=f"{name} = {value:.6g}",
        wanted=wanted,
        fix=f"{name} = {'1e5' if name == 'stiffness' else '0.1'}",
    )


def contact_faults(machine: Machine, values: Mapping[str, float]) -> Iterator[Fault]:
    """Constants of contacts that make no sense, and pairs of parts that are none."""
    contact = machine.contact
    tables = [
        (("contact",), contact),
        *((("contact", "pair", key), each) for key, each in contact.pair.items()),
    ]
    for where, constants in tables:
        for name, value in constants.values(values).items():
            error = constant_error(name, value)
            if error is not None:
                yield Fault((*where, name), error)
    known = dict.fromkeys([*machine.parts, GROUND])
    seen: dict[frozenset[str], str] = {}
    for key in contact.pair:
        parts = pair_parts(key)
        error = _pair_error(key, parts, [*known], seen.setdefault(frozenset(parts), key))
        if error is not None:
            yield Fault(("contact", "pair", key), error)


def _pair_error(key: str, parts: list[str], known: list[str], first: str) -> LinkworkError | None:
    example = f'[contact.pair."{"/".join(known[:2])}"]'
    for name in parts:
        if name not in known:
            return UnknownName(
                f"there is no part '{name}' that could touch another",
                got=key,
                wanted=listed(known),
                fix=did_you_mean(name, known, example),
            )
    if len(parts) > 2 or len({*parts}) < len(parts):
        return LinkworkError(
            "contacts are between two parts, or between one part and all others",
            got=key,
            wanted="one part, or two parts with a slash",
            fix=example,
        )
    if first != key:
        return LinkworkError(
            "the contacts of these parts are told twice",
            got=f"{first} and {key}",
            fix=f'remove [contact.pair."{key}"]',
        )
    return None
