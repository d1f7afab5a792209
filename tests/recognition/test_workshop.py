"""Machines as different people draw them: what a mechanic would call their pairs must be found, and nothing else.

Each stands in one of the poses, in turn: as drawn, turned in space, mirrored and in inches.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from solid_machines import POSES, Pairs, pairs_of, placed

import linkwork as lw

FOLDER = Path(__file__).parent / "workshop"

WANTED: Mapping[str, Pairs] = {
    "ball-valve": {("revolute", "ball", "body")},
    "bicycle-crank": {
        ("revolute", "axle", "frame"),
        ("revolute", "left_arm", "left_pedal"),
        ("revolute", "right_arm", "right_pedal"),
    },
    "bolted-half-shells": {("revolute", "lower", "shaft")},
    "cam-roller": {
        ("prismatic", "follower", "frame"),
        ("revolute", "cam", "frame"),
        ("revolute", "follower", "roller"),
    },
    "cardan-bent": {
        ("revolute", "cross", "yoke1"),
        ("revolute", "cross", "yoke2"),
        ("revolute", "frame", "yoke1"),
        ("revolute", "frame", "yoke2"),
    },
    "crankset": {("revolute", "axle", "shell")},
    "d-shaft-knob": {("revolute", "panel", "pot")},
    "dead-bolt": {("prismatic", "dead_bolt", "housing"), ("revolute", "housing", "key_cam")},
    "desk-lamp": {("revolute", "arm1", "arm2"), ("revolute", "arm1", "foot"), ("spherical", "arm2", "shade")},
    "dovetail-with-play": {("prismatic", "bed", "slide")},
    "drawer-runners": {("prismatic", "cabinet", "drawer")},
    "drawer-slide": {("prismatic", "cabinet", "middle"), ("prismatic", "drawer", "middle")},
    "folding-leg": {
        ("prismatic", "shoe", "top"),
        ("revolute", "leg", "strut"),
        ("revolute", "leg", "top"),
        ("revolute", "shoe", "strut"),
    },
    "gas-spring": {("prismatic", "rod", "tube")},
    "gear-compound": {
        ("gear", "a", "b"),
        ("gear", "b", "c"),
        ("gear", "c", "d"),
        ("revolute", "a", "plate"),
        ("revolute", "b", "plate"),
        ("revolute", "c", "plate"),
        ("revolute", "d", "plate"),
    },
    "geneva": {("revolute", "cross", "plate"), ("revolute", "driver", "plate")},
    "gimbal": {
        ("revolute", "frame", "outer_ring"),
        ("revolute", "inner_ring", "outer_ring"),
        ("revolute", "inner_ring", "rotor"),
    },
    "hinge-pin": {("revolute", "leaf_left", "leaf_right")},
    "hole-intersection": {("revolute", "body", "lever")},
    "motion-work": {
        ("revolute", "arbor", "hour_wheel"),
        ("revolute", "arbor", "plate"),
        ("revolute", "minute_wheel", "plate"),
    },
    "oldham-with-play": {
        ("prismatic", "in_", "mid"),
        ("prismatic", "mid", "out"),
        ("revolute", "frame", "in_"),
        ("revolute", "frame", "out"),
    },
    "pantograph": {
        ("revolute", "a", "b"),
        ("revolute", "a", "base"),
        ("revolute", "a", "d"),
        ("revolute", "b", "c"),
        ("revolute", "c", "d"),
    },
    "planetary-pitch-bodies": {
        ("gear", "p0", "ring_frame"),
        ("gear", "p0", "sun"),
        ("gear", "p1", "ring_frame"),
        ("gear", "p1", "sun"),
        ("gear", "p2", "ring_frame"),
        ("gear", "p2", "sun"),
        ("revolute", "carrier", "p0"),
        ("revolute", "carrier", "p1"),
        ("revolute", "carrier", "p2"),
        ("revolute", "carrier", "ring_frame"),
        ("revolute", "carrier", "sun"),
    },
    "pliers": {("revolute", "jaw_a", "jaw_b")},
    "printer-axis": {
        ("prismatic", "carriage", "frame"),
        ("revolute", "frame", "lead"),
        ("screw", "carriage", "lead"),
    },
    "quick-return": {
        ("prismatic", "arm", "die"),
        ("revolute", "arm", "base"),
        ("revolute", "base", "wheel"),
        ("revolute", "die", "wheel"),
    },
    "rack-before-a-wall": {
        ("prismatic", "box_", "rack"),
        ("rack", "pinion", "rack"),
        ("revolute", "box_", "pinion"),
    },
    "rack-teeth": {("prismatic", "box", "slide"), ("rack", "pinion", "slide"), ("revolute", "box", "pinion")},
    "scissor-lift": {("revolute", "bar_a", "bar_b"), ("revolute", "bar_a", "base")},
    "scotch-yoke-block": {
        ("prismatic", "block", "yoke"),
        ("prismatic", "frame", "yoke"),
        ("revolute", "block", "wheel"),
        ("revolute", "frame", "wheel"),
    },
    "slider-crank-inverted": {
        ("prismatic", "frame", "ram"),
        ("revolute", "crank", "frame"),
        ("revolute", "crank", "rod"),
        ("revolute", "ram", "rod"),
    },
    "slider-crank-vertical": {
        ("prismatic", "base", "piston"),
        ("revolute", "base", "crank"),
        ("revolute", "crank", "rod"),
        ("revolute", "piston", "rod"),
    },
    "square-shaft-in-bore": {("revolute", "frame", "shaft")},
    "thin-walled-drawer": {("prismatic", "cabinet", "drawer")},
    "throttle": {("revolute", "body", "shaft")},
    "tie-rod": {
        ("revolute", "chassis", "knuckle_l"),
        ("revolute", "chassis", "knuckle_r"),
        ("spherical", "knuckle_l", "rod"),
        ("spherical", "knuckle_r", "rod"),
    },
    "toggle-clamp": {
        ("revolute", "arm", "base"),
        ("revolute", "arm", "link"),
        ("revolute", "base", "handle"),
        ("revolute", "handle", "link"),
    },
    "triangular-bar": {("prismatic", "bar_", "frame")},
    "turned-pulley": {("revolute", "block", "pulley")},
    "umbrella": {
        ("prismatic", "runner", "stick"),
        ("revolute", "rib_1", "stick"),
        ("revolute", "rib_1", "stretcher_1"),
        ("revolute", "runner", "stretcher_1"),
    },
    "v-guide": {("prismatic", "bed", "slide")},
    "valve-gear": {
        ("prismatic", "cross", "frame"),
        ("prismatic", "frame", "valve"),
        ("revolute", "cross", "rod"),
        ("revolute", "frame", "shaft"),
        ("revolute", "rod", "shaft"),
        ("revolute", "shaft", "strap"),
        ("revolute", "strap", "valve"),
    },
    "vise-screw": {
        ("prismatic", "body", "jaw"),
        ("revolute", "jaw", "spindle"),
        ("screw", "body", "spindle"),
    },
    "wheel-on-bolt": {("revolute", "fork", "wheel")},
    "windlass": {("revolute", "drum", "stand"), ("revolute", "pawl", "stand")},
    "x-frame": {("revolute", "leg_a", "leg_b")},
    "ball-in-cones": {("spherical", "base", "stick")},
    "compass-needle": {("spherical", "box", "needle")},
    "cranked-spindle": {("revolute", "frame", "spindle")},
    "gyroscope": {("revolute", "frame", "rotor")},
    "lathe-bed": {
        ("prismatic", "bed", "carriage"),
        ("revolute", "bed", "leadscrew"),
        ("screw", "carriage", "leadscrew"),
    },
    "lathe-centres": {("revolute", "bed", "work")},
    "lazy-susan": {("revolute", "base", "plate")},
    "pipe-between-cones": {("revolute", "pipe", "stand")},
    "screw-in-tap-hole": {("revolute", "knob", "lid")},
    "shaft-in-three-blocks": {("revolute", "block_3", "crank")},
    "stopcock": {("revolute", "body", "plug")},
    "thrust-bearing": {("revolute", "frame", "shaft")},
    "tight-lever": {("revolute", "frame", "spindle")},
    "two-vees": {("prismatic", "bed", "slide")},
    "vee-block-and-strap": {("revolute", "bed", "shaft")},
    "camera-slider": {
        ("prismatic", "plate", "rail"),
        ("revolute", "plate", "wheel_1"),
        ("revolute", "plate", "wheel_2"),
        ("revolute", "plate", "wheel_3"),
    },
    "printed-hinge": {("revolute", "leaf_a", "leaf_b")},
    "sliding-gate": {
        ("prismatic", "gate", "post"),
        ("revolute", "gate", "wheel_a"),
        ("revolute", "gate", "wheel_b"),
        ("revolute", "post", "roller_l"),
        ("revolute", "post", "roller_r"),
    },
    "hole-of-arcs": {("revolute", "lever", "plate")},
    "loose-linkage": {
        ("revolute", "base", "crank"),
        ("revolute", "base", "rocker"),
        ("revolute", "crank", "rod"),
        ("revolute", "rocker", "rod"),
    },
    "loose-pins": {("revolute", "base", "on_cones"), ("revolute", "base", "on_pins")},
    "plates-on-pillars": {("revolute", "back", "e")},
    "ribbed-plunger": {("prismatic", "barrel", "plunger"), ("revolute", "barrel", "roller")},
    "shift-fork": {
        ("prismatic", "collar", "shaft"),
        ("prismatic", "fork", "housing"),
        ("revolute", "housing", "shaft"),
    },
}
"""The pairs that a mechanic names, the parts of each in the order of the alphabet."""


def test_all_files_are_in_the_table() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(WANTED)


@pytest.mark.parametrize(("number", "name"), [*enumerate(WANTED)])
def test_pairs_are_those_that_a_mechanic_names(number: int, name: str) -> None:
    """Whatever the pose, with a machine that has as many motions as its variables tell."""
    pose = [*POSES.values()][number % len(POSES)]
    found = lw.recognise(placed(lw.load(FOLDER / f"{name}.toml"), pose))
    assert pairs_of(found) == WANTED[name]
    assert found.machine is not None
    for each in found.subsystems:
        assert len(each.variables) == each.mobility


def test_what_turns_about_one_point_stays_as_far_from_it() -> None:
    """The rotor of a gyroscope never meets the posts that carry the outer ring, for all axes meet in its middle."""
    found = lw.recognise(lw.load(FOLDER / "gimbal.toml"))
    touching = {frozenset(each.parts) for each in found.interactions}
    assert frozenset(("frame", "rotor")) not in touching
    assert frozenset(("outer_ring", "inner_ring")) in touching


@pytest.mark.parametrize(("rivets", "kinds"), [(1, ["revolute"]), (2, [])])
def test_one_rivet_is_a_hinge_and_two_hold_fast(rivets: int, kinds: list[str], tmp_path: Path) -> None:
    bar = "difference() {{ translate([-10, -5, {z}]) cube([60, 10, 3]); {holes} }}"
    holes = "".join(f"translate([{30 * k}, 0, -1]) cylinder(d=4, h=9);" for k in range(rivets))
    parts = {"base": bar.format(z=0, holes=holes), "strap": bar.format(z=3, holes=holes)}
    for k in range(rivets):
        parts[f"rivet_{k}"] = f"translate([{30 * k}, 0, 0]) cylinder(d=4, h=6);"
    texts = [f"[part.{name}]\nsolid = '''{text}'''\n" for name, text in parts.items()]
    file = tmp_path / "m.toml"
    file.write_text("linkwork = 1\n" + "".join(texts), "utf-8")
    found = lw.recognise(lw.load(file))
    assert [pair.kind for pair in found.pairs] == kinds
