"""What texts draw in from other files: meshes, and libraries in folders that the environment names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from linkwork.solid import Block, Cylinder, mass_properties
from linkwork.solid.mesh import MeshPart, solid_mesh, stl_bytes, threemf_bytes
from linkwork.solid.scad import ScadError, read_scad, read_scad_file
from linkwork.solid.scad.parts import read_scad_parts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a mesh of a ring in both formats, one that is none, and a library beside it."""
    ring = solid_mesh(Cylinder(5, 2) - Cylinder(3, 2), 0.01)
    texts = tmp_path / "texts"
    (texts / "meshes").mkdir(parents=True)
    (texts / "meshes" / "ring.stl").write_bytes(stl_bytes(ring))
    (texts / "ring.3mf").write_bytes(threemf_bytes([MeshPart("ring", ring)]))
    (texts / "none.stl").write_text("garbage")
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "knob.scad").write_text('module knob() import("knob.stl");')
    (tmp_path / "library" / "knob.stl").write_bytes(stl_bytes(solid_mesh(Block((2, 2, 2)))))
    return texts


@pytest.mark.parametrize("name", ["meshes/ring.stl", "ring.3mf"])
def test_meshes_are_imported(folder: Path, name: str) -> None:
    """As polyhedra, which are moved and cut like any others; the part has the name of the file."""
    (folder / "a.scad").write_text(f'translate([1, 0, 0]) import("{name}", convexity = 4);')
    (part,) = read_scad_parts(folder / "a.scad")
    assert part.name == "ring"
    assert np.array(part.solid.box).round(6).tolist() == [[-4, -5, 0], [6, 5, 2]]
    cut = read_scad(f'difference() {{ import("{name}"); translate([-9, 0, -1]) cube(20); }}', folder=folder)
    whole = read_scad(f'import("{name}");', folder=folder)
    assert mass_properties(cut).volume == pytest.approx(mass_properties(whole).volume / 2, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('\n  import("plan.dxf");', "2:10: import: 'plan.dxf' cannot be imported"),
        ('import("none.stl");', "1:8: import: 'none.stl': this is no STL file"),
        ('import("gone.stl");', "1:8: there is no file 'gone.stl' here"),
        ('import("../library/knob.stl");', "1:8: '../library/knob.stl' is outside the folder"),
        ("import(3);", "1:8: import: file is 3"),
    ],
)
def test_what_cannot_be_imported_is_told(folder: Path, text: str, told: str) -> None:
    """With line and column, and why."""
    with pytest.raises(ScadError) as caught:
        read_scad(text, folder=folder, name="a.scad")
    assert f"a.scad:{told}" in str(caught.value)


def test_libraries_are_where_the_environment_says(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By OPENSCADPATH, for names alone and for ways up that end there; without it they are outside."""
    for name in ("knob.scad", "../library/knob.scad"):
        (folder / "a.scad").write_text(f"use <{name}>\nknob();")
        monkeypatch.setenv("OPENSCADPATH", str(folder.parent / "library"))
        assert mass_properties(read_scad_file(folder / "a.scad")).volume == pytest.approx(8)
        monkeypatch.delenv("OPENSCADPATH")
        with pytest.raises(ScadError, match="OPENSCADPATH"):
            read_scad_file(folder / "a.scad")


def test_files_may_use_one_another(tmp_path: Path) -> None:
    """Each of two files uses modules and functions of the other, and one of them itself is read; OpenSCAD gives 64."""
    (tmp_path / "a.scad").write_text(
        "use <b.scad>\nmodule outer() inner();\nfunction size() = half() * 2;\nouter();"
    )
    (tmp_path / "b.scad").write_text("use <a.scad>\nmodule inner() cube(size());\nfunction half() = 2;")
    assert mass_properties(read_scad_file(tmp_path / "a.scad")).volume == pytest.approx(64)


def test_imported_meshes_may_be_centred(folder: Path) -> None:
    """With the middle of the box around them at the origin."""
    solid = read_scad('import("ring.3mf", center = true);', folder=folder)
    assert np.array(solid.box).round(6).tolist() == [[-5, -5, -1], [5, 5, 1]]


@pytest.mark.parametrize(
    "text", ["cube(4, {});", "cylinder(4, 2, 2, {});", "linear_extrude(2) square(4, {});"]
)
def test_what_is_neither_true_nor_false_centres_nothing(text: str) -> None:
    """As in OpenSCAD, where square(4, 4), which many write for a square, has its corner at the origin."""
    low = read_scad(text.format("false")).box[0]
    for given in ("4", '"yes"', "[1]"):
        assert (read_scad(text.format(given)).box[0] == low).all()
    assert (read_scad(text.format("true")).box[0] < low).any()


def test_hulls_of_what_is_cut() -> None:
    """A cube without a corner cube: a pyramid of a sixth of that is left out; a bore changes nothing."""
    notes: list[str] = []
    cut = read_scad("hull() difference() { cube(10); translate([-1, -1, -1]) cube(6); }", tell=notes.append)
    assert mass_properties(cut).volume == pytest.approx(1000 - 125 / 6)
    assert not notes
    bored = read_scad("hull() difference() { cube(10); translate([5, 5, -1]) cylinder(r = 2, h = 20); }")
    assert mass_properties(bored).volume == pytest.approx(1000)
