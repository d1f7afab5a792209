"""The verb ``simulate``: the motion of a machine in time; columns as a table, a plot or a page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkwork.cli.options import Camera, Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import note
from linkwork.cli.progress import progress
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb

if TYPE_CHECKING:
    from linkwork.contact import ContactIslands
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
Compare = Annotated[
    bool,
    typer.Option("--compare", help="Run all models of contact: what they cost, how far they differ."),
]
FreeBodyTime = Annotated[
    str,
    typer.Option("--free-body", metavar="TIME", help="All forces on each part then.", show_default=False),
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
    compare: Compare = False,
    free_body: FreeBodyTime = "",
    unchecked: Unchecked = False,
    camera: Camera = "",
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Simulate a machine and tell how it went."""
    from linkwork.cli.camera import check_camera
    from linkwork.cli.compare import tell_comparison
    from linkwork.cli.contact import check_options, chosen_laws, contact_simulator
    from linkwork.cli.free_body import tell_free_bodies
    from linkwork.cli.settings import blaming, machine_that_moves, number_in, numbers_by_name, without_drives
    from linkwork.contact.laws import restitution_unused
    from linkwork.simulation import Simulator

    about_contacts = {"--friction": friction, "--restitution": restitution}
    check_options(contact=contact, compare=compare, free_body=free_body, others=about_contacts)
    chosen_suffix(out, *_written(compare=compare, free_body=free_body))
    warned: list[str] = []
    touching = contact_simulator(machine, settings or (), free or ()) if contact or compare else None
    laws = None
    if touching is not None:
        chosen = touching.plain
        laws = chosen_laws(chosen, friction, restitution)
        warned += [unused] if contact != "rigid" and (unused := restitution_unused(laws)) else []
    else:
        chosen = without_drives(
            machine_that_moves(machine, settings or (), warned.append, quiet=quiet), free or ()
        )
    for message in () if quiet else warned:
        note(f"warning: {message}")
    check_camera(chosen, camera, out, quiet=quiet)
    at = number_in("--free-body", free_body, chosen)
    last = number_in("--until", until, chosen) if at is None else at
    how: dict[str, Any] = {
        "step": number_in("--step", step, chosen),
        "rtol": rtol,
        "controls": numbers_by_name("--control", control or (), chosen),
        "start": numbers_by_name("--start", start or (), chosen),
        "rates": numbers_by_name("--rate", rate or (), chosen),
    }
    if laws is not None:
        how["laws"] = laws
    with blaming(machine), progress(f"simulating {chosen.name}", quiet=quiet, patience=PATIENCE):
        if touching is not None:
            found = _with_contacts(touching, contact, last, how)
        else:
            found = Simulator(chosen).simulate(last, method=method, check=not unchecked, **how)
    telling: dict[str, Any] = {"out": out, "as_json": as_json, "quiet": quiet}
    if compare:
        tell_comparison(found, **telling)
    elif at is not None:
        tell_free_bodies(found, at, **telling)
    else:
        _tell(found, columns, camera, warned, **telling)


def _written(*, compare: bool, free_body: str) -> tuple[Mapping[str, str], str]:
    """The kinds of files that there are, and what they show."""
    from linkwork.cli import compare as compared
    from linkwork.cli import free_body as freed

    if compare:
        return compared.FILES, "a comparison"
    return (freed.FILES, "free bodies") if free_body else (FILES, "a simulation")


def _with_contacts(touching: ContactIslands, model: str, last: float | None, how: dict[str, Any]) -> Any:
    """The motion by a model of contact; without one by all of them, compared."""
    from linkwork.contact.comparison import compare

    return touching.simulate(last, model=model, **how) if model else compare(touching, last, **how)


def _tell(
    solution: Solution, columns: str, camera: str, warned: list[str], *, out: str, as_json: bool, quiet: bool
) -> None:
    """Write the file that was asked for, then the columns, the document or the summary."""
    from linkwork.cli.columned import chosen_columns, column_document, columned_content, tell
    from linkwork.cli.solution_text import solution_text

    suffix = chosen_suffix(out, FILES, "a simulation")
    names = chosen_columns(solution, columns)
    document = column_document(solution, names) | ({"warnings": warned} if warned else {})
    with progress(f"drawing {solution.machine.name}", quiet=quiet, patience=PATIENCE):
        content = columned_content(solution, names, document, suffix, lambda: _seen(solution, suffix, camera))
    told = partial(solution_text, solution, names if columns.strip() else None)
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
        "linkwork simulate escapement --contact rigid --until 70 -o ticking.html",
        "linkwork simulate escapement --compare --until 30",
        "linkwork simulate escapement --contact rigid --free-body 3 -o forces.svg",
    ),
)
