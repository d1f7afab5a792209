"""Machines in time: plans of simulation programs, their runs, and what they found."""

from typing import TYPE_CHECKING

from linkwork.later import later

if TYPE_CHECKING:
    from linkwork.simulation.equations import equations
    from linkwork.simulation.linear import Linearisation, equilibrium, linearise
    from linkwork.simulation.simulator import Simulator, plan
    from linkwork.simulation.solution import Solution
    from linkwork.simulation.targets import SimulationProgram, SourceOnly, synthesise

__all__ = [
    "Linearisation",
    "SimulationProgram",
    "Simulator",
    "Solution",
    "SourceOnly",
    "equations",
    "equilibrium",
    "linearise",
    "plan",
    "synthesise",
]

__getattr__ = later(
    __name__,
    {
        "linkwork.simulation.equations": "equations",
        "linkwork.simulation.linear": "Linearisation equilibrium linearise",
        "linkwork.simulation.simulator": "Simulator plan",
        "linkwork.simulation.solution": "Solution",
        "linkwork.simulation.targets": "SimulationProgram SourceOnly synthesise",
    },
)
