"""Collisions that are short beside the way: how deep, whatever the number of teeth, the size and the lie."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.collision import Clash

TIP, ROOT = 23.0, 20.0
ABOVE = 23.05
"""How far the pivot of the pawl is above the middle of the wheel."""


def ratchet(teeth: int, lie: str = "", long: float = TIP) -> str:
    """A wheel with sawteeth, the third of which may be longer, below a pawl whose edge leads into their circle."""
    corners = []
    for number in range(teeth):
        for radius, share in ((ROOT, 0.0), (long if number == 2 else TIP, 0.95)):
            angle = math.radians(7) + math.tau * (number + share) / teeth
            corners.append([radius * math.cos(angle), radius * math.sin(angle)])
    return f"""linkwork = 1
[part.frame]
fixed = true
solid = '''{lie} {{ translate([-40, -40, -8]) cube([90, 90, 4]); translate([0, 0, -5]) cylinder(d=6, h=14);
  translate([18, {ABOVE}, -5]) cylinder(d=4, h=14); }}'''
[part.wheel]
solid = '''{lie} difference() {{ linear_extrude(5) polygon({corners}); translate([0, 0, -1]) cylinder(d=6, h=9); }}'''
[part.pawl]
solid = '''{lie} translate([18, {ABOVE}, 0]) difference() {{
  union() {{ cylinder(d=8, h=5); linear_extrude(5) polygon([[0, -1.5], [0, 2], [-18, 1.5], [-18, -0.15]]); }}
  translate([0, 0, -1]) cylinder(d=4, h=9); }}'''
"""


def depth_of_tips(tip: float) -> float:
    """How far a tip comes behind the edge of the pawl, which is a line from (18, ABOVE - 1.5) to (0, ABOVE - 0.15)."""
    along = math.hypot(18, 1.35)
    return tip - (18 * (ABOVE - 1.5) + 18 * 1.35) / along


def struck(text: str, folder: Path) -> Clash:
    """How the wheel, which is driven, strikes the pawl."""
    file = folder / "ratchet.toml"
    file.write_text(text, "utf-8")
    found = lw.clash(lw.load(file))
    (clash,) = (
        each for each in found.clashes if each.parts == ("wheel", "pawl") and each.drive == "wheel_axis"
    )
    return clash


@pytest.mark.parametrize("teeth", [5, 12, 40])
def test_tips_are_as_deep_however_many_pass(teeth: int, tmp_path: Path) -> None:
    """Each tooth is in the pawl for a small part of a turn, as deep as its tip comes behind the pawl's edge."""
    clash = struck(ratchet(teeth), tmp_path)
    assert clash.depth == pytest.approx(depth_of_tips(TIP), rel=1e-4)
    assert clash.out is not None
    assert math.hypot(*clash.out) == pytest.approx(clash.depth, rel=2e-3)


def test_one_tooth_that_is_a_little_longer_is_the_deepest(tmp_path: Path) -> None:
    """Among forty teeth one is longer by a tenth of the depth."""
    long = TIP + 0.1 * depth_of_tips(TIP)
    assert struck(ratchet(40, long=long), tmp_path).depth == pytest.approx(depth_of_tips(long), rel=1e-4)


@pytest.mark.parametrize(
    ("lie", "size"),
    [
        ("rotate(37.3)", 1.0),
        ("rotate(11) mirror([1, 0, 0])", 1.0),
        ("scale(0.01)", 0.01),
        ("scale(300)", 300.0),
    ],
)
def test_depths_turn_and_mirror_with_the_machine_and_grow_with_it(
    lie: str, size: float, tmp_path: Path
) -> None:
    clash = struck(ratchet(12, lie), tmp_path)
    assert clash.depth == pytest.approx(size * depth_of_tips(TIP), rel=1e-4)
