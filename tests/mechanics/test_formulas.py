"""Formulas over the inputs alone are what the lines of the table say, in no more time than their number asks for."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from mechanisms import ALL
from test_growth import chain

from drawings import drawn
from linkwork import Definition, Machine
from linkwork.algebra import evaluate, free_symbols, operation_count
from linkwork.errors import LinkworkError
from linkwork.mechanics import derive
from linkwork.mechanics.derivation import formulas
from linkwork.model.constraint import Angle, Distance

EVERY = pytest.mark.parametrize("name", ALL)


def values_for(inputs: Any, known: Any) -> dict[str, float]:
    """A value for each input: the mechanism's own, or one at random."""
    random = np.random.default_rng(5)
    return {name: known.get(name, random.uniform(0.2, 1)) for name in inputs}


@EVERY
def test_accelerations_are_those_of_the_table(name: str) -> None:
    """Eliminated with names and without, the accelerations have the same values."""
    mechanism = ALL[name]
    asked: dict[str, Any] = {"accelerations": mechanism.free, "moving": mechanism.moving}
    table = derive(mechanism.machine, form="recursive", tidy=False, **asked).table
    found = formulas(mechanism.machine, **asked)
    known = values_for(table.inputs, mechanism.values)
    wanted = table.evaluate(known)
    assert list(found) == [f"A_{each}" for each in mechanism.free]
    got = evaluate(list(found.values()), known)
    np.testing.assert_allclose(got, [wanted[each] for each in found], rtol=1e-9, atol=1e-12)


@EVERY
def test_other_quantities_are_those_of_the_table(name: str) -> None:
    """Energies, and accelerations of points that depend on those of the dimensions."""
    mechanism = ALL[name]
    point = list(mechanism.drawing.points)[-1]
    asked: dict[str, Any] = {
        "accelerations": mechanism.free,
        "moving": mechanism.moving,
        "quantity": [f"{point}x", f"A_{point}x", f"A_{point}y", "kinetic_energy"],
    }
    table = derive(mechanism.machine, form="recursive", tidy=False, **asked).table
    found = formulas(mechanism.machine, **asked)
    known = values_for(table.inputs, mechanism.values)
    wanted = table.evaluate(known) | known
    got = evaluate(list(found.values()), known)
    np.testing.assert_allclose(got, [wanted[each] for each in found], rtol=1e-9, atol=1e-12)


def pendulum(**loads: Any) -> Machine:
    """A rod on a pin, with a force and a mass that the machine defines."""
    definitions = [Definition.of("m2", "2*m1"), Definition.of("f", "-k*V_Ax - Ay")]
    constraints = {"l": Distance(("O", "A"), "l"), "a": Angle(("X", "L"), "a")}
    drawing = drawn(
        points=["O", "A"], lines={"X": ["O"], "L": ["O", "A"]}, constraints=constraints, axis="X", **loads
    )
    return Machine.of("pendulum", drawing=drawing, gravity=(0, "-g"), definitions=definitions)


def test_definitions_of_the_machine_are_put_in() -> None:
    """Masses and forces by names that the machine defines come out over what is given."""
    machine = pendulum(masses={"A": "m2"}, forces={"A": ("f", 0)})
    found = formulas(machine, accelerations="a")["A_a"]
    assert {leaf.name for leaf in free_symbols(found)} == {"a", "V_a", "g", "k", "l", "m1"}
    at = {"a": 0.3, "V_a": 0.7, "g": 9.81, "k": 0.4, "l": 1.3, "m1": 0.6}
    wanted = derive(machine, accelerations="a", form="recursive", tidy=False).evaluate(at)["A_a"]
    assert evaluate([found], at)[0] == pytest.approx(wanted, rel=1e-12)


def test_chains_take_as_many_operations_for_every_link() -> None:
    """The accelerations of a chain are as many operations as its table expanded has, or fewer."""
    counts = []
    for n in (4, 8, 16):
        angles = [f"a{k}" for k in range(1, n + 1)]
        found = formulas(chain(n), accelerations=angles)
        counts.append(operation_count(found.values()))
        table = derive(chain(n), accelerations=angles, form="recursive", tidy=False).table
        assert counts[-1] <= operation_count(table.expanded([f"A_{each}" for each in angles]))
    assert counts[2] - counts[1] == pytest.approx(2 * (counts[1] - counts[0]), rel=0.05)


def test_time_grows_with_the_number_of_links() -> None:
    """Four times the links take about four times the time, not sixteen times."""

    def taken(n: int) -> float:
        machine, angles = chain(n), [f"a{k}" for k in range(1, n + 1)]
        begin = time.process_time()
        formulas(machine, accelerations=angles)
        return time.process_time() - begin

    short, long = (min(taken(n) for _ in range(3)) for n in (25, 100))
    assert long < 9 * short


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"accelerations": "b"}, "no dimension of the drawing is called 'b'"),
        ({"moving": "b"}, "no dimension of the drawing is called 'b'"),
        ({"quantity": "Bx"}, "nothing in pendulum is called 'Bx'"),
        ({"quantity": "A_a", "moving": "a"}, "'A_a' is given unless a is free"),
        ({"accelerations": "a"}, "nothing with mass moves when a does"),
    ],
)
def test_what_cannot_be_asked_for(asked: dict[str, str], message: str) -> None:
    """The errors are those of ``derive``."""
    with pytest.raises(LinkworkError, match=message):
        formulas(pendulum(), **asked)


def test_a_machine_without_a_drawing() -> None:
    """There is nothing to derive formulas from."""
    with pytest.raises(LinkworkError, match="has no drawing"):
        formulas(Machine.of("empty"))
