"""Pictures: valid, the same every time, large enough for every frame, and harmless."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
import view_scenes
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from linkwork.errors import UsageError
from linkwork.view import (
    Bar,
    Body,
    Column,
    Label,
    Scene,
    Sphere,
    paint,
    scene_gif,
    scene_page,
    scene_png,
    scene_svg,
)
from linkwork.view.layout import MARGIN, picture
from linkwork.view.mesh import MOST_TRIANGLES, Mesh, add_slab
from linkwork.view.outline import belt, gear_outline, rounded_hull
from linkwork.view.paint import drawing_of
from linkwork.view.primitive import Text, extremes
from linkwork.view.theme import PALETTE, THEMES, inks

Make = Callable[[], Scene]
every_scene = pytest.mark.parametrize("make", view_scenes.ALL, ids=lambda make: make.__name__)
HOSTILE = "</script><b>\"'&\x00\ud800"


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


def share_painted(image: Image.Image) -> float:
    """The part of an image that is not of its commonest colour."""
    flat = np.asarray(image.convert("RGB"), dtype=np.int64) @ [65536, 256, 1]
    return 1.0 - float(np.unique(flat, return_counts=True)[1].max()) / flat.size


def hostile_scene() -> Scene:
    bodies = [Body(HOSTILE, (Bar(((0, 0), (1, 0))), Label((0, 0), HOSTILE)))]
    column = Column(HOSTILE, (1.0,), HOSTILE)
    return Scene.of(HOSTILE, bodies, [[[0, 0, 0]]], drive=column, columns=[column], unit=HOSTILE)


@every_scene
def test_svg_is_xml_and_always_the_same(make: Make) -> None:
    """A picture parses as XML, is of the size asked for, and has the same bytes every time."""
    text = scene_svg(make(), size=(500, 300))
    root = ElementTree.fromstring(text)
    assert root.attrib["viewBox"] == "0 0 500 300"
    assert text == scene_svg(make(), size=(500, 300))


@pytest.mark.parametrize(("width", "rows"), [(480, 2), (960, 1)])
def test_a_long_title_takes_two_rows_before_it_is_cut(width: int, rows: int) -> None:
    """All of its words are in the picture, above the machine."""
    title = "Four-bar: a crank-rocker and the curve of a point on its coupler"
    scene = Scene.of(title, [Body("crank", (Bar(((0, 0), (1, 0))),))], [[[0, 0, 0]]])
    painted = picture(drawing_of(scene), 0, (width, 300))
    texts = [each for each in painted if isinstance(each, Text) and each.ink == "title"]
    assert (" ".join(each.text for each in texts), len(texts)) == (title, rows)
    others = [point.imag for each in painted[1:] if not isinstance(each, Text) for point in extremes(each)]
    assert min(others) > max(each.at.imag for each in texts)


@every_scene
def test_every_frame_lies_within_the_picture(make: Make) -> None:
    """Nothing but the ends of labels comes nearer to the border than its margin, in any frame."""
    scene = make()
    drawing = drawing_of(scene)
    for frame in range(0, scene.frames, 7):
        for each in picture(drawing, frame, (640, 400))[1:]:
            if not isinstance(each, Text):
                for point in extremes(each):
                    assert MARGIN - 1 <= point.real <= 640 - MARGIN + 1
                    assert 0 <= point.imag <= 400 - MARGIN + 1


@every_scene
def test_frames_share_one_view(make: Make) -> None:
    """What stands on the ground is at the same place in all frames."""
    drawing = drawing_of(make())
    first, last = (picture(drawing, frame, (640, 400)) for frame in (0, drawing.scene.frames - 1))
    hatched = [[each for each in one if each.ink in ("hatch", "grid")] for one in (first, last)]
    assert hatched[0] == hatched[1]


@every_scene
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_png_has_its_size_and_something_on_it(make: Make, theme: str) -> None:
    image = opened(scene_png(make(), size=(320, 200), theme="dark" if theme == "dark" else "light"))
    assert (image.format, image.size) == ("PNG", (320, 200))
    assert 0.02 < share_painted(image) < 0.9


def test_png_grows_with_its_size() -> None:
    """A picture twice as large shows the same: made smaller again, it hardly differs."""
    scene = view_scenes.four_bar()
    small = opened(scene_png(scene, 20, (640, 400))).convert("L")
    large = opened(scene_png(scene, 20, (1280, 800))).convert("L").reduce(2)
    difference = np.asarray(small, dtype=float) - np.asarray(large, dtype=float)
    assert np.abs(difference).mean() < 1.5


@pytest.mark.parametrize("make", [view_scenes.four_bar, view_scenes.bennett])
def test_gif_moves(make: Make) -> None:
    """A film has its size and its length, an endless loop, and frames that differ; a round closes."""
    film = opened(scene_gif(make(), size=(240, 150), most_frames=5, seconds=2.0))
    assert (film.format, film.size) == ("GIF", (240, 150))
    assert getattr(film, "n_frames", 1) == 4
    assert film.info["loop"] == 0
    frames = []
    lasting = 0
    for number in range(4):
        film.seek(number)
        lasting += film.info["duration"]
        frames.append(film.convert("RGB").tobytes())
    assert lasting == 2000
    assert all(before != after for before, after in pairwise(frames))


def test_gif_of_a_still_and_of_few_frames() -> None:
    """A closed round leaves out its last frame, which is its first."""
    still = opened(scene_gif(view_scenes.workshop(), size=(200, 120)))
    assert getattr(still, "n_frames", 1) == 1
    for most, shown in ((1, 1), (3, 2), (4, 3)):
        film = opened(scene_gif(view_scenes.cam(), size=(200, 120), most_frames=most))
        assert getattr(film, "n_frames", 1) == shown


def test_gif_paper_is_white() -> None:
    """The palette keeps the paper's colour exactly."""
    film = opened(scene_gif(view_scenes.planetary(), size=(240, 150), most_frames=3)).convert("RGB")
    assert film.getpixel((1, 75)) == (255, 255, 255)


def test_hostile_names_stay_text() -> None:
    """Markup in titles, names, labels and units is shown, never obeyed; what XML cannot hold is marked."""
    scene = hostile_scene()
    text = scene_svg(scene)
    root = ElementTree.fromstring(text)
    shown = "".join(root.itertext())
    assert "</script><b>" in shown
    assert "<b>" not in text
    assert opened(scene_png(scene, size=(200, 120))).size == (200, 120)
    page = scene_page(scene)
    page.encode()
    assert "<b>" not in page
    assert page.count("</script>") == 2


@given(st.text(max_size=30))
def test_any_name_can_be_shown(name: str) -> None:
    """Whatever a body is called, the picture is XML and the page is UTF-8."""
    scene = Scene.of(name, [Body(name, (Label((0, 0), name),))], [[[0, 0, 0]]], unit=name)
    ElementTree.fromstring(scene_svg(scene, size=(200, 120)).encode())
    assert scene_page(scene).encode().count(b"</script>") == 2


@given(st.floats(1e-6, 1e6), st.floats(-1e6, 1e6))
def test_pictures_do_not_depend_on_the_unit(scale: float, offset: float) -> None:
    """A machine of micrometres or kilometres, anywhere, fills the picture."""
    bodies = [Body("bar", (Bar(((0, 0), (scale, 0))),))]
    drawing = drawing_of(Scene.of("", bodies, [[[offset, 0.0, 0.0]]]))
    points = [point for each in drawing.painted(0) for point in extremes(each)]
    left, right = min(p.real for p in points), max(p.real for p in points)
    assert math.isclose(right - left, 1.045 * scale, rel_tol=1e-6, abs_tol=1e-9 * abs(offset))


def test_empty_scenes_have_pictures() -> None:
    """A body without shapes, or nothing at all, is an empty picture and no error."""
    for poses in ([[[0.0, 0, 0]]], [[[0.0, 0, 0, 1, 0, 0, 0]]]):
        scene = Scene.of("", [Body("ground")], poses)
        ElementTree.fromstring(scene_svg(scene))
        scene_png(scene, size=(100, 100))
    nothing = Scene("", 2, (), ((),))
    ElementTree.fromstring(scene_svg(nothing))


@pytest.mark.parametrize(
    "call",
    [
        lambda scene: scene_svg(scene, 1),
        lambda scene: scene_svg(scene, -1),
        lambda scene: scene_svg(scene, theme="pink"),  # type: ignore[arg-type]
        lambda scene: scene_png(scene, theme="pink"),  # type: ignore[arg-type]
        lambda scene: scene_png(scene, size=(10, 10)),
        lambda scene: scene_png(scene, size=(100, 100_000)),
        lambda scene: scene_gif(scene, most_frames=0),
        lambda scene: scene_gif(scene, seconds=float("nan")),
    ],
)
def test_wrong_wishes_are_refused(call: Callable[[Scene], object]) -> None:
    with pytest.raises(UsageError) as caught:
        call(view_scenes.workshop())
    assert caught.value.got
    assert caught.value.wanted


@every_scene
def test_every_ink_is_known_to_both_themes(make: Make) -> None:
    scene = make()
    used = {each.ink for each in picture(drawing_of(scene), 0, (640, 400))}
    for theme in THEMES.values():
        assert used <= inks(theme, len(scene.bodies)).keys()


def test_near_things_hide_far_ones() -> None:
    """Of two balls in line with the eye the nearer one is painted later."""
    drawing = drawing_of(Scene.of("", [Body("a")], [[[0.0, 0, 0, 1, 0, 0, 0]]]))
    eye = np.array(drawing.camera.axes()[2])  # type: ignore[union-attr]
    for order in (1, -1):
        bodies = [Body(name, (Sphere((0, 0, 0), 0.5),)) for name in ("first", "second")]
        poses = [[[*(order * 2 * eye), 1, 0, 0, 0], [*(-order * 2 * eye), 1, 0, 0, 0]]]
        balls = [each.ink for each in paint(Scene.of("", bodies, poses)) if each.ink.startswith("face-")]
        assert balls[-1].startswith("face-0" if order == 1 else "face-1")


@pytest.mark.parametrize("size", [3, 1, 0.3, 0.01])
def test_plates_have_no_edges_within(size: float) -> None:
    """However finely a plate is to be cut, its pieces fit together: sharp edges are those of the outline."""
    turns = [math.radians(120 * k + side * 14) for k in range(3) for side in (-1, 1)]
    outline = [(3 * math.cos(turn), 3 * math.sin(turn), 0.0) for turn in turns]
    mesh = Mesh()
    add_slab(mesh, outline, 0.1, size, "metal")
    edges = mesh.edges()
    assert all(len(edge.faces) == 2 for edge in edges)
    assert len(mesh.faces) <= 3 * MOST_TRIANGLES


@pytest.mark.parametrize(("count", "shown"), [(5, 5), (10, 10), (11, 5), (40, 5)])
def test_legends_stay_small(count: int, shown: int) -> None:
    """Up to ten names stand in the legend; of more a single row, and the number of the others."""
    bodies = [Body(f"part {k}", (Bar(((0, k), (1, k))),)) for k in range(count)]
    scene = Scene.of("many", bodies, [[[0, 0, 0]] * count])
    texts = [each for each in picture(drawing_of(scene), 0, (640, 400)) if isinstance(each, Text)]
    legend = [each for each in texts if each.text.startswith("part ")]
    assert len(legend) == shown
    counted = [each.text for each in texts if each.text.startswith("… and")]
    assert counted == ([f"… and {count - shown} more"] if shown < count else [])
    assert len({each.at.imag for each in legend}) <= (2 if count <= 10 else 1)


def test_colours_repeat_only_after_the_palette() -> None:
    assert len(set(PALETTE)) == len(PALETTE) >= 8


@given(st.integers(6, 120), st.floats(0.1, 10))
def test_gear_teeth_stay_between_root_and_tip(teeth: int, radius: float) -> None:
    """An outline of z teeth repeats z times and keeps its module from the pitch circle."""
    outline = np.array(gear_outline(0j, radius, teeth, 0.3))
    module = 2 * radius / teeth
    assert np.abs(outline).max() <= radius + module * 1.001
    assert np.abs(outline).min() >= max(radius - 1.25 * module, 0.3 * radius) * 0.999
    turned = np.roll(outline, len(outline) // teeth) * np.exp(2j * np.pi / teeth)
    assert np.allclose(turned, outline, atol=1e-9 * radius)
    angles = np.unwrap(np.angle(outline))
    assert angles[-1] - angles[0] < 2 * np.pi


@given(st.lists(st.complex_numbers(max_magnitude=10), min_size=1, max_size=6), st.floats(0.1, 2))
def test_plates_keep_their_distance_from_the_pins(pins: list[complex], radius: float) -> None:
    """Every point of a rounded plate's outline is at least its radius away from every pin."""
    outline = rounded_hull(pins, radius)
    assert min(abs(point - pin) for point in outline for pin in pins) >= radius * (1 - 1e-6)


def test_belt_touches_both_pulleys() -> None:
    points = np.array(belt(0j, 2.0, 5 + 1j, 0.7))
    first, second = np.abs(points), np.abs(points - (5 + 1j))
    assert np.all(np.isclose(first, 2.0) | np.isclose(second, 0.7))
    assert np.all(first >= 2.0 - 1e-9)
    assert np.all(second >= 0.7 - 1e-9)
