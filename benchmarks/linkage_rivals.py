"""A linkage in each system: prepare it once, then sweep the crank over all rows.

Every rival takes a linkage and the crank's angles (in equal steps) and answers with a :class:`Prepared`.
What a rival needs to be itself stands in its function; what it lacks (velocities) is added in NumPy.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from linkage_model import Array, Linkage, Motion, closed_form, crank_pin, with_velocities

SOURCE = Path(__file__).with_name("linkage_dyads.c")
C_FLAGS = ("-O3", "-march=native", "-std=c99", "-shared", "-fPIC", "-fno-math-errno", "-w")
NO_VELOCITIES = "velocities added by NumPy"


@dataclass(frozen=True)
class Prepared:
    """A linkage made ready by one system."""

    run: Callable[[], Any]  # a whole sweep: this is timed
    read: Callable[[Any], Motion]  # its result as arrays: this is not
    compile_seconds: float | None = None
    note: str = ""


def numpy_closed_form(linkage: Linkage, angles: Array) -> Prepared:
    """Circle meets circle, all rows at once."""
    return Prepared(lambda: closed_form(linkage, angles), _as_it_is)


def c_closed_form(linkage: Linkage, angles: Array) -> Prepared:
    """The same in C, row by row."""
    return _native(linkage, angles, newton=False)


def c_newton(linkage: Linkage, angles: Array) -> Prepared:
    """Newton's method in C on two unknowns for each dyad, from the row before."""
    return _native(linkage, angles, newton=True)


def _native(linkage: Linkage, angles: Array, *, newton: bool) -> Prepared:
    library, seconds = _compiled(_printed(linkage, newton))
    start = np.ascontiguousarray(closed_form(linkage, angles[:1]).positions[0])
    shape = (len(angles), len(linkage.moving), 2)
    motion = Motion(np.zeros(shape), np.zeros(shape))
    angles = np.ascontiguousarray(angles)
    arrays = (start, motion.positions, motion.velocities)
    a, b, c = (ctypes.c_void_p(array.ctypes.data) for array in arrays)
    arguments = (ctypes.c_void_p(angles.ctypes.data), ctypes.c_int(len(angles)), a, b, c)

    def run() -> Motion:
        library.sweep(*arguments)
        return motion

    run.keeps = (angles, arrays)  # type: ignore[attr-defined]  # C holds addresses only
    return Prepared(run, _as_it_is, seconds)


def _printed(linkage: Linkage, newton: bool) -> str:
    """The linkage's numbers in front of the C text."""
    place = {name: k for k, name in enumerate(linkage.joints)}
    pivot, _, length = linkage.crank
    fixed = ", ".join(f"{{{float(x)!r}, {float(y)!r}}}" for x, y in linkage.fixed.values())
    table = ", ".join(
        f"{{{place[d.first]}, {place[d.second]}, {float(d.to_first)!r}, {float(d.to_second)!r}, {d.side}}}"
        for d in linkage.dyads
    )
    lines = [
        "#define NEWTON" if newton else "",
        f"enum {{ FIXED = {len(linkage.fixed)}, DYADS = {len(linkage.dyads)}, PIVOT = {place[pivot]} }};",
        f"static const double CRANK = {float(length)!r}, fixed[][2] = {{{fixed}}};",
        "typedef struct { int first, second; double r1, r2, side; } Dyad;",
        f"static const Dyad dyads[] = {{{table}}};",
    ]
    return "\n".join(lines) + "\n" + SOURCE.read_text()


def _compiled(text: str) -> tuple[ctypes.CDLL, float]:
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "linkage.c", Path(folder) / "linkage.so"
        source.write_text(text)
        before = cpu_seconds()
        subprocess.run(["cc", *C_FLAGS, str(source), "-o", str(library), "-lm"], check=True)
        return ctypes.CDLL(str(library)), cpu_seconds() - before


def pylinkage_python(linkage: Linkage, angles: Array) -> Prepared:
    """pylinkage's objects stepped from Python (single kernels by numba); it always adds accelerations."""
    model = _pylinkage(linkage, angles)
    rows = len(angles)

    def run() -> Any:
        return list(model.step_with_derivatives(iterations=rows))

    def read(steps: Any) -> Motion:
        still = len(linkage.fixed)
        return Motion(np.array([p[still:] for p, _, _ in steps]), np.array([v[still:] for _, v, _ in steps]))

    return Prepared(run, read, _first_call(run), "accelerations too")


def pylinkage_numba(linkage: Linkage, angles: Array) -> Prepared:
    """pylinkage's compiled sweep; it always adds accelerations."""
    model = _pylinkage(linkage, angles)
    rows, still = len(angles), len(linkage.fixed)

    def run() -> Any:
        return model.step_fast_with_kinematics(iterations=rows)

    def read(result: Any) -> Motion:
        return Motion(result[0][:, still:], result[1][:, still:])

    return Prepared(run, read, _first_call(run), "accelerations too")


def pylinkage_kernels(linkage: Linkage, angles: Array) -> Prepared:
    """pylinkage's compiled steps for positions and velocities in a loop of our own: its best case."""
    import numba  # type: ignore[import-not-found]
    from pylinkage.bridge.solver_conversion import (  # type: ignore[import-not-found]
        linkage_to_solver_data,
    )
    from pylinkage.solver import simulation  # type: ignore[import-not-found]

    step, step_velocity = simulation.step_single, simulation.step_single_velocity

    @numba.njit
    def sweep(p, v, lengths, kinds, parents, offsets, order, omega, cranks, rows):  # type: ignore[no-untyped-def]
        positions, velocities = np.empty((rows, *p.shape)), np.empty((rows, *p.shape))
        for row in range(rows):
            step(p, lengths, kinds, parents, offsets, order, 1.0)
            step_velocity(p, v, lengths, kinds, parents, offsets, order, omega, cranks)
            positions[row], velocities[row] = p, v
        return positions, velocities

    data = linkage_to_solver_data(_pylinkage(linkage, angles))
    still, start = len(linkage.fixed), data.positions.copy()
    p, v, omega, cranks = start.copy(), np.zeros_like(start), np.ones(1), np.array([still], dtype=np.int32)
    tables = data.constraints, data.joint_types, data.parent_indices, data.constraint_offsets
    rest = (*tables, data.solve_order, omega, cranks, len(angles))
    seconds = _first_call(lambda: sweep(p, v, *rest))

    def run() -> Any:
        p[:] = start
        return sweep(p, v, *rest)

    return Prepared(run, lambda r: Motion(r[0][:, still:], r[1][:, still:]), seconds)


def _pylinkage(linkage: Linkage, angles: Array) -> Any:
    """Its model, one step before the first row, because it steps before it reports.

    A whole turn ends where it began, so runs follow each other without a reset. All numbers are floats:
    numba would compile its kernels again for integers.
    """
    from pylinkage.actuators import Crank  # type: ignore[import-not-found]
    from pylinkage.components import Ground  # type: ignore[import-not-found]
    from pylinkage.dyads import RRRDyad  # type: ignore[import-not-found]
    from pylinkage.simulation import Linkage as Model  # type: ignore[import-not-found]

    step = float(angles[1] - angles[0])
    before = closed_form(linkage, angles[:1] - step).positions[0]
    parts = {name: Ground(*map(float, place), name=name) for name, place in linkage.fixed.items()}
    pivot, pin, length = linkage.crank
    first = float(angles[0]) - step
    crank = Crank(parts[pivot], radius=float(length), angular_velocity=step, initial_angle=first, name=pin)
    parts[pin] = crank
    for dyad, (x, y) in zip(linkage.dyads, before[1:], strict=True):
        ends, lengths = (parts[dyad.first], parts[dyad.second]), (float(dyad.to_first), float(dyad.to_second))
        parts[dyad.joint] = RRRDyad(*ends, *lengths, x=float(x), y=float(y), name=dyad.joint)
    model = Model(parts.values(), name=linkage.name)
    model.set_input_velocity(crank, omega=1.0)
    return model


def _first_call(call: Callable[[], Any]) -> float:
    """CPU seconds that the first call takes longer than the second: compilation."""
    taken = []
    for _ in range(2):
        begin = cpu_seconds()
        call()
        taken.append(cpu_seconds() - begin)
    return max(0.0, taken[0] - taken[1])


def cpu_seconds() -> float:
    """CPU time of this process and of those it waited for, such as compilers."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def forget_numba_cache(folder: str) -> None:
    """Have numba compile afresh; to be called before it is imported."""
    os.environ["NUMBA_CACHE_DIR"] = folder


def scipy_root(linkage: Linkage, angles: Array) -> Prepared:
    """``scipy.optimize.root`` (hybr) on all coordinates at once with the analytic Jacobian."""
    from scipy.optimize import root

    residual, jacobian = _equations(linkage)
    options = {"jac": jacobian, "tol": 1e-12}
    return _scipy(linkage, angles, lambda x, pin: root(residual, x, args=(pin,), **options).x)


def scipy_fsolve(linkage: Linkage, angles: Array) -> Prepared:
    """``scipy.optimize.fsolve`` as called by default: Jacobian by differences."""
    from scipy.optimize import fsolve

    residual, _ = _equations(linkage)
    return _scipy(linkage, angles, lambda x, pin: fsolve(residual, x, args=(pin,)))


def _scipy(linkage: Linkage, angles: Array, solve: Callable[[Any, Any], Any]) -> Prepared:
    start = closed_form(linkage, angles[:1]).positions[0, 1:].ravel()

    def run() -> Motion:
        pins = crank_pin(linkage, angles)[0]
        positions = np.empty((len(angles), len(linkage.moving), 2))
        positions[:, 0] = pins
        x = start
        for row, pin in enumerate(pins.tolist()):
            x = solve(x, pin)
            positions[row, 1:] = x.reshape(-1, 2)
        return with_velocities(linkage, angles, positions)

    return Prepared(run, _as_it_is, note=NO_VELOCITIES)


def _equations(linkage: Linkage) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Residual and Jacobian as straight-line Python in floats, as one would write them by hand."""
    pin = linkage.crank[1]
    names = {name: (repr(float(x)), repr(float(y))) for name, (x, y) in linkage.fixed.items()}
    names |= {pin: ("a", "b")} | {d.joint: (f"x{k}", f"y{k}") for k, d in enumerate(linkage.dyads)}
    unknowns = [name for dyad in linkage.dyads for name in names[dyad.joint]]
    differences: list[str] = []
    residuals: list[str] = []
    rows: list[str] = []
    for dyad in linkage.dyads:
        (x, y) = names[dyad.joint]
        for other, length in ((dyad.first, dyad.to_first), (dyad.second, dyad.to_second)):
            k = len(rows)
            u, w = names[other]
            differences.append(f"  u{k} = {x} - {u}; w{k} = {y} - {w}")
            residuals.append(f"0.5*(u{k}*u{k} + w{k}*w{k} - {float(length) ** 2!r})")
            entry = {x: f"u{k}", y: f"w{k}", u: f"-u{k}", w: f"-w{k}"}
            rows.append("[" + ", ".join(entry.get(name, "0.0") for name in unknowns) + "]")
    begin = [f"  {', '.join(unknowns)} = x.tolist(); a, b = pin", *differences]
    text = "\n".join(["def residual(x, pin):", *begin, f"  return [{', '.join(residuals)}]"])
    text += "\n".join(["\ndef jacobian(x, pin):", *begin, f"  return [{', '.join(rows)}]"])
    made: dict[str, Any] = {}
    exec(text, made)
    return made["residual"], made["jacobian"]


def python_solvespace(linkage: Linkage, angles: Array) -> Prepared:
    """SolveSpace through python-solvespace: what is known in one group, what is sought in the next."""
    from python_solvespace import ResultFlag, SolverSystem  # type: ignore[import-not-found]

    system = SolverSystem()
    system.set_group(1)
    plane = system.create_2d_base()
    start = closed_form(linkage, angles[:1]).positions[0]
    points = {name: system.add_point_2d(*map(float, at), plane) for name, at in linkage.fixed.items()}
    pin = points[linkage.crank[1]] = system.add_point_2d(*map(float, start[0]), plane)
    system.set_group(2)
    for dyad, at in zip(linkage.dyads, start[1:], strict=True):
        points[dyad.joint] = system.add_point_2d(*map(float, at), plane)
        system.distance(points[dyad.first], points[dyad.joint], dyad.to_first, plane)
        system.distance(points[dyad.second], points[dyad.joint], dyad.to_second, plane)
    sought = [points[dyad.joint].params for dyad in linkage.dyads]

    def run() -> Motion:
        rows = []
        for at in crank_pin(linkage, angles)[0].tolist():
            system.set_params(pin.params, at)
            if system.solve() != ResultFlag.OKAY:
                raise RuntimeError("python-solvespace found no solution")
            rows.append([at, *(system.params(point) for point in sought)])
        return with_velocities(linkage, angles, np.array(rows))

    return Prepared(run, _as_it_is, note=NO_VELOCITIES)


def py_slvs(linkage: Linkage, angles: Array) -> Prepared:
    """SolveSpace through py-slvs (the solver of FreeCAD's Assembly3), grouped likewise."""
    import py_slvs.slvs as slvs  # type: ignore[import-not-found]

    system, known, sought = slvs.System(), 1, 2
    origin = system.addPoint3d(*(system.addParamV(0.0, known) for _ in range(3)), known)
    normal = system.addNormal3dV(*slvs.makeQuaternion(1, 0, 0, 0, 1, 0), known)
    plane = system.addWorkplane(origin, normal, known)
    start = closed_form(linkage, angles[:1]).positions[0]
    points, handles = {}, {}

    def add(name: str, at: Any, group: int) -> None:
        handles[name] = [system.addParamV(float(value), group) for value in at]
        points[name] = system.addPoint2d(plane, *handles[name], group)

    for name, at in linkage.fixed.items():
        add(name, at, known)
    add(linkage.crank[1], start[0], known)
    for dyad, at in zip(linkage.dyads, start[1:], strict=True):
        add(dyad.joint, at, sought)
        for other, length in ((dyad.first, dyad.to_first), (dyad.second, dyad.to_second)):
            system.addPointsDistance(length, points[other], points[dyad.joint], plane, group=sought)
    x, y = (system.getParam(handle) for handle in handles[linkage.crank[1]])
    found = [system.getParam(handle) for dyad in linkage.dyads for handle in handles[dyad.joint]]

    def run() -> Motion:
        rows = []
        for at in crank_pin(linkage, angles)[0].tolist():
            x.val, y.val = at
            if system.solve(group=sought) != 0:
                raise RuntimeError("py-slvs found no solution")
            rows.append([*at, *(value.val for value in found)])
        return with_velocities(linkage, angles, np.array(rows).reshape(len(angles), -1, 2))

    return Prepared(run, _as_it_is, note=NO_VELOCITIES)


def _as_it_is(motion: Motion) -> Motion:
    return motion


RIVALS: dict[str, Callable[[Linkage, Array], Prepared]] = {
    "C closed form": c_closed_form,
    "C Newton": c_newton,
    "NumPy closed form": numpy_closed_form,
    "pylinkage, numba": pylinkage_numba,
    "pylinkage's kernels, own numba loop": pylinkage_kernels,
    "pylinkage, Python": pylinkage_python,
    "py-slvs": py_slvs,
    "python-solvespace": python_solvespace,
    "SciPy fsolve": scipy_fsolve,
    "SciPy root with Jacobian": scipy_root,
}
