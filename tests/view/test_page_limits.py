"""Values with which a machine in a page does not get on, and machines that are too slow to be watched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import launched
from stage_shows import SOFTWARE, Show, needs_bundle, shows

import linkwork as lw
from linkwork.emit.webassembly import find_module_compiler
from linkwork.model.read import machine_from_text
from linkwork.view.live_page import JAVASCRIPT, WASM

pytestmark = needs_bundle
needs_compiler = pytest.mark.skipif(
    find_module_compiler() is None,
    reason="no compiler for WebAssembly on this machine (clang with lld, ziglang)",
)
PROGRAMS = [JAVASCRIPT, pytest.param(WASM, marks=needs_compiler)]
NOT_FINITE = "the state or its rates are not finite where the step begins"
TOO_SLOW = "too slow here: the number of steps reached its limit"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from launched(*SOFTWARE)


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Show]:
    yield from shows(browser, tmp_path)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("name", "parameter", "value", "words"),
    [
        ("snowman", "radius", 0, f"radius = 0 is impossible: {TOO_SLOW}. It stays 0.5."),
        ("acrobat", "arms", 0, f"arms = 0 is impossible: {NOT_FINITE}. It stays 1.4."),
        ("sarrus", "flap", 0, f"flap = 0 is impossible: {NOT_FINITE}. It stays 0.2."),
        ("bicycle", "wheel_base", 0, f"wheel_base = 0 is impossible: {NOT_FINITE}. It stays 1.02."),
        ("bicycle", "rear_radius", 1e9, f"rear_radius = 1.00e+9 is impossible: {TOO_SLOW}. It stays 0.3."),
    ],
)
def test_a_value_with_which_a_machine_does_not_get_on_is_refused(
    name: str, parameter: str, value: float, words: str, program: str, show: Show
) -> None:
    (page,) = lw.live_page(lw.load(name), program).files.values()
    shown = show(page)
    before = shown.run("linkwork.advance(0.1)")
    state = shown.run("([name, value]) => linkwork.set(name, value)", [parameter, value])
    assert state == {**before, "notice": words}
    assert shown.run("linkwork.advance(0.1)")["time"] == pytest.approx(0.2)


def test_sliders_refuse_what_programs_are_refused(show: Show) -> None:
    (page,) = lw.live_page(lw.load("snowman"), JAVASCRIPT).files.values()
    shown = show(page, viewport={"width": 1000, "height": 700})
    shown.run(
        "() => { const slider = document.getElementById('p-radius');"
        " slider.value = 0; slider.dispatchEvent(new Event('input')); }"
    )
    assert shown.run("linkwork.state().notice") == f"radius = 0 is impossible: {TOO_SLOW}. It stays 0.5."
    assert shown.run("[linkwork.state().parameters.radius, document.getElementById('p-radius').value]") == [
        0.5,
        "0.5",
    ]


SHAKEN = """
linkwork = 1
dimension = 3
[parameter]
ever_faster = 0
[frame.cart]
varies = ["tx"]
mass = 1
[force.shaking]
type = "force"
at = "cart"
force = ["1e6*sin(ever_faster*t^2)", 0, 0]
"""
"""The cart starts at rest, and is shaken faster and faster."""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_machine_that_becomes_too_slow_stops_with_words(program: str, show: Show) -> None:
    (page,) = lw.live_page(machine_from_text(SHAKEN, "m.toml", "m"), program).files.values()
    shown = show(page)
    assert shown.run("linkwork.set('ever_faster', 1e7).notice") == ""
    state = shown.run("linkwork.advance(3)")
    assert state["notice"] == f"{TOO_SLOW.capitalize()}. Change a parameter or press reset."
    assert 0 < state["time"] < 3
    shown.run("linkwork.play()")
    shown.until("!linkwork.state().playing")
    assert shown.run("linkwork.set('ever_faster', 1).notice") == ""
    assert shown.run("linkwork.advance(1)")["time"] == pytest.approx(1)


STEERED = (
    SHAKEN.replace("[frame.cart]", "[control.push]\n[control.lamp]\n[control.brake]\n[frame.cart]").replace(
        "1e6*", "brake*"
    )
    + """
[view.object.lamp]
shape = "sphere"
on = "cart"
at = [0, 0, "lamp"]
radius = 0.1
"""
)
"""One control moves the cart, one is only seen, one does nothing."""


def test_a_page_that_becomes_large_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    (page,) = lw.live_page(lw.load("pendulum"), JAVASCRIPT).files.values()
    monkeypatch.setattr("linkwork.view.live_page.LARGEST", len(page) - 1)
    notes = lw.live_page(lw.load("pendulum"), JAVASCRIPT).notes
    assert notes[1] == f"the page has {len(page) / 1e6:.1f} MB: fewer or simpler objects make it smaller"


def test_controls_that_no_formula_uses_are_named() -> None:
    page = lw.live_page(machine_from_text(STEERED, "m.toml", "m"), JAVASCRIPT)
    computed = "the page computes in javascript"
    assert page.notes == (computed, "no formula uses the control push: steering changes nothing")
    assert lw.live_page(lw.load("pendulum"), JAVASCRIPT).notes == (computed,)
