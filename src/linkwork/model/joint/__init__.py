"""The joints, one file each. To add one: a class with ``phi``, decorated by ``joint_type``, and a line here."""

from linkwork.model.field import Coordinates, Flag, Scalar, Text, given
from linkwork.model.joint.base import JOINTS, Joint, Pair, Turn, joint_type
from linkwork.model.joint.belt import Belt
from linkwork.model.joint.cam import Cam
from linkwork.model.joint.constant_velocity import ConstantVelocity
from linkwork.model.joint.coordinate import Coordinate
from linkwork.model.joint.cylindrical import Cylindrical
from linkwork.model.joint.distance import Distance
from linkwork.model.joint.fixed import Fixed
from linkwork.model.joint.gear import Gear
from linkwork.model.joint.planar import Planar
from linkwork.model.joint.point import Point
from linkwork.model.joint.point_on_curve import PointOnCurve
from linkwork.model.joint.point_on_line import PointOnLine
from linkwork.model.joint.point_on_plane import PointOnPlane
from linkwork.model.joint.prismatic import Prismatic
from linkwork.model.joint.rack import Rack
from linkwork.model.joint.revolute import Revolute
from linkwork.model.joint.rolling import Rolling
from linkwork.model.joint.screw import Screw
from linkwork.model.joint.spherical import Spherical
from linkwork.model.joint.universal import Universal

__all__ = [
    "JOINTS",
    "Belt",
    "Cam",
    "ConstantVelocity",
    "Coordinate",
    "Coordinates",
    "Cylindrical",
    "Distance",
    "Fixed",
    "Flag",
    "Gear",
    "Joint",
    "Pair",
    "Planar",
    "Point",
    "PointOnCurve",
    "PointOnLine",
    "PointOnPlane",
    "Prismatic",
    "Rack",
    "Revolute",
    "Rolling",
    "Scalar",
    "Screw",
    "Spherical",
    "Text",
    "Turn",
    "Universal",
    "given",
    "joint_type",
]
