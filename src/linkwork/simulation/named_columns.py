"""Columns by the names that people think in: ``drawer.displacement`` of a solution that has the places of parts.

The columns of a simulation are the coordinates of parts, in space with quaternions. What a joint measures follows from
them in each row. So it is computed where it is asked for, by the name of the joint or of the part whose own it is.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from linkwork.algebra import evaluate, free_symbols
from linkwork.dynamics.specification import Specification
from linkwork.kinematics.arrays import Matrix
from linkwork.model.drive import CLOCK
from linkwork.model.joint import Turn
from linkwork.model.machine import Machine
from linkwork.model.world import World


def named_column(machine: Machine, columns: Mapping[str, Matrix], name: str) -> Matrix | None:
    """The values of a coordinate of a joint, or of a part's own joint, in all rows; None if there is none.

    Angles known by their sine and cosine go on from row to row by less than half a turn.
    """
    owner, _, which = name.rpartition(".")
    if owner not in machine.joints and owner not in machine.moving:
        return None
    lines = Specification.of(machine).lines
    joint = owner if owner in machine.joints else lines.own_joint(owner, which)
    measure = lines.measured(joint).get(which) if joint else None
    if measure is None:
        return None
    told = lines.expanded([*measure] if isinstance(measure, Turn) else [measure])
    values = machine.values()
    known = {**columns, CLOCK.name: columns["time"]}
    leaves = {leaf.name for leaf in free_symbols(*told)}
    if not leaves <= {*known, *values}:
        return None
    varying = {key: known[key].tolist() for key in leaves & {*known}}
    rows = np.array(
        [
            evaluate(told, {**values, **{key: column[row] for key, column in varying.items()}})
            for row in range(len(columns["time"]))
        ]
    )
    return np.unwrap(np.arctan2(rows[:, 0], rows[:, 1])) if isinstance(measure, Turn) else rows[:, 0]


def joint_names(lines: World) -> list[str]:
    """The names of all that joints measure, first by the parts that have it as their own."""
    found = [f"{joint}.{which}" for joint in lines.machine.joints for which in lines.measured(joint)]
    words = dict.fromkeys(name.rpartition(".")[2] for name in found)
    parts = lines.machine.moving
    return [*(f"{part}.{word}" for part in parts for word in words if lines.own_joint(part, word)), *found]
