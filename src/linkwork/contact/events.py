"""The events of a run in words: what touched what, where, when and how hard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, overload

import numpy as np

from linkwork.contact.space import SpaceTouching
from linkwork.contact.touching import Touching
from linkwork.kinematics.arrays import Matrix

KINDS: Final = ("impact", "begin", "end", "stick", "slip", "settle", "painleve")
"""What happens, by the number that the engine gives it."""


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
    return [_event(row, touching) for row in rows.tolist()]


def _event(row: list[float], touching: Touching | SpaceTouching) -> Event:
    time, kind, couple, swapped, face_kind, round_place, face_place, *numbers = row
    dimension = touching.dimension
    point, across = numbers[:dimension], numbers[dimension : 2 * dimension]
    normal, *along, more, lost = numbers[2 * dimension :]
    pair = touching.couples[int(couple)]
    features = touching.feature_names(
        int(couple), bool(swapped), int(face_kind), int(round_place), int(face_place)
    )
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
