"""How a set of parts can move that lower pairs join: velocities in a position, and other positions near it.

Parts stand as they were drawn until they are moved. What counts is found in positions a little apart from the drawn
one, because machines are often drawn in a special one: with the crank at its dead centre the piston has no velocity.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.recognition.freedom import ROUGH, null_space
from linkwork.solid.placement import Floats, cross

STEP = 0.05
"""How far a step goes, as a part of the size of the machine, or in radians."""
STEPS = 4
WALKS = 3
SETTLED = 1e-10


@dataclass(frozen=True, eq=False)
class Link:
    """A lower pair between two bodies, by their numbers, where they are drawn."""

    first: int
    second: int
    kind: str
    axis: Floats
    point: Floats
    pitch: float = 0.0

    @cached_property
    def sides(self) -> tuple[Floats, Floats]:
        """Two directions across the axis."""
        least = np.eye(3)[int(np.argmin(np.abs(self.axis)))]
        one = cross(self.axis, least)
        one /= math.hypot(*one)
        return one, cross(self.axis, one)


SHIFTS_HELD = {
    "revolute": (0, 1, 2),
    "cylindrical": (0, 1),
    "prismatic": (0, 1),
    "screw": (0, 1),
    "spherical": (0, 1, 2),
    "planar": (2,),
    "fixed": (0, 1, 2),
}
"""Along which of its directions (across, across, along the axis) a pair holds a point."""
TURNS_HELD = {
    "revolute": (0, 1),
    "cylindrical": (0, 1),
    "prismatic": (0, 1, 2),
    "screw": (0, 1),
    "spherical": (),
    "planar": (0, 1),
    "fixed": (0, 1, 2),
}
"""About which of its directions a pair holds the orientation."""


@dataclass(frozen=True, eq=False)
class Position:
    """Where each body stands: its turn and shift from where it is drawn. The first body is the frame."""

    turns: Floats
    shifts: Floats

    @classmethod
    def drawn(cls, count: int) -> Position:
        """All bodies as drawn."""
        return cls(np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3)))

    def moved(self, twists: Floats) -> Position:
        """After each body but the first has made a finite twist."""
        turns, shifts = self.turns.copy(), self.shifts.copy()
        for place, twist in enumerate(twists, start=1):
            turn = _turn(twist[:3])
            turns[place] = turn @ turns[place]
            shifts[place] = turn @ shifts[place] + twist[3:]
        return Position(turns, shifts)


def _turn(omega: Floats) -> Floats:
    angle = math.hypot(*omega)
    if angle < 1e-300:
        return np.eye(3)
    x, y, z = omega / angle
    crossed = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    found: Floats = np.eye(3) + math.sin(angle) * crossed + (1 - math.cos(angle)) * crossed @ crossed
    return found


@dataclass(frozen=True, eq=False)
class Linkage:
    """Bodies joined by links; all lengths are in sizes of the machine, about its middle."""

    count: int
    links: tuple[Link, ...]

    @property
    def key(self) -> Hashable:
        """The same for linkages that move alike."""
        return self.count, tuple(
            (each.first, each.second, each.kind, each.pitch, each.axis.tobytes(), each.point.tobytes())
            for each in self.links
        )

    # ----------------------------------------------------------------------------- equations

    def rows(self, position: Position) -> Floats:
        """The equations of velocities: a row for each, six columns for each body but the first."""
        blocks = [self._rows_of(link, position) for link in self.links]
        return np.vstack([np.zeros((0, 6 * (self.count - 1))), *blocks])

    def _rows_of(self, link: Link, position: Position) -> Floats:
        own = held_rows(self._placed(link, position))
        rows = np.zeros((len(own), self.count, 6))
        rows[:, link.second] += own
        rows[:, link.first] -= own
        return rows[:, 1:].reshape(len(own), -1)

    def _placed(self, link: Link, position: Position) -> Link:
        """The link as the first of its bodies carries it."""
        turn = position.turns[link.first]
        point = turn @ link.point + position.shifts[link.first]
        placed = Link(link.first, link.second, link.kind, turn @ link.axis, point, link.pitch)
        placed.__dict__["sides"] = tuple(turn @ side for side in link.sides)
        return placed

    def _errors(self, position: Position) -> Floats:
        return np.concatenate([np.zeros(0), *(self._errors_of(link, position) for link in self.links)])

    def _errors_of(self, link: Link, position: Position) -> Floats:
        """How far a link is from closing, in the order of its rows."""
        placed = self._placed(link, position)
        own, other = position.turns[link.first], position.turns[link.second]
        away = other @ link.point + position.shifts[link.second] - placed.point
        between = other @ own.T
        twisted = np.array(
            [
                between[2, 1] - between[1, 2],
                between[0, 2] - between[2, 0],
                between[1, 0] - between[0, 1],
            ]
        )
        tilted = cross(placed.axis, other @ link.axis)
        turned = twisted / 2 if link.kind in ("prismatic", "fixed") else tilted
        ways = (*placed.sides, placed.axis)
        found = [float(ways[way] @ away) for way in SHIFTS_HELD[link.kind]]
        found += [float(ways[way] @ turned) for way in TURNS_HELD[link.kind]]
        if link.kind == "screw":
            turned_by = math.asin(max(-1.0, min(1.0, float(placed.axis @ twisted) / 2)))
            found.append(float(placed.axis @ away) - link.pitch * turned_by)
        return np.array(found)

    # ------------------------------------------------------------------------------ positions

    def settled(self, position: Position) -> Position | None:
        """The position nearby in which all links close, by Newton's method with shortest steps."""
        for _ in range(12):
            errors = self._errors(position)
            if not len(errors) or np.abs(errors).max() < SETTLED:
                return position
            step = np.asarray(np.linalg.lstsq(self.rows(position), -errors, rcond=1e-9)[0], dtype=np.float64)
            if np.abs(step).max() > 1:
                return None
            position = position.moved(step.reshape(-1, 6))
        return None

    @cached_property
    def velocities(self) -> tuple[tuple[Position, Floats], ...]:
        """Positions that are not special, and the space of velocities in each (rows of six numbers a body)."""
        drawn = Position.drawn(self.count)
        here = self._free(drawn)
        found = [(drawn, here)]
        source = np.random.default_rng(7)
        for _ in range(WALKS if len(here) and not self.is_tree else 0):
            position = self._walked(drawn, source)
            if position is not None:
                found.append((position, self._free(position)))
        least = min(len(space) for _, space in found)
        return tuple(each for each in found if len(each[1]) == least)

    def _free(self, position: Position) -> Floats:
        """The space of velocities in a position; bodies that only the frame joins to others are looked at apart."""
        rows = self.rows(position)
        if len(self._sets) < 2:
            return null_space(rows, ROUGH)
        found = []
        for bodies in self._sets:
            columns = (6 * np.array(bodies)[:, None] + np.arange(-6, 0)).ravel()
            own = rows[:, columns]
            space = null_space(own[own.any(axis=1)], ROUGH)
            found.append(np.zeros((len(space), rows.shape[1])))
            found[-1][:, columns] = space
        return np.vstack(found)

    @cached_property
    def _sets(self) -> list[list[int]]:
        """The bodies but the frame, in sets that links join without its help."""
        root = list(range(self.count))
        for link in self.links:
            if link.first and link.second:
                root[_root(root, link.second)] = _root(root, link.first)
        sets: dict[int, list[int]] = {}
        for body in range(1, self.count):
            sets.setdefault(_root(root, body), []).append(body)
        return list(sets.values())

    def _walked(self, position: Position, source: np.random.Generator) -> Position | None:
        """Some steps away in a random direction that is free."""
        direction = source.normal(size=6 * (self.count - 1))
        moved = False
        for _ in range(STEPS):
            space = self._free(position)
            way = space.T @ (space @ direction)
            if np.abs(way).max() < 1e-9:
                break
            step = self.settled(position.moved((STEP * way / np.abs(way).max()).reshape(-1, 6)))
            if step is None:
                break
            position, direction, moved = step, way, True
        return position if moved else None

    @property
    def is_tree(self) -> bool:
        """Whether no links make a loop: there are then no special positions."""
        root = list(range(self.count))
        for link in self.links:
            first, second = _root(root, link.first), _root(root, link.second)
            if first == second:
                return False
            root[second] = first
        return True

    @property
    def mobility(self) -> int:
        """How many independent motions there are."""
        return len(self.velocities[0][1])

    @property
    def turns(self) -> int:
        """How many independent motions there are in which bodies turn on one another."""
        _, space = self.velocities[0]
        if not len(space):
            return 0
        every = np.concatenate(
            [np.zeros((len(space), 1, 6)), space.reshape(len(space), space.shape[1] // 6, 6)], axis=1
        )
        turning = [every[:, link.second, :3] - every[:, link.first, :3] for link in self.links]
        return int(np.linalg.matrix_rank(np.hstack(turning), tol=1e-6))

    def moves(self, body: int) -> bool:
        """Whether a body can move at all."""
        return any(
            np.abs(space.reshape(len(space), space.shape[1] // 6, 6)[:, body - 1]).max() > 1e-6
            for _, space in self.velocities
            if body and len(space)
        )

    def turns_about(self, body: int, point: Floats, tolerance: float) -> bool:
        """Whether a point of a body, within a tolerance, stays where it is while the body turns."""
        for position, space in self.velocities:
            twists = space.reshape(len(space), space.shape[1] // 6, 6)[:, body - 1]
            at = position.turns[body] @ point + position.shifts[body]
            speeds = np.linalg.norm(twists[:, 3:] + cross(twists[:, :3], at), axis=1)
            if np.any(speeds > tolerance * np.linalg.norm(twists[:, :3], axis=1) + 1e-6):
                return False
        return True

    def used(self, link: Link) -> Floats:
        """The twists of the second body of a link against the first that occur, seen from the first as drawn."""
        found = [np.zeros((0, 6))]
        for position, space in self.velocities:
            every = np.concatenate(
                [np.zeros((len(space), 1, 6)), space.reshape(len(space), space.shape[1] // 6, 6)], axis=1
            )
            relative = every[:, link.second] - every[:, link.first]
            turn, shift = position.turns[link.first], position.shifts[link.first]
            omega = relative[:, :3] @ turn
            v = (relative[:, 3:] + cross(relative[:, :3], shift)) @ turn
            found.append(np.hstack([omega, v]))
        _, sizes, right = np.linalg.svd(np.vstack(found), full_matrices=False)
        used: Floats = right[: int(np.sum(sizes > 1e-6))]
        return used


def held_rows(link: Link) -> Floats:
    """The rows that a link asks to be zero of the twist of its second body against its first."""
    ways = (*link.sides, link.axis)
    rows = [np.concatenate([cross(link.point, ways[way]), ways[way]]) for way in SHIFTS_HELD[link.kind]]
    rows += [np.concatenate([ways[way], np.zeros(3)]) for way in TURNS_HELD[link.kind]]
    if link.kind == "screw":
        along = np.concatenate([cross(link.point, link.axis), link.axis])
        rows.append(along - np.concatenate([link.pitch * link.axis, np.zeros(3)]))
    return np.array(rows).reshape(-1, 6)


def floating(linkage: Linkage, axis: Floats, links: Sequence[Link]) -> list[frozenset[int]]:
    """The sets of bodies that can shift along a direction as they are drawn, all others standing still."""
    tied = list(range(linkage.count))
    along = np.concatenate([np.zeros(3), axis])
    for link in links:
        if np.abs(held_rows(link) @ along).max(initial=0.0) > 1e-6:
            tied[_root(tied, link.second)] = _root(tied, link.first)
    sets: dict[int, set[int]] = {}
    for place in range(linkage.count):
        sets.setdefault(_root(tied, place), set()).add(place)
    return [frozenset(each) for each in sets.values() if 0 not in each]


def _root(parents: list[int], place: int) -> int:
    while parents[place] != place:
        place = parents[place]
    return place
