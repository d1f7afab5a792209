"""The examples that are given by solids alone: the joints that a person would name, and all that is said of them.

``UPDATE_GOLDEN=1 pytest tests/recognition/test_examples.py`` records the texts anew; read the difference before you
commit it.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from linkwork import examples
from linkwork.cli.app import app
from linkwork.model import Machine, load
from linkwork.recognition import Recognition, recognise

GOLDEN = Path(__file__).parent.parent / "golden" / "recognised"

CLOCK = "revolute: frame ewheel, frame lever, frame bwheel"
FOUND = {
    "escapement": CLOCK,
    "missing-tooth": CLOCK,
    "big-tooth": CLOCK,
    "double-escapement": f"{CLOCK}, frame lever2, frame bwheel2",
    "time-bomb": f"{CLOCK}, frame bigwheel; gear: ewheel bigwheel",
    "chiming-clock": f"{CLOCK}, frame bigwheel, frame clapper; gear: ewheel bigwheel",
    "hour-and-day-clock": f"{CLOCK}, frame hour_wheel, frame hour_clapper, frame day_wheel, frame day_clapper;"
    "gear: ewheel hour_wheel, hour_wheel day_wheel",
    "damped-pendulum": "revolute: frame pendulum",
    "irregular-pendulum": "revolute: frame upper, upper lower",
    "ratchet-cw": "revolute: frame wheel, frame pawl",
    "ratchet-ccw": "revolute: frame wheel, frame pawl",
    "rotary-reciprocation": "revolute: frame wheel, frame arm",
    "engine": "revolute: frame crankshaft, crankshaft rod, rod piston; prismatic: frame piston",
    "prismatic-pair": "prismatic: frame bar",
    "four-bar-solids": "revolute: frame crank, crank coupler, coupler rocker, frame rocker",
    "gear-train": "revolute: frame barrel, frame idler, frame compound, frame last;"
    "gear: barrel idler, idler compound, compound last",
    "involute-gears": "revolute: housing sun, housing arm, arm planet_1, arm planet_2, arm planet_3;"
    "gear: housing planet_1, housing planet_2, housing planet_3, sun planet_1, sun planet_2, sun planet_3",
    "gears-in-contact": "revolute: frame pinion, frame wheel",
    "rack-pinion-solids": "revolute: housing pinion; prismatic: housing rack; rack: pinion rack",
    "geneva-drive": "revolute: frame driver, frame cross",
    "cam-and-follower": "revolute: frame cam; prismatic: frame follower",
    "film-advance": "revolute: frame driver, frame cross; prismatic: frame film; rack: cross film",
    "door-latch": "revolute: frame door, door handle; prismatic: door bolt",
    "click-pen": "prismatic: barrel plunger, barrel refill, refill rotor",
    "pin-tumbler-lock": "revolute: housing plug; prismatic: plug key,"
    + ",".join(f"plug key_pin_{number}, housing driver_pin_{number}" for number in range(1, 6)),
    "woodpecker": "revolute: sleeve bird",
    "rocking-block": "",
    "marble-run": "",
}
"""The pairs of each machine, by hand: the kinds, each with the parts that it joins."""

MOTIONS = {
    "engine": [1],
    "four-bar-solids": [1],
    "gear-train": [1],
    "involute-gears": [1],
    "gears-in-contact": [1, 1],
    "rack-pinion-solids": [1],
    "geneva-drive": [1, 1],
    "cam-and-follower": [1, 1],
    "double-escapement": [1, 1, 1, 1, 1],
    "chiming-clock": [1, 1, 1, 1],
    "hour-and-day-clock": [1, 1, 1, 1, 1],
    "irregular-pendulum": [2],
    "film-advance": [1, 1],
    "door-latch": [3],
    "click-pen": [1, 2],
    "pin-tumbler-lock": [7, 1, 1, 1, 1, 1],
    "woodpecker": [4],
    "rocking-block": [3],
    "marble-run": [6],
}
"""How many motions the subsystems have."""


def pairs_by_hand(name: str) -> set[tuple[str, frozenset[str]]]:
    found = set()
    for line in filter(None, FOUND[name].split(";")):
        kind, _, pairs = line.partition(":")
        found |= {(kind.strip(), frozenset(pair.split())) for pair in pairs.split(",")}
    return found


@cache
def given(name: str) -> Machine:
    return load(name)


@cache
def recognised(name: str) -> Recognition:
    return recognise(given(name))


def run(*words: str) -> str:
    answer = CliRunner().invoke(app, [*words])
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def test_all_machines_of_solids_are_in_the_table() -> None:
    assert {*FOUND} == {name for name in examples.names() if given(name).is_unjoined}


@pytest.mark.parametrize("name", FOUND)
def test_pairs_are_those_that_a_person_names(name: str) -> None:
    found = recognised(name)
    assert {(pair.kind, frozenset(pair.parts)) for pair in found.pairs} == pairs_by_hand(name)
    assert len(found.pairs) == len(pairs_by_hand(name))
    assert all(pair.why for pair in found.pairs)


@pytest.mark.parametrize("name", MOTIONS)
def test_subsystems_have_their_motions_and_a_variable_for_each(name: str) -> None:
    found = recognised(name).subsystems
    assert [each.mobility for each in found] == MOTIONS[name]
    assert [len(each.variables) for each in found] == MOTIONS[name]


@pytest.mark.parametrize("name", FOUND)
def test_what_is_said_stays_as_it_was_read(name: str) -> None:
    said = run("recognise", name)
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(said, "utf-8")
    assert said == file.read_text("utf-8")


@pytest.mark.parametrize("name", FOUND)
def test_the_found_machine_is_written_and_loads_back_equal(name: str, tmp_path: Path) -> None:
    file = tmp_path / "found.toml"
    run("recognise", name, "-o", str(file))
    machine = recognised(name).machine
    assert machine is not None
    again = load(str(file))
    assert (again.parts, again.joints) == (machine.parts, machine.joints)
    assert (again.frames, again.forces) == (machine.frames, machine.forces)
    assert (again.dimension, again.gravity) == (machine.dimension, machine.gravity)


@pytest.mark.parametrize("name", FOUND)
def test_machines_with_masses_are_simulated_without_contact(name: str) -> None:
    assert "status    complete" in run("simulate", name, "--until", "0.1", "--no-check")


@pytest.mark.parametrize("name", ["engine", "four-bar-solids"])
def test_nothing_collides_on_the_way_of(name: str) -> None:
    assert "nothing collides" in run("clash", name, "--steps", "36")
