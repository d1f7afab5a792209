"""What a picture is made of in the end: paths, circles and texts, each naming the ink it is drawn in.

Points of the plane are complex numbers, so that a pose is ``turn * point + shift`` and ``1j * d`` is the
direction to the left of ``d``. The same three kinds serve in a body's coordinates, in the world's, and in
the pixels of a picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

Anchor = Literal["start", "middle", "end"]
Mapping = Callable[[complex], complex]


@dataclass(frozen=True, slots=True)
class Path:
    """Rings filled by the even-odd rule, so inner rings are holes; or, not closed, lines."""

    rings: tuple[tuple[complex, ...], ...]
    ink: str
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Circle:
    """A round spot: pins and holes."""

    center: complex
    radius: float
    ink: str


@dataclass(frozen=True, slots=True)
class Text:
    """Upright text; ``shift`` moves it in pixels, to the right and up."""

    at: complex
    text: str
    ink: str
    anchor: Anchor = "start"
    shift: complex = 0j


Primitive = Path | Circle | Text

_NOT_TEXT = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def readable(text: str) -> str:
    r"""The text in one line, with a mark in place of what neither XML nor a font can hold.

    >>> readable("slider\n\x00crank")
    'slider �crank'
    """
    return " ".join(_NOT_TEXT.sub("\ufffd", text).split())


def mapped(primitive: Primitive, place: Mapping, scale: float = 1.0) -> Primitive:
    """The primitive somewhere else; ``scale`` is how much lengths grow.

    >>> mapped(Circle(1 + 0j, 2.0, "pin-0"), lambda point: 10 * point, 10.0)
    Circle(center=(10+0j), radius=20.0, ink='pin-0')
    """
    if isinstance(primitive, Path):
        rings = tuple(tuple(place(point) for point in ring) for ring in primitive.rings)
        return Path(rings, primitive.ink, primitive.closed)
    if isinstance(primitive, Circle):
        return Circle(place(primitive.center), primitive.radius * scale, primitive.ink)
    return replace(primitive, at=place(primitive.at))


def extremes(primitive: Primitive) -> tuple[complex, ...]:
    """Points whose box holds the primitive, but for the width of lines and letters."""
    if isinstance(primitive, Path):
        return tuple(point for ring in primitive.rings for point in ring)
    if isinstance(primitive, Circle):
        radius = primitive.radius
        return tuple(primitive.center + radius * step for step in (1, 1j, -1, -1j))
    return (primitive.at,)
