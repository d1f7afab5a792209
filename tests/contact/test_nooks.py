"""A pile of bodies with hollows that comes to rest in a valley: no part goes into another."""

from __future__ import annotations

from overlaps import CHORD, deepest_overlap

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.model.read import machine_from_text

PILE = """
linkwork = 1
gravity = [1.1362850334961685, -10]
[part.ground]
fixed = true
solid = '''linear_extrude(1) polygon([[-6,4],[0,0],[6,4],[6,-1],[-6,-1]]);
  translate([-6,4,0]) cube([.5,8,1]);translate([5.5,4,0]) cube([.5,8,1]);'''
[part.bar]
free = true
density = 2.976
solid = '''translate([0.7629119054868267,1.0,0]) rotate(308.8810699999409)
  linear_extrude(1) polygon([
  [-0.3561203298513458, -0.14244813194053832],
  [0.3561203298513458, -0.14244813194053832],
  [0.3561203298513458, 0.14244813194053832],
  [-0.3561203298513458, 0.14244813194053832]]);'''
[part.small_tee]
free = true
density = 0.631
solid = '''translate([-1.3147405040190459,2.8,0]) rotate(198.3770213401273)
  linear_extrude(1) polygon([
  [-0.46970909194212246, 0.28182545516527346],
  [-0.46970909194212246, 0.14091272758263673],
  [-0.07045636379131837, 0.14091272758263673],
  [-0.07045636379131837, -0.46970909194212246],
  [0.07045636379131837, -0.46970909194212246],
  [0.07045636379131837, 0.14091272758263673],
  [0.46970909194212246, 0.14091272758263673],
  [0.46970909194212246, 0.28182545516527346]]);'''
[part.star]
free = true
density = 1.681
solid = '''translate([-1.0046577263671523,4.6,0]) rotate(312.8274781429445)
  linear_extrude(1) polygon([
  [0.3912, 0.0],
  [0.5533, 0.5533],
  [0.0, 0.3912],
  [-0.5533, 0.5533],
  [-0.3912, 0.0],
  [-0.5533, -0.5533],
  [-0.0, -0.3912],
  [0.5533, -0.5533]]);'''
[part.tee]
free = true
density = 0.766
solid = '''translate([0.5789208060955953,6.4,0]) rotate(5.4053424070308065)
  linear_extrude(1) polygon([
  [-0.7148757152200308, 0.4289254291320185],
  [-0.7148757152200308, 0.21446271456600924],
  [-0.10723135728300462, 0.21446271456600924],
  [-0.10723135728300462, -0.7148757152200308],
  [0.10723135728300462, -0.7148757152200308],
  [0.10723135728300462, 0.21446271456600924],
  [0.7148757152200308, 0.21446271456600924],
  [0.7148757152200308, 0.4289254291320185]]);'''
"""
RATES = {
    "bar.x": 1.553865100244186,
    "bar.angle": 0.8400352873295738,
    "bar.y": -0.6408729217327791,
    "small_tee.x": 4.4569956730492635,
    "small_tee.angle": 1.899415066915001,
    "small_tee.y": 2.497237922417198,
    "star.x": 9.223547576731663,
    "star.angle": 1.6853083733709768,
    "star.y": 1.6931580786184095,
    "tee.x": -10.390256954505684,
    "tee.angle": -1.516869128923182,
    "tee.y": 0.8781470988577319,
}


def test_a_tip_that_comes_to_rest_in_a_nook_stays_before_both_its_sides() -> None:
    """The tee turns about one point of the star, straight behind a tip of it in a nook, which hardly holds it.

    What brings the motion onto such a contact must not move it along by more than rounding.
    """
    machine = machine_from_text(PILE, "pile.toml", "pile")
    solution = simulate(machine, 3, step=0.02, contact="rigid", laws=Laws(Law(friction=0.1)), rates=RATES)
    assert isinstance(solution, ContactSolution)
    assert solution.status == "complete", solution.why
    depth, where = deepest_overlap(solution, range(0, 151, 3))
    assert depth <= 1.1 * CHORD, where
