"""Foresight: clocks foreseen from a few of their cycles, beside simulations of all of them."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import linkwork as lw
from linkwork.examples import path
from linkwork.foresee import Forecast
from linkwork.foresee.resting import NEAR_REST
from linkwork.view.forecast import later_times
from report import Report

Array = NDArray[np.float64]

CLOCKS = (
    *("escapement", "double-escapement", "missing-tooth", "big-tooth", "time-bomb", "chiming-clock"),
    "hour-and-day-clock",
)
SPACING = 0.02
AT_ONCE = 100_000
"""Rows of a full simulation that are held in memory."""
BALANCE_RESTS = np.pi / 2
PLACES = 10


def main() -> int:
    """All of it."""
    load = f"The load was {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors."
    report = Report(
        "foresight", "Foresight", f"Times are CPU times of one run, programs compiled before. {load}"
    )
    with tempfile.TemporaryDirectory() as folder:
        _run_down(report, "The escapement of Gelsey, from full to empty mainspring", lw.load("escapement"))
        long = Path(folder) / "long.toml"
        long.write_text(long_mainspring())
        title = "The same with a long mainspring, relaxed at -1e6°, stiffness 0.2"
        _run_down(report, title, lw.load(str(long)))
        _strokes(report)
        _all_clocks(report, Path(folder))
    report.write()
    return 0


def long_mainspring() -> str:
    """The escapement, whose spring pulls as hard at first and a hundred times as long."""
    text = path("escapement").read_text("utf-8")
    spring = 'rest = "-10000 deg", stiffness = 20'
    assert text.count(spring) == 1
    return text.replace(spring, 'rest = "-1000000 deg", stiffness = 0.2')


def timed(work: Callable[..., Any], *given: Any, **more: Any) -> tuple[Any, float]:
    """What some work gives, and the CPU time it took."""
    begin = time.process_time()
    return work(*given, **more), time.process_time() - begin


# ----------------------------------------------------------------------------------------- run down


def _run_down(report: Report, title: str, machine: lw.Machine) -> None:
    """A forecast, and all cycles of one simulation from the start until rest."""
    lw.predict(machine, 20.0)  # compiled by now
    forecast, foreseen_in = timed(lw.predict, machine)
    (times, highest, stopped), simulated_in = timed(full_simulation, forecast)
    rows = np.concatenate(
        [
            _compared(forecast, place, times, highest)
            for place, each in enumerate(forecast.patterns)
            if not each.is_average
        ]
    )
    periods, amplitudes = np.abs(rows[:, 2] / rows[:, 3] - 1), np.degrees(np.abs(rows[:, 4] - rows[:, 5]))
    pattern, ending = forecast.patterns[0], forecast.endings[0]
    row = {
        "cycles foreseen": round(sum(each.repetitions for each in forecast.patterns)),
        "of them compared": len(rows),
        "told as averages": round(sum(each.repetitions for each in forecast.patterns if each.is_average)),
        "cycles simulated": round(forecast.simulated_time / pattern.duration, 1),
        "horizon ÷ simulated": round(forecast.reached / forecast.simulated_time, 1),
        "largest error of a period": f"{100 * periods.max():.3f} %",
        "of an amplitude": f"{amplitudes.max():.2f}°",
        "deviation at restarts": f"{100 * forecast.deviation:.1f} % of a swing",
        "forecast s": round(foreseen_in, 2),
        "full simulation s": round(simulated_in, 2),
    }
    report.add(title, row)
    end = f"{title}: how it ends"
    foretold_end = f"{ending.last_moves['ewheel']:.1f}" if "ewheel" in ending.last_moves else "not told"
    told = {"it says": ending.kind, "pattern until": f"{forecast.patterns[-1].valid_until:.1f}"}
    error = {"may be off by": f"{ending.time_error:.1f}"}
    report.add(end, {"by": "forecast", **told, "wheel last moves": foretold_end, **error})
    report.add(end, {"by": "full simulation", "wheel last moves": f"{stopped:.1f}"})
    for number in np.linspace(0, len(rows) - 1, PLACES).round().astype(int):
        row = rows[number]
        report.add(
            f"{title}: at ten places",
            {
                "cycle": int(number),
                "t foretold": f"{row[0]:.3f}",
                "t simulated": f"{row[1]:.3f}",
                "period foretold": f"{row[2]:.5f}",
                "simulated": f"{row[3]:.5f}",
                "amplitude foretold": f"{np.degrees(row[4]):.3f}°",
                "simulated ": f"{np.degrees(row[5]):.3f}°",
            },
        )


def _compared(forecast: Forecast, place: int, times: Array, highest: Array) -> Array:
    """Of each cycle of a pattern its time, its period and its amplitude, foretold and simulated by turns."""
    island = forecast.foreseen[0]
    envelope, balance = island.stages[place].envelope, island.course.variables.index("bwheel.angle")
    first, last = envelope.nodes[0], envelope.nodes[-1]
    start = int(np.argmin(np.abs(times - first.time)))
    if (
        abs(times[start] - first.time) > 0.1
    ):  # its cycles do not begin where the balance turns back from above
        return np.zeros((0, 6))
    count = max(min(int(last.number), len(times) - start - 1), 0)
    foretold = np.array([envelope.place(float(number)) for number in range(count + 1)])
    own, angles = times[start : start + count + 1], highest[start : start + count + 1]
    columns = (foretold[:-1, 0], own[:-1], np.diff(foretold[:, 0]), np.diff(own))
    return np.column_stack([*columns, foretold[:-1, 1 + balance], angles[:-1]])


def full_simulation(forecast: Forecast) -> tuple[Array, Array, float]:
    """When the balance turns back from above and its angle then, in all of its motion; when the wheel last moves."""
    times, angles, wheel = [], [], []
    for rows, balance, turned in _chunks(forecast):
        at = 1 + np.flatnonzero((balance[1:-1] > balance[:-2]) & (balance[1:-1] >= balance[2:]))
        at = at[balance[at] > BALANCE_RESTS]
        a, b, c = balance[at - 1], balance[at], balance[at + 1]
        shift = 0.5 * (a - c) / (a - 2 * b + c)
        times.append(rows[at] + SPACING * shift)
        angles.append(b - 0.25 * (a - c) * shift)
        late = rows >= _last_stretch(forecast)
        wheel.append(np.column_stack([rows, turned])[late])
    return np.concatenate(times), np.concatenate(angles), last_moves(np.concatenate(wheel))


def _last_stretch(forecast: Forecast) -> float:
    """When the last stretch begins that was simulated, until rest."""
    follower = forecast.foreseen[0].follower
    assert follower is not None
    return float(follower.seen[0][0][0])


def last_moves(rows: Array) -> float:
    """When the wheel is last away from where it ends, as a forecast tells it: by a share of a turn."""
    moving = np.abs(rows[:, 1] - rows[-1, 1]) > NEAR_REST * min(float(np.ptp(rows[:, 1])), 2 * np.pi)
    return float(rows[moving][-1, 0])


def _chunks(forecast: Forecast) -> Iterator[tuple[Array, Array, Array]]:
    """Times, balance and wheel of one simulation without restarts but where memory ends, until all is at rest."""
    course = forecast.foreseen[0].course
    begin, state = course.time, course.start
    balance, wheel = (course.variables.index(name) for name in ("bwheel.angle", "ewheel.angle"))
    until = 1.02 * forecast.reached
    while begin < until:
        rows = np.array(begin + SPACING * np.arange(AT_ONCE), float)
        ran = course.run(begin, state, rows)
        assert ran.is_whole, ran.why
        yield ran.times, ran.states[:, balance], ran.states[:, wheel]
        # the next chunk begins two rows before the end of this one, so that no turn is missed
        begin, state = float(ran.times[-2]), ran.states[-2]


# -------------------------------------------------------------------------------------------- chimes


def _strokes(report: Report) -> None:
    machine = lw.load("hour-and-day-clock")
    forecast = lw.predict(machine)
    until = forecast.patterns[0].valid_until
    run = lw.simulate(machine, until=until, contact="rigid")
    for process in forecast.superimposed:
        met = np.array([event["t"] for event in run.events if {*event["parts"]} == {*process.parts}])
        own = met[np.r_[True, np.diff(met) > process.duration]]
        foretold = np.sort([*process.times, *later_times(forecast, process)])
        both = min(len(own), len(foretold))
        report.add(
            f"Clock with chimes of hours and days, foreseen until t = {until:.0f} from {forecast.simulated_time:.0f}",
            {
                "what": " and ".join(process.parts),
                "every so many cycles": process.repetitions,
                "simulated while foreseeing": len(process.times),
                "strokes foretold": len(foretold),
                "in a full simulation": len(own),
                "largest error of a time": f"{np.abs(own[:both] - foretold[:both]).max():.4f}",
            },
        )


# ---------------------------------------------------------------------------------------- all clocks


def _all_clocks(report: Report, folder: Path) -> None:
    """The command for every clock, as CPU time of the whole process, and the call without starting Python."""
    title = "All clocks of the examples"
    total: dict[str, float] = {"predict() s": 0.0, "linkwork predict s": 0.0}
    for name in CLOCKS:
        _command(
            name, folder
        )  # modules are compiled to bytecode by now, as they are where linkwork is installed
        forecast, call = timed(lw.predict, lw.load(name))
        times = {"predict() s": call, "linkwork predict s": _command(name, folder)}
        total = {each: total[each] + times[each] for each in total}
        row = {"clock": name, **{each: round(seconds, 2) for each, seconds in times.items()}}
        row |= {"ends": forecast.endings[0].kind, "simulated": round(forecast.simulated_time)}
        report.add(title, row | {"of": round(forecast.reached)})
    report.add(title, {"clock": "all", **{each: round(seconds, 2) for each, seconds in total.items()}})


def _command(name: str, folder: Path) -> float:
    """CPU seconds of ``linkwork predict``."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [sys.executable, "-m", "linkwork", "predict", name, "--json"]
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    raise SystemExit(main())
