"""What can be wrong with a drawing by its names alone; whether it can be constructed is asked by ``sketch``."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from linkwork.algebra import Expression, Number, free_symbols, number, symbol
from linkwork.errors import BadName, LinkworkError, NameTaken, UnknownName
from linkwork.model.fault import Fault, did_you_mean, listed

if TYPE_CHECKING:
    from linkwork.model.drawing import Drawing
    from linkwork.model.lines import Path
    from linkwork.model.machine import Machine


def drawing_faults(machine: Machine) -> Iterator[Fault]:
    """The faults of a machine's drawing, the plainest first."""
    drawing = machine.drawing
    if drawing is None:
        return
    if machine.parts or machine.joints:
        error: LinkworkError = LinkworkError(
            "a machine has a drawing or parts, not both",
            why="a drawing says by itself how everything is joined",
            fix="take [drawing] or the parts out",
        )
        yield Fault(("drawing",), error)
    if not drawing.points and not drawing.lines:
        error = LinkworkError(
            "the drawing is empty", wanted="points", fix="[drawing]\npoints = { A = [0, 0], B = [1, 0] }"
        )
        yield Fault(("drawing", "points"), error)
    yield from _name_faults(machine, drawing)
    yield from _reference_faults(drawing)
    yield from _constraint_faults(drawing)
    yield from _number_faults(drawing)
    yield from _circle_faults(drawing)
    yield from _ratio_faults(drawing)
    yield from _dimension_name_faults(drawing)


def _name_faults(machine: Machine, drawing: Drawing) -> Iterator[Fault]:
    owners: dict[str, str] = {}
    for table in ("points", "lines", "circles"):
        for name in getattr(drawing, table):
            where = ("drawing", table, name)
            try:
                symbol(name)
            except LinkworkError as bad:
                yield Fault(where, bad)
            if "." in name:
                error: LinkworkError = BadName(
                    f"the name '{name}' has a dot", fix=f"{name.replace('.', '_')} = []"
                )
                yield Fault(where, error)
            if owners.setdefault(name, table) != table:
                error = NameTaken(
                    f"'{name}' is in {owners[name]} and in {table}", fix=f"call the second one {name}_2"
                )
                yield Fault(where, error)
    own = [f"{point}{axis}" for point in drawing.points for axis in "xy"]
    own += [f"{line}_angle" for line in drawing.all_lines]
    taken = dict.fromkeys(own)
    names = [("parameter", name) for name in machine.parameters]
    for table, name in [*names, *(("definition", line.name) for line in machine.definitions)]:
        if name in taken:
            error = NameTaken(
                f"'{name}' is a coordinate of the drawing and cannot be a {table}",
                why="a dimension is either given or follows from the drawing",
                fix=f"[{table}]\n{name}_0 = 1",
            )
            yield Fault((table, name), error)


def _unknown(where: Path, name: str, kind: str, known: Collection[str]) -> Fault:
    error: LinkworkError = UnknownName(
        f"the drawing has no {kind} '{name}'",
        wanted="one of " + listed(known) if known else f"none: it has no {kind}s",
        fix=did_you_mean(name, known, f"{kind}s = {{ {name} = [] }}"),
    )
    return Fault(where, error)


def _reference_faults(drawing: Drawing) -> Iterator[Fault]:
    """Points and lines that are named but not there."""
    points: list[tuple[Path, str]] = []
    lines: list[tuple[Path, str]] = []
    where: Path
    for name, members in drawing.lines.items():
        points += [(("drawing", "lines", name, place), each) for place, each in enumerate(members)]
    for name, circle in drawing.circles.items():
        where = ("drawing", "circles", name)
        points += [((*where, "centre"), circle.centre)]
        points += [((*where, "through", place), each) for place, each in enumerate(circle.through)]
    points += [
        (("drawing", table, name), name) for table in ("masses", "forces") for name in getattr(drawing, table)
    ]
    lines += [
        (("drawing", table, name), name)
        for table in ("inertias", "torques")
        for name in getattr(drawing, table)
    ]
    points += [
        (("drawing", "springs", name, "between", place), each)
        for name, spring in drawing.springs.items()
        for place, each in enumerate(spring.between)
    ]
    lines += [
        (("drawing", "torsion_springs", name, "between", place), each)
        for name, spring in drawing.torsion_springs.items()
        for place, each in enumerate(spring.between)
    ]
    if drawing.origin:
        points.append((("drawing", "origin"), drawing.origin))
    if drawing.axis:
        lines.append((("drawing", "axis"), drawing.axis))
    for where, name in points:
        if name not in drawing.points:
            yield _unknown(where, name, "point", drawing.points)
    for where, name in lines:
        if name not in drawing.lines:
            yield _unknown(where, name, "line", drawing.lines)


def _constraint_faults(drawing: Drawing) -> Iterator[Fault]:
    for name, constraint in drawing.constraints.items():
        where = ("drawing", "constraints", name)
        try:
            constraint.kinds_in(drawing)
            constraint.relations(drawing)
        except LinkworkError as refused:
            refused.problem = f"constraint {name}: {refused.problem}"
            yield Fault((*where, "of"), refused)
        if len({*constraint.of}) < len(constraint.of) and constraint.word not in ("equal", "ratio"):
            error: LinkworkError = LinkworkError(
                f"constraint {name} names an element twice",
                got=listed(constraint.of),
                wanted="different elements",
                fix='of = ["A", "B"]',
            )
            yield Fault((*where, "of"), error)
    for name, members in drawing.lines.items():
        if len({*members}) < len(members):
            error = LinkworkError(
                f"the line {name} goes through a point twice", got=listed(members), fix="remove one"
            )
            yield Fault(("drawing", "lines", name), error)


def _dimension_name_faults(drawing: Drawing) -> Iterator[Fault]:
    """Dimensions called like what follows from the drawing or is derived from it."""
    own = {f"{point}{axis}" for point in drawing.points for axis in "xy"}
    own |= {f"{line}_angle" for line in drawing.all_lines}
    fields: list[tuple[Path, Expression]] = []
    for name, constraint in drawing.constraints.items():
        fields += [
            (("drawing", "constraints", name, *leaf.where), leaf.value) for leaf in constraint.leaves()
        ]
    for name, circle in drawing.circles.items():
        fields += [(("drawing", "circles", name, *leaf.where), leaf.value) for leaf in circle.leaves()]
    names = {leaf.name for _, value in fields for leaf in free_symbols(value)}
    for where, value in fields:
        for leaf in free_symbols(value):
            prefix, _, rest = leaf.name.partition("_")
            is_result = prefix in ("V", "A", "reaction", "inertia") and rest in names
            if leaf.name in own or is_result:
                error = NameTaken(
                    f"a dimension cannot be called '{leaf.name}'",
                    got=str(value)[:80],
                    why="that is the name of something that follows from the drawing or its motion",
                    fix=f'"{leaf.name.replace("_", "")}_0"',
                )
                yield Fault(where, error)


def _number_faults(drawing: Drawing) -> Iterator[Fault]:
    """Rough places that are half given, masses and lengths that are negative numbers."""
    for name, place in drawing.points.items():
        if len(place) == 1:
            error: LinkworkError = LinkworkError(
                f"the point {name} has one coordinate", wanted="two, or none", fix=f"{name} = [1, 2]"
            )
            yield Fault(("drawing", "points", name), error)
    sizes: Mapping[str, Mapping[str, object]] = {"masses": drawing.masses, "inertias": drawing.inertias}
    for table, entries in sizes.items():
        for name, value in entries.items():
            if isinstance(value, Number) and value.value < 0:
                error = LinkworkError(
                    f"{table} of {name}: this is negative",
                    got=str(value),
                    wanted="0 or more",
                    fix=f"{name} = 1",
                )
                yield Fault(("drawing", table, name), error)
    for name, constraint in drawing.constraints.items():
        value = getattr(constraint, "value", None)
        is_length = constraint.word in ("distance", "radius", "ratio")
        if is_length and isinstance(value, Number) and (value.value < 0 or not math.isfinite(value.value)):
            error = LinkworkError(
                f"constraint {name}: a {constraint.word} cannot be negative",
                got=str(value),
                wanted="0 or more",
                fix=f"value = {float(-value.value):g}",
            )
            yield Fault(("drawing", "constraints", name, "value"), error)


def _circle_faults(drawing: Drawing) -> Iterator[Fault]:
    """Radii that are negative, or given twice."""
    for name, circle in drawing.circles.items():
        own = [] if circle.radius is None else [f"radius = {circle.radius}"]
        if isinstance(circle.radius, Number) and circle.radius.value < 0:
            error = LinkworkError(f"the radius of {name} is negative", got=own[0], fix="radius = 1")
            yield Fault(("drawing", "circles", name, "radius"), error)
        more = [key for key, each in drawing.constraints.items() if each.word == "radius" and name in each.of]
        if len(own) + len(more) > 1:
            shown = listed([*own, *more])
            error = LinkworkError(
                f"the circle {name} has two radii", got=shown, wanted="one of them", fix=f"remove {more[-1]}"
            )
            yield Fault(("drawing", "constraints", more[-1]), error)


def _ratio_faults(drawing: Drawing) -> Iterator[Fault]:
    """Points that divide a way at one of its ends, which says nothing of the other."""
    for name, constraint in drawing.constraints.items():
        value = getattr(constraint, "value", None)
        if constraint.word == "ratio" and len(constraint.of) == 3 and value in (number(0), number(1)):
            start, point, end = constraint.of
            other = start if value is number(0) else end
            error = LinkworkError(
                f"constraint {name}: at the ratio {value} the point {point} falls on {other}",
                wanted="another ratio, or coincident points",
                fix=f'{name} = {{ type = "coincident", of = ["{point}", "{other}"] }}',
            )
            yield Fault(("drawing", "constraints", name, "value"), error)
