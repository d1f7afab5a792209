"""Times are exact: coincidences come out as such, and turning a design or its rest angle changes no time."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from cases import diode, tee_aslant, tee_down
from exact import design_value
from flint import fmpq, fmpz_poly

from linkwork.fasten import Design, Obstacle, Pawl, Rest, fasten
from linkwork.fasten.algebraic import Root, real_roots, roots_between


def turned(design: Design, cosine: Fraction, sine: Fraction) -> Design:
    def turn(point: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        return cosine * point[0] - sine * point[1], sine * point[0] + cosine * point[1]

    return replace(
        design,
        obstacles=tuple(replace(each, poly=tuple(map(turn, each.poly))) for each in design.obstacles),
        pawls=tuple(replace(p, poly=tuple(map(turn, p.poly)), hinge=turn(p.hinge)) for p in design.pawls),
        p0=turn(design.p0),
        v=turn(design.v),
        root=tuple(map(turn, design.root)) if design.root else None,
    )


def resting_elsewhere(design: Design, half: Fraction, turns: int) -> Design:
    """The same design drawn with its pawls at another angle, to which they are turned at rest."""
    cosine, sine = (1 - half**2) / (1 + half**2), -2 * half / (1 + half**2)
    pawls = []
    for pawl in design.pawls:
        poly = tuple((cosine * x - sine * y, sine * x + cosine * y) for x, y in pawl.poly)
        pawls.append(replace(pawl, poly=poly, rest=Rest(half, turns)))
    return replace(design, pawls=tuple(pawls))


def events(design: Design) -> list[tuple[str, str, Any]]:
    found = fasten(design).to_json()
    return [
        (name, event["kind"], event["exact"])
        for name, pawl in found["pawls"].items()
        for event in pawl["events"]
    ]


def test_the_flush_hand_over_is_at_nine() -> None:
    found = fasten(design_value(tee_aslant("0"))).to_json(digits=30)
    hand_over = found["pawls"]["L"]["events"][2]
    assert hand_over["exact"] == {"poly": [-9, 1], "index": 0}
    assert hand_over["theta_from_digits"] == "-0.927295218001612232428512462922"  # -atan(4/3)


def test_a_time_is_the_root_of_its_polynomial() -> None:
    found = fasten(design_value(tee_down("0"))).to_json(digits=20)
    change = found["pawls"]["L"]["events"][1]
    assert change["exact"] == {"poly": [83, -20, 1], "index": 0}  # 10 - √17
    assert change["t_digits"] == "5.8768943743823394502"


@pytest.mark.parametrize("design", [tee_aslant("1/50"), tee_down("1/10"), diode(up=False), diode(up=True)])
def test_a_turned_design_keeps_its_times_exactly(design: dict[str, Any]) -> None:
    plain = design_value(design)
    assert events(turned(plain, Fraction(3, 5), Fraction(4, 5))) == events(plain)


@pytest.mark.parametrize("half", ["1/2", "2", "7", "-3", "1", "-1"])
@pytest.mark.parametrize("design", [tee_aslant("1/50"), diode(up=False)])
def test_another_rest_angle_keeps_the_times(design: dict[str, Any], half: str) -> None:
    """Also where the pawl winds past half a turn, and where it rests on the border of two charts."""
    plain = design_value(design)
    assert events(resting_elsewhere(plain, Fraction(half), 3)) == events(plain)


def square(x: int, y: int) -> tuple[tuple[Fraction, Fraction], ...]:
    corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    return tuple((Fraction(a), Fraction(b)) for a, b in corners)


def test_flush_sliding_past_a_corner_is_no_event() -> None:
    """A square pawl slides along squares that touch it all the way: nothing happens."""
    design = Design(
        tuple(Obstacle(f"o{k}", square(k, -1)) for k in range(6)),
        (Pawl("P", square(0, 0)),),
        (Fraction(-3), Fraction(0)),
        (Fraction(1), Fraction(0)),
        Fraction(12),
    )
    assert events(design) == []


def test_a_gap_without_clearance_lets_the_pawl_through() -> None:
    design = Design(
        (Obstacle("below", square(0, -1)), Obstacle("above", square(0, 1))),
        (Pawl("P", square(0, 0)),),
        (Fraction(-3), Fraction(0)),
        (Fraction(1), Fraction(0)),
        Fraction(12),
    )
    assert events(design) == []
    assert fasten(design).ending.cause == "end"


def test_a_square_that_meets_a_wall_head_on_jams_or_turns() -> None:
    """The hinge is at a corner: the other corner of the leading side slides along the wall."""
    wall = tuple((Fraction(x), Fraction(y)) for x, y in [(5, -9), (6, -9), (6, 9), (5, 9)])
    design = Design(
        (Obstacle("wall", wall),),
        (Pawl("P", square(0, 0)),),
        (Fraction(0), Fraction(0)),
        (Fraction(1), Fraction(0)),
        Fraction(9),
    )
    found = fasten(design)
    first = found.to_json()["pawls"]["P"]["events"][0]
    assert first["kind"] == "collide"
    assert first["exact"] == {"poly": [-4, 1], "index": 0}


def test_roots_are_all_found_in_order() -> None:
    poly = fmpz_poly([-1, 0, 1]) * fmpz_poly([-2, 0, 1]) * fmpz_poly([-2, 0, 1]) * fmpz_poly([1, 0, 1])
    assert [float(root) for root in real_roots(poly)] == pytest.approx([-(2**0.5), -1, 1, 2**0.5])
    assert [float(root) for root in roots_between(poly, fmpq(-1), fmpq(1))] == [-1.0, 1.0]


def test_equal_roots_of_different_polynomials_are_equal() -> None:
    first = real_roots(fmpz_poly([-2, 0, 1]))[1]
    roots = real_roots(fmpz_poly([-2, 0, 1]) * fmpz_poly([-3, 0, 0, 1]))  # -√2, √2, ∛3
    assert [first.compare(each) for each in roots] == [1, 0, -1]
    same = next(each for each in real_roots(fmpz_poly([-4, 0, 0, 0, 1])) if float(each) > 0)
    assert first.compare(same) == 0
    assert first.compare(Root.of(fmpq(665857, 470832))) == -1  # a convergent, 1.6e-12 above


def test_a_rest_angle_in_radians_gives_intervals_that_hold_the_times() -> None:
    design = tee_down("0")
    for each in design["pawls"]:
        each["rest"] = "0.001"
    found = fasten(design_value(design)).to_json(digits=40)
    for pawl in found["pawls"].values():
        assert pawl["events"]
        for event in pawl["events"]:
            assert "exact" not in event
            low, high = (Fraction(end) for end in event["interval"])
            assert low < high < low + Fraction(1, 10**27)
            assert low - Fraction(1, 10**29) < Fraction(event["t_digits"]) < high + Fraction(1, 10**29)
