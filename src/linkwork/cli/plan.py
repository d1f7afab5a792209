"""The verb ``plan``: how the simulation program of a machine is made, in words, as data, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwork.cli.options import Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import json_text, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb

if TYPE_CHECKING:
    from linkwork.dynamics.plan import Plan

FILES = {".svg": "a picture", ".png": "a picture", ".json": "the JSON document", ".txt": "the text"}
PATIENCE = 0.7


def plan(
    machine: MachineName,
    settings: Settings = None,
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Explain the simulation program of a machine."""
    suffix = chosen_suffix(out, FILES, "a plan")
    from linkwork.cli.plan_text import plan_text
    from linkwork.cli.settings import blaming, machine_that_moves
    from linkwork.simulation import Simulator

    chosen = machine_that_moves(machine, settings or (), quiet=quiet)
    with blaming(machine), progress(f"planning {chosen.name}", quiet=quiet, patience=PATIENCE):
        found = Simulator(chosen).checked_plan()
        document = found.to_json()
        content = _content(found, suffix)
    if suffix:
        write_file(out, content, quiet=quiet)
        document["file"] = out
    if as_json:
        write(json_text(document))
    else:
        write(plan_text(found))


def _content(found: Plan, suffix: str) -> str | bytes:
    if suffix in ("", ".txt"):
        from linkwork.cli.plan_text import plan_text

        return plan_text(found) if suffix else ""
    if suffix == ".json":
        return json_text(found.to_json())
    from linkwork.view.plan import plan_png, plan_svg

    return plan_svg(found) if suffix == ".svg" else plan_png(found)


VERB = Verb(
    "plan",
    plan,
    "Explain the simulation program of a machine: classes of variables, blocks of equations; a picture with -o.",
    (
        "linkwork plan roller-coaster",
        "linkwork plan roller-coaster -o plan.svg",
        "linkwork plan four-bar --json",
    ),
)
