"""Live pages whose program is a module of WebAssembly: it computes what the script computes, or the script does.

The module is one that was once compiled; where there is a compiler, one that is compiled now must do the same.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import live_stages
import numpy as np
import pytest
from browser import Shown, launched
from stage_shows import SOFTWARE, needs_bundle

from linkwork.dynamics.javascript_program import javascript_for_page
from linkwork.dynamics.standalone import Standalone
from linkwork.dynamics.webassembly_program import webassembly_source
from linkwork.emit import Program
from linkwork.emit.webassembly import build_module, find_module_compiler
from linkwork.model import load
from linkwork.simulation.simulator import Simulator
from linkwork.view.live_page import JAVASCRIPT, WASM, live_page
from linkwork.view.machine_stage import live_stage
from linkwork.view.stage_page import stage_page

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
needs_compiler = pytest.mark.skipif(
    find_module_compiler() is None,
    reason="no compiler for WebAssembly on this machine (clang with lld, ziglang)",
)
EXAMPLES = ("pendulum", "acrobat", "snowman", "bicycle", "roller-coaster")
BOTH = """
const bytes = require("fs").readFileSync(process.argv[2]);
program.compiled(bytes).then((module) => console.log(JSON.stringify(act(module, program))));
"""
SECOND = """
(...programs) => programs.map(({ initialise, step, observe, show }) => {
  const machine = initialise({ rtol: 1e-6 });
  for (let k = 0; k < 30; k++) step(machine, 1 / 30);
  return [...machine.state, ...machine.values, machine.until, ...Object.values(observe(machine)), ...show(machine)];
})
"""
"""All numbers after a second."""


@cache
def compiled_module() -> bytes:
    return build_module(webassembly_source(*live_stages.programs()))


@pytest.fixture(params=["recorded", pytest.param("compiled", marks=needs_compiler)])
def module(request: pytest.FixtureRequest) -> bytes:
    """The cart in WebAssembly."""
    return live_stages.recorded_module() if request.param == "recorded" else compiled_module()


def answers(script: str, module: bytes, act: str, folder: Path) -> Any:
    """What a function of both programs, the module's first, returns under Node."""
    assert NODE is not None
    (folder / "both.cjs").write_text(f"{script}const act = {act.strip()};{BOTH}", encoding="utf-8")
    (folder / "module.wasm").write_bytes(module)
    words = [NODE, str(folder / "both.cjs"), str(folder / "module.wasm")]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def of_cart(module: bytes, act: str, folder: Path) -> Any:
    return answers(live_stages.program(with_module=True), module, act, folder)


def largest_difference(pair: Any) -> float:
    """Of two rows of numbers, by their size where that is above 1."""
    one, other = (np.asarray(each, float) for each in pair)
    return float(np.max(np.abs(one - other) / np.maximum(1, np.abs(other))))


@needs_node
def test_a_module_computes_what_the_script_does(module: bytes, tmp_path: Path) -> None:
    assert largest_difference(of_cart(module, SECOND, tmp_path)) < 1e-9


def program_of(example: str) -> tuple[Standalone, Program]:
    simulator = Simulator(load(example))
    _, show = live_stage(simulator.synthesis)
    return simulator.standalone(), show


@needs_compiler
@needs_node
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_compute_the_same_in_both(example: str, tmp_path: Path) -> None:
    own, show = program_of(example)
    script = javascript_for_page(own, show, with_module=True)
    rows = answers(script, build_module(webassembly_source(own, show)), SECOND, tmp_path)
    assert largest_difference(rows) < 1e-9


SINGULAR = """
(...programs) => programs.map(({ initialise, step, observe }) => {
  const machine = initialise({ rtol: 1e-6 }), found = [];
  for (const way of [1, -1]) {
    while (way > 0 ? machine.time < 21 : machine.time > 20) {
      step(machine, way / 60);
      found.push(observe(machine)["%s"]);
    }
  }
  return found;
})
"""


@needs_compiler
@needs_node
@pytest.mark.parametrize(("example", "column"), [("sarrus", "plate.z"), ("scissor", "platform.y")])
def test_both_lead_through_singular_positions(example: str, column: str, tmp_path: Path) -> None:
    """A plate folds flat, a lift stands upright, forth and back; both programs show the same."""
    own, show = program_of(example)
    script = javascript_for_page(own, show, with_module=True)
    found = answers(script, build_module(webassembly_source(own, show)), SINGULAR % column, tmp_path)
    assert len(found[0]) == len(found[1]) > 1300
    assert np.ptp(found[1]) > 0.5, "it moves"
    assert largest_difference(found) < 1e-6


@needs_compiler
@needs_node
def test_a_recorded_module_offers_what_one_does_that_is_compiled_now(tmp_path: Path) -> None:
    act = """
    (module, program) => WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name).sort()
    """
    recorded, compiled = (
        of_cart(each, act, tmp_path) for each in (live_stages.recorded_module(), compiled_module())
    )
    assert recorded == compiled, "live_stages.record_module() records it anew"


@needs_node
def test_starts_controls_and_parameters_reach_the_module(module: bytes, tmp_path: Path) -> None:
    act = """
    (...programs) => programs.map(({ initialise, step, observe }) => {
      const given = { parameters: { reach: 2 }, controls: { throttle: 0.5 }, start: { "cart.tx": 3 } };
      const machine = initialise({ ...given, rates: { "cart.tx": 1 }, rtol: 1e-8 });
      const first = [machine.controls.throttle, ...machine.values];
      for (let k = 0; k < 30; k++) {
        if (k === 10) machine.controls.brake = 1;
        if (k === 20) machine.state[0] += 1;
        step(machine, 1 / 30);
      }
      return [...first, ...machine.state, ...Object.values(observe(machine))];
    })
    """
    found = of_cart(module, act, tmp_path)
    assert largest_difference(found) < 1e-9
    assert found[0][0] == 0.5
    assert 2 in found[0][1:5]


@needs_node
def test_machines_of_one_module_do_not_disturb_each_other(module: bytes, tmp_path: Path) -> None:
    """Two machines stepped in turn go where each would have gone alone."""
    act = """
    ({ initialise, step, show }) => {
      const begun = () => [initialise(), initialise({ parameters: { g: 3 } })];
      const inTurn = begun(), alone = begun();
      for (let k = 0; k < 10; k++) for (const machine of inTurn) step(machine, 0.1);
      for (const machine of alone) for (let k = 0; k < 10; k++) step(machine, 0.1);
      return [inTurn, alone].map((pair) => pair.map((machine) => [...machine.state, ...show(machine)]));
    }
    """
    in_turn, alone = of_cart(module, act, tmp_path)
    assert in_turn == alone
    assert in_turn[0] != in_turn[1]


@needs_node
def test_what_is_impossible_is_said_in_the_same_words(module: bytes, tmp_path: Path) -> None:
    """And a machine that was there before goes on."""
    act = """
    (...programs) => programs.map(({ initialise, step, Stopped }) => {
      const machine = initialise(), words = [];
      for (const wish of [{ anchor: -1 }, { nobody: 1 }, { g: NaN }]) {
        try { initialise({ parameters: wish }); } catch (problem) {
          words.push([problem instanceof Stopped, problem.message]);
        }
      }
      step(machine, 0.1);
      return [words, machine.time];
    })
    """
    by_module, by_script = of_cart(module, act, tmp_path)
    assert by_module == by_script
    words, time = by_module
    assert words[0] == [True, "no position satisfies the constraints"]
    assert [is_stopped for is_stopped, _ in words] == [True, False, False]
    assert time == pytest.approx(0.1)


@needs_bundle
def test_only_pages_with_a_module_may_run_one() -> None:
    page = page_of(live_stages.recorded_module())
    assert "script-src 'unsafe-inline' 'wasm-unsafe-eval';" in page
    assert "'unsafe-eval'" not in page
    assert "'wasm-unsafe-eval'" not in stage_page(live_stages.live(), live_stages.program())


# ---- In the browser -----------------------------------------------------------------------------------

REFUSING = "WebAssembly.instantiate = () => Promise.reject(new WebAssembly.CompileError('no'));"
WITHOUT = "delete window.WebAssembly;"
FRAME = """<!doctype html>
<iframe id="page" sandbox="allow-scripts" width="640" height="360"></iframe>
<script>
window.addEventListener("message", ({ data }) => { window.told = data; });
</script>
"""
TELLING = """<script>
linkwork.ready.then(() => parent.postMessage(linkwork.advance(1), "*"));
</script>
</body>"""


def page_of(module: bytes) -> str:
    return stage_page(live_stages.live(), live_stages.program(with_module=True), module)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from launched(*SOFTWARE)


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Shown]]:
    opened: list[Shown] = []

    def open_page(page: str, **context: Any) -> Shown:
        opened.append(Shown(browser, page, tmp_path, "#paused", **context))
        assert opened[-1].run("linkwork.ready") is True
        return opened[-1]

    yield open_page
    for shown in opened:
        shown.context.close()


def second_of(shown: Shown) -> list[float]:
    """All numbers after a second of steering."""
    shown.run("linkwork.control('throttle', 1)")
    state = shown.run("linkwork.advance(1)")
    assert state["notice"] == ""
    return [state["time"], *state["columns"].values(), *state["placements"]]


@needs_bundle
def test_a_page_computes_by_its_module(module: bytes, show: Callable[..., Shown]) -> None:
    """And shows what the page without one does."""
    script = show(stage_page(live_stages.live(), live_stages.program()))
    shown = show(page_of(module))
    assert (script.run("linkwork.state().program"), shown.run("linkwork.state().program")) == (
        "javascript",
        "webassembly",
    )
    assert largest_difference([second_of(shown), second_of(script)]) < 1e-9
    assert shown.complaints == script.complaints == []


@needs_bundle
@needs_compiler
@pytest.mark.parametrize("example", ["sarrus", "scissor"])
def test_pages_pass_singular_positions_with_and_without_a_module(
    example: str, show: Callable[..., Shown]
) -> None:
    """The plate of the Sarrus linkage is flat at 2.8 s and 5.9 s, the lift of scissors upright at 16 s."""
    found = {}
    for program, told in ((WASM, "webassembly"), (JAVASCRIPT, "javascript")):
        shown = show(next(iter(live_page(load(example), program).files.values())))
        assert shown.run("linkwork.state().program") == told
        states = [shown.run("linkwork.advance(1)") for _ in range(18)]
        assert [state["notice"] for state in states] == [""] * 18
        assert states[-1]["time"] == pytest.approx(18)
        found[told] = [[*state["columns"].values(), *state["placements"]] for state in states]
        assert shown.complaints == []
    assert largest_difference(found.values()) < 1e-5


@needs_bundle
def test_a_page_with_a_module_is_steered_and_started_again(show: Callable[..., Shown]) -> None:
    shown = show(page_of(live_stages.recorded_module()))
    first = second_of(shown)
    shown.run("linkwork.reset()")
    assert shown.run("linkwork.state().time") == 0
    assert second_of(shown) == first
    state = shown.run("linkwork.set('g', 1)")
    assert (state["time"], state["parameters"]["g"]) == (0, 1)
    assert second_of(shown) != first
    state = shown.run("linkwork.set('anchor', -1)")
    assert "impossible: no position satisfies the constraints" in state["notice"]
    assert state["parameters"] == {**state["parameters"], "anchor": 1, "g": 1}
    assert shown.complaints == []


@needs_bundle
@pytest.mark.parametrize("before", [REFUSING, WITHOUT], ids=["refused", "unknown"])
def test_without_webassembly_the_script_computes(before: str, show: Callable[..., Shown]) -> None:
    shown = show(page_of(live_stages.recorded_module()), before=before)
    assert shown.run("linkwork.state().program") == "javascript"
    script = show(stage_page(live_stages.live(), live_stages.program()))
    assert second_of(shown) == second_of(script)
    assert shown.complaints == []


@needs_bundle
def test_where_a_policy_forbids_modules_the_script_computes(show: Callable[..., Shown]) -> None:
    shown = show(page_of(live_stages.recorded_module()).replace(" 'wasm-unsafe-eval'", ""))
    assert shown.run("linkwork.state().program") == "javascript"
    assert second_of(shown)


@needs_bundle
def test_a_module_runs_in_a_sandbox(browser: Any, tmp_path: Path) -> None:
    outer = Shown(browser, FRAME, tmp_path, "")
    page = page_of(live_stages.recorded_module()).replace("</body>", TELLING)
    outer.run("(text) => { document.getElementById('page').srcdoc = text; }", page)
    outer.until("Boolean(window.told)")
    assert outer.run("told.program") == "webassembly"
    assert outer.run("told.time") == pytest.approx(1)
    outer.context.close()
    assert outer.complaints == []
