"""How much cantilevers are strained on the way."""

from __future__ import annotations

from linkwork.fasten.fastening import Fastening


def peak_strains(found: Fastening) -> dict[str, float]:
    """The greatest strain in every pawl that is a cantilever, by the pawl's name."""
    return {
        name: motion.pawl.cantilever.strain(motion.farthest)
        for name, motion in found.pawls.items()
        if motion.pawl.cantilever is not None
    }
