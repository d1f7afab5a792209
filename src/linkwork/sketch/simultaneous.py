"""What no sequence of constructions reaches: some elements at once, as a block of implicit definitions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from linkwork.algebra import (
    Definition,
    Expression,
    Table,
    collected,
    free_symbols,
    number,
    symbol,
)
from linkwork.algebra.block import Block as EquationBlock
from linkwork.errors import LinkworkError, NoAnswer
from linkwork.model.constraint.relation import Apart, Beside, Headed, Level, Placed, Relation
from linkwork.planning import Block, Structure, blocks, match
from linkwork.sketch.element import Direction, LineAt, PointAt
from linkwork.sketch.equation import Coordinates, wanted
from linkwork.sketch.growth import Growth, Step
from linkwork.sketch.witness import witness

TRIES = 60
"""Random beginnings for numbers that satisfy a block, where the drawing has no rough places."""


class Rows:
    """The equations of what is left over, by the place of their relation."""

    def __init__(self, growth: Growth) -> None:
        known: dict[str, PointAt | LineAt] = {**growth.frame.points, **growth.frame.lines}
        self.at = Coordinates(growth.drawing, known)
        self.missing = growth.missing()
        self.unknowns = [name for each in self.missing for name in self.at.names_of(each)]
        self.unknowns += [name for name in growth.drawing.unknown_radii() if name not in growth.radii]
        self.equations: dict[str, Expression] = {}
        self.owner: dict[str, int] = {}
        implied = _implied(growth)
        for place, relation in enumerate(growth.relations):
            if place in growth.used or place in implied:
                continue
            side = 1
            if isinstance(relation, Beside):
                side = growth.picture.side_of_line(relation.line, relation.point) or 1
            for place_in, row in enumerate(wanted(relation, self.at, side)):
                if any(leaf.name in self.unknowns for leaf in free_symbols(row)) and not _is_trivial(
                    relation, growth, self.at
                ):
                    key = f"{place}.{place_in}"
                    self.equations[key], self.owner[key] = row, place

    def structure(self) -> Structure:
        """Which equation mentions which coordinate."""
        mentions = {
            key: [leaf.name for leaf in free_symbols(row) if leaf.name in self.unknowns]
            for key, row in self.equations.items()
        }
        return Structure.of(mentions, self.unknowns)


def _implied(growth: Growth) -> set[int]:
    """The places of unused relations that follow from the others."""
    places = sorted(range(len(growth.relations)), key=lambda place: place not in growth.used)
    found = witness(growth.drawing, [growth.relations[each] for each in places], growth.picture.coordinates())
    if found is None:
        return set()
    dependent = {last for last, group in found.dependent() if group != (last,)}
    return {places[each] for each in dependent} - growth.used


def _is_trivial(relation: object, growth: Growth, at: Coordinates) -> bool:
    """Whether a relation says only that a line goes through the two points that define it."""
    if not isinstance(relation, Beside) or not relation.on_it or relation.line in at.known:
        return False
    return relation.point in growth.drawing.all_lines[relation.line][:2]


def solve_block(growth: Growth, values: Mapping[str, float]) -> None:
    """Enter the elements of the first blocks of what is left, as implicit definitions."""
    rows = Rows(growth)
    chosen = _first_whole(rows, blocks(rows.structure()))
    for block in chosen:
        mentions = {key: _unknowns_of(rows.equations[key], block.unknowns) for key in block.equations}
        pairs = {name: key for key, name in match(Structure.of(mentions, block.unknowns)).pairs}
        starts = _starts(growth, block.unknowns, [rows.equations[key] for key in block.equations], values)
        for name in block.unknowns:
            growth.lines.taken.add(name)
            equation = _equation(growth.relations[rows.owner[pairs[name]]], rows.equations[pairs[name]])
            growth.lines.definitions.append(Definition.of(name, implicit=equation, start=starts[name]))
        growth.used.update(rows.owner[key] for key in block.equations)
        if block.size > 1:
            growth.simultaneous.append(block.unknowns)
    _enter(growth, rows, [name for block in chosen for name in block.unknowns])


def _unknowns_of(row: Expression, names: Sequence[str]) -> list[str]:
    return [leaf.name for leaf in free_symbols(row) if leaf.name in names]


def _first_whole(rows: Rows, every: Sequence[Block]) -> list[Block]:
    """As few blocks as give all coordinates of the elements they touch."""
    known: set[str] = set()
    for place, block in enumerate(every, 1):
        known.update(block.unknowns)
        own = [{*rows.at.names_of(element)} for element in rows.missing]
        if all(not names & known or names <= known for names in own):
            return list(every[:place])
    return list(every)


def _equation(relation: Relation, row: Expression) -> tuple[Expression, Expression]:
    """What is zero as an equation: a squared distance on the left, its value on the right."""
    if isinstance(relation, Apart):
        square = relation.distance**2
        return collected([row + square])[0], square
    return row, number(0)


def _enter(growth: Growth, rows: Rows, names: Sequence[str]) -> None:
    """Elements all of whose coordinates are known now enter the frame."""
    defined = {line.name for line in growth.lines.definitions}
    new: list[str] = []
    for element in rows.missing:
        own = rows.at.names_of(element)
        if not own or not {*own} <= defined:
            continue
        new.append(element)
        if element in growth.drawing.points:
            growth.frame.points[element] = PointAt(symbol(own[0]), symbol(own[1]))
        else:
            line = rows.at.line(element)
            growth.frame.lines[element] = LineAt(line.through, Direction.at(symbol(own[0])))
    for name in names:
        if name in growth.drawing.unknown_radii():
            growth.radii[name] = symbol(name)
    if len(names) > 1:
        growth.constructor.assumptions.append(
            f"Of the solutions for {', '.join(names)} the one near the first picture is taken."
        )
        who = ", ".join(new) or ", ".join(names)
        words = f"Solve {len(names)} equations at once for {who}: no sequence of constructions leads there."
    else:
        words = f"Solve an equation for {names[0]}."
    growth.steps.append(Step(", ".join(new) or names[0], "block", words, (), tuple(names)))
    for element in new:
        growth.entered(element)


# ------------------------------------------------------------------------------------- first numbers


def _starts(
    growth: Growth, names: Sequence[str], rows: Sequence[Expression], values: Mapping[str, float]
) -> dict[str, float]:
    """Numbers to begin with: the rough places, or any that satisfy the equations for the given values."""
    rough = _rough(growth) | _rough_radii(growth)
    radii = [name for name in names if name in growth.drawing.unknown_radii()]
    start = np.array([rough.get(name, np.nan) for name in names])
    given = _known_values(growth, values)
    used = {leaf.name for row in rows for leaf in free_symbols(row)} - {*names}
    if not used <= given.keys():
        begin = np.where(np.isnan(start), _by_chance(names, radii, seed=1), start)
        return dict(zip(names, begin.tolist(), strict=True))
    size = max([1.0, *(abs(given[name]) for name in used)])
    for attempt in range(TRIES):
        begin = np.where(np.isnan(start), _by_chance(names, radii, attempt) * size, start)
        found = _solved(names, rows, given, begin.tolist())
        if found is not None and all(found[name] > 0 for name in radii):
            return {name: float(f"{value:.6g}") for name, value in found.items()}
        if not np.isnan(start).any():
            break
    raise LinkworkError(
        "no drawing has these dimensions",
        got=", ".join(f"{name} = {given[name]:.6g}" for name in sorted(used) if name in values),
        wanted="values for which the equations have a solution",
        why=f"no place was found for {', '.join(names)} that satisfies them",
        fix="give rough places to the points, or other values",
    )


def _by_chance(names: Sequence[str], radii: Sequence[str], seed: int) -> npt.NDArray[np.float64]:
    """Random numbers, positive for radii: equations with their squares hold for −r as well."""
    found = np.random.default_rng(seed).normal(size=len(names))
    return np.where(np.isin(names, radii), np.abs(found), found)


def _rough_radii(growth: Growth) -> dict[str, float]:
    """The radii of circles, as far as a point on them and their centre have rough places."""
    places = growth.picture.places
    return {
        str(each.distance): math.dist(places[each.first], places[each.second])
        for each in growth.relations
        if isinstance(each, Apart)
        and each.distance in growth.unknown_radii
        and each.first in places
        and each.second in places
    }


def _rough(growth: Growth) -> dict[str, float]:
    """The coordinates of the rough places, turned and moved to where the conventions put the drawing."""
    places = growth.picture.places
    x0 = y0 = 0.0
    c, s = 1.0, 0.0
    for each in growth.relations:
        if isinstance(each, Placed) and not each.source and each.point in places:
            x0, y0 = places[each.point]
        way = None
        if isinstance(each, Headed) and not each.source:
            way = growth.picture.direction(each.line)
        if isinstance(each, Level) and not each.source:
            way = growth.picture.way(each.first, each.second)
        if way is not None:
            c, s = way
    found: dict[str, float] = {}
    for name, (x, y) in places.items():
        dx, dy = x - x0, y - y0
        found |= {f"{name}x": c * dx + s * dy, f"{name}y": c * dy - s * dx}
    return found


def _known_values(growth: Growth, values: Mapping[str, float]) -> dict[str, float]:
    """The values of dimensions and of the lines so far, as far as they have any."""
    known = dict(values)
    lines = growth.lines.definitions
    inputs = {leaf.name for line in lines for leaf in line.mentions} - {line.name for line in lines}
    if inputs <= known.keys() and lines:
        known |= Table.of(lines).evaluate(known)
    return known


def _solved(
    names: Sequence[str], rows: Sequence[Expression], given: Mapping[str, float], place: Sequence[float]
) -> dict[str, float] | None:
    """The unknowns of a block from a beginning, as the table will solve it; None where that does not arrive."""
    zero = number(0)
    equations, starts = tuple((row, zero) for row in rows), tuple(number(each) for each in place)
    try:
        return EquationBlock(tuple(symbol(name) for name in names), equations, starts).solved(given)
    except NoAnswer:
        return None
