"""Functional mock-up units of test machines, and instances of both versions of FMI with the same calls."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from target_programs import DOUBLE_PENDULUM, MIXED_ORDERS, ORDER_ZERO, machine_of

from linkwork import Machine, load, synthesise
from linkwork.emit.compiler import find_compiler

TARGETS = ("fmu2", "fmu3")

UNUSED_BRAKE = MIXED_ORDERS + "[control.brake]\nrange = [0, 3]\n"
"""Variables of order zero, one and two; a control that nobody uses."""


def mass_on_spring(name: str, start: float) -> Machine:
    """A mass with a spring of its own to the ground, and a pull from outside."""
    return machine_of(
        f"""
linkwork = 1
dimension = 3
[parameter]
m = 1.5
k = 40
[control.pull]
range = [-100, 100]
[frame.mass]
varies = ["tx"]
at = [{start}, 0, 0]
mass = "m"
[force.all]
type = "force"
at = "mass"
force = ["pull - k*mass.tx", 0, 0]
""",
        name,
    )


PUSHED = """
linkwork = 1
dimension = 3
[parameter]
wall = 1
[frame.bead]
varies = ["tx"]
mass = 1
[force.push]
type = "force"
at = "bead"
force = ["select(bead.tx > wall, -3, 2) + max(1 - wall, 0)", 0, 0]
"""
"""A bead that is pushed to the right, and behind x = 1 to the left."""

MACHINES = {
    "double pendulum": lambda: replace(
        machine_of(DOUBLE_PENDULUM, "2 pendula"), title="<script>alert('two')</script> & \"rods\""
    ),
    "mixed orders": lambda: machine_of(UNUSED_BRAKE, "mixed"),
    "order zero": lambda: machine_of(ORDER_ZERO, "double"),
    "pushed": lambda: machine_of(PUSHED, "pushed"),
    "left mass": lambda: mass_on_spring("left", 0.3),
    "right mass": lambda: mass_on_spring("right", -0.1),
    "falling": lambda: machine_of(
        MIXED_ORDERS.replace("push*throttle - 0.1*cart.vx", "-1.7/cart.x^2"), "falling"
    ),
    "steered": lambda: machine_of(
        MIXED_ORDERS.replace("velocity(cart).x/r", "throttle*velocity(cart).x/r"), "steered"
    ),
    "stiff": lambda: machine_of(MIXED_ORDERS.replace("- 0.1*cart.vx", "- 20000*cart.vx"), "stiff"),
}
"""What is built here; other names are those of examples."""


@cache
def machine(name: str) -> Machine:
    """A machine by its name."""
    return MACHINES[name]() if name in MACHINES else load(name)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where units are until the process ends."""
    return tempfile.TemporaryDirectory(prefix="linkwork-fmu-", ignore_cleanup_errors=True)


@cache
def unit(name: str, target: str) -> str:
    """The file of a unit with a library."""
    if find_compiler() is None:
        pytest.skip("there is no C compiler on this machine")
    path = Path(_folder().name) / target / name / f"{name.replace(' ', '-')}.fmu"
    path.parent.mkdir(parents=True)
    synthesise(machine(name), target).save(path)
    return str(path)


@cache
def unpacked(path: str) -> tuple[Any, str]:
    """The description of a unit, and the folder in which it lies unpacked."""
    import fmpy

    return fmpy.read_model_description(path), fmpy.extract(path, str(Path(path).parent / "unpacked"))


class Instance:
    """An instance of a unit, called in the same way for both versions; ``told`` are its messages."""

    def __init__(self, name: str, target: str, kind: str = "co-simulation", instance: str = "one") -> None:
        from fmpy import fmi2, fmi3

        self.is_fmi2 = target == "fmu2"
        self.description, folder = unpacked(unit(name, target))
        self.references = {each.name: each.valueReference for each in self.description.modelVariables}
        self.told: list[str] = []
        is_exchange = kind == "model exchange"
        classes = {
            ("fmu2", True): fmi2.FMU2Model,
            ("fmu2", False): fmi2.FMU2Slave,
            ("fmu3", True): fmi3.FMU3Model,
            ("fmu3", False): fmi3.FMU3Slave,
        }
        part = self.description.modelExchange if is_exchange else self.description.coSimulation
        self.fmu = classes[target, is_exchange](
            guid=self.description.guid,
            unzipDirectory=folder,
            modelIdentifier=part.modelIdentifier,
            instanceName=instance,
        )
        if self.is_fmi2:
            self._callbacks = fmi2.fmi2CallbackFunctions(
                logger=fmi2.fmi2CallbackLoggerTYPE(self._log2),
                allocateMemory=fmi2.fmi2CallbackAllocateMemoryTYPE(fmi2.calloc),
                freeMemory=fmi2.fmi2CallbackFreeMemoryTYPE(fmi2.free),
            )
            self.fmu.instantiate(callbacks=self._callbacks)
        else:
            self.fmu.instantiate(logMessage=self._log3)

    def _log2(self, _: Any, instance: bytes, status: int, category: bytes, message: bytes) -> None:
        self.told.append(message.decode())

    def _log3(self, _: Any, status: int, category: bytes, message: bytes) -> None:
        self.told.append(message.decode())

    def enter(
        self, start: float = 0.0, tolerance: float | None = None, stop: float | None = None
    ) -> Instance:
        """Into initialization mode."""
        if self.is_fmi2:
            self.fmu.setupExperiment(tolerance=tolerance, startTime=start, stopTime=stop)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(tolerance=tolerance, startTime=start, stopTime=stop)
        return self

    def begin(
        self, start: float = 0.0, tolerance: float | None = None, stop: float | None = None
    ) -> Instance:
        """Through initialization."""
        self.enter(start, tolerance, stop)
        self.fmu.exitInitializationMode()
        return self

    def step(self, time: float, size: float) -> None:
        """One step of co-simulation."""
        self.fmu.doStep(currentCommunicationPoint=time, communicationStepSize=size)

    def get(self, *names: str) -> list[float]:
        """Values by name."""
        read = self.fmu.getReal if self.is_fmi2 else self.fmu.getFloat64
        return list(read([self.references[name] for name in names]))

    def set(self, values: Mapping[str, float]) -> None:
        """Set values by name."""
        write = self.fmu.setReal if self.is_fmi2 else self.fmu.setFloat64
        write([self.references[name] for name in values], list(values.values()))

    def outputs(self) -> list[float]:
        """All outputs."""
        return self.get(*self.output_names)

    @property
    def output_names(self) -> list[str]:
        """The names of all outputs."""
        return [each.name for each in self.description.modelVariables if each.causality == "output"]

    @property
    def state_names(self) -> list[str]:
        """The names of the continuous states."""
        return [each.variable.derivative.name for each in self.description.derivatives]

    def states(self) -> list[float]:
        """The continuous states."""
        found = (ctypes.c_double * len(self.state_names))()
        self.fmu.getContinuousStates(found, len(found))
        return list(found)

    def set_states(self, values: Sequence[float]) -> None:
        """Set the continuous states."""
        self.fmu.setContinuousStates((ctypes.c_double * len(values))(*values), len(values))

    def rates(self) -> list[float]:
        """Their rates."""
        found = (ctypes.c_double * len(self.state_names))()
        read = self.fmu.getDerivatives if self.is_fmi2 else self.fmu.getContinuousStateDerivatives
        read(found, len(found))
        return list(found)

    def update(self) -> bool:
        """An event; whether states have changed."""
        done = self.fmu.newDiscreteStates() if self.is_fmi2 else self.fmu.updateDiscreteStates()
        return bool(done[3])

    def along(self, unknown: Sequence[str], known: Sequence[str], seed: Sequence[float]) -> list[float]:
        """Directional derivatives by name."""
        places = [[self.references[name] for name in names] for names in (unknown, known)]
        return list(self.fmu.getDirectionalDerivative(*places, seed))

    def adjoint(self, unknown: Sequence[str], known: Sequence[str], seed: Sequence[float]) -> list[float]:
        """Adjoint derivatives by name, of FMI 3.0."""
        places = [[self.references[name] for name in names] for names in (unknown, known)]
        return list(self.fmu.getAdjointDerivative(*places, seed, nSensitivity=len(known)))

    def saved(self) -> bytes:
        """Its state in bytes."""
        if self.is_fmi2:
            state = self.fmu.getFMUstate()
            found = self.fmu.serializeFMUstate(state)
            self.fmu.freeFMUstate(state)
        else:
            state = self.fmu.getFMUState()
            found = self.fmu.serializeFMUState(state)
            self.fmu.freeFMUState(state)
        return bytes(found)

    def restore(self, content: bytes) -> None:
        """Back to a state."""
        if self.is_fmi2:
            state = self.fmu.deSerializeFMUstate(content)
            self.fmu.setFMUstate(state)
            self.fmu.freeFMUstate(state)
        else:
            state = self.fmu.deserializeFMUState(content)
            self.fmu.setFMUState(state)
            self.fmu.freeFMUState(state)
