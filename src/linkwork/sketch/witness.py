"""Whether a drawing says too little, too much or just enough, before any numbers.

A *witness* is a drawing with the same incidences and other dimensions, chosen at random: a place where all
relations without values hold (points on lines, parallels, midpoints). What the dimensions measure there is as
good as any value, and the rank of their gradients tells which of them depend on each other and what still moves
(Michelucci & Foufou 2006). Unlike counting, this sees theorems of geometry.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from linkwork.algebra import Expression, evaluate, free_symbols, gradient, jacobian, substitute, symbol
from linkwork.model.constraint.relation import Relation
from linkwork.model.drawing import Drawing
from linkwork.sketch.equation import Coordinates, all_coordinates, has_value, measured

Array = npt.NDArray[np.float64]

RANK = 1e-7
"""Singular values below this, relative to the largest, count as zero."""
NEGLIGIBLE = 1e-5
"""What weighs less than this in a dependency has no part in it."""
TRIES = 8
"""Random beginnings before it is believed that no drawing has these incidences."""
WITNESSES = 3
"""How many are compared."""
CORRECTIONS = 60


@dataclass(frozen=True)
class Witness:
    """A random drawing with the same incidences: its coordinates, and the gradients of all relations there."""

    drawing: Drawing
    names: tuple[str, ...]
    place: Array
    gradients: Array
    owners: tuple[int, ...]  # for each row which relation it belongs to

    @property
    def freedoms(self) -> Array:
        """The ways in which the drawing can still move, one a row."""
        return np.asarray(np.linalg.svd(self.gradients)[2][self.rank :])

    @cached_property
    def rank(self) -> int:
        """How many independent conditions the relations are."""
        values = np.linalg.svd(self.gradients, compute_uv=False)
        return int(np.sum(values > RANK * max(values[0], 1e-300))) if len(values) else 0

    def can_spare(self, relations: Collection[int]) -> bool:
        """Whether the rest of the drawing implies some relations, all of them at once.

        It does where the dependencies, the y with yᵀ·gradients = 0, take any values on the rows of these.
        """
        rows = [row for row, owner in enumerate(self.owners) if owner in relations]
        return bool(np.linalg.matrix_rank(self._dependencies[:, rows], tol=NEGLIGIBLE) == len(rows))

    @cached_property
    def _dependencies(self) -> Array:
        return np.asarray(np.linalg.svd(self.gradients)[0].T[self.rank :])

    def gradient(self, relation: Relation) -> Array:
        """How a relation's one measure would change at this place."""
        (row,) = measured(relation, Coordinates(self.drawing))
        leaves = free_symbols(row)
        values = {leaf.name: float(self.place[self._places[leaf.name]]) for leaf in leaves}
        found = np.zeros(len(self.names))
        found[[self._places[leaf.name] for leaf in leaves]] = evaluate(gradient(row, leaves), values)
        return found

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def dependent(self) -> list[tuple[int, tuple[int, ...]]]:
        """Relations that earlier ones imply, each with all those it depends on."""
        found: list[tuple[int, tuple[int, ...]]] = []
        kept: list[int] = []
        basis = np.zeros((0, len(self.names)))
        for row, slopes in enumerate(self.gradients):
            if not slopes.any():
                found.append((self.owners[row], (self.owners[row],)))
                continue
            rest = slopes - basis.T @ (basis @ slopes)
            rest = rest - basis.T @ (basis @ rest)
            if np.linalg.norm(rest) > RANK:
                basis = np.vstack([basis, rest / np.linalg.norm(rest)])
                kept.append(row)
                continue
            weights = np.linalg.lstsq(self.gradients[kept].T, slopes, rcond=None)[0]
            guilty = [kept[place] for place in np.flatnonzero(np.abs(weights) > NEGLIGIBLE)]
            owners = dict.fromkeys(self.owners[each] for each in [*guilty, row])
            found.append((self.owners[row], tuple(owners)))
        return found


def witness(
    drawing: Drawing, relations: Sequence[Relation], rough: Mapping[str, float] | None = None, seed: int = 1
) -> Witness | None:
    """A witness of a drawing; None where nothing was found that has its incidences.

    Several are sought, one of them near the rough coordinates of a picture, and that of the largest rank is
    taken: Newton's method may end where points happen to fall together or on a line.
    """
    at = Coordinates(drawing)
    names = all_coordinates(drawing, at)
    parameters = _random_parameters(relations, names, seed)
    shown = [[_with(each, parameters) for each in measured(relation, at)] for relation in relations]
    owners = tuple(place for place, rows in enumerate(shown) for _ in rows)
    rows = [row for each in shown for row in each]
    slopes = jacobian(rows, [symbol(name) for name in names]) if names else []
    fixed = [place for place, owner in enumerate(owners) if not has_value(relations[owner])]
    found: list[Witness] = []
    for attempt in range(TRIES):
        random = np.random.default_rng(seed + attempt)
        start = random.normal(size=len(names)) * 3
        if rough and not attempt:
            near = np.array([rough.get(name, np.nan) for name in names])
            start = np.where(np.isnan(near), start, near + random.normal(size=len(names)) * 1e-3)
        place = _corrected(names, rows, slopes, fixed, start)
        if place is not None:
            matrix = _matrix(slopes, names, place, range(len(rows)))
            if not np.isfinite(matrix).all():
                continue
            lengths = np.linalg.norm(matrix, axis=1)
            lengths[lengths < 1e-9] = np.inf  # what always holds, such as that a line goes through its points
            found.append(Witness(drawing, tuple(names), place, matrix / lengths[:, None], owners))
        if len(found) == WITNESSES:
            break
    return max(found, key=lambda each: each.rank, default=None)


def _random_parameters(relations: Sequence[Relation], names: Sequence[str], seed: int) -> dict[str, float]:
    """Values for the dimensions that stand in relations, such as shares; what they are does not matter."""
    random = np.random.default_rng(seed + 1000)
    free: dict[str, float] = {}
    for relation in relations:
        for value in vars(relation).values():
            if isinstance(value, Expression):
                for leaf in free_symbols(value):
                    if leaf.name not in names:
                        free.setdefault(leaf.name, float(random.uniform(0.2, 0.8)))
    return free


def _with(expression: Expression, values: Mapping[str, float]) -> Expression:
    used = {leaf.name for leaf in free_symbols(expression)}
    replaced = {symbol(name): value for name, value in values.items() if name in used}
    return substitute([expression], replaced)[0] if replaced else expression  # type: ignore[arg-type]


def _matrix(
    slopes: Sequence[Mapping[int, Expression]], names: Sequence[str], place: Array, rows: Sequence[int]
) -> Array:
    values = dict(zip(names, place.tolist(), strict=True))
    found = np.zeros((len(rows), len(names)))
    for at, row in enumerate(rows):
        columns = list(slopes[row])
        found[at, columns] = evaluate([slopes[row][each] for each in columns], values)
    return found


def _corrected(
    names: Sequence[str],
    rows: Sequence[Expression],
    slopes: Sequence[Mapping[int, Expression]],
    fixed: Sequence[int],
    place: Array,
) -> Array | None:
    """A place near by where the rows that must be zero are, by Newton's method with the shortest steps."""
    for _ in range(CORRECTIONS):
        values = dict(zip(names, place.tolist(), strict=True))
        residual = np.array(evaluate([rows[each] for each in fixed], values)) if fixed else np.zeros(0)
        if not np.isfinite(residual).all():
            return None
        if np.max(np.abs(residual), initial=0.0) < 1e-11:
            return place
        matrix = _matrix(slopes, names, place, fixed)
        if not np.isfinite(matrix).all():
            return None
        step = np.linalg.lstsq(matrix, -residual, rcond=1e-10)[0]
        place = place + step * min(1.0, 2.0 / max(float(np.max(np.abs(step))), 1e-300))
    return None
