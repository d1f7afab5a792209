"""The events of a run in words: what touched what, where, when and how hard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Any, Final, overload

import numpy as np

from linkwork.contact.space import SpaceTouching
from linkwork.contact.touching import Touching
from linkwork.kinematics.arrays import Matrix
from linkwork.solid import Solid
from linkwork.solid.pieces import pieces
from linkwork.solid.region import Region
from linkwork.solid.section import section

KINDS: Final = ("impact", "begin", "end", "stick", "slip", "settle", "painleve")
"""What happens, by the number that the engine gives it."""
FACES: Final = ("side", "hollow", "round")
NEAR: Final = 1e-6
"""Of the size: a feature lies on the outline of a piece that is nearer."""


Event = Mapping[str, Any]


class ToldEvents(Sequence[Event]):
    """The events of motions side by side in the order of time, put into words when they are first asked for.

    A clock has many of them: most runs are looked at by their columns alone.
    """

    def __init__(self, told: Sequence[tuple[Matrix, Touching | SpaceTouching]]) -> None:
        self.told = tuple(told)
        """The numbers of the engine, and the parts they are about."""

    @cached_property
    def _events(self) -> tuple[Event, ...]:
        found = [event for rows, touching in self.told for event in _in_words(rows, touching)]
        if len(self.told) < 2:
            return tuple(found)
        order = np.argsort(np.concatenate([rows[:, 0] for rows, _ in self.told]), kind="stable")
        return tuple(found[place] for place in order.tolist())

    def __len__(self) -> int:
        return sum(len(rows) for rows, _ in self.told)

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, place: int | slice) -> Event | tuple[Event, ...]:
        return self._events[place]

    def __repr__(self) -> str:
        return repr(self._events)

    def before(self, time: float) -> ToldEvents:
        """Those before a time."""
        return ToldEvents([(rows[rows[:, 0] < time], touching) for rows, touching in self.told])


def _in_words(rows: Matrix, touching: Touching | SpaceTouching) -> list[Event]:
    names = touching.feature_names if isinstance(touching, SpaceTouching) else _plane_names(touching)
    return [_event(row, touching, names) for row in rows.tolist()]


Names = Callable[[int, bool, int, int, int], list[str]]
"""The features of both parts of a couple: by the couple, whether the face is that of its first part, the kind of the
face, and the places of round and face."""


Sections = list[tuple[str, list[float], list[float], Callable[[], list[Region]]]]


@lru_cache(maxsize=64)
def _plane_names(touching: Touching) -> Names:
    """The names of features, each found once, for all runs of a machine."""
    sections = cache(lambda slab: _sections(touching, slab))
    name = cache(lambda slab, kind, place: _feature(touching, sections(slab), slab, kind, place))

    def names(couple: int, swapped: bool, kind: int, round_place: int, face_place: int) -> list[str]:
        slabs = touching.couples[couple].places
        own, other = (1, 0) if swapped else (0, 1)
        found = ["", ""]
        found[own] = name(slabs[own], "round", round_place)
        found[other] = name(slabs[other], FACES[kind], face_place)
        return found

    return names


def _event(row: list[float], touching: Touching | SpaceTouching, names: Names) -> Event:
    time, kind, couple, swapped, face_kind, round_place, face_place, *numbers = row
    dimension = touching.dimension
    point, across = numbers[:dimension], numbers[dimension : 2 * dimension]
    normal, *along, more, lost = numbers[2 * dimension :]
    pair = touching.couples[int(couple)]
    features = names(int(couple), bool(swapped), int(face_kind), int(round_place), int(face_place))
    way = -1.0 if swapped else 1.0
    tangent = along[0] if dimension == 2 else [way * each for each in along]
    what = KINDS[int(kind)]
    found: dict[str, Any] = {
        "t": time,
        "kind": what,
        "parts": list(pair.parts),
        "features": features,
        "impulse": 0.0,
        "point": point,
        "normal": [way * each for each in across],
    }
    if what in ("impact", "settle"):
        found |= {"impulse": normal, "tangential": tangent, "approach": -more, "lost": lost}
    elif what == "end":
        found |= {"lasted": more}
        if along[0] > 0:  # of an elastic contact, the largest force
            found |= {"impulse": normal, "peak": along[0], "lost": lost}
    else:
        found |= {"force": normal, "tangential": tangent}
        if more:
            found["approach"] = -more
    return found


def _feature(touching: Touching, sections: Sections, slab: int, kind: str, place: int) -> str:
    """The name of a feature: what it is, and the label of the simple solid that it belongs to."""
    outline = touching.outlines[slab]
    if kind == "side":
        x, y, tx, ty, _, _, length = outline.sides[place]
        point, noun = (x + tx * length / 2, y + ty * length / 2), "edge"
    else:
        arc = (outline.hollows if kind == "hollow" else outline.rounds)[place]
        x, y, radius, mx, my = arc[:5]
        point = (x + radius * mx, y + radius * my)
        noun = "hollow" if kind == "hollow" else "corner" if radius == 0 else "round"
    label = _label(sections, point, NEAR * touching.size)
    return f"{noun} of {label}" if label else noun


def _label(sections: Sections, point: tuple[float, float], near: float) -> str:
    """The label of the first simple solid whose outline in a layer of a slab goes through a point."""
    for label, low, high, regions in sections:
        inside = all(low[k] - near <= point[k] <= high[k] + near for k in (0, 1))
        if inside and any(float(region.distance([point])[0]) <= near for region in regions()):
            return label
    return ""


def _sections(touching: Touching, slab: int) -> Sections:
    """The simple solids of a slab that have labels: these, their boxes, and their sections in its layers, which are
    made where a first point is looked for in their box.
    """

    def regions(placed: Solid) -> Callable[[], list[Region]]:
        @cache
        def made() -> list[Region]:
            found = [section(placed, (layer.low + layer.high) / 2) for layer in touching.slabs[slab]]
            return [region for region in found if region]

        return made

    return [
        (str(piece.label), *(ends[:2].tolist() for ends in piece.placed.box), regions(piece.placed))
        for piece in pieces(touching.solids[touching.owners[slab]])
        if piece.label
    ]
