"""The forces, one file each; ``force_type`` enters a new one."""

from linkwork.model.force.base import FORCES, Carrier, Force, Load, force_type
from linkwork.model.force.push import Push
from linkwork.model.force.slide_spring import SlideSpring
from linkwork.model.force.spring import Spring
from linkwork.model.force.torque import Torque, TorsionSpring

__all__ = [
    "FORCES",
    "Carrier",
    "Force",
    "Load",
    "Push",
    "SlideSpring",
    "Spring",
    "Torque",
    "TorsionSpring",
    "force_type",
]
