"""Every machine gives a picture: shipped ones, one for each joint, hostile ones."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from view_machines import EVERY, HOSTILE, belt_drive, gear_pair, planetary, rack_and_pinion

from linkwork import Machine, Mechanism, Motion, examples, load, move
from linkwork.errors import NoAnswer, UsageError
from linkwork.model import Draw, Drive, Part, View, joint
from linkwork.view import Bar, Block, Curve, Disc, Gear, Pin, Plate, Rack, Rail, Scene, Shape, scene_svg
from linkwork.view.machine_scene import machine_scene
from linkwork.view.outline import gear_outline

SHIPPED = [name for name in examples.names() if load(name).moving and not load(name).is_unjoined]


@cache
def motion_of(name: str) -> Motion:
    machine = EVERY[name]() if name in EVERY else load(name)
    return move(machine, steps=24)


def scene_of(name: str) -> Scene:
    motion = motion_of(name)
    return machine_scene(motion.machine, motion)


def shapes(scene: Scene, body: str, kind: type[Shape]) -> list[Shape]:
    found = next(each for each in scene.bodies if each.name == body)
    return [shape for shape in found.shapes if isinstance(shape, kind)]


@pytest.mark.parametrize("name", [*SHIPPED, *EVERY])
def test_every_machine_has_a_picture_of_its_motion(name: str) -> None:
    """The SVG is well-formed, every part is there, and everything that moves is drawn with something."""
    scene = scene_of(name)
    machine = motion_of(name).machine
    assert [body.name for body in scene.bodies] == ["ground", *machine.moving]
    assert scene.frames == len(motion_of(name))
    ElementTree.fromstring(scene_svg(scene, frame=scene.frames - 1))
    connected = {end for one in scene.connectors for end in (one.first_body, one.second_body)}
    for body in scene.bodies[1:]:
        assert body.shapes or body.name in connected, body.name


@pytest.mark.parametrize("name", [*SHIPPED, *EVERY])
def test_every_machine_has_a_picture_of_where_it_stands(name: str) -> None:
    machine = EVERY[name]() if name in EVERY else load(name)
    scene = machine_scene(machine, Mechanism(machine).assembled)
    assert scene.frames == 1
    ElementTree.fromstring(scene_svg(scene))


def test_the_scene_has_the_machines_own_traces_columns_and_units() -> None:
    scene = scene_of("four-bar")
    assert [(trace.name, trace.body, trace.point) for trace in scene.traces] == [
        ("coupler.P", "coupler", (3.0, 2.0))
    ]
    assert scene.drive is not None
    assert (scene.drive.name, scene.unit, scene.time_unit) == ("crank", "cm", "s")
    assert "rocker.angle" in [column.name for column in scene.columns]
    assert scene.times[-1] == pytest.approx(2 * math.pi)


def test_links_go_through_the_points_of_their_joints() -> None:
    scene = scene_of("four-bar")
    assert shapes(scene, "crank", Bar) == [Bar(((0, 0), (2, 0)))]
    (plate,) = shapes(scene, "coupler", Bar)
    assert {*plate.points} == {(0, 0), (6, 0), (3, 2)}  # type: ignore[attr-defined]
    pins = shapes(scene, "ground", Pin)
    assert [(pin.at, pin.grounded) for pin in pins] == [((0, 0), True), ((7, 0), True)]  # type: ignore[attr-defined]


def test_a_rail_is_long_enough_for_the_travel_and_stands_on_the_ground() -> None:
    """Also where the file names the slider first."""
    scene = scene_of("slider-crank")
    (rail,) = shapes(scene, "ground", Rail)
    assert isinstance(rail, Rail)
    travel = motion_of("slider-crank")["slider.x"]
    ends = rail.at[0] - rail.length / 2, rail.at[0] + rail.length / 2
    assert ends[0] < travel.min()
    assert ends[1] > travel.max()
    assert shapes(scene, "slider", Block)
    assert [one.kind for one in scene.connectors] == ["spring"]


def _tip_distance(scene: Scene, frame: int, first: str, second: str) -> float:
    """The least distance between the outlines' points of two wheels, negative where they overlap deeply."""
    outlines = []
    for name in (first, second):
        (gear,) = shapes(scene, name, Gear)
        assert isinstance(gear, Gear)
        outline = np.array(gear_outline(complex(*gear.at), gear.radius, gear.teeth, gear.phase))
        x, y, turn = scene.poses[frame][scene.place(name)]
        outlines.append(outline * np.exp(1j * turn) + complex(x, y))
    return _overlap(outlines[0], outlines[1])


def _overlap(one: NDArray[np.complex128], other: NDArray[np.complex128]) -> float:
    """How many corners of one outline lie inside the other, by winding."""
    inside = 0
    for point in one:
        ways = other - point
        turns = np.angle(np.roll(ways, -1) / ways)
        inside += abs(np.sum(turns)) > math.pi
    return inside / len(one)


@pytest.mark.parametrize("frame", [0, 5, 11, 24])
def test_teeth_mesh_in_every_frame(frame: int) -> None:
    """Wheels in mesh keep out of each other; one turned by half a tooth would not."""
    motion = motion_of("gear-pair")
    scene = machine_scene(motion.machine, motion)
    assert _tip_distance(scene, frame, "small", "large") == 0
    (gear,) = shapes(scene, "large", Gear)
    assert isinstance(gear, Gear)
    bodies = [
        replace(body, shapes=(replace(gear, phase=gear.phase + math.pi / gear.teeth),))
        if body.name == "large"
        else body
        for body in scene.bodies
    ]
    assert _tip_distance(replace(scene, bodies=tuple(bodies)), frame, "small", "large") > 0


def test_gears_have_the_radii_that_fit_their_centres() -> None:
    scene = scene_of("gear-pair")
    (small,), (large,) = (shapes(scene, name, Gear) for name in ("small", "large"))
    assert isinstance(small, Gear)
    assert isinstance(large, Gear)
    assert (small.teeth, large.teeth) == (17, 31)
    assert small.radius + large.radius == pytest.approx(math.hypot(3, 0.5))


def test_a_wheel_with_two_partners_is_drawn_once() -> None:
    motion = move(planetary(), steps=8)
    scene = machine_scene(motion.machine, motion)
    assert len(shapes(scene, "planet", Gear)) == 1
    (ring,) = shapes(scene, "ground", Gear)
    assert isinstance(ring, Gear)
    assert ring.internal


def test_a_rack_lies_at_the_pinions_pitch_circle() -> None:
    motion = move(rack_and_pinion(), steps=8)
    scene = machine_scene(motion.machine, motion)
    (rack,) = shapes(scene, "rack", Rack)
    assert isinstance(rack, Rack)
    # The rack's part stands 1.2 below the pinion, its pitch line 1.
    assert rack.at[1] == pytest.approx(0.2)
    (pinion,) = shapes(scene, "pinion", Gear)
    assert isinstance(pinion, Gear)
    assert rack.pitch == pytest.approx(2 * math.pi * pinion.radius / pinion.teeth)


def test_belts_and_pulleys() -> None:
    motion = move(belt_drive(), steps=4)
    scene = machine_scene(motion.machine, motion)
    (belt,) = scene.connectors
    assert (belt.kind, belt.first_radius, belt.second_radius) == ("belt", 1, 2)
    assert shapes(scene, "one", Disc)
    assert scene_of("crossed-belt").connectors == ()
    assert shapes(scene_of("crossed-belt"), "ground", Curve)


def test_the_outline_of_a_cam_is_its_profile() -> None:
    (outline,) = shapes(scene_of("cam-roller"), "cam", Curve)
    assert isinstance(outline, Curve)
    assert outline.closed
    for x, y in outline.points:
        assert math.hypot(x, y) == pytest.approx(1.5 + 0.3 * x / math.hypot(x, y))


@pytest.mark.parametrize("name", ["law-roller", "law-flat"])
def test_a_cam_by_its_lift_touches_its_follower(name: str) -> None:
    """In every frame the roller's circle, or the flat face, just touches the outline."""
    scene = scene_of(name)
    (outline,) = shapes(scene, "cam", Curve)
    assert isinstance(outline, Curve)
    points = np.array([complex(*point) for point in outline.points])
    for frame in range(scene.frames):
        _, _, turn = scene.poses[frame][scene.place("cam")]
        _, y, _ = scene.poses[frame][scene.place("follower")]
        cam = points * np.exp(1j * turn)
        gap = np.min(np.abs(cam - 1j * y)) - 0.3 if name == "law-roller" else y - np.max(cam.imag)
        assert gap == pytest.approx(0, abs=0.01)


def test_what_a_file_draws_stands_instead_of_the_bar() -> None:
    scene = scene_of("drawn")
    (body,) = scene.bodies[1:]
    assert {type(shape).__name__ for shape in body.shapes} >= {
        "Bar",
        "Disc",
        "Polygon",
        "Curve",
        "Block",
        "Label",
    }


def test_a_disc_drawn_for_a_gear_is_the_gear() -> None:
    machine = gear_pair()
    disc = Part(draw=(Draw("disc", radius=math.hypot(3, 0.5) * 17 / 48),))
    drawn = replace(machine, parts=type(machine.parts)({**machine.parts, "small": disc}))
    motion = move(drawn, steps=4)
    scene = machine_scene(drawn, motion)
    assert not shapes(scene, "small", Disc)
    assert shapes(scene, "small", Gear)


def test_a_platform_is_a_plate() -> None:
    assert shapes(scene_of("stewart"), "plate", Plate)


def test_many_rows_are_thinned_out() -> None:
    machine = load("four-bar")
    motion = move(machine, steps=300)
    scene = machine_scene(machine, motion, most_frames=50)
    assert scene.frames == 50
    assert scene.times[-1] == pytest.approx(float(motion.times[-1]))
    assert all(len(column.values) == 50 for column in scene.columns)


def test_time_runs_on_where_a_drive_turns_back() -> None:
    """Behind a dead point the drive runs backwards, but the clock does not."""
    machine = load("four-bar").with_parameters({"crank": 5})
    motion = move(machine, through=True, steps=200)
    assert np.any(np.diff(motion["crank"]) < 0)
    assert np.all(np.diff(motion.times) > 0)
    assert len(machine_scene(machine, motion).times) == len(motion)


def test_backwards_in_time() -> None:
    machine = load("four-bar")
    assert machine_scene(machine, move(machine, start=1.0, until=0.0, steps=4)).times == ()


def test_a_motion_without_rows_cannot_be_drawn() -> None:
    motion = motion_of("four-bar")
    empty = replace(motion, columns={"time": np.zeros(0)}, poses=motion.poses[:0])
    with pytest.raises(NoAnswer, match="no position of four-bar to draw"):
        machine_scene(motion.machine, empty)


def test_a_motion_of_another_machine_is_refused() -> None:
    with pytest.raises(UsageError, match="not that of the machine"):
        machine_scene(load("slider-crank"), motion_of("jansen-leg"))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_machines_are_drawn_without_nan(name: str) -> None:
    assert "nan" not in scene_svg(scene_of(name))


def test_joints_that_cannot_be_drawn_are_left_out() -> None:
    """Radii of 0, a phase that is no number, one tooth, a cam with no profile to speak of."""
    machine = Machine.of(
        "odd",
        {"none": 0},
        parts={"one": Part(), "two": Part(), "three": Part()},
        joints={
            "A": joint.Revolute(("ground", "one")),
            "B": joint.Revolute(("ground", "two")),
            "C": joint.Revolute(("ground", "three")),
            "mesh": joint.Gear(("one", "two"), teeth=(1, 1)),
            "belt": joint.Belt(("one", "three"), radii=("1e-300", "1e-300")),
        },
        drives={"turn": Drive("A")},
        view=View(traces=("two", "three")),
    )
    motion = move(machine, steps=4)
    ElementTree.fromstring(scene_svg(machine_scene(machine, motion)))


def test_names_are_escaped_in_pictures() -> None:
    machine = replace(load("four-bar"), title="</svg><script>alert(1)</script> & co")
    scene = machine_scene(machine, Mechanism(machine).assembled)
    picture = scene_svg(scene)
    assert "<script>" not in picture
    ElementTree.fromstring(picture)


# ------------------------------------------------------------------------------------------- results


def test_a_motion_plots_its_columns(tmp_path: object) -> None:
    motion = motion_of("four-bar")
    picture = motion.plot("rocker.angle", "rocker.rate", x="crank")
    ElementTree.fromstring(picture.content)
    assert picture._repr_svg_() == picture.content.decode()
    assert motion.plot(format="png").content.startswith(b"\x89PNG")
    path = f"{tmp_path}/rocker.svg"
    picture.save(path)
    with open(path, "rb") as file:
        assert file.read() == picture.content
    with pytest.raises(UsageError, match="this picture is SVG"):
        picture.save(f"{tmp_path}/rocker.png")


def test_results_show_themselves_in_a_notebook() -> None:
    from linkwork import show

    machine = replace(load("four-bar"), title="<b>bars</b>")
    assert "srcdoc=" in move(machine, steps=8)._repr_html_()
    shown = show(machine)._repr_html_()
    assert shown.startswith("<svg")
    assert "<b>" not in shown
    apart = show(machine.with_parameters({"rocker": 100}))
    assert "does not go together" in apart._repr_html_()
    with pytest.raises(UsageError, match="does not go together"):
        apart.plot()
    assert show(machine).plot().format == "svg"
