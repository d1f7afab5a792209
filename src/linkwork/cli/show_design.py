"""What a snap-fit design is, in words and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from linkwork.cli.fasten import settings_by_name
from linkwork.cli.output import json_text, write, write_file
from linkwork.errors import UsageError
from linkwork.fasten import Design, Pawl, Rest, load_design
from linkwork.fasten.writing import design_to_json


def show_design(
    name: str, settings: Sequence[str], out: str, suffix: str, *, as_json: bool, quiet: bool
) -> None:
    """Print what a design is, and draw it where it was asked for."""
    design = load_design(name, settings_by_name(settings))
    document: dict[str, Any] = design_to_json(design)
    if suffix == ".glb":
        raise UsageError(
            "a snap-fit is drawn in the plane", got=f"-o {out}", wanted=".svg, .png", fix="-o design.svg"
        )
    if suffix:
        from linkwork.view.fasten_scene import design_scene
        from linkwork.view.motion_file import scene_file

        write_file(out, scene_file(design_scene(design), suffix), quiet=quiet)
        document["file"] = out
    write(json_text(document) if as_json else design_text(design, name))


def design_text(design: Design, name: str) -> str:
    """A design in words, with what to do next."""
    lines = [design.title or design.name, "", "obstacles"]
    width = max((len(each.name) for each in design.obstacles), default=0)
    lines += [f"  {each.name:<{width}}  {len(each.poly)} vertices" for each in design.obstacles] or ["  none"]
    lines += ["", "root", f"  {len(design.root)} vertices" if design.root else "  none"]
    lines += ["", "pawls", *_pawls(design.pawls, "  ")]
    (x, y), (vx, vy) = design.p0, design.v
    lines += [
        "",
        f"pushed from ({x}, {y}) with the velocity ({vx}, {vy}) for {design.duration}, friction {design.mu}",
    ]
    return "\n".join([*lines, "", f"linkwork fasten {name}   # tells what becomes of it"]) + "\n"


def _pawls(pawls: Sequence[Pawl], indent: str) -> Iterator[str]:
    """A line for each pawl; what one carries is set in below it."""
    for pawl in pawls:
        yield indent + _pawl(pawl)
        yield from _pawls(pawl.pawls, indent + "  ")


def _pawl(pawl: Pawl) -> str:
    x, y = pawl.hinge
    at_rest = "" if pawl.rest == Rest() else f", at rest at {pawl.rest.angle:.6g}"
    cocked = "" if pawl.theta_init is None else f", begins at {float(pawl.theta_init):.6g}"
    return f"{pawl.name}  {len(pawl.poly)} vertices, hinge ({x}, {y}), stiffness {pawl.k}{at_rest}{cocked}"
