"""What a run came to: its columns as far as they can be believed, and why it ended where it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.dynamics.synthesis import SPARE, Synthesis
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.simulation.native import Ran
from linkwork.simulation.solution import Solution

STOPPED: Final = 4
"""The status of a run whose integrator gave up."""
STUCK: Final = 7
"""The status of a run whose steps became so short that it would never end."""
TOO_SHORT: Final = 3
"""The status of a step that would be too short for the clock."""
SPARE_HOLDS: Final = 1e-6
"""A constraint that was left out as spare and is further from zero than this does not follow from the others."""

STEP_WORDS: Final = {
    1: "the accelerations cannot be computed",
    2: "the state or its rates are not finite",
    3: "the steps became too short for the clock, as at a singular position",
    4: "no length of the step was accepted",
}
ENDINGS: Final = {
    3: "the constraints could not be restored after a step {at}",
    6: "the number of steps reached its limit {at}",
    STUCK: "the steps became so short {at} that the end would never be reached: "
    "a singular position, or a force that jumps",
}


def is_stuck(ran: Ran) -> bool:
    """Whether steps became too short: to get anywhere, or for the clock."""
    return ran.status == STUCK or (ran.status == STOPPED and ran.step_status == TOO_SHORT)


@dataclass(frozen=True)
class Outcome:
    """A run at the times of its rows, and how accurate it was found to be; NaN where that was not asked."""

    ran: Ran
    times: Matrix
    error: float
    rtol: float
    is_checked: bool

    @property
    def is_close(self) -> bool:
        """Whether it is as accurate as it was wanted."""
        return bool(self.error <= self.rtol)

    def solution(
        self, machine: Machine, synthesis: Synthesis, redundant: tuple[str, ...], language: str
    ) -> Solution:
        """The solution: as many rows as satisfy the constraints."""
        columns, spare = self._columns(synthesis)
        status, why = self._ended()
        kept, residual, states = len(self.ran.states), self.ran.residual, self.ran.states
        if spare:
            off = np.max([np.abs(column) for column in spare.values()], axis=0)
            if np.any(off > SPARE_HOLDS):
                kept = max(int(np.argmax(off > SPARE_HOLDS)), 1)
                status, why = "stopped", _no_longer_spare(spare, self.times)
            residual = max(residual, float(np.max(off[: max(kept, 1)])))
        lost = _first_lost(columns, synthesis) if status == "complete" else 0
        if lost:
            kept = lost
            status = "stopped"
            why = f"no position satisfies the constraints at t = {self.times[lost]:.9g}"
        return Solution(
            machine,
            status,
            {name: column[:kept] for name, column in columns.items()},
            residual,
            self.error,
            self.rtol,
            self.is_checked and self.is_close and status == "complete",
            why,
            redundant,
            (),
            self._effort(language),
            states[:kept],
        )

    def _columns(self, synthesis: Synthesis) -> tuple[dict[str, Matrix], dict[str, Matrix]]:
        """What is told of every row, and how far constraints are from zero that were left out."""
        told = {"time": self.times[: len(self.ran.states)]}
        spare: dict[str, Matrix] = {}
        for place, name in enumerate(synthesis.observed):
            (spare if name.startswith(SPARE) else told)[name] = self.ran.outputs[:, place]
        told["energy"] = told["kinetic"] + told["potential"]
        return told, spare

    def _effort(self, language: str) -> dict[str, int | str]:
        return {
            "steps": self.ran.steps,
            "rejected": self.ran.rejected,
            "evaluations": self.ran.evaluations,
            "stabilisation": self.ran.settled,
            "method": "Radau IIA 5" if self.ran.is_implicit else "Dormand-Prince 8(5,3)",
            "language": language,
        }

    def _ended(self) -> tuple[str, str]:
        """The status, and why it is no better."""
        if self.ran.status == 0:
            if not self.is_checked or self.is_close:
                return "complete", ""
            found = f"runs with tighter tolerance differ by {self.error:.2g}"
            if self.error != self.error:
                found = "a run with tighter tolerance does not get to the end"
            return "complete", f"the accuracy of {self.rtol:g} was not reached: {found}"
        at = f"at t = {self.ran.reached:.9g}"
        failed = f"{STEP_WORDS.get(self.ran.step_status, 'the integration failed')} {at}"
        return "stopped", ENDINGS.get(self.ran.status, failed).format(at=at)


def _first_lost(columns: Mapping[str, Matrix], synthesis: Synthesis) -> int:
    """The first row, behind the start, in which a position is not a number; 0 where there is none."""
    places = [columns[leaf.name] for leaf in synthesis.q0 if leaf.name in columns]
    lost = ~np.all(np.isfinite(places), axis=0) if places else np.zeros(1, bool)
    return int(np.argmax(lost))


def _no_longer_spare(spare: Mapping[str, Matrix], times: Matrix) -> str:
    """Why a run cannot be believed: a constraint that was left out does not follow from the others any more."""
    worst = max(spare, key=lambda name: float(np.max(np.abs(spare[name]), initial=0.0)))
    row = int(np.argmax(np.abs(spare[worst]) > SPARE_HOLDS))
    name = worst.removeprefix(SPARE).removesuffix(".rate")
    return f"the constraint {name}, which followed from the others at the start, does not hold at t = {times[row]:.6g}"
