"""Design files: load one by its path or an example by its name; every number is read exactly."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any, Final, TypeVar

from linkwork import examples
from linkwork.errors import LinkworkError, UsageError
from linkwork.fasten.angle import rest_of_radians
from linkwork.fasten.cantilever import Cantilever
from linkwork.fasten.check import number_faults, polygon_faults, start_faults
from linkwork.fasten.design import (
    Design,
    Dimension,
    Goal,
    Obstacle,
    Pawl,
    Polygon,
    Rest,
    Search,
    Tolerances,
    Vector,
)
from linkwork.fasten.drawing_file import drawn_polygon
from linkwork.fasten.polygon import counter_clockwise
from linkwork.fasten.rational import checked_size, rational
from linkwork.fasten.settings import with_settings
from linkwork.fasten.source import DesignSource, JsonDesignSource
from linkwork.model.fault import NoSuchMachineError, PlacedError, nearest
from linkwork.model.lines import Path
from linkwork.model.schema import Numeral
from linkwork.model.store import read_text

R = TypeVar("R")

ORIGIN: Final = ["0", "0"]


def load_design(source: str | os.PathLike[str], settings: Mapping[str, str] | None = None) -> Design:
    """The design in a file of JSON or TOML, or the example of that name. A file of the same name comes first.

    ``settings`` are numbers given anew, as by ``--set``; what has a meaning with them is no fault.

    >>> [pawl.name for pawl in load_design("two-pawl-tee").pawls]
    ['L', 'R']
    """
    path = os.fspath(source)
    if path in examples.designs() and not os.path.isfile(path):
        path = os.fspath(examples.path(path))
    elif path in examples.names() and not os.path.isfile(path):
        raise _is_no_design(path)
    elif not os.path.lexists(path):
        raise _missing(path)
    return design_from_text(read_text(path), path, FilePath(path).stem or "design", settings)


def _is_no_design(name: str) -> UsageError:
    return UsageError(
        f"{name} is a machine, not a snap-fit design",
        wanted="a design file, or one of " + ", ".join(examples.designs()),
        fix=f"linkwork show {name}",
    )


def _missing(path: str) -> NoSuchMachineError:
    near = nearest(FilePath(path).stem, examples.designs())
    return NoSuchMachineError(
        "there is no such file and no such example",
        file=path or "''",
        wanted="a design file, or one of " + ", ".join(examples.designs()),
        fix=f"did you mean {near}?" if near else "linkwork examples   # lists the examples",
    )


def design_from_text(text: str, file: str, name: str, settings: Mapping[str, str] | None = None) -> Design:
    r"""The design that a text describes. ``file`` is for messages; ``name`` is its name by default.

    ``settings`` are numbers given anew.

    >>> design_from_text('{"obstacles": [], "pawls": [], "p0": ["0", "one"]}', "d.json", "d")
    Traceback (most recent call last):
    linkwork.model.fault.PlacedError: d.json:1: the file has no v
      got:    {"obstacles": [], "pawls": [], "p0": ["0", "one"]}
      wanted: x and y: the root's velocity
      fix:    "v": ["0", "-1"]
    """
    is_json = file.lower().endswith(".json") or text.lstrip()[:1] in ("{", "[")
    source = (JsonDesignSource if is_json else DesignSource)(text, file)
    return _Reading(source, source.check()).design(name, settings or {})


class _Reading:
    """The data of a file that fits the schema, becoming values."""

    def __init__(self, source: DesignSource, data: dict[str, Any]) -> None:
        self.source = source
        self.data = data

    def design(self, name: str, settings: Mapping[str, str]) -> Design:
        """The design, free of faults; those of numbers that were given anew have no place in the file."""
        data = self.data
        root = data.get("root")
        found = Design(
            obstacles=tuple(self.obstacle(place, each) for place, each in enumerate(data["obstacles"])),
            pawls=self.pawls((), data["pawls"]),
            p0=self.vector(("p0",), data["p0"]),
            v=self.vector(("v",), data["v"]),
            duration=self.number(("duration",), data["duration"]),
            mu=self.number(("mu",), data.get("mu", 0)),
            root=None if root is None else self.polygon(("root",), root),
            name=data.get("name", name),
            title=data.get("title", ""),
            start_region=self.polygon(("start_region",), data["start_region"])
            if "start_region" in data
            else None,
            directions=tuple(
                self.vector(("directions", place), each)
                for place, each in enumerate(data.get("directions", ()))
            ),
            farthest=self.number(("farthest",), data["farthest"]) if "farthest" in data else None,
            tolerances=self.tolerances(data["tolerances"]) if "tolerances" in data else None,
            search=self.search(data["search"]) if "search" in data else None,
        )
        if settings:
            return with_settings(found, settings)
        for fault in (*number_faults(found), *self.reading((), lambda: [*start_faults(found)])):
            raise self.source.placed(fault.error, fault.where) from fault.error
        return found

    def tolerances(self, given: dict[str, Any]) -> Tolerances:
        return Tolerances(**{key: self.number(("tolerances", key), value) for key, value in given.items()})

    def search(self, given: dict[str, Any]) -> Search:
        goal: dict[str, Any] = {
            key: value if isinstance(value, bool) else self.number(("search", "goal", key), value)
            for key, value in given.get("goal", {}).items()
        }
        vary = [self.dimension(name, each) for name, each in given["vary"].items()]
        return Search(tuple(vary), Goal(**goal))

    def dimension(self, name: str, given: dict[str, Any]) -> Dimension:
        where: Path = ("search", "vary", name)
        moves = []
        for vertex, vector in given.get("moves", {}).items():
            owner, _, number = vertex.rpartition(".")
            if not owner or not number.isdecimal():
                self.source.fail(
                    (*where, "moves"),
                    f"{vertex!r} names no vertex",
                    wanted="the name of a polygon, a point, and the vertex's number",
                    fix=self.source.assignment("L.2", ["1", "0"]),
                )
            moves.append((owner, int(number), self.vector((*where, "moves", vertex), vector)))
        low, high = (self.number((*where, key), given[key]) for key in ("low", "high"))
        return Dimension(name, low, high, tuple(moves), given.get("sets", ""))

    def obstacle(self, place: int, given: dict[str, Any]) -> Obstacle:
        poly = self.polygon(("obstacles", place, "poly"), given["poly"])
        return Obstacle(given["name"], poly, tuple(given.get("cut", ())))

    def pawls(self, carrier: Path, given: list[dict[str, Any]]) -> tuple[Pawl, ...]:
        return tuple(self.pawl((*carrier, "pawls", place), each) for place, each in enumerate(given))

    def pawl(self, where: Path, given: dict[str, Any]) -> Pawl:
        beam = self.cantilever(where, given)
        cocked = given.get("theta_init")
        return Pawl(
            name=given["name"],
            poly=self.polygon((*where, "poly"), given["poly"]),
            hinge=self.vector((*where, "hinge"), given.get("hinge", ORIGIN)),
            k=self.number((*where, "k"), given["k"]) if beam is None else beam.stiffness,
            rest=self.rest((*where, "rest"), given.get("rest", 0)),
            theta_init=None if cocked is None else self.number((*where, "theta_init"), cocked),
            cantilever=beam,
            pawls=self.pawls(where, given.get("pawls", [])),
        )

    def cantilever(self, where: Path, given: dict[str, Any]) -> Cantilever | None:
        """The beam of a pawl that has one instead of a stiffness."""
        has_both = "k" in given and "cantilever" in given
        if has_both or not ("k" in given or "cantilever" in given):
            self.source.fail(
                (*where, "k"),
                f"{self.source.shown(where)} has {'k and a cantilever' if has_both else 'no k'}",
                wanted="the hinge's torsional stiffness k, or a cantilever that has it",
                fix="remove k" if has_both else self.source.assignment("k", "1"),
            )
        if "cantilever" not in given:
            return None
        where = (*where, "cantilever")
        sizes = {key: self.number((*where, key), value) for key, value in given["cantilever"].items()}
        for key, size in sizes.items():
            if size <= 0:
                self.source.fail(
                    (*where, key),
                    f"{self.source.shown((*where, key))}: a beam's measures are positive",
                    wanted="more than 0",
                    fix=self.source.assignment(key, "2"),
                )
        return Cantilever(**sizes)

    def rest(self, where: Path, given: Any) -> Rest:
        if not isinstance(given, dict):
            return self.reading(where, rest_of_radians, self.number(where, given))
        half_tan = self.number((*where, "half_tan"), given["half_tan"])
        return Rest(half_tan, given.get("turns", 0))

    def polygon(self, where: Path, given: Any) -> Polygon:
        """A polygon with its inside on the left, whichever way round it is written."""
        if isinstance(given, list):
            polygon = tuple(self.vector((*where, place), corner) for place, corner in enumerate(given))
        else:
            polygon = self.drawn(where, given)
        for fault in self.reading(where, polygon_faults, where, self.source.shown(where), polygon):
            raise self.source.placed(fault.error, fault.where) from fault.error
        return counter_clockwise(polygon)

    def drawn(self, where: Path, given: str | dict[str, Any]) -> Polygon:
        """A polygon of a drawing beside the design: ``hook.dxf``, ``parts.svg#hook``, or a table that says more."""
        if isinstance(given, str):
            file, _, part = given.partition("#")
            given = {"file": file, "part": part}
        scale = self.number((*where, "scale"), given.get("scale", 1))
        deviation = self.number((*where, "deviation"), given.get("deviation", 0))
        if scale <= 0 or deviation < 0:
            self.source.fail(
                (*where, "scale" if scale <= 0 else "deviation"),
                f"{self.source.shown(where)}: a drawing's scale and deviation are positive",
                wanted="more than 0",
                fix=self.source.assignment("scale", "1"),
            )
        origin = self.vector((*where, "origin"), given.get("origin", ORIGIN))
        path = os.path.join(os.path.dirname(self.source.file), given["file"])
        try:
            return drawn_polygon(path, given.get("part", ""), origin, scale, deviation)
        except LinkworkError as error:
            raise self.source.placed(error, where, about=f"{self.source.shown(where)}: ") from error

    def vector(self, where: Path, given: list[Any]) -> Vector:
        x, y = (self.number((*where, axis), each) for axis, each in enumerate(given))
        return x, y

    def number(self, where: Path, given: Any) -> Fraction:
        if isinstance(given, int):
            return self.reading(where, checked_size, Fraction(given))
        text = given.text.replace("_", "") if isinstance(given, Numeral) else given
        return self.reading(where, rational, text)

    def reading(self, where: Path, read: Callable[..., R], *arguments: Any) -> R:
        """What ``read`` returns; its errors get their place in the file."""
        try:
            return read(*arguments)
        except PlacedError:
            raise
        except LinkworkError as error:
            about = f"{self.source.shown(where)}: " if where else ""
            raise self.source.placed(error, where, about=about) from error
