"""All directions of pulling apart: gaps that are narrower than any even spacing are found."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from linkwork.fasten import Design, Obstacle, Pawl, fasten, look_around
from linkwork.fasten.around import critical_directions
from linkwork.fasten.design import Polygon


def polygon(*corners: tuple[str, str]) -> Polygon:
    """From texts."""
    return tuple((Fraction(x), Fraction(y)) for x, y in corners)


def slot(clearance: str) -> Design:
    """A square root that is pushed into a slot which leans by 3 : 4 : 5, with a clearance on each side."""
    room = Fraction(clearance)
    along, across = (Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5))

    def at(a: Fraction, b: Fraction) -> tuple[Fraction, Fraction]:
        return along[0] * a + across[0] * b, along[1] * a + across[1] * b

    def box(low: Fraction, high: Fraction, left: Fraction, right: Fraction) -> Polygon:
        return at(low, left), at(high, left), at(high, right), at(low, right)

    one, deep = Fraction(1), Fraction(8)
    walls = (
        Obstacle("left", box(-deep, Fraction(0), one + room, one * 9)),
        Obstacle("right", box(-deep, Fraction(0), -one * 9, -one - room)),
        Obstacle("end", box(-deep - 1, -deep, -one * 9, one * 9)),
    )
    start = at(Fraction(2), Fraction(0))
    pawl = Pawl("P", box(-one / 2, one / 2, -one / 2, one / 2))
    return Design(walls, (pawl,), start, (-along[0], -along[1]), Fraction(8), root=box(-one, one, -one, one))


@pytest.mark.parametrize(("clearance", "width"), [("0", 0.0), ("1/1000", 2 * math.atan(0.002 / 7))])
def test_a_narrow_way_out_is_found(clearance: str, width: float) -> None:
    """A body comes out of a slot without clearance along the slot only; with clearance in a few directions more."""
    found = fasten(slot(clearance))
    around = look_around(found, 12)
    assert len(around.arcs) == 1
    low, high = around.arcs[0]
    assert low <= math.atan2(4, 3) + 1e-9
    assert high >= math.atan2(4, 3) - 1e-9
    assert high - low <= width + 3e-3 if width else high - low <= 3e-6
    assert around.is_complete


def test_critical_directions_are_those_of_edges_and_of_vertices_at_each_other() -> None:
    """Two squares of side 1, two apart: all differences of their vertices, and the four directions of edges."""
    square = polygon(("0", "0"), ("1", "0"), ("1", "1"), ("0", "1"))
    block = tuple((x + 3, y) for x, y in square)
    design = Design(
        (Obstacle("B", block),),
        (),
        (Fraction(0), Fraction(0)),
        (Fraction(0), Fraction(1)),
        Fraction(1),
        root=square,
    )
    directions, is_complete = critical_directions(fasten(design))
    wanted = {(3 + i, j - 1) for i in (-1, 0, 1) for j in (-1, 0, 1)}
    slopes = {Fraction(y) / x for x, y in wanted}
    assert is_complete
    assert {y / x for x, y in directions if x > 0 and y != 0} == slopes - {0}
    assert {(1, 0), (-1, 0), (0, 1), (0, -1)} <= set(directions)
