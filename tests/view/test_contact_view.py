"""Contacts in pictures, plots, films and pages: spots, arrows on both parts, bars over time."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from browser import Shown, launched
from PIL import Image

import linkwork as lw
from linkwork.contact import ContactSolution
from linkwork.errors import UsageError
from linkwork.view.contact_scene import bars_of, coordinate_columns, force_columns, pushes_of
from linkwork.view.film import stage_png
from linkwork.view.machine_scene import machine_scene
from linkwork.view.machine_stage import machine_stage
from linkwork.view.paint import paint
from linkwork.view.primitive import Circle
from linkwork.view.primitive import Path as Line
from linkwork.view.pushes import arrow_outline, arrow_vector, middle_force
from linkwork.view.scene import Body, Push, Scene
from linkwork.view.solution import solution_file


@cache
def ticking() -> ContactSolution:
    found = lw.simulate(lw.load("escapement"), 6, step=0.02, contact="rigid")
    assert isinstance(found, ContactSolution)
    return found


def test_each_contact_of_a_row_is_a_spot_and_two_opposite_arrows() -> None:
    solution = ticking()
    scene = machine_scene(solution.machine, solution)
    frame = next(k for k, pushes in enumerate(scene.pushes) if len(pushes) > 1)
    painted = paint(scene, frame)
    spots = [each for each in painted if isinstance(each, Circle) and each.ink == "contact"]
    assert [(each.center.real, each.center.imag) for each in spots] == [p.at for p in scene.pushes[frame]]
    arrows = [each for each in painted if isinstance(each, Line) and each.ink.startswith("push-")]
    assert len(arrows) == 2 * len(spots)
    for (one, other), push in zip(
        zip(arrows[::2], arrows[1::2], strict=True), scene.pushes[frame], strict=True
    ):
        tips = [each.rings[0][3] - complex(*push.at) for each in (one, other)]
        assert tips[0] == pytest.approx(-tips[1])
        assert tips[0] / abs(tips[0]) == pytest.approx(complex(*push.force) / abs(complex(*push.force)))


def test_pushes_are_those_of_the_rows() -> None:
    solution = ticking()
    (found,) = pushes_of(solution, [200])
    told = solution.contacts(200)
    assert [(list(p.bodies), list(p.at), list(p.force)) for p in found] == [
        (each["parts"], each["point"], each["force"]) for each in told
    ]


def test_longer_arrows_are_larger_forces_and_none_is_too_long() -> None:
    lengths = [math.hypot(*arrow_vector((size, 0.0), 2.0, 10.0)) for size in (0.0, 1e-3, 1.0, 2.0, 1e9)]
    assert lengths == sorted(lengths)
    assert lengths[3] == pytest.approx(5.0)
    assert lengths[0] == 0
    assert lengths[-1] <= 10.0
    assert middle_force([]) == 1.0


def test_an_arrow_ends_at_its_tip_however_short_it_is() -> None:
    for length in (1e-6, 0.01, 1.0):
        ring = arrow_outline(1 + 1j, length * 1j, 1.0)
        assert max(point.imag for point in ring) == pytest.approx(1 + length)
        assert min(point.imag for point in ring) == pytest.approx(1)


def test_pushes_of_other_frames_or_bodies_are_refused() -> None:
    body, poses = [Body("ground"), Body("a")], [[[0, 0, 0], [0, 0, 0]]]
    with pytest.raises(UsageError, match="do not belong to the frames"):
        Scene.of("s", body, poses, pushes=[[], []])
    with pytest.raises(lw.LinkworkError, match="no such body"):
        Scene.of("s", body, poses, pushes=[[Push(("a", "b"), (0, 0), (1, 0))]])


def test_bars_tell_spans_and_impacts() -> None:
    solution = ticking()
    for bars, pair in zip(bars_of(solution), solution.touched, strict=True):
        assert bars.name == " / ".join(pair.parts)
        assert bars.spans == tuple((span.begin, span.end) for span in pair.spans)
        assert len(bars.moments) == pair.impacts


def test_what_is_plotted_is_what_moves_and_what_pushes() -> None:
    assert coordinate_columns(ticking()) == ["ewheel.angle", "lever.angle", "bwheel.angle"]
    assert {*force_columns(ticking())} == {"lever.on.ground", "ewheel.on.lever", "lever.on.bwheel"}


@pytest.mark.parametrize("format", ["png", "svg"])
def test_plots_have_forces_and_a_timeline(format: str) -> None:
    picture = ticking().plot(format=format)
    assert picture.content == solution_file(ticking(), f".{format}")
    if format == "svg":
        assert "ewheel / lever" in re.sub(r"<!-- (.*?) -->", r"\1", picture.content.decode())


def test_a_notebook_shows_a_player() -> None:
    shown = ticking()._repr_html_()
    assert "complete" in shown
    assert "<iframe" in shown


def test_films_show_contacts() -> None:
    """The red of the spots is in the frames, but not in the first, in which nothing touches."""
    film = Image.open(BytesIO(bytes(solution_file(ticking(), ".gif"))))  # type: ignore[arg-type]
    red = []
    for frame in range(0, getattr(film, "n_frames", 1), 10):
        film.seek(frame)
        colours = np.asarray(film.convert("RGB")).reshape(-1, 3).astype(int)
        red.append(bool(np.any((colours[:, 0] > 130) & (colours[:, 1:] < 80).all(axis=1))))
    assert not ticking().contacts(0)
    assert not red[0]
    assert sum(red) > 5


def test_the_page_is_small_and_shows_contacts(tmp_path: Path) -> None:
    """Spots and arrows are painted, the key c hides them; nothing is fetched, nothing complained of."""
    content = str(solution_file(ticking(), ".html"))
    assert len(content) < 1_000_000
    data = json.loads(re.findall(r'id="scene">(.*?)</script>', content, re.DOTALL)[0])
    assert [each["name"] for each in data["bars"]] == [" / ".join(pair.parts) for pair in ticking().touched]
    for browser in launched("--disable-gpu"):
        shown = Shown(browser, content, tmp_path, "#frame=200", viewport={"width": 900, "height": 600})
        assert _red(shown) > 20
        shown.page.keyboard.press("c")
        assert _red(shown) == 0
        assert shown.complaints == []
        shown.context.close()


def _red(shown: Shown) -> int:
    """Pixels of the picture in the colour of spots."""
    image = Image.open(BytesIO(shown.page.locator("#picture").screenshot()))
    colours = np.asarray(image.convert("RGB")).reshape(-1, 3).astype(int)
    return int(np.sum((colours[:, 0] > 170) & (colours[:, 1] < 60) & (colours[:, 2] < 80)))


def test_a_stage_has_a_ball_and_two_arrows_for_each_contact() -> None:
    """In each row balls are where parts touch and arrows go both ways; what is not needed is too small to be seen."""
    solution = ticking()
    stage = machine_stage(solution.machine, solution)
    first = stage.placements.index("contact 1")
    size = float(np.linalg.norm(stage.extent[1] - stage.extent[0]))
    slots = (len(stage.placements) - first) // 3
    assert slots == max(len(solution.contacts(row)) for row in range(len(solution)))
    for row in range(0, len(solution), 25):
        matrices = stage.matrices(row)[first:]
        told = solution.contacts(row)
        for slot in range(slots):
            ball, forth, back = matrices[3 * slot : 3 * slot + 3]
            if slot >= len(told):
                assert np.abs(matrices[3 * slot : 3 * slot + 3, :, :3]).max() < 1e-5 * size
                continue
            assert ball[:2, 3] == pytest.approx(told[slot]["point"])
            assert forth[:, 2] == pytest.approx(-back[:, 2])
            force = np.array(told[slot]["force"])
            assert forth[:2, 2] / np.linalg.norm(forth[:2, 2]) == pytest.approx(force / np.linalg.norm(force))
    assert stage_png(stage, 100)[1:4] == b"PNG"
