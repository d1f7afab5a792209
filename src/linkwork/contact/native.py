"""Contacts in native code: a machine's shapes and program, and runs of its models."""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass, replace
from functools import cache
from threading import Event
from typing import ClassVar, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from linkwork.contact.event_log import KEPT, EventLog, Unlisted
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
"""The status of a run that was given up for its steps: they would be too many."""
TOO_MANY: Final = 11
"""The status of a run that was given up for its events."""
FAR: Final = 10
"""The status of a run in which a part went so far away that rounding of its place is more than contacts bear."""
STEPS_FAIL: Final = 2
"""The status of a run whose steps were not accepted, or became too short."""
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
    unlisted: Unlisted[int] | None
    """Events that are not kept, by the couples of their impacts."""
    steps: int
    rejected: int
    evaluations: int
    impacts: int
    reached: float
    residual: float
    step_status: int
    energies: Matrix
    """Of elastic contacts in each row: what is stored in them and what they took so far, and the depth."""
    blamed: int = -1
    """The couple whose contact changed last, or for which the run ended."""
    runaway: int = -1
    """The body that went too far away, or moves fastest where steps fail."""
    seconds: float = 0.0
    """Of the processor, for a whole motion: to ask for them takes longer than a few rows do."""


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
    library.lw_rigid_statistics.restype = None
    library.lw_rigid_statistics.argtypes = [_POINTER] * 2
    for told in ("rigid_blamed", "elastic_blamed", "far_body", "fastest_body"):
        getattr(library, f"lw_{told}").argtypes = [_POINTER]
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
        stop: Event | None = None,
    ) -> ContactRun:
        """The motion from a start through rows of times, with rigid or elastic contacts."""
        begin = time.thread_time()
        motion = ContactMotion(self, model, shapes, constants, controls, started, float(times[0]), rtol, atol)
        return replace(motion.run(times, stop), seconds=time.thread_time() - begin)


def _told(touches: Matrix) -> Matrix:
    """The touches of rows, as many places as any row needs; those behind the last one of a row are of no couple."""
    nothing = np.array([-1.0, *[0.0] * (touches.shape[2] - 1)])
    untold: list[NDArray[np.bool_]] = []  # of each place, in which rows it is none
    is_over: NDArray[np.bool_] = np.zeros(len(touches), np.bool_)
    for place in range(touches.shape[1]):
        is_over = is_over | ~(touches[:, place, 0] >= 0.0)
        if is_over.all():
            break
        untold.append(is_over)
    told: Matrix = touches[:, : len(untold)].copy()
    for place, rows in enumerate(untold):
        told[rows, place] = nothing
    return told


class ContactMotion:
    """A motion with rigid or elastic contacts that can be led on from where it is, with what holds it then."""

    def __init__(
        self,
        machine: TouchingMachine,
        model: str,
        shapes: InMemory,
        constants: Matrix,
        controls: Matrix,
        started: Started,
        begin: float,
        rtol: float,
        atol: Matrix,
    ) -> None:
        library = shapes.library
        self._machine, self._model, self._shapes = machine, model, shapes
        self._memory = np.empty(getattr(library, f"lw_{model}_bytes")() // 8 + 1)
        doubles = np.zeros(library.lw_rigid_doubles(machine._toucher, shapes.pointer) + 64)
        integers = np.zeros(len(machine._integers) + 1, np.intc)
        y, q0 = np.array(started.state, float), np.array([*started.positions[: machine.zeroth], 0.0])
        self._kept = (constants, controls, q0, y, np.array(atol, float), doubles, integers)
        """To which the memory points."""
        k, c, *own, room, counts = (each.ctypes.data for each in self._kept)
        getattr(library, f"lw_{model}_begin")(
            self._memory.ctypes.data, machine._toucher, shapes.pointer, k, c, *own, begin, rtol,
            room, counts,
        )  # fmt: skip
        self._events = np.empty((ROOM, 10 + 2 * shapes.dimension + shapes.tangents))
        self._rows = 0
        """That were told so far."""

    def run(self, times: Matrix, stop: Event | None = None) -> ContactRun:
        """The next rows, at given times; the first of all is that of the start. Ends early when told to stop."""
        library, shapes, before = self._shapes.library, self._shapes, self._rows
        rows, memory = len(times), self._memory.ctypes.data
        is_elastic = self._model == "elastic"
        states, outputs = np.zeros((rows, self._machine.size)), np.zeros((rows, self._machine.outputs))
        touches = np.empty((rows, library.lw_row_room(shapes.pointer), 1 + 2 * shapes.dimension))
        energies = np.zeros((rows if is_elastic else 0, ROW_ENERGIES))
        told = [np.array(times, float), states, outputs, touches, *([energies] if is_elastic else [])]
        # the engine counts rows from the start on
        addresses = [each.ctypes.data - before * each.strides[0] for each in told]
        log = EventLog(7 + 2 * shapes.dimension, KEPT)
        happened = ctypes.c_long()
        status = FULL
        while status == FULL:
            events = self._events
            status = getattr(library, f"lw_{self._model}_run")(
                memory, before + rows, *addresses, ROOM, events.ctypes.data, ctypes.byref(happened)
            )
            log.add(events[: happened.value])
            if stop is not None and stop.is_set():
                raise KeyboardInterrupt
            if status == FULL and self._is_endless(log, told[0]):
                status = TOO_MANY
        steps, rejected, evaluations, impacts, reached, residual, row, step = self._statistics()
        self._rows, reached_rows = int(row), int(row) - before
        touches = _told(touches[:reached_rows])
        return ContactRun(
            status,
            states[:reached_rows],
            outputs[:reached_rows],
            touches,
            *log.events(),
            int(steps),
            int(rejected),
            int(evaluations),
            int(impacts),
            reached,
            residual,
            int(step),
            energies[:reached_rows],
            getattr(library, f"lw_{self._model}_blamed")(memory),
            self._runaway(status),
        )

    def _runaway(self, status: int) -> int:
        """The body for which a run ended."""
        library, memory = self._shapes.library, self._memory.ctypes.data
        fastest = library.lw_fastest_body
        named = {STEPS_FAIL: fastest, TOO_LONG: fastest, FAR: library.lw_far_body}
        return int(named[status](memory)) if status in named else -1

    def _statistics(self) -> list[float]:
        numbers = np.zeros(8)
        self._shapes.library.lw_rigid_statistics(self._memory.ctypes.data, numbers.ctypes.data)
        return [float(each) for each in numbers]

    def _is_endless(self, log: EventLog, times: Matrix) -> bool:
        """Whether there will be too many events, if they go on as they have come so far, or as bounces that settle."""
        share = (self._statistics()[4] - times[0]) / (times[-1] - times[0])
        is_many = log.count >= SOME_EVENTS and log.count > MOST_EVENTS * share
        return bool(is_many and log.count + log.to_come() > MOST_EVENTS)
