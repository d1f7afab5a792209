"""Right-hand sides of open planar chains, called from C: ours as synthesised, beside the peers; size and compilation.

Pinocchio's articulated-body algorithm is traced through CasADi and printed as C (the fastest thing known), and called
in C++; MuJoCo is called in C. ``recursion by hand`` is the planar recursion of ``chain_model``, written by someone who
knows that the machine is a chain, and printed by CasADi and by linkwork.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import chain_model
from chain_rivals import casadi_chain, linkwork_chain
from linkwork.dynamics.c_program import machine_library_source
from linkwork.emit import print_c_functions
from linkwork.simulation import Simulator
from synthesis_measure import (
    CLOCK,
    HERE,
    PLAIN,
    SITE,
    TUNED,
    NotedReport,
    Row,
    best_in_turn,
    built,
    built_once,
    exponent,
    pointer,
)
from synthesis_model import chain_of_frames, chain_of_parts

SIZES = (2, 5, 10, 20, 50)
SECTION = "Right-hand side of open planar chains, called from C"
GROWTH = "Open chains: exponent of growth from n = 10 to 50, and ns relative to the fastest peer"
SIZE = "Code size and compilation of whole machines"
BEST_PEER = "Pinocchio ABA through CasADi, as C"
CHAINS = {"linkwork, frames": chain_of_frames, "linkwork, parts": chain_of_parts}
LOOP = (
    CLOCK
    + """
double chunk(double *s, double *out, int n, long calls)
{
    double begin = seconds();
    for (long call = 0; call < calls; ++call) {
        s[0] += 1e-9;
        evaluate(s, out);
        s[n] += 1e-12 * out[n];
    }
    return (seconds() - begin) / calls;
}
"""
)
_PREFIX = SITE / "cmeel.prefix"
_CASADI = SITE / "casadi"
_BOOST = "-DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"
_INCLUDES = f"-I{_PREFIX}/include -I{_PREFIX}/include/eigen3"
_PINOCCHIO = f"-L{_PREFIX}/lib -lpinocchio_default -Wl,-rpath,{_PREFIX}/lib"


@dataclass
class Timed:
    """A system at one size: how its state is made from relative angles, and what runs it."""

    name: str
    library: ctypes.CDLL
    is_absolute: bool = False
    is_from_x: bool = False  # the first angle is counted from the x-axis
    about: Row = field(default_factory=dict)

    def state(self, q: Any, v: Any) -> Any:
        """The system's own state."""
        places, rates = (np.cumsum(q), np.cumsum(v)) if self.is_absolute else (q.copy(), v.copy())
        if self.is_from_x:
            places -= np.pi / 2 if self.is_absolute else np.eye(len(q))[0] * np.pi / 2
        return np.concatenate([places, rates])

    def error(self, q: Any, v: Any) -> float:
        """How far its accelerations are from those of an independent closed form."""
        n = len(q)
        out = np.zeros(2 * n)
        self.library.chunk(pointer(self.state(q, v)), pointer(out), n, 1)
        found = np.diff(out[n:], prepend=0) if self.is_absolute else out[n:]
        moved = q + np.eye(n)[0] * 1e-9  # the loop moves the first angle before it calls
        if self.is_absolute and n > 1:
            moved[1] -= 1e-9
        exact = chain_model.reference(moved, v, "relative")
        return float(np.max(np.abs(found - exact)) / np.max(np.abs(exact)))

    def chunk(self, n: int) -> Callable[[], float]:
        """A short run, in seconds for each evaluation."""
        random = np.random.default_rng(0)
        state, out = self.state(random.uniform(-1, 1, n), random.uniform(-1, 1, n)), np.zeros(2 * n)
        calls = max(20, 4000 // n)
        return lambda: self.library.chunk(pointer(state), pointer(out), n, calls)


def _loaded(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path))
    library.chunk.restype = ctypes.c_double
    library.chunk.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_long]
    return library


def _from_text(
    folder: Path, name: str, text: str, n: int, evaluate: str, about: Row, **how: bool
) -> list[Timed]:
    """A system that is C text, compiled as linkwork does and for this very processor."""
    found = []
    source = "#define _POSIX_C_SOURCE 200809L\n" + text + evaluate + LOOP
    for place, (label, flags) in enumerate((("", PLAIN), (" -O3 -march=native", TUNED))):
        file = f"{hash((name, place)) & 0xFFFFFF:x}_{n}_{place}"
        path, seconds = built(folder, file, source, flags)
        own = about | {"lines of C": text.count("\n"), "compile s": round(seconds, 2)} if not place else {}
        found.append(Timed(name + label, _loaded(path), about=own, **how))
    return found


def _ours(folder: Path, n: int) -> list[Timed]:
    found = []
    for name, machine in CHAINS.items():
        begin = time.process_time()
        synthesis = Simulator(machine(n)).synthesis
        program = synthesis.derivative
        text = print_c_functions([program, synthesis.constants_program])
        about = {
            "derive and print s": round(time.process_time() - begin, 3),
            "operations": program.operations,
        }
        assert not synthesis.constants, "the chain has no parameters"
        call = "static void evaluate(const double *s, double *out)\n{ double t = 0; derivative(s, 0, 0, &t, out); }\n"
        is_absolute = name.endswith("parts")
        found += _from_text(folder, name, text, n, call, about, is_absolute=is_absolute, is_from_x=True)
    return found


def _by_hand(folder: Path, n: int) -> list[Timed]:
    found = []
    for name, rival in (
        ("recursion by hand, CasADi", casadi_chain),
        ("recursion by hand, linkwork", linkwork_chain),
    ):
        made = rival(n, "relative", "recursive", 0)
        call = f"static void evaluate(const double *s, double *out)\n{{ run(s, s + {n}, out + {n}); }}\n"
        about = {"derive and print s": round(made.seconds, 3), "operations": made.operations}
        found += _from_text(folder, name, made.source, n, call, about)
    return found


def _traced(folder: Path, n: int) -> list[Timed]:
    library = next(path for path in _CASADI.glob("libcasadi.so.3.*"))
    flags = f"-std=c++17 -O1 -w -DTRACE {_BOOST} {_INCLUDES} -I{_CASADI}/include"
    last = f"{library} {_PINOCCHIO} -Wl,-rpath,{_CASADI}"
    tracer = built_once("trace", HERE / "synthesis_pinocchio.cpp", flags, "g++", last)
    answer = subprocess.run(
        [str(tracer), str(n), f"traced{n}.c"], check=True, cwd=folder, capture_output=True, text=True
    ).stdout
    text = (folder / f"traced{n}.c").read_text()
    call = (
        "static void evaluate(const double *s, double *out)\n{"
        f" static double w[200000]; const double *arg[2] = {{s, s + {n}}}; double *res[1] = {{out + {n}}};"
        " fd(arg, res, 0, w, 0); }\n"
    )
    return _from_text(folder, BEST_PEER, text, n, call, {"operations": int(answer)})


def _engines(folder: Path, n: int) -> list[Timed]:
    flags = f"-std=c++17 -O3 -DNDEBUG -fPIC -shared -w {_BOOST} {_INCLUDES}"
    pinocchio = built_once("pinocchio.so", HERE / "synthesis_pinocchio.cpp", flags, "g++", _PINOCCHIO)
    mujoco = _loaded(mujoco_library())
    file = folder / f"chain{n}.xml"
    file.write_text(_mjcf(n))
    assert mujoco.take(str(file).encode()) == 0
    return [Timed("Pinocchio C++, ABA", _loaded(pinocchio)), Timed("MuJoCo C, mj_forward", mujoco)]


def mujoco_library() -> Path:
    """The driver of MuJoCo in C."""
    folder = SITE / "mujoco"
    library = next(path for path in folder.glob("libmujoco.so.*"))
    flags = f"-O3 -std=c99 -fPIC -shared -I{folder}/include"
    return built_once(
        "mujoco.so", HERE / "synthesis_mujoco.c", flags, "cc", f"{library} -Wl,-rpath,{folder} -lm"
    )


def _mjcf(n: int) -> str:
    inertia = f'<inertial pos="0 0 -0.5" mass="1" diaginertia="{1 / 12!r} {1 / 12!r} 1e-9"/>'
    bodies = "".join(
        f'<body pos="0 0 {-1 if k else 0}"><joint type="hinge" axis="0 1 0"/>{inertia}' for k in range(n)
    )
    option = '<option gravity="0 0 -9.81"><flag contact="disable" constraint="disable"/></option>'
    head = f'<mujoco><compiler angle="radian"/>{option}<worldbody>'
    return head + bodies + "</body>" * n + "</worldbody></mujoco>"


def add_chains(report: NotedReport, seconds: float) -> None:
    """Time every system at every size."""
    report.note(SECTION, __doc__.partition("\n\n")[2].strip().replace("\n", " ").replace("``", "`"))
    report.note(
        SECTION,
        "`ns` with the flags with which linkwork compiles (-O2, no fused multiply-add); `ns tuned` with -O3 "
        "-march=native for everyone. Accelerations are checked against an independent closed form. Lines and "
        "compilation are those of the one function.",
    )
    rows: dict[tuple[str, int], Row] = {}
    for n in SIZES:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            systems = [*_ours(folder, n), *_traced(folder, n), *_by_hand(folder, n), *_engines(folder, n)]
            random = np.random.default_rng(1)
            q, v = random.uniform(-1, 1, n), random.uniform(-1, 1, n)
            errors = {each.name: each.error(q, v) for each in systems}
            best = best_in_turn({each.name: each.chunk(n) for each in systems}, 2000, seconds)
        for each in systems:
            base = each.name.removesuffix(" -O3 -march=native")
            assert errors[each.name] < 1e-6, (each.name, n, errors[each.name])
            row = rows.setdefault((base, n), {"system": base, "n": n, "ns": ""})
            row["ns" if base == each.name else "ns tuned"] = round(best[each.name] * 1e9, 1)
            row |= each.about | ({"error": float(f"{errors[each.name]:.1e}")} if base == each.name else {})
    for row in rows.values():
        report.add(SECTION, row)
    _add_growth(report, rows)


def _add_growth(report: NotedReport, rows: dict[tuple[str, int], Row]) -> None:
    for base in dict.fromkeys(name for name, _ in rows):
        large = [n for n in SIZES if n >= 10]
        found: Row = {
            "system": base,
            "exponent": round(exponent(large, [rows[base, n]["ns"] for n in large]), 2),
        }
        for n in SIZES:
            found[f"n={n}: ns ÷ fastest peer"] = round(rows[base, n]["ns"] / rows[BEST_PEER, n]["ns"], 2)
        for n in SIZES:
            if rows[base, n].get("ns tuned"):
                found[f"n={n}, tuned"] = round(rows[base, n]["ns tuned"] / rows[BEST_PEER, n]["ns tuned"], 2)
        report.add(GROWTH, found)


def add_sizes(
    report: NotedReport, machines: dict[str, Callable[[int], Any]], sizes: dict[str, tuple[int, ...]]
) -> None:
    """Lines of C, operations and compilation of whole machines: derivative, initialisation, stabilisation, outputs."""
    report.note(
        SIZE,
        "All functions of the machine, as `linkwork simulate` compiles them, CPU seconds; -O1 from 6000 operations.",
    )
    for kind, machine in machines.items():
        found: list[Row] = []
        for n in sizes[kind]:
            with tempfile.TemporaryDirectory() as name:
                begin = time.process_time()
                synthesis = Simulator(machine(n)).synthesis
                text = machine_library_source(synthesis)
                taken = time.process_time() - begin
                operations = synthesis.derivative.operations
                flags = PLAIN if operations < 6000 else PLAIN.replace("-O2", "-O1")
                _, seconds = built(Path(name), "machine", text, flags)
            row: Row = {
                "machine": kind,
                "n": n,
                "lines of C": text.count("\n"),
                "operations of derivative": operations,
            }
            row |= {"derive and print s": round(taken, 2), "compile s": round(seconds, 2)}
            found.append(row)
        growing = found[1:] if len(found) > 2 else found
        for key in ("lines of C", "operations of derivative", "derive and print s", "compile s"):
            power = exponent([row["n"] for row in growing], [row[key] for row in growing])
            found[-1][f"exponent: {key}"] = round(power, 2)
        for row in found:
            report.add(SIZE, row)
