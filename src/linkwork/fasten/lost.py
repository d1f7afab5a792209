"""A motion in floating point that cannot be followed: an error where it is asked for, an outcome among many."""

from linkwork.errors import LinkworkError

LOST = "lost"
"""The outcome of such a motion, where many are tried."""


class MotionLost(LinkworkError):
    """More coincides than floating point can tell apart."""
