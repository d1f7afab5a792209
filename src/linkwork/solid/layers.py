"""Layers: solids that are prismatic along an axis, as regions with heights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from linkwork.solid.extent import leaning, turning_heights
from linkwork.solid.pieces import Piece, pieces
from linkwork.solid.placement import Z_AXIS, Floats, Triple, cross, triple
from linkwork.solid.region import Region
from linkwork.solid.section import frame_across, section
from linkwork.solid.values import Solid, SolidError

SAME_HEIGHT: Final = 1e-9
"""Of the whole height: ends that are nearer are one."""
SAME_AXIS: Final = 1e-9
"""The sine of the angle below which axes are one."""


class NotPrismatic(SolidError):
    """A solid that has faces neither along an axis nor across it."""


class Layer(NamedTuple):
    """A region from one height along an axis to another."""

    low: float
    high: float
    region: Region


class Span(NamedTuple):
    """From one height to another there is a simple solid that is no prism."""

    low: float
    high: float
    noun: str


def layers(solid: Solid, axis: Sequence[float] = Z_AXIS) -> tuple[Layer, ...]:
    """The solid from bottom to top, in as few layers as there are different sections.

    The regions have the coordinates of :func:`linkwork.solid.section.section`. A solid with faces that are neither
    along the axis nor across it has no layers: :class:`NotPrismatic` says which of its simple solids has them.

    >>> from linkwork.solid import Block, Cylinder
    >>> plate = Block((4, 4, 2)) - Cylinder(1, 1).moved((2, 2, 1))
    >>> for layer in layers(plate):
    ...     print(layer)
    Layer(low=0.0, high=1.0, region=<Region: 1 outline, 4 edges, area 16>)
    Layer(low=1.0, high=2.0, region=<Region: 1 outline, 1 hole, 6 edges, area 12.8584073>)
    """
    culprit = _leaning_piece(solid, axis)
    if culprit is not None:
        noun = type(culprit.solid).__name__.lower()
        raise NotPrismatic(
            "a solid has no layers along this axis",
            got=f"a {noun}{f' ({culprit.label})' if culprit.label else ''} that is no prism along it",
            wanted="faces along the axis or across it",
            fix="take sections at heights, or another axis",
        )
    return _layers_beside(solid, axis, ())


def prismatic_layers(
    solid: Solid, axis: Sequence[float] = Z_AXIS
) -> tuple[tuple[Layer, ...], tuple[Span, ...]]:
    """The layers of a solid where it has such, and from which heights to which it has none.

    >>> from linkwork.solid import Block, Sphere
    >>> found, without = prismatic_layers(Block((4, 4, 2)) | Sphere(1).moved((2, 2, 3)))
    >>> [(layer.low, layer.high) for layer in found], without
    ([(0.0, 2.0)], (Span(low=2.0, high=4.0, noun='sphere'),))
    """
    back = frame_across(axis).inverse
    spans = []
    for piece in _that_matter(solid):
        place = back.holding(piece.place)
        if leaning(piece.solid, place):
            turning = turning_heights(piece.solid, place)
            spans.append(Span(min(turning), max(turning), type(piece.solid).__name__.lower()))
    return _layers_beside(solid, axis, spans), tuple(spans)


def _layers_beside(solid: Solid, axis: Sequence[float], spans: Sequence[Span]) -> tuple[Layer, ...]:
    """The layers at all heights but these."""
    found: list[Layer] = []
    for low, high in pairwise(heights(solid, axis)):
        middle = 0.5 * (low + high)
        if any(span.low < middle < span.high for span in spans):
            continue
        region = section(solid, middle, axis)
        last = found[-1] if found else None
        if last is not None and last.high == low and same_region(last.region, region):
            found[-1] = Layer(last.low, high, last.region)
        elif region:
            found.append(Layer(low, high, region))
    return tuple(found)


def is_prismatic(solid: Solid, axis: Sequence[float] = Z_AXIS) -> bool:
    """Whether all faces are along an axis or across it."""
    return _leaning_piece(solid, axis) is None


def axes_of(solid: Solid) -> Iterator[Triple]:
    """Axes along which a solid may be prismatic: those of its simple solids, each once."""
    seen: list[Floats] = []
    for piece in pieces(solid):
        for column in (2, 0, 1):
            axis = piece.place.matrix[:, column] / piece.place.scale
            if all(np.linalg.norm(cross(axis, other)) > SAME_AXIS for other in seen):
                seen.append(axis)
                yield triple(axis)


def prism_axis(solid: Solid) -> Triple | None:
    """The first axis of those of its simple solids along which a solid is prismatic; None if there is none."""
    return next((axis for axis in axes_of(solid) if is_prismatic(solid, axis)), None)


def heights(solid: Solid, axis: Sequence[float] = Z_AXIS) -> list[float]:
    """Where along an axis the simple solids of a solid have corners, or begin and end; in order."""
    back = frame_across(axis).inverse
    found = sorted(
        height
        for piece in _that_matter(solid)
        for height in turning_heights(piece.solid, back.holding(piece.place))
    )
    kept: list[float] = []
    for height in found:
        if not kept or height - kept[-1] > SAME_HEIGHT * (found[-1] - found[0]):
            kept.append(height)
    return kept


def _leaning_piece(solid: Solid, axis: Sequence[float]) -> Piece | None:
    back = frame_across(axis).inverse
    each = (piece for piece in _that_matter(solid) if leaning(piece.solid, back.holding(piece.place)))
    return next(each, None)


def _that_matter(solid: Solid) -> list[Piece]:
    """The simple solids that are not altogether beside the whole, as what is taken off nothing is."""
    low, high = solid.box
    found = []
    for piece in pieces(solid):
        own_low, own_high = piece.placed.box
        if np.all(own_low < high) and np.all(own_high > low):
            found.append(piece)
    return found


def same_region(one: Region, other: Region) -> bool:
    """Whether regions differ by nothing that has an area."""
    return one == other or (bool(one) and bool(other) and not one ^ other)
