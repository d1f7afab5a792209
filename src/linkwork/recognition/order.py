"""The order in which parts are looked at: one that their shapes and places tell, whatever the order of the file.

Where several answers are equally good, as of which part a floating pin is fixed to, the first part is taken. So that
this is the same part however the file lists, names and places its parts, large parts come first, of parts as large
those that spread wide, of parts alike the lowest in the axes in which the machine was drawn, in a mirror in their
images, and of parts that cross in one point those that lie otherwise in these axes. Meshes and CAD files do not tell
axes: there those come first that are far from the middle of all, as the ends of a chain. Only parts that are alike in
all of this are told apart by their names.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from linkwork.recognition.drawn_axes import drawn_axes, have_axes
from linkwork.solid import PlaneFace, Polyhedron, RoundFace, Shell, Solid
from linkwork.solid.pieces import Piece, pieces
from linkwork.solid.placement import Floats, triple

DIGITS: Final = 6
"""To how many digits sizes and places count: the last ones depend on where a solid stands."""


EYE: Final = np.eye(3)


def ordered(solids: Mapping[str, Solid]) -> tuple[list[str], Floats]:
    """The names of parts in the order in which they are looked at, and the axes in which they were drawn.

    >>> from linkwork.solid import Block
    >>> ordered({"pin": Block((1, 1, 2)), "right": Block((3, 4, 5)).moved((9, 0, 0)), "left": Block((3, 4, 5))})[0]
    ['left', 'right', 'pin']
    """
    bulks = [_bulk(solid) for solid in solids.values()]
    weights = np.array([bulk.weight for bulk in bulks])
    centres = np.array([bulk.middle for bulk in bulks])
    middle = weights @ centres / weights.sum() if weights.sum() else centres.mean(axis=0)
    away = centres - middle
    spreads = np.array([bulk.spread for bulk in bulks])
    wide = np.sqrt(np.trace(spreads, axis1=1, axis2=2))
    size = float(max(np.abs(away).max(initial=0.0), wide.max(initial=0.0))) or 1.0
    largest = float(weights.max(initial=0.0)) or 1.0
    shapes = [
        (float(f"{-weight / largest:.{DIGITS}g}"), float(np.round(-width / size, DIGITS)))
        for weight, width in zip(weights, wide, strict=True)
    ]
    near = np.round(-np.linalg.norm(away, axis=1) / size, DIGITS)
    names = [*solids]
    first = sorted(range(len(names)), key=lambda place: (*shapes[place], near[place]))
    listed = [solids[names[place]] for place in first]
    axes = drawn_axes(listed, mirrored=True)
    upright = axes[[2, 0, 1]]
    seen = (upright @ spreads @ upright.T)[:, *np.triu_indices(3)] / size**2
    along = np.round(np.hstack([away @ upright.T / size, seen]), DIGITS) + 0.0
    if not have_axes(listed):
        along = np.column_stack([near, along])
    whole = sorted(first, key=lambda place: (*shapes[place], *along[place], names[place]))
    if any(piece.place.is_mirrored for solid in listed for piece in pieces(solid)):
        axes = drawn_axes(listed)
    return [names[place] for place in whole], axes


class _Bulk(NamedTuple):
    """How large something is, where its middle is, and how it is spread: the mean of (x - middle) (x - middle)ᵀ."""

    weight: float
    middle: Floats
    spread: Floats


def _bulk(solid: Solid) -> _Bulk:
    """The bulk of a solid, by the simple ones that add to it."""
    every = [_piece_bulk(piece) for piece in pieces(solid) if piece.adds]
    weight = sum(each.weight for each in every)
    if not weight:
        return _Bulk(0.0, np.zeros(3), np.zeros((3, 3)))
    middle = sum((each.weight * each.middle for each in every), np.zeros(3)) / weight
    spread = np.zeros((3, 3))
    for each in every:
        away = each.middle - middle
        spread += each.weight / weight * (each.spread + np.outer(away, away))
    return _Bulk(weight, middle, spread)


def _piece_bulk(piece: Piece) -> _Bulk:
    """The volume of a simple solid, its middle and its spread, or what goes with them, measured in its own axes."""
    found = piece.solid
    if isinstance(found, Polyhedron):
        own = _of_mesh(found)
    elif isinstance(found, Shell):
        own = _of_shell(found)
    else:
        low, high = found.box
        size = high - low
        own = _Bulk(math.prod(size.tolist()), (low + high) / 2, EYE * (size * size / 12))
    matrix = piece.place.matrix
    middle = np.array(piece.place.image(triple(own.middle)))
    return _Bulk(own.weight * piece.place.scale**3, middle, matrix @ own.spread @ matrix.T)


def _of_rows(areas: Floats, points: Floats) -> _Bulk:
    """The bulk of a surface, by the areas and the middles of its pieces."""
    shares = areas / (areas.sum() or 1.0)
    middle = shares @ points
    return _Bulk(float(areas.sum()) ** 1.5, middle, (points - middle).T * shares @ (points - middle))


def _of_mesh(solid: Polyhedron) -> _Bulk:
    a, b, c = np.moveaxis(solid.corners[solid.triangles], 1, 0)
    return _of_rows(np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2, (a + b + c) / 3)


def _of_shell(solid: Shell) -> _Bulk:
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
    return _of_rows(every[:, 0], every[:, 1:])
