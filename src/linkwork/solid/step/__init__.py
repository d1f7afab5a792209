"""STEP files (ISO 10303-21) as assemblies of solids."""

from linkwork.solid.step.assembly import Assembly, Part
from linkwork.solid.step.fault import StepError
from linkwork.solid.step.read import read_step

__all__ = ["Assembly", "Part", "StepError", "read_step"]
