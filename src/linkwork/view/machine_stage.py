"""From a machine, standing still or in motion, to a stage.

Placements are formulas of the coordinates. Of a motion they are computed row by row from its columns; in a simulation
that runs on the stage itself a program ``show`` computes them from the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import evaluate, free_symbols
from linkwork.contact import ContactSolution
from linkwork.dynamics.specification import Specification
from linkwork.dynamics.synthesis import SPARE, Synthesis
from linkwork.emit import Program
from linkwork.errors import NoAnswer, UsageError
from linkwork.kinematics import Motion
from linkwork.kinematics.units import column_units
from linkwork.model import Machine
from linkwork.model.colour import colour_code
from linkwork.model.drive import CLOCK
from linkwork.model.placed import RATES
from linkwork.model.vector import Vector
from linkwork.simulation import Solution
from linkwork.simulation.ranges import range_ends
from linkwork.simulation.start import rough_start, settled
from linkwork.view.camera import Camera
from linkwork.view.contact_stage import with_contacts
from linkwork.view.machine_scene import MOST_FRAMES
from linkwork.view.part_stage import see_parts
from linkwork.view.rows import rows_of
from linkwork.view.stage import Eye, Keys, Lamp, Live, Path, Replay, Shown, Slider, Stage, Thing
from linkwork.view.staging import Staging
from linkwork.view.undressed import dress

Array = NDArray[np.float64]

USUAL_EYE: Final = "overview"
"""The camera of a machine that has none."""
USUAL_ANGLE: Final = 35.0
"""What a camera sees from top to bottom, in degrees, where none is given."""
USUAL_SHAPE: Final = 1.6
"""How much wider than high a picture is."""
ABOVE: Final = (0.0, 0.0, 1.0)
ASLANT: Final = (0.42, -0.42, 0.804)
"""Towards the camera of a machine of the plane: of one drawn as lines, and of one whose parts are thick."""
FURTHEST_SLIDER: Final = 4.0
"""A slider reaches from 0 to this many times its parameter's value."""


def machine_stage(machine: Machine, motion: Motion | Solution | None = None) -> Stage:
    """The stage of a motion (``lw.simulate(machine)``, ``lw.move(machine)``), or of a machine where it starts.

    >>> from linkwork import load
    >>> stage = machine_stage(load("four-bar"))
    >>> stage.dimension, stage.placements
    (2, ('ground', 'crank', 'coupler', 'rocker', 'coupler.P'))
    """
    numbers = start_numbers(machine) if motion is None else _first_row(machine, motion)
    staging = Staging(machine.world(), numbers, machine.parameters)
    see(machine, staging, motion)
    stage = _stage(machine, staging, motion, [] if motion is None else list(motion.columns))
    return (
        with_contacts(stage, motion, _rows(motion).tolist()) if isinstance(motion, ContactSolution) else stage
    )


def live_stage(synthesis: Synthesis) -> tuple[Stage, Program]:
    """The stage of a simulation that runs in a page, and the program that tells its placements from the state.

    Behind them it tells when the ranges of drives end.
    """
    spec = synthesis.spec
    staging = Staging(spec.lines, start_numbers(spec.machine, spec), (), spec.lines.expanded)
    see(spec.machine, staging, None)
    columns = [name for name in (*synthesis.observed, "energy") if not name.startswith(SPARE)]
    ends = range_ends(spec.machine)
    stage = _stage(spec.machine, staging, None, columns, live := _live(spec.machine, tuple(ends)))
    names = spec.machine.parameters
    standing = [
        placement
        for placement, matrix in enumerate(staging.matrices, start=1)
        if staging.is_steady(spec.lines.expanded(list(matrix)), names)
    ]
    stage = replace(stage, live=replace(live, standing=tuple(standing)))
    entries = [entry for matrix in staging.matrices for entry in matrix]
    return stage, synthesis.show([*entries, *ends.values()])


def camera_names(machine: Machine) -> tuple[str, ...]:
    """The cameras by which a machine can be seen, the first being the usual one."""
    return tuple(machine.view.camera) or (USUAL_EYE,)


def see(machine: Machine, staging: Staging, motion: Motion | Solution | None) -> None:
    """All that is to be seen of a machine."""
    if machine.moving:
        see_parts(machine, staging, motion)
    for name, thing in machine.view.object.items():
        staging.see(name, thing)
    if not machine.view.object:
        dress(machine, staging)
    if not staging.things:
        raise UsageError(
            f"{machine.name} has nothing that could be seen",
            wanted="parts, frames or objects",
            fix='[view.object.ball]\nshape = "sphere"\nradius = 1',
        )


# --------------------------------------------------------------------------------------------- numbers


def start_numbers(machine: Machine, given: Specification | None = None) -> dict[str, float]:
    """All coordinates and rates where the machine starts, on its constraints, by the names that formulas use."""
    values = machine.values()
    time = evaluate([machine.time.start], values)[0]
    numbers = {**values, CLOCK.name: time, **_controls(machine, values)}
    if not machine.moving and not machine.is_scene:
        return numbers
    spec = given or Specification.of(machine)
    rough = rough_start(spec, values)
    positions = settled(spec, values, rough.positions, time)
    numbers |= positions | {f"V_{leaf.name}": rough.rates.get(leaf.name, 0.0) for leaf in spec.variables}
    quantities = dict(spec.machine_quantities())
    found = evaluate(spec.lines.expanded(list(quantities.values())), numbers)
    numbers |= dict(zip(quantities, found, strict=True))
    if not all(np.isfinite(list(positions.values()))):
        raise NoAnswer(
            f"no position of {machine.name} was found to be drawn", fix=f"linkwork plan {machine.name}"
        )
    return numbers


def _controls(machine: Machine, values: Mapping[str, float]) -> dict[str, float]:
    return {name: evaluate([each.start], values)[0] for name, each in machine.controls.items()}


def _first_row(machine: Machine, motion: Motion | Solution) -> dict[str, float]:
    if motion.machine.moving != machine.moving or motion.machine.frames != machine.frames:
        raise UsageError(
            "this motion is not that of the machine",
            got=motion.machine.name,
            fix="machine_stage(motion.machine, motion)",
        )
    columns = {name: float(column[_rows(motion)[0]]) for name, column in _columns(motion).items()}
    values = machine.values()
    return {**values, **_controls(machine, values), **columns}


def _columns(motion: Motion | Solution) -> dict[str, Array]:
    """The columns by the names that formulas use: the time is t."""
    found = {name: np.asarray(column, float) for name, column in motion.columns.items()}
    return {CLOCK.name: np.asarray(motion.times, float), **found}


def _rows(motion: Motion | Solution) -> NDArray[np.intp]:
    """The rows that are shown, as time goes: those with a position, not more than a screen can show."""
    parts = np.asarray(motion.poses, float).reshape(len(motion), -1)
    rows = np.flatnonzero(np.all(np.isfinite(parts), axis=1))
    if not len(rows):
        raise NoAnswer(
            f"there is no position of {motion.machine.name} to draw",
            why="the motion ended before its first row",
            fix="linkwork show … tells whether the machine goes together",
        )
    if len(rows) > MOST_FRAMES:
        rows = rows[np.unique(np.linspace(0, len(rows) - 1, MOST_FRAMES).round().astype(int))]
    return rows[::-1] if motion.times[rows[-1]] < motion.times[rows[0]] else rows


def _replay(staging: Staging, motion: Motion | Solution, names: Sequence[str]) -> Replay:
    rows = _rows(motion)
    columns: dict[str, float | Array] = {name: column[rows] for name, column in _columns(motion).items()}
    known = {**staging.numbers, **columns}
    entries = [entry for matrix in staging.matrices for entry in matrix]
    placements = np.broadcast_to(rows_of(entries, known), (len(rows), len(entries)))
    shown = [np.asarray(motion.columns[name], float)[rows] for name in names]
    table = np.column_stack(shown) if shown else np.zeros((len(rows), 0))
    return Replay(np.asarray(motion.times, float)[rows], np.array(placements), table)


# ---------------------------------------------------------------------------------------------- stages


def _stage(
    machine: Machine,
    staging: Staging,
    motion: Motion | Solution | None,
    columns: Sequence[str],
    live: Live | None = None,
) -> Stage:
    """The stage of what was collected; lights and cameras may need placements of their own."""
    view = machine.view
    lamps = tuple(staging.lamp(name, light) for name, light in view.light.items())
    eyes = tuple(staging.eye(name, sight) for name, sight in view.camera.items())
    paths = []
    for reference in view.traces:
        placement, point = staging.point(reference, reference, Vector.zero(3))
        carrier = machine.world().frame(reference).part
        paths.append(Path(reference, placement, point, staging.colour_of(carrier)))
    start = staging.evaluated([entry for matrix in staging.matrices for entry in matrix])
    names = _plotted(machine, columns)
    units = column_units(machine, names)
    bare = Stage(
        machine.title or machine.name,
        machine.dimension,
        tuple(staging.names),
        np.reshape(start, (-1, 12)),
        tuple(staging.surfaces.found),
        tuple(staging.things),
        paths=tuple(paths),
        columns=tuple(Shown(name, units.get(name, "")) for name in names),
        plots=tuple(names.index(name) for name in view.plots if name in names),
        background=colour_code(view.background) if view.background else "",
        unit=machine.units.get("length", ""),
        motion=None if motion is None else _replay(staging, motion, names),
        live=live,
    )
    _demand_places(bare)
    return _with_light(bare, lamps, eyes)


def _demand_places(stage: Stage) -> None:
    """Everything stands somewhere at the start."""
    lost = [f"object {each.name}" for each in stage.things if not _is_somewhere(stage, each)]
    if lost:
        raise NoAnswer(
            f"the {lost[0]} has no place where the machine starts",
            got="a position or size that is not a number",
            wanted="finite numbers; for what reaches from one place to another, two places",
            fix=f"other values of the parameters, or another formula for the {lost[0]}",
        )


def _is_somewhere(stage: Stage, thing: Thing) -> bool:
    own = thing.instances if thing.instances is not None else np.array(thing.matrix or ())
    return bool(np.all(np.isfinite(stage.matrices()[thing.placement])) and np.all(np.isfinite(own)))


def _with_light(bare: Stage, lamps: tuple[Lamp, ...], eyes: tuple[Eye, ...]) -> Stage:
    """A stage with its lights and cameras, the usual ones where it has none."""
    low, high = bare.extent
    middle = (low + high) / 2
    radius = max(float(np.linalg.norm(high - low)) / 2, 1e-9)
    distance = 0.9 * radius / np.sin(np.radians(USUAL_ANGLE / 2))
    if bare.dimension == 2:
        half = max((high - low)[1], (high - low)[0] / USUAL_SHAPE, 1e-9) / 2
        distance = 1.15 * half / np.tan(np.radians(USUAL_ANGLE / 2)) + high[2] - middle[2]
    backwards = (
        np.array(Camera().axes()[2]) if bare.dimension == 3 else np.array(ASLANT if bare.is_thick else ABOVE)
    )
    usual_eye = Eye(
        USUAL_EYE,
        0,
        tuple((middle + distance * backwards).tolist()),
        tuple(middle.tolist()),
        0,
        bare.up,
        USUAL_ANGLE,
        automatic=True,
    )
    high_up = np.array([-0.5, -0.6, 1.0] if bare.dimension == 3 else [-0.5, 0.6, 1.0])
    sun = tuple((middle + 3 * radius * high_up).tolist())
    usual_lamps = (
        Lamp("sky", "sky", 0, sun, tuple(middle.tolist()), "#ffffff", 0.6, False),
        Lamp("sun", "sun", 0, sun, tuple(middle.tolist()), "#ffffff", 1.6, True),
    )
    return replace(bare, lamps=lamps or usual_lamps, eyes=eyes or (usual_eye,))


def _plotted(machine: Machine, columns: Sequence[str]) -> list[str]:
    """The columns that can be plotted: not the time, and of parts no quaternions and their rates."""
    entries = [each for each in (*RATES, *RATES.values()) if each[0] in "qr" and each != "rate"]
    hidden = {"time", *(f"{part}.{each}" for part in machine.moving for each in entries)}
    return [name for name in columns if name not in hidden]


def _live(machine: Machine, ends: tuple[str, ...]) -> Live:
    """A slider for each parameter that does not follow from others, the keys of each control."""
    values = machine.values()
    sliders = []
    for name, value in machine.parameters.items():
        if not free_symbols(value):
            size = values[name]
            least, most = sorted((0.0, FURTHEST_SLIDER * size)) if size else (-1.0, 1.0)
            sliders.append(Slider(name, size, machine.units.get(name, ""), least, most))
    keys = []
    for name, control in machine.controls.items():
        least, most = evaluate([*control.range], values)
        keys.append(Keys(name, control.keys, least, most))
    return Live(tuple(sliders), tuple(keys), ends=ends)
