"""The solids of a machine's parts, read from their texts and files."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from linkwork.algebra import evaluate
from linkwork.errors import LinkworkError
from linkwork.model.fault import PlacedError, did_you_mean, foreign_file, listed
from linkwork.model.ordered import Ordered
from linkwork.solid import Placement, Solid, Union
from linkwork.solid.files import CadFile, read_cad
from linkwork.suffixes import is_cad

if TYPE_CHECKING:
    from linkwork.model.machine import Machine

_FILE: Final = re.compile(
    r"((?:(?!//|/\*)[^\n])+?\.(?:scad|csg|step|stp|stl|3mf))(?:#([^\n]*))?", re.IGNORECASE
)
"""The name of a file, perhaps with that of a part in it behind a hash sign. A text that ends so ends in a comment."""

MOST_BESIDE: Final = 1_000
"""Files of a folder among which the one that was probably meant is looked for."""


_FOREIGN: Final = re.compile(r"[^\n(){};=\"]+\.\w{2,8}(#[^\n]*)?")
"""The name of a file of another kind: what is a text has brackets, semicolons or more lines."""


def part_solids(machine: Machine) -> dict[str, Solid]:
    """The solids of all parts that have one, in place; in a machine of the plane along the z-axis."""
    values = machine.values()
    place = _from_plane(machine, values)
    files: dict[str, CadFile] = {}
    found = {}
    for name, part in machine.parts.items():
        if part.solid is not None:
            solids = [_read(machine, name, text, values, files) for text in part.solid]
            whole = solids[0] if len(solids) == 1 else Union(tuple(solids))
            whole = whole.named(name, gear=True) if part.gear else whole
            found[name] = whole if place is None else whole.placed(place)
    return found


def plane_directions(machine: Machine) -> list[list[float]] | None:
    """The directions of the solids along which x and y of a plane machine go; None where they are x and y."""
    place = _from_plane(machine, machine.values())
    if place is None:
        return None
    x, y, _ = np.array(place.axes).T + 0.0
    return [x.tolist(), y.tolist()]


def _from_plane(machine: Machine, values: Mapping[str, float]) -> Placement | None:
    """How the solids have to be turned so that the plane of the machine is that of x and y."""
    if not machine.plane.plain():
        return None
    placed = machine.plane.placed(3)
    origin = evaluate([*placed.origin], values)
    axes = np.array([evaluate([*axis], values) for axis in placed.axes])
    return Placement.of(axes, -axes @ np.array(origin))


def names_file(text: str) -> tuple[str, str] | None:
    """The file that a solid is in and the part in it, if the text is the name of a file.

    >>> names_file("clock.step#wheel"), names_file("cube(1);")
    (('clock.step', 'wheel'), None)
    """
    found = _FILE.fullmatch(text.strip())
    return None if found is None else (found[1], found[2] or "")


def moved_to(machine: Machine, folder: str) -> Machine:
    """The machine as a file in another folder has it: the names of its solids' files are seen from there."""
    if os.path.abspath(folder) == os.path.abspath(machine.folder):
        return machine
    parts = {
        name: part
        if part.solid is None
        else replace(part, solid=tuple(_seen_from(folder, machine.folder, text) for text in part.solid))
        for name, part in machine.parts.items()
    }
    return replace(machine, parts=Ordered(parts), folder=folder)


def _seen_from(folder: str, home: str, text: str) -> str:
    named = names_file(text)
    if named is None:
        return text
    file, part = named
    try:
        there = os.path.relpath(os.path.join(home, file), folder or ".")
    except ValueError:  # another drive of Windows
        there = os.path.abspath(os.path.join(home, file))
    return f"{there.replace(os.sep, '/')}{f'#{part}' if part else ''}"


def _read(
    machine: Machine, part: str, text: str, values: Mapping[str, float], files: dict[str, CadFile]
) -> Solid:
    try:
        named = names_file(text)
        if named is None and _FOREIGN.fullmatch(text.strip()):
            raise foreign_file(text.strip(), 'solid = "{}"')
        if named is None:
            return _from_text(machine, part, text, values)
        return _from_file(machine, *named, files)
    except PlacedError:
        raise
    except LinkworkError as error:
        error.where = ("part", part, "solid")
        error.problem = f"the solid of {part}: {error.problem}"
        if error.file == part:  # which is what a text is called: the place to tell is in the machine's file
            error.file, error.line = "", 0
        raise


def _from_text(machine: Machine, part: str, text: str, values: Mapping[str, float]) -> Solid:
    from linkwork.solid.scad import read_scad

    return read_scad(text, folder=machine.folder or ".", name=part, variables=values)


def _from_file(machine: Machine, file: str, wanted: str, files: dict[str, CadFile]) -> Solid:
    """The solid of a part in a file beside that of the machine, or of all in it; each file is read once."""
    if file not in files:
        path = os.path.join(machine.folder, file)
        if not os.path.isfile(path):
            raise _no_file(file, path)
        files[file] = read_cad(path)
    parts = files[file].parts
    chosen = [each.solid for each in parts if wanted in ("", each.name)]
    if not chosen:
        names = [each.name for each in parts]
        raise LinkworkError(
            f"{file} has no part '{wanted}'",
            wanted=listed(names),
            fix=did_you_mean(wanted, names, f'solid = "{file}#{names[0]}"'),
        )
    return chosen[0] if len(chosen) == 1 else Union(tuple(chosen))


def _no_file(file: str, path: str) -> LinkworkError:
    folder = os.path.dirname(path)
    beside = (
        [
            name
            for name in sorted(os.listdir(folder or "."))[:MOST_BESIDE]
            if is_cad(name) and os.path.isfile(os.path.join(folder, name))
        ]
        if os.path.isdir(folder or ".")
        else []
    )
    there = os.path.dirname(file)
    known = [os.path.join(there, name) for name in beside]
    return LinkworkError(
        f"{file} is a folder" if os.path.isdir(path) else f"there is no file {file}",
        got=f'solid = "{file}"',
        wanted=f"a file beside that of the machine{': ' + listed(known) if known else ''}",
        fix=did_you_mean(file, known, "check its name"),
    )
