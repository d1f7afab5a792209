"""A CAD file as a machine: its parts are the machine's, their joints are to be found."""

from __future__ import annotations

import os
import re
import unicodedata
import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from linkwork.algebra.reserved import free_name
from linkwork.model.machine import Machine
from linkwork.model.ordered import Ordered
from linkwork.model.part import Part
from linkwork.solid.files import read_cad
from linkwork.solid.unique import UniqueNames

DENSITY: Final = "density"
"""The parameter that gives the parts of a CAD file their masses."""
WATER: Final = 1e-6
"""kg/mm³, which is 1 g/cm³: that of water and, nearly, of plastics. CAD files tell no masses."""
LONGEST_NAME: Final = 60
"""Characters of a part's name; some programs write whole sentences."""


def machine_of_cad(path: str, name: str) -> Machine:
    """The machine of the parts of a CAD file, in millimetres and kilograms."""
    file = read_cad(path)
    for told in file.notes:
        warnings.warn(f"{path}: {told}", stacklevel=3)
    base = os.path.basename(path)
    names = part_names(each.name for each in file.parts)
    parts = {
        own: Part(solid=(f"{base}#{each.name}",), density=DENSITY)
        for own, each in zip(names, file.parts, strict=True)
    }
    units = {"length": "mm", "mass": "kg", "time": "s"}
    found = Machine.of(name, {DENSITY: WATER}, title=base, units=units, parts=parts)
    return replace(found, folder=os.path.dirname(path))


def weighed(machine: Machine) -> Machine:
    """A machine whose parts have got their masses, without the density that they were made of."""
    if any(part.density is not None for part in machine.parts.values()):
        return machine
    kept = {name: value for name, value in machine.parameters.items() if name != DENSITY}
    return replace(machine, parameters=Ordered(kept))


def part_names(names: Iterable[str]) -> list[str]:
    """Names that parts of a machine may have, near those in a file.

    >>> part_names(["gear box", "screw:1", "screw 1", "3rd wheel", "Getriebe-Gehäuse", "for", "%"])
    ['gear_box', 'screw_1', 'screw_1_2', 'part_3rd_wheel', 'Getriebe_Gehäuse', 'for_', 'part']
    """
    unique = UniqueNames([DENSITY])
    return [unique.of(_identifier(name)) for name in names]


def _identifier(name: str) -> str:
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", name))
    plain = "_".join(words).strip("_")[:LONGEST_NAME]
    plain = f"part_{plain}" if plain and not plain.isidentifier() else plain
    return free_name(plain) if plain.isidentifier() else ""
