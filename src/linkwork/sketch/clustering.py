"""Rigid clusters grown beside the ground, and clusters of clusters, until all can be put together."""

from __future__ import annotations

from collections.abc import Sequence

from linkwork.algebra.expression import ZERO
from linkwork.model.constraint.relation import Apart, Beside, Headed, Level, Placed, Relation
from linkwork.sketch.cluster import Cluster
from linkwork.sketch.element import Frame
from linkwork.sketch.growth import BEHIND, Growth, Step


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
    for cluster in _without_use(ground):
        for name in cluster.radii:
            ground.radii.pop(name, None)
        ground.lines.definitions = [line for line in ground.lines.definitions if not cluster.owns(line.name)]
        ground.steps = [each for each in ground.steps if f"cluster {cluster.name}:" not in each.words]
    ground.clusters = [each for each in ground.clusters if each.name in ground.placed]
    ground.inside = {place for cluster in ground.clusters for place in ground.places_in(cluster)}
    ground.loci.clear()  # some were told by these clusters
    ground.grow()


def _without_use(ground: Growth) -> list[Cluster]:
    """The clusters that are not in their place and whose lines no line that stays mentions, as by a ratio."""
    loose = [each for each in ground.clusters if each.name not in ground.placed]
    while True:
        lines = ground.lines.definitions
        stay = [line for line in lines if not any(each.owns(line.name) for each in loose)]
        mentioned = {leaf.name for line in stay for leaf in line.mentions}
        rest = [each for each in loose if not any(map(each.owns, mentioned))]
        if rest == loose:
            return loose
        loose = rest


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
    # those of the start go with this growth: their identities may come again
    used = {id(inner.relations[place]) for place in inner.used if len(start) <= place < BEHIND}
    for step in inner.steps:
        words = f"In a frame of the cluster {name}: {step.words[0].lower()}{step.words[1:]}"
        ground.steps.append(Step(step.element, step.kind, words, step.sources, step.defines))
    ground.constructor.assumptions += inner.constructor.assumptions
    found = tuple(each for each in ground.radii if each not in radii)
    return Cluster(name, inner.frame, elements, frozenset(used), found)
