"""Parts that have solids, drawn in the plane by the outlines of their layers, in space by their surfaces.

Pitch circles of gears get their teeth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from linkwork.model.part import GROUND
from linkwork.solid.region.loop import Loop
from linkwork.view.machine_layout import Array
from linkwork.view.machine_sketch import Sketch
from linkwork.view.outline import gear_outline
from linkwork.view.part_layers import DrawnLayer, PartLayers
from linkwork.view.shape import Facets, Gear, Outline

FINE: Final = 5e-5
"""How far chords may be from arcs, as a part of the machine's size."""
SAME_CIRCLE: Final = 0.02
"""How far a loop may be from the pitch circle that it shows, as a part of the radius."""


def draw_solids(sketch: Sketch) -> None:
    """All parts with solids."""
    if sketch.layout.dimension == 3:
        for name, mesh in sketch.layout.meshes.items():
            sketch.add(name, Facets, mesh.points.tolist(), tuple(map(tuple, mesh.triangles.tolist())))
        return
    every = sketch.layout.layers
    deviation = FINE * _size(every.values())
    tops = [layer.high for part in every.values() for layer in part.layers]
    for name, part in every.items():
        for place, layer in enumerate(part.layers):
            tier = _tier(layer, part, min(tops), max(tops), is_ground=name == GROUND)
            edges = part.edges(place, deviation)
            for piece in layer.region.components:
                outlines = zip(piece.loops, piece.outlines(deviation), strict=True)
                rings = [_ring(loop, outline, sketch.toothed.get(name, ())) for loop, outline in outlines]
                sketch.add(name, Outline, rings, layer.low, layer.high, tier, layer.look, edges)
                edges = []


def _tier(layer: DrawnLayer, part: PartLayers, low: float, high: float, *, is_ground: bool) -> float:
    """How high a layer lies among all; steps of what moves also among their part's, which shows it round."""
    among_all = (layer.high - low) / (high - low) if high > low else 0.5
    if is_ground or not layer.is_step:
        return among_all
    half = part.layers[-1].high - part.middle
    return (among_all + min(max((layer.high - part.middle) / half, 0.0), 1.0)) / 2


def _size(every: Iterable[PartLayers]) -> float:
    """The longest side of the boxes around all layers."""
    boxes = [layer.region.box for part in every for layer in part.layers]
    return max((max(right - left, top - bottom) for (left, bottom), (right, top) in boxes), default=1.0)


def _ring(loop: Loop, outline: Array, gears: Iterable[Gear]) -> list[tuple[float, ...]]:
    """A loop as a row of points: one that is the pitch circle of a gear with its teeth."""
    gear = _gear_on(loop, gears)
    if gear is not None:
        centre = complex(*gear.at)
        above, below = (1.25, 1.0) if gear.internal else (1.0, 1.25)
        teeth = gear_outline(centre, gear.radius, gear.teeth, gear.phase, above=above, below=below)
        return [(point.real, point.imag) for point in (teeth[::-1] if loop.is_hole else teeth)]
    return [tuple(point) for point in outline.tolist()]


def _gear_on(loop: Loop, gears: Iterable[Gear]) -> Gear | None:
    if loop.circle is None:
        return None
    centre, radius = loop.circle
    for gear in gears:
        near = SAME_CIRCLE * gear.radius
        if (
            abs(radius - gear.radius) < near
            and math.dist(centre, gear.at) < near
            and loop.is_hole == gear.internal
        ):
            return gear
    return None
