"""A polygon from a drawing: one outline of a DXF or SVG file, moved so that its origin is where the design wants it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from linkwork.fasten.design import Polygon, Vector
from linkwork.fasten.dxf import dxf_outlines
from linkwork.fasten.outline import Outline
from linkwork.fasten.svg_file import svg_outlines
from linkwork.model.fault import PlacedError, did_you_mean, listed
from linkwork.model.store import read_text

READERS: Final = {".dxf": dxf_outlines, ".svg": svg_outlines}


def drawn_polygon(
    path: str, part: str, origin: Vector, scale: Fraction = Fraction(1), deviation: Fraction = Fraction(0)
) -> Polygon:
    """The outline of a drawing that ``part`` names: a layer of a DXF file, an id of an SVG file, or its number from 1.

    Its vertices are those of the drawing minus ``origin``, times ``scale``. Chords of arcs and curves are at most
    ``deviation`` from them, in the drawing's units; without it a thousandth of the radius.
    """
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in READERS:
        raise PlacedError(
            "this is no drawing that is read",
            file=path,
            got=suffix or "no suffix",
            wanted=" or ".join(READERS),
            fix="save it as DXF or SVG",
        )
    found = chosen(READERS[suffix](read_text(path), path, float(deviation)), part, path)
    return tuple(((x - origin[0]) * scale, (y - origin[1]) * scale) for x, y in found.points)


def chosen(outlines: Sequence[Outline], part: str, path: str) -> Outline:
    """The outline of a name; without one there must be a single outline."""
    if not outlines:
        raise PlacedError("this drawing has no closed outline", file=path, wanted="a closed polyline or path")
    fitting = [each for each in outlines if each.name == part] if part else list(outlines)
    if (
        not fitting
        and part.isascii()
        and part.isdigit()
        and len(part) < 10
        and 0 < int(part) <= len(outlines)
    ):
        fitting = [outlines[int(part) - 1]]
    if len(fitting) == 1:
        return fitting[0]
    names = list(dict.fromkeys(each.name for each in outlines if each.name))
    places = [outlines.index(each) + 1 for each in fitting]
    base = os.path.basename(path)
    if not fitting:
        raise PlacedError(
            f"this drawing has no outline '{part[:60]}'",
            file=path,
            wanted=f"one of {listed(names)}, or a number from 1 to {len(outlines)}",
            fix=did_you_mean(part, names, f"{base}#1"),
        )
    raise PlacedError(
        f"this drawing has {len(fitting)} outlines" + (f" called '{part[:60]}'" if part else ""),
        file=path,
        line=fitting[1].line,
        got=f"number {listed(map(str, places))}" + (f"; names: {listed(names)}" if names else ""),
        wanted="one of them: by its name, or by its number",
        fix=f"{base}#{places[0]}",
    )
