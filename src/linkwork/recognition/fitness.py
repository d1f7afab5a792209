"""Whether the solids of a machine are fit for recognition: enough of them, not too many, none of them empty."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.model import Machine
from linkwork.model.fault import listed
from linkwork.model.part import GROUND
from linkwork.model.source import toml_key
from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.skin import samples_of
from linkwork.solid import Polyhedron, Solid, mass_properties
from linkwork.solid.mass import NoVolume
from linkwork.solid.pieces import pieces

BESIDE: Final = 1e-6
"""Of the size: how far beside its faces a solid is looked at."""
MOST_PARTS: Final = 1_000
MOST_PIECES: Final = 20_000
"""Cubes, cylinders, prisms and so on in all parts. Every piece is compared with those near it: the limit is counted, so
that the same machine is refused everywhere."""


def check_parts(machine: Machine, solids: Mapping[str, Solid]) -> None:
    """Refuse a machine without two solids at least, with too many, or with parts that have none."""
    for name, solid in solids.items():
        if solid.is_empty:
            raise _empty(name)
    for name in machine.parts:
        if name not in solids and name != GROUND:
            raise _at(
                name,
                RecognitionError(
                    f"the part {name} has no solid, others have",
                    got=f"solids of {listed(solids)}",
                    wanted="a solid for each part, or joints for all",
                    fix=f'[part.{toml_key(name)}]\nsolid = "cube([10, 20, 5]);"',
                ),
            )
    if len(solids) < 2:
        (only,) = solids
        raise RecognitionError(
            f"{only} is the only part of {machine.name}: it can be joined to nothing",
            got="1 part",
            wanted="two parts at least, one of which stands still",
            fix='[part.wheel]\nsolid = "cylinder(d=10, h=1);"',
        )
    counts = {name: sum(1 for _ in pieces(solid)) for name, solid in solids.items()}
    if len(solids) > MOST_PARTS or sum(counts.values()) > MOST_PIECES:
        largest = max(counts, key=lambda name: counts[name])
        raise RecognitionError(
            f"{machine.name} is too large to look for joints in it",
            got=f"{len(solids)} parts of {sum(counts.values())} simple solids, {counts[largest]} of them in {largest}",
            wanted=f"at most {MOST_PARTS} parts of {MOST_PIECES} simple solids",
            fix="draw outlines as one polygon, leave out what does not touch other parts",
        )


def check_volumes(solids: Mapping[str, Solid]) -> None:
    """Refuse a solid of which nothing is left; asked where something else has gone wrong, since it takes time."""
    for name, solid in solids.items():
        if _has_points(solid):
            continue
        try:
            mass_properties(solid)
        except NoVolume:
            raise _empty(name) from None
        except LinkworkError:
            continue


def _has_points(solid: Solid) -> bool:
    """Whether there is material at some point beside a face, which is quickly seen of most solids."""
    beside = BESIDE * math.dist(*solid.box)
    for face in solid.faces():
        points, normals = samples_of(face)
        if solid.contains(np.concatenate([points + beside * normals, points - beside * normals])).any():
            return True
    return False


def why_meshes_fail(solids: Mapping[str, Solid]) -> str:
    """The reason that is likely where parts are meshes."""
    meshes = [
        name
        for name, solid in solids.items()
        if all(isinstance(each.solid, Polyhedron) for each in pieces(solid))
    ]
    if not meshes:
        return ""
    return (
        f"shafts and holes of meshes are known by 24 flat sides or more all around: {', '.join(meshes[:6])}"
    )


def _empty(name: str) -> RecognitionError:
    error = RecognitionError(
        f"the solid of {name} is empty",
        got="nothing is left of it",
        wanted="a solid with a volume",
        fix="look at what is cut away from it",
    )
    return _at(name, error)


def _at(name: str, error: RecognitionError) -> RecognitionError:
    error.where = ("part", name)
    return error
