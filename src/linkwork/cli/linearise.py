"""The verb ``linearise``: equilibria, small motions about them, frequencies, modes and state matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linkwork.cli.options import Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import json_text, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.simulate import Control, Free, Rate, Start
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb

if TYPE_CHECKING:
    from linkwork.simulation import Linearisation

FILES = {".json": "the JSON document"}
PATIENCE = 0.7
MOST_SHOWN = 12
"""States up to which the matrix A is printed."""

Moving = Annotated[
    bool,
    typer.Option("--moving", help="About the start as it is, not about an equilibrium.", show_default=False),
]
Outputs = Annotated[
    str, typer.Option("--outputs", metavar="NAMES", help="Columns for C and D.", show_default=False)
]


def linearise(
    machine: MachineName,
    settings: Settings = None,
    moving: Moving = False,
    outputs: Outputs = "",
    free: Free = None,
    start: Start = None,
    rate: Rate = None,
    control: Control = None,
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Linearise a machine about an equilibrium."""
    suffix = chosen_suffix(out, FILES, "a linearisation")
    from linkwork.cli.settings import blaming, machine_that_moves, numbers_by_name, without_drives
    from linkwork.simulation import linearise as linearised

    chosen = without_drives(machine_that_moves(machine, settings or (), quiet=quiet), free or ())
    names = [word.strip() for word in outputs.split(",") if word.strip()]
    with blaming(machine), progress(f"linearising {chosen.name}", quiet=quiet, patience=PATIENCE):
        found = linearised(
            chosen,
            at_rest=not moving,
            start=numbers_by_name("--start", start or (), chosen),
            rates=numbers_by_name("--rate", rate or (), chosen),
            controls=numbers_by_name("--control", control or (), chosen),
            outputs=names or None,
        )
        document = found.to_json()
    if suffix:
        write_file(out, json_text(document), quiet=quiet)
        document["file"] = out
    if as_json:
        write(json_text(document))
    else:
        write(_text(found, moving))


def _text(found: Linearisation, moving: bool) -> str:
    machine = found.machine
    lines = [machine.title or machine.name, ""]
    place = ", ".join(f"{name} = {value:.6g}" for name, value in list(found.at.items())[:MOST_SHOWN])
    lines.append(f"{'state' if moving else 'at rest'}   {place}{', …' if len(found.at) > MOST_SHOWN else ''}")
    lines.append(f"stable    {'yes: nothing grows' if found.is_stable else 'no'}")
    lines += ["", "eigenvalue                 frequency   per 2 pi    damping"]
    for mode in found.modes():
        real, imaginary = mode["eigenvalue"]
        shown = f"{real:.6g} + {imaginary:.6g}i" if imaginary else f"{real:.6g}"
        frequency = mode["frequency"]
        lines.append(
            f"{shown:<25}  {frequency:<10.6g}  {frequency / 6.283185307179586:<10.6g}  {mode['damping']:.4g}"
        )
        shape = {name: value[0] for name, value in mode["shape"].items()}
        lines.append(
            "    " + ", ".join(f"{name} {value:.4g}" for name, value in list(shape.items())[:MOST_SHOWN])
        )
    if len(found.states) <= MOST_SHOWN:
        lines += ["", f"A, of {', '.join(found.states)}"]
        lines += [
            "  " + "  ".join(f"{0.0 if abs(entry) < 1e-9 else entry:>11.6g}" for entry in row)
            for row in found.a
        ]
    if found.inputs:
        lines += ["", f"B, of {', '.join(found.inputs)}"]
        lines += ["  " + "  ".join(f"{entry:>11.6g}" for entry in row) for row in found.b]
    return "\n".join(lines) + "\n"


VERB = Verb(
    "linearise",
    linearise,
    "Equilibrium, natural frequencies and modes, and the matrices A, B, C, D of small motions.",
    (
        "linkwork linearise pendulum",
        "linkwork linearise acrobat --json",
        "linkwork linearise four-bar --free crank --outputs rocker.angle",
    ),
)
