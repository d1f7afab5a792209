"""The motion of a machine between two times that were foreseen: a restart before them, and a simulation in rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from linkwork.contact.islands import one_motion
from linkwork.contact.solution import ContactSolution
from linkwork.foresee.foresight import Foreseen
from linkwork.foresee.recall import led_to
from linkwork.kinematics.arrays import Matrix
from linkwork.simulation import Solution


def replay(islands: Sequence[Foreseen], begin: float, end: float, rows: int) -> Solution:
    """The motion of all islands from one time to another."""
    times: Matrix = np.linspace(begin, end, rows)
    found = [each.course.solution(begin, led_to(each, begin)[0].states[-1], times) for each in islands]
    whole = islands[0].course.whole
    touching = [each for each in found if isinstance(each, ContactSolution)]
    return replace(one_motion(touching) if touching else found[0], machine=whole)
