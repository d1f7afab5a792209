"""The verb ``move``: drives a machine over its range; columns as a table, a film or a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkwork.cli.column_files import column_content
from linkwork.cli.options import Camera, Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import json_text, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb
from linkwork.errors import UsageError
from linkwork.model.fault import did_you_mean, listed

if TYPE_CHECKING:
    from linkwork.kinematics import Motion

FILES = {
    ".csv": "the columns",
    ".parquet": "the columns",
    ".json": "the JSON document",
    ".html": "a page that plays it",
    ".gif": "a film",
    ".mp4": "a video",
    ".webm": "a video",
    ".glb": "a model with its motion",
    ".svg": "a picture",
    ".png": "a picture",
}
"""The files that ``-o`` can ask for."""

PATIENCE = 0.7
"""Seconds before a bar appears: most machines are done by then."""

Steps = Annotated[
    int | None, typer.Option("--steps", min=1, metavar="N", help="How many steps.", show_default=False)
]
From = Annotated[
    str, typer.Option("--from", metavar="TIME", help='The first time, such as "pi/2".', show_default=False)
]
Until = Annotated[str, typer.Option("--until", metavar="TIME", help="The last time.", show_default=False)]
Through = Annotated[
    bool,
    typer.Option("--through", help="Go on at a dead point, with the drive turning back.", show_default=False),
]
ColumnNames = Annotated[
    str,
    typer.Option(
        "--columns", metavar="NAMES", help="Only these columns, such as A.fx,A.fy.", show_default=False
    ),
]


def move(
    machine: MachineName,
    settings: Settings = None,
    steps: Steps = None,
    first: From = "",
    until: Until = "",
    through: Through = False,
    columns: ColumnNames = "",
    camera: Camera = "",
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Drive a machine and tell how it went."""
    suffix = chosen_suffix(out, FILES, "a motion")
    from linkwork.cli.settings import blaming, machine_with_parts, number_in
    from linkwork.kinematics import Mechanism
    from linkwork.kinematics.analysis import with_analysed

    chosen = machine_with_parts(machine, settings or ())
    start, last = number_in("--from", first, chosen), number_in("--until", until, chosen)
    with blaming(machine), progress(f"moving {chosen.name}", quiet=quiet, patience=PATIENCE):
        motion = Mechanism(chosen).move(steps=steps, start=start, until=last, through=through)
        motion = with_analysed(motion, [word.strip() for word in columns.split(",")])
        names = _chosen_columns(motion, columns)
        document = _document(motion, names)
        content = _content(motion, names, document, suffix, camera)
    if suffix:
        write_file(out, content, quiet=quiet)
        document["file"] = out
    if as_json:
        write(json_text(document))
    elif out == "-":
        write(str(column_content(motion, names, ".csv")))
    else:
        from linkwork.cli.motion_text import motion_text

        write(motion_text(motion))


def _chosen_columns(motion: Motion, columns: str) -> list[str]:
    """The columns that were asked for, all of them where none was."""
    if not columns.strip():
        return list(motion.columns)
    names = [name for word in columns.split(",") if (name := word.strip())]
    for name in names:
        if name not in motion.columns:
            raise _no_column(motion, name)
    return list(dict.fromkeys(names))


def _no_column(motion: Motion, name: str) -> UsageError:
    machine = motion.machine
    point, _, _ = name.rpartition(".")
    part, _, place = point.partition(".")
    fix = did_you_mean(name, motion.columns, "linkwork move … --json   # names all columns")
    if place and place in machine.part(part).points:
        fix = f'[view]\ntraces = ["{point}"]   # in the machine file: adds the columns of this point'
    return UsageError(f"the motion has no column '{name}'", wanted=listed(motion.columns), fix=fix)


def _document(motion: Motion, names: list[str]) -> dict[str, Any]:
    """The JSON document, with the columns that were asked for."""
    document = motion.to_json()
    if names != document["columns"]:
        table = motion.to_frame()
        document["columns"] = names
        document["rows"] = [list(row) for row in zip(*(table[name].tolist() for name in names), strict=True)]
        document["units"] = {name: unit for name, unit in document["units"].items() if name in names}
    return document


def _content(
    motion: Motion, names: list[str], document: dict[str, Any], suffix: str, camera: str
) -> str | bytes:
    """What the file holds."""
    if not suffix:
        return ""
    if suffix == ".json":
        return json_text(document)
    if suffix in (".csv", ".parquet"):
        return column_content(motion, names, suffix)
    if suffix in (".mp4", ".webm", ".glb") or (camera and suffix != ".html"):
        from linkwork.view.machine_stage import machine_stage
        from linkwork.view.stage_files import stage_file

        return stage_file(machine_stage(motion.machine, motion), suffix, camera=camera)
    from linkwork.cli.pictures import picture
    from linkwork.view import scene_page
    from linkwork.view.machine_scene import machine_scene
    from linkwork.view.results import plotted

    scene = machine_scene(motion.machine, motion)
    return scene_page(scene, plot=plotted(motion)) if suffix == ".html" else picture(scene, suffix)


VERB = Verb(
    "move",
    move,
    "Drive a machine over its range: positions, rates, forces; a table, a film or a page with -o.",
    (
        "linkwork move four-bar",
        "linkwork move four-bar -o four-bar.csv --columns crank,rocker.angle,rocker.rate",
        "linkwork move four-bar --set crank=1.5 -o four-bar.html",
        'linkwork move four-bar --until "pi/2" --steps 90 --json',
    ),
)
