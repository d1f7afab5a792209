"""Writes the golden files beside the texts with OpenSCAD itself: ``python openscad_golden.py [NAME …]``.

For each text of ``language`` what it echoes (``.echo``); for each text of ``models`` the dump (``.csg``) and, of the
mesh, its volume and which of some points of its box lie in it (``.points``). Points near the surface are not asked,
since OpenSCAD's round things have corners. The tests only read these files.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scad_points import halton

HERE = Path(__file__).parent
POINTS = 400
NEAR = 0.004
"""Of the box's diagonal: points nearer to the surface are not asked."""

Floats = NDArray[np.float64]


def openscad(text: Path, result: Path) -> str:
    """Run OpenSCAD on a text; what it says."""
    done = subprocess.run(
        ["openscad", "-o", str(result), text.name],
        cwd=text.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def triangles(stl: Path) -> Floats:
    """The corners of the triangles of a mesh."""
    numbers = re.findall(r"vertex (\S+) (\S+) (\S+)", stl.read_text())
    return np.array(numbers, dtype=float).reshape(-1, 3, 3)


def winding(mesh: Floats, points: Floats) -> Floats:
    """How often a mesh goes around points, by solid angles (Van Oosterom and Strackee 1983)."""
    turns = np.zeros(len(points))
    for corners in mesh:
        a, b, c = (corner - points for corner in corners)
        la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
        above = np.einsum("ij,ij->i", a, np.cross(b, c))
        below = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
        turns += 2 * np.arctan2(above, below)
    return turns / (4 * np.pi)


def distances(mesh: Floats, points: Floats) -> Floats:
    """How far points are from a mesh, by samples of its triangles' planes and edges."""
    best = np.full(len(points), np.inf)
    for a, b, c in mesh:
        normal = np.cross(b - a, c - a)
        length = np.linalg.norm(normal)
        for start, end in ((a, b), (b, c), (c, a)):
            way = end - start
            share = np.clip((points - start) @ way / max(way @ way, 1e-30), 0, 1)
            best = np.minimum(best, np.linalg.norm(points - start - share[:, None] * way, axis=1))
        if length > 0:
            normal = normal / length
            height = (points - a) @ normal
            foot = points - height[:, None] * normal
            sides = [np.cross(end - start, foot - start) @ normal for start, end in ((a, b), (b, c), (c, a))]
            within = np.all(np.array(sides) >= 0, axis=0)
            best = np.where(within, np.minimum(best, np.abs(height)), best)
    return best


def bits(truths: NDArray[np.bool_]) -> str:
    """Truths as hexadecimal digits."""
    return np.packbits(truths).tobytes().hex()


def write_points(model: Path, mesh: Floats) -> None:
    """The volume, the box and the points of a mesh."""
    low, high = mesh.min(axis=(0, 1)), mesh.max(axis=(0, 1))
    points = low + halton(POINTS) * (high - low)
    asked = distances(mesh, points) > NEAR * np.linalg.norm(high - low)
    inside = winding(mesh, points) > 0.5
    a, b, c = mesh.transpose(1, 0, 2)
    volume = float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)
    found = {
        "low": low.tolist(),
        "high": high.tolist(),
        "volume": round(volume, 3),
        "asked": bits(asked),
        "inside": bits(asked & inside),
    }
    model.with_suffix(".points").write_text(json.dumps(found, indent=1) + "\n")


def chosen(folder: str, names: list[str]) -> list[Path]:
    """The texts of a folder, those with these names if there are any."""
    return [text for text in sorted((HERE / folder).glob("*.scad")) if not names or text.stem in names]


def main(names: list[str]) -> None:
    """Write all golden files, or those of some texts."""
    with tempfile.TemporaryDirectory() as folder:
        for text in chosen("language", names):
            said = openscad(text, Path(folder) / "x.csg")
            lines = re.findall(r"ECHO: .*", said)
            text.with_suffix(".echo").write_text("\n".join(lines) + "\n")
        for model in chosen("models", names):
            openscad(model, model.with_suffix(".csg"))
            mesh = Path(folder) / "x.stl"
            openscad(model, mesh)
            write_points(model, triangles(mesh))
            print(model.name)


if __name__ == "__main__":
    main(sys.argv[1:])
