"""Collisions over the travel of a joint, against closed forms."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.recognition import RecognitionError

ARM_AND_POST = """
linkwork = 1

[part.frame]
fixed = true
solid = '''
translate([-50, -50, -10]) cube([100, 300, 5]);
translate([0, 0, -6]) cylinder(d=5, h=60);
translate([0, {radius}, -6]) cylinder(d={post}, h=60);
'''

[part.arm]
solid = '''
difference() {{
  rotate({turned}) translate([-5, {low}, 0]) cube([{length}, {width}, {height}]);
  translate([0, 0, -1]) cylinder(d=5, h=90);
}}
'''
"""


def machine(folder: Path, **sizes: float) -> lw.Machine:
    """An arm that swings about z, drawn along x, and a post beside its axis."""
    file = folder / "arm.toml"
    file.write_text(ARM_AND_POST.format(low=-sizes["width"] / 2, **{"turned": 0.0, **sizes}), "utf-8")
    return lw.load(file)


@pytest.mark.parametrize("height", [4, 40])
@pytest.mark.parametrize(
    ("radius", "post", "width", "length"), [(30, 6, 6, 45), (190, 2, 6, 205), (60, 4, 10, 90)]
)
def test_an_arm_strikes_a_post_where_their_sides_meet(
    radius: float, post: float, width: float, length: float, height: float, tmp_path: Path
) -> None:
    """They touch where the post's axis is half the post and half the arm's width beside the arm's middle."""
    found = lw.clash(machine(tmp_path, radius=radius, post=post, width=width, length=length, height=height))
    (clash,) = found.clashes
    half = math.asin((post + width) / 2 / radius)
    assert clash.parts == ("frame", "arm")
    assert clash.at == pytest.approx(math.pi / 2 - half, abs=2e-3)
    assert clash.until == pytest.approx(math.pi / 2 + half, abs=2e-3)
    assert clash.at < clash.deepest_at < clash.until
    # A side of the arm goes through the axis of the post, and the post through the middle of the arm.
    assert clash.depth == pytest.approx(max(post, min(width, height)) / 2, rel=1e-3)
    # The arm is out if its side is beside the post, and beside the shaft that it turns on.
    off = radius * math.sin(abs(clash.deepest_at - math.pi / 2))
    beside = max((post + width) / 2 - off, (5 + width) / 2)
    assert clash.out is not None
    assert math.hypot(*clash.out) == pytest.approx(beside, rel=2e-3)


def test_nothing_is_struck_out_of_reach(tmp_path: Path) -> None:
    far = machine(tmp_path, radius=48, post=6, width=6, length=45, height=4)
    assert not lw.clash(far).clashes


def test_thin_parts_in_one_another_are_refused(tmp_path: Path) -> None:
    """A post as thick as the arm is wide stands in it, far from any point that is looked at on the whole arm."""
    arm = machine(tmp_path, radius=190, post=2, width=2, length=205, height=4, turned=90)
    with pytest.raises(RecognitionError, match="overlap where they are drawn") as caught:
        lw.recognise(arm)
    assert "frame and arm" in str(caught.value)


# ------------------------------------------------------------------------------------------------------ ways


def test_a_slow_wheel_goes_a_whole_turn() -> None:
    """The protrusion of a wheel that makes an eighth of a turn for each of the driven one strikes in its third turn."""
    found = lw.clash(lw.load("time-bomb"))
    assert found.ways[0][2] == pytest.approx(16 * math.pi)
    (strike,) = (each for each in found.clashes if each.parts == ("frame", "bigwheel"))
    half = math.asin(1 / 9.2)  # half the protrusion and half the stopper
    assert strike.at == pytest.approx(8 * (math.radians(160) - half), abs=0.02)
    assert strike.until == pytest.approx(8 * (math.radians(160) + half), abs=0.02)
    assert all(way[3] == "complete" for way in found.ways)


def slow_train(radius: float) -> str:
    """Pinions of radius 1 on wheels of 30 and of a radius; on the last a bar, which strikes a post of the frame."""
    at = 32 + radius
    bore = "translate([0, 0, -1]) cylinder(d=1, h=9);"
    return f"""linkwork = 1
[part.frame]
fixed = true
solid = '''
translate([-10, -90, -6]) cube([400, 180, 4]);
for (x = [0, 31, {at}]) translate([x, 0, -4]) cylinder(d=1, h=20);
translate([{at + 6}, {radius - 9}, -4]) cylinder(d=2, h=20);
'''
[part.fast]
solid = "difference() {{ gear() cylinder(r=1, h=2); {bore} }}"
[part.middle]
solid = '''translate([31, 0, 0]) difference() {{
  union() {{ gear() cylinder(r=30, h=2); gear() translate([0, 0, 2]) cylinder(r=1, h=2); }}
  {bore}
}}'''
[part.slow]
solid = '''translate([{at}, 0, 2]) difference() {{
  union() {{ gear() cylinder(r={radius}, h=2); translate([{radius - 16}, -1, 2]) cube([10, 2, 2]); }}
  {bore}
}}'''
"""


def test_a_wheel_of_a_day_goes_a_whole_turn(tmp_path: Path) -> None:
    """1440 turns of the first wheel. To be deep enough for a collision takes 1.7 radians of it more."""
    file = tmp_path / "day.toml"
    file.write_text(slow_train(48), "utf-8")
    found = lw.clash(lw.load(file))
    (way,) = found.ways
    assert way[3] == "complete"
    assert way[2] == pytest.approx(2880 * math.pi)
    (strike,) = found.clashes
    assert strike.parts == ("frame", "slow")
    middle, half = math.atan2(39, 6), math.asin(2 / math.hypot(39, 6))
    assert strike.at == pytest.approx(1440 * (middle - half), abs=3)
    assert strike.until == pytest.approx(1440 * (middle + half), abs=3)


def test_a_way_that_is_too_long_is_told_to_be_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "days.toml"
    file.write_text(slow_train(80), "utf-8")
    (way,) = lw.clash(lw.load(file)).ways
    assert way[3] == "cut short"
    assert way[2] == pytest.approx(4000 * math.pi)


CRANK_AND_SLIDE = {
    "frame": """fixed = true
solid = "translate([-60, -20, -10]) cube([200, 40, 5]); translate([0, 0, -6]) cylinder(d=8, h=10);\
 for (y = [-10, 5]) translate([60, y, -5]) cube([60, 5, 5]); translate([60, -10, 0]) cube([60, 20, 2]);\
 translate([-14, 24, -5]) cylinder(d=4, h=20); translate([-16, 15, -10]) cube([4, 10, 5]);"
""",
    "slide": 'solid = "translate([60, -5, -5]) cube([20, 10, 5]); translate([50, -3, -4]) cube([11, 6, 3]);\
 translate([50, 0, -4]) cylinder(d=4, h=14);"\n',
    "crank": 'solid = "difference() { union() { cylinder(d=14, h=4); translate([0, -3, 0]) cube([20, 6, 4]);\
 translate([20, 0, 0]) cylinder(d=4, h=10); } translate([0, 0, -1]) cylinder(d=8, h=9); }"\n',
    "rod": 'solid = "translate([0, 0, 6]) difference() {\
 hull() for (x = [20, 50]) translate([x, 0, 0]) cylinder(d=8, h=3);\
 for (x = [20, 50]) translate([x, 0, -1]) cylinder(d=4, h=9); }"\n',
}


@pytest.mark.parametrize(
    "order", [("crank", "rod", "slide"), ("slide", "rod", "crank"), ("rod", "slide", "crank")]
)
def test_the_order_of_parts_does_not_shorten_the_way(order: tuple[str, ...], tmp_path: Path) -> None:
    """A slide that drives a crank stops at its dead points; then the crank is driven, a whole turn."""
    file = tmp_path / "engine.toml"
    every = ("frame", *order)
    file.write_text(
        "linkwork = 1\n" + "".join(f"[part.{name}]\n{CRANK_AND_SLIDE[name]}" for name in every), "utf-8"
    )
    found = lw.clash(lw.load(file))
    assert [(way[0], way[3]) for way in found.ways] == [("crank_axis", "complete")]
    assert found.ways[0][2] == pytest.approx(2 * math.pi)


def link(a: tuple[float, float], b: tuple[float, float], low: float) -> str:
    """A bar from one hole to another."""
    holes = f"for (p = [[{a[0]}, {a[1]}], [{b[0]}, {b[1]}]]) translate([p[0], p[1], {low} + k])"
    return f"difference() {{ let (k = 0) hull() {holes} cylinder(d=8, h=3); let (k = -1) {holes} cylinder(d=4, h=9); }}"


def rockers() -> dict[str, str]:
    """Two rockers of 60 on pivots that are 100 apart, and a coupler of 50: none of them can make a turn."""
    high = math.sqrt(60**2 - 25**2)
    top = {"left": (25.0, high), "right": (75.0, high)}
    pin = {name: f"translate([{x}, {y}, 0]) cylinder(d=4, h=9);" for name, (x, y) in top.items()}
    return {
        "left": link((0, 0), top["left"], 0) + pin["left"],
        "right": link((100, 0), top["right"], 0) + pin["right"],
        "coupler": link(top["left"], top["right"], 4),
        "frame": """translate([-20, -20, -10]) cube([140, 60, 8]); translate([50, 30, -4]) cylinder(d=6, h=30);
for (x = [0, 100]) translate([x, 0, -5]) cylinder(d=4, h=9);""",
    }


@pytest.mark.parametrize("order", [("left", "coupler", "right"), ("right", "coupler", "left")])
def test_rockers_go_to_their_dead_points_on_both_sides_and_back(
    order: tuple[str, ...], tmp_path: Path
) -> None:
    """A rocker stops where the coupler and the other are in line: 110² = 60² + 100² - 2·60·100·cos φ."""
    file, solids = tmp_path / "rockers.toml", rockers()
    every = [f"[part.{name}]\nsolid = '''{solids[name]}'''\n" for name in ("frame", *order)]
    file.write_text("linkwork = 1\n" + "".join(every), "utf-8")
    found = lw.clash(lw.load(file))
    drawn, dead = math.acos(25 / 60), math.acos(1 / 8)
    ends = sorted(abs(way[2]) for way in found.ways)
    assert ends == pytest.approx([dead - drawn, dead + drawn], rel=1e-6)
    assert {way[3] for way in found.ways} == {"dead point"}
    assert {each.parts for each in found.clashes} == {("frame", name) for name in order}


ROD_WITH_A_VANE = """linkwork = 1
gravity = [0, 0, -9810]
[part.block]
fixed = true
solid = '''
difference() { translate([-10, -10, 0]) cube([20, 20, 10]); translate([0, 0, -1]) cylinder(d=6, h=20); }
translate([12, 0, 14]) cube([4, 2, 8]); translate([9, -2, 0]) cube([7, 4, 15]);
'''
[part.rod]
solid = "translate([0, 0, -5]) cylinder(d=6, h=30); translate([0, -1, 16]) rotate(90) cube([14, 2, 4]);"
"""


def test_both_variables_of_one_joint_go_their_ways(tmp_path: Path) -> None:
    file = tmp_path / "rod.toml"
    file.write_text(ROD_WITH_A_VANE, "utf-8")
    found = lw.clash(lw.load(file), steps=36)
    assert [way[0] for way in found.ways] == ["rod_axis_angle", *2 * ["rod_axis_displacement"]]
    assert [way[2] for way in found.ways] == pytest.approx([2 * math.pi, 30, -30])
    assert {each.drive for each in found.clashes} == {"rod_axis_angle", "rod_axis_displacement"}


def test_no_way_begins_at_a_negative_zero(tmp_path: Path) -> None:
    file = tmp_path / "rod.toml"
    file.write_text(ROD_WITH_A_VANE, "utf-8")
    for way in lw.clash(lw.load(file), steps=12).to_json()["ways"]:
        assert math.copysign(1.0, way["from"]) == 1.0


@pytest.mark.parametrize("turned", [[0, 0, 0], [33, 47, 112]])
def test_a_slide_goes_its_length_in_its_direction_however_it_lies(
    turned: list[float], tmp_path: Path
) -> None:
    """A drawer that is 70 long and 90 wide goes 70 both ways."""
    file = tmp_path / "drawer.scad"
    file.write_text(
        f"""module case() {{ difference() {{ cube([100, 80, 40]); translate([5, -1, 5]) cube([90, 76, 30]); }} }}
module drawer() {{ difference() {{
  translate([5, 0, 5]) cube([90, 70, 30]); translate([10, 5, 10]) cube([80, 60, 40]); }} }}
rotate({turned}) case(); rotate({turned}) drawer();
""",
        "utf-8",
    )
    found = lw.clash(lw.load(file), steps=8)
    assert sorted(way[2] for way in found.ways) == pytest.approx([-70, 70])


def test_a_ball_turns_about_three_axes_one_after_the_other(tmp_path: Path) -> None:
    """An arm on a ball strikes the rim of its socket alike about x and y; about its own axis it strikes nothing."""
    file = tmp_path / "lamp.scad"
    file.write_text(
        """module base() difference() { translate([-30, -30, 0]) cube([60, 60, 30]); translate([0, 0, 28]) sphere(10); }
module arm() { translate([0, 0, 28]) sphere(10); translate([0, 0, 30]) cylinder(d=6, h=60); }
base(); arm();
""",
        "utf-8",
    )
    found = lw.clash(lw.load(file), steps=24)
    assert [(way[0], way[3]) for way in found.ways] == [
        (f"arm_ball_turn_{axis}", "complete") for axis in "xyz"
    ]
    assert [each.drive for each in found.clashes] == ["arm_ball_turn_x", "arm_ball_turn_y"]
    about_x, about_y = found.clashes
    rim, side = (
        math.asin(2 / 10),
        math.asin(3 / 10),
    )  # as seen from the ball's middle: of the socket, of the arm
    meets = math.pi / 2 - rim - side
    assert about_x.at == pytest.approx(meets, abs=2e-3)
    assert about_x.at == pytest.approx(about_y.at, abs=1e-3)
    assert about_x.until == pytest.approx(math.tau - about_x.at, abs=1e-2)
    # Before its side is at the rim, 2 above the middle of the ball, nothing is struck.
    assert about_x.at > math.acos(2 / 10) - math.asin(3 / 10)


@pytest.mark.parametrize("turned", [0, 30])
def test_what_faces_hold_turns_and_shifts_in_its_plane(tmp_path: Path, turned: float) -> None:
    """A bar in a slit, 2 above a block that is 1 wide: of its ways that down the slit alone meets it, by all of 2."""
    file = tmp_path / "slit.toml"
    file.write_text(
        f"""linkwork = 1
dimension = 3
gravity = [0, -9.81, 0]
[part.frame]
fixed = true
solid = '''rotate([0, {turned}, 0]) {{
  for (x = [-2.5, 0.5]) translate([x, 0, -20]) cube([2, 10, 40]);
  translate([-3, -1, -20]) cube([6, 1, 40]);
}}'''
[part.bar]
density = 1
solid = "rotate([0, {turned}, 0]) translate([-0.5, 2, -3]) cube([1, 4, 6]);"
""",
        "utf-8",
    )
    found = lw.clash(lw.load(file), steps=24)
    assert {way[3] for way in found.ways} == {"complete"}
    drives = [way[0] for way in found.ways]
    assert drives.count("bar_plane_angle") == 1
    assert drives.count("bar_plane_y") == 2
    assert len(drives) == 5
    (down,) = (each for each in found.clashes if each.drive == "bar_plane_y")
    assert (down.at, down.until) == pytest.approx((-2, -4), abs=0.01)
    assert all(each.drive in ("bar_plane_angle", "bar_plane_y") for each in found.clashes)
