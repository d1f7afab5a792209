"""Designs that reach a goal: named dimensions are varied, every try is pushed, pulled back and scored.

A dimension is a number within bounds that moves vertices (each by so much of it along a vector) or sets a
stiffness or the friction. First the whole range is looked at evenly (a Latin hypercube), then the
neighbourhoods of the best, closer and closer. The same seed gives the same tries, so a search that was
interrupted goes on where it was: tries that are known are not made again.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import repeat
from typing import Any, TypeAlias

from linkwork.errors import LinkworkError
from linkwork.fasten.check import check
from linkwork.fasten.design import Design, Dimension, Goal, Polygon, changed_pawls, with_stiffness
from linkwork.fasten.diode import pull
from linkwork.fasten.fastening import fasten
from linkwork.fasten.history import history
from linkwork.fasten.lost import LOST, MotionLost
from linkwork.fasten.parallel import workers
from linkwork.fasten.writing import design_to_json
from linkwork.model.store import read_text, write_text
from linkwork.results import plain_document

Values: TypeAlias = tuple[Fraction, ...]
GRAIN = 10**6
"""Steps of a dimension's range: tries have short numbers."""
BATCH = 16
"""Tries made together; the next ones learn from them."""
BEST = 5
"""Tries whose neighbourhoods are searched, and designs that are reported."""


@dataclass(frozen=True)
class Try:
    """One design: its dimensions, how far it misses the goal (0: reached), and what it does."""

    values: Values
    miss: float
    insertion: float
    retention: float
    ending: str
    removable: bool

    @property
    def rank(self) -> tuple[float, float]:
        """By how far it misses, then by the force it takes."""
        return self.miss, self.insertion

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        figures = {
            "values": [str(value) for value in self.values],
            "miss": self.miss,
            "insertion_force": self.insertion,
            "retention_force": self.retention,
            "ending": self.ending,
            "removable": self.removable,
        }
        return plain_document(figures)


def try_from_json(data: dict[str, Any]) -> Try:
    """The try that ``to_json`` wrote."""
    return Try(
        tuple(Fraction(value) for value in data["values"]),
        float(data["miss"]),
        float(data["insertion_force"]),
        float(data["retention_force"]),
        data["ending"],
        data["removable"],
    )


@dataclass(frozen=True)
class Found:
    """What a search found: all tries, and the best designs."""

    design: Design
    tries: tuple[Try, ...]

    @property
    def best(self) -> tuple[Try, ...]:
        """The best first."""
        return tuple(sorted(self.tries, key=lambda each: each.rank)[:BEST])

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the best designs as files would hold them."""
        assert self.design.search is not None
        names = [dimension.name for dimension in self.design.search.vary]
        return {
            "tries": len(self.tries),
            "reached": sum(each.miss == 0 for each in self.tries),
            "best": [
                each.to_json()
                | {
                    "values": {name: str(value) for name, value in zip(names, each.values, strict=True)},
                    "design": design_to_json(varied(self.design, each.values)),
                }
                for each in self.best
            ],
        }


def varied(design: Design, values: Sequence[Fraction]) -> Design:
    """The design with its dimensions at these values."""
    assert design.search is not None
    for dimension, value in zip(design.search.vary, values, strict=True):
        design = _with(design, dimension, value)
    return design


def _with(design: Design, dimension: Dimension, value: Fraction) -> Design:
    if dimension.sets == "mu":
        return replace(design, mu=value)
    if dimension.sets:
        name = dimension.sets.removesuffix(".k")
        return replace(
            design,
            pawls=changed_pawls(
                design.pawls, lambda pawl: with_stiffness(pawl, value) if pawl.name == name else pawl
            ),
        )
    for polygon, vertex, (x, y) in dimension.moves:
        design = _moved(design, polygon, vertex, (value * x, value * y))
    return design


def _moved(design: Design, name: str, vertex: int, by: tuple[Fraction, Fraction]) -> Design:
    def moved(polygon: Polygon) -> Polygon:
        corner = (polygon[vertex][0] + by[0], polygon[vertex][1] + by[1])
        return (*polygon[:vertex], corner, *polygon[vertex + 1 :])

    if name == "root" and design.root is not None:
        return replace(design, root=moved(design.root))
    return replace(
        design,
        obstacles=tuple(replace(o, poly=moved(o.poly)) if o.name == name else o for o in design.obstacles),
        pawls=changed_pawls(design.pawls, lambda p: replace(p, poly=moved(p.poly)) if p.name == name else p),
    )


def search(
    design: Design,
    count: int = 200,
    seed: int = 0,
    state: str | os.PathLike[str] | None = None,
    processes: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Found:
    """Make ``count`` tries; with a ``state`` file, those that it knows are taken from there."""
    if design.search is None:
        raise LinkworkError(
            "the design says nothing of a search",
            wanted="dimensions to vary and a goal",
            fix='"search": {"vary": {"depth": {"low": "-1/4", "high": "1/4", "moves": {"L.2": ["1", "0"]}}}, '
            '"goal": {"insertion_most": "1/10"}}',
        )
    tries = _known(design, state)
    chance = random.Random(seed)
    first = _spread(design.search.vary, max(count // 2, 1), chance)
    with workers(processes) as pool:
        while len(tries) < count:
            even = len(first) - len(tries)
            size = min(BATCH, count - len(tries), even if even > 0 else BATCH)
            wanted = list(_next(design.search.vary, tries, first, size, seed))
            for made in pool.map(_tried, repeat(design), wanted):
                tries.append(made)
            if state is not None:
                _keep(design, tries, state)
            if progress:
                progress(len(tries) / count)
    return Found(design, tuple(tries))


def _spread(vary: Sequence[Dimension], count: int, chance: random.Random) -> list[Values]:
    """A Latin hypercube: every dimension takes every part of its range once."""
    columns = []
    for dimension in vary:
        parts = list(range(count))
        chance.shuffle(parts)
        width = dimension.high - dimension.low
        columns.append([dimension.low + width * Fraction(2 * part + 1, 2 * count) for part in parts])
    return list(zip(*columns, strict=True))


def _next(
    vary: Sequence[Dimension], tries: Sequence[Try], first: Sequence[Values], count: int, seed: int
) -> Iterator[Values]:
    """The next tries: the rest of the even ones, then neighbours of the best."""
    place = len(tries)
    for k in range(place, place + count):
        if k < len(first):
            yield first[k]
        else:
            chance = random.Random(hash((seed, k)))
            ranked = sorted(tries, key=lambda each: each.rank)[:BEST]
            near = chance.choice(ranked).values
            width = 0.3 * 0.5 ** ((k - len(first)) / max(len(first), 1) * 4)
            yield tuple(_beside(d, value, width, chance) for d, value in zip(vary, near, strict=True))


def _beside(dimension: Dimension, value: Fraction, width: float, chance: random.Random) -> Fraction:
    step = Fraction(round(chance.gauss(0.0, width) * GRAIN), GRAIN) * (dimension.high - dimension.low)
    return min(max(value + step, dimension.low), dimension.high)


def _tried(design: Design, values: Values) -> Try:
    assert design.search is not None
    sample = varied(design, values)
    try:
        check(sample)
    except LinkworkError as error:
        return Try(values, math.inf, math.inf, 0.0, f"impossible: {error.problem}", removable=False)
    try:
        found = fasten(sample)
    except MotionLost as error:
        return Try(values, math.inf, math.inf, 0.0, f"{LOST}: {error.problem}", removable=False)
    insertion = history(found).peak
    back = pull(found, (-sample.v[0], -sample.v[1]))
    retention = back.force if back.comes_apart else math.inf
    miss = _miss(design.search.goal, found.ending.cause, insertion, retention, back.comes_apart)
    return Try(values, miss, insertion, retention, found.ending.cause, back.comes_apart)


def _miss(goal: Goal, ending: str, insertion: float, retention: float, removable: bool) -> float:
    """0 where the goal is reached; parts by which bounds are missed, and 1 for each condition that fails."""
    miss = float(ending in ("jam", "stick"))
    if goal.insertion_most is not None:
        most = float(goal.insertion_most)
        miss += min(max(insertion / most - 1, 0.0), 10.0)
    if goal.retention_least is not None:
        least = float(goal.retention_least)
        miss += max(1 - retention / least, 0.0)
    if goal.removable is not None:
        miss += float(removable != goal.removable)
    return miss


def _known(design: Design, state: str | os.PathLike[str] | None) -> list[Try]:
    if state is None or not os.path.exists(state):
        return []
    try:
        data = json.loads(read_text(os.fspath(state)))
        if data["design"] == _key(design):
            return [try_from_json(each) for each in data["tries"]]
    except (ValueError, KeyError, TypeError):
        pass
    raise LinkworkError(
        "this file is not the state of a search of this design",
        got=os.fspath(state),
        wanted="a file that an earlier search of the same design wrote, or a new name",
        fix="give another name, or remove the file",
    )


def _keep(design: Design, tries: Sequence[Try], state: str | os.PathLike[str]) -> None:
    data = {"design": _key(design), "tries": [each.to_json() for each in tries]}
    write_text(state, json.dumps(data, indent=1) + "\n")


def _key(design: Design) -> Any:
    """What a state belongs to: the whole design, its search included."""
    return design_to_json(design)
