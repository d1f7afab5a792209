"""The page in which a machine runs: its program, and a stage to see it on.

The program is in JavaScript; where there is a compiler for WebAssembly, a module of the same computes in its place, and
the script is there for browsers that refuse modules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from linkwork.dynamics.javascript_program import javascript_for_page
from linkwork.dynamics.standalone import Standalone
from linkwork.dynamics.webassembly_program import webassembly_source
from linkwork.emit import Program
from linkwork.emit.compiler import CompilerFailed, warn_once
from linkwork.emit.webassembly import build_module, find_module_compiler
from linkwork.errors import UsageError
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean
from linkwork.simulation.simulator import Simulator
from linkwork.simulation.targets import SimulationProgram
from linkwork.view.machine_stage import live_stage
from linkwork.view.stage import Stage, stage_data
from linkwork.view.stage_page import stage_page

PAGE: Final = "html"
"""The target that is a page."""
AUTO: Final = "auto"
JAVASCRIPT: Final = "javascript"
WASM: Final = "wasm"
PROGRAMS: Final = (AUTO, JAVASCRIPT, WASM)
"""What the program of a page may be in."""
LARGEST: Final = 1_000_000
"""Characters of a page to which nothing is added unasked."""
_ENERGIES: Final = ("energy", "kinetic", "potential")


def live_page(machine: Machine, program: str = AUTO) -> SimulationProgram:
    """One HTML file in which the machine runs, is steered and looked at; it needs a browser and nothing else.

    ``program`` is ``"javascript"``, or ``"wasm"`` for a module of WebAssembly beside that, which needs a compiler here;
    ``"auto"`` takes the module where there is a compiler.

    >>> from linkwork.model import load
    >>> list(live_page(load("pendulum"), "javascript").files)
    ['pendulum.html']
    """
    if program not in PROGRAMS:
        fix = did_you_mean(program, PROGRAMS, f'program="{AUTO}"')
        raise UsageError(f"a page has no program '{program}'", wanted=", ".join(PROGRAMS), fix=fix)
    simulator = Simulator(machine)
    with simulator.explained():
        stage, show = live_stage(simulator.synthesis)
        own = simulator.standalone()
        data = stage_data(_with_plots(stage))
        module = _module(own, show, program)
        text = stage_page(data, javascript_for_page(own, show, with_module=bool(module)), module)
        if module and program == AUTO and len(text) > LARGEST:
            text = stage_page(data, javascript_for_page(own, show))
    notes = tuple(
        f"no formula uses the control {name}: steering changes nothing" for name in own.unused_controls(show)
    )
    return SimulationProgram(machine, PAGE, own.name, {f"{own.name}.html": text}, own.operations, notes)


def _module(own: Standalone, show: Program, program: str) -> bytes:
    """The program in WebAssembly, if it is wanted and can be had."""
    if program == JAVASCRIPT or (program == AUTO and find_module_compiler() is None):
        return b""
    try:
        return build_module(webassembly_source(own, show))
    except CompilerFailed as problem:
        if program == WASM:
            raise
        warn_once(f"the page computes in JavaScript, since its program in WebAssembly failed: {problem}")
        return b""


def _with_plots(stage: Stage) -> Stage:
    """The stage with its energies plotted, unless the machine says what is."""
    names = [each.name for each in stage.columns]
    return replace(stage, plots=stage.plots or tuple(names.index(name) for name in _ENERGIES))
