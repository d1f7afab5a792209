"""Pages of forecasts: all that was foreseen stands there, in a browser without a complaint, wide and narrow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Shown, launched

import linkwork as lw
from linkwork.foresee import Forecast
from linkwork.view.chart import Curve, chart, ticks
from linkwork.view.forecast import simulated_repetitions
from linkwork.view.forecast_page import forecast_page
from linkwork.view.timeline import MOST_MOMENTS, Lane, timeline


@pytest.fixture(scope="module")
def chime() -> Forecast:
    return lw.predict(lw.load("chiming-clock"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from launched("--disable-gpu")


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Shown]]:
    opened: list[Shown] = []

    def open_page(page: str, **context: Any) -> Shown:
        opened.append(Shown(browser, page, tmp_path, "", **context))
        return opened[-1]

    yield open_page
    for shown in opened:
        assert shown.complaints == []
        shown.context.close()


@pytest.mark.parametrize("size", [(640, 360), (375, 667), (1200, 800)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_in_the_browser(
    chime: Forecast, show: Callable[..., Shown], size: tuple[int, int], scheme: str
) -> None:
    """Nothing is wider than the screen, the animation plays, and paper is dark where the reader's system is."""
    width, height = size
    shown = show(forecast_page(chime), viewport={"width": width, "height": height}, color_scheme=scheme)
    assert shown.run("document.documentElement.scrollWidth") <= width
    paper = shown.run("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(21, 25, 31)")
    shown.run("document.querySelector('iframe').scrollIntoView()")
    player = shown.page.frames[1]
    player.wait_for_selector("#picture")
    before = player.evaluate("linkwork.frame()")
    for _ in range(200):
        if player.evaluate("linkwork.frame()") != before:
            break
        shown.page.wait_for_timeout(50)
    assert player.evaluate("linkwork.frame()") != before
    assert shown.run("document.querySelectorAll('.chart').length") >= 6


def test_all_that_was_foreseen_is_there(chime: Forecast) -> None:
    page = forecast_page(chime)
    for sentence in chime.summary.split("; "):
        assert sentence in page
    assert page.count('class="lane pattern"') == len(chime.patterns)
    assert page.count('class="lane superimposed"') == len(chime.superimposed)
    restarts = [each for each in simulated_repetitions(chime) if each.deviation > 0]
    assert len(restarts) == chime.patterns[0].restarts
    assert page.count("<td>") == 4 * len(restarts)
    assert max(each.deviation for each in restarts) == chime.deviation
    for part in ("ewheel", "lever", "bwheel"):
        assert f"<figcaption>{part}<span>" in page, "a phase portrait"


def test_rejected_hypotheses_are_there() -> None:
    found = lw.predict(lw.load("missing-tooth"))
    page = forecast_page(found)
    assert found.rejected
    for each in found.rejected:
        assert f"{each.minima} minima, at t = " in page
        assert each.why in page


def test_a_machine_without_a_pattern_is_shown_as_a_whole() -> None:
    page = forecast_page(lw.predict(lw.load("ratchet-cw")))
    assert "What it does" in page
    assert "One repetition" not in page
    assert "How it changes" not in page
    assert "<iframe" in page


def test_names_do_no_harm(chime: Forecast) -> None:
    """Whatever a file calls its parts is shown, not run."""
    hostile = '<img src=x onerror="window.struck = 1">'
    html = timeline([Lane(hostile, ((0, 1, hostile),), ((0.5, hostile),))], 0, 1)
    html += chart(hostile, [Curve(hostile, [0, 1], [0, 1], has_dots=True)] * 2, hostile, hostile)
    assert "<img" not in html


def test_a_replay_is_what_a_simulation_tells() -> None:
    """From the start it is the same simulation; later it begins where ``at`` says."""
    clock = lw.predict(lw.load("escapement"), 200)
    whole = lw.simulate(lw.load("escapement"), until=20, step=0.1, contact="rigid")
    again = clock.replay(0, 20, 201)
    assert isinstance(again, lw.ContactSolution)
    assert again["bwheel.angle"] == pytest.approx(whole["bwheel.angle"], abs=1e-6)
    assert clock.replay(150, 151)["bwheel.angle"][0] == clock.at(150)["bwheel.angle"]


def test_numbers_on_axes() -> None:
    for low, high in ((0.0, 1.0), (-3e-9, 4e-9), (1e6, 1e6 + 7), (-5.0, -4.9)):
        found = ticks(low, high)
        assert 2 <= len(found) <= 9
        assert all(low - 1e-9 * abs(low) <= each <= high + 1e-9 * abs(high) for each in found)


def test_a_lane_with_many_moments_stays_small() -> None:
    lane = Lane("m", moments=tuple((float(k), "") for k in range(10 * MOST_MOMENTS)))
    assert timeline([lane], 0, 1e4).count("<b ") <= MOST_MOMENTS


def test_a_plot_has_all_meetings(chime: Forecast) -> None:
    """Of what is superimposed all times are shown, leapt over or not: one a period until the pattern ends."""
    (process,), (pattern,) = chime.superimposed, chime.patterns
    assert process.period is not None
    count = int((pattern.valid_until - process.first) / process.period) + 1
    drawn = chime.plot(format="svg").content.decode()
    (strokes,) = re.findall(r'<g id="LineCollection_\d+">(.*?)</g>', drawn, re.DOTALL)
    assert strokes.count("<path") == count > len(process.times)
