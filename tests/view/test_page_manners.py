"""What pages do with what they should not be given, where they should not stand, and on slow computers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import live_stages
import numpy as np
import pytest
from browser import Shown, launched
from stage_shows import SOFTWARE, Show, needs_bundle, pixels, shows

import linkwork as lw
from linkwork.errors import NoAnswer
from linkwork.model.read import machine_from_text
from linkwork.view.film import stage_png
from linkwork.view.machine_stage import machine_stage
from linkwork.view.render import rendered
from linkwork.view.stage_page import stage_page

pytestmark = needs_bundle

ROD = """
linkwork = 1
dimension = 3
gravity = [0, 0, -9.81]
[parameter]
length = 1
[frame.arm]
varies = ["turn"]
axis = [0, 1, 0]
turn = "60 deg"
inertia = [1, 1, 1]
mass = 1
[frame.bob]
on = "arm"
at = [0, 0, "-length"]
mass = 1
[view.object.rod]
shape = "rod"
between = ["arm", "bob"]
radius = 0.05
"""
"""A rod without length has no direction."""

CORNER = """
linkwork = 1
dimension = 3
[parameter]
high = 6
[frame.cart]
varies = ["tx"]
at = [0.5, 0.25, 0]
turn = "TURN deg"
mass = 1
[view]
background = "white"
[view.object.red]
shape = "box"
at = [2, 0, 0]
size = [1, 1, 0.1]
colour = "#ff0000"
[view.object.blue]
shape = "box"
at = [0, 2, 0]
size = [1, 1, 0.1]
colour = "#0000ff"
[view.light.even]
kind = "sky"
[view.camera.eye]
on = "CARRIER"
at = AT
toward = "cart"
up = UP
"""
"""Two boxes that tell x from y, and an eye that looks along what is upwards."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from launched(*SOFTWARE)


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Show]:
    yield from shows(browser, tmp_path)


def page_of(text: str) -> str:
    """The live page of a machine."""
    (page,) = lw.live_page(machine_from_text(text, "m.toml", "m")).files.values()
    return page


def middles(picture: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Where red and blue are, from the middle of a picture, in its heights: to the right and up."""
    height, width = picture.shape[:2]
    found = []
    for own, other in ((0, 2), (2, 0)):
        rows, columns = np.nonzero(picture[:, :, own] > picture[:, :, other] + 60)
        found.append([columns.mean() - width / 2, height / 2 - rows.mean()])
    return np.asarray(np.array(found) / height)


def way(found: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The direction from red to blue."""
    across = found[1] - found[0]
    return np.asarray(across / np.linalg.norm(across))


@pytest.mark.parametrize(
    ("carrier", "turn", "at", "up", "right", "above"),
    [
        ("ground", 0, '["position(cart).x", "position(cart).y", "high"]', "[0, 0, 1]", (1, 0), (0, 1)),
        ("ground", 0, "[0.5, 0.25, -6]", "[0, 0, 1]", (1, 0), (0, -1)),
        ("cart", 30, "[0, 0, 6]", "[0, 0, 1]", (0.866, 0.5), (-0.5, 0.866)),
        ("ground", 0, "[0.5, 0.25, 6]", "[0, 0, -1]", (1, 0), (0, 1)),
    ],
)
def test_an_eye_that_looks_along_what_is_upwards_has_x_to_its_right(
    carrier: str, turn: int, at: str, up: str, right: tuple[float, ...], above: tuple[float, ...], show: Show
) -> None:
    """In pictures and in pages alike, and whoever takes the camera over finds it as it was."""
    text = CORNER.replace("CARRIER", carrier).replace("TURN", str(turn)).replace("AT", at).replace("UP", up)
    stage = machine_stage(machine_from_text(text, "m.toml", "m"))
    axes = np.array([right, above])
    wanted = (np.array([[2, 0], [0, 2]]) - [0.5, 0.25]) @ axes.T / (2 * 6 * np.tan(np.radians(22.5)))
    np.testing.assert_allclose(middles(rendered(stage, 0, (320, 200)).astype(int)), wanted, atol=0.02)
    shown = show(page_of(text))
    np.testing.assert_allclose(way(middles(pixels(shown))), way(wanted), atol=0.05)
    shown.page.mouse.move(320, 120)
    shown.page.mouse.down()
    shown.page.mouse.move(321, 120)
    shown.page.mouse.up()
    assert shown.run("linkwork.state().camera") == "free"
    np.testing.assert_allclose(way(middles(pixels(shown))), way(wanted), atol=0.05)


# ---- What should not be given -------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1e-300])
def test_what_has_no_place_is_refused_in_words(length: float) -> None:
    machine = machine_from_text(ROD.replace("length = 1", f"length = {length}"), "m.toml", "m")
    with pytest.raises(NoAnswer, match="the object rod has no place"):
        stage_png(machine_stage(machine), size=(160, 100))


@pytest.mark.parametrize("length", ["0", "1e-300"])
def test_a_parameter_that_leaves_something_without_place_leaves_all_as_it_was(
    length: str, show: Show
) -> None:
    shown = show(page_of(ROD), viewport={"width": 1000, "height": 600})
    shown.run("linkwork.advance(0.5)")
    shown.page.fill("#rows input[type=number]", length)
    shown.page.keyboard.press("Enter")
    state = shown.run("linkwork.state()")
    assert "is impossible: a position is not a number here. It stays 1." in state["notice"]
    assert (state["parameters"]["length"], state["time"]) == (1, pytest.approx(0.5))
    assert shown.run("linkwork.advance(0.5)")["time"] == pytest.approx(1)


CALLS = {
    "advance(Infinity)": "advance takes a number from 0, not Infinity",
    "advance(-1)": "advance takes a number from 0, not -1",
    "advance()": "advance takes a number from 0, not undefined",
    "speed(NaN)": "speed takes a number above 0, not NaN",
    "speed(-1)": "speed takes a number above 0, not -1",
    "speed(0)": "speed takes a number above 0, not 0",
    "control('throttle', NaN)": "control throttle takes a number, not NaN",
    "control('throttle', '1')": "control throttle takes a number, not '1'",
    "control('wind', 1)": "there is no control 'wind'; there are: throttle, brake",
    "set('nope', 1)": "there is no parameter 'nope'; there are: g, reach, anchor, push",
    "set('g', NaN)": "parameter g takes a number, not NaN",
    "set('g', 'abc')": "parameter g takes a number, not 'abc'",
    "set('g')": "parameter g takes a number, not undefined",
    "seek(1)": "a machine that runs in the page cannot seek; a replay can",
    "camera('moon')": "there is no camera 'moon'; there are: side, above, rider, follow, free",
}
"""What the hook of a running machine refuses, and in which words."""


def refused(shown: Shown, call: str) -> str:
    """The words with which a call of the hook is refused."""
    script = (
        f'() => {{ try {{ linkwork.{call}; return ""; }} '
        "catch (problem) { return problem instanceof RangeError ? problem.message : String(problem); } }"
    )
    return str(shown.run(script))


def test_programs_are_told_what_was_wrong(show: Show) -> None:
    shown = show(live_stages.live())
    before = shown.run("linkwork.state()")
    for call, words in CALLS.items():
        assert refused(shown, call) == words
    assert shown.run("linkwork.state()") == before
    replay = show(live_stages.replay())
    assert refused(replay, "set('g', 1)") == "there is no parameter 'g'; there are: none"
    assert refused(replay, "seek(NaN)") == "seek takes a number, not NaN"
    assert replay.run("() => { linkwork.seek(99); return linkwork.state().time; }") == 2


def test_impossible_parameters_are_told_with_what_stays(show: Show) -> None:
    shown = show(live_stages.live())
    words = "anchor = −1 is impossible: no position satisfies the constraints. It stays 1."
    assert shown.run("linkwork.set('anchor', -1).notice") == words


def test_controls_are_held_to_their_range(show: Show) -> None:
    shown = show(live_stages.live())
    for given, held in ((1e9, 1), (-7, -1), (0.25, 0.25)):
        state = shown.run("value => linkwork.control('throttle', value)", given)
        assert state["controls"]["throttle"] == held


# ---- Where it stands ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(640, 360), (360, 640)])
def test_between_the_pads_the_picture_can_be_taken(size: tuple[int, int], show: Show) -> None:
    """What is not seen takes no finger: everywhere but on pads, bars and buttons the camera is dragged."""
    shown = show(live_stages.live(), viewport={"width": size[0], "height": size[1]}, has_touch=True)
    blocked = shown.run(
        """() => {
          const seen = ["#controls", "header", ".rail"].flatMap((each) => [...document.querySelectorAll(each)]);
          const boxes = seen.map((each) => each.getBoundingClientRect());
          const found = [];
          for (let x = 2; x < innerWidth; x += 6) for (let y = 2; y < innerHeight; y += 6) {
            const holds = (box) => x > box.left - 2 && x < box.right + 2 && y > box.top - 2 && y < box.bottom + 2;
            const top = document.elementFromPoint(x, y);
            if (top.id !== "picture" && !boxes.some(holds)) found.push(`${top.tagName}#${top.id} at ${x}, ${y}`);
          }
          return found;
        }"""
    )
    assert blocked == []


def test_a_frame_that_forbids_things_is_told_of(browser: Any, tmp_path: Path) -> None:
    """Where neither films can be saved nor the screen be filled the page says why."""
    (tmp_path / "inner.html").write_text(stage_page(live_stages.live(), live_stages.program()))
    outer = '<iframe sandbox="allow-scripts" src="inner.html#paused" width="600" height="340"></iframe>'
    shown = Shown(browser, outer, tmp_path, "")
    frame = shown.page.frames[1]
    assert frame.evaluate("linkwork.ready") is True
    frame.click("#picture")
    shown.page.keyboard.press("x")
    assert "allows no full screen" in frame.evaluate("linkwork.state().notice")
    shown.page.keyboard.press("?")
    assert "full screen" not in frame.inner_text("#keys")
    shown.page.keyboard.press("Escape")
    records = frame.locator("#record").is_visible()
    shown.page.keyboard.press("v")
    if records:
        frame.evaluate("linkwork.play()")  # a film without a picture would be told of instead
        frame.evaluate(
            """() => new Promise((resolve) => {
              let left = 30;
              const look = () => (left-- ? requestAnimationFrame(look) : resolve());
              look();
            })"""
        )
        shown.page.wait_for_timeout(700)
        shown.page.keyboard.press("v")
        shown.page.wait_for_timeout(1000)  # the browser hands the film over
    words = "If it was not saved, the frame" if records else "records no films"
    assert words in frame.evaluate("linkwork.state().notice")
    frame.click("#notice")
    assert frame.evaluate("linkwork.state().notice") == ""
    shown.context.close()


def framed(shown: Shown) -> np.ndarray[Any, Any]:
    """What is seen between title and bar."""
    picture = pixels(shown)
    return picture[shown.run(EDGE, ["header", "bottom"]) : shown.run(EDGE, ["#controls", "top"])]


EDGE = "([name, side]) => Math.round(document.querySelector(name).getBoundingClientRect()[side])"


@pytest.mark.parametrize(
    ("name", "times"),
    [
        ("planetary-gear", (0,)),
        ("scissor", (0, 8, 16)),
        ("sarrus", (0, 1.25, 4)),
        ("geneva-drive", (0,)),
        ("door-latch", (0,)),
    ],
)
@pytest.mark.parametrize("size", [(640, 360), (360, 640)])
def test_machines_stay_in_the_picture_that_a_page_chooses(
    name: str, times: tuple[float, ...], size: tuple[int, int], show: Show
) -> None:
    """Between title and bar, now and later: at the edges there is nothing but the background."""
    machine = lw.load(name)
    moving = machine if machine.joints else lw.recognise(machine).machine
    assert moving is not None
    (page,) = lw.live_page(moving).files.values()
    shown = show(page, viewport={"width": size[0], "height": size[1]})
    for time in times:
        shown.run("time => linkwork.advance(time - linkwork.state().time)", time)
        picture = framed(shown)
        assert picture[10:-10].std(axis=1).max() > 5, "something is seen"
        assert np.ptp(picture[[0, -1]], axis=1).max() <= 8, "nothing is cut off above and below"
        assert np.abs(picture[:, 0] - picture[:, -1]).max() <= 8, "nor to the sides"


LIFT = """
linkwork = 1
[parameter]
high = 0.5
speed = 0.25
[part.table]
mass = 1
[joint.guide]
type = "prismatic"
between = ["ground", "table"]
[part.bob]
points = { A = [0, 1] }
mass = 1
inertia = 0.1
[joint.A]
type = "revolute"
between = ["table", "bob.A"]
[drive.lift]
joint = "guide"
range = [0, "high"]
rate = "speed"
"""
"""A table that is lifted within two seconds, and something that turns on it."""


@pytest.mark.parametrize("program", ["javascript", "auto"])
def test_a_page_holds_at_the_end_of_a_range_and_plays_from_the_start(program: str, show: Show) -> None:
    (page,) = lw.live_page(machine_from_text(LIFT, "m.toml", "m"), program).files.values()
    shown = show(page)
    state = shown.run("linkwork.advance(7)")
    assert state["time"] == pytest.approx(2)
    assert shown.page.inner_text("#clock").endswith("the end")
    assert shown.run("linkwork.advance(1).time") == state["time"]
    shown.run("linkwork.set('speed', 0.5)")
    assert shown.run("linkwork.advance(7).time") == pytest.approx(1)
    shown.run("linkwork.play()")
    shown.until("linkwork.state().time > 0.6")
    shown.until("linkwork.state().time < 0.5")
    assert shown.run("linkwork.state().playing")


def test_the_help_tells_what_a_page_computes_in(show: Show) -> None:
    shown = show(live_stages.live())
    shown.page.keyboard.press("?")
    assert shown.page.inner_text("#about") == "Computes in JavaScript."
    box, screen = shown.page.locator("#help-text").bounding_box(), shown.page.viewport_size
    assert box["y"] + box["height"] <= screen["height"] - 8
    last = shown.page.locator("#about").bounding_box()
    assert last["y"] + last["height"] <= box["y"] + box["height"] - 8, "all of it is seen, with room around"


def test_a_machine_that_goes_away_is_followed(show: Show) -> None:
    text = ROD.split("[frame.arm]")[0].replace("gravity = [0, 0, -9.81]", "gravity = [9.81, 0, 0]")
    shown = show(page_of(text + '[frame.ball]\nvaries = ["tx", "ty", "tz"]\nmass = 1\n'))
    assert shown.run("linkwork.state().camera") == "follow"


# ---- How fast it is -----------------------------------------------------------------------------------


SCRIPTED = """async (intervals) => {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let k = 0; k < 3; k++) await drawn(); // what opening the page has asked for is painted
  let now = 0, next = null;
  performance.now = () => now;
  window.requestAnimationFrame = (act) => { next = act; };
  linkwork.play();
  const frame = (seconds) => { now += 1000 * seconds; const act = next; next = null; act?.(now); };
  frame(0);
  const begun = linkwork.state().time, start = now;
  for (const seconds of intervals) frame(seconds);
  const real = (linkwork.state().time - begun) / ((now - start) / 1000);
  return [real, linkwork.state().pace, document.getElementById("clock").textContent];
}"""
"""Pictures at times of our own, on a computer that computes in no time."""


def test_the_pace_is_that_of_the_clock(show: Show) -> None:
    """Pictures that come fast and slowly by turns count by how long they last, not by how many they are."""
    shown = show(live_stages.live())
    real, told, text = shown.run(SCRIPTED, [0.02, 0.02, 0.02, 0.94] * 12)
    assert real == pytest.approx(0.36, abs=0.01)
    assert told == pytest.approx(real, abs=0.03)
    assert f"slow motion: this computer manages {told:.2g}×" in text


def test_the_pace_of_a_fast_computer_is_one(show: Show) -> None:
    shown = show(live_stages.live())
    real, told, text = shown.run(SCRIPTED, [1 / 60] * 120)
    assert (real, told) == (pytest.approx(1), pytest.approx(1))
    assert "slow" not in text
