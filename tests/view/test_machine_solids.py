"""Machines of solids in pictures and on stages: what is drawn is what the solids are."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import pairwise
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from typer.testing import CliRunner

from linkwork import Machine, load, recognise
from linkwork.cli.app import app
from linkwork.model import Part
from linkwork.model.solids import part_solids
from linkwork.solid import mass_properties
from linkwork.view import Body, Scene, scene_png, scene_svg
from linkwork.view.callout import spread
from linkwork.view.machine_marks import poses_as_drawn
from linkwork.view.machine_scene import machine_scene
from linkwork.view.machine_solids import FINE
from linkwork.view.machine_stage import machine_stage
from linkwork.view.page import scene_data, scene_page
from linkwork.view.part_layers import machine_layers
from linkwork.view.plane import PlaneDrawing
from linkwork.view.primitive import Text
from linkwork.view.shape import Axis, Callout, Facets, Outline, PitchCircle, Slide
from linkwork.view.stage import Stage, Thing, stage_data

PLANE = ["escapement", "chiming-clock", "engine", "ratchet-cw"]


@cache
def found(name: str) -> Machine:
    machine = recognise(load(name)).machine
    assert machine is not None
    return machine


@cache
def scene_of(name: str, marked: bool = False) -> Scene:
    return machine_scene(found(name), poses_as_drawn(found(name)), marked=marked)


@cache
def stage_of(name: str) -> Stage:
    return machine_stage(found(name))


def one_part(solid: str) -> Machine:
    """A machine of the plane with a part that is not joined to anything."""
    return Machine.of("one", {}, parts={"part": Part(solid=(solid,))})


def body(scene: Scene, name: str) -> Body:
    return next(each for each in scene.bodies if each.name == name)


def outlines(scene: Scene, name: str) -> list[Outline]:
    return [shape for shape in body(scene, name).shapes if isinstance(shape, Outline)]


def area(ring: Any) -> float:
    x, y = np.array(ring).T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2


# ------------------------------------------------------------------------------------- plane pictures


@pytest.mark.parametrize("name", PLANE)
def test_outlines_enclose_what_the_sections_do(name: str) -> None:
    """Volumes of all layers, from the drawn polygons, are those of the solids; teeth leave them about as they are.

    Chords are within a deviation of their arcs, so areas within this times the length of the boundary.
    """
    every = machine_layers(found(name))
    boxes = [layer.region.box for part in every.values() for layer in part.layers]
    deviation = FINE * max(max(high[0] - low[0], high[1] - low[1]) for low, high in boxes)
    for part, solid in part_solids(found(name)).items():
        layers = every[part].layers
        drawn = sum(
            (shape.high - shape.low) * sum(map(area, shape.rings)) for shape in outlines(scene_of(name), part)
        )
        chords = sum((layer.high - layer.low) * layer.region.length * deviation for layer in layers)
        is_toothed = any(isinstance(shape, PitchCircle) for shape in body(scene_of(name, True), part).shapes)
        more = 0.05 if is_toothed else 0.01 if any(layer.is_step for layer in layers) else 0.0
        volume = mass_properties(solid).volume
        assert abs(drawn - volume) <= chords + more * volume, part


@pytest.mark.parametrize("name", PLANE)
def test_lower_layers_are_drawn_before_higher_ones(name: str) -> None:
    """Over all parts: the inks, which follow the height, never go back."""
    painted = [
        each.ink.split("-") for each in PlaneDrawing(scene_of(name)).painted(0) if each.ink[:5] == "tier-"
    ]
    tiers = [int(tier) for *_, tier in painted]
    assert tiers == sorted(tiers)
    assert len({whose for _, whose, _ in painted}) > 2


def test_the_page_draws_in_the_same_order_as_the_picture() -> None:
    scene = scene_of("chiming-clock")
    inks = [part["ink"] for part in scene_data(scene)["parts"] if part["ink"].startswith("tier-")]
    painted = [each.ink for each in PlaneDrawing(scene).painted(0) if each.ink.startswith("tier-")]
    assert inks == painted
    assert inks[0].startswith("tier-ground")


def test_holes_are_holes() -> None:
    """The wheel is drawn with the hole for its shaft, as a ring that runs the other way."""
    (shape,) = outlines(scene_of("escapement"), "ewheel")
    assert len(shape.rings) == 2
    assert area(shape.rings[0]) > 0 > area(shape.rings[1])
    assert area(shape.rings[1]) == pytest.approx(-math.pi / 4, rel=5e-3)


def test_the_ground_has_its_own_ink_and_no_supports() -> None:
    inks = {each.ink for each in PlaneDrawing(scene_of("escapement")).painted(0)}
    assert any(ink.startswith("tier-ground-") for ink in inks)
    assert not inks & {"support", "hatch", "pin"}
    assert "centre" in inks


def test_what_a_part_covers_itself_is_not_drawn() -> None:
    """A small disc under a large one of the same part is on the stage, but not in a picture from above."""
    layers = machine_layers(one_part("cylinder(r=1, h=1); translate([0, 0, 1]) cylinder(r=3, h=1);"))
    assert [layer.look for layer in layers["part"].layers] == ["hidden", "edged"]


@pytest.mark.parametrize(
    ("solid", "width"), [("sphere(r=2);", 4.0), ("rotate([0, 90, 0]) cylinder(r=1, h=6);", 6.0)]
)
def test_a_rounded_part_shows_its_silhouette(solid: str, width: float) -> None:
    """The first layer that is seen is the widest, and only it stands out with an edge all around."""
    part = machine_layers(one_part(solid))["part"]
    seen = [place for place, layer in enumerate(part.layers) if layer.look == "plain"]
    (left, _), (right, _) = part.layers[seen[0]].region.box
    assert right - left == pytest.approx(width, rel=1e-9)
    lengths = [
        sum(math.dist(line[k], line[k + 1]) for line in part.edges(place, 1e-3) for k in range(len(line) - 1))
        for place in seen
    ]
    assert lengths[0] == pytest.approx(part.layers[seen[0]].region.length, rel=1e-2)
    assert all(length < lengths[0] for length in lengths[1:])
    assert solid[0] == "r" or not any(lengths[1:])  # a lying cylinder has flat ends, a ball none


def test_the_ground_is_cut_where_it_would_hide_the_machine() -> None:
    """The engine's front wall is drawn by its edges; of an escapement nothing is cut away."""
    looks = {shape.look for shape in outlines(scene_of("engine"), "ground")}
    assert "cut" in looks
    assert all(
        shape.low >= 0 for shape in outlines(scene_of("engine"), "ground") if shape.look in ("cut", "gone")
    )
    assert not {"cut", "gone"} & {shape.look for shape in outlines(scene_of("escapement"), "ground")}


def test_an_upright_plane_is_seen_with_z_upwards() -> None:
    """The engine's piston is above its crankshaft, as in its file."""
    machine = found("engine")
    height = {name: float(machine.values()[name]) for name in ("pin_z", "piston_z")}
    joint = machine.parts["rod"].points
    values = {name: [float(str(entry)) for entry in point] for name, point in joint.items()}
    assert values["crankshaft_rod"][1] == pytest.approx(height["pin_z"])
    assert values["rod_piston"][1] == pytest.approx(height["piston_z"])


def test_pitch_cylinders_have_teeth() -> None:
    """The outlines of wheels in mesh go out and in across their pitch circles, equally often per length."""
    counts = []
    for part, centre, radius in (("ewheel", (0.0, 0.0), 1.5), ("bigwheel", (0.0, -7.4), 6.0)):
        rings = [np.array(shape.rings[0]) for shape in outlines(scene_of("chiming-clock"), part)]
        away = [np.hypot(*(ring - centre).T) for ring in rings]
        wheel = next(each for each in away if np.all(abs(each - radius) < 0.2 * radius))
        crossings = int(
            np.sum(np.diff(np.sign(wheel - radius)) != 0) + (np.sign(wheel[0]) != np.sign(wheel[-1]))
        )
        counts.append((crossings + 1) // 2 / radius)
    assert counts[0] == pytest.approx(counts[1], rel=0.02)
    assert counts[0] * 1.5 > 10


def test_the_page_of_a_clock_is_small() -> None:
    machine = found("chiming-clock")
    poses = np.zeros((1500, len(machine.moving), 3))
    poses[:, :, 2] = np.linspace(0, 1, 1500)[:, None] * np.pi
    still, moving = (len(scene_page(machine_scene(machine, each))) for each in (poses[:1], poses))
    assert still < 140_000
    assert moving < 300_000


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_ink_of_solids_is_known(theme: Any) -> None:
    for name in (*PLANE, "prismatic-pair"):
        ElementTree.fromstring(scene_svg(scene_of(name, True), theme=theme))
        assert scene_png(scene_of(name, True), size=(160, 100), theme=theme)[1:4] == b"PNG"


# ----------------------------------------------------------------------------------------------- marks


@pytest.mark.parametrize("name", PLANE)
def test_marks_name_every_joint_and_part_once(name: str) -> None:
    machine = found(name)
    texts = [each.text for each in PlaneDrawing(scene_of(name, True)).painted(0) if isinstance(each, Text)]
    pairs = [joint for joint in machine.joints if not joint.endswith("_gear")]
    assert sorted(texts) == sorted([*pairs, *part_solids(machine)])


def test_marks_stand_where_the_pairs_are() -> None:
    shapes = [shape for each in scene_of("chiming-clock", True).bodies for shape in each.shapes]
    marked = {shape.at for shape in shapes if isinstance(shape, Axis) and shape.is_marked}
    assert marked == {(0.0, 0.0), (0.0, 7.5), (0.0, 20.0), (0.0, -7.4), (11.0, -7.1)}
    assert sorted(shape.radius for shape in shapes if isinstance(shape, PitchCircle)) == [1.5, 6.0]
    (slide,) = [
        shape for each in scene_of("engine", True).bodies for shape in each.shapes if isinstance(shape, Slide)
    ]
    assert abs(slide.axis[1]) == pytest.approx(1.0)


def test_names_point_at_what_is_seen_of_their_part() -> None:
    """The spot of a part's name lies on that part, with nothing of another over it."""
    layers = machine_layers(found("chiming-clock"))
    shapes = body(scene_of("chiming-clock", True), "ground").shapes
    for callout in (each for each in shapes if isinstance(each, Callout) and not each.is_marked):
        spot = [callout.points[0]]
        tops = {
            part: max(
                (layer.high for layer in each.layers if layer.region.contains(spot)[0]), default=-math.inf
            )
            for part, each in layers.items()
        }
        assert max(tops, key=lambda part: tops[part]) == callout.text


@given(
    wanted=st.lists(st.floats(-10, 10), max_size=12).map(sorted),
    apart=st.floats(0.1, 2.0),
)
def test_names_do_not_overlap(wanted: list[float], apart: float) -> None:
    """Heights keep their order and their distance, and stay in the range where there is room for all."""
    found_heights = spread(wanted, apart, (-12.0, 12.0))
    assert len(found_heights) == len(wanted)
    assert all(b - a >= apart - 1e-9 for a, b in pairwise(found_heights))
    assert all(height <= 12 for height in found_heights)
    if len(wanted) * apart < 24:
        assert all(height >= -12 - 1e-9 for height in found_heights)


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_recognise_writes_a_picture(tmp_path: File, suffix: str) -> None:
    file = tmp_path / f"ratchet{suffix}"
    result = CliRunner().invoke(app, ["recognise", "ratchet-cw", "-o", str(file), "--quiet"])
    assert result.exit_code == 0
    if suffix == ".svg":
        texts = [
            each.text for each in ElementTree.fromstring(file.read_text()).iter() if each.tag.endswith("text")
        ]
        assert {"wheel_axis", "pawl_axis", "wheel", "pawl", "ground"} <= set(texts)
    else:
        assert file.read_bytes()[1:4] == b"PNG"


# ---------------------------------------------------------------------------------------------- stages


def mesh_volume(stage: Stage, things: list[Thing]) -> float:
    """By the divergence theorem; it needs closed surfaces whose triangles all face outwards."""
    total = 0.0
    for thing in things:
        mesh = stage.solids[thing.solid]
        a, b, c = (mesh.positions[mesh.triangles[:, k]] for k in range(3))
        total += float(np.sum(np.einsum("ij,ij->i", a, np.cross(b, c)))) / 6
    return total


def test_a_mesh_has_no_steps() -> None:
    """The piston is round on the stage: normals of its side point away from its axis."""
    stage = stage_of("engine")
    (thing,) = [each for each in stage.things if each.name == "piston"]
    mesh = stage.solids[thing.solid]
    outer = np.hypot(mesh.positions[:, 0], mesh.positions[:, 2]) > 15 - 1e-6
    side = outer & (abs(mesh.normals[:, 1]) < 0.5)
    away = mesh.positions[side][:, [0, 2]] / 15
    assert np.sum(side) > 100
    assert np.min(np.sum(away * mesh.normals[side][:, [0, 2]], axis=1)) > math.cos(math.radians(12))


@pytest.mark.parametrize("name", ["escapement", "engine", "prismatic-pair"])
def test_surfaces_on_the_stage_enclose_the_solids(name: str) -> None:
    stage = stage_of(name)
    for part, solid in part_solids(found(name)).items():
        things = [thing for thing in stage.things if thing.name.split(",")[0] == part]
        assert mesh_volume(stage, things) == pytest.approx(mass_properties(solid).volume, rel=0.01), part


def test_normals_on_the_stage_are_of_length_one_and_face_outwards() -> None:
    for mesh in stage_of("escapement").solids:
        assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)
        a, b, c = (mesh.positions[mesh.triangles[:, k]] for k in range(3))
        across: NDArray[np.float64] = np.cross(b - a, c - a)
        assert np.all(np.einsum("ij,ij->i", across, mesh.normals[mesh.triangles[:, 0]]) > 0)


def test_what_is_cut_away_is_glass() -> None:
    things = {thing.name: thing for thing in stage_of("engine").things}
    assert things["ground, cut away"].opacity < 0.5
    assert not things["ground, cut away"].shadow
    assert all(thing.opacity == 1 for name, thing in things.items() if "cut" not in name)


def test_a_thick_machine_is_seen_aslant() -> None:
    """By its usual camera, and in a page, where it can be turned; one of bars is seen from above."""
    for stage, dimension, least, most in (
        (stage_of("escapement"), 3, 0.5, 0.95),
        (machine_stage(load("four-bar")), 2, 1, 1),
    ):
        (eye,) = stage.eyes
        way = np.array(eye.at) - np.array(eye.toward)
        assert least <= way[2] / np.linalg.norm(way) <= most
        assert stage_data(stage)["dimension"] == dimension
        assert stage_data(stage)["up"] == [0, 1, 0]


def test_solids_in_space_have_a_picture() -> None:
    scene = scene_of("prismatic-pair", True)
    assert scene.dimension == 3
    assert any(isinstance(shape, Facets) for shape in body(scene, "bar").shapes)
    texts = [
        each.text for each in ElementTree.fromstring(scene_svg(scene)).iter() if each.tag.endswith("text")
    ]
    assert {"bar_slide", "bar", "ground"} <= set(texts)
