"""Words of the file: free parts are held by nothing, one word keeps a fit as a contact, another allows overlaps."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest
from solid_machines import Solids, box, four_bar, rod, slide_in_block, wheel_on_shaft

import linkwork as lw
from linkwork.model.read import machine_from_text
from linkwork.recognition import Recognition, RecognitionError, Wishes, recognise_solids
from linkwork.solid import Cylinder


def joined(found: Recognition) -> set[tuple[str, ...]]:
    return {(pair.kind, *sorted(pair.parts)) for pair in found.pairs}


def trolley() -> Solids:
    """A carriage in a groove, with a wheel on a pin with a head and a peg pressed into it."""
    rail = box((-20, -4, -2), (20, 4, 0)) | box((-20, -4, 0), (20, -2, 4)) | box((-20, 2, 0), (20, 4, 4))
    carriage = box((-5, -2, 0), (5, 2, 4)) | rod(0.5, (0, 0, 4), 2) | rod(1, (0, 0, 5), 1)
    carriage -= rod(0.4, (3, 0, 1), 9)
    wheel = (Cylinder(3, 1) - rod(0.5, (0, 0, -1), 3)).moved((0, 0, 4))
    return {"rail": rail, "carriage": carriage, "wheel": wheel, "peg": rod(0.401, (3, 0, 2), 2)}


@pytest.mark.parametrize(
    ("solids", "ground", "free"),
    [(wheel_on_shaft(), "plate", "wheel"), (slide_in_block(), "frame", "bar")],
    ids=["a wheel", "a slide"],
)
def test_a_free_part_is_held_by_nothing_though_it_fits(solids: Solids, ground: str, free: str) -> None:
    """Found without the word, a pair is gone with it."""
    assert len(recognise_solids(solids, ground).pairs) == 1
    found = recognise_solids(solids, ground, Wishes(free=[free]))
    assert found.pairs == ()
    assert found.groups == ((ground,), (free,))


def test_what_hangs_on_a_free_part_stays_on_it() -> None:
    """A free carriage keeps its wheel and what is pressed into it, but not its groove."""
    held = recognise_solids(trolley(), "rail")
    assert joined(held) == {("prismatic", "carriage", "rail"), ("revolute", "carriage", "wheel")}
    freed = recognise_solids(trolley(), "rail", Wishes(free=["carriage"]))
    assert joined(freed) == {("revolute", "carriage", "wheel")}
    assert ("carriage", "peg") in freed.groups


def test_a_free_part_between_held_ones_touches_them_all() -> None:
    """The coupler of a four-bar that is free leaves crank and rocker where they are."""
    found = recognise_solids(four_bar(), "frame", Wishes(free=["coupler"]))
    assert joined(found) == {("revolute", "crank", "frame"), ("revolute", "frame", "rocker")}


def test_two_free_parts_only_touch() -> None:
    found = recognise_solids(trolley(), "rail", Wishes(free=["carriage", "wheel"]))
    assert found.pairs == ()


def test_a_word_for_two_parts_counts_for_more_than_that_one_is_free() -> None:
    both = frozenset(("plate", "wheel"))
    found = recognise_solids(wheel_on_shaft(), "plate", Wishes({both: "fixed"}, free=["wheel"]))
    assert found.groups == (("plate", "wheel"),)


def test_one_word_keeps_a_fit_as_a_contact() -> None:
    """The word "contact" needs no second one; but where nothing fits, it says nothing."""
    both = frozenset(("plate", "wheel"))
    found = recognise_solids(wheel_on_shaft(), "plate", Wishes({both: "contact"}))
    assert found.pairs == ()
    away = wheel_on_shaft() | {"wheel": wheel_on_shaft()["wheel"].moved((20, 0, 0))}
    with pytest.raises(RecognitionError, match="nothing holds the part wheel"):
        recognise_solids(away, "plate", Wishes({both: "contact"}))


def test_what_is_marked_as_gears_may_be_kept_as_contact() -> None:
    plate = box((-9, -9, -2), (19, 9, -1)) | rod(0.5, (0, 0, -1), 3) | rod(0.5, (9, 0, -1), 3)
    first = Cylinder(5, 1).named("pitch", gear=True) - rod(0.5, (0, 0, -1), 3)
    second = Cylinder(4, 1).moved((9, 0, 0)).named("pitch", gear=True) - rod(0.5, (9, 0, -1), 3)
    solids = {"plate": plate, "first": first, "second": second}
    assert ("gear", "first", "second") in joined(recognise_solids(solids, "plate"))
    word = {frozenset(("first", "second")): "contact"}
    assert ("gear", "first", "second") not in joined(recognise_solids(solids, "plate", Wishes(word)))


# ------------------------------------------------------------------------------------------ overlaps


def thick_pin(more: float) -> Solids:
    """A wheel on a shaft that is too thick by so much."""
    solids = wheel_on_shaft()
    return solids | {"plate": solids["plate"] | rod(0.5 + more / 2, (0, 0, -1.5), 4)}


def test_a_word_allows_an_overlap_and_keeps_the_joint() -> None:
    """A shaft that is too thick is pressed in, or with the word a hinge."""
    both = {frozenset(("plate", "wheel")): "overlap"}
    assert recognise_solids(thick_pin(0.02), "plate").groups == (("plate", "wheel"),)
    found = recognise_solids(thick_pin(0.02), "plate", Wishes(both))
    assert joined(found) == {("revolute", "plate", "wheel")}


def test_a_slide_that_is_drawn_too_deep_slides_if_the_word_allows_it() -> None:
    frame = box((-9, -4, -4), (9, 4, 4)) - box((-10, -2, -2), (10, 2, 2))
    solids = {"frame": frame, "bar": box((-12, -2.02, -2), (12, 2, 2.02))}
    with pytest.raises(RecognitionError, match="parts overlap where they are drawn") as caught:
        recognise_solids(solids, "frame")
    assert '"frame/bar" = "overlap"' in str(caught.value)
    found = recognise_solids(solids, "frame", Wishes({frozenset(("frame", "bar")): "overlap"}))
    assert joined(found) == {("prismatic", "bar", "frame")}


def test_the_shift_that_is_told_gets_overlapping_parts_apart() -> None:
    plate = box((-9, -9, -2), (9, 9, 0)) | rod(1, (0, 0, 0), 4)
    arm = box((-3, -2, -0.037), (8, 2, 2)) - rod(1, (0, 0, -3), 9)
    with pytest.raises(RecognitionError) as caught:
        recognise_solids({"plate": plate, "arm": arm}, "plate")
    told = re.search(r"move arm by \(([^)]*)\)", str(caught.value))
    assert told is not None
    shift = [float(each) for each in told[1].split(",")]
    assert shift == pytest.approx([0, 0, 0.037], abs=1e-4)
    found = recognise_solids({"plate": plate, "arm": arm.moved(shift)}, "plate")
    assert joined(found) == {("revolute", "arm", "plate")}


@pytest.mark.parametrize(
    ("own", "word"), [("friction = 2", "friction"), ("spring = { rest = 0, stiffness = 1 }", "a spring")]
)
def test_springs_and_friction_are_those_of_a_joint(own: str, word: str) -> None:
    """A part that nothing holds has none in which they could act: that is said, with a force instead."""
    text = f"""
linkwork = 1
[part.table]
fixed = true
solid = "cube([9, 1, 1]);"
[part.block]
free = true
solid = "translate([0, 2, 0]) cube(1);"
mass = 1
{own}
"""
    with pytest.raises(RecognitionError, match=f"block has {word}, and no joint") as caught:
        lw.simulate(machine_from_text(text, "m.toml", "m"), 1.0, contact="rigid")
    pulled = text.replace(own, caught.value.fix)
    assert lw.simulate(machine_from_text(pulled, "m.toml", "m"), 1.0, contact="rigid").status == "complete"


def test_parts_in_a_pile_are_told_once_the_upper_on_the_lower(tmp_path: Path) -> None:
    """Of two parts that lie on one another one sentence is told, whatever order they are drawn in."""
    pile = {"table": (0, 0, 0, 100, 5), "book": (10, 10, 5, 40, 4), "box": (15, 12, 9, 10, 10)}
    texts = {
        name: f"translate([{x}, {y}, {z}]) cube([{wide}, {wide}, {high}]);"
        for name, (x, y, z, wide, high) in pile.items()
    }
    for order in permutations(texts):
        path = tmp_path / "pile.scad"
        modules = [f"module {name}() {{ {texts[name]} }}" for name in order]
        path.write_text("\n".join([*modules, *(f"{name}();" for name in order)]))
        with pytest.raises(RecognitionError, match="nothing holds") as caught:
            lw.recognise(lw.load(path))
        assert caught.value.got is not None
        _, *told = caught.value.got.split("; ")
        assert {*told[0].split(", ")} == {"book lies on table", "box lies on book"}
        assert len(told[0].split(", ")) == 2


LOOSE = """
linkwork = 1
[part.base]
fixed = true
solid = '''difference() {{
  union() {{ cube([60, 40, 5]); for (y = [0, 34]) translate([20, y, 0]) cube([20, 6, 40]); }}
  translate([30, -1, 30]) rotate([-90, 0, 0]) cylinder(d=8, h=50);
}}'''
[part.axle]
solid = "translate([30, {start}, 30]) rotate([-90, 0, 0]) cylinder(d={width}, h={length});"
{more}
"""
RING = """
[part.arm]
solid = '''translate([30, 15, 30]) rotate([-90, 0, 0]) difference() {
  union() { cylinder(d=14, h=5); translate([0, -2, 0]) cube([20, 4, 5]); }
  translate([0, 0, -1]) cylinder(d=6.2, h=9);
}'''
"""


@pytest.mark.parametrize(
    ("start", "width", "length", "said"),
    [
        (-4, 6, 48, "axle (diameter 6) is in a hole of base (diameter 8) with 2 of clearance"),
        (6.1, 8, 27.8, "axle (diameter 8) ends 0.1 before a hole of base (diameter 8) that it would fit"),
    ],
)
def test_what_nearly_holds_a_part_is_told(start: float, width: float, length: float, said: str) -> None:
    """A shaft that is too thin for its hole, or too short for it, is named with the hole and what is missing."""
    text = LOOSE.format(start=start, width=width, length=length, more="")
    with pytest.raises(RecognitionError, match="nothing holds the part axle") as caught:
        lw.recognise(machine_from_text(text, "m.toml", "m"))
    assert said in str(caught.value.got)


@pytest.mark.parametrize(("sides", "said"), [(20, True), (6, False), (4, False)])
def test_shafts_of_too_few_sides_are_told_with_how_many_a_circle_has(sides: int, said: bool) -> None:
    """A prism of some sides is no shaft; one of few is meant as what it is."""
    text = f'''
        linkwork = 1
        [part.frame]
        solid = """
          translate([-20, -20, -5]) cube([40, 40, 4.8]);
          translate([0, 0, -1]) cylinder(d = 8, h = 14, $fn = {sides});
        """
        [part.wheel]
        solid = """rotate(7) difference() {{
          cylinder(d = 30, h = 8);
          translate([0, 0, -1]) cylinder(d = 12, h = 20, $fn = {sides});
        }}"""
    '''
    with pytest.raises(RecognitionError, match="nothing holds the part wheel") as caught:
        lw.recognise(machine_from_text(text, "m.toml", "m"))
    told = f"wheel has a prism of {sides} sides, which are no circle: 24 or more are ($fn = 24)"
    assert (told in str(caught.value.got)) == said


@pytest.mark.parametrize("more", ["", "[part.arm]\nfree = true", '[joint]\n"base/axle" = "contact"'])
def test_parts_that_are_joined_to_one_another_alone_are_refused_as_single_ones_are(more: str) -> None:
    """Nothing joins an arm and its axle to the frame: they are named together, unless the file lets one of them go."""
    ring = RING if "part" not in more else RING.replace("[part.arm]", more)
    text = LOOSE.format(start=6.5, width=6, length=27, more=ring + (more if "joint" in more else ""))
    if more:
        assert joined(lw.recognise(machine_from_text(text, "m.toml", "m"))) == {("revolute", "arm", "axle")}
        return
    with pytest.raises(RecognitionError, match="nothing holds the part axle with what is joined to it, arm"):
        lw.recognise(machine_from_text(text, "m.toml", "m"))
