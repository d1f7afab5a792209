"""Rigid clusters: parts of a drawing constructed in a frame of their own, then put where they belong.

A cluster that has one element in common with what is known gives loci for its others: the distances and angles
inside it are known. With two, p and q, it is placed by the turn w = (Q − P)/(q − p), written with complex numbers:
any other point r of it is at R = P + w·(r − p).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from linkwork.algebra import Expression, sqrt
from linkwork.algebra.expression import ZERO
from linkwork.model.constraint.relation import Apart
from linkwork.sketch.constructions import Constructor
from linkwork.sketch.element import Direction, Frame, LineAt, PointAt, squared_distance
from linkwork.sketch.locus import Heading, Locus, Ring, Row, Touching
from linkwork.sketch.picture import Picture


@dataclass(frozen=True)
class Cluster:
    """A rigid part of a drawing in its own frame; ``relations`` are the identities of those inside it."""

    name: str
    frame: Frame
    elements: tuple[str, ...]
    relations: frozenset[int]
    radii: tuple[str, ...] = ()  # found inside it

    def owns(self, line: str) -> bool:
        """Whether a line of the table, by its name, is one of those that construct it."""
        return line.startswith(self.frame.prefix) or line in self.radii

    def distance(self, first: str, second: str) -> Expression:
        """How far two of its points are from each other."""
        return sqrt(squared_distance(self.frame.points[first], self.frame.points[second]))


def anchors_of(cluster: Cluster, known: Sequence[str]) -> tuple[str, str] | None:
    """Two known elements by which a cluster can be placed: points, a point and a line, or lines that meet."""
    points = [each for each in known if each in cluster.frame.points]
    lines = [each for each in known if each in cluster.frame.lines]
    if len(points) >= 2:
        return points[0], points[1]
    if points and lines:
        return points[0], lines[0]
    for first, second in combinations(lines, 2):
        if cluster.frame.lines[first].reach(cluster.frame.lines[second]) is not None:
            return first, second
    return None


def inner_locus(cluster: Cluster, known: str, element: str, frame: Frame, picture: Picture) -> Locus | None:
    """Where an element can be, since its place relative to a known one is known in the cluster."""
    own = cluster.frame
    relation = Apart(known, element, ZERO, source=cluster.name)
    words = f"as far from {known} as in the cluster {cluster.name}"
    if known in own.points and element in own.points:
        return Ring(relation, words, known, cluster.distance(known, element))
    if known in own.lines and element in own.points:
        left = own.lines[known].left(own.points[element])
        return Row(relation, words, frame.lines[known], left, known, picture.direction(known))
    if known in own.points:
        return Touching(relation, words, known, own.lines[element].left(own.points[known]))
    turn = own.lines[element].direction.minus(own.lines[known].direction)
    turned = frame.lines[known].direction.plus(turn)
    return Heading(relation, f"at the angle to {known} that it has in the cluster {cluster.name}", turned)


def placed_in(
    constructor: Constructor, cluster: Cluster, anchors: tuple[str, str], elements: Sequence[str]
) -> None:
    """Enter elements of a cluster into a frame that has two of its elements."""
    frame, own, (first, second) = constructor.frame, cluster.frame, anchors
    if first in own.points:
        p, base = own.points[first], frame.points[first]
    else:
        p = _meeting(constructor, f"{cluster.name}i", own.lines[first], own.lines[second])
        base = _meeting(constructor, f"{cluster.name}o", frame.lines[first], frame.lines[second])
    if second in own.points:
        q, end = own.points[second], frame.points[second]
        x, y, dx, dy = end.x - base.x, end.y - base.y, q.x - p.x, q.y - p.y
        square = constructor.define(cluster.name, "q", squared_distance(p, q))
        cosine, sine = (x * dx + y * dy) / square, (y * dx - x * dy) / square
    else:
        turn = frame.lines[second].direction.minus(own.lines[second].direction)
        cosine, sine = turn.cosine, turn.sine
    u, v = constructor.define(cluster.name, "u", cosine), constructor.define(cluster.name, "v", sine)

    def moved(at: PointAt) -> PointAt:
        dx, dy = at.x - p.x, at.y - p.y
        return PointAt(base.x + u * dx - v * dy, base.y + v * dx + u * dy)

    for element in elements:
        if element in own.points:
            frame.points[element] = constructor.named_point(element, moved(own.points[element]))
        else:
            line = own.lines[element]
            direction = constructor.named_direction(element, Direction(u, v).plus(line.direction))
            frame.lines[element] = LineAt(moved(line.through), direction)


def _meeting(constructor: Constructor, name: str, first: LineAt, second: LineAt) -> PointAt:
    """Where two lines meet that are not parallel."""
    far = first.reach(second)
    assert far is not None, "anchors_of has looked at their directions"
    return constructor.named_point(name, first.at(constructor.define(name, "t", far), ZERO))
