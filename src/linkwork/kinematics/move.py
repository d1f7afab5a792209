"""The verb ``move``: drive a machine over its range."""

from __future__ import annotations

from typing import Any

from linkwork.kinematics.mechanism import Mechanism
from linkwork.kinematics.motion import Motion
from linkwork.model import Machine


def move(machine: Machine | Mechanism, **options: Any) -> Motion:
    """Positions, rates, accelerations and forces while the drives run; options as :meth:`Mechanism.move`.

    >>> from linkwork.model import load
    >>> move(load("four-bar"), steps=36).status
    'complete'
    """
    mechanism = machine if isinstance(machine, Mechanism) else Mechanism(machine)
    return mechanism.move(**options)
