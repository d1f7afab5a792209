"""The mass of parts that move as one, from what is said of them and from their solids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.model.part import Part
from linkwork.solid import Solid
from linkwork.solid.placement import Floats

Numbers = Callable[[Sequence[Any]], list[float]]
"""What turns expressions into numbers."""


@dataclass(frozen=True, eq=False)
class Weight:
    """A mass, its centre, and its moments of inertia about the centre as a matrix."""

    mass: float
    centre: Floats
    inertia: Floats

    @classmethod
    def of(cls, part: Part, solid: Solid, numbers: Numbers) -> Weight | None:
        """The weight of one part; None if nothing is said of it. An inertia without a mass counts about its axis."""
        inertia = None if part.inertia is None else _matrix(numbers(part.inertia))
        if part.density is None and part.mass is None:
            return None if inertia is None else cls(0.0, np.zeros(3), inertia)
        centre = None if part.centre is None else numbers([*part.centre])
        if part.mass is not None and inertia is not None and centre is not None and len(centre) == 3:
            return cls(numbers([part.mass])[0], np.array(centre), inertia)
        from linkwork.solid.mass import mass_properties

        own = mass_properties(solid)
        mass = own.volume * numbers([part.density])[0] if part.mass is None else numbers([part.mass])[0]
        said = centre or []
        where = np.array([*said, *own.centre[len(said) :]])
        return cls(mass, where, np.array(own.inertia) * mass / own.volume if inertia is None else inertia)


def _matrix(given: Sequence[float]) -> Floats:
    """Moments of inertia as a matrix: one for all axes, three principal ones, or six."""
    if len(given) == 1:
        return given[0] * np.eye(3)
    xx, yy, zz, xy, xz, yz = [*given, 0.0, 0.0, 0.0][:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def together(weights: Sequence[Weight]) -> Weight | None:
    """The weight of parts that move as one."""
    if not weights:
        return None
    mass = sum(each.mass for each in weights)
    centre = sum((each.mass * each.centre for each in weights), np.zeros(3)) / mass if mass else np.zeros(3)
    inertia = np.zeros((3, 3))
    for each in weights:
        away = each.centre - centre
        inertia += each.inertia + each.mass * ((away @ away) * np.eye(3) - np.outer(away, away))
    return Weight(mass, centre, inertia)


def as_fields(
    weight: Weight | None, axes: Floats, dimension: int, neat: Callable[[float], float]
) -> dict[str, Any]:
    """Mass, centre and inertia as a part takes them, in axes of one's own."""
    if weight is None:
        return {}
    inertia = axes @ weight.inertia @ axes.T
    places = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)] if dimension == 3 else [(2, 2)]
    small = 1e-13 * float(np.max(np.abs(inertia)))  # beside the others: all of them may be tiny
    own = [float(inertia[place]) for place in places]
    found: dict[str, Any] = {
        "inertia": tuple(float(f"{value:.14g}") if abs(value) > small else 0.0 for value in own)
    }
    if weight.mass:
        centre = (axes @ weight.centre)[:dimension]
        found |= {
            "mass": float(f"{weight.mass:.14g}"),
            "centre": tuple(neat(float(value)) for value in centre),
        }
    return found
