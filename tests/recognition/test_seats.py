"""What holds together from several sides or by weight: flats around a shaft, cones, V-ways; and what does not."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest
from solid_machines import POSES, Pairs, box, pairs_of, placed, rod

import linkwork as lw
from linkwork.model import Machine
from linkwork.model.read import machine_from_text
from linkwork.recognition import RecognitionError, recognise_solids
from linkwork.solid import Prism
from linkwork.solid.placement import Placement
from linkwork.solid.region import Region

SIZES = {
    "tiny": Placement.scaling(0.01).holding(Placement.turn(1.3, (2, 1, -1))),
    "huge": Placement.scaling(100),
}
EVERY = {**POSES, **SIZES}
VEE = "rotate([90, 0, 90]) linear_extrude(120) polygon([[-5, 0], [5, 0], [0, 5]]);"
BED = f"translate([-60, -30, -10]) cube([120, 60, 10]); translate([-60, -20, 0]) {VEE}"
SLIDE = f"difference() {{ translate([-20, -28, 1]) cube([30, 26, 8]); translate([-60, -20, 0]) {VEE} }}"


def machine(parts: Mapping[str, str], more: str = "", before: str = "") -> Machine:
    """A machine of parts in OpenSCAD notation."""
    texts = [f"[part.{name}]\ndensity = 1\nsolid = '''{text}'''\n" for name, text in parts.items()]
    return machine_from_text(f"linkwork = 1\n{before}\n{''.join(texts)}{more}", "m.toml", "m")


def pairs(parts: Mapping[str, str], more: str = "", before: str = "") -> Pairs:
    """The pairs of such a machine."""
    return pairs_of(lw.recognise(machine(parts, more, before)))


# --------------------------------------------------------------------------------- flats around a shaft


@pytest.mark.parametrize("play", [0.0, 0.06])
@pytest.mark.parametrize(("sides", "pose"), [*zip((3, 5, 6, 7, 9), EVERY, strict=True)])
def test_a_shaft_turns_in_a_hole_of_any_number_of_flat_sides(sides: int, pose: str, play: float) -> None:
    """With the axis of the shaft, and its clearance in diameter."""
    corner = 5 / math.cos(math.pi / sides)
    angles = [0.2 + math.tau * k / sides for k in range(sides)]
    outline = Region.polygon([(corner * math.cos(angle), corner * math.sin(angle)) for angle in angles])
    frame = box((-20, -20, 0), (20, 20, 20)) - Prism(outline, 30).moved((0, 0, -5))
    shaft = rod(5 - play, (0, 0, -10), 60) | box((4, -1, 30), (12, 1, 34))
    solids = {name: solid.placed(EVERY[pose]) for name, solid in (("frame", frame), ("shaft", shaft))}
    (pair,) = recognise_solids(solids, "frame").pairs
    assert pair.kind == "revolute"
    assert pair.clearance == pytest.approx(2 * play * EVERY[pose].scale, rel=1e-6)
    assert f"that look in {sides} directions" in pair.why
    assert pair.axis is not None
    assert abs(
        sum(a * b for a, b in zip(pair.axis, EVERY[pose].way((0, 0, 1)), strict=True))
    ) == pytest.approx(1)


def test_gravity_tells_whether_a_slide_stays_on_its_vee() -> None:
    """What faces touch from one side can leave them the other way."""
    parts = {"base": BED, "slide": SLIDE}
    assert pairs(parts, before="gravity = [0, 0, -9.81]") == {("prismatic", "base", "slide")}
    with pytest.raises(RecognitionError, match="nothing holds the part slide"):
        pairs(parts, before="gravity = [0, 0, 9.81]")


# ------------------------------------------------------------------------------------------ held by weight


@pytest.mark.parametrize("pose", EVERY)
def test_a_slide_on_one_vee_is_a_slide_wherever_it_is_drawn(pose: str) -> None:
    found = lw.recognise(placed(machine({"bed": BED, "slide": SLIDE}), EVERY[pose]))
    assert pairs_of(found) == {("prismatic", "bed", "slide")}
    assert "nothing lifts it off" in found.pairs[0].why


@pytest.mark.parametrize(
    ("force", "holds"),
    [("[0, 0, -5]", True), ("[0, 0, 5]", False), ("['sin(t)', 0, -5]", True), ("[0, 0, 'sin(t)']", False)],
)
def test_forces_tell_whether_a_slide_stays(force: str, holds: bool) -> None:
    """Along its way a force may change; across it one that changes may lift it off."""
    text = f'[force.push]\ntype = "force"\nat = "slide"\nforce = {force}\n'
    if holds:
        assert pairs({"bed": BED, "slide": SLIDE}, text) == {("prismatic", "bed", "slide")}
    else:
        with pytest.raises(RecognitionError, match="nothing holds the part slide"):
            pairs({"bed": BED, "slide": SLIDE}, text)


@pytest.mark.parametrize("walls", [1, 2])
def test_what_lies_in_a_corner_is_not_held(walls: int) -> None:
    every = ["translate([-20, -20, 0]) cube([5, 40, 20]);", "translate([-20, -20, 0]) cube([40, 5, 20]);"]
    base = "translate([-20, -20, -5]) cube([40, 40, 5]);" + "".join(every[:walls])
    with pytest.raises(RecognitionError, match="nothing holds the part block"):
        pairs({"base": base, "block": "translate([-15, -15, 0]) cube([10, 10, 10]);"})


@pytest.mark.parametrize(
    "force", ["", '[force.spring]\ntype = "force"\nat = "plunger"\nforce = [-5, 0, 0]\n']
)
def test_a_detent_is_no_pair(force: str) -> None:
    """A plunger in a notch of a wheel, with both faces on those of the notch: it would hold up the wheel."""
    parts = {
        "frame": """translate([-20, -20, -10]) cube([60, 40, 10]); cylinder(r=3, h=10);
            difference() { translate([22, -8, 0]) cube([14, 16, 10]); translate([10, -3, 2]) cube([40, 6, 6]); }""",
        "wheel": """difference() { cylinder(r=15, h=10); translate([0, 0, -1]) cylinder(r=3, h=12);
            for (k = [0 : 5]) rotate([0, 0, 60*k]) linear_extrude(10) polygon([[10, 0], [20, 10], [20, -10]]); }""",
        "plunger": """translate([0, 0, 2]) linear_extrude(6)
            polygon([[10, 0], [13, 3], [40, 3], [40, -3], [13, -3]]);""",
    }
    assert pairs(parts, force) == {("prismatic", "frame", "plunger"), ("revolute", "frame", "wheel")}


# -------------------------------------------------------------------------------------------------- cones


@pytest.mark.parametrize("pose", EVERY)
@pytest.mark.parametrize(("length", "shake"), [(1.5, 0.0), (2.6, 0.0), (2.6, 0.1)])
def test_points_between_two_cups_turn_about_their_line(length: float, shake: float, pose: str) -> None:
    """Whether they are as blunt as the cups or sharper, and with some shake."""
    cup = "rotate([0, 0, {turn}]) translate([24, 0, 0]) rotate([0, -90, 0]) cylinder(r1=0, r2=5, h=5);"
    cups = "".join(cup.format(turn=turn) for turn in (0, 180))
    tip = f"translate([0, 0, {24 - shake - length}]) cylinder(r1=1.5, r2=0, h={length});"
    bar = f"cylinder(r=1.5, h={48 - 2 * shake - 2 * length}, center=true); {tip} rotate([180, 0, 0]) {tip}"
    parts = {
        "frame": f"""difference() {{ for (x = [-30, 20]) translate([x, -10, -20]) cube([10, 20, 40]); {cups} }}
            translate([-30, -10, -25]) cube([60, 20, 6]);""",
        "rotor": f"rotate([0, 90, 0]) {{ {bar} }} translate([0, 5, 0]) cube([4, 12, 2], center=true);",
    }
    (pair,) = lw.recognise(placed(machine(parts), EVERY[pose])).pairs
    assert pair.kind == "revolute"
    assert "between conical seats of frame, from both sides" in pair.why
    along = EVERY[pose].way((1, 0, 0))
    assert pair.axis is not None
    assert abs(sum(a * b for a, b in zip(pair.axis, along, strict=True))) == pytest.approx(1)


def test_a_chamfer_stops_nothing_that_fits_its_hole() -> None:
    """A plunger that ends just where the chamfer of its bore begins goes on into it."""
    frame = "translate([-10, -10, 0]) cube([20, 20, 40]);"
    bore = "translate([0, 0, -1]) cylinder(r=5, h=99); translate([0, 0, 38]) cylinder(r1=5, r2=7, h=2);"
    plunger = (
        "translate([0, 0, -30]) cylinder(r=5, h=68); translate([0, 0, -38]) cube([12, 12, 16], center=true);"
    )
    force = '[force.push]\ntype = "force"\nat = "plunger"\nforce = [0, 0, "sin(t)"]\n'
    found = pairs({"frame": f"difference() {{ {frame} {bore} }}", "plunger": plunger}, force)
    assert found == {("cylindrical", "frame", "plunger")}


# ------------------------------------------------------------------------------------ several fits on an axis

FRAME = """translate([-30, -15, -25]) cube([60, 30, 5]); for (x = [-30, 25]) difference() {{
  translate([x, -15, -25]) cube([5, 30, 40]); translate([x - 1, 0, 0]) rotate([0, 90, 0]) cylinder(r={r}, h=7); }}"""
CRANK = (
    "translate([-40, 0, 0]) rotate([0, 90, 0]) cylinder(r=4, h=80); translate([38, -3, -3]) cube([4, 6, 30]);"
)
PULLEY = (
    "rotate([0, 90, 0]) difference() {{ cylinder(r=12, h=8); translate([0, 0, -1]) cylinder(r={r}, h=10); }}"
)
LEVER = PULLEY + " translate([4, 0, 14]) cube([4, 4, 8], center=true);"


@pytest.mark.parametrize(
    ("bearing", "hub", "part", "more", "turns"),
    [
        (4.0, 4.0, PULLEY, "", False),
        (4.1, 4.1, PULLEY, "", False),
        (4.1, 4.0, LEVER, "", False),
        (4.0, 4.1, PULLEY, "", True),
        (4.0, 4.0, LEVER, "", True),
        (4.0, 4.0, PULLEY, "friction = 1\ninertia = 2\n", True),
    ],
)
def test_what_sits_on_a_crank_goes_with_it_unless_something_tells(
    bearing: float, hub: float, part: str, more: str, turns: bool
) -> None:
    text = f"[part.hub]\n{more}solid = '''{part.format(r=hub)}'''\n"
    wanted = {("revolute", "crank", "frame")} | ({("revolute", "crank", "hub")} if turns else set())
    assert pairs({"frame": FRAME.format(r=bearing), "crank": CRANK}, text) == wanted


# ---------------------------------------------------------------------------------------- screws in tap holes


@pytest.mark.parametrize(
    ("hole", "pose"), [(5.2, "as drawn"), (5.0, "tiny"), (4.0, "mirrored and in inches")]
)
def test_a_screw_drawn_as_thick_as_its_thread_holds(hole: float, pose: str) -> None:
    bore = f"translate([0, 0, 4]) cylinder(d={hole}, h=30);"
    block = f"difference() {{ translate([-20, -20, 0]) cube([40, 40, 20]); {bore} }}"
    screw = "translate([0, 0, 6]) cylinder(d=6, h=19); translate([0, 0, 25]) cylinder(d=10, h=4);"
    found = lw.recognise(placed(machine({"base": block, "screw": screw}), EVERY[pose]))
    assert not found.pairs
    assert [weld.why for weld in found.welds] == [
        "screw holds base fast: its name says that it is a fastener"
    ]
    with pytest.raises(RecognitionError) as caught:
        lw.recognise(placed(machine({"base": block, "thing": screw}), EVERY[pose]))
    assert "[part.thing]\nfastener = true" in caught.value.fix


def test_a_thread_may_be_drawn_as_thick_as_it_is() -> None:
    bore = "thread(2) translate([0, 0, -1]) cylinder(d=6.5, h=30);"
    nut = f"difference() {{ translate([-20, -20, 0]) cube([40, 40, 20]); {bore} }}"
    spindle = "thread(2) translate([0, 0, -20]) cylinder(d=8, h=60); translate([0, -1, 38]) cube([20, 2, 3]);"
    assert pairs({"frame": nut, "spindle": spindle}) == {("screw", "frame", "spindle")}
