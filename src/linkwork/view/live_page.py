"""The page in which a machine runs: its program in JavaScript, and a stage to see it on."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from linkwork.dynamics.javascript_program import javascript_for_page
from linkwork.model import Machine
from linkwork.simulation.simulator import Simulator
from linkwork.simulation.targets import SimulationProgram
from linkwork.view.machine_stage import live_stage
from linkwork.view.stage import Stage, stage_data
from linkwork.view.stage_page import stage_page

PAGE: Final = "html"
"""The target that is a page."""
_ENERGIES: Final = ("energy", "kinetic", "potential")


def live_page(machine: Machine) -> SimulationProgram:
    """One HTML file in which the machine runs, is steered and looked at; it needs a browser and nothing else.

    >>> from linkwork.model import load
    >>> list(live_page(load("pendulum")).files)
    ['pendulum.html']
    """
    simulator = Simulator(machine)
    with simulator.explained():
        stage, show = live_stage(simulator.synthesis)
        program = simulator.standalone()
        text = stage_page(stage_data(_with_plots(stage)), javascript_for_page(program, show))
    return SimulationProgram(machine, PAGE, program.name, {f"{program.name}.html": text}, program.operations)


def _with_plots(stage: Stage) -> Stage:
    """The stage with its energies plotted, unless the machine says what is."""
    names = [each.name for each in stage.columns]
    return replace(stage, plots=stage.plots or tuple(names.index(name) for name in _ENERGIES))
