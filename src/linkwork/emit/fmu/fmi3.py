"""The descriptions of a unit for FMI 3.0: of the model, and of how it is built from its sources."""

from __future__ import annotations

from collections.abc import Iterable

from linkwork.emit.fmu.fmi2 import categories, experiment, meaning, unit_definitions
from linkwork.emit.fmu.variable import Description, Kind, Variable
from linkwork.emit.fmu.xml import HEADING, element

VERSION = "3.0"
SOURCES = ("fmu.c", "fmu_run.c", "fmi3.c", "fmi3_run.c")
HEADERS = ("fmu.h", "fmi3.h")
ALIKE: dict[str, object] = {
    "canBeInstantiatedOnlyOncePerProcess": False,
    "canGetAndSetFMUState": True,
    "canSerializeFMUState": True,
    "providesDirectionalDerivatives": True,
    "providesAdjointDerivatives": True,
}
"""What holds for model exchange and for co-simulation."""


def files(unit: Description) -> dict[str, str]:
    """The descriptions by the names of their files."""
    attributes = {
        "fmiVersion": VERSION,
        "modelName": unit.name,
        "instantiationToken": unit.token,
        "description": unit.title or None,
        "generationTool": unit.tool,
        "variableNamingConvention": unit.naming,
    }
    own: dict[str, object] = {"modelIdentifier": unit.identifier}
    exchange = {**own, "needsCompletedIntegratorStep": unit.has_constraints, **ALIKE}
    step: dict[str, object] = {"canHandleVariableCommunicationStepSize": True, "hasEventMode": False}
    inside = [
        element("ModelExchange", exchange),
        element("CoSimulation", own | step | ALIKE),
        *unit_definitions(unit),
        element("LogCategories", {}, categories()),
        element("DefaultExperiment", experiment(unit)),
        element("ModelVariables", {}, (_variable(*each) for each in enumerate(unit.variables))),
        element("ModelStructure", {}, _structure(unit)),
    ]
    return {
        "modelDescription.xml": HEADING + element("fmiModelDescription", attributes, inside),
        "sources/buildDescription.xml": _build_description(unit),
    }


def _variable(place: int, each: Variable) -> str:
    number = {
        "unit": each.unit or None,
        "min": each.least,
        "max": each.most,
        "start": each.start,
        "derivative": each.rate_of,
    }
    return element("Float64", meaning(place, each) | number)


def _structure(unit: Description) -> Iterable[str]:
    for place in unit.outputs:
        yield _unknown(unit, "Output", place)
    for place in unit.places(Kind.RATE):
        yield _unknown(unit, "ContinuousStateDerivative", place)
    for place in unit.initial_unknowns:
        yield element("InitialUnknown", {"valueReference": place})
    for place in unit.places(Kind.INDICATOR):
        yield _unknown(unit, "EventIndicator", place)


def _unknown(unit: Description, name: str, place: int) -> str:
    needs = " ".join(map(str, unit.variables[place].needs))
    return element(name, {"valueReference": place, "dependencies": needs})


def _build_description(unit: Description) -> str:
    sources = [element("SourceFile", {"name": name}) for name in unit.sources]
    configuration = element(
        "BuildConfiguration",
        {"modelIdentifier": unit.identifier},
        [
            element("SourceFileSet", {"language": "C99"}, sources),
            element("Library", {"name": "m"}),
        ],
    )
    return HEADING + element("fmiBuildDescription", {"fmiVersion": VERSION}, [configuration])
