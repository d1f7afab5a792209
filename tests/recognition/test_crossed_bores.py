"""Bores that cavities cross: a hole is judged along its whole length, by the stretches of its wall that are there."""

from __future__ import annotations

import random

import pytest

from linkwork.recognition import recognise_solids
from linkwork.solid import Block, Cone, Cylinder, Placement, Solid, Sphere
from linkwork.solid.section import frame_across

LONG = 60.0


def cavity(draw: random.Random, bore: float) -> Solid:
    """A ball, a drilled or a conical hole, or a block, wider than the bore, somewhere on its axis, turned at will."""
    size = draw.uniform(1.1, 3.5) * bore
    every = (
        Sphere(size),
        Cylinder(size, 100).moved((0, 0, draw.choice((-50, 0)))),
        Cone(size, 1.2 * size, 30).moved((0, 0, -15)),
        Block((2 * size, 2 * size, 2 * size)).moved((-size, -size, -size)),
    )
    way = draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-0.5, 0.5)
    turned = draw.choice(every).placed(frame_across(way))
    return turned.moved((0, 0, draw.uniform(-0.5, 0.5) * (LONG - 4 * size)))


@pytest.mark.parametrize("seed", range(24))
def test_what_crosses_a_bore_leaves_its_shaft_a_revolute_pair(seed: int) -> None:
    """A shaft turns in a bore whatever cavities cross it, as long as some of its wall is left on both ends."""
    draw = random.Random(seed)
    bore = draw.uniform(2, 5)
    block = Block((40, 40, LONG)).moved((-20, -20, -LONG / 2))
    base = block - Cylinder(bore, 140).moved((0, 0, -70))
    for _ in range(draw.randint(1, 2)):
        base = base - cavity(draw, bore)
    shaft = Cylinder(bore * draw.choice((1.0, 0.97)), 130).moved((0, 0, -65))
    place = Placement() if seed % 2 else frame_across((draw.uniform(-1, 1), draw.uniform(-1, 1), 1.0))
    found = recognise_solids({"base": base.placed(place), "shaft": shaft.placed(place)}, ground="base")
    assert [(pair.kind, pair.parts) for pair in found.pairs] == [("revolute", ("base", "shaft"))]


@pytest.mark.parametrize("wall", [20.0, 1.0, 0.05])
def test_a_pin_through_both_walls_of_a_tube(wall: float) -> None:
    """However thin the walls of a tube are, beside the length of the bore through both: its pin turns in them."""
    tube = Cylinder(60, 100) - Cylinder(60 - wall, 100)
    across = frame_across((1.0, 0.0, 0.0))
    bore, pin = (Cylinder(4, long).moved((0, 0, -long / 2)).placed(across) for long in (140.0, 150.0))
    tube = tube.moved((0, 0, -50)) - bore
    found = recognise_solids({"tube": tube, "pin": pin}, ground="tube")
    ((kind, axis),) = [(pair.kind, pair.axis) for pair in found.pairs]
    assert kind == "revolute"
    assert axis == pytest.approx((1, 0, 0))
