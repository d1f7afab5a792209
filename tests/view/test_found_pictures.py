"""What recognition, clash and fasten found, seen: in a notebook, as columns, as words, as pictures."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

import linkwork
from linkwork.cli.app import app

SWING = """
linkwork = 1
[part.frame]
fixed = true
solid = '''
translate([-20, -20, -2]) cube([40, 40, 2]);
cylinder(d = 4, h = 12);
translate([10, -2, 0]) cube([4, 4, 12]);
'''
[part.arm]
solid = '''
translate([0, 0, 4]) difference() {
  translate([-16, -3, 0]) cube([20, 6, 2]);
  cylinder(d = 4, h = 9, center = true);
}'''
density = 1
"""


@pytest.fixture(scope="module")
def swing(tmp_path_factory: pytest.TempPathFactory) -> linkwork.Machine:
    path = tmp_path_factory.mktemp("swing") / "swing.toml"
    path.write_text(SWING)
    return linkwork.load(path)


def results(machine: linkwork.Machine) -> list[Any]:
    return [linkwork.recognise(machine), linkwork.clash(machine)]


def test_results_have_columns_words_and_a_look(swing: linkwork.Machine) -> None:
    for found in results(swing):
        rows = {len(column) for column in found.to_frame().values()}
        assert rows == {1}
        assert "\n" not in repr(found)
        assert "arm" in str(found)
        assert "<svg" in found._repr_html_()
        assert Image.open(BytesIO(found.plot(format="png").content)).size == (960, 600)


def test_the_deepest_place_of_a_clash_is_drawn(swing: linkwork.Machine) -> None:
    """The arm's end meets the post on the other side, after half a turn: the mark says how deep."""
    (clash,) = linkwork.clash(swing).clashes
    picture = linkwork.clash(swing).plot().content.decode()
    assert f"{clash.depth:.4g} deep" in picture
    assert "frame and arm collide" in picture


def test_clash_writes_a_picture(tmp_path: Path) -> None:
    (tmp_path / "swing.toml").write_text(SWING)
    out = tmp_path / "clash.png"
    ran = CliRunner().invoke(app, ["clash", str(tmp_path / "swing.toml"), "-o", str(out)])
    assert ran.exit_code == 0
    assert Image.open(BytesIO(out.read_bytes())).size == (960, 600)


def test_a_machine_in_which_nothing_collides_is_drawn_as_it_stands() -> None:
    assert "nothing collides in engine" in linkwork.clash(linkwork.load("engine")).plot().content.decode()


@pytest.mark.parametrize("name", ["two-pawl-tee", "folding-hook", "cantilever-hook"])
def test_a_fastening_has_columns_words_and_a_look(name: str) -> None:
    found = linkwork.fasten(linkwork.load_design(name))
    frame = found.to_frame()
    assert frame["t"] == sorted(frame["t"])
    assert set(frame["pawl"]) <= set(found.pawls)
    assert repr(found).startswith(f"Fastening {name}: ")
    assert all(f"pawl {pawl}" in str(found) for pawl in found.pawls)
    assert "<svg" in found._repr_html_()


def test_solids_of_no_machine_have_words_and_no_picture() -> None:
    from linkwork.solid import Block, Cylinder

    plate = Block((8, 8, 1)).moved((-4, -4, -2)) | Cylinder(0.5, 3).moved((0, 0, -1.5))
    found = linkwork.recognise_solids({"plate": plate, "wheel": Cylinder(3, 1) - Cylinder(0.5, 1)}, "plate")
    assert "revolute  plate and wheel" in found._repr_html_()
    with pytest.raises(linkwork.LinkworkError, match="nothing to draw"):
        found.plot()
