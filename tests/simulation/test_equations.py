"""The equations that are derived from parts and joints are those by which the machine moves."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.simulation.equations import equations


def joined(name: str) -> lw.Machine:
    machine = lw.load(name)
    if machine.is_unjoined:
        found = lw.recognise(machine).machine
        assert found is not None
        return found
    return machine


@pytest.mark.parametrize(
    "name",
    ["four-bar", "slider-crank", "pendulum", "engine", "escapement", "chiming-clock", "prismatic-pair"],
)
@pytest.mark.parametrize("tidy", [True, False])
def test_accelerations_and_energies_are_those_of_the_program(name: str, tidy: bool) -> None:
    """Where the machine gets to by itself, the table tells the rates that the program computes there."""
    machine = joined(name)
    table = equations(machine, tidy=tidy)
    simulator = lw.Simulator(machine)
    rates = {"engine": {"crankshaft.angle": 2.0}}.get(name)
    moved = simulator.simulate(0.2, step=0.1, rates=rates)
    synthesis = simulator.synthesis
    constants = simulator.native.constants([machine.values()[each] for each in machine.parameters])
    for row in range(len(moved)):
        state = moved.states[row]
        known = dict(zip((leaf.name for leaf in synthesis.y), state.tolist(), strict=True))
        known |= (
            {each.name: 0.0 for each in synthesis.q0}
            | machine.values()
            | {"t": float(moved.columns["time"][row])}
        )
        found = table.evaluate({each: known[each] for each in table.inputs})
        computed = simulator.native.derivative(state, constants, np.zeros(0), known["t"])
        told = dict(zip((leaf.name for leaf in synthesis.state_rates), computed.tolist(), strict=True))
        for each, value in told.items():
            if each in found:
                assert found[each] == pytest.approx(value, rel=1e-8, abs=1e-8), each
        assert found["kinetic_energy"] == pytest.approx(moved.columns["kinetic"][row], rel=1e-8, abs=1e-10)
        assert found["potential_energy"] == pytest.approx(
            moved.columns["potential"][row], rel=1e-8, abs=1e-10
        )
        closing = [value for each, value in found.items() if each.startswith("phi_")]
        assert closing == pytest.approx([0.0] * len(closing), abs=1e-7)


def test_a_written_file_has_the_equations_of_its_solids() -> None:
    """The balance of an escapement swings about its spring's rest: I·α = −k·(φ − φ₀) − d·ω."""
    table = equations(joined("escapement"), ["A_bwheel.angle"])
    values = {"bwheel.angle": 0.3, "V_bwheel.angle": 0.7}
    expected = (-15 * (0.3 - np.pi / 2) - 6 * 0.7) / 20
    assert table.evaluate(values)["A_bwheel.angle"] == pytest.approx(expected)


def test_long_numbers_have_names_and_names_are_not_taken_twice() -> None:
    table = equations(joined("engine"), ["piston.y"])
    constants = [line for line in table if line.name.startswith("c_")]
    assert constants
    assert all(not line.mentions for line in constants)
    assert not any(character * 8 in str(table["piston.y"]) for character in "0123456789")
    every = [str(line) for line in equations(joined("engine")) if line.name.startswith("c_")]
    assert max(sum(letter.isdigit() for letter in line.partition("=")[2]) for line in every) <= 18


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="have no 'pistn"):
        equations(joined("engine"), ["pistn.y"])
