"""Parts whose faces lie on one another as joints keep them: these faces have no forces, and edges go past edges."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact.relative_motion import JointBetween, relative_motion
from linkwork.model import load
from linkwork.model.read import machine_from_text

STOPS = "translate([-3,-3,-6]) cube([6,6,1]); translate([-3,-3,10]) cube([6,6,1]); translate([2,2,-6]) cube([1,1,17]);"
PROFILES = {
    "square": "translate([-1,-1,-{low}]) cube([2,2,{long}]);",
    "round": "translate([0,0,-{low}]) cylinder(r=1, h={long});",
    "hexagon": "translate([0,0,-{low}]) cylinder(r=1, h={long}, $fn=6);",
    "tee": "translate([-1,-1,-{low}]) cube([2,1,{long}]); translate([-0.4,-1,-{low}]) cube([0.8,2,{long}]);",
    "flat": "difference() {{ translate([0,0,-{low}]) cylinder(r=1, h={long});"
    " translate([0.5,-2,-9]) cube([2,4,19]); }}",
}


def barred(profile: str, turn: str) -> lw.Machine:
    """A bar of 4 in a block of 3 that it fits exactly, between two stops; it begins 2 below the upper end."""
    bar, hole = PROFILES[profile].format(low=2, long=4), PROFILES[profile].format(low=2, long=9)
    text = f'''
linkwork = 1
dimension = 3
[part.block]
fixed = true
solid = """rotate({turn}) union() {{ difference() {{ translate([-3,-3,0]) cube([6,6,3]); {hole} }} {STOPS} }}"""
[part.bar]
density = 1
solid = """rotate({turn}) union() {{ {bar} }}"""
[contact]
restitution = 1
'''
    return machine_from_text(text, "barred.toml", "barred")


@pytest.mark.parametrize("turn", ["[0, 0, 0]", "[20, 35, 50]"])
@pytest.mark.parametrize("profile", PROFILES)
def test_a_bar_leaves_its_bore_and_comes_back(profile: str, turn: str) -> None:
    """It meets the stops alone: at 3 from 2 to 10, then each time after 11 of way, and keeps its energy."""
    solution = lw.simulate(barred(profile, turn), until=12, contact="rigid", rates={"bar.displacement": 3})
    assert solution.status == "complete"
    times = sorted({round(event["t"], 6) for event in solution.events if event["kind"] == "impact"})
    np.testing.assert_allclose(times, [8 / 3, 19 / 3, 10.0], atol=2e-6)
    np.testing.assert_allclose(solution.columns["energy"], solution.columns["energy"][0], rtol=1e-9)


@pytest.mark.parametrize("profile", ["square", "hexagon", "flat"])
def test_a_bar_that_rests_where_its_bore_ends_is_knocked_out_of_it(profile: str) -> None:
    """It has come to a stop above, its end flush with the mouth as that of a click pen; then a ball strikes."""
    bar, hole = PROFILES[profile].format(low=1, long=4), PROFILES[profile].format(low=2, long=5)
    text = f'''
linkwork = 1
dimension = 3
[part.block]
fixed = true
solid = """difference() {{ translate([-3,-3,0]) cube([6,6,3]); {hole} }} translate([2,-3,0]) cube([1,6,6]);
  difference() {{ translate([-3,-3,4]) cube([6,6,1]); cylinder(r=0.8, h=9); }}"""
[part.bar]
mass = 3
solid = "{bar}"
[part.ball]
free = true
mass = 1
inertia = [1, 1, 1]
solid = "translate([0,0,6]) sphere(r=0.5);"
'''
    machine = machine_from_text(text, "knocked.toml", "knocked")
    solution = lw.simulate(machine, until=2, contact="rigid", rates={"ball.z": -1, "bar.displacement": 1})
    assert solution.status == "complete", solution.why
    assert solution.columns["bar.z"][-1] == pytest.approx(1 - 0.5 / 4, abs=1e-9)
    assert solution.columns["ball.vz"][-1] == pytest.approx(-1 / 4, abs=1e-9)


@pytest.mark.parametrize("turn", [0, 33])
def test_a_slide_leaves_its_guide_and_comes_back_in_the_plane(turn: int) -> None:
    """As in space: where the corners of slide and guide meet, the faces along the slide lead them past."""
    text = f'''
linkwork = 1
[part.block]
fixed = true
solid = """rotate({turn}) union() {{ translate([1,0,0]) cube([2,3,1]); translate([-3,0,0]) cube([2,3,1]);
  translate([-3,-6,-1]) cube([6,17,1]); translate([-3,-6,0]) cube([6,1,1]); translate([-3,10,0]) cube([6,1,1]); }}"""
[part.bar]
density = 1
solid = """rotate({turn}) translate([-1,-2,0]) cube([2,4,1]);"""
[contact]
restitution = 1
'''
    machine = machine_from_text(text, "guided.toml", "guided")
    solution = lw.simulate(machine, until=12, contact="rigid", rates={"bar.displacement": 3})
    times = sorted({round(event["t"], 6) for event in solution.events if event["kind"] == "impact"})
    np.testing.assert_allclose(times, [8 / 3, 19 / 3, 10.0], atol=2e-6)


def test_a_slide_that_is_too_wide_for_its_guide_strikes_it() -> None:
    """A shoulder that the guide does not let in is no corner that goes past."""
    text = '''
linkwork = 1
[part.block]
fixed = true
solid = """translate([1,0,0]) cube([2,3,1]); translate([-3,0,0]) cube([2,3,1]); translate([-3,-6,-1]) cube([6,17,1]);"""
[part.bar]
density = 1
solid = """translate([-1,1,0]) cube([2,4,1]); translate([-1.5,4,0]) cube([3,1,1]);"""
[contact]
restitution = 1
'''
    machine = machine_from_text(text, "shoulder.toml", "shoulder")
    solution = lw.simulate(machine, until=2, contact="rigid", rates={"bar.displacement": -1})
    times = sorted({round(event["t"], 6) for event in solution.events if event["kind"] == "impact"})
    np.testing.assert_allclose(times, [1.0], atol=2e-6)


def test_a_geneva_drive_moves_in_space_as_in_its_plane() -> None:
    """Crank and cross lie on one another; the plane engine knows nothing of that, and both move the cross alike."""
    flat = load("geneva-drive")
    solutions = [
        lw.simulate(machine, until=0.7, step=0.01, contact="rigid")
        for machine in (flat, in_space("geneva-drive"))
    ]
    one, other = (solution.columns["kinetic"] for solution in solutions)
    assert [solution.status for solution in solutions] == ["complete", "complete"]
    np.testing.assert_allclose(other, one, rtol=1e-7)
    met = [[round(e["t"], 5) for e in solution.events if e["kind"] == "impact"] for solution in solutions]
    assert sorted(set(met[0])) == sorted(set(met[1]))
    assert all(event.get("force", 0.0) < 1e4 for event in solutions[1].events)


def in_space(name: str) -> lw.Machine:
    """An example whose file says that it moves in space."""
    from importlib.resources import files

    text = (files("linkwork.examples") / f"{name}.toml").read_text(encoding="utf-8")
    return machine_from_text(
        text.replace("linkwork = 1", "linkwork = 1\ndimension = 3", 1), f"{name}.toml", name
    )


def test_a_prism_whose_outline_comes_back_to_its_hull_is_known_in_space() -> None:
    """A rack has corners on the straight line below its teeth's tips: what is between them are several pockets."""
    rack = "linear_extrude(1) polygon([[-9,4],[-9,0],[-7,2],[-7,0],[-5,2],[-5,0],[-3,2],[-3,0],[0,2],[0,4]]);"
    text = f'''
linkwork = 1
dimension = 3
gravity = [0, -10, 0]
[part.table]
fixed = true
solid = "translate([-20,-3,-5]) cube([40,1,10]);"
[part.rack]
free = true
density = 1
solid = "{rack}"
'''
    solution = lw.simulate(machine_from_text(text, "rack.toml", "rack"), until=1, contact="rigid")
    assert solution.status == "complete"
    assert min(event["t"] for event in solution.events) == pytest.approx(np.sqrt(0.4), abs=1e-9)


def test_parts_move_past_one_another_as_joints_with_others_let_them() -> None:
    """Wheels with parallel axes and slides across these keep a plane; one with an axis askew does not."""
    joints = [
        JointBetween("revolute", ("frame", "wheel"), (0, 0, 0), (0, 0, 1)),
        JointBetween("prismatic", ("frame", "slide"), (0, 0, 0), (1, 0, 0)),
        JointBetween("revolute", ("slide", "arm"), (0, 0, 0), (0, 0, -1)),
        JointBetween("revolute", ("frame", "tilted"), (0, 0, 0), (0, 0.6, 0.8)),
    ]
    assert relative_motion(joints, "wheel", "arm").kind == "planar"
    assert relative_motion(joints, "wheel", "frame").kind == "revolute"
    assert relative_motion(joints, "wheel", "tilted").kind == ""
    assert relative_motion(joints, "wheel", "stranger").kind == ""


VALLEY = """linkwork = 1
dimension = {dimension}
gravity = {gravity}
[part.valley]
fixed = true
solid = "linear_extrude(1) polygon([[-10,-3],[10,-3],[10,0],[3,0.6],[0,0.3],[-4,0],[-10,2]]);"
[part.disc]
free = true
density = 1
solid = "translate([2, 2.5, 0]) cylinder(r=1, h=1);"
"""


def test_a_disc_as_high_as_the_valley_rolls_through_it_in_space_as_in_the_plane() -> None:
    """Dozens of features of its flush ends are always near; the lists of what is near grew ever shorter by them."""
    flat, space = (
        lw.simulate(
            machine_from_text(
                VALLEY.format(dimension=each, gravity=[0, -9.81, 0][:each]), "valley.toml", "valley"
            ),
            until=2.3,
            contact="rigid",
        )
        for each in (2, 3)
    )
    assert space.status == "complete"
    for name in ("disc.x", "disc.y"):
        assert space[name] == pytest.approx(flat[name], abs=1e-6)
