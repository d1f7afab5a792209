"""Machines of solids that are wrong: each is refused in words, with what to do, and never with a traceback."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest
from cli_runner import Here

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.solid.mesh import MeshPart, solid_mesh, threemf_bytes
from linkwork.solid.scad import read_scad

STEP_FILES = Path(__file__).parents[1] / "solid" / "step" / "files"
FRAME = "translate([-9, -9, -3]) cube([18, 18, 2]); cylinder(d = 2, h = 6, center = true);"
WHEEL = "difference() { cylinder(d = 10, h = 2); translate([0, 0, -1]) cylinder(d = 2, h = 9); }"


def machine(wheel: str = WHEEL, more: str = "", tail: str = "") -> str:
    """A machine file: a frame, and a wheel that is perhaps none."""
    frame = f"linkwork = 1\n[part.frame]\nfixed = true\nsolid = '''{FRAME}'''\n"
    return f"{frame}[part.wheel]\nsolid = '''{wheel}'''\n{more}\n{tail}"


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Here:
    monkeypatch.chdir(tmp_path)
    return Here(capsys, monkeypatch)


def refused(here: Here, verb: str, file: str) -> str:
    """What is said of a file that is refused; it names the cause and a cure, and nothing breaks."""
    answer = here(verb, file)
    assert answer.code == 3, answer.err
    assert "Traceback" not in answer.err
    assert answer.out == ""
    assert "  got:" in answer.err or "  why:" in answer.err
    return answer.err


# What the wheel is, and words of the complaint.
SOLIDS = {
    "letters": ('text("hi");', ["m.toml:6: the solid of wheel: wheel:1:1: text is not supported", "cube, sphere"]),
    "an import": ('cube(1);\n  import("x.stl");', ["wheel:2:10: there is no file 'x.stl' here"]),
    "an unknown module": ("cube(1);\n  foo();", ["wheel:2:3: there is no module 'foo'", "cube, sphere"]),
    "an unknown function": ("cube(foo(2));", ["wheel:1:6: there is no function 'foo'", "abs, sign"]),
    "an open bracket": ("cube([1, 2);", ["wheel:1:11", "still open"]),
    "a module without an end": ("module a() { a(); } a();", ["wheel:1:14: 'a' calls itself", "ends the recursion"]),
    "a function without an end": ("function f(x) = f(x + 1) + 1; cube(f(1));", ["'f' calls itself"]),
    "a loop of a milliard": ("for (i = [0:1e9]) cube(1);", ["1,000,000,001 rounds", "at most 1,000,000"]),
    "a loop of tiny steps": ("for (i = [0:1e-300:1]) cube(1);", ["too many rounds"]),
    "a huge vector": ("a = [for (i = [0:1e7]) i]; cube(1);", ["10,000,001"]),
    "a huge string": ('function d(s, n) = n == 0 ? s : d(str(s, s), n - 1); echo(d("a", 99));', ["characters"]),
    "nothing": ("", ["there is no solid", "cube([10, 20, 5])"]),
    "nothing left": ("difference() { cube(1); translate([-1, -1, -1]) cube(5); }", ["the solid of wheel is empty"]),
    "no size": ("cube(0);", ["wheel:1:6: cube: size is 0", "size = 10"]),
    "one edge without a size": ("cube([1, 0, 1]);", ["size is [1, 0, 1]", "leave out"]),
    "a negative size": ("cube(-2);", ["size is -2", "size = 2"]),
    "a negative radius": ("cylinder(r = -1, h = 2);", ["r is -1", "r = 1"]),
    "no number": ("cube(0/0);", ["size is nan"]),
    "an endless size": ("cube(1/0);", ["size is inf", "up to 1e+09"]),
    "a giant": ("cube(1e300);", ["size is 1e+300", "up to 1e+09"]),
    "a dwarf": ("cube(1e-300);", ["size is 1e-300", "1e-09 at least"]),
    "far away": ("translate([1e300, 0, 0]) cube(1);", ["v is [1e+300, 0, 0]"]),
    "too many shapes": ("for (i = [0:99999]) translate([i*2, 0, 0]) cube(1);", ["more than 50,000 shapes"]),
    "too many to compare": ("for (i = [0:21000]) translate([i*2, 0, 0]) cube(1);", ["too large", "in wheel"]),
    "a plane shape": ("circle(3);", ["a plane shape, not a solid", "linear_extrude"]),
    "an open polyhedron": ("polyhedron([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]);", ["hold no volume"]),
    "deep differences": ("difference() {" * 200 + "cube(1);" + "}" * 200, ["nested more than 60 deep"]),
    "an overlap": ("translate([0, 0, -2]) cylinder(d = 8, h = 3);", ["frame and wheel by 1.5 at (", '= "overlap"']),
    "hanging free": ("translate([30, 0, 0]) cube(3);", ["nothing holds the part wheel", "free = true"]),
    "no such file": ("nothing.step", ["m.toml:6: the solid of wheel: there is no file nothing.step"]),
    "a misspelt file": ("wheell.scad", ["there is no file wheell.scad", "did you mean wheel.scad?"]),
    "a folder": ("folder.stl", ["folder.stl is a folder"]),
    "nothing at the height of a cut": (
        "linear_extrude(1) projection(cut = true) translate([0, 0, 9]) cube(1);",
        ["wheel:1:1: there is no solid in this text"],
    ),
    "a file of another kind": ("wheel.obj", ["files .obj hold no solids that are read", 'solid = "wheel.step"']),
    "a file outside": ("include </etc/passwd>\ncube(1);", ["'/etc/passwd' is outside the folder"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SOLIDS)
def test_a_solid_that_is_none(case: str, here: Here) -> None:
    text, words = SOLIDS[case]
    Path("wheel.scad").write_text("cube(1);")
    Path("folder.stl").mkdir()
    Path("m.toml").write_text(machine(text))
    told = refused(here, "recognise", "m.toml")
    for word in words:
        assert word in told


def test_all_parts_that_hang_free_are_told_at_once(here: Here) -> None:
    more = "".join(
        f"[part.{name}]\nsolid = 'translate([{x}, 0, 0]) cube(3);'\n" for name, x in (("a", 40), ("b", 50))
    )
    Path("m.toml").write_text(machine("translate([30, 0, 0]) cube(3);", more))
    told = refused(here, "recognise", "m.toml")
    assert "nothing holds the parts wheel, a, b" in told
    assert told.count("free = true") == 3


def test_all_parts_that_overlap_are_told_the_deepest_first_with_words_that_let_them(here: Here) -> None:
    """What is told, pasted into the file that the command told makes, lets them."""
    Path("m.scad").write_text("""
        module base() {
            translate([-9, -9, -2]) cube([40, 18, 2]);
            for (x = [0, 20]) translate([x, 0, -1]) cylinder(d = 4, h = 9);
        }
        module wheel(x, z) translate([x, 0, z]) difference() { cylinder(d = 9, h = 4); cylinder(d = 4, h = 9); }
        module a() wheel(0, -0.3);
        module b() wheel(20, -0.5);
        base();
        a();
        b();
    """)
    told = refused(here, "recognise", "m.scad")
    assert "base and b by 0.5 at" in told.split("; ")[0]
    assert "base and a by 0.3 at" in told
    command, *words = told[told.index("linkwork recognise") :].splitlines()
    here(*command.split("#")[0].split()[1:])
    Path("m.toml").write_text(Path("m.toml").read_text() + "\n" + "\n".join(each.strip() for each in words))
    assert [pair.kind for pair in lw.recognise(lw.load("m.toml")).pairs] == ["revolute", "revolute"]


def test_a_part_that_moves_is_not_called_ground(here: Here) -> None:
    """That is the name of what stands still, in joints too: two of them could not be told apart."""
    Path("m.toml").write_text(machine().replace("[part.wheel]", "[part.ground]"))
    told = refused(here, "recognise", "m.toml")
    assert "m.toml:5: the part ground may move, for frame is what stands still" in told
    assert "[part.ground_plate]" in told


def test_an_empty_part_of_a_text_is_named(here: Here) -> None:
    """Also where the frame is looked for by its volume."""
    cut = "difference() { translate([5, 0, 0]) cube(3); translate([4, -1, -1]) cube(9); }"
    Path("m.scad").write_text(f"module a() cube(3); module b() {cut} a(); b();")
    assert "the solid of b is empty" in refused(here, "recognise", "m.scad")


# What stands at the end, and words of the complaint.
WORDS = {
    "a word that is none": ('[joint]\n"frame/wheel" = "weld"', ["m.toml:9: joint frame/wheel: 'weld'", "fixed,"]),
    "no such part": ('[joint]\n"frame/wheeel" = "fixed"', ["m.toml:9", "no part 'wheeel'", "mean wheel?"]),
    "a pitch beyond all numbers": ('[joint]\n"frame/wheel" = "screw 1e400"', ["m.toml:9", '"screw 2"']),
    "a pitch that is nearly none": ('[joint]\n"frame/wheel" = "screw 1e-400"', ["m.toml:9", '"screw 2"']),
    "three parts": ('[joint]\n"frame/wheel/frame" = "fixed"', ["m.toml:9", "between two parts"]),
    "a part and itself": ('[joint]\n"wheel/wheel" = "fixed"', ["m.toml:9", "between two parts"]),
    "a part without a solid": ("[part.arm]\nmass = 1", ["m.toml:8", "the part arm has no solid"]),
}  # fmt: skip


@pytest.mark.parametrize("case", WORDS)
def test_wrong_words(case: str, here: Here) -> None:
    tail, words = WORDS[case]
    Path("m.toml").write_text(machine(tail=tail))
    told = refused(here, "recognise", "m.toml")
    for word in words:
        assert word in told


@pytest.mark.parametrize("verb", ["recognise", "show", "move", "simulate", "clash"])
def test_one_part_is_no_machine(verb: str, here: Here) -> None:
    Path("m.toml").write_text(machine().partition("[part.wheel]")[0])
    assert "frame is the only part of m" in refused(here, verb, "m.toml")


@pytest.mark.parametrize("verb", ["show", "move", "simulate"])
def test_nothing_can_move_where_all_is_fixed(verb: str, here: Here) -> None:
    Path("m.toml").write_text(machine(more="fixed = true"))
    assert "linkwork recognise m.toml" in refused(here, verb, "m.toml")


def test_a_part_without_a_mass_is_named(here: Here) -> None:
    Path("m.toml").write_text(machine())
    told = refused(here, "simulate", "m.toml")
    assert "m.toml:5: the part wheel has no mass" in told
    assert "[part.wheel]\n          mass = 1" in told


def test_a_part_without_a_mass_is_named_where_a_spring_acts_on_it(here: Here) -> None:
    """The line that is told makes the machine run."""
    Path("m.toml").write_text(machine(more="spring = { rest = 0, stiffness = 3 }"))
    told = refused(here, "simulate", "m.toml")
    assert "m.toml:5: the part wheel has no mass: nothing says how wheel.angle moves" in told
    line = "mass = 1   # or a density"
    assert f"[part.wheel]\n          {line}" in told
    Path("m.toml").write_text(machine(more=f"{line}\nspring = {{ rest = 0, stiffness = 3 }}"))
    assert here("simulate", "m.toml", "--until", "0.01").code == 0


def test_all_parts_without_a_mass_that_take_part_are_named(here: Here) -> None:
    """A rod on a crank's pin, with a spring on the crank."""
    frame = "translate([-9, -9, -3]) cube([18, 18, 2]); cylinder(d = 2, h = 2, center = true);"
    crank = (
        "difference() { translate([-3, -3, 0]) cube([16, 6, 2]); translate([0, 0, -1]) cylinder(d = 2, h = 9); }"
        "translate([10, 0, 1]) cylinder(d = 2, h = 3);"
    )
    rod = f"translate([10, 0, 2]) {WHEEL}"
    Path("m.toml").write_text(
        f"linkwork = 1\n[part.frame]\nfixed = true\nsolid = '{frame}'\n[part.crank]\nsolid = '{crank}'\n"
        f"spring = {{ rest = 0, stiffness = 3 }}\n[part.rod]\nsolid = '{rod}'\n"
    )
    told = refused(here, "simulate", "m.toml")
    assert "the parts crank, rod have no mass: nothing says how crank.angle, rod.angle" in told
    assert "[part.crank]\n          mass = 1" in told
    assert "[part.rod]\n          mass = 1" in told


def test_a_fix_for_a_cad_file_leads_by_a_machine_file(here: Here) -> None:
    """What cannot be written into a CAD file goes into a machine file of its parts; then it is read."""
    Path("m.scad").write_text(f"module frame() {{ {FRAME} }}\nframe();\ntranslate([30, 0, 0]) cube(3);")
    assert "linkwork recognise m.scad --parts -o m.toml" in refused(here, "recognise", "m.scad")
    assert here("recognise", "m.scad", "--parts", "-o", "m.toml").code == 0
    Path("m.toml").write_text(Path("m.toml").read_text() + '[joint]\n"frame/cube" = "fixed"\n')
    assert here("recognise", "m.toml").code == 0


def test_a_fix_names_parts_as_toml_does(here: Here) -> None:
    """Names from CAD files may have letters for which TOML wants quotes."""
    Path("m.toml").write_text(machine(tail='[part."Träger"]\nsolid = "translate([30, 0, 0]) cube(3);"\n'))
    assert '[part."Träger"]\n          free = true' in refused(here, "recognise", "m.toml")


# ------------------------------------------------------------------------------------------------ files

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACETS = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def stl(facets: list[tuple[int, int, int]], count: int | None = None) -> bytes:
    rows = [struct.pack("<12fH", 0, 0, 0, *(v for k in facet for v in CORNERS[k]), 0) for facet in facets]
    return bytes(80) + struct.pack("<I", len(facets) if count is None else count) + b"".join(rows)


def zipped(text: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("3D/3dmodel.model", text)
    return stream.getvalue()


ONE, HUGE = struct.pack("<f", 1.0), struct.pack("<f", 3e38)
TETRAHEDRON = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in FACETS)


def threemf(triangles: str, transform: str = "1 0 0 0 1 0 0 0 1 0 0 0") -> bytes:
    points = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in CORNERS)
    mesh = f"<mesh><vertices>{points}</vertices><triangles>{triangles}</triangles></mesh>"
    return zipped(
        f'<model><resources><object id="1">{mesh}</object></resources>'
        f'<build><item objectid="1" transform="{transform}"/></build></model>'.encode()
    )


FILES: dict[str, tuple[str, bytes, list[str]]] = {
    "an empty STEP": ("m.step", b"", ["m.step:1: this is no STEP file"]),
    "a binary STEP": ("m.stp", bytes(range(256)) * 9, ["this is no STEP file"]),
    "a binary text": ("m.scad", bytes(range(256)) * 9, ["m.scad: this file is not text", "UTF-8"]),
    "UTF-16": ("m.scad", "cube(1);".encode("utf-16"), ["this file is not text", "UTF-16"]),
    "an empty text": ("m.csg", b"", ["there is no solid in this text"]),
    "an include of itself": ("m.scad", b"include <m.scad>\ncube(1);", ["m.scad:1:1", "m.scad → m.scad"]),
    "Windows line ends": ("m.scad", b"\xef\xbb\xbfcube(1);\r\n\r\n  foo();\r\n", ["m.scad:3:3: there is no module"]),
    "a fault behind old line ends": ("m.scad", b"cube(1);\r  foo();\r", ["m.scad:2:3: there is no module"]),
    "an STL without triangles": ("m.stl", stl([]), ["has no triangles"]),
    "an open STL": ("m.stl", stl(FACETS[:3]), ["m.stl: m: this mesh does not enclose", "3 edges"]),
    "an edge of many triangles": ("m.stl", stl([*FACETS, (0, 1, 2)]), ["more than two triangles"]),
    "an STL cut off": ("m.stl", stl(FACETS)[:-20], ["cut off", "4 facets"]),
    "an STL that goes on": ("m.stl", stl(FACETS) + b"xyz", ["goes on behind its last facet", "3 bytes more"]),
    "a text for an STL": ("m.stl", b"module a() cube(3); a();" * 9, ["this is no STL file", "module a()"]),
    "an STL of light-years": ("m.stl", stl(FACETS).replace(ONE, HUGE), ["out of all measure", "1e+09"]),
    "a flat STL": ("m.stl", stl([(0, 2, 1), (0, 1, 2)]), ["enclose nothing"]),
    "an STL of milliards": ("m.stl", stl(FACETS, 4_000_000_000), ["cut off", "4000000000"]),
    "a 3MF that is none": ("m.3mf", b"hello", ["this is no 3MF file"]),
    "a 3MF that swells": ("m.3mf", zipped(b"<model>" + bytes(80_000_000) + b"</model>"), ["too large"]),
    "a 3MF without triangles": ("m.3mf", threemf(""), ["m.3mf: object 1: this mesh has no triangles"]),
    "a 3MF squeezed to a point": ("m.3mf", threemf(TETRAHEDRON, "0 " * 12), ["object 1", "a size of 0"]),
    "a 3MF blown up": ("m.3mf", threemf(TETRAHEDRON, "1e200 0 0 0 1e200 0 0 0 1e200 0 0 0"), ["out of all measure"]),
    "a drawing": ("m.dxf", b"0\nSECTION", ["files .dxf hold no solids", ".scad, .csg, .step"]),
    "a 3MF with entities": ("m.3mf", zipped(b'<!DOCTYPE m [<!ENTITY a "b">]><model>&a;</model>'), ["document type"]),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_machine(case: str, here: Here) -> None:
    name, content, words = FILES[case]
    Path(name).write_bytes(content)
    told = here("recognise", name)
    assert told.code == 3, told.err
    assert "Traceback" not in told.err
    for word in words:
        assert word in told.err


@pytest.mark.parametrize("name", ["m.scad", "m.stl", "m.3mf", "m.step", "m.toml"])
def test_a_device_that_never_ends_is_not_read_to_its_end(name: str, here: Here) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no such device here")
    Path(name).symlink_to("/dev/zero")
    told = here("recognise", name)
    assert told.code == 3, told.err
    assert "too large" in told.err or "more than" in told.err or "this is no STEP file" in told.err


@pytest.mark.parametrize("name", ["m.scad", "m.stl", "m.3mf", "m.step"])
def test_links_in_a_circle_are_told(name: str, here: Here) -> None:
    Path(name).symlink_to(name)
    told = here("recognise", name)
    assert told.code == 3, told.err
    assert "cannot be read" in told.err
    assert "Too many levels of symbolic links" in told.err


def test_files_that_draw_one_another_in(here: Here) -> None:
    Path("m.scad").write_text("include <n.scad>\ncube(1);")
    Path("n.scad").write_text("include <m.scad>\n")
    assert "m.scad → n.scad → m.scad" in refused(here, "recognise", "m.scad")


def test_names_in_another_encoding_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.scad"
    path.write_bytes('label("Größe") cube(1); // ß'.encode("latin-1"))
    assert [*lw.load(path).parts] == ["Größe"]


def test_of_a_mesh_is_told_what_it_is_known_by(here: Here) -> None:
    block = solid_mesh(read_scad("cube(2);"), deviation=0.1)
    above = solid_mesh(read_scad("translate([0, 0, 2]) cube(2);"), deviation=0.1)
    Path("m.3mf").write_bytes(threemf_bytes([MeshPart("a", block), MeshPart("b", above)]))
    assert "meshes are known by 24 flat sides" in refused(here, "recognise", "m.3mf")


def test_inches_have_the_right_size() -> None:
    """Two files of one machine, in inches and in millimetres, have the same joint."""
    pairs = [
        lw.recognise(lw.load(STEP_FILES / f"shaft_in_plate_{unit}.step")).pairs[0] for unit in ("inch", "mm")
    ]
    assert pairs[0].point == pytest.approx(pairs[1].point)
    assert pairs[0].clearance == pytest.approx(pairs[1].clearance)


@pytest.mark.parametrize("share", range(8))
def test_a_step_file_cut_anywhere_is_refused_in_words(share: int, tmp_path: Path) -> None:
    content = (STEP_FILES / "shaft_in_plate_mm.step").read_bytes()
    path = tmp_path / "m.step"
    for place in range(share, 200, 8):
        path.write_bytes(content[: len(content.rstrip()) * place // 200])
        with pytest.raises(LinkworkError, match=r"m\.step"):
            lw.load(path)


@pytest.mark.filterwarnings("ignore:.*(has no shape|is not placed|left out)")
@pytest.mark.parametrize("share", range(4))
def test_a_step_file_with_a_wrong_byte_is_read_or_refused_in_words(share: int, tmp_path: Path) -> None:
    content = (STEP_FILES / "shaft_in_plate_mm.step").read_bytes()
    path = tmp_path / "m.step"
    for place in range(share, 100, 4):
        at = len(content) * place // 100 + 7 * place % 11
        path.write_bytes(content[:at] + bytes([content[at] ^ (1 << place % 7)]) + content[at + 1 :])
        try:
            told = str(lw.load(path))
        except LinkworkError as error:
            told = str(error)
        assert "m.step" in told or "Machine m: 2 parts" in told
