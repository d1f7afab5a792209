"""The verb ``move``: drives a machine over its range; columns as a table, a film or a page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from linkwork.cli.options import Camera, Json, MachineName, Out, Quiet, Settings
from linkwork.cli.progress import progress
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb

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
DriveName = Annotated[
    str,
    typer.Option(
        "--drive",
        metavar="NAME",
        help="What is driven, such as crank.angle or a joint; others stand.",
        show_default=False,
    ),
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
    drive: DriveName = "",
    columns: ColumnNames = "",
    camera: Camera = "",
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Drive a machine and tell how it went."""
    suffix = chosen_suffix(out, FILES, "a motion")
    from linkwork.cli.camera import check_camera
    from linkwork.cli.columned import chosen_columns, column_document, columned_content, tell
    from linkwork.cli.motion_text import motion_text
    from linkwork.cli.output import note
    from linkwork.cli.settings import blaming, machine_with_parts, number_in
    from linkwork.kinematics import Mechanism, driven
    from linkwork.kinematics.analysis import with_analysed

    chosen = machine_with_parts(machine, settings or (), quiet=quiet)
    check_camera(chosen, camera, out, quiet=quiet)
    with blaming(machine), progress(f"moving {chosen.name}", quiet=quiet, patience=PATIENCE):
        if drive or not chosen.drives:
            chosen = driven(chosen, drive)
            if not (drive or quiet):
                note(f"no drive is given: {next(iter(chosen.drives))} is driven; --drive names another")
        start, last = number_in("--from", first, chosen), number_in("--until", until, chosen)
        motion = Mechanism(chosen).move(steps=steps, start=start, until=last, through=through)
        motion = with_analysed(motion, [word.strip() for word in columns.split(",")])
        names = chosen_columns(motion, columns)
        document = column_document(motion, names)
        content = columned_content(motion, names, document, suffix, lambda: _seen(motion, suffix, camera))
    told = partial(motion_text, motion)
    tell(motion, names, document, content, told, out=out, suffix=suffix, as_json=as_json, quiet=quiet)


def _seen(motion: Motion, suffix: str, camera: str) -> str | bytes:
    """A picture, a film, a page or a model of the motion."""
    from linkwork.view.motion_file import motion_file
    from linkwork.view.results import usual_columns

    return motion_file(motion, suffix, camera, plots=usual_columns(motion))


VERB = Verb(
    "move",
    move,
    "Drive a machine over its range: positions, rates, forces; a table, a film or a page with -o.",
    (
        "linkwork move four-bar",
        "linkwork move four-bar -o four-bar.csv --columns crank,rocker.angle,rocker.rate",
        "linkwork move four-bar --set crank=1.5 -o four-bar.html",
        'linkwork move four-bar --until "pi/2" --steps 90 --json',
        "linkwork move engine --drive piston.displacement",
    ),
)
