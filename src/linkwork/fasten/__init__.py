"""Exact motion of snap-fits, latches and ratchets among obstacles (Donald and Pai 1992)."""

from linkwork.fasten.design import Design, Obstacle, Pawl, Rest
from linkwork.fasten.fastening import Ending, Fastening, PawlMotion, fasten

__all__ = ["Design", "Ending", "Fastening", "Obstacle", "Pawl", "PawlMotion", "Rest", "fasten"]
