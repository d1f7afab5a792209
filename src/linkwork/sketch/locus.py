"""Loci: where an element can be, as one relation to known elements says.

Two loci of one equation each, or one of two, determine a point or a line.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from linkwork.algebra import Expression
from linkwork.model.constraint.relation import Relation
from linkwork.sketch.element import Direction, LineAt, PointAt


@dataclass(frozen=True)
class Locus:
    """Where an element can be; ``words`` say it in a sentence, ``assumption`` which side was chosen."""

    relation: Relation
    words: str
    assumption: str = field(default="", kw_only=True)

    equations = 1


@dataclass(frozen=True)
class Spot(Locus):
    """A point is here."""

    point: PointAt
    equations = 2


@dataclass(frozen=True)
class Ring(Locus):
    """A point is at a distance from a known point."""

    centre: str
    radius: Expression


@dataclass(frozen=True)
class Row(Locus):
    """A point is on a line, or beside it at a distance to its left."""

    line: LineAt
    left: Expression
    name: str = ""  # of the line, where the drawing has it
    rough: tuple[float, float] | None = None  # its direction in the first picture


@dataclass(frozen=True)
class Heading(Locus):
    """A line has this direction."""

    direction: Direction


@dataclass(frozen=True)
class Touching(Locus):
    """A line passes a known point, which is at a distance to its left."""

    point: str
    left: Expression


@dataclass(frozen=True)
class Whole(Locus):
    """A line is this one."""

    line: LineAt
    equations = 2
