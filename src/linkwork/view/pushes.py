"""Forces of contacts as arrows: how long each is, and its outline.

Forces of one motion differ by powers of ten. So an arrow is not in proportion to its force f: it is f/(f + m) of the
longest, m being the middle one of all, which gets half of the length.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final

from linkwork.view.primitive import Circle, Path, Primitive
from linkwork.view.scene import Push, Scene

LONGEST: Final = 0.16
"""The longest arrow, in sizes of the picture."""
SHAFT, HEAD, SPOT = 0.0055, 0.018, 0.012
"""Half the width of the shaft and of the head, and the radius of the spot where bodies touch, in the same."""
HEAD_LENGTH: Final = 2.2
"""Of a head, in half widths of it."""


def middle_force(frames: Iterable[Sequence[Push]]) -> float:
    """The middle one of all forces.

    >>> middle_force([[Push(("a", "b"), (0, 0), (3, 4))], []])
    5.0
    """
    sizes = [size for frame in frames for push in frame if (size := math.hypot(*push.force)) > 0]
    return median(sizes) if sizes else 1.0


def arrow_vector(force: Sequence[float], middle: float, longest: float) -> tuple[float, ...]:
    """The arrow of a force."""
    size = math.hypot(*force)
    if size == 0:
        return tuple(0.0 for _ in force)
    long = longest * size / (size + middle)
    return tuple(each / size * long for each in force)


def arrow_outline(tail: complex, along: complex, unit: float) -> tuple[complex, ...]:
    """An arrow as a ring of points; ``unit`` is the size of the picture."""
    length = abs(along)
    way = along / length
    head = min(HEAD_LENGTH * HEAD * unit, 0.6 * length)
    half, wide = 1j * way * SHAFT * unit, 1j * way * head / HEAD_LENGTH
    half = min(half, wide / 2, key=abs)
    neck, tip = tail + along - way * head, tail + along
    return (tail + half, neck + half, neck + wide, tip, neck - wide, neck - half, tail - half)


def push_inks(scene: Scene, push: Push, places: Sequence[int | None]) -> list[str]:
    """The inks of the arrows on both bodies: each has the colour of the body on which its force acts."""
    found = [places[scene.place(name)] for name in push.bodies]
    return ["push-ground" if place is None else f"push-{place}" for place in found]


def painted_pushes(
    scene: Scene, frame: int, places: Sequence[int | None], size: float, middle: float
) -> list[Primitive]:
    """The arrows and spots of a frame in the world."""
    arrows: list[Primitive] = []
    spots: list[Primitive] = []
    for push in scene.pushes[frame] if scene.pushes else ():
        at = complex(*push.at)
        along = complex(*arrow_vector(push.force, middle, LONGEST * size))
        if along:
            for ink, way in zip(push_inks(scene, push, places), (along, -along), strict=True):
                arrows.append(Path((arrow_outline(at, way, size),), ink))
        spots.append(Circle(at, SPOT * size, "contact"))
    return [*arrows, *spots]
