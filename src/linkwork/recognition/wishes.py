"""What a user says beforehand about the parts of a machine of solids."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from linkwork.recognition.pulls import Pulls

CONTACT: Final = "contact"
"""The word for two parts that only touch, whatever their surfaces fit."""
OVERLAP: Final = "overlap"
"""The word for two parts that may lie in one another where they are drawn, and are joined all the same."""


@dataclass(frozen=True)
class Wishes:
    """What a user says beforehand: pairs of parts and what is between them, and what is known of parts.

    ``between`` gives "fixed", "contact", "ignore" or "overlap" for pairs of parts; ``free`` are parts that nothing
    holds, whatever they fit; ``fasteners`` are parts that weld what they go through, with the reason; ``rivets`` those
    of them that are hinges where they hold parts alone; ``threads`` the
    pitches of screws in their nuts, below 0 for left-handed ones; ``slots`` are pairs of parts of which a pin
    in a slot is a joint; ``taken`` are names that joints cannot have; ``is_flat``: all parts move in one plane;
    ``turning`` are parts that the file lets move by themselves, as with a spring of their own;
    ``is_spatial``: they move in space, whatever plane they keep to; ``one`` are pairs of parts that were found to be
    one, and why.
    """

    between: Mapping[frozenset[str], str] = field(default_factory=dict)
    free: Collection[str] = ()
    fasteners: Mapping[str, str] = field(default_factory=dict)
    threads: Mapping[frozenset[str], float] = field(default_factory=dict)
    pulls: Pulls = field(default_factory=Pulls)
    slots: Collection[frozenset[str]] = ()
    taken: Collection[str] = ()
    is_flat: bool = False
    is_spatial: bool = False
    rivets: Collection[str] = ()
    turning: Collection[str] = ()
    one: Mapping[frozenset[str], str] = field(default_factory=dict)

    @property
    def overlapping(self) -> set[frozenset[str]]:
        """The pairs of parts that may lie in one another where they are drawn."""
        return {both for both, word in self.between.items() if word == OVERLAP}
