"""The description of a unit for FMI 2.0."""

from __future__ import annotations

from collections.abc import Iterable

from linkwork.emit.fmu.units import base_unit
from linkwork.emit.fmu.variable import Description, Kind, Variable
from linkwork.emit.fmu.xml import HEADING, element

VERSION = "2.0"
SOURCES = ("fmu.c", "fmu_run.c", "fmi2.c", "fmi2_run.c")
HEADERS = ("fmu.h", "fmi2.h")
ALIKE: dict[str, object] = {
    "canBeInstantiatedOnlyOncePerProcess": False,
    "canNotUseMemoryManagementFunctions": False,
    "canGetAndSetFMUstate": True,
    "canSerializeFMUstate": True,
    "providesDirectionalDerivative": True,
}
"""What holds for model exchange and for co-simulation."""
CATEGORIES = {
    "logStatusError": "calls that were refused, and motions that cannot begin",
    "logStatusDiscard": "steps that could not be completed, values beyond their range",
    "logAll": "everything",
}
"""The categories of messages."""

_CAUSALITY = {
    Kind.TIME: "independent",
    Kind.PARAMETER: "parameter",
    Kind.FOLLOWING: "calculatedParameter",
    Kind.INPUT: "input",
    Kind.OUTPUT: "output",
}


def files(unit: Description) -> dict[str, str]:
    """The description by the name of its file."""
    attributes = {
        "fmiVersion": VERSION,
        "modelName": unit.name,
        "guid": unit.token,
        "description": unit.title or None,
        "generationTool": unit.tool,
        "variableNamingConvention": unit.naming,
        "numberOfEventIndicators": len(unit.places(Kind.INDICATOR)),
    }
    sources = element("SourceFiles", {}, [element("File", {"name": name}) for name in unit.sources])
    own: dict[str, object] = {"modelIdentifier": unit.identifier}
    exchange = {**own, "completedIntegratorStepNotNeeded": not unit.has_constraints, **ALIKE}
    step: dict[str, object] = {"canHandleVariableCommunicationStepSize": True}
    inside = [
        element("ModelExchange", exchange, [sources]),
        element("CoSimulation", own | step | ALIKE, [sources]),
        *unit_definitions(unit),
        element("LogCategories", {}, categories()),
        element("DefaultExperiment", experiment(unit)),
        element("ModelVariables", {}, (_variable(*each) for each in enumerate(unit.variables))),
        element("ModelStructure", {}, _structure(unit)),
    ]
    return {"modelDescription.xml": HEADING + element("fmiModelDescription", attributes, inside)}


def unit_definitions(unit: Description) -> list[str]:
    """The units that are used, with what they are in base units where that is known."""
    found = []
    for name in unit.units:
        base = base_unit(name)
        inside = [] if base is None else [element("BaseUnit", base.attributes)]
        found.append(element("Unit", {"name": name}, inside))
    return [element("UnitDefinitions", {}, found)] if found else []


def categories() -> list[str]:
    """The categories of messages."""
    return [element("Category", {"name": name, "description": about}) for name, about in CATEGORIES.items()]


def experiment(unit: Description) -> dict[str, object]:
    """When the machine runs, and how accurately."""
    return {"startTime": unit.start, "stopTime": unit.stop, "tolerance": unit.tolerance}


def meaning(place: int, each: Variable) -> dict[str, object]:
    """Name, description, and the attributes that tell what a variable is and how it starts."""
    causality = _CAUSALITY.get(each.kind, "output" if each.is_output else "local")
    fixed = each.kind in (Kind.PARAMETER, Kind.FOLLOWING)
    initial = None if each.kind in (Kind.TIME, Kind.INPUT) else "exact"
    if each.is_computed_at_start:
        initial = "calculated" if each.start is None else "approx"
    return {
        "name": each.name,
        "valueReference": place,
        "description": each.about or None,
        "causality": causality,
        "variability": "fixed" if fixed else "continuous",
        "initial": initial,
    }


def _variable(place: int, each: Variable) -> str:
    number = {
        "unit": each.unit or None,
        "min": each.least,
        "max": each.most,
        "start": each.start,
        "derivative": None if each.rate_of is None else each.rate_of + 1,
    }
    return element("ScalarVariable", meaning(place, each), [element("Real", number)])


def _structure(unit: Description) -> Iterable[str]:
    rates = unit.places(Kind.RATE)
    for name, places in (("Outputs", unit.outputs), ("Derivatives", rates)):
        if places:
            yield element(name, {}, (_unknown(unit, place) for place in places))
    if unknown := unit.initial_unknowns:
        yield element("InitialUnknowns", {}, (element("Unknown", {"index": place + 1}) for place in unknown))


def _unknown(unit: Description, place: int) -> str:
    needs = " ".join(str(other + 1) for other in unit.variables[place].needs)
    return element("Unknown", {"index": place + 1, "dependencies": needs})
