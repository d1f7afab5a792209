"""Pages of stages, run in a browser: they show, they compute, they are steered, and they ask nobody for anything."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import live_stages
import numpy as np
import pytest
from browser import Shown, launched
from stage_shows import SOFTWARE, Show, differ, needs_bundle, pixels, shows

from linkwork.errors import ToolMissing
from linkwork.view import stage_page as module
from linkwork.view.packing import packed_stage
from linkwork.view.stage_page import stage_page

NODE = shutil.which("node")
SLOW_CLOCK = """
const begun = Date.now();
let skipped = 0;
window.slowness = 0;
performance.now = () => Date.now() - begun + (skipped += window.slowness);
"""
"""A clock that jumps whenever it is asked, as if computing took long."""

BLIND = """
const getContext = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...more);
};
"""
"""A browser without WebGL."""


def test_without_a_bundle_the_way_to_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BUNDLE", "bundle/nowhere.js")
    with pytest.raises(ToolMissing) as caught:
        stage_page(live_stages.stage())
    assert caught.value.fix == "make bundle"


@needs_bundle
def test_pages_are_small_and_the_same_every_time() -> None:
    page = stage_page(live_stages.live(), live_stages.program())
    assert page == stage_page(live_stages.live(), live_stages.program())
    assert len(page) < 1_000_000
    assert "default-src 'none'" in page
    assert "alert(1)</script>" not in page
    assert "three.js authors" in page, "its licence can be read"


def test_arrays_are_packed_without_loss() -> None:
    """What a page does to unpack them gives the numbers back: meshes as they stand, motions column by column."""
    data = live_stages.replay()
    places = np.random.default_rng(3).uniform(-2, 2, (7, 12)).astype("<f4").tolist()
    data["objects"].append(live_stages.block(0, (1, 1, 1), "#c9593c", matrix=None, instances=places))
    short, text = packed_stage(data)
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8).reshape(4, -1)
    words = np.ascontiguousarray(planes.T).view("<u4").reshape(-1)

    def taken(place: list[int]) -> np.ndarray[Any, Any]:
        return words[place[0] : sum(place)]

    for mesh, given in zip(short["meshes"], data["meshes"], strict=True):
        for name in ("positions", "normals"):
            assert taken(mesh[name]).tobytes() == base64.b64decode(given[name])
        corners = np.cumsum(taken(mesh["triangles"]), dtype=np.uint32)
        assert corners.tolist() == np.frombuffer(base64.b64decode(given["triangles"]), "<u2").tolist()
    for name in ("placements", "columns"):
        series = np.cumsum(taken(short["motion"][name]), dtype=np.uint32)
        rows = series.reshape(-1, len(data["motion"]["times"])).T
        assert np.ascontiguousarray(rows).tobytes() == base64.b64decode(data["motion"][name])
    series = np.cumsum(taken(short["objects"][-1]["instances"]), dtype=np.uint32).view("<f4")
    assert series.reshape(12, -1).T.tolist() == places
    assert short["objects"][0]["instances"] is None


def centre_of_mass(cart: float, bob: float) -> float:
    """How far it has come: with thrust 4 and mass 3 by 4/3*t²/2, from that of the bob at 100 degrees."""
    return float((2 * cart + bob + 1.5 * np.sin(np.radians(100))) / 3)


def test_the_program_of_a_page_is_a_plain_script(tmp_path: Path) -> None:
    """It exports and imports nothing, asks for no Node, and moves what is shown as it moves what is observed."""
    text = live_stages.program()
    assert not re.search(r"^\s*(export|import) |process\.", text, re.MULTILINE)
    if NODE is None:
        pytest.skip("there is no node on this machine")
    tail = """
const machine = program.initialise({ controls: { throttle: 1 }, rtol: 1e-6 });
for (let k = 0; k < 30; k++) program.step(machine, 1 / 30);
const seen = program.show(machine);
console.log(JSON.stringify([program.observe(machine)["cart.tx"] ?? machine.state[0], seen[3], seen[27], seen.length]));
"""
    (tmp_path / "program.cjs").write_text(text + tail, encoding="utf-8")
    done = subprocess.run([NODE, str(tmp_path / "program.cjs")], capture_output=True, text=True, check=True)
    where, cart, bob, count = json.loads(done.stdout)
    assert cart == pytest.approx(where, abs=1e-12)
    assert centre_of_mass(cart, bob) == pytest.approx(4 / 3 / 2, abs=1e-4)
    assert count == 12 * len(live_stages.FRAMES)


# ---- In the browser -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from launched(*SOFTWARE)


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Show]:
    yield from shows(browser, tmp_path)


@needs_bundle
def test_arrays_are_unpacked_as_they_were(show: Show) -> None:
    """Whatever the widths of triangles, and however large the mesh."""
    data = live_stages.replay()
    mesh = data["meshes"][0]
    corners = np.frombuffer(base64.b64decode(mesh["triangles"]), "<u2")
    data["meshes"].append({**mesh, "triangles": live_stages.encoded(corners, "<u4"), "wide": True})
    data["objects"][1]["mesh"] = 1
    wide = show(data)
    assert differ(pixels(wide), pixels(show(live_stages.replay()))) == 0


@needs_bundle
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_camera_shows_something_else(scheme: str, show: Show) -> None:
    """Each picture has the colours of the machine, and no two cameras give the same."""
    shown = show(live_stages.live(), color_scheme=scheme)
    names = shown.run("linkwork.cameras()")
    assert names == ["side", "above", "rider", "follow", "free"]
    pictures = []
    for name in names[:3] + names[4:]:  # at the start the one that follows is where the free one is
        shown.run("name => linkwork.camera(name)", name)
        assert shown.run("linkwork.state().camera") == name
        pictures.append(pixels(shown))
    for place, picture in enumerate(pictures):
        red, green, blue = (picture[:, :, k] for k in range(3))
        assert np.mean(blue > red + 40) > 0.002, f"no blue cart in {names[place]}"
        assert np.mean(green > blue + 15) > 0.02, f"no green floor in {names[place]}"
        assert all(differ(picture, other) > 0.02 for other in pictures[:place])


@needs_bundle
def test_advancing_is_exact_and_repeatable(show: Show) -> None:
    """The same seconds give the same state to the last bit, and another picture."""
    shown = show(live_stages.live())
    before = pixels(shown)
    first = shown.run("linkwork.advance(1.25)")
    assert first["time"] == pytest.approx(1.25, abs=1e-12)
    assert differ(pixels(shown), before) > 0.002
    shown.run("linkwork.reset()")
    assert shown.run("linkwork.state().time") == 0
    assert shown.run("linkwork.advance(1.25)") == first


@needs_bundle
def test_energy_is_kept_without_thrust_and_grows_with_it(show: Show) -> None:
    shown = show(live_stages.live())
    start = shown.run("linkwork.state().columns.energy")
    assert shown.run("linkwork.advance(10).columns.energy") == pytest.approx(start, abs=2e-4)
    shown.run("linkwork.control('throttle', 1)")
    assert shown.run("linkwork.advance(1).columns.energy") > start + 1


@needs_bundle
def test_keys_steer_as_the_physics_says(show: Show) -> None:
    """The machine's momentum along its rail is the thrust times the time; arrows choose its sign."""
    shown = show(live_stages.live(plots=[]))
    page = shown.page
    for key, sign in (("ArrowRight", 1), ("ArrowLeft", -1)):
        shown.run("linkwork.reset()")
        page.keyboard.down(key)
        assert shown.run("linkwork.state().controls.throttle") == sign
        moved = shown.run("linkwork.advance(0.5)")["placements"]
        page.keyboard.up(key)
        assert shown.run("linkwork.state().controls.throttle") == 0
        assert centre_of_mass(moved[3], moved[27]) == pytest.approx(sign * 4 / 3 * 0.125, abs=1e-4)


@needs_bundle
def test_a_pad_under_the_finger_steers_and_springs_back(show: Show) -> None:
    shown = show(live_stages.live())
    box = shown.page.locator(".rail").first.bounding_box()
    assert box
    mouse = shown.page.mouse
    mouse.move(box["x"] + 0.95 * box["width"], box["y"] + box["height"] / 2)
    mouse.down()
    assert shown.run("linkwork.state().controls.throttle") == 1
    mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2)
    assert -1 < shown.run("linkwork.state().controls.throttle") < 0
    mouse.up()
    assert shown.run("linkwork.state().controls.throttle") == 0


@needs_bundle
def test_a_gamepad_steers(show: Show) -> None:
    shown = show(live_stages.live())
    for axis, wanted in ((0.75, 0.75), (0.05, 0)):
        shown.run("axis => { navigator.getGamepads = () => [{ axes: [axis, 0, 0, 0] }]; }", axis)
        shown.run("linkwork.advance(0)")
        assert shown.run("linkwork.state().controls.throttle") == wanted


@needs_bundle
@pytest.mark.parametrize(
    ("keys", "is_upright", "sign"),
    [
        (("ArrowLeft", "ArrowRight"), False, 1),
        (("ArrowRight", "ArrowLeft"), False, -1),
        (("ArrowDown", "ArrowUp"), True, 1),
        (("ArrowUp", "ArrowDown"), True, -1),
        (("A", "D"), False, 1),
        (("d", "a"), False, -1),
        (("s", "w"), True, 1),
        (("w", "s"), True, -1),
        (("d", "f"), False, 1),
    ],
)
def test_pads_and_sticks_go_the_way_that_the_keys_point(
    keys: tuple[str, str], is_upright: bool, sign: int, show: Show
) -> None:
    """Whatever is to the right on the keyboard is so on the pad and on the stick, though it be the least."""
    shown = show(live_stages.live(keys=keys))
    box = shown.page.locator(".rail").first.bounding_box()
    assert box
    along, across = (0.5, 0.05) if is_upright else (0.95, 0.5)
    mouse = shown.page.mouse
    mouse.move(box["x"] + along * box["width"], box["y"] + across * box["height"])
    mouse.down()
    assert shown.run("linkwork.state().controls.throttle") == sign
    knob = "document.querySelector('.knob').style.getPropertyValue('--share')"
    assert shown.run(knob) == "1", "the knob goes where the finger is"
    mouse.up()
    axes = [0, -1, 0, 0] if is_upright else [1, 0, 0, 0]  # up is negative on a stick
    shown.run("axes => { navigator.getGamepads = () => [{ axes }]; }", axes)
    shown.run("linkwork.advance(0)")
    assert shown.run("linkwork.state().controls.throttle") == sign


@needs_bundle
def test_play_pause_step_reset_and_speed(show: Show) -> None:
    shown = show(live_stages.live())
    page = shown.page
    assert shown.run("linkwork.state().playing") is False
    page.click("#forth")
    page.keyboard.press(".")
    assert shown.run("linkwork.state().time") == pytest.approx(2 / 60)
    page.select_option("#speed", "0.5")
    assert shown.run("linkwork.state().speed") == 0.5
    page.keyboard.press(" ")
    assert shown.run("linkwork.state().playing") is True
    shown.until("linkwork.state().time > 0.2")
    page.click("#play")
    assert shown.run("linkwork.state().playing") is False
    page.keyboard.press("r")
    assert shown.run("linkwork.state().time") == 0


@needs_bundle
def test_keys_of_controls_are_no_shortcuts(show: Show) -> None:
    """A key that steers does nothing else, and the help names it as what it is."""
    data = live_stages.live()
    data["live"]["controls"][1]["keys"] = ["r", "t"]
    shown = show(data)
    shown.run("linkwork.advance(0.5)")
    shown.page.keyboard.down("r")
    state = shown.run("linkwork.state()")
    assert (state["time"], state["controls"]["brake"]) == (pytest.approx(0.5), -1)
    shown.page.keyboard.up("r")
    shown.page.keyboard.press("?")
    text = shown.page.inner_text("#help-text")
    assert "brake" in text
    assert "from the start" not in text


@needs_bundle
def test_a_parameter_starts_again_and_an_impossible_one_leaves_all_as_it_was(show: Show) -> None:
    shown = show(live_stages.live())
    still = shown.run("linkwork.advance(0.4)")["placements"]
    state = shown.run("linkwork.set('g', 1.62)")
    assert (state["time"], state["parameters"]["g"], state["notice"]) == (0, 1.62, "")
    assert shown.run("linkwork.advance(0.4)")["placements"] != still
    state = shown.run("linkwork.set('anchor', -1)")
    assert (state["time"], state["parameters"]["anchor"]) == (pytest.approx(0.4), 1)
    assert state["notice"] == "anchor = −1 is impossible: no position satisfies the constraints. It stays 1."
    assert shown.run("linkwork.advance(0.1)")["time"] == pytest.approx(0.5)


@needs_bundle
def test_sliders_and_fields_set_parameters(show: Show) -> None:
    shown = show(live_stages.live(), viewport={"width": 1000, "height": 700})
    shown.page.fill("#rows .row:nth-child(2) input[type=number]", "2")
    shown.page.keyboard.press("Enter")
    assert shown.run("linkwork.state().parameters.reach") == 2
    shown.page.evaluate(
        "() => { const s = document.getElementById('p-g'); s.value = 5; s.dispatchEvent(new Event('input')); }"
    )
    assert shown.run("linkwork.state().parameters.g") == 5
    assert shown.run("linkwork.state().parameters.reach") == 2


@needs_bundle
def test_a_slow_computer_goes_on_in_slow_motion(show: Show) -> None:
    """Where a slice of time costs more than it lasts, the machine falls behind, says so, and never freezes."""
    shown = show(live_stages.live(), before=SLOW_CLOCK)
    shown.run("() => { window.slowness = 15; linkwork.play(); }")
    shown.until("linkwork.state().pace < 0.8")
    shown.until("document.getElementById('clock').textContent.includes('slow motion')")
    steps = shown.run(
        """() => new Promise((resolve) => {
          const times = [];
          const look = () => {
            times.push(linkwork.state().time);
            if (times.length < 12) requestAnimationFrame(look); else resolve(times);
          };
          look();
        })"""
    )
    assert max(np.diff(steps)) < 0.2, "never more than a budget's worth at once"
    assert steps[-1] > steps[0]


@needs_bundle
def test_a_replay_stands_where_its_rows_say(show: Show) -> None:
    """Between rows it is between them, and turning does not shrink."""
    shown = show(live_stages.replay())
    shown.run("linkwork.seek(1.5)")
    state = shown.run("linkwork.state()")
    matrices = np.reshape(state["placements"], (3, 3, 4))
    assert matrices[0, 0, 3] == pytest.approx(2.25)
    assert np.linalg.norm(matrices[1, :, :3], axis=0) == pytest.approx([1, 1, 1])
    assert state["columns"]["cart.tx"] == pytest.approx(2.25)
    shown.page.keyboard.press(".")
    assert shown.run("linkwork.state().time") == 2
    shown.page.fill("#slider", "250")
    assert shown.run("linkwork.state().time") == 0.5
    shown.run("linkwork.play()")
    shown.until("linkwork.state().time > 0.6")


@needs_bundle
@pytest.mark.parametrize("dimension", [2, 3])
def test_wheel_and_drag_move_the_view_and_fit_restores_it(dimension: int, show: Show) -> None:
    """Whoever drags takes the camera over."""
    shown = show(live_stages.replay(dimension=dimension, up=[0, 0, 1] if dimension == 3 else [0, 1, 0]))
    shown.page.click("#fit")
    pictures = [pixels(shown)]
    mouse = shown.page.mouse
    if dimension == 3:
        shown.run("linkwork.camera('rider')")
    mouse.move(320, 150)
    mouse.wheel(0, -240)
    pictures.append(pixels(shown))
    mouse.down()
    mouse.move(370, 180)
    mouse.up()
    pictures.append(pixels(shown))
    assert shown.run("linkwork.state().camera") == "free"
    assert differ(pictures[0], pictures[1]) > 0.01
    assert differ(pictures[1], pictures[2]) > 0.01
    if dimension == 2:
        shown.page.click("#fit")
        assert differ(pixels(shown), pictures[0]) == 0


def redness(shown: Shown) -> float:
    """The share of pixels that are red, as the cart is."""
    picture = pixels(shown)
    return float(np.mean(picture[:, :, 0] > picture[:, :, 2] + 60))


@needs_bundle
def test_one_camera_goes_along_with_the_machine(show: Show) -> None:
    """Far away from the start the cart is in view where the camera follows, and out of view where it does not."""
    shown = show(live_stages.live(traces=[]))
    seen = []
    for name in ("follow", "free"):
        shown.run("linkwork.reset()")
        shown.run("name => linkwork.camera(name)", name)
        shown.run("() => { linkwork.control('throttle', 1); linkwork.advance(6); }")
        assert shown.run("linkwork.state().placements[3]") > 15
        seen.append(redness(shown))
    assert seen[0] > 10 * seen[1]


@needs_bundle
def test_a_free_camera_looks_where_the_machine_is(show: Show) -> None:
    """Whoever chooses it, or asks for all, sees the cart, wherever it has gone, and at the start again."""
    shown = show(live_stages.live(traces=[]))
    shown.run("linkwork.camera('free')")
    at_first = redness(shown)
    shown.run("() => { linkwork.control('throttle', 1); linkwork.advance(6); }")
    assert redness(shown) < at_first / 10
    shown.page.keyboard.press("f")
    assert redness(shown) > at_first / 2
    shown.run("linkwork.advance(3)")
    assert redness(shown) < at_first / 10
    shown.run("() => { linkwork.camera('follow'); linkwork.camera('free'); }")
    assert redness(shown) > at_first / 2
    shown.run("linkwork.reset()")
    assert redness(shown) > at_first / 2


@needs_bundle
def test_a_camera_that_goes_along_is_left_where_it_is(show: Show) -> None:
    """Freed after it was turned, it shows the same; the wheel turns about what is followed."""
    shown = show(live_stages.live(traces=[]))
    shown.run("() => { linkwork.control('throttle', 1); linkwork.advance(6); linkwork.camera('follow'); }")
    shown.page.mouse.move(320, 150)
    shown.page.mouse.wheel(0, -120)
    before = pixels(shown)
    assert shown.run("linkwork.state().camera") == "follow"
    shown.run("linkwork.camera('free')")
    assert differ(pixels(shown), before) < 0.001


@needs_bundle
def test_the_trace_of_a_replay_is_its_path_wherever_one_jumps(show: Show) -> None:
    """Rows that were leapt over belong to it: a jump draws what playing draws, and back again less."""
    replay = live_stages.replay()
    jumped, stepped = show(replay), show(replay)
    jumped.run("linkwork.seek(1.6)")
    for _ in range(64):
        stepped.run("linkwork.seek(linkwork.state().time + 0.025)")
    assert jumped.run("linkwork.state().time") == pytest.approx(stepped.run("linkwork.state().time"))
    assert differ(pixels(jumped), pixels(stepped)) < 0.002
    for shown in (jumped, stepped):
        shown.run("linkwork.seek(1)")
    assert differ(pixels(jumped), pixels(stepped)) == 0


@needs_bundle
def test_traces_are_drawn_and_hidden(show: Show) -> None:
    shown = show(live_stages.live())
    shown.run("linkwork.advance(2)")
    with_traces = pixels(shown)
    shown.page.keyboard.press("t")
    assert differ(pixels(shown), with_traces) > 0.001


@needs_bundle
def test_light_and_dark_by_a_button(show: Show) -> None:
    shown = show(live_stages.live(), color_scheme="light")
    light = pixels(shown).mean()
    shown.page.click("#theme")
    assert pixels(shown).mean() < 0.7 * light
    shown.page.click("#theme")
    assert pixels(shown).mean() == light


@needs_bundle
def test_titles_are_text(show: Show) -> None:
    """Markup in the title reaches the page as text; so do the names of columns."""
    data = live_stages.replay(columns=[{"name": live_stages.TITLE, "unit": "m"}, {"name": "x", "unit": "m"}])
    shown = show(data, viewport={"width": 1000, "height": 600})
    assert shown.page.inner_text("h1") == live_stages.TITLE
    assert live_stages.TITLE in shown.page.inner_text("#chips")


@needs_bundle
@pytest.mark.parametrize("is_open", [False, True])
def test_pages_fit_on_a_phone(is_open: bool, show: Show) -> None:
    """Nothing sticks out to the side, all buttons are in view, and the picture has all pixels of the screen."""
    shown = show(
        live_stages.live(), viewport={"width": 360, "height": 640}, device_scale_factor=2, has_touch=True
    )
    if is_open:
        shown.page.click("#panel")
    assert shown.run("document.documentElement.scrollWidth") <= 360
    for name in ("#controls", "header", ".pad >> nth=1", *(["#panel-box"] if is_open else [])):
        box = shown.page.locator(name).bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 640
    assert shown.run("document.getElementById('picture').width") == 720


APART = """
() => {
  const boxes = (name) => [...document.querySelectorAll(name)].map((each) => [name, each.getBoundingClientRect()]);
  const seen = ["header", "#controls", "#panel-box", ".rail"].flatMap(boxes), found = [];
  const isOut = ({ left, top, right, bottom }) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
  const isBeside = (a, b) => a.right <= b.left || a.bottom <= b.top;
  seen.forEach(([name, box], k) => {
    if (isOut(box)) found.push(`${name} leaves the screen`);
    for (const [other, there] of seen.slice(k + 1))
      if (!isBeside(box, there) && !isBeside(there, box)) found.push(`${name} lies on ${other}`);
  });
  return found;
}
"""


@needs_bundle
@pytest.mark.parametrize("has_touch", [False, True])
@pytest.mark.parametrize("size", [(640, 360), (360, 640), (1280, 720), (480, 320), (320, 480), (800, 1000)])
def test_with_its_panel_open_all_of_a_page_is_within_reach(
    size: tuple[int, int], has_touch: bool, show: Show
) -> None:
    """Title, pads, panel and bar are on the screen and apart; the panel shows its last row and its plots."""
    width, height = size
    shown = show(
        live_stages.live(title="A cart with a title of some length, which may need two lines"),
        viewport={"width": width, "height": height},
        has_touch=has_touch,
        is_mobile=has_touch,
    )
    if not shown.page.locator("#panel-box").is_visible():
        shown.page.keyboard.press("p")
    assert shown.run(APART) == []
    box = shown.page.locator("#panel-box").bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 110
    for last in ("#rows input >> nth=-1", "#plot"):
        shown.page.locator(last).scroll_into_view_if_needed()
        assert shown.page.locator(last).is_visible()
        inner = shown.page.locator(last).bounding_box()
        assert inner
        assert inner["y"] < box["y"] + box["height"]
    shown.page.locator(".rail").first.click(position={"x": 20, "y": 4})
    assert shown.run(APART) == []


@needs_bundle
def test_a_sandboxed_frame_is_enough(browser: Any, tmp_path: Path) -> None:
    """With scripts alone allowed, and no origin of its own, the page works."""
    (tmp_path / "inner.html").write_text(stage_page(live_stages.live(), live_stages.program()))
    outer = '<iframe sandbox="allow-scripts" src="inner.html#paused" width="600" height="340"></iframe>'
    shown = Shown(browser, outer, tmp_path, "")
    frame = shown.page.frames[1]
    assert frame.evaluate("linkwork.ready") is True
    assert frame.evaluate("linkwork.advance(0.5).time") == pytest.approx(0.5)
    shown.context.close()
    assert shown.complaints == []


@needs_bundle
def test_without_webgl_the_machine_still_runs(show: Show) -> None:
    shown = show(live_stages.live(), before=BLIND, viewport={"width": 1000, "height": 600})
    assert "no WebGL" in shown.page.inner_text("#notice")
    before = shown.run("document.getElementById('plot').toDataURL()")
    assert shown.run("linkwork.advance(1).time") == pytest.approx(1)
    assert shown.run("document.getElementById('plot').toDataURL()") != before


@pytest.mark.slow
@needs_bundle
def test_a_hundred_thousand_objects_open(show: Show) -> None:
    """Whether they are one object in many places or as many objects."""
    rng = np.random.default_rng(5)
    places = np.tile([0.02, 0, 0, 0, 0, 0.02, 0, 0, 0, 0, 0.02, 0], (100_000, 1))
    places[:, [3, 7, 11]] = rng.uniform((-4, -2, -2), (4, 2, 2), (100_000, 3))
    many = live_stages.block(
        0, (1, 1, 1), "#c9593c", matrix=None, instances=places[:50_000].round(4).tolist()
    )
    apart = [
        live_stages.block(0, (1, 1, 1), "#3a7cb8", matrix=place)
        for place in places[50_000:].round(4).tolist()
    ]
    shown = show(live_stages.stage(objects=[many, *apart], traces=[]))
    assert len(stage_page(live_stages.stage(objects=[many], traces=[]))) < 1_400_000, (
        "five digits each, no more"
    )
    picture = pixels(shown)
    assert np.mean(picture[:, :, 0] > picture[:, :, 2] + 30) > 0.05
    assert np.mean(picture[:, :, 2] > picture[:, :, 0] + 30) > 0.05


@needs_bundle
def test_readers_who_want_no_motion_get_none(show: Show) -> None:
    for wish, playing in (("reduce", False), ("no-preference", True)):
        shown = show(live_stages.live(), "", reduced_motion=wish)
        assert shown.run("linkwork.state().playing") is playing


@needs_bundle
def test_a_film_without_a_picture_is_told_and_not_saved(show: Show) -> None:
    """A recorder that had nothing to record, as on a computer that is too slow for it."""
    silent = """
    window.MediaRecorder = class extends EventTarget {
      static isTypeSupported() { return true; }
      start() {}
      stop() { this.dispatchEvent(new Event("stop")); }
    };
    """
    shown = show(live_stages.replay(), before=silent)
    downloads: list[Any] = []
    shown.page.on("download", lambda download: downloads.append(download))
    shown.page.click("#record")
    shown.page.click("#record")
    assert "there is no film" in shown.run("linkwork.state().notice")
    assert "Record" in shown.page.get_attribute("#record", "title")
    assert not downloads


@needs_bundle
def test_films_are_recorded(show: Show) -> None:
    """A film begins and ends by a button and is saved under the machine's name."""
    shown = show(live_stages.replay(title="A cart"))
    if not shown.page.locator("#record").is_visible():
        pytest.skip("this browser records nothing")
    shown.run("linkwork.play()")
    shown.page.click("#record")
    shown.run(
        """() => new Promise((resolve) => {
          let left = 30;
          const look = () => (left-- ? requestAnimationFrame(look) : resolve());
          look();
        })"""
    )
    shown.page.wait_for_timeout(700)
    with shown.page.expect_download() as download:
        shown.page.click("#record")
    assert download.value.suggested_filename.startswith("A-cart.")
    assert Path(download.value.path()).stat().st_size > 1000
