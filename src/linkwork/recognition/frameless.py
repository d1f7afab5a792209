"""Machines of free parts alone, of which none stands still: they move past a ground that is empty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.model import Machine
from linkwork.model.part import GROUND, Part
from linkwork.recognition.finding import Recognition, extent
from linkwork.solid import Block, Solid
from linkwork.solid.placement import triple

ASIDE: Final = 0.1
"""How far from all parts what stands for the ground is, as a share of their size."""
SMALL: Final = 1e-3
"""How large it is."""


def is_frameless(machine: Machine, solids: Mapping[str, Solid]) -> bool:
    """Whether the file says of every part that it is free."""
    return GROUND not in solids and all(machine.parts[name].free for name in solids)


def with_empty_ground(machine: Machine) -> Machine:
    """The machine with a ground that has no solid."""
    return replace(machine, parts=type(machine.parts)({GROUND: Part(), **machine.parts}))


def with_stand_in(solids: Mapping[str, Solid]) -> dict[str, Solid]:
    """The solids with one that stands for the ground while joints are looked for, beside all others."""
    size, _ = extent([*solids.values()])
    corner = np.max([solid.box[1] for solid in solids.values()], axis=0) + ASIDE * size
    return {GROUND: Block((SMALL * size,) * 3).moved(triple(corner)), **solids}


def without_stand_in(found: Recognition) -> Recognition:
    """What was found, but for what could touch the solid that stood for the ground."""
    kept = tuple(each for each in found.interactions if GROUND not in each.parts)
    return replace(found, interactions=kept)
