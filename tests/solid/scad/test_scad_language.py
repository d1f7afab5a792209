"""The language: what texts echo is what OpenSCAD 2021.01 echoes (golden files by ``openscad_golden.py``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwork.solid.scad import ScadError
from linkwork.solid.scad.read import read_tree, read_tree_file
from linkwork.solid.scad.tree import Cube, Drum, Node, nodes_below

TEXTS = sorted((Path(__file__).parent / "language").glob("*.scad"))


def echoed(text: str, **variables: object) -> list[str]:
    """What a text echoes."""
    lines: list[str] = []
    read_tree(text, variables=variables, tell=lines.append)
    return [line.removeprefix("ECHO: ") for line in lines]


def shapes(text: str) -> list[Node]:
    """The shapes that a text asks for, in its order."""
    return [node for node in nodes_below(read_tree(text)) if isinstance(node, Cube | Drum)]


def sizes(text: str) -> list[float]:
    """The first edges of all cubes."""
    return [node.size[0] for node in shapes(text) if isinstance(node, Cube)]


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_echoes_are_those_of_openscad(text: Path) -> None:
    """Values print as OpenSCAD prints them, in the same order."""
    lines: list[str] = []
    read_tree_file(text, tell=lines.append)
    assert lines == text.with_suffix(".echo").read_text().splitlines()


def test_the_last_assignment_counts_everywhere_in_its_scope() -> None:
    """A variable has one value in its scope: that of its last assignment."""
    assert echoed("echo(a); a = 1; echo(a); a = 2;") == ["2", "2"]


def test_variables_from_outside_replace_assignments_at_the_top() -> None:
    """As with -D on OpenSCAD's command line."""
    assert echoed("a = 1; b = 2 * a; echo(a, b);", a=5) == ["5, 10"]
    assert echoed("echo(a, b, c, d);", a=True, b="x", c=[1, [2, 3]], d=None) == [
        'true, "x", [1, [2, 3]], undef'
    ]
    assert echoed("module m() { a = 3; echo(a); } m(); echo(a);", a=5) == ["3", "5"]


def test_modifiers() -> None:
    """* and % leave shapes out, # changes nothing, ! leaves all others out."""
    assert sizes("*cube(1); %cube(2); #cube(3); cube(4);") == [3, 4]
    assert sizes("cube(1); translate([1, 0, 0]) { cube(2); !cube(3); }") == [3]
    assert sizes("cube(1); !union() { cube(2); cube(3); }") == [2, 3]
    assert sizes("module m() { *children(0); children(1); } m() { cube(1); cube(2); }") == [2]


def test_children_that_are_disabled_are_not_counted() -> None:
    """$children and the places of children leave out those with *."""
    assert echoed("module m() echo($children); m() { cube(1); *cube(2); %cube(3); }") == ["2"]
    assert sizes("module m() children(1); m() { cube(1); *cube(2); cube(3); }") == [3]


def test_if_without_an_else_is_nothing() -> None:
    """What a false condition leaves out is not even an empty first solid of a difference."""
    assert sizes("difference() { if (false) cube(1); cube(2); cube(3); }") == [2, 3]


@pytest.mark.parametrize(
    ("sides", "corners"),
    [("0", 0), ("1", 3), ("2", 3), ("3", 3), ("5.9", 5), ("23", 23), ("24", 0), ("100", 0), ("-4", 0)],
)
def test_few_sides_are_corners_and_many_are_round(sides: str, corners: int) -> None:
    """$fn below 24 means a prism; from 24 on, and without it, a cylinder."""
    (drum,) = shapes(f"cylinder(r = 1, h = 1, $fn = {sides});")
    assert isinstance(drum, Drum)
    assert drum.sides == corners


def test_names_with_a_dollar_reach_what_is_called() -> None:
    """$fn given to a module, set in a block or in a module, reaches the shapes inside."""
    for text in (
        "$fn = 6; cylinder(r = 1, h = 1);",
        "union($fn = 6) cylinder(r = 1, h = 1);",
        "module m() cylinder(r = 1, h = 1); m($fn = 6);",
        "module m() { $fn = 6; children(); } m() cylinder(r = 1, h = 1);",
        "group() { $fn = 6; cylinder(r = 1, h = 1); }",
        "let ($fn = 6) cylinder(r = 1, h = 1);",
    ):
        (drum,) = shapes(text)
        assert isinstance(drum, Drum)
        assert drum.sides == 6, text


def test_a_module_of_the_text_goes_before_one_that_is_built_in() -> None:
    """People name their modules as they like."""
    assert sizes("module sphere(r) cube(r); sphere(4);") == [4]
    assert sizes("module gear(n) { cube(n); } gear(7);") == [7]


def test_a_mark_that_does_nothing_in_openscad_is_a_mark_here() -> None:
    """A text that defines label to pass its children on is read with the label."""
    from linkwork.solid.scad.tree import Marked

    tree = read_tree('module label(name) { children(); } label("pin") cube(1);')
    (mark,) = (node for node in nodes_below(tree) if isinstance(node, Marked))
    assert mark.label == "pin"


def test_used_files_give_modules_and_included_ones_all(tmp_path: Path) -> None:
    """include takes over variables and shapes too; use does not."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.scad").write_text("include <b.scad>\nsize = 3; module m() cube(size); cube(50);")
    (tmp_path / "lib" / "b.scad").write_text("size = 2; module n() cube(size + 1);")
    for word, expected in (("use", [3, 4]), ("include", [50, 8, 9])):
        main = tmp_path / f"{word}.scad"
        main.write_text(f"{word} <lib/a.scad>\nsize = 8; m(); n();")
        found = [node.size[0] for node in nodes_below(read_tree_file(main)) if isinstance(node, Cube)]
        assert found == expected, word


def test_our_own_library_is_not_opened() -> None:
    """``use <linkwork.scad>`` is for OpenSCAD: what it defines is built in."""
    assert sizes("use <linkwork.scad>\ngear() cube(2);") == [2]


def test_calls_in_last_place_take_no_depth() -> None:
    """A function that ends with a call of itself may do so a hundred thousand times."""
    text = "function f(n, sum = 0) = n == 0 ? sum : let (m = n - 1) f(m, sum + n); echo(f(100000));"
    assert echoed(text) == ["5.00005e+9"]


def test_recursion_may_be_deep() -> None:
    """Deeper than Python's own stack."""
    assert echoed("function f(n) = n == 0 ? 0 : 1 + f(n - 1); echo(f(4000));") == ["4000"]
    assert len(sizes("module m(n) { cube(1); if (n > 1) translate([1, 0, 0]) m(n - 1); } m(1500);")) == 1500


def test_brackets_may_be_nested_deeply() -> None:
    """So may blocks, vectors and chains of operators."""
    assert echoed(f"echo({'(' * 3000}1{')' * 3000});") == ["1"]
    assert echoed(f"echo({'+'.join(['1'] * 5000)});") == ["5000"]
    assert echoed("echo(" + "true ? 1 : " * 3000 + "2);") == ["1"]
    assert sizes("union() {" * 3000 + "cube(1);" + "}" * 3000) == [1]
    assert sizes("translate([0, 0, 0]) " * 3000 + "cube(1);") == [1]
    assert sizes("if (false) cube(1); else " * 2000 + "cube(2);") == [2]


def test_a_name_that_nothing_defines_is_an_error_unless_one_asks() -> None:
    """OpenSCAD warns and goes on with undef; here that would be a wrong solid. Names with a dollar may be missing."""
    with pytest.raises(ScadError, match="nothing here is called 'lenght'"):
        echoed("length = 3; echo(lenght);")
    assert echoed("echo(is_undef(nothing), is_undef($nothing), $nothing);") == ["true, true, undef"]
