"""Collisions over the travel of a joint, against closed forms."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.recognition import RecognitionError

ARM_AND_POST = """
linkwork = 1

[part.frame]
fixed = true
solid = '''
translate([-50, -50, -10]) cube([100, 300, 5]);
translate([0, 0, -6]) cylinder(d=5, h=60);
translate([0, {radius}, -6]) cylinder(d={post}, h=60);
'''

[part.arm]
solid = '''
difference() {{
  rotate({turned}) translate([-5, {low}, 0]) cube([{length}, {width}, {height}]);
  translate([0, 0, -1]) cylinder(d=5, h=90);
}}
'''
"""


def machine(folder: Path, **sizes: float) -> lw.Machine:
    """An arm that swings about z, drawn along x, and a post beside its axis."""
    file = folder / "arm.toml"
    file.write_text(ARM_AND_POST.format(low=-sizes["width"] / 2, **{"turned": 0.0, **sizes}), "utf-8")
    return lw.load(file)


@pytest.mark.parametrize("height", [4, 40])
@pytest.mark.parametrize(
    ("radius", "post", "width", "length"), [(30, 6, 6, 45), (190, 2, 6, 205), (60, 4, 10, 90)]
)
def test_an_arm_strikes_a_post_where_their_sides_meet(
    radius: float, post: float, width: float, length: float, height: float, tmp_path: Path
) -> None:
    """They touch where the post's axis is half the post and half the arm's width beside the arm's middle."""
    found = lw.clash(machine(tmp_path, radius=radius, post=post, width=width, length=length, height=height))
    (clash,) = found.clashes
    half = math.asin((post + width) / 2 / radius)
    assert clash.parts == ("ground", "arm")
    assert clash.at == pytest.approx(math.pi / 2 - half, abs=2e-3)
    assert clash.until == pytest.approx(math.pi / 2 + half, abs=2e-3)
    assert clash.at < clash.deepest_at < clash.until
    assert 0 < clash.depth <= max(post, width) / 2  # how far a point of one is from the surface of the other


def test_nothing_is_struck_out_of_reach(tmp_path: Path) -> None:
    far = machine(tmp_path, radius=48, post=6, width=6, length=45, height=4)
    assert not lw.clash(far).clashes


def test_thin_parts_in_one_another_are_refused(tmp_path: Path) -> None:
    """A post as thick as the arm is wide stands in it, far from any point that is looked at on the whole arm."""
    arm = machine(tmp_path, radius=190, post=2, width=2, length=205, height=4, turned=90)
    with pytest.raises(RecognitionError, match="overlap where they are drawn") as caught:
        lw.recognise(arm)
    assert "frame and arm" in str(caught.value)
