"""Gears on axes that are not parallel: no pairs, and a word about it; pins are what goes half around."""

from __future__ import annotations

import math

import pytest
from solid_machines import Solids, box, rod

from linkwork.recognition import recognise_solids
from linkwork.recognition.rounds import Rounds
from linkwork.solid import Cone, Cylinder, RoundFace, Solid


def on_axles(first: Solid, second: Solid, apart: float) -> Solids:
    """A wheel about z and one about x, that far beside it, each bored and on a shaft of a frame."""
    frame = box((-40, -40, -34), (40, 40, -30)) | rod(3, (0, 0, -31), 60)
    frame = frame | box((36, -40, -34), (40, 40, 30)) | rod(3, (-30, apart, 0), 67, "x")
    wheels = {
        "upright": first.named(gear=True) - rod(3, (0, 0, -50), 100),
        "lying": second.turned(math.pi / 2, (0, 1, 0)).moved((0, apart, 0)).named(gear=True)
        - rod(3, (-50, apart, 0), 100, "x"),
    }
    return {"frame": frame, **wheels}


@pytest.mark.parametrize(
    ("solids", "what"),
    [
        (on_axles(Cone(20, 10, 10).moved((0, 0, -20)), Cone(20, 10, 10).moved((0, 0, -20)), 0.001), "bevel"),
        (on_axles(Cylinder(20, 6).moved((0, 0, -3)), Cylinder(8, 20).moved((0, 0, -10)), 28), "worm"),
    ],
)
def test_gears_on_skew_axes_are_no_pair_and_told(solids: Solids, what: str) -> None:
    """Pitch cones that roll on one another, and a worm: only the axles are pairs; what may touch says why."""
    if what == "bevel":
        solids["frame"] = box((-40, -40, -34), (40, 40, -30)) | rod(3, (0, 0, -31), 20)
        solids["frame"] |= box((-40, -40, -34), (-36, 40, 30)) | rod(3, (-37, 0.001, 0), 26, "x")
    found = recognise_solids(solids, "frame")
    assert {each.kind for each in found.pairs} <= {"revolute", "cylindrical"}
    (told,) = (each for each in found.interactions if {*each.parts} == {"upright", "lying"})
    assert "axes are not parallel" in told.why


def test_pins_go_half_around() -> None:
    """Alone, or as pieces of one cylinder together; pieces on other axes or of other radii do not count."""

    def piece(x: float, radius: float, turn: float, far: float | None = None) -> RoundFace:
        return RoundFace((x, 0, 0), (0, 0, 1), (1, 0, 0), radius, far or radius, (0, 1), (0.0, turn))

    third = math.tau / 3
    faces = [
        *(piece(0, 2, math.tau), piece(5, 2, third), piece(5, 2, third), piece(9, 2, third)),
        *(piece(9, 3, third), piece(0, 1, math.pi), piece(0, 1, math.tau, 2.0)),
    ]
    assert Rounds.of(faces).pins(1e-6).tolist() == [0, 1, 2, 5]
