"""``simulate --free-body``: what acts on each part at a time; a table, a picture, JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from linkwork.cli.contact_text import aligned
from linkwork.cli.output import json_text, tell
from linkwork.cli.suffix import chosen_suffix
from linkwork.errors import NoAnswer

if TYPE_CHECKING:
    from linkwork.contact.free_body import FreeBodies, FreeBody
    from linkwork.simulation import Solution

FILES = {".svg": "a picture", ".png": "a picture", ".json": "the JSON document"}


def tell_free_bodies(solution: Solution, time: float, *, out: str, as_json: bool, quiet: bool) -> None:
    """Write the picture that was asked for, then the document or the tables."""
    from linkwork.contact.free_body import free_bodies

    suffix = chosen_suffix(out, FILES, "free bodies")
    if solution.status != "complete":
        raise NoAnswer(
            f"the simulation does not reach t = {time:g}",
            got=solution.why,
            fix="--free-body 0   # an earlier time",
        )
    found = free_bodies(solution)
    tell(
        found.to_json(),
        lambda: free_body_text(found),
        lambda: _content(found, suffix),
        as_json=as_json,
        out=out,
        quiet=quiet,
    )


def _content(found: FreeBodies, suffix: str) -> str | bytes:
    if suffix == ".json":
        return json_text(found.to_json())
    from linkwork.view.free_body import free_body_file

    kind: Literal[".svg", ".png"] = ".png" if suffix == ".png" else ".svg"
    return free_body_file(found, kind)


def free_body_text(found: FreeBodies) -> str:
    """A table for each part."""
    lines = [f"{found.machine.title or found.machine.name}, t = {found.time:.9g}"]
    for body in found.bodies:
        lines += ["", *_body_lines(body)]
    return "\n".join(lines) + "\n"


def _body_lines(body: FreeBody) -> list[str]:
    forces = [math.hypot(*each.force) for each in body.acting]
    moments = [abs(each.moment_about(body.centre)) for each in body.acting]
    least, weakest = 1e-9 * max(forces, default=0.0), 1e-9 * max(moments, default=0.0)

    def number(value: float, smallest: float) -> str:
        return "0" if abs(value) <= smallest else f"{value:.6g}"

    rows: list[tuple[str, ...]] = [(f"on {body.part}", "of", "at x", "at y", "force x", "force y", "moment")]
    for each in body.acting:
        force = [number(value, least) for value in each.force]
        rows.append(
            (each.kind, each.name, *(f"{v:.6g}" for v in each.point), *force, number(each.moment, weakest))
        )
    pull = [number(body.mass * value, least) for value in body.acceleration]
    centre = [f"{value:.6g}" for value in body.centre]
    turning = number(body.inertia * body.turning, weakest)
    rows.append(("sum", "mass × acceleration", *centre, *pull, turning))
    return aligned(rows)
