"""Where simulators go wrong in silence: short forces, long rows, starts that are not what was asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork import LinkworkError, Machine
from linkwork.cli.settings import without_drives
from linkwork.errors import NoAnswer, UsageError
from linkwork.model.read import machine_from_text

HEAD = "linkwork = 1\ndimension = 2\n"
BALL = '[frame.r]\nat = [1, 0]\nvaries = ["tx"]\nmass = 1\n'


def machine(text: str) -> Machine:
    return machine_from_text(HEAD + text, "test.toml", "test")


def pushed(force: str) -> Machine:
    return machine(f'{BALL}[force.f]\ntype = "force"\nat = "r"\nforce = ["{force}", 0]\n')


@pytest.mark.parametrize(
    ("force", "until", "speed"),
    [
        ("select(t > 5, select(t < 5.2, 10, 0), 0)", 100, 2.0),
        ("1000*exp(-((t - 5.03)/0.001)^2)", 10, math.sqrt(math.pi)),
    ],
)
def test_a_short_push_is_not_stepped_over(force: str, until: float, speed: float) -> None:
    found = lw.simulate(pushed(force), until)
    assert found["r.tx_rate"][-1] == pytest.approx(speed, abs=1e-7)


@pytest.mark.parametrize(("until", "step"), [(1, 1.01), (1, 1), (-1, 7), (1, 1e300)])
def test_a_spacing_beyond_the_end_gives_two_rows(until: float, step: float) -> None:
    found = lw.simulate(lw.load("pendulum"), until, step=step)
    assert found.times.tolist() == [0, until]


@pytest.mark.parametrize("driven", ["p.tx == sin(t)", "p.tx_rate == cos(t)"])
@pytest.mark.parametrize(
    "coupling",
    ['[force.k]\ntype = "spring"\nbetween = ["p", "r"]\nstiffness = 10\nlength = 1\n',
     '[energy.k]\nvalue = "5*(r.tx - 1 - p.tx)^2"\n'],
)  # fmt: skip
def test_a_frame_without_mass_may_be_driven_and_pull(driven: str, coupling: str) -> None:
    """u'' + 10 u = 10 sin t from rest: u = 10/9·(sin t − sin(√10 t)/√10)."""
    given = machine(f'[frame.p]\nvaries = ["tx"]\n{BALL}[constraint.d]\nholds = "{driven}"\n{coupling}')
    found = lw.simulate(given, 5)
    t, w = found.times, math.sqrt(10)
    assert found["r.tx"] - 1 == pytest.approx(10 / 9 * (np.sin(t) - np.sin(w * t) / w), abs=1e-8)


def test_what_is_given_at_the_start_is_held() -> None:
    """The rest of a linkage follows, instead of meeting the given value half way."""
    given = lw.load("slider-crank")
    found = lw.simulate(
        without_drives(given, list(given.drives)),
        0.01,
        start={"crank.angle": 1.0},
        rates={"crank.angle": 10.0},
    )
    assert found["crank.angle"][0] == pytest.approx(1, abs=1e-10)
    assert found["crank.rate"][0] == pytest.approx(10, abs=1e-9)


def test_parameters_may_change_which_constraints_are_spare() -> None:
    given = machine(
        '[parameter]\nk = 1\n[frame.r]\nat = [1, 0]\nvaries = ["tx", "ty"]\nrates = { ty = 1, tx = 0.5 }\nmass = 1\n'
        '[constraint.c]\nholds = ["r.ty == 0", "r.ty + (1 - k)*(r.tx - 1) == 0"]\n'
    )
    assert lw.simulate(given, 1)["r.tx"][-1] == pytest.approx(1.5)
    assert lw.simulate(given, 1, parameters={"k": 0})["r.tx"][-1] == pytest.approx(1)
    other = given.with_parameters({"k": 0})
    assert lw.simulate(other, 1, parameters={"k": 1})["r.tx"][-1] == pytest.approx(1.5)


def test_machines_of_parts_and_frames_are_not_for_drives() -> None:
    given = machine('[part.cart]\nmass = 2\n[frame.arm]\non = "cart"\nvaries = ["turn"]\nmass = 1\n')
    with pytest.raises(UsageError, match="drives do not tell how the frames of test move"):
        lw.move(given)


def test_a_moving_pivot_does_not_come_to_rest() -> None:
    """Seen from the pivot it is a pendulum of length 1, whatever the pivot's speed."""
    given = (
        'gravity = [0, -9.81]\n[frame.pivot]\nvaries = ["tx"]\n'
        '[frame.bob]\nat = [0, -1]\nvaries = ["tx", "ty"]\nmass = 1\n'
        '[constraint.p]\nholds = "pivot.tx == 0.5*t"\n[constraint.rod]\nholds = "distance(pivot, bob) == 1"\n'
        '[initial.v]\nholds = "velocity(bob).x == 0.5"\n'
    )
    with pytest.raises(NoAnswer, match="does not come to rest"):
        lw.linearise(machine(given))
    found = lw.linearise(machine(given), at_rest=False)
    assert found.frequencies == pytest.approx([math.sqrt(9.81)], rel=1e-6)


def test_what_falls_has_no_equilibrium() -> None:
    text = "".join(f'[frame.{name}]\nvaries = ["ty"]\nmass = {mass}\n' for name, mass in (("a", 3), ("b", 2)))
    with pytest.raises(NoAnswer, match="no equilibrium"):
        lw.linearise(machine(f'gravity = [0, -9.81]\n{text}[constraint.c]\nholds = "a.ty + b.ty == 0"\n'))


def test_a_name_is_no_machine() -> None:
    with pytest.raises(LinkworkError, match="a machine is wanted here") as caught:
        lw.simulate("pendulum")  # type: ignore[arg-type]
    assert caught.value.fix == "lw.load('pendulum')"


def test_a_small_stiff_part_does_not_keep_steps_short() -> None:
    """Two masses held together by a stiff spring and damper swing as one: x = sin(wt)/w·v, w² = k/(m₁ + m₂)."""
    masses = '[frame.a]\nvaries = ["tx"]\nmass = 1\n[frame.b]\nat = [1, 0]\nvaries = ["tx"]\nmass = 2\n'
    stiff = '[force.k]\ntype = "spring"\nbetween = ["a", "b"]\nstiffness = 1e8\ndamping = 1e5\nlength = 1\n'
    soft = '[force.soft]\ntype = "spring"\nbetween = ["ground", "a"]\nstiffness = 10\nlength = 0\n'
    begun = '[initial.v]\nholds = ["velocity(a).x == 1", "velocity(b).x == 1"]\n'
    found = lw.simulate(machine(masses + stiff + soft + begun), 20)
    assert found.accurate
    assert found.effort["method"] == "Radau IIA 5"
    assert found.effort["steps"] < 20_000
    w = math.sqrt(10 / 3)
    assert found["a.tx"] == pytest.approx(np.sin(w * found.times) / w, abs=1e-5)
