"""From a relation with all but one of its elements known to the locus of that one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from linkwork.algebra import PI, Expression, sqrt
from linkwork.algebra.expression import HALF, ONE, ZERO
from linkwork.model.constraint.relation import (
    Apart,
    Beside,
    Divides,
    Headed,
    Level,
    Mirrored,
    Placed,
    Proportional,
    Relation,
    SameTurn,
    Turned,
)
from linkwork.sketch.element import Direction, Frame, LineAt, PointAt, bisector, squared_distance
from linkwork.sketch.locus import Heading, Locus, Ring, Row, Spot, Touching, Whole
from linkwork.sketch.picture import Picture, rough_direction


def locus_of(relation: Relation, element: str, frame: Frame, picture: Picture) -> Locus | None:
    """The locus of an element; None where this relation to known elements gives none of a simple form."""
    return _LOCI[type(relation)](relation, element, frame, picture)


def _other(relation: Apart | Turned | Level | Mirrored, element: str) -> str:
    """The partner of an element in a relation of two."""
    return relation.second if element == relation.first else relation.first


def _apart(relation: Apart, element: str, frame: Frame, picture: Picture) -> Locus:
    other = _other(relation, element)
    return Ring(relation, f"at the distance {relation.distance} from {other}", other, relation.distance)


def _beside(relation: Beside, element: str, frame: Frame, picture: Picture) -> Locus:
    side = picture.side_of_line(relation.line, relation.point) or 1
    left = relation.distance * side
    hand = "left" if side > 0 else "right"
    assumption = "" if relation.on_it else f"{relation.point} is to the {hand} of the line {relation.line}."
    if element == relation.point:
        words = (
            f"on the line {relation.line}"
            if relation.on_it
            else f"at the distance {relation.distance} from the line {relation.line}"
        )
        return Row(
            relation,
            words,
            frame.lines[relation.line],
            left,
            relation.line,
            picture.direction(relation.line),
            assumption=assumption,
        )
    words = (
        f"through {relation.point}"
        if relation.on_it
        else f"at the distance {relation.distance} from {relation.point}"
    )
    return Touching(relation, words, relation.point, left, assumption=assumption)


def _turned(relation: Turned, element: str, frame: Frame, picture: Picture) -> Locus:
    is_second = element == relation.second
    other, turn = _other(relation, element), relation.angle if is_second else -relation.angle
    direction = frame.lines[other].direction.turned(turn)
    assumption = ""
    if relation.undirected:
        turned_over = _is_turned_over(picture, element, other, turn)
        direction = direction.turned(PI) if turned_over else direction
        assumption = _direction_words(element, other, relation.angle, turned_over)
    words = {ZERO: f"parallel to {other}", PI / 2: f"perpendicular to {other}"}.get(
        relation.angle, f"at the angle {relation.angle} to {other}"
    )
    if not is_second and relation.angle not in (ZERO, PI / 2):
        words = f"so that {other} is at the angle {relation.angle} to it"
    return Heading(relation, words, direction, assumption=assumption)


def _is_turned_over(picture: Picture, line: str, other: str, angle: Expression) -> bool:
    """Whether the picture has a line the other way round than another one turned by an angle."""
    way, turn = picture.direction(other), rough_direction(angle)
    if way is None or turn is None:
        return False
    ahead = (way[0] * turn[0] - way[1] * turn[1], way[1] * turn[0] + way[0] * turn[1])
    return picture.same_way(line, ahead) < 0


def _direction_words(line: str, other: str, angle: Expression, turned_over: bool) -> str:
    """Which of two opposite directions a line has."""
    if angle is ZERO:
        return f"{line} goes {'against' if turned_over else 'the same way as'} {other}."
    return f"{line} goes to the {'right' if turned_over else 'left'} of {other}."


def _headed(relation: Headed, element: str, frame: Frame, picture: Picture) -> Locus:
    direction, rough = Direction.at(relation.angle), rough_direction(relation.angle)
    if relation.undirected and rough is not None and picture.same_way(element, rough) < 0:
        direction = direction.turned(PI)
    words = {ZERO: "in the direction of the x-axis", PI / 2: "in the direction of the y-axis"}.get(
        relation.angle, f"at the angle {relation.angle} to the x-axis"
    )
    return Heading(relation, words, direction)


def _placed(relation: Placed, element: str, frame: Frame, picture: Picture) -> Locus:
    at_origin = relation.x is ZERO and relation.y is ZERO
    words = "at the origin" if at_origin else f"at ({relation.x}, {relation.y})"
    return Spot(relation, words, PointAt(relation.x, relation.y))


def _level(relation: Level, element: str, frame: Frame, picture: Picture) -> Locus:
    other = _other(relation, element)
    direction = Direction.at(ZERO if relation.axis == "y" else PI / 2)
    words = f"level with {other}" if relation.axis == "y" else f"straight above or below {other}"
    if not relation.source:  # a convention
        words = "on the x-axis"
    rough = (1.0, 0.0) if relation.axis == "y" else (0.0, 1.0)
    line = LineAt(frame.points[other], direction)
    return Row(relation, words, line, ZERO, rough=rough if relation.source else None)


def _divides(relation: Divides, element: str, frame: Frame, picture: Picture) -> Locus | None:
    share, ends = relation.share, (relation.start, relation.end)
    if element == relation.point:
        start, end = (frame.points[each] for each in ends)
        at = PointAt(start.x + share * (end.x - start.x), start.y + share * (end.y - start.y))
        words = (
            f"halfway from {ends[0]} to {ends[1]}"
            if share is HALF
            else f"{share} of the way from {ends[0]} to {ends[1]}"
        )
        return Spot(relation, f"at {ends[0]}" if ends[0] == ends[1] else words, at)
    if ends[0] == ends[1]:
        return Spot(relation, f"at {relation.point}", frame.points[relation.point])
    point = frame.points[relation.point]
    if element == relation.end:
        start = frame.points[relation.start]
        at = PointAt(start.x + (point.x - start.x) / share, start.y + (point.y - start.y) / share)
    else:
        end, rest = frame.points[relation.end], ONE - share
        at = PointAt(end.x + (point.x - end.x) / rest, end.y + (point.y - end.y) / rest)
    other = ends[0] if element == ends[1] else ends[1]
    return Spot(
        relation,
        f"so that {relation.point} is {share} of the way from {ends[0]} to {ends[1]}"
        if share is not HALF
        else f"so that {relation.point} is halfway to {other}",
        at,
    )


def _mirrored(relation: Mirrored, element: str, frame: Frame, picture: Picture) -> Locus:
    if element == relation.line:
        words = f"midway between {relation.first} and {relation.second}, perpendicular to their line"
        line = bisector(frame.points[relation.first], frame.points[relation.second])
        return Whole(relation, words, line)
    other = _other(relation, element)
    line, point = frame.lines[relation.line], frame.points[other]
    at = line.at(line.along(point), -line.left(point))
    return Spot(relation, f"as the image of {other} in the line {relation.line}", at)


def _proportional(relation: Proportional, element: str, frame: Frame, picture: Picture) -> Locus | None:
    pairs = [(relation.first, relation.second), (relation.third, relation.fourth)]
    own = [pair for pair in pairs if element in pair]
    others = [pair[1] if pair[0] == element else pair[0] for pair in own]
    if len(own) == 1:
        is_first = own[0] == pairs[0]
        rest = pairs[1 if is_first else 0]
        length = sqrt(squared_distance(*(frame.points[each] for each in rest)))
        radius = length * relation.ratio if is_first else length / relation.ratio
        words = f"as far from {others[0]} as {rest[0]} from {rest[1]}"
        return Ring(
            relation,
            words if relation.ratio is ONE else f"{words}, times {relation.ratio}",
            others[0],
            radius,
        )
    if relation.ratio is not ONE or others[0] == others[1]:
        return None
    line = bisector(*(frame.points[each] for each in others))
    way = picture.way(others[0], others[1])
    rough = None if way is None else (-way[1], way[0])
    return Row(relation, f"as far from {others[0]} as from {others[1]}", line, ZERO, rough=rough)


def _same_turn(relation: SameTurn, element: str, frame: Frame, picture: Picture) -> Locus | None:
    names = relation.elements
    places = [place for place, name in enumerate(names) if name == element]
    ways = [frame.lines[name].direction if name != element else None for name in names]
    words = f"so that the angle from {names[0]} to {names[1]} is that from {names[2]} to {names[3]}"
    if places == [1, 2] and ways[0] is not None and ways[3] is not None:
        first, last = ways[0], ways[3]
        if first.angle is not None and last.angle is not None:
            return Heading(relation, words, Direction.at((first.angle + last.angle) / 2))
        x, y = first.cosine + last.cosine, first.sine + last.sine
        length = sqrt(x * x + y * y)
        return Heading(relation, words, Direction(x / length, y / length))
    if len(places) != 1:
        return None
    place = places[0]
    partner = ways[place ^ 1]
    start, end = ways[2 if place < 2 else 0], ways[3 if place < 2 else 1]
    if partner is None or start is None or end is None:
        return None
    sign = 1 if place in (1, 3) else -1
    if start.angle is not None and end.angle is not None:
        return Heading(relation, words, partner.turned((end.angle - start.angle) * sign))
    turn = end.minus(start) if sign > 0 else start.minus(end)
    return Heading(relation, words, partner.plus(turn))


_Reader = Callable[[Relation, str, Frame, Picture], Locus | None]
_LOCI: Final[Mapping[type[Relation], _Reader]] = {
    Apart: _apart,  # type: ignore[dict-item]
    Beside: _beside,  # type: ignore[dict-item]
    Turned: _turned,  # type: ignore[dict-item]
    Headed: _headed,  # type: ignore[dict-item]
    Placed: _placed,  # type: ignore[dict-item]
    Level: _level,  # type: ignore[dict-item]
    Divides: _divides,  # type: ignore[dict-item]
    Mirrored: _mirrored,  # type: ignore[dict-item]
    Proportional: _proportional,  # type: ignore[dict-item]
    SameTurn: _same_turn,  # type: ignore[dict-item]
}
