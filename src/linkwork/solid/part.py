"""A part of a CAD file: its name there and its solid."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.solid.values import Solid


@dataclass(frozen=True)
class FilePart:
    """A solid where it stands, and a name that no other part of its file has."""

    name: str
    solid: Solid
