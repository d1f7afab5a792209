"""Play elsewhere does not lock what a journal lets turn; play in a fit still holds."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from solid_machines import POSES, Solids, box, rod

from linkwork.recognition import recognise_solids
from linkwork.recognition.freedom import moved_by
from linkwork.solid import Cylinder
from linkwork.solid.placement import Placement, cross
from linkwork.solid.scad import read_scad

JOURNAL = "rotate([0, 90, 0]) cylinder(d={0}, h=100, center=true);"


def frame_with_plate(thickness: float, gap: float, play: float, half: float = 20.0) -> Solids:
    """A plate on two trunnions along x, in a frame with a gap all round."""
    frame = box((-40, -half - 10, -8), (40, half + 10, 8)) - box(
        (-30 - gap, -half - gap, -9), (30 + gap, half + gap, 9)
    )
    plate = box((-30, -half, -thickness / 2), (30, half, thickness / 2)) | rod(3, (-38, 0, 0), 76, "x")
    return {"frame": frame - rod(3 + play / 2, (-50, 0, 0), 100, "x"), "plate": plate}


def butterfly(thickness: float, gap: float, play: float, angle: float = 0.0) -> Solids:
    """A disc on a shaft along x in a pipe along z."""
    pipe = Cylinder(30, 80).moved((0, 0, -40)) | rod(8, (-40, 0, 0), 80, "x")
    pipe = pipe - Cylinder(25, 82).moved((0, 0, -41)) - rod(4 + play / 2, (-50, 0, 0), 100, "x")
    disc = Cylinder(25 - gap, thickness).moved((0, 0, -thickness / 2)).turned(angle, (1, 0, 0))
    return {"pipe": pipe, "disc": disc | rod(4, (-48, 0, 0), 96, "x")}


TEXTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "door": (
        "revolute",
        {
            "frame": """difference() { translate([-14, -5, 0]) cube([124, 10, 220]); translate([-4.4, -6, 9.6])
                cube([94.8, 12, 200.8]); } cylinder(d=4, h=30); translate([0, 0, 190]) cylinder(d=4, h=30);""",
            "door": """difference() { union() { translate([0, -2, 10]) cube([90, 4, 200]); translate([0, 0, 10])
                cylinder(d=8, h=200); } cylinder(d=4.1, h=250); }""",
        },
    ),
    "flap": (
        "revolute",
        {
            "frame": f"""difference() {{ translate([-60, -3, -30]) cube([120, 6, 60]); translate([-50.5, -4, -15.5])
                cube([101, 8, 34]); translate([0, 0, 16]) {JOURNAL.format(3).replace("100", "120")} }}""",
            "flap": f"translate([-50, -1, -15]) cube([100, 2, 31]); translate([-8, 0, 16]) {JOURNAL.format(3)}",
        },
    ),
    "rocker": (
        "revolute",
        {
            "housing": f"""difference() {{ translate([-10, -20, -15]) cube([20, 40, 20]); translate([-8, -16, -12])
                cube([16, 32, 30]); {JOURNAL.format(4)} }}""",
            "rocker": """translate([-7.5, -15.5, -2]) cube([15, 31, 8]);
                rotate([0, 90, 0]) cylinder(d=4, h=20, center=true);""",
        },
    ),
    "wheel in a fork": (
        "revolute",
        {
            "frame": """translate([-10, -15, 30]) cube([20, 30, 10]); for (y = [-15, 10]) translate([-8, y, -5])
                cube([16, 5, 36]); translate([0, -15, 0]) rotate([-90, 0, 0]) cylinder(d=6, h=30);""",
            "wheel": """translate([0, -9, 0]) rotate([-90, 0, 0]) difference() { cylinder(d=50, h=18);
                translate([0, 0, -1]) cylinder(d=6.3, h=20); }""",
        },
    ),
    "plug of a valve": (
        "revolute",
        {
            "body": """difference() { translate([-30, -20, -24]) cube([60, 40, 44]); translate([0, 0, -20])
                cylinder(d=24.4, h=60); rotate([0, 90, 0]) cylinder(d=14, h=80, center=true); }""",
            "plug": """difference() { cylinder(d=24, h=40, center=true); rotate([0, 90, 0])
                cylinder(d=14, h=80, center=true); } cylinder(d=10, h=40); translate([-4, -4, 40]) cube([8, 40, 6]);""",
        },
    ),
    "piston": (
        "prismatic",
        {
            "frame": "difference() { cylinder(d=60, h=100); translate([0, 0, 10]) cylinder(d=50, h=100); }",
            "piston": "translate([0, 0, 50]) cylinder(d=49.5, h=30);",
        },
    ),
    "key": (
        "prismatic",
        {
            "shaft": "cylinder(d=20, h=120); translate([8, -2.4, 10]) cube([4.5, 4.8, 100]);",
            "hub": """translate([0, 0, 40]) difference() { cylinder(d=50, h=30); translate([0, 0, -1])
                cylinder(d=20.2, h=32); translate([5, -2.5, -1]) cube([8, 5, 32]); }
                translate([0, 24, 50]) cube([30, 5, 5]);""",
        },
    ),
    "square bar": (
        "prismatic",
        {
            "frame": """difference() { translate([-20, -20, 0]) cube([40, 40, 30]); translate([-10.5, -10.5, -1])
                cube([21, 21, 32]); }""",
            "bar": "translate([-10, -10, -30]) cube([20, 20, 100]);",
        },
    ),
    "stick with a ball": (
        "spherical",
        {
            "frame": """difference() { translate([-30, -30, -20]) cube([60, 60, 30]); sphere(12);
                translate([0, 0, 5]) cylinder(r=8.3, h=20); }""",
            "stick": "sphere(12); cylinder(d=14, h=60);",
        },
    ),
}
"""Machines of two parts with play, and the pair of each."""


def kinds(solids: Solids, pose: str) -> list[str]:
    """The kinds of the pairs of a machine that stands so; its parts also in the other order."""
    placed = {name: solid.placed(POSES[pose]) for name, solid in solids.items()}
    found = [
        [pair.kind for pair in recognise_solids(dict(every), next(iter(solids))).pairs]
        for every in ([*placed.items()], [*placed.items()][::-1])
    ]
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(
    ("thickness", "gap", "play"),
    [(4, 1, 0), (4, 0.3, 0), (12, 1, 0), (4, 1, 0.2), (4, 0.3, 0.6), (2, 0.1, 0)],
)
def test_a_plate_on_trunnions_turns(thickness: float, gap: float, play: float, pose: str) -> None:
    assert kinds(frame_with_plate(thickness, gap, play), pose) == ["revolute"]


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(
    ("thickness", "gap", "play", "angle"),
    [(4, 0.5, 0, 0), (4, 0.2, 0.4, 0), (1, 0.05, 0.2, 0), (4, 1, 0, 0.7), (4, 1, 0, math.pi / 2)],
)
def test_a_butterfly_valve_turns(thickness: float, gap: float, play: float, angle: float, pose: str) -> None:
    solids = butterfly(thickness, gap, play, angle)
    assert kinds(solids, pose) == ["revolute"]
    pair = recognise_solids(solids, "pipe").pairs[0]
    assert "the shaft disc (radius 4)" in pair.why


@pytest.mark.parametrize(("number", "name"), [*enumerate(TEXTS)])
def test_play_leaves_the_pair_that_is_meant(number: int, name: str) -> None:
    kind, texts = TEXTS[name]
    solids = {part: read_scad(text) for part, text in texts.items()}
    assert kinds(solids, [*POSES][number % len(POSES)]) == [kind]


@pytest.mark.parametrize("seed", range(12))
def test_a_plate_is_stuck_if_its_edges_meet_the_frame_at_once(seed: int) -> None:
    """Its edge is √(w² + t²) from the axis: it goes free if that is less than w + g, else up to an angle θ.

    There w cos θ + t sin θ = w + g, with half its width, half its thickness and its gap; below a tenth it is stuck.
    """
    source = np.random.default_rng(seed)
    half = float(source.uniform(15, 30))
    reach = float(source.uniform(0.5, 7)) * 8 / 9  # the outermost points of an edge that are looked at
    edge = math.hypot(half, reach)
    wanted = ["stuck", "free", "far"][seed % 3]
    tilt = math.atan2(reach, half)
    limit = {"stuck": min(0.07, tilt), "far": 0.14, "free": 0.0}[wanted]
    gap = edge * math.cos(tilt - limit) - half if wanted != "free" else 1.1 * (edge - half) + 0.01
    if wanted == "far" and tilt <= limit:
        gap = 1.1 * (edge - half) + 0.01
    found = kinds(frame_with_plate(2 * reach * 9 / 8, gap, 0.0, half), "as drawn")
    assert found == ([] if wanted == "stuck" else ["revolute"])


def test_points_go_along_screws() -> None:
    source = np.random.default_rng(3)
    axis, on_axis, point = source.normal(size=(3, 3))
    omega = axis / np.linalg.norm(axis)
    twist = np.concatenate([2 * omega, 2 * (cross(on_axis, omega) + 0.3 * omega)])
    turn = Placement.turn(0.8, omega.tolist(), on_axis.tolist())
    wanted = turn.matrix @ point + turn.origin + 0.3 * 0.8 * omega
    assert moved_by(twist[None], 0.8, point[None])[0] == pytest.approx(wanted, abs=1e-12)
