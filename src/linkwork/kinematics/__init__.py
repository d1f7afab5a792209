"""Where a machine can be and how it moves: assembly, mobility, sweeps, rates, forces."""

from typing import TYPE_CHECKING

from linkwork.later import later

if TYPE_CHECKING:
    from linkwork.kinematics.analysis import instant_centre, point_path, transmission_angle
    from linkwork.kinematics.branches import Branches
    from linkwork.kinematics.diagnose import DoesNotAssemble, DriveOutOfReach
    from linkwork.kinematics.driving import driven, independent, move
    from linkwork.kinematics.mechanism import Mechanism
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
    "driven",
    "independent",
    "instant_centre",
    "move",
    "point_path",
    "show",
    "transmission_angle",
]

__getattr__ = later(
    __name__,
    {
        "linkwork.kinematics.analysis": "instant_centre point_path transmission_angle",
        "linkwork.kinematics.branches": "Branches",
        "linkwork.kinematics.diagnose": "DoesNotAssemble DriveOutOfReach",
        "linkwork.kinematics.driving": "driven independent move",
        "linkwork.kinematics.mechanism": "Mechanism",
        "linkwork.kinematics.mobility": "Mobility Redundancy",
        "linkwork.kinematics.motion": "Limit Motion",
        "linkwork.kinematics.position": "Position",
        "linkwork.kinematics.summary": "Summary show",
    },
)
