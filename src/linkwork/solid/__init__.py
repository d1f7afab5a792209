"""Solids as values, and the readers that make them from files."""

from linkwork.solid.placement import Placement
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace, TorusFace
from linkwork.solid.values import (
    EMPTY,
    Block,
    Cone,
    Cylinder,
    Difference,
    Intersection,
    Named,
    Placed,
    Solid,
    SolidError,
    Sphere,
    Union,
)

__all__ = [
    "EMPTY",
    "Block",
    "Cone",
    "Cylinder",
    "Difference",
    "Face",
    "Intersection",
    "Named",
    "Placed",
    "Placement",
    "PlaneFace",
    "RoundFace",
    "Solid",
    "SolidError",
    "Sphere",
    "SphereFace",
    "TorusFace",
    "Union",
]
