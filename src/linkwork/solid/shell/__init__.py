"""Solids given by their faces: analytic surfaces within loops of edges."""

from linkwork.solid.shell.edge import Arc, Chain, Edge, Loop, Segment
from linkwork.solid.shell.patch import Patch, plane_patch, round_patch
from linkwork.solid.shell.value import Shell

__all__ = ["Arc", "Chain", "Edge", "Loop", "Patch", "Segment", "Shell", "plane_patch", "round_patch"]
