"""OpenSCAD files in the habits of many hands are machines by themselves: their pairs are those that a person names."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.model.ordered import Ordered
from linkwork.recognition import Recognition

MODELS = Path(__file__).parent / "models"

# Each: the part that stands still, the pairs as "kind first second", those that move as one, and the mobility.
PLANETS = ("planet", "planet_2", "planet_3")
MACHINES: dict[str, tuple[str, list[str], list[str], int]] = {
    "caster": ("mount", ["revolute mount fork", "revolute fork axle"], ["axle tire bearing bearing_2"], 2),
    "chain": ("link", ["revolute link link_2", "revolute link_2 link_3", "revolute link_3 link_4"], [], 3),
    "clamp": ("bottom", ["revolute bottom tube"], ["bottom top m4x30 m4x30_2"], 1),
    "clock_hands": (
        "baseplate",
        ["revolute baseplate seconds", "revolute seconds minute", "revolute minute hour"],
        [],
        3,
    ),
    "crank_slider": (
        "frame",
        [
            "revolute frame crank",
            "prismatic frame slider",
            "revolute crank conrod",
            "revolute conrod slider",
        ],
        [],
        1,
    ),
    "drill_press": (
        "head",
        ["prismatic head quill", "revolute quill spindle", "revolute head feed", "rack feed quill"],
        [],
        2,
    ),
    "gear_bearing": (
        "outer",
        [
            "revolute outer cage",
            "revolute sun cage",
            *(
                pair
                for planet in (*PLANETS, "planet_4", "planet_5")
                for pair in (f"revolute {planet} cage", f"gear outer {planet}", f"gear sun {planet}")
            ),
        ],
        [],
        1,
    ),
    "hinge": ("leaf", ["revolute leaf leaf_2"], ["leaf pin"], 1),
    "iris": (
        "base",
        [
            "revolute base cap",
            *(f"revolute base {each}" for each in ("blade", *(f"blade_{k}" for k in range(2, 6)))),
        ],
        [],
        6,
    ),
    "keyed_shafts": (
        "mount",
        ["revolute mount motor_shaft", "revolute mount out_shaft"],
        ["motor_shaft pulley grub_screw", "out_shaft feather_key big_pulley"],
        2,
    ),
    "latch": ("housing", ["prismatic housing slide"], [], 1),
    "machine_vice": (
        "body",
        ["prismatic body jaw", "revolute jaw lead_screw", "screw body lead_screw"],
        ["body hexnut"],
        1,
    ),
    "peaucellier": (
        "base",
        [
            *(f"revolute base {each}" for each in ("crank", "oa", "ob")),
            *(f"revolute crank {each}" for each in ("ap", "bp")),
            *(f"revolute oa {each}" for each in ("ap", "ar")),
            *(f"revolute ob {each}" for each in ("bp", "br")),
            "revolute ar br",
        ],
        ["crank pin_p", "oa pin_a", "ob pin_b", "br pin_r"],
        1,
    ),
    "planetary": (
        "housing",
        [
            "revolute housing sun",
            "revolute housing carrier",
            "revolute sun carrier",
            *(
                pair
                for planet in PLANETS
                for pair in (f"revolute {planet} carrier", f"gear housing {planet}", f"gear sun {planet}")
            ),
        ],
        [],
        1,
    ),
    "printed_gearbox": (
        "housing",
        [
            *(f"revolute housing {each}" for each in ("input", "idler", "lay", "out")),
            "gear input idler",
            "gear idler lay",
            "gear lay out",
        ],
        [],
        1,
    ),
    "ratchet": ("plate", ["revolute plate wheel", "revolute plate pawl"], [], 2),
    "scissor_lift": (
        "base",
        [
            "revolute base arm_up",
            "prismatic base shoe",
            "revolute platform arm_down",
            "prismatic platform shoe_2",
            "revolute arm_up arm_down",
            "revolute arm_up shoe_2",
            "revolute arm_down shoe",
        ],
        ["arm_up middle_pin"],
        1,
    ),
    "threaded_box": ("box", ["screw box lid"], [], 1),
    "toy_car": (
        "chassis",
        ["revolute chassis axle", "revolute chassis axle_2"],
        ["axle wheel wheel_2", "axle_2 wheel_3 wheel_4"],
        2,
    ),
    "wobbler": (
        "standard",
        [
            "revolute standard crank",
            "revolute standard barrel",
            "revolute crank piston",
            "prismatic barrel piston",
        ],
        [],
        1,
    ),
    "ball_bearing": (
        "plate",
        ["revolute plate shaft"],
        ["outer plate sphere sphere_2 sphere_3 sphere_4 sphere_5 sphere_6 sphere_7 sphere_8", "inner shaft"],
        1,
    ),
    "ball_caster": ("cup", ["spherical cup ball"], [], 3),
    "bench_press": (
        "frame",
        ["prismatic frame ram", "revolute frame pinion_shaft"],
        ["collar dowel dowel_2 lever pinion_shaft"],
        2,
    ),
    "bevel_pair": ("stand", ["revolute stand gear_1", "revolute stand gear_2"], [], 2),
    "crank_bushings": (
        "bed",
        [
            "prismatic bed piston_rod",
            "revolute bed crankshaft",
            "revolute crankshaft conrod",
            "revolute conrod piston_rod",
        ],
        ["bed main_bush", "conrod rod_bush", "gudgeon_pin piston_rod"],
        1,
    ),
    "crankset_rings": (
        "frame",
        ["revolute frame axle"],
        [
            "cup cup_2 frame",
            "arm arm_2 axle ring ring_2 spider chainring_bolt chainring_bolt_2 chainring_bolt_3 chainring_bolt_4 "
            "chainring_bolt_5",
        ],
        1,
    ),
    "doweled_plates": (
        "lower",
        ["revolute lower roller"],
        ["bolt dowel_pin dowel_pin_2 lower nut shoulder_bolt upper"],
        1,
    ),
    "drawer_two_rails": (
        "cabinet",
        ["prismatic cabinet drawer"],
        ["cabinet rail rail_2 rail_screw rail_screw_2 rail_screw_3 rail_screw_4"],
        1,
    ),
    "hooke_joint": (
        "frame",
        [
            "revolute frame yoke",
            "revolute frame yoke_out",
            "revolute yoke spider",
            "revolute yoke_out spider",
        ],
        [],
        1,
    ),
    "keyed_pulleys": ("housing", ["revolute housing shaft"], ["gear_blank hub key key_2 shaft"], 1),
    "oldham_coupling": (
        "housing",
        ["revolute housing input", "revolute housing output", "prismatic input mid", "prismatic mid output"],
        [],
        1,
    ),
    "slotted_screws": (
        "base",
        ["revolute motor_plate disc"],
        ["base cap_screw cap_screw_2 cap_screw_3 cap_screw_4 motor_plate washer washer_2 washer_3 washer_4"],
        1,
    ),
    "split_collars": (
        "bed",
        ["revolute bed shaft"],
        ["clamp_screw clamp_screw_2 collar collar_2 pulley set_screw shaft"],
        1,
    ),
    "three_hinges": ("jamb", ["revolute jamb door"], ["hinge_pin hinge_pin_2 hinge_pin_3 jamb"], 1),
    "toggle_clamp": (
        "base",
        ["revolute base arm", "revolute arm handle", "revolute handle link", "revolute base link"],
        ["base rivet_a rivet_b", "arm rivet_c", "link rivet_d"],
        1,
    ),
    "vise_thread": ("body", ["prismatic body jaw", "screw body spindle", "cylindrical jaw spindle"], [], 2),
    "whitworth": (
        "frame",
        [
            "revolute frame bull_wheel",
            "revolute frame rocker",
            "revolute bull_wheel die",
            "prismatic die rocker",
        ],
        [],
        1,
    ),
    "worm_drive": ("box", ["revolute box worm", "revolute box worm_wheel"], [], 2),
    "sleeved_arm": ("fork", ["revolute fork arm"], ["fork pin", "arm sleeve"], 1),
    "collared_pin": ("base", ["revolute base arm"], ["base pin inner_collar outer_collar"], 1),
}


LESS_IN_DUMPS = {
    "gear_bearing",
    "keyed_shafts",
    "machine_vice",
    "planetary",
    "peaucellier",
    "printed_gearbox",
    "vise_thread",
    "doweled_plates",
    "slotted_screws",
    "split_collars",
    "clamp",
    "threaded_box",
    "toy_car",
}
"""Dumps keep neither marks of gears and threads nor names of screws, and wheels on an axle are one group with it.

What `label()` has is not in them at all: OpenSCAD leaves out what it does not know.
"""


def found_in(path: Path) -> Recognition:
    return lw.recognise(lw.load(path))


def pairs_of(found: Recognition) -> list[str]:
    return sorted(" ".join([pair.kind, *pair.parts]) for pair in found.pairs)


def together(found: Recognition) -> list[set[str]]:
    return [{*members} for members in found.groups if len(members) > 1]


def mobility(found: Recognition) -> int:
    return sum(each.mobility for each in found.subsystems)


def test_every_model_is_told_of() -> None:
    assert {path.stem for path in MODELS.glob("*.scad")} == MACHINES.keys()


@pytest.mark.parametrize("name", MACHINES)
def test_the_pairs_of_a_file_are_those_that_a_person_names(name: str) -> None:
    ground, pairs, fixed, motions = MACHINES[name]
    found = found_in(MODELS / f"{name}.scad")
    assert found.ground == ground
    assert pairs_of(found) == sorted(pairs)
    assert together(found) == [{*each.split()} for each in fixed]
    assert mobility(found) == motions


@pytest.mark.parametrize(
    ("name", "variable"),
    [("sleeved_arm", "arm.angle"), ("collared_pin", "arm.angle"), ("ball_bearing", "shaft.angle")],
)
def test_what_moves_is_called_after_what_its_bushing_stands_for(name: str, variable: str) -> None:
    """A sleeve is drawn before its arm, and the ring of a bearing before its shaft: nobody asks how these turn."""
    found = found_in(MODELS / f"{name}.scad")
    assert [each.name for each in found.variables()] == [variable]
    assert found.machine is not None
    assert [*found.machine.moving] == [variable.removesuffix(".angle")]


def test_a_dump_by_another_hand_has_the_pairs_of_a_slider_crank() -> None:
    """Rods by hulls, plates by offsets, and a wrist pin of its own that goes with the slider."""
    found = found_in(MODELS / "printed_slider.csg")
    assert sorted(pair.kind for pair in found.pairs) == ["prismatic", "revolute", "revolute", "revolute"]
    assert together(found) == [{"cube", "cylinder_2"}]
    assert mobility(found) == 1


@pytest.mark.skipif(shutil.which("openscad") is None, reason="OpenSCAD makes the dumps")
@pytest.mark.parametrize("name", sorted({*MACHINES} - LESS_IN_DUMPS))
def test_a_dump_has_the_same_pairs_without_the_names(name: str, tmp_path: Path) -> None:
    """But for those of which dumps do not tell enough."""
    dump = tmp_path / f"{name}.csg"
    subprocess.run(
        ["openscad", "-o", dump, MODELS / f"{name}.scad"], check=True, capture_output=True, timeout=60
    )
    given, found = found_in(MODELS / f"{name}.scad"), found_in(dump)
    assert sorted(pair.kind for pair in found.pairs) == sorted(pair.kind for pair in given.pairs)
    assert sorted(map(len, found.groups)) == sorted(map(len, given.groups))
    assert mobility(found) == mobility(given)


def test_gears_that_lock_one_another_have_no_motion() -> None:
    """A planetary gear whose ring and sun stand still: there is nothing left to tell its motion by."""
    machine = replace(lw.load(MODELS / "planetary.scad"), pair_words=Ordered({"sun": "fixed"}))
    assert mobility(lw.recognise(machine)) == 0


def test_a_module_is_the_frame_by_its_name_also_where_that_had_to_be_changed(tmp_path: Path) -> None:
    """`case` is no name that C allows: the part is called `case_`, and stands still as a case does."""
    path = tmp_path / "clock.scad"
    path.write_text("""
        module case() { translate([-4, -4, -2]) cube([8, 8, 1]); translate([0, 0, -1.5]) cylinder(d=1, h=4); }
        module wheel() difference() { cylinder(d=20, h=2); translate([0, 0, -1]) cylinder(d=1, h=4); }
        wheel(); case();
    """)
    found = lw.recognise(lw.load(path))
    assert found.ground == "case_"
    assert [(pair.kind, pair.parts) for pair in found.pairs] == [("revolute", ("case_", "wheel"))]
