"""Exact motion of snap-fits, latches and ratchets among obstacles (Donald and Pai 1992)."""

from linkwork.fasten.design import Design, Obstacle, Pawl, Rest

__all__ = ["Design", "Obstacle", "Pawl", "Rest"]
