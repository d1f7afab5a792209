"""From machines to stages: things stand where the formulas say, in replays and in simulations on the stage."""

from __future__ import annotations

import base64
import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from linkwork import Frame, Machine, examples, load, move, simulate
from linkwork.dynamics.javascript_program import javascript_files
from linkwork.dynamics.standalone import Standalone
from linkwork.emit import interpreted
from linkwork.errors import LinkworkError, UsageError
from linkwork.model.scene import Control
from linkwork.model.view import View
from linkwork.model.visible import Box, Coil, Cylinder, Light, Rod, Sight, Sphere, Terrain, Torus, Tube
from linkwork.simulation import Simulator, Solution
from linkwork.simulation.ranges import range_ends
from linkwork.view.machine_stage import live_stage, machine_stage
from linkwork.view.stage import IDENTITY, Stage, placed, stage_data

Array = NDArray[np.float64]
SCENES = [name for name in examples.names() if load(name).is_scene]
OTHERS = [
    name
    for name in examples.names()
    if load(name).moving and not load(name).is_scene and not load(name).is_unjoined
]


@cache
def run(name: str, until: float = 1.0) -> Solution:
    return simulate(load(name), until=until, rtol=1e-7, check=False)


def matrix(stage: Stage, name: str, row: int = 0) -> Array:
    """Where a thing stands in the world."""
    thing = next(each for each in stage.things if each.name == name)
    outer: Array = stage.matrices(row)[thing.placement]
    if thing.matrix is None:
        return outer
    inner = np.reshape(thing.matrix, (3, 4))
    return np.column_stack([outer[:, :3] @ inner[:, :3], placed(outer, inner[None, :, 3])[0]])


def scene(**view: Any) -> Machine:
    """A frame that moves along x and turns about z, another on it, with parameters."""
    frames = {
        "car": Frame(
            at=(1, 2, 3), varies=("tx", "turn"), rates={"tx": "v", "turn": 1}, mass=1, inertia=(1, 1, 1)
        ),
        "arm": Frame(on="car", at=("l", 0, 0), scale=(2, 1, 1)),
    }
    return Machine.of("seen", {"l": 0.5, "v": 2, "n": 3}, dimension=3, frames=frames, view=View(**view))


# ------------------------------------------------------------------------------------ where things stand


def test_an_object_stands_on_its_frame() -> None:
    machine = scene(object={"box": Box(on="car", at=(0, 0, 1), size=(1, 2, 3))})
    solution = simulate(machine, until=1)
    stage = machine_stage(machine, solution)
    for row in (0, 400, stage.rows - 1):
        turn = solution["car.turn"][row]
        found = matrix(stage, "box", row)
        assert np.allclose(found[:, 3], [solution["car.tx"][row], 2, 4])
        assert np.allclose(found[:, 0], [np.cos(turn), np.sin(turn), 0])
        assert np.allclose(np.linalg.norm(found[:, :3], axis=0), [1, 2, 3])
    assert stage.placements == ("ground", "car")


def test_sizes_may_follow_the_motion_without_a_new_surface() -> None:
    machine = scene(object={"ball": Sphere(radius="position(car).x")})
    solution = simulate(machine, until=1)
    stage = machine_stage(machine, solution)
    assert len(stage.solids) == 1
    assert np.allclose(matrix(stage, "ball", 500)[0, 0], solution["car.tx"][500])


def test_a_scaled_frame_stretches_what_stands_on_it() -> None:
    machine = scene(object={"ball": Sphere(on="arm", radius=1, turn="90 deg")})
    assert np.allclose(matrix(machine_stage(machine), "ball")[:, :3].T @ [1, 0, 0], [0, -2, 0], atol=1e-12)


def test_a_rod_reaches_from_one_place_to_the_other() -> None:
    things = {
        "rod": Rod(between=("ground", "arm"), radius="l/5"),
        "coil": Coil(between=("arm", "[0, 0, 9]"), radius=0.1),
    }
    machine = scene(object=things)
    solution = simulate(machine, until=1)
    stage = machine_stage(machine, solution)
    for row in (0, 700):
        angle = solution["car.turn"][row]
        tip = [solution["car.tx"][row] + 0.5 * np.cos(angle), 2 + 0.5 * np.sin(angle), 3]
        ends = placed(matrix(stage, "rod", row), np.array([[0.0, 0, 0], [0, 0, 1]]))
        assert np.allclose(ends, [[0, 0, 0], tip])
        sides = matrix(stage, "rod", row)[:, :3]
        assert np.allclose(sides[:, :2].T @ sides, [[0.01, 0, 0], [0, 0.01, 0]], atol=1e-12)
        assert np.allclose(placed(matrix(stage, "coil", row), np.array([[0.0, 0, 1]])), [[0, 0, 9]])


def test_objects_that_repeat_share_a_surface() -> None:
    posts = Cylinder(at=("l*i", "i^2", 0), radius=0.1, length=1, count=100_000)
    stage = machine_stage(scene(object={"post": posts}))
    (thing,) = stage.things
    assert thing.instances is not None
    assert thing.instances.shape == (100_000, 12)
    assert np.allclose(thing.instances[7, [3, 7, 11]], [3.5, 49, 0])
    assert len(stage.placements) == 1


def test_repeated_objects_that_move_have_places_of_their_own() -> None:
    stage = machine_stage(scene(object={"ball": Sphere(at=("i*position(car).x", 0, 0), radius=1, count="n")}))
    assert [thing.name for thing in stage.things] == ["ball.1", "ball.2", "ball.3"]
    assert [matrix(stage, f"ball.{k + 1}")[0, 3] for k in range(3)] == pytest.approx([0, 1, 2])
    with pytest.raises(LinkworkError, match="repeated too often") as caught:
        machine_stage(scene(object={"ball": Sphere(at=("i*position(car).x", 0, 0), radius=1, count=5000)}))
    assert caught.value.exit_code == 3, "as for any other count that is out of bounds"
    assert caught.value.where == ("view", "object", "ball", "count")


def test_repeated_tubes_differ_by_their_number() -> None:
    rails = Tube(curve=("s", "i", 0), over=("s", 0, 1), radius=0.1, count=2)
    stage = machine_stage(scene(object={"rail": rails}))
    assert [stage.solids[thing.solid].positions[:, 1].mean() for thing in stage.things] == pytest.approx(
        [0, 1]
    )


def test_forms_follow_formulas() -> None:
    things = {
        "land": Terrain(height="l*x + y^2", size=(4, 4), steps=8),
        "ring": Torus(radius="2*l", tube="l/2"),
    }
    stage = machine_stage(scene(object=things))
    land = stage.solids[stage.things[0].solid].positions
    assert np.allclose(land[:, 2], 0.5 * land[:, 0] + land[:, 1] ** 2)
    ring = stage.solids[stage.things[1].solid].positions
    assert ring.max() == pytest.approx(1.25)
    assert np.allclose(np.diag(matrix(stage, "ring")), 1.0)


def test_lights_and_cameras_ride_along() -> None:
    machine = scene(
        object={"ball": Sphere(radius=1)},
        light={
            "lamp": Light(kind="point", on="car", at=(0, 0, 1)),
            "beam": Light(kind="spot", at="position(car)", toward=(0, 0, 0)),
        },
        camera={
            "ride": Sight(on="car", at=(0, -1, 1), toward="arm"),
            "still": Sight(at=("l", 0, 9), toward=(0, 0, 0)),
        },
    )
    solution = simulate(machine, until=1)
    stage = machine_stage(machine, solution)
    lamp, beam = stage.lamps
    ride, still = stage.eyes
    row = 300
    car = np.array([solution["car.tx"][row], 2, 3])
    matrices = stage.matrices(row)
    assert np.allclose(placed(matrices[lamp.placement], np.array([lamp.at]))[0], car + np.array([0, 0, 1]))
    ends = placed(matrices[beam.placement], np.array([beam.at, beam.toward]))
    assert np.allclose(ends, np.array([car, np.zeros(3)]))
    assert stage.placements[ride.toward_placement] == "arm"
    assert (still.placement, still.at) == (0, (0.5, 0.0, 9.0))


# --------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_has_a_stage(name: str) -> None:
    stage = machine_stage(load(name), run(name, 0.2))
    assert stage.motion is not None
    assert np.all(np.isfinite(stage.motion.placements))
    assert np.all(np.isfinite(stage.extent))
    assert stage.motion.placements.shape == (stage.rows, 12 * (len(stage.placements) - 1))
    json.dumps(stage_data(stage), allow_nan=False)


@pytest.mark.parametrize("name", OTHERS)
def test_every_machine_of_parts_has_a_stage(name: str) -> None:
    stage = machine_stage(load(name))
    assert stage.things
    assert np.all(np.isfinite(stage.start))
    used = {thing.placement for thing in stage.things}
    moving = {stage.placements[place] for place in used}
    assert moving <= {"ground", *load(name).moving, *stage.placements}
    json.dumps(stage_data(stage), allow_nan=False)


@pytest.mark.parametrize(
    "name", ["roller-coaster", "snowman", "spring-coupled-pendula", "ball-in-drum", "scissor"]
)
def test_the_program_shows_what_the_replay_shows(name: str) -> None:
    """The placements that ``show`` computes from the state are those that the columns give."""
    machine = load(name)
    simulator = Simulator(machine)
    live, program = live_stage(simulator.synthesis)
    solution = simulator.simulate(0.5, rtol=1e-8, check=False)
    replay = machine_stage(machine, solution)
    values = machine.values()
    parameters = [values[each] for each in machine.parameters]
    constants = interpreted(simulator.synthesis.constants_program)(p=parameters)["k"]
    for row in (0, len(solution) // 2, len(solution) - 1):
        zeroth = [solution[leaf.name][row] for leaf in simulator.synthesis.q0]
        known = {"y": solution.states[row], "q0": zeroth, "k": constants, "clock": [solution.times[row]]}
        known["c"] = np.zeros(max(len(machine.controls), 1))
        given = {each.name: known[each.name] if each.symbols else np.zeros(0) for each in program.inputs}
        out = interpreted(program)(**given)["out"]
        matrices = 12 * (len(live.placements) - 1)
        assert len(out) == matrices + len(range_ends(machine))
        shown = out[:matrices].reshape(-1, 3, 4)
        by_name = dict(zip(live.placements[1:], shown, strict=True))
        for place, each in enumerate(replay.placements[1:], 1):
            assert np.allclose(by_name[each], replay.matrices(row)[place], atol=1e-7), each


def test_sliders_move_what_depends_on_parameters() -> None:
    """A size that is a parameter has a placement of its own where sliders can change it, in a replay it has none."""
    machine = scene(
        object={"ball": Sphere(radius="l"), "twin": Sphere(radius="l"), "fixed": Sphere(radius=2)}
    )
    live, program = live_stage(Simulator(machine).synthesis)
    assert [thing.placement for thing in live.things] == [1, 1, 0]
    assert len(program.results) == 12
    assert live.live is not None
    assert live.live.standing == (1,), "a slider moves it, the motion does not"
    still = machine_stage(machine)
    assert [thing.placement for thing in still.things] == [0, 0, 0]
    assert live.live is not None
    assert [slider.name for slider in live.live.parameters] == ["l", "v", "n"]


def test_controls_and_their_keys_reach_the_page() -> None:
    machine = load("roller-coaster")
    stage, _ = live_stage(Simulator(machine).synthesis)
    live = stage_data(stage)["live"]
    assert [each["name"] for each in live["parameters"]] == list(machine.parameters)  # also "5 deg"
    data = stage_data(stage)
    assert [data["columns"][place]["name"] for place in data["plots"]] == list(machine.view.plots)
    assert live["controls"] == [
        {"name": "throttle", "keys": ["ArrowDown", "ArrowUp"], "least": -1.0, "most": 1.0}
    ]
    assert isinstance(machine.controls["throttle"], Control)


def test_the_program_is_printed_with_the_others() -> None:
    simulator = Simulator(load("snowman"))
    _, program = live_stage(simulator.synthesis)
    (text,) = javascript_files(Standalone(simulator.synthesis, {}, (program,))).values()
    assert "function machine_show(" in text
    (plain,) = javascript_files(Standalone(Simulator(load("snowman")).synthesis, {})).values()
    assert "machine_show" not in plain


# --------------------------------------------------------------------------------------------- data


def test_the_data_are_the_stage() -> None:
    solution = run("snowman")
    stage = machine_stage(load("snowman"), solution)
    data = json.loads(json.dumps(stage_data(stage), allow_nan=False))
    assert data["placements"][0] == "ground"
    assert len(data["start"]) == 12 * (len(data["placements"]) - 1)
    motion = np.frombuffer(base64.b64decode(data["motion"]["placements"]), "<f4")
    assert stage.motion is not None
    assert np.allclose(motion.reshape(stage.rows, -1), stage.motion.placements, atol=1e-5)
    columns = np.frombuffer(base64.b64decode(data["motion"]["columns"]), "<f4").reshape(stage.rows, -1)
    for place, column in enumerate(data["columns"]):
        assert np.allclose(columns[:, place], solution[column["name"]], rtol=1e-6, atol=1e-6)
    assert [data["columns"][place]["name"] for place in data["plots"]] == ["ball.tx", "ball.ty"]
    for mesh, surface in zip(data["meshes"], stage.solids, strict=True):
        kind = "<u4" if mesh["wide"] else "<u2"
        triangles = np.frombuffer(base64.b64decode(mesh["triangles"]), kind).reshape(-1, 3)
        assert np.array_equal(triangles, surface.triangles)
        positions = np.frombuffer(base64.b64decode(mesh["positions"]), "<f4").reshape(-1, 3)
        assert np.allclose(positions, surface.positions, atol=1e-5)
    assert {"kind", "placement", "at", "toward", "colour", "strength", "shadow"} == data["lights"][0].keys()
    assert {"name", "placement", "at", "toward", "toward_placement", "up", "angle", "automatic"} == data[
        "cameras"
    ][0].keys()


def test_a_wide_surface_says_so() -> None:
    stage = machine_stage(scene(object={"land": Terrain(height=0, size=(1, 1), steps=300)}))
    assert stage_data(stage)["meshes"][0]["wide"] is True


def test_without_objects_frames_are_seen() -> None:
    """A ball for each body, axes for each frame that moves, lines to what carries it, and a grid."""
    machine = Machine.of(
        "bare",
        dimension=3,
        frames={
            "hook": Frame(varies=("turn",)),
            "bob": Frame(on="hook", at=(1, 0, 0), mass=1, inertia=(1, 1, 1)),
        },
    )
    names = [thing.name for thing in machine_stage(machine).things]
    assert {"bob", "bob.x", "bob.y", "bob.z", "hook.x", "bob.line", "grid"} <= {*names}
    with pytest.raises(UsageError, match="nothing that could be seen"):
        machine_stage(Machine.of("void", dimension=3))


def test_motions_of_parts_move_their_parts() -> None:
    machine = load("four-bar")
    motion = move(machine, steps=12)
    stage = machine_stage(machine, motion)
    assert stage.rows == 13
    for row in (0, 5):
        for place, part in enumerate(machine.moving):
            x, y, angle = motion.poses[row, place]
            found = stage.matrices(row)[stage.placements.index(part)]
            assert np.allclose(found[:, 3], [x, y, 0])
            assert np.allclose(found[:2, 0], [np.cos(angle), np.sin(angle)])


def test_a_motion_of_another_machine_is_refused() -> None:
    with pytest.raises(LinkworkError, match="not that of the machine"):
        machine_stage(load("snowman"), run("pendulum"))


def test_the_ground_stands_still() -> None:
    stage = machine_stage(load("pendulum"), run("pendulum"))
    assert np.allclose(stage.matrices(700)[0].ravel(), IDENTITY)
