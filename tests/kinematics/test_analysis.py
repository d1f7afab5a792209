"""What is read off a motion, and what users define over it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.kinematics.analysis import with_analysed


@pytest.fixture(scope="module")
def turn() -> lw.Motion:
    return lw.move(lw.load("four-bar"))


def test_transmission_angle_by_the_law_of_cosines(turn: lw.Motion) -> None:
    """Between coupler b and rocker c over the diagonal e from crank pin to ground pin."""
    a, b, c, d = 2, 6, 5, 7
    e = a * a + d * d - 2 * a * d * np.cos(turn["crank"])
    expected = np.arccos(np.abs(b * b + c * c - e) / (2 * b * c))
    np.testing.assert_allclose(lw.transmission_angle(turn, "C"), expected, atol=1e-12)


def test_instant_centre_of_the_coupler_is_where_crank_and_rocker_meet(turn: lw.Motion) -> None:
    """Kennedy: it lies on the lines of crank and rocker."""
    centre = lw.instant_centre(turn, "coupler")
    x, y = centre.T
    for pin, angle in (((0, 0), turn["crank"]), ((7, 0), turn["rocker.angle"])):
        beside = (x - pin[0]) * np.sin(angle) - (y - pin[1]) * np.cos(angle)
        np.testing.assert_allclose(beside / np.maximum(1, np.hypot(x, y)), 0, atol=1e-9)
    np.testing.assert_allclose(lw.instant_centre(turn, "crank"), 0, atol=1e-12)


def test_relative_centre_of_two_parts_is_their_pin(turn: lw.Motion) -> None:
    np.testing.assert_allclose(
        lw.instant_centre(turn, "crank", "coupler"), lw.point_path(turn, "crank.B"), atol=1e-12
    )


def test_columns_on_request(turn: lw.Motion) -> None:
    wider = with_analysed(turn, ["C.transmission", "coupler.centre.y", "no.such"])
    assert set(wider.columns) - set(turn.columns) == {"C.transmission", "coupler.centre.y"}
    with pytest.raises(UsageError, match="no transmission angle"):
        lw.transmission_angle(turn, "A")


def test_definitions_over_coordinates_rates_and_time_are_columns() -> None:
    machine = lw.load("four-bar")
    lines = {"height": "coupler.P.y + 1", "swing": "2*rocker.rate", "clock": "t^2", "both": "height*clock"}
    built = tuple(lw.Definition.of(name, text) for name, text in lines.items())
    motion = lw.move(dataclasses.replace(machine, definitions=built), steps=24)
    np.testing.assert_allclose(motion["height"], motion["coupler.P.y"] + 1)
    np.testing.assert_allclose(motion["swing"], 2 * motion["rocker.rate"])
    np.testing.assert_allclose(motion["both"], motion["height"] * motion.times**2)


@pytest.mark.parametrize("value", ["sqrt(1 - t)", "log(1 - t)", "sqrt(t)"])
def test_drives_without_a_finite_value_stop_the_machine(value: str) -> None:
    drives = {"crank": lw.Drive("A", value=value)}
    machine = dataclasses.replace(lw.load("four-bar"), drives=lw.Machine.of("x").drives.__class__(drives))
    motion = lw.move(machine, until=2, steps=40)
    assert motion.status == "stuck"
    assert "not finite" in motion.why


def test_limits_stand_on_the_axis_of_time() -> None:
    """A rocker driven to and fro by --through: each dead point lies between the rows around it."""
    machine = lw.load("four-bar").with_parameters({"ground": 6, "crank": 5, "coupler": 2, "rocker": 4})
    motion = lw.move(machine, start=0.9, until=2, through=True)
    assert np.all(np.diff(motion.times) > 0)
    (limit,) = motion.limits
    before = motion.times < limit.time
    assert np.all(np.diff(motion["crank"][before]) > 0)
    assert np.all(np.diff(motion["crank"][~before]) < 0)


@pytest.mark.parametrize(("ground", "gap"), [(20, 7), (14, 1), (13.001, 0.001)])
def test_the_gap_of_a_loop_is_what_its_lengths_lack(ground: float, gap: float) -> None:
    found = lw.show(lw.load("four-bar").with_parameters({"ground": ground}))
    assert found.mobility == 0
    assert found.problem is not None
    assert found.problem.to_json()["gap"] == pytest.approx(gap, rel=1e-6)
    assert set(found.problem.to_json()["joints"]) == set("ABCD")


def test_more_rows_than_memory_holds_are_refused() -> None:
    """Before anything is computed, with the number of steps that would do."""
    with pytest.raises(UsageError, match="memory"):
        lw.move(lw.load("four-bar"), steps=10**8)
