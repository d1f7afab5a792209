"""Laws of similarity: a motion with contacts told in other units of time, length and mass is the same."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork import examples
from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.model.read import machine_from_text

BLOCK = """
linkwork = 1
dimension = {dimension}
gravity = {gravity}
[part.table]
fixed = true
solid = "scale({size}) translate([-60, -60, -60]) cube([120, {top}, {high}]);"
[part.block]
free = true
density = {density}
solid = "scale({size}) translate([0, 0.2, -1.5]) cube([1, 2, 3]);"
"""
PLANE = {"dimension": 2, "top": 59, "high": 120}
SPACE = {"dimension": 3, "top": 120, "high": 57}


def thrown(
    kind: dict[str, int], time: float, size: float, mass: float, restitution: float
) -> ContactSolution:
    """A block that is thrown and turns, in units of time, length and mass."""
    pull = -10 * size / time**2
    gravity = [0, pull] if kind["dimension"] == 2 else [0, 0, pull]
    text = BLOCK.format(**kind, gravity=gravity, size=size, density=mass / size**3)
    machine = machine_from_text(text, "block.toml", "block")
    speeds = (
        {"block.x": 1.0, "block.angle": 1.3} if kind["dimension"] == 2 else {"block.x": 1.0, "block.q1": 0.6}
    )
    rates = {name: value / time * (size if name == "block.x" else 1.0) for name, value in speeds.items()}
    if kind["dimension"] == 3:
        rates["block.q2"] = 0.1 / time
    laws = Laws(Law(0.3, restitution))
    found = simulate(machine, 1.2 * time, step=0.1 * time, contact="rigid", laws=laws, rates=rates)
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


def strikes(found: ContactSolution, speed: float) -> list[float]:
    """How fast parts strike each other, but for the last of many bounces, which differ by rounding."""
    fast = (event["approach"] / speed for event in found.events if event["kind"] == "impact")
    return [each for each in fast if each > 0.1]


@pytest.mark.parametrize("kind", [PLANE, SPACE], ids=["plane", "space"])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_units_do_not_matter(kind: dict[str, int], restitution: float) -> None:
    plain = thrown(kind, 1, 1, 1, restitution)
    assert strikes(plain, 1.0)
    for time, size, mass in ((1e-9, 1, 1), (1e-4, 100, 1e5)):
        found = thrown(kind, time, size, mass, restitution)
        assert strikes(found, size / time) == pytest.approx(strikes(plain, 1.0), rel=1e-6)
        for name in ("x", "y"):
            wanted = plain.columns[f"block.{name}"]
            assert found.columns[f"block.{name}"] / size == pytest.approx(wanted, abs=1e-7)
        energy = mass * size**2 / time**2
        assert found.columns["kinetic"] / energy == pytest.approx(
            plain.columns["kinetic"], rel=1e-7, abs=1e-7
        )
        assert np.diff(found.columns["energy"] / energy).max() <= 2e-8 * plain.columns["kinetic"].max()


@pytest.mark.parametrize("fast", [1.0, 1e9])
def test_a_body_that_turns_freely_keeps_its_energy_however_fast(fast: float) -> None:
    """A hundred turns about no axis of its own, in space: what is lost or gained is as much at any speed."""
    text = BLOCK.format(**SPACE, gravity=[0, 0, -1e-15 * fast**2], size=1, density=1)
    rates = {"block.q1": 0.5 * fast, "block.q2": 0.2 * fast, "block.q3": 0.1 * fast}
    until = 600 / fast
    found = simulate(
        machine_from_text(text, "block.toml", "block"), until, step=until / 500, contact="rigid", rates=rates
    )
    energy = found.columns["kinetic"]
    assert found.status == "complete"
    assert np.abs(energy / energy[0] - 1).max() < 1e-7
    assert np.diff(energy).max() < 1e-8 * energy[0]
    lengths = sum(found.columns[f"block.q{k}"] ** 2 for k in range(4))
    assert np.abs(lengths - 1).max() < 1e-12


def test_a_machine_that_a_drive_moves_is_judged_by_its_speed() -> None:
    """All but what the drive moves begins at rest: the drive tells what is fast, not the length of the run.

    A contact that ends was found within a share of that length, too rough in a run of thousands of turns.
    """
    text = examples.path("film-advance").read_text("utf-8").replace('rate = "2*pi"', "rate = 3")
    advanced = simulate(machine_from_text(text, "film.toml", "film"), until=8000, step=8000, contact="rigid")
    assert advanced.status == "complete", advanced.why
    assert advanced.columns["cross.angle"][-1] == pytest.approx(-8000 * 3 / 4, abs=1)
