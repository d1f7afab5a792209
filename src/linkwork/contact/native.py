"""Contacts in native code: a machine's shapes and program, and runs of its models."""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final, Protocol

import numpy as np

from linkwork.contact.shapes import Outline, packed
from linkwork.dynamics.synthesis import Synthesis
from linkwork.emit.compiler import load_library
from linkwork.emit.runtime import runtime_library
from linkwork.kinematics.arrays import Matrix
from linkwork.simulation.native import NativeMachine, Started

_POINTER: Final = ctypes.c_void_p
ROW_ENERGIES: Final = 3
ROOM: Final = 4096
"""Events of one slice of a run."""
MOST_EVENTS: Final = 2 * 10**7
"""Of one run: where more are to be expected, it is given up."""
SOME_EVENTS: Final = 10**5
"""After so many it is judged how many there will be."""
TOO_LONG: Final = 7
"""The status of a run that was given up."""
FULL: Final = 1
"""The status of a slice that ended for want of room for events."""


@dataclass(frozen=True)
class Couple:
    """Two outlines that may touch, and how their parts are joined: 0 apart, 1 by a hinge, 2 by a slide."""

    outlines: tuple[int, int]
    joined: int = 0
    axis: tuple[float, float] = (0.0, 0.0)
    friction: float = 0.0
    restitution: float = 0.0
    stiffness: float = 1.0
    damping: float = 0.0
    """By depth and its rate."""


@dataclass(frozen=True, eq=False)
class Shapes:
    """The outlines of all bodies and which of them may touch."""

    bodies: int
    outlines: tuple[Outline, ...]
    body_of: tuple[int, ...]
    couples: tuple[Couple, ...]
    size: float


@dataclass(frozen=True, eq=False)
class ContactRun:
    """What a run found: as many rows as were reached, the events, and its statistics."""

    status: int
    states: Matrix
    outputs: Matrix
    touches: Matrix
    events: Matrix
    steps: int
    rejected: int
    evaluations: int
    impacts: int
    reached: float
    residual: float
    step_status: int
    seconds: float
    """Of the processor."""
    energies: Matrix
    """Of elastic contacts in each row: what is stored in them and what they took so far, and the depth."""
    blamed: int = -1
    """The couple of elastic parts whose contact changed last, or for which the run ended."""


def rigid_runtime(before: str = "") -> ctypes.CDLL:
    """The engine, compiled; ``before`` stands before its text and may choose that of space."""
    library = load_library(
        before + runtime_library("contacts"),
        optimise="-O3",
        extra_flags=("-fno-semantic-interposition",),
    )
    library.lw_rigid_bytes.restype = ctypes.c_size_t
    library.lw_row_room.argtypes = [_POINTER]
    library.lw_rigid_doubles.restype = ctypes.c_size_t
    library.lw_rigid_doubles.argtypes = [_POINTER] * 2
    library.lw_rigid_begin.restype = None
    library.lw_rigid_begin.argtypes = [*[_POINTER] * 8, *[ctypes.c_double] * 2, *[_POINTER] * 2]
    library.lw_rigid_run.argtypes = [_POINTER, ctypes.c_long, *[_POINTER] * 4, ctypes.c_long, *[_POINTER] * 2]
    library.lw_rigid_statistics.restype = None
    library.lw_rigid_statistics.argtypes = [_POINTER] * 2
    return library


@cache
def _runtime() -> ctypes.CDLL:
    library = rigid_runtime()
    library.lw_shapes_bytes.restype = ctypes.c_size_t
    library.lw_shapes_bytes.argtypes = [ctypes.c_int] * 2
    library.lw_shapes_fill.restype = _POINTER
    library.lw_shapes_fill.argtypes = [_POINTER, *[ctypes.c_int] * 3, ctypes.c_double, *[_POINTER] * 6]
    library.lw_couple_apart_all.restype = None
    library.lw_couple_apart_all.argtypes = [
        _POINTER, ctypes.c_int, ctypes.c_long, _POINTER, _POINTER, ctypes.c_double, *[_POINTER] * 3,
    ]  # fmt: skip
    library.lw_elastic_bytes.restype = ctypes.c_size_t
    library.lw_elastic_begin.restype = None
    library.lw_elastic_begin.argtypes = library.lw_rigid_begin.argtypes
    library.lw_elastic_run.argtypes = [
        _POINTER,
        ctypes.c_long,
        *[_POINTER] * 5,
        ctypes.c_long,
        *[_POINTER] * 2,
    ]
    library.lw_elastic_blamed.argtypes = [_POINTER]
    return library


class InMemory(Protocol):
    """Shapes in the memory of an engine, that of the plane or that of space."""

    dimension: ClassVar[int]
    tangents: ClassVar[int]
    """Numbers that tell of a force along a face."""
    library: ctypes.CDLL
    pointer: int


class NativeShapes:
    """Shapes in the memory of the engine."""

    dimension: ClassVar[int] = 2
    tangents: ClassVar[int] = 1

    def __init__(self, shapes: Shapes) -> None:
        self.library = library = _runtime()
        features, cells, places, circles = packed(shapes.outlines)
        self._kept = (
            features,
            cells,
            np.ascontiguousarray(np.column_stack([np.array(shapes.body_of, np.intc), places]), np.intc),
            circles,
            np.array([[*each.outlines, each.joined] for each in shapes.couples], np.intc).reshape(-1, 3),
            np.array(
                [
                    [*each.axis, each.friction, each.restitution, each.stiffness, each.damping]
                    for each in shapes.couples
                ],
                float,
            ).reshape(-1, 6),
        )
        counts = (len(shapes.outlines), len(shapes.couples))
        self._memory = np.zeros(library.lw_shapes_bytes(*counts), np.uint8)
        self.pointer = library.lw_shapes_fill(
            self._memory.ctypes.data,
            shapes.bodies,
            *counts,
            shapes.size,
            *(each.ctypes.data for each in self._kept),
        )
        self.bodies = shapes.bodies

    def apart(self, couple: int, first: Matrix, second: Matrix, limit: float) -> Matrix:
        """How far apart the outlines of a couple are, at least, in rows of places of their bodies: x, y, angle.

        What a joint keeps as it is does not count; what is farther than the limit is told to be that far.
        """
        one, other = (np.ascontiguousarray(each, float) for each in (first, second))
        found, room = np.zeros(len(one)), np.zeros(10 * self.bodies + 4)
        places = room[6 * self.bodies :]
        _runtime().lw_couple_apart_all(
            self.pointer, couple, len(one), one.ctypes.data, other.ctypes.data, limit, room.ctypes.data,
            places.ctypes.data, found.ctypes.data,
        )  # fmt: skip
        return found


class TouchingMachine(NativeMachine):
    """The compiled program of a machine whose parts may touch."""

    def __init__(self, synthesis: Synthesis, source: str) -> None:
        super().__init__(synthesis, source)
        self._library.machine_toucher.restype = _POINTER
        self._toucher = self._library.machine_toucher()

    def _is_endless(self, shapes: InMemory, memory: Matrix, events: int, times: Matrix) -> bool:
        """Whether there will be too many events, if they go on as they have come so far."""
        numbers = np.zeros(8)
        shapes.library.lw_rigid_statistics(memory.ctypes.data, numbers.ctypes.data)
        share = (numbers[4] - times[0]) / (times[-1] - times[0])
        return bool(events >= SOME_EVENTS and events > MOST_EVENTS * share)

    def run_contacts(
        self,
        model: str,
        shapes: InMemory,
        constants: Matrix,
        controls: Matrix,
        started: Started,
        times: Matrix,
        rtol: float,
        atol: Matrix,
    ) -> ContactRun:
        """The motion from a start through rows of times, with rigid or elastic contacts."""
        library, rows = shapes.library, len(times)
        memory = np.zeros(getattr(library, f"lw_{model}_bytes")() // 8 + 1)
        doubles = np.zeros(library.lw_rigid_doubles(self._toucher, shapes.pointer) + 64)
        integers = np.zeros(len(self._integers) + 1, np.intc)
        states, outputs = np.zeros((rows, self.size)), np.zeros((rows, self.outputs))
        touches = np.zeros((rows, library.lw_row_room(shapes.pointer), 1 + 2 * shapes.dimension))
        energies = np.zeros((rows if model == "elastic" else 0, ROW_ENERGIES))
        told = [states, outputs, touches, *([energies] if model == "elastic" else [])]
        when, tolerance = np.array(times, float), np.array(atol, float)
        y, q0 = np.array(started.state, float), np.array([*started.positions[: self.zeroth], 0.0])
        getattr(library, f"lw_{model}_begin")(
            memory.ctypes.data, self._toucher, shapes.pointer, constants.ctypes.data, controls.ctypes.data,
            q0.ctypes.data, y.ctypes.data, tolerance.ctypes.data, float(when[0]), rtol,
            doubles.ctypes.data, integers.ctypes.data,
        )  # fmt: skip
        found: list[Matrix] = []
        begin = time.thread_time()
        happened = ctypes.c_long()
        status = FULL
        while status == FULL:
            events = np.zeros((ROOM, 10 + 2 * shapes.dimension + shapes.tangents))
            status = getattr(library, f"lw_{model}_run")(
                memory.ctypes.data, rows, when.ctypes.data, *(each.ctypes.data for each in told),
                ROOM, events.ctypes.data, ctypes.byref(happened),
            )  # fmt: skip
            found.append(events[: happened.value])
            if status == FULL and self._is_endless(shapes, memory, len(found) * ROOM, when):
                status = TOO_LONG
        numbers = np.zeros(8)
        library.lw_rigid_statistics(memory.ctypes.data, numbers.ctypes.data)
        steps, rejected, evaluations, impacts, reached, residual, row, step = numbers.tolist()
        return ContactRun(
            status,
            states[: int(row)],
            outputs[: int(row)],
            touches[: int(row)],
            np.concatenate(found),
            int(steps),
            int(rejected),
            int(evaluations),
            int(impacts),
            reached,
            residual,
            int(step),
            time.thread_time() - begin,
            energies[: int(row)],
            library.lw_elastic_blamed(memory.ctypes.data) if model == "elastic" else -1,
        )
