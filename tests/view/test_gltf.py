"""glTF files: another reader finds the scene where it stands, and the animation is the motion."""

from __future__ import annotations

import io
import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from linkwork import Frame, Machine, load, move, simulate
from linkwork.errors import UsageError
from linkwork.model.view import View
from linkwork.model.visible import Box, Sphere
from linkwork.view import gltf
from linkwork.view.gltf import decomposed, stage_glb
from linkwork.view.machine_stage import machine_stage
from linkwork.view.sight import thing_matrices
from linkwork.view.stage import Stage, placed

Array = NDArray[np.float64]
KINDS = {5126: ("<f4", 4), 5123: ("<u2", 2), 5125: ("<u4", 4)}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
UPWARDS = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])


def test_too_many_objects_are_refused_before_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*_: object) -> None:
        raise AssertionError("an object was looked at")

    def boxes(count: int) -> Stage:
        box = Box(at=("i", 0, 0), size=(1, 1, 1), count=count)
        return machine_stage(Machine.of("boxes", dimension=3, view=View(object={"box": box})))

    monkeypatch.setattr(gltf, "decomposed", too_late)
    with pytest.raises(UsageError, match="too many objects") as caught:
        stage_glb(boxes(100_001))
    assert caught.value.got == "100001, repetitions counted"
    with pytest.raises(AssertionError, match="was looked at"):
        stage_glb(boxes(100_000))


@cache
def stage_of(name: str) -> Stage:
    machine = load(name)
    if machine.is_scene:
        return machine_stage(machine, simulate(machine, until=1, rtol=1e-6, check=False))
    return machine_stage(machine, move(machine, steps=24))


def parsed(content: bytes) -> tuple[dict[str, Any], bytes]:
    assert content[:4] == b"glTF"
    assert int.from_bytes(content[8:12], "little") == len(content)
    size = int.from_bytes(content[12:16], "little")
    assert size % 4 == 0
    return json.loads(content[20 : 20 + size]), content[20 + size + 8 :]


def values(document: dict[str, Any], data: bytes, place: int) -> Array:
    accessor = document["accessors"][place]
    view = document["bufferViews"][accessor["bufferView"]]
    kind, width = KINDS[accessor["componentType"]][0], WIDTHS[accessor["type"]]
    assert view["byteOffset"] % 4 == 0
    rows = np.frombuffer(data, kind, accessor["count"] * width, view["byteOffset"])
    return np.asarray(rows.reshape(-1, width), float)


def world(stage: Stage, row: int) -> Array:
    """All corners of all things."""
    found = []
    for thing in stage.things:
        for matrix in thing_matrices(thing, stage.matrices(row)[thing.placement]):
            found.append(placed(matrix, stage.solids[thing.solid].positions))
    return np.concatenate(found)


@pytest.mark.parametrize(
    "name", ["snowman", "roller-coaster", "spring-coupled-pendula", "stewart", "three-bodies", "four-bar"]
)
def test_another_reader_finds_the_same_box(name: str) -> None:
    trimesh = pytest.importorskip("trimesh")
    stage = stage_of(name)
    read = trimesh.load(io.BytesIO(stage_glb(stage)), file_type="glb")
    points = world(stage, 0)
    if stage.dimension == 3:
        points = points @ UPWARDS.T
    reach = np.abs(points).max()
    assert np.allclose(read.bounds, [points.min(axis=0), points.max(axis=0)], atol=1e-5 * reach)


@pytest.mark.parametrize("name", ["snowman", "spring-coupled-pendula", "stewart", "three-bodies"])
def test_the_animation_is_the_motion(name: str) -> None:
    stage = stage_of(name)
    document, data = parsed(stage_glb(stage))
    (animation,) = document["animations"]
    assert stage.motion is not None
    moving = 0
    for place in range(1, len(stage.placements)):
        node = document["nodes"][place]
        assert node["name"] == stage.placements[place]
        parts = {key: np.array([node[key]] * stage.rows) for key in ("translation", "rotation", "scale")}
        for channel in animation["channels"]:
            if channel["target"]["node"] == place:
                sampler = animation["samplers"][channel["sampler"]]
                assert np.allclose(
                    values(document, data, sampler["input"])[:, 0], stage.motion.times, atol=1e-6
                )
                parts[channel["target"]["path"]] = values(document, data, sampler["output"])
                moving += 1
        turns = Rotation.from_quat(parts["rotation"]).as_matrix()
        found = np.concatenate([turns * parts["scale"][:, None], parts["translation"][:, :, None]], axis=2)
        wanted = stage.motion.placements[:, 12 * (place - 1) : 12 * place].reshape(-1, 3, 4)
        assert np.allclose(found, wanted, atol=2e-5)
        steps = np.einsum("ij,ij->i", parts["rotation"][1:], parts["rotation"][:-1])
        assert steps.min() > 0  # a change of sign would turn it the long way round
    assert moving


def test_surfaces_and_materials_are_shared() -> None:
    machine = Machine.of(
        "two",
        dimension=3,
        view=View(
            object={
                "a": Sphere(radius=1, colour="red"),
                "b": Sphere(radius=2, colour="red", count=9, at=("3*i", 0, 0)),
            }
        ),
    )
    document, _ = parsed(stage_glb(machine_stage(machine)))
    assert (len(document["meshes"]), len(document["materials"])) == (1, 1)
    assert len([node for node in document["nodes"] if node.get("mesh") == 0]) == 10


def test_cameras_look_the_right_way() -> None:
    stage = stage_of("snowman")
    document, _ = parsed(stage_glb(stage))
    node = next(each for each in document["nodes"] if each["name"] == "overview")
    camera = document["cameras"][node["camera"]]
    assert camera["perspective"]["yfov"] == pytest.approx(np.radians(40))
    forwards = Rotation.from_quat(node["rotation"]).apply([0, 0, -1])
    wanted = np.array([0, 0, 0.5]) - node["translation"]  # the middle of the ball
    assert np.allclose(forwards, wanted / np.linalg.norm(wanted), atol=1e-9)


def sheared(**changes: Any) -> Machine:
    frames = {"wide": Frame(scale=(3, 1, 1), **changes), "car": Frame(varies=("tx",), mass=1)}
    return Machine.of(
        "sheared", {"a": 1}, dimension=3, frames=frames,
        view=View(object={"box": Box(on="wide", size=(1, 1, 1), turn="30 deg")}),
    )  # fmt: skip


def test_a_shear_that_stays_is_stored_as_it_looks() -> None:
    trimesh = pytest.importorskip("trimesh")
    stage = machine_stage(sheared())
    read = trimesh.load(io.BytesIO(stage_glb(stage)), file_type="glb")
    points = world(stage, 0) @ UPWARDS.T
    assert np.allclose(read.bounds, [points.min(axis=0), points.max(axis=0)], atol=1e-6)


def test_a_shear_that_changes_is_refused() -> None:
    machine = Machine.of(
        "turning", dimension=3,
        frames={
            "wide": Frame(scale=(3, 1, 1)),
            "car": Frame(varies=("turn",), rates={"turn": 1}, mass=1, inertia=(1, 1, 1)),
        },
        view=View(object={"box": Box(on="wide", size=(1, 1, 1), turn="car.turn")}),
    )  # fmt: skip
    with pytest.raises(UsageError, match="sheared, which glTF cannot hold"):
        stage_glb(machine_stage(machine, simulate(machine, until=1)))


def test_matrices_come_back_from_their_parts() -> None:
    random = np.random.default_rng(3)
    sizes = random.uniform(0.2, 3, (50, 3)) * random.choice([-1, 1], (50, 3))
    axes = Rotation.random(50, random_state=4).as_matrix() * sizes[:, None]
    matrices = np.concatenate([axes, random.normal(size=(50, 3, 1))], axis=2)
    shift, turn, size, shear = decomposed(matrices)
    again = Rotation.from_quat(turn).as_matrix() * size[:, None]
    assert np.allclose(again, axes)
    assert np.allclose(shift, matrices[:, :, 3])
    assert shear.max() < 1e-9


def test_what_has_no_length_has_a_rotation_still() -> None:
    """A rod whose ends meet, a point, a thing without any size."""
    for sizes in ((1, 1, 0), (0, 2, 0), (0, 0, 0)):
        _, turn, size, shear = decomposed(np.column_stack([np.diag(sizes), np.zeros(3)])[None].astype(float))
        assert np.allclose(np.linalg.norm(turn, axis=1), 1)
        assert np.allclose(np.abs(size), [sizes])
        assert shear.max() < 1e-12
