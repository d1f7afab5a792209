"""Solids as values, and the readers that make them from files."""

from linkwork.solid.layers import Layer, NotPrismatic, is_prismatic, layers
from linkwork.solid.mass import MassProperties, mass_properties
from linkwork.solid.placement import Placement
from linkwork.solid.polyhedron import Polyhedron
from linkwork.solid.prism import Prism
from linkwork.solid.section import section
from linkwork.solid.separate import Separate, separate_solids
from linkwork.solid.shell import Shell
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
    "Layer",
    "MassProperties",
    "Named",
    "NotPrismatic",
    "Placed",
    "Placement",
    "PlaneFace",
    "Polyhedron",
    "Prism",
    "RoundFace",
    "Separate",
    "Shell",
    "Solid",
    "SolidError",
    "Sphere",
    "SphereFace",
    "TorusFace",
    "Union",
    "is_prismatic",
    "layers",
    "mass_properties",
    "section",
    "separate_solids",
]
