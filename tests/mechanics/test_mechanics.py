"""Reactions, accelerations and energies against derivations by hand, energy balance, statics, and each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from mechanisms import ALL, Array, Mechanism

import linkwork as lw
from drawings import drawn
from linkwork import Machine
from linkwork.algebra import Table
from linkwork.algebra.weight import table_weight
from linkwork.mechanics import derive
from linkwork.model.constraint import Angle, Distance, Fixed

EVERY = pytest.mark.parametrize(
    "name",
    ALL,
)
FORMS = ("closed", "matrix", "recursive")


def close(found: float, wanted: float, within: float = 1e-9) -> bool:
    return abs(found - wanted) <= within * max(1.0, abs(wanted))


def inputs(mechanism: Mechanism, seed: int) -> dict[str, float]:
    return mechanism.random_values(seed)


def evaluated(table: Table, values: Mapping[str, float]) -> dict[str, float]:
    return table.evaluate({name: values[name] for name in table.inputs})


# ------------------------------------------------------------------------------------ equations of motion


@EVERY
@pytest.mark.parametrize("form", FORMS)
def test_accelerations_are_those_by_hand(name: str, form: str) -> None:
    """Forward dynamics in every form equals d'Alembert's principle on coordinates written by hand."""
    mechanism = ALL[name]
    for tidy in (True, False):
        table = derive(
            mechanism.machine, accelerations=mechanism.free, moving=mechanism.driven, form=form, tidy=tidy
        ).table
        for seed in range(3):
            values = inputs(mechanism, seed)
            found, wanted = evaluated(table, values), mechanism.accelerations(values)
            for each, value in wanted.items():
                assert close(found[each], value), (each, seed, tidy)


@EVERY
def test_reactions_are_those_by_hand(name: str) -> None:
    """Inverse dynamics: what drives each moving dimension, and their power is the change of energy."""
    mechanism = ALL[name]
    for tidy in (True, False):
        table = derive(mechanism.machine, reaction=mechanism.moving, moving=mechanism.moving, tidy=tidy).table
        for seed in range(3):
            values = inputs(mechanism, seed)
            found, wanted = evaluated(table, values), mechanism.reactions(values)
            for each, value in wanted.items():
                assert close(found[f"reaction_{each}"], value), (each, seed, tidy)


@EVERY
def test_reactions_do_the_work(name: str) -> None:
    """Σ reaction·V is the change of kinetic and potential energy in time, less the power of other forces."""
    mechanism = ALL[name]
    wanted = [f"reaction_{each}" for each in mechanism.moving] + ["kinetic_energy", "potential_energy"]
    table = derive(mechanism.machine, quantity=wanted, moving=mechanism.moving).table
    values, h = inputs(mechanism, 5), 1e-5

    def energy(at: float) -> float:
        there = dict(values)
        for each in mechanism.moving:
            speed, rate = values[f"V_{each}"], values[f"A_{each}"]
            there[each] += at * speed + at * at * rate / 2
            there[f"V_{each}"] += at * rate
        found = evaluated(table, there)
        return found["kinetic_energy"] + found["potential_energy"]

    found = evaluated(table, values)
    power = sum(found[f"reaction_{each}"] * values[f"V_{each}"] for each in mechanism.moving)
    other = [
        float(mechanism.work.get(each, 0).evalf(subs=values)) if mechanism.work else 0.0
        for each in mechanism.moving
    ]
    lost = 2 * float(mechanism.loss.evalf(subs=values))
    power += (
        sum(push * values[f"V_{each}"] for push, each in zip(other, mechanism.moving, strict=True)) - lost
    )
    if (
        name == "slider_crank"
    ):  # its force is written as a potential by hand, and is none of the drawing's energy
        before, after = (
            mechanism.by_hand({**values, "a": values["a"] + d * values["V_a"]})[4] for d in (-h, h)
        )
        own = derive(mechanism.machine, quantity="potential_energy").table
        drawn = [
            evaluated(own, {**values, "a": values["a"] + d * values["V_a"]})["potential_energy"]
            for d in (-h, h)
        ]
        power -= ((after - before) - (drawn[1] - drawn[0])) / (2 * h)
    assert close(power, (energy(h) - energy(-h)) / (2 * h), 1e-6)


@EVERY
def test_energies_and_inertias_are_as_defined(name: str) -> None:
    """½·Σ m·v², −Σ m·g·x and springs, and the entries of the mass matrix."""
    mechanism = ALL[name]
    pairs = [(first, second) for first in mechanism.moving for second in mechanism.moving if first <= second]
    names = [f"inertia_{a}" if a == b else f"inertia_{a}_{b}" for a, b in pairs]
    table = derive(mechanism.machine, quantity=[*names, "kinetic_energy"], moving=mechanism.moving).table
    own = derive(mechanism.machine, quantity="potential_energy").table
    values = inputs(mechanism, 2)
    found = evaluated(table, values) | evaluated(own, values)
    mass, _, _, kinetic, potential = mechanism.by_hand(values)
    assert close(found["kinetic_energy"], kinetic)
    if name != "slider_crank":
        assert close(found["potential_energy"], potential)
    order = list(mechanism.moving)
    for (a, b), each in zip(pairs, names, strict=True):
        assert close(found[each], mass[order.index(a), order.index(b)])


@EVERY
def test_energy_is_kept_along_a_motion(name: str) -> None:
    """Runge–Kutta's method on the derived accelerations keeps the energy by hand, less what dampers take."""
    mechanism = ALL[name]
    table = derive(mechanism.machine, accelerations=mechanism.free, moving=mechanism.driven).table
    start = dict(mechanism.values) | {f"V_{each}": 0.2 for each in mechanism.moving}
    start |= {f"A_{each}": 0.0 for each in mechanism.driven}
    if mechanism.work or mechanism.driven:
        return

    def rates(state: Array) -> Array:
        count = len(mechanism.free)
        values = dict(start)
        for place, each in enumerate(mechanism.free):
            values[each], values[f"V_{each}"] = state[place], state[count + place]
        found = evaluated(table, values)
        lost = 2 * float(mechanism.loss.evalf(subs=values)) if mechanism.loss else 0.0
        return np.array([*state[count : 2 * count], *(found[f"A_{each}"] for each in mechanism.free), lost])

    def energy(state: Array) -> float:
        values = dict(start)
        for place, each in enumerate(mechanism.free):
            values[each], values[f"V_{each}"] = state[place], state[len(mechanism.free) + place]
        *_, kinetic, potential = mechanism.by_hand(values)
        return kinetic + potential + float(state[-1])

    state = np.array([start[each] for each in mechanism.free] + [0.2] * len(mechanism.free) + [0.0])
    first, h = energy(state), 5e-4
    for _ in range(200):
        a = rates(state)
        b = rates(state + h / 2 * a)
        c = rates(state + h / 2 * b)
        d = rates(state + h * c)
        state = state + h / 6 * (a + 2 * b + 2 * c + d)
    assert abs(energy(state) - first) < 1e-8 * max(1.0, abs(first))


# ------------------------------------------------------------------------------------------ derivatives


@EVERY
def test_derivatives_by_every_dimension(name: str) -> None:
    """∂(place)/∂(dimension) by implicit differentiation equals central differences of the same table."""
    mechanism = ALL[name]
    point = [*mechanism.drawing.points][-1]
    table = derive(mechanism.machine, quantity=f"{point}x,{point}y", tidy=False).table
    dimensions = [each for each in table.inputs if each in mechanism.values]
    slopes = derive(mechanism.machine, quantity=f"{point}x,{point}y", by=dimensions).table
    values = inputs(mechanism, 3)
    found = evaluated(slopes, values)
    for each in dimensions:
        h = 1e-6
        after, before = (evaluated(table, {**values, each: values[each] + d}) for d in (h, -h))
        for axis in "xy":
            if f"{point}{axis}" in table:
                slope = (after[f"{point}{axis}"] - before[f"{point}{axis}"]) / (2 * h)
                assert close(found[f"{point}{axis}_by_{each}"], slope, 1e-7), each


@EVERY
def test_tidying_never_makes_a_table_heavier(name: str) -> None:
    """By the weight that it lowers, a tidy table is no heavier than the one as derived."""
    mechanism = ALL[name]
    asked: list[dict[str, Any]] = [{"accelerations": mechanism.free}, {"reaction": mechanism.moving}]
    for ask in asked:
        tidy = derive(mechanism.machine, moving=mechanism.moving, **ask).table
        rough = derive(mechanism.machine, moving=mechanism.moving, tidy=False, **ask).table
        assert table_weight(tidy) <= table_weight(rough)


# ---------------------------------------------------------------------------------------------- statics


def test_rods_of_a_truss() -> None:
    """A weight on two rods: the forces in them by the balance of the pin, positive where they push."""
    drawing = drawn(
        points={"A": (0, 0), "B": (3, 0), "C": (1, 2)},
        constraints={
            "left": Fixed(("A",)),
            "right": Fixed(("B",), ("w", 0)),
            "AC": Distance(("A", "C"), "p"),
            "BC": Distance(("B", "C"), "q"),
        },
        forces={"C": ("f", "-W")},
    )
    values = {"w": 3.0, "p": math.sqrt(5), "q": math.sqrt(8), "f": 2.0, "W": 7.0}
    table = derive(Machine.of("truss", values, drawing=drawing), reaction="p,q", static=True).table
    found = evaluated(table, values)
    ways = np.array([[1, -2], [2, 2]], float) / [values["p"], values["q"]]  # from A and from B to C
    pushes = np.linalg.solve(ways, [-2.0, 7.0])
    assert close(found["reaction_p"], pushes[0])
    assert close(found["reaction_q"], pushes[1])


def test_a_rod_that_swings_pulls() -> None:
    """The rod of a pendulum pulls with m·l·V² + m·g·(−sin a): a negative reaction of its length."""
    mechanism = ALL["pendulum"]
    table = derive(mechanism.machine, reaction="l", moving="a").table
    values = inputs(mechanism, 1)
    pull = values["m"] * (values["l"] * values["V_a"] ** 2 - values["g"] * math.sin(values["a"]))
    assert close(evaluated(table, values)["reaction_l"], -pull)


@pytest.mark.parametrize(
    "name",
    [
        "pendulum",
        "double_pendulum",
        "slider_crank",
        "spring_pendulum",
    ],
)
def test_equilibrium_needs_no_reaction(name: str) -> None:
    """Where equilibrium says, the static reaction vanishes."""
    mechanism = ALL[name]
    dimension = mechanism.free[-1]
    start = {
        **mechanism.values,
        **({"a": -1.4} if name in ("pendulum", "double_pendulum", "spring_pendulum") else {"a": 1.5}),
    }
    machine = Machine.of(name, start, drawing=mechanism.drawing, gravity=[0, "-g"])
    found = evaluated(derive(machine, equilibrium=dimension).table, start)[dimension]
    held = derive(machine, reaction=dimension, static=True).table
    assert abs(evaluated(held, {**start, dimension: found})[f"reaction_{dimension}"]) < 1e-8


def test_a_tolerance_stack_adds_up() -> None:
    """Worst and likely errors are the sum and the root of squares of slope times tolerance."""
    drawing = ALL["pendulum"].drawing
    machine = Machine.of("bar", {"a": 0.4, "l": 2.0, "m": 1.0}, drawing=drawing)
    table = derive(machine, quantity="Px", tolerance="a,l").table
    found = evaluated(table, {"a": 0.4, "l": 2.0, "tol_a": 0.01, "tol_l": 0.05})
    by_angle, by_length = 2 * math.sin(0.4) * 0.01, math.cos(0.4) * 0.05
    assert close(found["Px_worst"], by_angle + by_length)
    assert close(found["Px_likely"], math.hypot(by_angle, by_length))


def test_the_angle_of_a_rod_is_held_by_a_torque() -> None:
    """A horizontal bar with a weight at its end is held by the torque m·g·l, counter-clockwise."""
    drawing = drawn(
        points={"O": (0, 0), "P": (1, 0)},
        lines={"L": ("O", "P")},
        constraints={"turn": Angle(("L",), "a"), "length": Distance(("O", "P"), "l")},
        masses={"P": "m"},
    )
    machine = Machine.of("bar", {"a": 0, "l": 2, "m": 3, "g": 9.81}, drawing=drawing, gravity=[0, "-g"])
    table = derive(machine, reaction="a", static=True).table
    assert close(evaluated(table, machine.values())["reaction_a"], 3 * 9.81 * 2)


@pytest.mark.parametrize(
    "names", [("V_P8x", "L7_angle_by_a"), ("L7_angle_by_a", "V_P8x"), ("reaction_a", "V_L7_angle")]
)
def test_what_is_asked_first_changes_nothing(names: tuple[str, ...]) -> None:
    """The angle of a line through two points enters the table late, and is differentiated all the same."""
    values = {"c": 1.0, "L": 2.5, "a": 0.7, "V_a": 1.3}
    table = derive(lw.load("crank-piston"), quantity=names, moving="a").table
    found = table.evaluate({name: values[name] for name in table.inputs})
    slope = -math.cos(0.7) / math.sqrt(2.5**2 - math.sin(0.7) ** 2)
    for name in names:
        if name == "L7_angle_by_a":
            assert close(found[name], slope)
        if name == "V_L7_angle":
            assert close(found[name], slope * 1.3)


RATES = [
    ("double-pendulum", ("a", "b"), ("kinetic_energy", "potential_energy", "reaction_a")),
    ("slider-crank-inertias", ("a",), ("kinetic_energy", "torque", "equivalent_inertia")),
]


@pytest.mark.parametrize(("machine", "moving", "quantities"), RATES)
def test_rates_of_what_mechanics_adds(
    machine: str, moving: tuple[str, ...], quantities: tuple[str, ...]
) -> None:
    """V_ and A_ of energies and reactions, which depend on velocities themselves, against differences in time."""
    names = [f"{prefix}{each}" for prefix in ("", "V_", "A_") for each in quantities]
    table = derive(lw.load(machine), quantity=names, moving=moving).table
    given = dict.fromkeys(table.inputs, 1.3) | lw.load(machine).values()

    def at(time: float) -> dict[str, float]:
        values = dict(given)
        for place, name in enumerate(moving):
            course = np.polynomial.Polynomial([given[name], 0.5 - 0.3 * place, 0.4, 0.3, 0.2])
            for order, rate in enumerate((name, f"V_{name}", f"A_{name}", f"J_{name}", f"V_J_{name}")):
                values[rate] = float(course.deriv(order)(time)) if order else float(course(time))
        return table.evaluate({name: values[name] for name in table.inputs})

    h = 1e-4
    before, here, after = at(-h), at(0.0), at(h)
    for each in quantities:
        assert close(here[f"V_{each}"], (after[each] - before[each]) / (2 * h), 1e-6)
        assert close(here[f"A_{each}"], (after[f"V_{each}"] - before[f"V_{each}"]) / (2 * h), 1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_given_names_like_those_of_lines_change_nothing(form: str) -> None:
    """A length called load_a and a gravity called b_a: a pendulum accelerates by −(g/l)·cos a all the same."""
    drawing = lw.Drawing(
        points=["O", "P"],
        lines={"x": ["O"], "L": ["O", "P"]},
        axis="x",
        constraints={"l": Distance(("O", "P"), "load_a"), "a": Angle(("x", "L"), "a")},
        masses={"P": "K_Px_Px"},
    )
    machine = lw.Machine.of("pendulum", drawing=drawing, gravity=(0, "-b_a"))
    table = derive(machine, accelerations="a", form=form).table
    values = {"load_a": 2.0, "b_a": 9.81, "K_Px_Px": 3.0, "a": 0.4, "V_a": 1.1}
    found = table.evaluate({name: values[name] for name in table.inputs})["A_a"]
    assert close(found, -9.81 / 2 * math.cos(0.4))
