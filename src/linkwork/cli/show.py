"""The verb ``show``: what a machine is, in words, and a picture of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkwork.cli.options import Camera, Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import complain, json_text, write, write_file
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb
from linkwork.errors import LinkworkError, UsageError

if TYPE_CHECKING:
    from linkwork.kinematics.summary import Summary
    from linkwork.model import Machine

PICTURES = {".svg": "a picture", ".png": "a picture in pixels", ".glb": "a model for other programs"}
"""The files that ``-o`` can ask for."""


AllBranches = Annotated[
    bool,
    typer.Option("--branches", help="List all ways to assemble a machine of the plane.", show_default=False),
]


def show(
    machine: MachineName,
    branches: AllBranches = False,
    settings: Settings = None,
    camera: Camera = "",
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print what a machine is, and draw it where it was asked for."""
    suffix = chosen_suffix(out, PICTURES, "a picture")
    from linkwork.cli.camera import SEEN, check_camera
    from linkwork.cli.settings import blaming, machine_with_parts
    from linkwork.kinematics import show as describe
    from linkwork.model import load
    from linkwork.model.file import is_design, name_place

    if is_design(machine):
        from linkwork.cli.show_design import show_design

        show_design(machine, settings or (), out, suffix, as_json=as_json, quiet=quiet)
        return
    loaded = load(machine)
    check_camera(loaded, camera, out, () if loaded.drawing is not None else SEEN, quiet=quiet)
    if loaded.drawing is not None:
        from linkwork.cli.show_drawing import show_drawing

        if branches:
            raise _no_branches(loaded.name, machine)
        show_drawing(loaded, machine, settings or (), out, suffix, as_json=as_json, quiet=quiet)
        return
    if loaded.is_scene and not branches:
        from linkwork.cli.settings import machine_that_moves
        from linkwork.cli.show_scene import show_scene

        scene = machine_that_moves(machine, settings or (), quiet=quiet)
        with blaming(machine):
            show_scene(scene, out, suffix, camera, as_json=as_json, quiet=quiet)
        return
    chosen = machine_with_parts(machine, settings or (), quiet=quiet)
    with blaming(machine):
        found = describe(chosen)
    if found.problem is not None:
        name_place(found.problem, machine)
    document = found.to_json()
    told = _told_branches(chosen, document) if branches else ""
    if suffix and found.position is not None:
        from linkwork.cli.pictures import picture

        with blaming(machine):
            drawn = picture(found, suffix, camera)
        write_file(out, drawn, quiet=quiet)
        document["file"] = out
    _tell(found, document, told, as_json=as_json, quiet=quiet)


def _no_branches(name: str, machine: str) -> LinkworkError:
    return UsageError(
        "--branches is for machines with parts",
        got=f"{name}, a drawing",
        why="the first picture of a drawing chooses its branch",
        fix=f"linkwork show {machine}",
    )


def _told_branches(machine: Machine, document: dict[str, Any]) -> str:
    """All ways to assemble a machine, in words, and in the document."""
    from linkwork.kinematics import Mechanism

    every = Mechanism(machine).branches()
    document["branches"] = [each.to_json() for each in every]
    document["branches_complete"] = every.complete
    return "\n".join(["", f"{every!r}, at the drives' first values", *(f"  {each}" for each in every), ""])


def _tell(found: Summary, document: dict[str, Any], told: str, *, as_json: bool, quiet: bool) -> None:
    """Write what a machine is; a failure is told on stderr like any other, so the words on stdout leave it out."""
    write(json_text(document) if as_json else str(replace(found, problem=None)) + told)
    if found.problem is not None:
        if not (as_json and quiet):
            complain(found.problem)
        raise typer.Exit(found.problem.exit_code)


VERB = Verb(
    "show",
    show,
    "Tell what a machine is: parts, joints, mobility; draw it with -o.",
    (
        "linkwork show four-bar",
        "linkwork show four-bar -o four-bar.svg",
        "linkwork show four-bar --set crank=3 --json",
        "linkwork show jansen-leg --branches",
        "linkwork show four-bar-drawing -o drawing.svg",
        "linkwork show two-pawl-tee -o design.svg",
        "linkwork show roller-coaster --camera platform -o coaster.png",
    ),
)
