"""The solids of a machine's parts, read from their texts and files."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from linkwork.algebra import evaluate
from linkwork.errors import LinkworkError
from linkwork.model.fault import PlacedError
from linkwork.solid import Placement, Solid, Union

if TYPE_CHECKING:
    from linkwork.model.machine import Machine

_FILE: Final = re.compile(r"[^\n;(){}]+\.(scad|csg|step|stp|stl|3mf)(#[^\n]*)?", re.IGNORECASE)
"""The name of a file, perhaps with that of a part in it behind a hash sign."""


def part_solids(machine: Machine) -> dict[str, Solid]:
    """The solids of all parts that have one, in place; in a machine of the plane along the z-axis."""
    values = machine.values()
    place = _from_plane(machine, values)
    found = {}
    for name, part in machine.parts.items():
        if part.solid is not None:
            solids = [_read(machine, name, text, values) for text in part.solid]
            whole = solids[0] if len(solids) == 1 else Union(tuple(solids))
            whole = whole.named(name, gear=True) if part.gear else whole
            found[name] = whole if place is None else whole.placed(place)
    return found


def _from_plane(machine: Machine, values: Mapping[str, float]) -> Placement | None:
    """How the solids have to be turned so that the plane of the machine is that of x and y."""
    if not machine.plane.plain():
        return None
    placed = machine.plane.placed(3)
    origin = evaluate([*placed.origin], values)
    axes = np.array([evaluate([*axis], values) for axis in placed.axes])
    return Placement.of(axes, -axes @ np.array(origin))


def _read(machine: Machine, part: str, text: str, values: Mapping[str, float]) -> Solid:
    try:
        file = _FILE.fullmatch(text.strip())
        return _from_file(machine, text.strip()) if file else _from_text(machine, part, text, values)
    except PlacedError:
        raise
    except LinkworkError as error:
        error.where = ("part", part, "solid")
        error.problem = f"the solid of {part}: {error.problem}"
        raise


def _from_text(machine: Machine, part: str, text: str, values: Mapping[str, float]) -> Solid:
    from linkwork.solid.scad import read_scad

    return read_scad(text, folder=machine.folder or ".", name=part, variables=values)


def _from_file(machine: Machine, text: str) -> Solid:
    """The solid in a file beside that of the machine."""
    file, _, wanted = text.partition("#")
    path = os.path.join(machine.folder, file)
    ending = os.path.splitext(file)[1].lower()
    if ending in (".scad", ".csg"):
        from linkwork.solid.scad import read_scad_file

        return read_scad_file(path)
    if ending in (".step", ".stp"):
        from linkwork.solid.step import read_step

        parts = read_step(path).parts
        chosen = [each for each in parts if wanted in ("", each.name)]
        if not chosen:
            names = ", ".join(each.name for each in parts[:12])
            raise LinkworkError(
                f"{file} has no part '{wanted}'", wanted=names, fix=f'solid = "{file}#{parts[0].name}"'
            )
        return chosen[0].solid if len(chosen) == 1 else Union(tuple(each.solid for each in chosen))
    from linkwork.solid.mesh import polyhedron_of, read_mesh_parts

    meshes = [each.mesh for each in read_mesh_parts(path) if wanted in ("", each.name)]
    return Union(tuple(polyhedron_of(each) for each in meshes))
