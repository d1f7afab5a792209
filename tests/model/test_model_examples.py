"""The examples that come with linkwork mean what they say, checked against mathematics done elsewhere."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import pytest

from linkwork import examples
from linkwork.algebra import Table
from linkwork.errors import UsageError
from linkwork.model import Machine, load


@cache
def machine_and_table(name: str) -> tuple[Machine, Table]:
    machine = load(name)
    return machine, machine.table()


def values_at(name: str, **settings: str | float) -> dict[str, float]:
    machine, table = machine_and_table(name)
    values = machine.values(settings)
    return values | table.evaluate(values)


def test_the_registry() -> None:
    assert list(examples.names()) == sorted(examples.names())
    assert {"cam-table", "four-bar-table", "pendulum-table", "slider-crank-table"} <= {*examples.names()}
    for name in examples.names():
        assert examples.path(name).is_file()
        assert examples.describe(name) == load(name).title
        assert load(name).name == name


def test_a_misspelt_example() -> None:
    with pytest.raises(UsageError, match="did you mean cam-table"):
        examples.path("cam-tabel")
    with pytest.raises(UsageError):
        examples.describe("../model/file")


@pytest.mark.parametrize("degrees", range(0, 360, 15))
def test_the_four_bar_closes_over_the_whole_turn(degrees: int) -> None:
    """|P6 P1| = c, |P6 P4| = d, and P9 halfway between P4 and P6."""
    at = values_at("four-bar-table", e=f"{degrees} deg")
    pin = (at["a"] * math.cos(at["e"]), at["a"] * math.sin(at["e"]))
    end = (at["P6x"], at["P6y"])
    assert math.dist(end, (at["b"], 0)) == pytest.approx(at["c"], rel=1e-12)
    assert math.dist(end, pin) == pytest.approx(at["d"], rel=1e-12)
    assert (at["P9x"], at["P9y"]) == pytest.approx(((pin[0] + end[0]) / 2, (pin[1] + end[1]) / 2))


def test_the_four_bar_is_a_crank_rocker() -> None:
    """Grashof: the crank is the shortest, and with the longest shorter than the other two."""
    lengths = sorted(load("four-bar-table").values()[name] for name in "abcd")
    assert lengths[0] == load("four-bar-table").values()["a"]
    assert lengths[0] + lengths[3] < lengths[1] + lengths[2]


def test_the_four_bar_moves_without_a_jump() -> None:
    path = [values_at("four-bar-table", e=f"{degrees} deg") for degrees in range(0, 362, 2)]
    steps = [math.dist((p["P9x"], p["P9y"]), (q["P9x"], q["P9y"])) for p, q in pairwise(path)]
    assert max(steps) < 0.15


@pytest.mark.parametrize("degrees", range(0, 360, 30))
def test_the_slider_crank(degrees: int) -> None:
    at = values_at("slider-crank-table", e=f"{degrees} deg")
    pin = (at["pin_x"], at["pin_y"])
    assert math.dist(pin, (at["x"], at["h"])) == pytest.approx(at["l"])
    assert at["x"] == pytest.approx(pin[0] + at["l"] * math.cos(at["rod_angle"]))
    assert at["h"] == pytest.approx(pin[1] + at["l"] * math.sin(at["rod_angle"]))
    step = 1e-6
    ahead = values_at("slider-crank-table", e=at["e"] + step)["x"]
    behind = values_at("slider-crank-table", e=at["e"] - step)["x"]
    assert at["leverage"] == pytest.approx((ahead - behind) / (2 * step), abs=1e-6)


def test_the_stroke_of_the_slider_crank() -> None:
    travel = [values_at("slider-crank-table", e=f"{degrees} deg")["x"] for degrees in range(360)]
    assert max(travel) - min(travel) == pytest.approx(values_at("slider-crank-table")["stroke"], rel=1e-4)


@pytest.mark.parametrize(("degrees", "precision"), [(1, 1e-15), (60, 1e-15), (120, 1e-15), (170, 1e-8)])
def test_the_period_of_the_pendulum(degrees: float, precision: float) -> None:
    """Against the mean carried on until it stands still: T = 2π √(l/g) / agm(1, cos(amplitude/2))."""
    at = values_at("pendulum-table", amplitude=f"{degrees} deg")
    mean, root = 1.0, math.cos(at["amplitude"] / 2)
    for _ in range(30):
        mean, root = (mean + root) / 2, math.sqrt(mean * root)
    exact = 2 * math.pi * math.sqrt(at["length"] / at["gravity"]) / mean
    assert at["period"] == pytest.approx(exact, rel=4 * precision)


def test_the_speed_of_the_pendulum_conserves_energy() -> None:
    at = values_at("pendulum-table", angle="10 deg")
    height = at["length"] * (math.cos(at["angle"]) - math.cos(at["amplitude"]))
    assert at["speed"] ** 2 / 2 == pytest.approx(at["gravity"] * height)
    assert values_at("pendulum-table", angle="amplitude")["speed"] == pytest.approx(0, abs=1e-7)


def test_the_cam_rises_dwells_and_falls() -> None:
    turns = {0: 0.0, 50: 4.0, 100: 8.0, 130: 8.0, 160: 8.0, 220: 4.0, 280: 0.0, 330: 0.0, 360: 0.0}
    for degrees, height in turns.items():
        assert values_at("cam-table", turn=f"{degrees} deg")["height"] == pytest.approx(height, abs=1e-12)


@pytest.mark.parametrize("degrees", [10, 60, 99, 120, 170, 250, 300])
def test_the_slope_of_the_cam(degrees: int) -> None:
    at = values_at("cam-table", turn=f"{degrees} deg")
    step = 1e-6
    ahead = values_at("cam-table", turn=at["turn"] + step)["height"]
    behind = values_at("cam-table", turn=at["turn"] - step)["height"]
    assert at["slope"] == pytest.approx((ahead - behind) / (2 * step), abs=1e-7)
