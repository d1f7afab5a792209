"""``--camera NAME``: a name that is no camera's is refused; where a camera changes nothing, that is told."""

from __future__ import annotations

import os
from collections.abc import Collection

from linkwork.cli.output import note
from linkwork.errors import UsageError
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean, listed

SEEN = (".svg", ".png", ".gif", ".mp4", ".webm", ".html", ".glb")
"""The files that are seen through a camera, and the model that holds all of them."""


def check_camera(
    machine: Machine, camera: str, out: str, seen: Collection[str] = SEEN, *, quiet: bool
) -> None:
    """Refuse a camera that is not there; warn of one that changes nothing."""
    if not camera:
        return
    from linkwork.view.machine_stage import camera_names

    names = camera_names(machine)
    if camera not in names:
        raise UsageError(
            f"there is no camera '{camera}'",
            got=f"--camera {camera}",
            wanted="one of " + listed(names) if len(names) > 1 else f"{names[0]}, the only one",
            fix=did_you_mean(camera, names, f"--camera {names[0]}"),
        )
    if not quiet and os.path.splitext(out)[1].lower() not in seen:
        about = f"on {out}" if out and out != "-" else "without a picture, film or page: -o FILE"
        note(f"warning: --camera has no effect {about}")
