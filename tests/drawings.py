"""Drawings for tests, and where a construction puts their elements.

A :class:`Sketch` is a drawing together with the picture it was measured in: where every point and line really is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from linkwork import Machine, evaluate
from linkwork.algebra import Expression, Operand, Table, substitute, symbol
from linkwork.model.constraint import Angle, Constraint, Fixed
from linkwork.model.drawing import Circle, Drawing
from linkwork.sketch.construct import Construction, construct


def drawn(**fields: Any) -> Drawing:
    """A drawing from numbers, names and text: what it takes is checked by itself, not by types."""
    return Drawing(**fields)


@dataclass(frozen=True)
class Sketch:
    """A drawing and the picture it was measured in; points of the plane are complex numbers."""

    points: Mapping[str, complex]
    lines: Mapping[str, tuple[str, ...]]
    ways: Mapping[str, complex]  # the direction of every line
    bases: Mapping[str, complex]  # a place on every line
    circles: Mapping[str, Circle]
    radii: Mapping[str, float]
    constraints: Mapping[str, Constraint]
    values: Mapping[str, float]

    def drawing(self, rough: float = 0.0, seed: int = 0) -> Drawing:
        """The drawing, with its points at rough places: off by up to so much."""
        chance = random.Random(seed)
        places = {
            name: (at.real + chance.uniform(-rough, rough), at.imag + chance.uniform(-rough, rough))
            for name, at in self.points.items()
        }
        return Drawing(
            points=places,
            lines=dict(self.lines),
            circles=dict(self.circles),
            constraints=dict(self.constraints),
        )

    def machine(self, **more: Any) -> Machine:
        """The drawing as a machine whose parameters are its dimensions."""
        drawing = replace(self.drawing(), **more)
        return Machine.of("sketch", dict(self.values), drawing=drawing)

    def without(self, *names: str) -> Sketch:
        """The sketch with some constraints left out."""
        return replace(
            self, constraints={key: each for key, each in self.constraints.items() if key not in names}
        )

    def shuffled(self, seed: int) -> Sketch:
        """The sketch with its constraints in another order."""
        names = [*self.constraints]
        random.Random(seed).shuffle(names)
        return replace(self, constraints={name: self.constraints[name] for name in names})

    def renamed(self, new: Callable[[str], str]) -> Sketch:
        """The sketch with other names for its elements, constraints and dimensions."""
        symbols: dict[Expression, Operand] = {symbol(name): symbol(new(name)) for name in self.values}

        def value(each: Any) -> Any:
            return substitute([each], symbols)[0]

        def constraint(each: Constraint) -> Constraint:
            more: dict[str, Any] = {"of": tuple(new(name) for name in each.of)}
            if hasattr(each, "value"):
                more["value"] = value(each.value)
            if isinstance(each, Fixed):
                more["at"] = tuple(value(part) for part in each.at)
            return replace(each, **more)

        def circle(each: Circle) -> Circle:
            radius = None if each.radius is None else value(each.radius)
            through = tuple(new(name) for name in each.through)
            return replace(each, centre=new(each.centre), radius=radius, through=through)

        return Sketch(
            {new(name): at for name, at in self.points.items()},
            {new(name): tuple(new(each) for each in on) for name, on in self.lines.items()},
            {new(name): way for name, way in self.ways.items()},
            {new(name): at for name, at in self.bases.items()},
            {new(name): circle(each) for name, each in self.circles.items()},
            {new(name): radius for name, radius in self.radii.items()},
            {new(name): constraint(each) for name, each in self.constraints.items()},
            {new(name): each for name, each in self.values.items()},
        )

    def mirrored(self) -> Sketch:
        """The sketch seen in the x-axis: angles and heights of the plane change their sign."""
        turned = {str(each.value) for each in self.constraints.values() if isinstance(each, Angle)}
        turned |= {str(each.at[1]) for each in self.constraints.values() if isinstance(each, Fixed)}
        return replace(
            self,
            points={name: at.conjugate() for name, at in self.points.items()},
            ways={name: way.conjugate() for name, way in self.ways.items()},
            bases={name: at.conjugate() for name, at in self.bases.items()},
            values={name: -each if name in turned else each for name, each in self.values.items()},
        )


# ------------------------------------------------------------------------------------- what was constructed


@dataclass(frozen=True)
class Built:
    """Where a construction puts the elements of a drawing, in numbers."""

    points: Mapping[str, complex]
    ways: Mapping[str, complex]
    bases: Mapping[str, complex]
    radii: Mapping[str, float]


def built(construction: Construction, values: Mapping[str, float]) -> Built:
    """The elements of a construction for some values."""
    lines = construction.definitions
    known = dict(values)
    if lines:
        needed = {leaf.name for line in lines for leaf in line.mentions} - {line.name for line in lines}
        known |= Table.of(lines, inputs=sorted(needed)).evaluate({name: values[name] for name in needed})

    def at(*parts: Any) -> complex:
        return complex(*evaluate(list(parts), known))

    frame = construction.frame
    drawing = construction.drawing
    radii = {name: evaluate([drawing.radius(name)], known)[0] for name in drawing.circles}
    return Built(
        {name: at(point.x, point.y) for name, point in frame.points.items()},
        {name: at(line.direction.cosine, line.direction.sine) for name, line in frame.lines.items()},
        {name: at(line.through.x, line.through.y) for name, line in frame.lines.items()},
        radii,
    )


def constructed(sketch: Sketch, rough: float = 0.0, seed: int = 0) -> Built:
    """A sketch's drawing constructed again."""
    return built(construct(sketch.drawing(rough, seed), dict(sketch.values)), sketch.values)


def fitted(found: Mapping[str, complex], wanted: Mapping[str, complex]) -> tuple[complex, complex, float]:
    """The turn and the shift that bring points upon others best, and how far they are off then."""
    names = [*wanted]
    a = sum(found[name] for name in names) / len(names)
    b = sum(wanted[name] for name in names) / len(names)
    turn = sum((wanted[name] - b) * (found[name] - a).conjugate() for name in names)
    turn = turn / abs(turn) if abs(turn) else 1.0 + 0j
    off = max(abs(b + turn * (found[name] - a) - wanted[name]) for name in names)
    return turn, b - turn * a, off
