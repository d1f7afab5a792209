"""Where the energy of a run with contacts went: into impacts, into sliding contacts, into all the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.kinematics.arrays import Matrix, Places
from linkwork.model.part import GROUND

if TYPE_CHECKING:
    from linkwork.contact.solution import ContactSolution


def energy_lost(solution: ContactSolution) -> dict[str, float]:
    """Energy that is gone at the end: in impacts, in contacts that slide, and otherwise.

    What impacts take follows from their impulses. What sliding takes is the sum over rows of friction times speed, and
    so as good as rows are close. The rest is what is left: dampers and friction of joints, less what drives and forces
    gave that have no potential.
    """
    total = solution.energy["total"]
    gone = float(total[0] - total[-1])
    impacts = float(sum(event.get("lost", 0.0) for event in solution.events))
    sliding = float(np.trapezoid(sliding_power(solution), solution.times))
    return {"impacts": impacts, "sliding": sliding, "other": gone - impacts - sliding}


def sliding_power(solution: ContactSolution) -> Matrix:
    """In each row what contacts take by sliding: minus the power of their forces."""
    found = np.zeros(len(solution))
    for place, (one, other) in enumerate(solution.pairs):
        rows, slots = np.nonzero(solution.touches[:, :, 0] == place)
        x, y, fx, fy = solution.touches[rows, slots, 1:5].T
        first = _velocity(solution, one, rows, x, y)
        second = _velocity(solution, other, rows, x, y)
        power = fx * (first[0] - second[0]) + fy * (first[1] - second[1])
        np.subtract.at(found, rows, power)
    return found


def _velocity(
    solution: ContactSolution, part: str, rows: Places, x: Matrix, y: Matrix
) -> tuple[Matrix, Matrix]:
    """How fast a part moves at places of the world in rows."""
    if part == GROUND:
        return np.zeros(len(rows)), np.zeros(len(rows))
    at = {name: solution.columns[f"{part}.{name}"][rows] for name in ("x", "y", "vx", "vy", "rate")}
    return at["vx"] - at["rate"] * (y - at["y"]), at["vy"] + at["rate"] * (x - at["x"])
