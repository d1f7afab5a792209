"""A dimensioned drawing: points, lines and circles, what holds between them, and what pulls at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from linkwork.algebra import Expression, symbol
from linkwork.algebra.expression import ZERO
from linkwork.errors import UnknownName
from linkwork.model.constraint import CONSTRAINTS, Equal, Radius
from linkwork.model.constraint.relation import Apart, Beside, Relation
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.field import (
    ANY,
    Coordinates,
    Entries,
    Flag,
    Inner,
    Points,
    Record,
    Scalar,
    Size,
    Sizes,
    TableOf,
    Text,
    Typed,
    given,
)

_POINT = Text("a point", "A")
_PLACE = Entries(
    Scalar(ANY), 0, 2, "a list of two numbers, roughly where it is; empty where that is open", (1, 2)
)


@dataclass(frozen=True)
class RoughPoints(TableOf):
    """A table of points and rough places, or only a list of their names."""

    def schema(self) -> dict[str, Any]:
        names = {"items": _POINT.schema(), "examples": [["A", "B"]]}
        return super().schema() | names | {"type": ["object", "array"]}

    def taken(self, value: Any) -> Any:
        if not isinstance(value, Mapping) and not isinstance(value, str):
            value = {_POINT.taken(name): () for name in Entries(_POINT).taken(value)}
        return super().taken(value)

    def read(self, path: Any, value: Any, expression: Any) -> Any:
        return self.taken(value) if isinstance(value, list) else super().read(path, value, expression)


@dataclass(frozen=True)
class Circle(Record):
    """A circle about a point; with ``arc`` only the arc from the first point it goes through to the second."""

    centre: str = given(_POINT)
    radius: Size | None = given(Scalar(ANY, example="r"), None, "without it the radius follows from the rest")
    through: tuple[str, ...] = given(Entries(_POINT, about="a list of points on it", example=("A",)), ())
    arc: bool = given(Flag(), False, "whether it is an arc, counter-clockwise")


@dataclass(frozen=True)
class PointSpring(Record):
    """A spring, a damper or both between two points."""

    between: tuple[str, ...] = given(Entries(_POINT, 2, 2, "a list of two points", ("A", "B")))
    stiffness: Size = given(Scalar(ANY, example="k"), 0, "force per length")
    length: Size = given(Scalar(ANY, example="s"), 0, "the length without force")
    damping: Size = given(Scalar(ANY, example="c"), 0, "force per speed")


@dataclass(frozen=True)
class LineSpring(Record):
    """A spring, a damper or both that turns two lines against each other, or one against the plane."""

    between: tuple[str, ...] = given(
        Entries(Text("a line", "L"), 1, 2, "a list of one or two lines", ("L", "M"))
    )
    stiffness: Size = given(Scalar(ANY, example="k"), 0, "torque per angle")
    rest: Size = given(Scalar(ANY, example="30 deg"), 0, "the angle without torque")
    damping: Size = given(Scalar(ANY, example="c"), 0, "torque per angular speed")


@dataclass(frozen=True)
class Drawing(Record):
    """A dimensioned drawing with masses, forces and torques.

    Names in it that are no parameters are dimensions without numbers.

    >>> from linkwork.model.constraint import Distance
    >>> bar = Drawing(points=["A", "B"], constraints={"length": Distance(("A", "B"), "l")})
    >>> [str(each.distance) for each in bar.relations()]
    ['l']
    """

    points: Points = given(
        RoughPoints(_PLACE, "a table of points and rough places, or a list of their names")
    )
    lines: Points = given(
        TableOf(
            Entries(
                _POINT,
                about="a list of the points on it, the first two give its direction",
                example=("A", "B"),
            ),
            "a table of lines and the points on them",
        ),
        {},
    )
    circles: Points = given(TableOf(Inner(Circle), "a table of circles and arcs"), {})
    constraints: Points = given(
        TableOf(Typed(CONSTRAINTS, "distance"), "a table of what holds between points, lines and circles"), {}
    )
    origin: str = given(_POINT, "", "the point at the origin, where nothing is fixed")
    axis: str = given(Text("a line", "L"), "", "the line along the x-axis, where no direction is given")
    masses: Points = given(TableOf(Scalar(ANY, example="m"), "a table of points and their masses"), {})
    inertias: Points = given(
        TableOf(Scalar(ANY, example="J"), "a table of lines and their moments of inertia"), {}
    )
    forces: Points = given(
        TableOf(
            Coordinates(of=Scalar(ANY), most=2, example=(0, "-F")), "a table of points and the forces on them"
        ),
        {},
    )
    torques: Points = given(TableOf(Scalar(ANY, example="T"), "a table of lines and the torques on them"), {})
    springs: Points = given(TableOf(Inner(PointSpring), "a table of springs"), {})
    torsion_springs: Points = given(TableOf(Inner(LineSpring), "a table of torsion springs"), {})
    moving: Sizes = given(
        Entries(
            Text("a dimension", "a"), about="a list of the dimensions that change in time", example=("a",)
        ),
        (),
    )

    def kind_of(self, name: str) -> str:
        """What an element is: "point", "line" or "circle"."""
        for kind, names in (("point", self.points), ("line", self.lines), ("circle", self.circles)):
            if name in names:
                return kind
        known = [*self.points, *self.lines, *self.circles]
        raise UnknownName(
            f"the drawing has no point, line or circle '{name}'",
            wanted=listed(known) or "none: it is empty",
            fix=did_you_mean(name, known, f"points = {{ {name} = [] }}"),
        )

    def point_on(self, line: str) -> str:
        """A point of a line."""
        if not self.lines[line]:
            raise UnknownName(
                f"the line {line} has no point",
                why="the distance of two lines is that of a point of the second from the first",
                fix=f'lines = {{ {line} = ["A"] }}',
            )
        return self.lines[line][0]

    def line_through(self, start: str, end: str) -> str:
        """The line from one point to another: one of the drawing's, or a hidden one of its own."""
        for name, points in self.lines.items():
            if points[:2] == (start, end):
                return name
        return f"{start}_{end}"

    @cached_property
    def all_lines(self) -> dict[str, tuple[str, ...]]:
        """The lines, and those that angles of three points need."""
        found = dict(self.lines)
        for each in self.constraints.values():
            if each.word == "angle" and len(each.of) == 3:
                first, vertex, second = each.of
                for end in (first, second):
                    found.setdefault(self.line_through(vertex, end), (vertex, end))
        return found

    def radius(self, circle: str) -> Expression:
        """The radius of a circle: as given, by a constraint, or a name for what follows from the rest."""
        return self._radii[circle]

    @cached_property
    def _radii(self) -> dict[str, Expression]:
        """The radii of all circles; those that are said to be equal have one."""
        found = {name: each.radius for name, each in self.circles.items() if each.radius is not None}
        pairs = []
        for each in self.constraints.values():
            if isinstance(each, Radius):
                found.setdefault(each.of[0], each.value)
            elif isinstance(each, Equal) and len(each.of) == 2:
                pairs.append(each.of)
        for name in self.circles:
            group = {name}
            for _ in pairs:
                group.update(*(pair for pair in pairs if group.intersection(pair)))
            members = [each for each in self.circles if each in group]
            given_radius = next(
                (found[each] for each in members if each in found), symbol(f"{members[0]}_radius")
            )
            found[name] = given_radius
        return found

    def unknown_radii(self) -> tuple[str, ...]:
        """The names of radii that follow from the rest."""
        own = {symbol(f"{name}_radius") for name in self.circles}
        return tuple(dict.fromkeys(str(each) for each in self._radii.values() if each in own))

    def relations(self) -> Iterator[Relation]:
        """The elementary relations of all constraints, and those that lines and circles bring with them."""
        for name, points in self.all_lines.items():
            for point in points:
                yield Beside(point, name, ZERO)
        for name, circle in self.circles.items():
            for point in circle.through:
                yield Apart(circle.centre, point, self.radius(name), source=name)
        for name, constraint in self.constraints.items():
            for relation in constraint.relations(self):
                yield replace(relation, source=name)
