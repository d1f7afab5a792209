"""How a system of equations falls apart, told from nothing but which equation mentions which variable."""

from linkwork.plan.blocks import blocks, dependencies, needed
from linkwork.plan.connected import components
from linkwork.plan.freedoms import Fit, Group, Misfit, Parts, parts
from linkwork.plan.matching import Matching, match
from linkwork.plan.structure import Structure
from linkwork.plan.triangular import Block

__all__ = [
    "Block",
    "Fit",
    "Group",
    "Matching",
    "Misfit",
    "Parts",
    "Structure",
    "blocks",
    "components",
    "dependencies",
    "match",
    "needed",
    "parts",
]
