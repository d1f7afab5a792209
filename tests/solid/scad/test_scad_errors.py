"""What is told of texts that are no solids: where, what is wrong, what is wanted; and no text takes for ever.

``UPDATE_GOLDEN=1 pytest tests/solid/scad/test_scad_errors.py`` writes the words anew; read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from linkwork.errors import LinkworkError, UsageError
from linkwork.solid.scad import ScadError, limits, read_scad, read_scad_file

HERE = Path(__file__).parent

BAD_TEXTS = r"""
cube(0);
cube([1, 0, 2]);
cube([1, 2]);
cube(-3);
cube("a");
cube(0/0);
cube([1, 2, 1/0]);
cube(size = 3, centre = true);
cube(1, true, 5);
sphere(r = 0);
sphere(d = -1);
cylinder(h = 0, r = 1);
cylinder(h = 5, r = 0);
cylinder(h = 5, r1 = -1, r2 = 2);
cylinder(h = undef + 1, r = 2);
cilinder(r = 1, h = 2);
nonsense();
text("hello");
import("part.stl");
surface(file = "map.dat");
projection() cube(1);
linear_extrude(2) text("a");
child(0);
cube(sine(30));
cube(lenght);
length = 3; cube(lenght);
cube(len);
cube(dxf_dim("a"));
translate([1, 2, "c"]) cube(1);
translate(5) cube(1);
rotate("x") cube(1);
scale(0) cube(1);
scale([1, 0, 1]) cube(1);
mirror(1) cube(1);
multmatrix([[1, 0], [0, 0, 0, 0]]) cube(1);
multmatrix([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]) cube(1);
multmatrix(3) cube(1);
color("rde") cube(1);
color(3) cube(1);
resize([-1, 0, 0]) cube(1);
square(3);
circle(2); cube(1);
cube(1); circle(2);
linear_extrude(3) cube(1);
linear_extrude(-3) square(1);
linear_extrude(3, 4) square(1);
linear_extrude(3) rotate([90, 0, 0]) square(1);
linear_extrude(3) polygon([[0, 0], [1, 0]]);
linear_extrude(3) polygon([[0, 0], [1, 0], [1, 1]], [[0, 1, 7]]);
linear_extrude(3) polygon([[0, 0], [1, 0], ["a", 1]]);
linear_extrude(3) polygon(3);
linear_extrude(3) polygon([[0, 0], [1, 0], [2, 0]]);
linear_extrude(3) minkowski() { difference() { circle(3); square(1); } difference() { circle(4); square(2); } }
rotate_extrude() square(2, center = true);
rotate_extrude(angle = 0) square(2);
polyhedron(points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces = [[0, 1, 2], [0, 3, 1], [1, 3, 2]]);
polyhedron(points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 0, 3]]);
polyhedron(points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 9]]);
hull() { difference() { cube(3); cube(1); } sphere(1); }
minkowski() { cube(1); rotate([45, 0, 0]) cube(1); }
offset(r = 1) cube(1);

// only a comment
*cube(1);
%cube(1);
if (false) cube(1);
difference() { cube(1);
difference() { group(); cube(1); }
intersection() { cube(1); translate([5, 0, 0]) cube(1); }
children();
label(3) cube(1);
label() cube(1);
thread(0) cylinder(d = 3, h = 9);
involute_gear(teeth = 2, modul = 1, h = 3);
involute_gear(teeth = 20, h = 3);
involute_gear(teeth = 20, modul = 1, h = 3, pressure_angle = 80);
rack(teeth = 1.5, modul = 1, h = 3);
cube(1
cube([1, 2, 3;
cube(1));
}
cube(1)
cube(1) sphere(2)
x = ;
x = 3
x + 1 = 2;
cube(1 2);
cube(1 = 2);
if cube(1);
for (i = [0:3] cube(i);
for ([0:3]) cube(1);
module m { cube(1); }
module 5() cube(1);
module if() cube(1);
function f(x) x + 1;
function f(x) = ;
let = 3;
a ? b : c;
cube(a ? 1);
cube("abc);
/* never closed
cube(1); /* neither
cube(1) @ 3;
cube(“1”);
cube(3 − 1);
include <other.scad>
use <other.scad>
assert(false); cube(1);
assert(1 > 2, "too small"); cube(1);
a = [1, 2, 3]; cube(a[5]);
r = "3" + 2; cylinder(h = 1, r = r);
module m(n) { cube(n); } m(size = 3);
module m(n) { cube(n); } m(1, 2);
function f(x) = x; cube(f(1, 2));
function f(x) = x; cube(f(y = 2));
x = 5; cube(x(3));
module a() b(); module b() c(); module c() cube(-1); a();
module m(n) { if (n > 0) difference() { m(n - 1); translate([n, 0, 0]) cube(1); } else cube(9); } m(5);
module m(n) { if (n > 0) intersection() { difference() { cube(99); m(n - 1); } cube(9); } else cube(1); } m(70);
rands(0, 1, 5); cube(1);
cube(rands(0, 1, 5)[0]);
cube(1e-320);
cube(1e308 * 10);
linear_extrude(1) circle(1e-320);
linear_extrude(1) square(1e300);
cube(5) sphere(3);
""".strip("\n").split("\n")


BOMBS = r"""
for (i = [0:1e9]) cube(i);
for (i = [0:0:1]) cube(1);
a = [each [3:0:-2]]; cube(1);
for (i = [0:1/0]) cube(1);
for (i = [1:100000]) translate([i, 0, 0]) cube(1);
for (i = [1:3000], j = [1:3000]) { a = i * j; }
a = [for (i = [0:1e7]) i]; cube(1);
a = [for (i = 0; true; i = i + 1) i]; cube(1);
a = [for (i = [1:2000]) [for (j = [1:2000]) i * j]]; cube(1);
function f(x) = f(x + 1); cube(f(0));
function f(x) = 1 + f(x + 1); cube(f(0));
function f(x) = [f(x), f(x)]; cube(f(0));
f = function (x) 1 + f(x + 1); cube(f(0));
function f(n) = n == 0 ? "ab" : str(f(n - 1), f(n - 1)); cube(len(f(40)));
function f(n) = n == 0 ? [1, 1] : concat(f(n - 1), f(n - 1)); cube(len(f(40)));
function f(n, v = [1]) = n == 0 ? v : f(n - 1, [v, v]); cube(f(60) == f(60) ? 1 : 2);
function f(n, v = [1]) = n == 0 ? v : f(n - 1, [v]); cube(len(str(f(5000))));
m = [for (i = [1:900]) [for (j = [1:900]) 1]]; p = m * m; cube(1);
module m() m(); m();
module m() { m(); m(); } m();
module m(n) { if (n > 0) { m(n - 1); m(n - 1); } else cube(1); } m(40);
module m() { translate([1, 0, 0]) m(); cube(1); } m();
module m(n) { translate([1, 0, 0]) rotate(1) children(); if (n > 0) m(n - 1) { m(n - 1); cube(1); } } m(30) cube(1);
""".strip("\n").split("\n")


def told(text: str) -> str:
    """What is told of a text, or that it is a solid after all."""
    try:
        solid = read_scad(text, name="part.scad")
    except ScadError as error:
        return str(error)
    return f"a solid: {type(solid).__name__}"


def check_words(texts: list[str], golden: Path) -> None:
    """The words for each text are those of the golden file."""
    found = "\n\n".join(f"===== {text}\n{told(text)}" for text in texts) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, "utf-8")
    assert found == golden.read_text("utf-8")


def test_words_are_those_agreed_upon() -> None:
    """Bad texts are told with their place, what was wanted and a fix."""
    check_words(BAD_TEXTS, HERE / "errors.txt")


@pytest.mark.parametrize("golden", ["errors.txt", "bombs.txt"])
def test_each_error_has_a_fix(golden: str) -> None:
    """Whatever is refused can be mended, and the error says how."""
    told_of = (HERE / golden).read_text("utf-8").split("===== ")[1:]
    refused = [words for words in told_of if "\na solid: " not in words]
    assert refused
    assert [words for words in refused if "\n  fix: " not in words] == []


def test_bombs_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops, recursions and growing values end with an error of ours; here the limits are lower, for speed."""
    monkeypatch.setattr(limits, "MOST_STEPS", 200_000)
    monkeypatch.setattr(limits, "MOST_SHAPES", 5_000)
    check_words(BOMBS, HERE / "bombs.txt")


@pytest.mark.slow
@pytest.mark.parametrize("text", BOMBS)
def test_bombs_end_at_the_real_limits(text: str) -> None:
    """So they do with the limits that users meet."""
    with pytest.raises(ScadError):
        read_scad(text)


def test_an_error_knows_its_place() -> None:
    """File, line and column are parts of the error, for --json too."""
    with pytest.raises(ScadError) as caught:
        read_scad("cube(1);\n  cube(0);\n", name="a.scad")
    error = caught.value
    assert (error.file, error.line, error.column, error.exit_code) == ("a.scad", 2, 8, 3)
    assert error.to_json()["column"] == 8
    assert isinstance(error, LinkworkError)


def test_only_files_beside_the_text_are_drawn_in(tmp_path: Path) -> None:
    """Neither absolute names, nor the folder above, nor links that lead there; nothing but files."""
    inner = tmp_path / "inner"
    (inner / "folder.scad").mkdir(parents=True)
    (tmp_path / "secret.scad").write_text("cube(1);")
    (inner / "link.scad").symlink_to(tmp_path / "secret.scad")
    for name in (
        "../secret.scad",
        str(tmp_path / "secret.scad"),
        "link.scad",
        "folder.scad",
        "C:\\a.scad",
        "",
        "a\0b",
    ):
        for word in ("include", "use"):
            with pytest.raises(ScadError) as caught:
                read_scad(f"{word} <{name}>\ncube(1);", folder=inner)
            assert caught.value.line == 1
            assert "secret" not in caught.value.got or "secret" in name


def test_files_in_a_circle(tmp_path: Path) -> None:
    """Files that draw one another in are told with their names."""
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{name}.scad").write_text(f"include <{other}.scad>\n")
    with pytest.raises(ScadError, match="in a circle") as caught:
        read_scad_file(tmp_path / "a.scad")
    assert caught.value.why == "a.scad → b.scad → c.scad → a.scad"


def test_files_without_an_end(tmp_path: Path) -> None:
    """Each file draws two in, so that there would be 2³⁰ of them."""
    for level in range(30):
        (tmp_path / f"{level}.scad").write_text(f"include <{level + 1}.scad>\n" * 2)
    (tmp_path / "30.scad").write_text("cube(1);")
    with pytest.raises(ScadError, match="more than 100 files"):
        read_scad_file(tmp_path / "0.scad")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file, a folder, a text that is too long, bytes that are no text."""
    with pytest.raises(ScadError, match=r"none\.scad: this file cannot be read: No such file"):
        read_scad_file(tmp_path / "none.scad")
    with pytest.raises(ScadError, match="Is a directory"):
        read_scad_file(tmp_path)
    (tmp_path / "long.scad").write_text(" " * (limits.MOST_CHARACTERS + 1))
    with pytest.raises(ScadError, match="more than 10,000,000 characters"):
        read_scad_file(tmp_path / "long.scad")
    (tmp_path / "bytes.scad").write_bytes(b"cube(1);\xff\xfe")
    with pytest.raises(ScadError, match="has no meaning here"):
        read_scad_file(tmp_path / "bytes.scad")


def test_what_is_no_text() -> None:
    """Other values of Python are a wrong call."""
    with pytest.raises(UsageError, match="is a string"):
        read_scad(b"cube(1);")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no value of OpenSCAD"):
        read_scad("cube(1);", variables={"a": object()})
