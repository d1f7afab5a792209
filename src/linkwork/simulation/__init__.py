"""Machines in time: plans of simulation programs, their runs, and what they found."""

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
    "equilibrium",
    "linearise",
    "plan",
    "synthesise",
]
