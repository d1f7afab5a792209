"""Rings that snap into grooves go with the part that has the groove, and hold what they keep in place."""

from __future__ import annotations

import math

import pytest
from solid_machines import Solids

from linkwork.recognition import Recognition, recognise_solids
from linkwork.solid import Block, Cylinder, Solid
from linkwork.solid.placement import Placement

POSES = {
    "as drawn": Placement(),
    "turned": Placement.shift((3, -8, 2)).holding(Placement.turn(1.1, (1, 0.4, -0.6))),
    "small and mirrored": Placement.scaling(1e-3).holding(Placement.mirror((1, 2, 0))),
}


def rod(diameter: float, low: float, high: float) -> Solid:
    return Cylinder(diameter / 2, high - low).moved((0, 0, low))


def ring(outer: float, inner: float, low: float, high: float, *, slit: float = 0.0) -> Solid:
    whole = rod(outer, low, high) - rod(inner, low - 1, high + 1)
    return whole - Block((outer, slit, 99)).moved((0, -slit / 2, -50)) if slit else whole


def housing_with_ring(*, slit: float, name: str = "ring") -> Solids:
    """A shaft in a bore, which a ring in the bore's groove keeps from coming out."""
    housing = Block((40, 40, 20)).moved((-20, -20, 0)) - rod(15, -1, 21) - rod(17, 17, 18.2)
    shaft = rod(14.9, -10, 16.5) | rod(20, -15, -0.1)
    return {"housing": housing, "shaft": shaft, name: ring(16.8, 12, 17.1, 18.1, slit=slit)}


def pairs_of(found: Recognition) -> list[tuple[str, ...]]:
    return [(pair.kind, *pair.parts) for pair in found.pairs]


@pytest.mark.parametrize("slit", [0.0, 4.0])
@pytest.mark.parametrize("pose", POSES)
def test_a_ring_in_the_groove_of_a_bore_goes_with_the_housing(slit: float, pose: str) -> None:
    solids = {name: each.placed(POSES[pose]) for name, each in housing_with_ring(slit=slit).items()}
    found = recognise_solids(solids, "housing")
    assert pairs_of(found) == [("revolute", "housing", "shaft")]
    assert [each.why for each in found.welds] == ["ring is a ring in a groove of housing, and goes with it"]


@pytest.mark.parametrize("name", ["e_clip", "disc"])
def test_a_ring_on_a_stud_goes_with_the_stud(name: str) -> None:
    groove = ring(10, 6, 6.2, 7.4)
    frame = Block((60, 40, 6)).moved((-20, -20, -6)) | (rod(8, -0.5, 10) - groove)
    lever = (rod(18, 0.1, 6.1) | Block((40, 10, 6)).moved((0, -5, 0.1))) - rod(8.2, -1, 9)
    clip = ring(12, 6.02, 6.25, 7.35, slit=5)
    found = recognise_solids({"frame": frame, "lever": lever, name: clip}, "frame")
    assert pairs_of(found) == [("revolute", "frame", "lever")]


def test_a_wheel_between_collars_turns() -> None:
    """It is wider than its bore's radius: a wheel, also where it is thin."""
    frame = Block((60, 40, 6)).moved((-20, -20, -6)) | (rod(8, -0.5, 10) - ring(10, 6, 6.2, 7.4))
    found = recognise_solids({"frame": frame, "wheel": ring(30, 6.02, 6.25, 7.35)}, "frame")
    assert pairs_of(found) == [("revolute", "frame", "wheel")]


@pytest.mark.parametrize("pose", POSES)
def test_a_keyed_pulley_between_a_collar_and_a_ring_is_one_with_its_shaft(pose: str) -> None:
    """The key can neither slide nor lift: what pairs hold against one another wherever the rest is, is one."""
    key = Block((4, 4.5, 16)).moved((-2, 3.5, 12))
    grooves = ring(20, 11, 37, 38.2), Block((4, 10, 16)).moved((-2, 3.5, 12))
    shaft = (rod(12, -40, 90) | rod(18, -10, 4)) - grooves[0] - grooves[1]
    pulley = ring(80, 12.1, 4.1, 36.8) - Block((4.04, 8.1, 60)).moved((-2.02, 0, -5))
    frame = Block((50, 90, 12)).moved((-25, -60, -35)) - rod(12.05, -50, 99)
    frame |= Block((50, 90, 12)).moved((-25, -60, 70)) - rod(12.05, -50, 99)
    frame |= Block((50, 5, 117)).moved((-25, -65, -35)) | Block((50, 10, 117)).moved((-25, -62, -35))
    solids = {"frame": frame, "shaft": shaft, "key": key, "pulley": pulley}
    solids["snap_ring"] = ring(17, 11, 37.05, 38.15, slit=6).turned(math.pi / 3, (0, 0, 1))
    found = recognise_solids({name: each.placed(POSES[pose]) for name, each in solids.items()}, "frame")
    assert pairs_of(found) == [("revolute", "frame", "shaft")]
    assert {*found.groups[1]} == {"shaft", "key", "pulley", "snap_ring"}
