"""Closed loops under gravity: the four-bar, and chains of four-bars, for equal accuracy beside the engines."""

from __future__ import annotations

import ctypes
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import synthesis_model as model
from synthesis_by_hand import FOUR_BAR, ByHand
from synthesis_chain import _loaded, mujoco_library
from synthesis_measure import (
    PLAIN,
    NotedReport,
    Row,
    best_in_turn,
    cpu_of,
    exponent,
    pointer,
    seconds_of,
    short,
)
from synthesis_model import CRANK_START, GRAVITY, LEAN, chain_of_four_bars, four_bar, four_bar_angles
from synthesis_pendulum import Ours

ONE = "Four-bar under gravity, crank error at most 1e-7 after 5 s"
MANY = "Chains of four-bars for 2 s: CPU ms per simulated second for equal accuracy"
GROWTH = "Chains of four-bars: exponent in N, and peer ÷ linkwork"
END = 5.0
ACCURATE = 1e-7
COUNTS = (2, 10, 40)
CHAIN_END = 2.0
CHAIN_ACCURATE = 1e-6  # rad of the first rocker at the end, and of the energy
PENDULUM = """
/* All rockers of a chain of parallelograms turn alike, and the couplers do not turn: a pendulum of one angle. */
static inline void rate(const double *x, double *f)
{
    f[0] = x[1];
    f[1] = -9.81 * (COUNT + 0.5 * (COUNT + 1)) / (COUNT + (COUNT + 1) / 3.0) * cos(x[0]);
}
"""


def _mujoco() -> Any:
    library = _loaded(mujoco_library())
    library.run.restype = ctypes.c_double
    library.run.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_long, ctypes.c_void_p]
    return library


def _mujoco_run(
    library: Any, folder: Path, xml: str, start: Any, step: float, end: float
) -> Callable[[], tuple[float, Any]]:
    file = folder / f"{abs(hash(xml)):x}.xml"
    file.write_text(xml)
    n = len(start)
    state, groups = np.concatenate([start, np.zeros(n)]), 20
    rows = np.zeros((groups, 2 * n))

    def run() -> tuple[float, Any]:
        assert library.take(str(file).encode()) == 0, "MuJoCo refuses the file"
        taken = library.run(pointer(state), n, groups, round(end / step / groups), pointer(rows))
        return taken, rows.copy()

    return run


def _options(step: float, integrator: str) -> str:
    return (
        f'<mujoco><compiler angle="radian"/><option gravity="0 {-GRAVITY} 0" timestep="{step!r}" '
        f'integrator="{integrator}" iterations="100" tolerance="1e-14"><flag contact="disable"/></option><worldbody>'
    )


def _rod(mass: float, length: float) -> str:
    turning = mass * length**2 / 12
    return (
        f'<joint type="hinge" axis="0 0 1"/><inertial pos="{length / 2} 0 0" mass="{mass}" '
        f'diaginertia="1e-4 {turning!r} {turning!r}"/>'
    )


def _connect(first: str, second: str, stiff: float) -> str:
    impedance = 'solimp="0.9999 0.9999 0.001 0.5 2"'
    return f'<connect site1="{first}" site2="{second}" solref="{stiff!r} 1" {impedance}/>'


def _four_bar_xml(step: float, integrator: str, stiff: float) -> str:
    ground, a, b, c = model.FOUR_BAR
    return (
        f"{_options(step, integrator)}"
        f'<body>{_rod(a, a)}<body pos="{a} 0 0">{_rod(b, b)}<site name="s" pos="{b} 0 0"/></body></body>'
        f'<body pos="{ground} 0 0">{_rod(c, c)}<site name="e" pos="{c} 0 0"/></body></worldbody>'
        f"<equality>{_connect('s', 'e', stiff)}</equality></mujoco>"
    )


def _chain_xml(count: int, step: float, integrator: str, stiff: float) -> str:
    rockers, pins = "", ""
    for place in range(count + 1):
        coupler = (
            f'<body pos="1 0 0">{_rod(1, 1)}<site name="s{place}" pos="1 0 0"/></body>'
            if place < count
            else ""
        )
        end = f'<site name="e{place}" pos="1 0 0"/>'
        rockers += f'<body pos="{place} 0 0">{_rod(1, 1)}{end}{coupler}</body>'
        pins += _connect(f"s{place}", f"e{place + 1}", stiff) if place < count else ""
    return f"{_options(step, integrator)}{rockers}</worldbody><equality>{pins}</equality></mujoco>"


# ---------------------------------------------------------------------------------------- four-bar


def add_four_bar(report: NotedReport, seconds: float) -> None:
    """Ours, MuJoCo and C by hand, each in several settings; the cheapest that is accurate enough counts."""
    report.note(
        ONE,
        "Lengths 4, 1.5, 3.5, 3; rods of 1 kg/m; crank released at 60°. `crank error` at 5 s against C by hand "
        "in the crank angle alone (DOP853 at 1e-14). MuJoCo is called in C; of its settings only the step was "
        "varied, with solref four steps long and the solver's tolerance at 1e-14. `gap`: of the closed loop, at its "
        "largest. The ratio is to the cheapest setting of ours that is accurate enough.",
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hand = ByHand(folder, "fourbar", FOUR_BAR, 2, PLAIN)
        exact = float(hand.adaptive((CRANK_START, 0.0), END, 1e-14)[1][0])
        settings = {**_our_four_bars(), **_four_bars_by_hand(hand), **_mujoco_four_bars(folder)}
        ends = {label: check() for label, (_, check) in settings.items()}
        best = best_in_turn({label: run for label, (run, _) in settings.items()}, 100, seconds)
    errors = {label: abs(angle - exact) for label, (angle, _) in ends.items()}
    unit = min(best[each] for each in best if each.startswith("linkwork") and errors[each] <= ACCURATE)
    for label in best:
        row: Row = {"system": label, "CPU ms per simulated second": short(best[label] / END * 1e3)}
        row |= {"crank error": short(errors[label]), "gap": short(ends[label][1])}
        row |= {"accurate enough": "yes" if errors[label] <= ACCURATE else "no"}
        report.add(ONE, row | {"÷ linkwork": short(best[label] / unit)})


# CPU seconds of a run; the crank's angle at its end and the largest gap
Setting = tuple[Callable[[], float], Callable[[], tuple[float, float]]]


def _our_four_bars() -> dict[str, Setting]:
    def setting(tolerance: float) -> Setting:
        ours = Ours(four_bar(), tolerance, np.linspace(0, END, 21))
        place = [each.name for each in ours.simulator.synthesis.y].index("crank.angle")

        def check() -> tuple[float, float]:
            ours.in_c()
            return float(ours.ran.states[-1, place]), float(ours.ran.residual)

        return ours.in_c, check

    return {f"linkwork, tolerance {each:g}": setting(each) for each in (1e-6, 1e-7, 3e-8, 1e-8, 1e-9)}


def _four_bars_by_hand(hand: ByHand) -> dict[str, Setting]:
    start = (CRANK_START, 0.0)

    def setting(run: Callable[..., tuple[Any, ...]], *given: Any) -> Setting:
        return seconds_of(run, *given), lambda: (float(run(*given)[1][0]), 0.0)

    found = {
        f"C by hand, RK4 {END / steps * 1e3:g} ms": setting(hand.fixed, start, END, steps)
        for steps in (500, 1000, 2500)
    }
    return found | {"C by hand, DOP853 1e-8": setting(hand.adaptive, start, END, 1e-8)}


def _mujoco_four_bars(folder: Path) -> dict[str, Setting]:
    library = _mujoco()
    coupler, rocker = four_bar_angles(CRANK_START)
    start = np.array([CRANK_START, coupler - CRANK_START, rocker])

    def setting(integrator: str, step: float, stiff: float) -> Setting:
        run = _mujoco_run(library, folder, _four_bar_xml(step, integrator, stiff), start, step, END)

        def check() -> tuple[float, float]:
            rows = run()[1]
            return float(rows[-1, 0]), float(np.max(_gap(rows)))

        return seconds_of(run), check

    steps = (2.5e-3, 2e-3, 1.5625e-3, 1.25e-3, 1e-3, 5e-4)
    every = [("Euler", 2e-3, 0.02), *(("RK4", step, 4 * step) for step in steps)]
    return {f"MuJoCo {each[0]} {each[1] * 1e3:g} ms, solref {each[2]:g}": setting(*each) for each in every}


def _gap(rows: Any) -> Any:
    ground, a, b, c = model.FOUR_BAR
    crank, coupler, rocker = rows[:, 0], rows[:, 0] + rows[:, 1], rows[:, 2]
    x = a * np.cos(crank) + b * np.cos(coupler) - ground - c * np.cos(rocker)
    return np.hypot(x, a * np.sin(crank) + b * np.sin(coupler) - c * np.sin(rocker))


# ---------------------------------------------------------------------------------------- chains


class Chain:
    """One size: the exact motion, and what each system makes of it."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder, self.count = folder, count
        self.start = -math.pi / 2 + LEAN
        rate = PENDULUM.replace("COUNT", f"{count}.0")
        hand = ByHand(folder, f"pendulum{count}", rate, 2, PLAIN)
        self.exact = float(hand.adaptive((self.start, 0.0), CHAIN_END, 1e-13)[1][0])
        self.inertia, self.weight = count + (count + 1) / 3, GRAVITY * (count + 0.5 * (count + 1))
        self.range = self.weight * (1 - math.cos(LEAN))

    def energy_error(self, energies: Any) -> float:
        """The largest change of the energy, relative to how much potential energy goes into motion."""
        return float(np.max(np.abs(energies - energies[0])) / self.range)


def add_chains_of_four_bars(report: NotedReport, seconds: float) -> None:
    """Each system in a few settings, at each size; the cheapest accurate one counts."""
    report.note(
        MANY,
        f"N squares of 1 m rods of 1 kg that share rockers, released {LEAN:g} rad from hanging, so that no "
        "singular position is passed; all rockers turn like one pendulum, which gives the exact motion. A "
        f"setting is accurate enough if the first rocker errs by at most {CHAIN_ACCURATE:g} rad at the end and "
        f"the energy by {CHAIN_ACCURATE:g} of what goes into motion; the coarsest such setting of each system "
        "is shown, or the finest tried if none is; of MuJoCo only the step was varied, with solref four steps "
        "long. Since a finer setting may be needed for more loops, ours and MuJoCo are also shown with one "
        "setting throughout: the exponents of those rows compare like with like. MuJoCo is called in C, Exudyn "
        "(generalised α, index 3, planar "
        "bodies) and Drake (SAP, ball constraints) from Python, one call a run.",
    )
    found: dict[str, dict[int, float]] = {}
    accurate: dict[str, list[bool]] = {}
    for count in COUNTS:
        with tempfile.TemporaryDirectory() as name:
            chain = Chain(Path(name), count)
            chosen = {system: _coarsest(chain, system, settings) for system, settings in SYSTEMS.items()}
            ready = {system: each for system, each in chosen.items() if each is not None}
            best = best_in_turn({system: seconds_of(run) for system, (run, _) in ready.items()}, 100, seconds)
        for system, (_, row) in ready.items():
            row["CPU ms per simulated second"] = short(best[system] / CHAIN_END * 1e3)
            found.setdefault(system, {})[count] = best[system]
            accurate.setdefault(system, []).append(row["accurate enough"] == "yes")
            report.add(MANY, row)
    for system, by_count in found.items():
        own: Row = {"system": system}
        if len(by_count) > 1:
            own["exponent"] = round(exponent(list(by_count), list(by_count.values())), 2)
        if 10 in by_count and 40 in by_count:
            own["exponent from 10 to 40"] = round(math.log(by_count[40] / by_count[10]) / math.log(4), 2)
        for count in COUNTS:
            own[f"N={count}"] = (
                round(by_count[count] / found["linkwork"][count], 1) if count in by_count else ""
            )
        own["accurate enough"] = "yes" if all(accurate[system]) else "no"
        report.add(GROWTH, own)


Made = Callable[[], tuple[float, float, float]]  # CPU seconds, rocker at the end, energy error


def _coarsest(
    chain: Chain, system: str, settings: list[tuple[str, Callable[[Chain], Made]]]
) -> tuple[Callable[[], tuple[float, float, float]], Row] | None:
    """The first setting from coarse to fine that is accurate enough, or the last; nothing if none runs."""
    found = None
    for label, make in settings:
        try:
            run = make(chain)
            _, end, energy_error = run()
        except Exception as problem:  # a peer that gives up is a result too
            print(system, label, chain.count, "failed:", problem, flush=True)
            continue
        error = abs(end - chain.exact)
        is_enough = max(error, energy_error) <= CHAIN_ACCURATE
        row: Row = {"system": system, "N": chain.count, "setting": label, "CPU ms per simulated second": 0.0}
        row |= {"rocker error": short(error), "energy error": short(energy_error)}
        found = run, row | {"accurate enough": "yes" if is_enough else "no"}
        if is_enough:
            break
    return found


def _ours(tolerance: float) -> Callable[[Chain], Made]:
    def make(chain: Chain) -> Made:
        ours = Ours(chain_of_four_bars(chain.count), tolerance, np.linspace(0, CHAIN_END, 21))
        names = [each.name for each in ours.simulator.synthesis.y]
        place = names.index("r0.angle")
        observed = list(ours.simulator.synthesis.observed)
        kinetic, potential = observed.index("kinetic"), observed.index("potential")

        def run() -> tuple[float, float, float]:
            taken = ours.in_c()
            energies = ours.ran.outputs[:, kinetic] + ours.ran.outputs[:, potential]
            assert ours.ran.status == 0, ours.ran
            return taken, float(ours.ran.states[-1, place]), chain.energy_error(energies)

        return run

    return make


def _by_mujoco(integrator: str, step: float, stiff: float) -> Callable[[Chain], Made]:
    def make(chain: Chain) -> Made:
        start = np.array([chain.start, -chain.start] * chain.count + [chain.start])
        run = _mujoco_run(
            _mujoco(), chain.folder, _chain_xml(chain.count, step, integrator, stiff), start, step, CHAIN_END
        )
        places, n = np.array([*range(0, 2 * chain.count, 2), 2 * chain.count]), len(start)

        def made() -> tuple[float, float, float]:
            taken, rows = run()
            angle, rate = rows[:, places], rows[:, n + places]
            turn, spin = angle[:, :-1] + rows[:, 1:n:2], rate[:, :-1] + rows[:, n + 1 : 2 * n : 2]
            energies = np.sum(rate**2 / 6 + GRAVITY / 2 * np.sin(angle), axis=1)
            lower, faster = angle[:, :-1], rate[:, :-1]
            energies += np.sum(
                0.5 * (faster**2 + faster * spin * np.cos(lower - turn) + spin**2 / 3)
                + GRAVITY * (np.sin(lower) + 0.5 * np.sin(turn)),
                axis=1,
            )
            whole = np.concatenate([[chain.weight * math.sin(chain.start)], energies])
            return taken, float(rows[-1, 0]), chain.energy_error(whole)

        return made

    return make


def _exudyn_chain(exu: Any, system: Any, chain: Chain) -> list[Any]:
    """Put the chain into a system of Exudyn; gives what measures the first rocker's angle and rate."""
    from exudyn.utilities import (  # type: ignore[import-not-found]
        LoadMassProportional,
        MarkerBodyMass,
        MarkerBodyPosition,
        NodeRigidBody2D,
        ObjectGround,
        ObjectJointRevolute2D,
        ObjectRigidBody2D,
        SensorBody,
    )

    ground = system.AddObject(ObjectGround())

    def body(x: float, y: float, angle: float) -> Any:
        place = [x + 0.5 * math.cos(angle), y + 0.5 * math.sin(angle), angle]
        node = system.AddNode(NodeRigidBody2D(referenceCoordinates=place, initialVelocities=[0, 0, 0]))
        made = system.AddObject(ObjectRigidBody2D(nodeNumber=node, physicsMass=1, physicsInertia=1 / 12))
        mass = system.AddMarker(MarkerBodyMass(bodyNumber=made))
        system.AddLoad(LoadMassProportional(markerNumber=mass, loadVector=[0, -GRAVITY, 0]))
        return made

    def pin(first: Any, x: float, second: Any, y: float) -> None:
        markers = [
            system.AddMarker(MarkerBodyPosition(bodyNumber=made, localPosition=[at, 0, 0]))
            for made, at in ((first, x), (second, y))
        ]
        system.AddObject(ObjectJointRevolute2D(markerNumbers=markers))

    rockers = [body(place, 0, chain.start) for place in range(chain.count + 1)]
    for place, rocker in enumerate(rockers):
        pin(ground, place, rocker, -0.5)
    tip = (math.cos(chain.start), math.sin(chain.start))
    for place in range(chain.count):
        coupler = body(place + tip[0], tip[1], 0.0)
        pin(rockers[place], 0.5, coupler, -0.5)
        pin(coupler, 0.5, rockers[place + 1], 0.5)
    kept = {"bodyNumber": rockers[0], "storeInternal": True, "writeToFile": False}
    kinds = (exu.OutputVariableType.Rotation, exu.OutputVariableType.AngularVelocity)
    sensors = [system.AddSensor(SensorBody(**kept, outputVariableType=kind)) for kind in kinds]
    system.Assemble()
    return sensors


def _exudyn_settings(exu: Any, chain: Chain, step: float) -> Any:
    """Generalised α with a fixed step; sparse matrices where there are many loops."""
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(CHAIN_END / step)
    settings.timeIntegration.endTime = CHAIN_END
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = CHAIN_END / 20
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.95
    is_large = chain.count > 5
    settings.linearSolverType = (
        exu.LinearSolverType.EigenSparse if is_large else exu.LinearSolverType.EXUdense
    )
    return settings


def _by_exudyn(step: float) -> Callable[[Chain], Made]:
    def make(chain: Chain) -> Made:
        import exudyn as exu  # type: ignore[import-not-found]

        def run() -> tuple[float, float, float]:
            container = exu.SystemContainer()
            system = container.AddSystem()
            sensors = _exudyn_chain(exu, system, chain)
            settings = _exudyn_settings(exu, chain, step)
            taken = cpu_of(lambda: system.SolveDynamic(settings))
            turn, spin = (np.array(system.GetSensorStoredData(each))[:, -1] for each in sensors)
            angle = turn if abs(turn[0] - chain.start) < 1e-6 else turn + chain.start
            energies = 0.5 * chain.inertia * spin**2 + chain.weight * np.sin(angle)
            return taken, float(angle[-1]), chain.energy_error(energies)

        return run

    return make


def _by_drake(step: float) -> Callable[[Chain], Made]:
    def make(chain: Chain) -> Made:
        from pydrake.all import (  # type: ignore[import-not-found]
            DiscreteContactApproximation,
            MultibodyPlant,
            Parser,
            Simulator,
        )

        rod = (
            '<inertial><origin xyz="0.5 0 0"/><mass value="1"/>'
            f'<inertia ixx="1e-4" iyy="{1 / 12!r}" izz="{1 / 12!r}" ixy="0" ixz="0" iyz="0"/></inertial>'
        )

        def hinge(name: str, parent: str, child: str, x: float) -> str:
            return (
                f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
                f'<origin xyz="{x} 0 0"/><axis xyz="0 0 1"/></joint>'
            )

        text = '<robot name="chain"><link name="base"/>'
        for place in range(chain.count + 1):
            text += f'<link name="r{place}">{rod}</link>' + hinge(f"jr{place}", "base", f"r{place}", place)
            if place < chain.count:
                text += f'<link name="c{place}">{rod}</link>' + hinge(
                    f"jc{place}", f"r{place}", f"c{place}", 1
                )
        plant = MultibodyPlant(step)
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        Parser(plant).AddModelsFromString(text + "</robot>", "urdf")
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
        plant.mutable_gravity_field().set_gravity_vector([0, -GRAVITY, 0])
        for place in range(chain.count):
            first, second = plant.GetBodyByName(f"c{place}"), plant.GetBodyByName(f"r{place + 1}")
            plant.AddBallConstraint(first, [1, 0, 0], second, [1, 0, 0])
        plant.Finalize()
        start = np.zeros(plant.num_positions())
        for place in range(chain.count + 1):
            start[plant.GetJointByName(f"jr{place}").position_start()] = chain.start
            if place < chain.count:
                start[plant.GetJointByName(f"jc{place}").position_start()] = -chain.start
        own = plant.GetJointByName("jr0").position_start()

        def run() -> tuple[float, float, float]:
            simulator = Simulator(plant)
            context = simulator.get_mutable_context()
            plant.SetPositions(context, start)
            simulator.Initialize()
            rows = [(chain.start, 0.0)]

            def advance() -> None:
                for part in range(1, 21):
                    simulator.AdvanceTo(part * CHAIN_END / 20)
                    rows.append((plant.GetPositions(context)[own], plant.GetVelocities(context)[own]))

            taken = cpu_of(advance)
            angle, rate = np.array(rows).T
            return (
                taken,
                float(angle[-1]),
                chain.energy_error(0.5 * chain.inertia * rate**2 + chain.weight * np.sin(angle)),
            )

        return run

    return make


SYSTEMS: dict[str, list[tuple[str, Callable[[Chain], Made]]]] = {
    "linkwork": [(f"tolerance {each:g}", _ours(each)) for each in (1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-8)],
    "linkwork, one tolerance": [("tolerance 1e-07", _ours(1e-7))],
    "MuJoCo": [
        (f"RK4 {step * 1e3:g} ms, solref {4 * step:g}", _by_mujoco("RK4", step, 4 * step))
        for step in (1e-2, 5e-3, 4e-3, 2.5e-3, 1e-3)
    ],
    "MuJoCo, one step": [("RK4 2.5 ms, solref 0.01", _by_mujoco("RK4", 2.5e-3, 1e-2))],
    "Exudyn": [(f"{step * 1e3:g} ms", _by_exudyn(step)) for step in (2e-3, 1e-3, 5e-4, 4e-4, 2e-4)],
    "Drake": [("1 ms", _by_drake(1e-3))],
}
