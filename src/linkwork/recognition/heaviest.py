"""Which parts have the largest volume: exactly only where points in their boxes do not tell.

Volumes of parts that are no prisms are integrals over sections, which take minutes for wheels with spiral teeth; how
many of some points lie in a part takes milliseconds, and tells most volumes apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.groups import Groups
from linkwork.recognition.welding import weld
from linkwork.recognition.wishes import Wishes
from linkwork.solid.mass import mass_properties
from linkwork.solid.placement import Floats
from linkwork.solid.values import Solid

POINTS: Final = 4096
"""In the box of each part."""

SURE: Final = 6.0
"""By how many standard errors of a count, as of points at random, volumes must differ to be told apart by counts.
The points lie more evenly than points at random, so the counts are better than that."""

_STEPS: Final = 1.0 / 1.2207440846057596 ** np.arange(1, 4)
"""Of points that fill a cube evenly, however many: powers of the root of x⁴ = x + 1 (Roberts's sequence)."""


def heaviest(groups: Groups, wishes: Wishes, tolerance: float) -> str:
    """A part of those with the largest volume that hold together, with any part as the frame."""
    trial = groups.standing_on(groups.bodies[0].name)
    weld(trial, wishes, tolerance)
    held = {group: [trial.bodies[place] for place in members] for group, members in trial.members.items()}
    together = held[_largest(held)]
    return together[_largest({place: [body] for place, body in enumerate(together)})].name


def _largest(choices: Mapping[int, Sequence[Body]]) -> int:
    """The bodies whose volumes add up to most; of those alike the first."""
    if len(choices) == 1:
        return next(iter(choices))
    bounds = {choice: counted(bodies) for choice, bodies in choices.items()}
    surely = max(volume - error for volume, error in bounds.values())
    left = [choice for choice, (volume, error) in bounds.items() if volume + error >= surely]
    if len(left) == 1:
        return left[0]
    return max(left, key=lambda choice: (sum(_volume(body.solid) for body in choices[choice]), -choice))


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


def _volume(solid: Solid) -> float:
    """A volume to six digits: its last digits depend on where the solid stands."""
    return float(f"{mass_properties(solid).volume:.6g}")
