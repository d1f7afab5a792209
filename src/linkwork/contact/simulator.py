"""Simulate a machine whose parts touch, push, strike and let go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from linkwork.contact.native import Couple, NativeShapes, Shapes, TouchingMachine
from linkwork.contact.program import pushed, touching_source
from linkwork.contact.shapes import outline_of
from linkwork.dynamics.synthesis import Synthesis
from linkwork.model import Machine
from linkwork.model.part import GROUND
from linkwork.model.solids import part_solids
from linkwork.recognition.finding import Recognition
from linkwork.simulation.simulator import Simulator
from linkwork.solid.layers import layers


class TouchingSimulator(Simulator):
    """A machine of solids ready to be simulated with its contacts."""

    def __init__(self, found: Recognition) -> None:
        assert found.machine is not None
        self.found = found
        self.plain = found.machine
        self.parts = tuple(self.plain.moving)
        super().__init__(pushed(self.plain, self.parts))

    @cached_property
    def native(self) -> TouchingMachine:  # type: ignore[override]
        """The programs, compiled."""
        with self.explained():
            synthesis = Synthesis(self.plan, keep_spare=True) if self.redundant else self.synthesis
            source = touching_source(synthesis, self.parts, len(self.plain.controls))
            return TouchingMachine(synthesis, source)

    @cached_property
    def shapes(self) -> Shapes:
        """The outlines of the parts, and which may touch."""
        return shapes_of(self.found, self.plain, self.parts)


def shapes_of(found: Recognition, machine: Machine, parts: Sequence[str]) -> Shapes:
    """The outlines of a found machine's parts, layer by layer, and which of them may touch."""
    solids = part_solids(machine)
    names = [*parts, GROUND]
    group_of = {member: members[0] if place else GROUND for place, members in enumerate(found.groups) for member in members}
    pairs = {tuple(sorted((group_of[a], group_of[b]), key=names.index)) for a, b in (each.parts for each in found.interactions)}
    wanted = {name for pair in pairs for name in pair}
    slabs = {name: layers(solids[name]) for name in wanted}
    outlines, body_of, place_of = [], [], {}
    for name in sorted(wanted, key=names.index):
        for place, layer in enumerate(slabs[name]):
            place_of[name, place] = len(outlines)
            outlines.append(outline_of(layer.region))
            body_of.append(names.index(name))
    couples = []
    for one, other in sorted(pairs, key=lambda pair: tuple(map(names.index, pair))):
        joined, axis = _joint_between(found, group_of, one, other)
        for i, a in enumerate(slabs[one]):
            for j, b in enumerate(slabs[other]):
                if min(a.high, b.high) - max(a.low, b.low) > 1e-9 * max(a.high - a.low, b.high - b.low):
                    couples.append(Couple((place_of[one, i], place_of[other, j]), joined, axis))
    size = max((outline.reach for outline in outlines), default=1.0)
    return Shapes(len(parts), tuple(outlines), tuple(body_of), tuple(couples), size)


def _joint_between(found: Recognition, group_of: dict[str, str], one: str, other: str) -> tuple[int, tuple[float, float]]:
    from linkwork.recognition.planar import plane_axes

    axes = plane_axes(found.plane)
    for pair in found.pairs:
        if {group_of[each] for each in pair.parts} == {one, other} and pair.kind in ("revolute", "prismatic", "cylindrical"):
            way = pair.point if pair.kind != "prismatic" else pair.axis
            x, y, _ = axes @ np.array(way)
            return (1 if pair.kind != "prismatic" else 2), (float(x), float(y))
    return 0, (0.0, 0.0)
