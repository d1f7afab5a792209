"""The verb ``synthesise``: a program that simulates a machine, in C, Python or JavaScript, as a page or as an FMU."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkwork.cli.options import Json, MachineName, Quiet, Settings
from linkwork.cli.output import json_text, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.simulate import PATIENCE, Free
from linkwork.cli.verb import Verb
from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.model import Machine
    from linkwork.simulation import SimulationProgram

Target = Annotated[
    str,
    typer.Option(
        "--target",
        metavar="LANGUAGE",
        help="c, python, javascript, html, fmu2, fmu3; without it html for -o *.html, fmu2 for -o *.fmu, else c.",
        show_default=False,
    ),
]
Out = Annotated[
    str,
    typer.Option(
        "--out",
        "-o",
        metavar="FOLDER",
        help="Write the files into this folder, a page or an FMU into this file; - prints a single file.",
        show_default=False,
    ),
]
ProgramOf = Annotated[
    str,
    typer.Option(
        "--program",
        metavar="LANGUAGE",
        help="What a page computes with: javascript, wasm, or auto, which is wasm where its compiler is installed.",
    ),
]
PAGE_SUFFIX = {".html": "a page"}
UNIT_SUFFIX = {".fmu": "a functional mock-up unit"}
OWN_TARGETS = {".html": "html", ".fmu": "fmu2"}
"""What a file's suffix stands for where no target is named; files of FMI 2.0 can be read by more tools than of 3.0."""
FILE_SUFFIXES = {
    **OWN_TARGETS,
    ".c": "c",
    ".h": "c",
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
}
"""Suffixes of files, which no folder should have."""


def synthesise(
    machine: MachineName,
    target: Target = "",
    program_of: ProgramOf = "auto",
    settings: Settings = None,
    free: Free = None,
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the program that simulates a machine."""
    from linkwork.cli.settings import blaming, machine_that_moves, without_drives
    from linkwork.cli.suffix import chosen_suffix
    from linkwork.emit.fmu import VERSIONS
    from linkwork.view.live_page import AUTO, PAGE

    target = target or OWN_TARGETS.get(os.path.splitext(out)[1].lower(), "c")
    if target == PAGE:
        chosen_suffix(out, PAGE_SUFFIX, "a page")
    elif program_of != AUTO:
        raise UsageError(
            "only a page has a program of a kind",
            got=f"--target {target} --program {program_of}",
            fix=f"--target {PAGE} --program {program_of}",
        )
    if target in VERSIONS:
        chosen_suffix(out, UNIT_SUFFIX, "a functional mock-up unit")
    elif target in FILE_SUFFIXES.values() and target != PAGE and out != "-":
        _check_folder(out, target)
    chosen = without_drives(machine_that_moves(machine, settings or (), quiet=quiet), free or ())
    with blaming(machine), progress(f"synthesising {chosen.name}", quiet=quiet, patience=PATIENCE):
        program = _program_of(chosen, target, program_of)
    text = _single_file(program) if out == "-" else ""
    written = _written(program, out, quiet=quiet) if out and out != "-" else {}
    if as_json:
        write(json_text({**program.to_json(), **written}))
    else:
        write(text or _summary(program, written))


def _check_folder(out: str, target: str) -> None:
    """Refuse a folder that would look like a file."""
    stem, suffix = os.path.splitext(os.path.normpath(out)) if out else ("", "")
    wanted = FILE_SUFFIXES.get(suffix.lower(), "")
    if wanted and not os.path.isdir(out):
        raise UsageError(
            f"a program in {target} is a folder of files, and this is the name of a file",
            got=f"-o {out}",
            wanted="the name of a folder",
            fix=f"-o {stem}"
            if wanted == target
            else f"--target {wanted} -o {out if wanted in OWN_TARGETS.values() else stem}",
        )


def _written(program: SimulationProgram, out: str, *, quiet: bool) -> dict[str, Any]:
    """Write a program where it belongs; what is to be said about that."""
    from linkwork.cli.folder import write_folder
    from linkwork.dynamics.standalone import MARK
    from linkwork.view.live_page import PAGE

    if program.target == PAGE:
        write_file(out, _single_file(program), quiet=quiet)
        return {"files": list(program.files), "file": out}
    if not program.is_archive:
        write_folder(out, program.files, mark=MARK, products=program.products, quiet=quiet)
        return {"files": list(program.files), "folder": out}
    archive = program.archive()
    write_file(out, archive.content, quiet=quiet)
    warning = {"warning": archive.warning} if archive.warning else {}
    return {"files": list(archive.files), "file": out, **warning}


def _program_of(machine: Machine, target: str, computing: str) -> SimulationProgram:
    """The program in a language, or the page that runs it, computing in a language of its own."""
    from linkwork.simulation import synthesise as program_in
    from linkwork.simulation.targets import TARGETS, unknown_target
    from linkwork.view.live_page import PAGE, live_page

    if target not in (*TARGETS, PAGE):
        raise unknown_target(target, (*TARGETS, PAGE))
    return live_page(machine, computing) if target == PAGE else program_in(machine, target)


def _single_file(program: SimulationProgram) -> str:
    if program.is_archive:
        raise UsageError(
            "a functional mock-up unit is no text",
            got="-o -",
            wanted="a file",
            fix=f"-o {program.name}.fmu",
        )
    if len(program.files) > 1:
        raise UsageError(
            f"a program in {program.target} has {len(program.files)} files",
            got="-o -",
            wanted="a folder",
            fix=f"-o {program.name}",
        )
    return next(iter(program.files.values()))


def _summary(program: SimulationProgram, written: dict[str, Any]) -> str:
    """The files with their lines, the functions with their operations, and what should be known."""
    lines = [f"{program.machine.name} in {program.target}: {program.lines} lines", ""]
    width = max(24, *(len(name) + 2 for name in program.files))
    lines += [f"  {name:<{width}}{text.count(chr(10)):>8} lines" for name, text in program.files.items()]
    lines += [f"  {name:<{width}} library" for name in written.get("files", ()) if name not in program.files]
    lines += ["", "operations of one call"]
    lines += [f"  {name:<24}{count:>8}" for name, count in program.operations.items()]
    notes = [*program.notes, *([written["warning"]] if "warning" in written else [])]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


VERB = Verb(
    "synthesise",
    synthesise,
    "Write a program that simulates the machine: C with a Makefile, a module of Python or JavaScript, a page, an FMU.",
    (
        "linkwork synthesise roller-coaster -o coaster",
        "linkwork synthesise pendulum --target python -o -",
        "linkwork synthesise four-bar --free crank --target javascript -o four-bar-program",
        "linkwork synthesise roller-coaster -o coaster.html",
        "linkwork synthesise roller-coaster --target fmu2 -o coaster.fmu",
    ),
)
