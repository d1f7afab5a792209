"""The solids of a machine's parts as layers to be drawn, from bottom to top.

A solid whose sections are the same between two heights gives one layer there; one that is rounded or sloped gives
several thin ones, which follow its surface in steps. Seen from above, layers that others of the same part cover are
not drawn. Where the ground would cover too much of what moves, its upper half is cut away and drawn by its edges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.model import Machine
from linkwork.model.part import GROUND
from linkwork.model.solids import part_solids
from linkwork.solid import Solid, SolidError, section
from linkwork.solid.layers import heights, same_region
from linkwork.solid.mesh import Mesh, solid_mesh
from linkwork.solid.region import EMPTY_REGION, Region, union
from linkwork.view.shape import LayerLook, Point

STEPS: Final = 24
"""Into how many layers a solid is cut that is no prism."""
MOST_HEIGHTS: Final = 60
"""Solids with corners at more heights are cut into steps of one height."""
ROUND: Final = 2e-4
"""How far the triangles of a solid in space may be from its surface, in sizes of the part."""
HIDES_TOO_MUCH: Final = 0.3
"""Of a part: if a layer of the ground hides more, the ground is cut."""


@dataclass(frozen=True)
class DrawnLayer:
    """A region between two heights; ``is_step`` if it is a step of a rounded surface."""

    low: float
    high: float
    region: Region
    is_step: bool = False
    look: LayerLook = "edged"


@dataclass(frozen=True)
class PartLayers:
    """The layers of a part's solid, from bottom to top."""

    layers: tuple[DrawnLayer, ...]

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return (self.layers[0].low + self.layers[-1].high) / 2

    def seen(self, below: float = math.inf) -> Region:
        """All that is seen from above of the layers that lie below a height."""
        return union(layer.region for layer in self.layers if layer.low < below)

    def looked_at(self, cut: float = math.inf) -> PartLayers:
        """With the look of each layer, those from a height on being cut away."""
        kept = _looks([layer for layer in self.layers if layer.low < cut])
        gone = _looks(self.layers[len(kept) :])
        if kept and gone:
            kept[-1] = replace(kept[-1], look="edged")
        lines = [replace(layer, look="cut" if layer.look == "edged" else "gone") for layer in gone]
        return replace(self, layers=(*kept, *lines))

    def edges(self, place: int, deviation: float) -> list[list[Point]]:
        """The lines at which a layer stands out over the one below it: a rounded surface has none from step to step."""
        layer = self.layers[place]
        below = self.layers[place - 1] if place else None
        if layer.look != "plain":
            return []
        under = below.region if below is not None and below.high == layer.low else EMPTY_REGION
        found: list[list[Point]] = []
        for outline in layer.region.outlines(deviation):
            ends = np.roll(outline, -1, axis=0)
            depth = -under.distance((outline + ends) / 2) if under else np.full(len(outline), -math.inf)
            stands_out = depth <= deviation / 100
            for k in np.flatnonzero(stands_out):
                start, end = tuple(outline[k].tolist()), tuple(ends[k].tolist())
                if found and found[-1][-1] == start:
                    found[-1].append(end)
                else:
                    found.append([start, end])
        return found


def machine_layers(machine: Machine) -> dict[str, PartLayers]:
    """The layers of all parts with a solid: along z in the plane, in space along the axis of each that suits it.

    A solid of which no sections can be made is left out.

    >>> from linkwork import load, recognise
    >>> found = machine_layers(recognise(load("escapement")).machine)
    >>> [(layer.low, layer.high) for layer in found["bwheel"].layers]
    [(-1.0, 0.0), (0.0, 1.0)]
    """
    if all(part.solid is None for part in machine.parts.values()):
        return {}
    found: dict[str, PartLayers] = {}
    for name, solid in part_solids(machine).items():
        try:
            layers = tuple(_layers(solid))
        except SolidError:
            continue
        if layers:
            found[name] = PartLayers(layers)
    cut = _cutting_height(found)
    return {name: each.looked_at(cut if name == GROUND else math.inf) for name, each in found.items()}


def machine_meshes(machine: Machine) -> dict[str, Mesh]:
    """The surfaces of all parts that have solids, as triangles."""
    if all(part.solid is None for part in machine.parts.values()):
        return {}
    found: dict[str, Mesh] = {}
    for name, solid in part_solids(machine).items():
        with suppress(SolidError):
            found[name] = solid_mesh(solid, ROUND * float(np.linalg.norm(np.ptp(solid.box, axis=0))))
    return found


# --------------------------------------------------------------------------------------------- sections


def _layers(solid: Solid) -> list[DrawnLayer]:
    corners = heights(solid)
    if len(corners) < 2:
        return []
    whole = corners[-1] - corners[0]
    if len(corners) > MOST_HEIGHTS:
        corners = [corners[0] + whole * k / STEPS for k in range(STEPS + 1)]
    found: list[DrawnLayer] = []
    for low, high in pairwise(corners):
        for layer in _between(solid, low, high, math.ceil(STEPS * (high - low) / whole)):
            last = found[-1] if found else None
            if last is not None and last.high == layer.low and same_region(last.region, layer.region):
                found[-1] = replace(last, high=layer.high)
            else:
                found.append(layer)
    return found


def _between(solid: Solid, low: float, high: float, steps: int) -> list[DrawnLayer]:
    """One layer where the section stays the same, else steps, thinner where a round surface turns away."""
    quarter = (high - low) / 4
    regions = [section(solid, low + k * quarter) for k in (1, 2, 3)]
    if same_region(regions[0], regions[1]) and same_region(regions[1], regions[2]):
        return [DrawnLayer(low, high, regions[1])] if regions[1] else []
    count = max(steps, 3) | 1
    ends = [low + (high - low) * (1 - math.cos(math.pi * k / count)) / 2 for k in range(count + 1)]
    found: list[DrawnLayer] = []
    for start, end in pairwise(ends):
        region = section(solid, (start + end) / 2)
        if region:
            found.append(DrawnLayer(start, end, region, is_step=True))
    return found


# ------------------------------------------------------------------------------------------------ looks


def _looks(layers: Sequence[DrawnLayer]) -> list[DrawnLayer]:
    """Layers with the looks that they have from above."""
    above, hidden = EMPTY_REGION, list[bool]()
    for layer in reversed(layers):
        hidden.append(bool(above) and not layer.region - above)
        above = above | layer.region
    return [
        replace(layer, look="hidden" if is_hidden else "plain" if layer.is_step else "edged")
        for layer, is_hidden in zip(layers, hidden[::-1], strict=True)
    ]


def _cutting_height(every: Mapping[str, PartLayers]) -> float:
    """Where the ground is cut: at the middle of the lowest part of which it would hide too much."""
    ground = every.get(GROUND)
    if ground is None:
        return math.inf
    found = [
        part.middle
        for name, part in every.items()
        if name != GROUND and any(_hides(layer, part) for layer in ground.layers)
    ]
    return min(found, default=math.inf)


def _hides(layer: DrawnLayer, part: PartLayers) -> bool:
    if layer.low < part.middle:
        return False
    seen = part.seen(layer.low)
    return (layer.region & seen).area > HIDES_TOO_MUCH * seen.area
