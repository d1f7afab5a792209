"""What a simulation with contacts found, besides the motion: events, forces, and which parts hang together when."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.contact.departures import Departure, departures, rows_with_the_machine
from linkwork.contact.event_log import Unlisted
from linkwork.contact.events import ToldEvents
from linkwork.contact.losses import energy_lost
from linkwork.contact.spans import (
    Pair,
    PairSummary,
    Span,
    Together,
    held_spans,
    pair_summaries,
    together,
)
from linkwork.kinematics.arrays import Matrix
from linkwork.model.solids import plane_directions
from linkwork.simulation.solution import Solution

if TYPE_CHECKING:
    from linkwork.contact.left_out import LeftOut


@dataclass(frozen=True, eq=False, repr=False)
class ContactSolution(Solution):
    """A motion with contacts. ``events`` tell of impacts and of contacts that begin and end."""

    events: ToldEvents = field(default_factory=lambda: ToldEvents(()))
    model: str = "rigid"
    touches: Matrix = field(default_factory=lambda: np.zeros((0, 0, 0)))
    """For each row and each contact that holds: which pair (or -1), where, and the force on the first of it."""
    pairs: tuple[tuple[str, str], ...] = ()
    """The parts of each pair."""
    variables: tuple[str, ...] = ()
    """The columns that say where all parts are: the others follow from them."""
    unlisted: Unlisted[Pair] | None = None
    """Where there are more than can be kept: events between the first and the last ones, which are not told."""
    left_out: tuple[LeftOut, ...] = ()
    """Parts that may touch without that being computed; in no row do they."""

    def about(self) -> dict[str, Any]:
        """How it went, as plain data."""
        told, axes = super().about(), plane_directions(self.machine)
        return {
            "contact": self.model,
            **told,
            "error": None,
            "accurate": None,
            "energy": {**told["energy"], "lost": self.lost},
            "contacts": [each.to_json() for each in self.touched],
            "subsystems": [each.to_json() for each in self.together],
            **({} if self.unlisted is None else {"unlisted": self.unlisted.to_json()}),
            **({} if axes is None else {"axes": axes}),
            **({"departed": [each.to_json() for each in self.departed]} if self.departed else {}),
            **({"left_out": [each.to_json() for each in self.left_out]} if self.left_out else {}),
        }

    @property
    def energy(self) -> dict[str, Matrix]:
        """Kinetic, potential and total energy of each row; of elastic parts also what their contacts store."""
        found = super().energy
        if "contact" not in self.columns:
            return found
        stored = self.columns["contact"]
        return {**found, "contact": stored, "total": found["total"] + stored}

    @cached_property
    def lost(self) -> dict[str, float]:
        """Where energy went: into ``impacts``, into ``sliding`` contacts, and ``other``."""
        return energy_lost(self)

    @cached_property
    def departed(self) -> list[Departure]:
        """Parts that have left the machine for good."""
        return departures(self)

    def first_rows(self, rows: int, before: float) -> ContactSolution:
        """The same up to a row, with the events before a time."""
        return replace(
            self,
            columns={name: column[:rows] for name, column in self.columns.items()},
            events=self.events.before(before),
            states=self.states[:rows],
            touches=self.touches[:rows],
        )

    def while_in_sight(self) -> ContactSolution:
        """The same up to where all that moves has left the machine, if it does."""
        rows = rows_with_the_machine(self)
        return self if rows == len(self) else self.first_rows(rows, float(self.times[rows]))

    @property
    def whole(self) -> Span:
        """From the first row to the last."""
        return Span(float(self.times[0]), float(self.times[-1]))

    @cached_property
    def held(self) -> dict[Pair, list[Span]]:
        """When each two parts touched."""
        return held_spans(self.events, self.whole.end, self.unlisted)

    @cached_property
    def together(self) -> list[Together]:
        """The moving parts in groups that push one another, from when to when."""
        return together(self.held, self.machine.moving, self.whole)

    @cached_property
    def touched(self) -> list[PairSummary]:
        """What each two parts that touched had to do with each other."""
        columns = {pair: self.columns.get("{}.on.{}".format(*pair)) for pair in {*self.pairs}}
        forces = {pair: float(each.max()) for pair, each in columns.items() if each is not None}
        more = {} if self.unlisted is None else self.unlisted.struck
        return pair_summaries(self.events, self.held, forces, more)

    def contacts(self, row: int) -> list[dict[str, Any]]:
        """The contacts that hold in a row: parts, place, and the force on the first part."""
        return [
            {
                "parts": list(self.pairs[int(pair)]),
                "point": numbers[: len(numbers) // 2],
                "force": numbers[len(numbers) // 2 :],
            }
            for pair, *numbers in self.touches[row].tolist()
            if pair >= 0
        ]

    def subsystems(self, row: int) -> list[list[str]]:
        """The moving parts in groups that push one another in a row."""
        groups = [{part} for part in self.machine.moving]
        for contact in self.contacts(row):
            touched = [group for group in groups if group & {*contact["parts"]}]
            if len(touched) > 1:
                groups = [group for group in groups if group not in touched] + [set().union(*touched)]
        order = list(self.machine.moving)
        return sorted((sorted(group, key=order.index) for group in groups), key=lambda g: order.index(g[0]))
