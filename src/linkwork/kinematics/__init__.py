"""Where a machine can be and how it moves: assembly, mobility, sweeps, rates, forces."""

from linkwork.kinematics.analysis import instant_centre, point_path, transmission_angle
from linkwork.kinematics.branches import Branches
from linkwork.kinematics.diagnose import DoesNotAssemble, DriveOutOfReach
from linkwork.kinematics.mechanism import Mechanism, move
from linkwork.kinematics.mobility import Mobility, Redundancy
from linkwork.kinematics.motion import Limit, Motion
from linkwork.kinematics.position import Position
from linkwork.kinematics.summary import Summary, show

__all__ = [
    "Branches",
    "DoesNotAssemble",
    "DriveOutOfReach",
    "Limit",
    "Mechanism",
    "Mobility",
    "Motion",
    "Position",
    "Redundancy",
    "Summary",
    "instant_centre",
    "move",
    "point_path",
    "show",
    "transmission_angle",
]
