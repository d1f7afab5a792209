"""Names by which people call what stands still: the noun decides, as with fasteners."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from linkwork.recognition.fastener_names import noun_of

_ALWAYS: Final = (
    *("ground", "frame", "base", "baseplate", "base_plate", "housing", "chassis", "stand"),
    *("cabinet", "enclosure", "pedestal", "bench", "workbench", "floor", "foundation", "casing"),
)
"""What is called so stands still, also with other words before: a gear_housing does."""
_ALONE: Final = ("body", "bed", "case", "mount", "support", "wall", "table", "fixture", "carcass")
"""What is called so and no more: a valve_body or a lens_mount may be anything."""
_MOVING: Final = (
    *("moving", "movable", "sliding", "slide", "swinging", "swing", "tilting", "tilt", "turning", "rotating"),
    *("inner", "upper", "carriage", "wheel", "rotor"),
)
"""A frame of these may move."""


def called_frame(names: Iterable[str], size: Callable[[str], float]) -> str | None:
    """The part that its name says to stand still; of several that say so alike the largest.

    >>> called_frame(["arm", "gear_housing", "Base_2"], len)
    'Base_2'
    >>> called_frame(["frame_arm", "valve_body", "swing frame"], len) is None
    True
    """
    ranks = {name: rank for name in names if (rank := _rank(name)) is not None}
    best = [name for name, rank in ranks.items() if rank == min(ranks.values())]
    return best[0] if len(best) == 1 else max(best, key=lambda name: (size(name), name), default=None)


def _rank(name: str) -> tuple[int, int] | None:
    """How surely a name is that of a frame, the least the most surely; a module ``case`` has to be called ``case_``."""
    words = (*_ALWAYS, *_ALONE)
    plain = name.lower().rstrip("_")
    if plain in words:
        return 0, words.index(plain)
    nouns = noun_of(name)
    if len(nouns) == 1 and nouns[0] in words:
        return 1, words.index(nouns[0])
    if nouns and nouns[-1] in _ALWAYS and not {*nouns[:-1]} & {*_MOVING}:
        return 2, 0
    return None
