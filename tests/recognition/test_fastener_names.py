"""What a part is called decides whether it holds others fast: by its noun, not by a word in it."""

from __future__ import annotations

import pytest

from linkwork.recognition.fastener_names import is_fastener_name
from linkwork.recognition.frame_names import called_frame

FASTENERS = (
    *(
        "bolt",
        "bolt_2",
        "Bolt1",
        "boltA",
        "left bolt",
        "bolt_left",
        "lidScrew_2",
        "m4_screw",
        "SCREWS",
        "screw_a",
    ),
    *("M3x8", "m3x8_2", "ISO_4762_M5_x_20_20C", "DIN-934", "hex_nut_m5", "washer_M8", "SocketHeadCapScrew"),
    *("grub_screw", "setscrew", "rivet_of_blade", "screw for lid", "nut", "stud", "nails"),
)
OTHERS = (
    *("bolt_holder", "nutcracker", "screwdriver", "screw_driver", "washer_machine", "nut_trap", "screw_jack"),
    *(
        "lead_screw",
        "ballscrew",
        "dead_bolt",
        "latch bolt",
        "shoulder_bolt",
        "pivotScrew_2",
        "hinge bolt",
        "m3x8_spacer",
        "DIN_625_bearing",
        "donut",
        "m5",
        "m2",
    ),
    *("riveter", "lever", "crossbolt", "x", "7"),
)


@pytest.mark.parametrize("name", FASTENERS)
def test_a_fastener_is_known_by_its_noun(name: str) -> None:
    assert is_fastener_name(name)


@pytest.mark.parametrize("name", OTHERS)
def test_a_fastener_in_a_name_makes_none(name: str) -> None:
    assert not is_fastener_name(name)


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["arm", "cabinet"], "cabinet"),
        (["arm", "gear_housing", "body"], "body"),
        (["arm", "gear_housing"], "gear_housing"),
        (["left_stand", "right_stand"], "right_stand"),
        (["arm", "Chassis_2"], "Chassis_2"),
        (["arm", "swing_frame"], None),
        (["arm", "frame_arm"], None),
        (["arm", "valve_body"], None),
        (["case_", "drawer"], "case_"),
    ],
)
def test_a_frame_is_known_by_its_noun(names: list[str], wanted: str | None) -> None:
    """Of several that are called alike the largest stands still."""
    assert called_frame(names, lambda name: float(len(name))) == wanted
