"""Stages as pixels: near things hide far ones, light and shadow fall as they should, films have their frames."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from linkwork import Frame, Machine, load, simulate
from linkwork.errors import LinkworkError, ToolMissing, UsageError
from linkwork.model.view import View
from linkwork.model.visible import Box, Light, Plane, Sight, Sphere
from linkwork.view import fill, film
from linkwork.view.film import stage_gif, stage_png, stage_video
from linkwork.view.machine_stage import machine_stage
from linkwork.view.render import Pictures, rendered
from linkwork.view.sight import view_of
from linkwork.view.stage import Stage
from linkwork.view.stage_svg import stage_svg

SIZE = (160, 100)
ALONG_X = Sight(at=(10, 0, 0), toward=(0, 0, 0), angle=30)
EVEN = Light(kind="sky", strength=1)


def stage(
    things: dict[str, Any], *, light: dict[str, Light] | None = None, camera: Sight = ALONG_X, **more: Any
) -> Stage:
    view = View(object=things, light=light or {"sky": EVEN}, camera={"eye": camera}, **more)
    return machine_stage(Machine.of("seen", dimension=3, view=view))


def pixels(given: Stage, row: int = 0) -> NDArray[np.int64]:
    return rendered(given, row, SIZE).astype(int)


def is_red(colour: NDArray[np.int64]) -> bool:
    return bool(colour[0] > 2 * colour[2])


def is_blue(colour: NDArray[np.int64]) -> bool:
    return bool(colour[2] > 1.5 * colour[0])


def test_near_things_hide_far_ones_in_any_order() -> None:
    near, far = (
        Sphere(at=(2, 0, 0), radius=0.5, colour="red"),
        Sphere(at=(-2, 0, 0), radius=1.5, colour="blue"),
    )
    for things in ({"a": near, "b": far}, {"b": far, "a": near}):
        image = pixels(stage(things))
        assert is_red(image[50, 80])
        assert is_blue(image[50, 92])  # beside the small one
        assert (image[5, 5] == 255).all()


def test_a_large_floor_does_not_hide_what_stands_on_it() -> None:
    """The middle of the floor is nearer to the eye than the ball: triangles cannot be sorted by their middles."""
    things = {
        "floor": Plane(at=(8, 0, -0.5), size=(40, 40), colour="green"),
        "ball": Sphere(radius=0.5, colour="red"),
    }
    image = pixels(stage(things, camera=Sight(at=(10, 0, 2), toward=(0, 0, 0), angle=30)))
    assert is_red(image[50, 80])


def test_places_in_the_picture_are_those_of_the_perspective() -> None:
    """A ball of radius 1 at distance 10: its rim is at tan(asin(1/10)) over tan(15°) half heights."""
    image = pixels(stage({"ball": Sphere(radius=1, colour="red")}))
    rows = np.flatnonzero((image[:, 80] < 250).any(axis=1))
    wanted = 50 * np.tan(np.arcsin(0.1)) / np.tan(np.radians(15))
    assert rows.max() - 50 == pytest.approx(wanted, abs=1.5)
    assert 50 - rows.min() == pytest.approx(wanted, abs=1.5)


def test_what_is_not_opaque_shows_what_is_behind() -> None:
    behind = Sphere(at=(-2, 0, 0), radius=1.5, colour="blue")
    solid, glass = (Box(at=(2, 0, 0), size=(0.1, 1, 1), colour="red", opacity=share) for share in (1, 0.4))
    shown = [pixels(stage({"pane": pane, "ball": behind}))[50, 80] for pane in (solid, glass)]
    alone = pixels(stage({"ball": behind}))[50, 80]
    assert abs(shown[1] - (0.4 * shown[0] + 0.6 * alone)).max() <= 3


def test_the_sun_lights_one_side_and_casts_a_shadow() -> None:
    sun = {"sun": Light(kind="sun", at=(0, 0, 10), strength=2)}
    things = {
        "floor": Plane(size=(20, 20), colour="white"),
        "plate": Box(at=(0, 0, 2), size=(2, 2, 0.2), colour="white"),
    }
    above = Sight(at=(12, 0, 5), toward=(0, 0, 0.8), angle=40)
    off = {"sun": Light(kind="sun", at=(0, 0, 10), strength=2, shadow=False)}
    shaded, lit = (stage(things, light=light, camera=above) for light in (sun, off))
    view = view_of(shaded, 0, shaded.eyes[0])
    for place, is_dark in (((0.0, 0.0, 0.0), True), ((0.7, -0.7, 0.0), True), ((1.3, 0.0, 0.0), False)):
        right, up, depth = view.seen(np.array([place]))[0]
        spot = (round(50 - 100 * view.focus * up / depth), round(80 + 100 * view.focus * right / depth))
        assert (pixels(shaded)[spot] < 120).all() == is_dark, place
        assert (pixels(lit)[spot] > 200).all(), place
    under = view.seen(np.array([[1.0, 0.0, 2.0]]))[0]  # the side of the plate, which the sun does not see
    assert (pixels(lit)[round(50 - 100 * view.focus * under[1] / under[2]), 80] < 120).all()


def test_without_a_compiler_the_pixels_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    given = machine_stage(load("gyroscope"))
    native = rendered(given, 0, SIZE)
    monkeypatch.setattr(fill, "_library", lambda: None)
    assert np.array_equal(rendered(given, 0, SIZE), native)


@pytest.mark.parametrize(
    ("name", "camera"), [("roller-coaster", ""), ("roller-coaster", "chase"), ("car", "")]
)
def test_what_is_kept_from_picture_to_picture_changes_none(name: str, camera: str) -> None:
    """Pictures of a film are those of the rows alone, in any order: by a camera that stands and one that follows."""
    machine = load(name)
    given = machine_stage(machine, simulate(machine, until=1, step=0.25, check=False))
    pictures = Pictures(given, SIZE, camera)
    for row in (0, 3, 1, 3):
        assert np.array_equal(pictures.picture(row), rendered(given, row, SIZE, camera)), row
    assert not np.array_equal(pictures.picture(0), pictures.picture(4))


def test_shadows_move_with_what_casts_them_and_lie_on_what_stands() -> None:
    machine = Machine.of(
        "plate", dimension=3,
        frames={"car": Frame(varies=("ty",), at=(0, -3, 2), rates={"ty": 6}, mass=1)},
        view=View(
            object={
                "floor": Plane(size=(20, 20), colour="white"),
                "plate": Box(on="car", size=(1, 1, 0.1), colour="white"),
                "glass": Box(at=(0, 0, 0.2), size=(0.2, 0.2, 0.2), colour="red", opacity=0.5),
            },
            light={"sun": Light(kind="sun", at=(8, 0, 10), strength=2)},
            camera={"eye": Sight(at=(0.01, 0, 14), toward=(0, 0, 0), angle=45)},
        ),
    )  # fmt: skip
    given = machine_stage(machine, simulate(machine, until=1, step=0.5))
    pictures = Pictures(given, SIZE)
    middles = []
    for row in range(3):
        image = pictures.picture(row)
        assert np.array_equal(image, rendered(given, row, SIZE)), row
        _, across = np.nonzero((image < 120).all(axis=2))
        middles.append(across.mean())
    reach = 3 / 14 / np.tan(np.radians(22.5)) * 50  # of the shadow on the floor, in pixels
    assert middles == pytest.approx([80 - reach, 80, 80 + reach], abs=3)


def test_what_lies_behind_the_eye_is_cut_off() -> None:
    """A camera that stands inside of things: land that reaches behind it fills the lower half of its picture."""
    camera = Sight(at=(0, 0, 1), toward=(10, 0, 1), angle=40)
    image = pixels(stage({"land": Plane(size=(100, 100), colour="green")}, camera=camera))
    assert (image[70:, :] < 250).any(axis=2).all()
    assert (image[:45] == 255).all()


@pytest.mark.parametrize("name", ["acrobat", "bicycle", "three-bodies", "four-bar", "stewart"])
def test_every_camera_sees_something(name: str) -> None:
    given = machine_stage(load(name))
    for eye in given.eyes:
        image = rendered(given, 0, SIZE, eye.name)
        assert image.std() > 2, eye.name


def test_svg_is_well_formed_and_keeps_markup_as_text() -> None:
    given = stage({"ball": Sphere(radius=1, colour="red")})
    root = ElementTree.fromstring(stage_svg(given))
    assert root.tag.endswith("svg")
    fills = {each.get("fill") for each in root if each.tag.endswith("path")}
    assert len(fills) > 3
    machine = Machine.of("x", dimension=3, title="<b>&", view=View(object={"a": Sphere(radius=1)}))
    assert ElementTree.fromstring(stage_svg(machine_stage(machine)))[0].text == "<b>&"


def test_svg_leaves_out_what_is_hidden() -> None:
    near, far = (
        Box(at=(2, 0, 0), size=(1, 9, 9), colour="red"),
        Sphere(at=(-5, 0, 0), radius=1, colour="blue"),
    )
    assert len(stage_svg(stage({"a": near, "b": far}))) < len(stage_svg(stage({"b": far})))


def moving() -> Stage:
    machine = Machine.of(
        "moving", dimension=3,
        frames={"car": Frame(varies=("ty",), at=(0, -2, 0), rates={"ty": 4}, mass=1)},
        view=View(
            object={"ball": Sphere(on="car", radius=0.4, colour="red")}, camera={"eye": ALONG_X}, traces=("car",)
        ),
    )  # fmt: skip
    return machine_stage(machine, simulate(machine, until=1))


def test_films_move() -> None:
    frames = Image.open(BytesIO(stage_gif(moving(), SIZE, most_frames=8)))
    assert getattr(frames, "n_frames", 0) == 8
    places = []
    for number in (0, 7):
        frames.seek(number)
        red = np.array(frames.convert("RGB")).astype(int)
        places.append(np.flatnonzero((red[:, :, 0] - red[:, :, 2] > 60).sum(axis=0) > 3).mean())
    assert places[0] < 50 < 110 < places[1]


def test_pictures_have_their_row_and_their_path() -> None:
    first, last = (
        np.array(Image.open(BytesIO(stage_png(moving(), row, SIZE)))).astype(int) for row in (0, -1)
    )
    assert (first != last).any()
    path = (first[50, 60:115] < 250).any(
        axis=1
    )  # to where the ball gets: 2/10 · 50/tan 15° beside the middle
    assert path.all()


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_videos_can_be_played(suffix: str) -> None:
    av = pytest.importorskip("av")
    content = stage_video(moving(), suffix, (96, 80))
    with av.open(BytesIO(content)) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height) == (96, 80)
        shown = [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0)]
    assert len(shown) == 30
    assert abs(shown[0] - shown[-1]).max() > 60


def test_a_missing_package_is_told_with_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(ToolMissing) as caught:
        stage_video(moving(), ".mp4", (96, 80))
    assert caught.value.fix == "pip install 'linkwork[video]'"


@pytest.mark.parametrize(
    ("row", "size", "camera"),
    [(10**6, SIZE, ""), (0, (3, 3), ""), (0, (9000, 300), ""), (0, SIZE, "eyee")],
)
def test_misuse_is_told(row: int, size: tuple[int, int], camera: str) -> None:
    with pytest.raises(LinkworkError) as caught:
        stage_png(moving(), row, size, camera=camera)
    assert caught.value.wanted


def test_there_are_two_kinds_of_video() -> None:
    with pytest.raises(UsageError, match="no such video"):
        stage_video(moving(), ".avi")
    assert film.CODECS.keys() == {".mp4", ".webm"}
