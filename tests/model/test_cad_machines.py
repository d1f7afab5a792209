"""A CAD file is a machine: which parts it has, what they are called, and how a machine file refers to them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.model.cad import WATER, part_names
from linkwork.model.file import save
from linkwork.model.solids import moved_to, names_file, part_solids
from linkwork.solid import mass_properties
from linkwork.solid.files import read_cad
from linkwork.solid.mesh import MeshPart, solid_mesh, threemf_bytes
from linkwork.solid.scad import read_scad

STEP_FILES = Path(__file__).parents[1] / "solid" / "step" / "files"
BLOCKS = "module a() cube(1); module b() translate([3, 0, 0]) cube(2); "

BESIDE = "multmatrix([[1, 0, 0, 3], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])"
INTO = BESIDE.replace("3]", "0.9]")

# What a text says, and the names of its parts.
TEXTS = {
    "modules": (BLOCKS + "a(); b();", "a b"),
    "one module often": (BLOCKS + "a(); translate([9, 0, 0]) a();", "a a_2"),
    "labels before modules": (BLOCKS + 'label("left one") a(); b();', "left one,b"),
    "a label inside a module names a piece": ('module a() { label("x") cube(1); } a(); cube(9);', "a cube"),
    "built-in modules": ("cube(1); sphere(2); cylinder(1, 1);", "cube sphere cylinder"),
    "drawn shapes": ("linear_extrude(1) square(2); rotate_extrude() square(2);", "linear_extrude rotate_extrude"),
    "the first module in a difference": (BLOCKS + "difference() { b(); sphere(0.1); } sphere(9);", "b sphere"),
    "off and in the background": (BLOCKS + "*a(); %b(); #a(); b();", "a b"),
    "alone": (BLOCKS + "a(); !b(); a();", "b"),
    "loops": (BLOCKS + "for (i = [0:2]) translate([0, 9*i, 0]) a(); b();", "a a_2 a_3 b"),
    "conditions and blocks": (BLOCKS + "if (true) { b(); cube(9); } if (false) a();", "b cube"),
    "placed together": (BLOCKS + 'translate([1, 0, 0]) color("red") { a(); b(); } sphere(1);', "a b sphere"),
    "placed together without names": ("translate([1, 0, 0]) { cube(1); sphere(1); } cube(9);", "cube cube_2"),
    "a union is one": (BLOCKS + "union() { a(); b(); } sphere(1);", "a sphere"),
    "a module that copies": (
        BLOCKS + "module twice() { children(); translate([0, 9, 0]) children(); } twice() a(); b();",
        "a a_2 b",
    ),
    "a module that cuts": (
        BLOCKS + "module cut() difference() { children(); sphere(0.1); } cut() a(); b();",
        "a b",
    ),
    "an assembly": (BLOCKS + "module all() { a(); b(); } all();", "a b"),
    "an assembly elsewhere": (BLOCKS + "module all() { a(); b(); } rotate([9, 0, 0]) union() all();", "a b"),
    "one part of pieces": ("module a() { cube(1); translate([0.9, 0, 0]) cube(1); } a();", "a"),
    "groups of a dump": (f"group() {{ group() {{ cube(1); }} {BESIDE} {{ group() {{ cube(1); }} }} }}", "cube cube_2"),
    "a loop of a dump": (f"group() {{ cube(1); {BESIDE} {{ cube(1); }} }} sphere(9);", "cube cube_2 sphere"),
    "a module of a dump": (f"group() {{ cube(1); {INTO} {{ cube(1); }} }} sphere(9);", "cube sphere"),
}  # fmt: skip


@pytest.mark.parametrize("case", TEXTS)
def test_the_objects_of_a_text_are_its_parts(case: str, tmp_path: Path) -> None:
    text, names = TEXTS[case]
    path = tmp_path / "machine.scad"
    path.write_text(text)
    assert [part.name for part in read_cad(path).parts] == names.split("," if "," in names else None)


@pytest.mark.parametrize("case", [case for case in TEXTS if "cut" not in case])
def test_parts_together_are_the_whole(case: str, tmp_path: Path) -> None:
    """Nothing is lost or moved by taking a text apart; where parts overlap, boxes and insides still agree."""
    text, _ = TEXTS[case]
    path = tmp_path / "machine.scad"
    path.write_text(text)
    whole, parts = read_scad(text), [part.solid for part in read_cad(path).parts]
    for end in (0, 1):
        ends = [part.box[end] for part in parts]
        nearest = (min, max)[end]
        assert [nearest(values) for values in zip(*ends, strict=True)] == pytest.approx(list(whole.box[end]))


def test_names_are_made_fit_for_a_machine() -> None:
    """Letters of all languages stay, other signs part words; numbers, reserved words and repetitions are mended."""
    given = [
        "Welle 1",
        "Welle:1",
        "Zahnrad-Gehäuse",
        "2nd",
        "pi",
        "density",
        "double",
        "",
        "  ",
        "a.b",
        "колесо",
        "ﬁn",
        "x" * 300,
    ]
    names = part_names(given)
    assert names[:12] == [
        "Welle_1", "Welle_1_2", "Zahnrad_Gehäuse", "part_2nd", "pi_", "density_2", "double_", "part", "part_2", "a_b",
        "колесо", "fin",
    ]  # fmt: skip
    assert len(names[12]) <= 60
    assert len({*names}) == len(names)


def test_a_step_file_is_a_machine() -> None:
    machine = lw.load(STEP_FILES / "gear_box_ap242.step")
    assert [*machine.parts] == [
        "housing", "cover", "screw", "screw_2", "axle", "pinion", "axle_2", "wheel",
    ]  # fmt: skip
    assert machine.is_unjoined
    assert machine.units["length"] == "mm"


def test_masses_are_those_of_water_unless_the_density_is_set(tmp_path: Path) -> None:
    path = tmp_path / "wheel.scad"
    path.write_text(
        "module base() { translate([-9, -9, -2]) cube([18, 18, 1]); cylinder(d = 2, h = 3, center = true); }"
        "module wheel() difference() { cylinder(d = 10, h = 1); cylinder(d = 2, h = 9, center = true); }"
        "base(); wheel();"
    )
    machine = lw.load(path)
    volume = mass_properties(part_solids(machine)["wheel"]).volume
    for density in (WATER, 7.85e-6):
        found = lw.recognise(machine.with_parameters({"density": density})).machine
        assert found is not None
        mass = found.body_mass("wheel")
        assert mass is not None
        assert float(str(mass.mass)) == pytest.approx(volume * density)


def test_a_file_written_elsewhere_finds_the_parts(tmp_path: Path) -> None:
    """Also where the CAD file's name and those of its parts have blanks, brackets and hash signs."""
    (tmp_path / "in").mkdir()
    (tmp_path / "out" / "deep").mkdir(parents=True)
    drawn = tmp_path / "in" / "clock #2 (new).scad"
    drawn.write_text('label("wheel #1") cube(1); label("größe") translate([2, 0, 0]) cube(1);')
    machine = lw.load(drawn)
    there = tmp_path / "out" / "deep" / "parts.toml"
    save(moved_to(machine, str(there.parent)), there)
    again = lw.load(there)
    assert again.parts["wheel_1"].solid == ("../../in/clock #2 (new).scad#wheel #1",)
    before, after = part_solids(machine), part_solids(again)
    assert before.keys() == after.keys() == {"wheel_1", "größe"}
    assert all(np.array_equal(before[name].box, after[name].box) for name in before)


def test_what_is_the_name_of_a_file() -> None:
    assert names_file(" a b/c (1).STP ") == ("a b/c (1).STP", "")
    assert names_file("a#b.step#c.step") == ("a#b.step", "c.step")
    assert names_file("a.scad#b;{}") == ("a.scad", "b;{}")
    for text in ("cube(1); // as in a.step", "use <a.scad>", "cube(1); /* a.scad", "cube(1);\na.scad"):
        assert names_file(text) is None


def test_a_mesh_file_is_a_machine_of_polyhedra(tmp_path: Path) -> None:
    block = solid_mesh(read_scad("cube(2);"), deviation=0.1)
    (tmp_path / "two.3mf").write_bytes(threemf_bytes([MeshPart("a b", block), MeshPart("a b", block)]))
    machine = lw.load(tmp_path / "two.3mf")
    assert [*machine.parts] == ["a_b", "a_b_2"]
    assert machine.parts["a_b_2"].solid == ("two.3mf#a b_2",)
    assert mass_properties(part_solids(machine)["a_b_2"]).volume == pytest.approx(8)


def test_a_part_that_is_not_in_the_file(tmp_path: Path) -> None:
    shutil.copy(STEP_FILES / "hinge_ap203.step", tmp_path / "hinge.step")
    path = tmp_path / "machine.toml"
    path.write_text('linkwork = 1\n[part.leaf]\nsolid = "hinge.step#leave"\n')
    with pytest.raises(LinkworkError, match=r"hinge.step has no part 'leave'"):
        part_solids(lw.load(path))
