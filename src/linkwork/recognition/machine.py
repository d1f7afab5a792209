"""Recognise the joints of a machine that is given by the solids of its parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from linkwork.algebra import evaluate
from linkwork.errors import UnknownName, UsageError
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.solids import part_solids
from linkwork.recognition.finding import Recognition, RecognitionError, Wishes, recognise_solids
from linkwork.solid import Solid
from linkwork.solid.placement import Triple, triple

_FASTENER: Final = re.compile(
    r"(?<![a-z])(screws?|bolts?|nuts?|rivets?|washers?|(iso|din)[ _-]?\d+|m\d+(\.\d+)?x\d+)(?![a-z])",
    re.IGNORECASE,
)
"""Names by which people call what holds parts together."""
_FRAMES: Final = (
    *("ground", "frame", "base", "baseplate", "base_plate", "housing", "chassis", "stand", "body", "bed"),
    *("case", "casing", "mount", "support", "wall", "table"),
)


def recognise(machine: Machine) -> Recognition:
    """What is joined to what in a machine of solids, and how; ``machine`` of the result has the joints."""
    solids = part_solids(machine)
    if not solids:
        raise UsageError(
            f"the machine {machine.name} has no solids to find joints between",
            wanted="parts with a solid",
            fix='[part.wheel]\nsolid = "cylinder(d=10, h=1);"',
        )
    for name, solid in solids.items():
        if solid.is_empty:
            raise RecognitionError(f"the solid of {name} is empty", wanted="a solid with a volume")
    ground = _ground(machine, solids)
    found = recognise_solids(solids, ground, _wishes(machine, solids, ground))
    return replace(found, given=machine, solids=solids)


def _ground(machine: Machine, solids: Mapping[str, Solid]) -> str | None:
    """The part that stands still, if one says so or is called so."""
    said = [name for name in solids if machine.parts[name].fixed]
    called = [name for word in _FRAMES for name in solids if name.lower() == word]
    words = [name for name, word in machine.pair_words.items() if word == "fixed" and name in solids]
    return next(iter([*said, *called, *words]), None)


def _wishes(machine: Machine, solids: Mapping[str, Solid], ground: str | None) -> Wishes:
    between: dict[frozenset[str], str] = {}
    for key, word in machine.pair_words.items():
        for pair in _named(key, word, solids, ground):
            between[pair] = word
    for name in solids:
        if ground is not None and machine.parts[name].fixed and name != ground:
            between[frozenset((ground, name))] = "fixed"
    fasteners = {name: "its name says that it is a fastener" for name in solids if _FASTENER.search(name)}
    fasteners |= {name: "the file says so" for name in solids if machine.parts[name].fastener}
    free = [name for name in solids if machine.parts[name].free]
    return Wishes(
        between, free, {name: why for name, why in fasteners.items() if name != ground}, _gravity(machine)
    )


def _named(key: str, word: str, solids: Mapping[str, Solid], ground: str | None) -> list[frozenset[str]]:
    """The pairs of parts that a key of the table of joints means."""
    names = [name.strip() for name in key.split("/")]
    for name in names:
        if name not in solids:
            first, second = [*([ground] if ground else []), *solids, *solids][:2]
            error = UnknownName(
                f"there is no part '{name}' with a solid",
                wanted=listed(solids),
                fix=did_you_mean(name, solids, f'joint."{first}/{second}" = "{word}"'),
            )
            error.where = ("joint", key)
            raise error
    if len(names) == 2:
        return [frozenset(names)]
    if word == "fixed":
        return [] if ground in (None, names[0]) else [frozenset((names[0], ground))]
    return [frozenset((names[0], other)) for other in solids if other != names[0]]


def _gravity(machine: Machine) -> Triple | None:
    if machine.gravity is None:
        return None
    values = [*evaluate([*machine.gravity], machine.values()), 0.0]
    return triple(values[:3])
