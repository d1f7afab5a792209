"""Solids taken apart, so that integrals over them become sums of those over simpler ones.

|A ∪ B| = |A| + |B| - |A ∩ B| and |A - B| = |A| - |A ∩ B|, for all that is summed up over a solid. What solids have in
common lies in both their boxes: there most pieces of them are not. That is worth while for prisms, of
which what is left is mostly prismatic again; balls and cones are taken as they are, unless they lie apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from linkwork.solid.layers import axes_of, is_prismatic
from linkwork.solid.pieces import pieces
from linkwork.solid.placement import Triple, cross
from linkwork.solid.prism import as_prism
from linkwork.solid.values import Box, Difference, Intersection, Named, Placed, Solid, Union

MOST_TOGETHER: Final = 4
"""How many differences in an intersection are resolved: each makes two intersections of one."""
PARALLEL: Final = 1e-9
"""The sine of the angle below which axes are one."""

Share = tuple[float, Solid]
"""How often a solid counts."""


def shares(solid: Solid) -> list[Share] | None:
    """Solids that make up one that is put together; None if it is to be taken as it is."""
    whole = opened(solid)
    if isinstance(whole, Union):
        members = [*_members(whole)]
        if len(members) > 1 and _are_all_apart(members):
            return [(1.0, member) for member in members]
    if not all(as_prism(piece.solid) for piece in pieces(whole)):
        return None
    if isinstance(whole, Union):
        return _of_union(whole)
    if isinstance(whole, Difference):
        return _of_difference(whole)
    if isinstance(whole, Intersection):
        return _of_intersection(whole)
    return None


def opened(solid: Solid) -> Solid:
    """The same solid as a union, difference or intersection of placed ones, if it is a placed one of such."""
    if isinstance(solid, Named):
        return opened(solid.solid)
    if not isinstance(solid, Placed):
        return solid
    inner = opened(solid.solid)
    if isinstance(inner, (Union, Intersection)):
        return type(inner)(tuple(each.placed(solid.place) for each in inner.solids))
    if isinstance(inner, Difference):
        return Difference(
            inner.first.placed(solid.place), tuple(each.placed(solid.place) for each in inner.others)
        )
    return inner.placed(solid.place)


def are_apart(one: Box, other: Box) -> bool:
    """Whether boxes are apart, or touch."""
    return bool(np.any(one[0] >= other[1]) or np.any(one[1] <= other[0]))


def _of_union(whole: Union) -> list[Share] | None:
    """Bundles of members, without what each has in common with those before."""
    bundles = _bundles([*_members(whole)])
    if len(bundles) < 2:
        return None
    found: list[Share] = []
    for place, bundle in enumerate(bundles):
        found.append((1.0, bundle))
        before = _within(Union(tuple(bundles[:place])), bundle.box)
        if before is not None:
            found.append((-1.0, Intersection((bundle, before))))
    return found


def _of_difference(whole: Difference) -> list[Share]:
    taken = _within(Union(whole.others), whole.first.box)
    if taken is None:
        return [(1.0, whole.first)]
    return [(1.0, whole.first), (-1.0, Intersection((whole.first, taken)))]


def _of_intersection(whole: Intersection) -> list[Share] | None:
    solids = [_within(each, whole.box) for each in _common(whole)]
    kept = [each for each in solids if each is not None]
    if len(kept) < len(solids):
        return []
    for place, each in enumerate(kept):
        rest = kept[:place] + kept[place + 1 :]
        members = [*_members(each)] if isinstance(each, Union) else []
        if len(members) > 1 and _are_all_apart(members):
            return [(1.0, Intersection((member, *rest))) for member in members]
    differences = [each for each in kept if isinstance(each, Difference)]
    if differences and len(differences) <= MOST_TOGETHER:
        first = differences[0]
        rest = [each for each in kept if each is not first]
        inner = Intersection((first.first, *rest))
        return [(1.0, inner), (-1.0, Intersection((*inner.solids, Union(first.others))))]
    return None


def _common(whole: Intersection) -> Iterator[Solid]:
    """The solids of an intersection, and of intersections among them."""
    for each in map(opened, whole.solids):
        if isinstance(each, Intersection):
            yield from _common(each)
        else:
            yield each


def _members(whole: Union) -> Iterator[Solid]:
    """The solids of a union, and of unions among them, but for empty ones."""
    for each in map(opened, whole.solids):
        if isinstance(each, Union):
            yield from _members(each)
        elif not each.is_empty:
            yield each


def _are_all_apart(solids: Sequence[Solid]) -> bool:
    boxes = [each.box for each in solids]
    return all(are_apart(box, other) for place, box in enumerate(boxes) for other in boxes[:place])


def _within(solid: Solid, box: Box) -> Solid | None:
    """What of a solid may be in a box, with less that is altogether beside it; None if nothing is."""
    if solid.is_empty or are_apart(solid.box, box):
        return None
    whole = opened(solid)
    if isinstance(whole, Union):
        kept = [part for each in whole.solids if (part := _within(each, box)) is not None]
        return (kept[0] if len(kept) == 1 else Union(tuple(kept))) if kept else None
    if isinstance(whole, Intersection):
        parts = [_within(each, box) for each in whole.solids]
        inside = tuple(part for part in parts if part is not None)
        return Intersection(inside) if len(inside) == len(parts) else None
    if isinstance(whole, Difference):
        first = _within(whole.first, box)
        others = tuple(part for each in whole.others if (part := _within(each, box)) is not None)
        return Difference(first, others) if first is not None and others else first
    return whole


def _bundles(members: Sequence[Solid]) -> list[Solid]:
    """Members that are prismatic along one axis, together, the most numerous first; and each of the others."""
    axes: list[Triple] = []
    along: list[set[int]] = []
    for place, member in enumerate(members):
        for axis in axes_of(member):
            if not is_prismatic(member, axis):
                continue
            known = next(
                (n for n, each in enumerate(axes) if np.linalg.norm(cross(axis, each)) <= PARALLEL), None
            )
            if known is None:
                axes.append(axis)
                along.append({place})
            else:
                along[known].add(place)
    found: list[Solid] = []
    left = {*range(len(members))}
    while any(each & left for each in along):
        chosen = max(along, key=lambda each: len(each & left)) & left
        together = tuple(members[place] for place in sorted(chosen))
        found.append(together[0] if len(together) == 1 else Union(together))
        left -= chosen
    return found + [members[place] for place in sorted(left)]
