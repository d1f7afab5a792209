"""Bodies of a STEP file as shells: closed, their faces sewn together, the material on the inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from linkwork.solid.shell import Patch, Shell
from linkwork.solid.shell.conics import with_conics
from linkwork.solid.shell.edge import points_along
from linkwork.solid.shell.moments import signed_volume
from linkwork.solid.shell.sewing import Piece, matched, sewn
from linkwork.solid.step.axes import Measures
from linkwork.solid.step.record import Record
from linkwork.solid.step.topology import SHEETS, Topology

CLOSE: Final = 1e-5
"""How far apart edges may be that are one, in sizes of the body; the file's own uncertainty if that is more."""


def shell_of(body: Record, measures: Measures) -> Shell | None:
    """The solid of a body; none for a surface that encloses nothing."""
    with np.errstate(all="ignore"):  # a file may have any numbers: what comes of them is checked at the end
        return _shell(body, measures)


def _shell(body: Record, measures: Measures) -> Shell | None:
    is_sheet = any(kind in body.parts for kind in SHEETS)
    patches: list[Patch] = []
    for place, pieces in enumerate(Topology(measures).shells(body)):
        size = _size(pieces)
        pieces, lone = matched(pieces, max(CLOSE * size, measures.uncertainty))
        if lone and is_sheet:
            return None
        if lone:
            corner = ", ".join(f"{each:.6g}" for each in lone[0].edge.start)
            body.fail(
                "this solid is not closed",
                got=f"{len(lone)} edges with a face on one side only; the first begins at ({corner})",
                wanted="two faces at each edge",
                fix="close or heal it in the CAD program, and export it again",
            )
        found = sewn(with_conics(pieces), size)
        if not found:
            body.fail("a shell has no faces", wanted="faces that enclose a solid")
        is_void = place > 0 and not is_sheet
        patches += _turned(body, found, -1.0 if is_void else 1.0)
    return Shell(tuple(patches))


def _turned(body: Record, patches: Sequence[Patch], sign: float) -> Sequence[Patch]:
    """The faces with their normals away from the material, whatever the file says."""
    volume = signed_volume(patches)
    if not np.isfinite(volume) or volume == 0:
        body.fail("this solid has no volume", wanted="faces that enclose a solid")
    return patches if sign * volume > 0 else [patch.reversed() for patch in patches]


def _size(pieces: Sequence[Piece]) -> float:
    """The length of the diagonal of the box around all edges."""
    edges = [border.edge for piece in pieces for loop in piece.loops for border in loop]
    if not edges:
        return 1.0
    points = points_along(edges, np.array([0.0, 0.5, 1.0]))
    return float(np.linalg.norm(np.ptp(points.reshape(-1, 3), axis=0))) or 1.0
