"""Plans: the published numbers of the roller coaster, with any number of cars in any order, and other machines."""

from __future__ import annotations

import json
import os
import random
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from linkwork import Machine, examples, load
from linkwork.cli.plan_text import plan_text
from linkwork.cli.run import run
from linkwork.dynamics.plan import Plan
from linkwork.dynamics.specification import Specification
from linkwork.model.read import machine_from_text
from linkwork.simulation import Simulator

GOLDEN = Path(__file__).parents[1] / "golden"
PLANNED = ("roller-coaster", "pendulum", "four-bar", "bennett", "torus-on-plane")


@cache
def planned(name: str) -> Plan:
    return Simulator(load(name)).plan


def sizes(plan: Plan) -> dict[str, list[tuple[int, ...]]]:
    """The sizes of the blocks of each system, the largest first."""
    return {part.name: sorted((tuple(each) for each in part.sizes), reverse=True) for part in plan.parts}


# ----------------------------------------------------------------------------------- the roller coaster


def test_the_published_classes() -> None:
    """§5.1 of the paper: joints between cars of order zero; pitch and wheels of first, the track of second order."""
    classes = planned("roller-coaster").classes
    both = ("rw", "rx")
    assert {*classes.zeroth} == {f"rear_joint{k}.{e}" for k in (1, 2) for e in ("rw", "rx", "rz")}
    assert {*classes.first} == {
        f"{frame}{k}.{e}" for frame in ("car", "front_axle", "rear_axle") for k in (1, 2, 3) for e in both
    }
    assert {*classes.second} == {
        name for k in (1, 2, 3) for name in (f"origin{k}.rw", f"origin{k}.rz", f"car{k}.tz")
    }
    assert [len(each) for each in classes.holonomic] == [6, 12, 8]
    assert [len(each) for each in classes.nonholonomic] == [6, 0]


def test_the_published_numbers() -> None:
    plan = planned("roller-coaster")
    spec = plan.specification
    assert (len(spec.variables), len(spec.constraints)) == (33, 32)
    assert (len(spec.holonomic), len(spec.nonholonomic), len(spec.initial)) == (26, 6, 1)
    assert sizes(plan) == {
        "initialization": [(20, 21), *[(1, 2)] * 6],
        "initial velocities": [(3, 3), (3, 3), (2, 2), (1, 1)],
        "zeroth-order positions": [(3, 3)] * 2,
        "first-order velocities": [(2, 2)] * 9,
        "second-order accelerations": [(17, 17), *[(4, 4)] * 9],
        "stabilisation": [(22, 24), *[(1, 2)] * 6],
    }
    counts = {part.name: (len(part.equations), len(part.unknowns)) for part in plan.parts}
    assert counts["initialization"] == (26, 33)
    assert counts["initial velocities"] == (9, 9)
    assert counts["second-order accelerations"] == (53, 53)
    assert counts["stabilisation"] == (28, 36)


def test_only_the_largest_part_of_the_accelerations_is_kept() -> None:
    """And the program's own decomposition is finer than the published one."""
    part = planned("roller-coaster").accelerations
    assert [part.sizes[place] for place in part.kept] == [[17, 17]]
    assert sorted(block.size for block in part.finer) == [2] * 18 + [17]


# ------------------------------------------------------------------------------------ any number of cars

CAR = """
[frame.origin{k}]
varies = ["rz"]
turn = "-{k}*(car_length + link_length)/radius"
[frame.car{k}]
on = "origin{k}"
at = ["radius", 0, "amplitude"]
varies = ["tz", "rx"]
axis = [1, 0, 0]
mass = 1
[frame.front_axle{k}]
on = "car{k}"
at = [0, 1, -0.5]
varies = ["rx"]
axis = [1, 0, 0]
[frame.front_contact{k}]
on = "car{k}"
at = [0, 1, "-0.5 - wheel"]
[frame.rear_axle{k}]
on = "car{k}"
at = [0, -1, -0.5]
varies = ["rx"]
axis = [1, 0, 0]
[frame.rear_contact{k}]
on = "car{k}"
at = [0, -1, "-0.5 - wheel"]
[frame.front_joint{k}]
on = "car{k}"
at = [0, "car_length/2", 0]
[constraint.on_track{k}]
holds = "position(car{k}).z == altitude(euler_z(origin{k}))"
[constraint.pitch{k}]
holds = "tan(euler_x(car{k})) == slope(euler_z(origin{k}))"
[constraint.front_rolls{k}]
holds = "contact_velocity(front_axle{k}, front_contact{k}, car{k}).y == 0"
[constraint.rear_rolls{k}]
holds = "contact_velocity(rear_axle{k}, rear_contact{k}, car{k}).y == 0"
"""
LINK = """
[frame.rear_joint{k}]
on = "car{k}"
at = [0, "-car_length/2", 0]
varies = ["rx", "rz"]
[constraint.apart{k}]
holds = "gap(car{k}, car{n}) == (car_length + link_length)^2"
[constraint.aim{k}]
holds = ["transform_point(position(front_joint{n}), ground, rear_joint{k}).x == 0", \
"transform_point(position(front_joint{n}), ground, rear_joint{k}).z == 0"]
"""


def train(cars: int, seed: int | None = None) -> Machine:
    """A train of cars; with a seed its tables and the names of its cars are shuffled."""
    numbers = list(range(1, cars + 1))
    source = random.Random(seed)
    if seed is not None:
        source.shuffle(numbers)
    text = "".join(CAR.format(k=k) for k in numbers)
    text += "".join(LINK.format(k=k, n=n) for k, n in pairwise(numbers))
    tables = re.split(r"(?m)^(?=\[\w+\.)", text)
    if seed is not None:
        source.shuffle(tables)
    head = examples.path("roller-coaster").read_text("utf-8").partition("[frame.")[0]
    tail = '[energy.weight]\neach = "mass(body)*g*position(body).z"\n'
    tail += '[force.engine]\ntype = "force"\nat = "car1"\n'
    tail += 'force = "thrust_constant*throttle*heading(car1) - drag_constant*velocity(car1)"\n'
    return machine_from_text(head + "".join(tables) + tail, "train.toml", "train")


@pytest.mark.parametrize(("cars", "seed"), [(2, None), (2, 2), (3, 3), (4, 5), (6, 4)])
def test_a_train_of_any_length_in_any_order(cars: int, seed: int | None) -> None:
    """3(n−1), 6n and 3n variables, and as many blocks as cars have of each kind."""
    plan = Plan(Specification.of(train(cars, seed)))
    classes, found = plan.classes, sizes(plan)
    counts = (len(classes.zeroth), len(classes.first), len(classes.second))
    assert counts == (3 * (cars - 1), 6 * cars, 3 * cars)
    assert found["zeroth-order positions"] == [(3, 3)] * (cars - 1)
    assert found["first-order velocities"] == [(2, 2)] * (3 * cars)
    assert found["second-order accelerations"] == [(6 * cars - 1, 6 * cars - 1), *[(4, 4)] * (3 * cars)]
    kept = [plan.accelerations.sizes[place] for place in plan.accelerations.kept]
    assert kept == [[6 * cars - 1] * 2]


# ----------------------------------------------------------------------------------------- other machines


def test_the_one_car_example() -> None:
    plan = planned("roller-coaster-one-car")
    assert (len(plan.specification.variables), len(plan.specification.constraints)) == (9, 8)
    turning = {f"{frame}.{e}" for frame in ("car", "front_axle", "rear_axle") for e in ("rw", "rx")}
    assert plan.classes.zeroth == ()
    assert turning <= {*plan.classes.first} <= turning | {"car.tz"}  # the track gives tz outright


def test_a_pendulum_by_a_quaternion() -> None:
    plan = planned("pendulum")
    assert plan.classes.second == ("pivot.rw", "pivot.ry")
    assert plan.classes.holonomic == ((), (), ("pivot.unit",))
    assert sizes(plan)["second-order accelerations"] == [(3, 3)]


def test_a_four_bar_has_its_loop_left() -> None:
    """The crank is driven; two angles under two equations of the last joint, and no other coordinates."""
    plan = planned("four-bar")
    assert plan.redundant == ()
    assert sorted(plan.names) == ["coupler.angle", "rocker.angle"]
    assert [each.name for each in plan.specification.constraints] == ["C.1", "C.2"]
    assert {*map(tuple, plan.accelerations.sizes)} == {(2, 2)}


def test_an_overconstrained_loop_is_told_and_solved() -> None:
    """Bennett's: three constraints of one joint follow from the others."""
    plan = planned("bennett")
    assert len(plan.redundant) == 3
    assert {name.partition(".")[0] for name in plan.redundant} <= {*plan.specification.machine.joints}
    kept = {name for each in plan.classes.holonomic for name in each}
    assert kept.isdisjoint(plan.redundant)
    assert len(kept) == len(plan.names)
    assert plan.to_json()["constraints"]["redundant"] == list(plan.redundant)


@pytest.mark.parametrize("name", PLANNED)
def test_parts_are_made_of_their_blocks(name: str) -> None:
    """Blocks share no equation and no unknown, and what they hold is in the part."""
    for part in planned(name).parts:
        for side, whole in ((0, part.equations), (1, part.unknowns)):
            names = [each for block in part.blocks for each in block[side]]
            assert len(names) == len({*names})
            assert {*names} <= {*whole}
        assert all(0 <= place < len(part.blocks) for place in part.kept)


# ------------------------------------------------------------------------------------------ data and words


@pytest.mark.parametrize("name", PLANNED)
def test_the_data(name: str) -> None:
    found: dict[str, Any] = json.loads(json.dumps(planned(name).to_json()))
    assert [*found] == ["machine", "variables", "constraints", "components"]
    assert found["machine"] == name
    assert [*found["variables"]] == ["zeroth", "first", "second"]
    assert [*found["constraints"]] == ["holonomic", "nonholonomic", "initial", "redundant"]
    assert [
        len(each) for each in (found["constraints"]["holonomic"], found["constraints"]["nonholonomic"])
    ] == [3, 2]
    for part in found["components"]:
        assert {"name", "equations", "unknowns", "blocks"} <= {*part} <= {
            "name", "equations", "unknowns", "blocks", "kept", "finer",
        }  # fmt: skip


def test_the_words_of_plans() -> None:
    """The explanation is part of the product: read the difference before you accept it."""
    shown = "\n".join(plan_text(planned(name)) for name in PLANNED)
    golden = GOLDEN / "plans.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(shown, "utf-8")
    assert shown == golden.read_text("utf-8")
    assert max(map(len, shown.splitlines())) <= 110


def test_the_command_line_explains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words, as data, and as pictures."""
    picture, image, data = (tmp_path / f"plan.{ending}" for ending in ("svg", "png", "json"))
    assert run(["plan", "roller-coaster", "-o", str(picture)]) == 0
    assert capsys.readouterr().out == plan_text(planned("roller-coaster"))
    root = ElementTree.fromstring(picture.read_text("utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert run(["plan", "pendulum", "-o", str(image), "--quiet"]) == 0
    assert image.read_bytes().startswith(b"\x89PNG\r\n")
    capsys.readouterr()
    assert run(["plan", "pendulum", "--json", "-o", str(data), "--quiet"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown.pop("file") == str(data)
    assert shown == json.loads(data.read_text("utf-8")) == planned("pendulum").to_json()


def test_the_command_line_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "roller-coaster", "-o", str(tmp_path / "plan.doc")]) == 2
    assert ".svg" in capsys.readouterr().err
    path = tmp_path / "m.toml"
    path.write_text('linkwork = 1\n[frame.f]\nvaries = ["tx", "ty"]\nmass = 1\n[frame.g]\nvaries = ["tx"]\n')
    assert run(["plan", str(path)]) != 0
    shown = capsys.readouterr().err
    assert "g.tx" in shown
    assert "fix" in shown
