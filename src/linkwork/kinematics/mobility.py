"""How a machine can move: freedoms by rank, confirmed by moving it, and constraints that are redundant.

Counting equations lies for over-constrained machines, and the rank of the Jacobian lies where a position is
singular. So the rank gives the directions in which the machine might move; it is pushed a finite way along
them, put together again, and the rank there, at a position that is no longer special, gives the mobility. A
machine that cannot be put together again anywhere near does not move, however its Jacobian looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.kinematics.arrays import Matrix, Places
from linkwork.kinematics.newton import assemble
from linkwork.kinematics.numbers import Numbers, decomposed

RANK = 1e-8
"""Singular values of the scaled Jacobian below this, relative to the largest, count as zero."""
PUSH = 0.05
"""How far the machine is pushed to see whether it moves, in units of its size and in radians."""
SUPPORT = 1e-6
"""Entries of a dependency below this are rounding."""


@dataclass(frozen=True)
class Redundancy:
    """Equations of which some follow from the others: ``count`` of them could be removed."""

    count: int
    joints: tuple[str, ...]
    equations: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.count} of the constraints of {', '.join(self.joints)}"

    def to_json(self) -> dict[str, object]:
        """The same as plain data."""
        return {"count": self.count, "joints": list(self.joints), "equations": list(self.equations)}


@dataclass(frozen=True)
class Mobility:
    """What a machine can do without its drives."""

    freedoms: int
    infinitesimal: int
    """What the rank alone says at the given position."""
    redundant: tuple[Redundancy, ...]

    @property
    def is_singular(self) -> bool:
        """Whether the given position suggests more freedoms than there are."""
        return self.infinitesimal > self.freedoms


def mobility(numbers: Numbers, q: Matrix, u: Matrix) -> Mobility:
    """The mobility of a machine that is put together at q."""
    rows = np.array(numbers.system.passive_rows, int)
    at_rest = free_directions(numbers, q, u, rows)
    infinitesimal = len(at_rest)
    freedoms, there = 0, q
    for moved in _moved(numbers, q, u, rows, at_rest):
        count = len(free_directions(numbers, moved, u, rows))
        if count >= freedoms and (count > freedoms or there is q):
            freedoms, there = count, moved
        if freedoms == infinitesimal:
            break
    return Mobility(freedoms, infinitesimal, tuple(_redundancies(numbers, there, u)))


def independent_rows(numbers: Numbers, q: Matrix, u: Matrix) -> Places:
    """Equations, drives included, that do not follow from one another: as many as the rank."""
    from scipy.linalg import qr

    matrix = numbers.scaled(q, u)[1]
    _, triangle, order = qr(matrix.T, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(triangle))
    rank = int(np.sum(sizes > RANK * max(float(np.max(sizes, initial=0.0)), 1e-300)))
    return np.sort(order[:rank])


def free_directions(numbers: Numbers, q: Matrix, u: Matrix, rows: Places) -> Matrix:
    """The null space of the scaled Jacobian, in rows."""
    matrix = numbers.scaled(q, u)[1][rows]
    if not len(matrix):
        return np.eye(numbers.system.size)
    _, values, vectors = decomposed(matrix)
    rank = int(np.sum(values > RANK * values[0]))
    return vectors[rank:]


def _moved(numbers: Numbers, q: Matrix, u: Matrix, rows: Places, directions: Matrix) -> Iterator[Matrix]:
    """Positions a finite way from q, put together again; every free direction and some mixtures are tried."""
    random = np.random.default_rng(1)
    count = len(directions)
    mixtures = [*random.normal(size=(4, count)), *np.eye(count)] if count else []
    for mixture in mixtures:
        push = mixture @ directions
        push *= PUSH / np.max(np.abs(push))
        for way in (push, -push):
            found = assemble(numbers, q + way * numbers.scale, u, rows)
            distance = float(np.max(np.abs((found.q - q) / numbers.scale)))
            if found.converged and 0.5 * PUSH <= distance <= 10 * PUSH:
                yield found.q


def _redundancies(numbers: Numbers, q: Matrix, u: Matrix) -> Iterator[Redundancy]:
    """Groups of equations that depend on one another: P = UUᵀ with U the left null space is in blocks."""
    system = numbers.system
    rows = np.array(system.passive_rows, int)
    matrix = numbers.scaled(q, u)[1][rows]
    if not len(matrix):
        return
    vectors, values, _ = decomposed(matrix)
    rank = int(np.sum(values > RANK * values[0]))
    null = vectors[:, rank:]
    share = null @ null.T
    groups: dict[tuple[str, ...], tuple[int, tuple[str, ...]]] = {}
    for members in _groups(np.abs(share) > SUPPORT):
        count = round(float(np.trace(share[np.ix_(members, members)])))
        equations = [system.equations[rows[each]] for each in members]
        joints = tuple(dict.fromkeys(each.owner for each in equations if each.owner in system.machine.joints))
        known_count, known = groups.get(joints, (0, ()))
        groups[joints] = (known_count + count, (*known, *(each.name for each in equations)))
    for joints, (count, names) in groups.items():
        if count:
            yield Redundancy(count, joints, names)


def _groups(linked: NDArray[np.bool_]) -> Iterator[Places]:
    """Places that are linked with one another, directly or through others; those linked with none are left out."""
    waiting = np.diag(linked).copy()
    while waiting.any():
        members = np.zeros(len(linked), bool)
        members[np.argmax(waiting)] = True
        while True:
            wider = members | linked[members].any(axis=0)
            if np.array_equal(wider, members):
                break
            members = wider
        waiting &= ~members
        yield np.flatnonzero(members)
