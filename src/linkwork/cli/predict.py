"""The verb ``predict``: what a machine will do in the long run, in words and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linkwork.cli.options import Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import json_text, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.simulate import Friction, Restitution, Tolerance
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb

if TYPE_CHECKING:
    from linkwork.foresee import Forecast

FILES = {
    ".json": "the JSON document",
    ".txt": "the words",
    ".svg": "a plot of swings and periods over time",
    ".png": "a plot of swings and periods over time",
}
PATIENCE = 0.7

Horizon = Annotated[
    str,
    typer.Option(
        "--horizon", metavar="TIME", help="Until when (without it, until it stops).", show_default=False
    ),
]
ContactModel = Annotated[
    str,
    typer.Option(
        "--contact",
        metavar="MODEL",
        help="How parts touch: rigid (usual for solids) or none.",
        show_default=False,
    ),
]


def predict(
    machine: MachineName,
    settings: Settings = None,
    horizon: Horizon = "",
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
    from linkwork.cli.contact import chosen_laws
    from linkwork.cli.settings import blaming, machine_of_solids, machine_that_moves, number_in, tell_density
    from linkwork.foresee import predict as foresee
    from linkwork.model import load

    touches = contact != "none" and (bool(contact) or load(machine).is_unjoined)
    if touches:
        chosen = machine_of_solids(machine, settings or ())
        tell_density(machine, chosen)
    else:
        chosen = machine_that_moves(machine, settings or ())
    last = number_in("--horizon", horizon, chosen)
    laws = chosen_laws(chosen, friction, restitution) if touches else None
    with blaming(machine), progress(f"foreseeing {chosen.name}", quiet=quiet, patience=PATIENCE):
        model = (contact or "rigid") if touches else ""
        found = foresee(chosen, last, contact=model, laws=laws, rtol=rtol)
        document = found.to_json()
        content = _content(found, suffix)
    if suffix:
        write_file(out, content, quiet=quiet)
        document["file"] = out
    write(json_text(document) if as_json else forecast_text(found))


def _content(found: Forecast, suffix: str) -> str | bytes:
    if suffix == ".json":
        return json_text(found.to_json())
    if suffix == ".txt":
        return forecast_text(found)
    if not suffix:
        return ""
    from linkwork.view.forecast import plot_forecast

    return plot_forecast(found, format="svg" if suffix == ".svg" else "png").content


def forecast_text(found: Forecast) -> str:
    """The words, and what they rest on."""
    lines = [found.machine.title or found.machine.name, "", *found.summary.split("; ")]
    lines += ["", f"simulated  {found.simulated_time:.6g} of {found.reached:.6g}"]
    restarts = sum(each.restarts for each in found.patterns)
    if restarts:
        lines.append(
            f"restarts   {restarts}; where they were set going was foretold to {found.deviation:.2g} of a swing"
        )
    lines += [f"rejected   {each.minima} minima, at t = {each.t:.6g}: {each.why}" for each in found.rejected]
    return "\n".join(lines) + "\n"


VERB = Verb(
    "predict",
    predict,
    "Foresee what a machine does in the long run: what repeats, for how long, and how it ends.",
    (
        "linkwork predict escapement",
        "linkwork predict chiming-clock --horizon 2000 --json",
        "linkwork predict time-bomb -o bomb.svg",
    ),
)
