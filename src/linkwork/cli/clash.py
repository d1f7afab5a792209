"""The verb ``clash``: parts that would collide while a joint travels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linkwork.cli.options import Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import json_text, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb

if TYPE_CHECKING:
    from linkwork.collision import Clashes

FILES = {
    ".json": "the JSON document",
    ".svg": "a picture of the deepest clash",
    ".png": "a picture in pixels",
}
PATIENCE = 0.7

Steps = Annotated[
    int,
    typer.Option("--steps", min=2, max=100_000, help="Positions on each turn, or way of a slide."),
]


def clash(
    machine: MachineName,
    settings: Settings = None,
    steps: Steps = 180,
    out: Out = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Drive a machine of solids over the travel of its joints and tell what collides."""
    suffix = chosen_suffix(out, FILES, "what collides")
    from linkwork.cli.settings import blaming, machine_with_solids
    from linkwork.collision import clash as clashing

    chosen = machine_with_solids(machine, settings or ())
    with blaming(machine), progress(f"moving {chosen.name}", quiet=quiet, patience=PATIENCE):
        found = clashing(chosen, steps)
    document = {"machine": chosen.name, **found.to_json()}
    if suffix:
        write_file(out, _content(found, document, suffix), quiet=quiet)
        document["file"] = out
    write(json_text(document) if as_json else str(found))


def _content(found: Clashes, document: dict[str, object], suffix: str) -> str | bytes:
    if suffix == ".json":
        return json_text(document)
    content: bytes = found.plot(format=suffix[1:]).content
    return content


VERB = Verb(
    "clash",
    clash,
    "Tell which parts of a machine of solids would collide while its joints travel, where and how deep.",
    (
        "linkwork clash engine",
        "linkwork clash four-bar-solids --json",
        "linkwork clash time-bomb -o clash.png",
    ),
)
