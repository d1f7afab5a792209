"""What ``show`` tells of a drawing: its elements and dimensions, how it is constructed, and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linkwork.cli.output import json_text, write, write_file
from linkwork.cli.settings import as_usage, blaming, read_settings
from linkwork.errors import LinkworkError
from linkwork.mechanics import Derivation, derive
from linkwork.model import Machine
from linkwork.sketch.impossible import impossible


def show_drawing(
    machine: Machine,
    source: str,
    settings: Sequence[str],
    out: str,
    suffix: str,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print what a drawing is, and draw it where it was asked for."""
    given = read_settings(settings, machine.parameters, [line.name for line in machine.definitions])
    try:
        machine = machine.with_parameters(given) if given else machine
    except LinkworkError as error:
        raise as_usage(error, "--set") from error
    with blaming(source):
        found = derive(machine, quantity=_some_point(machine), tidy=False)
    problem = impossible(found.construction, machine.values())
    if suffix:
        from linkwork.view.dimensioned import drawing_png, drawing_svg

        if problem is not None:
            raise problem
        content = drawing_svg(found) if suffix == ".svg" else drawing_png(found)
        write_file(out, content, quiet=quiet)
    write(json_text(document(found, out if suffix else "")) if as_json else words(found))
    if problem is not None:
        raise problem


def _some_point(machine: Machine) -> str:
    assert machine.drawing is not None
    return f"{next(iter(machine.drawing.points))}x" if machine.drawing.points else ""


def words(found: Derivation) -> str:
    """The drawing in words."""
    machine, drawing = found.machine, found.construction.drawing
    lines = [machine.title or machine.name, ""]
    lines.append(f"points     {', '.join(drawing.points)}")
    if drawing.lines:
        lines.append(
            "lines      " + ", ".join(f"{name} ({' '.join(on)})" for name, on in drawing.lines.items())
        )
    if drawing.circles:
        lines.append(
            "circles    " + ", ".join(f"{name} about {each.centre}" for name, each in drawing.circles.items())
        )
    values = machine.values()
    if values:
        lines.append("parameters " + ", ".join(f"{name} = {value:g}" for name, value in values.items()))
    for title, entries in (
        ("masses", drawing.masses),
        ("inertias", drawing.inertias),
        ("torques", drawing.torques),
    ):
        if entries:
            lines.append(f"{title:<10} " + ", ".join(f"{name}: {value}" for name, value in entries.items()))
    if drawing.forces:
        shown = ", ".join(f"{name}: ({', '.join(map(str, force))})" for name, force in drawing.forces.items())
        lines.append(f"forces     {shown}")
    for title, springs in (("springs", drawing.springs), ("torsion", drawing.torsion_springs)):
        if springs:
            shown = ", ".join(f"{name} ({' '.join(each.between)})" for name, each in springs.items())
            lines.append(f"{title:<10} {shown}")
    lines += ["", *(f"{place:>2}. {step.words}" for place, step in enumerate(found.construction.steps, 1))]
    lines += ["", *found.construction.assumptions] if found.construction.assumptions else []
    return "\n".join(lines) + "\n"


def document(found: Derivation, out: str) -> dict[str, Any]:
    """The same as plain data, with the keys that ``show`` has for other machines."""
    machine, drawing = found.machine, found.construction.drawing
    told = found.to_json()
    return {
        "machine": machine.name,
        "title": machine.title,
        "dimension": machine.dimension,
        "parts": [],
        "joints": [],
        "mobility": 0,
        "redundant": [],
        "points": list(drawing.points),
        "lines": {name: list(points) for name, points in drawing.lines.items()},
        "circles": list(drawing.circles),
        "parameters": machine.values(),
        "units": dict(machine.units),
        "construction": told["construction"],
        "assumptions": told["assumptions"],
        "simultaneous": told["simultaneous"],
    } | ({"file": out} if out else {})
