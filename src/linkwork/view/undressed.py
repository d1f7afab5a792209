"""A scene without objects of its own: frames as balls with axes, lines from each to what carries it, a grid."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import Expression, number
from linkwork.model import Machine
from linkwork.model.part import GROUND
from linkwork.model.placed import Placed
from linkwork.model.vector import Vector
from linkwork.model.visible_values import matrix_of, stretched
from linkwork.view import solid
from linkwork.view.proportion import round_length
from linkwork.view.stage import Thing
from linkwork.view.staging import EARTH, Staging
from linkwork.view.theme import PALETTE

Array = NDArray[np.float64]

BALL, AXIS, LINE = 0.035, 0.09, 0.008
"""In extents of the scene: the radius of a body's ball, the length of an axis, the radius of a line."""
AXIS_COLOURS: Final = ("#c8402f", "#3f9b57", "#3a7cb8")
FLOOR: Final = 12
"""Lines of the grid each way."""


def dress(machine: Machine, staging: Staging) -> None:
    """Something to be seen for each frame that has mass or moves."""
    shown = seen_frames(machine)
    if not shown:
        return
    places = {name: staging.evaluated([*staging.values.frame(name).origin]) for name in (*shown, GROUND)}
    spread = np.ptp(np.array([*places.values()]), axis=0)
    extent = float(np.max(spread)) or 1.0
    for order, name in enumerate(shown):
        colour = PALETTE[order % len(PALETTE)]
        if name in machine.bodies:
            staging.plain(name, name, _sized(BALL * extent), solid.sphere(), colour)
        for axis, hue in zip(range(machine.dimension), AXIS_COLOURS, strict=False):
            tip = Vector.axis(3, axis) * number(AXIS * extent)
            arrow = stretched(Vector.zero(3), tip, number(LINE / 2 * extent))
            staging.plain(f"{name}.{'xyz'[axis]}", name, matrix_of(arrow), solid.rod(), hue)
        carrier = machine.frames[name].on
        own, outer = (staging.values.frame(each).origin for each in (name, carrier))
        if carrier != GROUND and own != outer:
            line = matrix_of(stretched(outer, own, number(LINE * extent)))
            staging.plain(f"{name}.line", GROUND, line, solid.rod(), colour)
    if machine.dimension == 3:
        _floor(staging, np.array([*places.values()]), extent)


def seen_frames(machine: Machine) -> list[str]:
    """The frames that are seen: those that have mass or move."""
    return [name for name, frame in machine.frames.items() if frame.varies or name in machine.bodies]


def _sized(radius: float) -> tuple[Expression, ...]:
    return matrix_of(Placed.world(3), (number(radius),) * 3)


def _floor(staging: Staging, places: Array, extent: float) -> None:
    """A grid below all, of thin bars."""
    low, high = places.min(axis=0), places.max(axis=0)
    cell = round_length(2.0 * extent / FLOOR)
    half = FLOOR / 2 * cell
    corner = np.floor((low + high)[:2] / 2 / cell) * cell
    middle = np.array([*corner, low[2] - 1.5 * BALL * extent])
    bars = []
    for step in range(FLOOR + 1):
        for along in (0, 1):
            shift = np.zeros(3)
            shift[1 - along] = step * cell - half
            size = np.full(3, LINE / 2 * extent)
            size[along] = 2 * half
            bars.append(np.column_stack([np.diag(size), middle + shift]).ravel())
    place = staging.surfaces.place(solid.box())
    staging.things.append(
        Thing("grid", 0, place, EARTH, instances=np.array(bars), is_scenery=True, shadow=False)
    )
