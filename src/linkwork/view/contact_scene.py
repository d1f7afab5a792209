"""What pictures and pages show of contacts: where parts push each other, and from when to when."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from linkwork.contact import ContactSolution
from linkwork.contact.spans import IMPACTS
from linkwork.view.scene import Bars, Push

MOST_MOMENTS = 2000
"""Impacts that are marked on a bar: no screen tells more of them apart."""


def pushes_of(solution: ContactSolution, rows: Iterable[int]) -> list[list[Push]]:
    """The contacts in rows."""
    return [
        [
            Push((each["parts"][0], each["parts"][1]), tuple(each["point"]), tuple(each["force"]))
            for each in solution.contacts(int(row))
        ]
        for row in rows
    ]


def bars_of(solution: ContactSolution) -> list[Bars]:
    """Who touched whom from when to when, with impacts as moments."""
    found = []
    for pair in solution.touched:
        moments = [
            event["t"]
            for event in solution.events
            if event["kind"] in IMPACTS and tuple(event["parts"]) == pair.parts
        ]
        if len(moments) > MOST_MOMENTS:
            places = np.linspace(0, len(moments) - 1, MOST_MOMENTS).round().astype(int)
            moments = [moments[place] for place in places]
        found.append(Bars(" / ".join(pair.parts), tuple(pair.spans), tuple(moments)))
    return found


def coordinate_columns(solution: ContactSolution) -> list[str]:
    """The coordinates that say where parts are, of those that change."""
    return [name for name in solution.variables if _changes(solution, name)]


def force_columns(solution: ContactSolution) -> list[str]:
    """The forces between parts that touched."""
    names = ["{}.on.{}".format(*pair.parts) for pair in solution.touched]
    return [name for name in names if name in solution.columns and _changes(solution, name)]


def _changes(solution: ContactSolution, name: str) -> bool:
    column = solution.columns.get(name)
    return column is not None and float(column.max() - column.min()) > 1e-9 * max(
        1.0, float(abs(column).max())
    )
