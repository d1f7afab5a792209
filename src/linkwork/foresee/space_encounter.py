"""New contacts in space: bounds by which two solids are apart in the repetitions that a pattern foretells.

The number of a point by a solid's boundary is no more than its distance from the solid, for it is put together of
distances from planes, balls and bars by the larger and the smaller of two. So a ball whose middle has a number of more
than its radius is apart from the solid. The smaller of two solids is covered by balls. In each repetition a body is
where it was in the one before, moved by a screw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from linkwork.contact.boundary import BALL, Boundary
from linkwork.contact.space import SpaceTouching
from linkwork.foresee.course import Course, Stretch
from linkwork.kinematics.arrays import Matrix

FINE: Final = 5
"""Balls along each side of the box around a solid."""
EVERY: Final = 4
"""Of the rows of a repetition, those that are looked at."""
STILL: Final = 1e-9
"""Of a turn, or of the size: a displacement below it is none."""


@dataclass(frozen=True, eq=False)
class Screw:
    """A rigid motion of space: a turn about an axis through a point, and a way; any way where it does not turn."""

    axis: Matrix
    angle: float
    centre: Matrix
    way: Matrix

    def times(self, count: float) -> tuple[Matrix, Matrix]:
        """The turn and the way of the motion made so often, from the origin."""
        turn = _turned(self.axis, count * self.angle)
        return turn, self.centre - turn @ self.centre + count * self.way

    def longest(self, origins: Matrix, reach: float) -> float:
        """How far points of a body move at most in one of the motions."""
        radius = float(np.max(np.linalg.norm(origins - self.centre, axis=1))) + reach
        return float(np.linalg.norm(self.way)) + abs(self.angle) * radius


def screw(turn: Matrix, way: Matrix, size: float) -> Screw:
    """The screw of a turn and a way from the origin."""
    sine = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
    angle = math.atan2(float(np.linalg.norm(sine)), (float(np.trace(turn)) - 1) / 2)
    if angle <= math.sqrt(STILL):
        still = np.linalg.norm(way) <= STILL * size
        return Screw(np.array([0.0, 0.0, 1.0]), 0.0, np.zeros(3), np.zeros(3) if still else way)
    values, vectors = np.linalg.eigh((turn + turn.T) / 2)
    axis = vectors[:, int(np.argmax(values))]
    axis = axis if axis @ sine >= 0 else -axis
    along = (way @ axis) * axis
    centre = np.linalg.lstsq(np.eye(3) - turn, way - along, rcond=None)[0]
    still = np.linalg.norm(along) <= STILL * size
    return Screw(axis, angle, centre, np.zeros(3) if still else along)


def _turned(axis: Matrix, angle: float) -> Matrix:
    """The turn about an axis (Rodrigues)."""
    x, y, z = axis
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn: Matrix = np.eye(3) + math.sin(angle) * across + (1 - math.cos(angle)) * across @ across
    return turn


def covering(boundary: Boundary) -> tuple[Matrix, float]:
    """Middles of balls that cover a solid, and their radius."""
    if len(boundary.leaves) == 1 and boundary.leaves[0].kind == BALL:
        return boundary.leaves[0].point[None], boundary.leaves[0].radius
    radius = boundary.size / 2 / FINE
    low = np.min([surface.low for surface in boundary.surfaces], axis=0)
    high = np.max([surface.high for surface in boundary.surfaces], axis=0)
    half = boundary.size / 2
    low, high = np.maximum(low, boundary.middle - half), np.minimum(high, boundary.middle + half)
    counts = [max(math.ceil(side / (2 * radius / math.sqrt(3))), 1) for side in (high - low).tolist()]
    steps = [
        begin + (end - begin) * (np.arange(count) + 0.5) / count
        for begin, end, count in zip(low, high, counts, strict=True)
    ]
    middles = np.array(list(product(*steps)))
    return middles[boundary.value(middles) <= radius], radius


@dataclass(frozen=True, eq=False)
class Body:
    """A solid in all rows of a repetition, and how it is moved from one repetition to the next."""

    boundary: Boundary
    middles: Matrix
    radius: float
    turns: Matrix
    origins: Matrix
    move: Screw

    @property
    def reach(self) -> float:
        """How far its points are from its origin at most."""
        return float(np.max(np.linalg.norm(self.middles, axis=1), initial=0.0)) + self.radius

    def placed(self, number: int) -> tuple[Matrix, Matrix]:
        """Its turns and origins in a repetition."""
        turn, way = self.move.times(number)
        return turn @ self.turns, self.origins @ turn.T + way

    def longest_row(self) -> float:
        """How far its points move at most between two rows."""
        steps = np.linalg.norm(np.diff(self.origins, axis=0), axis=1)
        turned = np.linalg.norm(np.diff(self.turns, axis=0), axis=(1, 2))
        return float(np.max(steps + turned * self.reach, initial=0.0))


@dataclass(frozen=True, eq=False)
class SpaceNearing:
    """Two solids in space, the smaller one first."""

    one: Body
    other: Body
    way: float
    inside: float
    cycle: int | None
    turn: float | None

    def apart(self, number: int) -> Matrix:
        """By balls around the one and the boundary of the other."""
        (turns, origins), (its_turns, its_origins) = self.one.placed(number), self.other.placed(number)
        points = np.einsum("rij,kj->rki", turns, self.one.middles) + (origins - its_origins)[:, None]
        seen = np.einsum("rki,rij->rkj", points, its_turns).reshape(-1, 3)
        values = self.other.boundary.value(seen).reshape(len(points), -1)
        clear: Matrix = np.min(values, axis=1, initial=np.inf) - self.one.radius
        return clear


def space_nearings(course: Course, touching: SpaceTouching, stretch: Stretch) -> list[SpaceNearing]:
    """All couples of solids, in the rows of a repetition."""
    from linkwork.foresee.encounter import cycle, whole_turn

    columns = {name: course.column(stretch, name)[::EVERY] for name in course.observed}
    bodies = [_body(touching, solid, columns) for solid in range(len(touching.owners))]
    found = []
    for pair in touching.couples:
        one, other = sorted((bodies[place] for place in pair.places), key=lambda body: body.boundary.size)
        moves: Sequence[Screw] = one.move, other.move
        way = one.move.longest(one.origins, one.reach) + other.move.longest(other.origins, other.reach)
        is_turning = not any(np.any(move.way) for move in moves)
        angles = [move.angle for move in moves]
        turns = cycle(angles, is_turning), whole_turn(angles, is_turning)
        found.append(SpaceNearing(one, other, way, one.longest_row() + other.longest_row(), *turns))
    return found


def _body(touching: SpaceTouching, solid: int, columns: dict[str, Matrix]) -> Body:
    turns, origins = touching.poses(solid, columns)
    turn = turns[-1] @ turns[0].T
    move = screw(turn, origins[-1] - turn @ origins[0], touching.size)
    boundary = touching.boundaries[solid]
    return Body(boundary, *covering(boundary), turns, origins, move)
