"""Gears and racks in mesh, as recognition finds them."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.solid.placement import Floats

Solids = tuple[str, str]
"""The names of a part and of a solid in it."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """Two gears in mesh: groups, parts, carrier, and how far the second goes for a turn of the first (or a radian)."""

    kind: str
    groups: tuple[int, int]
    parts: tuple[int, int]
    carrier: int
    axis: Floats
    point: Floats
    ratio: float
    sizes: tuple[float, float]
    solids: frozenset[frozenset[Solids]]
    """The pairs of solids that mesh."""
    why: str
    teeth: tuple[int, int] | None = None


@dataclass(frozen=True)
class Misplaced:
    """Two parts whose teeth would mesh if one of them were drawn elsewhere: how, and how far that is."""

    parts: tuple[int, int]
    how: str
    by: float
