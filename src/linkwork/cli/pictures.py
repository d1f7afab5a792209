"""A machine where it stands as the content of a file, by the drawing of its parts or on a stage where there is more."""

from __future__ import annotations

from linkwork.cli.output import write_file
from linkwork.kinematics.summary import Summary
from linkwork.model import Machine
from linkwork.view.machine_scene import machine_scene
from linkwork.view.machine_stage import machine_stage
from linkwork.view.motion_file import needs_stage, scene_file
from linkwork.view.stage_files import stage_file


def picture(found: Summary, suffix: str, camera: str) -> str | bytes:
    """What a file with this suffix holds; the machine must have been put together."""
    if camera or suffix == ".glb" or needs_stage(found.machine):
        return stage_file(machine_stage(found.machine), suffix, camera=camera)
    assert found.position is not None
    return scene_file(machine_scene(found.machine, found.position), suffix)


def write_machine_picture(machine: Machine, out: str, suffix: str, *, quiet: bool) -> None:
    """Write a picture of a machine where it is drawn, with its joints marked and its parts named."""
    from linkwork.view.machine_marks import poses_as_drawn

    scene = machine_scene(machine, poses_as_drawn(machine), marked=True)
    write_file(out, scene_file(scene, suffix), quiet=quiet)
