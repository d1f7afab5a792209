"""Where the energy of a run with contacts went: into impacts, into sliding contacts, into all the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.algebra import evaluate
from linkwork.kinematics.arrays import Matrix, Places
from linkwork.model import Machine
from linkwork.model.part import GROUND
from linkwork.model.placed import QUATERNION, RATES

if TYPE_CHECKING:
    from linkwork.contact.solution import ContactSolution


def energy_lost(solution: ContactSolution) -> dict[str, float]:
    """Energy that is gone at the end: in impacts, in contacts that slide, and otherwise.

    What impacts take follows from their impulses. What sliding takes is all else where nothing but contacts can take or
    give; otherwise it is the sum over rows of friction times speed, and so as good as rows are close. The rest is what
    is left: dampers and friction of joints, less what drives and forces gave that have no potential. Elastic contacts
    tell themselves what they took, impacts and sliding together.
    """
    total = solution.energy["total"]
    gone = float(total[0] - total[-1])
    if "lost" in solution.columns:
        taken = float(solution.columns["lost"][-1])
        return {"impacts": 0.0, "sliding": 0.0, "contacts": taken, "other": gone - taken}
    begin = float(solution.times[0])  # what strikes at once is over in the first row
    impacts = float(sum(event.get("lost", 0.0) for event in solution.events if event["t"] > begin))
    if solution.unlisted is not None:
        impacts += sum(each.lost for each in solution.unlisted.struck.values())
    if has_only_potentials(solution.machine):
        return {"impacts": impacts, "sliding": gone - impacts, "other": 0.0}
    sliding = float(np.trapezoid(sliding_power(solution), solution.times))
    return {"impacts": impacts, "sliding": sliding, "other": gone - impacts - sliding}


def has_only_potentials(machine: Machine) -> bool:
    """Whether nothing but contacts takes energy from a machine or gives it any: no drive, no damper, no given force."""
    values = machine.values()
    if machine.drives or machine.controls or machine.constraints:
        return False
    return all(
        hasattr(force, "damping") and evaluate([force.damping], values)[0] == 0
        for force in machine.forces.values()
    )


def sliding_power(solution: ContactSolution) -> Matrix:
    """In each row what contacts take by sliding: minus the power of their forces."""
    found = np.zeros(len(solution))
    for place, (one, other) in enumerate(solution.pairs):
        rows, slots = np.nonzero(solution.touches[:, :, 0] == place)
        points, forces = np.split(solution.touches[rows, slots, 1:], 2, axis=1)
        speeds = _velocity(solution, one, rows, points) - _velocity(solution, other, rows, points)
        np.subtract.at(found, rows, np.einsum("ij,ij->i", forces, speeds))
    return found


def _velocity(solution: ContactSolution, part: str, rows: Places, points: Matrix) -> Matrix:
    """How fast a part moves at places of the world in rows."""
    if part == GROUND:
        return np.zeros_like(points)

    def columns(*names: str) -> Matrix:
        return np.column_stack([solution.columns[f"{part}.{name}"][rows] for name in names])

    if points.shape[1] == 2:
        x, y = (points - columns("x", "y")).T
        return np.asarray(columns("vx", "vy") + columns("rate") * np.column_stack([-y, x]))
    q, r = columns(*QUATERNION), columns(*(RATES[each] for each in QUATERNION))
    spins = 2 * (q[:, :1] * r[:, 1:] - r[:, :1] * q[:, 1:] + np.cross(q[:, 1:], r[:, 1:]))
    return np.asarray(columns("vx", "vy", "vz") + np.cross(spins, points - columns("x", "y", "z")))
