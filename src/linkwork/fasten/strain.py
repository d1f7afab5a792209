"""How much cantilevers are strained on the way.

Along a contact the time is a function of the angle, t = -N(u)/D(u), so the angle goes one way between two events:
the farthest from rest is at an event, or at the end.
"""

from __future__ import annotations

from linkwork.fasten.fastening import Fastening, PawlMotion


def peak_strains(found: Fastening) -> dict[str, float]:
    """The greatest strain in every pawl that is a cantilever, by the pawl's name."""
    return {
        name: motion.pawl.cantilever.strain(peak_deflection(motion))
        for name, motion in found.pawls.items()
        if motion.pawl.cantilever is not None
    }


def peak_deflection(motion: PawlMotion) -> float:
    """The farthest that a pawl is turned from its rest, in radians."""
    ends = [end for stretch in motion.course.stretches for end in (stretch.start, stretch.end)]
    return max((abs(end.theta - motion.rest) for end in (*ends, motion.course.end)), default=0.0)
