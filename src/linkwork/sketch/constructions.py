"""The elementary constructions: a point or a line from two loci, as a few lines of the table each.

Each brings the variables of Todd, McLeod and Harris (1994), named after what it constructs. A point P at the
distances R0 and R1 from two known points:

    Pd² = (X1 − X0)² + (Y1 − Y0)²     Pc = (Pd² + R0² − R1²)/(2·Pd)     Pe² = R0² − Pc²
    Px = X0 + (Pc·(X1 − X0) + Pe·(Y1 − Y0))/Pd     Py = Y0 + (Pc·(Y1 − Y0) − Pe·(X1 − X0))/Pd

Pe has the other sign where the point is on the other side; the first picture tells.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from linkwork.algebra import PI, Definition, Expression, Number, Symbol, symbol
from linkwork.algebra.expression import SQRT, TWO, ZERO, core_of
from linkwork.algebra.tidy import quarter_turns
from linkwork.errors import LinkworkError
from linkwork.sketch.element import Direction, Frame, LineAt, PointAt, squared_distance
from linkwork.sketch.locus import Heading, Locus, Ring, Row, Spot, Touching, Whole
from linkwork.sketch.picture import Picture


class Lines:
    """The lines of the table as they are written, with names that nothing else has."""

    def __init__(self, taken: Collection[str]) -> None:
        self.taken = set(taken)
        self.definitions: list[Definition] = []

    def name(self, wanted: str) -> str:
        """A name that is still free."""
        while wanted in self.taken:
            wanted += "_"
        return wanted

    def define(
        self, wanted: str, explicit: Expression | None = None, *, square: Expression | None = None
    ) -> Expression:
        """A new line: a value, or the positive root of a square. Numbers and plain names need none."""
        if explicit is not None and isinstance(core_of(explicit), Number | Symbol) and _is_plain(explicit):
            return explicit
        name = self.name(wanted)
        self.taken.add(name)
        own = symbol(name)
        implicit = None if square is None else (own * own, square)
        self.definitions.append(Definition.of(name, explicit, implicit))
        return own


class Constructor:
    """Writes constructions in one frame; ``lengths`` are the distances between points that dimensions give."""

    def __init__(
        self, frame: Frame, lines: Lines, picture: Picture, lengths: Mapping[frozenset[str], Expression]
    ) -> None:
        self.frame = frame
        self.lines = lines
        self.picture = picture
        self.lengths = lengths
        self.assumptions: list[str] = []

    def define(
        self,
        element: str,
        suffix: str,
        explicit: Expression | None = None,
        *,
        square: Expression | None = None,
    ) -> Expression:
        """A variable of an element's construction."""
        return self.lines.define(f"{self.frame.prefix}{element}{suffix}", explicit, square=square)

    def construct(self, element: str, loci: Sequence[Locus]) -> None:
        """Enter an element into the frame."""
        types = tuple(type(each) for each in loci)
        if types not in _CONSTRUCTIONS:
            loci, types = loci[::-1], types[::-1]
        if types not in _CONSTRUCTIONS:
            raise LinkworkError(
                f"{element} cannot be constructed from these",
                got=" and ".join(each.words for each in reversed(loci)),
            )
        found = _CONSTRUCTIONS[types](self, element, *loci)
        if isinstance(found, PointAt):
            self.frame.points[element] = self.named_point(element, found)
        else:
            self.frame.lines[element] = found

    def named_point(self, element: str, at: PointAt) -> PointAt:
        """A point whose coordinates are lines of the table."""
        return PointAt(self.define(element, "x", at.x), self.define(element, "y", at.y))

    def distance(self, element: str, first: str, second: str) -> Expression:
        """The distance of two known points: a dimension, or a new variable."""
        given = self.lengths.get(frozenset((first, second)))
        if given is not None:
            return given
        square = squared_distance(self.frame.points[first], self.frame.points[second])
        return self.define(element, "d", square=square)

    # ------------------------------------------------------------------------------- points

    def spot(self, element: str, here: Spot) -> PointAt:
        """A point at a place."""
        return here.point

    def two_rings(self, element: str, first: Ring, second: Ring) -> PointAt:
        """A point at distances from two known points."""
        first, second = (self.with_named_radius(element, each) for each in (first, second))
        a, b = self.frame.points[first.centre], self.frame.points[second.centre]
        d = self.distance(element, first.centre, second.centre)
        c = self.define(element, "c", (d**2 + first.radius**2 - second.radius**2) / (TWO * d))
        e = self.define(element, "e", square=first.radius**2 - c**2)
        side = -self.picture.side_of_points(first.centre, second.centre, element) or 1
        hand = "right" if side > 0 else "left"
        self.assumptions.append(
            f"{element} is to the {hand} of the way from {first.centre} to {second.centre}."
        )
        x, y = b.x - a.x, b.y - a.y
        return PointAt(a.x + (c * x + side * e * y) / d, a.y + (c * y - side * e * x) / d)

    def with_named_radius(self, element: str, ring: Ring) -> Ring:
        """A ring whose radius, if it is a root, is a line of the table by its square."""
        if ring.radius.operation is not SQRT:
            return ring
        return replace(ring, radius=self.define(element, "r", square=ring.radius.arguments[0]))

    def ring_and_row(self, element: str, ring: Ring, row: Row) -> PointAt:
        """A point of a line (or beside it) at a distance from a known point."""
        centre, ring = self.frame.points[ring.centre], self.with_named_radius(element, ring)
        ahead = self.picture.ahead(row.rough, ring.centre, element) or 1
        left = row.line.left(centre)
        if row.left is ZERO and (left is ZERO or self.is_on(ring.centre, row)):
            if ahead < 0:
                self.assumptions.append(f"{element} is behind {ring.centre} on the line {row.name}.")
            c, s = row.line.direction.cosine, row.line.direction.sine
            return PointAt(centre.x + ahead * ring.radius * c, centre.y + ahead * ring.radius * s)
        height = self.define(element, "h", left - row.left)
        reach = self.define(element, "a", square=ring.radius**2 - height**2)
        foot = self.define(element, "f", row.line.along(centre))
        way, line = "ahead of" if ahead > 0 else "behind", f"the line {row.name}".rstrip()
        self.assumptions.append(f"{element} is {way} the foot of {ring.centre} on {line}.")
        return row.line.at(foot + ahead * reach, row.left)

    def is_on(self, point: str, row: Row) -> bool:
        """Whether a known point is on the line of a row, by the drawing."""
        return bool(row.name) and point in self.picture.lines.get(row.name, ())

    def two_rows(self, element: str, first: Row, second: Row) -> PointAt:
        """A point where two lines meet."""
        one, other = (LineAt(each.line.at(ZERO, each.left), each.line.direction) for each in (first, second))
        far = one.reach(other)
        if far is None:
            raise LinkworkError(
                f"{element} is on two parallel lines",
                got=f"{element} is {first.words} and {second.words}",
                wanted="lines that meet",
                fix="give one of them another direction",
            )
        return one.at(self.define(element, "t", far), ZERO)

    # -------------------------------------------------------------------------------- lines

    def whole(self, element: str, here: Whole) -> LineAt:
        """A line as it is."""
        return here.line

    def heading_and_touching(self, element: str, heading: Heading, touching: Touching) -> LineAt:
        """A line with a direction, through a point or at a distance from it."""
        direction = self.named_direction(element, heading.direction)
        line = LineAt(self.frame.points[touching.point], direction)
        return line if touching.left is ZERO else LineAt(line.at(ZERO, -touching.left), direction)

    def named_direction(self, element: str, direction: Direction) -> Direction:
        """A direction whose angle, or else whose cosine and sine, are lines of the table."""
        if direction.angle is not None:
            right_angles = PI / 2 * quarter_turns(direction.angle)
            return Direction.at(self.define(element, "_angle", direction.angle - right_angles) + right_angles)
        cosine = self.define(element, "u", direction.cosine)
        return Direction(cosine, self.define(element, "v", direction.sine))

    def two_touching(self, element: str, first: Touching, second: Touching) -> LineAt:
        """A line through two points, or at distances from them.

        It is directed from the point that it names first to the other, or as in the first picture.
        """
        named = self.picture.lines.get(element, ())
        if len(named) > 1 and all(each in self.frame.points for each in named[:2]):
            first, second = (
                replace(first, point=named[0], left=ZERO),
                replace(second, point=named[1], left=ZERO),
            )
        if second.point in named and (
            first.point not in named or named.index(second.point) < named.index(first.point)
        ):
            first, second = second, first
        a, b = self.frame.points[first.point], self.frame.points[second.point]
        way = self.picture.way(first.point, second.point)
        sign = (self.picture.same_way(element, way) if way is not None else 0) or 1
        d = self.distance(element, first.point, second.point)
        x, y = b.x - a.x, b.y - a.y
        if first.left is ZERO and second.left is ZERO:
            return LineAt(a, self.named_direction(element, Direction(sign * x / d, sign * y / d)))
        k = second.left - first.left
        w = self.define(element, "w", square=d**2 - k**2) if k is not ZERO else d
        w = sign * w
        direction = self.named_direction(element, Direction((x * w + y * k) / d**2, (y * w - x * k) / d**2))
        return LineAt(LineAt(a, direction).at(ZERO, -first.left), direction)


def _is_plain(value: Expression) -> bool:
    """Whether a value is a number, a name, or a name with a minus sign."""
    return isinstance(value, Number) or abs(value.coefficient.value) == 1


_CONSTRUCTIONS: Final[Mapping[tuple[type[Locus], ...], Callable[..., PointAt | LineAt]]] = {
    (Spot,): Constructor.spot,
    (Ring, Ring): Constructor.two_rings,
    (Ring, Row): Constructor.ring_and_row,
    (Row, Row): Constructor.two_rows,
    (Whole,): Constructor.whole,
    (Heading, Touching): Constructor.heading_and_touching,
    (Touching, Touching): Constructor.two_touching,
}
"""What can be constructed from which loci."""
