"""Questions about a snap-fit beyond its motion: what kind of diode, what friction, what can happen, tolerances."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from linkwork.cli.output import note
from linkwork.cli.progress import progress
from linkwork.errors import UsageError
from linkwork.fasten import Design, classify, critical_friction, fasten, pull, search, spread, uncertainty
from linkwork.fasten.lost import LOST, MotionLost


@dataclass(frozen=True)
class Questions:
    """What was asked on the command line; 0 is nothing."""

    directions: int
    friction: bool
    uncertainty: bool
    samples: int
    tries: int
    state: str


def check_questions(design: Design, asked: Questions) -> None:
    """Say what a question lacks before any work is done."""
    if asked.uncertainty and design.start_region is None:
        raise UsageError(
            "--uncertainty: the design has no start region",
            wanted="a polygon of places where the root may start",
            fix='"start_region": [["-1", "9"], ["1", "9"], ["1", "11"], ["-1", "11"]]',
        )
    if asked.samples and design.tolerances is None:
        raise UsageError(
            "--tolerances: the design has no tolerances",
            wanted="by how much coordinates, friction and stiffness may be off",
            fix='"tolerances": {"coordinates": "1/100", "mu": "1/20", "k": "1/10"}',
        )
    if asked.tries and design.search is None:
        raise UsageError(
            "--search: the design has no search",
            wanted="dimensions to vary and a goal",
            fix='"search": {"vary": {"depth": {"low": "-1/4", "high": "1/4", "moves": {"L.2": ["1", "0"]}}}, '
            '"goal": {"insertion_most": "1/10"}}',
        )


def answered(design: Design, asked: Questions, *, quiet: bool) -> tuple[dict[str, Any], str]:
    """The answers as data and in words."""
    document: dict[str, Any] = {}
    words = ""
    if asked.directions:
        with progress(f"pulling {design.name} apart", 1.0, quiet=quiet) as done:
            document["classification"] = classify(design, count=asked.directions, progress=done).to_json()
        words += _classification_text(document["classification"])
    if asked.friction:
        with progress(f"rubbing {design.name}", 1.0, quiet=quiet) as done:
            document["critical_friction"] = _critical(design, done)
        words += _friction_text(document["critical_friction"])
    if asked.uncertainty and design.start_region is not None:
        with progress(f"starting {design.name} anywhere", 1.0, quiet=quiet) as done:
            document["uncertainty"] = uncertainty(design, design.start_region, progress=done).to_json()
        ways = [
            f"({x:.4g}, {y:.4g})"
            for x, y in (each["direction"] for each in document["uncertainty"]["partitions"])
        ]
        where = f"from the start region, pushed along {', '.join(ways)}"
        words += _outcomes_text(where, document["uncertainty"]["outcomes"])
    if asked.samples and design.tolerances is not None:
        with progress(f"sampling {design.name}", 1.0, quiet=quiet) as done:
            document["tolerances"] = spread(design, design.tolerances, asked.samples, progress=done).to_json()
        found = document["tolerances"]
        where = f"of {asked.samples} samples, {found['invalid']} of them no possible designs"
        words += _outcomes_text(where, found["outcomes"])
    if asked.tries:
        document["search"] = _searched(design, asked, quiet=quiet)
        words += _search_text(document["search"])
    return document, words


def _searched(design: Design, asked: Questions, *, quiet: bool) -> dict[str, Any]:
    try:
        with progress(f"searching around {design.name}", 1.0, quiet=quiet) as done:
            return search(design, asked.tries, state=asked.state or None, progress=done).to_json()
    except KeyboardInterrupt:
        if asked.state and not quiet:
            kept = f"the tries so far are kept in {asked.state}"
            note(f"interrupted; {kept if os.path.exists(asked.state) else 'no tries were finished'}")
        raise


def _search_text(found: dict[str, Any]) -> str:
    lines = ["", f"{found['reached']} of {found['tries']} tries reach the goal; the best:"]
    for each in found["best"]:
        values = ", ".join(f"{name} = {float(Fraction(value)):.6g}" for name, value in each["values"].items())
        lines.append(
            f"  {values}: in with {_shown(each['insertion_force'])}, out with {_shown(each['retention_force'])}, "
            f"{each['ending']}, misses by {_shown(each['miss'])}"
        )
    return "\n".join(lines) + "\n"


def _critical(design: Design, done: Callable[[float], None]) -> dict[str, Any]:
    found = fasten(design)
    back = (-design.v[0], -design.v[1])

    def pushed(mu: Fraction) -> str:
        try:
            return str(fasten(replace(design, mu=mu)).ending)
        except MotionLost:
            return LOST

    def pulled(mu: Fraction) -> str:
        return str(pull(found, back, mu))

    return {
        "pushed": [change.to_json() for change in critical_friction(pushed, lambda part: done(part / 2))],
        "pulled": [
            change.to_json() for change in critical_friction(pulled, lambda part: done((1 + part) / 2))
        ],
    }


def _classification_text(found: dict[str, Any]) -> str:
    kind = "no diode" if found["kind"] == "none" else f"a {found['extent']} {found['kind']} diode"
    lines = [
        "",
        f"{kind}: in with {_shown(found['insertion_force'])}, out with {_shown(found['retention_force'])}",
    ]
    for way in found["ways"]:
        x, y = way["direction"]
        what = "comes apart" if way["comes_apart"] else f"{way['cause']} at t = {way['t']:.6g}"
        lines.append(f"  pulled along ({x:.4g}, {y:.4g}): {what}")
    around = found["around"]
    if around:
        arcs = [f"{_degrees(a)} to {_degrees(b)}" for a, b in around["apart"]]
        lines.append(
            f"  of {around['directions_tried']} directions ({math.degrees(around['spacing']):.3g}° apart), "
            f"{around['critical_directions']} that are critical for the first contact, "
            f"and {around['looked_closer']} more where neighbours differ, "
            f"it comes apart in {', '.join(arcs) or 'none'}"
        )
    return "\n".join(lines) + "\n"


def _degrees(angle: float) -> str:
    """An angle of a direction; a whole turn is none.

    >>> _degrees(6.28318530)
    '0°'
    """
    return f"{float(f'{math.degrees(angle):.4g}') % 360:.4g}°"


def _friction_text(found: dict[str, Any]) -> str:
    lines = [""]
    for which, changes in found.items():
        if not changes:
            lines.append(f"{which}: the same for every friction up to 2")
        for change in changes:
            lines.append(
                f"{which}: {change['below']} below a friction of {change['mu'][0]:.9g}, {change['above']} above"
            )
    return "\n".join(lines) + "\n"


def _outcomes_text(where: str, outcomes: list[dict[str, Any]]) -> str:
    lines = ["", where]
    for each in outcomes:
        events = ", ".join(each["events"]) or "no contact"
        error = f" ± {100 * each['error']:.2f}" if "error" in each else ""
        resist = f"resistance up to {_shown(each['max_resist'])}"
        lines.append(f"  {100 * each['share']:6.2f}{error} %  {each['ending']}, {resist}: {events}")
    return "\n".join(lines) + "\n"


def _shown(force: float | str) -> str:
    return force if isinstance(force, str) else f"{force:.6g}"
