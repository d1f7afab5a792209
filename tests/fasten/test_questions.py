"""Questions about a whole design: is it a diode, what friction changes, what can happen, what do tolerances do."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from cases import diode, tee_down
from exact import design_value

from linkwork.errors import LinkworkError
from linkwork.fasten import (
    Obstacle,
    Tolerances,
    check,
    classify,
    design_from_text,
    design_to_text,
    fasten,
    history,
    load_design,
    pull,
    spread,
    uncertainty,
)
from linkwork.fasten.around import Around, on_circle
from linkwork.fasten.cut import drawn_share, lengthened
from linkwork.fasten.diode import critical_friction, look_around, time_to_part
from linkwork.fasten.uncertainty import outcome_of

BUMP = {
    "b": [("-5", "0"), ("-5", "-2"), ("-4", "-1"), ("2", "-1"), ("2", "8"), ("1", "8"), ("1", "0")],
    "d": [("-5", "0"), ("-5", "-1"), ("2", "-1"), ("2", "8"), ("1", "8"), ("1", "0")],
}
HOOK = [["-1/4", "1/4"], ["-1/4", "-6"], ["5/4", "-4"], ["1/4", "-17/4"], ["1/4", "1/4"]]


def figure_seven(letter: str, mu: str, with_c: bool) -> dict[str, Any]:
    """The paper's figure 7, in the coordinates of an independent reconstruction (b and d)."""
    obstacles = [{"name": letter, "poly": BUMP[letter]}]
    if with_c:
        obstacles.append(
            {"name": "c", "poly": [["-29/4", "3"], ["-25/4", "3"], ["-25/4", "9"], ["-29/4", "9"]]}
        )
    return {
        "obstacles": obstacles,
        "root": [["-6", "0"], ["3/4", "0"], ["3/4", "2"], ["-6", "2"]],
        "pawls": [{"name": "P", "poly": HOOK, "hinge": ["-23/4", "0"], "k": "1"}],
        "p0": ["0", "10"],
        "v": ["0", "-1"],
        "duration": "17/2",
        "mu": mu,
    }


@pytest.mark.parametrize(
    ("letter", "mu", "with_c", "kind", "extent"),
    [
        ("b", "1/10", False, "kinematic", "relative"),
        ("b", "1/10", True, "kinematic", "total"),
        ("d", "1/2", False, "friction", "relative"),
        ("d", "1/2", True, "friction", "total"),
    ],
)
def test_figure_seven_is_classified(letter: str, mu: str, with_c: bool, kind: str, extent: str) -> None:
    found = fasten(design_value(figure_seven(letter, mu, with_c)))
    back = (Fraction(0), Fraction(1))
    assert not pull(found, back).comes_apart
    assert pull(found, back, Fraction(0)).comes_apart == (kind == "friction")
    around = look_around(found, 24)
    free = around.arcs_without_friction if kind == "kinematic" else around.arcs
    assert (free == ()) == (extent == "total")


def test_the_tee_is_a_force_diode_without_friction_and_a_friction_diode_with_much() -> None:
    little = classify(design_value(tee_down("0")), total=False)
    assert (little.kind, little.extent) == ("force", "relative")
    assert little.ratio == pytest.approx(0.052556743559 / 0.034806708013, rel=1e-6)
    much = classify(design_value(tee_down("3/5")), total=False)
    assert (much.kind, much.ways[0].cause, much.ways[0].pawl) == ("friction", "stick", "L")
    assert much.to_json()["retention_force"] == "inf"


def test_the_motion_diode_has_gone_through_and_comes_back_around_only() -> None:
    """It ends below everything: farther down is not apart, it has to get back to the side it came from."""
    found = fasten(design_value(diode(up=False)))
    assert pull(found, (Fraction(0), Fraction(1))).cause == "jam"
    assert pull(found, (Fraction(0), Fraction(-1))).cause == "away"
    assert pull(found, (Fraction(1), Fraction(1, 2))).comes_apart


def test_no_way_leads_around_the_long_motion_diode() -> None:
    around = look_around(fasten(load_design("motion-diode-long")), 24)
    assert around.arcs == around.arcs_without_friction == ()


def test_directions_run_once_around() -> None:
    angles = [
        math.atan2(float(y), float(x)) % (2 * math.pi) for x, y in map(on_circle, map(Fraction, range(4)))
    ]
    assert angles == pytest.approx([0, math.pi / 2, math.pi, 3 * math.pi / 2])
    x, y = on_circle(Fraction(7, 3))
    assert x * x + y * y == 1


def test_parting_takes_until_the_boxes_are_apart() -> None:
    design = design_value(tee_down("0"))
    t = time_to_part(design)
    assert t is not None
    assert design.p0[1] + design.v[1] * t + 7 < -7  # reach above the hinge, below the lowest obstacle


def test_friction_at_which_the_tee_sticks() -> None:
    """Going down, an edge of the hook sticks where μ exceeds tan of what is left of its steepness."""

    def outcome(mu: Fraction) -> str:
        return str(fasten(design_value(tee_down(str(mu)))).ending)

    first = critical_friction(outcome)[0]
    assert first.below == "root_collision"
    assert first.high - first.low <= Fraction(1, 10**9)
    assert Fraction(3, 5) < first.low < Fraction(3, 4)
    assert outcome(first.low) != outcome(first.high)


def region(*corners: tuple[str, str]) -> tuple[tuple[Fraction, Fraction], ...]:
    return tuple((Fraction(x), Fraction(y)) for x, y in corners)


def test_a_start_region_is_cut_into_strips_of_one_outcome() -> None:
    design = design_value(tee_down("1/10"))
    box = region(("-1/4", "9"), ("1/4", "9"), ("1/4", "11"), ("-1/4", "11"))
    found = uncertainty(design, box)
    assert list(found.shares) == [outcome_of(fasten(design))]
    wide = uncertainty(design, region(("-3/2", "9"), ("3/2", "9"), ("3/2", "11"), ("-3/2", "11")))
    strips = wide.partitions[0].strips
    assert sum(strip.area for strip in strips) == 6
    assert sum(wide.shares.values()) == pytest.approx(1)
    assert len(wide.shares) > 3
    sticks = next(strip for strip in strips if strip.low < Fraction(6, 5) < strip.high)
    assert sticks.outcome[0] == "stick L"
    assert float(sticks.low) == pytest.approx(1, abs=1e-5)  # where the tip comes down on the arm's end
    assert wide.features["H.edge2"].stuck
    assert not wide.features["V.vertex0"].slid
    json.dumps(wide.to_json())


def test_a_start_region_beyond_the_first_contact_is_refused() -> None:
    with pytest.raises(LinkworkError, match="beyond the first contact"):
        uncertainty(design_value(tee_down("0")), region(("-1", "5"), ("1", "5"), ("1", "11"), ("-1", "11")))


def test_tolerances_are_sampled_alike_for_one_seed() -> None:
    design = design_value(tee_down("3/5"))
    tolerances = Tolerances(coordinates=Fraction(1, 20), mu=Fraction(1, 5), k=Fraction(1, 10))
    first = spread(design, tolerances, samples=12, seed=3)
    assert first == spread(design, tolerances, samples=12, seed=3, processes=1)
    assert sum(first.outcomes.values()) + first.invalid == 12
    assert set(first.endings) <= {"root_collision", "stick R", "stick L"}


def test_work_and_forces_add_up() -> None:
    """On a vertical wall without friction nothing resists; work is what the springs hold and snaps lose."""
    found = fasten(design_value(tee_down("0")))
    forces = history(found)
    springs = sum(0.5 * each.torque[-1] ** 2 for each in forces.pawls.values())
    assert forces.work == pytest.approx(springs, rel=1e-9)  # k = 1; the left pawl came back without a snap
    assert forces.peak == pytest.approx(0.034806708, rel=1e-5)


def test_an_arc_that_holds_all_directions() -> None:
    assert Around(4, 1.0, 1e-6, 0, True, ((0.0, 6.28),), ()).to_json()["apart"] == [[0.0, 6.28]]


def test_work_up_to_a_dead_point_is_what_the_spring_holds() -> None:
    """The force grows without bound, its work does not; into a stick it does."""
    design = figure_seven("b", "0", with_c=False) | {"p0": ["0", "3/2"], "v": ["0", "1"]}
    forces = history(fasten(design_value(design)))
    assert forces.peak == math.inf
    assert forces.work == pytest.approx(0.5 * forces.pawls["P"].torque[-1] ** 2, rel=1e-9)
    assert history(fasten(design_value(tee_down("3/4")))).to_json()["work"] == "inf"


def test_tolerances_and_searches_vary_a_stiffness_that_came_from_a_beam() -> None:
    design = load_design("cantilever-hook")
    found = spread(design, Tolerances(k=Fraction(1, 10)), samples=4, processes=1)
    assert found.invalid == 0


def test_long_questions_tell_how_far_they_are() -> None:
    """Shares of what is done never fall and come to the whole, also while borders are closed in on."""
    design = load_design("two-pawl-tee")
    shares: list[float] = []
    classify(design, count=8, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    assert len([share for share in shares if share > 0.5]) > 1
    rubbed: list[float] = []
    critical_friction(lambda mu: "jam" if mu > Fraction(1, 3) else "end", rubbed.append)
    assert rubbed == sorted(rubbed)
    assert rubbed[-1] == 1.0


def test_an_obstacle_goes_on_beyond_its_cut() -> None:
    """However short it is drawn, no way leads around its end: the pull jams where it came around before."""
    short = design_value(diode(up=False))
    walls = tuple(replace(each, cut=(1,)) if each.name == "B" else each for each in short.obstacles)
    right = (Fraction(1), Fraction(1, 2))
    assert pull(fasten(short), right).comes_apart
    assert not pull(fasten(replace(short, obstacles=walls)), right).comes_apart
    assert fasten(replace(short, obstacles=walls)).to_json() == fasten(short).to_json()


def test_the_farthest_pull_is_the_users() -> None:
    """Parts that went through come back around everything only as far as they are pulled."""
    design = design_value(diode(up=False))
    around = (Fraction(1), Fraction(1, 2))
    assert pull(fasten(design), around).comes_apart
    assert pull(fasten(replace(design, farthest=Fraction(5))), around).cause == "away"


def test_a_cut_needs_parallel_edges_beside_it() -> None:
    design = load_design("motion-diode-long")
    again = design_from_text(design_to_text(design), "long.json", "motion-diode-long")
    assert again == design
    walls = tuple(replace(each, cut=(0,)) if each.name == "C" else each for each in design.obstacles)
    with pytest.raises(LinkworkError, match="obstacle C cannot go on beyond its edge 0"):
        check(replace(design, obstacles=walls))


def test_places_on_a_lengthened_edge_are_told_of_the_edge_as_it_is_drawn() -> None:
    """At its vertices 0 and 1, in its middle a half, beyond the cut 1 (or 0 on the edge that comes back)."""
    corners = tuple((Fraction(x), Fraction(y)) for x, y in ((0, 0), (4, 0), (4, 1), (0, 1)))
    wall = Obstacle("W", corners, cut=(1,))
    design = replace(design_value(diode(up=False)), obstacles=(wall,))
    longer = lengthened(design).obstacles[0]
    size = float(longer.poly[1][0])
    assert size > 4 + 10
    there = [drawn_share(wall, longer, 0, x / size) for x in (0.0, 2.0, 4.0, 9.0)]
    back = [drawn_share(wall, longer, 2, 1 - x / size) for x in (0.0, 2.0, 4.0, 9.0)]
    assert there == pytest.approx([0.0, 0.5, 1.0, 1.0])
    assert back == pytest.approx([1.0, 0.5, 0.0, 0.0])
    assert drawn_share(wall, longer, 1, 0.25) == pytest.approx(0.25)
