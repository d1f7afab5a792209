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
from linkwork.emit.webassembly import (
    SwitchedOff,
    build_module,
    find_module_compiler,
    missing_module_compiler,
)
from linkwork.errors import UsageError
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean
from linkwork.simulation.ranges import range_notes
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
WEBASSEMBLY: Final = "webassembly"
"""What pages call it."""
PROGRAMS: Final = (AUTO, JAVASCRIPT, WASM)
"""What the program of a page may be in."""
LARGEST: Final = 1_000_000
"""Characters of a page to which nothing is added unasked."""
TOO_LARGE: Final = (
    f"{JAVASCRIPT}: with the module it would be larger than 1 MB; for webassembly: --program {WASM}"
)
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
        module, language = _module(own, show, program)
        text = stage_page(data, javascript_for_page(own, show, with_module=bool(module)), module)
        if module and program == AUTO and len(text) > LARGEST:
            text, language = stage_page(data, javascript_for_page(own, show)), TOO_LARGE
    unused = [
        f"no formula uses the control {name}: steering changes nothing" for name in own.unused_controls(show)
    ]
    notes = (
        f"the page computes in {language}",
        *_size_note(text),
        *unused,
        *range_notes(machine, "the page begins again"),
    )
    return SimulationProgram(machine, PAGE, own.name, {f"{own.name}.html": text}, own.operations, notes)


def _size_note(page: str) -> tuple[str, ...]:
    """What there is to say about the size of a page."""
    if len(page) <= LARGEST:
        return ()
    return (f"the page has {len(page) / 1e6:.1f} MB: fewer or simpler objects make it smaller",)


def _module(own: Standalone, show: Program, program: str) -> tuple[bytes, str]:
    """The program in WebAssembly, if it is wanted and can be had; what the page computes in, and why."""
    if program == JAVASCRIPT:
        return b"", JAVASCRIPT
    if program == AUTO and find_module_compiler() is None:
        missing = missing_module_compiler()
        cure = missing.fix if isinstance(missing, SwitchedOff) else "pip install 'linkwork[wasm]'"
        return b"", f"{JAVASCRIPT}: {missing.problem}; for webassembly: {cure}"
    try:
        return build_module(webassembly_source(own, show)), WEBASSEMBLY
    except CompilerFailed as problem:
        if program == WASM:
            raise
        warn_once(f"the page computes in JavaScript, since its program in WebAssembly failed: {problem}")
        return b"", f"{JAVASCRIPT}: its program in WebAssembly failed"


def _with_plots(stage: Stage) -> Stage:
    """The stage with its energies plotted, unless the machine says what is."""
    names = [each.name for each in stage.columns]
    return replace(stage, plots=stage.plots or tuple(names.index(name) for name in _ENERGIES))
