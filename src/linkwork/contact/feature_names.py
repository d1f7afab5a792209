"""The names of the features of outlines: what each is, and the label of the simple solid that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from linkwork.contact.shapes import Outline
from linkwork.solid import Solid
from linkwork.solid.layers import Layer
from linkwork.solid.pieces import pieces
from linkwork.solid.region import Region
from linkwork.solid.section import section

FACES: Final = ("side", "hollow", "round")
"""The kinds of faces, by the number that the engine gives them."""
NEAR: Final = 1e-6
"""Of the size: a feature lies on the outline of a piece that is nearer."""

Sections = list[tuple[str, list[float], list[float], Callable[[], list[Region]]]]


class FeatureNames:
    """The names of the features of slabs, each found once: of every slab its outline, solid and layers."""

    def __init__(self, slabs: Sequence[tuple[Outline, Solid, Sequence[Layer]]], size: float) -> None:
        self._slabs = slabs
        self._near = NEAR * size
        self._sections = cache(self._find_sections)
        self._name = cache(self._find_name)

    def of(
        self, slabs: tuple[int, int], face_kind: int, round_place: int, face_place: int
    ) -> tuple[str, str]:
        """The names of a round and of the face that it touches, by the slabs of both."""
        return self._name(slabs[0], "round", round_place), self._name(slabs[1], FACES[face_kind], face_place)

    def _find_name(self, slab: int, kind: str, place: int) -> str:
        outline = self._slabs[slab][0]
        if kind == "side":
            x, y, tx, ty, _, _, length = outline.sides[place]
            point, noun = (x + tx * length / 2, y + ty * length / 2), "edge"
        else:
            arc = (outline.hollows if kind == "hollow" else outline.rounds)[place]
            x, y, radius, mx, my = arc[:5]
            point = (x + radius * mx, y + radius * my)
            noun = "hollow" if kind == "hollow" else "corner" if radius == 0 else "round"
        label = self._label(slab, point)
        return f"{noun} of {label}" if label else noun

    def _label(self, slab: int, point: tuple[float, float]) -> str:
        """The label of the first simple solid whose outline in a layer of a slab goes through a point."""
        for label, low, high, regions in self._sections(slab):
            inside = all(low[k] - self._near <= point[k] <= high[k] + self._near for k in (0, 1))
            if inside and any(float(region.distance([point])[0]) <= self._near for region in regions()):
                return label
        return ""

    def _find_sections(self, slab: int) -> Sections:
        """The simple solids of a slab that have labels: these, their boxes, and their sections in its layers, which
        are made where a first point is looked for in their box.
        """
        _, solid, layers = self._slabs[slab]

        def regions(placed: Solid) -> Callable[[], list[Region]]:
            @cache
            def made() -> list[Region]:
                found = [section(placed, (layer.low + layer.high) / 2) for layer in layers]
                return [region for region in found if region]

            return made

        return [
            (str(piece.label), *(ends[:2].tolist() for ends in piece.placed.box), regions(piece.placed))
            for piece in pieces(solid)
            if piece.label
        ]
