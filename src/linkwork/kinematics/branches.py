"""All ways to assemble a machine of the plane: every solution of every block, one after another.

With c and s for the cosine and sine of an angle, c² + s² = 1, the blocks of a linkage are small systems of
polynomials, of which the homotopy finds all solutions. What is no polynomial (gears inside a loop, cams) is
searched from many rough positions instead, and the result says that it may not be complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from linkwork.algebra import Expression, Symbol, cos, evaluate, free_symbols, number, sin, substitute, symbol
from linkwork.errors import LinkworkError, NoAnswer, UsageError
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.chain import Stage, chain_of
from linkwork.kinematics.homotopy import NotPolynomial, polynomial_roots
from linkwork.kinematics.mobility import RANK, independent_rows
from linkwork.kinematics.newton import Found, assemble
from linkwork.kinematics.numbers import Numbers, singular_values
from linkwork.kinematics.position import Position

MOST_BRANCHES = 4096
SEARCHES = 200
"""Rough positions from which branches are searched where the equations are no polynomials."""
SAME = 1e-6
"""Positions that differ by less, in units of the scale, are one."""


@dataclass(frozen=True)
class Branches(Sequence[Position]):
    """Positions at the same values of the drives. ``complete`` where none can be missing.

    Positions in which something is still free to move (a rhombus folded onto itself) are left out.
    """

    positions: tuple[Position, ...]
    complete: bool

    def __len__(self) -> int:
        return len(self.positions)

    @overload
    def __getitem__(self, place: int) -> Position: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Position, ...]: ...
    def __getitem__(self, place: int | slice) -> Position | tuple[Position, ...]:
        return self.positions[place]

    def __repr__(self) -> str:
        return f"{len(self)} branches{'' if self.complete else ' found by searching: there may be more'}"


def all_branches(
    numbers: Numbers,
    u: Matrix,
    position: Callable[[Matrix, Matrix], Position],
    assembled: Callable[[Matrix], Found],
) -> Branches:
    """Every position at the inputs u, sorted by coordinates."""
    if numbers.system.machine.dimension != 2:
        raise UsageError(
            "branches are enumerated for machines of the plane",
            got=f"{numbers.system.machine.name}, a machine in space",
            fix="start from different rough places: solve() finds one branch for each",
        )
    try:
        somewhere = assembled(u).q
    except NoAnswer:
        return Branches((), True)
    complete = True
    try:
        rows = independent_rows(numbers, somewhere, u).tolist()
        stages = chain_of(numbers.system, rows)
        guesses = list(_solutions(numbers, stages, u))
    except (NotPolynomial, NoAnswer):
        guesses, complete = list(_searched(numbers, somewhere, u)), False
    found: list[Matrix] = []
    for guess in guesses:
        exact = assemble(numbers, guess, u)
        if not exact.converged or any(_distance(numbers, exact.q, other) < SAME for other in found):
            continue
        if _is_isolated(numbers, exact.q, u):
            found.append(_wrapped(numbers, exact.q))
        else:
            complete = False
    found.sort(key=lambda q: tuple(np.round(q / numbers.scale, 9)))
    return Branches(tuple(position(q, u) for q in found), complete)


def _solutions(numbers: Numbers, stages: Sequence[Stage], u: Matrix) -> Iterator[Matrix]:
    """Coordinates of all combinations of the solutions of the stages."""
    system = numbers.system
    place = {each.name: index for index, each in enumerate(system.unknowns)}
    known = dict(zip((name.name for name, _ in system.constants), numbers.constants.tolist(), strict=True))
    known |= dict(zip((each.name for each in system.inputs), u.tolist(), strict=True))
    waiting: list[tuple[int, dict[str, float]]] = [(0, {})]
    while waiting:
        depth, values = waiting.pop()
        if depth == len(stages):
            yield np.array([values[name] for name in place])
            continue
        stage = stages[depth]
        values = values | _assigned(stage.explicit, known | values)
        for solution in _stage_solutions(stage, known | values, values):
            waiting.append((depth + 1, solution | _assigned(stage.followers, known | solution)))
        if len(waiting) > MOST_BRANCHES:
            raise NoAnswer("the machine has too many branches to list", got=f"more than {MOST_BRANCHES}")


def _assigned(pairs: Sequence[tuple[Symbol, Expression]], values: dict[str, float]) -> dict[str, float]:
    found = evaluate([value for _, value in pairs], values) if pairs else []
    return {name.name: value for (name, _), value in zip(pairs, found, strict=True)}


def _stage_solutions(
    stage: Stage, known: dict[str, float], values: dict[str, float]
) -> Iterator[dict[str, float]]:
    """The values with each solution for the tears of a stage."""
    if not stage.tears:
        yield values
        return
    numeric: dict[Expression, Expression] = {
        leaf: number(known[leaf.name]) for leaf in free_symbols(*stage.residuals) if leaf.name in known
    }
    equations = substitute(stage.residuals, numeric)
    angles = [tear for tear in stage.tears if _turns(equations, tear)]
    pairs = {
        tear: (symbol(f"cosine_of.k{place}"), symbol(f"sine_of.k{place}"))
        for place, tear in enumerate(angles)
    }
    replaced: dict[Expression, Expression] = {}
    for tear, (c, s) in pairs.items():
        replaced |= {cos(tear): c, sin(tear): s}
    equations = substitute(equations, replaced)
    equations += [c * c + s * s - 1 for c, s in pairs.values()]
    unknowns = [leaf for pair in pairs.values() for leaf in pair]
    lengths = [tear for tear in stage.tears if tear not in pairs]
    roots = polynomial_roots(equations, [*unknowns, *lengths])
    for root in roots.real:
        turned = {tear.name: float(np.arctan2(root[2 * i + 1], root[2 * i])) for i, tear in enumerate(angles)}
        shifted = {tear.name: root[len(unknowns) + i] for i, tear in enumerate(lengths)}
        yield values | turned | shifted


def _turns(equations: Sequence[Expression], unknown: Symbol) -> bool:
    """Whether an unknown stands only inside sines and cosines."""
    hidden = substitute(equations, {cos(unknown): 1, sin(unknown): 1})
    return unknown not in free_symbols(*hidden)


def _searched(numbers: Numbers, somewhere: Matrix, u: Matrix) -> Iterator[Matrix]:
    """Positions from many rough ones."""
    random = np.random.default_rng(1)
    yield somewhere
    for _ in range(SEARCHES):
        rough = random.uniform(-np.pi, np.pi, len(somewhere)) * numbers.scale
        try:
            found = assemble(numbers, rough, u)
        except LinkworkError:
            continue
        if found.converged:
            yield found.q


def _is_isolated(numbers: Numbers, q: Matrix, u: Matrix) -> bool:
    """Whether no part can move with the drives held: else a position is one of a whole family."""
    values = singular_values(numbers.scaled(q, u)[1])
    return len(values) == len(q) and bool(values[-1] > RANK * values[0])


def _distance(numbers: Numbers, q: Matrix, other: Matrix) -> float:
    """How far two positions are apart, whole turns left out."""
    gap = (q - other) / numbers.scale
    turns = np.array([numbers.system.is_angle(each) for each in numbers.system.unknowns])
    gap = np.where(turns, np.angle(np.exp(1j * gap)), gap)
    return float(np.max(np.abs(gap)))


def _wrapped(numbers: Numbers, q: Matrix) -> Matrix:
    """A position with its angles between −π and π."""
    turns = np.array([numbers.system.is_angle(each) for each in numbers.system.unknowns])
    return np.where(turns, np.angle(np.exp(1j * q)), q)
