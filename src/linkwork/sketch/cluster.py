"""Rigid clusters: parts of a drawing constructed in a frame of their own, then put where they belong.

A cluster that has one element in common with what is known gives loci for its others: the distances and angles
inside it are known. With two, p and q, it is placed by the turn w = (Q − P)/(q − p), written with complex numbers:
any other point r of it is at R = P + w·(r − p).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from linkwork.algebra import collected, sqrt
from linkwork.model.constraint.relation import Apart
from linkwork.sketch.constructions import Constructor
from linkwork.sketch.element import ZERO, Direction, Frame, LineAt, PointAt
from linkwork.sketch.locus import Heading, Locus, Ring, Row, Touching


@dataclass(frozen=True)
class Cluster:
    """A rigid part of a drawing in its own frame; ``relations`` are the identities of those inside it."""

    name: str
    frame: Frame
    elements: tuple[str, ...]
    relations: frozenset[int]
    radii: tuple[str, ...] = ()  # found inside it


def anchors_of(cluster: Cluster, known: Sequence[str]) -> tuple[str, str] | None:
    """Two known elements by which a cluster can be placed: points, a point and a line, or lines that meet."""
    points = [each for each in known if each in cluster.frame.points]
    lines = [each for each in known if each in cluster.frame.lines]
    if len(points) >= 2:
        return points[0], points[1]
    if points and lines:
        return points[0], lines[0]
    for first, second in combinations(lines, 2):
        if not _are_parallel(cluster.frame.lines[first], cluster.frame.lines[second]):
            return first, second
    return None


def _are_parallel(first: LineAt, second: LineAt) -> bool:
    """Whether two lines are parallel as far as their angles tell."""
    a, b = first.direction.angle, second.direction.angle
    if a is None or b is None:
        return False
    return Direction.at(collected([b - a])[0]).sine is ZERO


def inner_locus(cluster: Cluster, known: str, element: str, frame: Frame) -> Locus | None:
    """Where an element can be, since its place relative to a known one is known in the cluster."""
    own = cluster.frame
    relation = Apart(known, element, ZERO, source=cluster.name)
    words = f"as far from {known} as in the cluster {cluster.name}"
    if known in own.points and element in own.points:
        a, b = own.points[known], own.points[element]
        return Ring(relation, words, known, sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2))
    if known in own.lines and element in own.points:
        return Row(relation, words, frame.lines[known], own.lines[known].left(own.points[element]))
    if known in own.points:
        return Touching(relation, words, known, own.lines[element].left(own.points[known]))
    a_way, b_way, way = own.lines[known].direction, own.lines[element].direction, frame.lines[known].direction
    c = a_way.cosine * b_way.cosine + a_way.sine * b_way.sine
    s = a_way.cosine * b_way.sine - a_way.sine * b_way.cosine
    turned = Direction(way.cosine * c - way.sine * s, way.sine * c + way.cosine * s)
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
        square = constructor.define(cluster.name, "q", dx**2 + dy**2)
        cosine, sine = (x * dx + y * dy) / square, (y * dx - x * dy) / square
    else:
        way, inner = frame.lines[second].direction, own.lines[second].direction
        cosine = way.cosine * inner.cosine + way.sine * inner.sine
        sine = way.sine * inner.cosine - way.cosine * inner.sine
    u, v = constructor.define(cluster.name, "u", cosine), constructor.define(cluster.name, "v", sine)

    def moved(at: PointAt) -> PointAt:
        dx, dy = at.x - p.x, at.y - p.y
        return PointAt(base.x + u * dx - v * dy, base.y + v * dx + u * dy)

    for element in elements:
        if element in own.points:
            frame.points[element] = constructor.named_point(element, moved(own.points[element]))
        else:
            line = own.lines[element]
            c, s = line.direction.cosine, line.direction.sine
            direction = constructor.named_direction(element, Direction(u * c - v * s, v * c + u * s))
            frame.lines[element] = LineAt(moved(line.through), direction)


def _meeting(constructor: Constructor, name: str, first: LineAt, second: LineAt) -> PointAt:
    """Where two lines meet."""
    a, b = first.direction, second.direction
    x, y = second.through.x - first.through.x, second.through.y - first.through.y
    cross = a.cosine * b.sine - a.sine * b.cosine
    far = constructor.define(name, "t", (x * b.sine - y * b.cosine) / cross)
    return constructor.named_point(name, first.at(far, ZERO))
