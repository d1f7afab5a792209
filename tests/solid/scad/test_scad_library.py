"""The file that OpenSCAD needs for texts with our marks and gears: it defines what is built in here."""

from __future__ import annotations

import re

import pytest

from linkwork.solid import Prism
from linkwork.solid.scad import OPENSCAD_LIBRARY, read_scad
from linkwork.solid.scad.modules import MARKS, MODULES

LIBRARY = OPENSCAD_LIBRARY.read_text("utf-8")


def as_openscad_reads(text: str) -> float:
    """The area of the outline that the library's own modules give, under other names."""
    renamed = re.sub(r"\b(involute_gear|rack)\b", r"their_\1", LIBRARY + text)
    solid = read_scad(renamed)
    assert isinstance(solid, Prism)
    return solid.region.area


@pytest.mark.parametrize(
    "text",
    [
        "involute_gear(teeth = 24, modul = 2, h = 3);",
        "involute_gear(teeth = 40, modul = 1.5, h = 3, backlash = 0.1);",
        "involute_gear(teeth = 30, modul = 2, h = 3, shift = 0.3);",
        "involute_gear(teeth = 40, modul = 2, h = 3, internal = true);",
        "rack(teeth = 5, modul = 2, h = 3);",
        "rack(teeth = 5, modul = 2, h = 3, width = 7, backlash = 0.2);",
    ],
)
def test_gears_look_the_same_in_openscad(text: str) -> None:
    """The outlines of the library are those of linkwork, but for chords and roots."""
    solid = read_scad(text)
    assert isinstance(solid, Prism)
    assert as_openscad_reads(text) == pytest.approx(solid.region.area, rel=0.01)


def test_the_library_defines_what_openscad_lacks() -> None:
    """All marks, and the modules with teeth, with the parameters that they have here."""
    defined = dict(re.findall(r"^module (\w+)\((.*?)\) \{", LIBRARY, re.MULTILINE))
    assert {*MARKS, "involute_gear", "rack"} <= defined.keys()
    for name in (*MARKS, "involute_gear", "rack"):
        words = re.findall(r"(\w+)(?: = [^,]+)?(?:,|$)", defined[name])
        assert {*words} <= {*MODULES[name].ordered, *MODULES[name].named}, name


def test_gears_without_a_height_are_plane() -> None:
    """So that they can be cut before they are drawn into space."""
    bored = read_scad("linear_extrude(2) difference() { involute_gear(teeth = 20, modul = 1); circle(3); }")
    assert isinstance(bored, Prism)
    assert len(bored.region.loops) == 2


def test_the_module_may_be_called_by_its_name() -> None:
    """module = is no valid OpenSCAD, but what people write."""
    assert read_scad("involute_gear(20, module = 2, h = 1);") == read_scad("involute_gear(20, m = 2, h = 1);")
