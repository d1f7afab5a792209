"""Which parts have the largest volume: exactly only where points in their boxes do not tell.

Volumes of parts that are no prisms are integrals over sections, which take minutes for wheels with spiral teeth; how
many of some points lie in a part takes milliseconds, and tells most volumes apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.boxes import box_along
from linkwork.recognition.groups import Groups
from linkwork.recognition.welding import weld
from linkwork.recognition.wishes import Wishes
from linkwork.solid.mass import mass_properties
from linkwork.solid.placement import Floats
from linkwork.solid.values import Box, Solid

POINTS: Final = 4096
"""In the box of each part."""

SURE: Final = 6.0
"""By how many standard errors of a count, as of points at random, volumes must differ to be told apart by counts.
The points lie more evenly than points at random, so the counts are better than that."""

SIDES_AROUND: Final = 3
"""Of a box that are covered by what is around it, at least: a stand has a floor and two cheeks."""

ACROSS, DEEP = 8, 64
"""How many points are looked at across a side of a box, in either direction, and outwards from it."""

_STEPS: Final = 1.0 / 1.2207440846057596 ** np.arange(1, 4)
"""Of points that fill a cube evenly, however many: powers of the root of x⁴ = x + 1 (Roberts's sequence)."""


def heaviest(groups: Groups, wishes: Wishes, tolerance: float) -> str:
    """A part of those with the largest volume that hold together, or of what is all around these, as a cabinet.

    What the file says to be free is none, unless all is.
    """
    trial = groups.standing_on(groups.bodies[0].name)
    weld(trial, wishes, tolerance)
    every = {group: [trial.bodies[place] for place in members] for group, members in trial.members.items()}
    free = {*wishes.free}
    held = {group: own for group, own in every.items() if free.isdisjoint(body.name for body in own)} or every
    together = held[_around(held, _largest(held), trial.axes, tolerance)]
    return together[_largest({place: [body] for place, body in enumerate(together)})].name


def _around(held: Mapping[int, Sequence[Body]], inner: int, axes: Floats, tolerance: float) -> int:
    """Of what is all around one of the choices of bodies that with the largest box; or else that one."""
    boxes = {choice: _box_around(bodies, axes) for choice, bodies in held.items()}
    low, high = boxes[inner]
    holding = [
        choice
        for choice, (least, most) in boxes.items()
        if np.all(least <= low + tolerance)
        and np.all(most >= high - tolerance)
        and (
            choice == inner or _sides_covered(held[choice], (least, most), (low, high), axes) >= SIDES_AROUND
        )
    ]
    spaces = {choice: float(np.prod(boxes[choice][1] - boxes[choice][0])) for choice in holding}
    return max(holding, key=lambda choice: (float(f"{spaces[choice]:.6g}"), choice == inner, -choice))


def _sides_covered(bodies: Sequence[Body], own: Box, inner: Box, axes: Floats) -> int:
    """On how many of the six sides of a box bodies are before most of it; a propeller on a shaft is before none."""
    count = 0
    for axis in range(3):
        for near, far in ((inner[1][axis], own[1][axis]), (inner[0][axis], own[0][axis])):
            grids = [np.linspace(low, high, ACROSS + 2)[1:-1] for low, high in zip(*inner, strict=True)]
            grids[axis] = np.linspace(near, far, DEEP + 2)[1:-1]
            points = np.stack(np.meshgrid(*grids, indexing="ij"), axis=-1)
            inside = np.any(
                [body.membership.contains(points.reshape(-1, 3) @ axes) for body in bodies], axis=0
            )
            count += float(inside.reshape(points.shape[:3]).any(axis=axis).mean()) > 0.5
    return count


def _box_around(bodies: Sequence[Body], axes: Floats) -> Box:
    boxes = [box_along(body.solid, axes) for body in bodies]
    return np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)


def _largest(choices: Mapping[int, Sequence[Body]]) -> int:
    """The bodies whose volumes add up to most; of those alike the first."""
    if len(choices) == 1:
        return next(iter(choices))
    bounds = {choice: counted(bodies) for choice, bodies in choices.items()}
    surely = max(volume - error for volume, error in bounds.values())
    left = [choice for choice, (volume, error) in bounds.items() if volume + error >= surely]
    if len(left) == 1:
        return left[0]
    return max(left, key=lambda choice: (sum(volume(body.solid) for body in choices[choice]), -choice))


def counted(bodies: Sequence[Body]) -> tuple[float, float]:
    """The volume of bodies by the points of their boxes that are in them, and by how much it may be wrong."""
    total, variance = 0.0, 0.0
    for body in bodies:
        low, high = body.box
        inside = int(body.membership.contains(low + _even_points() * (high - low)).sum())
        share = (inside + 1) / (POINTS + 2)  # never 0 or 1, of which no count is sure
        around = float(np.prod(high - low))
        total += around * share
        variance += around**2 * share * (1 - share) / POINTS
    return total, SURE * float(np.sqrt(variance))


def _even_points() -> Floats:
    points: Floats = (0.5 + np.outer(np.arange(1, POINTS + 1), _STEPS)) % 1.0
    return points


def volume(solid: Solid) -> float:
    """A volume to six digits: its last digits depend on where the solid stands."""
    return float(f"{mass_properties(solid).volume:.6g}")
