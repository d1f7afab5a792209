"""Shells: solids given by their faces, as CAD files give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.solid.placement import Floats
from linkwork.solid.shell.patch import Patch
from linkwork.solid.shell.rays import inside
from linkwork.solid.surface import Face
from linkwork.solid.values import Box, Inside, Solid, SolidError


@dataclass(frozen=True)
class Shell(Solid):
    """A solid inside closed faces."""

    patches: tuple[Patch, ...]

    def __post_init__(self) -> None:
        if not self.patches:
            raise SolidError("a shell has no faces", wanted="faces that enclose a solid")

    def contains(self, points: Floats) -> Inside:
        return inside(self.patches, points)

    @cached_property
    def box(self) -> Box:
        boxes = [patch.box for patch in self.patches]
        return np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)

    def faces(self) -> Iterator[Face]:
        for patch in self.patches:
            yield patch.surface
