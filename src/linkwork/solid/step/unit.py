"""Units of a STEP file: how long its lengths are and what its angles mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from linkwork.solid.step.fault import StepError
from linkwork.solid.step.record import Record

PREFIXES: Final = {
    "EXA": 18, "PETA": 15, "TERA": 12, "GIGA": 9, "MEGA": 6, "KILO": 3, "HECTO": 2, "DECA": 1, "DECI": -1,
    "CENTI": -2, "MILLI": -3, "MICRO": -6, "NANO": -9, "PICO": -12, "FEMTO": -15, "ATTO": -18,
}  # fmt: skip
"""Powers of ten."""
METRES: Final = {
    "m": 1.0, "mm": 0.001, "cm": 0.01, "um": 1e-6, "km": 1000.0, "dm": 0.1, "inch": 0.0254, "foot": 0.3048,
}  # fmt: skip
"""Units that a result may be asked for in, in metres."""
SHORT: Final = {"MILLI": "mm", "CENTI": "cm", "MICRO": "um", "KILO": "km", "DECI": "dm", "": "m"}
USUAL: Final = {
    "inches": "inch", "in": "inch", "ft": "foot", "feet": "foot", "metre": "m", "meter": "m", "millimetre": "mm",
    "millimeter": "mm", "centimetre": "cm", "centimeter": "cm",
}  # fmt: skip
"""How we call units that files call otherwise."""
DEEPEST: Final = 8
"""Units that are defined by other units."""


@dataclass(frozen=True)
class Unit:
    """A unit by its name and its size in metres or radians."""

    name: str
    size: float


@dataclass(frozen=True)
class Units:
    """What a length and an angle of a representation mean, and how exact its lengths are, in its own unit."""

    length: Unit
    angle: Unit
    uncertainty: float
    is_assumed: bool = False
    """Whether the file does not say which unit of length it has."""


def wanted_unit(name: str) -> Unit:
    """A unit of length by the name that a user gives."""
    if name not in METRES:
        raise StepError(
            f"{name!r} is no unit of length", wanted=", ".join(METRES), fix='read_step(path, unit="mm")'
        )
    return Unit(name, METRES[name])


def units_of(context: Record, assumed: str = "") -> Units:
    """The units of a representation's context; ``assumed`` is the unit of length where it says none."""
    length, angle = None, Unit("radian", 1.0)
    if "GLOBAL_UNIT_ASSIGNED_CONTEXT" in context.parts:
        for unit in context.part("GLOBAL_UNIT_ASSIGNED_CONTEXT").records(0):
            if _measures(unit, "LENGTH_UNIT"):
                length = _unit(unit, "METRE")
            elif _measures(unit, "PLANE_ANGLE_UNIT"):
                angle = _unit(unit, "RADIAN")
    is_assumed = length is None
    if length is None:
        if not assumed:
            context.fail(
                "this file does not say in which unit its lengths are",
                wanted="a GLOBAL_UNIT_ASSIGNED_CONTEXT with a LENGTH_UNIT",
                fix='read_step(path, assume="mm") if you know it',
            )
        length = wanted_unit(assumed)
    return Units(length, angle, _uncertainty(context), is_assumed)


def _measures(unit: Record, kind: str) -> bool:
    return kind in unit.parts or any(kind in each and each != kind for each in unit.parts)


def _unit(unit: Record, base: str) -> Unit:
    """The size of a unit, through those that it is made of."""
    factor, name = 1.0, ""
    for _ in range(DEEPEST):
        if "SI_UNIT" in unit.parts:
            return _si_unit(unit, base, factor, name)
        if not any("CONVERSION_BASED_UNIT" in kind for kind in unit.parts):
            unit.fail(
                "this unit is not known",
                wanted="SI_UNIT or CONVERSION_BASED_UNIT",
                fix="export the file in millimetres",
            )
        kind = next(kind for kind in unit.parts if "CONVERSION_BASED_UNIT" in kind)
        given = unit.part(kind)
        name = name or given.text(0).lower()
        measure = given.record(1)
        if "MEASURE_WITH_UNIT" in measure.parts:
            measure = measure.part("MEASURE_WITH_UNIT")
        size = measure.number_at(0)
        if not size > 0:
            measure.fail("a unit has no size", wanted="a positive number")
        factor *= size
        unit = measure.record(1)
    unit.fail("units are defined by each other in a circle", wanted="an SI_UNIT at the end")


def _si_unit(unit: Record, base: str, factor: float, name: str) -> Unit:
    given = unit.part("SI_UNIT")
    words = [each.word for each in given.values if hasattr(each, "word")]
    if not words or words[-1] != base:
        unit.fail("this unit does not measure what it should", wanted=f".{base}.")
    prefix = words[0] if len(words) > 1 else ""
    if prefix and prefix not in PREFIXES:
        unit.fail(f"the prefix {prefix} is not known", wanted=", ".join(PREFIXES))
    size = factor * 10.0 ** PREFIXES.get(prefix, 0)
    if not math.isfinite(size):
        unit.fail("a unit is too large", wanted="a finite size")
    written = USUAL.get(name, name)
    return Unit(
        written or (SHORT.get(prefix, f"{prefix.lower()}metre") if base == "METRE" else "radian"), size
    )


def _uncertainty(context: Record) -> float:
    if "GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT" not in context.parts:
        return 0.0
    found = 0.0
    for measure in context.part("GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT").records(0):
        own = measure.parts.get("UNCERTAINTY_MEASURE_WITH_UNIT", ())
        value = own[0] if own else None
        sizes = getattr(value, "values", (value,))
        if (
            sizes
            and isinstance(sizes[0], float)
            and sizes[0] > 0
            and "LENGTH" in getattr(value, "kind", "LENGTH")
        ):
            found = max(found, sizes[0])
    return found
