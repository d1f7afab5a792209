"""Files of meshes that cannot be read, and how large they may be."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from linkwork.contents import contents
from linkwork.errors import MachineFileError

LARGEST_FILE: Final = 64 * 2**20
"""Bytes; for a file that is packed, after unpacking too."""
MOST_TRIANGLES: Final = 1_000_000
LARGEST_COORDINATE: Final = 1e9
SMALLEST_SIZE: Final = 1e-9
"""Of a mesh, in what it is measured in; what is larger or smaller is an accident."""


class MeshFileError(MachineFileError):
    """A file that is no mesh, or a broken one."""


def mesh_bytes(path: Path, name: str = "") -> bytes:
    """The content of a file; ``name`` is what messages call it."""
    name = name or str(path)
    try:
        content = contents(path, LARGEST_FILE)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise MeshFileError(
            f"the mesh {name} cannot be read",
            why=reason,
            wanted="a file beside the machine's",
            fix="check its name",
        ) from None
    if content is None:
        raise MeshFileError(
            f"{name} is too large for a mesh",
            got=f"more than {LARGEST_FILE // 2**20} MiB",
            wanted=f"at most {LARGEST_FILE // 2**20} MiB",
            fix="simplify it",
        )
    return content
