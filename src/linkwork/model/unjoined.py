"""Machine files of solids whose joints are to be found: their points and directions lie in the space of the solids.

There two entries stand for x and y, and three may be given anywhere. So the file needs no dimension: one of 2 says that
the machine moves in the plane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

Change = Callable[[Any], Any]

_OF_FRAMES: Final = ("at", "x", "z", "axis")
_SPACE: Final = 3


def with_dimension(document: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a file with its dimension; of solids without joints with vectors that have as many entries.

    >>> arm = {"solid": "cube(1);", "points": {"tip": [1, 2]}}
    >>> with_dimension({"part": {"arm": arm}, "gravity": [0, 0, -9.81]})["part"]["arm"]["points"]
    {'tip': [1, 2, 0]}
    """
    said = document.get("dimension")
    if not is_unjoined(document):
        return {**document, "dimension": 2 if said is None else said}
    wide = said == _SPACE or any(len(each) == _SPACE for each in _vectors(document))
    found = _changed(document, _padded) if wide else {**document}
    return {**found, "dimension": _SPACE if wide else 2}


def is_unjoined(document: Mapping[str, Any]) -> bool:
    """Whether the data of a file have solids and no joints but words."""
    joints = document.get("joint", {}).values()
    parts = document.get("part", {}).values()
    return all(isinstance(each, str) for each in joints) and any("solid" in part for part in parts)


def _padded(vector: Any) -> Any:
    return [*vector, 0] if isinstance(vector, list) and len(vector) == 2 else vector


def _vectors(document: Mapping[str, Any]) -> Iterator[list[Any]]:
    found: list[Any] = []

    def seen(vector: Any) -> Any:
        found.append(vector)
        return vector

    _changed(document, seen)
    yield from (each for each in found if isinstance(each, list))
    for force in document.get("force", {}).values():
        if isinstance(force.get("torque"), list):
            yield force["torque"]


def _changed(document: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """The data with another vector for each that lies in the space of the solids.

    Not for centres of mass: of these two entries leave the third to the solid.
    """

    def table(name: str, entry: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        return {name: {key: entry(each) for key, each in document[name].items()}} if name in document else {}

    def keys(entry: dict[str, Any], *names: str) -> dict[str, Any]:
        return {key: change(value) if key in names else value for key, value in entry.items()}

    def part(entry: dict[str, Any]) -> dict[str, Any]:
        points = {key: change(value) for key, value in entry.get("points", {}).items()}
        return {**entry, "points": points} if points else entry

    return {
        **keys(dict(document), "gravity"),
        **table("part", part),
        **table("frame", lambda entry: keys(entry, *_OF_FRAMES)),
        **table("force", lambda entry: keys(entry, "force")),
    }
