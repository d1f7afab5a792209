"""The constraints of drawings; ``constraint_type`` enters a new one."""

from linkwork.model.constraint.base import CONSTRAINTS, Constraint, constraint_type
from linkwork.model.constraint.direction import Angle, Horizontal, Parallel, Perpendicular, Vertical
from linkwork.model.constraint.distance import Distance, Equal, Radius, Ratio
from linkwork.model.constraint.incidence import Coincident, Fixed, Midpoint, On, Symmetric, Tangent

__all__ = [
    "CONSTRAINTS",
    "Angle",
    "Coincident",
    "Constraint",
    "Distance",
    "Equal",
    "Fixed",
    "Horizontal",
    "Midpoint",
    "On",
    "Parallel",
    "Perpendicular",
    "Radius",
    "Ratio",
    "Symmetric",
    "Tangent",
    "Vertical",
    "constraint_type",
]
