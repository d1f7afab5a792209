"""How a system of equations falls apart, told from nothing but which equation mentions which variable."""

from linkwork.planning.blocks import blocks, dependencies, needed
from linkwork.planning.connected import components
from linkwork.planning.freedoms import Fit, Group, Misfit, Parts, parts
from linkwork.planning.matching import Matching, match
from linkwork.planning.structure import Structure
from linkwork.planning.triangular import Block

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
