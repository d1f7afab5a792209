"""Sectors of gears: levers with a few teeth of a wheel, or with a piece of its pitch cylinder."""

from __future__ import annotations

import math

import pytest
from solid_machines import Solids
from toothed_machines import CHANGES, Wheel, changed, in_mesh, involute, on_plate

from linkwork.model.read import machine_from_text
from linkwork.recognition import Pair, recognise, recognise_solids
from linkwork.solid.region import Region, involute_gear


def wedge(half: float) -> Region:
    """What is less than an angle away from the x-axis, to both sides."""
    turns = [half * place / 6 for place in range(-6, 7)]
    return Region.polygon([(0, 0), *((200 * math.cos(turn), 200 * math.sin(turn)) for turn in turns)])


def lever(teeth: int, cut: int, backlash: float = 0.1) -> Region:
    """Some teeth of a wheel about the x-axis on a hub, and an arm that reaches farther than they do."""
    arm = Region.rectangle(1.5 * teeth, 2).moved((-1.5 * teeth, -1))
    return (involute(teeth, backlash) & wedge(cut * math.pi / teeth)) | Region.circle(3) | arm


def on_disc(teeth: int, cut: int) -> Region:
    """A disc as large as the roots that has some of its teeth only."""
    return (involute(teeth, 0.1) & wedge(cut * math.pi / teeth)) | Region.circle(teeth / 2 - 1.25)


def facing(one: Region, other: Region, teeth: tuple[int, int], way: float = 0.3) -> Solids:
    """Two on shafts of a plate, a tooth of the one in the gap of the other that is nearest to its middle."""
    first = Wheel({0.0: one}, turned=way)
    at, turned = in_mesh(teeth[1], first, teeth[0], way=way)
    pitch = math.tau / teeth[1]
    turned += pitch * round((way + math.pi - turned) / pitch)
    return on_plate({"one": first, "other": Wheel({0.0: other}, at, turned)})


def gears_of(solids: Solids) -> list[Pair]:
    return [pair for pair in recognise_solids(solids, "plate").pairs if pair.kind == "gear"]


@pytest.mark.parametrize(
    ("teeth", "cut"), [((48, 12), (7, 0)), ((40, 30), (5, 5)), ((40, 40), (9, 3)), ((24, 60), (5, 11))]
)
def test_a_sector_turns_as_its_whole_wheel_would(teeth: tuple[int, int], cut: tuple[int, int]) -> None:
    """With a pinion or with another sector; the ratio is that of the pitch radii, which are half the teeth long."""
    shapes = [
        lever(all_, some) if some else involute(all_, 0.1) for all_, some in zip(teeth, cut, strict=True)
    ]
    (pair,) = gears_of(facing(shapes[0], shapes[1], teeth))
    assert pair.parts == ("one", "other")
    assert pair.ratio == -teeth[0] / teeth[1]
    assert pair.radii == pytest.approx((teeth[0] / 2, teeth[1] / 2))
    assert f"{cut[0]} teeth (a sector of {teeth[0]})" in pair.why


@pytest.mark.parametrize("change", CHANGES)
def test_sectors_are_known_in_any_pose(change: str) -> None:
    solids = facing(lever(40, 5), lever(30, 6), (40, 30), way=1.1)
    (pair,) = gears_of(changed(solids, CHANGES[change]))
    counts = dict(zip(pair.parts, pair.teeth or (), strict=True))
    assert counts == {"one": 40, "other": 30}
    assert pair.ratio == pytest.approx(-counts[pair.parts[0]] / counts[pair.parts[1]])


NO_SECTORS = {
    "teeth twice as large": lambda: facing(
        involute_gear(24, 2.0) & wedge(0.5) | Region.circle(3), involute(12, 0.1), (53, 12)
    ),
    "a disc with some teeth and a wheel": lambda: facing(on_disc(36, 9), involute(12, 0.1), (36, 12)),
    "two teeth": lambda: facing(lever(48, 2), involute(12, 0.1), (48, 12)),
    "all but a quarter of the teeth": lambda: facing(
        involute(36, 0.1) - (wedge(math.pi / 4).turned(math.pi) - Region.circle(12)),
        involute(12, 0.1),
        (36, 12),
    ),
}


@pytest.mark.parametrize("name", NO_SECTORS)
def test_what_is_no_sector(name: str) -> None:
    """Wheels that lack teeth and turn on without them are none, nor is what one tooth alone could move."""
    assert not gears_of(NO_SECTORS[name]())


MARKED = """
linkwork = 1
[part.plate]
fixed = true
solid = "translate([-60,-60,-4]) cube([180,120,4]); for (x = [0, 50]) translate([x,0,0]) cylinder(d=4,h=6);"
[part.lever]
solid = '''multmatrix({place}) difference() {{
  union() {{ cylinder(d=10,h=4); translate([-40,-3,0]) cube([40,6,4]); {sector} }}
  translate([0,0,-1]) cylinder(d=4,h=9);
}}'''
[part.pinion]
solid = '''multmatrix({place}) translate([50,0,0]) difference() {{
  {pinion} translate([0,0,-1]) cylinder(d=4,h=9);
}}'''
"""
SECTORS = {
    "cut by a block": "gear() intersection() { cylinder(r=38,h=4); translate([0,-15,0]) cube([40,30,4]); }",
    "cut off": "gear() difference() { cylinder(r=38,h=4); translate([-50,-50,-1]) cube([60,100,9]); }",
    "marked before it is cut": "intersection() { gear() cylinder(r=38,h=4); translate([0,-15,0]) cube([40,30,4]); }",
    "turned": "gear() rotate([0,0,-20]) rotate_extrude(angle=40) square([38,4]);",
    "drawn": "gear() linear_extrude(4) intersection() { circle(38); translate([0,-15]) square([40,30]); }",
}
WHOLE = "gear() cylinder(r=12,h=4);"
PIECE = (
    "cylinder(d=9,h=4); gear() intersection() { cylinder(r=12,h=4); translate([-20,-8,0]) cube([20,16,4]); }"
)
PLACES = {
    "as drawn": "[[1,0,0,0],[0,1,0,0],[0,0,1,0]]",
    "mirrored": "[[1,0,0,0],[0,-1,0,0],[0,0,1,0]]",
}


def marked(sector: str, pinion: str = WHOLE, place: str = "as drawn") -> list[Pair]:
    text = MARKED.format(sector=sector, pinion=f"union() {{ {pinion} }}", place=PLACES[place])
    return [pair for pair in recognise(machine_from_text(text, "m.toml", "m")).pairs if pair.kind == "gear"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("pinion", [WHOLE, PIECE], ids=["whole pinion", "piece of a pinion"])
@pytest.mark.parametrize("name", SECTORS)
def test_a_piece_of_a_pitch_cylinder_is_a_gear(name: str, pinion: str, place: str) -> None:
    (pair,) = marked(SECTORS[name], pinion, place)
    ratio = {"lever": 38, "pinion": 12}
    assert pair.ratio == pytest.approx(-ratio[pair.parts[0]] / ratio[pair.parts[1]])


def test_a_piece_that_looks_away_is_none() -> None:
    away = [f"rotate([0,0,180]) {{ {sector} }}" for sector in SECTORS.values()]
    assert not any(map(marked, away))
