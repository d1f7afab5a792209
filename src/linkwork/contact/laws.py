"""What contacts are like: friction, restitution, and the constants of the elastic model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from linkwork.errors import LinkworkError, UsageError
from linkwork.model import Machine
from linkwork.model.contact import LARGEST, constant_error, pair_parts

STIFFNESS: Final = 1e5
DAMPING: Final = 1e4
PRESSING: Final = 100.0
"""The constants E, D and M of Gelsey (1995), eq. 4."""


@dataclass(frozen=True)
class Law:
    """The constants of one contact.

    ``friction`` is Coulomb's coefficient and ``restitution`` that of Poisson. In the elastic model a depth o that grows
    at the rate v makes a force of stiffness·o + damping·v·pressing·o, where that is above 0.
    """

    friction: float = 0.0
    restitution: float = 0.0
    stiffness: float = STIFFNESS
    damping: float = DAMPING
    pressing: float = PRESSING

    def __post_init__(self) -> None:
        for name in LARGEST:
            value = getattr(self, name)
            error: LinkworkError | None = UsageError(
                f"the {name} of a contact is no number", got=repr(value)[:60]
            )
            if isinstance(value, int | float) and not isinstance(value, bool):
                error = constant_error(name, value)
            if error is not None:
                raise UsageError(
                    error.problem, got=error.got, wanted=error.wanted, fix=error.fix or f"{name} = 0.1"
                )


@dataclass(frozen=True)
class Laws:
    """The law of all contacts, and what differs from it where single parts or pairs of them touch.

    >>> laws = Laws(Law(friction=0.1), {frozenset(["lever"]): {"friction": 0.2}})
    >>> laws.of("wheel", "lever").friction, laws.of("wheel", "ground").friction
    (0.2, 0.1)
    """

    common: Law = Law()
    pairs: Mapping[frozenset[str], Mapping[str, float]] = field(default_factory=dict)

    def of(self, one: str, other: str) -> Law:
        """The law between two parts: what is said of both counts more than what is said of one of them."""
        both = frozenset((one, other))
        single = [own for parts, own in self.pairs.items() if len(parts) == 1 and parts < both]
        found = {name: value for own in (*single, self.pairs.get(both, {})) for name, value in own.items()}
        return replace(self.common, **found)


class RestitutionWarning(UserWarning):
    """A restitution is given for elastic parts, which have none."""


def restitution_unused(laws: Laws) -> str:
    """That a restitution is given, which does not count for elastic parts, and what does; nothing where none is.

    >>> print(restitution_unused(Laws(Law(restitution=0.5, stiffness=2e5))))  # doctest: +ELLIPSIS
    restitution = 0.5 does not count for elastic parts: how far they rebound follows from stiffness = 200000, ...
    """
    given = {"": laws.common} | {
        ".".join(sorted(parts)): laws.of(*parts) for parts in laws.pairs if len(parts) == 2
    }
    told = [
        f"restitution = {law.restitution:g}" + (f" of {name}" if name else "")
        for name, law in given.items()
        if law.restitution
    ]
    told += [
        f"restitution = {own['restitution']:g} of {name}"
        for (name, *others), own in laws.pairs.items()
        if not others and own.get("restitution")
    ]
    if not told:
        return ""
    law = laws.common
    losing = law.damping * law.pressing
    speed = (
        f", by which they part at most at the speed stiffness/(damping·pressing) = {law.stiffness / losing:g}"
    )
    return (
        f"{', '.join(dict.fromkeys(told))} does not count for elastic parts: how far they rebound follows from"
        f" stiffness = {law.stiffness:g}, damping = {law.damping:g} and pressing = {law.pressing:g} of [contact]"
        + (speed if losing else "")
    )


def machine_laws(machine: Machine, common: Mapping[str, float] | None = None) -> Laws:
    """The laws that a machine's table of contacts gives; ``common`` has what counts instead for all parts.

    >>> from linkwork.model import Contact, Machine
    >>> machine_laws(Machine.of("m", contact=Contact(friction="1/4")), {"restitution": 0.5}).common
    Law(friction=0.25, restitution=0.5, stiffness=100000.0, damping=10000.0, pressing=100.0)
    """
    values = machine.values()
    given = machine.contact
    pairs = {frozenset(pair_parts(key)): each.values(values) for key, each in given.pair.items()}
    return Laws(Law(**{**given.values(values), **(common or {})}), pairs)
