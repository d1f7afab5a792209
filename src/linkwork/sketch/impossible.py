"""Values for which a construction does not exist: which step fails, and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from linkwork.algebra import Definition, Expression, Table, evaluate, free_symbols
from linkwork.errors import LinkworkError, NoAnswer
from linkwork.sketch.construct import Construction
from linkwork.sketch.growth import Step


class DoesNotClose(NoAnswer):
    """A drawing whose dimensions have values for which it does not exist."""


def impossible(construction: Construction, values: Mapping[str, float]) -> DoesNotClose | None:
    """The first step that fails for some values; None where all is well or values are missing."""
    lines = construction.definitions
    defined = {line.name for line in lines}
    needed = {leaf.name for line in lines for leaf in line.mentions} - defined
    if not needed <= values.keys():
        return None
    known = dict(values)
    for name, constraint in construction.drawing.constraints.items():
        value = getattr(constraint, "value", None)
        if (
            constraint.word in ("distance", "radius")
            and value is not None
            and not free_names(value) - known.keys()
        ):
            length = evaluate([value], known)[0]
            if length < 0:
                return DoesNotClose(
                    f"the {constraint.word} {name} is negative for these values",
                    got=f"{value} = {length:.6g}",
                    wanted="0 or more",
                    fix=f"--set {value}={-length:.6g}" if not value.arguments else "other values",
                )
    for line in Table.of(lines) if lines else ():
        if line.explicit is None:
            try:
                known |= Table.of(lines).evaluate(values)
            except LinkworkError as error:
                return _failed(construction, line, known, error.problem)
            return None
        known[line.name] = evaluate([line.explicit], known)[0]
        if not math.isfinite(known[line.name]):
            return _failed(construction, line, known, _reason(line, known))
    return None


def free_names(value: Expression) -> set[str]:
    """The names in an expression."""
    return {leaf.name for leaf in free_symbols(value)}


def _reason(line: Definition, known: Mapping[str, float]) -> str:
    if line.implicit is not None and line.implicit[0] is line.symbol**2:
        square = evaluate([line.implicit[1]], known)[0]
        if square < 0:
            return f"the lengths are too short or too long to meet: {line.name}^2 would be {square:.6g}"
    return f"{line} is a division by 0: two of its points fall on one place, or two lines are parallel"


def _failed(
    construction: Construction, line: Definition, known: Mapping[str, float], why: str
) -> DoesNotClose:
    step = next((each for each in construction.steps if line.name in each.defines), None)
    drawing = construction.drawing
    sources = [
        drawing.constraints[name] for name in (step.sources if step else ()) if name in drawing.constraints
    ]
    used = {leaf.name for each in sources for leaf in free_symbols(getattr(each, "value", line.symbol))}
    used -= {line.name}
    shown = [f"{name} = {known[name]:.6g}" for name in sorted(used) if name in known]
    far = _distance(construction, step, known)
    return DoesNotClose(
        f"{step.element if step else line.name} cannot be constructed for these values",
        got=", ".join([*shown, *far]),
        wanted="values for which it exists",
        why=f"{step.words if step else ''} But {why}",
        fix=_fix(used, known, far.values()),
    )


def _distance(construction: Construction, step: Step | None, known: Mapping[str, float]) -> dict[str, float]:
    """The distance between the two known points from which a point is measured, by what to say of it."""
    constraints = construction.drawing.constraints
    partners = [
        name
        for source in (step.sources if step is not None else ())
        if source in constraints
        for name in constraints[source].of
        if step is not None and name != step.element and name in construction.frame.points
    ]
    if len(partners) != 2:
        return {}
    a, b = (construction.frame.points[name] for name in partners)
    try:
        far = math.dist(evaluate([a.x, a.y], known), evaluate([b.x, b.y], known))
    except LinkworkError:
        return {}
    return {f"{partners[0]} and {partners[1]} are {far:.6g} apart": far}


def _fix(used: set[str], known: Mapping[str, float], far: Iterable[float]) -> str:
    """A value to try: with two sides and the distance they bridge, one as long as the longest of the others."""
    names = sorted(used)
    if not names:
        return "other values"
    others = [*far, *(known[each] for each in names[1:] if each in known)]
    value = max(others, default=2 * known.get(names[0], 0.5)) or 1.0
    return f"--set {names[0]}={value:.4g}   # or another value"
