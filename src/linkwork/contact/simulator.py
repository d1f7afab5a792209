"""Simulate a machine whose parts touch, push, strike and let go."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from threading import Event

import numpy as np

from linkwork.algebra import Operand
from linkwork.contact.event_log import Struck, Unlisted
from linkwork.contact.events import ToldEvents
from linkwork.contact.exact_fits import exact_fits
from linkwork.contact.laws import Laws, machine_laws
from linkwork.contact.native import FAR, TOO_LONG, ContactRun, TouchingMachine
from linkwork.contact.program import pushed, touching_source
from linkwork.contact.solution import ContactSolution
from linkwork.contact.space import SpaceTouching
from linkwork.contact.spans import Pair
from linkwork.contact.touching import PRESSED, Touching
from linkwork.dynamics.plan import Plan
from linkwork.dynamics.synthesis import Synthesis
from linkwork.errors import UsageError
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.simulation.outcome import STEP_WORDS
from linkwork.simulation.ranges import first_end
from linkwork.simulation.simulator import DEFAULT_TOLERANCE, Begun, Simulator, check_run

WORDS = {
    3: "the joints of the machine could not be restored",
    4: "no forces let the parts that touch be: a drive or friction jams them, and rigid parts do not yield",
    5: "there was no end of events at one time",
    6: "more places touch at one time than can be told apart",
    7: "the number of steps would be beyond its limit before the end",
    11: "the number of events would be beyond its limit before the end",
}
RUNAWAY_WORDS = {
    2: "{part} moves fastest when {words}",
    7: "{part} moves fastest when {words}",
    10: "{part} went so far away, as if thrown, that it can no longer be told where it is",
}
"""With the part that is to blame."""
PAIR_WORDS = {
    4: "no forces let {} and {} be as they touch: a drive or friction jams them, and rigid parts do not yield",
    5: "there was no end of events at one time where {} and {} touch",
    8: "{} and {} were pressed through each other",
    9: "the contacts of {} and {} are too stiff for these masses, with less stiffness or damping steps do not vanish",
}
"""With the two parts that are to blame."""

SHARE_OF_SIZE = 1 / 4
"""What counts as much of a length where it passes through zero, by the size of the parts."""

INSIDE = 1 / 4
"""Of the tolerance: what is between the ends of long steps, where rows and events are, is some times as far off."""

FINEST = 1e-13
"""The tolerance below which there is nothing but rounding."""

ROUGH = 1e-6
"""The tolerance from which on the engine takes its explicit method of order 5: LW_ROUGH of its text."""


UNTOLD = 2
"""Of the largest depth of elastic contacts so far: what is deeper is in one another in a way that is not computed. A
disc that rocks over an edge may for a moment be deeper beside its contacts than in them."""


def method_of(model: str, rtol: float) -> str:
    """The methods by which a motion is integrated, in words.

    >>> method_of("rigid", 1e-9)
    'Dormand-Prince 8(5,3) between contacts'
    """
    explicit = f"Dormand-Prince {'5(4)' if rtol >= ROUGH else '8(5,3)'} between contacts"
    return explicit if model == "rigid" else f"{explicit}, 8(5,3) or Radau IIA of order 5 in them"


def why_stopped(run: ContactRun, touching: Touching | SpaceTouching) -> str:
    """Why a run ended before its time, when, and between which parts where that is known."""
    words = WORDS.get(run.status) or STEP_WORDS.get(run.step_status, "the integration failed")
    if run.blamed >= 0 and run.status in PAIR_WORDS:
        words = PAIR_WORDS[run.status].format(*touching.couples[run.blamed].parts)
    if run.runaway >= 0 and run.status in RUNAWAY_WORDS:
        words = RUNAWAY_WORDS[run.status].format(part=touching.parts[run.runaway], words=words)
    if run.status not in (FAR, TOO_LONG):
        words = _jam_words(run, touching) or words
    return f"{words}, at t = {run.reached:.9g}" + _exact_fit_words(run, touching)


def _exact_fit_words(run: ContactRun, touching: Touching | SpaceTouching) -> str:
    """That a shaft has no clearance where it is held by contacts alone: of the parts to blame, if theirs is one."""
    if not isinstance(touching, Touching):
        return ""
    blamed = set(touching.couples[run.blamed].parts) if run.blamed >= 0 else set()
    if run.runaway >= 0:
        blamed.add(touching.parts[run.runaway])
    fits = sorted(exact_fits(touching), key=lambda fit: not blamed & {fit.shaft, fit.bore})
    return f"; {fits[0].words}" if fits else ""


def _jam_words(run: ContactRun, touching: Touching | SpaceTouching) -> str:
    """That elastic parts are pressed into one another more than by a small share of their size: which, and how deep.

    Nothing where another part than these moves fastest as steps fail: that one is not held by any jam.
    """
    if not len(run.energies) or not run.touches.shape[1]:
        return ""
    depth = float(run.energies[-1, 2])
    forces = np.linalg.norm(run.touches[-1, :, 1 + touching.dimension :], axis=1)
    pushes = np.where(run.touches[-1, :, 0] >= 0, forces, -1.0)
    hardest = int(np.argmax(pushes))
    if pushes[hardest] < 0:
        return ""
    place = int(run.touches[-1, hardest, 0])
    pair = touching.couples[place]
    is_elsewhere = run.runaway >= 0 and touching.parts[run.runaway] not in pair.parts
    if is_elsewhere or depth <= PRESSED * touching.smaller_reach(place):
        return ""
    return (
        "{} and {} are jammed".format(*pair.parts)
        + f": a drive or a force presses them {depth:.3g} deep into one another, or their contacts are too soft"
    )


class ContactSimulator(Simulator):
    """A found machine, or an island of one, ready to be simulated with its contacts. Other laws compile nothing."""

    def __init__(self, machine: Machine, touching: Touching | SpaceTouching) -> None:
        self.plain = machine
        self.touching = touching
        self.parts = tuple(self.plain.moving)
        super().__init__(pushed(self.plain, self.parts))

    def checked_plan(self) -> Plan:
        """The plan; what is wrong with the machine is told without the inputs that contacts add."""
        Simulator(self.plain).checked_plan()
        return super().checked_plan()

    @cached_property
    def native(self) -> TouchingMachine:
        """The programs, compiled."""
        with self.explained():
            synthesis = Synthesis(self.plan, keep_spare=True) if self.redundant else self.synthesis
            source = touching_source(synthesis, self.parts, len(self.plain.controls))
            return TouchingMachine(synthesis, source)

    def simulate_contacts(
        self,
        until: float | None = None,
        *,
        model: str = "rigid",
        step: float | None = None,
        rtol: float = DEFAULT_TOLERANCE,
        laws: Laws | None = None,
        controls: Mapping[str, float] | None = None,
        start: Mapping[str, float] | None = None,
        rates: Mapping[str, float] | None = None,
        parameters: Mapping[str, Operand | str] | None = None,
        stop: Event | None = None,
    ) -> ContactSolution:
        """The motion until a time, in rows ``step`` apart, of ``"rigid"`` or ``"elastic"`` parts."""
        check_run(until, step, rtol)
        begun = self.begun(start or {}, rates or {}, controls or {}, parameters)
        end = first_end(begun.machine, begun.time)
        times = self._times(begun.time, until, step, begun.machine.values(), end[1] if end else math.inf)
        if times[-1] < times[0]:
            raise UsageError(
                "contacts are computed forwards in time: impacts cannot be undone",
                got=f"from {times[0]:g} until {times[-1]:g}",
                fix=f"until={abs(times[-1]):g}",
            )
        shapes = self.touching.native(laws or machine_laws(begun.machine), model)
        self._check_apart(begun, PRESSED if model == "elastic" and start else 0.0)
        scale = self._units(begun, float(times[-1] - times[0]))
        of_steps = rtol if rtol >= ROUGH else max(INSIDE * rtol, min(rtol, FINEST))
        run = self.native.run_contacts(
            model,
            shapes,
            begun.constants,
            begun.controls,
            begun.started,
            times,
            of_steps,
            of_steps * scale,
            stop,
        )
        return self._contact_solution(model, run, times, rtol)

    def _units(self, begun: Begun, duration: float) -> Matrix:
        """What counts as much of each variable of the state: a share of the size of the parts, a radian, and of their
        rates as much in the time in which the speeds and accelerations of the start change the machine.

        So the same motion in other units of length and time is computed by the same steps. What a drive moves counts
        too: with its speed alone a machine begins whose other parts stand still.
        """
        classes = self.synthesis.plan.classes
        lengths = [name.rpartition(".")[2] in "xyz" for name in (*classes.first, *classes.second)]
        sizes, second = np.where(lengths, self.touching.part_size, 1.0), len(classes.second)
        rates = self.native.derivative(begun.started.state, begun.constants, begun.controls, begun.time)
        speeds, pulls = np.split(np.abs(rates), [len(sizes)])
        fastest = float((speeds / sizes).max(initial=0.0))
        fastest = max(fastest, math.sqrt((pulls / sizes[len(sizes) - second :]).max(initial=0.0)))
        fastest = max(fastest, self._fastest_driven(self._first_values(begun)))
        moment = 1 / fastest if 0 < fastest < math.inf else duration or 1.0
        units = np.where(lengths, SHARE_OF_SIZE * sizes, 1.0)
        return np.concatenate([units, units[len(sizes) - second :] / moment])

    def _fastest_driven(self, values: Mapping[str, float]) -> float:
        """How fast the parts turn, or move by the size of parts, of which the state of a plane machine tells nothing.

        The place of what turns is that of a point of the drawing, which may be far from it: its turning tells enough.
        """
        known = {name.rpartition(".")[0] for name in self.synthesis.plan.classes.second}
        others = [part for part in self.parts if f"{part}.rate" in values and part not in known]
        turns = [abs(values[f"{part}.rate"]) for part in others]
        moves = [math.hypot(values[f"{part}.vx"], values[f"{part}.vy"]) for part in others]
        return max(
            (turn or move / self.touching.part_size for turn, move in zip(turns, moves, strict=True)),
            default=0.0,
        )

    def _first_values(self, begun: Begun) -> dict[str, float]:
        """What is reported of the start."""
        observed = self.native.settle(
            begun.started.state, begun.started.positions, begun.constants, begun.controls, begun.time
        )
        assert observed is not None
        return dict(zip(self.synthesis.observed, observed[1].tolist(), strict=True))

    def _check_apart(self, begun: Begun, share: float = 0.0) -> None:
        """Refuse a start in which parts are in one another, by more than a share of their size."""
        self.touching.check_apart(self._first_values(begun), share)

    def _contact_solution(self, model: str, run: ContactRun, times: Matrix, rtol: float) -> ContactSolution:
        columns = {"time": times[: len(run.states)]}
        observed = list(self.synthesis.observed)
        own = {leaf.name for leaf in self.specification.variables}
        for name in sorted(
            observed, key=lambda name: name not in own
        ):  # what a state consists of comes first
            columns[name] = run.outputs[:, observed.index(name)]
        columns["energy"] = columns["kinetic"] + columns["potential"]
        if model == "elastic":
            columns |= dict(zip(("contact", "lost", "depth"), run.energies.T, strict=True))
            columns["energy"] = columns["energy"] + columns["contact"]
        columns |= self.touching.force_columns(run.touches)
        status, why = "complete", ""
        if run.status:
            status = "stopped"
            why = why_stopped(run, self.touching)
        effort = {
            "steps": run.steps,
            "rejected": run.rejected,
            "evaluations": run.evaluations,
            "impacts": run.impacts,
            "seconds": run.seconds,
            "method": method_of(model, rtol),
            "language": self.native.language,
        }
        found = ContactSolution(
            self.plain,
            status,
            columns,
            run.residual,
            float("nan"),
            rtol,
            False,
            why,
            self.redundant,
            ToldEvents([(run.events, self.touching)]),
            effort,
            run.states,
            model=model,
            touches=run.touches,
            pairs=tuple(couple.parts for couple in self.touching.couples),
            variables=tuple(leaf.name for leaf in self.specification.variables),
            unlisted=None if run.unlisted is None else self._by_parts(run.unlisted),
        )
        return self._until_overlap(found) if isinstance(self.touching, SpaceTouching) else found

    def _by_parts(self, unlisted: Unlisted[int]) -> Unlisted[Pair]:
        """Events that are not kept, by the parts that struck each other in place of the couples."""
        struck: dict[Pair, Struck] = {}
        for couple, own in unlisted.struck.items():
            parts = self.touching.couples[couple].parts
            struck[parts] = struck.get(parts, Struck()) + own
        return Unlisted(unlisted.count, unlisted.begin, unlisted.end, struck)

    def _until_overlap(self, found: ContactSolution) -> ContactSolution:
        """A motion in space up to the row in which parts are in one another: not all of their contacts are known."""
        assert isinstance(self.touching, SpaceTouching)
        depth = np.maximum.accumulate(found.columns.get("depth", np.zeros(len(found))))
        overlap = self.touching.first_overlap(found.columns, UNTOLD * depth) if len(found) else None
        if overlap is None:
            return found
        row, time = overlap.row, float(found.columns["time"][overlap.row])
        one, other = overlap.parts
        return replace(
            found.first_rows(row, time),
            status="stopped",
            why=f"{one} and {other} are in one another by {overlap.depth:.3g}, at t = {time:.9g}: they meet in a way"
            " that is not computed in space",
        )
