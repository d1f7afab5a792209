"""Elastic contacts in space where they come past the ends of their features, and moved, mirrored and taken up."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from test_elastic_space import DISC, SOFT, run
from test_space import BALL, TABLE
from test_space_moved import CORNER, solid

from linkwork.contact import ContactSolution, Law, simulate
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text

LEDGE = "translate([-3, -3, -1]) cube([3, 6, 0.5]);"
"""Its top is half a unit below the origin, and ends at x = 0."""
ROUGH = Law(friction=0.3, stiffness=1e5, damping=1e3, pressing=10.0)
DIE = "translate([0, 0, 0.2]) rotate([20, 30, 10]) cube([1, 0.8, 0.6]);"
NOOK = """union() {
  translate([-5, -5, -1]) cube([10, 10, 0.5]);
  translate([2, -5, -1]) cube([1, 10, 4]);
}"""


def block(x: float, yaw: float) -> str:
    """A block on what is half a unit below the origin, turned about its upright axis."""
    return f"translate([{x}, 0, -0.5]) rotate([0, 0, {yaw}]) translate([-0.5, -0.4, 0]) cube([1, 0.8, 0.6]);"


def middle_of(found: ContactSolution, part: str, drawn: list[float]) -> Matrix:
    """Where a point of a part is in all rows, by where it is drawn."""
    turn = Rotation.from_quat(np.column_stack([found.columns[f"{part}.q{k}"] for k in (1, 2, 3, 0)]))
    return np.asarray(places(found, part) + turn.apply(drawn))


def kinds(found: ContactSolution) -> set[str]:
    """The pairs of features that touched."""
    return {" on ".join(event["features"]) for event in found.events}


@pytest.mark.parametrize("yaw", [0, 30, 45])
def test_a_block_slides_over_a_ledge_and_nothing_catches(yaw: float) -> None:
    """Its corners leave the face over the edge of that, which its own edges cross from then on, as deep."""
    found = run({"ledge": LEDGE, "block": block(-1.5, yaw)}, 0.7, SOFT, rates={"block.x": 2.0})
    middle = middle_of(found, "block", [-1.5, 0, -0.2])  # its middle is still on the ledge at the end
    assert middle[:, 0] == pytest.approx(2.0 * found.times - 1.5, abs=1e-5)
    assert middle[:, 1:] == pytest.approx(np.tile([0.0, -0.2], (len(found), 1)), abs=1e-4)
    assert "edge on edge" in kinds(found)
    assert found.columns["lost"][-1] < 1e-4
    assert found.columns["depth"].max() < 1e-4


def test_a_block_tips_over_a_ledge() -> None:
    """Its middle passes the edge at t = 0.75; from then on it turns, and falls."""
    found = run({"ledge": LEDGE, "block": block(-1.5, 0)}, 1.5, SOFT, rates={"block.x": 2.0})
    assert found.columns["block.z"][-1] < -2
    assert found.columns["block.y"][-1] == pytest.approx(0.0, abs=1e-3)


def test_a_block_slides_over_the_seam_of_a_table_put_together() -> None:
    table = (
        "union() { translate([-5, -5, -1]) cube([5, 10, 0.5]); translate([0, -5, -1]) cube([5, 10, 0.5]); }"
    )
    found = run({"table": table, "block": block(-1, 10)}, 1, SOFT, rates={"block.x": 2.0})
    assert found.columns["block.vx"] == pytest.approx(2.0, abs=1e-6)
    assert kinds(found) == {"corner on face"}


@pytest.mark.parametrize("thing", [block(0, 10), block(0, 0), f"translate([0, 0, 0]) {BALL}"])
def test_what_slides_along_a_floor_rebounds_from_a_wall(thing: str) -> None:
    """The corners that press on the floor press on the wall too: those below it are buried, but in a nook."""
    found = run({"nook": NOOK, "thing": thing}, 0.5, SOFT, rates={"thing.x": 6.0})
    assert found.columns["thing.vx"][-1] < 0
    wall = [event for event in found.events if event["kind"] == "begin" and abs(event["normal"][0]) > 0.9]
    low = [event for event in wall if event["point"][2] < -0.49]
    assert bool(low) == thing.startswith("translate([0, 0, -0.5])")


@pytest.mark.parametrize("lifts", [False, True])
def test_a_bar_leaves_the_cheeks_between_which_it_fits(lifts: bool) -> None:
    """They hold it by a planar joint, and what of it ends between them goes past their upper edges."""
    cheeks = (
        "union() { translate([-3, -3, -2]) cube([6, 12, 1]); "
        "for (x = [-1.5, 0.5]) translate([x, 5, -1]) cube([1, 1.5, 2]); }"
    )
    bar = f"translate([-0.5, {4.6 if lifts else 3.6}, 0]) cube([1, {1 if lifts else 4}, 1]);"
    pull = 9.81 if lifts else -9.81
    text = f"""
linkwork = 1
dimension = 3
gravity = [0, {pull}, 0]
[part.cheeks]
fixed = true
solid = "{cheeks}"
[part.bar]
density = 1
solid = "{bar}"
"""
    found = simulate(machine_from_text(text, "bar.toml", "bar"), 1, contact="elastic")
    assert found.status == "complete", found.why
    assert found.columns["bar.y"] == pytest.approx(0.5 * pull * found.times**2, abs=1e-9)
    assert found.columns["lost"][-1] == 0


VALLEY = """
linkwork = 1
dimension = 3
gravity = [0, -9.81, 0]
[part.valley]
fixed = true
solid = "linear_extrude(1) polygon([[-10, -3], [10, -3], [10, 1.3], [0, 0.3], [-10, -0.45]]);"
[part.disc]
free = true
density = 1
solid = "translate({at}) cylinder(r=1, h=1.5);"
"""
"""A nook of 1.4 degrees, and a disc that begins flush with one side of it and reaches out over the other."""


def test_a_side_rolls_through_a_nook_flatter_than_it_is_deep() -> None:
    """It is behind the next edge before it is above that; so it fell into the valley."""
    found = simulate(
        machine_from_text(VALLEY.format(at="[2, 2.5, 0]"), "valley.toml", "valley"), 2.3, contact="elastic"
    )
    assert found.status == "complete", found.why


def test_what_is_taken_away_between_a_hull_and_its_outline_has_no_face() -> None:
    """The rim of a disc a tenth above the valley, in the plane in which that ends, pressed on its hull."""
    found = simulate(
        machine_from_text(VALLEY.format(at="[0.3, 1.435, 0]"), "valley.toml", "valley"),
        0.1,
        contact="elastic",
    )
    assert not found.events
    assert found.columns["contact"].max() == 0


def test_a_ball_rolls_over_an_edge() -> None:
    """Face, edge and side: one normal turns into the next, and the depth is the same where one contact goes on."""
    found = run(
        {"ledge": LEDGE, "ball": f"translate([-0.2, 0, 0]) {BALL}"}, 1.5, ROUGH, rates={"ball.x": 0.5}
    )
    assert {"ball on face", "ball on edge"} <= kinds(found)
    begun = [event["t"] for event in found.events if event["kind"] == "begin"]
    ended = [event["t"] for event in found.events if event["kind"] == "end"]
    assert ended[0] == pytest.approx(begun[1], abs=1e-12)


def test_a_disc_slides_flat_over_a_ledge_and_falls() -> None:
    found = run(
        {"ledge": LEDGE, "disc": f"translate([-1.3, 0, -0.5]) {DISC}"}, 1.5, SOFT, rates={"disc.x": 2.0}
    )
    assert {"rim on face", "rim on edge"} <= kinds(found)
    assert found.columns["disc.z"][-1] < -2
    assert found.columns["disc.y"][-1] == pytest.approx(0.0, abs=0.05)


def test_blocks_askew_on_one_another_come_to_rest() -> None:
    solids = {"table": TABLE} | {
        f"b{k}": block(0.1 * k, 20 * k).replace("-0.5])", f"{0.6 * k - 0.5}])", 1) for k in range(3)
    }
    found = run(solids, 0.5, Law(friction=0.3))
    assert found.columns["kinetic"][-1] < 1e-8
    assert found.columns["b0.on.ground"][-1] == pytest.approx(3 * 0.48 * 10, rel=1e-3)
    assert found.columns["b1.on.b2"][-1] == pytest.approx(0.48 * 10, rel=1e-3)


def test_parts_of_circles_press() -> None:
    """A half round stands on its corners and the deepest place of its arc."""
    half = "linear_extrude(0.4) intersection() { circle(r=1); translate([-2, -0.3]) square([4, 4]); }"
    found = run({"table": TABLE, "half": f"translate([0, 0, -0.5]) {half}"}, 0.5, Law(friction=0.3))
    assert {"corner on face", "rim on face"} <= kinds(found)
    assert found.columns["half.on.ground"][-1] == pytest.approx(10 * 0.4 * 2.1622, rel=0.05)
    assert found.columns["depth"].max() < 1e-3


# ------------------------------------------------------------------------------- moved and taken up


def places(found: ContactSolution, part: str) -> Matrix:
    return np.column_stack([found.columns[f"{part}.{axis}"] for axis in "xyz"])


@pytest.mark.parametrize("law", [SOFT, ROUGH])
@pytest.mark.parametrize(
    "thing",
    [
        DIE,
        f"translate([0, 0, 0.2]) rotate([20, 30, 0]) {DISC}",
        f"translate([0, 0, 0.2]) rotate([1, 0.5, 0]) {DISC}",
    ],
)
def test_a_machine_turned_or_mirrored_moves_turned_or_mirrored(thing: str, law: Law) -> None:
    solids = {"table": TABLE, "thing": thing}
    turned = {name: f"rotate([25, 40, 65]) {{ {each} }}" for name, each in solids.items()}
    mirrored = {name: f"mirror([1, 0, 0]) {{ {each} }}" for name, each in solids.items()}
    turn = Rotation.from_euler("xyz", [25, 40, 65], degrees=True)
    plain = places(run(solids, 0.7, law, rtol=1e-10), "thing")
    there = run(turned, 0.7, law, rtol=1e-10, gravity=tuple(turn.apply([0, 0, -10.0])))
    image = run(mirrored, 0.7, law, rtol=1e-10)
    near = 1e-5 if law.friction else 1e-7  # creep is judged by a bound of speeds that knows of axes
    assert places(there, "thing") == pytest.approx(turn.apply(plain), abs=near)
    assert places(image, "thing") == pytest.approx(plain * [-1, 1, 1], abs=near)


@pytest.mark.parametrize("thing", [DIE, f"translate([0, 0, 0.1]) rotate([20, 0, 0]) {DISC}"])
@pytest.mark.parametrize("share", [0.1, 0.4, 0.95])
def test_a_motion_goes_on_from_a_row_in_which_parts_press(thing: str, share: float) -> None:
    solids, step = {"table": TABLE, "thing": thing}, 0.001
    whole = run(solids, 0.8, SOFT, step=step)
    pressed = [row for row in range(len(whole)) if whole.contacts(row)]
    row = pressed[int(share * len(pressed))]
    start = {name: float(whole.columns[name][row]) for name in whole.variables}
    rates = {
        name: float(whole.columns[name.replace(".q", ".r") if ".q" in name else name.replace(".", ".v")][row])
        for name in whole.variables
    }
    rest = run(solids, 0.8 - row * step, SOFT, step=step, start=start, rates=rates)
    assert rest.columns["contact"][0] == pytest.approx(whole.columns["contact"][row], rel=1e-9)
    assert len(rest.contacts(0)) == len(whole.contacts(row))
    assert places(rest, "thing") == pytest.approx(places(whole, "thing")[row : row + len(rest)], abs=1e-6)


@pytest.mark.parametrize("kind", ["block", "ball", "cylinder", "coin", "prism"])
@pytest.mark.parametrize("seed", [1, 2])
def test_bodies_thrown_into_a_corner_lose_what_contacts_take(kind: str, seed: int) -> None:
    rng = random.Random(f"{kind}{seed}")
    body = solid(rng, kind)
    turn = [rng.uniform(0, 360) for _ in range(3)]
    law = Law(rng.choice([0.0, 0.3]), 0.0, 10 ** rng.uniform(3.5, 6), 1e3, rng.choice([0.1, 1.0, 10.0]))
    thrown = {f"body.{name}": rng.uniform(-4, 4) for name in ("x", "y", "q1", "q2")}
    solids = {"corner": CORNER, "body": f"translate([-1.2, -1.1, 1.2]) rotate({turn}) {{ {body} }}"}
    found = run(solids, 1.5, law, rates=thrown)
    assert found.columns["depth"].max() < 0.1
