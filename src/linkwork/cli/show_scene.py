"""``linkwork show`` of a scene: what moves in it and what there is to be seen, and a picture of it."""

from __future__ import annotations

from typing import Any

from linkwork.cli.output import json_text, write, write_file
from linkwork.model import Machine
from linkwork.model.fault import listed


def show_scene(machine: Machine, out: str, suffix: str, camera: str, *, as_json: bool, quiet: bool) -> None:
    """Print what a scene is, and draw it where that was asked for."""
    document = _document(machine)
    if suffix:
        from linkwork.view.machine_stage import machine_stage
        from linkwork.view.stage_files import stage_file

        write_file(out, stage_file(machine_stage(machine), suffix, camera=camera), quiet=quiet)
        document["file"] = out
    write(json_text(document) if as_json else _text(machine, document))


def _document(machine: Machine) -> dict[str, Any]:
    view = machine.view
    return {
        "machine": machine.name,
        "title": machine.title,
        "dimension": machine.dimension,
        "variables": [each.name for each in machine.world().frame_coordinates()],
        "constraints": list(machine.constraints),
        "bodies": list(machine.bodies),
        "controls": list(machine.controls),
        "parameters": machine.values(),
        "units": dict(machine.units),
        "objects": list(view.object),
        "lights": list(view.light),
        "cameras": list(view.camera),
    }


def _text(machine: Machine, document: dict[str, Any]) -> str:
    rows = [f"{machine.name}: {machine.title}" if machine.title else machine.name]
    where = "in the plane" if machine.dimension == 2 else "in space"
    counts = [
        (key, document[key]) for key in ("variables", "constraints", "bodies", "controls") if document[key]
    ]
    rows.append(f"  {where}; " + ", ".join(f"{len(names)} {_noun(key, names)}" for key, names in counts))
    seen = [(key, document[key]) for key in ("objects", "lights", "cameras") if document[key]]
    if seen:
        rows.append("  to be seen: " + ", ".join(f"{len(names)} {_noun(key, names)}" for key, names in seen))
    if document["cameras"]:
        rows.append(f"  cameras: {listed(document['cameras'])}")
    return "\n".join(rows) + "\n"


def _noun(plural: str, names: list[str]) -> str:
    singular = "body" if plural == "bodies" else plural.removesuffix("s")
    return singular if len(names) == 1 else plural
