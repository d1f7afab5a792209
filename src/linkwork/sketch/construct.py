"""From a drawing to the sequence of elementary constructions, each of one point or line from known ones.

The ground grows first (:mod:`linkwork.sketch.growth`), then rigid clusters beside it; what no sequence reaches is
solved for at once. A drawing that says too much or too little is refused with what to change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Definition, Expression
from linkwork.algebra.expression import ZERO
from linkwork.errors import LinkworkError
from linkwork.model.constraint.relation import Apart, Headed, Level, Placed, Relation
from linkwork.model.drawing import Drawing
from linkwork.model.fault import listed
from linkwork.sketch.clustering import drop_unplaced, grow_clusters
from linkwork.sketch.constructions import Lines
from linkwork.sketch.diagnose import check
from linkwork.sketch.element import Frame
from linkwork.sketch.growth import Growth, Step
from linkwork.sketch.picture import Picture
from linkwork.sketch.simultaneous import solve_block


@dataclass(frozen=True)
class Construction:
    """The whole sequence, where the elements are, and the lines of the table."""

    drawing: Drawing
    steps: tuple[Step, ...]
    frame: Frame
    definitions: tuple[Definition, ...]
    conventions: tuple[Relation, ...]
    radii: Mapping[str, Expression]
    assumptions: tuple[str, ...] = ()
    simultaneous: tuple[tuple[str, ...], ...] = ()
    taken: frozenset[str] = frozenset()  # names that no line of the table may have

    @property
    def words(self) -> str:
        """The sequence, one sentence a line."""
        return "\n".join(f"{place}. {step.words}" for place, step in enumerate(self.steps, 1))


def conventions(drawing: Drawing, relations: Iterable[Relation]) -> list[Relation]:
    """What fixes the drawing in the plane where its constraints do not: a point at the origin, a line along x."""
    relations = list(relations)
    placed = [each for each in relations if isinstance(each, Placed)]
    headed = [each for each in relations if isinstance(each, Headed | Level)]
    _refuse_without_effect(drawing, placed, headed)
    found: list[Relation] = []
    if not placed and drawing.points:
        first = drawing.origin or next(iter(drawing.points))
        found.append(Placed(first, ZERO, ZERO))
    if len(placed) > 1 or headed:
        return found
    base = placed[0].point if placed else drawing.origin or next(iter(drawing.points), "")
    through = [name for name, points in drawing.all_lines.items() if base in points]
    axis = drawing.axis or next(iter(through), "")
    if axis:
        found.append(Headed(axis, ZERO, undirected=False))
        return found
    for each in relations:
        if isinstance(each, Apart) and base in each.elements:
            other = each.second if each.first == base else each.first
            return [*found, Level(base, other, "y")]
    if drawing.all_lines:
        found.append(Headed(next(iter(drawing.all_lines)), ZERO, undirected=False))
    return found


def _refuse_without_effect(
    drawing: Drawing, placed: Sequence[Placed], headed: Sequence[Headed | Level]
) -> None:
    """An origin or an axis that would be passed over in silence, since constraints say where the drawing is."""
    if placed and drawing.origin and drawing.origin not in {each.point for each in placed}:
        raise LinkworkError(
            f"origin = {drawing.origin!r} has no effect: {placed[0].point} is fixed",
            wanted="an origin, or fixed points",
            fix=f'{drawing.origin} = {{ type = "fixed", of = ["{drawing.origin}"] }}',
        )
    directed = {name for each in headed for name in each.elements}
    if drawing.axis and drawing.axis not in directed and (headed or len(placed) > 1):
        raise LinkworkError(
            f"axis = {drawing.axis!r} has no effect: the drawing has directions of its own",
            got=listed([each.source for each in headed or placed]),
            wanted="an axis, or directions in the plane",
            fix=f'{drawing.axis} = {{ type = "horizontal", of = ["{drawing.axis}"] }}',
        )


def construct(
    drawing: Drawing, values: Mapping[str, float] | None = None, taken: Collection[str] = ()
) -> Construction:
    """The sequence of constructions of a drawing.

    An error tells what is wrong with one that says too much or too little.
    """
    relations = list(drawing.relations())
    picture = Picture.of(drawing, relations, values or {})
    fixed = conventions(drawing, relations)
    growth = Growth(drawing, [*fixed, *relations], Frame(), Lines(taken), picture)
    growth.grow()
    if growth.missing():
        growth.use_offsets()
        growth.grow()
    if growth.missing() or growth.missing_radii() or growth.unused():
        check(drawing, fixed, relations, picture)
    if growth.missing():
        grow_clusters(growth)
        drop_unplaced(growth)
    while growth.missing() or growth.missing_radii():
        solve_block(growth, values or {})
        growth.grow()
    return Construction(
        drawing,
        tuple(growth.steps),
        growth.frame,
        tuple(growth.lines.definitions),
        tuple(fixed),
        growth.radii,
        tuple(growth.constructor.assumptions),
        tuple(growth.simultaneous),
        frozenset(taken),
    )
