"""Names that would lie on one another are written beside the picture, with a line to what each of them names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from linkwork.view.primitive import Circle, Path, Primitive, Text
from linkwork.view.theme import LABEL_LETTERS

Area = tuple[float, float, float, float]

NAMES: Final = {"label": -1, "mark-name": 1}
"""Names by their ink, and on which side of a picture they are called out: left and right."""
LETTER_WIDTHS: Final = {"label": 0.58 * LABEL_LETTERS, "mark-name": 0.66 * LABEL_LETTERS}
LINE: Final = 1.25 * LABEL_LETTERS
"""In pixels: of a letter by its ink, and from one line of letters to the next."""
AXES: Final = 48.0
"""In pixels: what the axes of a picture in space take at its lower left corner."""
GAP: Final = 14.0
"""In pixels, between the picture and the names beside it, and from the edge of the paper."""
SPOT: Final = 1.8
"""The radius in pixels of the spot at which a line points."""


def names_overlap(painted: Sequence[Primitive]) -> bool:
    """Whether any name in a picture, in pixels, lies on another.

    >>> names_overlap([Text(0j, "crank", "label"), Text(10 + 2j, "rod", "label")])
    True
    >>> names_overlap([Text(0j, "crank", "label"), Text(10 + 40j, "rod", "label")])
    False
    """
    boxes = sorted(map(_box, _names(painted)))
    for number, (_, top, right, bottom) in enumerate(boxes):
        for other in boxes[number + 1 :]:
            if other[0] >= right:
                break
            if other[1] < bottom and top < other[3]:
                return True
    return False


def room_beside(painted: Sequence[Primitive]) -> tuple[float, float]:
    """The pixels that names called out need on the left and on the right."""
    widths = dict.fromkeys(NAMES.values(), 0.0)
    for name in _names(painted):
        side = NAMES[name.ink]
        widths[side] = max(widths[side], _width(name) + 2 * GAP)
    return widths[-1], widths[1]


def called_out(painted: Sequence[Primitive], area: Area) -> list[Primitive]:
    """The picture with its names in columns at the sides of an area, from the top down as what they name is."""
    every = _names(painted)
    rest: list[Primitive] = [each for each in painted if each not in every]
    for ink, side in NAMES.items():
        names = [each for each in every if each.ink == ink]
        # Of two at one height the nearer has the lower name: lines to those behind it pass above it.
        names.sort(key=lambda each: (round(each.at.imag), side * each.at.real))
        heights = spread([each.at.imag for each in names], LINE, (area[1] + LINE, area[3] - AXES))
        for name, height in zip(names, heights, strict=True):
            rest += _one(name, height, side, area)
    return rest


def _one(name: Text, height: float, side: int, area: Area) -> list[Primitive]:
    """A name at the side, the line to what it names, and the spot there."""
    outer = area[0] if side < 0 else area[2]
    inner = complex(outer - side * (_width(name) + GAP / 2), height - LABEL_LETTERS / 3)
    text = replace(name, at=complex(outer, height), shift=0j, anchor="start" if side < 0 else "end")
    return [
        Path(((name.at, inner),), "leader", closed=False),
        Circle(name.at, SPOT, "leader-spot"),
        text,
    ]


def spread(wanted: Sequence[float], apart: float, within: tuple[float, float]) -> list[float]:
    """Heights near those that are wanted, which rise, at least ``apart`` and if possible within a range.

    >>> spread([0.0, 0.1, 5.0], 1.0, (0.0, 5.0))
    [0.0, 1.0, 5.0]
    """
    low, high = within
    found: list[float] = []
    for height in wanted:
        found.append(max(height, found[-1] + apart if found else low))
    limit = high
    for place in reversed(range(len(found))):
        found[place] = min(found[place], limit)
        limit = found[place] - apart
    return found


def _names(painted: Sequence[Primitive]) -> list[Text]:
    return [each for each in painted if isinstance(each, Text) and each.ink in NAMES]


def _width(name: Text) -> float:
    return LETTER_WIDTHS[name.ink] * len(name.text)


def _box(name: Text) -> Area:
    """Left, top, right and bottom of a name that begins at its place."""
    at = name.at + name.shift.conjugate()
    return at.real, at.imag - LABEL_LETTERS, at.real + _width(name), at.imag
