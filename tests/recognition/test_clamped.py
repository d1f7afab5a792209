"""What screws clamp, rings in grooves, and parts that fall apart."""

from __future__ import annotations

import pytest

from linkwork.model.read import machine_from_text
from linkwork.recognition import Recognition, RecognitionError, recognise

BASE = "difference() { translate([-20, -20, -12]) cube([40, 40, 12]); translate([0, 0, -11]) cylinder(d=4, h=12); }"
SCREW = "translate([0, 0, -10]) cylinder(d=4, h=16); translate([0, 0, 5]) cylinder(d=8, h=4);"


def found_in(*, words: str = "", **parts: str) -> Recognition:
    """A machine of solids of density 1; the first stands still."""
    first = next(iter(parts))
    tables = [
        f"[part.{name}]\ndensity = 1\n{'fixed = true' if name == first else ''}\nsolid = '''{solid}'''\n"
        for name, solid in parts.items()
    ]
    return recognise(machine_from_text(f"linkwork = 1\n{''.join(tables)}[joint]\n{words}", "m.toml", "m"))


def pairs(found: Recognition) -> list[tuple[str, ...]]:
    return [(pair.kind, *pair.parts) for pair in found.pairs]


@pytest.mark.parametrize(
    "hole", ["cylinder(d=4.2, h=20)", "cylinder(d=4.5, h=20)", "translate([-6, -2.2, 0]) cube([12, 4.4, 20])"]
)
def test_a_screw_holds_what_is_under_its_head(hole: str) -> None:
    """However wide the hole or slot is."""
    plate = f"difference() {{ translate([-10, -10, 0]) cube([30, 20, 5]); translate([0, 0, -1]) {hole}; }}"
    found = found_in(base=BASE, screw=SCREW, plate=plate)
    assert (pairs(found), len(found.groups)) == ([], 1)
    assert "screw holds plate fast" in str(found)


def test_a_wheel_between_washers_turns() -> None:
    washer = "translate([0, 0, {z}]) difference() {{ cylinder(d=14, h=1); translate([0, 0, -1]) cylinder(d=6, h=4); }}"
    found = found_in(
        frame="translate([-20, -20, -12]) cube([40, 40, 12]); cylinder(d=6, h=20);",
        washer_1=washer.format(z=0),
        wheel="translate([0, 0, 1]) difference() { cylinder(d=30, h=6); translate([0, 0, -1]) cylinder(d=6, h=9); }",
        washer_2=washer.format(z=7),
    )
    assert pairs(found) == [("revolute", "frame", "wheel")]


def nut(z: float) -> str:
    """A nut that reaches 5 up from z."""
    bore = "translate([0, 0, -1]) cylinder(d=8, h=9);"
    return f"translate([0, 0, {z}]) difference() {{ cylinder(d=14, h=5, $fn=6); {bore} }}"


@pytest.mark.parametrize("order", [("nut", "axle", "wheel", "cap_nut"), ("wheel", "cap_nut", "axle", "nut")])
@pytest.mark.parametrize("play", [0, 0.1])
def test_nuts_clamp_an_axle_in_its_fork(order: tuple[str, ...], play: float) -> None:
    """They do not turn on it, and the wheel between the cheeks does."""
    hole = f"translate([0, 0, -1]) cylinder(d={8 + 2 * play}, h=99);"
    cheeks = "translate([-10, -10, 0]) cube([20, 60, 5]); translate([-10, -10, 35]) cube([20, 60, 5]);"
    solids = {
        "nut": nut(-5),
        "axle": "translate([0, 0, -8]) cylinder(d=8, h=56);",
        "wheel": f"translate([0, 0, 10]) difference() {{ cylinder(d=40, h=20); {hole} }}",
        "cap_nut": nut(40),
    }
    frame = f"difference() {{ union() {{ {cheeks} translate([-10, 40, 0]) cube([20, 10, 40]); }} {hole} }}"
    found = found_in(frame=frame, **{name: solids[name] for name in order})
    assert [(pair.kind, {*pair.parts} - {"wheel"} <= {"frame", "axle"}) for pair in found.pairs] == [
        ("revolute", True)
    ]
    assert [{*group} for group in found.groups] == [{"frame", "axle", "nut", "cap_nut"}, {"wheel"}]
    assert "the outermost fasteners around axle, clamp it to frame" in str(found)


@pytest.mark.parametrize("order", [("ring", "piston"), ("piston", "ring")])
def test_a_ring_goes_with_the_part_that_has_its_groove(order: tuple[str, ...]) -> None:
    ring = "translate([0, 0, 44]) difference() { cylinder(d=30, h=2); translate([0, 0, -1]) cylinder(d=26, h=4); }"
    groove = "translate([0, 0, 44]) difference() { cylinder(d=40, h=2); translate([0, 0, -1]) cylinder(d=26, h=4); }"
    body = "translate([0, 0, 30]) cylinder(d=29.6, h=20);"
    rod = "translate([0, 0, 50]) cylinder(d=8, h=60);"
    solids = {
        "ring": ring,
        "piston": f"difference() {{ {body} {groove} }} {rod}",
    }
    bore = "difference() { cylinder(d=40, h=80); translate([0, 0, 5]) cylinder(d=30, h=80); }"
    found = found_in(frame=bore, **{name: solids[name] for name in order})
    assert [pair.kind for pair in found.pairs] == ["prismatic"]
    assert [set(weld.parts) for weld in found.welds] == [{"ring", "piston"}]


def test_a_part_that_falls_into_pieces_is_told() -> None:
    wheel = "difference() { translate([0, 0, 1]) cylinder(d=30, h=6); cylinder(d=6, h=19); }"
    frame = "translate([-20, -20, -12]) cube([40, 40, 12]); cylinder(d=6, h=20);"
    found = found_in(frame=frame, wheel=wheel + " translate([40, 0, 0]) cube(2);")
    assert found.separate == found.to_json()["separate"] == {"wheel": 2}
    assert "wheel falls into 2 pieces" in str(found)
    whole = found_in(frame=frame, wheel=wheel)
    assert not whole.separate
    assert "separate" not in whole.to_json()


SCREWED = {
    "base": "difference() { cube([60, 40, 10]); translate([10, 10, -1]) cylinder(d = 5, h = 30); }",
    "screw": "translate([10, 10, -2]) cylinder(d = 5, h = 24); translate([10, 10, 17]) cylinder(d = 9, h = 4);",
}


def screwed_on(height: float) -> str:
    """A block under the head of the screw, from some height on."""
    return (
        f"difference() {{ translate([0, 0, {height}]) cube([20, 20, {17 - height}]);"
        " translate([10, 10, -1]) cylinder(d = 5.2, h = 30); }"
    )


def test_what_a_screw_holds_may_not_be_in_one_another() -> None:
    """A screw makes its parts one, and says nothing of whether there is room for them."""
    assert not found_in(**SCREWED, block=screwed_on(10)).pairs
    with pytest.raises(RecognitionError, match="parts overlap where they are drawn") as caught:
        found_in(**SCREWED, block=screwed_on(7))
    assert "base and block by 3 at" in str(caught.value)


@pytest.mark.parametrize("word", ["fixed", "overlap", "ignore"])
def test_what_a_screw_holds_may_be_in_one_another_by_the_files_word(word: str) -> None:
    found = found_in(**SCREWED, block=screwed_on(7), words=f'"base/block" = "{word}"')
    assert not found.pairs


PLATE = """difference() {
  translate([-60, -30, -8]) cube([120, 60, 8]);
  for (x = [-40, -20, 30]) translate([x, 0, -10]) cylinder(d = 6.4, h = 20);
}"""
BRACKET = """difference() {
  translate([-55, -15, 0]) cube([50, 30, 5]);
  for (x = [-40, -20]) translate([x, 0, -1]) cylinder(d = 6.4, h = 20);
}"""
LEVER = "difference() { translate([20, -10, 0.1]) cube([20, 70, 6]); translate([30, 0, -1]) cylinder(d = 8.1, h = 9); }"
SHOULDER = """translate([30, 0, 0]) {
  translate([0, 0, 6.3]) cylinder(d = 13, h = 5, $fn = 6);
  cylinder(d = 8, h = 6.3);
  translate([0, 0, -18]) cylinder(d = 6, h = 18.1);
}"""


def bolt_at(x: float) -> str:
    head = f"translate([{x}, 0, 5]) cylinder(d = 11, h = 4, $fn = 6);"
    return f"{head} translate([{x}, 0, -18]) cylinder(d = 6, h = 24);"


def nut_at(x: float, diameter: float = 6) -> str:
    hole = f"translate([0, 0, -1]) cylinder(d = {diameter}, h = 9);"
    return f"translate([{x}, 0, -13]) difference() {{ cylinder(d = 11, h = 5, $fn = 6); {hole} }}"


@pytest.mark.parametrize("diameter", [6, 6.1])
def test_bolts_and_nuts_are_known_by_their_shapes(diameter: float) -> None:
    """Whatever they are called: what they clamp is held, and a lever turns on a bolt with a shoulder."""
    found = found_in(
        p1=PLATE,
        p2=BRACKET,
        p3=bolt_at(-40),
        p4=bolt_at(-20),
        p5=nut_at(-40, diameter),
        p6=nut_at(-20, diameter),
        p7=LEVER,
        p8=SHOULDER,
        p9=nut_at(30, diameter),
    )
    assert pairs(found) == [("revolute", "p1", "p7")]
    assert "p5 is a nut on p3" in str(found)
    assert "p5 and its other end clamp p3 to p1" in str(found)


def test_a_knob_on_a_spindle_with_play_turns() -> None:
    """It lies on nothing from the other side: nothing is clamped."""
    found = found_in(p1=PLATE, p2=bolt_at(30).replace("5]", "5.2]"), p3=nut_at(30))
    assert pairs(found) == [("revolute", "p1", "p2")]


def on_rods(diameter: float, x: float, width: float = 10) -> str:
    """A block with two holes for rods along x."""
    holes = " ".join(
        f"translate([{x - 1}, {y}, 0]) rotate([0, 90, 0]) cylinder(d = {diameter}, h = 99);"
        for y in (-15, 15)
    )
    return f"difference() {{ translate([{x}, -25, -8]) cube([{width}, 50, 16]); {holes} }}"


def rod_at(y: float) -> str:
    return f"translate([0, {y}, 0]) rotate([0, 90, 0]) cylinder(d = 6, h = 100);"


@pytest.mark.parametrize("order", [("end", "other"), ("other", "end")])
def test_two_end_blocks_on_rods_without_clearance_are_one(order: tuple[str, str]) -> None:
    """Where a carriage has clearance on the rods, what has none is fixed; where nothing has, all may slide."""
    blocks = {"end": on_rods(6, 0), "other": on_rods(6, 90)}
    rods = {"rod": rod_at(15), "rod_2": rod_at(-15)}
    ends = {name: blocks[name] for name in order}
    found = found_in(**ends, **rods, carriage=on_rods(6.2, 40, 20))
    assert [kind for kind, *_ in pairs(found)] == ["prismatic"]
    assert {*found.groups[0]} == {"end", "other", "rod", "rod_2"}
