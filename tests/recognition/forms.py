"""Other forms of a machine of solids, and what is found in them told in the words of the machine as it was given.

A machine that is mirrored, scaled, shifted or turned, or whose parts come in another order or have other names, is the
same machine. So what is found in a form of it, with names and places taken back, must be what is found in itself.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import linkwork as lw
from linkwork import examples
from linkwork.algebra import evaluate, number
from linkwork.errors import LinkworkError
from linkwork.model import Machine
from linkwork.model.ordered import Ordered
from linkwork.model.part import Frame, Part
from linkwork.model.solids import names_file, part_solids
from linkwork.model.vector import Vector
from linkwork.recognition import Pair, Recognition
from linkwork.recognition.fastener_names import is_fastener_name, is_rivet_name
from linkwork.recognition.frame_names import called_frame
from linkwork.solid.mass import mass_properties
from linkwork.solid.placement import Floats, Placement

DIGITS = 5
"""To how many digits of the machine's size places must be the same; meshes and files have six or so."""


@dataclass(frozen=True)
class Form:
    """How a machine is changed: where it lies, in which order its parts come, and whether they have other names."""

    place: Placement = field(default_factory=Placement)
    order: str = ""
    """Nothing, "reversed", or a seed of a shuffle."""
    renamed: str = ""
    """Nothing, or a seed of names."""


TURN = Placement.turn(2.1, (1, -2, 0.7))
FORMS: Mapping[str, Form] = {
    "reversed": Form(order="reversed"),
    "shuffled": Form(order="one"),
    "shuffled again": Form(order="two"),
    "renamed": Form(renamed="one"),
    "renamed and shuffled": Form(order="three", renamed="two"),
    "mirrored": Form(Placement.mirror((1, 0, 0))),
    "mirrored aslant": Form(Placement.turn(0.4, (0.3, 1, 2)).holding(Placement.mirror((1, 2, 3)))),
    "small": Form(Placement.scaling(0.01)),
    "large": Form(Placement.scaling(100.0)),
    "in inches": Form(Placement.scaling(1 / 25.4)),
    "shifted": Form(Placement.shift((1234.5, -987.6, 543.2))),
    "turned": Form(TURN),
    "upside down": Form(Placement.turn(np.pi, (1, 0, 0))),
    "all of it": Form(
        Placement.shift((40, -70, 310))
        .holding(TURN)
        .holding(Placement.scaling(0.37))
        .holding(Placement.mirror((2, -1, 0.4))),
        "four",
        "three",
    ),
}


# --------------------------------------------------------------------------------------------- forms


@dataclass(frozen=True)
class Moved:
    """What a file says of its parts, carried over to a form: names, directions and places."""

    machine: Machine
    names: Mapping[str, str]
    place: Placement

    def reference(self, name: str) -> str:
        part, dot, point = name.partition(".")
        return f"{self.names.get(part, part)}{dot}{point}"

    def vector(self, given: Vector) -> Vector:
        entries = [*given, number(0)][:3]
        found = []
        for row in self.place.matrix:
            total = number(0)
            for factor, entry in zip(row, entries, strict=True):
                total = total + number(float(factor)) * entry if factor else total
            found.append(total)
        return Vector(tuple(found))

    def moment(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        return given if len(given) == 1 else tuple(self.vector(Vector(given)))

    def spot(self, given: Vector) -> Vector:
        numbers = [*evaluate([*given], self.machine.values()), 0.0][:3]
        return Vector.of(*map(float, self.place.matrix @ numbers + np.array(self.place.origin)))

    def frame(self, given: Frame) -> Frame:
        ways = {key: getattr(given, key) for key in ("x", "z", "axis")}
        turned: dict[str, Any] = {key: self.vector(way) for key, way in ways.items() if way is not None}
        return replace(given, on=self.reference(given.on), at=self.spot(given.at or Vector.zero(3)), **turned)

    def part(self, name: str, part: Part) -> Part:
        points = Ordered({key: self.spot(point) for key, point in part.points.items()})
        if part.solid is None:
            return replace(part, points=points)
        rows = np.vstack([np.column_stack([self.place.matrix, self.place.origin]), [0, 0, 0, 1]]).tolist()
        still = rows == np.eye(4).tolist()
        texts = tuple(
            text if still or names_file(text) else f"multmatrix({rows}) {{ {text} }}" for text in part.solid
        )
        says = self.names[name] != name and is_fastener_name(name) and not is_rivet_name(name)
        return replace(part, points=points, solid=texts, fastener=part.fastener or says)


def changed(machine: Machine, form: Form) -> tuple[Machine, dict[str, str]]:
    """A form of a machine, and the new names of its parts; only what recognition looks at is left."""
    names = _names(machine, form.renamed)
    moved = Moved(machine, names, form.place)
    parts = {names[name]: moved.part(name, part) for name, part in machine.parts.items()}
    ground = _called_ground(machine)
    if form.renamed and ground is not None:
        parts[names[ground]] = replace(parts[names[ground]], fixed=True)
    words = {
        "/".join(names[each.strip()] for each in key.split("/")): word
        for key, word in machine.pair_words.items()
    }
    kept: dict[str, Any] = {
        "parts": Ordered(_ordered(parts, form.order)),
        "frames": Ordered({key: moved.frame(frame) for key, frame in machine.frames.items()}),
        "forces": Ordered({key: force.carried(moved) for key, force in machine.forces.items()}),
        "gravity": None if machine.gravity is None else moved.vector(machine.gravity),
        "pair_words": Ordered(words),
        "parameters": machine.parameters,
        "units": machine.units,
        "dimension": 3,
        "is_flat": machine.is_flat,
        "contact": machine.contact.renamed(names),
        "folder": machine.folder,
    }
    return Machine(machine.name, **kept), names


def _called_ground(machine: Machine) -> str | None:
    """The part that stands still because of its name, if there is one."""
    if any(part.fixed for part in machine.parts.values()):
        return None
    solids = part_solids(machine)
    return called_frame(solids, lambda name: mass_properties(solids[name]).volume)


def _names(machine: Machine, seed: str) -> dict[str, str]:
    """Names that mean nothing, in an order of their own; rivets stay such."""
    if not seed:
        return {name: name for name in machine.parts}
    numbers = [*range(len(machine.parts))]
    random.Random(seed).shuffle(numbers)
    return {
        name: name if name == "ground" else f"q{place:03}{'_rivet' if is_rivet_name(name) else ''}"
        for name, place in zip(machine.parts, numbers, strict=True)
    }


def _ordered(parts: dict[str, Part], order: str) -> dict[str, Part]:
    every = [*parts.items()]
    if order == "reversed":
        every.reverse()
    elif order:
        random.Random(order).shuffle(every)
    return dict(every)


def recognised(machine: Machine, place: Placement) -> Recognition:
    """What is found in a form; the solids of files are put into their place here, for no text can say it."""

    def solids(given: Machine) -> dict[str, Any]:
        in_files = {name for name, part in given.parts.items() if any(map(names_file, part.solid or ()))}
        found = part_solids(given)
        return {name: each.placed(place) if name in in_files else each for name, each in found.items()}

    with patch("linkwork.recognition.machine.part_solids", solids):
        return lw.recognise(machine)


# ------------------------------------------------------------------------------------- what was found


@dataclass(frozen=True)
class Told:
    """What was found, in the names and at the places of the machine as it was given: words by their heading."""

    by: Mapping[str, Counter[Any]]

    def differences(self, other: Told) -> dict[str, tuple[list[Any], list[Any]]]:
        """What only one of the two has, by heading."""
        found = {}
        for heading, own in self.by.items():
            less, more = own - other.by[heading], other.by[heading] - own
            if less or more:
                found[heading] = (sorted(less.elements(), key=str), sorted(more.elements(), key=str))
        return found


def told(machine: Machine, form: Form | None = None) -> Told:
    """What is found in a form of a machine, or that it is refused."""
    return _told(machine, form or Form(), {name: name for name in machine.parts}, is_blurred=False)


def differences(machine: Machine, base: Told, form: Form) -> dict[str, tuple[list[Any], list[Any]]]:
    """What differs in a form from what is found in the machine itself.

    A mirror may swap parts that are alike, such as the leaves of a hinge: there nothing but the names may differ.
    """
    found = base.differences(told(machine, form))
    if not found or not form.place.is_mirrored:
        return found
    kinds = _kinds(machine)
    one, other = (_told(machine, each, kinds, is_blurred=True) for each in (Form(), form))
    return one.differences(other)


def _told(machine: Machine, form: Form, kinds: Mapping[str, str], *, is_blurred: bool) -> Told:
    given, names = changed(machine, form)
    try:
        found = recognised(given, form.place)
    except LinkworkError:
        return Told({"refused": Counter(["refused"])} | {key: Counter() for key in HEADINGS})
    back = {new: kinds[old] for old, new in names.items()}
    return _Teller(form.place, back, _size(machine), is_blurred).told(found)


def _kinds(machine: Machine) -> dict[str, str]:
    """For each part the first that is as large and as far from the middle of all."""
    size, middle = _size(machine)
    first: dict[tuple[float, float], str] = {}
    found = {}
    for name, solid in part_solids(machine).items():
        mass = mass_properties(solid)
        away = float(np.linalg.norm(np.array(mass.centre) - middle))
        key = float(f"{mass.volume / size**3:.4g}"), round(away / size, 4)
        found[name] = first.setdefault(key, name)
    return found


HEADINGS = ("ground", "pairs", "groups", "subsystems", "interactions", "plane", "separate", "welds")


def _size(machine: Machine) -> tuple[float, Floats]:
    boxes = np.array([solid.box for solid in part_solids(machine).values()])
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    return float(np.linalg.norm(high - low)), (low + high) / 2


@dataclass(frozen=True)
class _Teller:
    place: Placement
    back: Mapping[str, str]
    size: tuple[float, Floats]
    is_blurred: bool
    """Whether directions and places do not count."""

    def told(self, found: Recognition) -> Told:
        ground = next(members for members in found.groups if found.ground in members)
        subsystems = [
            (self.names(each.parts), each.mobility, len(each.variables)) for each in found.subsystems
        ]
        return Told(
            {
                "refused": Counter(),
                "ground": Counter([self.names(ground)]),
                "pairs": Counter(map(self.pair, found.pairs)),
                "groups": Counter(map(self.names, found.groups)),
                "subsystems": Counter(subsystems),
                "interactions": Counter(self.names(each.parts) for each in found.interactions),
                "plane": Counter([None if found.plane is None else self.way(found.plane)]),
                "separate": Counter((self.back[name], count) for name, count in found.separate.items()),
                "welds": Counter(self.names(each.parts) for each in found.welds),
            }
        )

    def names(self, parts: Any) -> tuple[str, ...]:
        return tuple(sorted(self.back[part] for part in parts))

    def pair(self, pair: Pair) -> tuple[Any, ...]:
        parts = sorted(self.back[part] for part in pair.parts)
        where = (
            None if pair.axis is None else self.way(pair.axis),
            self.line(pair),
            round(pair.clearance / self.place.scale / self.size[0], DIGITS),
        )
        return pair.kind, *parts, *where, *self.numbers(pair, self.back[pair.parts[0]] == parts[0])

    def numbers(self, pair: Pair, in_order: bool) -> tuple[Any, ...]:
        """Teeth, ratio, pitch and carrier, as the parts come in the order of the alphabet."""
        ratio, teeth = pair.ratio, pair.teeth
        if pair.kind == "rack" and ratio is not None:
            ratio = abs(ratio) / self.place.scale / self.size[0]
        elif ratio is not None:
            ratio = ratio if in_order else 1 / ratio
        if teeth is not None and not in_order:
            teeth = teeth[1], teeth[0]
        pitch = pair.pitch
        if pitch is not None:
            hand = np.sign(np.linalg.det(self.place.matrix))
            pitch = float(pitch * hand / self.place.scale / self.size[0])
        rounded = tuple(None if each is None else round(each, DIGITS) for each in (ratio, pitch))
        return *rounded, teeth, None if pair.carrier is None else self.back[pair.carrier]

    def way(self, axis: Any) -> tuple[float, ...]:
        """A direction of the given machine, its largest entry above 0."""
        if self.is_blurred:
            return ()
        seen = np.round(self.place.matrix.T @ np.array(axis) / self.place.scale, DIGITS - 1)
        return tuple((seen * np.sign(seen[int(np.argmax(np.abs(seen)))]) + 0.0).tolist())

    def line(self, pair: Pair) -> tuple[float, ...] | None:
        """The point of an axis that is nearest to the middle of the machine; of a ball its centre."""
        turning = ("revolute", "cylindrical", "screw", "spherical")
        if self.is_blurred or pair.point is None or pair.kind not in turning:
            return None
        size, middle = self.size
        seen = np.linalg.solve(self.place.matrix, np.array(pair.point) - np.array(self.place.origin))
        away = (seen - middle) / size
        if pair.axis is not None:
            axis = np.array(self.place.matrix.T @ np.array(pair.axis) / self.place.scale)
            away = away - (away @ axis) * axis
        return tuple((np.round(away, DIGITS - 1) + 0.0).tolist())


# ------------------------------------------------------------------------------------------ machines


@cache
def machine_files() -> dict[str, Path | str]:
    """All machines of solids that the tests have, and the examples."""
    here = Path(__file__).parent
    found: dict[str, Path | str] = {}
    for folder in ("everyday", "workshop"):
        found |= {f"{folder}/{path.stem}": path for path in sorted((here / folder).glob("*.toml"))}
    found |= {f"models/{path.stem}": path for path in sorted((here / "models").glob("*.scad"))}
    return found | {f"examples/{name}": name for name in examples.names() if _is_of_solids(name)}


def _is_of_solids(example: str) -> bool:
    """Whether an example is made of solids and has no joints."""
    data = examples.content(example)
    words = data.get("joint", {}).values()
    solid = any("solid" in part for part in data.get("part", {}).values())
    return solid and all(isinstance(word, str) for word in words)
