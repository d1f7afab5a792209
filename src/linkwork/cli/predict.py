"""The verb ``predict``: what a machine will do in the long run, in words and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkwork.cli.forecast_text import forecast_markdown, forecast_text
from linkwork.cli.options import Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import json_text, note, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.simulate import Friction, Restitution, Tolerance
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb
from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.foresee import Forecast
    from linkwork.foresee.recall import Recalled
    from linkwork.model import Machine

FILES = {
    ".html": "a page",
    ".json": "the JSON document",
    ".txt": "the words",
    ".md": "the words in Markdown",
    ".svg": "a plot of swings and periods over time",
    ".png": "a plot of swings and periods over time",
}
PATIENCE = 0.7
FOREVER = ("inf", "infinity", "oo", "∞")
"""Ways to write that there is no horizon."""

Horizon = Annotated[
    str,
    typer.Option(
        "--horizon", metavar="TIME", help="Until when (without it, until it stops).", show_default=False
    ),
]
At = Annotated[
    list[str] | None,
    typer.Option("--at", metavar="TIME", help="The state at a time; repeatable.", show_default=False),
]
ContactModel = Annotated[
    str,
    typer.Option(
        "--contact",
        metavar="MODEL",
        help="How parts touch: rigid (usual for solids), elastic or none.",
        show_default=False,
    ),
]


def predict(
    machine: MachineName,
    settings: Settings = None,
    horizon: Horizon = "",
    at: At = None,
    contact: ContactModel = "",
    friction: Friction = None,
    restitution: Restitution = None,
    rtol: Tolerance = 1e-9,
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Foresee what a machine does, from a few repetitions of what it does."""
    suffix = chosen_suffix(out, FILES, "a forecast")
    from linkwork.cli.contact import with_laws
    from linkwork.cli.settings import blaming, machine_that_moves, machine_with_solids, tell_density
    from linkwork.foresee import predict as foresee
    from linkwork.model import load

    touches = contact != "none" and (bool(contact) or load(machine).is_unjoined)
    if touches:
        chosen = machine_with_solids(machine, settings or ())
        tell_density(machine, chosen)
    else:
        chosen = machine_that_moves(machine, settings or (), quiet=quiet)
    last = _time("--horizon", horizon, chosen)
    times = [time for text in at or () if (time := _time("--at", text, chosen)) is not None]
    chosen = with_laws(chosen, friction, restitution) if touches else chosen
    total = last if last is not None and math.isfinite(last) and last > 0 else None
    with (
        blaming(machine),
        progress(f"foreseeing {chosen.name}", total, quiet=quiet, patience=PATIENCE) as report,
    ):
        model = (contact or "rigid") if touches else ""
        found = foresee(chosen, last, contact=model, rtol=rtol, report=report)
        asked = [found.at(time) for time in times]
    _tell(found, asked, suffix, out=out, as_json=as_json, quiet=quiet)


def _time(option: str, text: str, machine: Machine) -> float | None:
    """The time of an option; no end is written as infinity."""
    from linkwork.cli.settings import number_in

    if option == "--horizon" and text.strip().lower() in FOREVER and text.strip() not in machine.parameters:
        return math.inf
    try:
        return number_in(option, text, machine)
    except UsageError as error:
        error.fix = f"{option} 1000"
        raise


def _tell(
    found: Forecast, asked: Sequence[Recalled], suffix: str, *, out: str, as_json: bool, quiet: bool
) -> None:
    """Write the file that was asked for, then the document or the words; an interrupted forecast is left at once."""
    document = found.to_json()
    if asked:
        document["at"] = [
            {
                "t": each.time,
                "time_error": each.time_error,
                "values": dict(each.values),
                "errors": dict(each.errors),
            }
            for each in asked
        ]
    if suffix:
        with progress(f"drawing {found.machine.name}", quiet=quiet, patience=PATIENCE):
            content = _content(found, asked, document, suffix)
        write_file(out, content, quiet=quiet)
        document["file"] = out
    write(json_text(document) if as_json else forecast_text(found, asked))
    if found.is_partial:
        from linkwork.cli.run import INTERRUPTED

        if not quiet:
            note("interrupted: this is what was found so far")
        raise typer.Exit(INTERRUPTED)


def _content(
    found: Forecast, asked: Sequence[Recalled], document: dict[str, Any], suffix: str
) -> str | bytes:
    if suffix == ".json":
        return json_text(document)
    if suffix == ".txt":
        return forecast_text(found, asked)
    if suffix == ".md":
        return forecast_markdown(found, asked)
    if suffix == ".html":
        from linkwork.view.forecast_page import forecast_page

        return forecast_page(found)
    from linkwork.view.forecast import plot_forecast

    return plot_forecast(found, format="svg" if suffix == ".svg" else "png").content


VERB = Verb(
    "predict",
    predict,
    "Foresee what a machine does in the long run: what repeats, for how long, and how it ends.",
    (
        "linkwork predict escapement",
        "linkwork predict escapement -o clock.html",
        "linkwork predict chiming-clock --horizon 2000 --json",
        "linkwork predict escapement --at 1200",
    ),
)
