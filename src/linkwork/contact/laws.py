"""What contacts are like: friction, restitution, and the constants of the elastic model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from linkwork.errors import UsageError

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
        for name, most in (
            ("friction", math.inf),
            ("restitution", 1.0),
            ("stiffness", math.inf),
            ("damping", math.inf),
            ("pressing", math.inf),
        ):
            value = getattr(self, name)
            if not (isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= most):
                wanted = "a number from 0 to 1" if most == 1 else "a finite number not below 0"
                raise UsageError(
                    f"the {name} of a contact makes no sense",
                    got=f"{name} = {value}",
                    wanted=wanted,
                    fix=f"{name} = 0.1",
                )
        if self.stiffness == 0:
            raise UsageError(
                "a contact without stiffness holds nothing",
                got="stiffness = 0",
                wanted="a stiffness above 0",
                fix="stiffness = 1e5",
            )


@dataclass(frozen=True)
class Laws:
    """The law of all contacts, and those of single pairs of parts."""

    common: Law = Law()
    pairs: Mapping[frozenset[str], Law] = field(default_factory=dict)

    def of(self, one: str, other: str) -> Law:
        """The law between two parts."""
        return self.pairs.get(frozenset((one, other)), self.common)
