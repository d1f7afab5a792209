"""Fits that people draw every day: what they would call joined must be found so, however it lies in space."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from solid_machines import POSES, Pairs, Solids, ball, bar_between, box, pairs_of, placed, rod

import linkwork as lw
from linkwork.recognition import recognise_solids
from linkwork.solid import Cylinder

FOLDER = Path(__file__).parent / "everyday"

WANTED: Mapping[str, Pairs] = {
    "ball-socket": {("spherical", "arm", "stand")},
    "bushing": {("revolute", "frame", "shaft")},
    "cart": {("revolute", "chassis", "wheel1"), ("revolute", "chassis", "wheel2")},
    "caster": {("revolute", "fork", "plate"), ("revolute", "fork", "wheel")},
    "clearance-fit": {("revolute", "frame", "wheel")},
    "coaxial-not-joined": {("revolute", "a", "frame"), ("revolute", "b", "frame")},
    "d-shaft": {("revolute", "frame", "motor_shaft")},
    "door-two-hinges": {("revolute", "door", "wall")},
    "dovetail": {("prismatic", "carriage", "way")},
    "drawer": {("prismatic", "cabinet", "drawer")},
    "eccentric-strap": {
        ("prismatic", "base", "ram"),
        ("revolute", "base", "ecc"),
        ("revolute", "ecc", "strap"),
        ("revolute", "ram", "strap"),
    },
    "half-shells": {("revolute", "lower", "shaft")},
    "hex-bore": {("prismatic", "base", "wheel")},
    "hinge-knuckles": {("revolute", "leafA", "leafB")},
    "key-in-open-way": {("revolute", "frame", "shaft")},
    "key-with-clearance": {("revolute", "frame", "shaft")},
    "key-with-round-ends": {("revolute", "frame", "shaft")},
    "oldham": {
        ("prismatic", "a", "mid"),
        ("prismatic", "b", "mid"),
        ("revolute", "a", "frame"),
        ("revolute", "b", "frame"),
    },
    "plates-pillars-screws": {("revolute", "bottom", "wheel")},
    "plunger": {("prismatic", "cylinder", "plunger")},
    "puck": {("planar", "puck", "table")},
    "rivet-hinge-scissors": {("revolute", "bladeA", "bladeB")},
    "round-telescope": {("prismatic", "inner", "middle"), ("prismatic", "middle", "outer")},
    "scotch-yoke": {("prismatic", "base", "yoke"), ("revolute", "base", "disc")},
    "screw-is-not-hinge": set(),
    "spool-between-plates": {("revolute", "cage", "spool")},
    "square-shaft-slides": {("prismatic", "base", "slider")},
    "t-slot": {("prismatic", "nutblock", "rail")},
    "telescope": {("prismatic", "inner", "middle"), ("prismatic", "middle", "outer")},
    "universal": {
        ("revolute", "cross", "yokeA"),
        ("revolute", "cross", "yokeB"),
        ("revolute", "frame", "yokeA"),
        ("revolute", "frame", "yokeB"),
    },
    "vise": {("prismatic", "body", "jaw")},
}
"""The pairs that a person names, the parts of each in the order of the alphabet."""
WELDED = {"bushing": 1, "cart": 1, "d-shaft": 1, "hinge-knuckles": 1, "screw-is-not-hinge": 2, "hex-bore": 0}
"""How many parts are fixed to others, where it is not plain from the pairs."""


def test_all_files_are_in_the_table() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(WANTED)


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("name", WANTED)
def test_pairs_are_those_that_a_person_names(name: str, pose: str) -> None:
    found = lw.recognise(placed(lw.load(FOLDER / f"{name}.toml"), POSES[pose]))
    assert pairs_of(found) == WANTED[name]
    assert len(found.welds) == WELDED.get(name, len(found.welds))
    assert all(pair.why for pair in found.pairs)


@pytest.mark.parametrize("name", WANTED)
def test_found_machines_are_whole(name: str) -> None:
    """They have as many motions as their subsystems, and can be written down and checked."""
    found = lw.recognise(lw.load(FOLDER / f"{name}.toml"))
    assert found.machine is not None
    assert len(found.machine.joints) == sum(pair.kind != "planar" for pair in found.pairs)
    for each in found.subsystems:
        assert len(each.variables) == each.mobility


def test_pairs_of_parts_that_move_as_one_are_named() -> None:
    """Shafts in line turn their universal joint as one body; its hinges are there all the same."""
    found = lw.recognise(lw.load(FOLDER / "universal.toml"))
    whys = {frozenset(pair.parts): pair.why for pair in found.pairs}
    assert "move as one" in whys[frozenset(("cross", "yokeA"))]
    assert [each.mobility for each in found.subsystems] == [1]


# ------------------------------------------------------------------------------------ larger ones


def stewart_platform() -> tuple[Solids, Pairs]:
    """Six legs, each a rod in a tube, with balls at both ends."""
    feet, heads = [], []
    for leg in range(6):
        side = -1 if leg % 2 == 0 else 1
        low, high = (math.radians(120 * (leg // 2) + side * angle) for angle in (20, 40))
        feet.append((70 * math.cos(low), 70 * math.sin(low), 0.0))
        heads.append((45 * math.cos(high), 45 * math.sin(high), 100.0))
    frame, plate = rod(80, (0, 0, -16), 12), rod(55, (0, 0, 104), 12)
    solids: Solids = {}
    wanted: Pairs = set()
    for number, (foot, head) in enumerate(zip(feet, heads, strict=True)):
        a, b = np.array(foot), np.array(head)
        at = {share: tuple(a + share * (b - a)) for share in (0.15, 0.3, 0.6, 0.7)}
        frame = (frame | rod(9, (foot[0], foot[1], -8), 9)) - ball(5, foot)
        plate = (plate | rod(7, (head[0], head[1], 99.5), 9)) - ball(4, head)
        tube = (ball(5, foot) | bar_between(4, foot, at[0.6])) - bar_between(2, at[0.15], at[0.7])
        solids |= {f"tube{number}": tube, f"rod{number}": bar_between(2, at[0.3], head) | ball(4, head)}
        wanted |= {
            ("spherical", "frame", f"tube{number}"),
            ("spherical", "plate", f"rod{number}"),
            ("cylindrical", f"rod{number}", f"tube{number}"),
        }
    return {"frame": frame, "plate": plate, **solids}, wanted


def scissor_chain(cells: int) -> tuple[Solids, Pairs]:
    """Crossed bars with holes, and a pin of its own in each hinge."""
    angle = math.radians(35)
    step, rise = 40 * math.cos(angle), 20 * math.sin(angle)
    solids: Solids = {}
    wanted: Pairs = set()
    for cell in range(cells):
        for letter, turn, height in (("a", angle, 0.0), ("b", -angle, 3.0)):
            bar = box((-24, -4, 0), (24, 4, 3))
            for hole in (-20, 0, 20):
                bar = bar - Cylinder(2, 5).moved((hole, 0, -1))
            solids[f"bar{cell}{letter}"] = bar.turned(turn).moved((cell * step, 0, height))
        solids[f"pin{cell}"] = rod(2, (cell * step, 0, -1), 8)
        wanted.add(("revolute", f"bar{cell}a", f"bar{cell}b"))
    for cell in range(cells - 1):
        for name, height, first, second in (("top", rise, "a", "b"), ("low", -rise, "b", "a")):
            solids[f"{name}{cell}"] = rod(2, ((cell + 0.5) * step, height, -1), 8)
            wanted.add(("revolute", f"bar{cell}{first}", f"bar{cell + 1}{second}"))
    return solids, wanted


def test_stewart_platform() -> None:
    solids, wanted = stewart_platform()
    found = recognise_solids(solids, "frame")
    assert pairs_of(found) == wanted
    assert [each.mobility for each in found.subsystems] == [
        6 + 6 + 6
    ]  # the platform, and tubes and rods that spin


def test_scissors_with_pins() -> None:
    solids, wanted = scissor_chain(3)
    found = recognise_solids(solids, "bar0a")
    assert pairs_of(found) == wanted
    assert [each.mobility for each in found.subsystems] == [1]


@pytest.mark.parametrize("pose", POSES)
def test_what_is_around_the_heaviest_part_stands_still(pose: str) -> None:
    """A thin case about a solid slide is the frame, though the slide is heavier and no name tells."""
    case = box((0, 0, 0), (100, 60, 40)) - box((2, 2, 2), (98, 61, 38))
    solids = {"a": box((2, 2, 2), (98, 59, 38)), "b": case}
    placed_ones = {name: solid.placed(POSES[pose]) for name, solid in solids.items()}
    assert recognise_solids(placed_ones).ground == "b"
