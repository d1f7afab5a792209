"""The scenes that come with linkwork: their sizes as published, their classes, and the energy that they conserve.

T. Ellman, R. Deak and J. Fotinatos (2003), Fig. 15, has sixteen scenes with the numbers of variables and constraints,
normalisations of quaternions included. How they move is tested beside this, in ``test_scenes_*.py``.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scene_runs import NO_DRAG, run, simulator

import linkwork as lw
from linkwork import examples

SIZES = {
    "pendulum": (2, 1),
    "acrobat": (4, 2),
    "three-bodies": (6, 0),
    "spring-coupled-pendula": (8, 6),
    "linked-pendula": (8, 7),
    "pendula-on-wheel": (10, 6),
    "nested-toruses": (8, 6),
    "snowman": (6, 3),
    "two-snowmen": (12, 6),
    "torus-on-plane": (11, 8),
    "ellipsoid-on-plane": (9, 6),
    "ball-in-torus": (11, 8),
    "ball-in-drum": (13, 10),
    "roller-coaster-one-car": (9, 8),
    "sliding-coaster": (25, 24),
    "roller-coaster": (33, 32),
    "bicycle": (10, 7),
    "gyroscope": (3, 0),
    "foucault-pendulum": (4, 2),
    "rattleback": (9, 6),
    "car": (10, 9),
}
DRIVEN = {"pendula-on-wheel", "ball-in-drum", "foucault-pendulum"}


@pytest.mark.parametrize("name", SIZES)
def test_numbers_of_variables_and_constraints_are_the_published_ones(name: str) -> None:
    """Fig. 15, and for the others their freedoms: bicycle 3, gyroscope 3, pendulum 2, rattleback 3, car 1."""
    plan = simulator(name).plan
    assert (len(plan.names), len(plan.specification.constraints)) == SIZES[name]
    assert plan.redundant == ()


def train(cars: int) -> str:
    """The roller coaster with another number of cars."""
    text = examples.path("roller-coaster").read_text("utf-8").partition("\n[view]")[0]
    tables = re.split(r"(?m)^(?=\[)", text)
    shared = [each for each in tables if not re.search(r"^\[(frame|constraint)\.\w+\d\]", each)]
    first = [each for each in tables if re.search(r"^\[(frame|constraint)\.\w+1\]", each)]
    made = []
    for number in range(1, cars + 1):
        for each in first:
            is_between = re.match(r"\[(frame.rear_joint|constraint.apart|constraint.aim)1", each)
            if is_between and number == cars:
                continue
            renamed = re.sub(r"(?<=[a-z])2\b", "@", each)
            renamed = re.sub(r"(?<=[a-z])1\b", str(number), renamed).replace("@", str(number + 1))
            made.append(renamed.replace('"0*(car', f'"{1 - number}*(car'))
    return "".join([*shared[:-3], *made, *shared[-3:]])


@pytest.mark.parametrize("cars", range(2, 7))
def test_a_train_of_n_cars_has_as_many_variables_of_each_order(cars: int, tmp_path: Path) -> None:
    """3(n−1) of order zero (links), 6n of first order (pitch, wheels), 3n of second (origins, altitudes)."""
    file = tmp_path / "train.toml"
    file.write_text(train(cars), "utf-8")
    classes = lw.plan(lw.load(file)).classes
    assert (len(classes.zeroth), len(classes.first), len(classes.second)) == (
        3 * (cars - 1),
        6 * cars,
        3 * cars,
    )


def test_the_train_of_three_cars_is_the_example(tmp_path: Path) -> None:
    """The generator of trains gives the example back."""
    file = tmp_path / "roller-coaster.toml"
    file.write_text(train(3), "utf-8")
    made, example = lw.plan(lw.load(file)), simulator("roller-coaster").plan
    assert made.names == example.names
    assert made.to_json()["components"] == example.to_json()["components"]


def shuffled(text: str, seed: int) -> str:
    """The same machine with its tables in another order."""
    head, *tables = re.split(r"(?m)^(?=\[)", text.rstrip() + "\n\n")
    random.Random(seed).shuffle(tables)
    return head + "".join(tables)


@pytest.mark.parametrize(
    "name", ["roller-coaster", "spring-coupled-pendula", "snowman", "torus-on-plane", "bicycle"]
)
def test_the_order_of_declaration_changes_no_class(name: str, tmp_path: Path) -> None:
    """Whatever order the tables stand in, the classes are the same sets and the systems fall apart alike."""
    plan = simulator(name).plan
    for seed in range(3):
        file = tmp_path / f"{name}.toml"
        file.write_text(shuffled(examples.path(name).read_text("utf-8"), seed), "utf-8")
        other = lw.plan(lw.load(file))
        for ours, theirs in zip(_sets(plan), _sets(other), strict=True):
            assert ours == theirs
        for part, same in zip(plan.parts, other.parts, strict=True):
            assert sorted(part.sizes) == sorted(same.sizes), part.name


def _sets(plan: Any) -> list[set[str]]:
    classes = plan.classes
    every = (classes.zeroth, classes.first, classes.second, *classes.holonomic, *classes.nonholonomic)
    return [set(each) for each in every]


@pytest.mark.parametrize("name", [name for name in SIZES if name not in DRIVEN])
def test_energy_is_conserved(name: str) -> None:
    """Constraints do no work, rolling without slipping included; the engine and the drag are off."""
    solution = run(name, **(NO_DRAG if "coaster" in name else {"drag": 0} if name == "car" else {}))
    total = solution["energy"]
    assert np.ptp(total) < 1e-8 * max(np.ptp(solution["kinetic"]), 1e-3 * np.max(solution["kinetic"]))


@pytest.mark.parametrize("name", SIZES)
def test_scenes_say_what_they_are(name: str) -> None:
    """A title in one line, space or plane, and every size under a name."""
    machine = simulator(name).machine
    assert machine.title
    assert machine.parameters
    assert machine.dimension == (2 if name == "three-bodies" else 3)
