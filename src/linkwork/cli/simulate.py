"""The verb ``simulate``: the motion of a machine in time; columns as a table, a plot or a page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkwork.cli.options import Camera, Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import note
from linkwork.cli.progress import progress
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb

if TYPE_CHECKING:
    from linkwork.simulation import Solution

FILES = {
    ".csv": "the columns",
    ".parquet": "the columns",
    ".json": "the JSON document",
    ".html": "a page that plays it",
    ".gif": "a film",
    ".mp4": "a video",
    ".webm": "a video",
    ".glb": "a model with its motion",
    ".svg": "a plot, with --camera a picture",
    ".png": "a plot, with --camera a picture",
}
PATIENCE = 0.7

Until = Annotated[str, typer.Option("--until", metavar="TIME", help="The last time.", show_default=False)]
Step = Annotated[
    str,
    typer.Option(
        "--step", metavar="TIME", help="Spacing of rows (1000 rows without it).", show_default=False
    ),
]
Tolerance = Annotated[float, typer.Option("--rtol", metavar="SHARE", help="The accuracy that is wanted.")]
Method = Annotated[str, typer.Option("--method", metavar="NAME", help="auto, explicit or implicit.")]
Free = Annotated[
    list[str] | None,
    typer.Option("--free", metavar="DRIVE", help="Let go of a drive; repeatable.", show_default=False),
]
Start = Annotated[
    list[str] | None,
    typer.Option(
        "--start", metavar="NAME=VALUE", help="Where a variable starts; repeatable.", show_default=False
    ),
]
Rate = Annotated[
    list[str] | None,
    typer.Option("--rate", metavar="NAME=VALUE", help="How fast it starts; repeatable.", show_default=False),
]
Control = Annotated[
    list[str] | None,
    typer.Option(
        "--control", metavar="NAME=VALUE", help="The value of a control; repeatable.", show_default=False
    ),
]
ColumnNames = Annotated[
    str, typer.Option("--columns", metavar="NAMES", help="Only these columns.", show_default=False)
]
ContactModel = Annotated[
    str,
    typer.Option("--contact", metavar="MODEL", help="Let parts touch: rigid or elastic.", show_default=False),
]
Friction = Annotated[
    float | None,
    typer.Option("--friction", metavar="NUMBER", help="Coulomb friction of contacts.", show_default=False),
]
Restitution = Annotated[
    float | None,
    typer.Option(
        "--restitution", metavar="SHARE", help="Of the impulse of impacts, 0 to 1.", show_default=False
    ),
]
Unchecked = Annotated[bool, typer.Option("--no-check", help="One run, without an estimate of its error.")]


def simulate(
    machine: MachineName,
    settings: Settings = None,
    until: Until = "",
    step: Step = "",
    rtol: Tolerance = 1e-9,
    method: Method = "auto",
    free: Free = None,
    start: Start = None,
    rate: Rate = None,
    control: Control = None,
    columns: ColumnNames = "",
    contact: ContactModel = "",
    friction: Friction = None,
    restitution: Restitution = None,
    unchecked: Unchecked = False,
    camera: Camera = "",
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Simulate a machine and tell how it went."""
    suffix = chosen_suffix(out, FILES, "a simulation")
    from linkwork.cli.camera import check_camera
    from linkwork.cli.columned import chosen_columns, column_document, columned_content, tell
    from linkwork.cli.settings import blaming, machine_that_moves, number_in, numbers_by_name, without_drives
    from linkwork.cli.solution_text import solution_text
    from linkwork.simulation import Simulator

    warned: list[str] = []
    touching = None
    if contact:
        from linkwork.cli.contact import chosen_laws, contact_simulator

        touching = contact_simulator(machine, settings or (), contact)
        chosen = touching.plain
        laws = chosen_laws(chosen, friction, restitution)
    else:
        chosen = without_drives(machine_that_moves(machine, settings or (), warned.append), free or ())
    for message in () if quiet else warned:
        note(f"warning: {message}")
    check_camera(chosen, camera, out, quiet=quiet)
    last = number_in("--until", until, chosen)
    how: dict[str, Any] = {
        "step": number_in("--step", step, chosen),
        "rtol": rtol,
        "controls": numbers_by_name("--control", control or (), chosen),
        "start": numbers_by_name("--start", start or (), chosen),
        "rates": numbers_by_name("--rate", rate or (), chosen),
    }
    with blaming(machine), progress(f"simulating {chosen.name}", quiet=quiet, patience=PATIENCE):
        solution: Solution
        if touching is not None:
            solution = touching.simulate(last, model=contact, laws=laws, **how)
        else:
            solution = Simulator(chosen).simulate(last, method=method, check=not unchecked, **how)
        names = chosen_columns(solution, columns)
        document = column_document(solution, names) | ({"warnings": warned} if warned else {})
        content = columned_content(solution, names, document, suffix, lambda: _seen(solution, suffix, camera))
    told = partial(solution_text, solution)
    tell(solution, names, document, content, told, out=out, suffix=suffix, as_json=as_json, quiet=quiet)


def _seen(solution: Solution, suffix: str, camera: str) -> str | bytes:
    """A plot, a picture, a film, a page or a model of the simulation."""
    from linkwork.view.solution import solution_file

    return solution_file(solution, suffix, camera)


VERB = Verb(
    "simulate",
    simulate,
    "Simulate a machine in time: positions, rates, energies; a table, a plot or a page with -o.",
    (
        "linkwork simulate pendulum --until 10",
        "linkwork simulate roller-coaster --until 60 --control throttle=1 -o coaster.csv",
        "linkwork simulate snowman --until 6 -o snowman.glb",
        "linkwork simulate four-bar --free crank --rate crank.angle=3",
        "linkwork simulate pendulum --set l=1 --rtol 1e-12 --json",
        "linkwork simulate escapement --contact rigid --until 70",
    ),
)
