"""The order in which parts are looked at: one that their shapes and places tell, whatever the order of the file.

Where several answers are equally good, as of which part a floating pin is fixed to, the first part is taken. So that
this is the same part however the file lists, names and places its parts, large parts come first, of parts alike the
lowest in the axes in which the machine was drawn, in a mirror in their images. Meshes and CAD files do not tell these:
there those come first that are far from the middle of all, as the ends of a chain. Only parts that are alike in all of
this are told apart by their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from linkwork.recognition.drawn_axes import drawn_axes, have_axes
from linkwork.solid import PlaneFace, Polyhedron, RoundFace, Shell, Solid
from linkwork.solid.pieces import Piece, pieces
from linkwork.solid.placement import Floats, triple

DIGITS: Final = 6
"""To how many digits sizes and places count: the last ones depend on where a solid stands."""


def ordered(solids: Mapping[str, Solid]) -> tuple[list[str], Floats]:
    """The names of parts in the order in which they are looked at, and the axes in which they were drawn.

    >>> from linkwork.solid import Block
    >>> ordered({"pin": Block((1, 1, 2)), "right": Block((3, 4, 5)).moved((9, 0, 0)), "left": Block((3, 4, 5))})[0]
    ['left', 'right', 'pin']
    """
    bulks = {name: _bulk(solid) for name, solid in solids.items()}
    weights = np.array([bulk[0] for bulk in bulks.values()])
    centres = np.array([bulk[1:] for bulk in bulks.values()])
    middle = weights @ centres / weights.sum() if weights.sum() else centres.mean(axis=0)
    away = centres - middle
    size = float(np.abs(away).max(initial=0.0)) or 1.0
    largest = float(weights.max(initial=0.0)) or 1.0
    shapes = [float(f"{-weight / largest:.{DIGITS}g}") for weight in weights]
    near = np.round(-np.linalg.norm(away, axis=1) / size, DIGITS)
    names = [*solids]
    first = sorted(range(len(names)), key=lambda place: (shapes[place], near[place]))
    listed = [solids[names[place]] for place in first]
    along = np.round(away @ drawn_axes(listed, mirrored=True)[[2, 0, 1]].T / size, DIGITS) + 0.0
    if not have_axes(listed):
        along = np.column_stack([near, along])
    whole = sorted(first, key=lambda place: (shapes[place], *along[place], names[place]))
    return [names[place] for place in whole], drawn_axes(listed)


def _bulk(solid: Solid) -> Floats:
    """How large a solid is, by the simple ones that add to it, and its middle."""
    rows = np.array([_piece_bulk(piece) for piece in pieces(solid) if piece.adds]).reshape(-1, 4)
    weight = float(rows[:, 0].sum())
    if not weight:
        return np.zeros(4)
    return np.array([weight, *(rows[:, 0] @ rows[:, 1:] / weight)])


def _piece_bulk(piece: Piece) -> tuple[float, ...]:
    """The volume of a simple solid and its middle, or what goes with them, measured in its own axes."""
    found = piece.solid
    if isinstance(found, Polyhedron):
        volume, middle = _of_mesh(found)
    elif isinstance(found, Shell):
        volume, middle = _of_shell(found)
    else:
        low, high = found.box
        volume, middle = float(np.prod(high - low)), (low + high) / 2
    return (volume * piece.place.scale**3, *piece.place.image(triple(middle)))


def _of_mesh(solid: Polyhedron) -> tuple[float, Floats]:
    a, b, c = np.moveaxis(solid.corners[solid.triangles], 1, 0)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    return float(areas.sum()) ** 1.5, areas @ (a + b + c) / 3 / (areas.sum() or 1.0)


def _of_shell(solid: Shell) -> tuple[float, Floats]:
    rows = []
    for face in solid.faces():
        if isinstance(face, PlaneFace):
            middle = face.at(np.array([sum(face.u) / 2]), np.array([sum(face.v) / 2]))[0]
            rows.append(((face.u[1] - face.u[0]) * (face.v[1] - face.v[0]), *middle))
        elif isinstance(face, RoundFace):
            middle = np.array(face.point) + sum(face.span) / 2 * np.array(face.axis)
            area = (face.span[1] - face.span[0]) * (face.radius + face.far_radius) / 2 * face.angles[1]
            rows.append((area, *middle))
    every = np.array(rows).reshape(-1, 4)
    total = float(every[:, 0].sum())
    return total**1.5, every[:, 0] @ every[:, 1:] / (total or 1.0)
