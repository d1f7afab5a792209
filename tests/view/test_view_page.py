"""Pages, run in a browser: they play, and they ask nobody for anything."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import view_scenes
from browser import Shown, launched

from linkwork.errors import UnknownName
from linkwork.view import Bar, Body, Column, Label, Scene, scene_page

Make = Callable[[], Scene]


def embedded(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="scene">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_page_holds_the_scene() -> None:
    """The numbers in the page are those of the scene, to seven digits."""
    scene = view_scenes.four_bar()
    data = embedded(scene_page(scene))
    poses = np.array(data["poses"]).reshape(scene.frames, -1, 3)
    assert np.allclose(poses, scene.poses, rtol=1e-6, atol=1e-9)
    assert data["times"] == pytest.approx(scene.times, rel=1e-6)
    assert [body["name"] for body in data["bodies"]] == [body.name for body in scene.bodies]


def test_page_is_small_and_the_same_every_time() -> None:
    scene = view_scenes.four_bar()
    page = scene_page(scene)
    assert page == scene_page(view_scenes.four_bar())
    assert len(page) < 100_000


@pytest.mark.parametrize("make", view_scenes.ALL, ids=lambda make: make.__name__)
def test_page_names_no_other_place(make: Make) -> None:
    """No address of anything: neither in the page nor in what it could load."""
    page = scene_page(make())
    assert "://" not in page
    assert "default-src 'none'" in page


def test_plots_are_chosen_by_name() -> None:
    scene = view_scenes.four_bar()
    assert embedded(scene_page(scene, plot=["x of P"]))["plot"] == [2]
    assert embedded(scene_page(scene, plot=[]))["plot"] == []
    with pytest.raises(UnknownName) as caught:
        scene_page(scene, plot=["y of P"])
    assert "x of P" in caught.value.wanted


# ---- In the browser -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from launched("--disable-gpu")


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Shown]]:
    opened: list[Shown] = []

    def open_page(scene: Scene, **context: Any) -> Shown:
        opened.append(Shown(browser, scene_page(scene), tmp_path, "#frame=0", **context))
        return opened[-1]

    yield open_page
    for shown in opened:
        shown.context.close()
        assert shown.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("make", view_scenes.ALL, ids=lambda make: make.__name__)
def test_seeking_changes_the_picture(make: Make, scheme: str, show: Callable[..., Shown]) -> None:
    """Each frame has its own picture, and the same one every time; nothing is complained of."""
    scene = make()
    shown = show(scene, color_scheme=scheme)
    assert shown.run("linkwork.frames") == scene.frames
    first = shown.picture()
    shown.run(f"linkwork.seek({scene.frames // 3})")
    assert shown.run("linkwork.frame()") == scene.frames // 3
    assert (shown.picture() != first) == (scene.frames > 1)
    shown.run("linkwork.seek(0)")
    assert shown.picture() == first


@pytest.mark.parametrize("make", [view_scenes.four_bar, view_scenes.bennett])
def test_play_and_pause(make: Make, show: Callable[..., Shown]) -> None:
    """Playing moves on by itself, pausing stops, and a frame outside is the nearest inside."""
    shown = show(make())
    assert shown.run("linkwork.playing()") is False
    shown.run("linkwork.play()")
    assert shown.run("linkwork.playing()") is True
    shown.until("linkwork.frame() > 0")
    shown.run("linkwork.pause()")
    assert shown.run("linkwork.playing()") is False
    shown.run("linkwork.seek(1e9)")
    assert shown.run("linkwork.frame() === linkwork.frames - 1")
    shown.run("linkwork.seek(-5)")
    assert shown.run("linkwork.frame()") == 0


def test_between_frames_bodies_are_between(show: Callable[..., Shown]) -> None:
    """Half way between two frames the picture is neither of the two."""
    shown = show(view_scenes.four_bar(13))
    pictures = []
    for frame in ("3", "3.5", "4"):
        shown.run(f"linkwork.seek({frame})")
        pictures.append(shown.picture())
    assert len(set(pictures)) == 3


def test_keys_and_buttons(show: Callable[..., Shown]) -> None:
    """Space plays and pauses, arrows step, the ends are reached by Home and End, buttons do the same."""
    shown = show(view_scenes.four_bar())
    page = shown.page
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert shown.run("linkwork.frame()") == 1
    page.click("#forth")
    assert shown.run("linkwork.frame()") == 2
    page.keyboard.press("End")
    assert shown.run("linkwork.frame() === linkwork.frames - 1")
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    assert shown.run("linkwork.playing()") is True
    page.click("#play")
    assert shown.run("linkwork.playing()") is False
    page.fill("#slider", "7")
    assert shown.run("linkwork.frame()") == 7


@pytest.mark.parametrize("button", ["traces", "labels"])
def test_traces_and_labels_can_be_hidden(button: str, show: Callable[..., Shown]) -> None:
    shown = show(view_scenes.four_bar())
    before = shown.picture()
    shown.page.click(f"#{button}")
    assert shown.picture() != before


@pytest.mark.parametrize("make", [view_scenes.four_bar, view_scenes.bennett])
def test_wheel_and_drag_move_the_view_and_fit_restores_it(make: Make, show: Callable[..., Shown]) -> None:
    shown = show(make())
    mouse = shown.page.mouse
    pictures = [shown.picture()]
    mouse.move(300, 100)
    mouse.wheel(0, -240)
    shown.run("new Promise(requestAnimationFrame)")
    pictures.append(shown.picture())
    mouse.down()
    mouse.move(340, 120)
    mouse.up()
    shown.run("new Promise(requestAnimationFrame)")
    pictures.append(shown.picture())
    assert len(set(pictures)) == 3
    shown.page.click("#fit")
    assert shown.picture() == pictures[0]


def test_the_plot_follows_and_leads(show: Callable[..., Shown]) -> None:
    """The cursor of the plot moves with the frame, and a click on the plot seeks the frame there."""
    shown = show(view_scenes.four_bar(), viewport={"width": 640, "height": 700})
    before = shown.run("document.getElementById('plot').toDataURL()")
    shown.run("linkwork.seek(30)")
    assert shown.run("document.getElementById('plot').toDataURL()") != before
    box = shown.page.locator("#plot").bounding_box()
    assert box
    shown.page.mouse.click(box["x"] + 52 + (box["width"] - 66) / 2, box["y"] + 40)
    assert shown.run("linkwork.frame()") == pytest.approx(60, abs=1)


def test_pages_fit_on_a_phone(show: Callable[..., Shown]) -> None:
    """On a narrow screen nothing sticks out to the side, and the picture keeps its room."""
    shown = show(view_scenes.four_bar(), viewport={"width": 360, "height": 640}, device_scale_factor=2)
    assert shown.run("document.documentElement.scrollWidth") <= 360
    assert shown.run("document.getElementById('picture').getBoundingClientRect().height") >= 160
    assert shown.run("document.getElementById('picture').width") == 720


@pytest.mark.parametrize(("unit", "ending"), [("", ""), ("min", " min")])
def test_times_have_the_unit_that_the_file_names(unit: str, ending: str, show: Callable[..., Shown]) -> None:
    """A file that names none may count time in anything: then it is no seconds either."""
    shown = show(replace(view_scenes.four_bar(), drive=None, time_unit=unit))
    assert re.fullmatch(f"t = [0-9.]+{ending}", shown.page.inner_text("#clock"))


def test_many_names_are_folded_away(show: Callable[..., Shown]) -> None:
    """Of many parts and columns a few are offered; a button shows the others, and the plot stays in view."""
    count = 40
    bodies = [Body(f"part {k}", (Bar(((0, k), (1, k))),)) for k in range(count)]
    columns = [Column(f"column {k}", (0.0, 1.0)) for k in range(count)]
    scene = Scene.of("many", bodies, [[[0, 0, 0]] * count, [[1, 0, 0]] * count], columns=columns)
    shown = show(scene, viewport={"width": 1000, "height": 640})
    page = shown.page
    for box, folded in (("#legend", 1), ("#chips", 3 + 8 + 1)):
        assert page.locator(f"{box} button:visible").count() == folded
        page.click(f"{box} [aria-expanded]")
        assert page.locator(f"{box} button:visible").count() == count + 1
        plot = page.locator("#plot").bounding_box()
        assert plot
        assert plot["y"] + 60 < 640
    page.click("#chips button:nth-child(30)")
    page.click("#chips [aria-expanded]")
    assert page.locator("#chips button:visible").count() == 3 + 8 + 1 + 1


def test_the_part_under_the_pointer_is_named(show: Callable[..., Shown]) -> None:
    bodies = [Body("left", (Bar(((0, 0), (1, 0))),)), Body("right", (Bar(((2, 0), (3, 0))),))]
    shown = show(Scene.of("two", bodies, [[[0, 0, 0]] * 2]), viewport={"width": 600, "height": 400})
    box = shown.page.locator("#picture").bounding_box()
    assert box
    names = []
    for share in (0.2, 0.5, 0.8):
        shown.page.mouse.move(box["x"] + share * box["width"], box["y"] + (box["height"] - 30) / 2)
        names.append(shown.run("document.getElementById('picture').title"))
    assert names == ["left", "", "right"]


def test_readers_who_want_no_motion_get_none(browser: Any, tmp_path: Path) -> None:
    """Without a frame in its address a page plays at once, unless the reader asked for less motion."""
    file = tmp_path / "page.html"
    file.write_text(scene_page(view_scenes.cam()), encoding="utf-8")
    for wish, playing in (("reduce", False), ("no-preference", True)):
        context = browser.new_context(reduced_motion=wish)
        page = context.new_page()
        page.goto(file.as_uri())
        assert page.evaluate("linkwork.playing()") is playing
        context.close()


def test_hostile_names_are_shown_not_run(show: Callable[..., Shown]) -> None:
    """Names full of markup reach the page as text."""
    name = "</script><script>window.struck = 1</script><img src=x onerror='window.struck = 2'>"
    column = Column(name, (0.0, 1.0), name)
    bodies = [Body(name, (Bar(((0, 0), (1, 0))), Label((0, 0), name)))]
    scene = Scene.of(name, bodies, np.zeros((2, 1, 3)), drive=column, columns=[column], unit=name)
    shown = show(scene)
    shown.run("linkwork.seek(1)")
    assert shown.run("window.struck") is None
    assert shown.run("document.querySelectorAll('img').length") == 0
    assert shown.page.inner_text("h1").startswith("</script>")
