"""From a machine and its motion, or one position of it, to a scene: what pictures, films and pages show."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import Operand
from linkwork.contact import ContactSolution
from linkwork.errors import NoAnswer, UsageError
from linkwork.kinematics import Motion, Position
from linkwork.model import Machine
from linkwork.model.force import Spring
from linkwork.model.part import GROUND
from linkwork.simulation import Solution
from linkwork.view.cam_joints import note_followers
from linkwork.view.contact_scene import bars_of, coordinate_columns, force_columns, pushes_of
from linkwork.view.machine_layout import Array, Layout
from linkwork.view.machine_marks import Marks, draw_marks, point_at
from linkwork.view.machine_parts import draw_part
from linkwork.view.machine_sketch import Sketch
from linkwork.view.machine_solids import draw_solids
from linkwork.view.plane_joints import draw_plane_joint
from linkwork.view.proportion import THICKNESS, thickness
from linkwork.view.scene import Body, Column, Scene, Trace
from linkwork.view.shape import Label, Pin
from linkwork.view.space_joints import draw_space_joint
from linkwork.view.wheel_joints import draw_wheels, racks

Rows = NDArray[np.intp]

ENERGIES = ("kinetic", "potential", "energy")
MOST_FRAMES = 1500
"""More rows than this are thinned out: no screen shows them, and a page would grow without need."""


def machine_scene(
    machine: Machine,
    motion: Motion | Solution | Position | Array,
    parameters: Mapping[str, Operand | str] | None = None,
    *,
    most_frames: int = MOST_FRAMES,
    marked: bool = False,
    pointed: Marks = (),
) -> Scene:
    """The scene of a motion (``lw.move(machine)``) or of a position (``lw.Mechanism(machine).assembled``).

    An array is one of poses: frames × parts × coordinates.
    ``parameters`` are those with which the motion was made, where they differ from the machine's.
    ``marked`` writes the names of parts and joints into the picture, ``pointed`` words that point at places.

    >>> from linkwork import load, move
    >>> machine = load("four-bar")
    >>> scene = machine_scene(machine, move(machine, steps=24))
    >>> scene.frames, [body.name for body in scene.bodies]
    (25, ['ground', 'crank', 'coupler', 'rocker'])
    """
    values = machine.values(parameters)
    rows, poses, times = _frames(machine, motion, most_frames)
    layout = Layout(machine, poses, values, float(times[0]) if len(times) else 0.0)
    columns = {} if isinstance(motion, Position | np.ndarray) else _columns(machine, motion, rows)
    drive = next((columns[name] for name in machine.drives if name in columns), None)
    usable = len(times) > 1 and bool(np.all(np.diff(times) > 0))

    def scene(sketch: Sketch) -> Scene:
        bodies = [Body(name, tuple(sketch.shapes.get(name, ()))) for name in layout.names]
        return Scene.of(
            machine.title or machine.name,
            bodies,
            layout.poses,
            times=times if usable else (),
            traces=_traces(machine, layout),
            connectors=sketch.connectors,
            drive=drive,
            columns=[column for name, column in columns.items() if name not in machine.drives],
            unit=machine.units.get("length", ""),
            pushes=pushes_of(motion, rows) if isinstance(motion, ContactSolution) else (),
            bars=bars_of(motion) if isinstance(motion, ContactSolution) else (),
            time_unit=machine.units.get("time", ""),
        )

    # Sizes of pins and rails follow the thickness of bars, which follows the size of the whole: so twice.
    rough = thickness(scene(drawn(layout, THICKNESS[layout.dimension] * layout.extent or THICKNESS[2])))
    sketch = drawn(layout, rough)
    if marked:
        draw_marks(sketch)
    point_at(pointed, sketch)
    return scene(sketch)


def drawn(layout: Layout, unit: float) -> Sketch:
    """All of a machine, with bars of this thickness."""
    machine = layout.machine
    sketch = Sketch(layout, unit)
    if layout.dimension == 2:
        sketch.racks |= racks(layout)
        note_followers(sketch)
    for name, joint in machine.joints.items():
        parts = [layout.frame(reference).part for reference in joint.references()]
        if layout.dimension == 3 and sketch.is_solid(*parts):  # solids show themselves how they are joined
            continue
        (draw_plane_joint if layout.dimension == 2 else draw_space_joint)(joint, name, sketch)
    if layout.dimension == 2:
        draw_wheels(sketch)
    draw_solids(sketch)
    for force in machine.forces.values():
        if isinstance(force, Spring):
            _draw_spring(force, sketch)
    for trace in _traces(machine, layout):
        if layout.dimension == 2:
            sketch.anchor(trace.body, np.array(trace.point))
        else:
            sketch.spurs.setdefault(trace.body, []).append(np.array(trace.point))
        sketch.add(trace.body, Label, trace.point, trace.name.rpartition(".")[2])
    for name in layout.names:
        draw_part(name, sketch)
    return sketch


def _draw_spring(spring: Spring, sketch: Sketch) -> None:
    first, second = (sketch.layout.frame(each) for each in spring.between)
    stiffness, damping = sketch.layout.numbers(spring.stiffness, spring.damping)
    kind = "damper" if stiffness == 0 and damping != 0 else "spring"
    sketch.connect(kind, (first.part, first.origin, 0.0), (second.part, second.origin, 0.0))
    for frame in (first, second):
        sketch.anchor(frame.part, frame.origin)
        if sketch.layout.dimension == 2:
            sketch.add(frame.part, Pin, frame.origin, frame.part == GROUND)


def _frames(
    machine: Machine, motion: Motion | Solution | Position | Array, most: int
) -> tuple[Rows, Array, Array]:
    """The rows to be shown, the poses of the moving parts in them, and their times."""
    width = 3 if machine.dimension == 2 else 7
    if isinstance(motion, np.ndarray):
        poses, times = motion, np.zeros(0)
    elif isinstance(motion, Position):
        poses = np.asarray(motion.q, float)[: width * len(machine.moving)].reshape(1, -1, width)
        times = np.zeros(0)
    else:
        poses, times = np.asarray(motion.poses, float), np.asarray(motion.times, float)
    if poses.shape[1:] != (len(machine.moving), width):
        raise UsageError(
            "this motion is not that of the machine",
            got=f"{poses.shape[1]} parts",
            wanted=f"{len(machine.moving)}: {', '.join(machine.moving)}",
            fix="machine_scene(motion.machine, motion)",
        )
    rows = np.flatnonzero(np.all(np.isfinite(poses), axis=(1, 2)))
    if not len(rows):
        raise NoAnswer(
            f"there is no position of {machine.name} to draw",
            why="the motion ended before its first row",
            fix="linkwork show … tells whether the machine goes together",
        )
    if len(rows) > max(most, 1):
        rows = rows[np.unique(np.linspace(0, len(rows) - 1, max(most, 1)).round().astype(int))]
    poses = poses[rows]
    if width == 7:
        poses = poses.copy()
        lengths = np.linalg.norm(poses[:, :, 3:], axis=2, keepdims=True)
        poses[:, :, 3:] /= np.where(lengths > 0, lengths, 1.0)
    return rows, poses, times[rows] if len(times) else times


def _traces(machine: Machine, layout: Layout) -> list[Trace]:
    found = []
    for reference in machine.view.traces:
        frame = layout.frame(reference)
        if np.all(np.isfinite(frame.origin)):
            found.append(Trace(reference, frame.part, tuple(frame.origin.tolist())))
    return found


def _columns(machine: Machine, motion: Motion | Solution, rows: Rows) -> dict[str, Column]:
    """The columns that a page can plot: those the machine names first, then drives, joints and efforts."""
    names = [
        *machine.drives,
        *machine.view.plots,
        *(f"{point}.{axis}" for point in machine.view.traces for axis in "xyz"),
        *(name for name in motion.columns if name.rpartition(".")[2] in ("angle", "displacement", "length")),
        *(f"{drive}.effort" for drive in machine.drives),
    ]
    forces = force_columns(motion) if isinstance(motion, ContactSolution) else []
    if isinstance(motion, ContactSolution):
        names += [*coordinate_columns(motion), *forces, *ENERGIES]

    def group(name: str) -> str:
        return "force" if name in forces else "energy" if name in ENERGIES else ""

    return {
        name: Column(name, tuple(motion[name][rows].tolist()), motion.units.get(name, ""), group(name))
        for name in dict.fromkeys(names)
        if name in motion.columns
    }
