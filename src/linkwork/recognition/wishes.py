"""What a user says beforehand about the parts of a machine of solids."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from linkwork.solid.placement import Triple


@dataclass(frozen=True)
class Wishes:
    """What a user says beforehand: pairs of parts and what is between them, and what is known of parts.

    ``between`` gives "fixed", "contact" or "ignore" for pairs of parts; ``free`` are parts that nothing holds;
    ``fasteners`` are parts that weld what they go through, with the reason; ``threads`` the pitches of screws in their
    nuts, below 0 for left-handed ones; ``slots`` are pairs of parts of which a pin in a slot is a joint.
    """

    between: Mapping[frozenset[str], str] = field(default_factory=dict)
    free: Collection[str] = ()
    fasteners: Mapping[str, str] = field(default_factory=dict)
    threads: Mapping[frozenset[str], float] = field(default_factory=dict)
    gravity: Triple | None = None
    slots: Collection[frozenset[str]] = ()
