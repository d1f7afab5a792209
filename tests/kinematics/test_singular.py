"""Dead points, change points, branches and mobility, against closed forms.

A four-bar comes to a dead point where the diagonal BD is as long as coupler and rocker in line,
|BD|² = g² + c² − 2gc·cos θ = (k ± r)²; where this happens at θ = 0 or 180° exactly, branches cross (Grashof's
equality, a change point).
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.kinematics import DoesNotAssemble, DriveOutOfReach
from machines import Array, cross, four_bar, four_bar_angles, slider_crank

J, P, F = lw.joint, lw.Part, lw.Pose
Lengths = tuple[float, float, float, float]


def dead_angles(ground: float, crank: float, coupler: float, rocker: float) -> list[float]:
    """The crank angles between 0 and 180 degrees at which coupler and rocker are in line."""
    cosines = [
        (ground**2 + crank**2 - reach**2) / (2 * ground * crank)
        for reach in (coupler - rocker, coupler + rocker)
    ]
    return [math.acos(cosine) for cosine in cosines if abs(cosine) < 1]


def sides(motion: lw.Motion, ground: float, crank: float, rocker: float) -> Array:
    """On which side of the diagonal BD the pin C lies."""
    angle, swing = motion["crank"], motion["rocker.angle"]
    b = np.column_stack([crank * np.cos(angle), crank * np.sin(angle)])
    c = np.column_stack([ground + rocker * np.cos(swing), rocker * np.sin(swing)])
    return cross(np.array([ground, 0.0]) - b, c - b)


# ------------------------------------------------------------------------------------------- dead points


@pytest.mark.parametrize("lengths", [(7, 4, 3, 5), (6, 5, 4, 4), (3, 4, 5, 7), (5, 4, 6, 2)])
@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("branch", [1, -1])
def test_dead_points_of_rocking_cranks(lengths: Lengths, way: int, branch: int) -> None:
    """Both limits of a crank that only rocks, to 1e-9, whichever way and on either branch."""
    limits = sorted(dead_angles(*lengths))
    low, high = (limits[0], limits[1]) if len(limits) == 2 else (-limits[0], limits[0])
    if len(limits) == 1 and not math.isclose(abs(lengths[2] - lengths[3]), abs(lengths[0] - lengths[1])):
        at_zero = abs(lengths[0] - lengths[1])  # which side of the one limit can be reached
        if not abs(lengths[2] - lengths[3]) < at_zero < lengths[2] + lengths[3]:
            low, high = limits[0], 2 * math.pi - limits[0]
    middle = low + 0.4 * (high - low)
    drive = lw.Drive("A", range=(middle, middle + way * 6))
    machine = four_bar(*lengths, drive=drive, at=middle, branch=branch)
    motion = lw.move(machine, steps=97)
    assert motion.status == "dead point"
    assert motion.limits[-1].kind == "dead point"
    assert motion.limits[-1].drives["crank"] == pytest.approx(high if way > 0 else low, abs=1e-9)
    assert set(motion.limits[-1].joints) <= {"A", "B", "C", "D"}
    wanted = four_bar_angles(*lengths, motion["crank"], branch)[1]
    assert np.max(np.abs(np.sin(motion["rocker.angle"] - wanted))) < 1e-9
    through = lw.move(machine, steps=97, through=True)
    assert through["crank"][-1] == pytest.approx(middle)
    assert through.limits[0].drives["crank"] == pytest.approx(high if way > 0 else low, abs=1e-9)
    other = four_bar_angles(*lengths, through["crank"][-1:], -branch)[1]
    assert math.sin(through["rocker.angle"][-1] - other[0]) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("goal", "limit"), [(9, math.sqrt(48)), (0.5, math.sqrt(8))])
def test_dead_points_of_a_slider_that_drives(goal: float, limit: float) -> None:
    """An offset slider-crank reaches from √((l−r)² − e²) to √((l+r)² − e²), and comes back on the other branch."""
    machine = slider_crank(2, 5, 1, drive=lw.Drive("slide", range=(5, goal)), at=1.52)
    motion = lw.move(machine, steps=50)
    assert motion.status == "dead point"
    assert motion.limits[-1].drives["drive"] == pytest.approx(limit, abs=1e-9)
    through = lw.move(machine, steps=50, through=True)
    x, angle = through["slider.x"], through["crank.angle"]
    gap = (x - 2 * np.cos(angle)) ** 2 + (1 - 2 * np.sin(angle)) ** 2 - 25
    assert np.max(np.abs(gap)) < 1e-12
    assert x[-1] == pytest.approx(5)
    assert abs(math.sin((angle[-1] - angle[0]) / 2)) > 0.1


def test_a_drive_beyond_the_dead_point_is_out_of_reach() -> None:
    """``solve`` says where the dead point is."""
    mechanism = lw.Mechanism(four_bar(7, 4, 3, 5, drive=lw.Drive("A", range=(0.8, 1)), at=0.8))
    start = mechanism.assembled
    limit = max(dead_angles(7, 4, 3, 5))
    near = mechanism.solve({"crank": limit - 1e-6}, start=start)
    assert near["crank.angle"] == pytest.approx(limit - 1e-6)
    with pytest.raises(DriveOutOfReach, match=f"{limit:.6g}"[:6]):
        mechanism.solve({"crank": limit + 1e-3}, start=start)


# ----------------------------------------------------------------------------------------- change points


@pytest.mark.parametrize(
    ("steps", "at", "way"),
    [(20 * 12, 0.0, 1), (20 * 12, 0.7, -1), (20 * 36, 0.0, -1), (20 * 37, 0.7, 1)],
)
def test_parallelogram_stays_one(steps: int, at: float, way: int) -> None:
    """Twenty turns over change points, rows upon them or not: the rocker stays parallel to the crank."""
    machine = four_bar(4, 2, 4, 2, drive=lw.Drive("A", range=(at, at + way * 40 * math.pi)), at=at)
    motion = lw.move(machine, steps=steps)
    assert motion.status == "complete"
    assert motion.residual <= 1e-12
    np.testing.assert_allclose(motion["rocker.angle"], motion["crank"], atol=1e-11)
    np.testing.assert_allclose(motion["coupler.angle"], 0, atol=1e-11)
    np.testing.assert_allclose(motion["rocker.rate"], way, atol=1e-8)
    np.testing.assert_allclose(motion["rocker.acceleration"], 0, atol=1e-6)
    assert {each.kind for each in motion.limits} == {"change point"}
    places = np.array([each.drives["crank"] for each in motion.limits]) / math.pi
    np.testing.assert_allclose(places, np.round(places), atol=1e-9)
    assert len(motion.limits) in (40, 41)


def test_antiparallelogram_stays_one() -> None:
    """Contraparallelogram: tan(ψ/2) = −(g+c)/(g−c)·tan(φ/2), over five turns."""
    machine = four_bar(4, 2, 4, 2, drive=lw.Drive("A", range=(0.7, 0.7 + 10 * math.pi)), at=0.7, branch=-1)
    for steps in (5 * 12, 5 * 37):
        motion = lw.move(machine, steps=steps)
        assert motion.status == "complete"
        ratio = np.tan(motion["crank"] / 2) / np.tan(motion["rocker.angle"] / 2)
        np.testing.assert_allclose(ratio, -1 / 3, atol=1e-10)


@pytest.mark.parametrize("steps", [5 * 12, 5 * 36, 5 * 360])
def test_antiparallelogram_with_rows_upon_its_change_points(steps: int) -> None:
    """Rows at 180°, 360°, …: position and rate there are those of this branch."""
    at = math.pi / 2
    machine = four_bar(4, 2, 4, 2, drive=lw.Drive("A", range=(at, at + 10 * math.pi)), at=at, branch=-1)
    motion = lw.move(machine, steps=steps)
    assert motion.status == "complete"
    half = motion["crank"] / 2
    wanted = 2 * np.arctan2(-3 * np.sin(half), np.cos(half))
    np.testing.assert_allclose(np.sin((motion["rocker.angle"] - wanted) / 2), 0, atol=1e-10)
    np.testing.assert_allclose(
        motion["rocker.rate"], -3 / (np.cos(half) ** 2 + 9 * np.sin(half) ** 2), atol=1e-7
    )


@pytest.mark.parametrize("lengths", [(5, 2, 2, 5), (2, 2, 5, 5)])
@pytest.mark.parametrize("steps", [5 * 12, 5 * 37])
def test_kites_pass_smoothly(lengths: Lengths, steps: int) -> None:
    """No jump: C is the mirror image of A in BD (or of D), or stays where the folded kite turns as one."""
    machine = four_bar(*lengths, drive=lw.Drive("A", range=(0.7, 0.7 + 10 * math.pi)), at=0.7)
    motion = lw.move(machine, steps=steps)
    assert motion.status == "complete"
    assert motion.residual <= 1e-12
    # The rates of a smooth curve agree with the chords: the trapezium of rates against the way.
    h = float(motion.times[1] - motion.times[0])
    rate, quick = motion["rocker.rate"], motion["rocker.acceleration"]
    way = h * (rate[1:] + rate[:-1]) / 2 - h**2 * np.diff(quick) / 12
    assert np.max(np.abs(np.diff(motion["rocker.angle"]) - way)) < 0.2 * h**2


@pytest.mark.parametrize(("turns", "steps", "at"), [(20, 240, 0.0), (5, 185, 0.7), (3, 720, 0.0)])
def test_slider_crank_of_equal_lengths(turns: int, steps: int, at: float) -> None:
    """x = 2a·cos θ goes through 0 where crank and rod fold; it does not stay there."""
    machine = slider_crank(2, 2, drive=lw.Drive("A", range=(at, at + 2 * math.pi * turns)), at=at)
    motion = lw.move(machine, steps=steps)
    angle = motion["drive"]
    assert motion.status == "complete"
    np.testing.assert_allclose(motion["slider.x"], 4 * np.cos(angle), atol=1e-11)
    np.testing.assert_allclose(motion["slider.vx"], -4 * np.sin(angle), atol=1e-8)
    np.testing.assert_allclose(motion["slider.ax"], -4 * np.cos(angle), atol=1e-6)
    assert len(motion.limits) == 2 * turns


def test_jerk_at_a_singular_row_does_not_depend_on_the_steps() -> None:
    """At θ = 90° the slider's jerk is 4·sin θ = 4, with 12 rows a turn as with 360."""
    for steps in (360, 12):
        motion = lw.move(slider_crank(2, 2, drive=lw.Drive("A")), steps=steps)
        row = steps // 4
        assert motion["drive"][row] == pytest.approx(math.pi / 2)
        assert motion["slider.jx"][row] == pytest.approx(4, abs=1e-3)


def test_acceleration_at_a_singular_row_between_two_others() -> None:
    """Three rows, the middle one upon the change point: the acceleration there is −4·cos 90° = 0."""
    machine = slider_crank(2, 2, drive=lw.Drive("A", value="t"), at=0.7)
    motion = lw.Mechanism(machine).move(start=0.7, until=math.pi - 0.7, steps=2)
    assert motion["slider.ax"][1] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("at", [0.0, math.pi])
def test_starting_upon_a_change_point(at: float) -> None:
    """A parallelogram that starts folded or stretched goes on as one of its two branches, with its rates."""
    machine = four_bar(4, 2, 4, 2, drive=lw.Drive("A", range=(at, at + 2)), at=at)
    motion = lw.move(machine, steps=20)
    assert motion.status == "complete"
    parallel = np.abs(np.sin(motion["rocker.angle"] - motion["crank"])).max() < 1e-9
    # the other branch is the antiparallelogram: a rate of a/(a + d) folded, −a/(d + a) stretched, both 1/3
    assert abs(motion["rocker.rate"][0]) == pytest.approx(1 if parallel else 1 / 3, abs=1e-7)
    if parallel:
        np.testing.assert_allclose(motion["rocker.rate"], 1, atol=1e-7)


@pytest.mark.parametrize("value", ["0.7 + 2*sin(t)", "0.7 + 3*sin(t)", "pi*sin(t)"])
def test_drives_that_oscillate_through_rest(value: str) -> None:
    """To and fro over change points, at rest between them or upon them: the parallelogram stays one."""
    machine = four_bar(4, 2, 4, 2, drive=lw.Drive("A", value=value), at=0.7 if value[0] == "0" else 0.0)
    motion = lw.move(machine, steps=100, until=20)
    assert motion.status == "complete"
    np.testing.assert_allclose(motion["rocker.angle"], motion["crank"], atol=1e-10)


@pytest.mark.xfail(
    strict=True, reason="where rates are 0 nothing tells the branches apart at a singular start"
)
def test_a_drive_that_starts_at_rest_upon_a_change_point() -> None:
    """The rates are 0 there and say nothing; the rows beside it do."""
    machine = four_bar(4, 2, 4, 2, drive=lw.Drive("A", value="pi*cos(t)"), at=math.pi)
    motion = lw.move(machine, steps=40, until=3)
    assert motion.status == "complete"


# ----------------------------------------------------------------------------------------- nearly singular

OFF = [1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-11]
NARROWER = [
    *((off, steps) for off in (1e-1, 1e-2) for steps in (60, 740)),
    (1e-3, 60),
    *((off, steps) for off in (1e-4, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11) for steps in (60, 740)),
]


@pytest.mark.parametrize("off", OFF)
@pytest.mark.parametrize("steps", [5 * 12, 5 * 37])
@pytest.mark.parametrize("branch", [1, -1])
def test_a_crank_rocker_near_the_change_point_keeps_its_branch(off: float, steps: int, branch: int) -> None:
    """With the rocker longer by a little, Grashof's condition holds: the crank turns round on one branch."""
    lengths = (4.0, 2.0, 4.0, 2.0 + off)
    drive = lw.Drive("A", range=(0.7, 0.7 + 10 * math.pi))
    motion = lw.move(four_bar(*lengths, drive=drive, at=0.7, branch=branch), steps=steps)
    assert motion.status == "complete"
    assert not motion.limits
    assert np.all(sides(motion, 4, 2, 2 + off) * branch > 0)
    wanted = four_bar_angles(*lengths, motion["crank"], branch)[1]
    assert np.max(np.abs(np.sin(motion["rocker.angle"] - wanted))) < 1e-10


@pytest.mark.parametrize("off", OFF)
@pytest.mark.parametrize("steps", [60, 185])
def test_a_slider_crank_with_a_rod_slightly_longer_turns_round(off: float, steps: int) -> None:
    """x = a·cos θ + √(l² − a²·sin² θ) > 0 always on the right-hand branch for l > a."""
    drive = lw.Drive("A", range=(0.7, 0.7 + 10 * math.pi))
    motion = lw.move(slider_crank(2, 2 + off, drive=drive, at=0.7), steps=steps)
    angle = motion["drive"]
    wanted = 2 * np.cos(angle) + np.sqrt((2 + off) ** 2 - (2 * np.sin(angle)) ** 2)
    assert motion.status == "complete"
    np.testing.assert_allclose(motion["slider.x"], wanted, atol=1e-9)


@pytest.mark.parametrize(("off", "steps"), NARROWER)
@pytest.mark.parametrize("which", [0, 2])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_rocking_crank_near_the_change_point_stops_at_its_dead_point(
    off: float, steps: int, which: int, sign: int
) -> None:
    """Grashof's condition fails by a little: the gap at 0° or 180° is narrow, but must not be jumped."""
    lengths = [4.0, 2.0, 4.0, 2.0]
    lengths[which] += sign * off
    drive = lw.Drive("A", range=(0.7, 0.7 + 10 * math.pi))
    motion = lw.move(four_bar(*lengths, drive=drive, at=0.7), steps=steps)
    found = [each % (2 * math.pi) for angle in dead_angles(*lengths) for each in (angle, -angle)]
    wanted = min((each if each > 0.7 else each + 2 * math.pi) for each in found)
    assert motion.status == "dead point"
    assert motion.limits[-1].drives["crank"] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("off", "steps"), NARROWER)
def test_a_slider_crank_with_a_rod_slightly_shorter_stops(off: float, steps: int) -> None:
    """A rod shorter than the crank does not reach over: sin θ = l/a is a dead point, however near to 90°."""
    drive = lw.Drive("A", range=(0.7, 0.7 + 10 * math.pi))
    motion = lw.move(slider_crank(2, 2 - off, drive=drive, at=0.7), steps=steps)
    assert motion.status == "dead point"
    assert motion.limits[-1].drives["drive"] == pytest.approx(math.asin((2 - off) / 2), abs=1e-9)


# ------------------------------------------------------------------------------------------------ mobility


def space_four_bar() -> lw.Machine:
    """The plane four-bar 7, 2, 6, 5 with its hinges in space, all along z."""
    coupler, rocker = (float(each[0]) for each in four_bar_angles(7, 2, 6, 5, np.array([0.3])))
    return lw.Machine.of(
        "plane-in-space",
        dimension=3,
        parts={
            "ground": P(points={"A": (0, 0, 0), "D": (7, 0, 0)}),
            "crank": P(points={"A": (0, 0, 0), "B": (2, 0, 0)}),
            "coupler": P(points={"B": (0, 0, 0), "C": (6, 0, 0)}, start=F(turn=coupler)),
            "rocker": P(points={"D": (0, 0, 0), "C": (5, 0, 0)}, start=F(turn=rocker)),
        },
        joints={
            "A": J.Revolute(("ground.A", "crank.A")),
            "B": J.Revolute(("crank.B", "coupler.B")),
            "C": J.Revolute(("coupler.C", "rocker.C")),
            "D": J.Revolute(("ground.D", "rocker.D")),
        },
        drives={"crank": lw.Drive("A", range=(0.3, 0.3 + 2 * math.pi))},
    )


def spherical_four_bar(*arcs: float) -> lw.Machine:
    """Four hinges whose axes meet in the origin, with the arcs ground, crank, coupler, rocker in degrees."""
    names = ("ground", "crank", "coupler", "rocker")
    frames = {
        f"{name}_end": lw.Frame(on=name, turn=f"{arc} deg", axis=(1, 0, 0))
        for name, arc in zip(names, arcs, strict=True)
    }
    return lw.Machine.of(
        "spherical",
        dimension=3,
        parts={name: P() for name in names[1:]},
        frames=frames,
        joints={
            "A": J.Revolute(("ground_end", "crank")),
            "B": J.Revolute(("crank_end", "coupler"), start="100 deg"),
            "C": J.Revolute(("coupler_end", "rocker"), start="100 deg"),
            "D": J.Revolute(("rocker_end", "ground"), start="100 deg"),
        },
        drives={"crank": lw.Drive("A", range=(0, "360 deg"))},
    )


def sarrus() -> lw.Machine:
    """Two pairs of plates with parallel hinges, at right angles: the top goes straight up (Sarrus 1853)."""
    x, y = (1, 0, 0), (0, 1, 0)
    hinges = {
        "A": ("ground", "a1", (1, 0, 0), y),
        "B": ("a1", "a2", (1.6, 0, 0.8), y),
        "C": ("a2", "top", (1, 0, 1.6), y),
        "D": ("ground", "b1", (0, 1, 0), x),
        "E": ("b1", "b2", (0, 1.6, 0.8), x),
        "F": ("b2", "top", (0, 1, 1.6), x),
    }
    return lw.Machine.of(
        "sarrus",
        dimension=3,
        parts={name: P() for name in ("a1", "a2", "b1", "b2", "top")},
        joints={
            name: J.Revolute(parts=(a, b), at=at, axis=axis) for name, (a, b, at, axis) in hinges.items()
        },
        drives={"lean": lw.Drive("A", value="0.3*sin(t)")},
        time=lw.Span(until=6),
    )


def count(machine: lw.Machine) -> tuple[int, int]:
    summary = lw.show(machine)
    return summary.mobility, sum(each["count"] for each in summary.redundant)


@pytest.mark.parametrize(
    ("machine", "wanted"),
    [
        (lw.load("bennett"), (1, 3)),  # 6·3 − 5·4 = −2
        (lw.load("bricard"), (1, 1)),  # 6·5 − 5·6 = 0
        (sarrus(), (1, 1)),  # 6·5 − 5·6 = 0
        (space_four_bar(), (1, 3)),
        (spherical_four_bar(80, 30, 70, 60), (1, 3)),
        (lw.load("jansen-leg"), (1, 0)),
        (lw.load("peaucellier"), (1, 0)),
    ],
    ids=lambda value: value.name if isinstance(value, lw.Machine) else "",
)
def test_mobility_and_redundancy(machine: lw.Machine, wanted: tuple[int, int]) -> None:
    """Freedoms, and how many constraints could be left out: their difference is what counting says."""
    assert count(machine) == wanted


def test_sarrus_goes_straight_up() -> None:
    """The top keeps its orientation and moves along z by z = 2·sin of the leg's slope."""
    motion = lw.move(sarrus(), steps=24)
    assert motion.status == "complete"
    for name in ("top.x", "top.y", "top.q1", "top.q2", "top.q3"):
        np.testing.assert_allclose(motion[name], 0, atol=1e-12)
    slope = math.atan2(0.8, 0.6) - motion["lean"]  # about +y, a positive turn leans the leg towards +x
    np.testing.assert_allclose(motion["top.z"] + 1.6, 2 * np.sin(slope), atol=1e-12)


@pytest.mark.parametrize("length", [2.1, 2.01, 2.001, 2.0001, 2.00001])
def test_a_bennett_linkage_off_its_condition_does_not_move(length: float) -> None:
    """It either does not go together or is rigid; it never says 1."""
    summary = lw.show(lw.load("bennett").with_parameters({"a1": length}))
    assert summary.mobility == 0


@pytest.mark.parametrize("length", [1.01, 1.001, 1.0001])
def test_a_bricard_linkage_off_its_condition_does_not_move(length: float) -> None:
    """As Bennett's."""
    assert lw.show(lw.load("bricard").with_parameters({"a1": length})).mobility == 0


def triangle(first: float, second: float, base: float = 4.0) -> lw.Machine:
    return lw.Machine.of(
        "triangle",
        {"a": first, "b": second, "c": base},
        parts={
            "ground": P(points={"A": (0, 0), "B": ("c", 0)}),
            "left": P(points={"A": (0, 0), "C": ("a", 0)}, start=F(turn="20 deg")),
            "right": P(points={"B": (0, 0), "C": ("-b", 0)}, start=F(turn="-20 deg")),
        },
        joints={
            "A": J.Revolute(("ground.A", "left.A")),
            "B": J.Revolute(("ground.B", "right.B")),
            "C": J.Revolute(("left.C", "right.C")),
        },
    )


def test_triangles_are_rigid_and_collinear_pins_are_shaky() -> None:
    """Three pins in line can be shaken by an infinitesimal amount, yet nothing moves."""
    assert lw.show(triangle(3, 3)).mobility == 0
    shaky = lw.show(triangle(2, 2))
    assert shaky.mobility == 0
    assert shaky.details is not None
    assert shaky.details.infinitesimal == 1
    assert shaky.details.is_singular


@pytest.mark.parametrize("short", [1.5, 1.9, 1.999, 1.99999])
def test_a_triangle_that_does_not_close_tells_its_gap(short: float) -> None:
    """c − a − b, however small."""
    with pytest.raises(DoesNotAssemble) as caught:
        _ = lw.Mechanism(triangle(short, 2)).assembled
    assert caught.value.gap == pytest.approx(2 - short, rel=1e-6)
    assert set(caught.value.joints) == {"A", "B", "C"}


@pytest.mark.parametrize(
    "changes", [{"coupler": 1, "rocker": 0.5}, {"ground": 20}, {"crank": 30}, {"ground": 13.001}]
)
def test_a_four_bar_that_does_not_close_tells_its_gap(changes: dict[str, float]) -> None:
    """The longest bar less the sum of the others."""
    machine = lw.load("four-bar").with_parameters(changes)
    values = machine.values()
    lengths = sorted(values[name] for name in ("ground", "crank", "coupler", "rocker"))
    summary = lw.show(machine)
    assert summary.mobility == 0
    assert isinstance(summary.problem, DoesNotAssemble)
    assert summary.problem.gap == pytest.approx(lengths[3] - sum(lengths[:3]), rel=1e-6)
    assert set(summary.problem.joints) == {"A", "B", "C", "D"}


@pytest.mark.parametrize("bars", [1, 2, 5])
def test_open_chains_have_a_freedom_for_each_pin(bars: int) -> None:
    """n pins, n freedoms; in space with balls 3n."""
    for dimension, joint, each in (
        (2, J.Revolute, 1),
        (3, J.Spherical, 3),
        (3, J.Universal, 2),
        (3, J.Cylindrical, 2),
    ):
        end = (1, 0, 0)[:dimension]
        before = ["ground", *(f"bar{place}.E" for place in range(bars))]
        machine = lw.Machine.of(
            "chain",
            dimension=dimension,
            parts={f"bar{place}": P(points={"E": end}) for place in range(bars)},
            joints={f"J{place}": joint((before[place], f"bar{place}")) for place in range(bars)},
        )
        assert count(machine) == (each * bars, 0)
