"""STL files: facets without units, names or order, as text or binary."""

from __future__ import annotations

from typing import Final

import numpy as np

from linkwork.solid.mesh.fault import (
    LARGEST_COORDINATE,
    MOST_TRIANGLES,
    SMALLEST_SIZE,
    MeshFileError,
)
from linkwork.solid.mesh.mesh import Mesh, doubled_areas
from linkwork.solid.placement import Floats

_HEADER, _FACET = 84, 50
_MARK: Final = b"linkwork"


def stl_corners(content: bytes) -> Floats:
    """The corners of the facets: (facets, 3, 3). A binary file says in its header how long it is."""
    return checked(_corners(content))


def _corners(content: bytes) -> Floats:
    count = int.from_bytes(content[80:84], "little") if len(content) >= _HEADER else 0
    if len(content) >= _HEADER and len(content) == _HEADER + _FACET * count:
        facets = np.frombuffer(content, np.uint8, count * _FACET, _HEADER).reshape(count, _FACET)
        return np.ascontiguousarray(facets[:, 12:48]).view("<f4").reshape(count, 3, 3).astype(float)
    is_text = b"\0" not in content[:_HEADER]  # which no count of facets that fit into a file leaves so
    words = content.split()
    if words and words[0].lower() == b"solid" and is_text:
        return _written_corners(words)
    if len(content) > _HEADER and _HEADER + _FACET * count > len(content) and not is_text:
        raise MeshFileError(
            "this STL file is cut off",
            got=f"{(len(content) - _HEADER) // _FACET} facets",
            wanted=f"{count} facets, as its header says",
            fix="export or copy it again",
        )
    if len(content) > _HEADER + _FACET * count and count and not is_text:
        raise MeshFileError(
            "this STL file goes on behind its last facet",
            got=f"{len(content) - _HEADER - _FACET * count} bytes more",
            wanted=f"{count} facets and no more, as its header says",
            fix="export or copy it again",
        )
    raise MeshFileError(
        "this is no STL file",
        got=repr(content[:20]) if content else "an empty file",
        wanted="text that begins with solid, or binary STL",
        fix="export it again",
    )


def _written_corners(words: list[bytes]) -> Floats:
    found: list[bytes] = []
    for place, word in enumerate(words):
        if word.lower() == b"vertex":
            found += words[place + 1 : place + 4]
    try:
        corners = np.array([float(each) for each in found]).reshape(-1, 3, 3)
    except ValueError:
        raise MeshFileError(
            "this STL file is broken",
            wanted="three numbers behind each vertex, three vertices a facet",
            fix="export it again",
        ) from None
    ended = sum(word.lower() == b"endfacet" for word in words)
    if len(corners) and ended and ended != len(corners):
        raise MeshFileError(
            "this STL file is cut off",
            got=f"{len(corners)} facets, of which {ended} end",
            wanted="endfacet behind each facet",
            fix="export or copy it again",
        )
    return corners


def checked(corners: Floats) -> Floats:
    """The corners, if they are numbers and not too many."""
    if not len(corners) or len(corners) > MOST_TRIANGLES:
        raise MeshFileError(
            "this mesh has no triangles" if not len(corners) else "this mesh has too many triangles",
            got=f"{len(corners)}",
            wanted=f"1 to {MOST_TRIANGLES}",
            fix="export it again" if not len(corners) else "simplify it",
        )
    if not np.all(np.isfinite(corners)):
        raise MeshFileError(
            "a corner of the mesh is no number", wanted="finite coordinates", fix="export it again"
        )
    farthest, size = float(np.abs(corners).max()), float(np.ptp(corners, axis=(0, 1)).max())
    if farthest > LARGEST_COORDINATE or size < SMALLEST_SIZE:
        raise MeshFileError(
            "this mesh leads out of all measure",
            got=f"a size of {size:.3g}, corners up to {farthest:.3g} from the origin",
            wanted=f"a size of {SMALLEST_SIZE:g} at least, coordinates up to {LARGEST_COORDINATE:g}",
            fix="export it again in millimetres",
        )
    return corners


def stl_bytes(mesh: Mesh) -> bytes:
    """A mesh as a binary STL file.

    >>> import numpy as np
    >>> triangle = Mesh(np.eye(3), np.array([[0, 1, 2]]))
    >>> len(stl_bytes(triangle))
    134
    """
    facets = np.zeros(
        len(mesh.triangles), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")]
    )
    facets["normal"], facets["corners"] = _normals(mesh), mesh.corners
    return _MARK.ljust(80) + len(facets).to_bytes(4, "little") + facets.tobytes()


def stl_text(mesh: Mesh, name: str = "linkwork") -> str:
    """A mesh as an STL file that people can read."""
    plain = "".join(each if each.isprintable() else " " for each in name)
    rows = [f"solid {plain}"]
    for normal, corners in zip(_normals(mesh), mesh.corners, strict=True):
        rows.append("facet normal " + _row(normal))
        rows.append("  outer loop")
        rows += ["    vertex " + _row(corner) for corner in corners]
        rows += ["  endloop", "endfacet"]
    return "\n".join([*rows, f"endsolid {plain}", ""])


def _row(values: Floats) -> str:
    return " ".join(f"{value:.9g}" for value in values + 0.0)


def _normals(mesh: Mesh) -> Floats:
    sides = doubled_areas(mesh.corners)
    return np.asarray(sides / np.maximum(np.linalg.norm(sides, axis=1, keepdims=True), 1e-300))
