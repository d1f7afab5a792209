"""A frame that grows: elements are entered as soon as their relations to known elements determine them.

Every relation is used once. What is left over when all elements are known says too much, and elements that are
left over too little, or need clusters or a simultaneous solution.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Definition, Expression, free_symbols, symbol
from linkwork.algebra.expression import ZERO
from linkwork.model.constraint.relation import Apart, Beside, Proportional, Relation
from linkwork.model.drawing import Drawing
from linkwork.sketch.cluster import Cluster, anchors_of, inner_locus, placed_in
from linkwork.sketch.constructions import Constructor, Lines
from linkwork.sketch.element import Frame, LineAt, PointAt, squared_distance
from linkwork.sketch.locus import Heading, Locus, Ring, Row, Spot
from linkwork.sketch.picture import Picture
from linkwork.sketch.relate import locus_of

BEHIND = 10**9
"""Added to the number of a cluster: the place of its loci, behind those of all relations."""


@dataclass(frozen=True)
class Step:
    """One construction: what it constructs, from what, in words, and the lines of the table it brings."""

    element: str
    kind: str
    words: str
    sources: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> dict[str, object]:
        """The step as plain data."""
        return {
            "element": self.element,
            "kind": self.kind,
            "words": self.words,
            "constraints": list(self.sources),
            "defines": list(self.defines),
        }


@dataclass(frozen=True)
class Offset:
    """The way from one point to another on a line whose direction is known, though its place is not."""

    start: str
    end: str
    x: Expression
    y: Expression
    relation: Apart
    place: int
    heading: int  # the place of the relation that gives the direction
    line: str


class Growth:
    """A frame that grows by one element after another."""

    def __init__(
        self,
        drawing: Drawing,
        relations: Sequence[Relation],
        frame: Frame,
        lines: Lines,
        picture: Picture,
        clusters: Sequence[Cluster] = (),
    ) -> None:
        self.drawing = drawing
        self.relations = list(relations)
        self.places = {id(each): place for place, each in enumerate(self.relations)}
        self.clusters: list[Cluster] = []
        self.placed: set[str] = set()
        self.inside: set[int] = set()  # places of relations that clusters have used
        self.frame = frame
        self.lines = lines
        self.picture = picture
        lengths = {frozenset(each.elements): each.distance for each in relations if isinstance(each, Apart)}
        self.constructor = Constructor(frame, lines, picture, lengths)
        self.radii: dict[str, Expression] = {}
        self.simultaneous: list[tuple[str, ...]] = []
        self.unknown_radii = {symbol(name) for name in drawing.unknown_radii()}
        self.used: set[int] = set()
        self.steps: list[Step] = []
        self.loci: dict[str, dict[int, Locus]] = {}
        self.touching: dict[str, list[int]] = {}
        self.elements = [tuple(dict.fromkeys(relation.elements)) for relation in self.relations]
        for place, elements in enumerate(self.elements):
            for element in elements:
                self.touching.setdefault(element, []).append(place)
        self.ready: deque[str] = deque()
        self.offsets: dict[str, list[Offset]] = {}
        for cluster in clusters:
            self.take(cluster)

    def grow(self) -> None:
        """Construct all that can be."""
        for place in range(len(self.relations)):
            self.look_at(place)
        while self.ready:
            element = self.ready.popleft()
            if element not in self.frame and sum(each.equations for each in self.loci[element].values()) >= 2:
                self.construct(element)

    def look_at(self, place: int) -> None:
        """See whether a relation gives a locus, now that one more of its elements is known."""
        if place in self.used or place in self.inside:
            return
        relation = self.relations[place]
        missing = [each for each in self.elements[place] if each not in self.frame]
        if not missing:
            self.find_radius(place)
            return
        if isinstance(relation, Proportional) and self.look_at_ratio(place, relation):
            return
        if len(missing) > 1 or self.hidden_radii(relation):
            return
        locus = locus_of(relation, missing[0], self.frame, self.picture)
        if locus is None:
            return
        self.enter_locus(missing[0], place, locus)

    def look_at_ratio(self, place: int, relation: Proportional) -> bool:
        """A distance in a ratio to one inside a cluster is known; whether that is so."""
        first, second, third, fourth = relation.elements
        for pair, other, ratio in (
            ((first, second), (third, fourth), relation.ratio),
            ((third, fourth), (first, second), 1 / relation.ratio),
        ):
            homes = [each for each in self.clusters if {*other} <= {*each.elements}]
            known = [each for each in pair if each in self.frame]
            if homes and len(known) == 1 and not {*other} <= {*self.frame.points}:
                radius = ratio * homes[0].distance(*other)
                words = f"{ratio} times as far from {known[0]} as {other[0]} from {other[1]}"
                element = next(each for each in pair if each not in self.frame)
                self.enter_locus(element, place, Ring(relation, words, known[0], radius))
                return True
        return False

    def enter_locus(self, element: str, place: int, locus: Locus) -> None:
        """Note a locus; an element with enough of them is ready."""
        known = self.loci.setdefault(element, {})
        if place in known:
            return
        known[place] = locus
        if sum(each.equations for each in known.values()) >= 2:
            self.ready.append(element)
        if isinstance(locus, Row):
            for offset in self.offsets.get(element, ()):
                self.shift(place, locus, offset)

    # ------------------------------------------------------- points a known way from each other

    def use_offsets(self) -> None:
        """Points of a line at a distance are a known way from each other once its direction is known."""
        for line, on_it in self.drawing.all_lines.items():
            headings = [each for each in self.loci.get(line, {}).values() if isinstance(each, Heading)]
            if line in self.frame or not headings or id(headings[0].relation) not in self.places:
                continue
            for place in sorted({place for point in on_it for place in self.touching.get(point, ())}):
                relation = self.relations[place]
                if (
                    isinstance(relation, Apart)
                    and {*relation.elements} <= {*on_it}
                    and place not in self.used
                ):
                    self.note_offset(line, headings[0], relation, place)

    def note_offset(self, line: str, heading: Heading, relation: Apart, place: int) -> None:
        """The way between two points of a line, both ways."""
        if self.hidden_radii(relation):
            return
        first, second = sorted(relation.elements, key=self.drawing.all_lines[line].index)
        ahead = self.picture.ahead(self.picture.direction(line), first, second) or 1
        way = heading.direction
        x, y = (ahead * relation.distance * each for each in (way.cosine, way.sine))
        at = self.places[id(heading.relation)]
        for start, end, sign in ((first, second, 1), (second, first, -1)):
            offset = Offset(start, end, sign * x, sign * y, relation, place, at, line)
            self.offsets.setdefault(start, []).append(offset)
            for own, locus in list(self.loci.get(start, {}).items()):
                if isinstance(locus, Row):
                    self.shift(own, locus, offset)
            if start in self.frame:
                self.follow_offsets(start)

    def shift(self, place: int, row: Row, offset: Offset) -> None:
        """A point a known way from one that is on a line is on that line, shifted."""
        if offset.end in self.frame or place >= BEHIND or row.name == offset.line:
            return
        at = row.line.at(ZERO, row.left)
        line = LineAt(PointAt(at.x + offset.x, at.y + offset.y), row.line.direction)
        words = f"where {offset.start}, {offset.relation.distance} from it, is {row.words}"
        self.enter_locus(offset.end, place, Row(row.relation, words, line, ZERO, "", row.rough))

    def follow_offsets(self, element: str) -> None:
        """Points a known way from one that is known now."""
        at = self.frame.points[element]
        for each in self.offsets.get(element, ()):
            if each.end not in self.frame and each.place not in self.used:
                words = (
                    f"at the distance {each.relation.distance} from {element} in the direction of their line"
                )
                spot = Spot(each.relation, words, PointAt(at.x + each.x, at.y + each.y))
                self.loci.setdefault(each.end, {}).pop(each.place, None)
                self.used.add(each.heading)
                self.enter_locus(each.end, each.place, spot)

    def hidden_radii(self, relation: Relation) -> list[str]:
        """The radii that a relation mentions and that are not known yet."""
        if not self.unknown_radii or not isinstance(relation, Apart | Beside):
            return []
        found = [leaf.name for leaf in free_symbols(relation.distance) if leaf in self.unknown_radii]
        return [name for name in found if name not in self.radii]

    def find_radius(self, place: int) -> None:
        """A relation between known elements whose distance has one unknown radius defines that."""
        relation = self.relations[place]
        hidden = self.hidden_radii(relation)
        if len(hidden) != 1 or not isinstance(relation, Apart | Beside):
            return
        own = symbol(hidden[0])
        if isinstance(relation, Apart):
            square = squared_distance(*(self.frame.points[each] for each in relation.elements))
            words = f"the distance of {relation.first} and {relation.second}"
        else:
            square = self.frame.lines[relation.line].left(self.frame.points[relation.point]) ** 2
            words = f"the distance of {relation.point} from {relation.line}"
        self.used.add(place)
        self.lines.taken.add(own.name)
        self.lines.definitions.append(Definition.of(own.name, implicit=(relation.distance**2, square)))
        self.radii[own.name] = own
        circle = own.name.removesuffix("_radius")
        step = f"Draw the circle {circle} with the radius that makes {relation.distance} {words}."
        if relation.distance is own:
            step = f"Draw the circle {circle} with {words} as its radius."
        self.steps.append(Step(circle, "circle", step, (relation.source,), (own.name,)))
        for each in range(len(self.relations)):
            if own in free_symbols(getattr(self.relations[each], "distance", ZERO)):
                self.look_at(each)

    def construct(self, element: str) -> None:
        """Enter an element that its loci determine."""
        chosen = _determining(self.loci[element])
        before = len(self.lines.definitions)
        self.constructor.construct(element, list(chosen.values()))
        self.used.update(chosen)
        self.constructor.assumptions += [each.assumption for each in chosen.values() if each.assumption]
        kind = "point" if element in self.frame.points else "line"
        self.steps.append(
            Step(
                element,
                kind,
                sentence(kind, element, [each.words for each in chosen.values()]),
                tuple(filter(None, dict.fromkeys(each.relation.source for each in chosen.values()))),
                tuple(line.name for line in self.lines.definitions[before:]),
            )
        )
        self.entered(element)

    def entered(self, element: str) -> None:
        """Look again at what a new element has to do with."""
        if element in self.frame.points:
            self.follow_offsets(element)
        for place in self.touching.get(element, ()):
            self.look_at(place)
        for place, cluster in enumerate(self.clusters):
            if element in cluster.frame and cluster.name not in self.placed:
                self.look_at_cluster(place, cluster)

    # ----------------------------------------------------------------------------- clusters

    def take(self, cluster: Cluster) -> None:
        """Take up a cluster: what holds inside it is no longer looked at by itself."""
        self.clusters.append(cluster)
        inside = self.places_in(cluster)
        self.inside |= inside
        for loci in self.loci.values():
            for place in inside & loci.keys():
                del loci[place]

    def places_in(self, cluster: Cluster) -> set[int]:
        """The places of the relations inside a cluster."""
        return {self.places[each] for each in cluster.relations if each in self.places}

    def look_at_cluster(self, place: int, cluster: Cluster) -> None:
        """A cluster with one known element gives loci of its others; with two it can be put in its place."""
        known = [each for each in cluster.elements if each in self.frame]
        anchors = anchors_of(cluster, known)
        if anchors is not None:
            self.place(cluster, anchors)
        elif known:
            for element in cluster.elements:
                if element in self.frame or self.is_told_by_a_cluster(known[0], element):
                    continue
                locus = inner_locus(cluster, known[0], element, self.frame, self.picture)
                if locus is not None:
                    self.enter_locus(element, BEHIND + place, locus)

    def is_told_by_a_cluster(self, known: str, element: str) -> bool:
        """Whether a locus of an element relative to a known one is there; other clusters with both tell the same."""
        return any(
            place >= BEHIND and locus.relation.elements == (known, element)
            for place, locus in self.loci.get(element, {}).items()
        )

    def place(self, cluster: Cluster, anchors: tuple[str, str]) -> None:
        """Put a cluster where two of its elements are."""
        self.placed.add(cluster.name)
        before = len(self.lines.definitions)
        new = [each for each in cluster.elements if each not in self.frame]
        placed_in(self.constructor, cluster, anchors, new)
        if new:
            first, second = anchors
            words = f"Place {', '.join(new)} as the cluster {cluster.name} has them relative to {first} and {second}."
            defines = tuple(line.name for line in self.lines.definitions[before:])
            self.steps.append(Step(cluster.name, "cluster", words, (), defines))
        self.used |= self.places_in(cluster)
        for element in new:
            self.entered(element)

    def missing(self) -> list[str]:
        """The elements that could not be constructed."""
        return [each for each in (*self.drawing.points, *self.drawing.all_lines) if each not in self.frame]

    def missing_radii(self) -> list[str]:
        """The radii that are not known yet."""
        return [name for name in self.drawing.unknown_radii() if name not in self.radii]

    def unused(self) -> list[Relation]:
        """The relations that were not needed."""
        return [each for place, each in enumerate(self.relations) if place not in self.used]


def _determining(loci: Mapping[int, Locus]) -> dict[int, Locus]:
    """Of the loci of an element those that determine it: one of two equations, or the first two of one."""
    ordered = dict(sorted(loci.items()))
    for place, locus in ordered.items():
        if locus.equations == 2:
            return {place: locus}
    return dict([*ordered.items()][:2])


def sentence(kind: str, element: str, words: Sequence[str]) -> str:
    """A construction as a sentence."""
    parts = list(words)
    if kind == "point" and len(parts) == 2 and parts[1].startswith("on the "):
        parts.reverse()
    if len(parts) == 2 and parts[0].startswith("through ") and parts[1].startswith("through "):
        return f"Construct a line {element} through {parts[0][8:]} and {parts[1][8:]}."
    if kind == "line" and len(parts) == 2 and parts[1].startswith("through "):
        parts.reverse()
    if len(parts) == 2 and all(each.startswith("on the line ") for each in parts):
        first, second = (each.removeprefix("on the line ") for each in parts)
        return f"Construct a point {element} where the lines {first} and {second} meet."
    joint = " " if len(parts) == 2 and (parts[0].startswith(("on the ", "through "))) else " and "
    return f"Construct a {kind} {element} {joint.join(parts)}."
