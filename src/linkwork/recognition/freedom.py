"""What contacts leave free: the twists of one part against another, and the kinematic pair that they make.

A twist is (ω, v): the angular velocity, and the velocity of the point at the origin. Contacts forbid to approach; where
the contacts all around balance one another, they forbid both ways, and what is left is a space of twists.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats, cross, cross_length

FLAT = 1e-7
"""Below this part of the largest, a singular value counts as zero."""
ROUGH = 1e-5
"""How exact the directions and places of surfaces are, as of meshes and CAD files with six digits."""


@dataclass(frozen=True, eq=False)
class Freedom:
    """A space of twists as the rows of ``basis``, and the rows of one-sided contacts that limit it."""

    basis: Floats
    one_sided: Floats

    @property
    def count(self) -> int:
        """How many independent motions there are."""
        return len(self.basis)


def freedom(closed: Floats, open_rows: Floats, centre: Floats, size: float) -> Freedom:
    """What rows leave free: ``closed`` ones hold both ways, of the others it depends on what balances them.

    It is worked out about a centre in lengths of this size, so that all numbers are alike.
    """
    space = null_space(about(closed, centre, size), ROUGH)
    rows = about(open_rows, centre, size) @ space.T
    pushing = np.abs(rows).max(axis=1, initial=0.0) > ROUGH
    rows, pushes = rows[pushing], open_rows[pushing]
    distinct, place_of = _distinct(rows)
    held = np.array([_is_balanced(distinct, place) for place in range(len(distinct))], dtype=bool)
    space = null_space(distinct[held], ROUGH) @ space
    free = np.zeros(len(rows), dtype=bool)
    if len(distinct):
        free = ~held[place_of] & (
            np.abs(about(pushes, centre, size) @ space.T).max(axis=1, initial=0.0) > ROUGH
        )
    return Freedom(back(space, centre, size), pushes[free])


def about(rows: Floats, centre: Floats, size: float) -> Floats:
    """Rows (moment, normal) for twists about a centre, in lengths of this size, each of length about one."""
    moments = rows[:, :3] - cross(centre, rows[:, 3:])
    return np.hstack([moments / size, rows[:, 3:]])


def back(space: Floats, centre: Floats, size: float) -> Floats:
    """Twists from such lengths to those of the world, with the velocity of the origin."""
    omega, v = space[:, :3] / size, space[:, 3:]
    return np.hstack([omega, v - cross(omega, centre)])


def moved_by(twists: Floats, angle: float, points: Floats) -> Floats:
    """Where points are that have turned by an angle, each along the screw of its twist."""
    omega, v = twists[:, :3], twists[:, 3:]
    speeds = np.linalg.norm(omega, axis=1, keepdims=True)
    axes = omega / speeds
    on_axis = cross(omega, v) / speeds**2
    pitches = np.einsum("ij,ij->i", axes, v)[:, None] / speeds
    away = points - on_axis
    along = np.einsum("ij,ij->i", axes, away)[:, None] * axes
    turned = along + math.cos(angle) * (away - along) + math.sin(angle) * cross(axes, away)
    return np.asarray(on_axis + turned + angle * pitches * axes)


def _distinct(rows: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The directions among rows, each once, and which of them every row has."""
    if not len(rows):
        return rows, np.zeros(0, dtype=np.intp)
    ways: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    rounded = np.round(ways, 6) + 0.0
    _, first, place_of = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    return ways[first], place_of.ravel()


def _is_balanced(rows: Floats, place: int) -> bool:
    """Whether pushes along the other rows can push against this one."""
    others = np.delete(rows, place, axis=0)
    if not np.any(others @ rows[place] < -FLAT):
        return False
    from scipy.optimize import linprog, nnls

    pushes, claimed = nnls(others.T, -rows[place], maxiter=100 * (6 + len(others)))
    rest = float(np.linalg.norm(others.T @ pushes + rows[place]))
    if abs(rest - claimed) > ROUGH:  # nnls of SciPy 1.17 may lose its way among rows that are much alike
        slack = np.vstack([others, np.eye(rows.shape[1]), -np.eye(rows.shape[1])])
        costs = np.concatenate([np.zeros(len(others)), np.ones(len(slack) - len(others))])
        rest = float(linprog(costs, A_eq=slack.T, b_eq=-rows[place]).fun)
    return rest < ROUGH


def null_space(rows: Floats, flat: float = FLAT) -> Floats:
    """Orthonormal rows of what all rows send to zero; what is below ``flat`` beside the largest counts as zero."""
    if not len(rows):
        return np.eye(rows.shape[1])
    if len(rows) > rows.shape[1]:
        rows = np.asarray(np.linalg.qr(rows, mode="r"))
    _, sizes, right = np.linalg.svd(rows, full_matrices=True)
    rank = int(np.sum(sizes > flat * max(1.0, sizes[0])))
    found: Floats = right[rank:]
    return found


@dataclass(frozen=True, eq=False)
class Shape:
    """The kind of a space of twists: ``kind`` is the name of a lower pair, or "" where it is none."""

    kind: str
    axis: Floats | None = None
    point: Floats | None = None


def shape_of(basis: Floats, centre: Floats, size: float) -> Shape:
    """Which lower pair leaves just these twists free."""
    about = _centred(basis, centre, size)
    count = len(about)
    turns = _range(about[:, :3])
    slides = _slides(about)
    if count == 0:
        return Shape("fixed")
    if count == 1 and len(slides) == 1:
        return Shape("prismatic", slides[0], centre)
    if count == 1:
        return _single_turn(about[0], centre, size)
    if count == 2 and len(turns) == 1 and len(slides) == 1:
        if cross_length(turns[0], slides[0]) > ROUGH:
            return Shape("")
        return Shape("cylindrical", turns[0], _axis_point(about, turns[0], centre, size))
    if count == 3 and len(turns) == 3:
        return _ball(about, centre, size)
    if count == 3 and len(turns) == 1 and len(slides) == 2 and np.abs(slides @ turns[0]).max() < ROUGH:
        return Shape("planar", turns[0], centre)
    return Shape("")


def _centred(basis: Floats, centre: Floats, size: float) -> Floats:
    """Twists with the velocity of the centre, turns in lengths of this size."""
    omega = basis[:, :3]
    return np.hstack([omega * size, basis[:, 3:] + cross(omega, centre)])


def shifts_and_turns(basis: Floats, centre: Floats, size: float) -> tuple[Floats, Floats]:
    """The directions of pure shifts in a space of twists, and the twists at right angles to these, all of length one.

    Twists are about a centre, turns in lengths of this size.
    """
    centred = _centred(basis, centre, size)
    shifts = _slides(centred)
    rest = centred - np.hstack([np.zeros_like(centred[:, :3]), centred[:, 3:] @ shifts.T @ shifts])
    return shifts, _range(rest)


def _range(rows: Floats) -> Floats:
    _, sizes, right = np.linalg.svd(rows, full_matrices=False)
    return right[: int(np.sum(sizes > ROUGH))] if len(rows) else np.zeros((0, rows.shape[1]))


def _slides(about: Floats) -> Floats:
    """The directions of pure shifts among twists."""
    if not len(about):
        return np.zeros((0, 3))
    pure = null_space(about[:, :3].T, ROUGH) @ about
    return _range(pure[:, 3:])


def _single_turn(twist: Floats, centre: Floats, size: float) -> Shape:
    omega, v = twist[:3] / size, twist[3:]
    pitch = float(omega @ v / (omega @ omega))
    if abs(pitch) > ROUGH * size:
        return Shape("")
    return Shape("revolute", omega / math.hypot(*omega), centre + cross(omega, v) / (omega @ omega))


def _axis_point(about: Floats, axis: Floats, centre: Floats, size: float) -> Floats:
    """A point of the axis about which all turns among the twists go."""
    weights = about[:, :3] @ axis
    twist = weights @ about / (weights @ weights)
    omega, v = twist[:3] / size, twist[3:]
    return centre + cross(omega, v) / (omega @ omega)


def _ball(about: Floats, centre: Floats, size: float) -> Shape:
    """Three turns about one point."""
    to_turns = np.linalg.inv(about[:, :3])
    moving = (to_turns @ about[:, 3:]).T * size  # v = moving @ ω about the centre
    if np.abs(moving + moving.T).max() > ROUGH * size:
        return Shape("")
    away = np.array([moving[1, 2], moving[2, 0], moving[0, 1]])  # v = ω × away
    return Shape("spherical", None, centre - away)
