"""What is wrong with a drawing that cannot be constructed: what says too much, what still moves, and the repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from linkwork.algebra.expression import ONE, ZERO
from linkwork.errors import LinkworkError
from linkwork.model.constraint.relation import Apart, Beside, Radial, Relation, Turned
from linkwork.model.drawing import Drawing
from linkwork.model.fault import listed
from linkwork.sketch.equation import has_value
from linkwork.sketch.picture import Picture
from linkwork.sketch.witness import Witness, witness

MOST_PAIRS = 20_000
"""Pairs of points whose distance is tried as a repair."""


class OverConstrained(LinkworkError):
    """Dimensions of a drawing that depend on each other."""


class UnderConstrained(LinkworkError):
    """A drawing whose dimensions leave it free to change."""


class NoSuchDrawing(LinkworkError):
    """Relations that no drawing can have, whatever its dimensions."""


def check(
    drawing: Drawing, fixed: Sequence[Relation], relations: Sequence[Relation], picture: Picture | None = None
) -> None:
    """An error where a drawing says too much or too little; ``fixed`` holds it in the plane.

    A relation without a value that follows from the others does no harm.
    """
    every = [*fixed, *relations]
    rough = {} if picture is None else picture.coordinates()
    found = witness(drawing, every, rough)
    if found is None:
        raise NoSuchDrawing(
            "no drawing has all these properties at once",
            got=listed([name for name, each in drawing.constraints.items() if not hasattr(each, "value")]),
            wanted="parallels, right angles, midpoints and the like that can hold together",
            why="they contradict each other whatever the dimensions are",
            fix="remove one of them",
        )
    for _, group in found.dependent():
        if any(has_value(every[each]) and each >= len(fixed) for each in group):
            raise _over(drawing, found, every, group)
    if len(found.freedoms):
        raise _under(drawing, found)


def _over(
    drawing: Drawing, found: Witness, every: Sequence[Relation], group: Sequence[int]
) -> OverConstrained:
    """The error that names, of the constraints that depend on each other, those that the drawing can spare.

    One that says several things at once may be implied in part only: without it something would move.
    """
    sources = [name for name in dict.fromkeys(every[each].source for each in group) if name]
    spare = [name for name in sources if found.can_spare(_places_from(name, every))]
    named = sorted(spare or sources, key=lambda name: not _is_dimension(drawing, name))
    example = [name for name in named if _is_dimension(drawing, name)] or named
    if spare:
        why, fix = (
            "each of these is determined by the others, so they agree only by chance",
            "remove any one of them",
        )
    else:
        why = "they agree only by chance, though each also says something that the others do not"
        fix = "let any one of them say less"
    return OverConstrained(
        "the drawing is over-constrained: some of its dimensions follow from the others",
        got=listed([_with_value(drawing, name) for name in named]),
        wanted="dimensions that can be chosen freely",
        why=why,
        fix=f"{fix}, for example {example[-1]}",
    )


def _places_from(source: str, every: Sequence[Relation]) -> list[int]:
    """The places of the relations that a constraint brings."""
    return [place for place, each in enumerate(every) if each.source == source]


def _is_dimension(drawing: Drawing, name: str) -> bool:
    return hasattr(drawing.constraints.get(name), "value")


def _with_value(drawing: Drawing, name: str) -> str:
    value = getattr(drawing.constraints.get(name), "value", None)
    return name if value is None else f"{name} ({value})"


def _under(drawing: Drawing, found: Witness) -> UnderConstrained:
    count = len(found.freedoms)
    moving = _moving_elements(drawing, found)
    repairs = _repairs(drawing, found)
    fix = "\n".join(["[drawing.constraints]", *repairs]) if repairs else "add a dimension"
    return UnderConstrained(
        f"the drawing is under-constrained: {count} freedom{'' if count == 1 else 's'} left",
        got=f"{listed(moving)} can still move",
        wanted=f"{count} more dimension{'' if count == 1 else 's'}",
        fix=fix,
    )


def _moving_elements(drawing: Drawing, found: Witness) -> list[str]:
    """The elements whose coordinates change along a freedom."""
    size = np.max(np.abs(found.freedoms), axis=0)
    names = {name for name, value in zip(found.names, size, strict=True) if value > 1e-6}
    moving = [each for each in drawing.points if {f"{each}x", f"{each}y"} & names]
    moving += [each for each in drawing.all_lines if {f"{each}_angle", f"{each}_offset"} & names]
    return moving + [each for each in drawing.circles if f"{each}_radius" in names]


def _repairs(drawing: Drawing, found: Witness) -> list[str]:
    """The dimensions that would be enough, as lines to paste: each takes one of the freedoms that are left."""
    freedoms, lines = found.freedoms, []
    for relation, line in _candidates(drawing):
        if not len(freedoms):
            break
        gradient = found.gradient(relation)
        along = freedoms @ gradient
        if np.linalg.norm(along) > 1e-6 * np.linalg.norm(gradient) > 0:
            lines.append(line)
            freedoms = np.linalg.svd(along[None])[2][1:] @ freedoms
    return lines


def _candidates(drawing: Drawing) -> Iterator[tuple[Relation, str]]:
    """Dimensions that a person would try: lengths along lines, angles between them, other distances."""
    for number, (word, relation, of) in enumerate(_possible(drawing), 1):
        names = ", ".join(f'"{each}"' for each in of)
        yield relation, f'new_{number} = {{ type = "{word}", of = [{names}], value = "new_{number}" }}'


def _possible(drawing: Drawing) -> Iterator[tuple[str, Relation, tuple[str, ...]]]:
    """The same as the word of a constraint, its relation, and the elements it is of."""
    lengths = [pair for points in drawing.lines.values() for pair in pairwise(points)]
    others = [pair for pair in combinations(drawing.points, 2) if pair not in lengths]
    for first, second in lengths[:60]:
        yield "distance", Apart(first, second, ZERO), (first, second)
    for first, second in [*combinations(drawing.lines, 2)][:60]:
        yield "angle", Turned(first, second, ZERO), (first, second)
    for first, second in others[:MOST_PAIRS]:
        yield "distance", Apart(first, second, ZERO), (first, second)
    for line, points in drawing.lines.items():
        for point in [each for each in drawing.points if each not in points][:20]:
            yield "distance", Beside(point, line, ONE), (point, line)
    for circle in drawing.circles:
        yield "radius", Radial(str(drawing.radius(circle)), ONE), (circle,)
