"""From a drawing to the sequence of elementary constructions, each of one point or line from known ones.

Elements are entered as soon as their relations to known elements determine them, in the order in which that
happens. Every relation is used once: what is left over when all elements are known says too much, and elements
that are left over too little (or need a simultaneous solution; :mod:`linkwork.sketch.diagnose` tells which).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Definition, Expression, free_symbols, sqrt, symbol
from linkwork.model.constraint.relation import (
    Apart,
    Beside,
    Headed,
    Level,
    Placed,
    Proportional,
    Relation,
)
from linkwork.model.drawing import Drawing
from linkwork.sketch.cluster import Cluster, anchors_of, inner_locus, placed_in
from linkwork.sketch.constructions import Constructor, Lines
from linkwork.sketch.diagnose import check
from linkwork.sketch.element import ZERO, Frame, LineAt, PointAt
from linkwork.sketch.locus import Heading, Locus, Ring, Row, Spot
from linkwork.sketch.picture import Picture
from linkwork.sketch.relate import locus_of
from linkwork.sketch.simultaneous import solve_block

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
class Construction:
    """The whole sequence, where the elements are, and the lines of the table."""

    drawing: Drawing
    steps: tuple[Step, ...]
    frame: Frame
    definitions: tuple[Definition, ...]
    conventions: tuple[Relation, ...]
    radii: Mapping[str, Expression]
    assumptions: tuple[str, ...] = ()
    simultaneous: tuple[tuple[str, ...], ...] = ()

    @property
    def words(self) -> str:
        """The sequence, one sentence a line."""
        return "\n".join(f"{place}. {step.words}" for place, step in enumerate(self.steps, 1))


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
        for place, relation in enumerate(self.relations):
            for element in dict.fromkeys(relation.elements):
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
        missing = [each for each in dict.fromkeys(relation.elements) if each not in self.frame]
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
            homes = [each.frame for each in self.clusters if {*other} <= {*each.elements}]
            known = [each for each in pair if each in self.frame]
            if homes and len(known) == 1 and not {*other} <= {*self.frame.points}:
                a, b = (homes[0].points[each] for each in other)
                radius = ratio * sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2)
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
            a, b = self.frame.points[relation.first], self.frame.points[relation.second]
            square = (b.x - a.x) ** 2 + (b.y - a.y) ** 2
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
                locus = None if element in self.frame else inner_locus(cluster, known[0], element, self.frame)
                if locus is not None:
                    self.enter_locus(element, BEHIND + place, locus)

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


def conventions(drawing: Drawing, relations: Iterable[Relation]) -> list[Relation]:
    """What fixes the drawing in the plane where its constraints do not: a point at the origin, a line along x."""
    relations = list(relations)
    placed = [each for each in relations if isinstance(each, Placed)]
    found: list[Relation] = []
    if not placed and drawing.points:
        first = drawing.origin or next(iter(drawing.points))
        found.append(Placed(first, ZERO, ZERO))
    if len(placed) > 1 or any(isinstance(each, Headed | Level) for each in relations):
        return found
    base = placed[0].point if placed else drawing.origin or next(iter(drawing.points), "")
    through = [name for name, points in drawing.all_lines.items() if base in points]
    axis = drawing.axis or next(iter(through), "")
    if axis:
        found.append(Headed(axis, ZERO, undirected=False))
        return found
    for each in relations:
        if isinstance(each, Apart) and base in each.elements:
            other = each.second if each.first == base else each.first
            return [*found, Level(base, other, "y")]
    if drawing.all_lines:
        found.append(Headed(next(iter(drawing.all_lines)), ZERO, undirected=False))
    return found


def construct(
    drawing: Drawing, values: Mapping[str, float] | None = None, taken: Collection[str] = ()
) -> Construction:
    """The sequence of constructions of a drawing.

    An error tells what is wrong with one that says too much or too little.
    """
    picture = Picture.of(drawing, values or {})
    relations = list(drawing.relations())
    fixed = conventions(drawing, relations)
    growth = Growth(drawing, [*fixed, *relations], Frame(), Lines(taken), picture)
    growth.grow()
    if growth.missing():
        growth.use_offsets()
        growth.grow()
    if growth.missing() or growth.missing_radii() or growth.unused():
        check(drawing, fixed, relations, picture)
    if growth.missing():
        grow_clusters(growth)
        drop_unplaced(growth)
    while growth.missing() or growth.missing_radii():
        solve_block(growth, values or {})
        growth.grow()
    return Construction(
        drawing,
        tuple(growth.steps),
        growth.frame,
        tuple(growth.lines.definitions),
        tuple(fixed),
        growth.radii,
        tuple(growth.constructor.assumptions),
        tuple(growth.simultaneous),
    )


def grow_clusters(ground: Growth) -> None:
    """Construct rigid clusters in frames of their own until they can be put together with the ground."""
    for seed in [*_seeds(ground, Apart), *_seeds(ground, Beside)]:
        if not ground.missing():
            return
        if any({*seed.elements} <= {*each.elements} for each in ground.clusters):
            continue
        _taken_up(ground, _cluster(ground, seed))
    grown = True
    while grown and ground.missing():  # clusters of clusters
        grown = False
        for cluster in [each for each in ground.clusters if each.name not in ground.placed]:
            larger = _extended(ground, cluster)
            if larger is not None and not any(
                {*larger.elements} <= {*each.elements} for each in ground.clusters
            ):
                _taken_up(ground, larger)
                grown = True


def drop_unplaced(ground: Growth) -> None:
    """Forget the clusters that could not be put in their place: what is inside them is solved for at once."""
    for cluster in [each for each in ground.clusters if each.name not in ground.placed]:
        for name in cluster.radii:
            ground.radii.pop(name, None)
        prefix = cluster.frame.prefix
        ground.lines.definitions = [
            line
            for line in ground.lines.definitions
            if not line.name.startswith(prefix) and line.name not in cluster.radii
        ]
        ground.steps = [each for each in ground.steps if f"cluster {cluster.name}:" not in each.words]
        ground.clusters.remove(cluster)
    ground.inside = {place for cluster in ground.clusters for place in ground.places_in(cluster)}


def _seeds(ground: Growth, kind: type[Apart] | type[Beside]) -> list[Apart | Beside]:
    return [each for each in ground.unused() if isinstance(each, kind) and not ground.hidden_radii(each)]


def _taken_up(ground: Growth, cluster: Cluster | None) -> None:
    """A new cluster made known to the ground."""
    if cluster is None:
        return
    ground.take(cluster)
    if any(element in ground.frame for element in cluster.elements):
        ground.look_at_cluster(len(ground.clusters) - 1, cluster)
    ground.grow()


def _cluster(ground: Growth, seed: Apart | Beside) -> Cluster | None:
    """The rigid cluster that grows from two elements; None where it is no more than these."""
    start: list[Relation]
    if isinstance(seed, Apart):
        start = [Placed(seed.first, ZERO, ZERO), Level(seed.first, seed.second, "y")]
    else:
        start = [Placed(seed.point, ZERO, ZERO), Headed(seed.line, ZERO, undirected=False)]
    return _grown(ground, start, None)


def _extended(ground: Growth, cluster: Cluster) -> Cluster | None:
    """A cluster with what can be constructed from it, other clusters among that; None where it is nothing."""
    return _grown(ground, [], cluster)


def _grown(ground: Growth, start: Sequence[Relation], core: Cluster | None) -> Cluster | None:
    """What grows in a frame of its own, from some relations or from a cluster."""
    name = f"K{len(ground.clusters) + 1}"
    relative = [each for each in ground.unused() if not isinstance(each, Placed | Headed | Level)]
    frame = Frame(f"{name}_")
    if core is not None:
        frame.points.update(core.frame.points)
        frame.lines.update(core.frame.lines)
    lines, radii = len(ground.lines.definitions), dict(ground.radii)
    inner = Growth(ground.drawing, [*start, *relative], frame, ground.lines, ground.picture, ground.clusters)
    inner.radii = ground.radii
    inner.placed |= ground.placed
    known = len(core.elements) if core is not None else 2
    if core is not None:
        inner.placed.add(core.name)
        inner.used |= inner.places_in(core)
        for element in core.elements:
            inner.entered(element)
    inner.grow()
    elements = (*inner.frame.points, *inner.frame.lines)
    if len(elements) <= known:
        del ground.lines.definitions[lines:]
        ground.radii.clear()
        ground.radii.update(radii)
        return None
    used = {id(inner.relations[place]) for place in inner.used if place < BEHIND}
    for step in inner.steps:
        words = f"In a frame of the cluster {name}: {step.words[0].lower()}{step.words[1:]}"
        ground.steps.append(Step(step.element, step.kind, words, step.sources, step.defines))
    ground.constructor.assumptions += inner.constructor.assumptions
    found = tuple(each for each in ground.radii if each not in radii)
    return Cluster(name, inner.frame, elements, frozenset(used), found)
