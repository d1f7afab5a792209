"""Balls in grooves hold rings and carriages: bearings are hinges, guides are slides."""

from __future__ import annotations

import pytest
from solid_machines import Solids

from linkwork.recognition import RecognitionError, recognise_solids
from linkwork.solid.placement import Placement
from linkwork.solid.scad import read_scad

POSES = {
    "as drawn": Placement(),
    "turned": Placement.shift((3, -8, 2)).holding(Placement.turn(1.1, (1, 0.4, -0.6))),
    "in inches and mirrored": Placement.scaling(1 / 25.4).holding(Placement.mirror((1, 2, 0.3))),
}


def placed(solids: Solids, pose: str) -> Solids:
    return {name: solid.placed(POSES[pose]) for name, solid in solids.items()}


def bearing(groove: float = 3.0, balls: int = 8, *, cage: bool = False) -> Solids:
    """Two rings with a groove each, and balls of radius 3 between them."""
    tube = f"rotate_extrude() translate([15, 0]) circle({groove});"
    ring = "difference() {{ cylinder(r={0}, h=8, center=true); cylinder(r={1}, h=9, center=true); {2} }}"
    texts = {"outer": ring.format(22, 16, tube), "inner": ring.format(14, 8, tube)}
    for place in range(balls):
        texts[f"ball{place}"] = f"rotate([0, 0, {360 * place / balls}]) translate([15, 0, 0]) sphere(3);"
    if cage:
        bores = f"for (k = [0 : {balls - 1}]) rotate([0, 0, 360*k/{balls}]) rotate([0, 90, 0]) cylinder(r=3.1, h=20);"
        texts["cage"] = ring.format(15.5, 14.5, bores)
    return {name: read_scad(text) for name, text in texts.items()}


@pytest.mark.parametrize("groove", [3.0, 3.12])
@pytest.mark.parametrize("pose", POSES)
def test_a_ball_bearing_is_a_hinge_of_its_rings(pose: str, groove: float) -> None:
    found = recognise_solids(placed(bearing(groove), pose), "outer")
    (pair,) = found.pairs
    assert (pair.kind, pair.parts) == ("revolute", ("outer", "inner"))
    assert pair.point == pytest.approx(POSES[pose].image((0, 0, 0)), abs=1e-9)
    assert "8 balls" in pair.why
    assert "between outer and inner" in pair.why
    assert pair.clearance == pytest.approx(2 * (groove - 3) * POSES[pose].scale, abs=1e-9)
    assert [weld.parts for weld in found.welds] == [("outer", f"ball{place}") for place in range(8)]
    assert found.interactions == ()


def test_a_cage_goes_with_its_balls() -> None:
    found = recognise_solids(bearing(cage=True), "outer")
    assert [(pair.kind, pair.parts) for pair in found.pairs] == [("revolute", ("outer", "inner"))]
    assert "8 balls (radius 3) run in grooves between outer and inner" in found.pairs[0].why
    assert ("cage" in {part for weld in found.welds for part in weld.parts}) is True


def test_one_ball_holds_no_ring() -> None:
    """A ring on one ball may tilt and shift: that is no pair, and the ring is told to be loose."""
    with pytest.raises(RecognitionError, match="nothing holds"):
        recognise_solids(bearing(balls=1), "outer")


@pytest.mark.parametrize("pose", POSES)
def test_balls_in_straight_grooves_are_a_slide(pose: str) -> None:
    """A carriage on four balls in two grooves, held down by a rail between its legs."""
    grooves = "for (y = [-8, 8]) translate([-30, y, 0]) rotate([0, 90, 0]) cylinder(r=2, h=60);"
    texts = {
        "rail": f"difference() {{ translate([-30, -7.5, -6]) cube([60, 15, 12]); {grooves} }}",
        "carriage": f"""difference() {{
            translate([-10, -14, -5]) cube([20, 28, 14]);
            translate([-11, -8.5, -20]) cube([22, 17, 27]);
            {grooves}
        }}""",
    }
    for place, (x, y) in enumerate([(-6, -8), (6, -8), (-6, 8), (6, 8)]):
        texts[f"ball{place}"] = f"translate([{x}, {y}, 0]) sphere(2);"
    solids = {name: read_scad(text) for name, text in texts.items()}
    found = recognise_solids(placed(solids, pose), "rail")
    assert [(pair.kind, pair.parts) for pair in found.pairs] == [("prismatic", ("rail", "carriage"))]
    assert "4 balls" in found.pairs[0].why


def mounted(bearing: Solids, *, in_seat: float = 22.0, on_shaft: float = 8.0, half: float = 4.0) -> Solids:
    """A bearing in the seat of a housing, on a shaft with a collar; the rings are 22 and 8 in radius."""
    texts = {
        "housing": f"""difference() {{ translate([-35, -35, -12]) cube([70, 70, 20]); translate([0, 0, -{half}])
            cylinder(r={in_seat}, h=20); cylinder(r=12.5, h=60, center=true); }}""",
        "shaft": f"""translate([0, 0, -30]) cylinder(r={on_shaft}, h=70); translate([0, 0, {half}])
            cylinder(r=11, h=4); translate([-2, 7, 30]) cube([4, 20, 4]);""",
    }
    return {name: read_scad(text) for name, text in texts.items()} | bearing


def roller_bearing(radius: float = 3.0, *, cage: bool = False) -> Solids:
    """Ten rollers between an outer ring with flanges and a plain inner ring."""
    texts = {
        "outer": """difference() { cylinder(r=22, h=12, center=true); cylinder(r=16.5, h=14, center=true);
            cylinder(r=18, h=8, center=true); }""",
        "inner": "difference() { cylinder(r=12, h=12, center=true); cylinder(r=8, h=14, center=true); }",
    }
    place = "rotate([0, 0, 36*{k}]) translate([15, 0, 0]) cylinder(r={r}, h={h}, center=true);"
    for k in range(10):
        texts[f"roller{k}"] = place.format(k=k, r=radius, h=8 if radius == 3 else 7.9)
    if cage:
        pockets = "".join(place.format(k=k, r=3.05, h=8.2) for k in range(10))
        texts["cage"] = (
            "difference() { cylinder(r=15.8, h=11, center=true); cylinder(r=14.2, h=12, center=true);"
            + pockets
            + "}"
        )
    return {name: read_scad(text) for name, text in texts.items()}


def with_one_part_of_balls(solids: Solids) -> Solids:
    """The same with all balls as one part."""
    rest = {name: solid for name, solid in solids.items() if not name.startswith("ball")}
    return rest | {
        "balls": read_scad("for (k = [0 : 7]) rotate([0, 0, 45*k]) translate([15, 0, 0]) sphere(3);")
    }


def on_plain_races() -> Solids:
    """Balls between two rings that were drawn without grooves."""
    ring = "difference() {{ cylinder(r={0}, h=8, center=true); cylinder(r={1}, h=9, center=true); }}"
    plain = {"outer": read_scad(ring.format(22, 18)), "inner": read_scad(ring.format(12, 8))}
    return bearing() | plain


MOUNTED = {
    "balls": lambda: mounted(bearing()),
    "balls with play, loose seats": lambda: mounted(bearing(3.1), in_seat=22.05, on_shaft=7.97),
    "pressed in": lambda: mounted(bearing(), in_seat=21.98, on_shaft=8.02),
    "balls in a cage": lambda: mounted(bearing(cage=True)),
    "balls as one part": lambda: mounted(with_one_part_of_balls(bearing())),
    "plain races": lambda: mounted(on_plain_races()),
    "rollers": lambda: mounted(roller_bearing(), half=6),
    "rollers with play": lambda: mounted(roller_bearing(2.97), half=6),
    "rollers in a cage": lambda: mounted(roller_bearing(cage=True), half=6),
}


@pytest.mark.parametrize(("number", "name"), [*enumerate(MOUNTED)])
def test_a_shaft_turns_in_its_housing_by_its_bearing_alone(number: int, name: str) -> None:
    """One motion; the rings sit fast, and all that rolls goes with the outer one."""
    solids = placed(MOUNTED[name](), [*POSES][number % len(POSES)])
    for every in (solids, dict([*solids.items()][::-1])):
        found = recognise_solids(every, "housing")
        (pair,) = found.pairs
        assert (pair.kind, {*pair.parts}) == ("revolute", {"housing", "shaft"})
        assert "between outer and inner" in pair.why or "between inner and outer" in pair.why
        assert [each.mobility for each in found.subsystems] == [1]
        assert {*found.groups[0]} == {*solids} - {"shaft", "inner"}


def test_needles_run_between_shaft_and_housing() -> None:
    texts = {
        "housing": """difference() { translate([-20, -20, 0]) cube([40, 40, 20]); translate([0, 0, -1])
            cylinder(r=8.5, h=30); translate([0, 0, 2]) cylinder(r=12, h=16); }""",
        "shaft": """translate([0, 0, -20]) cylinder(r=8, h=60); translate([0, 0, -4]) cylinder(r=12, h=4);
            translate([0, 0, 20]) cylinder(r=12, h=4); translate([0, 0, -4]) cylinder(r=8.4, h=7);""",
    }
    for k in range(14):
        texts[f"needle{k}"] = f"rotate([0, 0, {360 * k / 14}]) translate([10, 0, 3]) cylinder(r=2, h=14);"
    found = recognise_solids({name: read_scad(text) for name, text in texts.items()}, "housing")
    assert [(pair.kind, pair.parts) for pair in found.pairs] == [("revolute", ("housing", "shaft"))]
    assert "14 rollers (radius 2) run between" in found.pairs[0].why


def test_wheels_on_pins_between_two_cylinders_are_no_rollers() -> None:
    """Planets of a friction drive are as far from the axis as rollers would be, but their arm holds them."""
    texts = {
        "frame": """difference() { translate([0, 0, -10]) cylinder(r=40, h=20); translate([0, 0, -5])
            cylinder(r=30, h=16); cylinder(r=4, h=60, center=true); }""",
        "sun": """translate([0, 0, -20]) cylinder(r=4, h=50); translate([0, 0, -4]) cylinder(r=10, h=8);
            translate([-2, 0, 26]) cube([4, 12, 4]);""",
        "arm": """translate([0, 0, 12]) difference() { cylinder(r=26, h=4); cylinder(r=4, h=20, center=true); }
            for (k = [0 : 2]) rotate([0, 0, 120*k]) translate([20, 0, -4]) cylinder(r=3, h=18);""",
    }
    for k in range(3):
        texts[f"planet{k}"] = f"""rotate([0, 0, {120 * k}]) translate([20, 0, -4])
            difference() {{ cylinder(r=10, h=8); cylinder(r=3.05, h=30, center=true); }}"""
    found = recognise_solids({name: read_scad(text) for name, text in texts.items()}, "frame")
    wanted = {("frame", "sun"), ("arm", "sun"), *(("arm", f"planet{k}") for k in range(3))}
    assert {(pair.kind, *sorted(pair.parts)) for pair in found.pairs} == {
        ("revolute", *each) for each in wanted
    }


def test_a_rod_in_a_hollow_spindle_is_not_welded_by_its_bearings() -> None:
    """A spindle is longer than it is wide: it is no ring that sits on what goes through it."""
    solids = {name: solid for name, solid in bearing().items() if name != "inner"}
    texts = {
        "spindle": """difference() { translate([0, 0, -40]) cylinder(r=14, h=80); cylinder(r=5, h=100, center=true);
            rotate_extrude() translate([15, 0]) circle(3); }""",
        "rod": "translate([0, 0, -60]) cylinder(r=5, h=120); translate([-2, 0, 50]) cube([4, 20, 4]);",
    }
    found = recognise_solids(solids | {name: read_scad(text) for name, text in texts.items()}, "outer")
    assert {frozenset(pair.parts) for pair in found.pairs} == {
        frozenset(("outer", "spindle")),
        frozenset(("spindle", "rod")),
    }
