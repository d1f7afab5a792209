"""The verb ``clash``: parts that would collide while a joint travels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from linkwork.cli.options import Json, MachineName, Out, Quiet, Settings
from linkwork.cli.output import json_text, write, write_file
from linkwork.cli.progress import progress
from linkwork.cli.suffix import chosen_suffix
from linkwork.cli.verb import Verb

if TYPE_CHECKING:
    from linkwork.collision import Clash, Clashes

FILES = {".json": "the JSON document"}
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
        write_file(out, json_text(document), quiet=quiet)
        document["file"] = out
    write(json_text(document) if as_json else _text(found))


def _text(found: Clashes) -> str:
    lines = [found.machine.title or found.machine.name, ""]
    for drive, first, last, status in found.ways:
        lines.append(f"{drive} from {_shown(first)} to {_shown(last)}{_ended(status)}")
    lines += ["", *(_told(each, is_angle=each.drive in found.turning) for each in found.clashes)]
    if not found.clashes:
        lines.append("nothing collides")
    return "\n".join(lines) + "\n"


def _ended(status: str) -> str:
    """What is said of the end of a way."""
    if status == "complete":
        return ""
    if status == "cut short":
        return ", cut short: its slowest wheel has not made a turn"
    return f", where it stops: {status}"


def _shown(value: float) -> str:
    """A value as it is printed, without the sign of a zero.

    >>> _shown(-0.0), _shown(-1.5)
    ('0', '-1.5')
    """
    return f"{value + 0.0:.6g}"


def _told(each: Clash, *, is_angle: bool) -> str:
    where = ", ".join(f"{round(value, 9) + 0.0:.4g}" for value in each.point)
    degrees = f" ({math.degrees(each.at):.4g} deg)" if is_angle else ""
    out = ""
    if each.out is not None:
        shift = ", ".join(f"{round(value, 9) + 0.0:.4g}" for value in each.out)
        out = f"; {each.parts[1]} would be clear there if it were {math.hypot(*each.out):.4g} away, by ({shift})"
    return (
        f"{each.parts[0]} and {each.parts[1]} collide from {each.drive} = {_shown(each.at)}{degrees} "
        f"to {_shown(each.until)}, deepest by {each.depth:.4g} at {_shown(each.deepest_at)}, near ({where}){out}"
    )


VERB = Verb(
    "clash",
    clash,
    "Tell which parts of a machine of solids would collide while its joints travel, where and how deep.",
    ("linkwork clash engine", "linkwork clash four-bar-solids --json", "linkwork clash engine --steps 720"),
)
