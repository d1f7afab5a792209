"""Features of prisms in space: the same however they are turned; and those of arcs are those of cylinders."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.contact.boundary import Boundary
from linkwork.contact.features import CORNER, EDGE, PIPE, RIM, features_of
from linkwork.model.read import machine_from_text
from linkwork.model.solids import part_solids

ANGLE = "linear_extrude(2) polygon([[0, 0], [3, 0], [3, 1], [1, 1], [1, 2.5], [0, 2.5]]);"
COMB = """linear_extrude(2)
  polygon([[0, 0], [3, 0], [3, 1], [2, 1.2], [1.9, 3], [1, 2.5], [1, 1.1], [0.3, 2.5], [0, 2.4]]);"""
STADIUM = "hull() { cylinder(d=1, h=2); translate([3, 0, 0]) cylinder(d=2, h=2); }"
CRESCENT = "linear_extrude(1) difference() { circle(2); translate([1, 0]) circle(1.9); }"
SPANNER = """linear_extrude(2) difference() {
  union() { circle(2); translate([0, -0.5]) square([4, 1]); } circle(0.7); translate([4.2, 0]) circle(0.6);
}"""


def kinds(solid: str) -> Counter[str]:
    """How many corners, straight edges, sides and hollows a solid has."""
    machine = machine_from_text(f"linkwork = 1\n[part.a]\nsolid = '''{solid}'''\n", "a.toml", "a")
    found = features_of(Boundary.of(part_solids(machine)["a"]))
    return Counter(
        "hollow" if each.kind == PIPE else ("corner", "edge")[each.kind] if not each.radius else "side"
        for each in found
        if each.kind in (CORNER, EDGE, PIPE)
    )


@pytest.mark.parametrize(
    ("solid", "wanted"),
    [
        (ANGLE, {"corner": 12, "edge": 17}),  # six sides, one of the upright edges looks inwards
        (COMB, {"corner": 18, "edge": 25}),  # nine sides, two such edges
        (CRESCENT, {"corner": 4, "edge": 2, "side": 1, "hollow": 1}),
        (SPANNER, {"corner": 8, "edge": 6, "side": 1, "hollow": 2}),
    ],
)
def test_prisms_have_the_same_edges_however_they_are_turned(solid: str, wanted: dict[str, int]) -> None:
    rng = random.Random(3)
    for _ in range(12):
        angles = [rng.uniform(0, 360) for _ in range(3)]
        assert kinds(f"rotate({angles}) {{ {solid} }}") == wanted


def test_where_a_side_goes_over_into_an_arc_there_is_no_edge() -> None:
    for angles in ([0, 0, 0], [20, 130, 77], [271, 3, 45]):
        found = kinds(f"rotate({angles}) {{ {STADIUM} }}")
        assert (found["edge"], found["side"]) == (
            4,
            2,
        )  # two straight sides, each with an edge above and below


def rims(solid: str) -> Counter[tuple[float, ...]]:
    """All arcs of a solid's rims: where they look, how far they reach, on which side they cross."""
    machine = machine_from_text(f"linkwork = 1\n[part.a]\nsolid = '''{solid}'''\n", "a.toml", "a")
    found = [each for each in features_of(Boundary.of(part_solids(machine)["a"])) if each.kind == RIM]
    return Counter(
        tuple(np.round([*each.point, *each.ways[0], each.length, each.side], 7) + 0.0) for each in found
    )


@pytest.mark.parametrize("solid", ["cylinder(r=2, h=1);", "cylinder(r1=2, r2=1, h=1);", SPANNER])
def test_rims_are_cut_the_same_way_however_they_are_turned_or_mirrored(solid: str) -> None:
    """A disc that lies flat stands on the middles of its arcs: the forces of an image are those of an image."""
    drawn = rims(solid)
    for placed, linear in (
        ("rotate([0, 0, 90]) rotate([0, 90, 0])", [[0, -1, 0], [0, 0, 1], [-1, 0, 0]]),
        ("mirror([1, 0, 0])", np.diag([-1, 1, 1])),
        ("mirror([1, -1, 0])", [[0, 1, 0], [1, 0, 0], [0, 0, 1]]),
    ):
        by = np.array(linear, float)
        wanted = Counter(
            {(*(by @ key[:3] + 0.0), *(by @ key[3:6] + 0.0), *key[6:]): n for key, n in drawn.items()}
        )
        assert rims(f"{placed} union() {{ {solid} }}") == wanted


def test_a_rim_of_less_than_a_degree_is_one() -> None:
    """Arcs end where other faces cross them, not at places of a grid."""
    sector = "intersection() { cylinder(r=100, h=1); translate([50, -0.4, -1]) cube([60, 0.8, 3]); }"
    found = rims(sector)
    assert sum(found.values()) == 4  # above and below, and of each the other side of what it crosses
    assert {key[6] for key in found} == {round(math.cos(math.asin(0.4 / 100)), 7)}


def thrown(ground: str, start: tuple[float, float, float], rates: dict[str, float]) -> ContactSolution:
    text = f"""linkwork = 1
gravity = [0, -10, 0]
[part.ground]
fixed = true
solid = '''{ground}'''
[part.ball]
free = true
density = 1
solid = '''translate({list(start)}) sphere(r=0.4);'''
"""
    machine = machine_from_text(text, "ball.toml", "ball")
    law = Laws(Law(friction=0.2, restitution=0.5))
    found = simulate(machine, 1.5, step=0.05, contact="rigid", rates=rates, laws=law)
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


@pytest.mark.parametrize(
    ("prism", "cylinder"),
    [
        (
            "translate([0, 0, -4]) hull() { cylinder(r=2, h=8); translate([0, -5, 0]) cylinder(r=2, h=8); }",
            "translate([0, 0, -4]) { cylinder(r=2, h=8); translate([-2, -5, 0]) cube([4, 5, 8]); }",
        ),
        (
            "translate([0, 0, -4]) linear_extrude(8) difference() { translate([-4, -4]) square([8, 6]);"
            " translate([0, 2.5]) circle(3); }",
            "translate([0, 0, -4]) difference() { translate([-4, -4, 0]) cube([8, 6, 8]);"
            " translate([0, 2.5, -1]) cylinder(r=3, h=10); }",
        ),
    ],
    ids=["round", "hollow"],
)
def test_a_ball_meets_the_arc_of_a_prism_as_it_meets_a_cylinder(prism: str, cylinder: str) -> None:
    rates = {"ball.x": 0.3, "ball.z": 0.5}
    one, other = (thrown(ground, (0.5, 3.5, 0.0), rates) for ground in (prism, cylinder))
    assert one.events
    assert [event["kind"] for event in one.events] == [event["kind"] for event in other.events]
    for name in ("ball.x", "ball.y", "ball.z"):
        assert one.columns[name] == pytest.approx(other.columns[name], abs=1e-6)
    assert np.diff(one.columns["energy"]).max() <= 1e-8 * one.columns["kinetic"].max()
